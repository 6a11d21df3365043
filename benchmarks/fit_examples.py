"""Examples that the confidence of the learned reader is fitted on: faces that it read, right or wrong.

No face counts that the networks in question learnt from: photographs of the training sources, each read by
networks that learnt without that source; drawn scenes of seeds that nothing was trained on; throws of the
simulated table. A face counts as right when kind and value are right and the die lies flat and free. A find
at a die's side is nothing that could be read right: it counts for the second alone. Of dice that lie
otherwise and of strangers in drawn scenes, where both are common, only some count.

D4 that were looked at closely have curves of their own. They come from seeds of 90,000 to 94,999, from which
no network learnt: scenes of large D4, the kept scenes of all kinds, and throws of the simulated table. One
that is "hidden" only because its numbers are faint lies flat. `fit` measures them from 95,000 on.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import cv2
import numpy as np
from tqdm import tqdm

from benchmarks.photographs import die_meant, inside, sources, unseen
from benchmarks.reading_table import Lies, throws, zonk
from benchmarks.simulation import at_rest, hurried_table
from calibration.arrays import Singles
from device.simulator.designs import COLORS
from device.simulator.table import SimulatedTable
from engine.dice import FACES, DieKind, read_die
from models.scenes import draw
from models.scenes.draw import HIDDEN_FROM
from models.training.d4_cuts import large_seeds
from models.training.photos import PHOTOS, SOURCES, STRANGERS, PhotoTruth
from models.training.store import HELD_OUT, HELD_OUT_ASLANT, Store, scenes_folder
from models.training.store import Truth as Drawn
from models.training.targets import lying_of
from vision.face_place import sharper_of
from vision.learned import confidence, d4
from vision.learned.d4_contract import EDGE
from vision.learned.reader import JudgedFace, LearnedReader
from vision.pictures import load_sized
from vision.places import Surveyor, load_packaged
from vision.reading import DiceChoice

FITTED_SHARDS = {HELD_OUT: 4, HELD_OUT_ASLANT: 1}
"""The first of the shards of held-out scenes, and how many of them."""
LYING_EVERY, STRAY_EVERY = 8, 4
"""Every so many-th die of drawn scenes that does not lie flat and free counts, as wrong; and every so many-th
find that is no die of ours, most often half a domino: at a table both are rarer."""
EVERY = {"nell_byler": 3}
"""Every so many-th picture of a large source is enough."""
THROWS: dict[DieKind, range] = {"pip": range(300, 312), "zoinx": range(320, 332), "bet": range(340, 352)}
"""Seeds of the simulated table's throws."""
SIZES = ((1280, 960), (640, 480))
LEAST_SCENE_PX = 52.0
FITTED, MEASURED = (90_000, 130), (95_000, 150)
"""First seed, and how many scenes of each size."""
HELD_SHARDS = 4
LYING_EVERY = 4
"""Every so many-th D4 that does not lie flat counts: at a table they are rarer."""
D4_THROWS, D4_SEED = 24, 400
Truth = tuple[str, int | str | None, str, tuple[float, float], float]
"""Kind, value, pose, middle and half edge of a die that lies there."""


@dataclass(frozen=True, slots=True)
class Example:
    """One face that was read."""

    origin: str
    picture: str
    seen: dict[str, float]
    read: bool | None
    """Whether kind and value are right; None for a second find in the box of a die: a side of it."""
    flat: bool | None
    """Whether it lies flat and free; None where no die is."""

    @property
    def right(self) -> bool:
        """Whether it may be vouched for."""
        return bool(self.read) and self.flat is not False


def of_photos() -> Iterator[Example]:
    """Training sources, read by networks that never saw them."""
    for source, truths in sources():
        networks = unseen(source) if source in SOURCES else None
        if networks is None:
            continue
        reader = LearnedReader(networks)
        for truth in tqdm(truths[:: EVERY.get(source, 1)], desc=source, leave=False):
            named = {die["kind"] for die in truth["dice"]} - set(STRANGERS)
            looked = reader.look(load_sized(PHOTOS / source / truth["image"]).picture, named_kind(named))
            known = [one for one in looked if one.die is not None and one.die.kind != "d4"]
            known = [one for one in known if not _bears_that_number(one, truth)]
            for one, right in zip(known, _right(known, truth), strict=True):
                flat = False if right is None else True if right else None
                yield Example(source, truth["image"], confidence.numbers(one.face), right, flat)


def _bears_that_number(one: JudgedFace, truth: PhotoTruth) -> bool:
    """Whether a stranger's die of the picture bears the number that was read as a betting die's: on plain
    digits nobody can tell, and only who names the kind knows."""
    strangers = {die["value"] for die in truth["dice"] if die["kind"] in STRANGERS}
    return one.die is not None and one.die.kind == "bet" and one.die.value in strangers


def _right(looked: Sequence[JudgedFace], truth: PhotoTruth) -> list[bool | None]:
    """Whether the truth has each face, None for the side of a die; by values alone, the surest have first
    choice."""
    left = list(truth["dice"])
    out: list[bool | None] = [False] * len(looked)
    for i in sorted(range(len(looked)), key=lambda i: -looked[i].confidence):
        one = looked[i]
        center = (float(one.face.place.center[0]), float(one.face.place.center[1]))
        without = (die for die in left if not die["box"] and one.die and die["value"] == one.die.value)
        die = die_meant(left, center, one.die) or next(without, None)
        if die is not None:
            out[i] = die["kind"] in FACES and one.die == read_die(die["kind"], die["value"])
            left.remove(die)
        elif any(die["box"] and inside(center, die["box"]) for die in truth["dice"]):
            out[i] = None
    return out


def of_drawn() -> Iterator[Example]:
    """Held-out scenes, read by the networks of the project."""
    for first, shards in FITTED_SHARDS.items():
        yield from _of_scenes(first, Store(scenes_folder(), first, shards))


def _of_scenes(first: int, store: Store) -> Iterator[Example]:
    reader, lying, strays = LearnedReader(), 0, 0
    for i in tqdm(range(len(store)), desc="drawn", leave=False):
        dice = store.truths[i]
        places = [lying_of(die.corners, die.visible).place for die in dice]
        for one in reader.look(store.picture(i), named_kind({die.kind for die in dice} - {"foreign"})):
            if one.die is None or one.die.kind == "d4":
                continue
            center = one.face.place.center
            near = [
                die
                for die, place in zip(dice, places, strict=True)
                if np.hypot(*(place.center - center)) < 0.5 * place.half_px
            ]
            if not near and any(_lies_on(die, center) for die in dice):
                yield Example("drawn", f"scene {first} {i}", confidence.numbers(one.face), None, flat=False)
                continue
            lies, stray = any(die.pose != "flat" for die in near), not any(die.kind in FACES for die in near)
            lying, strays = lying + lies, strays + stray
            if (not lies or lying % LYING_EVERY == 0) and (not stray or strays % STRAY_EVERY == 0):
                read = any((d.kind, d.value) == (one.die.kind, one.die.value) for d in near)
                flat = not lies if near else None
                yield Example("drawn", f"scene {first} {i}", confidence.numbers(one.face), read, flat)


def _lies_on(die: Drawn, center: Singles) -> bool:
    """Whether a place (2,) lies on a drawn die, up-face or sides."""
    outline = cv2.convexHull(np.vstack((die.corners, die.corners - die.step)).astype(np.float32))
    return cv2.pointPolygonTest(outline, (float(center[0]), float(center[1])), measureDist=False) >= 0


def named_kind(kinds: Collection[str]) -> DiceChoice:
    """What a player would say lies there: the kind, if it is one."""
    return next((kind for kind in FACES if kind in kinds), "auto") if len(kinds) == 1 else "auto"


def of_table() -> Iterator[Example]:
    """Throws of the simulated table, some with a leaning or a stacked die."""
    reader, colors = LearnedReader(), list(COLORS)
    for kind, seeds in THROWS.items():
        for seed in tqdm(seeds, desc=f"table, {kind}", leave=False):
            table = hurried_table(seed)
            table.lay(kind, 5, (colors[seed % 8], colors[seed // 3 % 8]))
            table.act(("throw", "throw", "cock", "stack")[seed % 4])
            picture, lying = at_rest(table)
            table.close()
            for one in reader.look(picture, kind):
                x, y = one.face.place.center
                near = [d for d in lying if np.hypot(d.center_px[0] - x, d.center_px[1] - y) < 24]
                if one.die is not None and all(d.how in ("flat", "cocked") for d in near):
                    read = any(d.die == one.die for d in near)
                    flat = all(d.how == "flat" for d in near) if near else None
                    yield Example("table", f"{kind} {seed}", confidence.numbers(one.face), read, flat)


def everything() -> list[Example]:
    """All faces by which the learned reader's confidence is judged; some minutes."""
    return [*of_photos(), *of_drawn(), *of_table()]


def _d4_examples(
    origin: str, name: str, looked: Sequence[JudgedFace], dice: Sequence[Truth]
) -> Iterator[Example]:
    for one in looked:
        if one.face.close and one.die is not None and one.die.kind == "d4" and one.whole:
            center = one.face.place.center
            near = [die for die in dice if np.hypot(*(center - die[3])) < 0.6 * die[4]]
            read = any(die[:2] == ("d4", one.die.value) for die in near)
            flat = all(die[2] == "flat" for die in near) if near else None
            yield Example(origin, name, d4.numbers(one.face), read, flat)


def d4_drawn(seeds: tuple[int, int]) -> Iterator[Example]:
    """Scenes of large D4, of both sizes, every second one seen aslant."""
    reader, (first, count) = LearnedReader(), seeds
    for size in SIZES:
        chosen = list(islice(large_seeds(first, LEAST_SCENE_PX, size), count))
        for seed in tqdm(chosen, desc=f"D4 from {first} on, {size[0]} px", leave=False):
            scene = draw(seed, *size, kinds=("d4",), view="aslant" if seed % 2 else "above")
            dice = [_truth(d.kind, d.value, d.pose, d.corners_px, d.visible) for d in scene.dice]
            yield from _d4_examples("drawn", f"{size[0]}/{seed}", reader.look(scene.picture), dice)


def d4_kept() -> Iterator[Example]:
    """Held-out scenes of all kinds: what is taken for a D4 there."""
    store, reader = Store(scenes_folder(), HELD_OUT, HELD_SHARDS), LearnedReader()
    for i in tqdm(range(len(store)), desc="all kinds", leave=False):
        dice = [_truth(d.kind, d.value, d.pose, d.corners, d.visible) for d in store.truths[i]]
        yield from _d4_examples("drawn", f"kept {i}", reader.look(store.picture(i)), dice)


def _truth(kind: str, value: int | str | None, pose: str, corners: Singles, visible: float) -> Truth:
    place = lying_of(np.asarray(corners, np.float32), visible).place
    faint = pose == "hidden" and visible >= HIDDEN_FROM
    pose = "flat" if faint else pose
    return kind, value, pose, (float(place.center[0]), float(place.center[1])), place.half_px


def d4_at_table(count: int = D4_THROWS) -> Iterator[Example]:
    """Throws of the simulated table, which numbers the tips, read as a box reads them: found in the watched
    picture, read from the sharp one. On the tray one in four has a leaning die; on ZONK's mat a D4 lies among
    six-sided dice."""
    reader, surveyor, colors = LearnedReader(), Surveyor(load_packaged("zonk")), list(COLORS)

    def on_tray(table: SimulatedTable, number: int) -> str:
        table.lay("d4", 5, (colors[number % len(colors)], colors[3 * number % len(colors)]))
        return "cock" if number % 4 == 3 else "throw"

    for lay, mat in ((on_tray, ""), (zonk, "zonk")):
        for number, (frame, lying) in enumerate(throws(lay, count, D4_SEED, mat=mat)):
            picture = surveyor.paint_over_tags(frame.picture)[0] if mat else frame.picture
            dice = [_truth_of(one) for one in lying if one.die.kind == "d4"]
            looked = reader.look(picture, sharper=sharper_of(picture, frame.sharp))
            yield from _d4_examples("table", f"{mat}{number}", looked, dice)


def _truth_of(one: Lies) -> Truth:
    center = float(one.center[0]), float(one.center[1])
    return "d4", one.die.value, "cocked" if one.leans else "flat", center, one.edge_px / EDGE


def thinned(examples: Sequence[Example]) -> list[Example]:
    """The examples with fewer D4 that do not lie flat: at a table they are rarer than in drawn scenes."""
    lying = [one for one in examples if one.flat is False]
    return [one for one in examples if one.flat is not False] + lying[::LYING_EVERY]

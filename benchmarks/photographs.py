"""The pictures that readers are measured on, with their truth: photographs, another painter's, drawn scenes.

Photographs (../shared/photos) that networks learnt from are read by networks that did not, where there are
such (`models.files.MEASURING`). Two looks of another painter (../shared/painted, painted2) are
called painted/FOLDER and painted2/FOLDER, scenes that nothing was trained on drawn/KIND.
"""

import json
import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice, product
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.arrays import Picture, Singles
from engine.dice import FACES, Die, DieKind, read_die
from models.files import MEASURING
from models.scenes import SceneDie, draw
from models.scenes.draw import HIDDEN_FROM
from models.training.d4_cuts import large_seeds
from models.training.photos import HELD_FROM, PHOTOS, SOURCES, PhotoTruth, TrueDie, label_rightly
from models.training.targets import lying_of
from vision.face_place import D4_HALF, FacePlace, place_of
from vision.learned.d4_contract import edge_px
from vision.learned.networks import Networks
from vision.pictures import load_sized
from vision.reading import DiceChoice, Point, Reading, SeenDie

CONFIDENT = 0.99
THREADS = 2
PAINTED = (PHOTOS.parent / "painted", PHOTOS.parent / "painted2")
PAINTED_KINDS: dict[str, DieKind] = {"zoinx": "zoinx", "pip": "pip", "bets": "bet", "d4": "d4"}
"""The folders of pictures by another painter, and what lies in them."""
BURNT_OUT = 0.5
"""An up-face of which more than this share is burnt out cannot be read, and is not asked for."""
UP_FACE = 0.42
"""Half an up-face's edge by the longer side of the whole die's upright box, about."""
NEAR = 0.6
"""Half edges that a find may be off the middle of an up-face whose place is known."""
FIRST_SEED, SCENES, DRAWN_PX = 95_000, 25, (1280, 960)
"""Training draws seeds below 90,000, confidence is fitted on 90,000 to 94,999."""
DRAWN_KINDS = ("pip", "zoinx", "bet", "d4", "foreign")
LARGE_D4, LARGE_D4_PX, LARGE_SCENES = "large-d4", 70.0, 60
"""The numbers of a D4 are seen at a slant, so only large ones can be read: they are a source of their own."""

Box = tuple[float, float, float, float]
"""Left, top, right, bottom, in pixels."""


@dataclass(frozen=True, slots=True, eq=False)
class Lying:
    """One die of a picture, and where it lies."""

    die: Die | None
    """None: a stranger's."""
    place: FacePlace | None
    """None: not known."""
    box: Box | None
    """A find whose middle lies here is of this die; None: not known."""

    def scaled(self, scale: float) -> "Lying":
        """The same in a picture at that scale."""
        place = self.place and FacePlace((self.place.center + 0.5) * scale - 0.5, self.place.axes * scale)
        if self.box is None:
            return replace(self, place=place)
        left, top, right, bottom = ((part + 0.5) * scale - 0.5 for part in self.box)
        return replace(self, place=place, box=(left, top, right, bottom))


@dataclass(frozen=True, slots=True)
class LabelledPicture:
    """A picture, and what lies in it."""

    path: Path
    """Its file; for a drawn scene, one that does not exist."""
    kind: DiceChoice
    dice: tuple[Lying, ...]
    burnt_out: tuple[Lying, ...] = ()
    """Dice that nobody is asked to read."""
    load: Callable[[], Picture] | None = None

    @property
    def picture(self) -> Picture:
        """BGR (height, width, 3)."""
        return self.load() if self.load else load_sized(self.path).picture

    def scaled(self, scale: float) -> "LabelledPicture":
        """The same at a smaller scale, at most 1."""

        def load() -> Picture:
            picture = self.picture
            smaller = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
            return np.asarray(smaller, np.uint8)

        dice, burnt_out = (tuple(one.scaled(scale) for one in some) for some in (self.dice, self.burnt_out))
        return replace(self, dice=dice, burnt_out=burnt_out, load=load)


def sources() -> Iterator[tuple[str, list[PhotoTruth]]]:
    """Each source's name and truth, known wrong labels corrected and missing ones added; nothing where the
    photographs are not there."""
    for path in sorted(PHOTOS.glob("*/truth.json")):
        yield path.parent.name, label_rightly(path)


def right_ones(reading: Reading, truth: PhotoTruth) -> list[bool]:
    """For each die that was read, whether the truth has it."""
    return _by_box(reading.dice, truth) if truth["truth"] == "boxes" else _by_value(reading.dice, truth)


def _by_value(dice: tuple[SeenDie, ...], truth: PhotoTruth) -> list[bool]:
    left = Counter(("pip", die["value"]) for die in truth["dice"] if die["kind"] == "pip")
    out = [False] * len(dice)
    for i in sorted(range(len(dice)), key=lambda i: -dice[i].confidence):
        value = dice[i].value
        key = (str(dice[i].kind), value if isinstance(value, int) else 0)
        out[i] = left[key] > 0
        left[key] -= 1
    return out


def _by_box(dice: tuple[SeenDie, ...], truth: PhotoTruth) -> list[bool]:
    left = list(truth["dice"])
    out = []
    for die in dice:
        hit = die_meant(left, die.center_px, die.die)
        out.append(hit is not None and hit["kind"] == die.kind and hit["value"] == die.value)
        if hit is not None:
            left.remove(hit)
    return out


def die_meant(left: Sequence[TrueDie], at: tuple[float, float], read: Die | None) -> TrueDie | None:
    """Which of the dice that are left a reading at that place is of; None where it lies in no box.

    Boxes of whole dice overlap where dice lie close: an up-face then lies in its neighbour's box too. The one
    with the value that was read is meant, and else the one whose middle is nearest.
    """
    here = [one for one in left if one["box"] and inside(at, one["box"])]

    def unlike(one: TrueDie) -> tuple[bool, float]:
        same = read is not None and (one["kind"], one["value"]) == (read.kind, read.value)
        return not same, _away(at, one["box"] or [])

    return min(here, key=unlike, default=None)


def _away(point: tuple[float, float], box: list[float]) -> float:
    x, y, width, height = box
    return math.hypot(point[0] - x - width / 2, point[1] - y - height / 2)


def inside(point: tuple[float, float], box: list[float]) -> bool:
    """Whether a point lies in a box."""
    x, y, width, height = box
    return x <= point[0] <= x + width and y <= point[1] <= y + height


def unseen(source: str) -> Networks | None:
    """Networks that learnt nothing from a source; None where there are none (stages upper and lower of
    `models.training.train`)."""
    if source not in SOURCES:
        return Networks(threads=THREADS)
    for name, held in HELD_FROM.items():
        finder, faces = (MEASURING / f"{network}-{name}.onnx" for network in ("finder", "faces"))
        if source in held and finder.is_file() and faces.is_file():
            return Networks(finder=finder, faces=faces, threads=THREADS)
    return None


def photographs(source: str, truths: Sequence[PhotoTruth]) -> list[LabelledPicture]:
    """The pictures of a source with their dice."""
    return [
        LabelledPicture(PHOTOS / source / truth["image"], _kind(truth), tuple(_lying(truth["dice"])))
        for truth in truths
    ]


def _kind(truth: PhotoTruth) -> DiceChoice:
    """The kind that a player would name; where only strangers lie, any."""
    kinds: list[DieKind] = [kind for kind in FACES if any(die["kind"] == kind for die in truth["dice"])]
    return kinds[0] if kinds else "auto"


def _lying(dice: Sequence[Any]) -> Iterator[Lying]:
    for die in dice:
        known = Die(die["kind"], die["value"]) if die["kind"] in FACES else None
        if die["box"] is None:
            yield Lying(known, None, None)
            continue
        x, y, width, height = die["box"]
        middle = np.array((x + width / 2, y + height / 2), np.float32)
        axes = np.asarray(np.eye(2) * UP_FACE * max(width, height), np.float32)
        place = FacePlace(middle, axes) if die["kind"] != "d4" else None
        yield Lying(known, place, (x, y, x + width, y + height))


def painted(look: Path, folder: str) -> list[LabelledPicture]:
    """The pictures of a folder of one of another painter's looks; none where they are not there."""
    listed = look / folder / "truth.json"
    if not listed.is_file():
        return []
    kind = PAINTED_KINDS[folder]
    out = []
    for truth in json.loads(listed.read_text(encoding="utf-8")):
        dice: tuple[list[Lying], list[Lying]] = [], []
        for die in truth["dice"]:
            dice[die.get("clipped_fraction", 0.0) > BURNT_OUT].append(_painted_die(kind, die))
        legible, burnt_out = dice
        out.append(LabelledPicture(look / folder / truth["image"], kind, tuple(legible), tuple(burnt_out)))
    return out


def _painted_die(kind: DieKind, die: dict[str, Any]) -> Lying:
    place = place_of(np.array(die["corners"], np.float32))
    x, y = place.center.tolist()
    reach = NEAR * place.half_px / (D4_HALF if kind == "d4" else 1.0)
    box = (x - reach, y - reach, x + reach, y + reach)
    return Lying(Die(kind, die["value"]), place if kind != "d4" else None, box)


def is_in(box: Box, at: Point, beside: float = 0.0) -> bool:
    """Whether a point lies in a box, or outside it by at most so many of its longer sides."""
    left, top, right, bottom = box
    rim = beside * max(right - left, bottom - top)
    return left - rim <= at[0] <= right + rim and top - rim <= at[1] <= bottom + rim


def drawn(kind: str) -> list[LabelledPicture]:
    """Scenes of one of `DRAWN_KINDS`, or of large D4. Dice that do not lie flat count as strangers."""
    if kind == LARGE_D4:
        seeds = list(islice(large_seeds(FIRST_SEED, LARGE_D4_PX, DRAWN_PX), LARGE_SCENES))
    else:
        first = FIRST_SEED + 100 * DRAWN_KINDS.index(kind)
        seeds = list(range(first, first + SCENES))
    return [_drawn_scene(kind, seed) for seed in seeds]


def _drawn_scene(kind: str, seed: int) -> LabelledPicture:
    kinds = ("d4",) if kind == LARGE_D4 else (kind,)
    dice: tuple[list[Lying], list[Lying]] = [], []
    for die in draw(seed, *DRAWN_PX, kinds=kinds).dice:
        small = kind == LARGE_D4 and edge_px(lying_of(die.corners_px, die.visible).place) < LARGE_D4_PX
        dice[small].append(_scene_die(die, faint_too=kind == LARGE_D4))
    asked, spared = dice
    picture = partial(_picture_of, seed, kinds)
    return LabelledPicture(Path(f"{kind}-{seed}"), "auto", tuple(asked), tuple(spared), picture)


def _picture_of(seed: int, kinds: tuple[str, ...]) -> Picture:
    return draw(seed, *DRAWN_PX, kinds=kinds).picture


def _scene_die(die: SceneDie, *, faint_too: bool) -> Lying:
    """`faint_too`: a die in plain sight with faint numbers counts as flat."""
    flat = die.pose == "flat" or (faint_too and die.pose == "hidden" and die.visible >= HIDDEN_FROM)
    place = lying_of(die.corners_px, die.visible).place
    known = read_die(die.kind, die.value) if flat and die.kind in FACES and die.value is not None else None
    return Lying(known, place if die.kind != "d4" else None, _round(place.center, 0.5 * place.half_px))


def _round(center: Singles, reach: float) -> Box:
    x, y = center.tolist()
    return x - reach, y - reach, x + reach, y + reach


def every_source(some: Sequence[str]) -> Iterator[tuple[str, list[LabelledPicture]]]:
    """All sources that are there, or those named."""
    for source, truths in sources():
        if not some or source in some:
            yield source, photographs(source, truths)
    for look, folder in product(PAINTED, PAINTED_KINDS):
        source = f"{look.name}/{folder}"
        shown = painted(look, folder) if not some or source in some else []
        if shown:
            yield source, shown
    for kind in (*DRAWN_KINDS, LARGE_D4):
        if f"drawn/{kind}" in some or (not some and not PHOTOS.is_dir()):
            yield f"drawn/{kind}", drawn(kind)

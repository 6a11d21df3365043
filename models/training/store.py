"""Stores drawn scenes and what was cut from them: made once, read many times.

A shard holds a hundred scenes: `0007.npy`, the pictures (100 x 480 x 640 x 3), and `0007.json`, what is
true of them. A shard is written under another name first, so that one cut short is drawn again.
"""

import hashlib
import json
import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from calibration.arrays import Picture, Singles
from models.files import CACHE
from models.scenes import KINDS as DRAWN_KINDS
from models.scenes import Scene, View, draw
from vision.learned.contract import CUBES

# What a network learns from, made part by part: each part is kept, and made only where it is not yet.

Part = TypeVar("Part")
"""A dataclass all of whose fields are arrays."""


def kept_part(path: Path, kind: type[Part], make: Callable[[], Part]) -> Part:
    """The part of that kind in a file (.npz); made now where there is none."""
    if not path.exists():
        keep_part(path, make())
    return read_part(path, kind)


def keep_part(path: Path, part: Part) -> None:
    """Write a part to a file (.npz)."""
    with written_whole(path) as file:
        np.savez(file, **{name: getattr(part, name) for name in _names(type(part))})


def read_part(path: Path, kind: type[Part]) -> Part:
    """The part of that kind in a file. Raises FileNotFoundError where there is none."""
    with np.load(path) as file:
        return kind(*(file[name] for name in _names(kind)))


@contextmanager
def written_whole(path: Path) -> Iterator[BinaryIO]:
    """A file to write to, which gets its name when it is whole: one half written never counts."""
    part = path.with_suffix(".part")
    with part.open("wb") as file:
        yield file
    part.replace(path)


def joined(kind: type[Part], parts: Sequence[Part]) -> Part:
    """All parts of a kind as one."""
    return kind(*(np.concatenate([getattr(part, name) for part in parts]) for name in _names(kind)))


def rows_of(part: Part, rows: NDArray[Any]) -> Part:
    """What a part has in these rows."""
    return type(part)(*(getattr(part, name)[rows] for name in _names(type(part))))


def _names(kind: type[Part]) -> list[str]:
    return [each.name for each in fields(kind)]  # type: ignore[arg-type]


SHARD = 100
HELD_OUT = 900
"""The first of the shards whose scenes are for measuring; nothing learns from them."""
LEANING = 1000
"""The first of the shards in whose scenes many dice lean; only the network that tells how dice stand learns
from them."""
ASLANT, ASLANT_SHARDS = 1100, 70
"""The first of the shards whose scenes a camera sees from the side, and how many there are."""
HELD_OUT_ASLANT = 1180
"""The first of the shards whose scenes a camera sees from the side, and which are for measuring."""
ROWS, ROWS_SHARDS = 1200, 60
"""The first of the shards in whose scenes dice are lined up, side against side, seen from the side too, and
how many there are."""
HELD_OUT_ROWS = 1280
"""The first of such shards that are for measuring."""
LOW, LOW_SHARDS = 1300, 60
"""The first of the shards whose scenes a camera sees from the table's rim, half of them with dice lined up,
and how many there are."""
HELD_OUT_LOW = 1380
"""The first of such shards that are for measuring."""
SPECIAL = ((ASLANT, ASLANT_SHARDS), (ROWS, ROWS_SHARDS), (LOW, LOW_SHARDS))
"""The shards that finder, face reader and stance network learn from beside those seen from above."""
LEANING_SHARE = 0.4
WIDTH_PX, HEIGHT_PX = 640, 480
KINDS: tuple[tuple[str, ...] | None, ...] = (
    ("pip",),
    None,
    ("bet",),
    ("zoinx",),
    ("pip",),
    ("d4",),
    ("foreign",),
    ("pip",),
    ("bet",),
    None,
    ("d4",),
    ("pip",),
    ("zoinx",),
)
"""The kinds of dice in a scene, by the remainder of its seed; None: any kinds."""
PROBES, PROBE_PX = 12, (160, 120)
"""How many scenes of each kind, and of which size, are drawn to tell whether the painter still draws the
same."""


@dataclass(frozen=True, slots=True, eq=False)
class Truth:
    """What is true of one die of a scene."""

    kind: str
    value: int | str | None
    corners: Singles
    pose: str
    visible: float
    step: Singles
    """The step from its foot to its up-face's middle: x and y in pixels."""


def scenes_folder() -> Path:
    """The folder of the scenes that the present code draws; a changed painter's scenes lie elsewhere."""
    code = hashlib.sha256(repr((WIDTH_PX, HEIGHT_PX, KINDS, CUBES, LEANING_SHARE)).encode())
    code.update(painters_hand())
    return CACHE / "scenes" / code.hexdigest()[:12]


def painters_hand() -> bytes:
    """A digest of small scenes of every kind, which changes when the painter draws anything differently. A
    change in the code that does not change the scenes keeps it, and with it the scenes that were kept."""
    return _hand_of(draw, PROBES)


@cache
def _hand_of(painter: Callable[..., Scene], probes: int) -> bytes:
    """The digest of so many scenes of each kind by that painter. They are drawn once in a process: they take
    more than a second, and what a process has loaded of the painter does not change."""
    code = hashlib.sha256()
    for kind in DRAWN_KINDS:
        for seed in range(probes):
            scene = painter(seed, *PROBE_PX, kinds=(kind,))
            code.update(scene.picture.tobytes() + repr(scene.dice).encode())
    return code.digest()


def render(folder: Path, first_shard: int, shards: int, processes: int = 2) -> None:
    """Draw the scenes of so many shards where they are not there yet. A scene's seed is shard x 100 + its
    place in the shard."""
    every = [(folder / f"{n:04d}.json", n) for n in range(first_shard, first_shard + shards)]
    draw_side_by_side(draw_shard, every, processes, "scenes, by the hundred")


def draw_side_by_side(
    draw_shard: Callable[[tuple[Path, Any]], None],
    every: Sequence[tuple[Path, Any]],
    processes: int,
    name: str,
) -> None:
    """Draw the shards whose files are not there yet, in so many processes; each is given as its file and what
    `draw_shard` needs to draw it."""
    jobs = [job for job in every if not job[0].is_file()]
    if not jobs:
        return
    jobs[0][0].parent.mkdir(parents=True, exist_ok=True)
    if processes == 1:
        for job in tqdm(jobs, desc=name):
            draw_shard(job)
        return
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        for _ in tqdm(pool.imap_unordered(draw_shard, jobs), total=len(jobs), desc=name):
            pass


def draw_shard(job: tuple[Path, int]) -> None:
    """Draw the scenes of the shard of that number."""
    path, number = job
    pictures = np.empty((SHARD, HEIGHT_PX, WIDTH_PX, 3), np.uint8)
    truths: list[list[dict[str, Any]]] = []
    for place in range(SHARD):
        scene = _scene(number, number * SHARD + place)
        pictures[place] = scene.picture
        truths.append(describe_dice(scene))
    with written_whole(path.with_suffix(".npy")) as file:
        np.save(file, pictures)
    with written_whole(path) as file:
        file.write(json.dumps(truths).encode())


def describe_dice(scene: Scene) -> list[dict[str, Any]]:
    """What is true of the dice of a scene, as a shard's file has it."""
    return [
        {
            "kind": die.kind,
            "value": die.value,
            "corners": np.round(die.corners_px, 2).tolist(),
            "pose": die.pose,
            "visible": round(float(die.visible), 3),
            "step": np.round(die.step_px, 2).tolist(),
        }
        for die in scene.dice
    ]


def _scene(shard: int, seed: int) -> Scene:
    size = (WIDTH_PX, HEIGHT_PX)
    if LEANING <= shard < ASLANT:
        return draw(seed, *size, kinds=CUBES, leaning=LEANING_SHARE)
    if ROWS <= shard < LOW:
        return draw(seed, *size, kinds=(CUBES[seed % len(CUBES)],), view="aslant", in_rows=True)
    view: View = "above" if shard < ASLANT else "aslant" if shard < LOW else "low"
    in_rows = view == "low" and seed % 2 == 1
    return draw(seed, *size, kinds=KINDS[seed % len(KINDS)], view=view, in_rows=in_rows)


class Store:
    """The scenes of those shards that are there, by number."""

    def __init__(self, folder: Path, first_shard: int, shards: int) -> None:
        """Raises FileNotFoundError when none of them has been drawn."""
        self.upright = first_shard >= ASLANT
        """Whether what rises from the table points up in the pictures."""
        self._pictures: list[Picture] = []
        self.truths: list[list[Truth]] = []
        for number in range(first_shard, first_shard + shards):
            name = folder / f"{number:04d}"
            if not name.with_suffix(".json").is_file():
                continue
            self._pictures.append(np.load(name.with_suffix(".npy"), mmap_mode="r"))
            self.truths += list(_truths(json.loads(name.with_suffix(".json").read_text(encoding="utf-8"))))
        if not self.truths:
            shards_told = f"{first_shard:04d} to {first_shard + shards - 1:04d}"
            raise FileNotFoundError(
                f"no scenes of shards {shards_told} in {folder}: draw some first "
                "(python -m models.training.train scenes)"
            )

    def __len__(self) -> int:
        """How many scenes."""
        return len(self.truths)

    def picture(self, number: int) -> Picture:
        """One scene's picture."""
        return np.asarray(self._pictures[number // SHARD][number % SHARD])


def _truths(scenes: list[list[dict[str, Any]]]) -> Iterator[list[Truth]]:
    for dice in scenes:
        yield [
            Truth(
                kind=die["kind"],
                value=die["value"],
                corners=np.array(die["corners"], np.float32).reshape(-1, 2),
                pose=die["pose"],
                visible=die["visible"],
                step=np.array(die["step"], np.float32),
            )
            for die in dice
        ]

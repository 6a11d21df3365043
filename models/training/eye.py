"""Makes what the eye learns from: cuts that show a face with its die's sides, and what is true of them.

The eye is one network in place of the face reader and the one that tells how dice stand. A cut of it reaches
as far as a die's foot and its neighbours, for they tell a die from what only looks like one: a die has a
body, what lies flat and shows no sides is a print, and what is joined to another face is a domino.
"""

import io
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Picture, Singles
from models.scenes import Scene, SceneDie, View, draw
from models.scenes.chance import Chance
from models.training.cuts import LEGIBLE, NOT_ASKED, class_of, elsewhere
from models.training.photos import Photo
from models.training.real import Row
from models.training.store import (
    HEIGHT_PX,
    KINDS,
    SHARD,
    WIDTH_PX,
    describe_dice,
    joined,
    rows_of,
    written_whole,
)
from models.training.targets import lying_of
from vision.face_place import FacePlace, place_of
from vision.learned.contract import CUBES, CUT_REACH, DICE, FOREIGN, NONE, POSES, cut_out

SIDE_PX, REACH = 64, 2.0
"""The side of what the eye sees, and how far it reaches from the middle, in half edges: with as many pixels
to an edge as the face reader's cuts have."""
WIDE_PX = 92
"""The side of a kept cut, pixels: it leaves room to turn and to shift."""
FACES = tuple((die.kind, die.value) for die in DICE if die.kind in CUBES)
"""The faces that the eye tells apart, in the order of its answers: as `vision.learned.contract.DICE`, whose
D4 come last."""
WHATS = ("cube", "d4", "stranger", "print", "domino", "none")
"""What a cut shows: a six-sided die of a known kind, a D4, a die of another kind, a face that is printed,
half a domino, or no face of a die."""
CUBE, D4, STRANGER, PRINT, DOMINO, NO_DIE = range(len(WHATS))
SMALL_DOT = 0.2
"""The radius of a dot, in edges, below which nobody could tell a Zoinx dot from a lone pip."""
OTHERS = 4
"""How many places that show no face are taken from each scene."""
LEAST_SPREAD = 4.0
"""The least standard deviation of a cut's pixels, in grey levels, with which anything can be seen in it."""
VIEWS: tuple[View, ...] = ("above", "aslant", "above", "low", "above", "aslant", "above")
"""From where scenes are seen, by the remainder of their seed."""
FIRST, HELD_OUT = 2000, 2900
"""The first of the shards of wide scenes, and the first of those for measuring."""


@dataclass(frozen=True, slots=True, eq=False)
class EyeCuts:
    """N wide cuts, with what is true of them."""

    pictures: Picture
    """Wide cuts (N x 92 x 92 x 3)."""
    faces: NDArray[np.int64]
    """Indices into FACES; -1: not asked."""
    whats: NDArray[np.int64]
    """Indices into WHATS; -1: not asked."""
    poses: NDArray[np.int64]
    """Indices into POSES; -1: not asked."""
    steps: Singles
    """Steps from foot to up-face (N x 2), in half edges of the face and along its axes; not a number where
    nobody knows."""
    placed: NDArray[np.bool_]
    """Whether the face lies upright in the middle; where it does not, its place is not asked."""
    unclear: NDArray[np.bool_]
    """Whether its dot could as well be a lone pip."""

    def __len__(self) -> int:
        """How many."""
        return len(self.whats)


TRUTH = ("faces", "whats", "poses", "steps", "placed", "unclear")
"""What is true of cuts, beside their pictures."""


@dataclass(frozen=True, slots=True, eq=False)
class _KnownPlace:
    """A place with what is known of it."""

    place: FacePlace
    what: int
    face: int = NOT_ASKED
    pose: int = NOT_ASKED
    step: tuple[float, float] = (float("nan"), float("nan"))
    placed: bool = False
    unclear: bool = False


def eye_cut(picture: Picture, place: FacePlace, side: int = SIDE_PX) -> Picture:
    """What the eye sees of a face: it upright in the middle, with half an edge all round it."""
    reach = REACH * side / SIDE_PX
    return cut_out(picture, place.widened(reach / CUT_REACH), side=side)


def _cut(picture: Picture, every: Sequence[_KnownPlace]) -> EyeCuts:
    cuts = [eye_cut(picture, one.place, WIDE_PX) for one in every]
    return EyeCuts(
        np.array(cuts, np.uint8).reshape(-1, WIDE_PX, WIDE_PX, 3),
        np.array([one.face for one in every], np.int64),
        np.array([one.what for one in every], np.int64),
        np.array([one.pose for one in every], np.int64),
        np.array([one.step for one in every], np.float32).reshape(-1, 2),
        np.array([one.placed for one in every], np.bool_),
        np.array([one.unclear for one in every], np.bool_),
    )


def cuts_of_scene(scene: Scene, chance: Chance) -> EyeCuts:
    """Every die of a wide scene, what could be taken for one, and places that show neither."""
    known = [_of_die(die) for die in scene.dice if die.visible >= 0.2]
    places = [one.place for one in known]
    for thing in scene.things:
        what = {"print": PRINT, "domino": DOMINO}.get(thing.name, NO_DIE)
        place = place_of(thing.corners_px)
        if place.half_px > 3:
            known.append(_KnownPlace(place, what))
            places.append(place)
    known += [_KnownPlace(place, NO_DIE) for place in elsewhere(scene.picture, places, chance, OTHERS)]
    cuts = _cut(scene.picture, known)
    seen = cuts.pictures.reshape(len(cuts), -1, 3).std(axis=1).max(axis=1) > LEAST_SPREAD
    return rows_of(cuts, np.flatnonzero(seen | (cuts.whats == NO_DIE)))


def _of_die(die: SceneDie) -> _KnownPlace:
    place = lying_of(die.corners_px, die.visible).place
    what = {"d4": D4, "foreign": STRANGER}.get(die.kind, CUBE)
    if what != CUBE:
        return _KnownPlace(place, what, placed=True)
    lost = die.pose == "hidden" and die.visible > LEGIBLE and die.contrast < 5
    face = NOT_ASKED
    if die.visible >= LEGIBLE and not lost:
        face = class_of(die.kind, die.value)
    step = np.linalg.solve(place.axes, np.asarray(die.step_px, np.float32))
    small = die.value == "dot" and die.mark_radius < SMALL_DOT
    pose = POSES.index(die.pose)
    return _KnownPlace(place, CUBE, face, pose, (float(step[0]), float(step[1])), placed=True, unclear=small)


def cuts_of_photo(photo: Photo, rows: Sequence[Row]) -> EyeCuts:
    """The dice of a photograph, and places in it that show none, as found by `models.training.real`."""
    every = []
    for place, shows, pose, placed in rows:
        what, face = CUBE, shows
        if shows in (FOREIGN, NONE):
            what, face = (STRANGER if shows == FOREIGN else NO_DIE), NOT_ASKED
        elif shows >= len(FACES):
            what, face = D4, NOT_ASKED
        every.append(_KnownPlace(place, what, face, pose, placed=placed))
    return _cut(photo.picture, every)


def cuts_of_places(places: Sequence[tuple[Picture, FacePlace]]) -> EyeCuts:
    """Places in pictures, one at least, that show no die."""
    return joined(EyeCuts, [_cut(picture, [_KnownPlace(place, NO_DIE)]) for picture, place in places])


# Shards of wide scenes: the cuts of a hundred, and their pictures, packed, for what else may learn from them.


def draw_eye_shard(job: tuple[Path, int]) -> None:
    """Draw the hundred scenes of a shard, and keep their cuts, pictures (JPEG) and truth."""
    path, number = job
    packed: dict[str, Any] = {}
    parts, truths = [], []
    for place in range(SHARD):
        seed = number * SHARD + place
        scene = draw(
            seed, WIDTH_PX, HEIGHT_PX,
            kinds=KINDS[seed % len(KINDS)], view=VIEWS[seed % len(VIEWS)],
            in_rows=seed % 5 == 4, leaning=0.5 if seed % 6 == 3 else None, wide=True,
        )  # fmt: skip
        parts.append(cuts_of_scene(scene, np.random.default_rng((seed, SIDE_PX))))
        packed[f"{place:02d}"] = cv2.imencode(".jpg", scene.picture, [cv2.IMWRITE_JPEG_QUALITY, 95])[1]
        truths.append(_describe(scene))
    keep_cuts(path, joined(EyeCuts, parts))
    with written_whole(path.with_suffix(".jpgs")) as file:
        np.savez(file, **packed)
    with written_whole(path) as file:
        file.write(json.dumps(truths).encode())


def _describe(scene: Scene) -> dict[str, Any]:
    things = [
        {"name": thing.name, "corners": np.round(thing.corners_px, 2).tolist()} for thing in scene.things
    ]
    return {"dice": describe_dice(scene), "things": things}


def keep_cuts(path: Path, cuts: EyeCuts) -> None:
    """Write cuts; pictures apart from the rest, so that they can stay on the disk."""
    with written_whole(path.with_suffix(".npy")) as file:
        np.save(file, cuts.pictures)
    rest = io.BytesIO()
    np.savez(rest, **{name: getattr(cuts, name) for name in TRUTH})
    with written_whole(path.with_suffix(".npz")) as file:
        file.write(rest.getvalue())


def load_cuts(path: Path) -> EyeCuts | None:
    """The cuts kept under a name, their pictures left on the disk; None where there are none."""
    if not path.with_suffix(".npz").is_file():
        return None
    with np.load(path.with_suffix(".npz")) as told:
        pictures = np.load(path.with_suffix(".npy"), mmap_mode="r")
        return EyeCuts(pictures, *(told[name] for name in TRUTH))

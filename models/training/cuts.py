"""Makes what the face reader learns from: wide cuts of faces out of pictures, and of places without one."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Picture
from models.scenes.chance import Chance
from models.training.store import Truth, joined
from models.training.targets import lying_of, turn_by
from vision.face_place import FacePlace
from vision.learned.contract import (
    CLASSES,
    CUT_REACH,
    CUT_SIDE_PX,
    FOREIGN,
    NONE,
    POSES,
    cut_out,
)

WIDE_PX = 82
"""The side of a wide cut, pixels: it leaves room to turn and to shift."""
UNIT_PX = CUT_SIDE_PX / 2 / CUT_REACH
"""Half an edge, in pixels of a cut."""
LEGIBLE = 0.6
"""The share of an up-face (of a D4: of the whole die) that must be visible for its value to be asked; below
it, only how the die lies is asked."""
NOT_ASKED = -1
"""Stands where the class or the pose of a cut is not asked."""
_CLASS = {known: i for i, known in enumerate(CLASSES)}


@dataclass(frozen=True, slots=True, eq=False)
class Faces:
    """N wide cuts, with what is true of them."""

    pictures: Picture
    """Wide cuts (N x 82 x 82 x 3)."""
    classes: NDArray[np.int64]
    """Indices into CLASSES; -1: not asked."""
    poses: NDArray[np.int64]
    """Indices into POSES; -1: not asked."""
    placed: NDArray[np.bool_]
    """Whether the face lies upright in the middle (N); where it does not, its place is not asked."""

    def __len__(self) -> int:
        """How many."""
        return len(self.classes)


def no_faces(pictures: Sequence[Picture]) -> Faces:
    """Wide cuts of places that show no up-face."""
    count = len(pictures)
    shown = np.array(pictures, np.uint8).reshape(-1, WIDE_PX, WIDE_PX, 3)
    not_asked = np.full(count, NOT_ASKED, np.int64)
    return Faces(shown, np.full(count, NONE, np.int64), not_asked, np.zeros(count, np.bool_))


def wide_cut(picture: Picture, place: FacePlace) -> Picture:
    """82 x 82 x 3 round a face: what the reader sees of it, and a border."""
    return cut_out(picture, place.widened(WIDE_PX / CUT_SIDE_PX), side=WIDE_PX)


def class_of(kind: str, value: int | str | None) -> int:
    """The index into CLASSES."""
    return FOREIGN if kind == "foreign" else _CLASS[(kind, value if value is not None else "none")]


def faces_of_scene(picture: Picture, dice: Sequence[Truth], chance: Chance, others: int) -> Faces:
    """Every die of a scene, and so many cuts that show no up-face."""
    pictures, classes, poses = [], [], []
    places = [lying_of(die.corners, die.visible).place for die in dice]
    for die, place in zip(dice, places, strict=True):
        if die.visible < 0.2:
            continue
        pictures.append(wide_cut(picture, place))
        classes.append(class_of(die.kind, die.value) if die.visible >= LEGIBLE else NOT_ASKED)
        poses.append(POSES.index(die.pose))
    of_dice = Faces(
        np.array(pictures, np.uint8).reshape(-1, WIDE_PX, WIDE_PX, 3),
        np.array(classes, np.int64),
        np.array(poses, np.int64),
        np.ones(len(classes), np.bool_),
    )
    nowhere = [wide_cut(picture, place) for place in elsewhere(picture, places, chance, others)]
    return joined(Faces, [of_dice, no_faces(nowhere)])


def elsewhere(
    picture: Picture, places: Sequence[FacePlace], chance: Chance, count: int
) -> Iterator[FacePlace]:
    """Places that are no up-face's: on side faces, between dice, on single pips, or anywhere."""
    height, width = picture.shape[:2]
    for _ in range(count):
        turn = turn_by(chance.uniform(0, 2 * np.pi))
        if len(places) and chance.random() < 0.75:
            about = places[int(chance.integers(len(places)))]
            scale = float(np.exp(chance.normal(0, 0.5)))
            away = chance.uniform(0.75, 1.9) if 0.6 < scale < 1.7 else chance.uniform(0, 1.5)
            center = about.center + away * about.half_px * turn[0]
            half = about.half_px * scale
        else:
            center = chance.uniform(0, 1, 2) * (width, height)
            half = float(np.exp(chance.uniform(np.log(7), np.log(60))))
        if all(_apart(center, half, place) for place in places):
            yield FacePlace(np.asarray(center, np.float32), np.asarray(half * turn, np.float32))


def _apart(center: NDArray[np.float64], half: float, place: FacePlace) -> bool:
    """Whether a place is so far from this die's up-face that nobody would take it for that."""
    away = float(np.hypot(*(center - place.center))) / place.half_px
    return away > 0.55 or not 0.62 < half / place.half_px < 1.6


def blanks(faces: Faces, chance: Chance, count: int) -> Faces:
    """Cuts without a face, with blank things of a die's size drawn over them: discs, plates, blots."""
    ground = np.flatnonzero(faces.classes == NONE)
    pictures = faces.pictures[np.sort(chance.choice(ground, count))].copy()
    middle, half = WIDE_PX / 2, UNIT_PX
    for picture in pictures:
        height, width = half * np.exp(chance.normal(0.1, 0.12, 2))
        color = picture.mean(axis=(0, 1)) * chance.uniform(0.2, 1.6) + chance.normal(0, 25, 3)
        mask = np.zeros((WIDE_PX, WIDE_PX), np.uint8)
        angle = float(chance.uniform(0, 180))
        if chance.random() < 0.5:
            cv2.ellipse(mask, ((middle, middle), (2 * width, 2 * height), angle), 255, -1)
        else:
            corners = cv2.boxPoints(((middle, middle), (2 * width, 2 * height), angle))
            cv2.fillConvexPoly(mask, np.rint(corners).astype(np.int32), 255)
        soft = (
            cv2.GaussianBlur(mask, (0, 0), float(chance.uniform(0.5, 4))).astype(np.float32)[..., None] / 255
        )
        shade = np.linspace(chance.uniform(0.7, 1), chance.uniform(0.9, 1.2), WIDE_PX)[:, None, None]
        picture[:] = np.clip(picture * (1 - soft) + color * shade * soft, 0, 255)
    return no_faces(pictures)

"""How a die stands: cuts for a network that sees an up-face with the die's sides and tells where its foot is.

The step from the middle of the side on which a die rests up to the middle of its up-face looks longer the
more the die is seen from the side. For dice that lie flat it points away from the spot right below the
camera, in the same way for all of them (`vision.learned.neighbours`). For a die that leans it is another
step, and the difference grows in proportion to the lean. The stretch of its up-face changes only with the
square of the lean, so it shows leaning far less.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from calibration.arrays import Picture, Singles
from models.scenes.chance import Chance
from models.training.store import Store, Truth, joined
from models.training.targets import turn_by
from vision.face_place import place_of
from vision.learned.contract import CUBES, STANCE_REACH, STANCE_SIDE_PX, stance_cut

WIDE_PX = 60
"""The side of a kept cut, pixels: as fine as what the network sees, with room to turn and to shift."""
UNIT_PX = STANCE_SIDE_PX / 2 / STANCE_REACH
"""Half an edge, in pixels of a cut."""
HARDNESS = 0.7
"""How hard the light is in which the cuts are shown (`models.training.augmentation.show_lit`)."""
STANCE_FROM = 0.6
"""The share of a die that must be visible for anything to be asked about it."""


@dataclass(frozen=True, slots=True, eq=False)
class Stances:
    """N wide cuts of dice, and how those stand."""

    pictures: Picture
    """Wide cuts (N x 60 x 60 x 3)."""
    steps: Singles
    """Steps from foot to up-face (N x 2), in half edges of the up-face and along its axes."""
    leans: NDArray[np.bool_]
    """Whether each die leans (N)."""

    def __len__(self) -> int:
        """How many."""
        return len(self.steps)


def stances(store: Store) -> Stances:
    """The six-sided dice of all scenes."""
    numbers = tqdm(range(len(store)), desc="cuts of standing dice", mininterval=5)
    return joined(
        Stances,
        [stances_of(store.picture(number), pick_asked(store.truths[number])) for number in numbers],
    )


def stances_of(picture: Picture, dice: Sequence[Truth]) -> Stances:
    """Six-sided dice of one scene."""
    pictures, steps, leans = [], [], []
    for die in dice:
        place = place_of(die.corners)
        wider = place.widened(WIDE_PX / STANCE_SIDE_PX)
        pictures.append(stance_cut(picture, wider, side=WIDE_PX))
        steps.append(np.linalg.solve(place.axes, die.step))
        leans.append(die.pose == "cocked")
    return Stances(
        np.array(pictures, np.uint8).reshape(-1, WIDE_PX, WIDE_PX, 3),
        np.array(steps, np.float32).reshape(-1, 2),
        np.array(leans, np.bool_),
    )


def pick_asked(dice: Sequence[Truth]) -> list[Truth]:
    """The dice of a scene whose stance can be told."""
    return [die for die in dice if die.kind in CUBES and die.visible >= STANCE_FROM]


def stance_batch(cuts: Stances, rows: NDArray[np.intp], chance: Chance) -> tuple[Picture, Singles]:
    """These cuts turned, mirrored and a little askew, as the face reader leaves them (N x 3 x 48 x 48), and
    the steps in them (N x 2)."""
    out = np.empty((len(rows), 3, STANCE_SIDE_PX, STANCE_SIDE_PX), np.uint8)
    steps = np.empty((len(rows), 2), np.float32)
    middle, wide = (STANCE_SIDE_PX - 1) / 2, (WIDE_PX - 1) / 2
    for i, row in enumerate(rows):
        linear, shift = _askew(chance)
        matrix = np.column_stack((linear, wide + shift * UNIT_PX - linear @ (middle, middle)))
        cut = cv2.warpAffine(
            np.ascontiguousarray(cuts.pictures[row]),
            matrix,
            (STANCE_SIDE_PX, STANCE_SIDE_PX),
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        )
        out[i] = cut.transpose(2, 0, 1)
        steps[i] = np.linalg.solve(linear, cuts.steps[row])
    return out, steps


def _askew(chance: Chance) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """A random map from the cut to the upright face: a quarter turn, at times mirrored, and as far off as the
    face reader's places are."""
    angle = chance.integers(4) * np.pi / 2 + chance.normal(0, 0.03)
    turn = turn_by(angle)
    if chance.random() < 0.5:
        turn[:, 0] *= -1
    stretch = np.eye(2) * np.exp(chance.normal(0, 0.03)) + chance.normal(0, 0.015, (2, 2))
    return turn @ stretch, chance.normal(0, 0.04, 2)

"""Finds where the dice of photographs lie, with networks and the known truth.

Where boxes are known, `models.training.real` finds the up-faces in them. Values without places: there must be
as many finds as values, and one way of giving them the values must be far likelier than chance; otherwise the
picture is left out.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any

import cv2
import numpy as np
import torch

from calibration.arrays import Picture, Singles
from models.training.cuts import class_of
from models.training.photos import Photo
from models.training.targets import Target
from vision.learned.contract import (
    CLASSES,
    NONE,
    Peak,
    cut_out,
    drop_doubles,
    find_peaks,
    move_place,
    scale_peak,
)
from vision.place import Place

LEAST_HEAT = 0.15
LOOKS = 3
"""How often each place is looked at, each time with the place corrected."""
MOST_FINDS, MOST_VALUES = 8, 6
"""The most finds that are matched with values in every order, and the most values."""
LIKELY = 0.4
"""The least geometric mean of the chances of a picture's faces."""
WITHIN = (0.23, 0.62)
"""The bounds of half an up-face's edge, by the side of the whole die's upright box."""


@dataclass(frozen=True, slots=True, eq=False)
class Labelled:
    """A photograph whose dice have places."""

    photo: Photo
    lying: tuple[Target, ...]
    values: tuple[int | None, ...]
    """The value of each die in `lying`."""
    stray: tuple[Place, ...] = ()
    """The finds that are no die, where only the values were known."""


def found_in(finder: Callable[[Any], Any], picture: Picture, scales: Sequence[float]) -> list[Peak]:
    """The peaks of a picture looked at in several scales, each die once."""
    out: list[Peak] = []
    for scale in scales:
        height, width = (max(32, round(side * scale / 32) * 32) for side in picture.shape[:2])
        small = cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA)
        factor = picture.shape[1] / width
        with torch.no_grad():
            told = finder(torch.from_numpy(small.transpose(2, 0, 1)[None].astype(np.float32)))
        out += [scale_peak(peak, factor) for peak in find_peaks(told[0].numpy(), LEAST_HEAT)]
    return drop_doubles(out)


def read_at(
    reader: Callable[[Any], tuple[Any, ...]], picture: Picture, found: Sequence[Place]
) -> tuple[Singles, list[Place]]:
    """The reader's chances for faces at these places (N x classes), and the places as it corrects them."""
    chances = np.zeros((0, len(CLASSES)), np.float32)
    right = list(found)
    for _ in range(LOOKS if found else 0):
        cuts = np.stack([cut_out(picture, place).transpose(2, 0, 1) for place in right]).astype(np.float32)
        with torch.no_grad():
            classes, _, _, moves = reader(torch.from_numpy(cuts))
        chances = np.asarray(torch.softmax(classes, 1).numpy(), np.float32)
        right = [move_place(place, move) for place, move in zip(right, moves.numpy(), strict=True)]
    return chances, right


def place_by_values(photo: Photo, found: Sequence[Peak], chance: Singles) -> Labelled | None:
    """The photograph with its values given to finds in the likeliest way; finds left over must look like no
    die. None where that is unsure."""
    first = sorted(range(len(found)), key=lambda i: float(chance[i, NONE]))[:MOST_FINDS]
    wanted = [class_of("pip", value) for value in photo.values]
    if not len(wanted) <= len(first) or len(wanted) > MOST_VALUES:
        return None
    logs = np.log(np.maximum(chance, 1e-4))
    none = {i: float(logs[i, NONE]) for i in first}
    all_none = sum(none.values())

    def worth(order: tuple[int, ...]) -> float:
        return all_none + sum(float(logs[i, one]) - none[i] for i, one in zip(order, wanted, strict=True))

    best = max(permutations(first, len(wanted)), key=worth)
    mean = float(np.exp(np.mean([logs[i, one] for i, one in zip(best, wanted, strict=True)])))
    if mean < LIKELY:
        return None
    return Labelled(
        photo,
        tuple(Target(found[i].place, 4) for i in best),
        photo.values,
        tuple(peak.place for i, peak in enumerate(found) if i not in best and _clear(peak, found, best)),
    )


def _clear(peak: Peak, found: Sequence[Peak], dice: Sequence[int]) -> bool:
    """Whether a find lies well away from all dice."""
    away = [float(np.hypot(*(peak.place.center - found[i].place.center))) for i in dice]
    return all(gap > 0.9 * found[i].place.half_px for gap, i in zip(away, dice, strict=True))

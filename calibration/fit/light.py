"""How bright, how glaring and how sharp a picture is."""

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.arrays import Bools, Picture
from calibration.fit.board_seen import blur_anywhere

BURNT_GREY = 250
"""From here on a pixel tells nothing any more."""


@dataclass(frozen=True, slots=True)
class Brightness:
    """How bright a picture is."""

    mean_grey: float
    """0 to 255, over all pixels and colours."""
    burnt_share: float
    """The share of its pixels of which one colour is burnt out."""


@dataclass(frozen=True, slots=True)
class BurntSpot:
    """The largest burnt spot of a picture: most often a lamp that mirrors. All in shares of the picture."""

    area: float
    across: float
    """Where its middle lies: 0 is the left edge."""
    down: float
    """The same from the top edge."""


def light_of(picture: Picture) -> Brightness:
    """How bright a picture (height x width x 3) is."""
    return Brightness(float(picture.mean()), float(np.mean(_burnt(picture))))


def burnt_spot(picture: Picture) -> BurntSpot | None:
    """The largest burnt spot of a picture (height x width x 3); single pixels are none."""
    burnt = cv2.morphologyEx(_burnt(picture).astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    _, _, boxes, middles = cv2.connectedComponentsWithStats(burnt)
    areas = boxes[1:, cv2.CC_STAT_AREA]
    if not len(areas):
        return None
    height, width = picture.shape[:2]
    largest = int(areas.argmax())
    x, y = middles[1 + largest]
    return BurntSpot(float(areas[largest]) / (width * height), float(x) / width, float(y) / height)


def blur_of(picture: Picture) -> float:
    """The blur of the sharpest edges of a picture (height x width x 3), see `blur_anywhere`."""
    return blur_anywhere(np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8))


def _burnt(picture: Picture) -> Bools:
    return np.asarray(picture.max(axis=2) >= BURNT_GREY)

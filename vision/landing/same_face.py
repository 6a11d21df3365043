"""The up-face of a die at rest, looked for in pictures in which the die still moved.

Cuts of a picture show the table as from straight above, at the height of a die's up-face: there that face
keeps its size and shape wherever it slides, and only turns about the vertical. How like two faces are is
told by the correlation of their grey levels, after the resting one was blurred by what the die moves while
a picture is exposed. It does not ask how bright they are: light differs from place to place.
"""

from dataclasses import dataclass
from functools import cached_property
from math import ceil, degrees, hypot, radians

import cv2
import numpy as np

from calibration.arrays import Floats, Picture, Singles
from calibration.view import View
from vision.landing.measured import MeasuredDie

FACE_EDGES = 0.46
"""Half the side of the part of an up-face that is compared, in edges: the rounding is left out."""
AROUND_EDGES = 0.85
"""How far from its middle the table is cut out with it, in edges: blur brings that in."""
LEAST_GAIN, MOST_LIGHTER = 0.5, 25.0
"""Contrast that differs by a larger factor's logarithm, and grey levels that do: no face of this die."""
LEAST_BLUR_PX = 0.5
LEAST_VARIANCE = 4.0
"""In squared grey levels: below there is nothing to correlate."""


def straight_down(
    picture: Picture, view: View, center_mm: Floats, half_mm: float, height_mm: float, px_mm: float
) -> Singles:
    """The square of that plane around a place, `px_mm` pixels to a mm; the table's +y is down in it.

    `picture`: rows x columns of grey. What lies outside it is black.
    """
    reach = round(half_mm * px_mm)
    side = 2 * reach + 1
    ends = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float64)
    corners_mm = np.column_stack([center_mm + ends * (reach / px_mm), np.full(4, height_mm)])
    # A lens bends so small a square by less than a tenth of a pixel.
    to_cut = cv2.getPerspectiveTransform(
        view.project(corners_mm).astype(np.float32), ((ends + 1) * reach).astype(np.float32)
    )
    cut = cv2.warpPerspective(picture, to_cut, (side, side), flags=cv2.INTER_LINEAR)
    return np.asarray(cut, np.float32)


@dataclass(frozen=True, eq=False)
class Sample:
    """A face as it would look, turned and blurred."""

    weights: Singles
    """Which pixels are compared; they sum to one."""
    pattern: Singles
    """Grey levels less their mean."""
    mean: float
    variance: float

    @cached_property
    def reach(self) -> int:
        """Pixels from the middle to the border."""
        return (len(self.weights) - 1) // 2


@dataclass(frozen=True, eq=False)
class Likeness:
    """How like a sample each place of a cut is, one value for each place where the sample fits in."""

    correlation: Singles
    doubts: Singles
    """What speaks against a place beside: another contrast, another brightness."""


class UpFace:
    """The up-face of one die at rest."""

    def __init__(self, rest: Picture, view: View, die: MeasuredDie, px_mm: float) -> None:
        """`rest`: the picture at rest, rows x columns of grey."""
        edge_mm = die.edge_mm
        self._px_mm = px_mm
        center = np.array(die.center_mm)
        self._seen = straight_down(rest, view, center, AROUND_EDGES * edge_mm, edge_mm, px_mm)
        self._reach = (len(self._seen) - 1) // 2
        off = np.arange(-self._reach, self._reach + 1) / px_mm
        x, y = np.meshgrid(off, off)
        yaw = radians(die.yaw_deg)
        along, across = x * np.cos(yaw) + y * np.sin(yaw), y * np.cos(yaw) - x * np.sin(yaw)
        inside = np.maximum(np.abs(along), np.abs(across)) < FACE_EDGES * edge_mm
        self._inside = inside.astype(np.float32)

    @property
    def half_mm(self) -> float:
        """From its middle to the border of what is compared with a cut."""
        return self._reach / self._px_mm

    def sample(self, turn_rad: float, *blurs_mm: Floats) -> Sample:
        """The face turned so far about the vertical, and blurred along each of these ways (2,)."""
        middle, size = (float(self._reach), float(self._reach)), self._seen.shape[::-1]
        turn = cv2.getRotationMatrix2D(middle, -degrees(turn_rad), 1.0)
        seen = np.asarray(cv2.warpAffine(self._seen, turn, size, borderMode=cv2.BORDER_REPLICATE), np.float32)
        weights = np.asarray(cv2.warpAffine(self._inside, turn, size), np.float32)
        weights = weights / weights.sum()
        for blur_mm in blurs_mm:
            seen = blur(seen, blur_mm * self._px_mm)
        mean = float((weights * seen).sum())
        pattern = seen - np.float32(mean)
        return Sample(weights, pattern, mean, float((weights * pattern * pattern).sum()))


def compare(cut: Singles, sample: Sample) -> Likeness:
    """How like the sample each place of a cut is."""

    def over(pixels: Singles, kernel: Singles) -> Singles:
        whole = cv2.filter2D(pixels, -1, kernel)
        return np.asarray(whole[sample.reach : -sample.reach, sample.reach : -sample.reach], np.float32)

    mean = over(cut, sample.weights)
    variance = np.maximum(over(cut * cut, sample.weights) - mean * mean, 0)
    shared = over(cut, sample.weights * sample.pattern)
    correlation = shared / np.sqrt(np.maximum(variance * np.float32(sample.variance), LEAST_VARIANCE))
    gain = np.abs(np.log(np.maximum(shared / max(sample.variance, 1e-3), 0.05)))
    lighter = np.abs(mean - sample.mean)
    doubts = 0.5 * np.maximum(gain - LEAST_GAIN, 0) + np.maximum(lighter - MOST_LIGHTER, 0) / 60
    return Likeness(np.asarray(correlation, np.float32), np.asarray(doubts, np.float32))


def share_inside(mask: Singles, sample: Sample) -> Singles:
    """For each place where the sample fits in, the share of the face that the mask (0 or 1) covers."""
    reach = sample.reach
    return np.asarray(cv2.filter2D(mask, -1, sample.weights)[reach:-reach, reach:-reach], np.float32)


def blur(pixels: Singles, way_px: Floats) -> Singles:
    """The same blurred along a way (2,) in pixels, to the right and down."""
    if hypot(*way_px) <= LEAST_BLUR_PX:
        return pixels
    blurred = cv2.filter2D(pixels, -1, _streak(way_px), borderType=cv2.BORDER_REPLICATE)
    return np.asarray(blurred, np.float32)


def _streak(blur_px: Floats) -> Singles:
    """The kernel of an even motion of so many pixels, to the right and down."""
    size = 2 * ceil(hypot(*blur_px) / 2) + 3
    kernel = np.zeros((size, size), np.float32)
    for part in np.linspace(-0.5, 0.5, 4 * size):
        (x, y), middle = part * blur_px, (size - 1) / 2
        column, row = int(np.floor(middle + x)), int(np.floor(middle + y))
        right, down = middle + x - column, middle + y - row
        kernel[row, column] += (1 - right) * (1 - down)
        kernel[row, column + 1] += right * (1 - down)
        kernel[row + 1, column] += (1 - right) * down
        kernel[row + 1, column + 1] += right * down
    return np.asarray(kernel / kernel.sum(), np.float32)

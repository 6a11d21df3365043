"""Parts of the table that are of one colour each, in the picture as if seen from straight above.

Where colours change fast runs an edge; what lies between edges is the core of a region, and from the cores a
watershed (F. Meyer 1992) fills the picture up to the edges. Light that fades slowly makes no edge.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Floats, Singles
from calibration.fit.sheet import Flat

STEEPEST = 1.3
"""The change of colour in CIE L*a*b* a mm from which on there is an edge: zones that people tell apart by 15
change by 5 where they meet, grain and a lamp's fading by less than 1."""
SMALLEST_MM2 = 150.0
"""A smaller core is no region of its own: a crumb, the dot, the ruler's lines on a board."""
UNSEEN = 1
"""The region of all that the camera does not see."""
SPECKS = 5
"""The side in pixels within which single specks are passed over."""
NEXT_PX = 3
"""Two regions meet where they are so near to each other: the watershed leaves a line between them."""


@dataclass(frozen=True, slots=True, eq=False)
class Regions:
    """The table cut into regions by colour; pixels of `flat`."""

    flat: Flat
    numbers: NDArray[np.int32]
    """Which region each pixel (h, w) belongs to, from `UNSEEN` on; -1 on the lines between them."""
    lab: Singles
    """The picture in CIE L*a*b* (h, w, 3), without specks."""
    colors: Floats
    """The median colour (n, 3) of each region, by number."""
    areas_mm2: Floats
    """How large each is (n,), by number."""
    borders_mm: Floats
    """How long each two of them meet (n, n), mm."""

    def mask(self, *numbers: int) -> NDArray[np.uint8]:
        """1 where one of these regions is (h, w)."""
        return np.isin(self.numbers, numbers).astype(np.uint8)

    def places(self, pixels: Floats) -> Floats:
        """Pixels (n, 2) as places (n, 2) on the plane, mm."""
        found: Floats = pixels * self.flat.step_mm + self.flat.origin
        return found


def find_regions(flat: Flat) -> Regions:
    """Cut the flat picture into regions of one colour each."""
    codes = np.clip(flat.picture, 0, 255).astype(np.uint8)
    soft = np.asarray(cv2.medianBlur(codes, SPECKS), np.uint8)
    share = soft.astype(np.float32) / np.float32(255)
    lab = np.asarray(cv2.cvtColor(share, cv2.COLOR_BGR2Lab), np.float32)
    edge = (_steepness(lab) > STEEPEST * flat.step_mm) | ~flat.seen
    core = (cv2.dilate(edge.astype(np.uint8), np.ones((3, 3), np.uint8)) == 0).astype(np.uint8)
    count, cores, stats, _ = cv2.connectedComponentsWithStats(core, connectivity=4)
    large = stats[:, cv2.CC_STAT_AREA] * flat.step_mm**2 >= SMALLEST_MM2
    large[0] = False
    named = np.zeros(count, np.int32)
    named[large] = np.arange(UNSEEN + 1, UNSEEN + 1 + np.count_nonzero(large))
    seeds = named[cores]
    seeds[~flat.seen] = UNSEEN
    numbers = np.asarray(cv2.watershed(soft, seeds.astype(np.int32)), np.int32)
    many = int(named.max(initial=UNSEEN)) + 1
    return Regions(
        flat=flat,
        numbers=numbers,
        lab=lab,
        colors=_colors(lab, numbers, many),
        areas_mm2=np.bincount(numbers[numbers > 0], minlength=many).astype(np.float64) * flat.step_mm**2,
        borders_mm=_borders(numbers, many) * flat.step_mm,
    )


def _steepness(lab: Singles) -> Singles:
    """How fast colour changes (h, w), a pixel."""
    soft = cv2.GaussianBlur(lab, (0, 0), 0.8)
    gx, gy = (cv2.Sobel(soft, cv2.CV_32F, *way, ksize=3) / 8 for way in ((1, 0), (0, 1)))
    return np.asarray(np.sqrt(np.sum(gx**2 + gy**2, axis=2)), np.float32)


def _colors(lab: Singles, numbers: NDArray[np.int32], many: int) -> Floats:
    flat, colors = numbers.ravel(), lab.reshape(-1, 3)
    order = np.argsort(flat, kind="stable")
    ends = np.searchsorted(flat[order], np.arange(many + 1))
    found = np.zeros((many, 3))
    for number in range(UNSEEN + 1, many):
        own = order[ends[number] : ends[number + 1]]
        if len(own):
            found[number] = np.median(colors[own], axis=0)
    return found


def _borders(numbers: NDArray[np.int32], many: int) -> Floats:
    """How many pixels long each two regions (n, n) meet."""
    found = np.zeros(many * many, np.int64)
    for one, other in (
        (numbers[:, :-NEXT_PX], numbers[:, NEXT_PX:]),
        (numbers[:-NEXT_PX], numbers[NEXT_PX:]),
    ):
        meet = (one > 0) & (other > 0) & (one != other)
        found += np.bincount(one[meet] * many + other[meet], minlength=many * many)
    pairs = found.reshape(many, many)
    # Each place of a border is passed by as many steps as a step is long.
    return np.asarray((pairs + pairs.T) / NEXT_PX, np.float64)

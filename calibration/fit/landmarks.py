"""Finds the landmarks that are looked for again in every measured frame.

They are corners of sheet, tapes and table, the dot, marks in the table's own surface, and printed markers.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Floats, Picture
from calibration.fit.plan_lines import inside
from calibration.laid import Laid
from calibration.table import Landmark
from calibration.view import View

PATCH_MM = 14.0
SMALLEST_PATCH_PX, LARGEST_PATCH_PX = 17, 49
CLEAREST_PX = 0.05
"""One standard deviation of where a good patch is found again, along each axis."""
WEAKEST = 12.0
"""The least change of a patch along the direction in which it changes less: RMS slope, in tenths of a grey
level a pixel."""
MOST_SPOTS = 10
"""The most marks in the table's own surface that are used."""
SPOTS_APART_MM = 90.0
MARKERS = cv2.aruco.DICT_4X4_50
"""The dictionary of the printed markers that a builder may stick on the table."""

Holder = Literal["table", "sheet"]


@dataclass(frozen=True, slots=True)
class _Candidate:
    name: str
    at_mm: tuple[float, float]
    on: Holder


def find_landmarks(
    picture: Picture, view: View, laid: Laid, corners_mm: Sequence[tuple[float, float]]
) -> tuple[Landmark, ...]:
    """Every landmark that the empty picture shows clearly. `corners_mm`: the table's own corners, where
    seen."""
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
    named = [*_sheet(laid), *_tapes(laid)]
    named += [_Candidate(f"table's corner {i + 1}", at, "table") for i, at in enumerate(corners_mm)]
    named += _markers(grey, view)
    found: list[Landmark] = []
    for candidate in [*named, *_spots(grey, view, laid)]:
        mark = _cut(grey, view, candidate)
        near = [_apart(mark, other) < 6.0 for other in found] if mark else []
        if mark is not None and not any(near):
            found.append(mark)
    return tuple(found)


def _apart(one: Landmark, other: Landmark) -> float:
    return float(np.hypot(one.at_mm[0] - other.at_mm[0], one.at_mm[1] - other.at_mm[1]))


def _sheet(laid: Laid) -> list[_Candidate]:
    """The zones' corners and the dot."""
    made = [
        _Candidate(f"corner {i + 1} of the {zone.value} zone", corner, "sheet")
        for zone in laid.zones
        for i, corner in enumerate(_corners(np.array(zone.polygon_mm)))
    ]
    if laid.dot is not None:
        made.append(_Candidate("dot", laid.dot.center_mm, "sheet"))
    return made


def _corners(outline: Floats) -> list[tuple[float, float]]:
    """The points of an outline at which it turns by more than 25 degrees."""
    back, ahead = outline - np.roll(outline, 1, axis=0), np.roll(outline, -1, axis=0) - outline
    turn = np.arctan2(back[:, 0] * ahead[:, 1] - back[:, 1] * ahead[:, 0], np.sum(back * ahead, axis=1))
    return [(float(x), float(y)) for x, y in outline[np.abs(turn) > np.radians(25)]]


def _tapes(laid: Laid) -> list[_Candidate]:
    return [
        _Candidate(f"{word} end of the {tape.name} tape's {side} edge", edge[k], "table")
        for tape in laid.tapes
        for side, edge in (("outer", tape.outer_mm), ("inner", tape.inner_mm))
        for word, k in (("near", 0), ("far", -1))
    ]


def _markers(grey: NDArray[np.uint8], view: View) -> list[_Candidate]:
    """The corners of printed markers."""
    marks, ids, _ = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(MARKERS)).detectMarkers(grey)
    made = []
    for corners, number in zip(marks, np.asarray(ids).ravel() if len(marks) else [], strict=True):
        for i, (x, y) in enumerate(view.on_plane(np.asarray(corners, np.float64).reshape(-1, 2))):
            made.append(_Candidate(f"corner {i + 1} of marker {number}", (float(x), float(y)), "table"))
    return made


def _spots(grey: NDArray[np.uint8], view: View, laid: Laid) -> list[_Candidate]:
    """The strongest marks in the table's own surface, well spread: knots, grain, veins."""
    shrink = max(1, round(view.scale_px_per_mm(0.0, 200.0)))
    small = cv2.resize(grey, None, fx=1 / shrink, fy=1 / shrink, interpolation=cv2.INTER_AREA)
    columns, rows = (np.arange(0, n, 8) for n in small.shape[::-1])
    grid = np.stack(np.meshgrid(columns, rows), axis=-1).reshape(-1, 2)
    place = view.on_plane((grid + 0.5) * shrink - 0.5)
    edge = np.array(laid.table_edge_mm)
    low_x, high_x = edge[:, 0].min() + 15, edge[:, 0].max() - 15
    free = (place[:, 1] > 15) & (place[:, 0] > low_x) & (place[:, 0] < high_x)
    for zone in laid.zones:
        outline = np.array(zone.polygon_mm)
        middle = outline.mean(axis=0)
        free &= ~inside(place, middle + (outline - middle) * 1.1)
    for tape in laid.tapes:
        strip = np.concatenate([tape.outer_mm, tape.inner_mm[::-1]])
        middle = strip.mean(axis=0)
        away = np.abs(place - middle) - (np.ptp(strip, axis=0) / 2 + 10)
        free &= np.any(away > 0, axis=1)
    mask = free.reshape(len(rows), len(columns)).astype(np.uint8) * 255
    mask = cv2.resize(mask, small.shape[::-1], interpolation=cv2.INTER_NEAREST)
    apart = max(3.0, SPOTS_APART_MM * view.scale_px_per_mm(0.0, 200.0) / shrink)
    corners: Any = cv2.goodFeaturesToTrack(small, MOST_SPOTS, 0.1, apart, mask=mask, blockSize=9)
    if corners is None:
        return []
    at = view.on_plane((np.asarray(corners, np.float64).reshape(-1, 2) + 0.5) * shrink - 0.5)
    return [
        _Candidate(f"mark {i + 1} in the table", (float(x), float(y)), "table") for i, (x, y) in enumerate(at)
    ]


def _cut(grey: NDArray[np.uint8], view: View, candidate: _Candidate) -> Landmark | None:
    """The landmark with its patch; None where the picture does not hold it, or shows nothing clear there."""
    x, y = view.project(np.array([[*candidate.at_mm, 0.0]]))[0]
    side = float(
        np.clip(PATCH_MM * view.scale_px_per_mm(*candidate.at_mm), SMALLEST_PATCH_PX, LARGEST_PATCH_PX)
    )
    half = int(side) // 2
    column, row = round(x), round(y)
    height, width = grey.shape
    if not (half < column < width - half - 1 and half < row < height - half - 1):
        return None
    patch = grey[row - half : row + half + 1, column - half : column + half + 1]
    soft = patch.astype(np.float32)
    across, down = (cv2.Sobel(soft, cv2.CV_32F, *d, ksize=3) / 8 for d in ((1, 0), (0, 1)))
    tensor = np.array([
        [np.mean(across * across), np.mean(across * down)], [np.mean(across * down), np.mean(down * down)]
    ])  # fmt: skip
    if 10 * np.sqrt(max(float(np.linalg.eigvalsh(tensor)[0]), 0.0)) < WEAKEST:
        return None
    return Landmark(
        name=candidate.name,
        at_mm=candidate.at_mm,
        at_px=(float(x), float(y)),
        sigma_px=CLEAREST_PX,
        patch=patch.tobytes(),
        patch_side=2 * half + 1,
        on=candidate.on,
    )

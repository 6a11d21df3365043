"""Refines fitted dice by their corners, edge strips and sides.

How it works. Where an outline runs depends on how long and how round a die's edges are, and edges that are
followed tell little of either; and all edges of a side give way together to light and shadow, and move the
middle. So once all dice were fitted a network looks at the corners of each and tells its rounding
(`corners`), and another looks across its sides and tells how long its edge is and where its middle lies
(`strips`). All else moves with these as far as the fit knew them together.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.arrays import Floats, Picture, Singles
from calibration.table import TableCalibration
from calibration.view import View
from vision.landing.cube import Cube, flat_cube, yaw_of
from vision.landing.fit import (
    Anchor,
    Fit,
    FitInput,
    Roundness,
    fit_cube,
    rounding_of,
    with_rounding,
    with_told,
)
from vision.landing.pose_evidence import FittedDie
from vision.learned.contract import ACROSS, ALONG, CORNER_PX, CORNERS, SIDES, USUAL_EDGE_MM
from vision.learned.networks import Networks

# Lays parts of a picture out as if they were seen from straight above.


def rectify(
    picture: Picture, corners_px: Floats, size_px: tuple[int, int], how: int = cv2.INTER_LINEAR
) -> Picture:
    """Each of some four-sided parts of a picture (h, w, 3), given by corners (n, 4, 2), as a rectangle
    (n, height, width, 3) of a width and a height.

    The first corner becomes the middle of the first pixel, the second that of the first row's last, and so
    on round. A part is so small that the lens bends none of its sides. `how` is how OpenCV interpolates.
    """
    right, down = size_px[0] - 1, size_px[1] - 1
    rim = np.array([[0, 0], [right, 0], [right, down], [0, down]], np.float32)
    found = [
        cv2.warpPerspective(
            picture,
            cv2.getPerspectiveTransform(rim, corners.astype(np.float32)),
            size_px,
            flags=how | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        )
        for corners in corners_px
    ]
    return np.asarray(found, np.uint8)


# How round dice are, told by a network from pictures of their corners.
#
# How it works. Each corner of a die that was fitted is cut out twice, in the plane of its up-face and in that
# of the table, both along the die's own sides and in millimetres: so all corners look alike. The network sees
# the four corners of a die together with what the fit knew, weighs them against one another, and tells the
# rounding and one sigma of it. It sees what following edges does not: how far into the faces a rounding
# shines. It learnt from drawn dice alone, so it is one witness beside the fit, and never believed to more
# than a part of a pixel.

STEP_MM = 0.2
"""What a pixel of a cut shows; like all lengths here, of a die that is meant to be `USUAL_EDGE_MM` wide."""
TOP_INSIDE_MM, FOOT_INSIDE_MM = 4.0, 3.5
"""How far inwards of the corner the cut of the up-face and that of the foot begin."""
LEAST_SIGMA_MM, LEAST_SIGMA_PX = 0.12, 0.5
"""The network is no surer than these together, whatever it says of itself."""
_RIM: Floats = np.array(
    [[0.0, 0.0], [0.0, CORNER_PX - 1], [CORNER_PX - 1, CORNER_PX - 1], [CORNER_PX - 1, 0.0]]
)
"""The corners of a cut: its row runs along the one side of the die, its column along the next."""


@dataclass(frozen=True, eq=False)
class CornerCuts:
    """The corners of one die as the network is shown them."""

    cuts: Picture
    """CORNERS x CUT_PX x CUT_PX x 6: up-face, then foot, each blue green red."""
    known: Singles
    """CORNERS x KNOWN: how aslant each corner is seen, and what the fit knew."""


class CornerReader:
    """Asks the corners of dice in the pictures of one calibrated table."""

    def __init__(self, calibration: TableCalibration, threads: int = 1) -> None:
        """`threads` are the network's."""
        self._view, self._unit = calibration.view, calibration.dice.edge_mm / USUAL_EDGE_MM
        self._networks = Networks(threads=threads)

    def read_roundings(self, picture: Picture, dice: Sequence[FittedDie]) -> list[Roundness | None]:
        """What the network says of each die's rounding; None for one that leans, or of which a corner lies
        beyond the border of the picture (h, w, 3) that they were fitted in."""
        shown = [
            cut_corners(picture, self._view, one.fit, self._unit) if one.pose == "flat" else None
            for one in dice
        ]
        asked = [cut for cut in shown if cut is not None]
        if not asked:
            return [None] * len(dice)
        cuts, known = (np.concatenate([getattr(cut, part) for cut in asked]) for part in ("cuts", "known"))
        answers = iter(self._networks.roundings(cuts, known) * self._unit)
        return [
            None if cut is None else self._heard(one, next(answers))
            for one, cut in zip(dice, shown, strict=True)
        ]

    def _heard(self, one: FittedDie, answer: Singles) -> Roundness:
        x, y, _ = (float(part) for part in one.cube.center_mm)
        scale = self._view.scale_px_per_mm(x, y, one.cube.edge_mm / 2)
        mm, sigma_mm = (float(part) for part in answer)
        return Roundness(mm, math.hypot(sigma_mm, LEAST_SIGMA_MM, LEAST_SIGMA_PX / scale))


def cut_corners(picture: Picture, view: View, fit: Fit, unit: float = 1.0) -> CornerCuts | None:
    """The corners of a flat die that was fitted in a picture (h, w, 3); None if one lies beyond its border.

    `unit` is how wide the dice are meant to be, in `USUAL_EDGE_MM`.
    """
    cube = fit.cube
    yaw, half, eye = yaw_of(cube), cube.edge_mm / 2, view.eye_mm
    grids, slants = [], []
    for turn in range(CORNERS):
        angle = yaw + turn * math.pi / 2
        along = np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])
        corner = cube.center_mm[:2] + half * along.sum(axis=0)
        slants.append(along @ (eye[:2] - corner) / (eye[2] - half))
        for height, inside in ((cube.edge_mm, TOP_INSIDE_MM), (0.0, FOOT_INSIDE_MM)):
            away = (STEP_MM * (_RIM + 0.5) - inside) * unit
            grids.append(np.column_stack((corner + away @ along, np.full(len(away), height))))
    seen = view.project(np.concatenate(grids)).reshape(CORNERS, 2, len(_RIM), 2)
    if (seen < 0).any() or (seen > np.array(picture.shape[1::-1]) - 1).any():
        return None
    size = (CORNER_PX, CORNER_PX)
    cuts = np.concatenate([rectify(picture, seen[:, plane], size) for plane in (0, 1)], axis=-1)
    known = np.column_stack((3 * np.array(slants), np.tile(_fit_features(view, fit, unit), (CORNERS, 1))))
    return CornerCuts(cuts, known.astype(np.float32))


def _fit_features(view: View, fit: Fit, unit: float) -> list[float]:
    """What the fit knew of the die, in numbers of about 1."""
    cube = fit.cube
    x, y, _ = (float(part) for part in cube.center_mm)
    edge_mm, rounding_mm = (float(part) for part in np.sqrt(np.diag(fit.covariance))[3:] / unit)
    return [
        math.log(view.scale_px_per_mm(x, y, cube.edge_mm / 2) * unit / 2.5),
        cube.radius_mm / unit - 1.6,
        (cube.edge_mm / unit - USUAL_EDGE_MM) * 5,
        math.log(rounding_mm / 0.4),
        math.log(edge_mm / 0.1),
        fit.rim_px * 3,
    ]


# How long a die's edge is and where it lies, told by a network from strips of picture across its sides.
#
# How it works. Along each side of a die that was fitted a strip is cut out twice, in the plane of its up-
# face and in that of the table, both along the side and in millimetres: so all sides look alike. The network
# sees the four sides of a die together. Where a side seems to end depends on how it is rounded, lit and seen,
# and on what the camera does to edges; following edges one by one does not tell these apart, colours on both
# sides of all four do. It learnt from drawn dice alone, so it is one witness beside the fit.

STRIP_STEP_MM = 0.1
"""From one colour to the next across a side; like all lengths here, of a die meant to be `USUAL_EDGE_MM`
wide."""
REACH_MM = 6.2
"""How far from its middle a side is looked at, both ways along it."""
AVERAGED = 4
"""How many places along a side are put together to one colour."""
PLACES = ALONG * AVERAGED
_RIM_MM: Floats = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (
    REACH_MM,
    STRIP_STEP_MM * (ACROSS - 1) / 2,
)
"""The corners of a strip about the middle of its side, along it and outwards."""


@dataclass(frozen=True, eq=False)
class SideStrips:
    """The sides of one die as the network is shown them."""

    strips: Picture
    """SIDES x ACROSS x ALONG x 6, from within the die outwards: up-face, then foot, each blue green red."""
    known: Singles
    """SIDES x KNOWN: how aslant each side is seen, how fine the picture is, and what is known of the
    rounding."""


def cut_strips(
    picture: Picture, view: View, cube: Cube, rounding: Roundness, unit: float = 1.0
) -> SideStrips | None:
    """The sides of a flat die in a picture (h, w, 3); None if one lies beyond its border.

    `unit` is how wide the dice are meant to be, in `USUAL_EDGE_MM`.
    """
    yaw, half, eye = yaw_of(cube), cube.edge_mm / 2, view.eye_mm
    grids, slants = [], []
    for turn in range(SIDES):
        angle = yaw + turn * math.pi / 2
        out, along = np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])
        middle = cube.center_mm[:2] + half * out
        slants.append(np.array([out, along]) @ (eye[:2] - middle) / (eye[2] - half))
        rim = middle + unit * _RIM_MM @ np.array([along, out])
        grids += [np.column_stack((rim, np.full(len(rim), height))) for height in (cube.edge_mm, 0.0)]
    seen = view.project(np.concatenate(grids)).reshape(SIDES * 2, len(_RIM_MM), 2)
    if (seen < 0).any() or (seen > np.array(picture.shape[1::-1]) - 1).any():
        return None
    colors = rectify(picture, seen, (PLACES, ACROSS))
    mean = colors.reshape(SIDES, 2, ACROSS, ALONG, AVERAGED, 3).mean(axis=4, dtype=np.float32)
    strips = np.rint(mean).astype(np.uint8).transpose(0, 2, 3, 1, 4).reshape(SIDES, ACROSS, ALONG, 6)
    scale = view.scale_px_per_mm(float(cube.center_mm[0]), float(cube.center_mm[1]), half)
    alike = [math.log(scale * unit / 2.5), rounding.mm / unit - 1.6, math.log(rounding.sigma_mm / unit / 0.4)]
    known = np.column_stack((3 * np.array(slants), np.tile(alike, (SIDES, 1))))
    return SideStrips(np.ascontiguousarray(strips), known.astype(np.float32))


IN_COMMON = 0.2
"""How much of what the network of corners tells the fit to the same corners knew already."""
LEAST_SIGMAS_MM, LEAST_SIGMAS_PX = np.array([0.09, 0.03, 0.03]), np.array([0.2, 0.06, 0.06])
"""Whatever the network of edges says of itself, it is no surer than these together: of the edge, and of the
middle along either side's normal. Of another painter's dice it takes edges for 0.06 mm shorter than they are,
give or take 0.12."""


class ShapeReader:
    """Asks for the shapes of dice in the pictures of one calibrated table."""

    def __init__(self, calibration: TableCalibration, threads: int = 1) -> None:
        """`threads` are the networks'."""
        self._view = calibration.view
        self._unit = calibration.dice.edge_mm / USUAL_EDGE_MM
        self._corners = CornerReader(calibration, threads)
        self._networks = Networks(threads=threads)

    def refine(self, picture: Picture, dice: Sequence[FittedDie]) -> list[FittedDie]:
        """The dice in their order, the flat ones with what the networks tell of their shapes.

        `picture` (h, w, 3) is the one they were fitted in; a die of which a corner lies beyond its border
        stays as it is.
        """
        roundings = self._corners.read_roundings(picture, dice)
        rounded = [
            one if told is None else _rounded(one, told) for one, told in zip(dice, roundings, strict=True)
        ]
        shown = [
            None if told is None else self._cut(picture, one)
            for one, told in zip(rounded, roundings, strict=True)
        ]
        asked = [cut for cut in shown if cut is not None]
        if not asked:
            return rounded
        strips = np.concatenate([cut.strips for cut in asked])
        known = np.concatenate([cut.known for cut in asked])
        answers = iter(self._networks.edges(strips, known) * self._unit)
        return [
            one if cut is None else self._heard(one, next(answers))
            for one, cut in zip(rounded, shown, strict=True)
        ]

    def _cut(self, picture: Picture, one: FittedDie) -> SideStrips | None:
        return cut_strips(picture, self._view, one.cube, rounding_of(one.fit), self._unit)

    def _heard(self, one: FittedDie, answer: Singles) -> FittedDie:
        x, y, _ = (float(part) for part in one.cube.center_mm)
        scale = self._view.scale_px_per_mm(x, y, one.cube.edge_mm / 2)
        least_mm = np.hypot(LEAST_SIGMAS_MM, LEAST_SIGMAS_PX / scale)
        cosine, sine = math.cos(yaw_of(one.cube)), math.sin(yaw_of(one.cube))
        along = np.array([[0, 0, 0, 1, 0], [cosine, sine, 0, 0, 0], [-sine, cosine, 0, 0, 0]])
        off_mm, sigma_mm = answer.astype(np.float64).reshape(2, 3)
        return replace(one, fit=with_told(one.fit, along, off_mm, np.hypot(sigma_mm, least_mm)))


def _rounded(one: FittedDie, told: Roundness) -> FittedDie:
    """A die with what the network of corners tells of its rounding."""
    return replace(one, fit=with_rounding(one.fit, rounding_of(one.fit).with_other(told, IN_COMMON)))


# Which way a flat die is turned, told by whatever runs along its sides: for a die with a lone pip.
#
# How it works. The edges of a flat die's up-face and of its foot, and the edge of its shadow, are parallel to
# one of its two sides, and planes parallel to the table are all seen alike. So the picture round the die is
# laid out in the plane of its up-face and turned by a row of angles. At the right one, its colours averaged
# along rows, and along columns, change most suddenly. An average along a whole side is hardly led astray by
# what leads edges astray that are followed one by one: pips at the rim of a faint side, grain, the foot's
# shadow. How much better the best angle is than a usual one tells how sure it is.

SIDE_PX = 160
REACH = 0.75
"""How far what is laid out reaches from the die's middle, in its edges: 0.15 mm to a pixel for usual dice."""
BLUR_PX = 0.8
TRIED_RAD: Floats = np.radians(np.arange(-9.0, 9.01, 0.5))
"""The angles that are tried, about the cube's own."""
SIDE_ALONG = 0.425
"""Colours are averaged over so much of a side, to either end of its middle, in edges: all but its corners."""
SIDE_ACROSS = 0.31, 0.6
"""Between these distances from the middle, in edges, changes count: a lone pip lies within the first, and the
foot of a side that is seen within the second."""
SUDDEN = 4.0
"""Changes along a profile are added up as this power of them: one sharp edge says more than much grain."""
LEAST_RAD, MOST_RAD = math.radians(0.2), math.radians(1.5)
FAINT, FAINT_RAD, FAINT_POWER = 0.085, math.radians(1.0), 3.0
"""One sigma of the yaw: LEAST_RAD, and FAINT_RAD (FAINT / prominence) to that power; MOST_RAD at most. Of 142
dice with a lone pip the yaws told were off by 0.85 degrees in the mean in the fifth with the least prominence
(some 0.1), and by 0.09 in the one with the most (0.2 and more)."""
SIDES_SHOW = 1.4
"""In px per mm: in coarser pictures sides tell a yaw no better than edges that are followed one by one (of 24
dice at 1.05 px per mm they were off by 1.4 degrees in the mean, the fit by 0.9; at 1.7 and 3.3 they help)."""


@dataclass(frozen=True, slots=True)
class Turned:
    """Which way a die is turned, and one sigma of it."""

    yaw_rad: float
    sigma_rad: float


def turn_as_sides_run(picture: Picture, scene: FitInput, fit: Fit, anchor: Anchor) -> Fit:
    """A flat die that was fitted, its pips telling no yaw, fitted again as its sides say that it is turned:
    edges that are followed one by one leave it up to six degrees off."""
    x, y, _ = (float(part) for part in fit.cube.center_mm)
    told = yaw_along_sides(picture, scene.view, fit.cube) if scene.scale(x, y) >= SIDES_SHOW else None
    if told is None:
        return fit
    cube = flat_cube(x, y, told.yaw_rad, fit.cube.edge_mm, scene.dice.corner_radius_mm)
    turned = replace(anchor, yaw_rad=told.yaw_rad, sigma_rad=told.sigma_rad)
    return fit_cube(scene, cube, anchor=turned) or fit


def yaw_along_sides(picture: Picture, view: View, cube: Cube) -> Turned | None:
    """How the sides of a flat die near a cube, in a picture (h, w, 3), say that it is turned.

    None where it lies too near the picture's border, or is turned further than was tried.
    """
    laid = _rectify_along(picture, view, cube)
    if laid is None:
        return None
    clear = np.array([_suddenness(_rotated(laid, float(angle))) for angle in TRIED_RAD])
    best = int(np.argmax(clear))
    if not 0 < best < len(clear) - 1:
        return None
    before, here, after = clear[best - 1 : best + 2]
    step = float(TRIED_RAD[1] - TRIED_RAD[0])
    away = float(TRIED_RAD[best]) + step * (before - after) / (2 * (before - 2 * here + after) - 1e-12)
    prominence = max(float(1 - np.median(clear) / here), 1e-3)
    sigma = LEAST_RAD + FAINT_RAD * (FAINT / prominence) ** FAINT_POWER
    return Turned(yaw_of(cube) + float(away), min(sigma, MOST_RAD))


def _rectify_along(picture: Picture, view: View, cube: Cube) -> Singles | None:
    """What lies round a cube in the plane of its up-face, along its sides: SIDE_PX x SIDE_PX x 3."""
    yaw, reach = yaw_of(cube), REACH * cube.edge_mm
    along = np.array([[math.cos(yaw), math.sin(yaw)], [-math.sin(yaw), math.cos(yaw)]])
    corners = cube.center_mm[:2] + reach * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) @ along
    seen = view.project(np.column_stack((corners, np.full(4, cube.edge_mm))))
    if (seen < 0).any() or (seen > np.array(picture.shape[1::-1]) - 1).any():
        return None
    (found,) = rectify(picture, seen[None], (SIDE_PX, SIDE_PX), cv2.INTER_CUBIC)
    return np.asarray(cv2.GaussianBlur(found.astype(np.float32), (0, 0), BLUR_PX), np.float32)


def _rotated(laid: Singles, angle_rad: float) -> Singles:
    """What was laid out, turned about its middle."""
    middle = (SIDE_PX - 1) / 2
    turn = cv2.getRotationMatrix2D((middle, middle), math.degrees(angle_rad), 1.0)
    turned = cv2.warpAffine(laid, turn, (SIDE_PX, SIDE_PX), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(turned, np.float32)


def _suddenness(laid: Singles) -> float:
    """How suddenly colours change across the four sides of a die whose sides are rows and columns."""
    at = (np.arange(SIDE_PX) - (SIDE_PX - 1) / 2) * (2 * REACH / SIDE_PX)
    side = np.abs(at) < SIDE_ALONG
    profiles = np.stack((laid[:, side].mean(axis=1), laid[side].mean(axis=0)))
    changes = np.abs(np.diff(profiles, axis=1)).max(axis=2) ** SUDDEN
    between = (at[1:] + at[:-1]) / 2
    low, high = SIDE_ACROSS
    sides = [changes[:, (sign * between > low) & (sign * between < high)] for sign in (-1, 1)]
    return float(sum((each.sum(axis=1) ** (1 / SUDDEN)).sum() for each in sides))

"""Which way a flat die is turned, told by whatever runs along its sides: for a die with a lone pip.

How it works. The edges of a flat die's up-face and of its foot, and the edge of its shadow, are parallel to
one of its two sides, and planes parallel to the table are all seen alike. So the picture round the die is
laid out in the plane of its up-face and turned by a row of angles. At the right one, its colours averaged
along rows, and along columns, change most suddenly. An average along a whole side is hardly led astray by
what leads edges astray that are followed one by one: pips at the rim of a faint side, grain, the foot's
shadow. How much better the best angle is than a usual one tells how sure it is.
"""

import math
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.arrays import Floats, Picture, Singles
from calibration.view import View
from vision.landing.anchor import Anchor
from vision.landing.cube import Cube, flat_cube, yaw_of
from vision.landing.fit import Fit, FitInput, fit_cube
from vision.landing.laid_out import laid_out

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
    laid = _laid_along(picture, view, cube)
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


def _laid_along(picture: Picture, view: View, cube: Cube) -> Singles | None:
    """What lies round a cube in the plane of its up-face, along its sides: SIDE_PX x SIDE_PX x 3."""
    yaw, reach = yaw_of(cube), REACH * cube.edge_mm
    along = np.array([[math.cos(yaw), math.sin(yaw)], [-math.sin(yaw), math.cos(yaw)]])
    corners = cube.center_mm[:2] + reach * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) @ along
    seen = view.project(np.column_stack((corners, np.full(4, cube.edge_mm))))
    if (seen < 0).any() or (seen > np.array(picture.shape[1::-1]) - 1).any():
        return None
    (found,) = laid_out(picture, seen[None], (SIDE_PX, SIDE_PX), cv2.INTER_CUBIC)
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

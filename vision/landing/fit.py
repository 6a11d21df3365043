"""Fits the pose and the rounding of one die to the edges in the picture.

How it works. From a start a millimetre or so away, the outline is predicted, the edges across it are found
(`vision.landing.edges`), and the pose moves to where they say (Gauss and Newton), until it settles. Edges
that disagree with the rest are trusted less. Neighbouring edges are not independent: light and shadow shift a
whole side alike, and rounding shifts all sides alike. Both are part of the model, as a common error of each
side and one of the whole outline, so the covariance promises no more than is known.

Lying flat, a die has a place, a yaw and a size; cocked, it has two more angles, and its height follows from
its lowest point touching the table.
"""

import math
from dataclasses import dataclass, replace
from math import sqrt
from typing import Self

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Floats, Ints
from calibration.description import Dice
from calibration.view import View
from vision.landing.cube import ARC, Cube, Outline, flat_cube, outline, resting_cube, slopes, up_axis, yaw_of
from vision.landing.edges import (
    Edges,
    Patch,
    Search,
    Stretches,
    bow_px,
    bowed_px,
    find_edges,
    parts_of,
    stretches,
    swept,
    unexplained,
    weights,
)

# Where something other than its outline puts a die, as equations of a fit.

X, Y, SPIN, EDGE, RADIUS, RIM, TILT_X, TILT_Y = range(8)
"""The parameters of a fit in their order: where a die lies, how it is turned, how large and how round it is,
how far outwards its edges seem to lie, and how it leans."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """Where something other than the outline puts the die: the pips on its up-face."""

    x_mm: float
    y_mm: float
    """With x, the up-face's middle."""
    sigma_mm: float
    yaw_rad: float | None
    sigma_rad: float


def anchored(cube: Cube, anchor: Anchor, count: int) -> tuple[Floats, Floats, Floats]:
    """The anchor's equations: derivatives (3, count) of the up-face's middle and yaw, their weights, and how
    far each is off."""
    up = up_axis(cube) * cube.edge_mm / 2
    top = cube.center_mm + up
    rows = np.zeros((3, count))
    rows[0, X] = rows[1, Y] = rows[2, SPIN] = 1.0
    rows[0, SPIN], rows[1, SPIN] = -up[1], up[0]
    if count > TILT_X:
        rows[0, TILT_Y], rows[1, TILT_X] = up[2], -up[2]
    firm = np.array([anchor.sigma_mm**-2, anchor.sigma_mm**-2, 0.0])
    away = np.array([anchor.x_mm - top[0], anchor.y_mm - top[1], 0.0])
    if anchor.yaw_rad is not None:
        quarter = np.pi / 2
        firm[2] = anchor.sigma_rad**-2
        away[2] = (anchor.yaw_rad - yaw_of(cube) + quarter / 2) % quarter - quarter / 2
    return rows, firm, away


# A length that is known roughly.


@dataclass(frozen=True, slots=True)
class Length:
    """A length, and one sigma of it."""

    mm: float
    sigma_mm: float

    def with_other(self, other: Self, in_common: float = 0.0) -> Self:
        """This one put together with another's word on it, of which so large a share was known already."""
        share = self.sigma_mm**2 / (self.sigma_mm**2 + other.sigma_mm**2)
        left = 1 - (1 - in_common) * share
        return replace(self, mm=self.mm + share * (other.mm - self.mm), sigma_mm=self.sigma_mm * sqrt(left))


# How round a die's corners are, asked of the picture for a whole row of roundings.
#
# How it works. A fit that follows edges step by step stays where it began when corners are much rounder or
# sharper than was thought: each corner's edge then lies further off than all others, so that it is believed
# less and less. Here each rounding of a row is laid over the picture, all else as it was fitted, and it is
# asked how much of the colours across the corners a single edge, just there, leaves unexplained. The corners
# are heard one by one, and none may say more than so much: one may lie in a shadow, another over a line of
# the table.

TRIED_MM: Floats = np.arange(0.4, 4.41, 0.2)
"""The roundings that are tried."""
SAID, MOST_SAID, MOST_SAID_BELOW = 3.0, 3.0, 1.5
"""What a corner says against a rounding, as a log likelihood: by how much the log of the unexplained share
weighs, the most that a corner may say, and the most that one may say which faces downwards, into a shadow."""
CORNERS_FACTOR, CORNERS_SIGMA_MM = 1.5, 0.3
"""What all corners together say is this much less sure than it says, and no surer than this."""
IN_COMMON = 0.15
"""How much of that a fit to the same edges knew already."""
BELOW = -0.12
"""The upward part of the normals of such a corner, or less."""


class Roundness(Length):
    """The rounding of a die's edges and corners, and one sigma of it."""

    __slots__ = ()

    def with_corners(self, corners: "Roundness") -> "Roundness":
        """This rounding with what all corners together say of it."""
        spread = math.hypot(CORNERS_FACTOR * corners.sigma_mm, CORNERS_SIGMA_MM)
        return self.with_other(Roundness(corners.mm, spread), IN_COMMON)


@dataclass(frozen=True, eq=False)
class Corners:
    """The corners of a die's outline in the picture."""

    line: Outline
    """The whole outline, as it was fitted."""
    cut: Stretches
    which: NDArray[np.bool_]
    """The stretches of the corners that are in sight (m)."""
    rim_px: float
    """How far outwards of the outline its edges seem to lie."""


def roundness(
    view: View, at: Patch, cube: Cube, corners: Corners, how: Search, usual: Roundness
) -> Roundness | None:
    """The rounding that fits the corners of a cube that was fitted; None where no corner is in sight.

    `usual` is what is expected of it.
    """
    if not corners.which.any():
        return None
    line, cut = corners.line, corners.cut
    point = np.repeat(corners.which, cut.count)
    count, parts = cut.count[corners.which], parts_of(cut.side)[corners.which]
    arcs = Stretches(np.cumsum(count) - count, count, cut.side[corners.which])
    away = line.normals_mm[point] - line.corners[point] @ cube.turn.T
    moved = line.points_mm[point] + (TRIED_MM - cube.radius_mm)[:, None, None] * away
    points_px = view.project(moved.reshape(-1, 3)).reshape(*moved.shape[:2], 2)
    turn, gain = arcs.mean(swept(view, line, cube)[point]), arcs.mean(line.gain[point])
    rows = [
        unexplained(
            at,
            (points_px[k], line.normals_px[point]),
            arcs,
            turn,
            how,
            radius_px=float(radius * np.median(gain)),
            off_px=corners.rim_px - bow_px(radius * gain, how.blur_px),
        )
        for k, radius in enumerate(TRIED_MM)
    ]
    said = _corner_evidence(np.array(rows), parts, count, arcs.mean(line.normals_mm[point, 2]))
    said += ((TRIED_MM - usual.mm) / usual.sigma_mm) ** 2 / 2
    chance = np.exp(said.min() - said)
    chance /= chance.sum()
    mean = float(chance @ TRIED_MM)
    return Roundness(mean, float(np.sqrt(chance @ (TRIED_MM - mean) ** 2)))


def _corner_evidence(rows: Floats, parts: Ints, count: Ints, upward: Floats) -> Floats:
    """What all corners say against each rounding (k), from what each stretch leaves unexplained (k, m)."""
    total = np.zeros(len(rows))
    for part in np.unique(parts):
        own = parts == part
        share = count[own] / count[own].sum()
        left = rows[:, own] @ share
        most = MOST_SAID if upward[own] @ share > BELOW else MOST_SAID_BELOW
        total += np.minimum(SAID * (left - left.min()), most)
    return total


EDGE_SIGMA_MM = 0.12
"""One sigma of a die's edge about the nominal length: dice of 15.8 to 16.2 mm occur."""
RADIUS_SIGMA_MM = 1.0
"""One sigma of a die's rounding about the nominal radius, as wide as the world is: a casino's dice are
rounded by 0.5 mm, cheap ones by 4. What stays unknown of it moves the footprint's corners by 0.4 of it."""
RIM_PX = (-0.15, -0.02)
RIM_SIGMA_PX = (0.2, 0.1)
RIM_SCALES = (1.8, 3.2)
"""The scales, in px per mm, for which `RIM_PX` and `RIM_SIGMA_PX` hold: by how much rounding and light shift
the whole outline, and one sigma of that. In a coarse picture the dark turn of the rounding melts into the
edge, which then seems to lie further in."""
LEAST_EXCESS = 1.15
"""The least factor by which a fit's deviations are widened: what its model leaves out."""
SURE_ROUNDING_PX = 0.66
"""A rounding is as sure as the fit says up to this sigma. What is less sure of itself rests on faint corners,
and is off by more than it says: its sigma grows as the power 2.5."""
BLUR_PX = 0.85
"""The blur of an ordinary sharp picture (one sigma): lens, pixel, demosaicing and interpolation."""
DEPTH_MM = 1.2
"""How far colours are read on both sides of an outline: this is clear of pips, which begin 2 mm in."""
LEAST_DEPTH_PX = 3.0
LEAST_SEEN = 6
"""The fewest stretches of an outline in sight for a fit."""
MOST_ROUNDS = 9
SETTLED_ROUND = 3
"""The round from which on the search is narrow."""
SETTLED_MM = 0.01
CORNER_SHARE = 0.3
"""By how much of its growth a rounding moves the middle of a corner, as the fit settles."""
LEAST_ROUNDING_MM = 0.3
"""No die is sharper: a casino's are rounded by 0.5 mm."""
SHOWN_GAIN = 0.45
"""The `Edges.gain` from which a stretch shows an edge."""
AGREES_MM = 0.3
AGREES_PX = 0.8


@dataclass(frozen=True, eq=False)
class Fit:
    """A cube that was fitted, and how well it fits."""

    cube: Cube
    covariance: Floats
    """5 x 5 of x mm, y mm, yaw rad, edge mm, rounding mm: from the picture alone, without the calibration's
    own error."""
    stray_mm: float
    """The mean distance from the outline of the likeliest edges, along all of the visible outline, whether
    the picture shows them well or not."""
    visible: float
    """The share of the outline that lies in the picture and not beside another die."""
    pull_mm: Floats
    """The step (2,) that the outline alone would move the middle by, from where outline and anchor put it."""
    rim_px: float
    """How far outwards of the outline its edges seem to lie."""


@dataclass(frozen=True, eq=False)
class FitInput:
    """What a fit is made against."""

    view: View
    patch: Patch
    dice: Dice
    others: tuple[Floats, ...] = ()
    """Outlines (n, 2) in pixels of dice that are known already; edges beside them are not this die's own."""

    def scale(self, x_mm: float, y_mm: float) -> float:
        """Pixels per millimetre at half a die's height."""
        return self.view.scale_px_per_mm(x_mm, y_mm, self.dice.edge_mm / 2)


@dataclass(frozen=True, eq=False)
class _Look:
    """The edges of one round of the fit."""

    line: Outline
    cut: Stretches
    edges: Edges
    seen: NDArray[np.bool_]
    """Which stretches lie in the picture and not beside another die (m)."""


def fit_cube(
    scene: FitInput,
    start: Cube,
    *,
    anchor: Anchor | None = None,
    cocked: bool = False,
    rounds: int = MOST_ROUNDS,
) -> Fit | None:
    """The cube near `start` (within about 1.5 mm) that best fits the picture's edges and the anchor.

    With `cocked` it may lean. None when hardly any of its outline can be seen.
    """
    fit = _settled(scene, start, anchor=anchor, cocked=cocked, rounds=rounds)
    if fit is None or cocked:
        return fit
    seen = _measure_roundness(scene, fit)
    return fit if seen is None else with_rounding(fit, rounding_of(fit).with_corners(seen))


def _measure_roundness(scene: FitInput, fit: Fit) -> Roundness | None:
    """What the corners in sight of a die that was fitted say of its rounding; None where there are none."""
    scale = scene.scale(float(fit.cube.center_mm[0]), float(fit.cube.center_mm[1]))
    line = _line(scene, fit.cube)
    cut = stretches(line)
    corners = Corners(line, cut, (cut.side == ARC) & _find_usable(scene, line, cut, scale), fit.rim_px)
    usual = Roundness(scene.dice.corner_radius_mm, RADIUS_SIGMA_MM)
    return roundness(scene.view, scene.patch, fit.cube, corners, _search(scale, SETTLED_ROUND), usual)


def rounding_of(fit: Fit) -> Roundness:
    """The rounding of a cube that was fitted."""
    return Roundness(fit.cube.radius_mm, math.sqrt(fit.covariance[RADIUS, RADIUS]))


def with_rounding(fit: Fit, after: Roundness) -> Fit:
    """A fit with a rounding better known. Its sides stay where they are: they were found by themselves."""
    share = (after.sigma_mm / rounding_of(fit).sigma_mm) ** 2
    covariance = fit.covariance.copy()
    covariance[RADIUS] *= share
    covariance[:, RADIUS] *= share
    covariance[RADIUS, RADIUS] = after.sigma_mm**2
    return replace(fit, cube=replace(fit.cube, radius_mm=after.mm), covariance=covariance)


def with_told(fit: Fit, along: Floats, off_mm: Floats, sigma_mm: Floats) -> Fit:
    """A fit to a flat die with another's word on it: that along so many directions (k, 5) among the first
    five parameters it is off by so much (k), true less fitted, give or take so much (k, one sigma). All else
    moves with these as far as the fit knew them together (Kalman, 1960)."""
    cube, spread = fit.cube, fit.covariance @ along.T
    gain = spread @ np.linalg.inv(along @ spread + np.diag(sigma_mm**2))
    x, y, turned, longer, rounder = (float(part) for part in gain @ off_mm)
    moved = flat_cube(
        float(cube.center_mm[0]) + x,
        float(cube.center_mm[1]) + y,
        yaw_of(cube) + turned,
        cube.edge_mm + longer,
        max(cube.radius_mm + rounder, LEAST_ROUNDING_MM),
    )
    return replace(fit, cube=moved, covariance=fit.covariance - gain @ spread.T)


def _settled(scene: FitInput, start: Cube, *, anchor: Anchor | None, cocked: bool, rounds: int) -> Fit | None:
    """The same by edges alone."""
    scale = scene.scale(float(start.center_mm[0]), float(start.center_mm[1]))
    cube, rim = start, float(np.interp(scale, RIM_SCALES, RIM_PX))
    fit: Fit | None = None
    wide = 0 if anchor is None else 2  # an anchored start is near enough for the narrow search
    for done in range(1, rounds + 1):
        look = _look(scene, cube, _search(scale, done + wide))
        if np.count_nonzero(look.seen) < LEAST_SEEN:
            return None
        state = _step(look, cube, rim, scene.dice, anchor, cocked=cocked)
        rim += state.rim
        moved = _moved(cube, state.change, cocked=cocked)
        small = _largest_mm(state.change, cube.edge_mm) < SETTLED_MM and done + wide > 2
        if small or done == rounds:
            # Either the last edges were measured within a hundredth of a millimetre of this pose, or the fit
            # did not settle at all.
            fit = replace(_finish_fit(look, cube, rim, state, scale), cube=moved)
            break
        cube = moved
    return fit


def _largest_mm(change: Floats, edge_mm: float) -> float:
    """How far a step moves a die, mm: its middle, the ends of its sides by turning, its sides by growing, or
    its corners by rounding, whichever is most."""
    moved = float(np.hypot(change[X], change[Y]))
    turned = abs(float(change[SPIN])) * edge_mm / 2
    return max(moved, turned, abs(float(change[EDGE])) / 2, CORNER_SHARE * abs(float(change[RADIUS])))


def _search(scale: float, done: int) -> Search:
    """The search for a round of the fit: wide in the first two rounds, then narrow."""
    reach = (max(1.2 * scale, 2.0), max(0.8 * scale, 2.0))[done - 1] if done <= 2 else max(0.4 * scale, 1.5)
    depth = max(DEPTH_MM * scale, LEAST_DEPTH_PX)
    reach, depth = round(reach * 4) / 4, round(depth * 2) / 2
    return Search(
        reach_px=reach,
        inside_px=depth,
        outside_px=depth,
        blur_px=BLUR_PX,
        pull_px=max(reach / 2, 1.0),
        alike_px=max(0.3 * reach, 0.4) if done <= 2 else 0.35,
    )


def _look(scene: FitInput, cube: Cube, how: Search) -> _Look:
    scale = scene.scale(float(cube.center_mm[0]), float(cube.center_mm[1]))
    line = _line(scene, cube)
    cut = stretches(line)
    found = find_edges(scene.view, scene.patch, line, cube, cut, how)
    found = replace(found, offset_px=found.offset_px + bowed_px(line, cut, cube.radius_mm, BLUR_PX))
    return _Look(line, cut, found, _find_usable(scene, line, cut, scale))


def _find_usable(scene: FitInput, line: Outline, cut: Stretches, scale: float) -> NDArray[np.bool_]:
    """Which stretches lie in the picture and not beside another die (m)."""
    beyond = cut.mean(line.points_px + 2.0 * line.normals_px)
    seen = scene.patch.covers(beyond, 2.0)
    for other in scene.others:
        seen &= _inside(other, beyond) <= -1.0 * scale
    return seen


def _line(scene: FitInput, cube: Cube) -> Outline:
    scale = scene.scale(float(cube.center_mm[0]), float(cube.center_mm[1]))
    return outline(scene.view, cube, 1.0 if scale > 2.2 else 0.5)


def _inside(polygon: Floats, points: Floats) -> Floats:
    """How far inside a polygon points (n, 2) lie, in pixels; negative outside."""
    shape = polygon.astype(np.float32).reshape(-1, 1, 2)
    return np.array([cv2.pointPolygonTest(shape, (x, y), measureDist=True) for x, y in points.tolist()])


@dataclass(frozen=True, eq=False)
class _Update:
    """One step of the fit."""

    change: Floats
    covariance: Floats
    rim: float
    pull_mm: Floats


def _step(look: _Look, cube: Cube, rim: float, dice: Dice, anchor: Anchor | None, *, cocked: bool) -> _Update:
    seen = look.seen
    slope = _slopes(look, cube, cocked=cocked)[seen]
    left = look.edges.offset_px[seen] - rim
    weight = weights(look.line, look.cut, look.edges, look.seen, left)
    believed, apart = _beliefs(look, cube, rim, dice, slope.shape[1])
    normal = slope.T @ weight @ slope + np.diag(believed)
    pull = slope.T @ weight @ left + believed * apart
    alone = np.asarray(np.linalg.inv(normal), np.float64)
    if anchor is not None:
        rows, firm, away = anchored(cube, anchor, slope.shape[1])
        inverse = np.asarray(np.linalg.inv(normal + rows.T @ (firm[:, None] * rows)), np.float64)
        step = inverse @ (pull + rows.T @ (firm * away))
    else:
        inverse = alone
        step = inverse @ pull
    farthest = max(float(np.hypot(step[X], step[Y])) / 1.0, abs(float(step[SPIN])) / 0.12, 1.0)
    if cocked:
        farthest = max(farthest, float(np.abs(step[TILT_X:]).max()) / 0.12)
    pulled = (alone @ pull)[:2]
    return _Update(step / farthest, inverse, float(step[RIM]) / farthest, pulled)


def _beliefs(look: _Look, cube: Cube, rim: float, dice: Dice, count: int) -> tuple[Floats, Floats]:
    """The prior on the parameters: weights (1 / sigma²), and how far each is from its expected value."""
    believed, apart = np.zeros(count), np.zeros(count)
    gain = float(np.median(look.line.gain))
    usual, rim_sigma = (float(np.interp(gain, RIM_SCALES, known)) for known in (RIM_PX, RIM_SIGMA_PX))
    believed[[EDGE, RADIUS, RIM]] = (EDGE_SIGMA_MM**-2, RADIUS_SIGMA_MM**-2, rim_sigma**-2)
    apart[[EDGE, RADIUS, RIM]] = (
        dice.edge_mm - cube.edge_mm,
        dice.corner_radius_mm - cube.radius_mm,
        usual - rim,
    )
    believed[TILT_X:] = 1e-2  # keeps the matrix regular where a tilt hardly shows
    return believed, apart


def _slopes(look: _Look, cube: Cube, *, cocked: bool) -> Floats:
    """Derivatives (m, 6 or 8) of the stretches' outward motion by each parameter, in pixels per unit."""
    own = slopes(look.line, cube)
    inner = cube.edge_mm / 2 - cube.radius_mm
    down = np.abs(cube.turn[2]).sum()
    rows = [own.x_mm, own.y_mm, own.spin_z, own.edge_mm + own.z_mm * down / 2,
            own.radius_mm + own.z_mm * (1 - down), np.ones(len(look.line))]  # fmt: skip
    if cocked:
        lowest = np.sign(cube.turn[2])
        rows.append(own.spin_x + own.z_mm * inner * float(lowest @ cube.turn[1]))
        rows.append(own.spin_y - own.z_mm * inner * float(lowest @ cube.turn[0]))
    return look.cut.mean(np.stack(rows, axis=1))


def _moved(cube: Cube, step: Floats, *, cocked: bool) -> Cube:
    tilt = (float(step[TILT_X]), float(step[TILT_Y])) if cocked else (0.0, 0.0)
    spin, _ = cv2.Rodrigues(np.array([*tilt, float(step[SPIN])]))
    radius = min(max(cube.radius_mm + float(step[RADIUS]), LEAST_ROUNDING_MM), 0.45 * cube.edge_mm)
    x, y = cube.center_mm[:2] + step[[X, Y]]
    return resting_cube(
        float(x),
        float(y),
        np.asarray(spin, np.float64) @ cube.turn,
        cube.edge_mm + float(step[EDGE]),
        radius,
    )


def _finish_fit(look: _Look, cube: Cube, rim: float, state: _Update, scale: float) -> Fit:
    left = np.abs(look.edges.offset_px - rim)
    near = left < max(AGREES_MM * scale, AGREES_PX)
    seen, length = look.seen, look.cut.count.astype(np.float64)
    fits = near & (look.edges.gain > SHOWN_GAIN) & seen
    misfit = float(np.sqrt(np.mean(left[fits] ** 2))) / scale if fits.any() else float("inf")
    # Where edges disagree more than they should, the covariance grows.
    excess = min(max(LEAST_EXCESS, misfit * scale / 0.45), 3.0) ** 2
    return Fit(
        cube=cube,
        covariance=_honest(state.covariance[:5, :5] * excess, SURE_ROUNDING_PX / scale),
        stray_mm=_stray_px(look, rim) / scale,
        visible=float(length[seen].sum() / length.sum()),
        pull_mm=state.pull_mm,
        rim_px=rim,
    )


def _honest(covariance: Floats, sure_mm: float) -> Floats:
    """A covariance (5, 5) with the rounding as unsure as faint corners leave it."""
    sigma = float(np.sqrt(covariance[RADIUS, RADIUS]))
    wider = np.ones(5)
    wider[RADIUS] = min(max(1.0, sigma / sure_mm) ** 1.5, max(1.0, RADIUS_SIGMA_MM / sigma))
    found: Floats = covariance * np.outer(wider, wider)
    return found


def _stray_px(look: _Look, rim: float) -> float:
    length = look.cut.count[look.seen]
    return float((length * np.abs(look.edges.offset_px[look.seen] - rim)).sum() / length.sum())

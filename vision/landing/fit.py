"""The pose of one die: a robust least-squares fit of a rounded cube to the edges that the picture shows.

How it works. From a start a millimetre or so away, the outline is predicted, the edges across it are found
(`vision.landing.edges`), and the pose moves to where they say (Gauss and Newton), until it stays. Edges that
disagree with the rest are believed less. Neighbouring edges are not independent: light and shadow shift a
whole side alike, and rounding shifts all sides alike. Both are part of the model, as a common error of each
side and one of the whole outline, so the covariance says what is known and no more.

Lying flat, a die has a place, a yaw and a size; cocked, it has two more angles, and its height follows from
its lowest point touching the table.
"""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Floats
from calibration.description import Dice
from calibration.view import View
from vision.landing.cube import ARC, Cube, Outline, outline, resting_cube, slopes, up_axis, yaw_of
from vision.landing.edges import Edges, Patch, Search, Stretches, find_edges, stretches

EDGE_SIGMA_MM = 0.12
"""How far a die's edge lies from the nominal: dice of 15.8 to 16.2 mm occur."""
RADIUS_SIGMA_MM = 0.15
"""How far a die's rounding lies from the nominal. The outline hardly tells: what is unknown of it stays
unknown, and moves the corners of the footprint by 0.4 of it."""
SIDE_SIGMA_PX = (0.15, 0.4, 0.6)
SIDE_SIGMA_MM = (0.03, 0.06, 0.15)
"""By what light and shadow shift the edges of one side alike: of an upper side, an upright one seen from its
end, a lower one where the die meets its own shadow."""
RIM_PX = (-0.15, -0.02)
RIM_SIGMA_PX = (0.2, 0.1)
RIM_SCALES = (1.8, 3.2)
"""By what rounding and light shift the whole outline, and how unevenly, where a mm has so many pixels: in a
coarse picture the dark turn of the rounding melts into the edge, which then seems to lie further in."""
USUAL_EDGE_SIGMA_PX = 0.14
UNSURE_SIDES = (0.4, 2.5)
"""A side whose colours leave its edges more unsure than is usual may be shifted by more in proportion, and
one whose colours leave them sure by less: faint and shaded edges are also those seen in the wrong place."""
STRETCH_SIGMA_PX = 0.1
ARC_TRUST = 0.3
"""Weight of the corners' arcs: there the colours change with every direction."""
BLUR_PX = 0.85
"""Standard deviation of an ordinary sharp picture's blur: lens, pixel, demosaicing and reading between
pixels."""
DEPTH_MM = 1.2
"""How far colours are read to both sides of an outline: clear of pips, which begin 2 mm in."""
LEAST_DEPTH_PX = 3.0
LEAST_SEEN = 6
"""Stretches of an outline without which nothing is fitted."""
MOST_ROUNDS = 9
SETTLED_MM = 0.01
SHOWN_GAIN = 0.45
"""A stretch shows an edge when a step explains its colours so many times better, as a logarithm."""
AGREES_MM = 0.3
AGREES_PX = 0.8

_X, _Y, _SPIN, _EDGE, _RADIUS, _RIM, _TILT_X, _TILT_Y = range(8)


@dataclass(frozen=True, eq=False)
class Fit:
    """A cube that was fitted, and how well it fits."""

    cube: Cube
    covariance: Floats
    """4 x 4 of x mm, y mm, yaw rad, edge mm; of the picture alone, the calibration's own error not
    included."""
    support: float
    """Share of the outline, as far as it can be seen, along which an edge was found where it should be."""
    shown: float
    """Share of the outline along which the picture shows any edge."""
    misfit_mm: float
    """Typical distance of the edges that were found from the outline."""
    stray_mm: float
    """How far from the outline the likeliest edges are, whether the picture shows them well or not: the mean
    along all of the outline that can be seen."""
    weakest: float
    """Support of the least supported side that is longer than a third of an edge."""
    visible: float
    """Share of the outline that lies in the picture and next to no other die."""
    rounds: int
    pull_mm: Floats
    """Where the outline alone would move the middle to (2,), from where outline and anchor put it."""
    pull_sigma_mm: float


@dataclass(frozen=True, slots=True)
class Anchor:
    """Where something other than the outline puts the die: the pips on its up-face."""

    x_mm: float
    y_mm: float
    """The up-face's middle."""
    sigma_mm: float
    yaw_rad: float | None
    sigma_rad: float


@dataclass(frozen=True, eq=False)
class FitInput:
    """What a fit is made against."""

    view: View
    patch: Patch
    dice: Dice
    others: tuple[Floats, ...] = ()
    """Outlines (n, 2) in pixels of dice that are known; edges next to them are not this die's own."""

    def scale(self, x_mm: float, y_mm: float) -> float:
        """Pixels to a millimetre at half a die's height."""
        return self.view.scale_px_per_mm(x_mm, y_mm, self.dice.edge_mm / 2)


@dataclass(frozen=True, eq=False)
class _Look:
    """One round's edges and what they mean for the pose."""

    line: Outline
    cut: Stretches
    edges: Edges
    seen: NDArray[np.bool_]
    """Which stretches lie in the picture and next to no other die."""


def fit_cube(
    scene: FitInput,
    start: Cube,
    *,
    anchor: Anchor | None = None,
    cocked: bool = False,
    rounds: int = MOST_ROUNDS,
) -> Fit | None:
    """The cube next to `start` (within about 1.5 mm) that the picture's edges, and the anchor, speak for.

    None when hardly any of its outline can be seen.
    """
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
            # The last look is a hundredth of a millimetre old, or the fit did not settle at all.
            fit = replace(_judged(look, cube, rim, state, scale, done), cube=moved)
            break
        cube = moved
    return fit


def _largest_mm(change: Floats, edge_mm: float) -> float:
    """How far a step moves a die's middle, the ends of its sides by turning, or its sides by growing."""
    moved = float(np.hypot(change[_X], change[_Y]))
    return max(moved, abs(float(change[_SPIN])) * edge_mm / 2, abs(float(change[_EDGE])) / 2)


def stray_mm(scene: FitInput, cube: Cube) -> float:
    """How far the picture's edges are from a cube's outline, as in `Fit`, without fitting it; infinite where
    hardly any of it can be seen."""
    scale = scene.scale(float(cube.center_mm[0]), float(cube.center_mm[1]))
    look = _look(scene, cube, _search(scale, MOST_ROUNDS))
    if np.count_nonzero(look.seen) < LEAST_SEEN:
        return float("inf")
    return _stray_px(look, float(np.interp(scale, RIM_SCALES, RIM_PX))) / scale


def _search(scale: float, done: int) -> Search:
    """Wide in the first rounds, narrow later."""
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
    line = outline(scene.view, cube, 1.0 if scale > 2.2 else 0.5)
    cut = stretches(line)
    found = find_edges(scene.view, scene.patch, line, cube, cut, how)
    beyond = cut.mean(line.points_px + 2.0 * line.normals_px)
    seen = scene.patch.covers(beyond, 2.0)
    for other in scene.others:
        seen &= _inside(other, beyond) <= -1.0 * scale
    return _Look(line, cut, found, seen)


def _inside(polygon: Floats, points: Floats) -> Floats:
    """How far inside a polygon points (n, 2) lie, pixels; negative outside."""
    shape = polygon.astype(np.float32).reshape(-1, 1, 2)
    return np.array([cv2.pointPolygonTest(shape, (x, y), measureDist=True) for x, y in points.tolist()])


@dataclass(frozen=True, eq=False)
class _Update:
    """One step of the fit."""

    change: Floats
    covariance: Floats
    rim: float
    pull_mm: Floats
    pull_sigma_mm: float


def _step(look: _Look, cube: Cube, rim: float, dice: Dice, anchor: Anchor | None, *, cocked: bool) -> _Update:
    seen = look.seen
    slope = _slopes(look, cube, cocked=cocked)[seen]
    left = look.edges.offset_px[seen] - rim
    weight = _weight(look, left)
    believed, apart = _beliefs(look, cube, rim, dice, slope.shape[1])
    normal = slope.T @ weight @ slope + np.diag(believed)
    pull = slope.T @ weight @ left + believed * apart
    alone = np.asarray(np.linalg.inv(normal), np.float64)
    if anchor is not None:
        rows, firm, away = _anchored(cube, anchor, slope.shape[1])
        inverse = np.asarray(np.linalg.inv(normal + rows.T @ (firm[:, None] * rows)), np.float64)
        step = inverse @ (pull + rows.T @ (firm * away))
    else:
        inverse = alone
        step = inverse @ pull
    farthest = max(float(np.hypot(step[_X], step[_Y])) / 1.0, abs(float(step[_SPIN])) / 0.12, 1.0)
    if cocked:
        farthest = max(farthest, float(np.abs(step[_TILT_X:]).max()) / 0.12)
    pulled = (alone @ pull)[:2]
    sigma = float(np.sqrt(alone[0, 0] + alone[1, 1]))
    return _Update(step / farthest, inverse, float(step[_RIM]) / farthest, pulled, sigma)


def _weight(look: _Look, left: Floats) -> Floats:
    """The inverse covariance (m, m) of the stretches' offsets, and less trust for those far off the rest."""
    seen = look.seen
    side = look.cut.side[seen]
    spread = 1.48 * float(np.median(np.abs(left))) + 0.1
    trust = 1 / (1 + (left / (2 * spread)) ** 2) ** 2
    trust[side == ARC] *= ARC_TRUST
    own = (look.edges.sigma_px[seen] ** 2 + STRETCH_SIGMA_PX**2) / np.maximum(trust, 1e-3)
    alike = (side[:, None] == side[None]) & (side[:, None] != ARC)
    common = _common_sigma_px(look)[seen]
    found: Floats = np.linalg.inv(np.diag(own) + common[:, None] * common * alike)
    return found


def _beliefs(look: _Look, cube: Cube, rim: float, dice: Dice, count: int) -> tuple[Floats, Floats]:
    """What is believed of the parameters before looking: weights, and how far away it is."""
    believed, apart = np.zeros(count), np.zeros(count)
    gain = float(np.median(look.line.gain))
    usual, rim_sigma = (float(np.interp(gain, RIM_SCALES, known)) for known in (RIM_PX, RIM_SIGMA_PX))
    believed[[_EDGE, _RADIUS, _RIM]] = (EDGE_SIGMA_MM**-2, RADIUS_SIGMA_MM**-2, rim_sigma**-2)
    apart[[_EDGE, _RADIUS, _RIM]] = (
        dice.edge_mm - cube.edge_mm,
        dice.corner_radius_mm - cube.radius_mm,
        usual - rim,
    )
    believed[_TILT_X:] = 1e-2  # keeps the matrix regular where a tilt hardly shows
    return believed, apart


def _anchored(cube: Cube, anchor: Anchor, count: int) -> tuple[Floats, Floats, Floats]:
    """What the anchor observes: slopes (k, count) of the up-face's middle and yaw, weights, and what is
    missing."""
    up = up_axis(cube) * cube.edge_mm / 2
    top = cube.center_mm + up
    rows = np.zeros((3, count))
    rows[0, _X] = rows[1, _Y] = rows[2, _SPIN] = 1.0
    rows[0, _SPIN], rows[1, _SPIN] = -up[1], up[0]
    if count > _TILT_X:
        rows[0, _TILT_Y], rows[1, _TILT_X] = up[2], -up[2]
    firm = np.array([anchor.sigma_mm**-2, anchor.sigma_mm**-2, 0.0])
    away = np.array([anchor.x_mm - top[0], anchor.y_mm - top[1], 0.0])
    if anchor.yaw_rad is not None:
        quarter = np.pi / 2
        firm[2] = anchor.sigma_rad**-2
        away[2] = (anchor.yaw_rad - yaw_of(cube) + quarter / 2) % quarter - quarter / 2
    return rows, firm, away


def _common_sigma_px(look: _Look) -> Floats:
    """What the stretches (m,) of a side are shifted by alike, from the way in which its surface faces and
    from how plainly its edge shows."""
    facing = look.cut.mean(look.line.normals_mm[:, 2])
    ways = (-0.15, 0.0, 0.2)
    of_mm = np.interp(facing, ways, SIDE_SIGMA_MM[::-1])
    of_px = np.interp(facing, ways, SIDE_SIGMA_PX[::-1])
    found: Floats = np.hypot(of_mm * look.cut.mean(look.line.gain), of_px)
    for number in np.unique(look.cut.side[look.seen]):
        if number != ARC:
            own = look.cut.side == number
            unsure = float(np.median(look.edges.sigma_px[own & look.seen])) / USUAL_EDGE_SIGMA_PX
            found[own] *= min(max(unsure, UNSURE_SIDES[0]), UNSURE_SIDES[1])
    return found


def _slopes(look: _Look, cube: Cube, *, cocked: bool) -> Floats:
    """How the stretches move outwards, pixels per unit of each parameter (m, 6 or 8)."""
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
    tilt = (float(step[_TILT_X]), float(step[_TILT_Y])) if cocked else (0.0, 0.0)
    spin, _ = cv2.Rodrigues(np.array([*tilt, float(step[_SPIN])]))
    radius = min(max(cube.radius_mm + float(step[_RADIUS]), 0.3), 0.45 * cube.edge_mm)
    x, y = cube.center_mm[:2] + step[[_X, _Y]]
    return resting_cube(
        float(x),
        float(y),
        np.asarray(spin, np.float64) @ cube.turn,
        cube.edge_mm + float(step[_EDGE]),
        radius,
    )


def _judged(look: _Look, cube: Cube, rim: float, state: _Update, scale: float, rounds: int) -> Fit:
    left = np.abs(look.edges.offset_px - rim)
    near = left < max(AGREES_MM * scale, AGREES_PX)
    shows = look.edges.gain > SHOWN_GAIN
    seen, length = look.seen, look.cut.count.astype(np.float64)
    good = near & shows
    total = float(length[seen].sum())
    sides = [
        float(length[which & good].sum() / length[which].sum())
        for number in np.unique(look.cut.side[seen])
        if number != ARC
        for which in [(look.cut.side == number) & seen]
        if length[which].sum() > cube.edge_mm * scale / 3 / max(1.0, _spacing(look))
    ]
    fits = good & seen
    misfit = float(np.sqrt(np.mean(left[fits] ** 2))) / scale if fits.any() else float("inf")
    # What edges disagree by beyond what they should: the covariance grows with it.
    excess = min(max(1.0, misfit * scale / 0.45), 3.0) ** 2
    return Fit(
        cube=cube,
        covariance=state.covariance[:4, :4] * excess,
        support=float(length[fits].sum()) / total,
        shown=float(length[shows & seen].sum()) / total,
        misfit_mm=misfit,
        stray_mm=_stray_px(look, rim) / scale,
        weakest=min(sides, default=0.0),
        visible=total / float(length.sum()),
        rounds=rounds,
        pull_mm=state.pull_mm,
        pull_sigma_mm=state.pull_sigma_mm,
    )


def _stray_px(look: _Look, rim: float) -> float:
    length = look.cut.count[look.seen]
    return float((length * np.abs(look.edges.offset_px[look.seen] - rim)).sum() / length.sum())


def _spacing(look: _Look) -> float:
    """Pixels between the outline's points."""
    gaps = np.hypot(*np.diff(look.line.points_px, axis=0).T)
    return float(np.median(gaps))

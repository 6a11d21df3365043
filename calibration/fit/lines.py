"""Measures one line of the table: the edges along it, a robust curve through them, and its gaps.

Tape is never quite straight and a cling sheet bends, so a line may bend gently where the edges demand it: the
degree of its polynomial is the one that describes them best for its number of terms (G. Schwarz 1978).
"""

from dataclasses import dataclass

import numpy as np
from numpy.polynomial import Polynomial
from numpy.typing import NDArray

from calibration.arrays import Floats, Picture
from calibration.fit.bundle import HUBER, spread
from calibration.fit.edges import Crossings, crossings, profiles
from calibration.fit.plan_lines import STEP_MM, PlanLine
from calibration.fit.sheet import PlanPose
from calibration.view import View

DEGREES = ((60.0, 1), (150.0, 2), (300.0, 3), (float("inf"), 4))
"""Pairs of a length in mm and a polynomial degree: a line up to that length may have at most that degree."""
FAINTEST = 0.004
"""The smallest step of light, on a scale of 0 to 1, that is an edge."""
GAP_MM = 12.0
"""A stretch of this length on which the line is missing means that something lies on it."""
COARSE_PX = 0.5
"""The distance between samples in the first, wide search, pixels."""
ALIKE_MM = 30.0
"""Edges nearer to each other than this have much the same error: a slanting line meets the pixel grid the
same way for a while. They count as one."""
_TRIALS = 160


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """A line as it really lies, on the plane onto which `placed` puts the plan."""

    plan: PlanLine
    placed: PlanPose
    curve: Polynomial
    """The line's offset from the plan in mm, along the plan's normal, as a function of the place along it in
    mm."""
    span_mm: tuple[float, float]
    """Where along the line edges were found, from and to; beyond that it is taken to run on straight."""
    noise_mm: float
    """How far single edges, each over 2 mm of the line, lie off the curve: one standard deviation."""
    share: float
    """The share of the places where the line should be seen that do show it, 0 to 1."""
    gaps_mm: tuple[tuple[float, float], ...]
    """From and to, along the line: the stretches on which it is missing."""
    contrast: float
    """How much light changes across the line where that is least, on a scale of 0 to 1."""
    px_per_mm: float
    found: int

    @property
    def sigma_mm(self) -> float:
        """One standard deviation of the curve, from the edges' noise."""
        return self.noise_mm * float(np.sqrt((self.curve.degree() + 1) / max(self.found, 1)))

    def offset(self, along_mm: Floats) -> Floats:
        """The curve's offset at places (n,) along the line; straight on beyond its span."""
        low, high = self.span_mm
        held = np.clip(along_mm, low, high)
        slope = (self.curve(high) - self.curve(low)) / max(high - low, 1e-6)
        found: Floats = np.asarray(self.curve(held) + (along_mm - held) * slope, np.float64)
        return found

    def at(self, along_mm: Floats) -> Floats:
        """Points (n, 2) of the line at places (n,) along it, in mm on the plane."""
        return self.placed.put(self.plan.at(along_mm, self.offset(along_mm)))

    @property
    def bend_mm(self) -> float:
        """How far the curve departs most from the straight line between its ends, mm; its sign is that of the
        normal."""
        t = np.linspace(*self.span_mm, 33)
        chord = np.interp(t, self.span_mm, self.curve(np.array(self.span_mm)))
        off = self.curve(t) - chord
        return float(off[np.argmax(np.abs(off))])


def measure_line(
    picture: Picture, view: View, line: PlanLine, placed: PlanPose, reach_mm: float
) -> Measured | None:
    """The line near where the plan, put by `placed`, has it; None where no such line is seen.

    The plan says along which stretches something should be visible; what lies outside the picture counts for
    nothing.
    """
    rough = _find_roughly(picture, view, line, placed, reach_mm)
    if rough is None:
        return None
    along, normals, curve, colour = rough.along_mm, rough.normals, rough.straight, rough.colour
    for reach in (max(4 / rough.px_per_mm, 1.0), max(2.5 / rough.px_per_mm, 0.6)):
        points = rough.points + normals * curve(along)[:, None]
        close = profiles(picture, view, points, normals, 2 * reach, STEP_MM)
        again = crossings(close, np.zeros(len(along)), reach, colour)
        found = _is_edge(again, colour, reach)
        if np.count_nonzero(found) * STEP_MM < 16:
            return None
        offsets = curve(along) + again.offset_mm
        curve, found = _bent(along, offsets, found, line.length_mm)
        colour = _colours(again.step, found, rough.pair)
    noise = spread((offsets - curve(along))[found])
    return Measured(
        plan=line,
        placed=placed,
        curve=curve,
        span_mm=(float(along[found].min()), float(along[found].max())),
        noise_mm=max(noise, 1e-4),
        share=float(np.mean(found)),
        gaps_mm=_gaps(along, found),
        contrast=float(np.linalg.norm(colour, axis=1).min()),
        px_per_mm=rough.px_per_mm,
        found=int(np.count_nonzero(found)),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Rough:
    """A line as coarse profiles across it show it: straight. Its n places lie in the picture, where the plan
    says that something is to be seen."""

    along_mm: Floats
    points: Floats
    """On the plane, mm (n, 2), where the plan has the line."""
    normals: Floats
    """Across the line, on the plane (n, 2)."""
    pair: NDArray[np.int64]
    """Which two paints meet there (n,)."""
    straight: Polynomial
    """The line's offset from the plan, mm."""
    colour: Floats
    """How the light changes across it (n, 3)."""
    px_per_mm: float


def _find_roughly(
    picture: Picture, view: View, line: PlanLine, placed: PlanPose, reach_mm: float
) -> _Rough | None:
    """The straight line near the plan's that most edges agree on; None where there is none."""
    along = line.seen_at_mm
    if not len(along):
        return None
    normals = np.repeat(placed.turned(line.normal[None]), len(along), axis=0)
    points = placed.put(line.at(along))
    wide = profiles(picture, view, points, normals, reach_mm, fine_px=COARSE_PX)
    inside = wide.inside
    if np.count_nonzero(inside) * STEP_MM < 20:
        return None
    seen, along, pair = crossings(wide), along[inside], line.pair[inside]
    straight = _consensus(along, seen.offset_mm[inside], max(1.2 / wide.px_per_mm, 0.4))
    if straight is None:
        return None
    found = np.abs(seen.offset_mm[inside] - straight(along)) < max(1.5 / wide.px_per_mm, 0.5)
    colour = _colours(seen.step[inside], found, pair)
    return _Rough(along, points[inside], normals[inside], pair, straight, colour, wide.px_per_mm)


def _colours(steps: Floats, found: NDArray[np.bool_], pair: NDArray[np.int64]) -> Floats:
    """How the light changes at each place (n, 3): the median over all places where the same two paints
    meet."""
    colour = np.empty_like(steps)
    for kind in np.unique(pair):
        same = pair == kind
        known = same & found if np.any(same & found) else same
        colour[same] = np.median(steps[known], axis=0)
    return colour


def _is_edge(seen: Crossings, colour: Floats, reach_mm: float) -> NDArray[np.bool_]:
    """Whether each crossing (n,) is an edge at all, and of about the colour that the whole line has there."""
    size = np.linalg.norm(colour, axis=1)
    along = np.sum(seen.step * colour, axis=1) / np.maximum(size, 1e-9)
    found: NDArray[np.bool_] = (along > 0.35 * size) & (along > FAINTEST)
    return found & (np.abs(seen.offset_mm) < 0.98 * reach_mm)


def _consensus(along: Floats, offsets: Floats, tolerance: float) -> Polynomial | None:
    """The straight line that most edges agree on (RANSAC: M. Fischler, R. Bolles 1981)."""
    rng = np.random.default_rng(len(along))
    a, b = rng.integers(0, len(along), (2, _TRIALS))
    apart = np.abs(along[a] - along[b]) > 0.25 * (along[-1] - along[0])
    a, b = a[apart], b[apart]
    slope = (offsets[b] - offsets[a]) / (along[b] - along[a])
    gentle = np.abs(slope) < 0.05
    a, slope = a[gentle], slope[gentle]
    if not len(a):
        return None
    off = offsets[None, :] - (offsets[a][:, None] + slope[:, None] * (along[None, :] - along[a][:, None]))
    votes = np.count_nonzero(np.abs(off) < tolerance, axis=1)
    best = int(np.argmax(votes))
    if votes[best] < max(8, 0.35 * len(along)):
        return None
    return Polynomial([offsets[a[best]] - slope[best] * along[a[best]], slope[best]])


def _bent(
    along: Floats, offsets: Floats, found: NDArray[np.bool_], length_mm: float
) -> tuple[Polynomial, NDArray[np.bool_]]:
    """The curve through the edges, as straight as they allow, and which of them lie on it."""
    most = next(degree for length, degree in DEGREES if length_mm <= length)
    best: tuple[float, Polynomial] | None = None
    t, d = along[found], offsets[found]
    apart = max(6.0, len(t) * STEP_MM / ALIKE_MM)
    for degree in range(1, most + 1):
        curve, noise = _robust_curve(t, d, degree)
        score = apart * np.log(noise**2) + (degree + 1) * np.log(apart)
        if best is None or score < best[0]:
            best = (score, curve)
    assert best is not None  # noqa: S101 - `most` is at least 1
    off = np.abs(offsets - best[1](along))
    return best[1], found & (off < max(4 * spread((offsets - best[1](along))[found]), 1e-3))


def _robust_curve(t: Floats, d: Floats, degree: int) -> tuple[Polynomial, float]:
    """A polynomial by reweighted least squares, and the spread of the residuals, mm."""
    weight = np.ones(len(t))
    curve = Polynomial([float(np.median(d))])
    for _ in range(5):
        curve = Polynomial.fit(t, d, degree, w=weight)
        left = np.abs(d - curve(t))
        weight = np.sqrt(np.minimum(1.0, HUBER * max(spread(left), 1e-4) / np.maximum(left, 1e-9)))
    return curve, max(spread(d - curve(t)), 1e-4)


def _gaps(along: Floats, found: NDArray[np.bool_]) -> tuple[tuple[float, float], ...]:
    """Stretches of places without an edge, `GAP_MM` or longer."""
    gaps: list[tuple[float, float]] = []
    start: float | None = None
    last = along[0]
    for place, there in zip(along, found, strict=True):
        if there or place - last > 3 * STEP_MM:
            if start is not None and last - start >= GAP_MM:
                gaps.append((float(start), float(last)))
            start = None
        if not there and start is None:
            start = place
        last = place
    if start is not None and last - start >= GAP_MM:
        gaps.append((float(start), float(last)))
    return tuple(gaps)

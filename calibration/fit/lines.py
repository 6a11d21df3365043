"""Measures one line of the table: the edges along it, a robust curve through them, and its gaps.

Tape is never quite straight and a cling sheet bends, so a line may bend gently where the edges demand it: the
degree of its polynomial is the one that describes them best for its number of terms (G. Schwarz 1978).
"""

from dataclasses import dataclass

import numpy as np
from numpy.polynomial import Polynomial
from numpy.typing import NDArray

from calibration.arrays import Bools, Floats, Picture
from calibration.fit.bundle import HUBER, spread
from calibration.fit.edges import (
    CLEAR_PX,
    Crossings,
    Profiles,
    Tint,
    averaged,
    burnt_out,
    by_colour,
    crossings,
    hidden,
    places_to_average,
    profiles,
    steps_along,
    tint,
    unrest,
)
from calibration.fit.plan_lines import STEP_MM, PlanLine
from calibration.fit.sheet import PlanPose
from calibration.view import View

DEGREES = ((60.0, 1), (150.0, 2), (300.0, 3), (float("inf"), 4))
"""Pairs of a length in mm and a polynomial degree: a line up to that length may have at most that degree."""
FAINTEST = 0.004
"""The smallest step of light, on a scale of 0 to 1, that is an edge."""
GAP_MM = 12.0
"""A stretch of this length on which the line is missing means that something lies on it."""
LONGEST_BRIDGE_MM, LONGEST_END_MM = 90.0, 40.0
"""The longest gaps that are bridged: between two seen stretches of a line, and at its end. A sheet that is
laid with a bend of half a millimetre departs from the bridge by up to 0.05 mm there."""
HELD_MM = 20.0
"""The least stretch that must be seen on each side of a gap."""
LEAST_SEEN = 0.5
"""The least share of a line that must be seen for its gaps to be bridged."""
MOST_BEND_MM = 1.5
"""The largest bend with which a line still counts as straight."""
MOST_BURNT = 0.6
"""The most of a line, as a share, that may be burnt out; with more of it, even that is measured."""
COARSE_PX = 0.5
"""The distance between samples in the first, wide search, pixels."""
ALIKE_MM = 30.0
"""Edges nearer to each other than this have much the same error: a slanting line meets the pixel grid the
same way for a while. They count as one."""
ROUGH_MEAN = 7
"""How many neighbouring places are averaged in the first search: specks and grain are shorter than lines."""
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
    sigma_mm: float
    """One standard deviation of the curve, from the edges' noise."""
    share: float
    """The share of the places where the line should be seen that do show it, 0 to 1."""
    gaps_mm: tuple[tuple[float, float], ...]
    """From and to, along the line: the stretches on which it is missing."""
    burnt_mm: tuple[tuple[float, float], ...]
    """The stretches on which a lamp burns out one side of it: there it is seen, but lies where the rest says,
    because a burnt-out side grows over the edge."""
    contrast: float
    """How much light changes across the line where that is least, on a scale of 0 to 1."""
    by_colour: float
    """0: it shows by brightness; 1: by colour alone."""
    px_per_mm: float
    found: int

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

    def bridges(self, gap: tuple[float, float]) -> bool:
        """Whether the rest of the line says where it runs in a gap: it is seen on both sides and not far
        away, or the gap is a short one at its end; and what is seen of it is nearly straight."""
        start, end = gap
        low, high = self.span_mm
        inner = start - low > HELD_MM and high - end > HELD_MM
        longest = LONGEST_BRIDGE_MM if inner else LONGEST_END_MM
        return end - start <= longest and self.share >= LEAST_SEEN and abs(self.bend_mm) <= MOST_BEND_MM

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

    The plan says along which stretches something should be visible; what lies outside the picture is not.
    """
    rough = _find_roughly(picture, view, line, placed, reach_mm)
    if rough is None:
        return None
    along, curve, step, found = rough.along_mm, rough.straight, rough.step, rough.found
    apart = max(3.0, len(along) * STEP_MM / ALIKE_MM)
    for reach in (max(4 / rough.px_per_mm, 1.0), max(2.5 / rough.px_per_mm, 0.6)):
        close = profiles(picture, view, rough.at(curve), rough.normals, 2 * reach, STEP_MM)
        expected, blind = steps_along(along, step, found, rough.pair), burnt_out(close)
        look = tint(expected, unrest(close, CLEAR_PX), apart, blind)
        again, found = _edges_in(close, look, reach)
        if np.count_nonzero(found) * STEP_MM < 16:
            return None
        offsets = curve(along) + again.offset_mm
        burnt = found & hidden(expected, blind)
        curve, fair = _bent(along, offsets, _fair(found, burnt), line.length_mm)
        found = fair | (burnt & (np.abs(offsets - curve(along)) < 1.5 / rough.px_per_mm))
        step = again.step
    left = (offsets - curve(along))[fair]
    return Measured(
        plan=line,
        placed=placed,
        curve=curve,
        span_mm=(float(along[found].min()), float(along[found].max())),
        noise_mm=max(spread(left), 1e-4),
        sigma_mm=_sigma_mm(along[fair], left, curve.degree()),
        share=float(np.mean(found)),
        gaps_mm=_gaps(along, found),
        burnt_mm=_gaps(along, ~(found & ~fair)),
        contrast=float(np.linalg.norm(look.step, axis=1).min()),
        by_colour=by_colour(look.step),
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
    step: Floats
    """How the light changes across it (n, 3)."""
    found: Bools
    """Where it is on the straight line (n,)."""
    px_per_mm: float

    def at(self, curve: Polynomial) -> Floats:
        """Its places (n, 2) on the plane, mm, moved onto the curve."""
        moved: Floats = self.points + self.normals * curve(self.along_mm)[:, None]
        return moved


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
    along, pair = along[inside], line.pair[inside]
    wide = averaged(wide.some(inside), ROUGH_MEAN)
    seen = crossings(wide, unrest=unrest(wide))
    straight = _consensus(along, seen.offset_mm, max(1.2 / wide.px_per_mm, 0.4))
    if straight is None:
        return None
    found = np.abs(seen.offset_mm - straight(along)) < max(1.5 / wide.px_per_mm, 0.5)
    return _Rough(along, points[inside], normals[inside], pair, straight, seen.step, found, wide.px_per_mm)


def _fair(found: Bools, burnt: Bools) -> Bools:
    """The edges that tell how the line runs: burnt-out ones only where there are too few others."""
    few_burnt = np.count_nonzero(burnt) < MOST_BURNT * np.count_nonzero(found)
    return found & ~burnt if few_burnt else found


def _edges_in(close: Profiles, look: Tint, reach_mm: float) -> tuple[Crossings, Bools]:
    """Where each of n profiles is crossed within the reach, and which of these are edges of the line (n,)."""
    count = places_to_average(look)
    again = crossings(averaged(close, count), np.zeros(len(close.inside)), reach_mm, look.mix)
    return again, _is_edge(again, look, reach_mm, count)


def _is_edge(seen: Crossings, look: Tint, reach_mm: float, count: int) -> Bools:
    """Whether each crossing (n,), seen in the mean of `count` places, is an edge at all, and of about the
    colour that the line has there."""
    step = np.sum(seen.step * look.mix, axis=1)
    calm = look.unrest / np.sqrt(count)
    found: Bools = (step > 0.35 * look.size) & (step > FAINTEST) & (step > 2.5 * calm)
    return found & (np.abs(seen.offset_mm) < 0.98 * reach_mm)


def _sigma_mm(along: Floats, left: Floats, degree: int) -> float:
    """One standard deviation of the curve, from what is left (n,) of the edges about it.

    Neighbouring edges have much the same error, so it is the means over `ALIKE_MM` that tell how unsure the
    curve is.
    """
    block = ((along - along[0]) // ALIKE_MM).astype(np.int64)
    counts = np.bincount(block)
    means = np.bincount(block, left)[counts > 0] / counts[counts > 0]
    free = max(len(means) - degree - 1, 1)
    wander = float(np.sum(means**2)) / free
    single = max(spread(left), 1e-4) ** 2 / float(np.mean(counts[counts > 0]))
    return float(np.sqrt(max(wander, single) * (degree + 1) / len(means)))


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


def _bent(along: Floats, offsets: Floats, found: Bools, length_mm: float) -> tuple[Polynomial, Bools]:
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


def _gaps(along: Floats, found: Bools) -> tuple[tuple[float, float], ...]:
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

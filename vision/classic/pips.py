"""Arranges marks into faces: their borders, pip patterns and symbols.

A four, five or six has four corner pips: every L of three similar marks predicts the fourth corner, the
middle and the middles of the sides, and what lies there says which pattern it is. A two or three is a pair on
a diagonal. All Ls are tried together, and all faces of one value are rated together. Nothing here is final:
patterns are proposals, best first, and `vision.classic.check` measures each on the picture.
"""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Floats, Ints, Picture, Singles
from vision.classic.marks import Marks, directions, middle, to_level

# Fits the border of an up-face: how far the body's colour reaches from the middle, in all directions.

Array = NDArray[Any]

RAYS = 72
"""Rays from the middle, one every five degrees, so that turning the square by whole steps maps rays onto
rays."""
STEPS = 56
SIDE = 5
"""How many rays to each side of a side's normal are used for that side: they keep clear of the rounded
corners."""

_OFFSETS = np.arange(-SIDE, SIDE + 1)
_COSINES = np.cos(np.deg2rad(_OFFSETS * 360 / RAYS)).astype(np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Squares:
    """N squares, each in the frame in which it was looked for: lengths are in units of that frame's axes."""

    turn: Ints
    """The angle of the first side's normal, as a number of rays (N)."""
    half: Singles
    """Half the edge (N)."""
    sides: Singles
    """N x 4: share of rays that agree, for each side."""
    corner: Singles
    """Reach into the corners divided by the half edge (N): 1 for a disc, up to 1.41 for a sharp square."""
    step: Singles
    """How far the colour changes across the border, grey levels."""
    early: Singles
    """Share of side rays that end well inside the border."""
    straight: Singles
    """Share of side rays that lie on their own side's line, wherever that lies."""

    @property
    def agreeing(self) -> Ints:
        """How many of the four sides are seen (N)."""
        return np.asarray((self.sides >= 0.6).sum(axis=1), np.intp)

    @property
    def share(self) -> Singles:
        """Share of all side rays that agree (N)."""
        return np.asarray(self.sides.mean(axis=1), np.float32)

    def with_(self, which: Ints, others: "Squares") -> "Squares":
        """These squares, with those at the indices `which` replaced by `others`."""

        def mixed(own: Array, other: Array) -> Array:
            out = own.copy()
            out[which] = other
            return out

        return Squares(*(mixed(getattr(self, f.name), getattr(others, f.name)) for f in fields(self)))

    def take(self, which: NDArray[np.bool_]) -> "Squares":
        """Only these."""
        return Squares(*(getattr(self, f.name)[which] for f in fields(self)))


@dataclass(frozen=True, slots=True, eq=False)
class RayEnds:
    """For N middles and each ray, where the body's colour ends."""

    radius: Singles
    """N x RAYS distances in units of the frame; the last sampled radius where the colour did not end."""
    met: NDArray[np.bool_]
    """N x RAYS: whether the colour ended."""
    step: Singles
    """N x RAYS: how much the colour changes there, grey levels."""


def levels_for(lengths_px: Singles | Floats, wanted_px: float, count: int) -> Ints:
    """For each of N lengths, the coarsest pyramid level (of `count`) on which it is still `wanted_px` pixels
    long."""
    return np.clip(np.floor(np.log2(np.maximum(lengths_px, 1e-3) / wanted_px)), 0, count - 1).astype(np.intp)


def sample(picture: Picture, points: Singles) -> Picture:
    """Colours at sub-pixel points (... x 2) of a picture: ... x 3."""
    flat = points.reshape(len(points), -1, 2)
    return _remapped(picture, flat[..., 0], flat[..., 1]).reshape(*points.shape[:-1], 3)


def _remapped(picture: Picture, x: Singles, y: Singles) -> Picture:
    """Colours at rows x columns places: rows x columns x 3."""
    out = np.empty((*x.shape, 3), np.uint8)
    for begin in range(0, len(x), 30_000):  # remap takes at most 32,767 rows
        part = slice(begin, begin + 30_000)
        out[part] = cv2.remap(picture, x[part], y[part], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return out


def sample_each(levels: list[Picture], points: Singles, level: Ints) -> Picture:
    """Colours at N x ... x 2 points of the full picture, the points of each of the N taken from its own
    level: N x ... x 3."""
    out = np.empty((*points.shape[:-1], 3), np.uint8)
    for one in np.unique(level):
        rows = np.nonzero(level == one)[0]
        out[rows] = sample(levels[one], to_level(points[rows], int(one)))
    return out


def reach(
    levels: list[Picture],
    centers: Singles,
    axes: Singles,
    spans: Singles,
    bodies: Singles,
    tolerances: Singles,
) -> list[RayEnds]:
    """Follow rays from N middles (N x 2) until the colour leaves the body's (N x 3).

    `spans` (N x 2) say from where to where, in units of `axes` (N x 2 x 2, pixels). There is one answer for
    each of the T `tolerances` (N x T): the grey levels by which a colour may differ and still be the body's.
    """
    share = np.linspace(0, 1, STEPS, dtype=np.float32)
    radii = spans[:, :1] + (spans[:, 1:] - spans[:, :1]) * share  # N x steps
    length = np.hypot(axes[..., 0], axes[..., 1]).mean(axis=1) * spans[:, 1]
    rays = directions(RAYS) @ axes  # N x rays x 2
    away = np.empty((len(centers), RAYS, STEPS), np.uint8)
    level = levels_for(length, 36.0, len(levels))
    for one in np.unique(level):
        which = np.nonzero(level == one)[0]
        scale = np.float32(2**one)
        x, y = (
            to_level(centers[which, None, None, k], int(one))
            + rays[which, :, None, k] / scale * radii[which, None]
            for k in (0, 1)
        )
        away[which] = _unlike(levels[one], x, y, bodies[which])
    # Two samples in a row must differ: a single one may be noise or a scratch.
    pair = np.minimum(away[..., :-1], away[..., 1:])
    most = np.array(levels[0].shape[1::-1], np.float32) - 1
    out = []
    for tolerance in tolerances.T:
        found = _ends(pair, away, radii, tolerance)
        ends = centers[:, None] + rays * found.radius[..., None]
        inside = ((ends >= 0) & (ends <= most)).all(axis=2)
        out.append(RayEnds(found.radius, found.met & inside, found.step))
    return out


def _unlike(picture: Picture, x: Singles, y: Singles, bodies: Singles) -> Picture:
    """How far the colours at N x rays x steps places are from the N bodies' colours, in the channel that
    differs most."""
    body = np.rint(bodies).astype(np.uint8)
    planes = []
    for channel, plane in enumerate(
        cv2.split(_remapped(picture, x.reshape(len(x), -1), y.reshape(len(y), -1)))
    ):
        colour, own = plane.reshape(x.shape), body[:, channel, None, None]
        planes.append(np.maximum(colour, own) - np.minimum(colour, own))
    return np.asarray(np.maximum(np.maximum(planes[0], planes[1]), planes[2]), np.uint8)


def _ends(pair: Picture, away: Picture, radii: Singles, tolerance: Singles) -> RayEnds:
    left = pair > tolerance[:, None, None]
    first = np.argmax(left, axis=2)
    met = np.take_along_axis(left, first[..., None], 2)[..., 0]
    first = np.where(met, first, STEPS - 1)
    step = np.take_along_axis(away, np.minimum(first + 4, STEPS - 1)[..., None], 2)[..., 0]
    return RayEnds(np.take_along_axis(radii, first, 1), met, np.asarray(step, np.float32))


def fit(found: RayEnds, turns: range = range(RAYS // 4)) -> Squares:
    """The squares round N middles with which most rays agree, over all `turns` (in rays)."""
    which = np.arange(turns.start, turns.stop)  # a negative turn is the next side's: the same square
    rays, corners = _SIDE_RAYS[which], _CORNER_RAYS[which]
    count, tried = len(found.radius), len(which)
    distance = found.radius[:, rays] * _COSINES  # N x turns x sides x rays
    met = found.met[:, rays]
    flat = np.sort(np.where(met, distance, np.inf).reshape(count, tried, -1), axis=2)
    # Rays that run on over a side face of the same colour are too long, so the half edge comes from the
    # shorter rays.
    place = np.maximum((0.4 * met.reshape(count, tried, -1).sum(axis=2)).astype(np.intp) - 1, 0)
    half = np.take_along_axis(flat, place[..., None], 2)[..., 0]
    half = np.where(np.isfinite(half), half, found.radius.max(axis=1)[:, None])
    agree = met & (np.abs(distance / half[..., None, None] - 1) < 0.13)
    reached = found.radius[:, corners].reshape(count, tried, -1)
    corner = middle(np.moveaxis(reached, 2, 0)) / half
    worth = agree.mean(axis=(2, 3)) + 0.4 * np.minimum(corner, 1.35)
    row, best = np.arange(count), np.argmax(worth, axis=1)
    distance, met, good, half = distance[row, best], met[row, best], agree[row, best], half[row, best]
    own = middle(np.moveaxis(distance, 2, 0))[..., None]
    steps = np.where(good, found.step[row[:, None, None], rays[best]], np.inf).reshape(count, -1)
    return Squares(
        turn=turns.start + best,
        half=np.asarray(half, np.float32),
        sides=np.asarray(good.mean(axis=2), np.float32),
        corner=np.asarray(corner[row, best], np.float32),
        step=middle_of_some(steps),
        early=np.asarray((distance < 0.8 * half[:, None, None]).mean(axis=(1, 2)), np.float32),
        straight=np.asarray((met & (np.abs(distance / own - 1) < 0.09)).mean(axis=(1, 2)), np.float32),
    )


def middle_of_some(values: Singles) -> Singles:
    """The median of each row's finite numbers; 0 where a row has none."""
    ordered = np.sort(values, axis=1)
    count = np.isfinite(values).sum(axis=1)
    row = np.arange(len(values))
    low, high = ordered[row, np.maximum(count - 1, 0) // 2], ordered[row, np.maximum(count // 2, 0)]
    return np.asarray(np.where(count > 0, (low + np.where(count > 0, high, 0)) / 2, 0), np.float32)


_NORMALS = (np.arange(RAYS // 4)[:, None] + np.arange(4)[None, :] * (RAYS // 4))[:, :, None]
_SIDE_RAYS = (_NORMALS + _OFFSETS) % RAYS
"""For each turn and side, the indices of the rays that meet this side."""
_CORNER_RAYS = (_NORMALS + RAYS // 8 + np.arange(-1, 2)) % RAYS
"""For each turn and corner, the indices of the rays into this corner."""

NEAR = 0.32
"""How far a mark may lie from its place in the pattern, in steps (from the centre to a pip, along an
edge)."""
MOST_MISFIT = 1.1
"""The largest misfit of a pattern."""
MANY = 12
"""With more neighbours than this, a mark looks only for those with a higher index."""
MOST_PIPS = 6
CROWD = 60
"""A mark with more similar neighbours than this belongs to a carpet."""
AT_ONCE = 4096
"""How many points are looked at together."""
GRID = np.array([(x, y) for y in (-1, 0, 1) for x in (-1, 0, 1)], np.float32)
"""The nine places that a pip can have (9 x 2), in steps from the centre."""


@dataclass(frozen=True, slots=True, eq=False)
class Patterns:
    """N groups of marks, each of which may be one face, as parallel arrays."""

    members: Ints
    """N x 6 indices of marks; where a face has fewer, its first one is repeated."""
    there: NDArray[np.bool_]
    """N x 6: which of them are no such repetitions."""
    center: Singles
    """N x 2."""
    axes: Singles
    """N x 2 x 2: the two steps (rows) from the centre towards the pips, along the edges, in pixels. A six's
    second step runs along its rows of three."""
    value: Ints
    """How many pips."""
    misfit: Singles
    """0 for a perfect pattern; residuals, skew and differences between the pips add up."""

    def __len__(self) -> int:
        """How many."""
        return len(self.value)

    def take(self, which: Ints | slice) -> "Patterns":
        """Only these."""
        return Patterns(
            self.members[which],
            self.there[which],
            self.center[which],
            self.axes[which],
            self.value[which],
            self.misfit[which],
        )

    def middles(self, of_marks: Singles) -> Singles:
        """The median over each face's own marks of a number, or a colour, that every mark has."""
        own = of_marks[self.members]  # N x 6, or N x 6 x 3
        if own.ndim == 3:
            return np.stack([self.middles(part) for part in of_marks.T], axis=1)
        return middle_of_some(np.where(self.there, own, np.inf))

    def means(self, of_marks: Singles) -> Singles:
        """The mean over each face's own marks of a number that every mark has."""
        return np.asarray((of_marks[self.members] * self.there).sum(1) / self.there.sum(1), np.float32)


def lone_marks(xy: Singles) -> Patterns:
    """Marks at N x 2 places, each alone on what may be a face whose border nobody has seen."""
    count = len(xy)
    return Patterns(
        members=np.arange(count)[:, None],
        there=np.ones((count, 1), np.bool_),
        center=xy,
        axes=np.zeros((count, 2, 2), np.float32),
        value=np.ones(count, np.intp),
        misfit=np.zeros(count, np.float32),
    )


NO_PATTERNS = Patterns(
    members=np.zeros((0, MOST_PIPS), np.intp),
    there=np.zeros((0, MOST_PIPS), np.bool_),
    center=np.zeros((0, 2), np.float32),
    axes=np.zeros((0, 2, 2), np.float32),
    value=np.zeros(0, np.intp),
    misfit=np.zeros(0, np.float32),
)


@dataclass(frozen=True, slots=True, eq=False)
class _Many:
    """Patterns of one value as parallel arrays."""

    members: Ints
    """Indices of marks, N x value."""
    center: Singles
    """Centres, N x 2, pixels."""
    axes: Singles
    """Steps, N x 2 x 2, as in `Pattern.axes`."""

    @property
    def value(self) -> int:
        """The number of pips."""
        return int(self.members.shape[1])

    def take(self, which: NDArray[np.bool_]) -> "_Many":
        """Only these."""
        return _Many(self.members[which], self.center[which], self.axes[which])


@dataclass(frozen=True, slots=True, eq=False)
class _Near:
    """Which marks may share a face with each other."""

    marks: Marks
    distance: Singles
    alike: NDArray[np.bool_]


def _relations(marks: Marks) -> _Near:
    """Compares all marks: which are alike in size, contrast and body, and how far apart each two are
    (pixels)."""
    xy, contrast = marks.xy, marks.contrast
    distance = np.hypot(xy[:, None, 0] - xy[None, :, 0], xy[:, None, 1] - xy[None, :, 1])
    size = np.log(marks.radius)
    strength = contrast[:, None] / contrast[None, :]
    alike = (np.abs(size[:, None] - size[None, :]) < 0.45) & (strength > 0.4) & (strength < 2.5)
    weaker = np.abs(contrast)
    allowed = 22 + 0.4 * np.minimum(weaker[:, None], weaker[None, :])
    for part in marks.body.T:
        alike &= np.abs(part[:, None] - part[None, :]) < allowed
    return _Near(marks, np.asarray(distance, np.float32), np.asarray(alike))


def find_patterns(marks: Marks) -> Patterns:
    """All twos to sixes that the marks allow, those with most pips and best fit first."""
    if len(marks) < 2:
        return NO_PATTERNS
    near = _relations(marks)
    batches = [batch for batch in (*_pairs(near), *_quads(near)) if len(batch.members)]
    values = sorted({batch.value for batch in batches})
    found = [_rated(marks, _joined([batch for batch in batches if batch.value == value])) for value in values]
    if not found:
        return NO_PATTERNS
    names = [field.name for field in fields(Patterns)]
    every = Patterns(*(np.concatenate([getattr(part, name) for part in found]) for name in names))
    best_first = 2.5 * every.misfit.astype(np.float64) - every.value
    return every.take(np.lexsort((*every.members.T[::-1], best_first)))


def _joined(batches: list[_Many]) -> _Many:
    return _Many(
        np.concatenate([batch.members for batch in batches]),
        np.concatenate([batch.center for batch in batches]),
        np.concatenate([batch.axes for batch in batches]),
    )


def _rated(marks: Marks, many: _Many) -> Patterns:
    """The patterns that fit, each with its misfit; of those with the same marks only the best."""
    misfit = _misfit(marks, many)
    axes = many.axes
    if many.value == 6:
        # The rows of three reach from corner to corner; how far apart they are is the maker's choice.
        lengths = np.hypot(axes[..., 0], axes[..., 1])
        axes = axes.copy()
        axes[:, 0] *= (lengths[:, 1] / lengths[:, 0])[:, None]
    which = np.nonzero(misfit < MOST_MISFIT)[0]
    which = which[np.argsort(misfit[which], kind="stable")]
    first: dict[tuple[int, ...], int] = {}
    for i, same in zip(which.tolist(), np.sort(many.members[which], axis=1).tolist(), strict=True):
        first.setdefault(tuple(same), i)
    which = np.array(list(first.values()), np.intp)
    members = many.members[which]
    repeated = np.repeat(members[:, :1], MOST_PIPS - many.value, axis=1)
    return Patterns(
        members=np.concatenate((members, repeated), axis=1),
        there=np.tile(np.arange(MOST_PIPS) < many.value, (len(which), 1)),
        center=many.center[which],
        axes=axes[which],
        value=np.full(len(which), many.value, np.intp),
        misfit=misfit[which],
    )


def _misfit(marks: Marks, many: _Many) -> Singles:
    """How far patterns are from true faces: places off, skew, and pips unlike each other (N)."""
    axes, value = many.axes, many.value
    lengths = np.hypot(axes[..., 0], axes[..., 1])
    steps = (marks.xy[many.members] - many.center[:, None]) @ np.linalg.inv(axes)
    off = steps - np.rint(steps)
    lack = np.hypot(off[..., 0], off[..., 1]).max(axis=1)
    skew = np.abs((axes[:, 0] * axes[:, 1]).sum(axis=1)) / lengths.prod(axis=1)
    stretch = np.log(lengths[:, 1] / lengths[:, 0])
    stretch = np.maximum(0, np.maximum(-stretch, stretch - 0.7)) if value == 6 else np.abs(stretch)
    sizes = np.log(marks.radius[many.members]).std(axis=1)
    inks = np.log(np.abs(marks.contrast[many.members])).std(axis=1)
    pace = (lengths[:, 1] if value == 6 else lengths.mean(axis=1)) / marks.radius[many.members].mean(axis=1)
    odd_pace = np.maximum(0, np.maximum(1.7 - pace, pace - 3.4))
    return np.asarray(lack + 0.6 * skew + 0.5 * stretch + sizes + 0.5 * inks + odd_pace, np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class _Lists:
    """For each of N marks, the others with which it may share a face, as rows of one length."""

    number: Ints
    """N x most: indices of these others in order, then anything."""
    there: NDArray[np.bool_]
    """N x most: which of these indices are real."""

    @classmethod
    def of(cls, table: NDArray[np.bool_]) -> "_Lists":
        """The lists from a table (N x N) of which marks belong together."""
        most = max(1, int(np.count_nonzero(table, axis=1).max()))
        number = np.argsort(~table, axis=1, kind="stable")[:, :most]
        return cls(number, np.take_along_axis(table, number, 1))

    def nearest(self, marks: Marks, first: Ints, points: Singles | Floats, reach: Singles | Floats) -> Ints:
        """For each of T points, the index of the nearest mark within reach that belongs to the mark `first`,
        else -1."""
        best = np.full(len(points), -1, np.intp)
        for begin in range(0, len(points), AT_ONCE):
            part = slice(begin, begin + AT_ONCE)
            number, there = self.number[first[part]], self.there[first[part]]
            apart = marks.xy[number] - points[part, None]
            away = np.where(there, np.hypot(apart[..., 0], apart[..., 1]), np.inf)
            row, place = np.arange(len(number)), away.argmin(axis=1)
            best[part] = np.where(away[row, place] <= reach[part], number[row, place], -1)
        return best


def _quads(near: _Near) -> list[_Many]:
    """Fours, fives and sixes."""
    marks, distance, radius = near.marks, near.distance, near.marks.radius[:, None]
    close = near.alike & (distance < 14 * radius)
    ring = close & (distance > 2.4 * radius) & (distance < 8.0 * radius)
    count = np.count_nonzero(ring, axis=1)
    ring[(count < 2) | (count > CROWD)] = False
    later = np.arange(len(marks)) > np.arange(len(marks))[:, None]
    ring &= later | (count <= MANY)[:, None]  # one of a face's corners is enough to find it
    around = _Lists.of(ring)
    some = max(1, AT_ONCE * 8 // around.number.shape[1] ** 2)
    corners = [
        _corners(near, around, np.arange(b, min(b + some, len(marks)))) for b in range(0, len(marks), some)
    ]
    first, second, third = np.concatenate(corners, axis=1)
    return _closed(marks, _Lists.of(close), first, second, third) if len(first) else []


def _corners(near: _Near, around: _Lists, first: Ints) -> Ints:
    """The Ls of three marks that have one of these marks at their corner: 3 x T indices, the corner first."""
    number, there = around.number[first], around.there[first]
    xy = near.marks.xy
    arms = xy[number] - xy[first, None]
    length = np.take_along_axis(near.distance[first], number, 1)
    across = length[:, :, None] * length[:, None]
    ratio = length[:, :, None] / np.where(there, length, 1)[:, None]
    turn = arms[:, :, None, 0] * arms[:, None, :, 1] - arms[:, :, None, 1] * arms[:, None, :, 0]
    along = arms @ arms.transpose(0, 2, 1)
    corner = there[:, :, None] & there[:, None] & (turn > 0) & (np.abs(along) < 0.42 * across)
    row, i, j = np.nonzero(corner & (ratio > 0.46) & (ratio < 2.2))
    return np.stack((first[row], number[row, i], number[row, j]))


def _closed(marks: Marks, close: _Lists, first: Ints, second: Ints, third: Ints) -> list[_Many]:
    """The patterns of the Ls whose other places are filled as on a face."""
    one, two, three = marks.xy[first], marks.xy[second], marks.xy[third]
    step = (np.hypot(*(two - one).T) + np.hypot(*(three - one).T)) / 4
    fourth = close.nearest(marks, first, two + three - one, 2 * NEAR * step)
    good = (fourth >= 0) & (fourth != first) & (fourth != second) & (fourth != third)
    first, second, third, fourth, reach = (each[good] for each in (first, second, third, fourth, NEAR * step))
    one, two, three, four = (marks.xy[each] for each in (first, second, third, fourth))
    center = np.asarray((one + two + three + four) / 4, np.float32)
    e1, e2 = (two - one + four - three) / 4, (three - one + four - two) / 4
    ways = (0 * e1, -e1, e1, -e2, e2)
    places = np.stack([close.nearest(marks, first, center + way, reach) for way in ways], axis=1)
    there = places >= 0
    corners = np.stack((first, second, third, fourth), axis=1)
    out = []
    for pips, turned in (((), False), ((0,), False), ((1, 2), False), ((3, 4), True)):
        wanted = np.isin(np.arange(5), pips)
        which = (there == wanted).all(axis=1)
        if which.any():
            axes = np.asarray(np.stack((e2, e1) if turned else (e1, e2), axis=1), np.float32)
            members = np.concatenate((corners, places[:, list(pips)]), axis=1)
            out.append(_without_twice(_Many(members, center, axes).take(which)))
    return out


def _without_twice(many: _Many) -> _Many:
    """Only the patterns that use each mark once."""
    ordered = np.sort(many.members, axis=1)
    return many.take((ordered[:, 1:] != ordered[:, :-1]).all(axis=1))


def _pairs(near: _Near) -> list[_Many]:
    """Twos and threes."""
    marks, radius = near.marks, near.marks.radius[:, None]
    ring = near.alike & (near.distance > 4.2 * radius) & (near.distance < 10.5 * radius)
    ring &= np.count_nonzero(ring, axis=1)[:, None] <= CROWD
    first, other = np.nonzero(np.triu(ring, 1))
    if not len(first):
        return []
    one, two = marks.xy[first], marks.xy[other]
    x, y = ((two - one) / 4).T
    steps = ((x - y, x + y), (x + y, y - x))
    axes = np.asarray(np.array(steps).transpose(2, 0, 1), np.float32)
    center = np.asarray((one + two) / 2, np.float32)
    close = _Lists.of(near.alike & (near.distance < 10.5 * radius))
    reach = np.asarray(NEAR * np.hypot(axes[:, 0, 0], axes[:, 0, 1]), np.float32)
    middle = close.nearest(marks, first, center, reach)
    members = np.stack((first, other, middle), axis=1)
    three = (middle >= 0) & (middle != other) & (middle != first)
    return [_Many(members[:, :2], center, axes).take(~three), _Many(members, center, axes).take(three)]


# Measures lone marks: the pip of a one, or a Zoinx face's big dot or square, in the middle of a square face.

SYMBOL_FROM = 0.45
"""A mark wider than this share of its face is a Zoinx symbol; a smaller one is a pip."""
SMALLEST_PIP = 0.12
LARGEST_SYMBOL = 0.72
SOFT_EDGE_PX = 1.3
"""How far lens and demosaicing smear a mark's edge."""
SQUARE_FROM = 0.05
"""The fourth harmonic of the outline (`Marks.square`) from which a symbol is a square: a disc has 0.00, a
sharp square 0.09."""


@dataclass(frozen=True, slots=True, eq=False)
class Lones:
    """N marks, each alone on what may be a face."""

    borders: Squares
    """The faces' borders, in units of the marks' radii."""
    axes: Singles
    """N x 2 x 2: from the middle to the middles of two neighbouring sides, pixels."""

    @property
    def share(self) -> Singles:
        """The marks' widths divided by the faces' (N)."""
        return np.asarray(1 / np.maximum(self.borders.half, 1e-3), np.float32)


def find_lone_marks(levels: list[Picture], marks: Marks) -> Lones:
    """The face round each of N marks, as far as its border shows."""
    axes = np.asarray(np.eye(2) * marks.radius[:, None, None], np.float32)
    full = tolerance(np.abs(marks.contrast))
    tolerances = np.column_stack((full, 0.5 * full))
    begin = 1.3 + SOFT_EDGE_PX / marks.radius

    def borders(which: Ints, end: Singles) -> Iterator[Squares]:
        """The borders from rays that end at these radii, once for each tolerance."""
        spans = np.column_stack((begin[which], end)).astype(np.float32)
        for found in reach(levels, marks.xy[which], axes[which], spans, marks.body[which], tolerances[which]):
            yield fit(found)

    every = np.arange(len(marks))
    best, other = borders(every, np.asarray(begin + 2.1, np.float32))
    best = _better(best, other, every)
    unclear = np.nonzero(best.share <= 0.95)[0]  # where all rays agree, longer ones cannot agree better
    if len(unclear):
        for other in borders(unclear, np.full(len(unclear), 9.0, np.float32)):
            best = _better(best, other, unclear)
    angle = np.deg2rad(best.turn * 5.0)
    along = np.column_stack((np.cos(angle), np.sin(angle)))
    across = np.column_stack((-along[:, 1], along[:, 0]))
    sides = np.stack((along, across), axis=1) * (best.half * marks.radius)[:, None, None]
    return Lones(best, np.asarray(sides, np.float32))


def _better(best: Squares, others: Squares, which: Ints) -> Squares:
    """The best borders so far, replaced at the indices `which` by those of `others` that agree clearly
    better."""
    clearly = others.share > best.share[which] + 0.05
    return best.with_(which[clearly], others.take(clearly))


def tolerance(contrast: Singles) -> Singles:
    """Grey levels by which a colour may differ from the body's, for marks of this contrast."""
    return np.asarray(np.clip(0.25 * contrast, 12, 40), np.float32)

"""Arranges marks into the pip patterns of a D6's faces.

A four, five or six has four corner pips: every L of three similar marks predicts the fourth corner, the
middle and the middles of the sides, and what lies there says which pattern it is. A two or three is a pair on
a diagonal. All Ls are tried together, and all faces of one value are rated together. Nothing here is final:
patterns are proposals, best first, and `vision.classic.check` measures each on the picture.
"""

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Floats, Ints, Singles
from vision.classic.marks import Marks
from vision.classic.square import middle_of_some

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

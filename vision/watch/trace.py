"""Follows dice back from where they lie to where they came from.

Theory of operation
- At rest everything is known: where each die lies, and how large it is. So the pictures of a stretch are gone
  through from the last to the first. A die lies for as long as its place looks as it does at the end. Before
  that it moves, and a thing that moves near where it is expected is that die; several dice get things so that
  all together fit best (`vision.watch.trace`). A thing as large as several dice is parted among those that
  are expected there.
- What is expected: as far as in the next picture, the other way; the faster a die is, the farther off it may
  be, for dice hop, and bounce.
- A way ends where a hand is, at the border of the picture, where a die lay before, or where it is lost.
- What moves freely and is none of the dice that lie there in the end is followed, too: a die that left.
- Two dice that could as well have changed places in a picture are noted: what is told of one may be the
  other's. A way is sure back to the picture in which another die may have been at its place, or in which it
  leaps.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from calibration.arrays import Floats, Reals
from vision.watch.motion_blobs import MovingSpot, Spotted, Spotter, share_near

# Who is where: the cheapest way to give each of several followed dice a place of its own.
#
# Source: H. W. Kuhn's Hungarian method, in the form with potentials and shortest augmenting paths (J.
# Munkres; R. Jonker and A. Volgenant). SciPy has it, too; numpy and OpenCV have not, and the box takes no
# library of 35 MB for these thirty lines.


def assign(costs: Floats) -> list[int]:
    """For each row of `costs` (rows x columns, no more rows than columns) its column; together the cheapest.

    Costs are finite. Raises ValueError where there are more rows than columns.
    """
    rows, columns = costs.shape
    if rows > columns:
        raise ValueError(f"{rows} rows cannot have a column each of {columns}")
    padded = np.zeros((rows + 1, columns + 1))
    padded[1:, 1:] = costs
    by_row, by_column = np.zeros(rows + 1), np.zeros(columns + 1)
    owner = np.zeros(columns + 1, np.intp)
    for row in range(1, rows + 1):
        owner[0], column = row, 0
        slack = np.full(columns + 1, np.inf)
        came = np.zeros(columns + 1, np.intp)
        used = np.zeros(columns + 1, np.bool_)
        while owner[column]:
            used[column] = True
            left = padded[owner[column]] - by_row[owner[column]] - by_column
            nearer = ~used & (left < slack)
            nearer[0] = False
            slack[nearer], came[nearer] = left[nearer], column
            ahead = np.where(used, np.inf, slack)
            ahead[0] = np.inf
            following = int(ahead.argmin())
            step = float(ahead[following])
            by_row[owner[used]] += step
            by_column[used] -= step
            slack[~used] -= step
            column = following
        while column:
            owner[column], column = owner[came[column]], int(came[column])
    found = [-1] * rows
    for column in range(1, columns + 1):
        if owner[column]:
            found[owner[column] - 1] = column - 1
    return found


def margin(costs: Floats, given: Sequence[int], row: int) -> float:
    """How much more it costs that a row has another column than `given` says, and at most one other row, too.

    `costs`: rows x columns; `given`: the column of each row; infinite where there is no other way.
    """
    mine = given[row]
    free = np.ones(costs.shape[1], np.bool_)
    free[list(given)] = False
    alone, dearer = float(costs[row, free].min(initial=np.inf) - costs[row, mine]), [np.inf]
    for other, its in enumerate(given):
        if other != row:
            saved = max(0.0, float(costs[other, its] - costs[other, mine]))
            place = min(float(costs[other, mine]), float(costs[other, free].min(initial=np.inf)))
            swapped = float(costs[row, its]) + place - float(costs[row, mine] + costs[other, its])
            dearer.append(min(alone - saved, swapped))
    return min(alone, *dearer)


Start = Literal["still", "hand", "border", "lay", "lost"]
"""Where a way begins: it has not moved; in a hand; outside the picture; where a die lay; nobody knows."""

REACH_EDGES = 1.8
REACH_STEPS = 1.6
"""Beyond what a die may lie off, so many of its steps."""
FRESH_EDGES = 3.5
"""The same for a die of which nobody knows how fast it was: it left, or another stopped it."""
SLOWED = 60.0
"""How a die is slowed at most, in edges/s^2."""
LOOSE_EDGES = 0.6
LOOSE_STEPS = 0.4
COLOR_UNITS = 25.0
"""By so many log units the colour of a die varies while it turns."""
MOST_COLOR = 6.0
MISS = 30.0
"""What it costs that a die is not seen."""
HIDDEN = 7.0
"""The same where a hand is near, which may hide it or have let it go."""
STRAY = 4.0
"""The same for a thing that a die which has left takes from others."""
CLEARLY = 4.0
"""When changing places costs no more than that, two dice may have done so."""
MOST_OFF, FIRST_OFF = 2.0, 6.0
"""A place that fits worse, colour left out, is not surely that die's; the second for the last before rest."""
AHEAD = 3
"""A place that looks as in the end again within so many pictures was only covered."""
LOST_MS = 260.0
MOST_STRAYS = 6
LEAST_STRAY, MOST_STRAY = 0.5, 4.5
"""How large a thing is, by what one die covers, that is followed though no die lies there in the end."""
MOST_PARTS = 6
COVERED = 0.3
TURNS = 20.0
"""What it costs that a die only turns or shakes where it lies in the end."""
BORDER_EDGES = 1.2


@dataclass(frozen=True, slots=True)
class TracedStep:
    """Where a die was in one picture, in small pixels."""

    time_ms: float
    x: float
    y: float


@dataclass(slots=True, eq=False)
class DiePath:
    """How one die came to lie where it lies; while it is followed it grows from the end."""

    rest: Reals
    """Where it lies in the end: x, y in small pixels."""
    color: Reals
    stray: bool = False
    """It is none of the dice that lie there in the end."""
    start: Start | None = None
    """Where it begins; None while it is followed."""
    old: int = -1
    """For `lay` which of the dice it was that lay there before."""
    steps: list[TracedStep] = field(default_factory=list)
    """The newest first; those in which it was seen to move."""
    doubts: set[int] = field(default_factory=set)
    """Ways with which it may have changed places."""
    begun: int = -1
    """The picture before which nothing is known of it."""
    rested_ms: float | None = None
    """When it lay first as in the end; None where only the end shows it."""
    moves: bool = False
    sure: int = 0
    """How many of its steps, the newest ones, are surely its own."""
    unsure: bool = False
    """From here back another die may have been there."""
    hidden: bool = False
    missed_ms: float = 0.0

    @property
    def at(self) -> Reals:
        """Where it was last found."""
        return np.array((self.steps[-1].x, self.steps[-1].y), np.float32) if self.steps else self.rest

    def speed(self) -> Reals:
        """Small pixels per ms, back in time."""
        if len(self.steps) < 2:
            return np.zeros(2, np.float32)
        later, earlier = self.steps[-2], self.steps[-1]
        span_ms = max(1.0, later.time_ms - earlier.time_ms)
        return np.array(((earlier.x - later.x) / span_ms, (earlier.y - later.y) / span_ms), np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class _Found:
    """Where a die may be in a picture."""

    center: Reals
    color: Reals
    old: int = -1
    """Which of the old dice lies there; -1 for a thing that moves."""
    area: float = 0.0
    at_border: bool = False


class Tracer:
    """Goes back through one stretch."""

    def __init__(
        self,
        spotter: Spotter,
        times_ms: Sequence[float],
        edge_px: float,
        dice: Sequence[Reals],
        old: Sequence[Reals],
    ) -> None:
        """`dice` and `old`: where dice lie after and before it (x, y in small pixels)."""
        self._spotter = spotter
        self._times_ms = times_ms
        self._edge_px = edge_px
        self.old = list(old)
        self._old_colors = [spotter.color_at(one, before=True) for one in old]
        self._distinct = [number for number, one in enumerate(old) if not spotter.blends(one, dice)]
        self.ways = [DiePath(np.asarray(one, np.float32), spotter.color_at(one)) for one in dice]
        for way in self.ways:
            if spotter.lay_before(way.rest):
                self._end(way, 0, "still")
        self.left_ms: list[float | None] = [None] * len(old)
        """When each of the old dice was last seen where it lay."""

    def trace(self) -> list[DiePath]:
        """The ways of the dice, in their order, and then those of dice that left."""
        for index in range(len(self._times_ms) - 1, -1, -1):
            if all(way.start is not None for way in self.ways) and any(
                way.start in ("hand", "border") and len(way.steps) >= 3 for way in self.ways
            ):
                break
            spotted = self._spotter.at(index)
            self._rest(index, spotted)
            self._move(index, spotted)
        for way in self.ways:
            if way.start is None:
                self._begin(way)
        return self.ways

    def _begin(self, way: DiePath) -> None:
        """The way goes back to the first picture: where was the die at the rest before?"""
        near = [
            (float(np.hypot(*(self.old[number] - way.at))), number)
            for number in self._distinct
            if self.left_ms[number] is None
        ]
        off_px, number = min(near, default=(1e6, -1))
        if not way.moves:
            self._end(way, 0, "still")
        elif off_px <= self._reach_px(way, self._span_ms(0)) and not way.stray:
            way.old = number
            self._end(way, 0, "lay")
        else:
            self._end(way, 0, "lost")

    def around_ms(self, index: int, later: int = 2) -> tuple[float, float]:
        """From the picture before a picture to the one so many after it."""
        last = len(self._times_ms) - 1
        return self._times_ms[max(0, index - 1)], self._times_ms[min(last, index + later)]

    def hand_px(self, index: int, place: Reals) -> float:
        """How near a hand is to a place in a picture or in the next one, in small pixels."""
        wide, high = self._spotter.size
        x, y = (
            int(np.clip(round(float(each)), 0, top - 1))
            for each, top in zip(place, (wide, high), strict=True)
        )
        both = range(index, min(index + 2, len(self._times_ms)))
        return min((float(self._spotter.at(each).hand_px[y, x]) for each in both), default=1e6)

    def covered(self, number: int, index: int) -> bool:
        """Whether a hand has been over an old die from when it was last seen to lie there to that picture."""
        place = self.old[number]
        for earlier in range(min(index, len(self._times_ms)) - 1, -1, -1):
            if self._lay(earlier, place):
                return True
            if self.hand_px(earlier, place) > self._edge_px:
                return False
        return True

    def _rest(self, index: int, spotted: Spotted) -> None:
        """Which of the dice that lie in the end lie there already."""
        for way in self.ways:
            if way.start is not None or way.moves or way.stray:
                continue
            if self._spotter.lies(spotted.unlike_after, way.rest):
                way.hidden, way.rested_ms = False, spotted.time_ms
                continue
            if self._spotter.is_there(spotted, way.rest) is not False and any(
                self._spotter.lies(self._spotter.at(earlier).unlike_after, way.rest)
                for earlier in range(max(0, index - AHEAD), index)
            ):
                continue
            if share_near(spotted.hand, way.rest, self._edge_px / 2) >= COVERED:
                way.hidden = True
                continue
            if way.hidden and not self._near(spotted.blobs, way.rest):
                self._end(way, index + 1, "hand")
                continue
            way.moves = True

    def _near(self, blobs: Sequence[MovingSpot], place: Reals) -> bool:
        return any(float(np.hypot(*(blob.pixels - place).T).min()) < self._edge_px for blob in blobs)

    def _move(self, index: int, spotted: Spotted) -> None:
        """Find those that move, and what else does."""
        moving = [way for way in self.ways if way.moves and way.start is None]
        span_ms = self._span_ms(index)
        found = [*self._parts(spotted, moving, span_ms), *self._leaving(index, spotted)]
        given = self._assign(moving, found, spotted, span_ms)
        for way, at in zip(moving, given, strict=True):
            if at is None:
                self._miss(way, index, spotted, span_ms)
                continue
            one = found[at]
            way.missed_ms = 0.0
            way.sure += not way.unsure
            way.steps.append(TracedStep(spotted.time_ms, float(one.center[0]), float(one.center[1])))
            if one.old >= 0:
                way.old = one.old
                self._end(way, index, "lay")
        taken = {at for at in given if at is not None}
        strays = sum(way.stray for way in self.ways)
        for at, one in enumerate(found):
            if at not in taken and one.old < 0 and strays < MOST_STRAYS and self._may_be_die(one, spotted):
                way = DiePath(one.center, one.color, stray=True, moves=True)
                way.steps.append(TracedStep(spotted.time_ms, float(one.center[0]), float(one.center[1])))
                self.ways.append(way)
                strays += 1

    def _may_be_die(self, one: _Found, spotted: Spotted) -> bool:
        x, y = (round(float(each)) for each in one.center)
        far = float(spotted.hand_px[y, x]) > 1.5 * self._edge_px
        return far and LEAST_STRAY < one.area / self._spotter.die_area < MOST_STRAY

    def _span_ms(self, index: int) -> float:
        later = index + 1
        return self._times_ms[later] - self._times_ms[index] if later < len(self._times_ms) else 50.0

    def _leaving(self, index: int, spotted: Spotted) -> list[_Found]:
        """The old dice that lie there in this picture, and no more in the next one."""
        found = []
        for number in self._distinct:
            if self.left_ms[number] is None and self._lay(index, place := self.old[number]):
                self.left_ms[number] = spotted.time_ms
                found.append(_Found(place, self._old_colors[number], old=number))
        return found

    def _lay(self, index: int, place: Reals) -> bool:
        """Whether an old die lies there still; one that rolls over the place of another may look like it."""
        return all(
            self._spotter.lies(self._spotter.at(each).unlike_before, place)
            for each in range(max(0, index - 1), index + 1)
        )

    def _parts(self, spotted: Spotted, moving: Sequence[DiePath], span_ms: float) -> list[_Found]:
        """Where single dice may be: the things that move, large ones parted among those expected there."""
        found = []
        for blob in spotted.blobs:
            expected = [
                self._expected(way, span_ms)
                for way in moving
                if float(np.hypot(*(blob.pixels - self._expected(way, span_ms)).T).min())
                < self._edge_px * 0.7
            ]
            many = len(blob.pixels) / self._spotter.die_area
            count = min(len(expected), max(1, round(many + 0.25)), MOST_PARTS)
            parts = blob.parted(expected[:count]) if count > 1 else [blob]
            found += [_Found(one.center, one.color, -1, len(one.pixels), one.at_border) for one in parts]
        return found

    def _expected(self, way: DiePath, span_ms: float) -> Reals:
        return np.asarray(way.at + way.speed() * (span_ms + way.missed_ms), np.float32)

    def _reach_px(self, way: DiePath, span_ms: float) -> float:
        span_ms += way.missed_ms
        steps_px = float(np.hypot(*way.speed())) * span_ms
        slowed_px = SLOWED * self._edge_px * (span_ms / 1000) ** 2
        edges = FRESH_EDGES if len(way.steps) < 2 else REACH_EDGES
        return edges * self._edge_px + REACH_STEPS * steps_px + slowed_px

    def _assign(
        self, moving: Sequence[DiePath], found: Sequence[_Found], spotted: Spotted, span_ms: float
    ) -> list[int | None]:
        """For each die that moves which of the places it has; None where it is not seen."""
        if not moving:
            return []
        costs = np.full((len(moving), len(found) + len(moving)), 1e6)
        for row, way in enumerate(moving):
            for column, one in enumerate(found):
                costs[row, column] = self._cost(way, one, span_ms)
            if self._turns(way, spotted):
                costs[row, len(found) + row] = TURNS
            elif self._hand_near(way, spotted, span_ms):
                costs[row, len(found) + row] = HIDDEN
            else:
                costs[row, len(found) + row] = STRAY if way.stray else MISS
        given = assign(costs)
        self._doubt(moving, given, costs, len(found))
        for row, way in enumerate(moving):
            if given[row] < len(found):
                most = MOST_OFF if way.steps else FIRST_OFF
                far = self._off(way, found[given[row]], span_ms) > most
                way.unsure |= far or margin(costs, given, row) < CLEARLY
        return [at if at < len(found) else None for at in given]

    def _cost(self, way: DiePath, one: _Found, span_ms: float) -> float:
        """How badly a place fits, in twice the log of a likelihood; 1e6 or more out of reach."""
        color = float(np.abs(one.color - way.color).mean()) / COLOR_UNITS
        return self._off(way, one, span_ms) + min(MOST_COLOR, color * color)

    def _off(self, way: DiePath, one: _Found, span_ms: float) -> float:
        """The same without the colour."""
        off_px = float(np.hypot(*(one.center - self._expected(way, span_ms))))
        if off_px > self._reach_px(way, span_ms):
            return 1e6
        steps_px = float(np.hypot(*way.speed())) * span_ms
        slowed_px = SLOWED * self._edge_px * (span_ms / 1000) ** 2 / 3
        edges = FRESH_EDGES / 2 if way.stray and len(way.steps) < 2 else LOOSE_EDGES
        loose_px = edges * self._edge_px + LOOSE_STEPS * steps_px + slowed_px
        return (off_px / loose_px) ** 2

    def _doubt(self, moving: Sequence[DiePath], given: Sequence[int], costs: Floats, places: int) -> None:
        """Note the pairs that may as well have changed places."""
        for row, way in enumerate(moving):
            for other in range(row):
                mine, its = given[row], given[other]
                if mine >= places or its >= places:
                    continue
                swapped = costs[row, its] + costs[other, mine]
                if swapped - costs[row, mine] - costs[other, its] < CLEARLY:
                    way.doubts.add(self.ways.index(moving[other]))
                    moving[other].doubts.add(self.ways.index(way))

    def _miss(self, way: DiePath, index: int, spotted: Spotted, span_ms: float) -> None:
        """A die that moves is not seen in this picture."""
        x, y = (float(each) for each in self._expected(way, span_ms))
        wide, high = self._spotter.size
        if self._turns(way, spotted):
            way.missed_ms = 0.0
        elif self._hand_near(way, spotted, span_ms):
            self._end(way, index + 1, "hand")
        elif min(x, y, wide - 1 - x, high - 1 - y) < BORDER_EDGES * self._edge_px:
            self._end(way, index + 1, "border")
        else:
            way.missed_ms += span_ms
            if way.missed_ms > LOST_MS:
                self._end(way, index + 1, "lost")

    def _turns(self, way: DiePath, spotted: Spotted) -> bool:
        """Whether a die that was not seen elsewhere yet may still be where it lies in the end."""
        if way.steps or way.stray or share_near(spotted.hand, way.rest, self._edge_px / 2) >= COVERED:
            return False
        return bool(self._spotter.is_there(spotted, way.rest))

    def _hand_near(self, way: DiePath, spotted: Spotted, span_ms: float) -> bool:
        """Whether it may come out of a hand there."""
        wide, high = self._spotter.size
        reach_px = self._reach_px(way, span_ms)
        for place in (self._expected(way, span_ms), way.at):
            column, row = (
                int(np.clip(round(float(place[0])), 0, wide - 1)),
                int(np.clip(round(float(place[1])), 0, high - 1)),
            )
            if float(spotted.hand_px[row, column]) <= reach_px:
                return True
        return False

    def _end(self, way: DiePath, index: int, start: Start) -> None:
        way.start, way.begun = start, index

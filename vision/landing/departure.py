"""Finds where a die left the hand, and over which side it left the table.

Theory of operation
- A die that rolls is alone, and goes straight on from picture to picture. What does so in three pictures or
  more, over a good part of the table and with no hand beside it, is a die.
- One that would be over the side of the table by the next picture, and is not seen on it any more, left over
  that side. It is told as the thrower sees it: who throws looks the way that the die goes.
- Where two dice seem to have left, or a hand went along, nothing is told.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Literal

import numpy as np

from calibration.arrays import Bools, Floats
from calibration.ends import End
from calibration.table import TableCalibration
from vision.watch import Spotted, Spotter, Stretch

# What moves over the table and is no hand: where it is, picture by picture, in millimetres.
#
# It is seen in the small pictures of the watch, a quarter of the camera's, and gone through from the last one
# back: what becomes of a die is known then, and where it came from is sought.

DIE_HIGH_MM = 20.0
"""How high over the table a die that moves is taken to be."""
PART_MM = 75.0
"""Things so near to one another are parts of one die: its light and its dark side, blurred."""

GoesOn = Callable[[Floats, Floats | None], bool]
"""Whether something of that speed may be the die that had the other speed a picture later: x, y in mm/ms."""


@dataclass(slots=True, eq=False)
class Track:
    """What moves away, from the last picture back."""

    times_ms: list[float]
    points_mm: list[Floats]
    """The earliest last: x, y in the frame of the end."""
    ended: bool = field(default=False)

    def speed(self) -> Floats:
        """mm/ms, where it is seen first."""
        step_mm, step_ms = self.points_mm[-2] - self.points_mm[-1], self.times_ms[-2] - self.times_ms[-1]
        return np.asarray(step_mm / step_ms, np.float64)

    def at(self, time_ms: float) -> Floats:
        """Where it was, or would have been, at that time before it was seen first."""
        ago_ms = self.times_ms[-1] - time_ms
        return np.asarray(self.points_mm[-1] - self.speed() * ago_ms, np.float64)

    def follows(self, point_mm: Floats, time_ms: float, goes_on: GoesOn) -> bool:
        """Whether what was there at that earlier time may be the same die."""
        speed = (self.points_mm[-1] - point_mm) / (self.times_ms[-1] - time_ms)
        return goes_on(speed, self.speed() if len(self.points_mm) > 1 else None)


class Moving:
    """Looks at the pictures of one stretch, which one end's camera saw."""

    def __init__(self, stretch: Stretch, calibration: TableCalibration, near_y_mm: float) -> None:
        """`near_y_mm`: how large a die is seen there counts for the whole table."""
        self.times_ms = [one.time_ms for one in stretch.pictures]
        self._view = calibration.view
        self._scale = stretch.after.small.shape[1] / self._view.lens.width_px
        a_mm_px = self._view.scale_px_per_mm(0.0, near_y_mm) * self._scale
        self._spotter = Spotter(stretch, calibration.dice.edge_mm * a_mm_px, (), ())

    def at(self, index: int) -> Spotted:
        """What that picture shows."""
        return self._spotter.at(index)

    def things(self, spotted: Spotted) -> list[Floats]:
        """Where things are that move and are no hand, the largest first; parts of one thing are one."""
        blobs = sorted(
            (blob for blob in spotted.blobs if not blob.at_border), key=lambda one: -len(one.pixels)
        )
        found: list[list[tuple[Floats, int]]] = []
        for blob in blobs:
            point = self.on_plane(np.array([blob.center], np.float64), DIE_HIGH_MM)[0]
            near = [parts for parts in found if float(np.hypot(*(parts[0][0] - point))) < PART_MM]
            parts = near[0] if near else []
            parts.append((point, len(blob.pixels)))
            if not near:
                found.append(parts)
        return [
            np.average([at for at, _ in parts], axis=0, weights=[size for _, size in parts])
            for parts in found
        ]

    def on_plane(self, small: Floats, high_mm: float) -> Floats:
        """Places (n, 2) in mm at that height, which small pixels (n, 2) see."""
        # Pixel centres have whole coordinates.
        return self._view.on_plane((small + 0.5) / self._scale - 0.5, high_mm)

    def in_small(self, places_mm: Floats, high_mm: float) -> Floats:
        """The small pixels (n, 2) that see places (n, 2) in mm at that height."""
        at_px = self._view.project(np.column_stack([places_mm, np.full(len(places_mm), high_mm)]))
        return np.asarray((at_px + 0.5) * self._scale - 0.5, np.float64)


def go_back(tracks: list[Track], points: Sequence[Floats], time_ms: float, goes_on: GoesOn) -> list[Track]:
    """Take in what an earlier picture shows: go on with the ways, begin new ones, say which have ended."""
    free = list(points)
    ended = []
    for track in sorted(tracks, key=lambda one: -len(one.points_mm)):
        mine = [point for point in free if track.follows(point, time_ms, goes_on)]
        if not mine:
            track.ended = True
            ended.append(track)
            continue
        point = mine[0]
        if len(track.points_mm) > 1:
            off_mm = [float(np.hypot(*(one - track.at(time_ms)))) for one in mine]
            point = mine[off_mm.index(min(off_mm))]
        free = [one for one in free if one is not point]
        track.points_mm.append(point)
        track.times_ms.append(time_ms)
    tracks += [Track([time_ms], [point]) for point in free]
    return ended


Side = Literal["left", "right", "end"]
"""A side of the table, as the thrower sees it; its end is the one that is over there."""

ROLL_SLOWEST_MM_MS, ROLL_FASTEST_MM_MS = 0.15, 7.0
"""How fast a die is that rolls off."""
ROLL_FALTERS, ROLL_FALTERS_MM_MS = 0.5, 0.25
"""By how much of its speed, and by how much more, its way changes from one picture to the next."""
ROLL_LEAST_STEPS, ROLL_LEAST_WAY_MM = 3, 80.0
ON_MM = 15.0
"""How far inside its sides a thing is surely on the table: it is seen at an angle, and blurred."""
AHEAD = 1.5
"""It left if it would be over the side within so many times what it takes to the next picture."""
STAYS_MM = 80.0
"""Beside its own step: so near to where it was seen last something else that moves on the table may be it."""
BESIDE_PICTURES = 2
"""It is looked for in so many pictures after the last one that shows it."""
FREE_OF_HAND_MM = 70.0
"""A die that rolls by itself is farther from any hand, in `ROLL_LEAST_STEPS` pictures."""
ROLL_LONGEST_MS = 6000.0
SAME_DIE_MM = 100.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Departure:
    """A die that left the table."""

    over: Side
    time_ms: float
    """When it was seen last."""
    end: End | Literal[""] = ""
    """Over which End Zone the camera hangs that saw it, where there are two."""


def find_departure(stretch: Stretch, calibration: TableCalibration) -> Departure | None:
    """Over which side of the table the one die of a stretch left it; None where none was seen to.

    `stretch` is what the camera over an end saw, `calibration` is that end's.
    """
    if stretch.hole or not stretch.pictures:
        return None
    return _DepartureSearch(stretch, calibration).departure()


def _rolls_on(speed: Floats, later: Floats | None) -> bool:
    """Whether something moves like a die that rolls, and as fast and as straight as in the picture after."""
    if not ROLL_SLOWEST_MM_MS < float(np.hypot(*speed)) < ROLL_FASTEST_MM_MS:
        return False
    return later is None or bool(
        np.hypot(*(speed - later)) <= ROLL_FALTERS * np.hypot(*later) + ROLL_FALTERS_MM_MS
    )


class _DepartureSearch:
    """Looks through the pictures of one stretch."""

    def __init__(self, stretch: Stretch, calibration: TableCalibration) -> None:
        self._half_mm = calibration.planned.table.surface_width_mm / 2
        self._moving = Moving(stretch, calibration, calibration.planned.end_zone.depth_mm)
        self._things: dict[float, Sequence[Floats]] = {}
        """For each picture, by its time, where things are that no hand is near."""

    def departure(self) -> Departure | None:
        """The one die that left."""
        found = [(track, side) for track in self._tracks() if (side := self._left_over(track))]
        longest = max(found, key=lambda one: len(one[0].points_mm), default=None)
        if longest is None or any(self._apart(longest[0], track) for track, _ in found):
            return None
        return Departure(over=longest[1], time_ms=longest[0].times_ms[0])

    def _tracks(self) -> list[Track]:
        """Every way of something that moved straight on."""
        tracks: list[Track] = []
        done: list[Track] = []
        times_ms = self._moving.times_ms
        for index in range(len(times_ms) - 1, -1, -1):
            if times_ms[-1] - times_ms[index] > ROLL_LONGEST_MS:
                break
            points = self._things_in(index)
            self._things[times_ms[index]] = points
            done += go_back(tracks, points, times_ms[index], _rolls_on)
            tracks = [track for track in tracks if not track.ended]
        return [*done, *tracks]

    def _things_in(self, index: int) -> list[Floats]:
        """Where things are in that picture that no hand is near."""
        spotted = self._moving.at(index)
        points = self._moving.things(spotted)
        hands = self._hands_mm(spotted)
        if not len(hands):
            return points
        return [point for point in points if float(np.hypot(*(hands - point).T).min()) > FREE_OF_HAND_MM]

    def _hands_mm(self, spotted: Spotted) -> Floats:
        """Where hands are, (n, 2)."""
        return self._moving.on_plane(np.argwhere(spotted.hand)[:, ::-1].astype(np.float64), 0.0)

    def _left_over(self, track: Track) -> Side | Literal[""]:
        """The side over which it left; "" where it did not, or was not seen for long enough."""
        way = track.points_mm[::-1]
        off = next((at for at, point in enumerate(way) if self._outside_mm(point) > 0), len(way))
        on = [point for point in way[:off] if self._outside_mm(point) < -ON_MM]
        if len(on) < ROLL_LEAST_STEPS or float(np.hypot(*(on[0] - on[-1]))) < ROLL_LEAST_WAY_MM:
            return ""
        if off < len(way):
            return self._side(way[off - 1], way[off])
        there = way[-1] + AHEAD * (way[-1] - way[-2])
        if self._outside_mm(there) <= 0 or self._is_seen_later(track):
            return ""
        return self._side(way[-1], there)

    def _side(self, before: Floats, after: Floats) -> Side:
        """The side of the table between a place on it and one that is not, by the thrower's eyes."""
        inside, beyond = self._beyond_mm(before), self._beyond_mm(after)
        # The side that it came to first is the one that is behind it for the largest part of the step.
        parts = [out / (out - was) if out > 0 else -1.0 for was, out in zip(inside, beyond, strict=True)]
        number = int(np.argmax(parts))
        if number == 2:
            return "end"
        away = float(after[1] - before[1]) > 0
        return "left" if (number == 0) == away else "right"

    def _beyond_mm(self, point: Floats) -> tuple[float, float, float]:
        """How far a place is beyond the side where x is least, the one where it is greatest, and the end."""
        x, y = float(point[0]), float(point[1])
        return -self._half_mm - x, x - self._half_mm, -y

    def _outside_mm(self, point: Floats) -> float:
        """How far a place is off the table; negative on it."""
        return max(self._beyond_mm(point))

    def _is_seen_later(self, track: Track) -> bool:
        """Whether it may only have turned: something on the table moves near where it was seen last."""
        times_ms, last_mm = self._moving.times_ms, track.points_mm[0]
        last = times_ms.index(track.times_ms[0])
        near_mm = STAYS_MM + float(np.hypot(*(last_mm - track.points_mm[1])))
        return any(
            self._outside_mm(point) < -ON_MM and float(np.hypot(*(point - last_mm))) < near_mm
            for time_ms in times_ms[last + 1 : last + 1 + BESIDE_PICTURES]
            for point in self._things[time_ms]
        )

    def _apart(self, track: Track, other: Track) -> bool:
        """Whether two ways are of two dice, and not of one and its shadow."""
        if other is track:
            return False
        near = [
            float(np.hypot(*(one - point))) < SAME_DIE_MM
            for one_ms, one in zip(track.times_ms, track.points_mm, strict=True)
            for other_ms, point in zip(other.times_ms, other.points_mm, strict=True)
            if one_ms == other_ms
        ]
        return not any(near)


# Where a thrown die left the hand: seen by the camera over the thrower's end, told with its plus-minus.
#
# Theory of operation
# - Between the hand and the halfway line a die is alone, and moves straight away from the thrower. What does
#   so in three pictures or more is the die. Where two do, nobody knows which one was thrown, and nothing is
#   told.
# - Followed back as straight and as fast, its way comes to where the hand was. A die leaves a hand between
#   the fingertips and `HAND_MM` behind them: there it was let go, somewhere on the part of its way that ran
#   through the hand. That part is the plus-minus. It is longest where the hand goes along with the die, and
#   then the least is told. A die that touches the hand looks like a part of it: in such pictures it is not
#   missed.
# - Both are seen in the small pictures of the watch, a quarter of the camera's. They are searched from the
#   last one back, and no farther than to the hand.

HAND_MM = 60.0
"""Dice lie no farther behind the fingertips of a hand that lets them go."""
OFF_MM = 10.0
"""By so much fingertips and die may lie elsewhere than they seem: they are seen at an angle, and blurred."""
HAND_HIGH_MM = 45.0
"""How high over the table a hand is taken to be."""
SLOWEST_MM_MS, FASTEST_MM_MS = 0.4, 7.0
"""How fast a thrown die moves away."""
ASIDE = 0.35
"""And how far aside, for each mm that it moves away."""
FALTERS, TURNS = 0.35, 0.2
"""By how much of its speed a die that was thrown gets faster or slower from one picture to the next, and by
how much it turns."""
LEAST_STEPS, LEAST_WAY_MM = 3, 200.0
SAME_MM = 100.0
"""What is seen so near to the die is its shadow."""
DIE_MM = 25.0
"""How near to the die something may pass for a fingertip and be the die itself."""
WIDE_MM = 100.0
"""The hand that let go is no farther beside the way of the die. What is beyond the die is another hand."""
LEAST_HAND_PX = 50
OUTERMOST = 10
"""The fingertips are where so many small pixels of the hand lie farther out."""
UNSEEN = 3
"""A die that has just left the hand may not be seen in so many pictures, beside those in which it would touch
the hand."""
EARLIER = 7
"""How many pictures before the die is seen tell where the hand was."""
LONGEST_MS = 3000.0
"""A die that lies has left the hand no longer ago."""
BESIDE_MM = 60.0
"""The line is seen with so much of the table beyond it, and on both sides of the sheet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """Where a die left the hand."""

    past_mm: float
    """How far past the release line, in the middle of where it may have been; negative before the line."""
    plus_minus_mm: float
    """It was not farther from there than this."""
    time_ms: float
    """When it was there."""

    @property
    def late(self) -> bool:
        """Whether it was past the line wherever in the plus-minus it was."""
        return self.past_mm > self.plus_minus_mm


def release_line_mm(calibration: TableCalibration) -> float:
    """Where the 2 zone of an end is over, on the way to the halfway line: by there a die has to be let go."""
    return max(y for zone in calibration.laid.zones for _, y in zone.polygon_mm)


def sees_release_line(calibration: TableCalibration) -> bool:
    """Whether the camera sees the line over the whole width of the sheet, and some of the table beyond."""
    lens, line_mm = calibration.view.lens, release_line_mm(calibration)
    half_mm = calibration.planned.end_zone.width_mm / 2
    ends = [(side, line_mm + beyond, 0.0) for side in (-half_mm, half_mm) for beyond in (0.0, BESIDE_MM)]
    seen = calibration.view.project(np.array(ends))
    return bool(((seen >= 0) & (seen <= (lens.width_px - 1, lens.height_px - 1))).all())


def find_release(stretch: Stretch, calibration: TableCalibration) -> Release | None:
    """Where the one die of a throw left the hand; None where that was not seen.

    `stretch` is what the camera over the thrower's end saw of the throw, `calibration` is that end's.
    """
    if stretch.hole or not stretch.pictures or not sees_release_line(calibration):
        return None
    return _ReleaseSearch(stretch, calibration).release()


class _ReleaseSearch:
    """Looks through the pictures of one throw."""

    def __init__(self, stretch: Stretch, calibration: TableCalibration) -> None:
        self._line_mm = release_line_mm(calibration)
        self._moving = Moving(stretch, calibration, self._line_mm)
        self._times_ms = self._moving.times_ms

    def release(self) -> Release | None:
        """Where the die that moved away left the hand."""
        seen: dict[int, Spotted] = {}
        track = self._track(seen)
        if track is None:
            return None
        first = self._times_ms.index(track.times_ms[-1])
        earlier = [seen[index] for index in range(first, first - EARLIER - 1, -1) if index in seen]
        apart_ms = [each.time_ms for each in earlier[1:] if not self._touches(each, track)]
        tips = self._tips(track, earlier)
        return self._in_hand(track, tips, apart_ms[UNSEEN] if len(apart_ms) > UNSEEN else -inf)

    def _track(self, seen: dict[int, Spotted]) -> Track | None:
        """The one way of a die that moved away; what the pictures show goes into `seen`."""
        tracks: list[Track] = []
        throws: list[Track] = []
        for index in range(len(self._times_ms) - 1, -1, -1):
            time_ms = self._times_ms[index]
            if self._times_ms[-1] - time_ms > LONGEST_MS:
                break
            spotted = self._moving.at(index)
            seen[index] = spotted
            points = self._moving.things(spotted)
            ended = go_back(tracks, points, time_ms, _goes_on)
            throws += [track for track in ended if _is_throw(track)]
            tracks = [track for track in tracks if not track.ended]
            if throws and index < self._times_ms.index(throws[0].times_ms[-1]) - EARLIER:
                break
        throws += [track for track in tracks if _is_throw(track)]
        longest = max(throws, key=lambda track: len(track.points_mm), default=None)
        if longest is None or any(_apart(longest, other) for other in throws):
            return None
        earlier = [track for track in throws if track.times_ms[0] < longest.times_ms[-1]]
        return max(earlier, key=lambda track: len(track.points_mm), default=longest)

    def _tips(self, track: Track, earlier: Sequence[Spotted]) -> list[tuple[float, float]]:
        """Times in ms and how far out the hand was in mm, back to where the die was behind it; the oldest
        first."""
        tips: list[tuple[float, float]] = []
        for seen in earlier:
            tip_mm = self._fingertips_mm(seen.hand, track, seen.time_ms)
            if tip_mm is None:
                continue
            tips.append((seen.time_ms, tip_mm))
            if track.at(seen.time_ms)[1] < tip_mm - HAND_MM:
                break
        return tips[::-1]

    def _fingertips_mm(self, hand: Bools, track: Track, time_ms: float) -> float | None:
        """How far out the fingertips reach, towards the halfway line; None where there is hardly a hand."""
        if int(hand.sum()) < LEAST_HAND_PX:
            return None
        points = self._moving.on_plane(np.argwhere(hand)[:, ::-1].astype(np.float64), HAND_HIGH_MM)
        die_mm = track.at(time_ms)
        own = (np.abs(points[:, 0] - die_mm[0]) < WIDE_MM) & (points[:, 1] < track.points_mm[-1][1])
        ahead = np.sort(points[own & (np.hypot(*(points - die_mm).T) > DIE_MM), 1])
        return float(ahead[-OUTERMOST]) if len(ahead) >= LEAST_HAND_PX else None

    def _touches(self, seen: Spotted, track: Track) -> bool:
        """Whether the die would touch the hand in that picture, and not be told from it."""
        x_mm, y_mm = track.at(seen.time_ms)
        places_mm = np.array([(x_mm, y_mm), (x_mm + DIE_MM, y_mm)])
        die, beside = self._moving.in_small(places_mm, DIE_HIGH_MM)
        (x, y), (high, wide) = np.round(die).astype(int), seen.hand_px.shape
        inside = 0 <= x < wide and 0 <= y < high
        return bool(inside and seen.hand_px[y, x] < np.hypot(*(beside - die)))

    def _in_hand(self, track: Track, hand: Sequence[tuple[float, float]], unseen_ms: float) -> Release | None:
        """The part of its way that ran through the hand; `hand`: times in ms and how far out it was in mm.

        `unseen_ms`: since then the die may have been out of the hand, and not be seen.
        """
        if not hand:
            return None
        times_ms = np.arange(track.times_ms[-1], hand[0][0] - 1, -1.0)
        tips_mm = np.interp(times_ms, [time_ms for time_ms, _ in hand], [tip_mm for _, tip_mm in hand])
        way_mm = np.array([track.at(float(time_ms))[1] for time_ms in times_ms])
        under = np.flatnonzero(way_mm <= tips_mm)
        # A die that was out of the hand for longer would have been seen.
        if not len(under) or times_ms[under[0]] < unseen_ms:
            return None
        first = int(under[0])
        behind = np.flatnonzero(way_mm[first:] < tips_mm[first:] - HAND_MM)
        # One that was never behind the fingers may have been let go before all that was looked at.
        if not len(behind):
            return None
        last = first + int(behind[0])
        least_mm, most_mm = float(way_mm[last]) - OFF_MM, float(way_mm[first]) + OFF_MM
        return Release(
            past_mm=(least_mm + most_mm) / 2 - self._line_mm,
            plus_minus_mm=(most_mm - least_mm) / 2,
            time_ms=float(times_ms[(first + last) // 2]),
        )


def _goes_on(speed: Floats, later: Floats | None) -> bool:
    """Whether something moves away from the thrower like a die, and as fast as in the picture after it."""
    if not SLOWEST_MM_MS < speed[1] < FASTEST_MM_MS or abs(speed[0]) > ASIDE * speed[1]:
        return False
    if later is None:
        return True
    return bool(
        abs(speed[1] - later[1]) <= FALTERS * later[1] and abs(speed[0] - later[0]) <= TURNS * later[1]
    )


def _is_throw(track: Track) -> bool:
    """Whether it was seen for long enough."""
    way_mm = float(track.points_mm[0][1] - track.points_mm[-1][1])
    return len(track.points_mm) >= LEAST_STEPS and way_mm >= LEAST_WAY_MM


def _apart(track: Track, other: Track) -> bool:
    """Whether two ways are of two dice, and not of one and its shadow."""
    if other is track:
        return False
    earlier, later = sorted((track, other), key=lambda one: one.times_ms[-1])
    if earlier.times_ms[0] < later.times_ms[-1]:
        # A die that hits another, or an edge, goes on another way.
        return float(np.hypot(*(later.at(earlier.times_ms[0]) - earlier.points_mm[0]))) > SAME_MM
    seen = dict(zip(track.times_ms, track.points_mm, strict=True))
    off_mm = [
        float(np.hypot(*(point - seen[time_ms])))
        for time_ms, point in zip(other.times_ms, other.points_mm, strict=True)
        if time_ms in seen
    ]
    return not off_mm or min(off_mm) > SAME_MM

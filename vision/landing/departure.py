"""Over which side of the table a die left it: seen by the camera over that end, told and never ruled.

Theory of operation
- A die that rolls is alone, and goes straight on from picture to picture. What does so in three pictures or
  more, over a good part of the table and with no hand beside it, is a die.
- One that would be over the side of the table by the next picture, and is not seen on it any more, left over
  that side. It is told as the thrower sees it: who throws looks the way that the die goes.
- Where two dice seem to have left, or a hand went along, nothing is told.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from calibration.arrays import Floats
from calibration.ends import End
from calibration.table import TableCalibration
from vision.landing.moving import Moving, Track, go_back
from vision.watch import Spotted, Stretch

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
            points = self._seen(index)
            self._things[times_ms[index]] = points
            done += go_back(tracks, points, times_ms[index], _rolls_on)
            tracks = [track for track in tracks if not track.ended]
        return [*done, *tracks]

    def _seen(self, index: int) -> list[Floats]:
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

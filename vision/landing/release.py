"""Where a thrown die left the hand: seen by the camera over the thrower's end, told with its plus-minus.

Theory of operation
- Between the hand and the halfway line a die is alone, and moves straight away from the thrower. What does so
  in three pictures or more is the die. Where two do, nobody knows which one was thrown, and nothing is told.
- Followed back as straight and as fast, its way comes to where the hand was. A die leaves a hand between the
  fingertips and `HAND_MM` behind them: there it was let go, somewhere on the part of its way that ran through
  the hand. That part is the plus-minus. It is longest where the hand goes along with the die, and then the
  least is told. A die that touches the hand looks like a part of it: in such pictures it is not missed.
- Both are seen in the small pictures of the watch, a quarter of the camera's. They are searched from the last
  one back, and no farther than to the hand.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

import numpy as np

from calibration.arrays import Bools, Floats
from calibration.table import TableCalibration
from vision.landing.moving import DIE_HIGH_MM, Moving, Track, go_back
from vision.watch import Spotted, Stretch

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

"""Where a thrown die left the hand: seen by the camera over the thrower's end, told with its plus-minus.

Theory of operation
- Between the hand and the halfway line a die is alone, and moves straight away from the thrower. What does so
  in three pictures or more is the die. Where two do, nobody knows which one was thrown, and nothing is told.
- Followed back as straight and as fast, its way comes to where the hand was. A die leaves a hand between the
  fingertips and `HAND_MM` behind them: there it was let go, somewhere on the part of its way that ran through
  the hand. That part is the plus-minus. It is longest where the hand goes along with the die, and then the
  least is told.
- Both are seen in the small pictures of the watch, a quarter of the camera's. They are searched from the last
  one back, and no farther than to the hand.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from calibration.arrays import Bools, Floats
from calibration.table import TableCalibration
from vision.watch import Spotted, Spotter, Stretch

HAND_MM = 60.0
"""Dice lie no farther behind the fingertips of a hand that lets them go."""
OFF_MM = 10.0
"""By so much fingertips and die may lie elsewhere than they seem: they are seen at an angle, and blurred."""
HAND_HIGH_MM, DIE_HIGH_MM = 45.0, 20.0
"""So high over the table they are taken to be."""
SLOWEST_MM_MS, FASTEST_MM_MS = 0.4, 7.0
"""How fast a thrown die moves away."""
ASIDE = 0.35
"""And how far aside, for each mm that it moves away."""
FALTERS, TURNS = 0.35, 0.2
"""By how much of its speed a die that was thrown gets faster or slower from one picture to the next, and by
how much it turns."""
LEAST_STEPS, LEAST_WAY_MM = 3, 200.0
PART_MM = 45.0
"""Things so near to one another are parts of one die: its light and its dark side, blurred."""
SAME_MM = 100.0
"""What is seen so near to the die is its shadow."""
DIE_MM = 25.0
"""So near to where the die is, it may pass for a fingertip."""
WIDE_MM = 100.0
"""The hand that let go is no farther beside the way of the die. What is beyond the die is another hand."""
LEAST_HAND_PX = 50
OUTERMOST = 10
"""The fingertips are where so many small pixels of the hand lie farther out."""
UNSEEN = 3
"""A die that has just left the hand may not be seen in so many pictures: it touches the hand in them."""
EARLIER = 6
"""So many pictures before the die is seen tell where the hand was."""
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


@dataclass(slots=True, eq=False)
class _Track:
    """What moves away, from the last picture back."""

    times_ms: list[float]
    points_mm: list[Floats]
    """The earliest last: x, y in the frame of the thrower's end."""
    ended: bool = field(default=False)

    def speed(self) -> Floats:
        """mm/ms, where it is seen first."""
        step_mm, step_ms = self.points_mm[-2] - self.points_mm[-1], self.times_ms[-2] - self.times_ms[-1]
        return np.asarray(step_mm / step_ms, np.float64)

    def at(self, time_ms: float) -> Floats:
        """Where it was, or would have been, at that time before it was seen first."""
        ago_ms = self.times_ms[-1] - time_ms
        return np.asarray(self.points_mm[-1] - self.speed() * ago_ms, np.float64)

    @property
    def is_throw(self) -> bool:
        """Whether it was seen for long enough."""
        way_mm = float(self.points_mm[0][1] - self.points_mm[-1][1])
        return len(self.points_mm) >= LEAST_STEPS and way_mm >= LEAST_WAY_MM

    def follows(self, point_mm: Floats, time_ms: float) -> bool:
        """Whether what was there at that earlier time may be the same die."""
        speed = (self.points_mm[-1] - point_mm) / (self.times_ms[-1] - time_ms)
        if not SLOWEST_MM_MS < speed[1] < FASTEST_MM_MS or abs(speed[0]) > ASIDE * speed[1]:
            return False
        if len(self.points_mm) < 2:
            return True
        later = self.speed()
        return bool(
            abs(speed[1] - later[1]) <= FALTERS * later[1] and abs(speed[0] - later[0]) <= TURNS * later[1]
        )


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
    return _Search(stretch, calibration).release()


class _Search:
    """Looks through the pictures of one throw."""

    def __init__(self, stretch: Stretch, calibration: TableCalibration) -> None:
        self._times_ms = [one.time_ms for one in stretch.pictures]
        self._view = calibration.view
        self._line_mm = release_line_mm(calibration)
        self._scale = stretch.after.small.shape[1] / self._view.lens.width_px
        a_mm_px = self._view.scale_px_per_mm(0.0, self._line_mm) * self._scale
        self._spotter = Spotter(stretch, calibration.dice.edge_mm * a_mm_px, (), ())

    def release(self) -> Release | None:
        """Where the die that moved away left the hand."""
        hands: dict[int, Bools] = {}
        track = self._track(hands)
        if track is None:
            return None
        first = self._times_ms.index(track.times_ms[-1])
        tips = [
            (self._times_ms[index], tip_mm)
            for index, hand in sorted(hands.items())
            if first - EARLIER <= index <= first
            and (tip_mm := self._fingertips_mm(hand, track, self._times_ms[index])) is not None
        ]
        return self._in_hand(track, tips) if len(tips) > UNSEEN else None

    def _track(self, hands: dict[int, Bools]) -> _Track | None:
        """The one way of a die that moved away; what hands cover in the pictures goes into `hands`."""
        tracks: list[_Track] = []
        throws: list[_Track] = []
        for index in range(len(self._times_ms) - 1, -1, -1):
            time_ms = self._times_ms[index]
            if self._times_ms[-1] - time_ms > LONGEST_MS:
                break
            spotted = self._spotter.at(index)
            hands[index] = spotted.hand
            points = self._things(spotted)
            throws += [track for track in _go_back(tracks, points, time_ms) if track.is_throw]
            tracks = [track for track in tracks if not track.ended]
            if throws and index < self._times_ms.index(throws[0].times_ms[-1]) - EARLIER:
                break
        throws += [track for track in tracks if track.is_throw]
        longest = max(throws, key=lambda track: len(track.points_mm), default=None)
        return None if longest is None or any(_apart(longest, other) for other in throws) else longest

    def _things(self, spotted: Spotted) -> list[Floats]:
        """Where things are that move and are no hand, the largest first; parts of one thing are one."""
        blobs = sorted(
            (blob for blob in spotted.blobs if not blob.at_border), key=lambda one: -len(one.pixels)
        )
        found: list[list[tuple[Floats, int]]] = []
        for blob in blobs:
            point = self._on_plane(np.array([blob.center], np.float64), DIE_HIGH_MM)[0]
            near = [parts for parts in found if float(np.hypot(*(parts[0][0] - point))) < PART_MM]
            parts = near[0] if near else []
            parts.append((point, len(blob.pixels)))
            if not near:
                found.append(parts)
        return [
            np.average([at for at, _ in parts], axis=0, weights=[size for _, size in parts])
            for parts in found
        ]

    def _fingertips_mm(self, hand: Bools, track: _Track, time_ms: float) -> float | None:
        """How far out the fingertips reach, towards the halfway line; None where there is hardly a hand."""
        if int(hand.sum()) < LEAST_HAND_PX:
            return None
        points = self._on_plane(np.argwhere(hand)[:, ::-1].astype(np.float64), HAND_HIGH_MM)
        die_mm = track.at(time_ms)
        own = (np.abs(points[:, 0] - die_mm[0]) < WIDE_MM) & (points[:, 1] < track.points_mm[-1][1])
        ahead = np.sort(points[own & (np.hypot(*(points - die_mm).T) > DIE_MM), 1])
        return float(ahead[-OUTERMOST]) if len(ahead) >= LEAST_HAND_PX else None

    def _in_hand(self, track: _Track, hand: Sequence[tuple[float, float]]) -> Release | None:
        """The part of its way that ran through the hand; `hand`: times in ms and how far out it was in mm."""
        times_ms = np.arange(track.times_ms[-1], hand[0][0], -1.0)
        tips_mm = np.interp(times_ms, [time_ms for time_ms, _ in hand], [tip_mm for _, tip_mm in hand])
        way_mm = np.array([track.at(float(time_ms))[1] for time_ms in times_ms])
        under = np.flatnonzero(way_mm <= tips_mm)
        behind = np.flatnonzero(way_mm < tips_mm - HAND_MM)
        # A die that was out of the hand for longer would have been seen, and one that was never behind the
        # fingers may have been let go before all that was looked at.
        if not len(under) or not len(behind) or times_ms[under[0]] < hand[-1 - UNSEEN][0]:
            return None
        first, last = int(under[0]), int(behind[0])
        least_mm, most_mm = float(way_mm[last]) - OFF_MM, float(way_mm[first]) + OFF_MM
        return Release(
            past_mm=(least_mm + most_mm) / 2 - self._line_mm,
            plus_minus_mm=(most_mm - least_mm) / 2,
            time_ms=float(times_ms[(first + last) // 2]),
        )

    def _on_plane(self, small: Floats, high_mm: float) -> Floats:
        """Places (n, 2) in mm at that height, which small pixels (n, 2) see."""
        # Pixel centres have whole coordinates.
        return self._view.on_plane((small + 0.5) / self._scale - 0.5, high_mm)


def _go_back(tracks: list[_Track], points: Sequence[Floats], time_ms: float) -> list[_Track]:
    """Take in what an earlier picture shows: go on with the ways, begin new ones, say which have ended."""
    free = list(points)
    ended = []
    for track in sorted(tracks, key=lambda one: -len(one.points_mm)):
        mine = [point for point in free if track.follows(point, time_ms)]
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
    tracks += [_Track([time_ms], [point]) for point in free]
    return ended


def _apart(track: _Track, other: _Track) -> bool:
    """Whether two ways are of two dice, and not of one and its shadow."""
    if other is track:
        return False
    seen = dict(zip(track.times_ms, track.points_mm, strict=True))
    off_mm = [
        float(np.hypot(*(point - seen[time_ms])))
        for time_ms, point in zip(other.times_ms, other.points_mm, strict=True)
        if time_ms in seen
    ]
    return not off_mm or min(off_mm) > SAME_MM

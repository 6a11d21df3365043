"""What moves over the table and is no hand: where it is, picture by picture, in millimetres.

It is seen in the small pictures of the watch, a quarter of the camera's, and gone through from the last one
back: what becomes of a die is known then, and where it came from is sought.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from calibration.arrays import Floats
from calibration.table import TableCalibration
from vision.watch import Spotted, Spotter, Stretch

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

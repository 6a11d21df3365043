"""The last pictures in which something moved, as large as the camera's: a die's faces are seen in them.

Of each camera the newest are kept, one of three colours each: 23 MB a camera at 1600 x 1200. To keep one
costs a millisecond; nothing is computed until somebody asks how a die came to lie there.
"""

from collections import deque
from collections.abc import Mapping

import numpy as np

from calibration.arrays import Picture
from calibration.ends import End
from device.cameras import Frame
from device.landings.watching import ENDS, EndsLook
from vision.landing import Shot
from vision.watch import Look

MOST_SHOTS = 12
"""Over half a second at 20 pictures a second: before that a die is too fast to be seen sharply."""
GREEN = 1
"""Dice and zones of all colours differ most in it, and a sensor has most pixels for it."""


def shot_of(picture: Picture, time_ms: float) -> Shot:
    """That picture (rows x columns x 3) as a shot."""
    return Shot(time_ms=time_ms, picture=np.ascontiguousarray(picture[:, :, GREEN]))


class LastShots:
    """The last moments of one table. Not for several threads; what it gives away stays as it is."""

    def __init__(self) -> None:
        """Nothing was seen yet."""
        self._kept: Mapping[End, deque[Shot]] = {end: deque(maxlen=MOST_SHOTS) for end in ENDS}

    def see(self, frame: Frame, look: Look) -> None:
        """Keep a new frame where something moves in it."""
        for end in ENDS:
            picture = frame.far if end == "far" else frame.picture
            own = look.of(end) if isinstance(look, EndsLook) else look
            if picture is not None and own.state != "still":
                self._kept[end].append(shot_of(picture, frame.time_ms))

    def of(self, end: End) -> tuple[Shot, ...]:
        """What the camera over that end saw, the oldest first; with one camera it hangs over the near one."""
        return tuple(self._kept[end])

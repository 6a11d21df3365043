"""What the pictures of a throw tell beside where its die lies: where it was let go, whether it slid,
and where one went off.

How it works. The die is far from the thrower long before it lies, so where it left the hand is sought as
soon as nothing moves any more, beside the table's thread. When the table has settled and the die is
measured, the answer is there, or waited for: it is known before the throw counts. Whether it slid is sought
as soon as it is measured, and waited for, too: with ROLL DONE that is there before anybody presses. A die
that went off the table is sought where none came to lie: no score waits for that.
"""

from collections import deque
from collections.abc import Mapping
from concurrent.futures import Executor, Future
from functools import partial
from math import inf

import numpy as np

from calibration.arrays import Picture
from calibration.ends import End
from device.cameras import Frame
from device.landings.ends import ENDS, OTHER, EndsLook
from device.landings.sight import SeesLandings
from vision.landing import CalledDie, Departure, Release, Shot, Sight, Slide, find_slide
from vision.watch import FrameState

# The last pictures in which something moved, as large as the camera's: a die's faces are seen in them.
#
# Of each camera the newest are kept, one of three colours each: 23 MB a camera at 1600 x 1200. To keep one
# costs a millisecond; nothing is computed until somebody asks how a die came to lie there.

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

    def add(self, frame: Frame, look: FrameState) -> None:
        """Keep a new frame where something moves in it."""
        for end in ENDS:
            picture = frame.far if end == "far" else frame.picture
            own = look.of(end) if isinstance(look, EndsLook) else look
            if picture is not None and own.state != "still":
                self._kept[end].append(shot_of(picture, frame.time_ms))

    def of(self, end: End) -> tuple[Shot, ...]:
        """What the camera over that end saw, the oldest first; with one camera it hangs over the near one."""
        return tuple(self._kept[end])


class WatchedThrow:
    """The throw that is on. Not for several threads."""

    def __init__(self, eye: SeesLandings, executor: Executor, shots: LastShots | None = None) -> None:
        """`executor` runs what takes a while; `shots`: what was seen before, where somebody has kept it."""
        self._eye = eye
        self._executor = executor
        self._since_ms = inf
        """When the dice of the last throw, or those that lay there before any, had come to rest."""
        self._stilled_ms = -inf
        self._let_go: tuple[End, float, Future[Release | None]] | None = None
        """To which end the throw seems to go, since when all is still, and where it left the hand."""
        self._left: tuple[float, float, Future[Departure | None]] | None = None
        """Since when the throw was watched, since when all is still, and what left the table."""
        self._shots = shots or LastShots()
        self._slid: tuple[CalledDie, Future[Slide | None]] | None = None
        """The newest die, and how it slid."""

    def note_rest(self, look: FrameState) -> None:
        """Dice lie still; before the first throw the next one begins here."""
        self._since_ms = min(self._since_ms, look.time_ms)

    def end_throw(self, look: FrameState) -> None:
        """The throw was given to the game: another one begins."""
        self._since_ms = look.time_ms

    def update(self, frame: Frame, look: FrameState) -> None:
        """Take in each frame: begin to seek where the die was let go, once nothing moves."""
        self._shots.add(frame, look)
        if look.state != "still" or look.still_since_ms == self._stilled_ms or self._since_ms == inf:
            return
        self._stilled_ms = look.still_since_ms
        aim = _likely_aim(look)
        if aim is not None:
            seek = self._eye.let_go(look, self._since_ms, aim)
            self._let_go = aim, look.still_since_ms, self._executor.submit(seek)

    def wait_for_release(self, look: FrameState, aim: End) -> Release | None:
        """Wait until it is known where the die left the hand that lies since that look."""
        if self._let_go is not None and self._let_go[:2] == (aim, look.still_since_ms):
            return self._let_go[2].result()
        return self._eye.let_go(look, self._since_ms, aim)()

    def begin_slide_search(self, lies: CalledDie, sight: Sight, frame: Frame, look: FrameState) -> None:
        """Begin to seek whether a new die slid that was measured in that frame."""
        end: End = lies.end or "near"
        calibration, picture = (sight.far, frame.far) if end == "far" else (sight.calibration, frame.picture)
        if calibration is None or picture is None:
            return
        own = look.of(end) if isinstance(look, EndsLook) else look
        rest = shot_of(picture, own.still_since_ms)
        die = (lies.own or lies).die
        seek = partial(find_slide, rest, self._shots.of(end), calibration.view, die)
        self._slid = lies, self._executor.submit(seek)

    def wait_for_slide(self, lies: CalledDie) -> Slide | None:
        """Wait until it is known how that die slid, or did not; None where that was not seen."""
        if self._slid is None or self._slid[0] is not lies:
            return None
        return self._slid[1].result()

    def find_departure(self, look: FrameState) -> Future[Departure | None]:
        """Find over which side a die has left the table since the throw began, once for each rest."""
        when = self._since_ms, look.still_since_ms
        if self._left is None or self._left[:2] != when:
            self._left = *when, self._executor.submit(self._eye.went_off(look, self._since_ms))
        return self._left[2]


def _likely_aim(look: FrameState) -> End | None:
    """The end to which was thrown, by where hands were; None with one camera, or where that is not clear."""
    if not isinstance(look, EndsLook) or len(look.hands) != 1:
        return None
    (thrower,) = look.hands
    return OTHER[thrower]

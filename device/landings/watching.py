"""Watching one camera, or two that hang over the two End Zones: one look at the whole table.

The table is still when both ends are, and a hand over either is a hand. Beside that it is kept at which ends
something stirred before the dice came to rest: a die that lies at the end to which it was thrown has crossed
the other.
"""

from dataclasses import dataclass
from typing import get_args

from calibration.ends import End
from device.cameras import Frame
from vision.watch import FrameState, State, Watch

ENDS: tuple[End, End] = get_args(End)
WORST: tuple[State, ...] = ("hand", "moving", "still")
FORGOTTEN_MS = 1000.0
"""What stirred before a rest of so long has nothing to do with the next throw."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EndsLook(FrameState):
    """What both cameras say at one moment."""

    near: FrameState
    far: FrameState
    stirred: frozenset[End] = frozenset()
    """Where something moved, or a hand was, just before this arrangement came to rest."""
    reached: frozenset[End] = frozenset()
    """Where a hand was."""
    hands: frozenset[End] = frozenset()
    """Where a hand was since then, until now."""

    def of(self, end: End) -> FrameState:
        """One end's own look."""
        return self.near if end == "near" else self.far


class Watching:
    """Sees every frame, in order."""

    def __init__(self, near: Watch, far: Watch | None = None) -> None:
        self._near, self._far = near, far
        self._watches = (near, far) if far else (near,)
        self._scene = 0
        self._stirred: frozenset[End] = frozenset()
        self._reached: frozenset[End] = frozenset()
        self._before = self._stirred, self._reached
        """Both, as they were when the present arrangement came to rest."""

    def learn_anew(self) -> None:
        """The table may have changed: learn it again (`vision.watch.Watch.learn_anew`)."""
        for watch in self._watches:
            watch.learn_anew()

    def take_for_table(self) -> None:
        """What looks like a hand now is none (`vision.watch.Watch.take_for_table`)."""
        for watch in self._watches:
            watch.take_for_table()

    def see(self, frame: Frame) -> FrameState:
        """The look at a frame: of both ends where it shows both."""
        look = self._near.see(frame.picture, frame.time_ms)
        if frame.far is None or self._far is None:
            return look
        return self._both(look, self._far.see(frame.far, frame.time_ms))

    def _both(self, near: FrameState, far: FrameState) -> EndsLook:
        looks = dict(zip(ENDS, (near, far), strict=True))
        self._stirred |= {end for end, look in looks.items() if look.state != "still"}
        self._reached |= {end for end, look in looks.items() if look.state == "hand"}
        settled, scene = near.settled and far.settled, near.scene + far.scene
        if settled and scene != self._scene:
            self._scene, self._before = scene, (self._stirred, self._reached)
            self._stirred = self._reached = frozenset()
        elif settled and near.time_ms - max(near.still_since_ms, far.still_since_ms) >= FORGOTTEN_MS:
            self._stirred = self._reached = frozenset()
        stirred, reached = self._before
        return EndsLook(
            time_ms=near.time_ms,
            state=min(near.state, far.state, key=WORST.index),
            still_since_ms=max(near.still_since_ms, far.still_since_ms),
            settled=settled,
            scene=scene,
            hand_before_scene=near.hand_before_scene or far.hand_before_scene,
            tumbled_ms=max(near.tumbled_ms, far.tumbled_ms),
            hand_since_scene=near.hand_since_scene or far.hand_since_scene,
            trouble=near.trouble or far.trouble,
            near=near,
            far=far,
            stirred=stirred,
            reached=reached,
            hands=self._reached,
        )

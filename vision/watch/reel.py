"""The last small pictures in which something moved: what the history of a throw is told from.

The watch makes a small picture of every frame anyway. Those in which something moves are kept here, and one
of each rest; nothing is computed for them until somebody asks how the dice came to lie there. The memory is
fixed: the oldest pictures go first. A camera that stops for a moment, or a clock that jumps, leaves a hole in
what was seen, and that is said, too.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import Literal

from calibration.arrays import Bools, Picture
from vision.watch.glance import Glance

MOST_BYTES = 24_000_000
"""A hundred small pictures of 320x240: five seconds of motion at 20 frames/s."""
MOST_RESTS = 8
MOST_HOLES = 8
HOLE_MS = 3000.0
"""With no picture for so long a whole throw may have come and gone. A shorter gap only makes ways unsure: a
box that is busy with other things leaves some of up to two seconds."""
HOLE_GAPS = 3.0
"""How many times its usual gap is a hole at a slow camera."""
BESIDE_MS = 300.0
"""A hole counts if dice moved so shortly before it, or lay otherwise right after it."""

Hole = Literal["", "late", "back"]
"""What is wrong with a stretch of pictures: nothing; for a moment none came; the clock went back."""


@dataclass(frozen=True, slots=True, eq=False)
class ReelPicture:
    """One small picture, and where a hand was in it."""

    time_ms: float
    small: Picture
    """Height x width x 3 in grey levels."""
    hands: Bools | None = None
    """The cells that hands cover; None where there is none."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Stretch:
    """What was seen from one rest to another."""

    before: ReelPicture | None
    """The rest with which it begins; None at the first one of all, or where it is no longer kept."""
    pictures: tuple[ReelPicture, ...]
    """Those in between, the oldest first; the first ones may be missing."""
    after: ReelPicture
    """The rest with which it ends."""
    noise: float
    """One picture's noise in grey levels."""
    hand_held: bool
    """Whether the camera moved, too."""
    hole: Hole
    """Why not all of it was seen."""


class Reel:
    """Keeps what the watch has seen last, within `MOST_BYTES`."""

    def __init__(self, *, hand_held: bool = False) -> None:
        """Nothing was seen yet."""
        self._hand_held = hand_held
        self._pictures: deque[ReelPicture] = deque()
        self._rests: deque[ReelPicture] = deque(maxlen=MOST_RESTS)
        self._holes: deque[tuple[float, float, Hole]] = deque(maxlen=MOST_HOLES)
        self._last_ms: float | None = None
        self._gap_ms = 0.0
        self._noise = 1.0

    @property
    def size(self) -> int:
        """How many bytes of pictures are kept."""
        return sum(one.small.nbytes for one in (*self._pictures, *self._rests))

    def pass_time(self, time_ms: float) -> None:
        """A frame came, whatever it shows."""
        last, self._last_ms = self._last_ms, time_ms
        if last is None or time_ms == last:
            return
        gap_ms = time_ms - last
        if gap_ms < 0:
            self._pictures.clear()
            self._rests.clear()
            self._holes.clear()
            self._holes.append((time_ms, time_ms, "back"))
            return
        if gap_ms > max(HOLE_MS, HOLE_GAPS * self._gap_ms):
            self._holes.append((last, time_ms, "late"))
        self._gap_ms = gap_ms if not self._gap_ms else self._gap_ms + 0.1 * (gap_ms - self._gap_ms)

    def move(self, seen: Glance, time_ms: float, hands: Bools | None) -> None:
        """Something moves, or a hand is there."""
        if self._pictures and time_ms <= self._pictures[-1].time_ms:
            return  # a frame that comes twice
        if self._pictures and self._pictures[-1].small.shape != seen.small.shape:
            self.forget()
        self._pictures.append(ReelPicture(time_ms, seen.small, hands))
        while len(self._pictures) > 1 and self.size > MOST_BYTES:
            self._pictures.popleft()

    def rest(self, seen: Glance, time_ms: float, noise: float) -> None:
        """All has come to rest in a new arrangement. `noise` is one picture's, in grey levels."""
        self._noise = noise
        self._rests.append(ReelPicture(time_ms, seen.small))

    def forget(self) -> None:
        """What was seen so far was another table, or another camera."""
        self._pictures.clear()
        self._rests.clear()

    def cut(self, since_ms: float | None, until_ms: float = inf) -> Stretch | None:
        """What was seen from the rest at `since_ms`, or the last one before, to the last one at `until_ms`.

        None where nothing has come to rest in between. With None for `since_ms`: from the last rest but one.
        """
        rests = [one for one in self._rests if one.time_ms <= until_ms]
        if not rests:
            return None
        after = rests.pop()
        if since_ms is not None and after.time_ms <= since_ms <= until_ms:
            return None
        # A rest that seems to be later than the end was before the clock went back.
        earlier = [one for one in rests if since_ms is None or one.time_ms <= since_ms <= until_ms]
        before = earlier[-1] if earlier else None
        begun_ms = before.time_ms if before else -inf
        pictures = tuple(one for one in self._pictures if begun_ms < one.time_ms < after.time_ms)
        return Stretch(
            before=before,
            pictures=pictures,
            after=after,
            noise=self._noise,
            hand_held=self._hand_held,
            hole=self._hole(begun_ms, after.time_ms, [one.time_ms for one in pictures if one.hands is None]),
        )

    def seen(self, since_ms: float, until_ms: float) -> Stretch | None:
        """What moved in that time, even if in the end all lies as it did; None without any rest."""
        rests = [one for one in self._rests if one.time_ms <= until_ms]
        if not rests:
            return None
        earlier = [one for one in rests if one.time_ms <= since_ms]
        pictures = tuple(one for one in self._pictures if since_ms < one.time_ms <= until_ms)
        return Stretch(
            before=earlier[-1] if earlier else rests[0],
            pictures=pictures,
            after=rests[-1],
            noise=self._noise,
            hand_held=self._hand_held,
            hole=self._hole(since_ms, until_ms, [one.time_ms for one in pictures if one.hands is None]),
        )

    def _hole(self, begun_ms: float, ended_ms: float, moved_ms: Sequence[float]) -> Hole:
        """What is wrong with that time; a hole in which nothing but hands moved is none."""
        for from_ms, to_ms, hole in self._holes:
            if not begun_ms < to_ms <= ended_ms:
                continue
            if hole == "back" or any(
                from_ms - BESIDE_MS <= one <= from_ms or one == to_ms for one in moved_ms
            ):
                return hole
        return ""

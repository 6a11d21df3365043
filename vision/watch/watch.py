"""Watches the table: when are the dice still, is a hand in the picture, has the arrangement changed?

Theory of operation
- Every frame becomes a small logarithmic picture (`vision.watch.thumbnail`), in which changes of light and
  the sensor's noise are told from things.
- Stillness is measured against an anchor: the first picture of the present rest. A frame that differs from it
  becomes the next anchor, or the earliest of the last few frames that still equals it. So a die that rocks
  slowly cannot pass for a still one by moving little from frame to frame: it must have stayed where it was
  for the whole of `still_ms`. A 16 mm die that stands on its edge falls with a time constant of some 35 ms:
  in 95 ms whatever it was off balance grows fifteenfold, so it gives itself away. 95 ms are three frame times
  at 30 frames/s and two at 20 or 15, with room for a frame that comes early.
- The table is the last picture at rest without a hand. When all is still again, the picture is compared with
  it (edges may lie one small pixel off: cameras are bumped); if things lie otherwise, this is a new scene and
  its number goes up by one. A shadow that came and went, a lamp, or a hand that only pointed leave the number
  as it is.
- A hand is a large thing reaching in from the border that was not on the table (`vision.watch.compare`). It
  comes, moves and leaves; nobody keeps one without the slightest motion for long. So what does keep still
  becomes part of the table: soon if it is too broad for a hand, or if the table is learnt anew (a mat was
  laid down), later else, and at once when people say so. When it leaves again, that is no hand's coming.
- Places that never rest are muted (`vision.watch.compare`); useless pictures are named
  (`vision.watch.compare`) and forgotten.
- A camera held in the hand (a film) moves the picture as a whole: then glances are aligned first, and edges
  may lie one small pixel off even while still. A single die sliding without turning looks the same as a
  moving camera, so this is a setting, and a camera on its mount does without it.

What a throw is, is decided from looks and readings together (`vision.watch.throws`).
"""

from collections import deque
from dataclasses import dataclass, field
from typing import Literal

import cv2
import numpy as np

from calibration.arrays import Bools, Picture, Singles
from vision.watch.compare import (
    Comparer,
    Trouble,
    Troubles,
    find_hands_on_table,
    find_moving_hands,
    only_broad,
    suspect_hands,
)
from vision.watch.thumbnail import Reel, Thumbnail, make_thumbnail

State = Literal["moving", "hand", "still"]


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchSettings:
    """How patient the watch is."""

    still_ms: float = 95.0
    """How long nothing must move before the table has settled; 60 to 2000."""
    hand_held: bool = False
    """Whether the camera itself moves."""
    frozen_after_ms: float | None = 1500.0
    """How long pictures may be equal before the camera counts as frozen; None for films and folders."""
    suspect_ms: float = 10_000.0
    """At the start: how long what looks like a hand must keep still to pass for table."""
    absorb_ms: float = 15_000.0
    """The same once the table is known."""
    laid_ms: float = 1500.0
    """The same for what is too broad for a hand, and for anything while the table is learnt anew."""

    @property
    def rest_ms(self) -> float:
        """How long nothing must move: `still_ms`, but at least 120 for a hand-held camera, whose alignment
        hides small motions."""
        return max(self.still_ms, 120.0) if self.hand_held else self.still_ms

    def __post_init__(self) -> None:
        """Raises ValueError for settings out of range."""
        if not 60 <= self.still_ms <= 2000:
            raise ValueError(f"still_ms is 60 to 2000 milliseconds; got {self.still_ms}")
        if self.frozen_after_ms is not None and self.frozen_after_ms < 200:
            raise ValueError(
                f"frozen_after_ms is 200 milliseconds or more, or None; got {self.frozen_after_ms}"
            )
        for name in ("suspect_ms", "absorb_ms", "laid_ms"):
            span_ms: float = getattr(self, name)
            if span_ms < 1000:
                raise ValueError(f"{name} is 1000 milliseconds or more; got {span_ms}")


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameState:
    """What one frame says."""

    time_ms: float
    state: State
    still_since_ms: float
    """Since when nothing has moved; the present time while something does."""
    settled: bool
    """Still for long enough, no hand, and a picture to trust: what is read now counts."""
    scene: int
    """The number of the arrangement that came to rest, counted from 1; 0 before the first."""
    hand_before_scene: bool
    """Whether a hand was seen between the arrangement before and this one."""
    tumbled_ms: float
    """How long things moved without a hand before this scene came to rest."""
    hand_since_scene: bool
    """Whether a hand was seen after this scene came to rest."""
    trouble: Trouble
    reel: Reel | None = field(default=None, compare=False, repr=False)
    """What was seen of late; it goes on with the next frame."""


REFRESH_MS = 1000.0
"""How often the anchor is renewed while the table has settled, so that it follows the light."""
TRAIL = 8
"""How many glances are kept to choose an anchor from: 120 ms at 60 frames/s."""
REPLACED_UNITS = 14.0
"""A cell that changed by this many log units no longer holds what was taken for a part of the table."""


@dataclass(frozen=True, slots=True)
class _Since:
    """What was seen since the last scene came to rest."""

    hand: bool = False
    tumbled_ms: float = 0.0


class Watch:
    """Takes every frame, in order, and keeps eleven small pictures and a reel of fixed size."""

    def __init__(self, settings: WatchSettings | None = None) -> None:
        """Begins without knowing the table; dice or a hand may be there already."""
        self._settings = settings or WatchSettings()
        self._compare = Comparer(self._settings.hand_held)
        self._troubles = Troubles(self._settings.frozen_after_ms)
        self._anchor: Thumbnail | None = None
        self._trail: deque[tuple[Thumbnail, float]] = deque(maxlen=TRAIL)
        self._still_since_ms = 0.0
        self._last_ms = 0.0
        self._hands: Bools | None = None
        self._table: Thumbnail | None = None
        self._under: Thumbnail | None = None
        """The table as it was before the last thing on it that looked like a hand."""
        self._refreshed_ms = 0.0
        self._absorbed: Bools | None = None
        self._push_sought = False
        self._anew = False
        self._settled = False
        self._scene = 0
        self._birth = _Since()
        self._since = _Since()
        self._reel = Reel(hand_held=self._settings.hand_held)

    def learn_anew(self) -> None:
        """The table may have changed (another game, another mat): learn it again once it keeps still."""
        self._anchor = self._table = self._under = self._absorbed = self._hands = None
        self._settled, self._anew, self._since = False, True, _Since()
        self._reel.forget()

    def take_for_table(self) -> None:
        """What looks like a hand now is none, people say: it is part of the table."""
        if self._hands is not None:
            self._absorb(self._hands)
            self._hands = None

    def see(self, picture: Picture, time_ms: float) -> FrameState:
        """The look at a picture (height x width x 3) taken at `time_ms`; ValueError for any other array."""
        seen = make_thumbnail(picture)
        trouble = self._troubles.of(seen, time_ms)
        if self._anchor is not None and self._anchor.log.shape != seen.log.shape:
            self._anchor = None
        if self._table is not None and self._table.log.shape != seen.log.shape:
            self._table = self._under = self._absorbed = self._hands = None
            self._reel.forget()
        self._reel.pass_time(time_ms)
        elapsed_ms = max(0.0, time_ms - self._last_ms) if self._anchor is not None else 0.0
        self._last_ms = time_ms
        if trouble == "black":
            self._anchor, self._hands, self._settled, self._still_since_ms = None, None, False, time_ms
            return self._look("moving", trouble)
        moved = self._move(seen, time_ms)
        self._trail.append((seen, time_ms))
        hand = self._hands is not None
        tumbled_ms = self._since.tumbled_ms + (elapsed_ms if moved and not hand else 0.0)
        self._since = _Since(self._since.hand or hand, tumbled_ms)
        calm = not hand and not moved and trouble != "frozen"
        if not calm:
            self._reel.move(seen, time_ms, self._hands)
        if calm and time_ms - self._still_since_ms >= self._settings.rest_ms:
            self._rest(seen, time_ms)
        else:
            self._settled = False
        return self._look("hand" if hand else "moving" if moved else "still", trouble)

    def _look(self, state: State, trouble: Trouble) -> FrameState:
        """The present state as a Look."""
        return FrameState(
            time_ms=self._last_ms,
            state=state,
            still_since_ms=self._still_since_ms,
            settled=self._settled,
            scene=self._scene,
            hand_before_scene=self._birth.hand,
            tumbled_ms=self._birth.tumbled_ms,
            hand_since_scene=self._since.hand,
            trouble=trouble,
            reel=self._reel,
        )

    def _move(self, seen: Thumbnail, time_ms: float) -> bool:
        """Whether something moved against the anchor; looks for hands when it did."""
        if self._anchor is None or time_ms < self._still_since_ms:
            self._anchor, self._still_since_ms = seen, time_ms
            self._trail.clear()
            self._find_hands(seen, None, time_ms)
            return True
        moved, sharp = self._compare.moved(self._anchor, seen, time_ms, self._hands is not None)
        if moved:
            self._push_sought = False
            self._anchor, self._still_since_ms = self._next_anchor(seen, time_ms)
            # A hand-held camera creeps: the picture has been still for long enough, though not since as early
            # as before.
            creeps = self._settings.hand_held and time_ms - self._still_since_ms >= self._settings.rest_ms
            moved = not creeps
        if moved or self._hands is not None:
            self._find_hands(seen, sharp, time_ms)
        return moved

    def _next_anchor(self, seen: Thumbnail, time_ms: float) -> tuple[Thumbnail, float]:
        """The earliest kept glance since which all show what `seen` shows, and its time; at worst `seen`
        itself."""
        anchor, since_ms = seen, time_ms
        for earlier, earlier_ms in reversed(self._trail):
            if time_ms - since_ms >= self._settings.rest_ms or not self._compare.same(earlier, seen):
                break
            anchor, since_ms = earlier, earlier_ms
        return anchor, since_ms

    def _find_hands(self, seen: Thumbnail, sharp: Singles | None, time_ms: float) -> None:
        """Look for hands. What has kept still for very long is none; with a camera in a hand none are looked
        for."""
        if self._settings.hand_held:
            return
        if self._table is not None:
            cells = self._hands_on(self._table, seen)
            if self._under is not None and cells.any():
                cells &= self._hands_on(self._under, seen)
        else:
            cells = suspect_hands(seen, self._absorbed)
            if sharp is not None:
                cells |= find_moving_hands(sharp)
        self._hands = cells if cells.any() and not self._forgiven(cells, seen, time_ms) else None

    def _hands_on(self, table: Thumbnail, seen: Thumbnail) -> Bools:
        """The cells of what looks like hands on that table."""
        before, outline = self._compare.against_table(table, seen, rest=False)
        return find_hands_on_table(before, seen, outline, self._absorbed)

    def _forgiven(self, cells: Bools, seen: Thumbnail, time_ms: float) -> bool:
        """Whether what looks like a hand is none: the camera was pushed, or nothing moved for very long."""
        still_ms = time_ms - self._still_since_ms
        if self._table is not None and still_ms >= self._settings.rest_ms and not self._push_sought:
            self._push_sought = True
            if self._compare.was_pushed(self._table, seen):
                self._table = seen
                return True
        if still_ms < self._patience_ms(cells):
            return False
        self._absorb(cells)
        return True

    def _patience_ms(self, hands: Bools) -> float:
        """How long what looks like hands must keep still to pass for table."""
        if self._anew or only_broad(hands):
            return self._settings.laid_ms
        return self._settings.suspect_ms if self._table is None else self._settings.absorb_ms

    def _absorb(self, cells: Bools) -> None:
        """What covers these cells, or comes near them, is part of the table."""
        self._under = self._table
        wide = cv2.dilate(cells.astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
        self._absorbed = np.asarray(wide if self._absorbed is None else wide | self._absorbed)

    def _rest(self, seen: Thumbnail, time_ms: float) -> None:
        """All is still: find out whether this is another arrangement than the last."""
        if self._settled and time_ms - self._refreshed_ms < REFRESH_MS:
            return
        if self._table is None:
            new = True
        else:
            table, sharp = self._compare.against_table(self._table, seen, rest=True)
            new = self._compare.is_change(sharp)
            if self._absorbed is not None:
                self._absorbed = self._absorbed & (
                    np.abs(seen.cells - table.cells).max(axis=2) < REPLACED_UNITS
                )
        if new:
            self._scene += 1
            self._birth, self._since = self._since, _Since()
            self._reel.rest(seen, time_ms, self._compare.noise)
        self._settled, self._anew = True, False
        self._table, self._refreshed_ms = seen, time_ms
        if not self._settings.hand_held:
            self._anchor = seen

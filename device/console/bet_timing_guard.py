"""Delays page updates to fixed times while bets are secret, so their timing leaks nothing.

A press of a BET button changes nothing on any page. But it keeps the table's thread busy for some
milliseconds (the journal writes to a disk), and what that thread shows next comes so much later: who measures
that counts presses. So as long as a bet is secret, pages get what is new four times a second, by the clock.
What moves by itself, the scoreboard, moves in step with the same clock, and the set times lie well behind its
steps: what came late by less than `SLACK_S` comes when it would have come anyway.
"""

import threading
from collections import deque
from collections.abc import Callable

from device.shown.snapshot import Snapshot

STEP_S = 0.25
"""The time between two of the set times; the scoreboard's step."""
SLACK_S = 0.2
"""How long after a step of the clock a set time comes: the table's beat, and a slow card's write."""


class BetTimingGuard:
    """Which snapshot may be seen when. Times are seconds of a steady clock. For any thread."""

    def __init__(self) -> None:
        self._kept: deque[tuple[float, Snapshot]] = deque()
        self._lock = threading.Lock()

    def put(self, snapshot: Snapshot, time_s: float) -> None:
        """The newest snapshot, and when it came; the same one again says nothing new."""
        with self._lock:
            self._keep(snapshot, time_s)

    def fetch(self, newest: Callable[[], Snapshot], time_s: float) -> None:
        """Put what `newest` gives: asked under the lock, so it is never older than what was put before."""
        with self._lock:
            self._keep(newest(), time_s)

    def _keep(self, snapshot: Snapshot, time_s: float) -> None:
        if self._kept and self._kept[-1][1] is snapshot:
            return
        self._kept.append((time_s, snapshot))
        while len(self._kept) > 1 and _may_be_seen(self._kept[1], time_s):
            self._kept.popleft()

    def see(self, time_s: float) -> Snapshot:
        """What may be seen at `time_s`; the first snapshot of all may be seen at once."""
        with self._lock:
            ripe = (each for each in reversed(self._kept) if _may_be_seen(each, time_s))
            return next(ripe, self._kept[0])[1]

    def due_s(self, time_s: float) -> float | None:
        """When what is held back will be seen; None when nothing is."""
        with self._lock:
            held = not _may_be_seen(self._kept[-1], time_s)
            return _set_time(time_s) + STEP_S if held and len(self._kept) > 1 else None


def hides_bets(snapshot: Snapshot) -> bool:
    """Whether a bet is thought about or locked that not everybody may know."""
    return snapshot.game is not None and any(isinstance(bet, str) for bet in snapshot.game.bets)


def _may_be_seen(kept: tuple[float, Snapshot], time_s: float) -> bool:
    came_s, snapshot = kept
    return not hides_bets(snapshot) or came_s <= _set_time(time_s)


def _set_time(time_s: float) -> float:
    """The newest set time that has come by `time_s`."""
    return (time_s - SLACK_S) // STEP_S * STEP_S + SLACK_S

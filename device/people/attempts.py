"""Wrong PINs are counted, by address and altogether, so that nobody can try them all.

How often somebody may be wrong is weighed so: four digits have 10,000 PINs, and the whole network together
may try 20 an hour, so an evening of ten hours finds one in fifty times. All of it is forgotten when the box
is started anew, which only somebody at the box can do.
"""

import threading
from collections import OrderedDict

from engine.wording import phrase_count

FROM_ONE, FROM_ONE_S = 5, 300.0
"""After so many wrong PINs from one address within such a time it waits until the first is that old."""
FROM_ALL, FROM_ALL_S = 20, 3600.0
"""The same for all addresses together."""
ADDRESSES = 256
"""Kept in mind at most; beyond that the count of all together holds them back."""


class Attempts:
    """The wrong PINs of the last hour. Times are seconds of a steady clock. For any thread."""

    def __init__(self) -> None:
        self._of: OrderedDict[str, list[float]] = OrderedDict()
        self._all: list[float] = []
        self._lock = threading.Lock()

    def begin(self, address: str, now_s: float) -> float:
        """Somebody tries a PIN. Returns 0, or for how many seconds none is looked at.

        It counts as wrong from the start, so that many tries at once are no way round: see `was_right`.
        """
        with self._lock:
            mine = self._of.setdefault(address, [])
            wait_s = max(
                _wait_s(mine, FROM_ONE, FROM_ONE_S, now_s), _wait_s(self._all, FROM_ALL, FROM_ALL_S, now_s)
            )
            if wait_s == 0:
                mine.append(now_s)
                self._all.append(now_s)
            self._of.move_to_end(address)
            while len(self._of) > ADDRESSES:
                self._of.popitem(last=False)
            return wait_s

    def was_right(self, address: str, began_s: float) -> None:
        """The PIN tried then was right, so that try counts no more.

        Those before it do: a player's own right PIN must not buy more guesses at the referee's.
        """
        with self._lock:
            for tries in (self._of.get(address, []), self._all):
                if began_s in tries:
                    tries.remove(began_s)


def _wait_s(wrong: list[float], most: int, within_s: float, now_s: float) -> float:
    """How long until one more may be tried; forgets what lies too far back."""
    wrong[:] = [each for each in wrong if now_s - each < within_s]
    return max(0.0, wrong[-most] + within_s - now_s) if len(wrong) >= most else 0.0


def lock_words(wait_s: float, until: str) -> str:
    """That PINs are not looked at for a while, and until when: "20:15" by the box's own clock."""
    minutes = max(1, round(wait_s / 60 + 0.5))
    return phrase_count(
        "Too many wrong PINs were given, so none is looked at for a minute, until {until} by the box's "
        "clock. Who is signed in stays so, and the buttons on the box work.",
        "Too many wrong PINs were given, so none is looked at for {count} minutes, until {until} by the "
        "box's clock. Who is signed in stays so, and the buttons on the box work.",
        minutes,
        until=until,
    )

"""Wrong PINs are counted, by address and altogether, so that nobody can try them all.

How often somebody may be wrong is weighed so: four digits have 10,000 PINs. Addresses that were wrong more
than once may together try 20 an hour; for those that were not there are 30 more, so that whoever tries PINs
by the dozen locks out nobody else. So an evening of ten hours finds a PIN of four digits in one of twenty,
and one of six digits in one of 2,000. All of it is forgotten when the box is started anew, which only
somebody at the box can do.
"""

import threading
from collections import OrderedDict
from collections.abc import Sequence

from engine.wording import phrase, phrase_count
from engine.words import together

FROM_ONE, FROM_ONE_S = 5, 300.0
"""After so many wrong PINs from one address within such a time it waits until the first is that old."""
FROM_ALL, FROM_ALL_S = 20, 3600.0
"""The same for all addresses together that were wrong before."""
FIRST_TRIES = 2
"""The first tries of each address within `FROM_ALL_S` do not count with those of `FROM_ALL`."""
FROM_FIRST = 30
"""The most first tries of all addresses together within `FROM_ALL_S`."""
ADDRESSES = 256
"""Kept in mind at most; beyond that the counts of all together hold them back."""
NAMED = 4
"""The most addresses with wrong PINs that people are told."""


class Attempts:
    """The wrong PINs of the last hour. Times are seconds of a steady clock. For any thread."""

    def __init__(self) -> None:
        self._of: OrderedDict[str, list[float]] = OrderedDict()
        self._first: list[float] = []
        self._later: list[float] = []
        self._lock = threading.Lock()

    def begin(self, address: str, now_s: float) -> float:
        """Somebody tries a PIN. Returns 0, or for how many seconds none is looked at.

        It counts as wrong from the start, so that many tries at once are no way round: see `was_right`.
        """
        with self._lock:
            self._forget(now_s)
            mine = self._of.setdefault(address, [])
            is_first = len(mine) < FIRST_TRIES and len(self._first) < FROM_FIRST
            wait_s = _wait_s(mine, FROM_ONE, FROM_ONE_S, now_s)
            if not is_first:
                wait_s = max(wait_s, _wait_s(self._later, FROM_ALL, FROM_ALL_S, now_s))
            if wait_s == 0:
                mine.append(now_s)
                (self._first if is_first else self._later).append(now_s)
            self._of.move_to_end(address)
            while len(self._of) > ADDRESSES:
                self._of.popitem(last=False)
            return wait_s

    def was_right(self, address: str, began_s: float) -> None:
        """The PIN tried then was right, so that try counts no more.

        Those before it do: a player's own right PIN must not buy more guesses at the referee's.
        """
        with self._lock:
            mine = self._of.get(address, [])
            if began_s in mine:
                mine.remove(began_s)
            pool = self._later if began_s in self._later else self._first
            if began_s in pool:
                pool.remove(began_s)

    def failing(self) -> Sequence[str]:
        """The addresses from which most wrong PINs came, at most `NAMED`."""
        with self._lock:
            wrong = [(len(tries), address) for address, tries in self._of.items() if tries]
        return [address for _, address in sorted(wrong, reverse=True)[:NAMED]]

    def _forget(self, now_s: float) -> None:
        """Forget what is over an hour old."""
        for tries in (*self._of.values(), self._first, self._later):
            tries[:] = [each for each in tries if now_s - each < FROM_ALL_S]


def _wait_s(wrong: Sequence[float], most: int, within_s: float, now_s: float) -> float:
    """How long until one more may be tried."""
    recent = [each for each in wrong if now_s - each < within_s]
    return max(0.0, recent[-most] + within_s - now_s) if len(recent) >= most else 0.0


def lock_words(wait_s: float, until: str, failing: Sequence[str]) -> str:
    """That PINs are not looked at for a while, until when ("20:15" by the box's clock), and who was wrong."""
    minutes = max(1, round(wait_s / 60 + 0.5))
    locked = phrase_count(
        "Too many wrong PINs were given, so none is looked at for a minute, until {until} by the box's "
        "clock. Who is signed in stays so, and the buttons on the box work.",
        "Too many wrong PINs were given, so none is looked at for {count} minutes, until {until} by the "
        "box's clock. Who is signed in stays so, and the buttons on the box work.",
        minutes,
        until=until,
    )
    came = phrase("Wrong PINs came from {addresses}.", addresses=together(failing)) if failing else ""
    return f"{locked} {came}".rstrip()

"""The odds for who asks on a page: worked out in a process of its own, from what everybody may see.

Why its own process: the first answer of a kind counts thousands of throws, which takes a core for some
seconds, and the table must not wait for it. It is given the public position line, in which no bet stands
that is still secret: so nothing can be told of one. It keeps its tables, ends with the box, and if it falls
it is started anew with the next question.

    python -m device.odds < position lines > one JSON array for each
"""

import os
import subprocess
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Protocol

import msgspec

from device.people.who import TableKind
from engine.odds import Advice, advice_seen
from engine.refusal import Refused

NICENESS = 10
ROOT = Path(__file__).parent.parent
"""Where Python finds the rooms."""
MOST = 40
"""How many choices are told: the best ones."""


class OddsShown(msgspec.Struct, frozen=True):
    """What one choice is worth (`engine.odds.Advice`)."""

    player: str
    words: str
    points: float
    chance: float
    risk: float
    lead: float | None
    goal: float | None
    hint: str


class TellsOdds(Protocol):
    """Whoever can be asked for odds."""

    def ask(self, line: str) -> tuple[OddsShown, ...]:
        """What may be chosen in that public position, the best first; () where no odds are known."""
        ...


def odds_shown(advice: Advice) -> OddsShown:
    """One choice with figures as people read them: two digits behind the point."""
    return OddsShown(
        player=advice.player,
        words=advice.words,
        points=round(advice.points, 2),
        chance=round(advice.chance, 4),
        risk=round(advice.risk, 4),
        lead=None if advice.lead is None else round(advice.lead, 2),
        goal=None if advice.goal is None else round(advice.goal, 4),
        hint=advice.hint,
    )


def are_shown(setting: str, table: TableKind) -> bool:
    """Whether pages show odds: as the settings say, and where they leave it open not at a tournament."""
    return setting == "shown" or (setting == "auto" and table != "tournament")


class OddsProcess:
    """Answers from any thread, one question after the other."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: subprocess.Popen[bytes] | None = None
        self._last: tuple[str, tuple[OddsShown, ...]] = ("", ())

    def ask(self, line: str) -> tuple[OddsShown, ...]:
        """What may be chosen in that public position, the best first; () where no odds are known."""
        with self._lock:
            if self._last[0] != line:
                found = self._worked_out(line)
                if found is None:  # it fell: it is started anew, once
                    found = self._worked_out(line)
                if found is None:
                    return ()
                self._last = line, found
            return self._last[1]

    def close(self) -> None:
        """End the process."""
        running = self._running
        if running is not None:
            running.kill()
        with self._lock:
            self._end()

    def _worked_out(self, line: str) -> tuple[OddsShown, ...] | None:
        try:
            running = self._running or self._start()
            if running.stdin is None or running.stdout is None:
                return None
            running.stdin.write(line.encode() + b"\n")
            running.stdin.flush()
            return msgspec.json.decode(running.stdout.readline(), type=tuple[OddsShown, ...])
        except (OSError, msgspec.DecodeError):
            self._end()
            return None

    def _start(self) -> "subprocess.Popen[bytes]":
        paths = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
        environment: Mapping[str, str] = {**os.environ, "PYTHONPATH": paths}
        self._running = subprocess.Popen(
            [sys.executable, "-m", "device.odds"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
        )
        return self._running

    def _end(self) -> None:
        running, self._running = self._running, None
        if running is not None:
            running.kill()
            with suppress(OSError):
                running.communicate()


def main() -> None:
    """Answer line by line until nobody asks any more."""
    os.nice(NICENESS)
    for line in sys.stdin.buffer:
        try:
            told = advice_seen(line.decode().rstrip("\n"))
        except Refused:
            told = ()
        sys.stdout.buffer.write(msgspec.json.encode([odds_shown(each) for each in told[:MOST]]) + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()

"""The odds for who asks on a page: worked out in a process of its own, from what everybody may see.

Why its own process: the first answer of a kind counts thousands of throws, which takes a core for some
seconds, and the table must not wait for it. It is given the public position line, in which no bet stands
that is still secret: so nothing can be told of one. It keeps its tables, ends with the box, and if it falls
it is started anew with the next question.

    python -m device.odds < position lines > one JSON array for each
"""

import os
import sys
from typing import Protocol

import msgspec

from device.helper import HelperProcess
from device.languages import speak_as_started
from device.people.actor import TableKind
from engine.odds import Advice, advice_seen
from engine.refusal import Refused

NICENESS = 10
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
        self._process = HelperProcess("device.odds")
        self._last: tuple[str, tuple[OddsShown, ...]] = ("", ())

    def ask(self, line: str) -> tuple[OddsShown, ...]:
        """What may be chosen in that public position, the best first; () where no odds are known."""
        last_line, found = self._last
        if last_line == line:
            return found
        told = self._process.ask(line.encode())
        if told is None:
            return ()
        found = msgspec.json.decode(told, type=tuple[OddsShown, ...])
        self._last = line, found
        return found

    def close(self) -> None:
        """End the process."""
        self._process.close()


def main() -> None:
    """Answer line by line until nobody asks any more."""
    os.nice(NICENESS)
    speak_as_started()
    for line in sys.stdin.buffer:
        try:
            told = advice_seen(line.decode().rstrip("\n"))
        except Refused:
            told = ()
        sys.stdout.buffer.write(msgspec.json.encode([odds_shown(each) for each in told[:MOST]]) + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()

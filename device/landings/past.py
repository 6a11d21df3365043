"""The landings of a game that count, for the referee to look at again: what each was worth, and its close-up.

Each landing keeps the number of the reading it came from, through UNDO and rulings alike: as `engine.history`
does with events, so it is done here with readings.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from device.landings.questions import THIRD_PARTY
from device.shown.snapshot import PastLandingShown
from engine import wire
from engine.events import Corrected, DieRuled, Event, GameEvent, Landed, Refereed, Ruled, Undo
from engine.game import Position
from engine.wording import phrase, phrase_later

MOST = 24
"""How many landings are shown, the newest first."""
OFF_WORDS = {
    "caught": phrase_later("off the table, caught"),
    "missed": phrase_later("off the table, not caught"),
}
ON_PURPOSE = {
    "caught": phrase_later("off the table, caught, on purpose"),
    "missed": phrase_later("off the table, not caught, on purpose"),
}
FOULS = {
    "late": phrase_later("a foul: released too late"),
    "slid": phrase_later("a foul: slid"),
    "thrown": phrase_later("a foul: thrown"),
}


@dataclass(frozen=True, slots=True)
class _Entry:
    """One event of the game as it counts."""

    reading: int
    landed: bool
    ruled: str = ""
    """Who has ruled on it."""


class Past:
    """Follows a game event by event. Knows nothing that the journal does not hold."""

    def __init__(self) -> None:
        self._line: list[_Entry] = []
        self._steps: list[tuple[int, _Entry] | None] = []
        """For each step what it replaced and where; None for one that was added."""
        self._close_ups: dict[int, str] = {}
        self._shown: tuple[PastLandingShown, ...] | None = None

    def take(self, event: Event, reading: int) -> None:
        """An event that the game has taken; a landing comes from that reading."""
        self._shown = None
        match event:
            case Undo():
                step = self._steps.pop()
                if step is None:
                    self._line.pop()
                else:
                    self._line[step[0]] = step[1]
            case Ruled() | DieRuled() | Refereed():
                place = [at for at, entry in enumerate(self._line) if entry.landed][event.landing - 1]
                self._steps.append((place, self._line[place]))
                self._line[place] = replace(self._line[place], ruled=ruled_by(event))
            case Corrected():
                self._steps.append((len(self._line) - 1, self._line[-1]))
            case _:
                self._line.append(_Entry(reading, isinstance(event, Landed)))
                self._steps.append(None)

    def close_up(self, name: str) -> None:
        """A close-up was kept under that name: "GAME/READING-2.jpg"."""
        self._shown = None
        number, _, _ = name.rpartition("/")[2].partition("-")
        if number.isdecimal():
            self._close_ups[int(number)] = name

    def shown(
        self, played: Sequence[tuple[GameEvent, Position]], start: Position
    ) -> tuple[PastLandingShown, ...]:
        """The last landings, the newest first; made once for each position."""
        if self._shown is None:
            before = [start, *(position for _, position in played)]
            landed = [
                (entry, event, position)
                for entry, (event, _), position in zip(self._line, played, before, strict=False)
                if isinstance(event, Landed)
            ]
            numbered = list(enumerate(landed, 1))[-MOST:]
            self._shown = tuple(self._past_landing(number, *each) for number, each in reversed(numbered))
        return self._shown

    def _past_landing(self, number: int, entry: _Entry, landed: Landed, before: Position) -> PastLandingShown:
        view = before.view()
        return PastLandingShown(
            landing=number,
            player=view.active or "",
            words=landed_words(landed, counts=view.wanted is not None and view.wanted.landing),
            reading=entry.reading,
            evidence=self._close_ups.get(entry.reading, ""),
            ruled=entry.ruled,
            lying=next((fact.words for fact in view.facts if fact.name == "on the table"), ()),
            landed={**wire.event_object(landed)},
        )


def ruled_by(event: Ruled | DieRuled | Refereed) -> str:
    """Who ruled, and why: "the referee: it rolled on"."""
    match event:
        case Ruled():
            return phrase(event.by or THIRD_PARTY)
        case DieRuled():
            return phrase("one die showed {value}", value=event.value)
        case Refereed():
            return phrase("the referee: {reason}", reason=event.reason)


def landed_words(landed: Landed, *, counts: bool) -> str:
    """What it was: "5 × 10 = 50", "off the table, caught", "rolls 4"."""
    if landed.off:
        return phrase((ON_PURPOSE if landed.foul == "thrown" else OFF_WORDS)[landed.off])
    if not counts:
        return phrase("rolls {value}", value=landed.value)
    if landed.foul:
        return phrase(FOULS[landed.foul])
    worth = f"{landed.value} × {landed.zone} = {landed.value * landed.zone}"
    return phrase("{worth}, on the dot", worth=worth) if landed.dot else worth

"""A game whose throws are landings: questions about a throw, their answers, and the referee's word.

A question waits until somebody answers: with CACHE and STOP on the box, on the console, by another throw, or
through the referee. It is kept in the journal like everything else, so it still waits after a power cut.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import msgspec

from device.journal import Moment
from device.journal.rows import (
    AnswerNote,
    CloseUpNote,
    EventRow,
    KeptSight,
    KeyOf,
    LandingReading,
    Option,
    PressRow,
    Question,
    Row,
)
from device.landings.questions import THIRD_PARTY
from device.match import Match
from device.match.match import Questions
from device.shown.snapshot import GameShown, MessageShown, PastLandingShown
from engine import wire
from engine.events import (
    Confirmed,
    Corrected,
    DieRuled,
    Event,
    GameEvent,
    Landed,
    Refereed,
    Ruled,
    Ruling,
    Undo,
)
from engine.game import GameView, LandingPosition, Position
from engine.refusal import Refused
from engine.wording import phrase, phrase_later

# The landings of a game that count, for the referee to look at again: what each was worth, and its close-up.
#
# Each landing keeps the number of the reading it came from, through UNDO and rulings alike: as
# `engine.history` does with events, so it is done here with readings.

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

    def list_newest(
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


DOT_KEYS: Mapping[bool, KeyOf] = {True: "cache", False: "stop"}
"""The box's buttons that say of the dot that it is covered, or that some of it is to be seen."""


class LandingQuestions(Questions):
    """What the rows of a game of landings say, and what is asked in it ."""

    def __init__(self) -> None:
        super().__init__()
        self.last: KeptSight | None = None
        """The last throw."""
        self.withdrawn = False
        """The last throw was taken back while it was asked about: its die has not counted."""
        self._past = Past()
        self._readings = 0
        self._from = 0
        """The number of the reading that a landing taken now comes from."""

    def forget(self) -> None:
        """The game is read again, from its first row on."""
        self.pending, self.last, self.withdrawn, self._past = None, None, False, Past()
        self._readings = self._from = 0

    def follow(self, row: Row, /) -> None:
        """Take in the next row of the game."""
        match row:
            case EventRow(event=event):
                self.pending = None
                self._past.take(event, self._from)
            case LandingReading(sight=sight, question=question, decides=decides):
                self.last, self.pending, self.withdrawn = sight, question, False
                self._readings += 1
                if not decides:
                    self._from = sight.number or self._readings
            case PressRow(button="undo") if self.pending is not None:
                self.pending, self.withdrawn = None, True
            case CloseUpNote(picture=picture):
                self._past.close_up(picture)
            case _:
                pass

    def by_button(self, view: GameView, /) -> tuple[Option, ...]:
        """The answers that a button of the box gives now."""
        return _at_the_dot(view) if self.pending is None else self.pending.options

    def worded(self, news: MessageShown, view: GameView, /) -> MessageShown:
        """The news after an event; at the dot, which button says what."""
        if not _at_the_dot(view):
            return news
        text = phrase(
            "{news} CACHE says that it is covered, STOP that some of it is to be seen.", news=news.text
        )
        return MessageShown(text, "unsure", "dot")

    def add_to(
        self, game: GameShown, start: Position, played: Sequence[tuple[GameEvent, Position]], /
    ) -> GameShown:
        """The game with its past landings."""
        return msgspec.structs.replace(game, landings=self._past.list_newest(played, start))


class LandingMatch(Match):
    """One game of landings between its first die and its ending: a match, and what is asked about throws."""

    questions_type = LandingQuestions
    questions: LandingQuestions

    @property
    def moment(self) -> LandingPosition:
        """The position now, as one of a game of landings; raises `TypeError` for any other."""
        position = self.position
        if not isinstance(position, LandingPosition):
            raise TypeError(f"{self.rulebook.title} is no game of landings")
        return position

    def land(self, outcome: Landed | Question, sight: KeptSight, at: Moment) -> bool:
        """Take a throw, measured: as a landing that counts, or as a question."""
        if isinstance(outcome, Landed):
            return self.take((outcome,), [LandingReading(sight=sight)], at)
        if self.keep([LandingReading(sight=sight, question=outcome)], at):
            self.show_question()
        return False

    def decide(self, option: Option, sight: KeptSight, at: Moment) -> bool:
        """Take the answer that a deciding die gave."""
        rows: list[Row] = [LandingReading(sight=sight, decides=True), AnswerNote(option.words)]
        return self.take(option.events, rows, at)

    def close_up(self, picture: str, at: Moment) -> bool:
        """A landing's close-up was kept under that name."""
        return self.keep([CloseUpNote(picture)], at)

    def rule(self, event: Ruling, at: Moment) -> bool:
        """A ruling on a landing that counts; the referee's word on a throw in question is its landing."""
        try:
            meant = self._meant(event)
        except Refused as refusal:
            self.say(str(refusal), "refused")
            return False
        rows: list[Row] = [AnswerNote(ruled_by(event))] if isinstance(event, Refereed) else []
        return self.take((meant,), rows if meant is not event else [], at)

    def foresee(self, event: Event) -> str:
        """What that event, or that ruling, would change, in a sentence; raises `Refused`."""
        return super().foresee(self._meant(event) if isinstance(event, Ruling) else event)

    def _meant(self, event: Ruling) -> Event:
        """The event that a ruling is now; raises `Refused`."""
        if self.questions.pending is None:
            return event
        if isinstance(event, Refereed) and not event.landing:
            return event.landed
        raise Refused(phrase("First answer what is asked about the last throw."))


def _at_the_dot(view: GameView) -> tuple[Option, ...]:
    """The answers to whether the dot is covered, where the rulebook waits for one."""
    return tuple(
        Option(words=choice.words, events=(choice.event,), key=DOT_KEYS[choice.event.covered])
        for choice in view.choices
        if isinstance(choice.event, Confirmed)
    )

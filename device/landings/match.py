"""A game whose throws are landings: questions about a throw, their answers, and the referee's word.

A question waits until somebody answers: with CACHE and STOP on the box, on the console, by another throw, or
through the referee. It is kept in the journal like everything else, so it still waits after a power cut.
"""

from collections.abc import Mapping, Sequence
from typing import Self

import msgspec

from device.journal import Journal, Moment
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
from device.landings.past import Past, ruled_by
from device.match import Match
from device.shown.snapshot import GameShown, MessageShown
from engine.events import Confirmed, Event, GameEvent, Landed, Refereed, Ruling
from engine.game import GameView, LandingPosition, Position, Rulebook
from engine.refusal import Refused
from engine.wording import phrase

DOT_KEYS: Mapping[bool, KeyOf] = {True: "cache", False: "stop"}
"""The box's buttons that say of the dot that it is covered, or that some of it is to be seen."""


class LandingQuestions:
    """What the rows of a game of landings say, and what is asked in it (`device.match.match.Questions`)."""

    def __init__(self) -> None:
        self.asked: Question | None = None
        """What the box asks about the last throw."""
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
        self.asked, self.last, self.withdrawn, self._past = None, None, False, Past()
        self._readings = self._from = 0

    def follow(self, row: Row, /) -> None:
        """Take in the next row of the game."""
        match row:
            case EventRow(event=event):
                self.asked = None
                self._past.take(event, self._from)
            case LandingReading(sight=sight, question=question, decides=decides):
                self.last, self.asked, self.withdrawn = sight, question, False
                self._readings += 1
                if not decides:
                    self._from = sight.number or self._readings
            case PressRow(button="undo") if self.asked is not None:
                self.asked, self.withdrawn = None, True
            case CloseUpNote(picture=picture):
                self._past.close_up(picture)
            case _:
                pass

    def by_button(self, view: GameView, /) -> tuple[Option, ...]:
        """The answers that a button of the box gives now."""
        return _at_the_dot(view) if self.asked is None else self.asked.options

    def worded(self, news: MessageShown, view: GameView, /) -> MessageShown:
        """The news after an event; at the dot, which button says what."""
        if not _at_the_dot(view):
            return news
        text = phrase(
            "{news} CACHE says that it is covered, STOP that some of it is to be seen.", news=news.text
        )
        return MessageShown(text, "unsure", "dot")

    def shown(
        self, game: GameShown, start: Position, played: Sequence[tuple[GameEvent, Position]], /
    ) -> GameShown:
        """The game with its past landings."""
        return msgspec.structs.replace(game, landings=self._past.shown(played, start))


class LandingMatch:
    """One game of landings between its first die and its ending: a match, and what is asked about throws."""

    def __init__(self, game: Match, questions: LandingQuestions) -> None:
        """Use `begin` or `resume`."""
        self.game = game
        """Takes presses, answers and choices, and is shown."""
        self._questions = questions

    @classmethod
    def begin(
        cls,
        journal: Journal,
        rulebook: Rulebook,
        players: tuple[str, ...],
        options: Mapping[str, str],
        at: Moment,
    ) -> Self:
        """A new game; raises `Refused` for wrong players or options, `JournalError` for a full disk."""
        questions = LandingQuestions()
        return cls(Match.begin(journal, rulebook, players, options, at, questions), questions)

    @classmethod
    def resume(cls, journal: Journal, game_id: int) -> Self:
        """A game as its journal left it; raises `JournalError`, and `Refused` without its rulebook."""
        questions = LandingQuestions()
        return cls(Match.resume(journal, game_id, questions), questions)

    @property
    def asked(self) -> Question | None:
        """What the box asks about the last throw."""
        return self._questions.asked

    @property
    def last_landing(self) -> KeptSight | None:
        """The last throw as the journal has it."""
        return self._questions.last

    @property
    def withdrawn(self) -> bool:
        """Whether the last throw was taken back while it was asked about."""
        return self._questions.withdrawn

    @property
    def moment(self) -> LandingPosition:
        """The position now, as one of a game of landings; raises `TypeError` for any other."""
        position = self.game.position
        if not isinstance(position, LandingPosition):
            raise TypeError(f"{self.game.rulebook.title} is no game of landings")
        return position

    def land(self, outcome: Landed | Question, sight: KeptSight, at: Moment) -> bool:
        """Take a throw, measured: as a landing that counts, or as a question."""
        if isinstance(outcome, Landed):
            return self.game.take((outcome,), [LandingReading(sight=sight)], at)
        if self.game.keep([LandingReading(sight=sight, question=outcome)], at):
            self.game.ask()
        return False

    def decide(self, option: Option, sight: KeptSight, at: Moment) -> bool:
        """Take the answer that a deciding die gave."""
        rows: list[Row] = [LandingReading(sight=sight, decides=True), AnswerNote(option.words)]
        return self.game.take(option.events, rows, at)

    def close_up(self, picture: str, at: Moment) -> bool:
        """A landing's close-up was kept under that name."""
        return self.game.keep([CloseUpNote(picture)], at)

    def rule(self, event: Ruling, at: Moment) -> bool:
        """A ruling on a landing that counts; the referee's word on a throw in question is its landing."""
        try:
            meant = self._meant(event)
        except Refused as refusal:
            self.game.say(str(refusal), "refused")
            return False
        rows: list[Row] = [AnswerNote(ruled_by(event))] if isinstance(event, Refereed) else []
        return self.game.take((meant,), rows if meant is not event else [], at)

    def foresee(self, event: Ruling) -> str:
        """What that ruling would change, in a sentence; raises `Refused`."""
        return self.game.foresee(self._meant(event))

    def _meant(self, event: Ruling) -> Event:
        """The event that a ruling is now; raises `Refused`."""
        if self.asked is None:
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

"""What a kind of game asks beside its rulebook: the part that `device.match.match` leaves to others.

A game of landings asks about a throw that is too close to call, for instance. What is asked, and what answers
it, is known from the rows of the game alone: each one is handed on once it is durable, and all of them again
when the game is resumed.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol

from device.journal.rows import Option, Question, QuestionKind, Row
from device.shown.snapshot import GameShown, MessageShown, Shout
from engine.events import GameEvent
from engine.game import GameView, Position
from engine.wording import phrase_later

SHOUTS: Mapping[QuestionKind, Shout] = {
    "close": "CLOSE",
    "off": "OFF",
    "unread": "UNSURE",
    "gone": "UNSURE",
    "several": "UNSURE",
    "blind": "Err",
    "aim": "UNSURE",
    "foul": "UNSURE",
}
"""What the scoreboard shows while a question waits."""


NOBODY_AT = phrase_later("Nobody plays at BET {number}.")
HOLD_TO_LOCK = phrase_later("{player}: press to choose a bet, then hold to lock it.")


class Questions(Protocol):
    """What is asked beside the rulebook, and what else is known of such a game."""

    @property
    def asked(self) -> Question | None:
        """What waits for an answer."""
        ...

    def forget(self) -> None:
        """The game is read again, from its first row on."""
        ...

    def follow(self, row: Row, /) -> None:
        """Take in the next row of the game; the rulebook has taken the event that it may be."""
        ...

    def by_button(self, view: GameView, /) -> tuple[Option, ...]:
        """The answers that a button of the box gives now."""
        ...

    def worded(self, news: MessageShown, view: GameView, /) -> MessageShown:
        """The news after an event, with what is to be said beside."""
        ...

    def shown(
        self, game: GameShown, start: Position, played: Sequence[tuple[GameEvent, Position]], /
    ) -> GameShown:
        """The game for displays, with what is to be shown beside."""
        ...


class NoQuestions:
    """A game whose rulebook asks all there is to ask."""

    asked: Question | None = None

    def forget(self) -> None:
        """Nothing was kept."""

    def follow(self, _row: Row, /) -> None:
        """Nothing is kept."""

    def by_button(self, _view: GameView, /) -> tuple[Option, ...]:
        """No answer beside the rulebook's own."""
        return ()

    def worded(self, news: MessageShown, _view: GameView, /) -> MessageShown:
        """The news as they are."""
        return news

    def shown(
        self, game: GameShown, _start: Position, _played: Sequence[tuple[GameEvent, Position]], /
    ) -> GameShown:
        """The game as it is."""
        return game


def show_question(question: Question) -> MessageShown:
    """What is asked, for people at the table."""
    return MessageShown(question.text, "unsure", SHOUTS[question.kind])

"""One game at the table: presses, readings and corrections in; durable events and a public view out.

How it works. Whatever a person or the camera does becomes rows of the journal, and the rows are committed
before anything of their effect can be seen: first the rulebook is asked, then the journal writes, then the
new position is shown. When the journal cannot write (a full disk), the position goes back to what the journal
holds, so that nothing is ever shown that a power cut could take back.

A reading that is no proper roll (a die too many, one that cannot be read) waits as `pending`: the players say
what the dice show, or throw again. The box never guesses.

Each row is taken in once it is durable, and the same way when a game is resumed: dials, the pending reading
and whatever a kind of game asks beside its rulebook (`Questions`) are what the rows say, and nothing else.

No thread, no clock, no file of its own: time and journal are passed in.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar, Self

import msgspec

from device.journal import Journal, JournalError, Moment, RowNotUnderstood
from device.journal.records import SignOff, signed_after
from device.journal.rows import (
    AnswerNote,
    CorrectionNote,
    DiceReading,
    EventRow,
    LandingReading,
    Option,
    PlacesNote,
    PressRow,
    Question,
    QuestionKind,
    ReadDie,
    RefusedNote,
    Row,
    SignOffNote,
    UnknownRow,
)
from device.match.changes import GOING_ON, IN_QUESTION, changed, news_of, taken_back
from device.match.showing import answers_shown, game_shown, lamps_shown, option_shown
from device.panel import Press, PressKind, bet_seat, dial_after
from device.shown.snapshot import GameShown, MessageShown, Shout, Tone
from device.shown.words import as_dice, trouble_with, why_no_roll
from engine.dice import Die
from engine.events import Bet, Cache, Corrected, Event, GameEvent, Rolled, Stop, Undo
from engine.game import GameView, Position, Rulebook, name_younger, start_written
from engine.history import History
from engine.refusal import Refused
from engine.rulebooks import rulebook as find_rulebook
from engine.seating import seat_of
from engine.wording import phrase, phrase_later
from vision.reading import Reading

# What a kind of game asks beside its rulebook: the part that `device.match.match` leaves to others.
#
# A game of landings asks about a throw that is too close to call, for instance. What is asked, and what
# answers it, is known from the rows of the game alone: each one is handed on once it is durable, and all of
# them again when the game is resumed.

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


class Questions:
    """What is asked beside the rulebook, and what else is known of a game. As it stands: nothing."""

    def __init__(self) -> None:
        self.pending: Question | None = None
        """What waits for an answer."""

    def forget(self) -> None:
        """The game is read again, from its first row on."""

    def follow(self, _row: Row, /) -> None:
        """Take in the next row of the game; the rulebook has taken the event that it may be."""

    def by_button(self, _view: GameView, /) -> tuple[Option, ...]:
        """The answers that a button of the box gives now."""
        return ()

    def worded(self, news: MessageShown, _view: GameView, /) -> MessageShown:
        """The news after an event, with what is to be said beside."""
        return news

    def add_to(
        self, game: GameShown, _start: Position, _played: Sequence[tuple[GameEvent, Position]], /
    ) -> GameShown:
        """The game for displays, with what is to be shown beside."""
        return game


def show_question(question: Question) -> MessageShown:
    """What is asked, for people at the table."""
    return MessageShown(question.text, "unsure", SHOUTS[question.kind])


# What the players have turned their dials to with short presses of BET, as a game's rows say.


class Dials:
    """The dials of one game. Secret: nothing that others see may tell of them."""

    def __init__(self, players: tuple[str, ...]) -> None:
        self._players = players
        self._touches: dict[int, list[PressKind]] = {}

    def forget(self) -> None:
        """The game is read again, from its first row on."""
        self._touches.clear()

    def follow(self, row: Row) -> None:
        """Take in the next row. A locked bet empties that player's dial; any other event empties them all."""
        match row:
            case EventRow(event=Bet(player=player)):
                self._touches.pop(seat_of(self._players, player, ""), None)
            case EventRow():
                self._touches.clear()
            case PressRow(button=button, kind="short") if (seat := bet_seat(button)) is not None:
                self._touches.setdefault(seat, []).append("short")
            case _:
                pass

    def bet_after(self, seat: int, press: Press, choices: Sequence[int]) -> int | None:
        """What the dial of the player in that seat, counted from 0, says then; None where it says nothing."""
        return dial_after([*self._touches.get(seat, []), press.kind], choices).bet


# A reading as the journal keeps it, and what people's word for dice means.


def keep_reading(reading: Reading, picture: str, asks: str) -> DiceReading:
    """A reading as the journal keeps it: what was seen, in which picture, and what the box asked about it."""
    return DiceReading(
        picture=picture,
        dice=tuple(
            ReadDie(kind=die.kind, value=die.value, confidence=round(die.confidence, 4), color=die.color)
            for die in reading.dice
        ),
        unsure=tuple(die.reason for die in reading.unsure),
        elapsed_ms=round(reading.elapsed_ms, 1),
        asks=asks,
    )


def meant(word: Corrected, pending: str) -> Rolled | Corrected:
    """The event that people's word for dice is now: of the reading that is asked about it says the roll.

    `pending`: what the box asks about the last reading; "" for nothing. While it asks, another roll raises
    `Refused`.
    """
    if not pending:
        return word
    if word.roll:
        raise Refused(phrase("First answer what is asked about the last throw."))
    return Rolled(dice=word.dice)


def _ignore(_rows: Sequence[Row]) -> None:
    """No detector follows this game."""


class Match:
    """One game between its first bet and its ending."""

    questions_type: ClassVar[type[Questions]] = Questions

    def __init__(
        self,
        journal: Journal,
        game_id: int,
        rulebook: Rulebook,
        start: Position,
        options: Mapping[str, str],
    ) -> None:
        """Use `begin` or `resume`."""
        self._journal = journal
        self.questions = self.questions_type()
        self.rulebook = rulebook
        self.start = start
        """The position before the first event."""
        self._options = options
        self._history = History(start)
        self._viewed = (start, start.view())
        self._shown: GameShown | None = None
        self._lamps: dict[str, bool] | None = None
        self._dials = Dials(start.players)
        self.game_id = game_id
        self.readings = 0
        """How many readings the journal has of this game."""
        self.pending = ""
        """What the box asks about the last reading; empty when it asks nothing."""
        self.asks_sign_off = False
        self.sign_off = SignOff()
        self.message = MessageShown(start.view().news)
        self._listener: Callable[[Sequence[Row]], None] = _ignore

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
        options = name_younger(rulebook, options)
        start = rulebook.start(players, options)
        game_id = journal.begin(rulebook.name, start.players, options, at)
        return cls(journal, game_id, rulebook, start, options)

    @classmethod
    def resume(cls, journal: Journal, game_id: int) -> Self:
        """A game as its journal left it; raises `JournalError`, and `Refused` without its rulebook."""
        record = journal.game(game_id)
        rulebook = find_rulebook(record.game)
        start = start_written(rulebook, record.players, record.options)
        match = cls(journal, game_id, rulebook, start, record.options)
        match._rebuild()
        match.say(match.pending or phrase(GOING_ON, news=match.view.news))
        match.show_question()
        return match

    @property
    def view(self) -> GameView:
        """What anybody may see of the game; made once for each position, however often frames ask."""
        position = self._history.position
        if position is not self._viewed[0]:
            self._viewed = (position, position.view())
        return self._viewed[1]

    @property
    def line(self) -> str:
        """The whole position, secrets included: for the journal and for tests, never for a display."""
        return self._history.position.line()

    @property
    def position(self) -> Position:
        """The position now, secrets included: for the rulebook's own questions, never for a display."""
        return self._history.position

    @property
    def played(self) -> tuple[tuple[GameEvent, Position], ...]:
        """The game as it counts: each event with the position after it."""
        return self._history.played

    @property
    def last_roll(self) -> Rolled | None:
        """The last roll that counts."""
        return self._history.last_roll

    @property
    def can_undo(self) -> bool:
        """Whether an event is left to take back, and may be."""
        return self._history.can_undo and not self.sign_off.closed

    @property
    def in_question(self) -> bool:
        """Whether people are asked about a throw that has not counted."""
        return bool(self.pending) or self.questions.pending is not None

    def subscribe(self, listener: Callable[[Sequence[Row]], None]) -> None:
        """Call `listener` with the rows of each write, once they are durable and taken in."""
        self._listener = listener

    def show(self) -> GameShown:
        """The game for displays, made once after each row; what is asked comes before the rules' choices."""
        if self._shown is None:
            game = game_shown(self.view, self._history, self._options)
            if (asked := self.questions.pending) is not None:
                game = msgspec.structs.replace(game, choices=tuple(map(option_shown, asked.options)))
            answers = answers_shown(self.questions.by_button(self.view))
            game = msgspec.structs.replace(game, answers=answers)
            self._shown = self.questions.add_to(game, self.start, self.played)
        return self._shown

    def lamps(self) -> dict[str, bool]:
        """Which lamps glow: those of the buttons that may be pressed now; made as often as the game."""
        if self._lamps is None:
            keys = [option.key for option in self.questions.by_button(self.view)]
            self._lamps = lamps_shown(self.view, keys, can_undo=self.can_undo or self.in_question)
        return self._lamps

    def press(self, press: Press, at: Moment) -> bool:
        """Take a press of the panel. True when the table is to be read now."""
        row = PressRow(press.button, press.kind)
        for option in self.questions.by_button(self.view):
            if option.key == press.button:
                self.take(option.events, [row, AnswerNote(option.words)], at)
                return False
        match press.button:
            case "roll_done":
                return self._roll_done(row, at)
            case "undo":
                self._undo(row, at)
            case "stop" | "cache" as button:
                self.take((Stop() if button == "stop" else Cache(),), [row], at)
            case _:
                self._touch(press, at)
        return False

    def read(self, reading: Reading, picture: str, at: Moment, word: str = "") -> None:
        """Take what the camera read: a roll if it is one, else something to ask about.

        `word`: what a player says of it.
        """
        wanted = self.view.wanted
        if wanted is None:
            self._refuse(why_no_roll(self.view), [keep_reading(reading, picture, "")], at)
            return
        text = trouble_with(reading, wanted)
        rows: list[Row] = [keep_reading(reading, picture, text), *([AnswerNote(word)] if word else [])]
        if not text:
            self.take((Rolled(dice=as_dice(reading)),), rows, at)
        elif self.keep(rows, at):
            self.say(text, "unsure")

    def doubt(self, seen: Sequence[tuple[Reading, str]], why: MessageShown, at: Moment) -> None:
        """Keep readings that do not count yet, each with its picture's name, and say why; nothing changes."""
        rows = [keep_reading(reading, picture, "") for reading, picture in seen]
        if self.keep([*rows, RefusedNote(why.text)], at):
            self.message = why

    def bet(self, player: str, dots: int, at: Moment) -> bool:
        """Lock a bet made on a phone."""
        return self.take((Bet(player=player, dots=dots),), [], at)

    def choose(self, choice: int, words: str, at: Moment) -> bool:
        """Take one of the answers or choices that are shown, if it still is what the player saw."""
        asked, choices = self.questions.pending, self.view.choices
        offers: list[tuple[str, tuple[Event, ...]]] = [(each.words, (each.event,)) for each in choices]
        if asked is not None:
            offers = [(each.words, each.events) for each in asked.options]
        if not 0 <= choice < len(offers) or offers[choice][0] != words:
            self.say(phrase("That may not be chosen any more. Look again."), "refused")
            return False
        return self.take(offers[choice][1], [AnswerNote(words)] if asked else [], at)

    def foresee(self, event: Event) -> str:
        """What that event would change; raises `Refused` where it cannot be. Nothing is taken.

        Told from what anybody may see before and after it, so no bet that is secret is in it.
        """
        if self.sign_off.closed:
            raise Refused(self.sign_off.closed)
        event = meant(event, self.pending) if isinstance(event, Corrected) else event
        return changed(self.view, self._history.tried(event).view())

    def correct(self, dice: tuple[Die, ...], reason: str, at: Moment, roll: int = 0) -> bool:
        """People say what the dice show: the pending reading, or else that roll; 0 is the last."""
        try:
            event = meant(Corrected(dice=dice, reason=reason, roll=roll), self.pending)
        except Refused as refusal:
            self.say(str(refusal), "refused")
            return False
        return self.take((event,), [CorrectionNote(reason)], at)

    def move(self, events: Sequence[Event], words: str, at: Moment) -> bool:
        """Take what people did with dice and cards on the mat: event by event, until one is refused."""
        rows = [PlacesNote(words)]
        return all(self.take((event,), [] if number else rows, at) for number, event in enumerate(events))

    def refuse(self, text: str, at: Moment) -> None:
        """Say why what lies on the table does not count; nothing changes."""
        self._refuse(text, [PlacesNote()], at)

    def say(self, text: str, tone: Tone = "info") -> None:
        """Say something that is no part of the game's record."""
        self.message = MessageShown(text, tone)

    def show_question(self) -> None:
        """Say what waits for an answer, if anything does."""
        if (asked := self.questions.pending) is not None:
            self.message = show_question(asked)

    def is_secret(self, press: Press) -> bool:
        """Whether the press only turns a player's dial: then nothing that others see may tell of it."""
        seat, players = bet_seat(press.button), self.view.players
        known = seat is not None and seat < len(players)
        return press.kind == "short" and known and self._bets_of(players[seat or 0]) is not None

    def _bets_of(self, player: str) -> tuple[int, ...] | None:
        """What this player may bet now; None where no bet is asked of them."""
        return next((a.choices for a in self.view.allowed if (a.button, a.player) == ("bet", player)), None)

    def _roll_done(self, row: Row, at: Moment) -> bool:
        if self.view.wanted is None or all(each.button != "roll_done" for each in self.view.allowed):
            self._refuse(why_no_roll(self.view), [row], at)
            return False
        return self.keep([row], at)

    def _undo(self, row: Row, at: Moment) -> None:
        """A throw that is asked about has not counted yet: it is taken back first, and nobody else's."""
        if not self.in_question:
            self.take((Undo(),) * self._history.undo_steps, [row], at)
        elif self.keep([row], at):
            self.say(f"{phrase(IN_QUESTION)} {self.view.news}")

    def _touch(self, press: Press, at: Moment) -> None:
        """A BET button: a short press turns the player's dial, a long one locks it."""
        row, seat, players = PressRow(press.button, press.kind), bet_seat(press.button), self.view.players
        if seat is None or seat >= len(players):
            self._refuse(phrase(NOBODY_AT, number=press.button.removeprefix("bet")), [row], at)
            return
        player = players[seat]
        choices = self._bets_of(player)
        if choices is None:
            self._refuse(phrase("{player} has no bet to make now.", player=player), [row], at)
            return
        bet = self._dials.bet_after(seat, press, choices)
        if press.kind == "short":
            self.keep([row], at)
        elif bet is None:
            self._refuse(phrase(HOLD_TO_LOCK, player=player), [row], at)
        else:
            self.take((Bet(player=player, dots=bet),), [row], at)

    def take(self, events: Sequence[Event], rows: Sequence[Row], at: Moment) -> bool:
        """Ask the rulebook, then the journal, then show it.

        Events that count together: all of them or none. `rows` say how they came about, and are kept also
        where the rulebook refuses.
        """
        if self.sign_off.closed:
            self._refuse(self.sign_off.closed, rows, at)
            return False
        before, undone = self.view, taken_back(self._history)
        for number, event in enumerate(events):
            try:
                self._history.take(event)
            except Refused as refusal:
                if number:
                    self._rebuild()
                self._refuse(str(refusal), rows, at)
                return False
        view = self.view
        ended = view.ending.cause if view.ending else "" if before.ending else None
        signing = [SignOffNote("asked")] if self.asks_sign_off and view.ending and not before.ending else []
        if not self.keep([*rows, *map(EventRow, events), *signing], at, ended=ended):
            return False
        news = news_of(events, undone, before, view, sign_it=bool(signing))
        message = MessageShown(news, "good" if view.ending else "info")
        self.message = self.questions.worded(message, view)
        return True

    def keep(self, rows: Sequence[Row], at: Moment, ended: str | None = None) -> bool:
        """Make rows durable; when the disk does not take them, go back to what it holds."""
        try:
            self._journal.append(self.game_id, rows, at, ended=ended)
        except JournalError as error:
            self._rebuild()
            self.say(str(error), "alarm")
            return False
        for row in rows:
            self._follow(row, at.iso)
        self._listener(rows)
        return True

    def _refuse(self, text: str, rows: Sequence[Row], at: Moment) -> None:
        if not rows or self.keep([*rows, RefusedNote(text)], at):
            self.say(text, "refused")

    def _rebuild(self) -> None:
        """All there is to know of the game, from the journal alone."""
        history = History(self.start)
        self.pending, self.readings, self.sign_off = "", 0, SignOff()
        self._dials.forget()
        self.questions.forget()
        for entry in self._journal.rows(self.game_id):
            match entry.row:
                case EventRow(event=event):
                    try:
                        history.take(event)
                    except Refused as refused:
                        raise RowNotUnderstood(self.game_id, entry.seq, str(refused)) from refused
                case UnknownRow(why=why):
                    raise RowNotUnderstood(self.game_id, entry.seq, why)
                case _:
                    pass
            self._follow(entry.row, entry.at)
        self._history = history
        self._shown = self._lamps = None

    def _follow(self, row: Row, at: str) -> None:
        """What a row says beside the event that it may be."""
        self._shown = self._lamps = None
        self.sign_off = signed_after(self.sign_off, row, at)
        match row:
            case EventRow() | PressRow(button="undo"):
                self.pending = ""
            case DiceReading(asks=asks):
                self.readings += 1
                self.pending = asks or self.pending
            case LandingReading():
                self.readings += 1
            case _:
                pass
        self._dials.follow(row)
        self.questions.follow(row)

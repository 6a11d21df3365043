"""One game at the table: presses, readings and corrections in; durable events and a public view out.

How it works. Whatever a person or the camera does becomes rows of the journal, and the rows are committed
before anything of their effect can be seen: first the rulebook is asked, then the journal writes, then the
new position is shown. When the journal cannot write (a full disk), the position goes back to what the journal
holds, so that nothing is ever shown that a power cut could take back.

A reading that is no proper roll (a die too many, one that cannot be read) waits as `pending`: the players say
what the dice show, or throw again. The box never guesses.

No thread, no clock, no file of its own: time and journal are passed in.
"""

from collections.abc import Mapping, Sequence
from typing import Self

from device.journal import Journal, JournalError, Moment, Row
from device.panel import Press, PressKind, dial_after
from device.showing import game_shown
from device.snapshot import GameShown, MessageShown, Tone
from device.words import as_dice, join_words, trouble_with
from engine import wire
from engine.dice import Die
from engine.events import Bet, Cache, Corrected, Event, GameEvent, Rolled, Stop, Undo
from engine.game import GameView, Position, Rulebook
from engine.history import History
from engine.refusal import Refused
from engine.rulebooks import rulebook as find_rulebook
from engine.seating import seat_of
from vision.reading import Reading


class Match:
    """One game between its first bet and its ending."""

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
        self._rulebook = rulebook
        self._start = start
        self._options = options
        self._history = History(start)
        self._viewed = (start, start.view())
        self._touches: dict[int, list[PressKind]] = {}
        self.game_id = game_id
        self.pending = ""
        """What the box asks about the last reading; empty when it asks nothing."""
        self.message = MessageShown(start.view().news)

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
        start = rulebook.start(players, options)
        game_id = journal.begin(rulebook.name, start.players, options, at)
        return cls(journal, game_id, rulebook, start, options)

    @classmethod
    def resume(cls, journal: Journal, game_id: int) -> Self:
        """A game as its journal left it."""
        record = journal.game(game_id)
        rulebook = find_rulebook(record.game)
        start = rulebook.start(record.players, record.options)
        match = cls(journal, game_id, rulebook, start, record.options)
        match._rebuild()
        match._say(match.pending or f"Going on where the journal left off. {match.view.news}")
        return match

    @property
    def rulebook(self) -> Rulebook:
        """The game that is played."""
        return self._rulebook

    @property
    def readings(self) -> int:
        """How many readings the journal has of this game."""
        return sum(entry.kind == "reading" for entry in self._journal.rows(self.game_id))

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
    def start(self) -> Position:
        """The position before the first event."""
        return self._start

    @property
    def position(self) -> Position:
        """The position now, secrets included: for the rulebook's own questions, never for a display."""
        return self._history.position

    @property
    def played(self) -> tuple[tuple[GameEvent, Position], ...]:
        """The game as it counts: each event with the position after it."""
        return self._history.played

    @property
    def can_undo(self) -> bool:
        """Whether an event is left to take back."""
        return self._history.can_undo

    def shown(self) -> GameShown:
        """The game for displays."""
        return game_shown(self.view, self._history.last_roll, self._options)

    def lamps(self) -> dict[str, bool]:
        """Which lamps glow: those of the buttons that may be pressed now."""
        view = self.view
        may = {(each.button, each.player) for each in view.allowed}
        buttons = {button for button, _ in may}
        lamps = {f"bet{seat + 1}": ("bet", player) in may for seat, player in enumerate(view.players)}
        return lamps | {
            "stop": "stop" in buttons,
            "cache": "cache" in buttons,
            "roll_done": "roll_done" in buttons,
            "undo": self.can_undo,
        }

    def press(self, press: Press, at: Moment) -> bool:
        """Take a press of the panel. True when the table is to be read now."""
        row = Row("press", {"button": press.button, "kind": press.kind})
        match press.button:
            case "roll_done":
                return self._roll_done(row, at)
            case "undo":
                self._take(Undo(), [row], at)
            case "stop":
                self._take(Stop(), [row], at)
            case "cache":
                self._take(Cache(), [row], at)
            case _:
                self._touch(press, at)
        return False

    def read(self, reading: Reading, picture: str, at: Moment) -> None:
        """Take what the camera read: a roll if it is one, else something to ask about."""
        wanted = self.view.wanted
        if wanted is None:
            self._refuse(_no_roll(self.view), [Row("reading", reading_body(reading, picture, ""))], at)
            return
        text = trouble_with(reading, wanted)
        row = Row("reading", reading_body(reading, picture, text))
        if not text:
            self._take(Rolled(dice=as_dice(reading)), [row], at)
            return
        if self._keep([row], at):
            self.pending = text
            self._say(text, "unsure")

    def bet(self, player: str, dots: int, at: Moment) -> bool:
        """Lock a bet made on a phone."""
        return self._take(Bet(player=player, dots=dots), [], at)

    def choose(self, choice: int, words: str, at: Moment) -> bool:
        """Take one of the view's choices, if it still is what the player saw."""
        choices = self.view.choices
        if not 0 <= choice < len(choices) or choices[choice].words != words:
            self._say("That may not be chosen any more. Look again.", "refused")
            return False
        return self._take(choices[choice].event, [], at)

    def correct(self, dice: tuple[Die, ...], reason: str, at: Moment) -> bool:
        """People say what the dice show: the pending reading, or else the last roll."""
        note = Row("note", {"said": "correction", "reason": reason})
        if self.pending:
            return self._take(Rolled(dice=dice), [note], at)
        return self._take(Corrected(dice=dice, reason=reason), [note], at)

    def move(self, events: Sequence[Event], words: str, at: Moment) -> bool:
        """Take what people did with dice and cards on the mat: event by event, until one is refused."""
        rows = [Row("note", {"said": "places", "text": words})]
        return all(self._take(event, [] if number else rows, at) for number, event in enumerate(events))

    def refuse(self, text: str, at: Moment) -> None:
        """Say why what lies on the table does not count; nothing changes."""
        self._refuse(text, [Row("note", {"said": "places"})], at)

    def say(self, text: str, tone: Tone = "info") -> None:
        """Say something that is no part of the game's record."""
        self._say(text, tone)

    def _roll_done(self, row: Row, at: Moment) -> bool:
        view = self.view
        if view.wanted is None or not any(each.button == "roll_done" for each in view.allowed):
            self._refuse(_no_roll(view), [row], at)
            return False
        return self._keep([row], at)

    def _touch(self, press: Press, at: Moment) -> None:
        """A BET button: a short press turns the player's dial, a long one locks it."""
        row = Row("press", {"button": press.button, "kind": press.kind})
        seat = bet_seat(press.button)
        players = self.view.players
        if seat is None or seat >= len(players):
            self._refuse(f"Nobody plays at BET {press.button.removeprefix('bet')}.", [row], at)
            return
        player = players[seat]
        choices = next(
            (a.choices for a in self.view.allowed if a.button == "bet" and a.player == player), None
        )
        if choices is None:
            self._refuse(f"{player} has no bet to make now.", [row], at)
            return
        touches = [*self._touches.get(seat, []), press.kind]
        dial = dial_after(touches, choices)
        if press.kind == "short":
            if self._keep([row], at):
                self._touches[seat] = touches
        elif dial.bet is None:
            self._refuse(f"{player}: press to choose a bet, then hold to lock it.", [row], at)
        else:
            self._take(Bet(player=player, dots=dial.bet), [row], at)

    def _take(self, event: Event, rows: list[Row], at: Moment) -> bool:
        """Ask the rulebook, then the journal, then show it."""
        return self._take_all((event,), rows, at)

    def _take_all(self, events: Sequence[Event], rows: list[Row], at: Moment) -> bool:
        """The same for events that count together: all of them or none."""
        was_over = self.view.ending is not None
        for number, event in enumerate(events):
            try:
                self._history.take(event)
            except Refused as refusal:
                if number:
                    self._rebuild()
                self._refuse(str(refusal), rows, at)
                return False
        view = self._history.position.view()
        ended = view.ending.cause if view.ending else "" if was_over else None
        told = [Row("event", wire.event_object(event)) for event in events]
        if not self._keep([*rows, *told], at, ended=ended):
            return False
        self.pending = ""
        for event in events:
            self._forget_touches(event)
        news = f"Taken back. {view.news}" if isinstance(events[-1], Undo) else view.news
        self._say(news, "good" if view.ending else "info")
        return True

    def _forget_touches(self, event: Event) -> None:
        """A locked bet empties that player's dial; any other event empties them all."""
        if isinstance(event, Bet):
            self._touches.pop(seat_of(self._start.players, event.player, ""), None)
        else:
            self._touches.clear()

    def _keep(self, rows: list[Row], at: Moment, ended: str | None = None) -> bool:
        """Make rows durable; when the disk does not take them, go back to what it holds."""
        try:
            self._journal.append(self.game_id, rows, at, ended=ended)
        except JournalError as error:
            self._rebuild()
            self._say(str(error), "alarm")
            return False
        return True

    def _refuse(self, text: str, rows: list[Row], at: Moment) -> None:
        if not rows or self._keep([*rows, Row("note", {"said": "refused", "text": text})], at):
            self._say(text, "refused")

    def _say(self, text: str, tone: Tone = "info") -> None:
        self.message = MessageShown(text, tone)

    def _rebuild(self) -> None:
        """Position, dials and pending reading from the journal alone."""
        history = History(self._start)
        self._touches = {}
        self.pending = ""
        for entry in self._journal.rows(self.game_id):
            match entry.kind:
                case "event":
                    event = wire.event_of(dict(entry.body))
                    history.take(event)
                    self.pending = ""
                    self._forget_touches(event)
                case "press" if (
                    entry.body["kind"] == "short" and (seat := bet_seat(entry.body["button"])) is not None
                ):
                    self._touches.setdefault(seat, []).append("short")
                case "reading" if entry.body["asks"]:
                    self.pending = entry.body["asks"]
                case "press" | "reading" | "note":
                    pass
        self._history = history


def bet_seat(button: str) -> int | None:
    """The seat of a BET button, 0 for BET 1; None for any other button."""
    return int(button.removeprefix("bet")) - 1 if button.startswith("bet") else None


def reading_body(reading: Reading, picture: str, asks: str) -> dict[str, object]:
    """A reading as the journal keeps it: what was seen, in which picture, and what the box asked about it."""
    return {
        "picture": picture,
        "dice": [
            {"kind": die.kind, "value": die.value, "confidence": round(die.confidence, 4), "color": die.color}
            for die in reading.dice
        ],
        "unsure": [die.reason for die in reading.unsure],
        "elapsed_ms": round(reading.elapsed_ms, 1),
        "asks": asks,
    }


def _no_roll(view: GameView) -> str:
    if view.ending:
        return "The game is over: no roll counts any more."
    if any(each.button == "bet" for each in view.allowed):
        waiting = join_words([each.player for each in view.allowed if each.button == "bet"])
        return f"Not yet: {waiting} still {'bets' if ' and ' not in waiting else 'bet'}."
    return "No roll is due now."

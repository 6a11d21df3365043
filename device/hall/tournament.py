"""A tournament goes on over the tables of a hall: players are called, games are followed, results flow in.

How it works. Whatever happens is a row of some box's journal, an answer of a table or a word of the
organiser; each is in the ledger before `look` goes through them all, in one write, and comes to what is to be
so now. So it does not matter in which order things come, how often, or when the desk was killed in between.

A game counts for a match only by the call that it carries from its first row on, and only if it came from the
box that was called, with the game and the players for whom it was.
"""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from device.hall.calls import CallBook, HallCall
from device.hall.hall_cup import HallCupShown, OpenMatch, TableNow, assign, show_cup
from device.hall.ledger import Ledger, LedgerBroken
from device.hall.results import read_game
from device.journal.outbox import HeldGame
from device.journal.records import GameRecord
from device.reports.gathering import LeftOut
from device.tournaments.book import TournamentBook
from device.tournaments.called import CallTold
from engine.tournament import BracketMatch
from engine.wording import phrase

AGAIN_S = 10.0
"""How often a box is told what it has not answered."""


class HallTournament:
    """The newest tournament of a desk. One thread calls `look`; what pages see is asked from any."""

    def __init__(
        self,
        ledger: Ledger,
        tables: Callable[[], Sequence[TableNow]],
        say: Callable[[str, CallTold], bool],
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """`tables`: as they are now. `say` tells a box something; False where that cannot be now."""
        self._ledger, self._tables, self._say, self._now = ledger, tables, say, now
        self.calls = CallBook(ledger)
        self._followed: dict[int, HeldGame] = {}
        """How much of each call's game was looked at."""
        self._remarks: dict[int, str] = {}
        """What is to be said of a call, in a sentence."""
        self._said: dict[str, tuple[int, float]] = {}
        """Which number each box was told last, and when."""
        self.shown = HallCupShown()
        """As pages show it."""

    def look(self, now_s: float) -> None:
        """Go through what is new, and tell boxes what is due. Raises `LedgerBroken`; then nothing changed."""
        if not self.calls.newest():
            return
        tables = self._tables()
        try:
            with self._ledger.kept():
                book = self.calls.book()
                calls = self._settle(book, tables)
                to_tell = self.calls.to_tell(book.kept, calls)
        except LedgerBroken:
            self._followed.clear()
            raise
        self._show(book, calls, tables)
        online = {each.id for each in tables if each.online}
        for each in to_tell:
            number, said_s = self._said.get(each.box, (0, float("-inf")))
            anew = number != each.told.number or now_s >= said_s + AGAIN_S
            if each.due and anew and each.box in online and self._say(each.box, each.told):
                self._said[each.box] = each.told.number, now_s

    def _settle(self, book: TournamentBook, tables: Sequence[TableNow]) -> list[HallCall]:
        cup = book.number
        if book.kept is not None and not book.kept.closed:
            for call in self.calls.calls(cup):
                self._follow(book, call)
            self._take_back_what_changed(book, tables)
            self._assign(book, tables)
        calls = self.calls.calls(cup)
        self.calls.renumber(calls)
        return calls

    # What was played

    def _follow(self, book: TournamentBook, call: HallCall) -> None:
        """What has become of a call, by the rows that are held."""
        if call.standing == "refused" or (call.standing == "over" and not book.match_of(call.number)):
            return
        game = self.calls.game_of(call)
        if not game:
            return
        held = self._ledger.held(call.box)[game]
        if self._followed.get(call.number) == held and call.standing != "called":
            return
        self._followed[call.number] = held
        record = next(each for each in self._ledger.records(call.box) if each.id == game)
        if not self._is_meant(book, call, record.game, record.players):
            return
        if call.standing == "called":
            book.begun(call.match, call.number, "")
        if call.standing == "called" or call.game != game:
            self.calls.stand(call, "begun", game=game)
        if record.ended is not None and book.match_of(call.number) == call.match:
            self._result(book, call, record)

    def _is_meant(self, book: TournamentBook, call: HallCall, game: str, players: tuple[str, ...]) -> bool:
        """Whether that game is what the call was for; if not, it is said why it does not count."""
        assert book.kept is not None  # noqa: S101 - see `_settle`
        if call.standing == "back":
            self._remarks[call.number] = phrase(
                "Match {number} was begun although the call was taken back. It does not count there.",
                number=call.match,
            )
            return False
        if game != book.kept.agreed.game or set(players) != set(call.players):
            self._remarks[call.number] = phrase(
                "The game that was begun for match {number} is another one, or others play it. It does not "
                "count.",
                number=call.match,
            )
            return False
        return True

    def _result(self, book: TournamentBook, call: HallCall, record: GameRecord) -> None:
        """What the game came to, once it counts."""
        self._remarks.pop(call.number, None)
        game = read_game(self._ledger, call.box, record)
        if isinstance(game, LeftOut):
            self._remarks[call.number] = game.why
            return
        if game.sign_off.waits:
            self._remarks[call.number] = phrase(
                "The result of match {number} waits for the referee's sign-off.", number=call.match
            )
            return
        winners = game.ending.winners if game.ending else ()
        book.trouble = ""
        book.follow(call.number, winners, tuple(zip(record.players, game.scores, strict=True)))
        if book.trouble:
            self._remarks[call.number] = book.trouble
            self._followed.pop(call.number, None)  # once the organiser has made room it flows in
        self.calls.stand(call, "over", game=record.id)

    # Who is called where

    def _take_back_what_changed(self, book: TournamentBook, tables: Sequence[TableNow]) -> None:
        """Calls for which there is no reason any more: the bracket has changed, or the box was revoked."""
        ready = {each.number: each.players for each in _ready(book)}
        there = {each.id for each in tables}
        for call in self.calls.calls(book.number):
            if call.standing == "called" and (ready.get(call.match) != call.players or call.box not in there):
                self.calls.stand(call, "back")

    def _assign(self, book: TournamentBook, tables: Sequence[TableNow]) -> None:
        """Call players for each match that may be played, as far as tables are free."""
        calls = self.calls.calls(book.number)
        standing = [each for each in calls if each.stands]
        held = {*self.calls.held(book.number), *(each.match for each in standing)}
        taken = {each.box for each in standing}
        named = {name.casefold() for name in self.calls.tables(book.number)}
        refused = refusing(calls)
        waiting = [
            OpenMatch(each.number, each.players, refused.get(each.number, frozenset()))
            for each in _ready(book)
            if each.number not in held
        ]
        free = [
            each for each in tables if each.id not in taken and (not named or each.name.casefold() in named)
        ]
        busy = [name for each in standing for name in each.players]
        at = self._now().isoformat(timespec="milliseconds").replace("+00:00", "Z")
        for each in assign(waiting, free, busy):
            self.calls.call(book.number, each.match.number, each.table.id, each.match.players, at)

    # What is shown

    def _show(self, book: TournamentBook, calls: Sequence[HallCall], tables: Sequence[TableNow]) -> None:
        if book.kept is None:
            return
        names = {each.id: each.name for each in self._ledger.boxes()}
        online = frozenset(each.id for each in tables if each.online)
        heard = frozenset(
            each.told.call.id
            for each in self.calls.to_tell(book.kept, calls)
            if not each.due and each.told.call is not None
        )
        made = show_cup(book, calls, names, online, heard, self._remarks)
        if made != self.shown.as_before(made):
            made = made.as_after(self.shown)
            self.shown = made


def refusing(calls: Sequence[HallCall]) -> dict[int, frozenset[str]]:
    """By match, the tables that refused it since it was last called by hand or taken back."""
    found: dict[int, frozenset[str]] = {}
    for each in calls:
        if each.standing == "back":
            found[each.match] = frozenset()
        elif each.standing == "refused":
            found[each.match] = found.get(each.match, frozenset()) | {each.box}
    return found


def _ready(book: TournamentBook) -> list[BracketMatch]:
    """The matches that may be played now."""
    kept = book.kept
    if kept is None or kept.closed:
        return []
    return [each for each in kept.matches if each.ready]

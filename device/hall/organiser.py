"""What the organiser does with a tournament over the tables of a hall: each is kept before it is said.

The desk need not run. One that runs sees it within a second, calls players and tells the boxes. Whoever acts
by a page says what they saw there: where others have changed it meanwhile, nothing is done.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime

from device.hall.ledger import KnownBox, Ledger
from device.hall.tournament import CallBook, GameResult, HallCall, one_winner, read_result
from device.reports.gathering import LeftOut
from device.tournaments import TournamentBook, utc_text
from engine.refusal import Refused
from engine.tournament import Lot, TournamentAgreed
from engine.wording import phrase, phrase_later

CHANGED = phrase_later("Match {number} has changed meanwhile: look at it again. Nothing was done.")


class Organiser:
    """Somebody at the desk; each method raises `Refused` and `LedgerBroken`, and then nothing has changed."""

    def __init__(
        self,
        ledger: Ledger,
        by: str = "",
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        cup: int | None = None,
    ) -> None:
        """`by`: who it is, as it is kept; "" for the organiser. `cup`: the tournament that is meant; None for
        the newest."""
        self._ledger, self._now, self._cup = ledger, now, cup
        self._by = by or phrase("the organiser")
        self._calls = CallBook(ledger)

    def draw(self, agreed: TournamentAgreed, tables: Sequence[str] = (), lot: Lot | None = None) -> None:
        """Draw a new tournament, to be played at these tables alone or, if none is named, at all.

        `lot`: the chance by which it is drawn; None for players in the order in which they are named.
        """
        with self._changing() as book:
            known = [self._box(name).name for name in tables]
            book.draw(agreed, lot)
            self._calls.set_tables(book.number, known)

    def call(self, match: int, table: str | None = None, seen_at: str | None = None) -> None:
        """Have a match called: at that table, whoever plays there, or at the next that is free.

        A table to which its players were called before is told that they do not come, and a game that was
        begun there does not count. `seen_at`: the table to which it was called, as far as was known ("" for
        none); None for whatever is so.
        """
        with self._changing() as book:
            found = book.match_to_begin(match)
            box = self._box(table) if table else None
            calls = self._calls.calls(book.number)
            self._check_table(calls, match, seen_at)
            other = next((each for each in calls if box and each.box == box.id and each.stands), None)
            if other is not None and other.match == match:
                raise Refused(
                    phrase("Match {number} is called to {table} already.", number=match, table=table)
                )
            if other is not None:
                raise Refused(
                    phrase(
                        "Match {number} is called to {table}. Call that one to another table first.",
                        number=other.match,
                        table=table,
                    )
                )
            for each in calls:
                if each.match == match and each.standing in ("called", "begun", "refused"):
                    self._calls.set_standing(each, "back")
            self._calls.set_held(book.number, {*self._calls.held(book.number)} - {match})
            if box is not None:
                self._calls.call(book.number, match, box.id, found.players, utc_text(self._now()))

    def take_call_back(self, match: int, seen_at: str | None = None) -> None:
        """Have nobody called for that match until `call`."""
        with self._changing() as book:
            book.match_to_begin(match)
            self._check_table(self._calls.calls(book.number), match, seen_at)
            self._take_calls_back(book, {match})
            self._calls.set_held(book.number, {*self._calls.held(book.number), match})

    def withdraw(self, player: str, reason: str) -> None:
        """Have a player play no more; a game of theirs that is played now does not count."""
        with self._changing() as book:
            book.withdraw(player, reason)
            self._take_calls_back(book, {each.number for each in book.going.matches if each.winner})

    def bring_back(self, player: str) -> None:
        """Have a player who withdrew play again."""
        with self._changing() as book:
            book.bring_back(player)

    def take_back(self, match: int, reason: str, seen: int | None = None) -> None:
        """Have a match not count, and be called again. `seen`: how many of its steps were known."""
        with self._changing() as book:
            _check_steps(book, match, seen)
            book.take_back(match, reason)
            self._take_calls_back(book, {match})

    def rule(
        self, match: int, winner: str, scores: Sequence[tuple[str, int]], reason: str, seen: int | None = None
    ) -> None:
        """Decide a match: after a dispute, whatever its game says, or where no game can tell."""
        with self._changing() as book:
            _check_steps(book, match, seen)
            book.rule(match, winner, scores, reason)
            self._take_calls_back(book, {match})

    def sign(self, match: int, winner: str, seen: int | None = None) -> None:
        """Sign off that this player has won: a result that counts, or one that waits at its table."""
        with self._changing() as book:
            _check_steps(book, match, seen)
            winner = book.going.player(winner)
            calls = self._calls.calls(book.number)
            call = next((each for each in calls if each.stands and each.match == match), None)
            result = self._waiting(call) if call else None
            if call is not None and result is not None and one_winner(result.winners) == winner:
                book.add_result(call.number, result.winners, result.scores)
            if book.going.so_far.winners.get(match, winner) != winner:
                raise Refused(phrase(CHANGED, number=match))
            book.sign(match)

    def close(self) -> None:
        """End the tournament; another may be drawn."""
        with self._changing() as book:
            book.close()
            self._take_calls_back(book)

    @contextmanager
    def _changing(self) -> Iterator[TournamentBook]:
        """The newest tournament; what is changed inside is stored, or none of it is."""
        with self._ledger.transaction():
            book = self._calls.book(self._by)
            if self._cup is not None and self._cup != book.number:
                raise Refused(phrase("Another tournament was drawn meanwhile. Reload the page."))
            yield book

    def _waiting(self, call: HallCall) -> GameResult | None:
        """What a call's game came to that waits for a sign-off at its table; None for nothing."""
        record = next((each for each in self._ledger.records(call.box) if each.id == call.game), None)
        if record is None or record.ended is None:
            return None
        result = read_result(self._ledger, call, record)
        return None if isinstance(result, LeftOut) or not result.waits else result

    def _check_table(self, calls: Sequence[HallCall], match: int, seen_at: str | None) -> None:
        """Refuse what is done about a call that is another by now; raises `Refused`."""
        names = {each.id: each.name for each in self._ledger.boxes()}
        now = next((names[each.box] for each in calls if each.stands and each.match == match), "")
        if seen_at is not None and seen_at != now:
            raise Refused(phrase(CHANGED, number=match))

    def _take_calls_back(self, book: TournamentBook, matches: Collection[int] | None = None) -> None:
        """Take back the calls that stand for these matches; None for all."""
        for each in self._calls.calls(book.number):
            if each.stands and (matches is None or each.match in matches):
                self._calls.set_standing(each, "back")

    def _box(self, name: str) -> KnownBox:
        known = " ".join(name.split()).casefold()
        boxes = [each for each in self._ledger.boxes() if not each.revoked]
        found = next((each for each in boxes if each.name.casefold() == known), None)
        if found is None:
            raise Refused(
                phrase(
                    "There is no table {name}. There are: {tables}.",
                    name=name,
                    tables=", ".join(each.name for each in boxes) or "-",
                )
            )
        return found


def _check_steps(book: TournamentBook, match: int, seen: int | None) -> None:
    """Refuse what is done by an older picture of a match; raises `Refused`."""
    if seen is not None and seen != book.going.so_far.steps.get(match, 0):
        raise Refused(phrase(CHANGED, number=match))

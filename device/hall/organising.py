"""What the organiser does with a tournament, at the desk's keyboard: each is kept before it is said.

The desk need not run. One that runs sees it within a second, calls players and tells the boxes.
"""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from device.hall.calls import CallBook, HallCall
from device.hall.ledger import KnownBox, Ledger
from device.tournaments.book import TournamentBook
from device.tournaments.steps import TournamentAgreed
from engine.refusal import Refused
from engine.wording import phrase


class Organiser:
    """Somebody at the desk; each method raises `Refused` and `LedgerBroken`, and then nothing has changed."""

    def __init__(
        self, ledger: Ledger, by: str = "", now: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> None:
        """`by`: who it is, as it is kept; "" for the organiser."""
        self._ledger, self._now = ledger, now
        self._by = by or phrase("the organiser")
        self._calls = CallBook(ledger)

    def draw(self, agreed: TournamentAgreed, tables: Sequence[str] = ()) -> None:
        """A new tournament, at these tables alone or, if none is named, at all."""
        with self._ledger.kept():
            known = [self._box(name).name for name in tables]
            book = self._calls.book()
            book.draw(agreed, self._by)
            self._calls.keep_tables(book.number, known)

    def call(self, match: int, table: str | None = None) -> None:
        """Have a match called: at that table, whoever plays there, or at the next that is free.

        A table to which its players were called before is told that they do not come, and a game that was
        begun there does not count.
        """
        with self._ledger.kept():
            book = self._calls.book()
            found = book.to_begin(match)
            box = self._box(table) if table else None
            calls = self._calls.calls(book.number)
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
                    self._calls.stand(each, "back")
            held = {each for each in self._calls.held(book.number) if each != match}
            self._calls.hold(book.number, sorted(held))
            if box is not None:
                at = self._now().isoformat(timespec="milliseconds").replace("+00:00", "Z")
                self._calls.call(book.number, match, box.id, found.players, at)

    def take_call_back(self, match: int) -> None:
        """Nobody is called for that match until `call`."""
        with self._ledger.kept():
            book = self._calls.book()
            book.to_begin(match)
            for each in self._standing(book, match):
                self._calls.stand(each, "back")
            self._calls.hold(book.number, [*self._calls.held(book.number), match])

    def withdraw(self, player: str, reason: str) -> None:
        """Somebody plays no more; a game of theirs that is played now does not count."""
        with self._ledger.kept():
            book = self._calls.book()
            book.withdraw(player, reason, self._by)
            made = book.kept.matches if book.kept else ()
            decided = {each.number for each in made if each.winner}
            for each in self._calls.calls(book.number):
                if each.stands and each.match in decided:
                    self._calls.stand(each, "back")

    def bring_back(self, player: str) -> None:
        """Somebody who withdrew plays again."""
        with self._ledger.kept():
            self._calls.book().bring_back(player, self._by)

    def take_back(self, match: int, reason: str) -> None:
        """A match does not count, and is called again."""
        with self._ledger.kept():
            book = self._calls.book()
            book.take_back(match, reason, self._by)
            for each in self._standing(book, match):
                self._calls.stand(each, "back")

    def close(self) -> None:
        """The tournament is over; another may be drawn."""
        with self._ledger.kept():
            book = self._calls.book()
            book.close(self._by)
            for each in self._calls.calls(book.number):
                if each.stands:
                    self._calls.stand(each, "back")

    def _standing(self, book: TournamentBook, match: int) -> list[HallCall]:
        calls = self._calls.calls(book.number)
        return [each for each in calls if each.match == match and each.stands]

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

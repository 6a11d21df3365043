"""A tournament at the table: it is drawn, its matches are begun, and what their games come to flows in."""

from collections.abc import Callable

from device.games.parts import Parts
from device.journal import GameId
from device.match import Match
from device.tournaments.book import TournamentAgreed
from device.tournaments.view import TournamentShown, show_tournament
from engine.refusal import Refused
from engine.wording import phrase

Start = Callable[[str, tuple[str, ...], dict[str, str]], GameId]
"""Begins a game; returns its number, and raises `Refused`."""


class TournamentDesk:
    """The tournament of one table. Not for several threads: the table is the only caller."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._book = parts.tournaments
        self._shown: TournamentShown | None = None

    @property
    def changes(self) -> int:
        """Counts what pages have to ask for anew; 0 where none was drawn."""
        return self._book.changes

    def shown(self) -> TournamentShown:
        """The newest tournament; made once until something changes."""
        book = self._book
        if book.kept is None:
            return TournamentShown(changes=book.changes)
        if self._shown is None or self._shown.changes != book.changes:
            self._shown = show_tournament(book.kept, book.number, book.changes, book.trouble)
        return self._shown

    def match_words(self, game_id: GameId | None) -> str:
        """Which match that game is: "Match 3 of Autumn Cup"; "" for none."""
        number = self._book.match_of(game_id)
        return (
            phrase("Match {number} of {title}", number=number, title=self._book.kept.agreed.title)
            if number and self._book.kept
            else ""
        )

    def draw(self, agreed: TournamentAgreed) -> None:
        """A new tournament; raises `Refused`."""
        self._book.draw(agreed, self._by)

    def begin(self, number: int, start: Start) -> None:
        """Begin a match with its players; raises `Refused`."""
        match = self._book.to_begin(number)
        before = self._book.game_of(number)
        if before is not None and self._parts.journal.game(before).ended is None:
            raise Refused(
                phrase(
                    "Match {number} was begun as game {before}. Go on with that one, or abandon it.",
                    number=number,
                    before=before,
                )
            )
        kept = self._book.kept
        assert kept is not None  # noqa: S101 - `to_begin` has found it
        game_id = start(kept.agreed.game, match.players, dict(kept.agreed.options))
        self._book.begun(number, game_id, self._by)

    def take_back(self, number: int, reason: str) -> None:
        """A match does not count; raises `Refused`."""
        self._book.take_back(number, reason, self._by)

    def close(self) -> None:
        """The tournament is over; raises `Refused`."""
        self._book.close(self._by)

    def follow(self, match: Match) -> None:
        """A game is over at a table at which nobody signs: its result counts at once."""
        ending = match.view.ending
        if ending is not None and not match.sign_off.standing:
            scores = tuple(zip(match.view.players, match.view.scores, strict=True))
            self._book.follow(match.game_id, ending.winners, scores)

    @property
    def _by(self) -> str:
        heard = self._parts.journal.heard
        return heard.words if heard else ""

"""What people do with results, and with the tournament that they feed: done in the table's thread."""

from collections.abc import Mapping, Sequence

from device.table.table import Table
from device.tournaments.called import MatchCall
from device.tournaments.shown import TournamentShown
from device.tournaments.steps import TournamentAgreed
from engine.refusal import Refused
from engine.wording import phrase


class Afterwards:
    """One table's; each method but `tournament` returns why not, or ""."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._signing = table.results.signing
        self._tournament = table.results.tournament
        self._called = table.results.called

    def sign_off(self, game_id: int) -> str:
        """The referee signs the result of a game off."""
        return self._table.done(lambda: self._signing.sign(self._table.play, game_id))

    def open_again(self, game_id: int, reason: str) -> str:
        """The result of a game is opened again, and the game is at the table."""

        def do() -> None:
            self._table.bring(self._signing.open_again(self._table.play, game_id, reason, self._table.alarm))

        return self._table.done(do)

    def tournament(self) -> TournamentShown:
        """The newest tournament."""
        return self._tournament.shown()

    def draw(self, agreed: TournamentAgreed) -> str:
        """A new tournament."""
        return self._table.done(lambda: self._tournament.draw(agreed))

    def begin_match(self, number: int) -> str:
        """Begin a match of the tournament with its players."""
        return self._table.done(lambda: self._tournament.begin(number, self._start))

    def take_match_back(self, number: int, reason: str) -> str:
        """A match of the tournament does not count."""
        return self._table.done(lambda: self._tournament.take_back(number, reason))

    def close(self) -> str:
        """The tournament is over."""
        return self._table.done(self._tournament.close)

    def begin_call(self, call_id: str) -> str:
        """The players whom the hall's desk has called begin."""

        def start(call: MatchCall) -> int:
            return self._start(call.game, call.players, dict(call.options))

        return self._table.done(lambda: self._called.begin(call_id, start))

    def refuse_call(self, call_id: str, why: str) -> str:
        """The table does not take them."""
        return self._table.done(lambda: self._called.refuse(call_id, why))

    def _start(self, game: str, players: Sequence[str], options: Mapping[str, str]) -> int:
        """Begin a game; returns its number, and raises `Refused`."""
        why, play = self._table.start(game, players, options), self._table.play
        if why or play is None:
            raise Refused(why or phrase("The game was not begun."))
        return play.match.game_id

"""What games come to: sign-offs, the tournament that they feed, and what of both is shown."""

from collections.abc import Callable
from dataclasses import dataclass

from device.games.called import CalledHere
from device.games.parts import Parts
from device.games.signing import Signing
from device.games.tournament import TournamentDesk
from device.journal import GameRecord
from device.match import Match
from device.match.showing import sign_off_shown
from device.shown.snapshot import PutAwayShown, SignOffShown, VenueCallShown


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultsShown:
    """What pages see of it."""

    sign_off: SignOffShown | None = None
    unsigned: tuple[PutAwayShown, ...] = ()
    tournament: int = 0
    match: str = ""
    call: VenueCallShown | None = None


NO_RESULTS = ResultsShown()


class Results:
    """The results of one table's games. Not for several threads: the table is the only caller."""

    def __init__(self, parts: Parts, listed: Callable[[GameRecord], PutAwayShown]) -> None:
        """`listed` makes a game an entry of a list."""
        self.signing = Signing(parts, listed)
        self.tournament = TournamentDesk(parts)
        self.called = CalledHere(parts)

    def advance(self, match: Match) -> None:
        """Where nobody signs, the result of a game that is over moves its tournament on."""
        if match.view.ending is not None:
            self.tournament.follow(match)

    def shown(self, match: Match | None) -> ResultsShown:
        """What is shown with that game at the table, or with none."""
        game_id = match.game_id if match else None
        over = match is None or match.view.ending is not None
        return ResultsShown(
            sign_off=sign_off_shown(match.sign_off, match.view) if match and over else None,
            unsigned=self.signing.waiting(game_id) if over else (),
            tournament=self.tournament.changes,
            match=self.tournament.match_words(game_id),
            call=self.called.shown(),
        )

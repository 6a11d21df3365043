"""What games come to: sign-offs, the tournament that they feed, and what of both is shown."""

from collections.abc import Callable
from dataclasses import dataclass

from device.games.called import CalledHere
from device.games.parts import Parts
from device.games.signing import Signing
from device.journal import GameId, GameRecord
from device.match import Match
from device.match.showing import sign_off_shown
from device.shown.snapshot import PutAwayShown, SignOffShown, VenueCallShown
from engine.refusal import Refused
from engine.wording import phrase


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultsShown:
    """What pages see of it."""

    sign_off: SignOffShown | None = None
    unsigned: tuple[PutAwayShown, ...] = ()
    tournament: int = 0
    match: str = ""
    call: VenueCallShown | None = None


Start = Callable[[str, tuple[str, ...], dict[str, str]], GameId]
"""Begins a game; returns its number, and raises `Refused`."""
NO_RESULTS = ResultsShown()


class Results:
    """The results of one table's games. Not for several threads: the table is the only caller."""

    def __init__(self, parts: Parts, listed: Callable[[GameRecord], PutAwayShown]) -> None:
        """`listed` makes a game an entry of a list."""
        self.signing = Signing(parts, listed)
        self._journal, self.tournament = parts.journal, parts.tournaments
        self.called = CalledHere(parts)

    def advance(self, match: Match) -> None:
        """Where nobody signs, the result of a game that is over moves its tournament on."""
        ending = match.view.ending
        if ending is not None and not match.sign_off.standing:
            scores = tuple(zip(match.view.players, match.view.scores, strict=True))
            self.tournament.follow(match.game_id, ending.winners, scores)

    def begin_match(self, number: int, start: Start) -> None:
        """Begin a match of the tournament with its players; raises `Refused`."""
        match = self.tournament.match_to_begin(number)
        before = self.tournament.game_of(number)
        if before is not None and self._journal.game(before).ended is None:
            raise Refused(
                phrase(
                    "Match {number} was begun as game {before}. Go on with that one, or abandon it.",
                    number=number,
                    before=before,
                )
            )
        agreed = self.tournament.going.agreed
        self.tournament.begin(number, start(agreed.game, match.players, dict(agreed.options)))

    def shown(self, match: Match | None) -> ResultsShown:
        """What is shown with that game at the table, or with none."""
        game_id = match.game_id if match else None
        over = match is None or match.view.ending is not None
        return ResultsShown(
            sign_off=sign_off_shown(match.sign_off, match.view) if match and over else None,
            unsigned=self.signing.waiting(game_id) if over else (),
            tournament=self.tournament.changes,
            match=self.tournament.match_words(game_id),
            call=self.called.shown,
        )

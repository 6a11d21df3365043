"""A tournament as pages show it: its matches with who is in them, what came of them, and the standings."""

from typing import Literal

from msgspec import Struct

from device.tournaments.steps import KeptTournament, MatchesSoFar
from engine.tournament import FORMATS, BracketMatch, champion, rank, tie_break_words
from engine.wording import phrase, phrase_later

LADDERS = ("book", "single", "double")
MatchState = Literal["waits", "ready", "begun", "undecided", "played"]
ROUNDS = {
    "": phrase_later("Round {number}"),
    "winners": phrase_later("Winners, round {number}"),
    "losers": phrase_later("Losers, round {number}"),
    "final": phrase_later("Final, round {number}"),
    "play-off": phrase_later("Play-off, round {number}"),
}


class MatchShown(Struct, frozen=True):
    """One match."""

    number: int
    group: str
    """The column in which it stands: "Round 2", "Losers, round 1"."""
    lower: bool
    """Whether it is played by those who have lost once."""
    sides: tuple[str, str]
    """Players, or "the winner of match 3"."""
    known: tuple[bool, bool]
    """Which of them are players."""
    points: tuple[int | None, int | None]
    """None where nothing is known."""
    winner: str
    state: MatchState
    game_id: int = 0
    table: str = ""
    """Where it is or was played, at a hall's desk; "" at a box."""


class PlaceOfPlayer(Struct, frozen=True):
    """One player of the standings."""

    place: int
    """From 1; 0 for a player without a result yet."""
    player: str
    played: int
    wins: int
    reigns: int


class TournamentShown(Struct, frozen=True):
    """All of it."""

    number: int = 0
    """0 where none was drawn."""
    changes: int = 0
    title: str = ""
    kind: str = ""
    """ "Double elimination"."""
    ladder: bool = False
    """Whether who loses is out, sooner or later: then its rounds stand side by side."""
    game: str = ""
    matches: tuple[MatchShown, ...] = ()
    standings: tuple[PlaceOfPlayer, ...] = ()
    champion: str = ""
    """ "" while it goes on."""
    next: int = 0
    """The match to be played now; 0 for none."""
    closed: bool = False
    tie_breaks: str = ""
    """How ties are broken, in a sentence or more; "" where there are none."""
    trouble: str = ""


def show_tournament(
    kept: KeptTournament, number: int, changes: int = 0, trouble: str = ""
) -> TournamentShown:
    """A kept tournament for pages and papers."""
    so_far = kept.so_far
    made = tuple(_match_shown(each, so_far) for each in kept.matches)
    ready = [each.number for each in made if each.state in ("begun", "ready", "undecided")]
    ranked = rank(kept.drawn, kept.matches)
    return TournamentShown(
        number=number,
        changes=changes,
        title=kept.agreed.title,
        kind=phrase(FORMATS[kept.agreed.kind]),
        ladder=kept.agreed.kind in LADDERS,
        game=kept.agreed.game,
        matches=made,
        standings=tuple(
            PlaceOfPlayer(each.place, each.player, each.played, each.wins, each.reigns) for each in ranked
        ),
        champion=champion(kept.drawn, so_far.winners, so_far.withdrawn, so_far.scores),
        next=0 if kept.closed or not ready else ready[0],
        closed=kept.closed,
        tie_breaks=tie_break_words(kept.agreed.kind, kept.draw_version),
        trouble=trouble,
    )


def _match_shown(match: BracketMatch, so_far: MatchesSoFar) -> MatchShown:
    points = dict(so_far.scores.get(match.number, ()))
    state: MatchState = "played" if match.winner else "ready" if match.ready else "waits"
    if not match.winner and match.number in so_far.undecided:
        state = "undecided"
    elif not match.winner and match.number in so_far.games:
        state = "begun"
    one, other = match.sides
    return MatchShown(
        number=match.number,
        group=phrase(ROUNDS[match.bracket], number=match.round),
        lower=match.bracket == "losers",
        sides=(one.words, other.words),
        known=(bool(one.player), bool(other.player)),
        points=(points.get(one.player), points.get(other.player)),
        winner=match.winner,
        state=state,
        game_id=so_far.games.get(match.number, 0),
    )

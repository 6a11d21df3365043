"""What is kept of a tournament: what was agreed, and one step after another, each with who and when.

Who meets whom follows from these (`engine.tournament`) and is kept nowhere. Steps are never changed: what is
taken back is a step of its own.
"""

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from engine.tournament import DRAW_VERSION, BracketMatch, Tournament, TournamentFormat, matches


class TournamentAgreed(Struct, frozen=True):
    """What was agreed before the first match."""

    title: str
    kind: TournamentFormat
    players: tuple[str, ...]
    """In the order of their seeds, or of the line."""
    game: str
    options: Mapping[str, str] = {}
    """The rules of each match."""
    goal: int = 0


class TournamentStep(Struct, frozen=True, omit_defaults=True):
    """Something that happened."""

    what: Literal["begun", "result", "undecided", "taken back", "withdrawn", "returned", "closed"]
    """A match was begun; has a winner; ended without just one; does not count any more. A player plays no
    more; plays again. All is over."""
    at: str
    """Wall clock, ISO in UTC."""
    match: int = 0
    game_id: int = 0
    winner: str = ""
    scores: tuple[tuple[str, int], ...] = ()
    """What everybody had."""
    by: str = ""
    """Whose doing it was, in words."""
    reason: str = ""
    player: str = ""
    """Who withdrew, or is back."""


class KeptTournament(Struct, frozen=True, dict=True):
    """A tournament as its file has it. `dict`: what follows from it is computed once."""

    agreed: TournamentAgreed
    at: str
    """When it was drawn, ISO in UTC."""
    by: str = ""
    steps: tuple[TournamentStep, ...] = ()
    draw_version: int = 1
    """The version it was drawn by (`engine.tournament.DRAW_VERSION`); older files have none."""

    @classmethod
    def of(cls, agreed: TournamentAgreed, at: str, by: str = "") -> "KeptTournament":
        """A tournament that is drawn now."""
        return cls(agreed, at, by, draw_version=DRAW_VERSION)

    @cached_property
    def drawn(self) -> Tournament:
        """The tournament by its rules; raises `Refused` for what cannot be played."""
        agreed = self.agreed
        return Tournament(agreed.kind, agreed.players, agreed.goal, self.draw_version)

    @property
    def closed(self) -> bool:
        """Whether it is over, and another may be drawn."""
        return any(step.what == "closed" for step in self.steps)

    @cached_property
    def so_far(self) -> "MatchesSoFar":
        """Which matches were begun, and what they came to."""
        return _follow(self.steps)

    @cached_property
    def matches(self) -> tuple[BracketMatch, ...]:
        """All matches as they stand."""
        so_far = self.so_far
        return matches(self.drawn, so_far.winners, so_far.withdrawn, so_far.scores)

    def after(self, step: TournamentStep) -> "KeptTournament":
        """The same with one step more."""
        return replace(self, steps=(*self.steps, step))


class MatchesSoFar(Struct, frozen=True):
    """What the steps come to."""

    games: Mapping[int, int]
    """The game of each match that was begun."""
    matches_by_game: Mapping[int, int]
    winners: Mapping[int, str]
    """Who has won a match that was played."""
    scores: Mapping[int, tuple[tuple[str, int], ...]]
    undecided: frozenset[int]
    """Matches whose game ended without just one winner: they are played again."""
    withdrawn: frozenset[str] = frozenset()
    """Players who play no more."""


def _follow(steps: Iterable[TournamentStep]) -> MatchesSoFar:
    games: dict[int, int] = {}
    winners: dict[int, str] = {}
    scores: dict[int, tuple[tuple[str, int], ...]] = {}
    undecided: set[int] = set()
    withdrawn: set[str] = set()
    for step in steps:
        match step.what:
            case "begun":
                games[step.match] = step.game_id
                undecided.discard(step.match)
            case "result":
                winners[step.match], scores[step.match] = step.winner, step.scores
                undecided.discard(step.match)
            case "undecided":
                winners.pop(step.match, None)
                undecided.add(step.match)
                scores[step.match] = step.scores
            case "taken back":
                for known in (games, winners, scores):
                    known.pop(step.match, None)
                undecided.discard(step.match)
            case "withdrawn":
                withdrawn.add(step.player)
            case "returned":
                withdrawn.discard(step.player)
            case "closed":
                pass
    by_game = {game_id: number for number, game_id in games.items()}
    return MatchesSoFar(games, by_game, winners, scores, frozenset(undecided), frozenset(withdrawn))

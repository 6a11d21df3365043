"""A tournament as it is kept: what was agreed, and one step after another, each with who and when.

Who meets whom follows from these (`engine.tournament.bracket`) and is kept nowhere. Steps are never changed:
what is taken back is a step of its own. A match is played in a game, which is known by a number: at a box its
journal's, at a desk the call's.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal, Self

from engine.refusal import Refused
from engine.rulebooks import rulebook
from engine.tournament.bracket import (
    DRAW_VERSION,
    BracketMatch,
    Tournament,
    TournamentFormat,
    matches,
    why_not,
)
from engine.wording import phrase, phrase_later

NONE = phrase_later("No tournament is going on. Draw one first.")


@dataclass(frozen=True, slots=True)
class TournamentAgreed:
    """What was agreed before the first match."""

    title: str
    kind: TournamentFormat
    players: tuple[str, ...]
    """In the order of their seeds, or of the line."""
    game: str
    options: Mapping[str, str] = field(default_factory=dict)
    """The rules of each match."""
    goal: int = 0


@dataclass(frozen=True, slots=True)
class TournamentStep:
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


@dataclass(frozen=True, slots=True)
class MatchesSoFar:
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


@dataclass(frozen=True)
class TournamentRecord:
    """A tournament as its file has it. Whatever happens makes another; all that does so raises `Refused`."""

    agreed: TournamentAgreed
    at: str
    """When it was drawn, ISO in UTC."""
    by: str = ""
    steps: tuple[TournamentStep, ...] = ()
    draw_version: int = 1
    """The version it was drawn by (`engine.tournament.DRAW_VERSION`); older files have none."""

    @classmethod
    def draw(cls, agreed: TournamentAgreed, at: str, by: str = "") -> Self:
        """Draw a tournament now."""
        made = cls(agreed, at, by, draw_version=DRAW_VERSION)
        drawn = made.drawn
        if not agreed.title.strip():
            raise Refused(phrase("Give the tournament a name."))
        rulebook(agreed.game).start(drawn.players[:2], dict(agreed.options))
        return made

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
    def so_far(self) -> MatchesSoFar:
        """Which matches were begun, and what they came to."""
        return _follow(self.steps)

    @cached_property
    def matches(self) -> tuple[BracketMatch, ...]:
        """All matches as they stand."""
        so_far = self.so_far
        return matches(self.drawn, so_far.winners, so_far.withdrawn, so_far.scores)

    def after(self, step: TournamentStep) -> Self:
        """The same with one step more."""
        return replace(self, steps=(*self.steps, step))

    def match_to_begin(self, number: int) -> BracketMatch:
        """A match that may be played now; raises `Refused` with the reason why not."""
        match = next((each for each in self.matches if each.number == number), None)
        if match is None:
            raise Refused(phrase("There is no match {number}.", number=number))
        if match.winner:
            raise Refused(
                phrase(
                    "Match {number} has been played: {winner} won. Take it back to play it again.",
                    number=number,
                    winner=match.winner,
                )
            )
        if not match.ready:
            waits = next(side.words for side in match.sides if not side.player)
            raise Refused(phrase("Match {number} waits for {player}.", number=number, player=waits))
        return match

    def result_step(
        self, game_id: int, winners: Sequence[str], scores: Sequence[tuple[str, int]], at: str, by: str = ""
    ) -> TournamentStep:
        """What a match's game came to: a winner, or none where several share the win."""
        winner = winners[0] if len(winners) == 1 else ""
        number = self.so_far.matches_by_game[game_id]
        return TournamentStep(
            "result" if winner else "undecided", at, number, game_id, winner, tuple(scores), by
        )

    def why_not(self, step: TournamentStep) -> str:
        """Why that step of a match would upset others, in a sentence; "" where it would not."""
        after = self.after(step).matches
        return why_not(self.matches, after, self.so_far.games.keys(), step.match, step.winner)

    def with_result(self, step: TournamentStep) -> Self:
        """A game's result counts, where nobody has played on from another; itself where that is known."""
        if why := self.why_not(step):
            raise Refused(why)
        so_far = self.so_far
        known = so_far.winners.get(step.match, ""), so_far.scores.get(step.match)
        if known == (step.winner, step.scores) and (step.winner or step.match in so_far.undecided):
            return self
        return self.after(step)

    def take_back(self, number: int, reason: str, at: str, by: str) -> Self:
        """That match does not count, and may be played again."""
        if number not in self.so_far.games:
            raise Refused(
                phrase("Match {number} has not been begun, so there is nothing to take back.", number=number)
            )
        if not reason.strip():
            raise Refused(phrase("Say why it is taken back: the reason is kept."))
        step = TournamentStep("taken back", at, number, by=by, reason=reason.strip())
        if why := self.why_not(step):
            raise Refused(why)
        return self.after(step)

    def withdraw(self, player: str, reason: str, at: str, by: str) -> Self:
        """Somebody plays no more: whoever would have met them goes on."""
        name, withdrawn = self._player(player), self.so_far.withdrawn
        if name in withdrawn:
            raise Refused(phrase("{player} has withdrawn already.", player=name))
        if len(self.agreed.players) - len(withdrawn) <= 2:
            raise Refused(phrase("Only two are left in {title}. Close it instead.", title=self.agreed.title))
        return self.after(TournamentStep("withdrawn", at, by=by, reason=reason.strip(), player=name))

    def bring_back(self, player: str, at: str, by: str) -> Self:
        """Somebody who withdrew plays again, where nobody has played on from it."""
        name = self._player(player)
        if name not in self.so_far.withdrawn:
            raise Refused(phrase("{player} has not withdrawn.", player=name))
        without = self.after(TournamentStep("returned", at, by=by, player=name))
        after = {each.number: each.players for each in without.matches}
        for match in self.matches:
            if match.number in self.so_far.games and after.get(match.number) != match.players:
                raise Refused(
                    phrase(
                        "Match {number} was begun because {player} had withdrawn. Take it back first.",
                        number=match.number,
                        player=name,
                    )
                )
        return without

    def _player(self, typed: str) -> str:
        """A player's name as it was drawn; raises `Refused`."""
        known = typed.strip().casefold()
        name = next((each for each in self.agreed.players if each.casefold() == known), "")
        if not name:
            raise Refused(phrase("{player} is not in {title}.", player=typed, title=self.agreed.title))
        return name


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

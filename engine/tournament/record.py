"""A tournament as it is kept: what was agreed, and one step after another, each with who and when.

Who meets whom follows from these (`engine.tournament.bracket`) and is kept nowhere. Steps are never changed:
what is taken back is a step of its own. A match is played in a game, which is known by a number: at a box its
journal's, at a desk the call's. A match that people decided (`ruled`) is in no game's hands any more.
"""

import hashlib
from collections import Counter
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
    """In the order of their seeds, or of the line; with a `Lot` as they were named."""
    game: str
    options: Mapping[str, str] = field(default_factory=dict)
    """The rules of each match."""
    goal: int = 0


@dataclass(frozen=True, slots=True)
class Lot:
    """Where players stand by chance, so that whoever knows the number can draw again (rule T7)."""

    number: int
    seeds: int = 0
    """As many, the first ones, keep the place in which they were named."""

    def order(self, players: Sequence[str]) -> tuple[str, ...]:
        """The players as they are drawn; raises `Refused`."""
        if not 0 <= self.seeds <= len(players):
            raise Refused(
                phrase("{seeds} seeds are more than {count} players.", seeds=self.seeds, count=len(players))
            )
        return (*players[: self.seeds], *sorted(players[self.seeds :], key=self.digest))

    def digest(self, player: str) -> str:
        """By what a player is drawn: SHA-256 of the number, a blank and the name in UTF-8."""
        return hashlib.sha256(f"{self.number} {player}".encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class TournamentStep:
    """Something that happened."""

    what: Literal[
        "begun",
        "result",
        "undecided",
        "ruled",
        "signed",
        "taken back",
        "withdrawn",
        "returned",
        "closed",
    ]
    """A match was begun; has a winner; ended without just one; was decided by people, whatever its game says;
    its result is signed off; does not count any more. A player plays no more; plays again. All is over."""
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
    signed: Mapping[int, str] = field(default_factory=dict)
    """Who has signed a match's result off."""
    ruled: Mapping[int, str] = field(default_factory=dict)
    """Why people decided a match."""
    steps: Mapping[int, int] = field(default_factory=Counter)
    """How many steps each match has had: whoever saw fewer has seen another match."""

    @property
    def begun(self) -> frozenset[int]:
        """Matches that were begun, or have a winner without a game."""
        return frozenset((*self.games, *self.winners))


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
    lot: Lot | None = None
    """None where nothing was left to chance."""

    @classmethod
    def draw(cls, agreed: TournamentAgreed, at: str, by: str = "", lot: Lot | None = None) -> Self:
        """Draw a tournament now."""
        made = cls(agreed, at, by, draw_version=DRAW_VERSION, lot=lot)
        drawn = made.drawn
        if not agreed.title.strip():
            raise Refused(phrase("Give the tournament a name."))
        rulebook(agreed.game).start(drawn.players[:2], dict(agreed.options))
        return made

    @cached_property
    def drawn(self) -> Tournament:
        """The tournament by its rules; raises `Refused` for what cannot be played."""
        agreed = self.agreed
        players = self.lot.order(agreed.players) if self.lot else agreed.players
        return Tournament(agreed.kind, players, agreed.goal, self.draw_version)

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
        return why_not(self.matches, after, self.so_far.begun, step.match, step.winner)

    def with_result(self, step: TournamentStep) -> Self:
        """A game's result counts, where nobody has played on from another; itself where that is known.

        What people decided stands, whatever the game says.
        """
        if step.match in self.so_far.ruled:
            return self
        if why := self.why_not(step):
            raise Refused(why)
        so_far = self.so_far
        known = so_far.winners.get(step.match, ""), so_far.scores.get(step.match)
        if known == (step.winner, step.scores) and (step.winner or step.match in so_far.undecided):
            return self
        return self.after(step)

    def rule(
        self,
        number: int,
        winner: str,
        scores: Sequence[tuple[str, int]],
        reason: str,
        at: str,
        by: str,
    ) -> Self:
        """People decide who has won a match: after a dispute, or where no game tells it."""
        if not reason.strip():
            raise Refused(phrase("Say why it is decided so: the reason is kept."))
        known = tuple((self.player(name), points) for name, points in scores)
        step = TournamentStep(
            "ruled", at, number, winner=self.player(winner), scores=known, by=by, reason=reason.strip()
        )
        if why := self.why_not(step):
            raise Refused(why)
        return self.after(step)

    def sign(self, number: int, at: str, by: str) -> Self:
        """The result of a match is signed off."""
        so_far = self.so_far
        if number not in so_far.winners:
            raise Refused(phrase("Match {number} has no result to sign off.", number=number))
        if who := so_far.signed.get(number):
            raise Refused(phrase("{who} has signed match {number} off already.", who=who, number=number))
        return self.after(TournamentStep("signed", at, number, winner=so_far.winners[number], by=by))

    def take_back(self, number: int, reason: str, at: str, by: str) -> Self:
        """That match does not count, and may be played again."""
        if number not in self.so_far.begun:
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
        name, withdrawn = self.player(player), self.so_far.withdrawn
        if name in withdrawn:
            raise Refused(phrase("{player} has withdrawn already.", player=name))
        if len(self.agreed.players) - len(withdrawn) <= 2:
            raise Refused(phrase("Only two are left in {title}. Close it instead.", title=self.agreed.title))
        return self.after(TournamentStep("withdrawn", at, by=by, reason=reason.strip(), player=name))

    def bring_back(self, player: str, at: str, by: str) -> Self:
        """Somebody who withdrew plays again, where nobody has played on from it."""
        name = self.player(player)
        if name not in self.so_far.withdrawn:
            raise Refused(phrase("{player} has not withdrawn.", player=name))
        without = self.after(TournamentStep("returned", at, by=by, player=name))
        after = {each.number: each.players for each in without.matches}
        for match in self.matches:
            if match.number in self.so_far.begun and after.get(match.number) != match.players:
                raise Refused(
                    phrase(
                        "Match {number} was begun because {player} had withdrawn. Take it back first.",
                        number=match.number,
                        player=name,
                    )
                )
        return without

    def player(self, typed: str) -> str:
        """A player's name as it was drawn; raises `Refused`."""
        known = typed.strip().casefold()
        name = next((each for each in self.agreed.players if each.casefold() == known), "")
        if not name:
            raise Refused(phrase("{player} is not in {title}.", player=typed, title=self.agreed.title))
        return name


def _follow(steps: Iterable[TournamentStep]) -> MatchesSoFar:
    games: dict[int, int] = {}
    last: dict[int, TournamentStep] = {}
    """What each match came to; a new game takes the place of one that was undecided."""
    signed: dict[int, str] = {}
    withdrawn: set[str] = set()
    counts = Counter[int]()
    for step in steps:
        number = step.match
        counts[number] += 1
        match step.what:
            case "begun":
                games[number] = step.game_id
                if number in last and last[number].what == "undecided":
                    del last[number]
            case "result" | "undecided" | "ruled":
                last[number] = step
                signed.pop(number, None)
            case "signed":
                signed[number] = step.by
            case "taken back":
                for known in (games, last, signed):
                    known.pop(number, None)
            case "withdrawn":
                withdrawn.add(step.player)
            case "returned":
                withdrawn.discard(step.player)
            case "closed":
                pass
    return MatchesSoFar(
        games=games,
        matches_by_game={game_id: number for number, game_id in games.items()},
        winners={number: step.winner for number, step in last.items() if step.winner},
        scores={number: step.scores for number, step in last.items()},
        undecided=frozenset(number for number, step in last.items() if step.what == "undecided"),
        withdrawn=frozenset(withdrawn),
        signed=signed,
        ruled={number: step.reason for number, step in last.items() if step.what == "ruled"},
        steps=counts,
    )

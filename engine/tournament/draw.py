"""The draw: the matches of a tournament before any is played, each side a player or what a match brings.

`BracketMatch` is such a match as it stands.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from engine.refusal import Refused
from engine.wording import phrase, phrase_later

TournamentFormat = Literal["book", "single", "double", "round-robin", "king"]
FORMATS: dict[TournamentFormat, str] = {
    "book": phrase_later("Single elimination, as End Zone's rulebook has it"),
    "single": phrase_later("Single elimination, with seeds"),
    "double": phrase_later("Double elimination"),
    "round-robin": phrase_later("Round robin"),
    "king": phrase_later("King"),
}
"""By what they are called, for `phrase` to tell."""
ROUND_ROBIN_TIES = phrase_later(
    "Wins decide. Among equals: wins against one another, then the difference of points in those matches. "
    "Who still shares first place plays for it (play-off)."
)
"""How ties are broken (rule T4a), for `phrase` to tell before the draw."""
MOST_PLAYERS = 64
Bracket = Literal["", "winners", "losers", "final", "play-off"]
DRAW_VERSION = 2
"""The newest way in which matches are numbered and ties broken. Version 1 named the first player of a round
robin first in each match, reversed each round of a losers' bracket, and left a tie for first place as it was.
"""
CROSSINGS = {8: (2,), 16: (2, 0), 32: (2, 1, 2), 64: (2, 3, 1, 2)}
"""Double elimination, by places of the bracket: where the losers of the winners' rounds 2, 3, ... go, but for
the last. 2: halves of the bracket change places; 1: the two quarters of each half; 3: both; 0: none.
No other choice has two players meet again in a later losers' round: see `tests/engine/test_rematches.py`."""


@dataclass(frozen=True, slots=True)
class Tournament:
    """What was agreed."""

    kind: TournamentFormat
    players: tuple[str, ...]
    """In the order of their seeds, or of the line."""
    goal: int = 0
    """King: so many wins as King end it; 0 for no end."""
    draw_version: int = DRAW_VERSION
    """Results are stored by match numbers, so a tournament stays with the version it was drawn by."""

    def __post_init__(self) -> None:
        """Refuses what cannot be played, in a sentence."""
        if not 2 <= len(self.players) <= MOST_PLAYERS:
            raise Refused(
                phrase(
                    "A tournament is for 2 to {most} players; these are {count}.",
                    most=MOST_PLAYERS,
                    count=len(self.players),
                )
            )
        known = [name.casefold() for name in self.players]
        twice = next((name for name in self.players if known.count(name.casefold()) > 1), "")
        if twice:
            raise Refused(
                phrase("Two players are called {twice}. Give one of them another name.", twice=twice)
            )
        if any(not name.strip() for name in self.players):
            raise Refused(phrase("Each player has a name."))
        if self.goal < 0 or (self.goal and self.kind != "king"):
            raise Refused(phrase("A number of wins ends a King's evening alone."))
        if not 1 <= self.draw_version <= DRAW_VERSION:
            raise Refused(
                phrase(
                    "This tournament was drawn by a newer Callbox (draw version {version}). "
                    "Update Callbox to open it.",
                    version=self.draw_version,
                )
            )


def tie_break_words(kind: TournamentFormat, draw_version: int = DRAW_VERSION) -> str:
    """How ties are broken, for people; "" where there are none, or nothing was agreed before the draw."""
    return phrase(ROUND_ROBIN_TIES) if kind == "round-robin" and draw_version > 1 else ""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a side of a match comes from."""

    player: str = ""
    winner_of: int = 0
    loser_of: int = 0


@dataclass(frozen=True, slots=True)
class Pairing:
    """A match of the draw."""

    number: int
    bracket: Bracket
    round: int
    sides: tuple[Origin, Origin]
    unless: int = 0
    """Not played where the first side has won that match; 0 for always."""


@dataclass(frozen=True, slots=True)
class BracketSide:
    """One side of a match."""

    player: str
    """ "" while nobody knows who it is."""
    words: str
    """The player, or "the winner of match 3"."""


@dataclass(frozen=True, slots=True)
class BracketMatch:
    """A match as it stands."""

    number: int
    bracket: Bracket
    round: int
    sides: tuple[BracketSide, BracketSide]
    winner: str = ""
    """ "" while it has not been played."""
    lead: int = 0
    """By how many points the first side was ahead; negative where behind, 0 where nothing was played."""

    @property
    def players(self) -> tuple[str, str]:
        """Both players; "" for one whom nobody knows yet."""
        return self.sides[0].player, self.sides[1].player

    @property
    def ready(self) -> bool:
        """Whether it can be played now."""
        return not self.winner and all(self.players)


@lru_cache(maxsize=16)
def draw(tournament: Tournament) -> tuple[Pairing, ...]:
    """All matches, in an order in which they can be played; none for `king`: nobody knows its line ahead."""
    made = _Draw()
    players = [Origin(player=name) for name in tournament.players]
    match tournament.kind:
        case "book":
            made.by_the_book(players)
        case "single":
            made.single(seeded(players))
        case "double":
            made.double(seeded(players), tournament.draw_version)
        case "round-robin" if tournament.draw_version == 1:
            made.round_robin_around_the_first(players)
        case "round-robin":
            made.round_robin(players)
        case "king":
            pass
    return tuple(made.pairings)


def draw_play_off(players: Sequence[str], before: int) -> tuple[Pairing, ...]:
    """Single elimination among those who share first place (rule T4a), numbered from `before` + 1 on."""
    made = _Draw(before)
    made.single(seeded([Origin(player=name) for name in players]), "play-off")
    return tuple(made.pairings)


def seeded(players: Sequence[Origin]) -> list[Origin | None]:
    """The first round's places, two by two: 1 meets the last, and 1 and 2 can meet in the last match alone.

    None is a bye.
    """
    order = [0]
    while len(order) < len(players):
        last = 2 * len(order) - 1
        order = [place for seed in order for place in (seed, last - seed)]
    return [players[place] if place < len(players) else None for place in order]


class _Draw:
    """Makes pairings."""

    def __init__(self, before: int = 0) -> None:
        """`before`: the number of the last match before these."""
        self.pairings: list[Pairing] = []
        self._before = before

    def meet(
        self, sides: tuple[Origin | None, Origin | None], bracket: Bracket, number: int
    ) -> tuple[Origin | None, Origin | None]:
        """Who goes on and who drops out: where a side is missing, the other goes on without a match."""
        one, other = sides
        if one is None or other is None:
            return one or other, None
        made = self._before + len(self.pairings) + 1
        self.pairings.append(Pairing(made, bracket, number, (one, other)))
        return Origin(winner_of=made), Origin(loser_of=made)

    def round(
        self, places: Sequence[Origin | None], bracket: Bracket, number: int
    ) -> tuple[list[Origin | None], list[Origin | None]]:
        """One round, two by two: who goes on, and who drops out."""
        pairs = zip(places[::2], places[1::2], strict=True)
        met = [self.meet(pair, bracket, number) for pair in pairs]
        return [on for on, _ in met], [out for _, out in met]

    def by_the_book(self, players: Sequence[Origin]) -> None:
        """Rule T1."""
        line: list[Origin | None] = list(players)
        number = 1
        while len(line) > 1:
            odd = line[-1:] if len(line) % 2 else []
            on, _ = self.round(line[: len(line) - len(odd)], "", number)
            line, number = [*odd, *on], number + 1

    def single(self, places: list[Origin | None], bracket: Bracket = "") -> None:
        """Rule T2."""
        number = 1
        while len(places) > 1:
            places, _ = self.round(places, bracket, number)
            number += 1

    def double(self, places: list[Origin | None], version: int) -> None:
        """Rule T3: who drops out of a round of the winners meets who is left of the losers."""
        crossings = iter(CROSSINGS.get(len(places), ()))
        places, left = self.round(places, "winners", 1)
        number, lost = 2, 1
        while len(places) > 1:
            places, out = self.round(places, "winners", number)
            if len(left) > 1:
                left, _ = self.round(left, "losers", lost)
                lost += 1
            dropped = out[::-1] if version == 1 else crossed(out, next(crossings, 0))
            both = [side for pair in zip(left, dropped, strict=True) for side in pair]
            left, _ = self.round(both, "losers", lost)
            number, lost = number + 1, lost + 1
        last, (winners, losers) = len(self.pairings) + 1, (places[0], left[0])
        if winners is None or losers is None:
            return
        self.meet((winners, losers), "final", 1)
        self.pairings.append(Pairing(last + 1, "final", 2, (winners, losers), unless=last))

    def round_robin(self, players: Sequence[Origin]) -> None:
        """Rule T4, by the Berger tables (FIDE Handbook, General Rules for Competitions, C.05 annex 1).

        The last of an even number, or nobody, keeps its place; the others stand in a circle. In each round
        one of them meets the last, and two at the same distance from it meet, the one after it named first.
        """
        table: list[Origin | None] = [*players, *([None] if len(players) % 2 else [])]
        circle, last = table[:-1], table[-1]
        size, half = len(circle), (len(circle) + 1) // 2
        for number in range(1, size + 1):
            middle = (number - 1) * half % size
            pair = (circle[middle], last)
            self.meet(pair if number % 2 else pair[::-1], "", number)
            for steps in range(1, half):
                self.meet((circle[(middle + steps) % size], circle[(middle - steps) % size]), "", number)

    def round_robin_around_the_first(self, players: Sequence[Origin]) -> None:
        """Draw version 1: the first keeps its place and is named first, the others go round by one place."""
        line: list[Origin | None] = [*players, *([None] if len(players) % 2 else [])]
        for number in range(1, len(line)):
            half = len(line) // 2
            for pair in zip(line[:half], reversed(line[half:]), strict=True):
                self.meet(pair, "", number)
            line = [line[0], line[-1], *line[1:-1]]


def crossed(dropped: Sequence[Origin | None], crossing: int) -> list[Origin | None]:
    """Who drops out of a winners' round, in the order in which they enter the losers' bracket.

    `crossing`: see `CROSSINGS`.
    """
    moved = crossing * len(dropped) // 4
    return [dropped[place ^ moved] for place in range(len(dropped))]

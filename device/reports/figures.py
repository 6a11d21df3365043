"""What is counted over games: each player's figures, each die's faces, where dice landed.

A game is counted once (`figures`), and counts add up (`add_up`): so a long journal is gone through once.
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache

from device.journal import GameId
from device.reports.played import LandingPlace, PlayedGame
from engine.dice import FACES, DieKind, Face


@dataclass(frozen=True, slots=True, kw_only=True)
class Best:
    """A best, and in which game it was."""

    points: int
    game_id: GameId
    words: str = ""
    """What was thrown: "1, 1, 5"."""


@dataclass(slots=True)
class PlayerFigures:
    """One player in games of one kind."""

    games: int = 0
    """Played to their end."""
    wins: int = 0
    """A shared win is one."""
    totals: int = 0
    """How many of them had a total of points; a match of several games has none."""
    points: int = 0
    """Theirs, added up."""
    turns: int = 0
    turn_points: int = 0
    throws: int = 0
    """That were for points."""
    game: Best | None = None
    turn: Best | None = None
    throw: Best | None = None

    def add(self, other: "PlayerFigures") -> None:
        """Count games that came later; of equal bests the first stays."""
        self.games += other.games
        self.wins += other.wins
        self.totals += other.totals
        self.points += other.points
        self.turns += other.turns
        self.turn_points += other.turn_points
        self.throws += other.throws
        self.game = better(self.game, other.game)
        self.turn = better(self.turn, other.turn)
        self.throw = better(self.throw, other.throw)


DieName = tuple[DieKind, str]
"""Which dice can be told apart: their kind and their colour, "" where that was not told."""


@dataclass(slots=True)
class Figures:
    """Counts over games."""

    games: int = 0
    throws: int = 0
    players: dict[tuple[str, str], PlayerFigures] = field(default_factory=dict)
    """By kind of game and name."""
    dice: dict[DieName, Counter[Face]] = field(default_factory=dict)
    landings: list[LandingPlace] = field(default_factory=list)


def better(one: Best | None, other: Best | None) -> Best | None:
    """The better of two; the first where they are equal."""
    if one is None or other is None:
        return one or other
    return one if one.points >= other.points else other


def figures(game: PlayedGame) -> Figures:
    """What is counted of one game."""
    found = Figures(games=1, throws=len(game.throws))
    for throw in game.throws:
        for die, color in zip(throw.dice, throw.colors, strict=True):
            found.dice.setdefault((die.kind, color), Counter())[die.value] += 1
        if throw.place is not None and throw.points is not None:
            found.landings.append(throw.place)
    if not game.trouble:
        found.players = {
            (game.kind, name): _of_player(game, seat, name) for seat, name in enumerate(game.record.players)
        }
    return found


def add_up(counted: Iterable[Figures]) -> Figures:
    """All of them together, in their order."""
    whole = Figures()
    for each in counted:
        whole.games += each.games
        whole.throws += each.throws
        for who, player in each.players.items():
            whole.players.setdefault(who, PlayerFigures()).add(player)
        for die, faces in each.dice.items():
            whole.dice.setdefault(die, Counter()).update(faces)
        whole.landings += each.landings
    return whole


def by_kind(dice: Mapping[DieName, Counter[Face]]) -> dict[DieKind, Counter[Face]]:
    """The same counts for all dice of a kind together."""
    found: dict[DieKind, Counter[Face]] = {}
    for (kind, _), faces in dice.items():
        found.setdefault(kind, Counter()).update(faces)
    return found


def _of_player(game: PlayedGame, seat: int, name: str) -> PlayerFigures:
    number, found = game.record.id, PlayerFigures()
    if game.counts and game.ending is not None:
        found.games, found.wins = 1, int(name in game.ending.winners)
        if any(game.scores) and not game.restarts:
            found.totals, found.points = 1, game.scores[seat]
            found.game = Best(points=game.scores[seat], game_id=number)
    for turn in game.turns:
        if turn.player == name:
            found.turns += 1
            found.turn_points += turn.points
            found.turn = better(found.turn, Best(points=turn.points, game_id=number))
    for throw in game.throws:
        if throw.player == name and throw.points is not None:
            found.throws += 1
            found.throw = better(found.throw, Best(points=throw.points, game_id=number, words=throw.words))
    return found


# Whether a die falls as a fair one would: Pearson's chi-square test, and what that test could have noticed.
#
# A test that finds nothing says little when it could not have found much: so each verdict comes with its
# power. The two distributions stand here in a few lines, because nothing of ours needs the library that has
# them.

ALPHA = 0.01
"""One of 100 fair dice is suspected."""
FAVOURED = 1.5
"""The loaded die that the power is stated for shows one of its faces half as often again as a fair one."""
SURE = 0.9
LEAST_EXPECTED = 5.0
"""Below that many expected of a face the chi-square distribution does not hold (Cochran 1954)."""
_MARKS: Mapping[Face, int] = {"dot": 2, "square": 4}
"""How many sides of a Zoinx die bear each mark (`engine.zoinx`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fairness:
    """What the throws of a die say."""

    thrown: int
    expected: Mapping[Face, float]
    statistic: float
    """Pearson's X²."""
    p: float | None
    """How often a fair die strays so far, 0 to 1; None where too little was thrown to say."""
    power: float
    """The chance, 0 to 1, that a die which favours its least noticeable face by half would be suspected."""
    needed: int
    """How many throws it takes until that chance is nine in ten."""

    @property
    def suspected(self) -> bool:
        """Whether it strays further than all but one fair die in a hundred."""
        return self.p is not None and self.p < ALPHA


def chances(kind: DieKind) -> dict[Face, float]:
    """How often each face of a fair die shows."""
    sides = {face: _MARKS.get(face, 1) for face in FACES[kind]}
    return {face: count / sum(sides.values()) for face, count in sides.items()}


def judge(kind: DieKind, counts: Mapping[Face, int]) -> Fairness:
    """How far these counts of faces stray from a fair die's."""
    fair, thrown = chances(kind), sum(counts.values())
    expected = {face: thrown * chance for face, chance in fair.items()}
    statistic = 0.0
    if thrown:
        statistic = sum((counts.get(face, 0) - each) ** 2 / each for face, each in expected.items())
    freedom = len(fair) - 1
    enough = min(expected.values()) >= LEAST_EXPECTED
    return Fairness(
        thrown=thrown,
        expected=expected,
        statistic=statistic,
        p=beyond(statistic, freedom) if enough else None,
        power=power(kind, thrown) if enough else 0.0,
        needed=throws_needed(kind),
    )


def beyond(statistic: float, freedom: int) -> float:
    """The chance that a chi-square of so many degrees of freedom is larger: 0 to 1.

    Finite sums, exact for whole degrees (Abramowitz and Stegun, 26.4.4 and 26.4.5).
    """
    half = statistic / 2
    if half <= 0:
        return 1.0
    if freedom % 2 == 0:
        log_terms = [number * math.log(half) - math.lgamma(number + 1) for number in range(freedom // 2)]
        tail = 0.0
    else:
        places = [number + 0.5 for number in range((freedom - 1) // 2)]
        log_terms = [place * math.log(half) - math.lgamma(place + 1) for place in places]
        tail = math.erfc(math.sqrt(half))
    return min(1.0, tail + sum(math.exp(term - half) for term in log_terms))


@cache
def critical(freedom: int, alpha: float = ALPHA) -> float:
    """The statistic that a fair die passes with that chance."""
    low, high = 0.0, 1000.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if beyond(middle, freedom) > alpha else (low, middle)
    return high


@cache
def power(kind: DieKind, thrown: int) -> float:
    """The chance, 0 to 1, that so many throws show up a die that favours one face by half.

    The statistic of a loaded die follows a chi-square that is not central: a mixture of central ones whose
    weights are those of Poisson (Abramowitz and Stegun, 26.4.25).
    """
    fair = chances(kind)
    freedom, shift = len(fair) - 1, thrown * min(_strays(fair)) / 2
    limit, weight, found, number = critical(freedom), math.exp(-shift), 0.0, 0
    if weight == 0.0:  # so many throws that nothing of it escapes
        return 1.0
    while number <= shift or weight > 1e-12:
        found += weight * beyond(limit, freedom + 2 * number)
        number += 1
        weight *= shift / number
    return min(1.0, found)


@cache
def throws_needed(kind: DieKind, sure: float = SURE) -> int:
    """The least number of throws at which the power is that."""
    low, high = 0, 20_000
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if power(kind, middle) >= sure else (middle, high)
    return high


def _strays(fair: Mapping[Face, float]) -> Iterator[float]:
    """For each face, by how much a die that favours it strays: the statistic's shift for each throw."""
    for favoured in fair.values():
        loaded = min(1.0, favoured * FAVOURED)
        yield (loaded - favoured) ** 2 / favoured + (loaded - favoured) ** 2 / (1 - favoured)

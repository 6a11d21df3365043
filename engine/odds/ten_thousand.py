"""The odds of Ten Thousand: counted throws, and each turn played best by expected points.

Throws of so many dice are counted by the faces they show: 462 kinds of six dice stand for all 46,656. The
solver is `engine.odds.turns`; its table depends on the combos that were agreed and on the least that may be
banked, so there are two for a game: before and after the opening. The first question of a kind builds its
table.
"""

from collections import Counter
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations_with_replacement
from math import factorial, prod

from engine.dice import Die
from engine.events import Cache, Pocket, Rolled
from engine.odds.advice import Advice, best_first
from engine.odds.turns import STEP, Hand, ReachTable, Roll, TurnTable, best_options, find_combos
from engine.ten_thousand import Combos, Keep, TenThousandPosition, legal_keeps
from engine.ten_thousand.combos import DICE, FACES, keep_words, table
from engine.wording import phrase, phrase_count
from engine.words import number

TABLES = 8
"""How many tables are kept, each for its combos and least bank."""


@cache
def throws(dice: int) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """Every throw of so many dice by its sorted faces, with the count of throws that show them."""
    return tuple(
        (factorial(dice) // prod(map(factorial, Counter(faces).values())), faces)
        for faces in combinations_with_replacement(FACES, dice)
    )


def farkle_chance(dice: int, combos: Combos) -> Fraction:
    """The chance that a roll of so many dice scores nothing."""
    lost = sum(count for count, faces in throws(dice) if not legal_keeps(faces, combos))
    return Fraction(lost, 6**dice)


def left_after(dice: int, keep: Keep) -> int:
    """The dice in the hand once some of so many are set aside: all six again after the last (rule 7)."""
    return dice - len(keep.dice) or DICE


def roll_of(dice: int, combos: Combos) -> Roll:
    """One roll of so many dice, for the solver."""
    counted: Counter[tuple[tuple[int, object], ...]] = Counter()
    for count, faces in throws(dice):
        keeps = legal_keeps(faces, combos)
        counted[best_options((keep.points, left_after(dice, keep)) for keep in keeps)] += count
    return Roll(tuple((count, options) for options, count in counted.items()))


@lru_cache(TABLES)
def rolls(combos: Combos) -> dict[Hand, Roll]:
    """The rolls of one to six dice."""
    return {dice: roll_of(dice, combos) for dice in range(1, DICE + 1)}


@lru_cache(TABLES)
def turn_table(combos: Combos, needed: int) -> TurnTable:
    """The values of every turn under these combos, where a bank needs so many points; takes a moment."""
    return TurnTable(rolls(combos), needed)


@lru_cache(TABLES)
def reach_table(combos: Combos) -> ReachTable:
    """The chances to bring so many points in one turn."""
    return ReachTable(rolls(combos))


def wins_with(position: TenThousandPosition) -> int | None:
    """The points that win, or share the win, in the last turn of the game; None before it."""
    if position.final is None or position.turn + 1 < position.final + position.last_turns:
        return None
    seat = position.active
    ahead = max(position.scores[:seat] + position.scores[seat + 1 :]) - position.scores[seat]
    return max(position.needed, ahead + (0 if position.agreed.ties == "shared" else STEP))


@dataclass(frozen=True, slots=True)
class _Table:
    """The table of one position, and what it says in words."""

    position: TenThousandPosition
    table: TurnTable
    wins: int | None
    """What this turn must bring, where it is the last."""

    def rolling(self, points: int, dice: int) -> Advice:
        """Roll so many dice."""
        value = self.table.rolled(points, dice)
        return Advice(
            player=self.position.name,
            words=phrase_count("roll one die", "roll {number} dice", dice, number=number(dice)),
            points=value.points,
            chance=value.chance,
            risk=self.table.fails(dice),
            goal=self.reaching(points, dice),
        )

    def reaching(self, points: int, dice: int) -> float | None:
        """The best chance of what the turn must bring, rolling now."""
        if self.wins is None:
            return None
        return reach_table(self.position.agreed.combos).rolled(self.wins - points, dice)

    def reached(self, points: int) -> float | None:
        """The same, banking now."""
        return None if self.wins is None else float(points >= self.wins)

    def banking(self, points: int) -> Advice:
        """Bank."""
        value = self.table.banked(points)
        return Advice(
            player=self.position.name,
            words=phrase("bank {points}", points=points),
            points=value.points,
            chance=value.chance,
            goal=self.reached(points),
            event=Cache(),
        )

    def keeping(self, keep: Keep) -> Advice:
        """Set just these dice aside and roll the others; a bank takes all that scores, and is told apart."""
        roll = self.rolling(self.position.kept + keep.points, left_after(self.position.left, keep))
        return replace(
            roll,
            words=phrase("set aside {dice}, then {then}", dice=keep_words(keep), then=roll.words),
            event=Pocket(combos=tuple(tuple(Die("pip", face) for face in combo) for combo in keep.combos)),
        )


def ten_thousand_turn_at(
    start: TenThousandPosition, points: int, dice: int, roll: tuple[Die, ...]
) -> TenThousandPosition | None:
    """The turn that begins at `start`, with so many points, so many dice left, and what these then show.

    Without a roll they are still to be rolled. None where nothing scores. Raises `Refused` where no turn
    comes to that, or where the roll-off is not over.
    """
    find_combos(phrase("Ten Thousand"), points, dice, dict(table(start.agreed.combos)))
    before = replace(start, kept=points, left=dice)
    if not roll:
        return before
    after = before.after(Rolled(dice=roll))
    return after if after.turn == start.turn else None


def ten_thousand_advice(position: TenThousandPosition) -> tuple[Advice, ...]:
    """Every legal choice of a position; none in the roll-off, where nothing can be chosen."""
    if position.phase in {"roll-off", "ended"}:
        return ()
    combos = position.agreed.combos
    told = _Table(position, turn_table(combos, position.needed), wins_with(position))
    found = [told.banking(position.best)] if position.may_bank else []
    if position.phase == "roll":
        found.append(told.rolling(position.kept, position.left))
    found += [told.keeping(keep) for keep in position.keeps]
    return best_first(found)

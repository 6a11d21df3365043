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
from engine.events import Cache, Chosen, Pocket, Rolled
from engine.odds.advice import Advice, best_first
from engine.odds.turns import STEP, Hand, ReachTable, Roll, TurnTable, best_options, find_combos
from engine.ten_thousand import (
    FARKLES,
    PIGGYBACK,
    Combos,
    Keep,
    TenThousandPosition,
    legal_keeps,
    taking_words,
)
from engine.ten_thousand.combos import FACES, keep_words, table
from engine.wording import phrase, phrase_count
from engine.words import number

MOST_ROOM = 20_000
"""Where exactly the target must be reached, odds are told from so many missing points down (rule 9c)."""
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


def left_after(dice: int, keep: Keep, combos: Combos) -> int:
    """The dice in the hand once some of so many are set aside: all of them again after the last (rule 7)."""
    return dice - len(keep.dice) or combos.dice


def roll_of(dice: int, combos: Combos, *, every: bool = False) -> Roll:
    """One roll of so many dice, for the solver; with `every` set-aside, not only the best for its dice."""
    counted: Counter[tuple[tuple[int, object], ...]] = Counter()
    for count, faces in throws(dice):
        options = [(keep.points, left_after(dice, keep, combos)) for keep in legal_keeps(faces, combos)]
        counted[tuple(dict.fromkeys(options)) if every else best_options(iter(options))] += count
    return Roll(tuple((count, options) for options, count in counted.items()))


@lru_cache(TABLES)
def rolls(combos: Combos, *, every: bool = False) -> dict[Hand, Roll]:
    """The rolls of one die to all dice."""
    return {dice: roll_of(dice, combos, every=every) for dice in range(1, combos.dice + 1)}


@lru_cache(TABLES)
def turn_table(combos: Combos, needed: int, loss: int = 0, room: int | None = None) -> TurnTable:
    """The values of every turn under these combos, where a bank needs so many points; takes a moment.

    A lost turn costs `loss` points (rule 6a), and none brings more than `room` (rule 9c).
    """
    return TurnTable(rolls(combos, every=room is not None), needed, loss, room)


@lru_cache(TABLES)
def reach_table(combos: Combos) -> ReachTable:
    """The chances to bring so many points in one turn."""
    return ReachTable(rolls(combos))


def wins_with(position: TenThousandPosition) -> int | None:
    """The points that win, or share the win, in the last turn of the game; None before it."""
    if position.agreed.exact == "yes" or position.agreed.all_ones_win:
        return None
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
    loss: int
    """What a lost turn costs."""
    wins: int | None
    """What this turn must bring, where it is the last."""

    def rolling(self, points: int, dice: int) -> Advice:
        """Roll so many dice."""
        if self.position.single_roll:
            return self.rolling_once(points, dice)
        value = self.table.rolled(points, dice)
        return Advice(
            player=self.position.name,
            words=phrase_count("roll one die", "roll {number} dice", dice, number=number(dice)),
            points=value.points,
            chance=value.chance,
            risk=self.risk(points, dice),
            goal=self.reaching(points, dice),
        )

    def risk(self, points: int, dice: int) -> float:
        """The chance that a roll of so many dice loses the turn."""
        if self.position.agreed.exact == "no":
            return self.table.fails(dice)
        combos, then = self.position.agreed.combos, replace(self.position, kept=points)
        lost = sum(count for count, faces in throws(dice) if not then.fitting(legal_keeps(faces, combos)))
        return float(lost / 6**dice)

    def rolling_once(self, points: int, dice: int) -> Advice:
        """Roll so many dice in the one roll of the last round, which is banked as it lies (rule 9b)."""
        combos, then = self.position.agreed.combos, replace(self.position, kept=points)
        gained = likely = won = 0
        for count, faces in throws(dice):
            fitting = then.fitting(legal_keeps(faces, combos))
            most = points + fitting[0].points if fitting else -self.loss
            banked = most if most >= self.position.needed else min(most, 0)
            gained += count * banked
            likely += count * (banked > 0)
            won += count * (self.wins is not None and banked >= self.wins)
        total = 6**dice
        return Advice(
            player=self.position.name,
            words=phrase_count("roll one die", "roll {number} dice", dice, number=number(dice)),
            points=gained / total,
            chance=likely / total,
            risk=self.risk(points, dice),
            goal=None if self.wins is None else won / total,
        )

    def taking_over(self, points: int, dice: int) -> Advice:
        """Take points over and roll the dice that were left (rule 8d)."""
        return replace(
            self.rolling(points, dice), words=taking_words(points, dice), event=Chosen(mode=PIGGYBACK)
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
        left = left_after(self.position.left, keep, self.position.agreed.combos)
        roll = self.rolling(self.position.kept + keep.points, left)
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
    find_combos(
        phrase("Ten Thousand"), points, dice, dict(table(start.agreed.combos)), in_hand=start.agreed.dice
    )
    before = replace(start, kept=points, left=dice)
    if not roll:
        return before
    after = before.after(Rolled(dice=roll))
    return after if after.turn == start.turn else None


def ten_thousand_advice(position: TenThousandPosition) -> tuple[Advice, ...]:
    """Every legal choice of a position; none in the roll-off, where nothing can be chosen."""
    if position.phase in {"roll-off", "ended"}:
        return ()
    if why_untold(position):
        return ()
    agreed = position.agreed
    third = any(position.farkles) and position.farkles[position.active] == FARKLES - 1
    loss = min(agreed.three_farkles, position.scores[position.active]) if third else 0
    table = turn_table(
        agreed.combos, position.needed, loss, position.missing if agreed.exact == "yes" else None
    )
    told = _Table(position, table, loss, wins_with(position))
    found = [told.banking(position.best)] if position.may_bank else []
    if position.phase == "roll":
        found.append(told.rolling(position.kept, position.left))
    if position.open_offer:
        found.append(told.taking_over(*position.open_offer))
    found += [told.keeping(keep) for keep in position.keeps]
    return best_first(found)


def why_untold(position: TenThousandPosition) -> str:
    """Why no odds are told of a position that has choices; empty where they are."""
    if position.agreed.hot_dice == "must":
        return phrase(
            "Where hot dice must be rolled again, no odds are known: they are told with hot-dice=may."
        )
    if position.agreed.exact == "yes" and position.missing > MOST_ROOM:
        return phrase(
            "Where exactly {target} must be reached, odds are known from {most} missing points down.",
            target=position.agreed.target,
            most=MOST_ROOM,
        )
    return ""

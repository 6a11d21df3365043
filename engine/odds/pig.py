"""Odds of Pig: the points of a turn when it is played on for the most points, as exact fractions.

With `k` points gathered, a roll loses them with a chance of 1/6 and adds 2 to 6 otherwise. It is worth

    roll(k) = (sum of best(k + f) for f in 2..6) / 6,    best(k) = max(k, roll(k))

A turn that has enough to win is held, and points beyond those needed count for nothing. From 20 points on
`k` is at least `roll(k)`, so `best` ends there.
(Neller and Presser, "Optimal Play of the Dice Game Pig", The UMAP Journal 25(1), 2004, call it "hold at 20".)
"""

from dataclasses import replace
from fractions import Fraction
from functools import cache

from engine.events import Cache
from engine.odds.advice import Advice, best_first
from engine.pig import PigPosition
from engine.refusal import AgainstTheRules
from engine.wording import phrase

ADDED = range(2, 7)
ENOUGH = 20
"""From so many points on another roll brings no more than holding: 5/6 (k + 4) <= k."""


@cache
def roll_worth(running: int, needed: int) -> tuple[Fraction, Fraction]:
    """Expected points of a turn that is rolled on, and the chance that it brings any."""
    ways = [_best(running + face, needed) for face in ADDED]
    return sum((points for points, _ in ways), Fraction()) / 6, sum(
        (chance for _, chance in ways), Fraction()
    ) / 6


def _best(running: int, needed: int) -> tuple[Fraction, Fraction]:
    """The same where the player may hold, too."""
    if running >= min(ENOUGH, needed):
        return Fraction(min(running, needed)), Fraction(1)
    return roll_worth(running, needed)


def pig_turn_at(start: PigPosition, points: int) -> PigPosition:
    """The turn that begins at `start` with so many points; raises `Refused` where no rolls add up to them."""
    if points == 1:
        raise AgainstTheRules(phrase("No turn of Pig has a single point: a 1 loses it."), "2a")
    return replace(start, running=points)


def pig_advice(position: PigPosition) -> tuple[Advice, ...]:
    """Rolling and holding, the most points first; nothing once the game is over."""
    if position.over:
        return ()
    needed = position.target - position.scores[position.active]
    points, chance = roll_worth(position.running, needed)
    roll = Advice(
        player=position.name,
        words=phrase("roll"),
        points=float(points),
        chance=float(chance),
        risk=1 / 6,
        hint=phrase("hold from {points} on", points=min(ENOUGH, needed)),
    )
    if not position.running:
        return (roll,)
    hold = Advice(
        player=position.name,
        words=phrase("hold {points}", points=position.running),
        points=float(min(position.running, needed)),
        chance=1.0,
        event=Cache(),
    )
    return best_first([roll, hold])

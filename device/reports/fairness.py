"""Whether a die falls as a fair one would: Pearson's chi-square test, and what that test could have noticed.

A test that finds nothing says little when it could not have found much: so each verdict comes with its power.
The two distributions stand here in a few lines, because nothing of ours needs the library that has them.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from engine.dice import FACES, DieKind, Face

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

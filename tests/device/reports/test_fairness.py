"""The fairness test keeps its word: fair dice are seldom suspected, loaded ones as often as it says."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.reports.figures import ALPHA, beyond, chances, judge, power, throws_needed
from engine.dice import FACES, DieKind, Face

KINDS: tuple[DieKind, ...] = ("pip", "zoinx", "d4")


@pytest.mark.parametrize(
    ("freedom", "statistic", "share"),
    [
        (1, 3.841, 0.05),
        (1, 6.635, 0.01),
        (2, 9.210, 0.01),
        (3, 11.345, 0.01),
        (5, 11.070, 0.05),
        (5, 15.086, 0.01),
        (5, 20.515, 0.001),
        (10, 18.307, 0.05),
        (31, 52.191, 0.01),
    ],
)
def test_the_tail_is_that_of_the_printed_tables(freedom: int, statistic: float, share: float) -> None:
    assert beyond(statistic, freedom) == pytest.approx(share, rel=2e-3)


@given(st.floats(0, 500), st.integers(1, 60))
def test_the_tail_is_a_share_that_falls_with_the_statistic(statistic: float, freedom: int) -> None:
    more, less = beyond(statistic, freedom), beyond(statistic + 1, freedom)
    assert 0 <= less <= 1
    assert less <= more * (1 + 1e-9)
    assert more <= 1


def thrown(kind: DieKind, shares: list[float], count: int, dice: int) -> list[dict[Face, int]]:
    """The faces of so many dice, each thrown so often."""
    rng = np.random.default_rng(20261120)
    return [
        dict(zip(FACES[kind], map(int, row), strict=True))
        for row in rng.multinomial(count, shares, size=dice)
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_the_p_values_of_fair_dice_are_spread_evenly(kind: DieKind) -> None:
    found = sorted(
        judge(kind, counts).p or 0.0 for counts in thrown(kind, [*chances(kind).values()], 600, 4000)
    )
    apart = [abs(p - (place + 0.5) / len(found)) for place, p in enumerate(found)]
    # A statistic of two faces takes few values, so its p-values come in steps.
    assert max(apart) < (0.05 if kind == "zoinx" else 0.03)
    suspected = sum(p < ALPHA for p in found) / len(found)
    assert suspected == pytest.approx(ALPHA, abs=0.005)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("sure", [0.5, 0.9])
def test_a_loaded_die_is_noticed_as_often_as_the_power_says(kind: DieKind, sure: float) -> None:
    fair = chances(kind)
    hidden = min(fair, key=lambda face: fair[face])
    loaded = {face: share * (1 - 1.5 * fair[hidden]) / (1 - fair[hidden]) for face, share in fair.items()}
    loaded[hidden] = 1.5 * fair[hidden]
    count = throws_needed(kind, sure)
    noticed = [judge(kind, counts).suspected for counts in thrown(kind, [*loaded.values()], count, 1500)]
    assert power(kind, count) >= sure > power(kind, count - 1)
    assert sum(noticed) / len(noticed) == pytest.approx(sure, abs=0.05)


def test_too_few_throws_say_nothing() -> None:
    told = judge("pip", {6: 29})
    assert (told.p, told.suspected, told.power) == (None, False, 0.0)
    assert judge("pip", {6: 30}).suspected
    assert judge("pip", {}).p is None


@given(st.sampled_from(KINDS), st.lists(st.integers(0, 5), max_size=60))
def test_what_is_expected_is_as_much_as_was_thrown(kind: DieKind, shown: list[int]) -> None:
    counts = Counter(FACES[kind][each % len(FACES[kind])] for each in shown)
    told = judge(kind, counts)
    assert told.thrown == len(shown)
    assert sum(told.expected.values()) == pytest.approx(len(shown))
    assert told.statistic >= 0


def test_more_throws_see_more() -> None:
    assert all(
        one <= other + 1e-9 for one, other in pairwise(power("pip", count) for count in range(0, 3000, 50))
    )
    assert power("pip", 50_000) == 1.0

"""ZONK's combos, rules 4b, 5 to 5h and 9c of engine/zonk: every row, every throw, every pocketing."""

from collections import Counter
from itertools import combinations_with_replacement, product
from math import factorial, prod
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.dice import Die
from engine.zonk import Modifiers, legal_pocketings
from engine.zonk.combos import PLAIN, combo_table, grouped, scores, values_of
from tests.engine.say import pips, shown

DIFFERENT = Modifiers(pairs="different")
STARE = Modifiers(stare=True)


def best(faces: str, modifiers: Modifiers = PLAIN) -> int:
    """The points of the best pocketing; 0 for a zonk."""
    found = legal_pocketings(shown(faces), modifiers)
    return found[0].points if found else 0


ROWS = {
    "5a a single 1": ("1", 100),
    "5b a single 5": ("5", 50),
    "5c three 1s": ("1 1 1", 1000),
    "5c three 2s, the printed example": ("2 2 2", 200),
    "5c three 3s": ("3 3 3", 300),
    "5c three 4s": ("4 4 4", 400),
    "5c three 5s": ("5 5 5", 500),
    "5c three 6s": ("6 6 6", 600),
    "5d four 1s as such": ("1 1 1 1", 200),
    "5d four 2s": ("2 2 2 2", 400),
    "5d four 3s": ("3 3 3 3", 600),
    "5d four 4s": ("4 4 4 4", 800),
    "5d four 5s": ("5 5 5 5", 1000),
    "5d four 6s": ("6 6 6 6", 1200),
    "5e five 1s as such": ("1 1 1 1 1", 400),
    "5e five 2s": ("2 2 2 2 2", 800),
    "5e five 3s": ("3 3 3 3 3", 1200),
    "5e five 4s": ("4 4 4 4 4", 1600),
    "5e five 5s": ("5 5 5 5 5", 2000),
    "5e five 6s": ("6 6 6 6 6", 2400),
    "5f six 2s": ("2 2 2 2 2 2", 1200),
    "5f six 3s": ("3 3 3 3 3 3", 1800),
    "5f six 4s": ("4 4 4 4 4 4", 2400),
    "5f six 5s": ("5 5 5 5 5 5", 3000),
    "5f six 6s": ("6 6 6 6 6 6", 3600),
    "5g three pairs, the printed example": ("1 1 3 3 4 4", 750),
    "5g three pairs, two of them alike": ("2 2 2 2 3 3", 750),
    "5h the rainbow": ("1 2 3 4 5 6", 2500),
}


@pytest.mark.parametrize("row", ROWS)
def test_rule(row: str) -> None:
    faces, points = ROWS[row]
    assert combo_table(PLAIN)[values_of(shown(faces))] == points


def test_rules_5f_5g_six_1s_as_one_combo_are_worth_more_as_three_pairs() -> None:
    assert combo_table(PLAIN)[1, 1, 1, 1, 1, 1] == 750
    assert combo_table(DIFFERENT)[1, 1, 1, 1, 1, 1] == 600


def test_rule_5_the_table_has_no_other_row() -> None:
    named = {values_of(shown(faces)) for faces, _ in ROWS.values()}
    pairs = {tuple(sorted(three * 2)) for three in combinations_with_replacement(range(1, 7), 3)}
    assert set(combo_table(PLAIN)) - pairs == named - pairs
    assert pairs - set(combo_table(PLAIN)) == set()
    assert set(combo_table(DIFFERENT)) == (named - pairs) | {
        values for values in pairs if len(set(values)) in {1, 3}
    }


CASTS = {
    "the printed example: 1 1 3 6 5 5 holds two 1s and two 5s": ("1 1 3 6 5 5", PLAIN, 300),
    "4b four 1s are three and one": ("1 1 1 1 2 3", PLAIN, 1100),
    "4b five 1s are three and two": ("1 1 1 1 1 2", PLAIN, 1200),
    "4b six 1s are twice three": ("1 1 1 1 1 1", PLAIN, 2000),
    "4b twice three of a kind": ("2 2 2 3 3 3", PLAIN, 500),
    "4b a kind and singles": ("4 4 4 1 5 2", PLAIN, 550),
    "4b three pairs are worth more than four 2s": ("2 2 2 2 3 3", PLAIN, 750),
    "4b four 4s are worth more than three pairs": ("4 4 4 4 3 3", PLAIN, 800),
    "4b four 6s and two 1s are worth more than three pairs": ("6 6 6 6 1 1", PLAIN, 1400),
    "4b a rainbow and a 1 of seven": ("1 2 3 4 5 6 1", PLAIN, 2600),
    "4b three pairs and a 5 of seven": ("2 2 3 3 4 4 5", PLAIN, 800),
    "4b seven 6s are four and three": ("6 6 6 6 6 6 6", PLAIN, 3600),
    "4b eight 6s are five and three": ("6 6 6 6 6 6 6 6", PLAIN, 3600),
    "5g option pairs=different: four 2s and two 3s": ("2 2 2 2 3 3", DIFFERENT, 400),
    "5g option pairs=different: three pairs": ("2 2 4 4 3 3", DIFFERENT, 750),
    "6 a zonk": ("2 3 4 6 2 3", PLAIN, 0),
    "9b a D4 counts like a D6": ("4 4 4^ 2 3 6", PLAIN, 400),
    "9b two D4s in a rainbow": ("1^ 2 3^ 4 5 6", PLAIN, 2500),
    "9c one 1": ("1 2 3 4 6 6", STARE, 100),
    "9c two 1s": ("1 1 2 3 4 6", STARE, 500),
    "9c three 1s": ("1 1 1 2 3 4", STARE, 1000),
    "9c four 1s": ("1 1 1 1 2 3", STARE, 1100),
    "9c five 1s": ("1 1 1 1 1 2", STARE, 1500),
    "9c six 1s": ("1 1 1 1 1 1", STARE, 2000),
    "9c two 1s or three pairs": ("1 1 2 2 3 3", STARE, 750),
    "9c two 1s of a rainbow and one more": ("1 1 2 3 4 5 6", STARE, 2600),
}


@pytest.mark.parametrize("cast", CASTS)
def test_rule_4b(cast: str) -> None:
    faces, modifiers, points = CASTS[cast]
    assert best(faces, modifiers) == points
    assert scores(values_of(shown(faces)), modifiers) == (points > 0)


BY_COUNT = {
    1: (0, 100, 200, 1000, 1100, 1200, 2000),
    5: (0, 50, 100, 500, 1000, 2000, 3000),
    **{face: (0, 0, 0, 100 * face, 200 * face, 400 * face, 600 * face) for face in (2, 3, 4, 6)},
}
"""What so many of each face are worth, counted by hand."""


def by_hand(throw: tuple[int, ...]) -> int:
    """The best points of six dice, without the table of combos."""
    counts = [throw.count(face) for face in range(1, 7)]
    faces = sum(BY_COUNT[face][count] for face, count in enumerate(counts, start=1))
    if counts == [1] * 6:
        return 2500
    return max(faces, 750) if all(count % 2 == 0 for count in counts) else faces


def test_all_46656_throws_of_six_dice_by_best_points_and_by_zonk() -> None:
    engine: Counter[int] = Counter()
    brute: Counter[int] = Counter()
    for throw in product(range(1, 7), repeat=6):
        brute[by_hand(throw)] += 1
    for values in combinations_with_replacement(range(1, 7), 6):
        ways = factorial(6) // prod(factorial(values.count(face)) for face in set(values))
        found = legal_pocketings(pips(*values))
        assert scores(values, PLAIN) == bool(found)
        engine[found[0].points if found else 0] += ways
    assert engine == brute
    assert engine.total() == 46_656
    assert engine[0] == 1080, "two pairs and two singles of 2 3 4 6: 6 x 6! / (2! x 2!)"
    assert engine[50] == 3600, "a 5 and five dice of 2 3 4 6 with at most two alike: 6 x (360 + 240)"
    assert engine[2500] == 726, "6! rainbows, and five 6s with a 1"
    assert engine[3600] == 1


def worth(values: tuple[int, ...], modifiers: Modifiers) -> int:
    """The points of one combo from the rulebook's sentences; 0 for none."""
    kinds = {3: 100, 4: 200, 5: 400, 6: 600}
    found = {(1,): 100, (5,): 50, (1, 2, 3, 4, 5, 6): 2500}.get(values, 0)
    if len(set(values)) == 1:
        found = max(found, values[0] * kinds.get(len(values), 0))
    if values == (1, 1, 1):
        found = 1000
    if values == (1, 1) and modifiers.stare:
        found = 500
    pairs = len(values) == 6 and values[::2] == values[1::2]
    if pairs and (modifiers.pairs == "any" or len(set(values)) == 3):
        found = max(found, 750)
    return found


def every_partition(values: list[int]) -> list[list[list[int]]]:
    """All ways to put things into heaps."""
    if not values:
        return [[]]
    first, *rest = values
    found = []
    for heaps in every_partition(rest):
        found.append([[first], *heaps])
        found += [[*heaps[:place], [first, *heap], *heaps[place + 1 :]] for place, heap in enumerate(heaps)]
    return found


def tried(values: tuple[int, ...], modifiers: Modifiers) -> int | None:
    """The most points of all the dice as combos, by trying every partition."""
    found = []
    for heaps in every_partition(list(values)):
        points = [worth(tuple(sorted(heap)), modifiers) for heap in heaps]
        if all(points):
            found.append(sum(points))
    return max(found, default=None)


MODIFIERS = st.builds(Modifiers, stare=st.booleans(), pairs=st.sampled_from(["any", "different"]))
KIND: st.SearchStrategy[Literal["pip", "d4"]] = st.sampled_from(["pip", "pip", "d4"])
DICE = st.lists(
    KIND.flatmap(lambda kind: st.integers(1, 4 if kind == "d4" else 6).map(lambda face: Die(kind, face))),
    min_size=1,
    max_size=7,
).map(tuple)


@given(values=st.lists(st.integers(1, 6), min_size=1, max_size=7).map(sorted).map(tuple), modifiers=MODIFIERS)
def test_rule_4b_dice_are_worth_the_most_that_any_grouping_makes(
    values: tuple[int, ...], modifiers: Modifiers
) -> None:
    found = grouped(values, modifiers)
    assert (None if found is None else found[0]) == tried(values, modifiers)
    if found:
        assert sorted(value for combo in found[1] for value in combo) == list(values)
        assert sum(combo_table(modifiers)[combo] for combo in found[1]) == found[0]


@given(dice=DICE, modifiers=MODIFIERS)
def test_rule_4_every_legal_pocketing_is_listed_once_the_best_first(
    dice: tuple[Die, ...], modifiers: Modifiers
) -> None:
    listed = legal_pocketings(dice, modifiers)
    taken = [frozenset(Counter(each.dice).items()) for each in listed]
    assert len(taken) == len(set(taken))
    assert [each.points for each in listed] == sorted((each.points for each in listed), reverse=True)
    wanted = set()
    for chosen in product([False, True], repeat=len(dice)):
        some = tuple(die for die, take in zip(dice, chosen, strict=True) if take)
        if some and grouped(values_of(some), modifiers):
            wanted.add(frozenset(Counter(some).items()))
    assert set(taken) == wanted
    assert all(values_of(combo) in combo_table(modifiers) for each in listed for combo in each.combos)


def test_the_order_of_dice_does_not_matter_and_the_d4_stays_in_hand() -> None:
    assert legal_pocketings(shown("5 1^ 2 1")) == legal_pocketings(shown("1 2 1^ 5"))
    one = [each for each in legal_pocketings(shown("1^ 1 2")) if len(each.dice) == 1]
    assert [each.dice for each in one] == [shown("1"), shown("1^")]


def test_all_the_pocketings_of_the_printed_example() -> None:
    listed = legal_pocketings(shown("1 1 3 6 5 5"))
    assert [(values_of(each.dice), each.points) for each in listed] == [
        ((1, 1, 5, 5), 300),
        ((1, 1, 5), 250),
        ((1, 1), 200),
        ((1, 5, 5), 200),
        ((1, 5), 150),
        ((1,), 100),
        ((5, 5), 100),
        ((5,), 50),
    ]

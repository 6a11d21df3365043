"""Ten Thousand's combos: each row of the table a test, every set-aside of every throw counted another way."""

from collections import Counter
from itertools import combinations, product

import pytest

from engine.ten_thousand import Combos, best_keep, legal_keeps
from engine.ten_thousand.agreed import EDITIONS
from engine.ten_thousand.combos import keep_words

CLASSIC, FARKLE, TAVERN, PLAIN = (EDITIONS[name].combos for name in ("classic", "farkle", "tavern", "plain"))

ROWS = [
    ("4a a 1", "1", CLASSIC, 100),
    ("4a a 5", "5", CLASSIC, 50),
    ("4a two 1s and two 5s", "1155", CLASSIC, 300),
    ("4a no 2", "2", CLASSIC, None),
    ("4a no 6 beside a 1", "16", CLASSIC, None),
    ("4b three 1s", "111", CLASSIC, 1000),
    *((f"4b three {face}s", str(face) * 3, CLASSIC, 100 * face) for face in range(2, 7)),
    ("4b three 1s of farkle", "111", FARKLE, 300),
    ("4c four 2s", "2222", CLASSIC, 400),
    ("4c five 2s", "22222", CLASSIC, 800),
    ("4c six 2s", "222222", CLASSIC, 1600),
    ("4c four 1s", "1111", CLASSIC, 2000),
    ("4c five 1s", "11111", CLASSIC, 4000),
    ("4c six 1s", "111111", CLASSIC, 8000),
    ("4c six 6s", "666666", CLASSIC, 4800),
    ("4c six 2s as printed", "222222", Combos(kinds="printed"), 600),
    ("4c five 2s as printed", "22222", Combos(kinds="printed"), 800),
    ("4c four 3s added", "3333", Combos(kinds="add"), 600),
    ("4c six 3s added", "333333", Combos(kinds="add"), 1200),
    ("4c four 3s of farkle", "3333", FARKLE, 1000),
    ("4c five 3s of farkle", "33333", FARKLE, 2000),
    ("4c six 3s of farkle", "333333", FARKLE, 3000),
    ("4d the straight", "123456", CLASSIC, 1500),
    ("4d the straight in any order", "362514", CLASSIC, 1500),
    ("4d no low straight", "12345", CLASSIC, None),
    ("4d no high straight", "23456", CLASSIC, None),
    ("4d low straight of tavern", "12345", TAVERN, 500),
    ("4d high straight of tavern", "23456", TAVERN, 750),
    ("4d low straight and a 5 of tavern", "123455", TAVERN, 550),
    ("4d no straight in plain", "123456", PLAIN, None),
    ("4e three pairs", "335566", CLASSIC, 1500),
    ("4e three pairs with a pair of 1s", "112233", CLASSIC, 1500),
    ("4e no three pairs in tavern", "335566", TAVERN, None),
    ("4e four and a pair", "222233", CLASSIC, 1500),
    ("4e four 1s and a pair of 5s is worth more as singles", "111155", CLASSIC, 2100),
    ("4e four 1s and a pair of 4s", "111144", CLASSIC, 1500),
    ("4e no four and a pair in plain", "222233", PLAIN, None),
    ("4e two threes are two combos", "222333", CLASSIC, 500),
    ("4e two threes of farkle", "222333", FARKLE, 2500),
    ("4e six of a kind is no three pairs", "222222", Combos(kinds="printed"), 600),
    ("5a three 1s and a 1 are four", "1111", CLASSIC, 2000),
    ("5a four 1s are three and one where that is more", "1111", Combos(kinds="fixed"), 1100),
    ("5a five 5s", "55555", CLASSIC, 2000),
]


@pytest.mark.parametrize(
    ("dice", "combos", "points"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS]
)
def test_rule_4(dice: str, combos: Combos, points: int | None) -> None:
    keep = best_keep([int(face) for face in dice], combos)
    assert (keep.points if keep else None) == points


def test_a_set_aside_names_its_combos_and_their_dice() -> None:
    keep = best_keep((1, 6, 6, 5, 6, 1), CLASSIC)
    assert keep is not None
    assert sorted(keep.combos) == [(1,), (1,), (5,), (6, 6, 6)]
    assert keep.dice == (1, 1, 5, 6, 6, 6)
    assert keep_words(keep) == "three 6s, two 1s and a 5"


def test_every_set_aside_is_listed_once_the_best_first() -> None:
    listed = [(keep.points, keep.dice) for keep in legal_keeps((1, 5, 2, 2, 2, 3), CLASSIC)]
    assert listed == [
        (350, (1, 2, 2, 2, 5)),
        (300, (1, 2, 2, 2)),
        (250, (2, 2, 2, 5)),
        (200, (2, 2, 2)),
        (150, (1, 5)),
        (100, (1,)),
        (50, (5,)),
    ]


def test_of_equal_points_the_fewest_dice_go_first() -> None:
    listed = [keep.dice for keep in legal_keeps((1, 5, 5), CLASSIC) if keep.points == 100]
    assert listed == [(1,), (5, 5)]


def test_no_set_aside_is_a_farkle() -> None:
    assert legal_keeps((2, 3, 4, 6, 6), CLASSIC) == ()
    assert legal_keeps((), CLASSIC) == ()


def plain_points(dice: tuple[int, ...]) -> int | None:
    """The best of the classic values for all these dice, found by another way: piece by piece, no table."""
    if not dice:
        return 0
    counts = sorted(Counter(dice).values())
    found = []
    if len(dice) == 6 and counts in ([1] * 6, [2, 2, 2], [2, 4]):
        found.append(1500)
    first = dice[0]
    for size in range(1, dice.count(first) + 1):
        rest = list(dice)
        for _ in range(size):
            rest.remove(first)
        worth = {1: 1000}.get(first, first * 100) * 2 ** (size - 3) if size >= 3 else 0
        worth = {1: 100, 5: 50}.get(first, 0) if size == 1 else worth
        others = plain_points(tuple(rest))
        if worth and others is not None:
            found.append(int(worth) + others)
    return max(found, default=None)


@pytest.mark.long
def test_all_46656_throws_by_best_points_and_by_set_asides() -> None:
    known: dict[tuple[int, ...], tuple[tuple[int, ...], ...]] = {}
    best: Counter[int] = Counter()
    for throw in product(range(1, 7), repeat=6):
        dice = tuple(sorted(throw))
        keeps = legal_keeps(throw, CLASSIC)
        best[keeps[0].points if keeps else 0] += 1
        if dice in known:
            assert tuple(keep.dice for keep in keeps) == known[dice]
            continue
        known[dice] = tuple(keep.dice for keep in keeps)
        counted = {
            taken: points
            for size in range(1, 7)
            for taken in set(combinations(dice, size))
            if (points := plain_points(taken)) is not None
        }
        assert {keep.dice: keep.points for keep in keeps} == counted
    assert len(known) == 462
    assert best.total() == 46_656
    assert best[0] == 1080  # farkles: 2.31 %
    assert best[8000] == 1

"""Dice of one cast count for the most they make together, in whatever steps they are set aside.

Counted here anew, face by face from the printed tables, and compared with every way to set the dice of a cast
aside step by step: ZONK rules 4a to 4c and 7a, Ten Thousand rules 5 to 5d and 8.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations_with_replacement, permutations, product
from random import Random

import pytest

from engine.dice import Die
from engine.events import Cache, Pocket, Rolled
from engine.game import Position
from engine.refusal import Refused
from tests.engine.say import Table
from tests.engine.zonk_table import holding

Faces = tuple[int, ...]
Worth = Callable[[Faces], int | None]
"""The most that combos of just these dice make; None where a die is in none."""

THREES = list(combinations_with_replacement(range(1, 7), 3))


def worth_by(combos: dict[Faces, int]) -> Worth:
    """Tries every combo that holds the smallest die."""

    @cache
    def worth(faces: Faces) -> int | None:
        if not faces:
            return 0
        found = []
        for combo, points in combos.items():
            if faces[0] in combo and not Counter(combo) - Counter(faces):
                rest = worth(tuple(sorted((Counter(faces) - Counter(combo)).elements())))
                found += [] if rest is None else [points + rest]
        return max(found, default=None)

    return worth


def zonk_combos(*, stare: bool = False, different: bool = False) -> dict[Faces, int]:
    """ZONK's printed table."""
    found: dict[Faces, int] = {(1,): 100, (5,): 50, (1, 2, 3, 4, 5, 6): 2500}
    for count, times in ((3, 100), (4, 200), (5, 400), (6, 600)):
        found |= {(face,) * count: face * times for face in range(1, 7)}
    found[1, 1, 1] = 1000
    for trio in THREES:
        if not different or len(set(trio)) == 3:
            pairs = tuple(sorted(trio * 2))
            found[pairs] = max(750, found.get(pairs, 0))
    return found | ({(1, 1): 500} if stare else {})


def ten_thousand_combos(
    of_kind: Callable[[int, int], int] = lambda three, more: three * 2**more,
    *,
    ones: int = 1000,
    straight: int = 1500,
    low: int = 0,
    high: int = 0,
    pairs: int = 1500,
    four_and_pair: int = 1500,
    two_threes: int = 0,
) -> dict[Faces, int]:
    """Ten Thousand's table; `of_kind` makes the points of more than three out of those of three."""
    found: dict[Faces, int] = {(1,): 100, (5,): 50}
    for face, more in product(range(1, 7), range(4)):
        three = ones if face == 1 else face * 100
        found[(face,) * (3 + more)] = of_kind(three, more) if more else three
    found |= {(1, 2, 3, 4, 5, 6): straight, (1, 2, 3, 4, 5): low, (2, 3, 4, 5, 6): high}
    found |= {tuple(sorted(trio * 2)): pairs for trio in THREES if len(set(trio)) == 3}
    for first, other in permutations(range(1, 7), 2):
        found[tuple(sorted((first,) * 4 + (other,) * 2))] = four_and_pair
        found[tuple(sorted((first, other) * 3))] = two_threes
    return {faces: points for faces, points in found.items() if points}


def ten_thousand(**options: str) -> Position:
    """Before the first roll."""
    return Table("ten-thousand", "Ann Bob", first="named", opening="0", **options).history.position


FARKLE = ten_thousand_combos(lambda _, more: more * 1000, ones=300, two_threes=2500)
TABLES: dict[str, tuple[Callable[[], Position], dict[Faces, int]]] = {
    "zonk": (lambda: holding().history.position, zonk_combos()),
    "zonk different": (
        lambda: holding(pairs="different").history.position,
        zonk_combos(different=True),
    ),
    "zonk stare": (lambda: holding("stare").history.position, zonk_combos(stare=True)),
    "classic": (ten_thousand, ten_thousand_combos()),
    "printed": (
        lambda: ten_thousand(kinds="printed"),
        ten_thousand_combos(lambda three, more: three * (3 if more == 3 else 2**more)),
    ),
    "add": (lambda: ten_thousand(kinds="add"), ten_thousand_combos(lambda three, more: three * (more + 1))),
    "farkle": (lambda: ten_thousand(edition="farkle"), FARKLE),
    "tavern": (
        lambda: ten_thousand(edition="tavern"),
        ten_thousand_combos(low=500, high=750, pairs=0, four_and_pair=0),
    ),
    "plain": (
        lambda: ten_thousand(edition="plain"),
        ten_thousand_combos(straight=0, pairs=0, four_and_pair=0),
    ),
    "odd": (
        lambda: ten_thousand(**{"low-straight": "2000", "four-and-pair": "500"}),
        ten_thousand_combos(low=2000, four_and_pair=500),
    ),
}
CASTS = list(combinations_with_replacement(range(1, 7), 6))
TELLING: list[Faces] = [
    *((4, 4, 4, 4, 2, 3), (5, 5, 5, 1, 2, 3), (1, 1, 1, 2, 3, 4), (1, 1, 3, 3, 4, 4), (6, 6, 6, 6, 2, 2)),
    *((1, 2, 3, 4, 5, 6), (1, 1, 1, 1, 5, 5), (2, 2, 2, 5, 5, 5), (1, 2, 3, 4, 5, 5), (5, 5, 5, 5, 5, 1)),
    *((2, 3, 4, 5, 6, 6), (1, 1, 1, 1, 1, 1), (2, 2, 2, 2, 3, 3), (1, 1, 1, 4, 4, 4)),
]


def dice_of(faces: Faces) -> tuple[Die, ...]:
    return tuple(Die("pip", face) for face in faces)


def parts(faces: Faces) -> Iterator[Faces]:
    """Every choice of some of these dice, each once."""
    counted = sorted(Counter(faces).items())
    for taken in product(*(range(count + 1) for _, count in counted)):
        if any(taken):
            yield tuple(face for (face, _), count in zip(counted, taken, strict=True) for _ in range(count))


def all_together(faces: Faces, more: Faces) -> Faces:
    return tuple(sorted(faces + more))


def check_steps(start: Position, worth: Worth, cast: Faces) -> None:
    """Sets the dice of a cast aside in every order of steps; what lies there says all, the steps nothing."""
    position = start.after(Rolled(dice=dice_of(cast)))
    everything = [part for part in parts(cast) if worth(part) is not None]
    if not everything:
        assert position.view().phase not in {"pocket", "keep"}
        return
    reached: dict[Faces, Position] = {}
    open_steps: list[tuple[Faces, Position]] = [((), position)]
    while open_steps:
        aside, now = open_steps.pop()
        left = tuple(sorted((Counter(cast) - Counter(aside)).elements()))
        had = now.view().running or 0
        assert had == worth(aside)
        most = max(worth(part) or 0 for part in everything if not Counter(aside) - Counter(part))
        assert now.after(Cache()).view().scores[0] == max(had, most)
        offered = {faces_of(choice.event): choice.points for choice in now.view().choices}
        assert list(offered.values()) == sorted(offered.values(), key=lambda points: -(points or 0))
        for more in parts(left):
            after, together = None, all_together(aside, more)
            try:
                after = now.after(Pocket(combos=((dice_of(more),) if aside else named(now, more))))
            except Refused:
                assert worth(together) is None
                assert more not in offered
                continue
            assert offered[more] == (after_points(worth(together)) - had)
            if together == cast:  # hot dice, or all pocketed
                assert after.view().running == worth(together)
            elif together not in reached:
                reached[together] = after
                open_steps.append((together, after))
            else:
                assert reached[together] == after
    assert set(reached) | {cast} >= {part for part in everything if part != cast}


def after_points(points: int | None) -> int:
    assert points is not None
    return points


def faces_of(event: object) -> Faces:
    assert isinstance(event, Pocket)
    return tuple(sorted(int(die.value) for combo in event.combos for die in combo))


def named(position: Position, dice: Faces) -> tuple[tuple[Die, ...], ...]:
    """The first step as its choice groups it; where there is none, as one combo, to be refused."""
    found = (choice.event for choice in position.view().choices if faces_of(choice.event) == dice)
    event = next(found, None)
    return event.combos if isinstance(event, Pocket) else (dice_of(dice),)


@pytest.mark.parametrize("name", TABLES)
def test_steps_change_nothing_in_what_dice_of_one_cast_are_worth(name: str) -> None:
    begin, combos = TABLES[name]
    start, worth = begin(), worth_by(combos)
    for cast in [*TELLING, *Random(name).sample(CASTS, 4)]:
        check_steps(start, worth, tuple(sorted(cast)))


@pytest.mark.long
@pytest.mark.parametrize("name", TABLES)
def test_steps_change_nothing_for_any_of_the_462_casts(name: str) -> None:
    begin, combos = TABLES[name]
    start, worth = begin(), worth_by(combos)
    for cast in CASTS:
        check_steps(start, worth, cast)


@pytest.mark.parametrize(("game", "aside"), [("zonk", "pockets 5"), ("ten-thousand", "keeps 5")])
def test_rolling_on_without_a_word_counts_all_dice_of_the_cast(game: str, aside: str) -> None:
    table = Table(game, "Ann Bob", **({"deck": "none"} if game == "zonk" else {"first": "named"}))
    view = table.say(f"throws 5 5 5 1 2 3, {aside}, throws 1 2 4")
    assert view.running == 500


@pytest.mark.parametrize(
    ("game", "words", "loss"),
    [
        ("zonk", "casts 6 6 6 6 2 2, pockets 6 6 6 6", -450),
        ("ten-thousand", "throws 1 1 1 1 2 2, keeps 1 1 1 1", -500),
    ],
)
def test_a_step_that_costs_points_is_only_taken_when_it_is_told(game: str, words: str, loss: int) -> None:
    table = Table(game, "Ann Bob", **({"deck": "none"} if game == "zonk" else {"first": "named"}))
    view = table.say(words)
    assert view.wanted is not None
    assert view.wanted.count == 2
    assert [choice.points for choice in view.choices] == [loss]
    table.refused("throws 1 2 3 4 5 6")
    running = view.running or 0
    assert table.history.position.after(view.choices[0].event).view().running == running + loss
    assert table.say("banks").scores[0] == running

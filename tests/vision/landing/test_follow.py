"""Which die is which after a throw: by place, colour and size; what cannot be told is said."""

import random

from hypothesis import given
from hypothesis import strategies as st

from vision.landing.follow import STILL_MM, follow_dice
from vision.measured import MeasuredDie

SIGMA_MM = 0.03


def die(
    x: float,
    y: float,
    value: int | None = 3,
    color: str = "ivory",
    edge_mm: float = 16.0,
    sigma: float = SIGMA_MM,
) -> MeasuredDie:
    h = edge_mm / 2
    row = (0.0, 0.0, 0.0, 0.0)
    return MeasuredDie(
        value=value,
        confidence=1.0,
        color=color,
        center_mm=(x, y),
        yaw_deg=0.0,
        edge_mm=edge_mm,
        footprint_mm=((x - h, y - h), (x + h, y - h), (x + h, y + h), (x - h, y + h)),
        covariance=(row, row, row, (0.0, 0.0, 0.0, sigma**2)),
        sigma_mm=sigma,
        pose="flat",
        center_px=(0.0, 0.0),
        corners_px=((0.0, 0.0),) * 4,
    )


def test_the_first_die_is_new() -> None:
    change = follow_dice((), (die(0, 100),))
    assert list(change.fates) == ["new"]
    assert change.gone == ()
    assert change.unsure == ""


def test_dice_that_lie_where_they_lay_stayed_and_one_is_new() -> None:
    before = (die(0, 100, 1), die(50, 200, 2), die(-60, 300, 3))
    after = (die(-60.04, 300.02, 3), die(10, 20, 6), die(0.03, 100, 1), die(50, 199.97, 2))
    change = follow_dice(before, after)
    assert list(zip(change.fates, change.was, strict=True)) == [
        ("stayed", 2),
        ("new", None),
        ("stayed", 0),
        ("stayed", 1),
    ]
    assert change.unsure == ""


def test_a_pushed_die_is_told_by_its_colour_whatever_it_shows_now() -> None:
    change = follow_dice((die(0, 100, 1, "red"),), (die(4, 80, 5, "red"), die(-3, 104, 1, "black")))
    assert list(zip(change.fates, change.was, strict=True)) == [("moved", 0), ("new", None)]
    assert change.unsure == ""


def test_a_pushed_die_is_told_by_its_size() -> None:
    before = (die(0, 100, 1, edge_mm=15.85),)
    after = (die(2, 90, 4, edge_mm=16.12), die(60, 30, 2, edge_mm=15.87))
    change = follow_dice(before, after)
    assert list(zip(change.fates, change.was, strict=True)) == [("new", None), ("moved", 0)]
    assert change.unsure == ""


def test_two_dice_that_nothing_tells_apart_are_not_guessed_at() -> None:
    change = follow_dice((die(0, 100, 1),), (die(8, 90, 4), die(-9, 92, 2)))
    assert sorted(change.fates) == ["moved", "new"]
    assert "cannot be told" in change.unsure
    assert "ivory" in change.unsure


def test_the_thrower_s_own_colour_says_which_is_new() -> None:
    before = (die(0, 100, 1, "red"), die(40, 100, 2, "blue"))
    after = (die(6, 90, 4, "red"), die(45, 90, 2, "blue"), die(20, 60, 3, "blue"))
    change = follow_dice(before, after, thrown_color="blue")
    assert change.fates == ("moved", "moved", "new")
    assert change.was == (0, 1, None)


def test_a_die_that_was_knocked_off_is_gone() -> None:
    change = follow_dice((die(0, 5, 1, "red"), die(50, 200, 2)), (die(0, 4, 6, "black"), die(50, 200, 2)))
    assert change.gone == (0,)
    assert list(change.fates) == ["new", "stayed"]


def test_a_die_that_turns_over_on_the_spot_is_looked_at() -> None:
    change = follow_dice((die(0, 100, 1),), (die(0, 100, 6),))
    assert change.fates[0] == "stayed"
    assert "showed 1 and now shows 6" in change.unsure


def test_a_number_that_was_not_read_turns_nothing_over() -> None:
    assert follow_dice((die(0, 100, None),), (die(0, 100, 6),)).unsure == ""


def test_a_heap_of_moved_dice_is_left_to_people() -> None:
    before = [die(30.0 * i, 100) for i in range(8)]
    after = [die(30.0 * i, 400) for i in range(8)]
    assert "which is which" in follow_dice(before, after).unsure


@given(count=st.integers(1, 12), hit=st.integers(0, 11), seed=st.integers(0, 10_000))
def test_whoever_is_hit_everybody_keeps_who_they_are(count: int, hit: int, seed: int) -> None:
    """Colours of their own, noise on every place: one die is pushed, one is new, the order is any."""
    chance = random.Random(seed)
    colors = [f"colour {i}" for i in range(count)]
    before = [die(40.0 * i, chance.uniform(0, 400), 1 + i % 6, colors[i]) for i in range(count)]
    after = [
        die(
            old.center_mm[0] + chance.gauss(0, SIGMA_MM),
            old.center_mm[1] + chance.gauss(0, SIGMA_MM),
            old.value,
            old.color,
        )
        for old in before
    ]
    hit %= count
    old = before[hit]
    push = STILL_MM * 2 + chance.uniform(0, 60)
    after[hit] = die(old.center_mm[0], old.center_mm[1] + push, chance.randint(1, 6), old.color)
    new = die(-100, 50, 2, "colour new")
    order = [*range(count), count]
    chance.shuffle(order)
    change = follow_dice(before, [[*after, new][k] for k in order])
    assert change.unsure == ""
    assert change.gone == ()
    for k, fate, was in zip(order, change.fates, change.was, strict=True):
        assert was == (None if k == count else k)
        assert fate == ("new" if k == count else "moved" if k == hit else "stayed")

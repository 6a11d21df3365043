"""Over which side of the table a die left it, by the camera over an end: as the thrower sees it."""

from dataclasses import replace

import pytest

from benchmarks.acts import departures as play
from calibration.description import PointMm
from tests.vision.landing.test_release import CALIBRATION, LINE_MM, stretch
from vision.landing import Departure, find_departure
from vision.watch.thumbnail import Stretch

HALF_MM = CALIBRATION.planned.table.surface_width_mm / 2


def rolling(from_mm: PointMm, step_mm: PointMm, pictures: int = 5, *then_mm: PointMm) -> Stretch:
    """A die that is so much farther in each picture, and then at other places."""
    way = [(from_mm[0] + step_mm[0] * n, from_mm[1] + step_mm[1] * n) for n in range(pictures)]
    return stretch((None, ()), *((None, (at,)) for at in [*way, *then_mm]), (None, ()))


def over(what: Stretch) -> str:
    left = find_departure(what, CALIBRATION)
    return left.over if left else ""


@pytest.mark.parametrize(
    ("from_mm", "step_mm", "side"),
    [
        ((-HALF_MM + 220, 800.0), (-50.0, -60.0), "right"),
        ((HALF_MM - 220, 800.0), (50.0, -60.0), "left"),
        ((-HALF_MM + 220, 700.0), (-50.0, 60.0), "left"),
        ((HALF_MM - 220, 700.0), (50.0, 60.0), "right"),
        ((60.0, 300.0), (5.0, -65.0), "end"),
    ],
)
def test_a_die_left_over_the_side_to_which_it_went(from_mm: PointMm, step_mm: PointMm, side: str) -> None:
    assert over(rolling(from_mm, step_mm)) == side


def test_a_die_that_stops_on_the_table_has_not_left() -> None:
    assert over(rolling((0.0, LINE_MM), (-20.0, -60.0))) == ""


def test_a_die_that_turns_before_the_side_has_not_left() -> None:
    first = (-HALF_MM + 220, 800.0)
    back = [(-HALF_MM + 50.0 * n, 560.0 - 40 * n) for n in (1, 2, 3)]
    assert over(rolling(first, (-50.0, -60.0), 4)) == "right"
    assert over(rolling(first, (-50.0, -60.0), 4, *back)) == ""


def test_what_was_not_seen_to_its_end_is_not_told() -> None:
    left = rolling((60.0, 300.0), (5.0, -65.0))
    assert over(left) == "end"
    assert over(replace(left, hole="late")) == ""
    assert over(replace(left, pictures=())) == ""


def test_of_two_dice_that_left_nothing_is_told() -> None:
    steps = range(5)
    both = stretch(
        (None, ()), *((None, ((60.0, 300.0 - 65 * n), (-200.0, 300.0 - 65 * n))) for n in steps), (None, ())
    )
    assert find_departure(both, CALIBRATION) is None


def test_it_is_told_when_it_was_seen_last() -> None:
    left = find_departure(rolling((60.0, 300.0), (5.0, -65.0)), CALIBRATION)
    assert isinstance(left, Departure)
    assert left.time_ms == 1250.0


@pytest.mark.long
def test_dice_that_left_the_simulated_table_are_told_and_no_others() -> None:
    counts = play(13, 70, 20.0)
    assert counts.left >= 5
    assert counts.told == counts.right
    assert counts.told >= counts.left - 1
    assert counts.false == 0

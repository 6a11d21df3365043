"""Where a die left the hand, by the camera over the thrower's end: never a foul that was none."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.acts import fouls as play
from calibration.description import PointMm
from calibration.table import TableCalibration
from calibration.view import View
from device.simulator.end_zone.table import known_table
from vision.landing import Release, find_release
from vision.landing.departure import HAND_MM, release_line_mm, sees_release_line
from vision.watch.thumbnail import ReelPicture, Stretch

CALIBRATION = known_table(1600, 1200)
LINE_MM = release_line_mm(CALIBRATION)
STEP_MS = 50.0
HAND_HALF_MM = 45.0


def painted(tip_mm: float | None, dice: tuple[PointMm, ...], view: View = CALIBRATION.view) -> np.ndarray:
    """A small picture of the thrower's end: a hand from the edge to `tip_mm`, and dice."""
    small = np.full((300, 400, 3), 90, np.uint8)
    small += np.random.default_rng(3).integers(0, 3, small.shape, np.uint8)

    def fill(x: tuple[float, float], y: tuple[float, float], high_mm: float, grey: int) -> None:
        corners = np.array([(a, b, high_mm) for a in x for b in y])
        seen = (view.project(corners) + 0.5) / 4 - 0.5
        left, top = np.clip(np.round(seen.min(axis=0)), 0, (400, 300)).astype(int)
        right, bottom = np.clip(np.round(seen.max(axis=0)), 0, (400, 300)).astype(int)
        small[top:bottom, left:right] = grey

    if tip_mm is not None:
        fill((-HAND_HALF_MM, HAND_HALF_MM), (-200.0, tip_mm), 45.0, 170)
    for x, y in dice:
        fill((x - 9, x + 9), (y - 9, y + 9), 20.0, 230)
    return small


def reaching(small: np.ndarray) -> np.ndarray:
    """The same picture with another hand, that comes in beyond the halfway line."""
    (x, y), *_ = (CALIBRATION.view.project(np.array([(0.0, LINE_MM + 560, 45.0)])) + 0.5) / 4 - 0.5
    found = small.copy()
    found[round(y) - 12 : round(y) + 12, : round(x)] = 170
    return found


def stretch(*moments: tuple[float | None, tuple[PointMm, ...]]) -> Stretch:
    """What was seen, one moment each 50 ms: how far out the hand was, and the dice."""
    rest = ReelPicture(0.0, painted(None, ()))
    pictures = tuple(
        ReelPicture(1000 + STEP_MS * number, painted(tip_mm, dice))
        for number, (tip_mm, dice) in enumerate(moments)
    )
    return Stretch(before=rest, pictures=pictures, after=rest, noise=1.0, hand_held=False, hole="")


def thrown(tip_mm: float, *, aside_mm: float = 0.0, dice: int = 1) -> Stretch:
    """A hand that comes to `tip_mm` and stays there, and dice that leave it at 2.4 m/s."""
    coming = [(tip_mm - 80.0 * (4 - step), ()) for step in range(4)]
    points = [
        tuple((aside_mm + 150.0 * number, tip_mm + 60 + 120 * step) for number in range(dice))
        for step in range(4)
    ]
    return stretch(*coming, (tip_mm, ()), *((tip_mm, at) for at in points), (None, ()))


def seen(what: Stretch, calibration: TableCalibration = CALIBRATION) -> Release:
    found = find_release(what, calibration)
    assert found is not None
    return found


@pytest.mark.parametrize("past_mm", [-250.0, -90.0, 0.0, 90.0, 180.0])
def test_a_die_left_the_hand_between_the_fingertips_and_a_hand_behind_them(past_mm: float) -> None:
    found = seen(thrown(LINE_MM + past_mm))
    assert found.past_mm - found.plus_minus_mm < past_mm < found.past_mm + found.plus_minus_mm
    assert found.plus_minus_mm < HAND_MM
    assert found.late == (past_mm >= 90)


def test_a_hand_that_goes_along_with_the_die_makes_it_less_sure() -> None:
    """With it all the time that was looked at: then nobody knows when it let go."""

    def after(mm_a_step: float) -> Release | None:
        along = [(LINE_MM + 20 - mm_a_step * (6 - step), ()) for step in range(6)]
        away = [(LINE_MM + 20, ((0.0, LINE_MM + 60 + 120.0 * step),)) for step in range(4)]
        return find_release(stretch(*along, *away), CALIBRATION)

    slow, fast = after(40.0), after(90.0)
    assert slow is not None
    assert fast is not None
    assert fast.plus_minus_mm > slow.plus_minus_mm > seen(thrown(LINE_MM + 20)).plus_minus_mm
    assert after(120.0) is None


def test_a_die_that_touches_the_hand_for_long_after_it_was_let_go_is_not_missed() -> None:
    """The fingers follow it, and it looks like a part of them: four pictures, until it gets away."""
    past_mm = 130.0
    coming = [(LINE_MM + past_mm - 20.0 * (5 - step), ()) for step in range(5)]
    way = [(0.0, LINE_MM + past_mm + 5 + 64.0 * step) for step in range(10)]
    along = [(LINE_MM + past_mm + 60.0 * step, (way[step],)) for step in range(5)]
    away = [(LINE_MM + past_mm + 240, (at,)) for at in way[5:]]
    found = seen(stretch(*coming, *along, *away))
    assert found.late
    assert abs(found.past_mm - past_mm) <= found.plus_minus_mm


def test_a_die_that_bounces_aside_is_one_die() -> None:
    way = [*((0.0, LINE_MM + 60 + 120.0 * step) for step in range(4))]
    bounced = [*way, *((20.0 * step, LINE_MM + 420 + 75.0 * step) for step in range(1, 5))]
    coming = [(LINE_MM - 80.0 * (4 - step), ()) for step in range(5)]
    found = seen(stretch(*coming, *((LINE_MM, (at,)) for at in bounced), (None, ())))
    assert found.past_mm == pytest.approx(seen(thrown(LINE_MM)).past_mm, abs=1)


def test_an_opponents_hand_beyond_the_die_is_not_the_one_that_let_go() -> None:
    by_the_rules = thrown(LINE_MM - 90)
    reached = replace(
        by_the_rules, pictures=tuple(replace(one, small=reaching(one.small)) for one in by_the_rules.pictures)
    )
    assert seen(reached).past_mm == pytest.approx(seen(by_the_rules).past_mm, abs=5)


def test_of_two_dice_nobody_knows_which_was_thrown() -> None:
    assert find_release(thrown(LINE_MM, dice=2), CALIBRATION) is None


def test_without_a_hand_nothing_is_told() -> None:
    moments = [(None, ((0.0, 500 + 120.0 * step),)) for step in range(5)]
    assert find_release(stretch((None, ()), (None, ()), *moments), CALIBRATION) is None


def test_what_was_not_seen_to_its_end_is_not_told() -> None:
    late = thrown(LINE_MM + 180)
    assert seen(late).late
    assert find_release(replace(late, hole="late"), CALIBRATION) is None


def test_where_the_line_is_out_of_the_picture_nothing_is_told() -> None:
    far_off = replace(CALIBRATION.view, translation_mm=(0.0, 0.0, 450.0))
    closer = replace(CALIBRATION, view=far_off)
    assert sees_release_line(CALIBRATION)
    assert not sees_release_line(closer)
    assert find_release(thrown(LINE_MM + 180), closer) is None


@pytest.mark.long
def test_no_throw_by_the_rules_is_flagged_on_the_simulated_table() -> None:
    counts = play(18, 71, 20.0)
    assert counts.false == 0
    assert counts.seen >= counts.throws - 1
    assert counts.held >= counts.seen - 1
    assert counts.told >= counts.beyond - 1
    assert counts.told >= 2

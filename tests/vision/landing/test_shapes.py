"""The dice's shapes, learnt over an evening."""

import math
from dataclasses import replace

import msgspec
import numpy as np
import pytest

from calibration.arrays import Floats
from calibration.description import Dice
from tests.vision.landing.lying import die_at
from tests.vision.landing.stage import calibrated, camera
from vision.landing import detector
from vision.landing.detector import LandingDetector
from vision.landing.drift import Drift
from vision.landing.fit import EDGE_SIGMA_MM, RADIUS_SIGMA_MM
from vision.landing.measure import Measurer
from vision.landing.shapes import (
    CALLIPER_MM,
    COMMON_ROUNDING_MM,
    KeptShape,
    LearntShapes,
    shapes_from_bytes,
    shapes_to_bytes,
)
from vision.measured import MeasuredDie, Measurement

EXPECTED = np.array([16.0, 1.6])
BEFORE = np.diag([EDGE_SIGMA_MM**-2, RADIUS_SIGMA_MM**-2])
NOISE = np.array([[0.1**2, 0.4 * 0.1 * 0.3], [0.4 * 0.1 * 0.3, 0.3**2]])
"""What one picture leaves unsure of edge and rounding."""
TINTS = {"red": (36.0, 40.0, 23.0), "black": (17.0, 0.0, 0.0), "green": (46.0, -30.0, 19.0)}


def landed(rng: np.random.Generator, edge_mm: float, rounding_mm: float, color: str = "red") -> MeasuredDie:
    """A landing anywhere, measured with errors as `NOISE` has them and with what was expected of its
    shape."""
    told = np.array([edge_mm, rounding_mm]) + rng.multivariate_normal(np.zeros(2), NOISE)
    spread: Floats = np.linalg.inv(np.linalg.inv(NOISE) + BEFORE)
    edge, rounding = EXPECTED + spread @ np.linalg.inv(NOISE) @ (told - EXPECTED)
    x, y, yaw = rng.uniform([-150, 60, 0], [150, 450, 90])
    die = die_at(float(x), float(y), float(yaw), float(edge))
    covariance = np.array(die.covariance)
    covariance[3, 3] = spread[0, 0]
    a, b, c, d = (tuple(float(part) for part in row) for row in covariance)
    return replace(
        die,
        color=color,
        covariance=tuple((row[0], row[1], row[2], row[3]) for row in (a, b, c, d)),
        rounding_mm=float(rounding),
        rounding_sigma_mm=math.sqrt(spread[1, 1]),
        rounding_with=(0.0, 0.0, 0.0, float(spread[0, 1])),
    )


def improve(shapes: LearntShapes, *dice: MeasuredDie) -> tuple[MeasuredDie, ...]:
    """The dice of a picture in which each is of the colour that it is called."""
    return shapes.improve(dice, [np.array(TINTS[die.color]) for die in dice])


@pytest.mark.parametrize("rounding_mm", [0.6, 1.7, 2.9])
def test_a_die_is_known_better_with_every_landing(rounding_mm: float) -> None:
    rng = np.random.default_rng(4)
    off: list[float] = []
    pulls: list[float] = []
    sigmas: list[float] = []
    for _ in range(30):
        shapes = LearntShapes(Dice())
        first = landed(rng, 15.85, rounding_mm)
        assert improve(shapes, first) == (first,)
        for _ in range(9):
            improve(shapes, landed(rng, 15.85, rounding_mm))
        (last,) = improve(shapes, landed(rng, 15.85, rounding_mm))
        sigmas.append(last.rounding_sigma_mm / first.rounding_sigma_mm)
        off.append(last.rounding_mm - rounding_mm)
        pulls.append((last.edge_mm - 15.85) / math.sqrt(last.covariance[3][3]))
    assert float(np.median(sigmas)) < 0.7
    assert abs(float(np.mean(off))) < 0.12
    assert float(np.std(off)) < 0.15
    assert float(np.mean(np.abs(pulls) < 1.96)) > 0.9


def test_no_shape_is_known_better_than_all_landings_err_alike() -> None:
    rng, shapes = np.random.default_rng(1), LearntShapes(Dice())
    for _ in range(60):
        (die,) = improve(shapes, landed(rng, 16.0, 2.0))
    assert 0.7 * COMMON_ROUNDING_MM < die.rounding_sigma_mm < 1.2 * COMMON_ROUNDING_MM


def test_a_known_shape_moves_the_place_that_was_measured_with_it() -> None:
    rng, shapes = np.random.default_rng(2), LearntShapes(Dice())
    for _ in range(30):
        improve(shapes, landed(rng, 16.15, 1.6))
    die = landed(rng, 15.7, 1.6)
    covariance = np.array(die.covariance)
    covariance[0, 3] = covariance[3, 0] = 0.8 * math.sqrt(covariance[0, 0] * covariance[3, 3])
    rows = tuple((float(a), float(b), float(c), float(d)) for a, b, c, d in covariance)
    (found,) = improve(shapes, replace(die, covariance=rows))
    assert found.edge_mm > die.edge_mm
    assert found.center_mm[0] > die.center_mm[0]
    assert found.covariance[0][0] < covariance[0, 0]
    reach = np.array(found.footprint_mm)[:, 0]
    assert reach.mean() == pytest.approx(found.center_mm[0], abs=0.3)


def test_a_die_that_lies_still_teaches_once() -> None:
    rng, shapes = np.random.default_rng(3), LearntShapes(Dice())
    die = landed(rng, 16.0, 2.5)
    (second,) = [improve(shapes, die) for _ in range(2)][1]
    for _ in range(20):
        (last,) = improve(shapes, die)
    assert last.rounding_sigma_mm == pytest.approx(second.rounding_sigma_mm)
    assert [len(shape.taught) for shape in shapes.shapes] == [1]


def test_what_was_learnt_goes_on_after_a_restart_with_another_description() -> None:
    rng, told = np.random.default_rng(8), list[tuple[KeptShape, ...]]()
    shapes = LearntShapes(Dice(), keep=told.append)
    for _ in range(8):
        improve(shapes, landed(rng, 15.9, 2.8))
    assert told[-1] == shapes.shapes
    again = LearntShapes(Dice(corner_radius_mm=1.0), shapes_from_bytes(shapes_to_bytes(told[-1])), new=False)
    die = landed(rng, 15.9, 2.8)
    (better,) = improve(again, die)
    assert better.rounding_sigma_mm < die.rounding_sigma_mm
    assert again.shapes[0].taught == (*told[-1][0].taught, (*die.center_mm, die.yaw_deg))
    stranger = landed(rng, 16.0, 1.5, "black")
    assert improve(again, stranger, stranger) == (stranger, stranger)
    assert len(again.shapes) == 1


def test_a_calliper_is_believed_more_than_pictures() -> None:
    rng = np.random.default_rng(9)
    shapes = LearntShapes(Dice(), edge_mm=15.83)
    for _ in range(3):
        improve(shapes, landed(rng, 15.83, 1.0))
    (shape,) = shapes.shapes
    (edge, _), covariance = shapes.estimate(shape)
    assert edge == pytest.approx(15.83, abs=0.02)
    assert math.sqrt(covariance[0, 0]) == pytest.approx(math.hypot(CALLIPER_MM, CALLIPER_MM), rel=0.1)


def test_a_die_that_was_measured_badly_is_left_as_it_is_and_teaches_nothing() -> None:
    rng, shapes = np.random.default_rng(10), LearntShapes(Dice())
    for _ in range(12):
        improve(shapes, landed(rng, 16.0, 2.6))
    odd = replace(landed(rng, 16.0, 1.0), rounding_mm=1.1)
    before = shapes.shapes
    assert improve(shapes, odd) == (odd,)
    assert shapes.shapes == before


def test_ivory_and_wood_that_are_both_called_ivory_are_two_dice() -> None:
    rng, shapes = np.random.default_rng(11), LearntShapes(Dice())
    tints = [np.array([67.0, -2.6, 10.9]), np.array([55.0, 5.3, 23.7])]
    for _ in range(6):
        shapes.improve([landed(rng, 16.0, 1.6, "ivory"), landed(rng, 16.0, 1.8, "ivory")], tints)
    assert [len(shape.taught) for shape in shapes.shapes] == [6, 6]


def test_dice_of_other_colours_or_shapes_are_not_mixed() -> None:
    rng, shapes = np.random.default_rng(5), LearntShapes(Dice())
    for _ in range(10):
        improve(shapes, landed(rng, 16.0, 0.5), landed(rng, 16.0, 2.9), landed(rng, 16.0, 1.5, "black"))
    sharp, round_, black = improve(
        shapes, landed(rng, 16.0, 0.5), landed(rng, 16.0, 2.9), landed(rng, 16.0, 1.5, "black")
    )
    assert [sharp.rounding_mm, round_.rounding_mm, black.rounding_mm] == pytest.approx(
        [0.5, 2.9, 1.5], abs=0.35
    )
    stranger = landed(rng, 16.0, 2.9, "green")
    assert improve(shapes, stranger) == (stranger,)


def test_dice_that_lean_or_touch_teach_nothing_and_leaning_ones_are_left_as_they_are() -> None:
    rng, shapes = np.random.default_rng(6), LearntShapes(Dice())
    for note in ("touches another die", "two ways of reading its number differ"):
        improve(shapes, replace(landed(rng, 16.0, 2.9), note=note))
    unread = replace(landed(rng, 16.0, 2.9), value=None)
    assert improve(shapes, unread) == (unread,)
    improve(shapes, landed(rng, 16.0, 2.9))
    leaning = replace(landed(rng, 16.0, 2.9), pose="cocked")
    assert improve(shapes, leaning) == (leaning,)


@pytest.mark.parametrize("of_one_set", [False, True])
def test_shapes_are_learnt_only_of_dice_of_one_set(
    monkeypatch: pytest.MonkeyPatch, *, of_one_set: bool
) -> None:
    rng = np.random.default_rng(7)
    still = Drift(ok=True, cause="", moved_mm=0.0, seen=9, of=9, reason="")
    monkeypatch.setattr(detector, "check_drift", lambda *_: still)
    monkeypatch.setattr(detector, "too_dark", lambda _: "")
    monkeypatch.setattr(
        Measurer,
        "measure",
        lambda *_: Measurement(dice=(landed(rng, 16.0, 2.5),), unsure=(), elapsed_ms=0.0),
    )
    calibration = calibrated(camera(240, 180, 5.0))
    planned = msgspec.structs.replace(calibration.planned, dice=Dice(of_one_set=of_one_set))
    looking = LandingDetector(replace(calibration, planned=planned))
    seen = [looking.look(np.zeros((180, 240, 3), np.uint8)).dice[0].die for _ in range(6)]
    assert (seen[-1].rounding_sigma_mm < 0.8 * seen[0].rounding_sigma_mm) == of_one_set

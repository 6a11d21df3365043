"""Dice of the test bed, measured: place, size, value, and what is no die."""

import math
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.arrays import Floats
from calibration.view import View
from tests.vision.landing.stage import Light, Paint, StagedDie, Table, calibrated, camera, photograph, window
from vision.landing.cube import Cube, footprint
from vision.landing.image_quality import CalibrationMismatch
from vision.landing.measure import Measurer
from vision.measured import MeasuredDie, Measurement

pytestmark = pytest.mark.long

IVORY, BLACK, RED, WHITE = (0.50, 0.68, 0.76), (0.03, 0.03, 0.03), (0.05, 0.05, 0.50), (0.80, 0.80, 0.80)
DARK_INK, LIGHT_INK = (0.02, 0.02, 0.02), (0.80, 0.80, 0.80)
MM_PER_PX = 0.5


def stand(x_mm: float, y_mm: float, size_px: int = 260) -> View:
    """A window of the camera's picture round a place of the table."""
    return window(camera(8112 // 2, 6080 // 2, MM_PER_PX), x_mm, y_mm, size_px)


def shot(
    view: View, dice: list[StagedDie], paint: Paint | None = None
) -> tuple[Measurement, NDArray[np.uint8]]:
    calibration = calibrated(view)
    picture = photograph(view, paint or Table(calibration), dice, Light(seed=len(dice)))
    return Measurer(calibration).measure(picture), picture


def off_mm(found: MeasuredDie, die: StagedDie) -> float:
    return math.hypot(found.center_mm[0] - die.x_mm, found.center_mm[1] - die.y_mm)


def outline_off_mm(found: MeasuredDie, die: StagedDie) -> float:
    """The largest difference of the two projections, by how far they reach in all directions."""
    angle = np.linspace(0, 2 * np.pi, 72, endpoint=False)
    ways = np.column_stack((np.cos(angle), np.sin(angle)))
    true = footprint(Cube(die.center_mm, die.turn, die.edge_mm, die.radius_mm))
    reach = (np.array(found.footprint_mm) @ ways.T).max(axis=0) - (true @ ways.T).max(axis=0)
    return float(np.abs(reach).max())


LYING = {
    "ivory on the five zone": StagedDie(x_mm=-60, y_mm=250, yaw_deg=17, value=3, body=IVORY, ink=DARK_INK),
    "red on the twenty box": StagedDie(
        x_mm=10, y_mm=40, yaw_deg=62, value=1, edge_mm=15.85, body=RED, ink=LIGHT_INK
    ),
    "black on wood": StagedDie(
        x_mm=230, y_mm=560, yaw_deg=38, value=6, edge_mm=16.15, body=BLACK, ink=LIGHT_INK
    ),
    "half off the sheet": StagedDie(x_mm=-152, y_mm=180, yaw_deg=80, value=4, body=IVORY, ink=DARK_INK),
    "over the table's edge": StagedDie(x_mm=-90, y_mm=3, yaw_deg=25, value=5, body=WHITE, ink=DARK_INK),
    "on the dot": StagedDie(x_mm=1, y_mm=259, yaw_deg=44, value=6, body=RED, ink=LIGHT_INK),
}


@pytest.mark.parametrize("name", LYING)
def test_a_die_is_measured_and_read(name: str) -> None:
    die = LYING[name]
    measurement, picture = shot(stand(die.x_mm, die.y_mm), [die])
    (found,) = measurement.dice
    assert measurement.unsure == ()
    assert found.pose == "flat"
    assert found.value == die.value
    assert off_mm(found, die) < 0.2
    assert outline_off_mm(found, die) < 0.55
    assert abs((found.yaw_deg - die.yaw_deg + 45) % 90 - 45) < 1.5
    assert abs(found.edge_mm - die.edge_mm) < 0.3
    height, width = picture.shape[:2]
    assert 0 < found.center_px[0] < width
    assert 0 < found.center_px[1] < height


def test_a_white_die_on_white_tape_is_measured_well_or_left_to_people() -> None:
    die = StagedDie(x_mm=143, y_mm=520, yaw_deg=5, value=2, body=WHITE, ink=DARK_INK)
    measurement, _ = shot(stand(die.x_mm, die.y_mm), [die])
    assert len(measurement.dice) + len(measurement.unsure) == 1
    assert all(found.value == 2 and off_mm(found, die) < 0.3 for found in measurement.dice)


def test_what_is_said_to_be_unsure_is_about_as_large_as_the_errors() -> None:
    errors = []
    for seed in range(3):
        rng = np.random.default_rng(seed)
        die = StagedDie(
            x_mm=float(rng.uniform(-120, 120)),
            y_mm=float(rng.uniform(100, 400)),
            yaw_deg=float(rng.uniform(0, 90)),
            value=int(rng.integers(1, 7)),
        )
        (found,) = shot(stand(die.x_mm, die.y_mm, 200), [die])[0].dice
        sigma = math.sqrt(found.covariance[0][0] + found.covariance[1][1])
        errors.append(off_mm(found, die) / sigma)
        matrix = np.array(found.covariance)
        assert np.linalg.eigvalsh(matrix).min() > 0
        assert matrix == pytest.approx(matrix.T)
        assert 0.03 <= found.sigma_mm < 0.3
    assert max(errors) < 3
    assert float(np.mean(errors)) > 0.1


def test_dice_that_touch_are_both_measured_and_said_to_touch() -> None:
    one = StagedDie(x_mm=40, y_mm=200, yaw_deg=10, value=4)
    turn = math.radians(10)
    other = StagedDie(
        x_mm=40 + 16.05 * math.cos(turn), y_mm=200 + 16.05 * math.sin(turn), yaw_deg=10, value=2,
        body=RED, ink=LIGHT_INK,
    )  # fmt: skip
    found = shot(stand(48, 200), [one, other])[0].dice
    assert sorted(die.value or 0 for die in found) == [2, 4]
    assert all("touches" in die.note for die in found)
    for die in (one, other):
        assert min(off_mm(seen, die) for seen in found) < 0.2


def test_a_leaning_die_is_never_said_to_lie_flat() -> None:
    die = StagedDie(x_mm=-40, y_mm=220, yaw_deg=20, value=3, tilt_deg=24, tilt_axis_deg=20)
    measurement, _ = shot(stand(-40, 220), [die])
    assert all(found.pose == "cocked" and off_mm(found, die) < 1.0 for found in measurement.dice)
    assert len(measurement.dice) + len(measurement.unsure) == 1


def beside(x_mm: float, y_mm: float, away_mm: float, towards_deg: float) -> tuple[float, float]:
    """The place so far from another."""
    way = math.radians(towards_deg)
    return x_mm + away_mm * math.cos(way), y_mm + away_mm * math.sin(way)


@pytest.mark.parametrize(("tilt_deg", "axis_deg"), [(7.0, 280.0), (13.0, 100.0), (13.0, 10.0), (22.0, 280.0)])
def test_a_die_that_leans_beside_another_is_measured_so_or_left_to_people_or_may_lean(
    tilt_deg: float, axis_deg: float
) -> None:
    still = StagedDie(x_mm=40, y_mm=200, yaw_deg=10, value=4)
    x, y = beside(40, 200, 18.5, 10)
    lean = StagedDie(
        x_mm=x, y_mm=y, yaw_deg=10, value=3, body=RED, ink=LIGHT_INK,
        tilt_deg=tilt_deg, tilt_axis_deg=axis_deg,
    )  # fmt: skip
    measurement, _ = shot(stand(48, 200), [still, lean])
    there = [found for found in measurement.dice if off_mm(found, lean) < 8]
    assert all(found.may_lean or (found.pose == "cocked" and off_mm(found, lean) < 1.0) for found in there)
    doubts = [one.center_mm for one in measurement.unsure if one.center_mm is not None]
    assert there or any(math.dist(at, (x, y)) < 9 for at in doubts)


def test_a_die_that_hardly_stands_out_beside_another_is_not_passed_over() -> None:
    plain = StagedDie(x_mm=30, y_mm=250, yaw_deg=30, value=5, body=IVORY, ink=DARK_INK)
    x, y = beside(30, 250, 16.3, 30)
    faint = StagedDie(x_mm=x, y_mm=y, yaw_deg=30, value=6, body=(0.03, 0.34, 0.66), ink=LIGHT_INK)
    measurement, _ = shot(stand(36, 254), [plain, faint])
    places = [found.center_mm for found in measurement.dice]
    places += [one.center_mm for one in measurement.unsure if one.center_mm is not None]
    for die in (plain, faint):
        assert any(math.dist(at, (die.x_mm, die.y_mm)) < 9 for at in places)


def grainy(paint: Paint) -> Paint:
    """The table beyond the sheet as a pale stone with spots of every shade, some millimetres large."""
    shades = np.random.default_rng(3).normal(1.0, 0.11, (400, 400)).clip(0.3, 1.7)

    def colours(points: Floats) -> Floats:
        found = paint(points)
        cell = np.floor(points / 3.0).astype(int) % 400
        stone = np.abs(points[:, 0]) > 152.4
        found[stone] = np.array([0.42, 0.45, 0.47]) * shades[cell[stone, 0], cell[stone, 1], None]
        return found

    return colours


def test_a_pale_die_on_coarse_grain_is_found_as_a_whole() -> None:
    view = stand(230, 250, 560)
    calibration = calibrated(view)
    die = StagedDie(x_mm=230, y_mm=250, yaw_deg=20, value=6, body=(0.36, 0.47, 0.5), ink=DARK_INK)
    top, soft = grainy(Table(calibration)), Light(contact=0.2, shadow=0.1, gloss=0.0)
    (found,) = Measurer(calibration).measure(photograph(view, top, [die], soft)).dice
    assert found.value == 6
    assert off_mm(found, die) < 0.3
    alone = Measurer(calibration).measure(photograph(view, top, [], soft))
    assert (alone.dice, alone.unsure) == ((), ())


def with_disc(paint: Paint, x_mm: float, y_mm: float, radius_mm: float) -> Paint:
    """The table with a coin lying on it."""

    def colours(points: Floats) -> Floats:
        found = paint(points)
        away = np.hypot(points[:, 0] - x_mm, points[:, 1] - y_mm)
        found[away < radius_mm] = (0.35, 0.42, 0.45)
        found[np.abs(away - radius_mm + 1.2) < 0.5] = (0.15, 0.18, 0.2)
        return found

    return colours


def test_a_coin_is_no_die() -> None:
    view = stand(30, 250)
    measurement, _ = shot(view, [], with_disc(Table(calibrated(view)), 30, 250, 11.5))
    assert measurement.dice == ()


def test_an_empty_table_shows_nothing() -> None:
    measurement, _ = shot(stand(0, 300, 400), [])
    assert measurement.dice == ()
    assert measurement.unsure == ()


def test_a_die_half_out_of_the_picture_is_not_measured() -> None:
    view = stand(0, 250, 240)
    corner = view.on_plane(np.array([[238.0, 120.0]]))[0]
    measurement, _ = shot(view, [StagedDie(x_mm=float(corner[0]), y_mm=float(corner[1]), value=5)])
    assert measurement.dice == ()


def test_the_same_picture_is_measured_the_same() -> None:
    die = LYING["half off the sheet"]
    view = stand(die.x_mm, die.y_mm)
    picture = photograph(view, Table(calibrated(view)), [die])
    one, other = (Measurer(calibrated(view)).measure(picture) for _ in range(2))
    assert replace(one, elapsed_ms=0.0) == replace(other, elapsed_ms=0.0)


def test_pictures_of_another_size_or_kind_are_refused_with_the_cure() -> None:
    measurer = Measurer(calibrated(stand(0, 250, 240)))
    with pytest.raises(CalibrationMismatch, match=r"320 x 240 pixels.*240 x 240"):
        measurer.measure(np.zeros((240, 320, 3), np.uint8))
    with pytest.raises(CalibrationMismatch, match="8 bits"):
        measurer.measure(np.zeros((240, 240), np.uint8))
    with pytest.raises(ValueError, match="one thread"):
        Measurer(calibrated(stand(0, 250, 240)), threads=0)


@pytest.mark.parametrize("radius_mm", [0.6, 1.6, 2.8])
def test_a_die_s_rounding_is_measured_and_its_outline_is_as_unsure_as_said(radius_mm: float) -> None:
    for x_mm, yaw_deg in ((-40.0, 20.0), (70.0, 50.0)):
        die = StagedDie(x_mm=x_mm, y_mm=240, yaw_deg=yaw_deg, value=5, radius_mm=radius_mm)
        (found,) = shot(stand(x_mm, 240), [die])[0].dice
        assert abs(found.rounding_mm - radius_mm) < 2.6 * found.rounding_sigma_mm
        assert outline_off_mm(found, die) < 2.6 * found.sigma_mm
        assert found.rounding_sigma_mm < 0.65

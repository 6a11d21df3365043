"""A bumped camera and a slipped sheet are noticed, told apart and corrected; dice and light are neither."""

from dataclasses import replace
from functools import cache
from typing import Literal

import cv2
import numpy as np
import pytest

from calibration.arrays import Picture
from calibration.table import Laid, LaidDot, LaidZone, Landmark, TableCalibration
from calibration.view import View
from tests.calibration.classic import CLASSIC
from tests.calibration.stage import Spread, lens, looking, painted
from vision.landing.drift import NOTICED_MM, check_drift

pytestmark = pytest.mark.long

MARKS = ((-240.0, 60.0), (225.0, 60.0), (-240.0, 430.0), (225.0, 430.0), (0.0, 505.0), (-235.0, 250.0))
"""Dark squares, 15 mm wide, that somebody stuck to the table."""
SHEET = ((-88.9, 88.9), (88.9, 88.9), (-88.9, 381.0), (88.9, 381.0), (-44.45, 63.5), (44.45, 63.5))
"""Corners inside the sheet, where nothing but the sheet can be seen."""
SPREAD = Spread(CLASSIC, covered=tuple((x - 7.5, y - 7.5, x + 7.5, y + 7.5) for x, y in MARKS))
SIDE = 25


@cache
def hung() -> View:
    """A camera that sees 0.6 mm to a pixel."""
    return looking(lens(960, 880), (20.0, 245.0, 0.6 * 0.9 * 960), (5.0, 260.0), 1.5)


@cache
def clean(spread: Spread, view: View | None) -> Picture:
    return painted(view or hung(), spread.paint, noise=0.0)


def shot(spread: Spread = SPREAD, view: View | None = None, seed: int = 1) -> Picture:
    """A picture with noise of its own."""
    seen = clean(spread, view) + np.random.default_rng(seed).normal(0.0, 1.5, (880, 960, 3))
    return np.clip(np.rint(seen), 0, 255).astype(np.uint8)


@cache
def calibrated() -> TableCalibration:
    """What a calibration of the table at rest would hold."""
    view, picture = hung(), shot()
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)

    def mark(name: str, at: tuple[float, float], on: Literal["table", "sheet"]) -> Landmark:
        x, y = view.project(np.array([(*at, 0.0)]))[0]
        column, row, half = round(x), round(y), SIDE // 2
        patch = grey[row - half : row + half + 1, column - half : column + half + 1]
        assert patch.shape == (SIDE, SIDE)
        return Landmark(
            name=name, at_mm=at, at_px=(float(x), float(y)), patch=patch.tobytes(), patch_side=SIDE, on=on
        )

    corners = tuple((x + 7.5, y + 7.5) for x, y in MARKS)
    marks = [mark(f"mark {i}", at, "table") for i, at in enumerate(corners)]
    marks += [mark(f"sheet {i}", at, "sheet") for i, at in enumerate(SHEET)]
    zones = tuple(LaidZone(value=zone.value, polygon_mm=zone.polygon_mm) for zone in CLASSIC.end_zone.zone)
    laid = Laid(
        zones=zones,
        dot=LaidDot(center_mm=(0.0, 260.0), diameter_mm=9.0, sigma_mm=0.02),
        tapes=(),
        table_edge_mm=((-381.0, 0.0), (381.0, 0.0)),
        sigma_mm=0.03,
    )
    return TableCalibration(view=view, planned=CLASSIC, laid=laid, landmarks=tuple(marks), sigma_mm=0.03)


def bumped(shift_mm: tuple[float, float, float], turn: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> View:
    view = hung()
    rx, ry, rz = (a + b for a, b in zip(view.rotation, turn, strict=True))
    tx, ty, tz = (a + b for a, b in zip(view.translation_mm, shift_mm, strict=True))
    return View(lens=view.lens, rotation=(rx, ry, rz), translation_mm=(tx, ty, tz))


def furthest_mm(one: View, other: View) -> float:
    """How far two views disagree about where points of the sheet lie."""
    places = np.array([(x, y, 0.0) for x in (-150.0, 0.0, 150.0) for y in (0.0, 230.0, 457.0)])
    return float(np.hypot(*(one.on_plane(other.project(places)) - places[:, :2]).T).max())


@pytest.mark.parametrize("seed", range(2, 8))
def test_a_table_at_rest_has_not_moved(seed: int) -> None:
    drift = check_drift(shot(seed=seed), calibrated())
    assert drift.ok
    assert drift.cause == drift.reason == ""
    assert drift.moved_mm < NOTICED_MM / 3
    assert drift.seen == drift.of == len(MARKS) + len(SHEET)


def test_other_light_is_no_movement() -> None:
    dark = np.clip(shot(seed=3).astype(np.float32) * 0.55 + np.linspace(0, 40, 960)[None, :, None], 0, 255)
    drift = check_drift(dark.astype(np.uint8), calibrated())
    assert drift.ok
    assert drift.cause == ""


def test_dice_and_an_arm_on_some_landmarks_are_no_movement() -> None:
    picture = shot(seed=4)
    for x, y in calibrated().view.project(np.array([(*SHEET[0], 0.0), (*SHEET[4], 0.0), (*MARKS[1], 0.0)])):
        cv2.circle(picture, (round(x) + 4, round(y) - 3), 17, (220, 230, 235), -1)
    x, y = calibrated().view.project(np.array([(*SHEET[3], 0.0)]))[0]
    cv2.rectangle(picture, (round(x) + 2, round(y) - 40), (round(x) + 90, round(y) + 60), (110, 150, 200), -1)
    drift = check_drift(picture, calibrated())
    assert drift.ok
    assert drift.cause == ""
    assert drift.seen < drift.of


@pytest.mark.parametrize(
    ("shift_mm", "turn"),
    [
        ((0.3, -0.3, 0.0), (0.0, 0.0, 0.0)),
        ((1.5, 0.8, 2.0), (0.002, -0.001, 0.003)),
    ],
)
def test_a_bumped_camera_is_told_and_taken_into_account(
    shift_mm: tuple[float, float, float], turn: tuple[float, float, float]
) -> None:
    view = bumped(shift_mm, turn)
    drift = check_drift(shot(SPREAD, view, 5), calibrated())
    assert drift.ok
    assert drift.cause == "camera"
    assert "camera was bumped" in drift.reason
    assert drift.corrected is not None
    assert furthest_mm(drift.corrected.view, view) < 0.1  # 0.05 mm at 0.3 mm to a pixel, twice that here
    assert drift.moved_mm == pytest.approx(furthest_mm(calibrated().view, view), rel=0.5)


@pytest.mark.parametrize(("shift_mm", "turn_deg"), [((0.3, 0.3), 0.0), ((1.0, -0.7), 0.3)])
def test_a_slipped_sheet_is_told_from_a_bumped_camera(shift_mm: tuple[float, float], turn_deg: float) -> None:
    slipped = replace(SPREAD, sheet_mm=shift_mm, sheet_deg=turn_deg)
    drift = check_drift(shot(slipped, None, 6), calibrated())
    assert drift.ok
    assert drift.cause == "sheet"
    assert drift.corrected is not None
    assert drift.corrected.view == calibrated().view
    angle = np.radians(turn_deg)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    for zone, was in zip(drift.corrected.laid.zones, calibrated().laid.zones, strict=True):
        truth = np.array(was.polygon_mm) @ turn.T + shift_mm
        assert np.abs(np.array(zone.polygon_mm) - truth).max() < 0.1


def test_a_camera_turned_away_is_refused() -> None:
    drift = check_drift(shot(SPREAD, bumped((40.0, 10.0, 0.0)), 8), calibrated())
    assert not drift.ok
    assert "calibrate" in drift.reason


def test_a_torn_sheet_is_refused() -> None:
    """Half the sheet's landmarks moved and half did not: no single story tells that."""
    one = shot(replace(SPREAD, sheet_mm=(1.0, -0.7), sheet_deg=0.3), None, 9)
    other = shot(seed=9)
    torn = np.where(np.arange(960)[None, :, None] < 480, one, other).astype(np.uint8)
    drift = check_drift(torn, calibrated())
    assert not drift.ok
    assert drift.corrected is None


def test_a_picture_of_another_size_is_an_error() -> None:
    with pytest.raises(ValueError, match="the calibration is for 960 x 880"):
        check_drift(np.zeros((480, 640, 3), np.uint8), calibrated())

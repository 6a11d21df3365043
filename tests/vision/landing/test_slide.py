"""Whether a die slid: over how much of its way the same face looked up."""

from dataclasses import replace
from math import cos, radians, sin

import cv2
import numpy as np
import pytest

from benchmarks.acts import slides as play
from calibration.arrays import Picture
from calibration.view import View
from device.simulator.end_zone.table import known_table
from tests.vision.landing.lying import die_at
from vision.landing import MeasuredDie, Shot, Slide, find_slide

VIEW: View = known_table(1600, 1200).view
EDGE_MM = 16.0
END_MM = (10.0, 420.0)
STEP_MS = 50.0
SLOWS_MM = 8.0
"""By so much a step is longer than the next."""
PIPS = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (-1, 1), (1, -1), (1, 1)],
    5: [(-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)],
    6: [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)],
}
FINE = 8
"""Pictures are painted so many times finer."""
NOISE = np.random.default_rng(7).normal(0, 1.0, (1200, 1600))


def painted(face: int, x_mm: float, y_mm: float, yaw_deg: float, flat: float = 1.0) -> Picture:
    """A face that looks up there, on a table with a line; `flat`: how much of its depth is seen."""
    picture = np.full((1200, 1600), 110.0)
    picture[:, 700:712] = 190.0
    (left, top), *_ = np.floor(VIEW.project(np.array([(x_mm, y_mm, EDGE_MM)]))) - 24
    fine = np.repeat(np.repeat(_part(picture, left, top), FINE, 0), FINE, 1).astype(np.float32)
    c, s = cos(radians(yaw_deg)), sin(radians(yaw_deg))

    def at_px(along: float, across: float) -> tuple[int, int]:
        across *= flat
        place = (x_mm + along * c - across * s, y_mm + along * s + across * c, EDGE_MM)
        seen = VIEW.project(np.array([place]))[0]
        return round(float((seen[0] + 0.5 - left) * FINE)), round(float((seen[1] + 0.5 - top) * FINE))

    half = EDGE_MM / 2
    corners = [at_px(*corner) for corner in ((-half, -half), (half, -half), (half, half), (-half, half))]
    cv2.fillPoly(fine, [np.array(corners)], 215.0, cv2.LINE_AA)
    for along, across in PIPS[face]:
        radius = 2.3 if face == 1 else 1.8
        cv2.circle(fine, at_px(4.0 * along, 4.0 * across), round(radius * FINE), 40.0, -1, cv2.LINE_AA)
    small = cv2.resize(fine, (48, 48), interpolation=cv2.INTER_AREA)
    _part(picture, left, top)[:] = small
    return np.clip(picture + NOISE, 0, 255).astype(np.uint8)


def _part(picture: np.ndarray, left: float, top: float) -> np.ndarray:
    return picture[int(top) : int(top) + 48, int(left) : int(left) + 48]


def way(faces: list[int], spin_deg: float = 3.0, flats: tuple[float, ...] = (1.0,)) -> list[Shot]:
    """A die that came to `END_MM` and showed these faces, the last one at rest."""
    shots, ago_mm = [], 0.0
    for ago, face in enumerate(reversed(faces)):
        ago_mm += SLOWS_MM * ago
        picture = painted(
            face, END_MM[0] + 0.1 * ago_mm, END_MM[1] + ago_mm, spin_deg * ago, flats[ago % len(flats)]
        )
        shots.append(Shot(time_ms=1000 - STEP_MS * ago, picture=picture))
    return shots[::-1]


def lying(face: int) -> MeasuredDie:
    return die_at(*END_MM, 0.0, EDGE_MM, value=face)


def told(shots: list[Shot], die: MeasuredDie) -> Slide | None:
    return find_slide(shots[-1], shots[:-1], VIEW, die)


@pytest.mark.long
@pytest.mark.parametrize("face", PIPS)
def test_a_die_that_showed_one_face_all_the_way_slid(face: int) -> None:
    found = told(way([face] * 8), lying(face))
    assert found is not None
    assert found.slid
    assert found.way_mm == pytest.approx(SLOWS_MM * 28, abs=12)


def test_a_die_that_turns_as_it_slides_slid_all_the_same() -> None:
    found = told(way([5] * 8, spin_deg=14.0), lying(5))
    assert found is not None
    assert found.slid


@pytest.mark.parametrize(
    "faces", [[1, 3, 6, 4, 1, 3, 2, 2], [6, 5, 3, 1, 4, 5, 6, 6], [2, 4, 5, 3, 5, 4, 1, 1]]
)
def test_a_die_that_showed_others_rolled(faces: list[int]) -> None:
    found = told(way(faces, spin_deg=-40.0, flats=(1.0, 0.8, 1.2)), lying(faces[-1]))
    assert found is not None
    assert not found.slid


def test_of_too_short_a_way_nothing_is_told() -> None:
    assert told(way([5] * 3), lying(5)) is None
    assert told(way([5] * 8)[-1:], lying(5)) is None


def test_what_moved_long_before_is_another_throws() -> None:
    shots = way([5] * 8)
    earlier = [replace(shot, time_ms=shot.time_ms - 2000) for shot in shots[:-1]]
    assert told([*earlier, shots[-1]], lying(5)) is None


def test_of_a_die_that_leans_nothing_is_told() -> None:
    assert told(way([5] * 8), replace(lying(5), pose="cocked")) is None


@pytest.mark.long
def test_dice_that_slid_on_the_simulated_table_are_told_and_no_others() -> None:
    counts = play(10, 800, 20.0)
    assert counts.slid >= 4
    assert counts.told >= counts.slid - 2
    assert counts.false == counts.false_slid_last

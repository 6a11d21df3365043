"""The last whole pictures of motion: each camera's own, and never more than fit."""

from dataclasses import replace

import numpy as np

from device.landings.watched import MOST_SHOTS, LastShots
from tests.device.landings.test_aim import FRAME, both, look


def test_of_each_camera_the_pictures_of_motion_are_kept() -> None:
    shots = LastShots()
    shots.add(replace(FRAME, time_ms=10.0), both(("moving", "still", 1, 1)))
    shots.add(replace(FRAME, time_ms=20.0), both(("still", "hand", 1, 1)))
    shots.add(replace(FRAME, time_ms=30.0), both(("still", "still", 1, 1)))
    assert [shot.time_ms for shot in shots.of("near")] == [10.0]
    assert [shot.time_ms for shot in shots.of("far")] == [20.0]
    assert np.all(shots.of("far")[0].picture == 9)


def test_with_one_camera_it_is_the_near_ones() -> None:
    shots = LastShots()
    shots.add(replace(FRAME, far=None), look(0.0, "moving", 1))
    assert (len(shots.of("near")), len(shots.of("far"))) == (1, 0)


def test_the_oldest_go_first() -> None:
    shots = LastShots()
    for number in range(MOST_SHOTS + 3):
        shots.add(replace(FRAME, time_ms=float(number)), look(0.0, "moving", 1))
    kept = [shot.time_ms for shot in shots.of("near")]
    assert (len(kept), kept[0]) == (MOST_SHOTS, 3.0)


def test_what_was_kept_is_its_own_and_no_window_into_the_frame() -> None:
    shots = LastShots()
    picture = FRAME.picture.copy()
    shots.add(replace(FRAME, picture=picture), look(0.0, "moving", 1))
    picture[:] = 200
    assert np.all(shots.of("near")[0].picture == 0)

"""The reel keeps the last small pictures, never more than it may, and says where it has a hole."""

import numpy as np

from calibration.arrays import Picture
from vision.watch.thumbnail import MOST_BYTES, Reel, Thumbnail, of_small

SMALL: Picture = np.full((240, 320, 3), 90, np.uint8)


def seen() -> Thumbnail:
    return of_small(SMALL.copy())


def test_its_memory_is_fixed_however_long_things_move() -> None:
    reel = Reel()
    reel.rest(seen(), 0, 2.0)
    for number in range(1, 160):
        reel.pass_time(number * 50)
        reel.move(seen(), number * 50, None)
        assert reel.size <= MOST_BYTES + SMALL.nbytes
    reel.rest(seen(), 8000, 2.0)
    stretch = reel.cut(0)
    assert stretch is not None
    assert stretch.before is not None
    assert 90 < len(stretch.pictures) < 110
    assert stretch.pictures[-1].time_ms == 159 * 50


def test_a_camera_that_stops_while_dice_move_leaves_a_hole_and_one_that_stops_while_all_lies_still_none() -> (
    None
):
    for moves, hole in ((True, "late"), (False, "")):
        reel = Reel()
        reel.rest(seen(), 0, 2.0)
        for time_ms in (0, 50, 100, 150):
            reel.pass_time(time_ms)
            if moves:
                reel.move(seen(), time_ms, None)
        reel.pass_time(5000)
        reel.pass_time(5050)
        reel.move(seen(), 5050, None)
        reel.rest(seen(), 5200, 2.0)
        stretch = reel.cut(0)
        assert stretch is not None
        assert stretch.hole == hole


def test_a_clock_that_goes_back_is_told_and_five_pictures_a_second_are_no_holes() -> None:
    reel = Reel()
    reel.rest(seen(), 90_000, 2.0)
    for number in range(20):
        reel.pass_time(90_000 + 200 * number)
        reel.move(seen(), 90_000 + 200 * number, None)
    for number in range(5):
        reel.pass_time(100 + 200 * number)
        reel.move(seen(), 100 + 200 * number, None)
    reel.rest(seen(), 1200, 2.0)
    stretch = reel.cut(90_000, 1200)
    assert stretch is not None
    assert stretch.before is None
    assert stretch.hole == "back"
    assert len(stretch.pictures) == 5
    reel.rest(seen(), 2400, 2.0)
    later = reel.cut(1200, 2400)
    assert later is not None
    assert later.hole == ""


def test_nothing_is_told_where_nothing_came_to_rest_since() -> None:
    reel = Reel()
    assert reel.cut(None) is None
    reel.rest(seen(), 100, 2.0)
    assert reel.cut(100) is None
    assert reel.cut(100, 5000) is None


def test_what_moved_is_told_where_all_lies_as_before_in_the_end() -> None:
    reel = Reel()
    assert reel.find_stretch(0, 5000) is None
    reel.rest(seen(), 100, 2.0)
    for time_ms in (600, 650, 700, 2000):
        reel.pass_time(time_ms)
        reel.move(seen(), time_ms, None)
    stretch = reel.find_stretch(600, 1000)
    assert stretch is not None
    assert [one.time_ms for one in stretch.pictures] == [650, 700]
    assert stretch.before is stretch.after
    reel.rest(seen(), 2500, 2.0)
    later = reel.find_stretch(600, 3000)
    assert later is not None
    assert later.before is not None
    assert (later.before.time_ms, later.after.time_ms) == (100, 2500)

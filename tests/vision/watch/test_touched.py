"""Which dice a hand touched at rest: turned, pushed, or put elsewhere, and never those thrown anew."""

from random import Random

import msgspec
import pytest

from tests.vision.watch.test_throws import EDGE, die, reading
from vision.reading import Reading, SeenDie
from vision.watch import find_touched

FOUR = (die(200, 200, 1), die(500, 300, 2), die(700, 600, 5), die(900, 400, 6))


def touched(before: Reading, after: Reading) -> list[tuple[int | str, int | str]]:
    """What each touched die showed, and shows."""
    return [(one.rested.value, one.now.value) for one in find_touched(before, after, before.dice).touched]


def after(*changed: SeenDie) -> Reading:
    """The first of the four are these now; the others were not touched."""
    return reading(*changed, *FOUR[len(changed) :])


def test_a_die_that_shows_another_face_was_touched() -> None:
    assert touched(reading(*FOUR), after(die(205, 203, 4, 60))) == [(1, 4)]


def test_a_die_that_was_pushed_or_turned_round_was_touched() -> None:
    assert touched(reading(*FOUR), after(die(212, 200, 1))) == [(1, 1)]
    assert touched(reading(*FOUR), after(die(200, 200, 1, 30))) == [(1, 1)]


def test_a_die_that_was_put_elsewhere_was_touched_where_others_lie_as_they_lay() -> None:
    assert touched(reading(*FOUR), after(die(200, 700, 1, 70), die(600, 100, 3))) == [(1, 1), (2, 3)]


def test_two_readings_of_untouched_dice_differ_a_little() -> None:
    again = [die(one.center_px[0] + 3, one.center_px[1] - 2, int(one.value), 14) for one in FOUR]
    found = find_touched(reading(*FOUR), reading(*again), FOUR)
    assert (found.touched, found.untouched) == ((), 4)


def test_dice_that_are_gone_or_new_were_not_touched() -> None:
    assert touched(reading(*FOUR), reading(*FOUR[1:])) == []
    assert touched(reading(*FOUR[1:]), reading(*FOUR)) == []


def test_what_was_unread_may_be_straightened_and_what_cannot_be_read_is_asked_about_anyhow() -> None:
    assert touched(reading(*FOUR[1:], unsure=[(200, 200)]), after(die(240, 230, 4, 60))) == []
    assert touched(reading(*FOUR), reading(*FOUR[1:], unsure=[(230, 200)])) == []


def test_of_two_new_dice_the_one_of_its_colour_is_the_touched_one() -> None:
    red, now_red = (msgspec.structs.replace(one, color="red") for one in (die(200, 200, 1), die(300, 260, 3)))
    blue, now_blue = (
        msgspec.structs.replace(one, color="blue") for one in (die(280, 200, 1), die(220, 260, 4))
    )
    before = reading(red, blue, *FOUR[1:])
    found = find_touched(before, reading(now_red, now_blue, *FOUR[1:]), before.dice)
    assert [(one.rested.color, one.now.color) for one in found.touched] == [("red", "red"), ("blue", "blue")]


def test_only_the_dice_that_are_asked_about_are_told() -> None:
    found = find_touched(reading(*FOUR), after(die(200, 200, 4), die(500, 300, 6)), FOUR[1:])
    assert [one.rested.value for one in found.touched] == [2]
    assert found.untouched == 2


def test_where_the_camera_moved_no_die_was_touched() -> None:
    shifted = [die(one.center_px[0] + 30, one.center_px[1], int(one.value)) for one in FOUR]
    assert touched(reading(*FOUR), reading(*shifted)) == []


def test_all_dice_turned_where_they_lay_were_touched() -> None:
    turned = [die(one.center_px[0] + 9, one.center_px[1], 7 - int(one.value), 70) for one in FOUR]
    assert len(touched(reading(*FOUR), reading(*turned))) == 4


@pytest.mark.long
def test_dice_thrown_anew_are_hardly_ever_taken_for_touched_ones() -> None:
    """Four of them on a table of 18 x 14 edges."""
    rng = Random(4)

    def throw() -> Reading:
        places = [(rng.uniform(1, 19) * EDGE, rng.uniform(1, 15) * EDGE) for _ in range(4)]
        return reading(*(die(x, y, rng.randint(1, 6), rng.uniform(0, 90)) for x, y in places))

    told = sum(bool(touched(throw(), throw())) for _ in range(2000))
    assert told < 0.002 * 2000

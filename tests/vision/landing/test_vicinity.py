"""What lies near a place."""

from dataclasses import replace

from tests.vision.landing.lying import fitted_flat
from vision.landing.cube import flat_cube
from vision.landing.faces import FaceReading
from vision.landing.pose_evidence import FittedDie
from vision.landing.seek import Start
from vision.landing.vicinity import once, outdone, shows_more
from vision.reading import UnsureDie

FIT = replace(fitted_flat(0.0, 0.0), cube=flat_cube(0.0, 0.0, 0.8, 16.0, 1.6), support=0.65)
FOUR, TWO = (FaceReading(value, 1.0, 0.98, "blue") for value in (4, 2))


def test_two_pips_of_a_doubted_four_are_no_die_of_their_own() -> None:
    doubted = [FittedDie(FIT, FOUR, "flat")]
    made_up = replace(FIT, cube=flat_cube(3.0, -3.0, 0.0, 16.0, 1.6), support=0.2)
    assert shows_more(doubted, made_up, TWO)
    assert not shows_more(doubted, replace(made_up, support=0.8), TWO)
    assert not shows_more([FittedDie(FIT, TWO, "flat")], made_up, FOUR)
    assert not shows_more(doubted, replace(made_up, cube=flat_cube(16.0, 0.0, 0.0, 16.0, 1.6)), TWO)
    assert not shows_more([], made_up, TWO)


def test_what_several_starts_led_to_is_told_once_from_left_to_right() -> None:
    right, left, same, nowhere = (
        UnsureDie(center_px=(at, 5.0), center_mm=place, reason="leans")
        for at, place in ((90.0, (50.0, 0.0)), (10.0, (0.0, 0.0)), (12.0, (3.0, 0.0)), (40.0, None))
    )
    assert once([right, left, same, nowhere], 12.8) == [left, nowhere, right]


def test_a_start_is_outdone_only_by_a_plainly_better_one_in_its_place() -> None:
    good, worse, alike, elsewhere = (
        Start(x_mm, 0.0, 0.0, score) for x_mm, score in ((0.0, 0.85), (5.0, 0.71), (5.0, 0.84), (14.0, 0.7))
    )
    assert outdone(worse, [good], 12.8)
    assert not outdone(alike, [good], 12.8)
    assert not outdone(elsewhere, [good], 12.8)
    assert not outdone(good, [worse], 12.8)

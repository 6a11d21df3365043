"""What lies near a place."""

import math
from dataclasses import replace
from functools import partial

from tests.vision.landing.lying import fitted_flat
from tests.vision.landing.stage import camera
from vision.landing.candidate_filter import (
    DoubtedStart,
    lone_dice,
    may_be_made_up,
    once,
    outdone,
    resting_after_all,
    resting_pair,
    shows_more,
)
from vision.landing.cube import flat_cube
from vision.landing.faces import FaceReading
from vision.landing.fit import Fit
from vision.landing.pose_candidates import Start
from vision.landing.pose_evidence import FittedDie
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


def test_few_pips_without_an_outline_are_no_die() -> None:
    """Pips of a black four and of its sides on a black table had been called a two, 7 mm beside it."""
    seen, unseen, quiet = (
        replace(FIT, support=support, stray_mm=stray_mm)
        for support, stray_mm in ((0.5, 0.19), (0.2, 0.19), (0.2, 0.09))
    )
    assert may_be_made_up(unseen, TWO, 3.3, 0.66)
    assert not may_be_made_up(seen, TWO, 3.3, 0.66)
    assert not may_be_made_up(quiet, TWO, 3.3, 0.66)
    assert not may_be_made_up(unseen, FOUR, 3.3, 0.66)


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


def test_of_two_dice_that_were_refused_each_speaks_for_the_other() -> None:
    one, other, apart = (
        FittedDie(replace(FIT, cube=flat_cube(x_mm, 0.0, 0.0, 16.0, 1.6)), FOUR, "flat", 13.0)
        for x_mm in (0.0, 16.1, 60.0)
    )

    def doubt(_: Fit, gap_mm: float | None, least: float = 11.0) -> float:
        """Less where the neighbour is known."""
        return 13.0 if gap_mm is None else least

    assert [die.cube for die in resting_pair([one, apart, other], [], doubt)] == [one.cube, other.cube]
    assert resting_pair([one, apart], [], doubt) == []
    assert resting_pair([one, other], [], partial(doubt, least=12.5)) == []
    leaning = replace(other, rest_doubt=0.0)  # It was refused for another reason.
    assert resting_pair([one, leaning], [], doubt) == []


def test_a_die_that_was_refused_lies_flat_where_nothing_is_that_it_could_lean_on() -> None:
    one, near = (
        FittedDie(replace(FIT, cube=flat_cube(x_mm, 0.0, 0.0, 16.0, 1.6)), FOUR, "flat", 13.0)
        for x_mm in (0.0, 20.0)
    )
    own, beside, far = (Start(x_mm, 0.0, 0.0, 0.8) for x_mm in (2.0, 18.0, 40.0))
    view = camera()

    def doubt(_: Fit, gap_mm: float | None, against: float = 11.0) -> float:
        assert gap_mm == math.inf
        return against

    assert [die.rest_doubt for die in lone_dice([one], [], [own, far], view, doubt)] == [11.0]
    assert len(lone_dice([one, one], [], [own], view, doubt)) == 1  # Two starts led to it.
    assert lone_dice([one], [], [own, beside], view, doubt) == []
    assert lone_dice([one], [near], [own], view, doubt) == []
    assert lone_dice([one], [], [own], view, partial(doubt, against=12.5)) == []
    strayed = replace(one, fit=replace(one.fit, stray_mm=2.0))
    assert lone_dice([strayed], [], [own], view, doubt) == []
    again = [DoubtedStart(own, 0), DoubtedStart(beside, 0)]
    assert len(resting_after_all([one], [], again[:1], view, doubt)) == 1
    assert resting_after_all([one], [], again, view, doubt) == []

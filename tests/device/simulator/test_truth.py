"""What the simulated table tells of its dice: held against where they can be seen to be."""

from collections.abc import Sequence
from random import Random

import numpy as np
import pytest

from device.simulator.end_zone import EndZoneWorld
from device.simulator.truth import ActStory, DieStory
from device.simulator.world import World
from tests.tiers import short

STEP_MS = 10.0


def act(one: World, name: str, start_ms: float) -> tuple[ActStory, float]:
    """Play an act to its end: its story, and when it ended."""
    one.act(name)
    time_ms = start_ms
    while one.busy:
        one.at(time_ms)
        time_ms += STEP_MS
    return one.stories[-1], time_ms


def tray(seed: int, count: int = 4) -> World:
    found = World(Random(seed))
    found.lay("pip", count, ("ivory",))
    return found


def end_zone(seed: int, dice: int, *, far_end: bool = False) -> tuple[EndZoneWorld, float]:
    """An End Zone on which so many dice of the turn lie."""
    found, time_ms = EndZoneWorld(Random(seed), far_end=far_end), 0.0
    found.lay("pip", 1)
    for stay in range(dice):
        found.expect(stay, 0)
        _, time_ms = act(found, "throw", time_ms)
    found.expect(dice, 1)
    return found, time_ms


def stays(die: DieStory, times_ms: Sequence[float]) -> bool:
    """Whether the die is in the very same place at all those times."""
    poses = [die.pose(time_ms) for time_ms in times_ms]
    return all(pose is poses[0] for pose in poses)


@pytest.mark.parametrize("seed", short(range(4)))
def test_a_thrown_die_is_told_from_the_hand_to_rest(seed: int) -> None:
    one = tray(seed)
    story, end_ms = act(one, "throw", 0.0)
    assert story.act == "throw"
    assert {die.body.number for die in story.thrown} == {die.body.number for die in one.lying}
    for die in story.thrown:
        assert die.release is not None
        assert die.rest_ms is not None
        assert die.pose(die.release.time_ms - 1) is None
        assert die.release.center_mm[1] < -60  # the hand opens near the front
        assert not die.rests(die.rest_ms - 1)
        assert die.rests(die.rest_ms)
        assert stays(die, [die.rest_ms, end_ms, end_ms + 9999])
        told = die.rolled, die.slid, die.touched, die.pushed_by, die.departure
        assert told == (True, False, False, (), None)
        assert die.lying is not None
        assert die.up == die.lying.up


def test_a_die_that_lies_keeps_its_time_of_rest_through_what_is_done_to_others() -> None:
    one = tray(2)
    first, time_ms = act(one, "throw", 0.0)
    rested = {die.body.number: die.rest_ms for die in first.dice}
    nudged, time_ms = act(one, "nudge", time_ms)
    (pushed,) = (die for die in nudged.dice if die.touched)
    assert nudged.thrown == ()
    for die in nudged.dice:
        if die is pushed:
            assert die.rest_ms is not None
            assert die.rest_ms > nudged.start_ms
        else:
            assert die.rest_ms == rested[die.body.number]
            assert die.rests(nudged.start_ms)
            assert stays(die, [nudged.start_ms, nudged.end_ms])
    later, _ = act(one, "hand", time_ms)
    again = later.die(pushed.body.number)
    assert again is not None
    assert (again.touched, again.rest_ms) == (False, pushed.rest_ms)


def test_dice_that_a_hand_takes_up_are_gone_and_left_over_no_edge() -> None:
    one = tray(2)
    _, time_ms = act(one, "throw", 0.0)
    cleared, _ = act(one, "clear", time_ms)
    assert len(cleared.dice) == 4
    for die in cleared.dice:
        assert (die.touched, die.rest_ms, die.departure) == (True, None, None)


@pytest.mark.parametrize("seed", short(range(3)))
def test_a_die_off_the_table_is_told_with_the_edge_it_left_over(seed: int) -> None:
    story, _ = act(tray(seed), "floor", 0.0)
    (gone,) = (die for die in story.dice if die.departure)
    assert (gone.rest_ms, gone.lying) == (None, None)
    assert gone.departure is not None
    pose = gone.pose(gone.departure.time_ms)
    assert pose is not None
    low_x, low_y, high_x, high_y = gone.bounds_mm
    x, y, _ = pose.center_mm.tolist()
    beyond = {"left": low_x - x, "right": x - high_x, "near": low_y - y, "far": y - high_y}
    assert 0 < beyond[gone.departure.over] < 15

    zone, time_ms = end_zone(seed, 0)
    story, _ = act(zone, "floor", time_ms)
    (gone,) = story.thrown
    assert gone.departure is not None
    assert gone.departure.over == "near"


@pytest.mark.long
def test_a_die_that_is_hit_names_the_die_that_hit_it() -> None:
    one, time_ms = end_zone(4, 2)
    lay = {die.body.number for die in one.lying}
    story, _ = act(one, "bump", time_ms)
    (hit,) = (die for die in story.dice if die.pushed_by)
    (thrown,) = story.thrown
    assert hit.body.number in lay
    assert hit.pushed_by == (thrown.body.number,)
    assert not hit.thrown
    assert thrown.course.start_ms < hit.course.start_ms
    before, after = hit.pose(story.start_ms), hit.pose(story.end_ms)
    assert before is not None
    assert after is not None
    assert float(np.hypot(*(after.center_mm - before.center_mm)[:2])) > 10
    (still,) = (die for die in story.dice if die not in (hit, thrown))
    assert still.course.cause == "nothing"

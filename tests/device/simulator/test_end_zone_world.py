"""The simulated End Zone: dice stop as bodies do, and the picture shows the lines where they lie."""

from collections.abc import Iterator
from itertools import combinations
from random import Random

import cv2
import numpy as np
import pytest

from calibration.ends import End
from device.simulator.dice import Pose, SimulatedDie, boxes_apart_mm
from device.simulator.end_zone import EndZoneWorld
from device.simulator.end_zone.ground import calibration, stage
from device.simulator.end_zone.table import known_table, laid, planned, turn
from device.simulator.end_zone.world import ACTS, COLORS
from device.simulator.hand import HandPose
from device.simulator.truth import BoundsMm
from vision.landing.drift import check_drift

STEP_MS = 20.0
LONGEST_MS = 20_000.0


@pytest.fixture
def world() -> EndZoneWorld:
    """Two dice of the turn lie there."""
    found = EndZoneWorld(Random(4))
    found.lay("pip", 1)
    for stay in (0, 1):
        found.expect(stay, 0)
        finish(found, "throw", 10_000.0 * stay)
    found.expect(2, 1)
    return found


def play(
    one: EndZoneWorld, act: str, start_ms: float
) -> Iterator[tuple[list[tuple[SimulatedDie, Pose]], object]]:
    """Each moment of an act: the dice that can be seen, and the hand."""
    one.act(act)
    time_ms = start_ms
    while one.busy:
        assert time_ms < start_ms + LONGEST_MS, f"{act} does not end"
        scene = one.at(time_ms)
        seen = [(body, motion.pose(time_ms)) for body, motion in scene.items]
        yield [(body, pose) for body, pose in seen if pose], scene.hand and scene.hand.pose(time_ms)
        time_ms += STEP_MS


def finish(one: EndZoneWorld, act: str, start_ms: float) -> None:
    for _ in play(one, act, start_ms):
        pass


def is_over_table(pose: Pose, bounds_mm: BoundsMm) -> bool:
    x, y, _ = pose.center_mm
    return bool(bounds_mm[0] < x < bounds_mm[2] and bounds_mm[1] < y < bounds_mm[3])


@pytest.mark.long
@pytest.mark.parametrize("act", ACTS)
def test_dice_never_go_through_one_another_or_the_table(world: EndZoneWorld, act: str) -> None:
    for dice, _ in play(world, act, 50_000.0):
        for (a, at), (b, bt) in combinations(dice, 2):
            apart = boxes_apart_mm(a, at.center_mm[None], at.turn[None], b, bt.center_mm[None], bt.turn[None])
            assert float(apart[0]) > -0.7
        on_table = [pose for _, pose in dice if is_over_table(pose, world.bounds_mm)]
        assert all(float(pose.center_mm[2]) > 7.5 for pose in on_table)


def test_a_throw_leaves_one_die_more_of_the_players_colour(world: EndZoneWorld) -> None:
    before = {die.body.number for die in world.lying}
    finish(world, "throw", 50_000.0)
    new = [die for die in world.lying if die.body.number not in before]
    assert [die.body.color for die in new] == [COLORS[1]]
    assert len(world.lying) == 3


def test_a_die_on_the_dot_covers_it(world: EndZoneWorld) -> None:
    world.expect(0, 1)
    finish(world, "dot", 50_000.0)
    dot = laid().dot
    assert dot is not None
    (die,) = world.lying
    assert np.hypot(*(die.pose.center_mm[:2] - dot.center_mm)) < 2.0


@pytest.mark.parametrize(("seat", "end"), [(0, "near"), (1, "far")])
def test_with_two_ends_every_other_player_throws_to_the_far_one(seat: int, end: End) -> None:
    two = EndZoneWorld(Random(8), far_end=True)
    two.lay("pip", 1)
    two.expect(0, seat)
    assert two.aimed == end
    finish(two, "dot", 10_000.0)
    dot = laid(end).dot
    assert dot is not None
    place = np.array([dot.center_mm])
    there = place if end == "near" else turn().to_table(place)
    (die,) = two.lying
    assert np.hypot(*(die.pose.center_mm[:2] - there[0])) < 2.0
    two.expect(1, seat)
    for dice, _ in play(two, "bump", 60_000.0):
        for (a, at), (b, bt) in combinations(dice, 2):
            apart = boxes_apart_mm(a, at.center_mm[None], at.turn[None], b, bt.center_mm[None], bt.turn[None])
            assert float(apart[0]) > -0.7
        assert all(float(pose.center_mm[2]) > 7.5 for _, pose in dice)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("act", ["throw", "slide", "late"])
def test_a_hand_throws_from_the_other_end_and_lets_go_where_it_should_or_late(seat: int, act: str) -> None:
    two = EndZoneWorld(Random(5 + seat), far_end=True)
    two.lay("pip", 1)
    two.expect(0, seat)
    hands = [hand for _, hand in play(two, act, 10_000.0) if isinstance(hand, HandPose)]
    (die,) = two.stories[-1].thrown
    assert die.release is not None
    x, y, _ = die.release.center_mm
    length = turn().shift_mm[1]
    behind = y - (length - planned().end_zone.depth_mm) if seat == 0 else planned().end_zone.depth_mm - y
    assert (behind < -15) if act == "late" else (behind > 15)
    assert (die.slid, die.rolled) == (act == "slide", act != "slide")
    assert any(np.hypot(hand.x_mm - x, hand.y_mm - y) < 8 for hand in hands)
    assert all(abs(hand.y_mm - (length if seat == 0 else 0)) < 0.5 * length for hand in hands)


def test_dice_of_an_earlier_turn_are_taken_up_first(world: EndZoneWorld) -> None:
    world.expect(0, 1)
    hands = [hand for _, hand in play(world, "throw", 50_000.0)]
    assert any(hands)
    assert len(world.lying) <= 1


@pytest.mark.long
def test_a_die_that_is_hit_lies_elsewhere(world: EndZoneWorld) -> None:
    before = {die.body.number: die.pose for die in world.lying}
    finish(world, "bump", 50_000.0)
    after = {die.body.number: die.pose for die in world.lying}
    moved = [number for number in before if before[number] is not after.get(number)]
    assert len(moved) == 1
    assert float(np.hypot(*(after[moved[0]].center_mm - before[moved[0]].center_mm)[:2])) > 25


@pytest.mark.parametrize("act", ["nudge", "turn_over"])
def test_a_hand_from_the_long_side_touches_one_die_and_leaves_the_other(
    world: EndZoneWorld, act: str
) -> None:
    before = {die.body.number: die for die in world.lying}
    hands = [hand for _, hand in play(world, act, 50_000.0) if isinstance(hand, HandPose)]
    touched = {die.body.number for die in world.stories[-1].dice if die.touched}
    assert len(touched) == 1
    for die in world.lying:
        was = before[die.body.number]
        if die.body.number not in touched:
            assert die.pose is was.pose
            continue
        away = float(np.hypot(*(die.pose.center_mm - was.pose.center_mm)[:2]))
        assert (7 <= away <= 14 and die.up == was.up) if act == "nudge" else (away < 8 and die.up != was.up)
        at = was.pose.center_mm
        assert min(np.hypot(hand.x_mm - at[0], hand.y_mm - at[1]) for hand in hands) < 25
    assert hands[0].x_mm < -400


def test_a_die_off_the_table_falls_and_is_gone(world: EndZoneWorld) -> None:
    lowest = [
        min(float(pose.center_mm[2]) for _, pose in dice)
        for dice, _ in play(world, "floor", 50_000.0)
        if dice
    ]
    assert min(lowest) < -400
    assert len(world.lying) == 2
    finish(world, "clear", 70_000.0)
    assert world.lying == ()


@pytest.mark.long
def test_a_die_on_a_line_is_nearer_than_anybody_could_say(world: EndZoneWorld) -> None:
    world.expect(0, 0)
    finish(world, "line", 50_000.0)
    (die,) = world.lying
    fronts = [max(y for _, y in zone.polygon_mm) for zone in laid().zones]
    inner = die.body.edge_mm / 2 - die.body.fillet_mm
    level = die.pose.turn[:2][:, np.abs(die.pose.turn[2]) < 0.5]
    reach = inner * np.abs(level[1]).sum() + die.body.fillet_mm
    low = float(die.pose.center_mm[1]) - reach
    assert min(abs(low - front) for front in fronts) < 0.6  # the sheet lies a little askew


def test_only_pip_dice_are_thrown() -> None:
    with pytest.raises(ValueError, match="pip dice"):
        EndZoneWorld(Random(1)).lay("zoinx", 4)


def test_lens_and_lines_are_those_of_the_calibration() -> None:
    points = np.array([(x, y, z) for x in (-300, 0, 300) for y in (-20, 400, 1200) for z in (0, 16)], float)
    made = known_table(640, 480)
    eye = stage(640, 480).lens
    assert np.abs(made.view.project(points) - eye.project(points.astype(np.float32))).max() < 0.01
    assert made.planned is planned()
    assert {zone.value for zone in made.laid.zones} == {2, 5, 10, 20}


def test_the_empty_picture_shows_the_lines_where_they_lie() -> None:
    """Seen with other eyes: the drift check finds the landmarks where they should be, and a bump."""
    made, ground = calibration(640, 480), stage(640, 480).ground
    picture = ground.lit((0.7, 0.25))
    drift = check_drift(picture, made)
    assert drift.ok
    assert drift.corrected is None
    bumped = cv2.warpAffine(picture, np.array([[1, 0, 1.8], [0, 1, -1.2]]), (640, 480))
    found = check_drift(np.asarray(bumped, np.uint8), made)
    assert found.cause == "camera"
    assert found.corrected is not None


@pytest.mark.long
def test_a_lines_edge_is_painted_where_it_lies() -> None:
    """The sheet's front edge, along a row of pixels: the step lies where the calibration projects it."""
    made, picture = known_table(1280, 960), stage(1280, 960).ground.lit((0.5, 0.5))
    front = next(zone for zone in made.laid.zones if zone.value == 2).polygon_mm
    (ax, ay), (bx, by) = sorted(front, key=lambda at: -at[1])[:2]
    for part in (0.3, 0.5, 0.7):
        at = made.view.project(np.array([[ax + (bx - ax) * part, ay + (by - ay) * part, 0.0]]))[0]
        x, y = float(at[0]), round(float(at[1]))
        row = picture[y, int(x) - 6 : int(x) + 8].astype(float) ** 2.0 @ (0.0, -1.0, 1.0)  # red less green
        share = (row - row[-3:].mean()) / (row[:3].mean() - row[-3:].mean())
        edge = int(x) - 6 - 0.5 + share.sum()
        assert abs(edge - x) < 0.25

"""Where each die came from: thrown, lay there, pushed by another, moved by a hand; and what left."""

from collections.abc import Callable
from dataclasses import replace
from itertools import permutations
from math import dist

import numpy as np
import pytest

from benchmarks.history import reading_of
from device.simulator.dice import Pose
from device.simulator.table import SimulatedTable
from engine.dice import DieKind
from tests.clock import Clock
from tests.vision.watch.stage import Arm, Cube, Session, Stage
from vision.places import load_packaged
from vision.reading import Reading, SeenDie
from vision.watch import FrameState, Origin, ThrowHistory, Watch, tell_history
from vision.watch.change import find_cover
from vision.watch.trace import assign, margin

LYING = (Cube(420, 240, 4, 10), Cube(150, 120, 2, 50))


def read(cubes: tuple[Cube, ...]) -> Reading:
    """What a reader says of these cubes."""
    square = ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))
    dice = tuple(
        SeenDie(
            kind="pip",
            value=cube.value,
            confidence=1.0,
            color="ivory",
            center_px=(cube.x, cube.y),
            corners_px=tuple((cube.x + x * cube.edge, cube.y + y * cube.edge) for x, y in square),
        )
        for cube in cubes
    )
    return Reading(width_px=640, height_px=480, dice=dice, unsure=(), elapsed_ms=0.0)


def told(
    session: Session, moves: Callable[[float], Stage], span_ms: float, after: tuple[Cube, ...]
) -> ThrowHistory:
    """The history of what moves from a rest with `LYING` to a rest with `after`."""
    session.show(Stage(LYING), 600)
    since_ms = session.last.time_ms
    session.play(moves, span_ms)
    session.show(Stage(after), 600)
    reel = session.last.reel
    assert session.last.settled
    assert reel is not None
    stretch = reel.cut(since_ms)
    assert stretch is not None
    return tell_history(stretch, read(LYING), read(after))


def rolling(cube: Cube, to_x: float, part: float) -> Cube:
    """A cube on its way to the right, slower and slower; its faces change."""
    x = cube.x + (to_x - cube.x) * (1 - (1 - part) ** 2)
    return replace(cube, x=x, value=1 + int(part * 10) % 6, turn_deg=cube.turn_deg + 150 * part)


def pushing(part: float) -> tuple[Cube, ...]:
    """One comes in from the left and hits the first of `LYING`, which goes on."""
    hit = 0.5
    new = Cube(
        -20 + 414 * min(1.0, part / hit), 240, 5 if part >= hit else 1 + int(part * 12), 100 * min(hit, part)
    )
    pushed = replace(LYING[0], x=420 + 70 * (1 - (1 - max(0.0, part - hit) / (1 - hit)) ** 2))
    return (new, pushed, LYING[1])


@pytest.mark.long
@pytest.mark.parametrize("fps", [15.0, 20.0, 30.0])
def test_a_die_that_another_pushed_is_told_from_the_thrown_one_and_from_one_that_lay_there(
    fps: float,
) -> None:
    history = told(Session(fps=fps), lambda part: Stage(pushing(part)), 900, pushing(1.0))
    assert [one.origin for one in history.dice] == ["thrown", "pushed", "lay"]
    assert history.dice[1].by == 0
    assert [one.was for one in history.dice] == [None, 0, 1]
    assert history.left == ()
    for point in history.dice[0].path:
        assert abs(point.at_px[1] - 240) < 13


@pytest.mark.long
def test_a_die_that_a_finger_pushed_was_moved_by_a_hand() -> None:
    def moves(part: float) -> Stage:
        back = 1 - abs(2 * part - 1)
        pushed = replace(LYING[0], y=240 - 25 * min(1.0, max(0.0, 5 * part - 2)))
        return Stage((pushed, LYING[1]), arm=Arm(420, 470 - 215 * back))

    after = (replace(LYING[0], y=215), LYING[1])
    history = told(Session(), moves, 1500, after)
    assert [one.origin for one in history.dice] == ["by_hand", "lay"]


def taken_up(gap_ms: float) -> Origin:
    """What is told of a die that a hand covered, that one picture shows elsewhere, and the next one, which
    comes so much later, where it had lain."""
    session = Session()
    session.show(Stage(LYING), 600)
    since_ms, time_ms = session.last.time_ms, session.time_ms
    up, down = (replace(LYING[0], x=381, y=236, edge=38), LYING[1]), (replace(LYING[0], value=3), LYING[1])
    reaches = [(50.0, LYING, 480 - 66 * step) for step in range(5)] + [(50.0, down, 216)]
    leaves = [(gap_ms, down, 290), *((50.0, down, 290 + 66 * step) for step in range(4))]
    for span_ms, cubes, y in (*reaches, (50.0, up, 300), *leaves):
        time_ms += span_ms
        session.watch.see(replace(Stage(cubes, arm=Arm(420, y)), seed=int(time_ms)).picture(), time_ms)
    for number in range(1, 9):
        look = session.watch.see(replace(Stage(down), seed=number).picture(), time_ms + 50 * number)
    assert look.reel is not None
    stretch = look.reel.cut(since_ms)
    assert stretch is not None
    return tell_history(stretch, read(LYING), read(down)).dice[0].origin


@pytest.mark.long
def test_a_die_seen_once_in_the_air_may_have_been_laid_back_where_the_next_picture_comes_late() -> None:
    assert taken_up(50) == "thrown"  # no hand is so fast
    assert taken_up(160) == "unknown"


def test_a_die_that_rolls_out_of_the_picture_is_told_with_its_border() -> None:
    def moves(part: float) -> Stage:
        return Stage((*LYING, Cube(-20 + 720 * part, 380, 1 + int(part * 11) % 6, 200 * part)))

    session = Session()
    session.show(Stage(LYING), 600)
    since_ms = session.last.time_ms
    session.play(moves, 900)
    session.show(Stage((replace(LYING[0], value=3), LYING[1])), 600)
    assert session.last.reel is not None
    stretch = session.last.reel.cut(since_ms)
    assert stretch is not None
    history = tell_history(stretch, read(LYING), read(LYING))
    assert [one.border for one in history.left] == ["right"]


def test_what_happened_while_no_picture_came_is_not_invented() -> None:
    session = Session()
    session.show(Stage(LYING), 600)
    since_ms = session.last.time_ms
    for number in range(4):
        session.frame(Stage(pushing(number / 20)))
    late_ms = session.time_ms + 3000
    after = pushing(1.0)
    for number in range(10):
        look = session.watch.see(replace(Stage(after), seed=number).picture(), late_ms + 50 * number)
    assert look.reel is not None
    stretch = look.reel.cut(since_ms)
    assert stretch is not None
    history = tell_history(stretch, read(LYING), read(after))
    assert history.hole == "late"
    assert {one.origin for one in history.dice} == {"unknown"}
    assert history.left == ()


def test_of_two_players_who_throw_at_once_both_dice_were_thrown() -> None:
    """One from the left, one from the right, past each other and past a die that lies there."""
    there = LYING[0]
    after = (there, Cube(470.0, 330.0, 5), Cube(250.0, 360.0, 2, color=(60, 60, 200)))

    def rolling(part: float) -> Stage:
        left = (1 - part) * 520
        mine = replace(after[1], x=after[1].x - left, turn_deg=20 + 500 * part)
        yours = replace(after[2], x=after[2].x + left, turn_deg=20 - 500 * part)
        return Stage((there, mine, yours))

    session = Session()
    session.show(Stage((there,)), 600)
    since_ms = session.last.time_ms
    session.play(rolling, 900)
    session.show(Stage(after), 600)
    assert session.last.reel is not None
    stretch = session.last.reel.cut(since_ms)
    assert stretch is not None
    history = tell_history(stretch, read((there,)), read(after))
    assert [one.origin for one in history.dice] == ["lay", "thrown", "thrown"]


@pytest.mark.long
def test_pictures_that_come_twice_change_nothing() -> None:
    def seen(times: int) -> ThrowHistory:
        session = Session()
        session.show(Stage(LYING), 600)
        since_ms = session.last.time_ms
        stages = [Stage(pushing(number / 18)) for number in range(1, 19)] + [Stage(pushing(1.0))] * 10
        for number, stage in enumerate(stages):
            for _ in range(times):
                look = session.watch.see(replace(stage, seed=number).picture(), since_ms + 50 * (number + 1))
        assert look.reel is not None
        stretch = look.reel.cut(since_ms)
        assert stretch is not None
        return tell_history(stretch, read(LYING), read(pushing(1.0)))

    twice, once = seen(2), seen(1)
    assert [(one.origin, one.by, len(one.path)) for one in twice.dice] == [
        (one.origin, one.by, len(one.path)) for one in once.dice
    ]


def acted(table: SimulatedTable, watch: Watch, act: str) -> FrameState:
    """The look when all is still after an act of the simulated hand."""
    table.act(act)
    for frame in table.frames():
        look = watch.see(frame.picture, frame.time_ms)
        if not table.busy and look.settled:
            return look
    raise AssertionError("the table ended")


@pytest.mark.long
@pytest.mark.parametrize(("kind", "seed"), [("pip", 3), ("pip", 4), ("d4", 3)])
def test_thrown_dice_are_followed_to_where_they_lie(kind: DieKind, seed: int) -> None:
    clock = Clock()
    table = SimulatedTable(seed, fps=20.0, clock=clock, wait=clock.wait, sharp=False)
    table.lay(kind, 4, ("red", "blue"))
    watch = Watch()
    since_ms = acted(table, watch, "throw").time_ms
    before = reading_of(table.lying, 1280, 960)
    look = acted(table, watch, "throw")
    assert look.reel is not None
    stretch = look.reel.cut(since_ms, look.time_ms)
    assert stretch is not None
    history = tell_history(stretch, before, reading_of(table.lying, 1280, 960))
    origins = [one.origin for one in history.dice]
    assert set(origins) <= {"thrown", "unknown"}
    assert origins.count("thrown") >= 3
    for one, lies in zip(history.dice, table.lying, strict=True):
        story = table.stories[-1].die(lies.number)
        assert story is not None
        for point in one.path:
            assert off_px(table, story.pose(point.time_ms), point.at_px) < 1.5 * 49
    assert max(len(one.path) for one in history.dice) >= 4


def thrown_again(
    table: SimulatedTable, watch: Watch, since_ms: float, before: Reading
) -> tuple[ThrowHistory, float, Reading]:
    """The history of one more throw, when it had come to rest, and what lies there then."""
    look, after = acted(table, watch, "throw"), reading_of(table.lying, 1280, 960)
    assert look.reel is not None
    stretch = look.reel.cut(since_ms, look.time_ms)
    assert stretch is not None
    return tell_history(stretch, before, after), look.time_ms, after


@pytest.mark.long
@pytest.mark.parametrize("seed", [7001, 7004])
def test_ivory_dice_on_an_ivory_mat_are_all_seen_to_be_thrown(seed: int) -> None:
    """Only their pips and shadows tell them from the paper, and the hand is still near when they lie."""
    clock = Clock()
    table = SimulatedTable(seed, fps=20.0, clock=clock, wait=clock.wait, sharp=False)
    table.spread(load_packaged("zonk"))
    table.lay("pip", 6)
    watch, origins = Watch(), list[Origin]()
    since_ms, before = acted(table, watch, "throw").time_ms, reading_of(table.lying, 1280, 960)
    for _ in range(2):
        history, since_ms, before = thrown_again(table, watch, since_ms, before)
        origins += [one.origin for one in history.dice]
    assert set(origins) <= {"thrown", "unknown"}
    assert origins.count("thrown") >= 11


@pytest.mark.long
@pytest.mark.parametrize("seed", [7204, 7208])
def test_a_lone_die_that_the_hand_hid_until_it_lay_was_not_put_there(seed: int) -> None:
    clock = Clock()
    table = SimulatedTable(seed, fps=20.0, clock=clock, wait=clock.wait, sharp=False)
    table.spread(load_packaged("ten-thousand"))
    table.lay("pip", 1)
    watch = Watch()
    since_ms, before = acted(table, watch, "throw").time_ms, reading_of(table.lying, 1280, 960)
    history, _, _ = thrown_again(table, watch, since_ms, before)
    assert history.dice[0].origin in ("thrown", "unknown")


def test_where_the_table_was_read_as_empty_no_die_lay() -> None:
    """A die is read where all looks as before: how it came there nobody saw."""
    session, after = Session(), pushing(1.0)
    session.show(Stage(LYING), 600)
    since_ms = session.last.time_ms
    session.play(lambda part: Stage(pushing(part)), 900)
    session.show(Stage(after), 600)
    assert session.last.reel is not None
    stretch = session.last.reel.cut(since_ms)
    assert stretch is not None
    reading = read((*after, Cube(150, 400)))
    for before, origin in ((read(LYING), "unknown"), (read(()), "unknown"), (None, "lay")):
        assert tell_history(stretch, before, reading).dice[3].origin == origin


def after_a_throw(seed: int, act: str) -> tuple[ThrowHistory, tuple[bool, ...]]:
    """What is told after an act that follows a throw, and which dice a hand truly moved."""
    clock = Clock()
    table = SimulatedTable(seed, fps=20.0, clock=clock, wait=clock.wait, sharp=False)
    table.lay("pip", 4, ("red", "blue"))
    watch = Watch()
    since_ms = acted(table, watch, "throw").time_ms
    before = reading_of(table.lying, 1280, 960)
    look = acted(table, watch, act)
    assert look.reel is not None
    stretch = look.reel.cut(since_ms, look.time_ms)
    assert stretch is not None
    history = tell_history(stretch, before, reading_of(table.lying, 1280, 960))
    stories = [table.stories[-1].die(one.number) for one in table.lying]
    return history, tuple(story is not None and story.touched for story in stories)


@pytest.mark.long
def test_dice_that_slid_out_of_a_hand_were_not_put_there_by_it() -> None:
    """Nothing is told of those that fingers hid until they lay."""
    told_of = [one.origin for seed in (5, 7, 8) for one in after_a_throw(seed, "slide")[0].dice]
    assert set(told_of) <= {"thrown", "unknown"}
    assert "thrown" in told_of


@pytest.mark.long
@pytest.mark.parametrize("act", ["turn_over", "nudge"])
@pytest.mark.parametrize("seed", [5, 6])
def test_a_die_that_a_hand_turned_or_pushed_is_not_taken_for_one_that_slid(seed: int, act: str) -> None:
    history, touched = after_a_throw(seed, act)
    assert any(touched)
    assert [one.origin == "by_hand" for one in history.dice] == list(touched)


def off_px(table: SimulatedTable, pose: Pose | None, at_px: tuple[float, float]) -> float:
    """How far a place in the picture is from where the die is."""
    assert pose is not None
    return dist(table.place_px(pose.center_mm.tolist()), at_px)


@pytest.mark.parametrize("seed", range(20))
def test_an_assignment_is_the_cheapest_of_all(seed: int) -> None:
    costs = np.random.default_rng(seed).random((4, 6))
    given = assign(costs)
    best = min(sum(costs[row, column] for row, column in enumerate(way)) for way in permutations(range(6), 4))
    assert sorted(set(given)) == sorted(given)
    assert sum(costs[row, column] for row, column in enumerate(given)) == pytest.approx(best)
    with pytest.raises(ValueError, match="cannot have a column each"):
        assign(costs.T)


@pytest.mark.parametrize("seed", range(20))
def test_how_sure_a_place_is_says_the_cheapest_of_all_others(seed: int) -> None:
    costs = np.random.default_rng(seed).random((2, 5))
    given = assign(costs)
    for row in range(2):
        others = [way for way in permutations(range(5), 2) if way[row] != given[row]]
        best = min(costs[0, way[0]] + costs[1, way[1]] for way in others)
        assert margin(costs, given, row) == pytest.approx(best - costs[[0, 1], given].sum())


def test_what_a_die_covers_is_told_by_its_outline() -> None:
    corners = ((0.0, 0.0), (40.0, 0.0), (20.0, 40 * 0.75**0.5))
    d4 = SeenDie(kind="d4", value=3, confidence=1.0, color="red", center_px=(20.0, 11.5), corners_px=corners)
    assert find_cover(read(LYING)) == pytest.approx(1.0)
    assert find_cover(replace(read(LYING), dice=(d4,))) == pytest.approx(3**0.5 / 4)
    assert find_cover(read(())) == 1.0


def test_of_a_throw_seen_in_too_few_pictures_nothing_is_told() -> None:
    """A box that is busy with other things sees a throw as dice that are suddenly there."""
    session = Session()
    session.show(Stage(LYING), 600)
    since_ms, after = session.last.time_ms, pushing(1.0)
    looks = [
        session.watch.see(
            replace(Stage(pushing(min(1.0, number / 3))), seed=number).picture(),
            session.time_ms + 300 * number,
        )
        for number in range(1, 8)
    ]
    reel = looks[-1].reel
    assert reel is not None
    stretch = reel.cut(since_ms)
    assert stretch is not None
    history = tell_history(stretch, read(LYING), read(after))
    assert history.hole == ""
    assert {one.origin for one in history.dice} == {"unknown"}

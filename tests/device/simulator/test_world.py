"""The simulated table's world: what the hand does, and that dice behave as bodies do."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from random import Random

import numpy as np
import pytest

from device.simulator.dice import CORNERS, Pose, SimulatedDie, boxes_apart_mm, side_up, support_mm, yawed
from device.simulator.flight import Flight
from device.simulator.ground import RIM_HEIGHT_MM, RIM_WIDTH_MM, TRAY_HALF_MM
from device.simulator.hand_acts import ACTS
from device.simulator.throw import NoRoom, Throw
from device.simulator.world import MOST_DICE, MOST_WAITING, World
from tests.tiers import short

STEP_MS = 20.0
LONGEST_MS = 20_000.0
DENT_MM, TOUCH_MM = 2.0, 0.3
"""Dice that bounce off one another go in so far for some milliseconds; dice that lie touch, and no more."""
COUNTS = {"throw_one_less": 3, "throw_one_more": 5, "floor": 3, "clear": 0}


def world(seed: int, kind: str = "pip", count: int = 4) -> World:
    found = World(Random(seed))
    found.lay(kind, count, ("ivory", "red"))  # type: ignore[arg-type]
    return found


def play(one: World, act: str, start_ms: float) -> Iterator[tuple[float, list[tuple[SimulatedDie, Pose]]]]:
    """Each moment of an act and what can be seen of the dice, to its end."""
    one.act(act)
    time_ms = start_ms
    while one.busy:
        assert time_ms < start_ms + LONGEST_MS, f"{act} does not end"
        scene = one.at(time_ms)
        seen = [(body, motion.pose(time_ms)) for body, motion in scene.items]
        yield time_ms, [(body, pose) for body, pose in seen if pose]
        time_ms += STEP_MS


def finish(one: World, act: str, start_ms: float = 0.0) -> float:
    """Play an act to its end; the time of its end."""
    one.act(act)
    time_ms = start_ms
    while one.busy:
        assert time_ms < start_ms + LONGEST_MS, f"{act} does not end"
        one.at(time_ms)
        time_ms += 250.0
    return time_ms


def apart_mm(a: tuple[SimulatedDie, Pose], b: tuple[SimulatedDie, Pose], *, rounded: bool = False) -> float:
    """How far two dice are apart, as boxes with sharp edges or with edges as round as theirs are."""
    (body, pose), (other, place) = a, b
    if rounded:
        body, other = (replace(one, edge_mm=one.edge_mm - 2 * one.fillet_mm) for one in (body, other))
    gaps = boxes_apart_mm(
        body, pose.center_mm[None], pose.turn[None], other, place.center_mm[None], place.turn[None]
    )
    return float(gaps[0]) - (body.fillet_mm + other.fillet_mm if rounded else 0.0)


@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize("seed", short(range(4)))
def test_every_act_ends_in_rest_with_the_dice_it_promises(act: str, seed: int) -> None:
    one = world(seed)
    end_ms = finish(one, act, finish(one, "throw"))
    assert len(one.lying) == COUNTS.get(act, 4)
    hows = sorted(die.how for die in one.lying)
    special = {"stack": ["covered", "stacked"], "cock": ["cocked"]}.get(act, [])
    assert hows == sorted(special + ["flat"] * (COUNTS.get(act, 4) - len(special)))
    later = one.at(end_ms + 5000)
    for die, (body, motion) in zip(one.lying, later.items, strict=True):
        assert body is die.body
        assert motion.pose(end_ms) is motion.pose(end_ms + 5000) is die.pose
    assert later.hand is None


@pytest.mark.long
@pytest.mark.parametrize("act", [act for act in ACTS if act not in {"hand", "clear"}])
@pytest.mark.parametrize("seed", short(range(3)))
def test_dice_never_go_through_one_another_nor_sink_into_the_felt(act: str, seed: int) -> None:
    one = world(seed, count=6)
    time_ms = finish(one, "throw")
    for _, seen in play(one, act, time_ms):
        for a, b in combinations(seen, 2):
            assert apart_mm(a, b, rounded=True) > -DENT_MM
        for body, pose in seen:
            assert pose.center_mm[2] - support_mm(body, pose.turn) > -0.1
    for die, other in combinations(one.lying, 2):
        assert apart_mm((die.body, die.pose), (other.body, other.pose), rounded=True) > -TOUCH_MM


def test_a_stack_that_finds_no_room_is_thrown_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    stack, tried = Throw.stack, list[Throw]()

    def fail_once(self: Throw, body: SimulatedDie) -> None:
        tried.append(self)
        if len(tried) == 1:
            raise NoRoom
        stack(self, body)

    monkeypatch.setattr(Throw, "stack", fail_once)
    one = world(0)
    finish(one, "stack")
    assert len(tried) >= 2
    assert sorted(die.how for die in one.lying) == ["covered", "flat", "flat", "stacked"]


@pytest.mark.parametrize("seed", short(range(2)))
def test_a_dozen_dice_and_one_more_find_room(seed: int) -> None:
    one = world(seed, count=MOST_DICE)
    finish(one, "throw_one_more")
    assert len(one.lying) == MOST_DICE + 1
    for a, b in combinations(one.lying, 2):
        assert apart_mm((a.body, a.pose), (b.body, b.pose), rounded=True) > -TOUCH_MM


@pytest.mark.long
@pytest.mark.parametrize("act", ["throw", "cock", "nudge", "turn_over", "stack", "slide"])
@pytest.mark.parametrize("seed", short(range(6), 2))
def test_what_lies_lies_inside_the_rim(act: str, seed: int) -> None:
    one = world(seed)
    finish(one, act, finish(one, "throw"))
    for die in one.lying:
        for axis in (0, 1):
            reach = abs(float(die.pose.center_mm[axis])) + float(support_mm(die.body, die.pose.turn, axis))
            assert reach < TRAY_HALF_MM[axis]


@pytest.mark.long
def test_thrown_dice_tumble_bounce_off_the_rim_and_off_one_another() -> None:
    """Over some throws: sides come up, a die turns round at the far rim, and two come close in flight."""
    tipped, turned_round, met = 0, 0, 0
    for seed in range(4):
        one = world(seed, count=6)
        finish(one, "throw")
        story = one.stories[-1]
        tipped += sum(die.tips > 1 for die in story.thrown)
        for die in story.thrown:
            assert isinstance(die.motion, Flight)
            y = die.motion.centers_mm[:, 1]
            turned_round += bool(y.max() > TRAY_HALF_MM[1] - 14 and y[-1] < y.max() - 3)
        for a, b in combinations((die.motion for die in story.thrown), 2):
            assert isinstance(a, Flight)
            assert isinstance(b, Flight)
            times = np.arange(max(a.start_ms, b.start_ms), min(a.end_ms, b.end_ms), 2.5)
            away = np.linalg.norm(a.track(times)[0] - b.track(times)[0], axis=1)
            met += bool(len(away) and away.min() < 20)
    assert tipped > 18
    assert turned_round > 2
    assert met > 2


def test_dice_that_are_slid_show_one_side_all_the_way() -> None:
    one = world(3)
    finish(one, "slide")
    story = one.stories[-1]
    assert [die.slid for die in story.thrown] == [True] * 4
    assert all(die.way_mm > 50 for die in story.thrown)
    finish(one, "throw", 20_000.0)
    assert [die.slid for die in one.stories[-1].thrown] == [False] * 4


def test_a_die_that_falls_off_flies_over_the_rim() -> None:
    for seed in range(5):
        one = world(seed)
        finish(one, "floor")
        (gone,) = (die for die in one.stories[-1].thrown if die.departure)
        assert isinstance(gone.motion, Flight)
        over = np.abs(gone.motion.centers_mm[:, :2]) - TRAY_HALF_MM
        above_rim = (over.max(axis=1) > 0) & (over.max(axis=1) < RIM_WIDTH_MM)
        assert above_rim.any()
        assert gone.motion.centers_mm[above_rim, 2].min() > RIM_HEIGHT_MM + 5


@pytest.mark.long
def test_a_leaning_die_touches_the_felt_and_what_it_leans_on() -> None:
    on_rim = on_die = 0
    for seed in range(12):
        one = world(seed)
        finish(one, "cock")
        (leaning,) = (die for die in one.lying if die.how == "cocked")
        turn = leaning.pose.turn
        assert np.abs(turn[2]).max() < 0.95  # no face lies level
        assert leaning.pose.center_mm[2] == pytest.approx(support_mm(leaning.body, turn), abs=1e-3)
        reach = float(support_mm(leaning.body, turn, 0))
        if abs(leaning.pose.center_mm[0]) + reach > TRAY_HALF_MM[0] - 0.5:
            on_rim += 1
        else:
            on_die += 1
            gaps = [
                apart_mm((leaning.body, leaning.pose), (other.body, other.pose))
                for other in one.lying
                if other is not leaning
            ]
            assert min(gaps) < 1
    assert on_rim
    assert on_die


def test_a_stacked_die_stands_on_the_covered_one() -> None:
    one = world(3)
    finish(one, "stack")
    (above,) = (die for die in one.lying if die.how == "stacked")
    (below,) = (die for die in one.lying if die.how == "covered")
    assert above.pose.center_mm[2] - below.pose.center_mm[2] == pytest.approx(16)
    assert np.hypot(*(above.pose.center_mm - below.pose.center_mm)[:2]) < 3


def test_a_push_shifts_one_die_and_turns_none() -> None:
    one = world(2)
    time_ms = finish(one, "throw")
    before = {die.body: die for die in one.lying}
    finish(one, "nudge", time_ms)
    shifts = []
    for die in one.lying:
        assert die.up == before[die.body].up
        assert np.array_equal(die.pose.turn, before[die.body].pose.turn)
        shifts.append(float(np.hypot(*(die.pose.center_mm - before[die.body].pose.center_mm)[:2])))
    assert sorted(shifts)[:3] == [0, 0, 0]
    assert 7 <= max(shifts) <= 14


@pytest.mark.long
def test_all_faces_come_up_about_equally() -> None:
    ups = []
    for seed in range(50):
        one = world(seed, count=6)
        finish(one, "throw")
        ups += [die.up for die in one.lying]
    for face in range(1, 7):
        assert 25 < ups.count(face) < 75  # 50 expected; these bounds are more than three deviations wide


def test_the_truth_is_silent_while_the_hand_is_at_the_dice() -> None:
    one = world(5)
    time_ms = finish(one, "throw")
    assert len(one.lying) == 4
    states = [len(one.lying) for _ in play(one, "throw", time_ms)]
    assert [count for count, before in zip(states, [None, *states], strict=False) if count != before] == [
        4,
        0,
        4,
    ]
    assert one.rest_time_ms is not None
    assert one.rest_time_ms > time_ms


def test_a_resting_hand_moves_no_die_and_the_truth_stays() -> None:
    one = world(5)
    time_ms = finish(one, "throw")
    rest_ms, lying, hand_seen = one.rest_time_ms, one.lying, 0
    one.act("hand")
    while one.busy:
        scene = one.at(time_ms)
        hand = scene.hand.pose(time_ms) if scene.hand else None
        hand_seen += hand is not None and hand.y_mm > -100
        assert one.lying == lying
        time_ms += STEP_MS
    assert hand_seen * STEP_MS > 2000
    assert one.rest_time_ms == rest_ms


def test_acts_wait_for_the_one_before() -> None:
    one = world(1)
    one.act("throw")
    one.act("clear")
    time_ms, most = 0.0, 0
    while one.busy:
        one.at(time_ms)
        most = max(most, len(one.lying))
        time_ms += STEP_MS
    assert most == 4
    assert one.lying == ()


def test_acts_on_an_empty_table_do_no_harm() -> None:
    for act in ("nudge", "clear", "hand"):
        one = world(1)
        finish(one, act)
        assert one.lying == ()


def test_one_die_can_be_stacked_on_nothing_and_kept_back() -> None:
    one = world(1, count=1)
    time_ms = finish(one, "stack")
    assert [die.how for die in one.lying] == ["flat"]
    finish(one, "throw_one_less", time_ms)
    assert one.lying == ()


def test_what_cannot_be_is_refused_in_a_sentence() -> None:
    one = world(1)
    with pytest.raises(ValueError, match=r"cannot 'juggle'\. It can: throw,"):
        one.act("juggle")
    for _ in range(MOST_WAITING):
        one.act("throw")
    with pytest.raises(ValueError, match="enough to do"):
        one.act("throw")
    wrong = (
        ("coin", 4, ("ivory",)),
        ("pip", 0, ("ivory",)),
        ("pip", 99, ("ivory",)),
        ("pip", 4, ("plaid",)),
        ("pip", 4, ()),
    )
    for kind, count, colors in wrong:
        with pytest.raises(ValueError, match=r"^(The simulated|Dice come in) .*; got .*\.$"):
            one.lay(kind, count, colors)  # type: ignore[arg-type]


def test_boxes_apart_agrees_with_what_can_be_reckoned_by_hand() -> None:
    body = SimulatedDie(number=1, kind="pip", color="ivory", faces=(1, 2, 3, 4, 5, 6))
    level, diagonal = side_up(4), yawed(np.pi / 4) @ side_up(4)

    def gap(x_mm: float, turn: np.ndarray) -> float:
        here = Pose(np.array([0, 0, 8], np.float32), level)
        return apart_mm((body, here), (body, Pose(np.array([x_mm, 0, 8], np.float32), turn)))

    assert gap(20, level) == pytest.approx(4, abs=1e-4)
    assert gap(15, level) == pytest.approx(-1, abs=1e-4)
    assert gap(20, diagonal) == pytest.approx(20 - 8 - 8 * 2**0.5, abs=1e-4)


def test_a_die_stands_as_high_as_its_lowest_corner_needs() -> None:
    body = SimulatedDie(number=1, kind="pip", color="ivory", faces=(1, 2, 3, 4, 5, 6), fillet_mm=0.0)
    for seed in range(5):
        turn, _ = np.linalg.qr(np.random.default_rng(seed).normal(size=(3, 3)))
        assert support_mm(body, turn) == pytest.approx(float((CORNERS * 8 @ turn.T)[:, 2].max()), abs=1e-4)

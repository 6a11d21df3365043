"""Two End Zones without pixels: to which end a die was thrown, each die once, one look at both cameras."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from calibration.arrays import Picture
from calibration.ends import End, Ends, join
from device.cameras import Frame
from device.journal.rows import Question
from device.landings.ends import ENDS, UNSEEN, EndsEye, EndsLook, Watching
from device.landings.questions import TrackedDie, aim_of, as_thrown, thrown
from device.simulator.end_zone.table import known_table, turn
from device.table.picture_trouble import trouble_of
from engine.events import Landed
from engine.game import GameView
from engine.rulebooks import rulebook
from tests.device.landings.play import lies
from vision.landing import CalledDie, Sight
from vision.watch import FrameState, State

HALF = known_table(64, 48).planned.table.halfway_y_mm
VIEW: GameView = rulebook("end-zone").start(("Ann", "Bea"), {"mode": "threes", "order": "seats"}).view()


def look(time_ms: float, state: State, scene: int, *, settled: bool = True, **more: Any) -> FrameState:
    return FrameState(
        time_ms=time_ms,
        state=state,
        still_since_ms=more.pop("since_ms", time_ms),
        settled=settled and state == "still",
        scene=scene,
        hand_before_scene=False,
        tumbled_ms=0.0,
        hand_since_scene=False,
        trouble=more.pop("trouble", ""),
    )


class Told:
    """A watch that says what it is told."""

    def __init__(self) -> None:
        self.next = look(0, "still", 1)

    def see(self, _picture: Picture, _time_ms: float) -> FrameState:
        return self.next


PICTURE: Picture = np.zeros((48, 64, 3), np.uint8)
FAR: Picture = PICTURE + 9
FRAME = Frame(picture=PICTURE, far=FAR, time_ms=0.0, name="told")


Moment = tuple[State, State, int, int]
"""The state of the near end and of the far one, and the number of either's scene."""


def both(*moments: Moment, step_ms: float = 100.0) -> EndsLook:
    """The last look of a run of moments: both states, both scenes."""
    near, far = Told(), Told()
    watching = Watching(near, far)  # type: ignore[arg-type]
    seen: FrameState = near.next
    for at, (near_state, far_state, near_scene, far_scene) in enumerate(moments):
        near.next = look(at * step_ms, near_state, near_scene)
        far.next = look(at * step_ms, far_state, far_scene)
        seen = watching.watch(FRAME)
    assert isinstance(seen, EndsLook)
    return seen


START: Moment = ("still", "still", 1, 1)
ACROSS = both(START, ("still", "moving", 1, 1), ("moving", "still", 1, 1), ("still", "still", 2, 1))
"""Something went through the far half and came to rest in the near one."""
HERE_ONLY = both(START, ("moving", "still", 1, 1), ("still", "still", 2, 1))
BY_HAND = both(START, ("still", "moving", 1, 1), ("hand", "still", 1, 1), ("still", "still", 2, 1))


def at(y_mm: float, end: End = "near", value: int | None = 5) -> CalledDie:
    """A die that lies so far from an end's edge."""
    own = lies(value, 0.0, y_mm)
    return replace(own, end=end, own=own)


def test_both_must_be_still_and_a_hand_over_either_is_a_hand() -> None:
    assert both(("still", "moving", 1, 1)).state == "moving"
    assert both(("moving", "hand", 1, 1)).state == "hand"
    assert not both(("still", "moving", 1, 1)).settled
    assert both(START).settled
    assert both(START).scene == 2


def test_what_stirred_long_before_has_nothing_to_do_with_a_throw() -> None:
    seen = both(
        START,
        ("still", "moving", 1, 1),
        *[START] * 3,
        ("moving", "still", 1, 1),
        ("still", "still", 2, 1),
    )
    assert seen.stirred == {"near", "far"}
    watching_long = Told(), Told()
    watching = Watching(*watching_long)  # type: ignore[arg-type]
    for time_ms, near, far, scene, since in (
        (0, "still", "still", 1, 0),
        (100, "still", "moving", 1, 100),
        (1500, "still", "still", 1, 300),
        (1600, "moving", "still", 1, 1600),
        (1900, "still", "still", 2, 1700),
    ):
        watching_long[0].next = look(time_ms, near, scene, since_ms=float(since))  # type: ignore[arg-type]
        watching_long[1].next = look(time_ms, far, 1, since_ms=float(min(since, 300)))  # type: ignore[arg-type]
        last = watching.watch(FRAME)
    assert isinstance(last, EndsLook)
    assert last.stirred == {"near"}


def test_without_a_far_picture_one_camera_is_all() -> None:
    assert not isinstance(Watching(Told(), Told()).watch(FRAME.near), EndsLook)  # type: ignore[arg-type]


def test_a_trouble_is_told_with_its_end() -> None:
    dark = look(0.0, "moving", 0, trouble="black")
    seen = replace(both(START), far=dark, trouble="black")
    assert trouble_of(seen).startswith("At the far end: The picture is black.")
    assert trouble_of(both(START)) == ""


def test_a_die_that_crossed_the_other_half_was_thrown_to_where_it_lies() -> None:
    assert aim_of(at(700.0), {}, (), ACROSS, VIEW) == "near"
    assert aim_of(at(200.0), {}, (), BY_HAND, VIEW) == "near"


def test_a_die_that_nobody_saw_crossing_is_asked_about() -> None:
    assert aim_of(at(700.0), {}, (), HERE_ONLY, VIEW) is None
    assert aim_of(at(700.0), {}, (), BY_HAND, VIEW) is None
    asked = thrown(at(700.0), {}, (), VIEW, None)
    assert isinstance(asked, Question)
    assert asked.kind == "aim"
    assert [(option.key, option.events) for option in asked.options] == [
        ("cache", (Landed(value=5, zone=1),)),
        ("stop", (Landed(value=5, zone=0),)),
    ]


def test_who_goes_first_rolls_where_they_stand() -> None:
    """Only the number counts (rule 2), and nobody throws to the other end."""
    view = rulebook("end-zone").start(("Ann", "Bea"), {"mode": "threes", "order": "roll"}).view()
    assert aim_of(at(700.0), {}, (), HERE_ONLY, view) == ""
    assert isinstance(thrown(at(700.0), {}, (), view, ""), Landed)


def test_what_is_worth_nothing_either_way_is_not_asked_about() -> None:
    assert aim_of(at(HALF), {}, (), HERE_ONLY, VIEW) == ""
    assert thrown(at(HALF), {}, (), VIEW, "") == Landed(value=5, zone=0)


def test_too_close_and_perhaps_too_short_is_one_question() -> None:
    asked = thrown(at(470.0 - 4.45), {}, (), VIEW, None)
    assert isinstance(asked, Question)
    assert asked.kind == "close"
    assert asked.options[-1].events == (Landed(value=5, zone=0),)


def test_dice_of_a_turn_are_all_thrown_to_one_end() -> None:
    before = TrackedDie(id=1, die=at(200.0).die, place=1, counted=True, aim="far")
    assert aim_of(at(700.0), {}, (before,), ACROSS, VIEW) == "far"
    short = as_thrown(at(200.0), "far")
    assert (short.call.zone, short.call.score, short.call.call) == (0, 0, "certain")
    assert short.own is not None
    assert short.own.call.zone == 0
    assert "short" in short.die.note
    landed = thrown(at(200.0, value=3), {1: at(300.0, "far")}, (), VIEW, "far")
    assert isinstance(landed, Landed)
    assert landed.zone == 0
    assert [(each.die, each.zone) for each in landed.moved] == [(1, 5)]


def test_one_camera_knows_one_end() -> None:
    one = lies(5, 0.0, 700.0)
    assert aim_of(one, {}, (), look(0.0, "still", 1), VIEW) == ""
    assert thrown(one, {}, (), VIEW, "") == Landed(value=5, zone=1)


class ToldEnd:
    """One end's eye, that sees what it is told."""

    def __init__(self, sight: Sight) -> None:
        self.sight = sight
        self.drawn: list[tuple[Picture, Sight, CalledDie]] = []

    def look(self, _picture: Picture) -> Sight:
        return self.sight

    def shoved(self, picture: Picture) -> str:
        return "It was moved." if picture[0, 0, 0] else ""

    def evidence(self, sight: Sight, one: CalledDie, picture: Picture, *, number_alone: bool) -> bytes:
        assert not number_alone
        self.drawn.append((picture, sight, one))
        return b"jpeg"


def ends() -> Ends:
    return join(known_table(1280, 960, "near"), known_table(1280, 960, "far"))


def eye_of(near: Sight, far: Sight) -> tuple[EndsEye, Mapping[End, ToldEnd]]:
    eye = EndsEye(ends())
    told: dict[End, ToldEnd] = {"near": ToldEnd(near), "far": ToldEnd(far)}
    eye._eyes = told  # type: ignore[assignment]
    return eye, told


def seen(end: End, *dice: CalledDie, **more: Any) -> Sight:
    return Sight(calibration=known_table(1280, 960, end), dice=dice, **more)


def test_both_calibrations_join_where_the_table_really_is() -> None:
    found = ends()
    assert found.apart_mm == pytest.approx(0, abs=0.05)
    assert np.abs(np.subtract(found.turn.shift_mm, turn().shift_mm)).max() < 0.05
    assert found.turn.angle_rad == pytest.approx(turn().angle_rad, abs=2e-4)


def test_every_die_lies_in_one_table_frame_and_in_the_whole_picture() -> None:
    own = lies(6, 30.0, 200.0, yaw_deg=20.0)
    eye, _ = eye_of(seen("near", lies(5, 0.0, 200.0)), seen("far", own))
    sight = eye.look(PICTURE, FAR)
    near, far = sight.dice
    assert (near.end, far.end) == ("near", "far")
    assert near.die.center_mm == (0.0, 200.0)
    assert far.die.center_mm == pytest.approx(turn().to_table(np.array([(30.0, 200.0)]))[0], abs=0.1)
    assert far.die.yaw_deg == pytest.approx(20.0, abs=0.01)
    assert far.die.center_px == (own.die.center_px[0], own.die.center_px[1] + 960)
    assert far.call == own.call
    assert np.array(far.die.covariance) == pytest.approx(np.array(own.die.covariance), abs=1e-6)
    assert (sight.reading.width_px, sight.reading.height_px) == (1280, 1920)


@pytest.mark.long
def test_a_die_that_both_cameras_see_is_there_once() -> None:
    mine, (x, y) = lies(5, 40.0, HALF - 40.0), (40.0, HALF - 40.0)
    (other,) = turn().to_far(np.array([(x + 0.3, y)])).tolist()
    eye, _ = eye_of(seen("near", mine), seen("far", lies(5, other[0], other[1])))
    (one,) = eye.look(PICTURE, FAR).dice
    assert one.end == "near"
    on_the_line = ends().turn.to_far(np.array([(0.0, HALF + 0.7)]))[0].tolist()
    eye, _ = eye_of(seen("near", lies(5, 0.0, HALF + 0.5)), seen("far", lies(5, *on_the_line)))
    assert len(eye.look(PICTURE, FAR).dice) == 1


def test_a_die_that_its_own_camera_does_not_see_is_not_called() -> None:
    eye, _ = eye_of(seen("near", lies(5, 0.0, HALF + 60.0)), seen("far"))
    sight = eye.look(PICTURE, FAR)
    assert sight.dice == ()
    assert [one.reason for one in sight.unmeasured] == [UNSEEN]


def test_one_blind_camera_stops_all_calls_and_is_named() -> None:
    eye, _ = eye_of(
        seen("near", lies(5, 0.0, 200.0)), seen("far", moved="The camera was moved.", blind="moved")
    )
    sight = eye.look(PICTURE, FAR)
    assert sight.blind
    assert sight.dice == ()
    assert sight.moved == "At the far end: The camera was moved."
    assert eye.shoved(PICTURE, FAR) == "At the far end: It was moved."
    assert "far End Zone gives no picture" in eye.look(PICTURE, None).moved


def test_a_close_up_is_drawn_by_the_dies_own_camera() -> None:
    own, beside = lies(6, 30.0, 200.0), lies(2, 90.0, 200.0)
    eye, told = eye_of(seen("near", lies(5, 0.0, 200.0)), seen("far", own, beside))
    sight = eye.look(PICTURE, FAR)
    assert eye.evidence(sight, sight.dice[1], PICTURE, FAR, number_alone=False) == b"jpeg"
    ((picture, of, one),) = told["far"].drawn
    assert picture[0, 0, 0] == 9
    assert one is own
    assert of.dice == (beside,)
    assert of.calibration.end == "far"
    eye.evidence(sight, sight.dice[0], PICTURE, FAR, number_alone=False)
    assert len(told["near"].drawn) == len(ENDS) - 1


def test_the_far_pictures_go_below_the_near_ones() -> None:
    assert FRAME.whole.shape == (96, 64, 3)
    assert FRAME.whole[50, 0, 0] == 9
    assert FRAME.near.whole is PICTURE

"""The simulated table as a camera: times, repetition, troubles, truth and lies."""

from collections.abc import Iterator

import cv2
import numpy as np
import pytest

from device.cameras import Camera, CameraLost, Frame
from device.commands.opening import Shape, open_camera
from device.simulator import hand, hand_acts, world
from device.simulator.hand_acts import Script, Setting
from device.simulator.table import ACTS, DieOnTable, SimulatedTable
from engine.dice import Die
from tests.clock import Clock
from tests.tiers import short


def table(seed: int | None = 1, fps: float = 1, **more: object) -> SimulatedTable:
    clock = Clock()
    return SimulatedTable(seed, fps=fps, clock=clock, wait=clock.wait, **more)  # type: ignore[arg-type]


def until_rest(one: SimulatedTable, frames: Iterator[Frame]) -> Frame:
    frame = next(frames)
    while one.busy:
        frame = next(frames)
    return frame


def throw(one: SimulatedTable, act: str = "throw") -> tuple[Frame, tuple[DieOnTable, ...]]:
    frames = one.frames()
    one.act(act)
    return until_rest(one, frames), one.lying


def shows_square(frame: Frame, die: DieOnTable) -> bool:
    """Whether a Zoinx die's up-face is dark where only a square is."""
    square = np.array([[0, 0], [100, 0], [100, 100], [0, 100]], np.float32)
    flat = cv2.getPerspectiveTransform(np.array(die.corners_px, np.float32), square)
    face = cv2.cvtColor(cv2.warpPerspective(frame.picture, flat, (100, 100)), cv2.COLOR_BGR2GRAY)
    assert face[50, 50] < 100
    dark = [int(face[50 + 20 * v, 50 + 20 * u]) < 120 for u in (-1, 1) for v in (-1, 1)]
    assert all(dark) or not any(dark)
    return all(dark)


def test_it_is_a_camera_that_goes_on() -> None:
    camera: Camera = table()
    assert camera.live
    opened = open_camera("table", shape=Shape(width_px=320, height_px=240), seed=3)
    assert isinstance(opened, SimulatedTable)
    assert next(opened.frames()).picture.shape == (240, 320, 3)


def test_frames_come_at_the_cameras_pace() -> None:
    frames = table(fps=20, width=320, height=240).frames()
    seen = [next(frames) for _ in range(5)]
    assert [frame.time_ms for frame in seen] == pytest.approx([1000, 1050, 1100, 1150, 1200])
    assert [frame.name for frame in seen] == [f"table {index:05d}" for index in range(1, 6)]
    assert seen[0].picture.shape == (240, 320, 3)
    assert seen[0].picture.dtype == np.uint8


@pytest.mark.long
def test_no_frame_waits_for_a_hand_to_be_drawn() -> None:
    """That takes as long as a frame's time or several: while dice roll, a throw would not be seen."""
    hand.draw_hand.cache_clear()
    one = table(fps=10, width=320, height=240)
    frames = one.frames()
    next(frames)
    before = hand.draw_hand.cache_info()
    one.act("throw")
    until_rest(one, frames)
    after = hand.draw_hand.cache_info()
    assert after.hits > before.hits
    assert after.misses == before.misses


def frames_of_a_throw(planning_ms: float, monkeypatch: pytest.MonkeyPatch) -> tuple[int, float]:
    """How many frames come from when the hand may begin until the dice lie, and how long they lie then."""
    clock = Clock()
    one = SimulatedTable(1, fps=20, width=320, height=240, clock=clock, wait=clock.wait)

    def plan(name: str, setting: Setting) -> Script:
        clock.wait(planning_ms)
        return hand_acts.plan(name, setting)

    monkeypatch.setattr(world, "plan", plan)
    frames = one.frames()
    next(frames)
    one.act("throw")
    frame, count = next(frames), 1
    while one.rest_time_ms is None:
        frame, count = next(frames), count + 1
    return count, frame.time_ms - one.rest_time_ms


@pytest.mark.long
def test_nothing_of_an_act_is_missed_while_it_is_planned(monkeypatch: pytest.MonkeyPatch) -> None:
    count, lain_ms = frames_of_a_throw(0, monkeypatch)
    slow_count, slow_lain_ms = frames_of_a_throw(900, monkeypatch)
    assert slow_count == count + 1  # the one after the plan shows once more how the act begins
    assert slow_lain_ms == pytest.approx(lain_ms)


def test_frames_that_are_late_are_dropped_not_made_up_for() -> None:
    clock = Clock()
    one = SimulatedTable(1, fps=20, width=320, height=240, clock=clock, wait=clock.wait)
    frames = one.frames()
    next(frames)
    clock.now_ms += 500
    assert next(frames).time_ms == 1500
    assert next(frames).time_ms == 1550


@pytest.mark.long
def test_the_same_seed_gives_the_same_pictures() -> None:
    def pictures(seed: int) -> list[bytes]:
        one = table(seed, fps=5, width=320, height=240)
        frames = one.frames()
        one.act("throw")
        return [next(frames).picture.tobytes() for _ in range(12)]

    assert pictures(5) == pictures(5)
    assert pictures(5) != pictures(6)


def test_the_seed_of_a_table_without_one_is_new() -> None:
    rolls = set()
    for _ in range(4):
        one = table(None, width=320, height=240)
        rolls.add(tuple(die.center_px for die in throw(one)[1]))
    assert len(rolls) == 4


@pytest.mark.parametrize("seed", short(range(3)))
def test_what_is_drawn_is_what_was_rolled(seed: int) -> None:
    one = table(seed)
    frame, lying = throw(one)
    assert len(lying) == 4
    for die in lying:
        assert shows_square(frame, die) == (die.die.value == "square")
    assert one.rolled == tuple(die.die for die in lying)
    assert [die.center_px[0] for die in lying] == sorted(die.center_px[0] for die in lying)


@pytest.mark.long
def test_a_lie_changes_what_is_drawn_and_not_what_was_rolled() -> None:
    def opposite(dice: tuple[Die, ...]) -> tuple[Die, ...]:
        return tuple(Die("zoinx", "dot" if die.value == "square" else "square") for die in dice)

    honest, liar = table(2), table(2, lie=opposite)
    for _ in range(2):
        (_, truth), (frame, lying) = throw(honest), throw(liar)
        assert [die.center_px for die in truth] == [die.center_px for die in lying]
        assert honest.rolled == liar.rolled
        for die in lying:
            assert shows_square(frame, die) == (die.die.value == "dot")


def test_a_lie_must_be_about_the_same_dice() -> None:
    fewer = table(2, lie=lambda dice: dice[1:])
    fewer.act("throw")
    with pytest.raises(ValueError, match="about 4 dice must name as many; it names 3"):
        next(fewer.frames())
    others = table(2, lie=lambda dice: tuple(Die("pip", 1) for _ in dice))
    others.act("throw")
    with pytest.raises(ValueError, match="zoinx cannot be drawn as pip"):
        next(others.frames())


def test_the_rest_time_is_on_the_frames_clock() -> None:
    one = table(4, fps=10)
    assert one.rest_time_ms is None
    frames = one.frames()
    one.act("throw")
    before = 0.0
    while not one.rolled:
        before = next(frames).time_ms
    assert one.rest_time_ms is not None
    assert before - 100 < one.rest_time_ms <= before


def test_other_dice_can_be_laid() -> None:
    one = table(4)
    one.lay("pip", 3, ("red", "white"))
    _, lying = throw(one)
    assert sorted(die.color for die in lying) == ["red", "red", "white"]
    assert {die.die.kind for die in lying} == {"pip"}
    one.lay("zoinx", 4)
    assert one.lying == ()
    with pytest.raises(ValueError, match="got 0"):
        one.lay("pip", 0)


def test_a_cocked_die_is_no_part_of_what_was_rolled() -> None:
    one = table(6)
    _, lying = throw(one, "cock")
    assert len(lying) == 4
    assert len(one.rolled) == 3


def test_an_unknown_act_is_refused_in_a_sentence() -> None:
    with pytest.raises(ValueError, match="It can: throw,"):
        table().act("dance")
    assert all(sentence[0].isupper() for sentence in ACTS.values())


def test_a_black_picture_is_black_and_heals() -> None:
    one = table(width=320, height=240)
    frames = one.frames()
    bright = next(frames).picture.mean()
    one.suffer("black")
    assert next(frames).picture.max() <= 6
    one.suffer("none")
    assert next(frames).picture.mean() == pytest.approx(bright, rel=0.05)


def test_a_frozen_picture_is_the_same_to_the_last_bit_while_time_goes_on() -> None:
    one = table(width=320, height=240)
    frames = one.frames()
    last = next(frames)
    one.suffer("frozen")
    one.act("throw")
    for _ in range(3):
        frame = next(frames)
        assert np.array_equal(frame.picture, last.picture)
    assert frame.time_ms > last.time_ms
    one.suffer("none")
    assert not np.array_equal(next(frames).picture, last.picture)


def test_an_unplugged_camera_says_so_until_it_is_plugged_in() -> None:
    one = table(width=320, height=240)
    frames = one.frames()
    next(frames)
    one.suffer("unplugged")
    with pytest.raises(CameraLost, match=r"unplugged\. Plug it in"):
        next(frames)
    with pytest.raises(CameraLost, match="unplugged"):
        next(one.frames())
    one.suffer("none")
    healed = next(one.frames())
    assert healed.picture.mean() > 40
    assert healed.name == "table 00002"  # a name stands for one picture
    with pytest.raises(ValueError, match="one of none, black, frozen, unplugged, bumped, shoved; got 'wet'"):
        one.suffer("wet")  # type: ignore[arg-type]


def test_closing_ends_the_frames_even_in_a_wait() -> None:
    clock = Clock()
    one = SimulatedTable(1, width=320, height=240, clock=clock, wait=lambda _: one.close())
    frames = one.frames()
    next(frames)
    assert list(frames) == []
    one.close()
    assert list(one.frames()) == []


@pytest.mark.parametrize(
    ("fps", "width", "height"), [(0, 640, 480), (500, 640, 480), (20, 10, 480), (20, 640, 9999)]
)
def test_an_impossible_camera_is_refused(fps: float, width: int, height: int) -> None:
    with pytest.raises(ValueError, match="up to 120 frames/s"):
        SimulatedTable(1, fps=fps, width=width, height=height)


def test_pictures_are_the_callers_own() -> None:
    one = table(width=320, height=240)
    frames = one.frames()
    first = next(frames).picture
    first[:] = 0
    assert next(frames).picture.mean() > 40


def test_a_sharp_picture_comes_when_asked_for_and_shows_the_same() -> None:
    one = table(4)
    frame, _ = throw(one)
    assert frame.sharp is None
    one.sharpen(True)
    frames = one.frames()
    frame = next(frames)
    assert frame.sharp is not None
    assert frame.sharp.shape == (1518, 2024, 3), "as large as the sensor, and of exactly the same shape"
    small = cv2.resize(frame.sharp, frame.picture.shape[1::-1], interpolation=cv2.INTER_AREA)
    apart = np.abs(
        cv2.GaussianBlur(small, (0, 0), 2).astype(int) - cv2.GaussianBlur(frame.picture, (0, 0), 2)
    )
    assert np.percentile(apart, 99.9) < 12
    one.sharpen(False)
    assert next(frames).sharp is None


@pytest.mark.long
def test_asking_for_sharp_pictures_changes_nothing_else() -> None:
    def pictures(sharp: bool) -> list[bytes]:
        one = table(5, fps=5, width=320, height=240)
        frames = one.frames()
        one.act("throw")
        one.sharpen(sharp)
        return [next(frames).picture.tobytes() for _ in range(12)]

    assert pictures(sharp=True) == pictures(sharp=False)


@pytest.mark.long
def test_a_sensor_without_more_pixels_gives_no_sharp_picture() -> None:
    for one in (table(5, width=2028, height=1520), table(5, sharp=False)):
        one.sharpen(True)
        assert next(one.frames()).sharp is None

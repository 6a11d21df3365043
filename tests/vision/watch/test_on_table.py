"""The watch at the simulated table: each throw one scene, none before the dice lie."""

from dataclasses import dataclass
from itertools import pairwise

import pytest

from device.simulator.table import SimulatedTable
from tests.clock import Clock
from tests.tiers import short, short_rows
from vision.watch.watch import FrameState, Watch


@dataclass(frozen=True)
class Seen:
    """A look, and what is true at that moment."""

    look: FrameState
    rest_ms: float | None
    busy: bool


def watched(table: SimulatedTable, acts: tuple[str, ...], idle_ms: float = 600.0) -> list[Seen]:
    """Let the hand do its acts one after the other, and look at every frame."""
    watch, seen, waiting = Watch(), [], list(acts)
    idle_since_ms = None
    for frame in table.frames():
        seen.append(Seen(watch.see(frame.picture, frame.time_ms), table.rest_time_ms, table.busy))
        if table.busy:
            idle_since_ms = None
        elif idle_since_ms is None:
            idle_since_ms = frame.time_ms
        elif frame.time_ms - idle_since_ms >= idle_ms:
            if not waiting:
                break
            table.act(waiting.pop(0))
            idle_since_ms = None
    return seen


def births(seen: list[Seen]) -> list[FrameState]:
    """The looks with which a new scene settled."""
    return [now.look for before, now in pairwise(seen) if now.look.scene != before.look.scene]


def table_with(seed: int, fps: float, kind: str, count: int) -> SimulatedTable:
    """A table in time that the test owns."""
    clock = Clock()
    table = SimulatedTable(seed, fps=fps, width=640, height=480, clock=clock, wait=clock.wait)
    table.lay("zoinx" if kind == "zoinx" else "pip", count)
    return table


@pytest.mark.long
@pytest.mark.parametrize(
    ("seed", "fps"), short_rows([(1, 15.0), (2, 15.0), (3, 20.0), (4, 30.0), (5, 30.0)], 2)
)
def test_each_throw_is_one_scene_soon_after_the_last_die_lies(seed: int, fps: float) -> None:
    kind, count = (("zoinx", 4), ("pip", 6))[seed % 2]
    seen = watched(table_with(seed, fps, kind, count), ("throw", "throw"))
    rests = sorted({one.rest_ms for one in seen if one.rest_ms is not None})
    assert len(rests) == 2
    born = [look.time_ms for look in births(seen)]
    for number, rest_ms in enumerate(rests):
        end_ms = rests[number + 1] - 1500 if number + 1 < len(rests) else float("inf")
        after = [time_ms for time_ms in born if rest_ms <= time_ms < end_ms]
        assert after, "the throw is a scene"
        assert after[0] - rest_ms <= 95 + 2000 / fps
        # Before the next throw the hand may show the table empty for a moment: that is a scene of its own.
        hands_ms = [one.look.time_ms for one in seen if one.look.state == "hand"]
        assert all(any(time_ms - 1500 < hand_ms < time_ms for hand_ms in hands_ms) for time_ms in after[1:])
        early = [time_ms for time_ms in born if rest_ms - 1500 < time_ms < rest_ms]
        assert all(any(time_ms < hand_ms < rest_ms for hand_ms in hands_ms) for time_ms in early), (
            "a roll read early"
        )
    assert born[-1] >= rests[-1]


@pytest.mark.long
def test_a_minute_of_a_still_table_is_one_scene() -> None:
    table = table_with(5, 15, "zoinx", 4)
    watch, scenes, settled_ms = Watch(), set(), None
    table.act("throw")
    for frame in table.frames():
        look = watch.see(frame.picture, frame.time_ms)
        if settled_ms is None and table.rest_time_ms is not None and look.settled:
            settled_ms = frame.time_ms
        if settled_ms is not None:
            scenes.add((look.scene, look.state, look.settled, look.trouble))
            if frame.time_ms - settled_ms >= 60_000:
                break
    assert len(scenes) == 1


@pytest.mark.long
def test_a_resting_hand_is_a_hand_and_leaves_the_scene_as_it_was() -> None:
    seen = watched(table_with(7, 20, "zoinx", 4), ("throw", "hand"))
    rest_ms = seen[-1].rest_ms
    assert rest_ms is not None
    resting = [one.look for one in seen if one.busy and one.look.time_ms > rest_ms + 1000]
    middle = resting[len(resting) // 4 : 3 * len(resting) // 4]
    assert len(middle) > 20
    assert {look.state for look in middle} == {"hand"}
    assert seen[-1].look.settled
    assert seen[-1].look.hand_since_scene
    assert [look.time_ms for look in births(seen) if look.time_ms > rest_ms + 1000] == []


@pytest.mark.long
def test_a_nudged_die_and_a_cleared_table_are_scenes_that_a_hand_made() -> None:
    seen = watched(table_with(8, 20, "pip", 3), ("throw", "nudge", "clear"))
    last = births(seen)[-3:]
    assert len(last) == 3
    assert all(look.hand_before_scene for look in last)
    assert seen[-1].look.settled


@pytest.mark.long
@pytest.mark.parametrize("seed", [7101, 7155])
def test_a_die_that_was_turned_to_another_face_where_it_lay_is_a_new_scene(seed: int) -> None:
    """Though the new face's pips may lie where the old one had some, as a six's and a four's do."""
    seen = watched(table_with(seed, 20, "pip", 5), ("throw", "turn_over"))
    assert len(births(seen)) == 3
    assert births(seen)[-1].hand_before_scene


@pytest.mark.long
@pytest.mark.parametrize("act", short(["stack", "floor", "cock", "throw_one_less", "throw_one_more"], 2))
def test_odd_throws_come_to_rest_as_well(act: str) -> None:
    seen = watched(table_with(9, 20, "zoinx", 4), (act,))
    assert seen[-1].look.settled
    assert seen[-1].rest_ms is not None
    assert births(seen)[-1].time_ms >= seen[-1].rest_ms


@pytest.mark.long
def test_a_covered_a_frozen_and_a_healed_camera() -> None:
    table = table_with(10, 20, "zoinx", 4)
    watched(table, ("throw",))
    watch = Watch()
    frames = table.frames()
    for trouble, span in (("none", 10), ("black", 20), ("frozen", 60), ("none", 10)):
        table.suffer(trouble)  # type: ignore[arg-type]
        for _ in range(span):
            frame = next(frames)
            look = watch.see(frame.picture, frame.time_ms)
        if trouble == "none":
            assert (look.settled, look.scene, look.trouble) == (True, 1, "")
        else:
            assert not look.settled
            assert look.trouble in {"black", "frozen"}

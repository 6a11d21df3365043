"""The physics of simulated dice: held against what can be reckoned by hand."""

import sys
from random import Random

import numpy as np
import pytest

from device.simulator.dice import FACES_ON, Pose, RestingDie, SimulatedDie, on_side, yawed
from device.simulator.flight import any_turn, at_rest, flown, rolled, slid, turned
from device.simulator.physics import GRAVITY_MM_S2, KEPT_MS, Launch, MotionTrace, Tabletop, let_go, load
from device.simulator.world import World
from engine.dice import DieKind

FELT = Tabletop(friction=0.35, bounce=0.5)


def body(number: int = 1, kind: DieKind = "pip") -> SimulatedDie:
    return SimulatedDie(number=number, kind=kind, color="ivory", faces=FACES_ON[kind])


def launch(
    z_mm: float = 8.2,
    speed: tuple[float, float, float] = (0.0, 0.0, 0.0),
    spin: tuple[float, float, float] = (0.0, 0.0, 0.0),
) -> Launch:
    """A die over the origin that lies as it will lie."""
    return Launch(
        body=body(),
        after_ms=0.0,
        center_mm=np.array([0, 0, z_mm], np.float32),
        turn=on_side(body(), 2),
        speed_mm_s=np.array(speed, np.float32),
        spin_rad_s=np.array(spin, np.float32),
    )


def alone(one: Launch, ground: Tabletop = FELT) -> MotionTrace:
    ways = let_go([one], (), ground)
    assert ways is not None
    assert ways[0] is not None
    return ways[0]


def test_the_same_launches_give_the_same_motion() -> None:
    bodies = [body(number) for number in range(5)]
    first, again = (let_go(rolled(Random(3), bodies, (0.0, -78.0), 1.0), (), FELT) for _ in range(2))
    assert first is not None
    assert again is not None
    for one, other in zip(first, again, strict=True):
        assert one is not None
        assert other is not None
        assert np.array_equal(one.centers_mm, other.centers_mm)
        assert np.array_equal(one.quaternions, other.quaternions)


def test_a_die_in_the_air_falls_and_spins_as_bodies_do() -> None:
    way = alone(launch(200.0, (300.0, -100.0, 500.0), (0.0, 0.0, 12.0)))
    time_s = np.arange(40) * KEPT_MS / 1000
    there = np.stack(
        [300 * time_s, -100 * time_s, 200 + 500 * time_s - GRAVITY_MM_S2 * time_s**2 / 2], axis=1
    )
    assert np.abs(way.centers_mm[:40] - there).max() < 0.4
    spun = turned(way.quaternions[:40]) @ on_side(body(), 2).T
    assert np.unwrap(np.arctan2(spun[:, 1, 0], spun[:, 0, 0])) == pytest.approx(12 * time_s, abs=0.01)


@pytest.mark.parametrize("bounce", [0.3, 0.5, 0.7])
def test_a_die_that_falls_flat_keeps_as_much_of_its_speed_as_the_ground_lets_it(bounce: float) -> None:
    height = alone(launch(58.0), Tabletop(friction=0.35, bounce=bounce)).centers_mm[:, 2] - 8
    landed = int(np.argmax(height < 0.5))
    assert np.sqrt(height[landed:].max() / 50) == pytest.approx(bounce, abs=0.1)
    assert height[-1] == pytest.approx(0, abs=0.2)


@pytest.mark.parametrize("speed", [600.0, 2000.0])
def test_a_die_that_slides_comes_as_far_as_friction_lets_it(speed: float) -> None:
    way = alone(launch(8.0, (speed, 0.0, 0.0)))
    assert way.centers_mm[-1, 0] == pytest.approx(speed**2 / (2 * 0.35 * GRAVITY_MM_S2), rel=0.04)
    assert (turned(way.quaternions)[:, 2] @ on_side(body(), 2)[2]).min() > 0.9


@pytest.mark.parametrize("kind", ["pip", "d4"])
def test_a_thrown_die_comes_to_rest_on_a_side_and_each_comes_up(kind: DieKind) -> None:
    ups = []
    for seed in range(24):
        rng = Random(seed)
        one = Launch(
            body=body(kind=kind),
            after_ms=0.0,
            center_mm=np.array([0, 0, 40], np.float32),
            turn=any_turn(rng),
            speed_mm_s=np.array([0, 900, 0], np.float32),
            spin_rad_s=np.array([-50, rng.gauss(0, 20), rng.gauss(0, 20)], np.float32),
        )
        lies = at_rest(flown(one.body, alone(one), 0.0))
        assert lies is not None
        ups.append(lies.up)
    assert set(ups) == set(FACES_ON[kind])


def test_a_die_is_pushed_by_the_one_that_hits_it_and_the_other_stays() -> None:
    def lies(number: int, x_mm: float, y_mm: float) -> RestingDie:
        turn = yawed(0.2) @ on_side(body(), 4)
        return RestingDie(
            body=body(number), pose=Pose(np.array([x_mm, y_mm, 8], np.float32), turn), how="flat"
        )

    ways = let_go([launch(8.0, (900.0, 0.0, 0.0))], (lies(2, 60, 3), lies(3, 60, 80)), FELT)
    assert ways is not None
    thrower, pushed, other = ways
    assert thrower is not None
    assert pushed is not None
    assert other is None
    assert pushed.pushed_by == 0
    assert pushed.centers_mm[-1, 0] > 70
    assert thrower.centers_mm[-1, 0] < pushed.centers_mm[-1, 0] - 15
    # It is hit when the other has come as far as to its side.
    hit = thrower.centers_mm[round(pushed.start_ms / KEPT_MS), 0]
    assert 38 < hit < 48


def test_a_die_over_the_edge_falls_and_is_gone() -> None:
    table = Tabletop(friction=0.35, bounce=0.5, ends_mm=(-200.0, -100.0, 100.0, 100.0))
    way = alone(launch(8.0, (1500.0, 0.0, 0.0)), table)
    assert way.gone
    assert way.centers_mm[-1, 2] < -680
    assert way.centers_mm[-1, 0] > 300


def test_dice_that_are_pushed_side_by_side_do_not_start_in_one_another() -> None:
    for count in (1, 4, 9, 13):
        launches = slid(Random(count), [body(number) for number in range(count)], (0.0, 0.0), 1.0)
        at = np.array([one.center_mm for one in launches])
        away = np.linalg.norm(at[:, None] - at[None], axis=2) + 100 * np.eye(count)
        assert away.min() > 22.7  # a die's diagonal


def test_without_the_library_the_hand_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    load.cache_clear()
    monkeypatch.setitem(sys.modules, "mujoco", None)
    one = World(Random(1))
    one.lay("pip", 2, ("ivory",))
    with pytest.raises(ValueError, match="pip install mujoco-core"):
        one.act("throw")
    one.act("hand")  # who throws nothing needs nothing
    assert one.busy
    monkeypatch.undo()
    load.cache_clear()
    one.act("throw")

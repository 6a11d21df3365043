"""The benchmark's judging: a die that is off by so much is said to be off by so much."""

import math
from dataclasses import replace

import numpy as np
import pytest

from benchmarks.landing.camera import Light, Optics, Sensor, hang
from benchmarks.landing.cube import Cube, standing
from benchmarks.landing.dice import draw_skin, dress
from benchmarks.landing.measured import Cost, Outcome, outcomes_of, tell
from benchmarks.landing.scenes import DieTruth, Kit, Scene, judge, true_calibration
from benchmarks.landing.table import Setting, Slips, Surface, description, lay
from vision.landing import MeasuredDie
from vision.landing.call import call_die
from vision.reading import UnsureDie


@pytest.fixture(scope="module")
def over() -> Kit:
    optics = Optics(
        width_px=1280,
        height_px=960,
        focal_px=(1200.0, 1200.0),
        centre_px=(640.0, 480.0),
        k=(-0.05, 0.0, 0.0),
        p=(0.0, 0.0),
    )
    setting = Setting(
        camera=hang(optics, (0.0, 330.0), 1100.0, (1.0, 1.0), 0.0),
        light=Light(lamp_mm=(0, 0, 1200), half_size_mm=80, lamp=(0.6,) * 3, sky=(0.4,) * 3),
        surface=Surface(np.full((1024, 1024, 3), 0.2, np.float32), 0.0),
        grain_deg=0.0,
        floor=(0.05, 0.05, 0.05),
        half_width_mm=381.0,
        fall_off=0.1,
    )
    sensor = Sensor(blur_px=0.6, electrons=5000, read_noise=3)
    return Kit(
        name="1mp",
        surface="wood",
        setting=setting,
        layout=lay(description(), Slips()),
        sensor=sensor,
        lens_sensor=sensor,
        lens_seed=0,
        seed=0,
    )


def _true(over: Kit, cube: Cube, value: int) -> DieTruth:
    rng = np.random.default_rng(value)
    outline = cube.footprint()
    return DieTruth(
        die=dress(cube, draw_skin("ivory", rng), value, rng),
        footprint=outline,
        cocked=False,
        touching=False,
        landing=judge(over.layout, outline),
    )


def _found(cube: Cube, value: int | None) -> MeasuredDie:
    x, y, _ = cube.center_mm
    return MeasuredDie(
        value=value,
        confidence=0.99,
        color="ivory",
        center_mm=(x, y),
        yaw_deg=math.degrees(math.atan2(cube.turn[0][1], cube.turn[0][0])) % 90,
        edge_mm=cube.edge_mm,
        footprint_mm=tuple((float(a), float(b)) for a, b in cube.footprint()),
        covariance=tuple(tuple(row) for row in np.diag([0.04**2, 0.04**2, 1e-6, 1e-4]).tolist()),
        sigma_mm=0.05,
        pose="flat",
        center_px=(0.0, 0.0),
        corners_px=(),
    )


def test_what_came_of_each_die(over: Kit, capsys: pytest.CaptureFixture[str]) -> None:
    # 0.2 mm over the line between 5 and 2, and measured 0.3 mm to the other side.
    near = standing((88.9 + 8.0 - 0.2, 250.0, 0.0), 16.0, 1.6, 0.0)
    off = replace(near, center_mm=(near.center_mm[0] + 0.3, near.center_mm[1], near.center_mm[2]))
    clear, hidden = (standing((x, 200.0, 0.0), 16.0, 1.6, 30.0) for x in (-30.0, 30.0))
    scene = Scene(
        seed=1,
        style="even",
        kit=over,
        dice=(_true(over, near, 3), _true(over, clear, 2), _true(over, hidden, 1)),
    )
    ghost = standing((0.0, 600.0, 0.0), 16.0, 1.6, 0.0)
    calibration = true_calibration(over)
    pairs = [
        (die, call_die(die, calibration)) for die in (_found(clear, 5), _found(off, 3), _found(ghost, 1))
    ]
    doubt = UnsureDie(center_px=(0.0, 0.0), center_mm=(31.0, 203.0), reason="half hidden")
    outcomes = list(outcomes_of(scene, pairs, [doubt]))
    first, second, third, _ = outcomes
    assert [o.fate for o in outcomes] == ["measured", "measured", "unsure", "false"]
    assert (first.true_zone, first.zone, first.value) == (5, 2, 3)
    assert [first.outline_mm, first.centre_mm, first.edge_mm] == pytest.approx([0.3, 0.3, 0.0], abs=1e-3)
    assert first.pulls == pytest.approx((7.5, 0.0), abs=1e-6)
    assert [first.near_mm, first.true_near_mm] == pytest.approx([-0.1, 0.2], abs=1e-3)
    assert not first.certain
    assert (second.zone, second.value, second.true_value, second.certain) == (5, 5, 2, True)
    assert third.reason == "half hidden"
    tell(outcomes, [Cost(camera="1mp", dice=3, decode_ms=5.0, measure_ms=20.0, reference_ms=10.0)])
    told = capsys.readouterr().out
    assert "false: 1mp even 1 at (0, 600)" in told
    assert "value 5 for 2" in told
    assert "2.50 times" in told


def test_a_call_said_to_be_certain_and_wrong_is_printed(
    over: Kit, capsys: pytest.CaptureFixture[str]
) -> None:
    true = standing((88.9 + 8.0 - 0.2, 250.0, 0.0), 16.0, 1.6, 0.0)
    far = replace(true, center_mm=(true.center_mm[0] + 1.0, true.center_mm[1], true.center_mm[2]))
    scene = Scene(seed=4, style="near", kit=over, dice=(_true(over, true, 6),))
    found = _found(far, 6)
    outcomes = list(outcomes_of(scene, [(found, call_die(found, true_calibration(over)))], []))
    assert isinstance(outcomes[0], Outcome)
    tell(outcomes, [Cost(camera="1mp", dice=1, decode_ms=5.0, measure_ms=20.0, reference_ms=10.0)])
    assert "zone 2 for 5 (certain)" in capsys.readouterr().out

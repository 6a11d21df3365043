"""What the box of the budget is shown: a throw of eight dice on the simulated table, and dice in End Zones.

It is drawn before anything is counted, on the machine that runs the rig.
"""

from pathlib import Path

import numpy as np

from benchmarks.acts import acts_seen
from benchmarks.speed import SEEDS
from calibration.arrays import Picture
from calibration.files import save_table
from calibration.table import TableCalibration
from device.cameras import Frame
from device.simulator.table import SimulatedTable
from models.scenes import draw
from tests.clock import Clock

SEED = 4
FPS = 20.0
DICE = 8
BEFORE = 12
"""Frames before the throw, in which the watch learns the table."""
AFTER_MS = 500.0
"""How long it is watched after the last die lies."""


def record(folder: Path) -> None:
    """Write FOLDER/frames.npz, and calibrations of End Zones: one.json of a table with one camera, near.json
    and far.json of one with two."""
    throw, times_ms = throw_dice()
    one, one_frame = throw_at_one_end()
    two = next(acts_seen(("throw",), 1, SEED, FPS))
    assert two.frame.far is not None
    for name, calibration in (("one", one), ("near", two.ends.near), ("far", two.ends.far)):
        save_table(calibration, folder / f"{name}.json")
    np.savez(
        folder / "frames.npz",
        throw=np.stack(throw),
        times_ms=np.array(times_ms),
        eight=draw(SEEDS["pip"][0], 1280, 960, kinds=("pip",)).picture,
        one=one_frame.picture,
        near=two.frame.picture,
        far=two.frame.far,
    )


def throw_dice() -> tuple[list[Picture], list[float]]:
    """What a camera sees of a throw, 20 times a second, and when."""
    clock = Clock()
    table = SimulatedTable(SEED, fps=FPS, clock=clock, wait=clock.wait)
    table.lay("pip", DICE)
    pictures, times_ms = [], []
    for frame in table.frames():
        pictures.append(frame.picture)
        times_ms.append(frame.time_ms)
        rest_ms = table.rest_time_ms
        if len(pictures) == BEFORE:
            table.act("throw")
        elif rest_ms is not None and not table.busy and frame.time_ms > rest_ms + AFTER_MS:
            break
    return pictures, times_ms


def throw_at_one_end() -> tuple[TableCalibration, Frame]:
    """The calibration of an End Zone under one camera, and its picture with the first die of a game."""
    clock = Clock()
    table = SimulatedTable(SEED, fps=FPS, clock=clock, wait=clock.wait, sharp=False)
    table.set_up(landings=True)
    calibration, frames = table.calibration(), table.frames()
    assert isinstance(calibration, TableCalibration)
    table.expect(0, 0)
    table.act("throw")
    frame = next(frames)
    while table.busy:
        frame = next(frames)
    return calibration, frame

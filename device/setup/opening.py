"""Puts the steps of one box together."""

import os
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path

from calibration.board import EXAMPLE, Board
from calibration.files import load_lock
from calibration.lock import CameraLock
from calibration.trouble import CalibrationError
from device.config import Config, find
from device.doctor import CheckedBox, Finding, Machine, examine, own_name
from device.setup.board_steps import CalibratingBench, Holding, HoldsBoard, LensStep, TableStep
from device.setup.dice_bench import open_bench
from device.setup.dice_step import DiceStep, SetupReader
from device.setup.first_steps import DoctorStep, PanelStep, PictureStep, SettingsStep
from device.setup.settings import NONE, settings_shown
from device.setup.step import SetupStep
from device.setup.walk import SetupParts


def local_time() -> datetime:
    """Now, with its offset from UTC."""
    return datetime.now(UTC).astimezone()


def open_steps(
    config: Config,
    folder: Path,
    *,
    mock: bool,
    camera: object = None,
    examined: Callable[[], Iterable[Finding]] | None = None,
    open_reader: Callable[[], SetupReader] | None = None,
    tell: Callable[[str], None] = lambda _text: None,
) -> SetupParts:
    """All steps of a box that is set to `config` and keeps its data in `folder`.

    `mock`: the panel's pins are mock ones. `camera`: a simulated table holds the board and throws
    dice by itself. `examined` asks another doctor than this machine's. `open_reader` opens the box's
    own reader, and `tell` is told what cannot be used.
    """
    file = find(os.environ, Path(os.path.expanduser("~")))  # noqa: PTH111 - as in config.load
    named = str(file or "")
    box = CheckedBox(config=config, trouble="", config_file=named, data=folder, user=own_name())
    buttons = tuple(config.panel.buttons.fitted())
    bench = CalibratingBench(
        board=Board.parse(EXAMPLE),
        folder=folder,
        now=local_time,
        hold=camera.hold if isinstance(camera, HoldsBoard) else _left_to_people,
        lock=_lock_of(config),
    )
    steps: Mapping[str, SetupStep] = {
        "camera": PictureStep(),
        "lens": LensStep(bench),
        "table": TableStep(bench),
        "dice": DiceStep(open_bench(folder, camera, open_reader, tell)),
        "panel": PanelStep(buttons, mock=mock),
        "settings": SettingsStep(lambda: settings_shown(config, named, folder)),
        "doctor": DoctorStep(examined or (lambda: examine(Machine(), box))),
    }
    return SetupParts(steps=steps, folder=folder, now=local_time, pins=mock)


def _left_to_people(what: Holding) -> None:
    """At a real table people hold the board."""


def _lock_of(config: Config) -> CameraLock | None:
    """What the settings lock the camera to; None where they name no lock, or none that can be read."""
    try:
        return None if config.camera.lock == NONE else load_lock(Path(config.camera.lock).expanduser())
    except CalibrationError:
        return None  # the doctor says what is wrong with it

"""Puts the steps of one box together."""

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from calibration.board import EXAMPLE, Board
from calibration.files import load_lock
from calibration.lock import CameraLock
from calibration.trouble import CalibrationError
from device.config import Config, find
from device.doctor import CheckedBox, Finding, Machine, examine, own_name
from device.panel import Trial
from device.setup.bench import CalibratingBench, Holding, HoldsBoard
from device.setup.board_steps import LensStep, TableStep
from device.setup.dice_bench import open_bench
from device.setup.dice_step import DiceStep, SetupReader
from device.setup.first_steps import DoctorStep, PanelStep, PictureStep, SettingsStep
from device.setup.lights_step import LightsStep
from device.setup.settings import NONE, settings_shown
from device.setup.step import SetupStep
from device.setup.walk import SetupParts


def local_time() -> datetime:
    """Now, with its offset from UTC."""
    return datetime.now(UTC).astimezone()


@dataclass(frozen=True, slots=True, kw_only=True)
class SetupMeans:
    """What the set-up does things with on this box."""

    open_reader: Callable[[], SetupReader] | None = None
    """Opens the box's own reader; None reads without a calibration."""
    light: Callable[[Trial | None], None] = lambda _trial: None
    """Lights what is tried of the panel for some seconds; None: no more."""
    tell: Callable[[str], None] = lambda _text: None
    """Is told what cannot be used."""


def open_steps(
    config: Config,
    folder: Path,
    *,
    mock: bool,
    camera: object = None,
    examined: Callable[[], Iterable[Finding]] | None = None,
    means: SetupMeans | None = None,
) -> SetupParts:
    """All steps of a box that is set to `config` and keeps its data in `folder`.

    `mock`: the panel's pins are mock ones. `camera`: a simulated table holds the board and throws
    dice by itself. `examined` asks another doctor than this machine's.
    """
    means = means or SetupMeans()
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
        "dice": DiceStep(open_bench(folder, camera, means.open_reader, means.tell)),
        "panel": PanelStep(buttons, mock=mock),
        "lights": LightsStep(config.panel, config.scoreboard, means.light, mock=mock),
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

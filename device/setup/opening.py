"""Puts the steps of one box together."""

import os
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path

from device.config import Config, find
from device.doctor import CheckedBox, Finding, Machine, examine, own_name
from device.setup.first_steps import DoctorStep, PanelStep, PictureStep, SettingsStep
from device.setup.settings import settings_shown
from device.setup.step import SetupStep
from device.setup.walk import SetupParts


def local_time() -> datetime:
    """Now, with its offset from UTC."""
    return datetime.now(UTC).astimezone()


def open_steps(
    config: Config, folder: Path, *, mock: bool, examined: Callable[[], Iterable[Finding]] | None = None
) -> SetupParts:
    """All steps of a box that is set to `config` and keeps its data in `folder`.

    `mock`: the panel's pins are mock ones. `examined` asks another doctor than this machine's.
    """
    file = find(os.environ, Path(os.path.expanduser("~")))  # noqa: PTH111 - as in config.load
    named = str(file or "")
    box = CheckedBox(config=config, trouble="", config_file=named, data=folder, user=own_name())
    buttons = tuple(config.panel.buttons.fitted())
    steps: Mapping[str, SetupStep] = {
        "camera": PictureStep(),
        "panel": PanelStep(buttons, mock=mock),
        "settings": SettingsStep(lambda: settings_shown(config, named, folder)),
        "doctor": DoctorStep(examined or (lambda: examine(Machine(), box))),
    }
    return SetupParts(steps=steps, folder=folder, now=local_time, pins=mock)

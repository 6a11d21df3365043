"""`callbox play` on films and folders: the same box, other pictures."""

import re
import subprocess
import sys
from functools import partial
from pathlib import Path

import cv2
import pytest
from click.testing import CliRunner

from device.cameras import folder
from device.cli import callbox
from device.simulator.table import SimulatedTable
from tests.clock import Clock

FILM = Path(__file__).parents[3] / "shared/photos/wetzler_video/dice_video_1.mp4"
THROWS = [(4, 1), (3, 5), (1, 5), (2, 1), (4, 2), (1, 1)]
"""What the two dice in the film show at rest, throw by throw."""


def asked(camera: Path, data: Path) -> list[str]:
    """The words after `callbox`."""
    return [
        "play",
        "tray",
        "--camera",
        str(camera),
        "--data",
        str(data),
        "--port",
        "0",
        "--host",
        "127.0.0.1",
    ]


def told(said: str) -> list[tuple[int, ...]]:
    """The throws that `callbox play tray` tells of, in order."""
    assert "come to their end" in said
    return [tuple(map(int, re.findall(r"\d+", sum_[1]))) for sum_ in re.finditer(r"throws (.+?) =", said)]


@pytest.mark.long
@pytest.mark.skipif(not FILM.exists(), reason=f"the film of real dice is not beside this checkout: {FILM}")
def test_a_film_of_real_dice_gives_each_throw_once_and_nothing_else(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "device", *asked(FILM, tmp_path)]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert [sorted(throw) for throw in told(said)] == [sorted(throw) for throw in THROWS]


def test_a_folder_of_pictures_gives_what_lies_in_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are shown as fast as they are looked at: their own pace takes seconds."""
    pictures, truths = tmp_path / "pictures", []
    pictures.mkdir()
    clock = Clock(0.0)
    table = SimulatedTable(21, fps=2.0, clock=clock, wait=clock.wait)
    table.lay("pip", 3)
    frames = table.frames()
    for number in range(2):
        rest = table.rest_time_ms
        table.act("throw")
        frame = next(frames)
        while table.busy or table.rest_time_ms == rest:
            frame = next(frames)
        cv2.imwrite(str(pictures / f"{number}.png"), frame.picture)
        truths.append(tuple(die.value for die in table.rolled))
    monkeypatch.setattr("device.cameras.folder.Folder", partial(folder.Folder, wait=lambda _ms: None))
    found = CliRunner().invoke(callbox, asked(pictures, tmp_path / "data"), catch_exceptions=False)
    assert found.exit_code == 0, found.output
    assert told(found.output) == truths

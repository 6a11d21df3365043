"""`callbox play` on films and folders: the same box, other pictures."""

import re
import subprocess
import sys
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import av
import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from calibration.arrays import Picture
from device.cameras import folder
from device.cameras.film import Film
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


def thrown(times: int) -> tuple[list[Picture], list[tuple[int, ...]]]:
    """Simulated throws of three dice: the picture of each at rest, and what they show."""
    pictures, truths = [], []
    clock = Clock(0.0)
    table = SimulatedTable(21, fps=2.0, clock=clock, wait=clock.wait)
    table.lay("pip", 3)
    frames = table.frames()
    for _ in range(times):
        rest = table.rest_time_ms
        table.act("throw")
        frame = next(frames)
        while table.busy or table.rest_time_ms == rest:
            frame = next(frames)
        pictures.append(frame.picture)
        truths.append(tuple(int(die.value) for die in table.rolled))
    return pictures, truths


@pytest.mark.long
@pytest.mark.skipif(not FILM.exists(), reason=f"the film of real dice is not beside this checkout: {FILM}")
def test_a_film_of_real_dice_gives_each_throw_once_and_nothing_else(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "device", *asked(FILM, tmp_path)]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert [sorted(throw) for throw in told(said)] == [sorted(throw) for throw in THROWS]


@pytest.mark.long
def test_a_folder_of_pictures_gives_what_lies_in_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are shown as fast as they are looked at: their own pace takes seconds."""
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    lying, truths = thrown(2)
    for number, picture in enumerate(lying):
        cv2.imwrite(str(pictures / f"{number}.png"), picture)
    monkeypatch.setattr("device.cameras.folder.Folder", partial(folder.Folder, wait=lambda _ms: None))
    found = CliRunner().invoke(callbox, asked(pictures, tmp_path / "data"), catch_exceptions=False)
    assert found.exit_code == 0, found.output
    assert told(found.output) == truths


def write_webm(path: Path, pictures: list[Picture], step_ms: int = 40) -> None:
    """Write a film as browsers do: 1000 ticks a second for the speed, frames a little early or late."""
    with av.open(str(path), "w") as film:
        stream: Any = film.add_stream("libvpx", rate=1000, options={"deadline": "realtime", "cpu-used": "8"})
        stream.height, stream.width = pictures[0].shape[:2]
        stream.pix_fmt = "yuv420p"
        for index, picture in enumerate(pictures):
            frame = av.VideoFrame.from_ndarray(picture, format="bgr24")
            frame.pts, frame.time_base = step_ms * index + index % 3 * 3, Fraction(1, 1000)
            film.mux(stream.encode(frame))
        film.mux(stream.encode())


def play(camera: Path, data: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """What `callbox play tray` prints of a film, shown as fast as it is looked at."""
    monkeypatch.setattr("device.cameras.film.Film", partial(Film, wait=lambda _ms: None))
    found = CliRunner().invoke(callbox, [*asked(camera, data), "--reads", "at_rest"], catch_exceptions=False)
    assert found.exit_code == 0, found.output
    return found.output


@pytest.mark.long
def test_the_film_of_a_browser_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pictures, (truth,) = thrown(1)
    write_webm(tmp_path / "throw.webm", pictures * 12)
    said = play(tmp_path / "throw.webm", tmp_path / "data", monkeypatch)
    assert [sorted(throw) for throw in told(said)] == [sorted(truth)]
    assert "No throw was read" not in said


NOISE = np.random.default_rng(4).integers(0, 255, (60, 80, 3), dtype=np.uint8)
PATTERN = np.asarray(cv2.resize(NOISE, (320, 240), interpolation=cv2.INTER_CUBIC), np.uint8)


@pytest.mark.long
@pytest.mark.parametrize(
    ("pictures", "why"),
    [
        ([PATTERN] * 4, r"the film is too short \(\d frames in 0\.\d\d s\)"),
        (
            [np.roll(PATTERN, 40 * index, axis=1) for index in range(20)],
            r"nothing lay still for longer than 0\.0",
        ),
    ],
)
def test_a_film_from_which_no_throw_was_read_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pictures: list[Picture], why: str
) -> None:
    write_webm(tmp_path / "film.webm", pictures)
    said = play(tmp_path / "film.webm", tmp_path / "data", monkeypatch)
    assert re.search(
        f"come to their end. No throw was read: {why}.*film until the dice have lain still", said
    )

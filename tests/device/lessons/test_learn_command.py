"""`callbox learn`, as somebody with a few pictures and a keyboard meets it."""

import json
import threading
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from device.cameras import Frame
from device.cli import callbox
from device.lessons.known_dice import known_dice
from models.scenes import draw
from tests.waiting import PATIENCE_S
from vision.pictures import load
from vision.reader import Reader

SEED = 96_004
"""A drawn scene with pip dice of which some are read."""


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    path = tmp_path / "My dice.png"
    cv2.imwrite(str(path), draw(SEED, kinds=("pip",)).picture)
    return path


@pytest.fixture(autouse=True)
def _few_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("device.lessons.known_dice.DRAWN", 2)


def run(tmp_path: Path, *arguments: str, typed: str = "") -> Result:
    return CliRunner().invoke(callbox, ["learn", "--data", str(tmp_path / "data"), *arguments], input=typed)


def answer(path: Path) -> str:
    """What the picture's dice truly show, in the order of the finds; `-` for what is no flat die."""
    reading = Reader().read(load(path), "pip")
    truth = [die for die in draw(SEED, kinds=("pip",)).dice if die.pose == "flat" and die.kind == "pip"]
    words = []
    for x, y in sorted([*(d.center_px for d in reading.dice), *(u.center_px for u in reading.unsure)]):
        there = [d for d in truth if abs(d.center_px[0] - x) + abs(d.center_px[1] - y) < 12]
        words.append(str(there[0].value) if there else "-")
    assert any(word != "-" for word in words)
    return " ".join(words)


@pytest.mark.long
def test_a_picture_is_learnt_kept_exported_and_forgotten(tmp_path: Path, picture: Path) -> None:
    said = run(tmp_path, str(picture), typed=f"nonsense\n{answer(picture)}\n")
    assert said.exit_code == 0, said.output
    assert "Type what the dice show" in said.output
    assert "in 1 picture" in said.output
    assert "It is used from the next start" in said.output
    learnt = known_dice(tmp_path / "data", pytest.fail)
    assert learnt is not None
    assert set(learnt.pictures) == {"learn-my-dice-png"}
    again = run(tmp_path)
    assert again.exit_code == 0
    exported = run(tmp_path, "--export", str(tmp_path / "out"))
    assert "1 lesson" in exported.output
    (truth,) = json.loads((tmp_path / "out" / "truth.json").read_text())
    assert len(truth["dice"]) == len(learnt)
    forgotten = run(tmp_path, "--forget")
    assert "1 lesson" in forgotten.output
    assert not (tmp_path / "data" / "dice.json").exists()


def test_nothing_to_learn_from_is_said(tmp_path: Path) -> None:
    said = run(tmp_path)
    assert said.exit_code == 1
    assert "nothing to learn from yet" in said.stderr


def test_a_picture_that_is_none_is_said(tmp_path: Path) -> None:
    (tmp_path / "text.jpg").write_text("no picture")
    said = run(tmp_path, str(tmp_path / "text.jpg"))
    assert said.exit_code == 1
    assert "text.jpg" in said.stderr
    assert "Traceback" not in said.output


@pytest.mark.long
def test_pictures_come_from_a_camera_for_each_enter(tmp_path: Path, picture: Path) -> None:
    folder = tmp_path / "minutes"
    folder.mkdir()
    for number in range(90):  # two seconds each
        (folder / f"{number}.png").hardlink_to(picture)
    said = run(tmp_path, "--camera", str(folder), typed=f"\n{answer(picture)}\n")
    assert said.exit_code == 0, said.output
    assert "Throw your dice and press Enter" in said.output
    assert "throw 1:" in said.output


def test_a_camera_that_has_ended_ends_the_lesson(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ended = threading.Event()

    class Ended:
        """Had its last picture before anybody pressed Enter."""

        def frames(self) -> Iterator[Frame]:
            yield Frame(picture=np.zeros((48, 64, 3), np.uint8), time_ms=0.0, name="dark")
            ended.set()

        def close(self) -> None:
            pass

    def enter(_question: str) -> str:
        assert ended.wait(PATIENCE_S)
        for thread in threading.enumerate():
            if thread.name == "camera":
                thread.join()
        return ""

    monkeypatch.setattr("device.commands.learn.open_as_set", lambda *_, **__: Ended())
    monkeypatch.setattr("device.commands.learn._ask", enter)
    said = run(tmp_path, "--camera", "told")
    assert said.exit_code == 1
    assert "nothing to learn from yet" in said.stderr

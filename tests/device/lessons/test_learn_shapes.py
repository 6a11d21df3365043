"""`callbox learn --shape`, as somebody with a few landings meets it."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from calibration.files import save_table
from calibration.table import TableCalibration
from device.cli import callbox
from device.lessons.known_shapes import known_shapes, shapes_path
from tests.vision.landing.lying import die_at, spread
from tests.vision.landing.stage import calibrated, camera
from vision.landing.drift import Drift
from vision.measured import Measurement
from vision.reading import UnsureDie

SIZE = (240, 180)
STILL = Drift(ok=True, cause="", moved_mm=0.0, seen=9, of=9, reason="")


@pytest.fixture(autouse=True)
def _lying(monkeypatch: pytest.MonkeyPatch) -> None:
    """A red die that is rounded by 2.5 mm lies elsewhere in each picture; it need not be found here."""
    places: Iterator[float] = iter(range(20, 200, 20))

    class Told:
        def __init__(self, _calibration: TableCalibration, _threads: int) -> None:
            """Nothing has to be known."""

        def measure(self, _: np.ndarray) -> Measurement:
            red = die_at(0.0, next(places), 5.0, covariance=spread(edge_mm=0.11))
            die = replace(red, rounding_mm=2.5, rounding_sigma_mm=0.3)
            lost = UnsureDie(center_px=(9.0, 9.0), center_mm=None, reason="half hidden")
            return Measurement(dice=(die,), unsure=(lost,), elapsed_ms=1.0)

    monkeypatch.setattr("vision.landing.detector.Measurer", Told)
    monkeypatch.setattr("vision.landing.detector.check_drift", lambda *_: STILL)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A calibrated table, and three pictures of it."""
    save_table(calibrated(camera(*SIZE, 5.0)), tmp_path / "table.json")
    for name in ("a", "b", "c"):
        cv2.imwrite(str(tmp_path / f"{name}.png"), np.full((SIZE[1], SIZE[0], 3), 120, np.uint8))
    cv2.imwrite(str(tmp_path / "small.png"), np.full((90, 120, 3), 120, np.uint8))
    return tmp_path


def run(folder: Path, *arguments: str) -> Result:
    shown = [str(folder / each) if each.endswith((".png", ".json")) else each for each in arguments]
    return CliRunner().invoke(callbox, ["learn", "--shape", "--data", str(folder / "data"), *shown])


def test_landings_are_told_learnt_and_kept(folder: Path) -> None:
    said = run(folder, "--calibration", "table.json", "a.png", "b.png", "small.png")
    assert said.exit_code == 0, said.output
    assert "a.png: red 4; 1 passed over" in said.output
    assert "small.png: the picture is 120 x 90" in said.output
    assert "mm, from 2 landings" in said.output
    assert "Throw each die 5 times or more" in said.output
    (shape,) = known_shapes(folder / "data", pytest.fail)
    assert (shape.color, len(shape.taught)) == ("red", 2)
    again = run(folder, "--calibration", "table.json", "c.png")
    assert "mm, from 3 landings" in again.output


def test_a_calliper_is_taken_at_its_word(folder: Path) -> None:
    said = run(folder, "--calibration", "table.json", "--edge", "15.85", "a.png")
    assert "red: 15.85 ± 0.05 mm wide" in said.output
    assert "from 1 landing, its edge by your calliper" in said.output


def test_shapes_are_forgotten_and_lessons_stay(folder: Path) -> None:
    run(folder, "--calibration", "table.json", "a.png")
    assert shapes_path(folder / "data").exists()
    said = run(folder, "--forget")
    assert "The shapes of your dice are forgotten" in said.output
    assert known_shapes(folder / "data", pytest.fail) == ()


def test_a_damaged_file_is_told_and_learnt_anew(folder: Path) -> None:
    (folder / "data").mkdir()
    shapes_path(folder / "data").write_text("{")
    said = run(folder, "--calibration", "table.json", "a.png")
    assert "This file is damaged" in said.output
    assert len(known_shapes(folder / "data", pytest.fail)) == 1


def test_what_does_not_go_is_said(folder: Path) -> None:
    assert "Name its file with --calibration" in run(folder, "a.png").stderr
    missing = run(folder, "--calibration", "no.json", "a.png")
    assert missing.exit_code == 1
    assert "no.json" in missing.stderr
    lone = CliRunner().invoke(callbox, ["learn", "--edge", "16", str(folder / "a.png")])
    assert "go with --shape" in lone.stderr
    assert "shapes have none" in run(folder, "--export", "out", "a.png").stderr
    nothing = run(folder, "--calibration", "table.json", "small.png")
    assert "No die has taught its shape" in nothing.output

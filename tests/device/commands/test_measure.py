"""`callbox measure` keeps its contract, and says in a sentence what it will not measure."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from calibration.files import save_table
from calibration.fit import find_landmarks
from calibration.table import TableCalibration
from device.commands.measure import command
from tests.vision.landing.lying import die_at, footprint, spread
from tests.vision.landing.stage import Light, StagedDie, Table, calibrated, camera, photograph
from vision.landing import MeasuredDie
from vision.measured import Measurement
from vision.reading import UnsureDie

CONTRACT = {
    "value", "confidence", "center_mm", "yaw_deg", "edge_mm", "footprint_mm", "sigma_mm", "zone", "score",
    "call", "probability", "protrusion_mm", "gap_mm", "nearest_line", "dot",
}  # fmt: skip
DICE = ((-60.0, 200.0, 20.0, 3), (-97.0, 300.0, 0.0, 6))
"""x, y, yaw and value: well inside the 5, and a tenth of a millimetre short of it."""


HIDDEN = UnsureDie(center_px=(20.0, 30.0), center_mm=None, reason="half hidden")


class Told:
    """Measures what the test says lies there; everything round it is the real thing."""

    dice: tuple[MeasuredDie, ...] = tuple(
        replace(die_at(x, y, yaw, value=value, covariance=spread(0.05, 0.05)), note="touches another die")
        if value == 6
        else die_at(x, y, yaw, value=value)
        for x, y, yaw, value in DICE
    )
    unsure: tuple[UnsureDie, ...] = ()

    def __init__(self, calibration: TableCalibration, threads: int) -> None:
        assert calibration.laid.zones
        assert threads == 1

    def measure(self, picture: np.ndarray) -> Measurement:
        """The dice as told."""
        assert picture.shape == (900, 1200, 3)
        return Measurement(dice=self.dice, unsure=self.unsure, elapsed_ms=1.0)


@pytest.fixture(autouse=True)
def told(monkeypatch: pytest.MonkeyPatch) -> None:
    """The dice need not be found in these tests; `tests/vision/landing` finds them."""
    monkeypatch.setattr("vision.landing.detector.Measurer", Told)


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A calibrated table with its landmarks and a photograph of two dice on it."""
    folder = tmp_path_factory.mktemp("table")
    bare = calibrated(camera(1200, 900, 1.0))
    empty = photograph(bare.view, Table(bare), [], Light(seed=1))
    marks = find_landmarks(empty, bare.view, bare.laid, ())
    assert len(marks) >= 8
    save_table(replace(bare, landmarks=marks), folder / "table.json")
    staged = [StagedDie(x_mm=x, y_mm=y, yaw_deg=yaw, value=value) for x, y, yaw, value in DICE]
    cv2.imwrite(str(folder / "a.png"), photograph(bare.view, Table(bare), staged, Light(seed=2)))
    return folder


def run(table: Path, *arguments: object) -> Result:
    """Run the command in this process."""
    told = ["--calibration", table / "table.json", *arguments]
    return CliRunner().invoke(command, [str(argument) for argument in told])


def lines(result: Result) -> list[dict[str, Any]]:
    """The JSON lines on standard output."""
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.mark.long
def test_one_json_object_a_line(table: Path) -> None:
    result = run(table, table / "a.png", table / "a.png", "--json")
    assert result.exit_code == 0, result.output
    assert len(lines(result)) == 2
    line = lines(result)[0]
    assert line["image"] == str(table / "a.png")
    assert line["elapsed_ms"] > 0
    assert line["unsure"] == []
    inside, close = line["dice"]
    assert set(inside) >= CONTRACT
    assert (inside["value"], inside["zone"], inside["score"], inside["call"]) == (3, 5, 15, "certain")
    assert inside["probability"] == 1.0
    assert inside["nearest_line"] == "2|5"
    assert inside["gap_mm"] == pytest.approx(footprint(*DICE[0][:3])[:, 1].min() - 88.9, abs=1e-3)
    assert inside["dot"]["covered"] is False
    assert inside["dot"]["margin_mm"] < -60
    assert np.shape(inside["footprint_mm"]) == (48, 2)
    assert (close["zone"], close["score"], close["call"]) == (2, 12, "too_close")
    assert 0.5 < close["probability"] < 0.995
    assert close["nearest_mm"] == pytest.approx(-0.1, abs=1e-3)
    assert close["gap_mm"] == pytest.approx(0.1, abs=1e-3)
    assert sum(close["by_zone"].values()) == pytest.approx(1.0, abs=1e-5)
    assert "odd" in close["ways_out"]


@pytest.mark.long
def test_readable_lines_without_json(table: Path) -> None:
    result = run(table, table / "a.png")
    assert result.exit_code == 0
    first, inside, close = result.stdout.splitlines()
    assert first == str(table / "a.png")
    assert inside.startswith("  3 × 5 = 15 (red): certain, over 99.99 %;")
    assert close.startswith("  6 × 2 = 12 (red): too close to call, ")
    assert "short of 2|5; touches another die" in close


def test_an_unread_die_is_unsure_with_all_that_was_measured(
    table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Told, "dice", (die_at(0, 30, value=None),))
    monkeypatch.setattr(Told, "unsure", (HIDDEN,))
    line = lines(run(table, table / "a.png", "--json"))[0]
    assert line["dice"] == []
    unread, hidden = line["unsure"]
    assert "not read" in unread["reason"]
    assert (unread["measured"]["zone"], unread["measured"]["score"]) == (20, None)
    assert hidden == {"center": [20.0, 30.0], "center_mm": None, "reason": "half hidden", "measured": None}
    text = run(table, table / "a.png").stdout
    assert "unsure at 20, 30: half hidden" in text
    assert "zone 20 (red): certain" in text


@pytest.mark.long
def test_a_bad_picture_has_its_own_line_and_the_rest_is_measured(table: Path, tmp_path: Path) -> None:
    good = np.asarray(cv2.imread(str(table / "a.png")))
    cv2.imwrite(str(tmp_path / "small.png"), good[:600])
    cv2.imwrite(str(tmp_path / "mirrored.png"), good[:, ::-1])
    cv2.imwrite(str(tmp_path / "grey.png"), np.full_like(good, 128))
    (tmp_path / "short.png").write_bytes((table / "a.png").read_bytes()[:5000])
    cv2.imwrite(str(tmp_path / "turned.png"), good[::-1, ::-1])
    cv2.imwrite(str(tmp_path / "dark.png"), good // 9)
    cv2.imwrite(str(tmp_path / "bright.png"), cv2.convertScaleAbs(good, alpha=3.0))
    cv2.imwrite(str(tmp_path / "blurred.png"), cv2.GaussianBlur(good, (0, 0), 5))
    names = ["missing.png", "small.png", "mirrored.png", "turned.png", "grey.png", "short.png", "dark.png",
             "bright.png", "blurred.png"]  # fmt: skip
    result = run(table, *(tmp_path / name for name in names), table / "a.png", "--json")
    assert result.exit_code == 1
    *refused, measured = lines(result)
    assert [set(line) for line in refused] == [{"image", "error"}] * len(names)
    assert len(measured["dice"]) == 2
    reasons = ("no such file", "1200 x 600", "mirrored", "upside down", "blurred", "cut short", "too dark",
               "overexposed", "blurred")  # fmt: skip
    for line, reason in zip(refused, reasons, strict=True):
        assert reason in line["error"]


def test_a_bumped_camera_is_said_and_taken_into_account(table: Path, tmp_path: Path) -> None:
    good = np.asarray(cv2.imread(str(table / "a.png")))
    cv2.imwrite(str(tmp_path / "bumped.png"), np.roll(good, (1, 2), axis=(0, 1)))
    result = run(table, tmp_path / "bumped.png", "--json")
    assert result.exit_code == 0, result.output
    drift = lines(result)[0]["drift"]
    assert drift["cause"] == "camera"
    assert drift["moved_mm"] == pytest.approx(2.2, abs=0.5)
    assert "bumped" in run(table, tmp_path / "bumped.png").stdout.splitlines()[0]


@pytest.mark.parametrize("content", [None, "{}", "not JSON"])
def test_without_a_calibration_every_line_says_so(table: Path, tmp_path: Path, content: str | None) -> None:
    if content is not None:
        (tmp_path / "table.json").write_text(content)
    result = run(tmp_path, table / "a.png", table / "a.png", "--json")
    assert result.exit_code == 1
    assert [set(line) for line in lines(result)] == [{"image", "error"}] * 2
    assert "table.json" in lines(result)[0]["error"]
    assert "Traceback" not in result.output


def test_a_stricter_threshold_calls_less(table: Path) -> None:
    lenient, strict = (
        lines(run(table, table / "a.png", "--json", "--threshold", threshold))[0]["dice"][1]["call"]
        for threshold in ("0.55", "1.0")
    )
    assert (lenient, strict) == ("certain", "too_close")


@pytest.mark.long
def test_evidence_is_a_png_for_each_die(table: Path, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    twin = tmp_path / "other" / "a.png"
    twin.write_bytes((table / "a.png").read_bytes())
    close_ups = tmp_path / "close-ups"
    result = run(table, table / "a.png", twin, "--json", "--evidence", close_ups)
    assert result.exit_code == 0, result.output
    names = ["a-2-die1.png", "a-2-die2.png", "a-die1.png", "a-die2.png"]
    assert sorted(path.name for path in close_ups.iterdir()) == names
    assert lines(result)[0]["dice"][1]["evidence"] == str(close_ups / "a-die2.png")
    drawn = np.asarray(cv2.imread(str(close_ups / "a-die2.png")))
    assert drawn.shape[1] == 1200


@pytest.mark.parametrize(
    "arguments",
    [["--threshold", "nan"], ["--threshold", "0.2"], ["--threads", "0"], ["--evidence", "{a}"]],
)
def test_wrong_use_is_status_2(table: Path, arguments: list[str]) -> None:
    given = [argument.replace("{a}", str(table / "a.png")) for argument in arguments]
    result = run(table, table / "a.png", *given)
    assert result.exit_code == 2
    assert result.stdout == ""


def test_a_calibration_must_be_named(table: Path) -> None:
    assert CliRunner().invoke(command, [str(table / "a.png")]).exit_code == 2

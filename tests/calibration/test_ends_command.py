"""`callbox calibrate ends`: two files that make one table, or why they do not."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from calibration.files import save_table
from calibration.table import TableCalibration
from device.cli import callbox
from tests.calibration.test_ends import HALF, SEES_THE_SHEET, end


def run(folder: Path, near: TableCalibration, far: TableCalibration) -> tuple[int, dict[str, object], str]:
    """The command's status, its line and its words."""
    save_table(near, folder / "near.json")
    save_table(far, folder / "far.json")
    done = CliRunner().invoke(
        callbox, ["calibrate", "ends", str(folder / "near.json"), str(folder / "far.json")]
    )
    return done.exit_code, json.loads(done.stdout), done.stderr


def test_two_ends_of_one_table(tmp_path: Path) -> None:
    status, line, words = run(tmp_path, end(halfway_mm=HALF - 3.0), end(halfway_mm=HALF + 1.0))
    assert status == 0
    assert line["length_mm"] == pytest.approx(2 * HALF - 2.0)
    assert line["apart_mm"] == 0.0
    assert (line["askew_deg"], line["aside_mm"]) == (0.0, 0.0)
    assert "agree to 0.00 mm" in words


def test_where_the_halfway_line_is_not_seen_the_plan_is_named(tmp_path: Path) -> None:
    status, line, words = run(tmp_path, end(eye_mm=SEES_THE_SHEET), end())
    assert (status, line["apart_mm"]) == (0, None)
    assert "the plan says" in words


def test_files_named_for_the_wrong_ends_are_refused(tmp_path: Path) -> None:
    status, line, _ = run(tmp_path, replace(end(), end="far"), replace(end(), end="near"))
    assert status == 1
    assert "was made for the far end and is named for the near one" in str(line["error"])


def test_pictures_of_two_sizes_are_refused(tmp_path: Path) -> None:
    small = end()
    lens = replace(small.view.lens, width_px=1014)
    status, line, words = run(tmp_path, end(), replace(small, view=replace(small.view, lens=lens)))
    assert status == 1
    assert "2028 x 1520 and 1014 x 1520" in str(line["error"])
    assert "calibrate again" in words

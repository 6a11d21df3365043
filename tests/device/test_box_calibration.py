"""The box hands its camera's calibration to what reads dice, and does without one that is of no use."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from calibration.files import save_table
from device.box import Box
from device.cameras import Camera, Frame
from device.simulator.end_zone import table as end_zone
from device.simulator.table import SimulatedTable
from tests.playing import trial_setup
from vision.learned.camera_prior import CameraPrior
from vision.learned.stance import Part

WHOLE = Part(whole_width_px=1600, whole_height_px=1200)


class Dark:
    """A camera that never gives a picture."""

    live = True

    def frames(self) -> Iterator[Frame]:
        """None."""
        return iter(())

    def sharpen(self, on: bool) -> None:
        """Nothing is sharper than it is."""

    def close(self) -> None:
        """Nothing to let go."""


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch) -> list[CameraPrior]:
    """What the box's reader is given; the reader itself is not needed here."""
    taken: list[CameraPrior] = []

    def reader(*, bearings: CameraPrior, **_: Any) -> object:
        taken.append(bearings)
        return object()

    monkeypatch.setattr("device.table.reading.TableReader", reader)
    return taken


def told_by_a_box(folder: Path, camera: Camera, calibration: Path | None) -> list[str]:
    """What a box says at its start."""
    told: list[str] = []
    setup = replace(trial_setup(camera, folder / "data"), calibration=calibration, tell=told.append)
    with Box(setup):
        return told


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A calibration for pictures of 1600 x 1200."""
    path = tmp_path / "table.json"
    save_table(end_zone.known_table(1600, 1200), path)
    return path


def test_the_reader_is_given_the_cameras_calibration(
    tmp_path: Path, table: Path, given: list[CameraPrior]
) -> None:
    assert told_by_a_box(tmp_path, Dark(), table) == []
    upright = given[0].at(WHOLE)
    assert upright is not None
    assert upright.view.eye_mm == pytest.approx(end_zone.known_table(1600, 1200).view.eye_mm)


def test_a_broken_calibration_is_said_and_dice_are_read_without(
    tmp_path: Path, table: Path, given: list[CameraPrior]
) -> None:
    table.write_text(table.read_text()[:300])
    (sentence,) = told_by_a_box(tmp_path, Dark(), table)
    assert "read without" in sentence
    assert "callbox calibrate table" in sentence
    assert given[0].at(WHOLE) is None


def test_a_file_says_nothing_of_a_simulated_tables_eye(
    tmp_path: Path, table: Path, given: list[CameraPrior]
) -> None:
    told_by_a_box(tmp_path, SimulatedTable(1, width=160, height=120), table)
    assert given[0].at(WHOLE) is None


def test_without_a_calibration_nothing_is_said(tmp_path: Path, given: list[CameraPrior]) -> None:
    assert told_by_a_box(tmp_path, Dark(), None) == []
    assert given[0].at(WHOLE) is None

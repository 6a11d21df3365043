"""`callbox play` with a second camera: what goes together, and what is said where it does not."""

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from calibration.trouble import CalibrationError
from device.cameras.both_ends import BothEnds
from device.commands.play import PlayArguments, _setup, command
from device.config import parse
from device.landings.sight import open_eye
from device.simulator.table import SimulatedTable

TWO = """
[landing]
calibration = "near.json"
far_camera = "picamera2:1"
far_calibration = "far.json"
"""


def asked(folder: Path, **more: Any) -> PlayArguments:
    nothing = dict.fromkeys(PlayArguments.__dataclass_fields__)
    return PlayArguments(**{**nothing, "players": "", "options": (), "new": False, "data": folder, **more})


def test_the_settings_name_both_cameras_and_both_files(tmp_path: Path) -> None:
    setup = _setup(asked(tmp_path), parse(TWO))
    assert isinstance(setup.camera, BothEnds)
    assert (setup.calibration, setup.far_calibration) == (Path("near.json"), Path("far.json"))


def test_the_settings_far_camera_stays_out_of_it_when_another_camera_is_named(tmp_path: Path) -> None:
    setup = _setup(asked(tmp_path, spec="table"), parse(TWO))
    assert isinstance(setup.camera, SimulatedTable)
    assert setup.far_calibration is None


def test_one_camera_is_what_it_was(tmp_path: Path) -> None:
    setup = _setup(asked(tmp_path, spec="table", calibration=Path("table.json")), parse(""))
    assert (setup.calibration, setup.far_calibration) == (Path("table.json"), None)


def test_the_simulated_table_needs_no_files(tmp_path: Path) -> None:
    setup = _setup(asked(tmp_path, spec="table", far_spec="table"), parse(""))
    assert isinstance(setup.camera, SimulatedTable)
    assert setup.far_calibration is None


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--camera", "picamera2:0", "--far-camera", "picamera2:1"), "picamera2:1 is not calibrated"),
        (("--camera", "table", "--far-calibration", "far.json"), "needs a camera over the far end"),
        (("--camera", "table", "--far-camera", "picamera2:1"), "Say table for the far camera"),
    ],
)
def test_what_does_not_go_together_is_refused_in_a_sentence(
    tmp_path: Path, words: tuple[str, ...], said: str
) -> None:
    done = CliRunner().invoke(command, ["zoinx", "--players", "Ann,Bea", "--data", str(tmp_path), *words])
    assert done.exit_code == 2
    assert said in done.stderr
    assert "Traceback" not in done.output


def test_end_zone_without_a_calibration_says_how_to_make_one() -> None:
    with pytest.raises(CalibrationError, match="needs to know where its lines lie"):
        open_eye(None, None, None, 1)

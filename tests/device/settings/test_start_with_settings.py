"""Settings with which the box would not start are refused on the page, in the sentence of the start."""

from pathlib import Path

import pytest

from device.commands.play import _setup
from device.config import ConfigError, SettingValue, load
from device.settings_shown import OwnSettings
from tests.device.landings.test_play_ends import asked


def settings_of_a_box(folder: Path, spec: str | None = None) -> OwnSettings:
    file = folder / "callbox.toml"
    file.write_text("", encoding="utf-8")
    own = _setup(asked(folder, spec=spec, config_path=file), load(file)).own_settings
    assert own is not None
    return own


@pytest.mark.parametrize("spec", [None, "table"])
@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({"camera.spec": "picamera2:x"}, "names no camera"),
        ({"camera.spec": "usb:x"}, "names no camera"),
        ({"camera.spec": "/nowhere/at all"}, "There is no camera, film or folder"),
        ({"table.layout": "chess"}, "There is no layout 'chess'"),
    ],
)
def test_what_would_not_start_is_not_written(
    tmp_path: Path, spec: str | None, values: dict[str, SettingValue], why: str
) -> None:
    assert_refused(settings_of_a_box(tmp_path, spec), tmp_path, values, why)


def test_two_cameras_that_do_not_go_together_are_not_written(tmp_path: Path) -> None:
    own = settings_of_a_box(tmp_path)
    far: dict[str, SettingValue] = {"landing.far_camera": "picamera2:1"}
    assert_refused(own, tmp_path, far, "is not calibrated")
    same: dict[str, SettingValue] = {
        "landing.far_camera": "picamera2:0",
        "landing.far_calibration": "far.json",
    }
    assert_refused(own, tmp_path, same, "is named for both ends")


def assert_refused(own: OwnSettings, folder: Path, values: dict[str, SettingValue], why: str) -> None:
    with pytest.raises(ConfigError, match=why):
        own.change(values)
    assert (folder / "callbox.toml").read_text(encoding="utf-8") == ""


def test_a_camera_that_is_not_there_yet_may_be_named(tmp_path: Path) -> None:
    own = settings_of_a_box(tmp_path)
    own.change({"camera.spec": "usb:1", "table.layout": "none", "camera.lock": "not yet.json"})
    assert load(tmp_path / "callbox.toml").camera.spec == "usb:1"


def test_the_command_line_is_named_where_it_says_otherwise(tmp_path: Path) -> None:
    shown = settings_of_a_box(tmp_path, "table").show()
    found = {each.key: each.overruled for group in shown.groups for each in group.settings}
    assert found["camera.spec"] == "table"
    assert found["films.keep"] is None

"""The steps of the set-up: what is shown, what is kept, and that nothing is done unasked."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from device.cameras import Frame
from device.commands.play import _in_force
from device.config import parse
from device.doctor import CHECK_BROKE_OFF, Finding
from device.setup import SetupWizard, open_steps
from device.setup.first_steps import DoctorStep, settings_lines
from device.setup.step import NAME, load_done, put_beside
from device.setup.wizard import PLAYING
from tests.device.setup.test_light import table

AT = datetime(2027, 5, 3, 19, 30, tzinfo=UTC)
WELL = Finding(name="python", verdict="ok", text="Python is well.")
ILL = Finding(name="camera", verdict="fail", text="No camera.", fix="seat the cable")


class Workshop:
    """A box that is set up: its picture, whether a game goes on, and the doctor."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.frame: Frame | None = None
        self.playing = False
        self.findings: list[Finding] | None = [WELL, ILL]
        self.setting_up = self.opened_anew()

    def opened_anew(self) -> SetupWizard:
        """As after a restart of the box."""
        self.setting_up = SetupWizard(
            lambda: {
                **open_steps(parse(""), self.folder, mock=True),
                "doctor": DoctorStep(lambda: self.findings),
            },
            self.folder,
            newest=lambda: self.frame,
            playing=lambda: self.playing,
            mock_pins=True,
        )
        return self.setting_up

    def show(self) -> None:
        """A picture comes."""
        self.frame = Frame(picture=table(), time_ms=0, name="a")


@pytest.fixture
def shop(tmp_path: Path) -> Workshop:
    return Workshop(tmp_path)


def test_without_a_picture_it_says_so_and_offers_nothing_to_keep(shop: Workshop) -> None:
    shown = shop.setting_up.refresh()
    assert (shown.step, shown.acts) == ("camera", ())
    assert shown.say.startswith("No picture has come yet.")


def test_a_step_that_is_opened_has_seen_the_picture_beside_it(shop: Workshop) -> None:
    """Also where no newer one has come since: the page shows it all the same."""
    shop.setting_up.open("settings")
    shop.show()
    assert not shop.setting_up.open("camera").say.startswith("No picture has come yet.")


def test_the_settings_of_a_simulated_table_name_no_camera_that_is_not_there(tmp_path: Path) -> None:
    config = _in_force(parse(""), "table", "at_rest")
    lines = {line.name: line.text for line in settings_lines(config, "", tmp_path)}
    assert lines["camera"].startswith("simulated: ")
    assert lines["table"].endswith("dice are read as soon as they lie still")


@pytest.mark.long
def test_a_step_that_is_done_is_noted_with_its_figure_and_leads_on(shop: Workshop) -> None:
    shop.show()
    assert not (shop.folder / NAME).exists()
    shown = shop.setting_up.do("camera", "keep")
    assert shown.ok
    assert shown.step == "lens"
    assert shown.steps[0].figure.startswith("edges ")
    again = shop.opened_anew().refresh()
    assert again.step == "lens"
    assert again.steps[0] == shown.steps[0]
    assert datetime.fromisoformat(again.steps[0].at).tzinfo is not None


def test_looking_and_opening_steps_keeps_nothing(shop: Workshop) -> None:
    shop.show()
    for step in ("lens", "table", "panel", "settings", "doctor", "camera"):
        assert shop.setting_up.open(step).step == step
    assert list(shop.folder.iterdir()) == []


def test_each_button_is_ticked_once_it_is_heard(shop: Workshop) -> None:
    shop.setting_up.open("panel")
    shop.setting_up.press("bet1")
    verdicts = {line.name: line.verdict for line in shop.setting_up.refresh().lines}
    assert verdicts.pop("bet1") == "ok"
    assert set(verdicts.values()) == {"warn"}
    kept = {step.name: step for step in shop.setting_up.do("panel", "keep").steps}
    assert kept["panel"].figure == "1 of 8 buttons"


def test_the_doctor_tells_what_failed_first_and_is_asked_only_when_somebody_presses(shop: Workshop) -> None:
    assert shop.setting_up.open("doctor").lines == ()
    shown = shop.setting_up.do("doctor", "ask")
    assert [(line.name, line.fix) for line in shown.lines] == [("camera", "seat the cable"), ("python", "")]
    assert shop.setting_up.do("doctor", "keep").steps[-1].figure == "1 failed, 0 could be better, 1 fine"


def test_while_a_game_goes_on_nothing_is_set_up(shop: Workshop) -> None:
    shop.show()
    shop.playing = True
    asked: tuple[Callable[[], object], ...] = (
        shop.setting_up.refresh,
        lambda: shop.setting_up.open("doctor"),
        lambda: shop.setting_up.do("camera", "keep"),
    )
    for ask in asked:
        shown = ask()
        assert (shown.ok, shown.text, shown.steps) == (False, PLAYING, ())  # type: ignore[attr-defined]
    assert list(shop.folder.iterdir()) == []


def test_a_check_that_broke_off_is_told_and_finds_nothing(shop: Workshop) -> None:
    shop.findings = None
    shop.show()
    shop.setting_up.open("doctor")
    shown = shop.setting_up.do("doctor", "ask")
    assert (shown.ok, shown.text) == (False, CHECK_BROKE_OFF)
    assert shown.lines == ()


@pytest.mark.parametrize(("step", "act"), [("panel", "keep"), ("camera", "burn"), ("nowhere", "keep")])
def test_a_page_that_is_behind_is_told_so(shop: Workshop, step: str, act: str) -> None:
    shop.show()
    shop.setting_up.refresh()
    shown = shop.setting_up.do(step, act)
    assert not shown.ok
    assert shown.text.endswith("Look again.")
    assert shown.step == "camera"


def test_a_step_that_is_none_is_answered_with_those_there_are(shop: Workshop) -> None:
    shown = shop.setting_up.open("nowhere")
    assert (shown.ok, shown.step) == (False, "camera")
    assert "camera, lens" in shown.text


def test_a_damaged_note_of_what_was_done_begins_anew(shop: Workshop) -> None:
    (shop.folder / NAME).write_bytes(b'{"camera": 3')
    assert load_done(shop.folder) == {}
    assert shop.setting_up.refresh().step == "camera"


def test_a_disk_that_takes_nothing_is_told_and_the_step_stays(tmp_path: Path) -> None:
    shop = Workshop(tmp_path / "gone")
    shop.show()
    shown = shop.setting_up.do("camera", "keep")
    assert (shown.ok, shown.step) == (False, "camera")
    assert "could not be noted" in shown.text


def test_what_is_replaced_is_kept_beside_it(tmp_path: Path) -> None:
    file = tmp_path / "camera.json"
    assert put_beside(file, AT) is None
    file.write_text("old", encoding="utf-8")
    kept = put_beside(file, AT)
    assert kept == tmp_path / "camera-before-2027-05-03-193000.json"
    assert kept.read_text(encoding="utf-8") == "old"


def test_what_the_set_up_made_and_no_setting_names_is_told_with_the_line_to_write(shop: Workshop) -> None:
    before = {line.name: line for line in shop.setting_up.open("settings").lines}
    assert before["End Zone"].verdict == "not here"
    made = shop.folder / "table.json"
    made.write_bytes(np.zeros(1).tobytes())
    line = {line.name: line for line in shop.setting_up.refresh().lines}["End Zone"]
    assert line.fix == f'[landing]\ncalibration = "{made}"'

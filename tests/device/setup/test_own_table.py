"""A table that is not the classic one is measured in the set-up, taken, left, or described by hand."""

from collections.abc import Callable
from pathlib import Path

import pytest

from calibration.arrays import Picture
from calibration.description import CLASSIC, load_description
from calibration.files import load_table, save_camera
from device.cameras import Frame
from device.config import parse
from device.setup import SetupWizard, StepView, open_steps
from tests.calibration.own_scene import NARROW, STRIPED, OwnScene, own_scene

pytestmark = pytest.mark.long


class OwnTableShop:
    """A box over such a table: its lens is known, and a frame comes whenever one is shown."""

    def __init__(self, scene: OwnScene, folder: Path) -> None:
        self.scene, self.folder = scene, folder
        save_camera(scene.camera, folder / "camera.json")
        self._frame: Frame | None = None
        self.setting_up = SetupWizard(
            lambda: open_steps(parse(""), folder, mock=True),
            folder,
            newest=lambda: self._frame,
            playing=lambda: False,
            mock_pins=True,
        )

    def show(self, picture: Picture) -> StepView:
        """A picture comes twice: only what lies still is taken."""
        for _ in range(2):
            self._frame = Frame(picture=picture.copy(), time_ms=0, name="a")
            shown = self.setting_up.refresh()
        return shown

    def bare(self) -> StepView:
        """All boards lay down, and the table is bare."""
        self.setting_up.open("table")
        for flat in self.scene.flats:
            self.show(flat)
        return self.show(self.scene.empty)

    def do(self, act: str) -> StepView:
        return self.setting_up.do("table", act)


Shops = Callable[[OwnScene], OwnTableShop]


@pytest.fixture
def shop(tmp_path: Path) -> Shops:
    return lambda scene: OwnTableShop(scene, tmp_path)


def test_a_table_that_is_not_the_classic_one_is_measured_and_taken(shop: Shops) -> None:
    box = shop(own_scene(NARROW))
    shown = box.bare()
    assert shown.taken == 4
    assert not box.do("find").ok  # by the classic description there is no such sheet
    shown = box.do("measure")
    assert shown.ok, shown.text
    assert shown.say.startswith("Measured: zone lines at 51.")
    assert "The dot is 12." in shown.say
    lines = {line.name: line.text for line in shown.lines}
    assert lines["front of the 10 zone, from the edge"].startswith("77.")
    assert lines["front of the 10 zone, from the edge"].endswith("; on the classic table 88.9 mm")
    labels = {mark.label for mark in shown.marks if mark.kind == "line"}
    assert {"77.1", "77.0", "77.2"} & labels
    assert not (box.folder / "table.toml").exists()
    shown = box.do("take")
    assert shown.ok, shown.text
    text = (box.folder / "table.toml").read_text(encoding="utf-8")
    assert "front of the 10 zone, from the edge: 77." in text
    assert str(box.folder / "camera.json") in text.replace("\n# ", "")
    own = load_description(box.folder / "table.toml")
    assert own.end_zone.width_mm == pytest.approx(280.0, abs=0.5)
    assert shown.say.startswith("This is what was found.")
    assert box.do("keep").ok
    assert load_table(box.folder / "table.json").planned == own
    assert box.setting_up.open("table").lines[0].text.startswith("measured from your sheet")


def test_what_was_measured_may_be_left_and_the_classic_table_taken_again(shop: Shops) -> None:
    box = shop(own_scene(NARROW))
    box.bare()
    box.do("measure")
    shown = box.do("leave")
    assert {act.name for act in shown.acts} >= {"measure", "describe", "find"}
    assert not (box.folder / "table.toml").exists()
    shown = box.do("describe")
    assert load_description(box.folder / "table.toml") == load_description(CLASSIC)
    assert shown.lines[0].text.startswith("your own")
    shown = box.do("classic")
    assert shown.ok
    assert not (box.folder / "table.toml").exists()
    assert len(list(box.folder.glob("table-before-*.toml"))) == 1
    assert shown.lines[0].text.startswith("the classic sheet")


def test_zones_that_lie_otherwise_are_numbered_by_whoever_sets_up(shop: Shops) -> None:
    box = shop(own_scene(STRIPED))
    box.bare()
    shown = box.do("measure")
    assert shown.say.startswith("What does the zone that is drawn thick count? It is zone 1 of 3.")
    assert [mark.label for mark in shown.marks] == ["?"]
    for number in (2, 5, 20):
        shown = box.do(f"counts_{number}")
    assert shown.say.startswith("Measured: ")
    assert box.do("take").ok
    zones = load_description(box.folder / "table.toml").end_zone.zone
    assert sorted(zone.value for zone in zones) == [2, 5, 20]


def test_a_hand_over_the_sheet_is_told_and_nothing_is_written(shop: Shops) -> None:
    box = shop(own_scene(NARROW, covered=(-200.0, 300.0, -60.0, 500.0)))
    box.bare()
    shown = box.do("measure")
    assert not shown.ok
    assert shown.text.startswith("Something lies on the sheet or over its rim")
    assert not (box.folder / "table.toml").exists()

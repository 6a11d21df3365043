"""The steps that calibrate, on the simulated table: it holds the board, and what is found is the truth."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from calibration.files import load_camera, load_table
from calibration.fit import MORE, WISHES
from device.config import parse
from device.setup import SetupWizard, StepView, open_steps
from device.setup.board_steps import FLAT_PICTURES, LENS_PICTURES
from device.simulator.end_zone.table import laid
from device.simulator.table import SimulatedTable

LOOK_MS = 500.0


class SetUpTable:
    """A simulated table that is set up, looked at every half second of its own clock."""

    def __init__(self, folder: Path) -> None:
        self.now_ms = 0.0
        self.table = SimulatedTable(5, width=1600, height=1200, clock=lambda: self.now_ms, wait=self.wait)
        frames = self.table.frames()
        self.setting_up = SetupWizard(
            lambda: open_steps(parse(""), folder, mock=True, camera=self.table),
            folder,
            newest=lambda: next(frames),
            playing=lambda: False,
            mock_pins=True,
        )

    def wait(self, ms: float) -> None:
        self.now_ms += ms

    def look(self) -> StepView:
        self.now_ms += LOOK_MS
        return self.setting_up.refresh()

    def look_on(self, wanted: int) -> Iterator[StepView]:
        """Each look until so many pictures are taken."""
        for _ in range(8 * wanted):
            shown = self.look()
            yield shown
            if shown.taken == wanted:
                return


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("box")


@pytest.fixture(scope="module")
def lens_looks(folder: Path) -> list[StepView]:
    """All that was shown while the lens was calibrated, to its being kept."""
    table = SetUpTable(folder)
    table.setting_up.open("lens")
    shown = list(table.look_on(LENS_PICTURES))
    assert not (folder / "camera.json").exists()
    return [*shown, table.setting_up.do("lens", "keep")]


@pytest.mark.long
def test_sixteen_pictures_of_the_board_are_taken_by_themselves(lens_looks: list[StepView]) -> None:
    *looks, kept = lens_looks
    counts = [shown.taken for shown in looks]
    assert counts == sorted(counts)
    assert set(counts) == set(range(LENS_PICTURES + 1))
    assert kept.ok
    assert kept.step == "table"


@pytest.mark.long
def test_it_is_said_how_to_hold_the_board_until_every_view_was_taken(lens_looks: list[StepView]) -> None:
    said = [shown.say for shown in lens_looks[:-2]]
    assert said[0] == WISHES["straight"]
    assert any(words.startswith("Tilt it: ") for words in said)
    assert said[-1] == MORE


@pytest.mark.long
def test_the_error_is_shown_live_and_noted_and_the_lens_is_the_true_one(
    lens_looks: list[StepView], folder: Path
) -> None:
    fits = [hint.text for shown in lens_looks for hint in shown.hints if hint.name == "fit"]
    assert fits[0].startswith("Corners fit to 0.0")
    figure = next(step.figure for step in lens_looks[-1].steps if step.name == "lens")
    assert figure.startswith("0.0")
    assert figure.endswith(" px, 16 pictures")
    assert load_camera(folder / "camera.json").lens.focal_px == pytest.approx((1416, 1416), rel=0.001)


@pytest.mark.long
def test_the_sheet_is_found_drawn_over_the_picture_and_kept_with_the_old_one_beside_it(
    lens_looks: list[StepView], folder: Path
) -> None:
    assert lens_looks
    (folder / "table.json").write_text("an older one", encoding="utf-8")
    table = SetUpTable(folder)
    shown = table.setting_up.open("table")
    *_, shown = table.look_on(FLAT_PICTURES)
    assert shown.say.startswith("Take the board away")
    table.look()  # the board is put down
    shown = table.setting_up.do("table", "find")
    assert shown.ok, shown.text
    assert {mark.kind for mark in shown.marks} == {"zone", "tape", "edge"}
    drawn = np.array(next(mark.points for mark in shown.marks if mark.label == "2"))
    corners_mm = np.array(laid().zones[0].polygon_mm)
    true_px = [table.table.place_px((x, y, 0)) for x, y in corners_mm]
    assert all(np.linalg.norm(drawn - each, axis=1).min() < 1.5 for each in true_px)
    shown = table.setting_up.do("table", "keep")
    assert shown.ok
    assert load_table(folder / "table.json").sigma_mm < 0.2
    (older,) = folder.glob("table-before-*.json")
    assert older.read_text(encoding="utf-8") == "an older one"


def test_without_a_lens_the_table_says_what_comes_first(tmp_path: Path) -> None:
    table = SetUpTable(tmp_path)
    shown = table.setting_up.open("table")
    assert (shown.say, shown.acts) == ("The lens comes first: open the step Lens.", ())


@pytest.mark.long
def test_the_board_is_put_away_when_the_step_is_left_and_pictures_stay_taken(tmp_path: Path) -> None:
    table = SetUpTable(tmp_path)
    table.setting_up.open("lens")
    *_, shown = table.look_on(2)
    table.setting_up.open("panel")
    table.look()
    table.table.hold("nothing")
    assert table.setting_up.open("lens").taken == shown.taken

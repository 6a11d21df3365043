"""The drill template: every fitted part has its hole, no two meet, and the paper is to scale."""

import re
from itertools import combinations
from math import dist
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from device.cli import callbox
from device.config import parse
from device.printing import PaperError, button_plate, pages, plate_drawing
from device.printing.plate import LARGEST_MM, SMALLEST_MM, WALL_MM, Hole, Lamps, Plate
from device.printing.shapes import Disc
from device.wiring import BUTTONS, label

SHIPPED = parse("").panel


def names(plate: Plate) -> list[str]:
    return [hole.name for hole in plate.holes if hole.name != "screw"]


def test_each_button_and_lamp_of_the_settings_has_a_hole() -> None:
    beside, inside = button_plate(SHIPPED), button_plate(SHIPPED, lamps="inside")
    buttons = [*map(label, BUTTONS), "OFF"]
    assert sorted(names(beside)) == sorted([*buttons, "STATUS", *(f"{name}, lamp" for name in buttons)])
    assert sorted(names(inside)) == sorted([*buttons, "STATUS"])


def test_what_is_not_fitted_gets_no_hole() -> None:
    two = "".join(
        f"[panel.{kind}]\n" + "".join(f"{name} = 'none'\n" for name in ("bet3", "bet4", "cache"))
        for kind in ("buttons", "lamps")
    )
    signs = "[panel.off]\nbutton = 'none'\n[panel.status]\nred = 'none'\ngreen = 'none'\nblue = 'none'\n"
    found = names(button_plate(parse(two + signs).panel, lamps="inside"))
    assert sorted(found) == sorted(["BET 1", "BET 2", "STOP", "ROLL DONE", "UNDO"])


@given(st.floats(SMALLEST_MM, LARGEST_MM), st.sampled_from(["beside", "inside"]))
def test_no_two_holes_meet_and_a_finger_fits_between_buttons(hole_mm: float, lamps: Lamps) -> None:
    plate = button_plate(SHIPPED, hole_mm, lamps)
    for one, other in combinations(plate.holes, 2):
        wall = dist(one.center_mm, other.center_mm) - (one.diameter_mm + other.diameter_mm) / 2
        assert wall >= WALL_MM
        if min(one.diameter_mm, other.diameter_mm) >= SMALLEST_MM:
            assert wall > 19.0, (one.name, other.name)


def test_plates_that_would_break_are_refused() -> None:
    def plate(*holes: Hole) -> Plate:
        return Plate(width_mm=100, height_mm=100, holes=holes)

    hole = Hole(name="STOP", center_mm=(50, 50), diameter_mm=24)
    with pytest.raises(ValueError, match="too near to the plate's edge"):
        plate(Hole(name="STOP", center_mm=(15, 50), diameter_mm=24))
    with pytest.raises(ValueError, match=re.escape("2.0 mm are left between the holes of STOP and UNDO")):
        plate(hole, Hole(name="UNDO", center_mm=(50, 76), diameter_mm=24))
    with pytest.raises(PaperError, match="16, 24 and 30 mm are usual"):
        button_plate(SHIPPED, 60)


@pytest.mark.parametrize("hole_mm", [16.0, 24.0, 30.0])
def test_the_template_is_one_page_of_a4_with_every_hole_as_wide_as_it_is(hole_mm: float) -> None:
    plate = button_plate(SHIPPED, hole_mm)
    (page,) = pages(plate_drawing(plate), "A4")
    rims = sorted(2 * shape.radius_mm for shape in page.shapes if isinstance(shape, Disc) and shape.stroke)
    assert rims == sorted(hole.diameter_mm for hole in plate.holes)
    assert any(getattr(mark, "text", "").startswith("This ruler is 100.0 mm long") for mark in page.marks)


def test_the_command_prints_the_plate_and_names_the_drills(tmp_path: Path) -> None:
    out = tmp_path / "plate.pdf"
    told = CliRunner().invoke(
        callbox, ["print", "plate", "--hole", "30", "--lamps", "inside", "-o", str(out)]
    )
    assert told.exit_code == 0, told.output
    assert out.read_bytes().startswith(b"%PDF")
    assert "Drills: 8 x 30 mm, 1 x 16 mm, 1 x 5 mm, 4 x 3.2 mm." in told.stderr
    wrong = CliRunner().invoke(callbox, ["print", "plate", "--hole", "99", "-o", str(out)])
    assert (wrong.exit_code, "usual" in wrong.stderr) == (2, True)

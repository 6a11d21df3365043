"""`callbox plan`: fields of view by hand, and what follows from the readers' own figures."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from device.cameras.hanging import SENSORS, CannotHang, HungCamera, hang
from device.commands.plan import command
from vision.legible import EDGE_NEEDED, LEAN_LEAST_PX_PER_MM, OUTLINE_MM, legible, outline_mm

DOCS = Path(__file__).parents[3] / "docs"


def ran(*words: str, tmp_path: Path) -> Result:
    settings = tmp_path / "callbox.toml"
    settings.write_text("")
    return CliRunner().invoke(command, ["--config", str(settings), *words])


def hq(height_mm: float = 1000.0, size_px: tuple[int, int] = (1280, 960), fps: float = 20.0) -> HungCamera:
    return hang(SENSORS["hq"], 6.0, height_mm, size_px, fps)


def test_an_hq_camera_with_6_mm_at_one_metre_sees_what_its_sensor_says() -> None:
    plan = hq()
    # 6.287 x 4.712 mm of sensor through 6 mm at 1000 mm.
    assert plan.seen_mm == pytest.approx((6.287 / 6 * 1000, 4.712 / 6 * 1000), rel=2e-3)
    assert plan.mm_per_px == pytest.approx(0.818, abs=0.002)
    assert plan.large_px == (2024, 1518), "as docs/running.md has it"


@pytest.mark.parametrize(
    ("kind", "lens_mm", "large"), [("module3", None, (1728, 1296)), ("gs", 6.0, (1448, 1086))]
)
def test_the_mode_and_the_larger_picture_are_those_the_box_takes(
    kind: str, lens_mm: float | None, large: tuple[int, int]
) -> None:
    assert hang(SENSORS[kind], lens_mm, 600, (1280, 960), 20).large_px == large


@pytest.mark.parametrize(("kind", "across_deg"), [("module3", 66.0), ("module3-wide", 102.0)])
def test_a_built_in_lens_sees_what_its_maker_states(kind: str, across_deg: float) -> None:
    lens_mm = SENSORS[kind].lens_mm
    assert lens_mm is not None
    wide = hang(SENSORS[kind], None, 1000, (1280, 720), 20).seen_mm[0]
    assert wide == pytest.approx(2 * 1000 * {66.0: 0.6494, 102.0: 1.2349}[across_deg], rel=2e-3)


def test_pictures_larger_than_a_fast_mode_gives_take_a_slower_one() -> None:
    assert (hq(size_px=(4056, 3040), fps=10).mode.width_px, hq(fps=10).mode.width_px) == (4056, 2028)
    with pytest.raises(CannotHang, match="2028 x 1520 at most"):
        hq(size_px=(4056, 3040), fps=20)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("--camera hq --height 1000", "say which, such as --lens 6mm"),
        ("--camera module3 --lens 6mm --height 1000", "lens is built in"),
        ("--camera gs --lens 6 --height 1000 --fps 90", "60.38 pictures a second at most"),
        ("--camera usb --height 1000", "--view 70"),
        ("--camera hq --lens long --height 1000", "no focal length"),
        ("--camera hq --lens 6 --height 1000 --size big", "write it as 1280x960"),
    ],
)
def test_what_cannot_be_planned_is_said_in_a_sentence(words: str, says: str, tmp_path: Path) -> None:
    done = ran(*words.split(), tmp_path=tmp_path)
    assert done.exit_code == 2
    assert says in done.output


def test_the_command_prints_field_pixels_and_what_follows(tmp_path: Path) -> None:
    done = ran(*["--camera", "module3", "--height", "600"], tmp_path=tmp_path)
    assert done.exit_code == 0
    assert "sees      585 x 438 mm of the table" in done.stdout
    assert "dice with pips  16 mm are 35 px: well (needs 25, 32 to be sure)" in done.stdout
    assert "D4              19 mm are 56 px: often unsure (needs 52, 66 to be sure)" in done.stdout
    assert "outline is off by 0.15 mm on average" in done.stdout
    assert "leaning dice are left to people" in done.stdout


def test_a_usb_camera_is_planned_by_what_it_sees_across(tmp_path: Path) -> None:
    done = ran(
        *["--camera", "usb", "--view", "90", "--height", "500", "--size", "1920x1080"], tmp_path=tmp_path
    )
    assert "sees      1000 x 562 mm" in done.stdout
    assert "no larger picture beside it" in done.stdout


def test_too_high_to_measure_is_said(tmp_path: Path) -> None:
    done = ran(*["--camera", "hq", "--lens", "6mm", "--height", "2000"], tmp_path=tmp_path)
    assert "coarser than was ever measured" in done.stdout


def test_a_die_is_legible_by_its_kind() -> None:
    assert [legible("pip", edge) for edge in (24.9, 25, 31.9, 32)] == [
        "no",
        "often unsure",
        "often unsure",
        "well",
    ]
    assert [legible("d4", edge) for edge in (51.9, 52, 66)] == ["no", "often unsure", "well"]
    assert outline_mm(0.96) is None
    assert outline_mm(0.31) == OUTLINE_MM[1][1:]


def test_the_figures_are_those_that_the_documents_tell() -> None:
    reading = (DOCS / "reading.md").read_text(encoding="utf-8")
    study = (DOCS / "landing-study.md").read_text(encoding="utf-8")
    assert f"edge is below about {EDGE_NEEDED['pip'].least_px:.0f} pixels" in reading
    assert f"D4 whose edge is {EDGE_NEEDED['d4'].least_px:.0f} pixels or longer" in reading
    assert f"D4 are read from edges of {EDGE_NEEDED['d4'].well_px:.0f} pixels on" in reading
    assert f"only above {LEAN_LEAST_PX_PER_MM} px per mm" in study
    row = next(line for line in study.splitlines() if line.startswith("| outline: mean, 95th"))
    for cell, (_, mean, most) in zip(row.split("|")[2:], OUTLINE_MM, strict=False):
        assert cell.strip().startswith(f"{mean}, {most}")

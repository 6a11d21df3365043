"""Where a table's description comes from: `callbox calibrate describe`."""

from pathlib import Path

from click.testing import CliRunner

from calibration.description import load_description
from device.cli import callbox
from device.simulator.end_zone.table import planned


def test_the_classic_table_is_described_and_printed(tmp_path: Path) -> None:
    described, sheet = tmp_path / "table.toml", tmp_path / "sheet.pdf"
    assert CliRunner().invoke(callbox, ["calibrate", "describe", "-o", str(described)]).exit_code == 0
    assert load_description(described) == planned()
    told = CliRunner().invoke(callbox, ["print", "sheet", "--table", str(described), "-o", str(sheet)])
    assert (told.exit_code, sheet.read_bytes()[:4]) == (0, b"%PDF")


def test_a_description_that_somebody_has_changed_is_kept(tmp_path: Path) -> None:
    described = tmp_path / "table.toml"
    described.write_text("mine", encoding="utf-8")
    told = CliRunner().invoke(callbox, ["calibrate", "describe", "-o", str(described)])
    assert (told.exit_code, described.read_text(encoding="utf-8")) == (2, "mine")
    assert "exists and is kept" in told.output

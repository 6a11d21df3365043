"""`callbox calibrate`: JSON lines, files and exit statuses as the contract has them."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from calibration.files import load_camera, load_table, save_camera
from device.cli import callbox
from tests.calibration.conftest import BOARD, Scene
from tests.calibration.fit.test_lens import views
from tests.calibration.stage import Lying, lens, painted, plain

TABLE_TOML = """
[table]
halfway_y_mm = 1219.2
surface_width_mm = 762.0
[end_zone]
width_mm = 304.8
depth_mm = 457.2
dot = { x_mm = 0.0, y_mm = 260.0, diameter_mm = 9.0 }
[[end_zone.zone]]
value = 2
color = "#2f9e44"
polygon_mm = [[-152.4, 0.0], [152.4, 0.0], [152.4, 457.2], [-152.4, 457.2]]
[[end_zone.zone]]
value = 10
color = "#1c5fb8"
polygon_mm = [[-152.4, 0.0], [152.4, 0.0], [152.4, 88.9], [-152.4, 88.9]]
[[end_zone.zone]]
value = 5
color = "#e8b021"
polygon_mm = [[-88.9, 88.9], [88.9, 88.9], [88.9, 381.0], [-88.9, 381.0]]
[[end_zone.zone]]
value = 20
color = "#c92a2a"
polygon_mm = [[-44.45, 0.0], [44.45, 0.0], [44.45, 63.5], [-44.45, 63.5]]
[tape]
width_mm = 19.05
side_lines_x_mm = [-152.4, 152.4]
"""


def run(*words: object) -> tuple[Result, list[dict[str, Any]]]:
    """The command's end and its lines; every line of standard output is a JSON object."""
    result = CliRunner().invoke(callbox, ["calibrate", *map(str, words)])
    assert result.exception is None or isinstance(result.exception, SystemExit)
    if result.exit_code == 2:
        return result, []
    return result, [json.loads(line) for line in result.stdout.splitlines()]


@pytest.fixture(scope="module")
def lens_pictures(tmp_path_factory: pytest.TempPathFactory) -> Sequence[Path]:
    """Seven pictures of the board, held every way."""
    folder = tmp_path_factory.mktemp("lens")
    small = lens(640, 480)
    for i, view in enumerate(views(7, 21)):
        held = type(view)(lens=small, rotation=view.rotation, translation_mm=view.translation_mm)
        cv2.imwrite(str(folder / f"{i}.png"), painted(held, Lying(BOARD).over(plain()), rays=8, seed=i))
    return sorted(folder.iterdir())


@pytest.mark.long
def test_camera_writes_the_lens_and_says_how_well_it_fits(
    lens_pictures: Sequence[Path], tmp_path: Path
) -> None:
    out = tmp_path / "camera.json"
    text = tmp_path / "notes.jpg"
    text.write_text("this is no picture")
    odd = tmp_path / "odd.png"
    cv2.imwrite(str(odd), np.asarray(cv2.imread(str(lens_pictures[0])))[:, 40:])
    result, lines = run("camera", *lens_pictures, text, odd, "--board", BOARD.name, "-o", out)
    assert result.exit_code == 1
    refused = {Path(line["image"]).name: line["error"] for line in lines if "error" in line}
    assert refused["notes.jpg"].startswith("this is no picture")
    assert "it is 600 x 480, and most are 640 x 480" in refused["odd.png"]
    last = lines[-1]
    assert (last["used"], last["refused"]) == (7, 2)
    camera = load_camera(out)
    assert camera.rms_px == pytest.approx(last["rms_px"], abs=1e-4)
    assert camera.rms_px < 0.15
    sigma = camera.covariance_matrix[0, 0] ** 0.5
    assert abs(camera.lens.focal_px[0] - 576.0) < max(4 * sigma, 1.5)
    assert "9 pictures" not in result.stderr
    assert "7 pictures used, 2 refused" in result.stderr


@pytest.mark.long
def test_camera_refuses_a_wrong_board_with_the_reason(lens_pictures: Sequence[Path], tmp_path: Path) -> None:
    out = tmp_path / "camera.json"
    board = BOARD.name.replace("5X5_100", "4X4_50")
    result, lines = run("camera", lens_pictures[0], "--board", board, "-o", out)
    assert result.exit_code == 1
    assert "Only 0 of the pictures can be used" in lines[-1]["error"]
    assert "its markers are of DICT_5X5, not of DICT_4X4_50" in lines[-1]["error"]
    assert not out.exists()


@pytest.mark.parametrize("board", ["charuco:8x6", "charuco:8x6:26:34:DICT_5X5_100"])
def test_a_board_that_cannot_be_is_wrong_use(tmp_path: Path, board: str) -> None:
    result, _ = run("camera", "a.jpg", "--board", board, "-o", tmp_path / "camera.json")
    assert result.exit_code == 2
    assert "charuco:" in result.stderr


@pytest.fixture(scope="module")
def files(scene: Scene, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with all that `calibrate table` is given."""
    folder = tmp_path_factory.mktemp("table")
    for i, picture in enumerate(scene.flats):
        cv2.imwrite(str(folder / f"flat{i}.png"), picture)
    cv2.imwrite(str(folder / "empty.png"), scene.empty)
    save_camera(scene.camera, folder / "camera.json")
    (folder / "table.toml").write_text(TABLE_TOML)
    return folder


def table(files: Path, out: Path, *more: object, **other: Path) -> tuple[Result, list[dict[str, Any]]]:
    """`callbox calibrate table` with some of the files exchanged."""
    given = {
        "camera": files / "camera.json",
        "table": files / "table.toml",
        "empty": files / "empty.png",
    } | other
    words = [word for name, path in given.items() for word in (f"--{name}", path)]
    return run("table", *words, "--board", BOARD.name, "-o", out, *more)


@pytest.mark.long
def test_table_writes_the_table_and_says_where_its_lines_lie(files: Path, tmp_path: Path) -> None:
    out = tmp_path / "table.json"
    flats = [word for i in range(4) for word in ("--flat", files / f"flat{i}.png")]
    result, lines = table(files, out, *flats)
    assert result.exit_code == 0, result.output
    features = {line["feature"]: line for line in lines if "feature" in line}
    assert features["front of the 2 zone"]["measured"]
    assert features["front of the 2 zone"]["off_plan_mm"] == pytest.approx(-1.57, abs=0.3)
    assert 0 < features["front of the 2 zone"]["residual_mm"] < 0.3
    assert not features["far edge of the halfway tape"]["measured"]
    last = lines[-1]
    assert last["calibration"] == str(out)
    assert last["landmarks"] >= 8
    made = load_table(out)
    assert made.sigma_mm == pytest.approx(last["sigma_mm"], abs=1e-4)
    assert "places are sure to" in result.stderr


@pytest.mark.long
def test_flat_pictures_may_stand_one_after_the_other(files: Path, tmp_path: Path) -> None:
    """As the shell writes `--flat flats/*.png` out; one that shows no board is refused, the others do."""
    out = tmp_path / "table.json"
    flats = ("--flat", files / "flat0.png", files / "empty.png", files / "flat3.png")
    result, lines = table(files, out, "--end", "far", *flats)
    assert result.exit_code == 1
    assert [Path(line["image"]).name for line in lines if "error" in line] == ["empty.png"]
    assert load_table(out).laid.zones
    assert load_table(out).end == "far"
    assert any("Fewer than three flat boards" in note for note in lines[-1]["notes"])


@pytest.mark.long
def test_table_names_what_it_cannot_read(files: Path, tmp_path: Path) -> None:
    flat = ("--flat", files / "flat0.png")
    out = tmp_path / "table.json"
    for other, says in (
        ({"camera": files / "table.toml"}, "is no calibration"),
        ({"table": files / "camera.json"}, "is not TOML"),
        ({"empty": files / "nothing.png"}, "there is no such file"),
        ({"empty": files / "table.toml"}, "this is no picture"),
    ):
        result, lines = table(files, out, *flat, **other)
        assert result.exit_code == 1
        assert says in lines[-1]["error"]
        assert not out.exists()


@pytest.mark.long
def test_no_board_in_any_flat_picture(files: Path, tmp_path: Path) -> None:
    result, lines = table(files, tmp_path / "table.json", "--flat", files / "empty.png")
    assert result.exit_code == 1
    assert "None of the flat pictures shows the board" in lines[-1]["error"]

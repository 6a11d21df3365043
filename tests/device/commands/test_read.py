"""`callbox read` keeps its contract."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result
from PIL import Image

from calibration.files import save_table
from device.commands.read import command
from device.simulator.end_zone import table as end_zone
from models.scenes import draw as draw_any
from tests.vision.scenes import Drawn, Scene, draw
from tests.vision.test_pictures import png
from tests.vision.test_whole import nearly, throw
from vision.learned.networks import Networks
from vision.reader import Reader


def run(*arguments: object) -> Result:
    """Run the command in this process."""
    return CliRunner().invoke(command, [str(argument) for argument in arguments])


@pytest.fixture(scope="module")
def photo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A five and a two."""
    path = tmp_path_factory.mktemp("photos") / "a.jpg"
    dice = (Drawn(5, 300, 300), Drawn(2, 700, 500, yaw_deg=50))
    cv2.imwrite(str(path), draw(Scene(dice, width=1000, height=750)))
    return path


def test_one_json_object_a_line(photo: Path) -> None:
    result = run(photo, photo, "--json")
    assert result.exit_code == 0
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert len(lines) == 2
    for line in lines:
        assert set(line) >= {"image", "width", "height", "elapsed_ms", "dice", "unsure"}
        assert (line["image"], line["width"], line["height"]) == (str(photo), 1000, 750)
        assert line["elapsed_ms"] > 0
        assert [die["value"] for die in line["dice"]] == [5, 2]
        for die in line["dice"]:
            assert set(die) >= {"kind", "value", "confidence", "color", "center", "corners"}
            assert die["kind"] == "pip"
            assert 0 < die["confidence"] <= 1
            assert np.shape(die["corners"]) == (4, 2)


def test_what_an_unsure_die_most_likely_shows_is_not_told(
    photo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Reader, "read", lambda *_: throw(nearly(0.6)))
    (unsure,) = json.loads(run(photo, "--json").stdout)["unsure"]
    assert unsure == {"center": [400.0, 200.0], "reason": "faint"}


def test_a_readable_line_without_json(photo: Path) -> None:
    result = run(photo)
    assert result.stdout == f"{photo}: 5 (ivory), 2 (ivory)\n"
    assert result.exit_code == 0


def test_a_bad_picture_has_its_own_line_and_the_rest_is_read(photo: Path, tmp_path: Path) -> None:
    short = tmp_path / "short.jpg"
    short.write_bytes(photo.read_bytes()[:9000])
    result = run(tmp_path / "missing.jpg", photo, short, tmp_path, "--json")
    assert result.exit_code == 1
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert [set(line) == {"image", "error"} for line in lines] == [True, False, True, True]
    assert "no such file" in lines[0]["error"]
    assert "cut short" in lines[2]["error"]
    assert "a folder" in lines[3]["error"]


def test_a_missing_network_is_told_in_a_sentence(
    photo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = Networks(finder=tmp_path / "gone.onnx")
    monkeypatch.setattr("device.commands.read.Reader", lambda threads: Reader(threads, gone))
    result = run(photo, "--json")
    assert result.exit_code == 1
    assert "gone.onnx is missing from the models folder" in json.loads(result.stdout)["error"]


@pytest.fixture(scope="module")
def calibration(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The calibration of a camera over an End Zone, for pictures of 1600 x 1200."""
    path = tmp_path_factory.mktemp("calibration") / "table.json"
    save_table(end_zone.known_table(1600, 1200), path)
    return path


def test_with_a_calibration_the_same_dice_are_read(photo: Path, calibration: Path) -> None:
    """The picture is smaller than those of the calibration, and of the same shape."""
    result = run(photo, "--calibration", calibration, "--json")
    assert result.exit_code == 0
    assert result.stderr == ""
    assert [die["value"] for die in json.loads(result.stdout)["dice"]] == [5, 2]


def test_a_picture_of_another_shape_is_read_without_the_calibration(
    photo: Path, calibration: Path, tmp_path: Path
) -> None:
    wide = tmp_path / "wide.png"
    cv2.imwrite(str(wide), np.asarray(cv2.imread(str(photo)))[:600])
    result = run(wide, wide, "--calibration", calibration, "--json")
    assert result.exit_code == 0
    assert result.stderr.count("1000 x 600") == 1
    assert [[die["value"] for die in json.loads(line)["dice"]] for line in result.stdout.splitlines()] == [
        [5, 2],
        [5, 2],
    ]


@pytest.mark.parametrize("text", [None, "no json", '{"kind": "callbox camera", "version": 1}'])
def test_a_calibration_that_is_missing_or_broken_is_told_in_a_sentence(
    photo: Path, tmp_path: Path, text: str | None
) -> None:
    broken = tmp_path / "table.json"
    if text is not None:
        broken.write_text(text)
    result = run(photo, "--calibration", broken, "--json")
    assert result.exit_code == 1
    (line,) = (json.loads(line) for line in result.stdout.splitlines())
    assert line["image"] == str(photo)
    assert "callbox calibrate table" in line["error"]


@pytest.mark.parametrize("arguments", [[], ["a.jpg", "--dice", "d20"], ["--threads", "0", "a.jpg"]])
def test_wrong_use_is_status_2(arguments: list[str]) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""


@pytest.mark.parametrize("kind", ["bet", "d4"])
def test_pip_dice_are_not_taken_for_another_kind(photo: Path, kind: str) -> None:
    line = json.loads(run(photo, "--json", "--dice", kind).stdout)
    assert line["dice"] == []
    assert {place["reason"] for place in line["unsure"]} == {"a die of a kind that was not expected"}
    assert len(line["unsure"]) == 2


@pytest.mark.long
def test_coordinates_of_a_reduced_picture_are_those_of_the_given_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vision.pictures.WHOLE_PIXELS", 6_000_000)
    scene = draw(Scene((Drawn(3, 600, 450, edge=160), Drawn(6, 1500, 600, edge=160)), width=2000, height=900))
    wide = np.concatenate([np.tile(scene[:, :400], (1, 25, 1)), scene], axis=1)
    path = tmp_path / "wide.jpg"
    cv2.imwrite(str(path), wide)
    line = json.loads(run(path, "--json").stdout)
    assert (line["width"], line["height"]) == (12000, 900)
    # So far from the middle of so wide a picture no die stands as a flat one would: where it lies is told.
    centers = np.array([die["center"] for die in (*line["dice"], *line["unsure"])])
    assert np.abs(centers - (10600, 450)).max(axis=1).min() < 4


@pytest.mark.long
def test_nothing_but_lines_on_standard_output_even_from_the_decoders(photo: Path, tmp_path: Path) -> None:
    broken = bytearray(photo.read_bytes())
    middle = len(broken) // 2
    broken[middle : middle + 400] = bytes(400)  # libjpeg warns of this on the C side
    path = tmp_path / "broken.jpg"
    path.write_bytes(broken)
    name = "caf\udce9.jpg"  # a name that is no UTF-8
    (tmp_path / name).write_bytes(photo.read_bytes())
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "from device.cli import main; main()",
            "read",
            "--json",
            path,
            tmp_path / name,
        ],
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(lines) == 2
    assert b"Traceback" not in done.stderr


def read_lines(*pictures: Path) -> list[dict[str, Any]]:
    """The lines of pictures of which each one can be read."""
    result = run(*pictures, "--json")
    assert result.exit_code == 0, result.stdout
    return [json.loads(line) for line in result.stdout.splitlines()]


def stored(folder: Path, **pictures: np.ndarray) -> list[Path]:
    """Pictures as PNG files."""
    for name, picture in pictures.items():
        cv2.imwrite(str(folder / f"{name}.png"), picture)
    return [folder / f"{name}.png" for name in pictures]


def test_the_same_is_read_in_16_bit_grey_alpha_and_four_inks(photo: Path, tmp_path: Path) -> None:
    picture = np.asarray(cv2.imread(str(photo)))
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY))
    paths = stored(
        tmp_path,
        deep=picture.astype(np.uint16) * 257,
        grey=grey,
        deep_grey=grey.astype(np.uint16) * 257,
        alpha=np.dstack((picture, np.full_like(grey, 255))),
    )
    Image.open(photo).convert("CMYK").save(tmp_path / "inks.jpg", quality=95)
    for line in read_lines(*paths, tmp_path / "inks.jpg"):
        assert [(die["kind"], die["value"]) for die in line["dice"]] == [("pip", 5), ("pip", 2)], line[
            "image"
        ]
        assert line["unsure"] == []


def test_nothing_is_read_where_nothing_lies(tmp_path: Path) -> None:
    paths = stored(
        tmp_path,
        table=draw(Scene((), width=640, height=480)),
        black=np.zeros((480, 640, 3), np.uint8),
        one_pixel=np.full((1, 1, 3), 90, np.uint8),
        line=np.full((1, 3000, 3), 90, np.uint8),
    )
    for line in read_lines(*paths):
        assert (line["dice"], line["unsure"]) == ([], []), line["image"]


@pytest.mark.long
def test_forty_dice_are_each_read_or_told(tmp_path: Path) -> None:
    dice = tuple(Drawn(1 + i % 6, 90 + i % 8 * 140, 90 + i // 8 * 140, yaw_deg=17 * i) for i in range(40))
    (path,) = stored(tmp_path, forty=draw(Scene(dice, width=1160, height=740)))
    (line,) = read_lines(path)
    centers = np.array([(die.x, die.y) for die in dice])
    found = [int(np.hypot(*(centers - one["center"]).T).argmin()) for one in (*line["dice"], *line["unsure"])]
    assert sorted(found) == list(range(40))
    faces = [dice[i].face for i in found[: len(line["dice"])]]
    assert [die["value"] for die in line["dice"]] == faces
    assert len(faces) >= 35


def test_a_die_larger_than_the_picture_is_not_guessed(tmp_path: Path) -> None:
    (path,) = stored(tmp_path, close=draw(Scene((Drawn(5, 320, 240, edge=750),), width=640, height=480)))
    (line,) = read_lines(path)
    assert line["dice"] == []


def test_dice_of_no_known_kind_are_not_guessed(tmp_path: Path) -> None:
    scene = draw_any(96_031, kinds=("foreign",))
    assert len(scene.dice) == 3
    (path,) = stored(tmp_path, foreign=scene.picture)
    (line,) = read_lines(path)
    assert line["dice"] == []
    assert line["unsure"]


def test_a_text_and_half_a_file_are_told_in_a_sentence(photo: Path, tmp_path: Path) -> None:
    text, half = tmp_path / "text.jpg", tmp_path / "half.jpg"
    text.write_text("dear dice")
    half.write_bytes(photo.read_bytes()[: photo.stat().st_size // 2])
    result = run(text, half)
    assert result.exit_code == 1
    assert result.stdout == (
        f"{text}: this is no picture; JPEG, PNG, WebP, BMP and TIFF can be read\n"
        f"{half}: the JPEG is cut short: its end is missing; take or copy it again\n"
    )


MOST_MB = 700
PEAK = """
import sys
from device.cli import main
try:
    main()
finally:
    lines = open("/proc/self/status").read().splitlines()
    print(next(line for line in lines if line.startswith("VmHWM")).split()[1], file=sys.stderr)
"""
"""Runs the command and tells the most memory it ever held, in kB."""


@pytest.mark.long
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="Linux tells how much memory was held")
def test_a_panorama_and_a_bomb_leave_memory_bounded(tmp_path: Path) -> None:
    dice = draw(Scene((Drawn(3, 600, 200, edge=120),), width=2000, height=400))
    (wide,) = stored(tmp_path, wide=np.tile(dice, (1, 10, 1)))
    bomb = tmp_path / "bomb.png"
    bomb.write_bytes(png(60_000, 60_000))
    command: list[str | Path] = [sys.executable, "-c", PEAK, "read", "--json", wide, bomb]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    first, second = (json.loads(line) for line in done.stdout.splitlines())
    assert (first["width"], first["height"]) == (20_000, 400)
    assert [die["value"] for die in first["dice"]] == [3] * 10
    assert "60000 x 60000" in second["error"]
    assert int(done.stderr.split()[-1]) / 1000 < MOST_MB

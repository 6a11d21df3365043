"""`callbox read` keeps its contract."""

import json
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from device.commands.read import command
from tests.vision.scenes import Drawn, Scene, draw


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


def test_coordinates_of_a_reduced_picture_are_those_of_the_given_one(tmp_path: Path) -> None:
    scene = draw(Scene((Drawn(3, 600, 450, edge=160), Drawn(6, 1500, 600, edge=160)), width=2000, height=900))
    wide = np.tile(scene, (2, 10, 1))
    path = tmp_path / "wide.jpg"
    cv2.imwrite(str(path), wide)
    line = json.loads(run(path, "--json").stdout)
    assert (line["width"], line["height"]) == (20000, 1800)
    centers = np.array([die["center"] for die in line["dice"] if die["value"] == 3])
    assert np.abs(centers - (600, 450)).max(axis=1).min() < 4
    assert np.abs(centers - (18600, 1350)).max(axis=1).min() < 4


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

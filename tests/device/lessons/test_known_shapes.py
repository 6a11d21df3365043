"""The shapes of the owner's dice, on the disk: they come back, or a sentence says why not."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from calibration.description import Dice
from device.lessons.known_shapes import MOST_BYTES, keep_shapes, known_shapes, shapes_of, shapes_path
from tests.vision.landing.lying import die_at
from vision.landing.shapes import KeptShape

RED = KeptShape(color="red", tint=(36.0, 40.0, 23.0), rows=((90.0, 0.0), (0.0, 20.0)), sums=(1440.0, 50.0))
TINT = np.array(RED.tint)
RED_DIE = replace(die_at(10.0, 200.0, 5.0), color="red", rounding_mm=2.4, rounding_sigma_mm=0.3)


def test_nothing_is_known_where_nothing_was_taught(tmp_path: Path) -> None:
    assert known_shapes(tmp_path, pytest.fail) == ()
    assert shapes_of(Dice(), tmp_path, pytest.fail) is None


def test_what_was_taught_is_used_and_learnt_further_and_kept(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    keep_shapes((RED,), folder)
    shapes = shapes_of(Dice(), folder, pytest.fail)
    assert shapes is not None
    assert shapes.shapes == (RED,)
    (better,) = shapes.improve([RED_DIE], [TINT])
    assert better.rounding_sigma_mm < RED_DIE.rounding_sigma_mm
    (kept,) = known_shapes(folder, pytest.fail)
    assert kept.taught == ((10.0, 200.0, 5.0),)
    assert [each.name for each in folder.iterdir()] == ["shapes.json"]


def test_dice_of_one_set_are_learnt_and_kept_without_being_taught(tmp_path: Path) -> None:
    shapes = shapes_of(Dice(of_one_set=True), tmp_path, pytest.fail)
    assert shapes is not None
    shapes.improve([RED_DIE], [TINT])
    assert [shape.color for shape in known_shapes(tmp_path, pytest.fail)] == ["red"]


@pytest.mark.parametrize(
    ("content", "says"), [(b"no json", "This file is damaged"), (b" " * (MOST_BYTES + 1), "is too large")]
)
def test_what_cannot_be_used_is_told_and_left_out(tmp_path: Path, content: bytes, says: str) -> None:
    shapes_path(tmp_path).write_bytes(content)
    said: list[str] = []
    assert shapes_of(Dice(), tmp_path, said.append) is None
    (sentence,) = said
    assert sentence.startswith(str(shapes_path(tmp_path)))
    assert says in sentence
    assert shapes_path(tmp_path).read_bytes() == content


def test_a_folder_that_takes_nothing_costs_a_sentence_and_no_landing(tmp_path: Path) -> None:
    said: list[str] = []
    shapes = shapes_of(Dice(of_one_set=True), tmp_path, said.append)
    shapes_path(tmp_path).mkdir()
    assert shapes is not None
    assert shapes.improve([RED_DIE], [TINT]) == (RED_DIE,)
    assert "is not kept" in said[0]

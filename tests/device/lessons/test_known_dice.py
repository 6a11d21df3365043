"""What was learnt of the owner's dice, on the disk: it comes back, or a sentence says why not."""

from pathlib import Path

import numpy as np
import pytest

from device.lessons.known_dice import MOST_BYTES, dice_path, drawn_pictures, keep_known, known_dice
from models.files import FACES
from vision.learned.custom_dice import learn_faces


def test_what_was_learnt_comes_back(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    assert known_dice(folder, pytest.fail) is None
    keep_known(learn_faces([("one", np.ones(64, np.float32), 4)], FACES), folder)
    found = known_dice(folder, pytest.fail)
    assert found is not None
    assert found.pictures == ("one",)
    assert [each.name for each in folder.iterdir()] == ["dice.json"]


@pytest.mark.parametrize(
    ("content", "says"),
    [(b"no json", "This file is damaged"), (b" " * (MOST_BYTES + 1), "is too large")],
)
def test_what_cannot_be_used_is_told_and_left_out(tmp_path: Path, content: bytes, says: str) -> None:
    dice_path(tmp_path).write_bytes(content)
    said: list[str] = []
    assert known_dice(tmp_path, said.append) is None
    (sentence,) = said
    assert sentence.startswith(str(dice_path(tmp_path)))
    assert says in sentence


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    dice_path(tmp_path).mkdir()
    said: list[str] = []
    assert known_dice(tmp_path, said.append) is None
    assert "cannot be read: Is a directory" in said[0]


@pytest.mark.long
def test_a_drawn_die_under_a_hand_is_one_seen_in_part() -> None:
    """It shows a three, and whoever reads that is right: learning is not refused for it."""
    (drawn,) = (one for one in drawn_pictures(19) if one.name == "drawn 98018")
    (three,) = drawn.in_part
    assert three not in drawn.dice
    assert (three.kind, three.value) == ("pip", 3)
    assert three.center_px == pytest.approx((239.6, 406.1), abs=0.1)

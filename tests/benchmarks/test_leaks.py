"""What becomes of dice on the way to the answer is counted once each, by place or by value."""

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from benchmarks.photographs import LabelledPicture, Lying, drawn, painted, photographs
from benchmarks.reading import Leaks, count, count_in_place
from engine.dice import Die
from models.scenes import draw
from models.training.photos import PhotoTruth
from models.training.targets import lying_of
from vision.face_place import FacePlace
from vision.learned.contract import CLASSES, DICE, FOREIGN, POSES
from vision.learned.faces import Face
from vision.learned.networks import Networks
from vision.learned.reader import JudgedFace
from vision.pictures import load_sized

SCENE_SEED = 96_017
"""A drawn scene of eight plain pip dice, which nothing learns from."""


def found(die: Die | None, x: float, y: float, confidence: float) -> JudgedFace:
    """A find that was read."""
    chances = np.zeros(len(CLASSES), np.float32)
    chances[DICE.index(die) if die else FOREIGN] = 1
    place = FacePlace(np.array((x, y), np.float32), np.asarray(np.eye(2) * 10, np.float32))
    poses = np.eye(len(POSES), dtype=np.float32)[0]
    face = Face(place, 0.9, 0.0, chances, poses, np.zeros(64, np.float32))
    return JudgedFace(face, confidence, "", True, np.zeros(3, np.float32))


def lying(die: Die | None, x: float, y: float) -> Lying:
    """A die in a box of 20 pixels round a point."""
    return Lying(die, None, (x - 10, y - 10, x + 10, y + 10))


def test_each_die_is_lost_or_read_at_its_place() -> None:
    dice = [lying(Die("pip", n), 100.0 * n, 50) for n in (1, 2, 3, 4)] + [lying(None, 900, 50)]
    looked = [
        found(Die("pip", 1), 103, 52, 0.95),
        found(Die("pip", 2), 200, 50, 0.5),
        found(Die("pip", 6), 300, 50, 0.92),
        found(Die("pip", 4), 440, 50, 0.99),
        found(Die("pip", 4), 900, 50, 0.93),
    ]
    total = Leaks()
    count(total, dice, looked)
    assert (total.dice, total.found, total.right, total.sure, total.wrong) == (4, 3, 2, 1, 1)
    assert (total.strangers, total.strangers_read) == (1, 1)


def test_of_two_finds_in_a_box_the_surer_one_is_the_die() -> None:
    total = Leaks()
    count(
        total,
        [lying(Die("pip", 3), 50, 50)],
        [found(Die("pip", 3), 50, 50, 0.4), found(Die("pip", 5), 53, 50, 0.91)],
    )
    assert (total.found, total.right, total.wrong) == (1, 0, 1)


def test_without_places_values_are_compared() -> None:
    dice = [Lying(Die("pip", n), None, None) for n in (2, 2, 5, 6)]
    looked = [
        found(Die("pip", 2), 9, 9, 0.95),
        found(Die("pip", 5), 9, 9, 0.7),
        found(Die("pip", 1), 9, 9, 0.91),
    ]
    total = Leaks()
    count(total, dice, looked)
    assert (total.dice, total.found, total.right, total.sure, total.wrong) == (4, 3, 2, 1, 1)


def test_a_source_says_which_dice_lie_where() -> None:
    truth: PhotoTruth = {
        "image": "one.jpg",
        "dice": [
            {"kind": "pip", "value": 4, "box": [10, 20, 30, 40]},
            {"kind": "numeral_d8", "value": 7, "box": [50, 60, 10, 10]},
        ],
        "truth": "boxes",
    }
    (shown,) = photographs("somewhere", [truth])
    ours, stranger = shown.dice
    assert (shown.kind, ours.die, stranger.die) == ("pip", Die("pip", 4), None)
    assert ours.box == (10, 20, 40, 60)
    assert ours.place is not None
    assert ours.place.center.tolist() == [25, 40]
    strangers: PhotoTruth = {"image": "two.jpg", "dice": truth["dice"][1:], "truth": "boxes"}
    assert photographs("somewhere", [strangers])[0].kind == "auto"


def test_a_burnt_out_face_is_not_asked_for(tmp_path: Path) -> None:
    corners = [[0, 0], [20, 0], [20, 20], [0, 20]]
    dice = [{"value": 10, "corners": corners, "clipped_fraction": gone} for gone in (0.1, 0.7)]
    folder = tmp_path / "bets"
    folder.mkdir()
    (folder / "truth.json").write_text(json.dumps([{"image": "b.jpg", "dice": dice}]), encoding="utf-8")
    (shown,) = painted(tmp_path, "bets")
    (die,) = shown.dice
    assert die.die == Die("bet", 10)
    assert die.box == pytest.approx((4, 4, 16, 16))
    assert painted(tmp_path, "zoinx") == []


def test_dice_are_read_at_the_places_that_are_told(tmp_path: Path) -> None:
    scene = draw(SCENE_SEED, 1280, 960, kinds=("pip",))
    cv2.imwrite(str(tmp_path / "scene.png"), scene.picture)
    flat = [die for die in scene.dice if die.pose == "flat"]
    dice = tuple(_known(die) for die in flat)
    shown = LabelledPicture(tmp_path / "scene.png", "pip", dice)
    total = Leaks()
    count_in_place(total, shown, load_sized(shown.path).picture, Networks())
    assert total.placed == len(flat) > 4
    assert total.right_in_place >= 0.7 * total.placed
    assert total.sure_in_place <= total.right_in_place


def _known(die: Any) -> Lying:
    place = lying_of(die.corners_px, die.visible).place
    return Lying(Die(die.kind, die.value), place, None)


@pytest.mark.long
def test_a_drawn_scene_is_a_picture_with_its_truth() -> None:
    first = drawn("pip")[0]
    assert first.picture.shape == (960, 1280, 3)
    assert any(one.die is not None for one in first.dice)
    assert all(one.die is None for one in drawn("foreign")[0].dice)
    assert first.kind == "auto"

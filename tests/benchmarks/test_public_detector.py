"""The scenes become a data set, and a detector's answer becomes dice."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from benchmarks.public_detector import (
    NAMES,
    Detector,
    Fitted,
    describe,
    dice_of,
    fitted,
    labels,
    write,
)
from engine.dice import DieKind, Face
from models.files import FINDER
from models.training.store import HEIGHT_PX, WIDTH_PX, Store
from models.training.store import Truth as DrawnDie

SQUARE = np.array(((99.5, 199.5), (139.5, 199.5), (139.5, 239.5), (99.5, 239.5)), np.float32)


def drawn(kind: str, value: int | str | None, pose: str = "flat") -> DrawnDie:
    """A die whose corners are those of SQUARE."""
    return DrawnDie(kind, value, SQUARE, pose, 1.0, np.zeros(2, np.float32))


def answer(*finds: tuple[float, float, float, float, tuple[DieKind, Face], float]) -> np.ndarray:
    """A detector's answer: boxes' middles and sizes, what they show, how surely."""
    out = np.zeros((4 + len(NAMES), len(finds) + 1), np.float32)
    for column, (x, y, width, height, name, chance) in enumerate(finds):
        out[:4, column] = x, y, width, height
        out[4 + NAMES.index(name), column] = chance
    return out


def test_flat_dice_are_labelled_and_others_are_background() -> None:
    dice = [drawn("pip", 5), drawn("pip", 5, "cocked"), drawn("foreign", None), drawn("bet", 10)]
    first, second = labels(dice, 640, 480)
    assert first.split()[0] == str(NAMES.index(("pip", 5)))
    assert second.split()[0] == str(NAMES.index(("bet", 10)))
    box = np.array([float(number) for number in first.split()[1:]]) * (640, 480, 640, 480)
    assert box == pytest.approx((120, 220, 40, 40), abs=0.01)


def test_a_shard_is_written_once(tmp_path: Path) -> None:
    pictures = np.full((1, HEIGHT_PX, WIDTH_PX, 3), 90, np.uint8)
    np.save(tmp_path / "0000.npy", pictures)
    die = {"kind": "d4", "value": 3, "corners": SQUARE[:3].tolist(), "pose": "flat", "visible": 1.0}
    die["step"] = [0, 0]
    (tmp_path / "0000.json").write_text(json.dumps([[die]]), encoding="utf-8")
    folder = tmp_path / "set"
    assert write(folder, Store(tmp_path, 0, 1), "train") == 1
    describe(folder)
    told = json.loads((folder / "data.yaml").read_text(encoding="utf-8"))
    line = (folder / "labels" / "train" / "00000.txt").read_text(encoding="utf-8")
    assert told["names"][line.split()[0]] == "d4-3"
    shown = folder / "images" / "train" / "00000.jpg"
    assert np.asarray(cv2.imread(str(shown))).shape == (HEIGHT_PX, WIDTH_PX, 3)
    shown.unlink()
    write(folder, Store(tmp_path, 0, 1), "train")
    assert not shown.exists(), "what is labelled is not written again"


def test_a_picture_is_fitted_into_the_middle() -> None:
    square, fit = fitted(np.zeros((300, 600, 3), np.uint8), 200)
    assert square.shape == (200, 200, 3)
    assert fit == Fitted(scale=1 / 3, left_px=0, top_px=50)
    assert (square[:50] == 114).all()
    assert (square[50:150] == 0).all()


def test_an_answer_becomes_dice_of_the_picture() -> None:
    fit = Fitted(scale=0.5, left_px=0, top_px=50)
    (die,), unsure = dice_of(answer((100, 150, 40, 20, ("pip", 6), 0.9)), fit)
    assert (die.kind, die.value, die.center_px) == ("pip", 6, (199.5, 199.5))
    assert die.confidence == pytest.approx(0.9)
    assert die.corners_px[0] == pytest.approx((159.5, 179.5))
    assert die.corners_px[2] == pytest.approx((239.5, 219.5))
    assert unsure == ()


def test_of_two_boxes_on_one_die_the_surer_is_kept_and_a_faint_find_is_unsure() -> None:
    found = answer(
        (100, 150, 40, 40, ("pip", 6), 0.7),
        (102, 151, 40, 40, ("pip", 4), 0.8),
        (200, 150, 40, 40, ("zoinx", "dot"), 0.3),
        (300, 150, 40, 40, ("bet", 0), 0.2),
    )
    dice, unsure = dice_of(found, Fitted(1, 0, 0))
    assert [(die.kind, die.value) for die in dice] == [("pip", 4)]
    assert [place.center_px for place in unsure] == [(199.5, 149.5)]


def test_an_answer_without_finds_is_an_empty_table() -> None:
    assert dice_of(answer(), Fitted(1, 0, 0)) == ((), ())


def test_another_network_is_refused_in_a_sentence() -> None:
    with pytest.raises(ValueError, match="a detector of 18 classes with a fixed size is needed"):
        Detector(FINDER)

"""D4 looked at closely: large ones are read, small ones told as too small, and a wrong file is a sentence."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from calibration.arrays import Picture, Singles
from engine.dice import Die
from models.files import FACES, ModelError
from models.scenes import draw
from vision.decide import aslant
from vision.face_place import FacePlace, place_of
from vision.learned.contract import CLASSES, FOREIGN, POSES
from vision.learned.d4 import MOST, confidence, is_d4, read_d4_closely
from vision.learned.d4_contract import CORNERS, EDGE, HEIGHT, TURNS
from vision.learned.faces import FLAT, Face
from vision.learned.networks import Networks
from vision.learned.reader import judge
from vision.legible import D4_LEAST_PX
from vision.reader import Reader
from vision.reading import DiceChoice

CUTS = np.zeros((2, 128, 128, 3), np.uint8)


def face(edge_px: float = 100.0, value: int = 3, at: tuple[float, float] = (200.0, 150.0)) -> Face:
    """A D4 as the face reader might have it."""
    chances = np.full(len(CLASSES), 0.01, np.float32)
    chances[CLASSES.index(("d4", value))] = 1 - 0.01 * (len(CLASSES) - 1)
    axes = np.eye(2, dtype=np.float32) * np.float32(edge_px / EDGE)
    return Face(
        place=FacePlace(np.array(at, np.float32), axes),
        heat=0.9,
        off=0.0,
        chances=chances,
        poses=np.eye(len(POSES), dtype=np.float32)[FLAT],
        embedding=np.zeros(64, np.float32),
    )


def lies(flat: float) -> Singles:
    """Poses, that one with this chance."""
    poses = np.full(len(POSES), (1 - flat) / (len(POSES) - 1), np.float32)
    poses[FLAT] = flat
    return poses


def plain() -> Picture:
    return np.full((300, 400, 3), 90, np.uint8)


class Told(Networks):
    """A network that finds every D4 where it was looked for, and holds it for a 2."""

    def __init__(self, points: np.ndarray | None = None) -> None:
        super().__init__()
        object.__setattr__(self, "asked", [])
        object.__setattr__(self, "points", np.append(CORNERS.ravel(), (0, 0)) if points is None else points)

    def read_d4(self, cuts: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        self.asked.append(cuts.shape)  # type: ignore[attr-defined]
        classes = np.tile(np.array((0, 6, 0, 0, 2), np.float32), (len(cuts), 1))
        poses = np.tile(np.array((5, 0, 0, 0, 0), np.float32), (len(cuts), 1))
        return classes, poses, np.tile(self.points, (len(cuts), 1)).astype(np.float32)  # type: ignore[attr-defined]


def test_our_network_fits() -> None:
    classes, poses, points = Networks().read_d4(CUTS)
    assert (classes.shape, poses.shape, points.shape) == ((2, 5), (2, len(POSES)), (2, 8))
    assert Networks().tried() == Networks()


def test_a_file_that_is_no_such_network_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"^faces.onnx is a network for something else; install Callbox"):
        Networks(d4=FACES).read_d4(CUTS)
    broken = tmp_path / "d4.onnx"
    broken.write_bytes(b"no network")
    with pytest.raises(ModelError, match=r"^d4.onnx is no network that can be run"):
        Networks(d4=broken).read_d4(CUTS)
    with pytest.raises(ModelError, match=r"^gone.onnx is missing from the models folder"):
        Networks(d4=tmp_path / "gone.onnx").tried()


def test_a_picture_without_large_d4_asks_the_network_nothing(tmp_path: Path) -> None:
    pip = replace(face(), chances=np.eye(len(CLASSES), dtype=np.float32)[0])
    faces = [pip, face(edge_px=0.9 * D4_LEAST_PX)]
    assert read_d4_closely(plain(), faces, Networks(d4=tmp_path / "gone.onnx")) == faces


def test_what_the_network_says_replaces_what_the_face_reader_said() -> None:
    networks = Told()
    (seen,) = read_d4_closely(plain(), [face(value=3)], networks)
    assert networks.asked == [(1, 128, 128, 3), (len(TURNS), 128, 128, 3)]  # type: ignore[attr-defined]
    assert seen.die == Die("d4", 2)
    assert seen.close
    assert seen.chances.sum() == pytest.approx(1, abs=1e-5)
    assert seen.place.corners() == pytest.approx(face().place.corners(), abs=0.01)


def test_corners_far_from_where_a_die_was_looked_for_are_no_d4() -> None:
    (seen,) = read_d4_closely(plain(), [face()], Told(np.append(CORNERS.ravel() * 0.2, (0, 0))))
    assert not is_d4(seen)
    assert seen.place.center == pytest.approx(face().place.center)


@pytest.mark.parametrize("corners", [0.0, np.nan])
def test_corners_that_are_no_triangle_are_no_d4(corners: float) -> None:
    (seen,) = read_d4_closely(plain(), [face()], Told(np.full(8, corners, np.float32)))
    assert not is_d4(seen)
    assert seen.place.center == pytest.approx(face().place.center)


def test_confidence_grows_with_what_speaks_for_a_d4_and_stays_below_its_most() -> None:
    chances = np.zeros(len(CLASSES), np.float32)
    chances[CLASSES.index(("d4", 1))], chances[FOREIGN] = 0.6, 0.4
    surely = np.eye(len(CLASSES), dtype=np.float32)[CLASSES.index(("d4", 1))]
    sure = replace(face(), chances=surely, poses=lies(0.99), close=True)
    doubtful, leaning = replace(sure, chances=chances), replace(sure, leaning=6.0)
    assert max(confidence(doubtful), confidence(leaning)) < 0.95 < confidence(sure) <= MOST


def test_a_small_d4_is_told_as_too_small() -> None:
    told = judge(plain(), face(edge_px=40))
    assert told.reason == "too small in the picture"
    assert told.confidence <= 0.5


def test_a_d4_found_twice_is_read_once() -> None:
    twice = [face(at=(200.0, 150.0)), face(at=(212.0, 146.0)), face(at=(300.0, 150.0))]
    assert len(read_d4_closely(plain(), twice, Told())) == 2


@pytest.mark.parametrize("kind", ["auto", "d4"])
def test_large_d4_of_a_drawn_scene_are_read(kind: DiceChoice) -> None:
    scene = draw(99_405, 640, 480, kinds=("d4",))
    told = Reader(threads=1).read(scene.picture, kind).dice
    assert len(told) >= 5
    for seen in told:
        assert len(seen.corners_px) == 3
        (die,) = (
            die for die in scene.dice if np.hypot(*(place_of(die.corners_px).center - seen.center_px)) < 12
        )
        assert (die.kind, die.value) == (seen.kind, seen.value)


def test_a_d4_half_out_of_the_picture_is_not_whole() -> None:
    inside, outside = face(at=(200.0, 150.0)), face(at=(385.0, 150.0))
    assert judge(plain(), replace(inside, close=True)).whole
    assert not judge(plain(), replace(outside, close=True)).whole


@pytest.mark.parametrize("tip", [(0.0, 0.0), (0.5, -0.3)])
def test_a_d4_stands_as_its_tip_stands_over_its_base(tip: tuple[float, float]) -> None:
    points = np.append(CORNERS.ravel(), tip)
    (read,) = read_d4_closely(plain(), [face(edge_px=100.0)], Told(points))
    assert read.stance is not None
    heights = np.array(tip) * (100.0 / EDGE) / (HEIGHT * 100.0)
    assert read.stance.step == pytest.approx(heights, abs=1e-3)


def test_a_d4_whose_tip_stands_aside_is_less_sure() -> None:
    upright, unknown, leaning = (
        confidence(replace(face(), close=True, poses=lies(0.9), leaning=odds)) for odds in (-4.0, 0.0, 3.0)
    )
    assert upright > unknown > leaning
    assert upright > 0.9, "it is read"
    assert leaning < 0.8, "it is asked about"


def test_how_a_d4_stands_is_weighed_and_not_asked_for_twice() -> None:
    one = judge(plain(), replace(face(), close=True, poses=lies(0.999), leaning=2.5))
    assert aslant(one) == "", "the limit for six-sided dice is not a D4's"
    assert aslant(judge(plain(), replace(face(), leaning=2.5))) == "cocked"

"""How finds become faces: each die once, and the clearer of two that may be the same."""

import numpy as np
import pytest

from engine.dice import Die
from vision.face_place import FacePlace
from vision.learned.contract import CLASSES, MOVES, POSES, Peak
from vision.learned.faces import read_faces
from vision.learned.networks import Networks


def find(x: float, half_px: float, heat: float) -> Peak:
    axes = np.eye(2, dtype=np.float32) * np.float32(half_px)
    return Peak(FacePlace(np.array((x, 60.0), np.float32), axes), heat)


class Said(Networks):
    """Says of each find that it shows the pips given, with the chance given."""

    def __init__(self, *said: tuple[int, float]) -> None:
        super().__init__()
        object.__setattr__(self, "said", said)

    def read(self, cuts: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        chances = np.full((len(cuts), len(CLASSES)), 1e-4, np.float32)
        for row, (pips, chance) in zip(chances, self.said, strict=False):  # type: ignore[attr-defined]
            row[CLASSES.index(("pip", pips))] = chance
            row[CLASSES.index(("pip", 7 - pips))] = 1 - chance
        poses = np.tile(np.eye(len(POSES), dtype=np.float32)[0] * 9, (len(cuts), 1))
        nothing = np.zeros((len(cuts), MOVES), np.float32)
        return np.log(chances), poses, np.zeros((len(cuts), 64), np.float32), nothing


@pytest.mark.parametrize(("blob_heat", "left"), [(0.55, [(50.0, 3), (88.0, 2)]), (0.99, [(69.0, 1)])])
def test_two_dice_that_touch_stay_two_where_both_together_show_nothing_clearly(
    blob_heat: float, left: list[tuple[float, int]]
) -> None:
    picture = np.full((120, 160, 3), 90, np.uint8)
    finds = [find(69, 27, blob_heat), find(50, 19, 0.4), find(88, 19, 0.5)]
    faces = read_faces(picture, finds, Said((1, 0.5), (3, 0.97), (2, 0.97)))
    seen = sorted((float(face.place.center[0]), face.die) for face in faces)
    assert seen == [(x, Die("pip", pips)) for x, pips in left]

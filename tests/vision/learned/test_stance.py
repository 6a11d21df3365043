"""How a die stands is told less surely where another one's face may have been taken for its side."""

from dataclasses import dataclass

import numpy as np
import pytest

from calibration.arrays import Picture, Singles
from vision.face_place import FacePlace
from vision.learned.contract import CLASSES, POSES
from vision.learned.faces import FLAT, Face
from vision.learned.networks import Networks
from vision.learned.stance import doubt_beside_others, find_stances

HALF_PX = 20.0
PLAIN = np.full((200, 300, 3), 90, np.uint8)


@dataclass
class TellsSteps:
    """Networks that tell each die the same step, in edges."""

    step: tuple[float, float]

    def stance(self, cuts: Picture) -> Singles:
        """x, y in half edges, and the log of a small scatter."""
        told = (2 * self.step[0], 2 * self.step[1], np.log(0.1))
        return np.asarray([told] * len(cuts), np.float32)


def pip(x_px: float, y_px: float, turn: float = 0.0) -> Face:
    """A three, surely read, turned by so many radians."""
    axes = HALF_PX * np.array(((np.cos(turn), -np.sin(turn)), (np.sin(turn), np.cos(turn))))
    chances = np.eye(len(CLASSES), dtype=np.float32)[CLASSES.index(("pip", 3))]
    return Face(
        place=FacePlace(np.array((x_px, y_px), np.float32), np.asarray(axes, np.float32)),
        heat=0.9,
        off=0.0,
        chances=chances,
        poses=np.eye(len(POSES), dtype=np.float32)[FLAT],
        embedding=np.zeros(64, np.float32),
    )


def off_of_the_first(faces: list[Face], step: tuple[float, float]) -> float:
    """One sigma of the first die's step, in edges, where each is told that step."""
    networks: Networks = TellsSteps(step)  # type: ignore[assignment]
    stance = doubt_beside_others(find_stances(PLAIN, faces, networks))[0].stance
    assert stance is not None
    return stance.off


ALONE = off_of_the_first([pip(100, 100)], (0.6, 0.0))


@pytest.mark.parametrize("quarters", range(4))
def test_a_foot_that_lies_where_the_face_of_a_die_flush_with_it_is_is_doubted(quarters: int) -> None:
    assert off_of_the_first([pip(100, 100), pip(58, 100, quarters * np.pi / 2)], (0.6, 0.0)) > 3 * ALONE


@pytest.mark.parametrize(
    ("other", "step", "why"),
    [
        (pip(142, 100), (0.6, 0.0), "the foot lies on the other side"),
        (pip(100, 58), (0.6, 0.0), "the other lies across"),
        (pip(30, 100), (0.6, 0.0), "they do not touch"),
        (pip(56, 100, 0.3), (0.6, 0.0), "they do not lie flush"),
        (pip(58, 100), (0.2, 0.0), "a short step reaches no neighbour"),
    ],
)
def test_any_other_step_is_believed(other: Face, step: tuple[float, float], why: str) -> None:
    assert off_of_the_first([pip(100, 100), other], step) == ALONE, why

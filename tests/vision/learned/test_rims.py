"""The edges of a face tell how it is stretched, whatever shape it was looked for with."""

import cv2
import numpy as np
import pytest

from models.faces import Floats, Picture, Place, told
from vision.learned.rims import stretches_seen

FINE = 8


def square(axes: Floats, center: tuple[float, float] = (80.0, 75.0), light: int = 200) -> Picture:
    """A grainy table with one light face with four pips on it."""
    large = np.full((160 * FINE, 160 * FINE), 90.0, np.float32)
    ways = np.array(((-1, -1), (1, -1), (1, 1), (-1, 1)), np.float32)
    corners = (ways @ axes.T + np.array(center) + 0.5) * FINE
    cv2.fillConvexPoly(large, np.rint(corners).astype(np.int32), float(light))
    for pip in ways * 0.45 @ axes.T + np.array(center) + 0.5:
        x, y = (round(float(part) * FINE) for part in pip)
        cv2.circle(large, (x, y), round(0.17 * FINE * 20), 40.0, -1)
    grey = cv2.resize(large, (160, 160), interpolation=cv2.INTER_AREA)
    grey = grey + np.random.default_rng(5).normal(0, 3, grey.shape)
    return np.repeat(np.clip(grey, 0, 255).astype(np.uint8)[..., None], 3, axis=2)


def stretched(along: float, across: float, turn: float = 0.3) -> Floats:
    """The axes of a face of 40 pixels' edge."""
    mean = np.sqrt(1 + along**2 + across**2)
    shape = np.array(((mean + along, across), (across, mean - along)))
    c, s = np.cos(turn), np.sin(turn)
    return np.asarray(20 * shape @ np.array(((c, -s), (s, c))), np.float32)


@pytest.mark.parametrize(("along", "across"), [(0.0, 0.0), (0.06, 0.0), (-0.04, 0.05), (0.0, -0.08)])
@pytest.mark.parametrize("expected", [(0.0, 0.0), (0.03, -0.02)])
def test_the_edges_say_how_a_face_is_stretched(
    along: float, across: float, expected: tuple[float, float]
) -> None:
    axes = stretched(along, across)
    roughly = Place(np.array((80.7, 74.4), np.float32), np.asarray(stretched(0, 0, 0.33) * 1.03, np.float32))
    seen = stretches_seen(square(axes), [roughly], np.array((expected,)))
    truth = told(Place(np.zeros(2, np.float32), axes))[1:3]
    assert truth == pytest.approx((along, across), abs=1e-5)
    assert seen[0] == pytest.approx(truth, abs=0.012)


def test_many_are_seen_as_one_is_and_none_is_no_trouble() -> None:
    picture = square(stretched(0.05, 0.02))
    place = Place(np.array((80, 75), np.float32), stretched(0, 0))
    alone = stretches_seen(picture, [place], np.zeros((1, 2)))
    beside = Place(np.array((3, 156), np.float32), np.asarray(np.eye(2) * 9, np.float32))
    assert stretches_seen(picture, [beside, place], np.zeros((2, 2)))[1] == pytest.approx(alone[0], abs=1e-6)
    assert stretches_seen(picture, [], np.empty((0, 2))).shape == (0, 2)

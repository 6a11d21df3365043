"""Small dice are looked at closer, in windows, and pictures of all sizes keep their places."""

import numpy as np
import pytest

from models.scenes import draw
from models.training.targets import lying_of
from vision.learned import finder
from vision.learned.finder import find_dice, shrink
from vision.learned.networks import Networks

NETWORKS = Networks()


def test_small_dice_are_found_by_looking_closer(monkeypatch: pytest.MonkeyPatch) -> None:
    scene = draw(97_049, 1280, 960)
    places = [lying_of(die.corners_px, die.visible).place for die in scene.dice if die.pose == "flat"]

    def hits() -> int:
        peaks = [peak.place.center for peak in find_dice(scene.picture, NETWORKS, 0.15)]
        return sum(
            any(np.hypot(*(at - place.center)) < 0.5 * place.half_px for at in peaks) for place in places
        )

    closely = hits()
    monkeypatch.setattr(finder, "SMALL_HALF_PX", 0.0)
    assert closely >= hits() + 2


def test_a_picture_without_anything_in_it_holds_no_dice() -> None:
    assert find_dice(np.full((960, 1280, 3), 90, np.uint8), NETWORKS, 0.15) == []


@pytest.mark.parametrize("size", [(480, 640), (777, 1001), (1080, 1920), (3040, 4056)])
@pytest.mark.parametrize("scale", [1.0, 0.63, 0.31, 0.12])
def test_what_is_seen_in_a_smaller_picture_lies_where_it_is(size: tuple[int, int], scale: float) -> None:
    height, width = size
    picture = np.zeros((*size, 3), np.uint8)
    x, y = round(0.9 * width), round(0.8 * height)
    picture[y - 20 : y + 21, x - 20 : x + 21] = 255
    small, factor = shrink(picture, scale)
    bright = small[..., 0].astype(float) * (small[..., 0] != finder.GREY[0])
    rows, columns = np.nonzero(bright > 100)
    middle = np.array((columns.mean(), rows.mean()))
    assert np.abs((middle + 0.5) * factor - 0.5 - (x, y)).max() < 0.002 * width + 1 / scale

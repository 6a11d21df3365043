"""Small dice are looked at closer, in tiles, and pictures of all sizes keep their places."""

import cv2
import numpy as np
import pytest

from calibration.arrays import Picture, Singles
from models.scenes import Scene, draw
from models.training.targets import lying_of
from vision.learned import finder
from vision.learned.contract import Peak, scale_peak
from vision.learned.finder import find_dice, look_closer, shrink
from vision.learned.networks import Networks

NETWORKS = Networks()
WARM = [np.zeros((240, 240), np.float32)]
"""Dice may be anywhere in one part of a picture."""


def hits(peaks: list[Peak], scene: Scene) -> int:
    """How many flat dice of a scene are among the finds."""
    places = [lying_of(die.corners_px, die.visible).place for die in scene.dice if die.pose == "flat"]
    return sum(
        any(np.hypot(*(peak.place.center - place.center)) < 0.5 * place.half_px for peak in peaks)
        for place in places
    )


@pytest.mark.long
def test_small_dice_are_found_by_looking_closer_where_it_is_warm() -> None:
    scene = draw(97_049, 1280, 960)
    usual, warmth = find_dice(scene.picture, NETWORKS, 0.15)
    everywhere = look_closer(scene.picture, NETWORKS, 0.15, WARM)
    closer = look_closer(scene.picture, NETWORKS, 0.15, warmth)
    assert hits([*usual, *closer], scene) == hits([*usual, *everywhere], scene) >= hits(usual, scene) + 2


@pytest.mark.long
def test_dice_of_a_few_pixels_in_a_small_picture_are_found_by_enlarging_it() -> None:
    scene = draw(97_052, 1280, 960)
    small = cv2.resize(scene.picture, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    usual, warmth = find_dice(np.asarray(small, np.uint8), NETWORKS, 0.15)
    closer = look_closer(np.asarray(small, np.uint8), NETWORKS, 0.15, warmth)
    there, before = [scale_peak(peak, 1 / 0.25) for peak in (*usual, *closer)], len(usual)
    assert hits(there, scene) >= hits(there[:before], scene) + 2


@pytest.mark.long
@pytest.mark.parametrize(("height", "beside", "parts"), [(960, 1, 1), (3042, 1, 1), (960, 3, 3)])
def test_it_is_warm_where_a_die_was_found(height: int, beside: int, parts: int) -> None:
    scene = draw(97_049, 1280, 960)
    one = cv2.resize(scene.picture, (height * 4 // 3, height))
    picture = np.asarray(np.tile(one, (1, beside, 1)), np.uint8)
    found, warmth = find_dice(picture, NETWORKS, 0.15)
    assert len(warmth) == parts
    hottest = 1 / (1 + np.exp(-max(heat.max() for heat in warmth)))
    assert hottest == pytest.approx(found[0].heat)
    closer = look_closer(picture, NETWORKS, 0.15, warmth)
    assert len(closer) >= 0.6 * len(look_closer(picture, NETWORKS, 0.15, WARM * parts)) > 0


def test_only_what_is_not_plain_is_looked_at_closer(monkeypatch: pytest.MonkeyPatch) -> None:
    looked = []

    class Looking(Networks):
        def find_in(self, pictures: Picture) -> Singles:
            looked.append(pictures.shape[:3])
            return super().find_in(pictures)

    picture = np.full((960, 1280, 3), 90, np.uint8)
    assert look_closer(picture, Looking(), 0.15, WARM) == []
    assert looked == []
    picture[400:424, 700:724] = 230
    tiled = look_closer(picture, Looking(), 0.15, WARM)
    assert [shape[1:] for shape in looked] == [(finder.TILE_PX, finder.TILE_PX)]
    assert 1 <= looked[0][0] <= 4, "the tiles that the bright patch lies in"
    monkeypatch.setattr(finder, "MOST_TILED", 0.0)
    whole = look_closer(picture, Looking(), 0.15, WARM)
    assert looked[-1] == (1, 960, 1280), "in one piece"
    for found in (tiled, whole):
        assert any(np.hypot(*(peak.place.center - (711.5, 411.5))) < 8 for peak in found)


def test_a_picture_without_anything_in_it_holds_no_dice() -> None:
    assert find_dice(np.full((960, 1280, 3), 90, np.uint8), NETWORKS, 0.15)[0] == []


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

"""A picture is looked at closer only where it is warm, and a fixed camera's only in tiles that changed."""

from typing import ClassVar

import numpy as np
import pytest

from calibration.arrays import Picture, Singles
from vision.learned import finder
from vision.learned.contract import Peak
from vision.learned.finder import SeenTiles, look_closer
from vision.learned.networks import Networks

LEAST_HEAT = 0.15
SPOTS = [(180, 160), (600, 420), (980, 700)]
WARM = [np.full((120, 160), -1, np.float32)]
"""The usual look holds dice for possible everywhere; it is of 640 x 480 pixels."""


class Counting(Networks):
    """The project's finder; counts the tiles and the whole pictures that it is shown."""

    shown: ClassVar[list[tuple[int, ...]]] = []

    def find_in(self, pictures: Picture) -> Singles:
        self.shown.append(pictures.shape)
        return super().find_in(pictures)


@pytest.fixture
def networks(monkeypatch: pytest.MonkeyPatch) -> Counting:
    monkeypatch.setattr(Counting, "shown", [])
    return Counting()


def table(*spots: tuple[int, int], light: float = 1.0, noise: int = 0) -> Picture:
    """A plain table with a bright square with one dark pip at each spot, and the sensor's noise."""
    picture = np.full((960, 1280, 3), 90.0)
    for x, y in spots:
        picture[y - 12 : y + 12, x - 12 : x + 12] = 220
        picture[y - 3 : y + 3, x - 3 : x + 3] = 30
    picture = picture * light + np.random.default_rng(noise).normal(0, 2, picture.shape)
    return np.asarray(np.clip(picture, 0, 255), np.uint8)


def tiles_shown(networks: Counting) -> int:
    """How many tiles were looked at since this was last asked."""
    number = sum(shape[0] for shape in networks.shown)
    networks.shown.clear()
    return number


def warmth(*spots: tuple[int, int]) -> list[Singles]:
    """What the usual look would tell if it were warm at these spots alone."""
    heat = np.full((120, 160), -9, np.float32)
    for x, y in spots:
        heat[y // 8 - 2 : y // 8 + 2, x // 8 - 2 : x // 8 + 2] = -1
    return [heat]


def at(peaks: list[Peak]) -> list[tuple[int, int]]:
    """Which of the spots something was found at."""
    return [spot for spot in SPOTS if any(np.hypot(*(peak.place.center - spot)) < 8 for peak in peaks)]


def test_what_lies_as_it_lay_is_not_looked_at_again(networks: Counting) -> None:
    seen = SeenTiles()
    first = look_closer(table(*SPOTS), networks, LEAST_HEAT, WARM, seen)
    assert at(first) == SPOTS
    assert tiles_shown(networks) >= len(SPOTS)
    again = look_closer(table(*SPOTS, noise=1), networks, LEAST_HEAT, WARM, seen)
    assert tiles_shown(networks) == 0
    assert at(again) == SPOTS


def test_what_came_moved_or_went_is_looked_at(networks: Counting) -> None:
    seen = SeenTiles()
    look_closer(table(SPOTS[0], SPOTS[1]), networks, LEAST_HEAT, WARM, seen)
    all_of_both = tiles_shown(networks)
    assert at(look_closer(table(*SPOTS, noise=1), networks, LEAST_HEAT, WARM, seen)) == SPOTS, "one came"
    assert 1 <= tiles_shown(networks) <= 4 < all_of_both + 4
    (x, y), *others = SPOTS
    moved = look_closer(table((x + 2, y), *others, noise=2), networks, LEAST_HEAT, WARM, seen)
    assert 1 <= tiles_shown(networks) <= 4, "one moved by two pixels"
    near = [peak.place.center[0] for peak in moved if np.hypot(*(peak.place.center - (x + 2, y))) < 8]
    assert max(near) == pytest.approx(x + 1.5, abs=1.2)
    assert at(look_closer(table(*others, noise=3), networks, LEAST_HEAT, WARM, seen)) == others, "one went"


@pytest.mark.long
def test_other_light_is_no_change_and_small_changes_add_up(networks: Counting) -> None:
    seen = SeenTiles()
    look_closer(table(*SPOTS), networks, LEAST_HEAT, WARM, seen)
    tiles_shown(networks)
    look_closer(table(*SPOTS, light=1.03, noise=1), networks, LEAST_HEAT, WARM, seen)
    assert tiles_shown(networks) == 0, "a cloud"
    for step in range(2, 12):
        look_closer(table(*SPOTS, light=1 + 0.03 * step, noise=step), networks, LEAST_HEAT, WARM, seen)
    assert tiles_shown(networks) > 0, "it is a third brighter now than when it was looked at"


def test_what_is_looked_at_in_one_piece_is_remembered_by_tiles(
    networks: Counting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(finder, "MOST_TILED", 0.01)
    seen = SeenTiles()
    whole = look_closer(table(*SPOTS), networks, LEAST_HEAT, WARM, seen)
    assert networks.shown.pop() == (1, 960, 1280, 3)
    again = look_closer(table(*SPOTS, noise=1), networks, LEAST_HEAT, WARM, seen)
    assert networks.shown == []
    assert at(whole) == at(again) == SPOTS


@pytest.mark.parametrize("change", ["size", "heat"])
def test_tiles_of_other_pictures_or_for_other_dice_are_forgotten(networks: Counting, change: str) -> None:
    seen = SeenTiles()
    picture = table(*SPOTS)
    look_closer(picture, networks, LEAST_HEAT, WARM, seen)
    number = tiles_shown(networks)
    other = np.ascontiguousarray(picture[:, :-64]) if change == "size" else picture
    look_closer(other, networks, 0.06 if change == "heat" else LEAST_HEAT, WARM, seen)
    assert tiles_shown(networks) == number


def test_where_the_usual_look_is_cold_nothing_is_looked_at_closer(networks: Counting) -> None:
    picture = table(*SPOTS)
    assert at(look_closer(picture, networks, LEAST_HEAT, WARM)) == SPOTS
    every = tiles_shown(networks)
    assert look_closer(picture, networks, LEAST_HEAT, warmth()) == []
    assert tiles_shown(networks) == 0
    for spot in SPOTS:
        assert at(look_closer(picture, networks, LEAST_HEAT, warmth(spot))) == [spot]
        assert 1 <= tiles_shown(networks) < every
    assert at(look_closer(picture, networks, LEAST_HEAT, warmth(*SPOTS))) == SPOTS
    assert tiles_shown(networks) == every


def test_a_cold_tile_is_looked_at_once_it_is_warm_and_what_was_found_there_stands(networks: Counting) -> None:
    seen = SeenTiles()
    first, *others = SPOTS
    assert at(look_closer(table(*SPOTS), networks, LEAST_HEAT, warmth(*others), seen)) == others
    tiles_shown(networks)
    assert at(look_closer(table(*SPOTS, noise=1), networks, LEAST_HEAT, warmth(first), seen)) == SPOTS
    assert 1 <= tiles_shown(networks) <= 4
    assert at(look_closer(table(*SPOTS, noise=2), networks, LEAST_HEAT, warmth(), seen)) == SPOTS
    assert tiles_shown(networks) == 0


@pytest.mark.parametrize(("least_heat", "looked"), [(0.2, False), (0.06, True)])
def test_where_less_heat_counts_cooler_tiles_are_looked_at(
    networks: Counting, least_heat: float, looked: bool
) -> None:
    cool = [np.full((120, 160), np.log(0.05 / 0.95), np.float32)]
    look_closer(table(*SPOTS), networks, least_heat, cool)
    assert bool(tiles_shown(networks)) == looked

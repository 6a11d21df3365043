"""The painters' camera: with either lens, what is seen goes back to where it came from."""

import numpy as np
import pytest

from models.painting.camera import Bend, MildBend, Pinhole, RadialBend

BENDS = [MildBend(0.0), MildBend(0.12), MildBend(-0.06), RadialBend(-0.16, 0.05), RadialBend(-0.085, 0.02)]


def camera(bend: Bend) -> Pinhole[Bend]:
    """Half a metre over the table, askew; its optical axis meets the picture beside its middle."""
    tilt = np.deg2rad(12.0)
    down = np.array(((1, 0, 0), (0, -1, 0), (0, 0, -1)))
    aside = np.array(((1, 0, 0), (0, np.cos(tilt), -np.sin(tilt)), (0, np.sin(tilt), np.cos(tilt))))
    turn, place = (aside @ down).astype(np.float32), np.array((20, -90, 500), np.float32)
    return Pinhole(640, 480, 700.0, (330.0, 220.0), bend, place, turn)


@pytest.mark.parametrize("bend", BENDS, ids=str)
def test_pixels_go_back_to_the_points_that_they_show(bend: Bend) -> None:
    seen_by, chance = camera(bend), np.random.default_rng(2)
    for height_mm in (0.0, 18.0):
        flat = chance.uniform(-120, 120, (7, 9, 2)).astype(np.float32)
        points = np.concatenate((flat, np.full((7, 9, 1), height_mm, np.float32)), axis=2)
        seen = seen_by.project(points)
        assert seen.shape == (7, 9, 2)
        assert seen_by.on_plane(seen[..., 0], seen[..., 1], height_mm) == pytest.approx(flat, abs=0.02)


@pytest.mark.parametrize("bend", BENDS, ids=str)
def test_a_ray_leads_to_its_pixel_and_is_one_long(bend: Bend) -> None:
    seen_by = camera(bend)
    x, y = np.meshgrid(np.linspace(0, 639, 9, dtype=np.float32), np.linspace(0, 479, 7, dtype=np.float32))
    rays = seen_by.rays(x, y)
    assert rays.shape == (3, 7, 9)
    assert np.sqrt((rays**2).sum(axis=0)) == pytest.approx(np.ones((7, 9)), abs=1e-5)
    there = seen_by.project(seen_by.eye_mm + 400 * np.moveaxis(rays, 0, -1))
    assert there == pytest.approx(np.stack((x, y), axis=-1), abs=0.06)


@pytest.mark.parametrize("bend", BENDS, ids=str)
def test_the_rays_of_a_grid_are_those_of_its_pixels(bend: Bend) -> None:
    seen_by = camera(bend)
    x, y = np.arange(500, 560, dtype=np.float32), np.arange(20, 70, dtype=np.float32)
    exact = seen_by.rays(*np.meshgrid(x, y)).reshape(3, -1)
    assert np.abs(seen_by.ray_grid(x, y) - exact).max() * seen_by.focal_px < 0.2


def test_the_lenses_bend_opposite_ways_when_their_signs_are_alike() -> None:
    plane = np.array(((0.3,), (0.2,)), np.float32)
    inwards, outwards = MildBend(0.1).bent(plane), RadialBend(0.1, 0.0).bent(plane)
    assert (np.abs(inwards) < np.abs(plane)).all()
    assert (np.abs(outwards) > np.abs(plane)).all()

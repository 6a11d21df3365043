"""Wide scenes: what could be taken for a die is told, and usual scenes do not change."""

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from models.painting.design import Design
from models.painting.solids import Solid
from models.scenes import Scene, draw
from models.scenes.things import MAKERS, box_solid, prism_solid


@pytest.fixture(scope="module")
def scenes() -> list[Scene]:
    return [draw(seed, 320, 240, wide=True) for seed in range(16)]


def test_what_is_no_die_is_told_apart_from_dice(scenes: list[Scene]) -> None:
    names = {thing.name for scene in scenes for thing in scene.things}
    assert len(names) >= 4
    assert all(die.kind != "thing" for scene in scenes for die in scene.dice)
    assert sum(len(scene.dice) for scene in scenes) > 20


def test_places_of_things_go_clockwise_and_show(scenes: list[Scene]) -> None:
    for thing in (thing for scene in scenes for thing in scene.things):
        assert thing.corners_px.shape == (4, 2)
        assert cv2.contourArea(np.asarray(thing.corners_px, np.float32), oriented=True) > 0
        assert 0.6 < thing.visible <= 1


def test_halves_of_a_domino_are_about_square() -> None:
    found = 0
    for seed in range(40, 60):
        for thing in draw(seed, 320, 240, wide=True).things:
            if thing.name == "domino":
                sides = np.linalg.norm(np.roll(thing.corners_px, -1, axis=0) - thing.corners_px, axis=1)
                found += 1
                assert sides.max() < 1.6 * sides.min()
    assert found


def test_usual_scenes_tell_of_no_things() -> None:
    assert draw(3, 160, 120).things == ()


@pytest.mark.parametrize(
    "solid", [box_solid((20.0, 10.0, 4.0), 0.2), prism_solid(16, 8.0, 3.0), prism_solid(16, 5.0, 9.0, 0.3)]
)
def test_bodies_are_as_large_as_their_planes_say(solid: Solid) -> None:
    body = solid.body
    beyond = body.normals @ body.hull_mm - body.reach_mm[:, None]
    assert beyond.max() < 1e-3
    assert np.allclose(beyond.max(axis=1), 0, atol=1e-3)


@pytest.mark.parametrize("maker", [maker for maker, _ in MAKERS])
def test_pieces_of_one_set_look_alike(maker: Callable[..., Design]) -> None:
    one, other = (maker(np.random.default_rng(5), np.random.default_rng(piece), 16.0, 48) for piece in (1, 2))
    assert one.made == other.made
    assert one.frames.edge_mm == other.frames.edge_mm
    assert one.kind == "thing"


def test_printed_faces_are_told() -> None:
    seeds = range(100, 130)
    assert any(thing.name == "print" for seed in seeds for thing in draw(seed, 160, 120, wide=True).things)

"""How flat dice must look, against exact projection by cameras that know nothing of it."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.view import Lens, View
from device.simulator.end_zone import table as end_zone
from device.simulator.end_zone.table import view_of
from device.simulator.lens import SimulatedLens, overhead
from models.painting.camera import MildBend
from models.scenes.layout import Camera, hang
from vision.face_place import place_of
from vision.learned.stance import Upright

EDGES_MM = (9.0, 16.0, 21.0)


def drawn(seed: int) -> Camera:
    """A drawn scene's camera; lenses bend otherwise there than in OpenCV, so this one does not."""
    return replace(hang(np.random.default_rng(seed), (640, 480), 16.0, 30.0), bend=MildBend(0.0))


def view(camera: Camera) -> View:
    """The same camera as a calibration has it."""
    rotation, _ = cv2.Rodrigues(camera.turn.astype(np.float64))
    away = -camera.turn.astype(np.float64) @ camera.eye_mm.astype(np.float64)
    return View(
        lens=Lens(
            width_px=camera.width_px,
            height_px=camera.height_px,
            focal_px=(camera.focal_px, camera.focal_px),
            centre_px=camera.middle_px,
        ),
        rotation=(float(rotation[0, 0]), float(rotation[1, 0]), float(rotation[2, 0])),
        translation_mm=(float(away[0]), float(away[1]), float(away[2])),
    )


def up_face(at_mm: tuple[float, float], edge_mm: float, yaw_rad: float) -> np.ndarray:
    """The corners (4, 3) of the up-face of a die that stands there."""
    c, s = np.cos(yaw_rad), np.sin(yaw_rad)
    round_ = np.array(((-1, -1), (1, -1), (1, 1), (-1, 1))) @ np.array(((c, s), (-s, c))) * edge_mm / 2
    return np.column_stack((round_ + at_mm, np.full(4, edge_mm)))


@pytest.mark.parametrize("seed", range(12))
def test_flat_dice_look_as_a_drawn_scenes_camera_shows_them(seed: int) -> None:
    camera, chance = drawn(seed), np.random.default_rng(seed)
    upright = Upright(view=view(camera))
    for edge_mm in EDGES_MM:
        pixel = chance.uniform((0, 0), (640, 480)).astype(np.float32)
        x, y = camera.on_plane(pixel[:1], pixel[1:])[0]
        corners = up_face((x, y), edge_mm, chance.uniform(0, 6))
        place = place_of(camera.project(corners.astype(np.float32)))
        foot = camera.project(np.array((x, y, 0), np.float32))
        step = (place.center - foot) / (2 * place.half_px)
        assert upright.steps(place.center[None].astype(np.float64))[0] == pytest.approx(step, abs=0.04)


@pytest.mark.parametrize("lens", [overhead(1280, 960), overhead(640, 480), end_zone.eye(1600, 1200)])
def test_they_look_so_under_the_simulated_tables_bending_lens(lens: SimulatedLens) -> None:
    upright = Upright(view=view_of(lens))
    for x, y in ((0.0, 0.0), (150.0, 100.0), (-140.0, 90.0), (60.0, -105.0)):
        spot = (x, y + (600.0 if lens.eye_mm[1] > 500 else 0.0))
        corners = lens.project(up_face(spot, 16.0, 0.4).astype(np.float32))
        place = place_of(np.asarray(corners, np.float32))
        foot = lens.project(np.array((*spot, 0.0), np.float32))
        step = (place.center - foot) / (2 * place.half_px)
        assert upright.steps(place.center[None].astype(np.float64))[0] == pytest.approx(step, abs=0.01)


def test_a_larger_or_smaller_picture_of_the_same_shape_is_known_another_is_not() -> None:
    upright = Upright(view=view_of(overhead(1280, 960)))
    half = upright.of_size(640, 480)
    assert half is not None
    at = np.array(((100.0, 80.0), (1200.0, 900.0)))
    assert half.steps((at - 0.5) / 2) == pytest.approx(upright.steps(at), abs=1e-4)
    assert upright.of_size(1280, 960) is upright
    assert upright.of_size(1280, 720) is None


def test_a_part_of_the_picture_is_known_as_it_is_in_the_whole() -> None:
    upright = Upright(view=view_of(overhead(1280, 960)))
    at = np.array(((1000.0, 700.0),))
    assert upright.within(900, 650).steps(at - (900, 650)) == pytest.approx(upright.steps(at))


def test_nothing_can_lie_where_the_camera_looks_past_the_table() -> None:
    lens = Lens(width_px=640, height_px=480, focal_px=(500.0, 500.0), centre_px=(320.0, 240.0))
    low = View(lens=lens, rotation=(np.deg2rad(100.0), 0.0, 0.0), translation_mm=(0.0, 300.0, 300.0))
    near, sky = Upright(view=low).steps(np.array(((320.0, 470.0), (320.0, 5.0))))
    assert np.isfinite(near).all()
    assert np.isnan(sky).all()

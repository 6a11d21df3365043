"""What a reader makes of a calibration: side faces, pictures of another size, a camera that was moved."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.view import Lens, View
from models.faces import CLASSES, POSES, Floats, Picture, Place, place_of
from tests.vision.learned.test_rims import square, stretched
from vision.learned.bearings import Bearings, without_sides
from vision.learned.faces import FLAT, Face, Stance
from vision.learned.upright import Part, Upright

WHOLE = Part(whole_width_px=160, whole_height_px=160)
EDGE_MM = 16.0


def camera(tilt_deg: float, width_px: int = 160, height_px: int = 160, focal_px: float = 160.0) -> Upright:
    """A camera that looks at the table's origin from 400 mm away, tilted so much off the vertical."""
    tilt = np.deg2rad(tilt_deg)
    view = np.array((0.0, np.sin(tilt), -np.cos(tilt)))
    turn = np.stack(((1.0, 0.0, 0.0), np.cross(view, (1.0, 0.0, 0.0)), view))
    rotation, _ = cv2.Rodrigues(turn)
    middle = ((width_px - 1) / 2, (height_px - 1) / 2)
    lens = Lens(width_px=width_px, height_px=height_px, focal_px=(focal_px, focal_px), centre_px=middle)
    return Upright(
        view=View(
            lens=lens,
            rotation=(float(rotation[0, 0]), float(rotation[1, 0]), float(rotation[2, 0])),
            translation_mm=(0.0, 0.0, 400.0),
        )
    )


def face(place: Place, word: tuple[str, int | str] = ("pip", 4)) -> Face:
    """A face that the network is sure of."""
    return Face(
        place=place,
        heat=0.9,
        off=0.0,
        chances=np.eye(len(CLASSES), dtype=np.float32)[CLASSES.index(word)],
        poses=np.eye(len(POSES), dtype=np.float32)[FLAT],
        embedding=np.zeros(64, np.float32),
    )


def seen(axes: Floats, tilt_deg: float = 0.0) -> tuple[Picture, Face]:
    """A picture with one face, where the network has it (right place and size, not stretched), and the die
    standing as under a camera that is tilted so."""
    flat = face(Place(np.array((80, 75), np.float32), stretched(0, 0)))
    (step,) = camera(tilt_deg).steps(flat.place.center[None])
    return square(axes), replace(flat, stance=Stance(step.astype(np.float32), 0.05))


def asides(upright: Upright, picture: Picture, *faces: Face) -> Floats:
    """By how much they are stretched otherwise than flat ones would be."""
    known = Bearings(upright).known(picture, faces, upright)
    assert known is not None
    return np.asarray(known.asides, np.float32)


def test_a_face_as_the_camera_must_see_it_is_not_aside_and_a_side_face_is() -> None:
    picture, flat = seen(stretched(0, 0))
    assert asides(camera(0.0), picture, flat)[0] < 0.01
    side = face(Place(np.array((80, 75), np.float32), stretched(0.3, 0.0, 0.0)))
    assert asides(camera(0.0), square(stretched(0.3, 0.0, 0.0)), side)[0] > 0.15


def test_how_a_d4_is_stretched_says_nothing() -> None:
    picture, flat = seen(stretched(0, 0))
    told = asides(camera(0.0), picture, face(flat.place, ("d4", 2)), flat)
    assert np.isnan(told).tolist() == [True, False]


def test_beyond_the_table_no_die_lies_flat() -> None:
    picture, flat = seen(stretched(0, 0))
    sky = replace(flat, place=Place(np.array((80, 12), np.float32), stretched(0, 0)))
    assert asides(camera(75.0), picture, sky)[0] > 1


def test_a_camera_that_was_moved_makes_nothing_unsure_and_is_said_once() -> None:
    said: list[str] = []
    oblique, straight_down = camera(30.0), camera(0.0)
    picture, flat = seen(stretched(0, 0))
    bearings = Bearings(oblique, said.append)
    assert bearings.known(picture, [flat] * 3, oblique) is None
    assert bearings.known(picture, [flat], oblique) is None, "it goes on being left aside"
    (sentence,) = said
    assert "the camera was moved" in sentence
    assert "Calibrate again" in sentence
    assert bearings.known(picture, [flat] * 3, straight_down) is not None, "until it holds again"
    assert len(said) == 1


def test_one_leaning_die_among_others_does_not_speak_against_the_calibration() -> None:
    picture, flat = seen(stretched(0, 0))
    _, leaning = seen(stretched(0, 0), tilt_deg=30.0)
    assert Bearings(camera(0.0)).known(picture, [flat, leaning, flat], camera(0.0)) is not None
    assert Bearings(camera(0.0)).known(picture, [leaning], camera(0.0)) is not None


def test_a_picture_of_another_shape_is_read_without_and_that_is_said_once() -> None:
    said: list[str] = []
    bearings = Bearings(camera(0.0), said.append)
    wide = Part(whole_width_px=320, whole_height_px=160)
    assert bearings.at(wide) is None
    assert bearings.at(wide) is None
    (sentence,) = said
    assert "160 x 160" in sentence
    assert "320 x 160" in sentence
    larger = bearings.at(Part(left_px=40, top_px=60, whole_width_px=320, whole_height_px=320))
    assert larger is not None
    assert larger.view.lens.centre_px == (119.5, 99.5)
    assert Bearings().at(WHOLE) is None


def faces_of(upright: Upright, x_mm: float, y_mm: float, yaw_rad: float) -> tuple[Face, Face]:
    """The up-face and the side face towards the camera of a die that stands there."""
    half = EDGE_MM / 2
    c, s = np.cos(yaw_rad), np.sin(yaw_rad)
    turn = np.array(((c, -s, 0), (s, c, 0), (0, 0, 1)))
    up = np.array(((-1, -1, 2), (1, -1, 2), (1, 1, 2), (-1, 1, 2))) * half
    side = np.array(((-1, -1, 0), (1, -1, 0), (1, -1, 2), (-1, -1, 2))) * half
    return tuple(  # type: ignore[return-value] - there are two
        face(place_of(upright.view.project(each @ turn.T + (x_mm, y_mm, 0)).astype(np.float32)))
        for each in (up, side)
    )


@pytest.mark.parametrize("tilt_deg", [20.0, 30.0, 40.0])
@pytest.mark.parametrize("yaw_deg", [-40.0, 0.0, 25.0])
def test_a_dies_side_is_not_taken_for_a_second_die(tilt_deg: float, yaw_deg: float) -> None:
    upright = camera(tilt_deg, 640, 480, 1200.0)
    top, side = faces_of(upright, 5.0, 3.0, np.deg2rad(yaw_deg))
    assert without_sides([side, top], upright) == [top]
    assert without_sides([top], upright) == [top]


@pytest.mark.parametrize("yaw_deg", [0.0, 45.0])
@pytest.mark.parametrize("tilt_deg", [0.0, 20.0, 40.0])
def test_dice_that_touch_are_two(tilt_deg: float, yaw_deg: float) -> None:
    upright = camera(tilt_deg, 640, 480, 1200.0)
    c, s = np.cos(np.deg2rad(yaw_deg)), np.sin(np.deg2rad(yaw_deg))
    one, _ = faces_of(upright, 0.0, 0.0, np.deg2rad(yaw_deg))
    for x, y in ((EDGE_MM * c, EDGE_MM * s), (-EDGE_MM * s, EDGE_MM * c)):
        other, _ = faces_of(upright, x, y, np.deg2rad(yaw_deg))
        assert len(without_sides([one, other], upright)) == 2

"""What a reader makes of a calibration: side faces, pictures of another size, a camera that was moved."""

from dataclasses import replace

import cv2
import numpy as np

from calibration.view import Lens, View
from vision.face_place import FacePlace
from vision.learned.camera_prior import CameraPrior
from vision.learned.contract import CLASSES, POSES
from vision.learned.faces import FLAT, Face, Stance
from vision.learned.stance import Part, Upright

WHOLE = Part(whole_width_px=160, whole_height_px=160)


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


def face(place: FacePlace, word: tuple[str, int | str] = ("pip", 4)) -> Face:
    """A face that the network is sure of."""
    return Face(
        place=place,
        heat=0.9,
        off=0.0,
        chances=np.eye(len(CLASSES), dtype=np.float32)[CLASSES.index(word)],
        poses=np.eye(len(POSES), dtype=np.float32)[FLAT],
        embedding=np.zeros(64, np.float32),
    )


def seen(tilt_deg: float = 0.0) -> Face:
    """A face whose die stands as under a camera that is tilted so."""
    flat = face(FacePlace(np.array((80, 75), np.float32), np.eye(2, dtype=np.float32) * 12))
    (step,) = camera(tilt_deg).steps(flat.place.center[None].astype(np.float64))
    return replace(flat, stance=Stance(step.astype(np.float32), 0.05))


def test_a_camera_that_was_moved_makes_nothing_unsure_and_is_said_once() -> None:
    said: list[str] = []
    bearings = CameraPrior(camera(30.0), said.append)
    assert bearings.steps([seen()] * 3, WHOLE) is None
    assert bearings.steps([seen()], WHOLE) is None, "it goes on being left aside"
    (sentence,) = said
    assert "the camera was moved" in sentence
    assert "Calibrate again" in sentence
    assert bearings.steps([seen(30.0)] * 3, WHOLE) is not None, "until it holds again"
    assert len(said) == 1


def test_one_leaning_die_among_others_does_not_speak_against_the_calibration() -> None:
    bearings = CameraPrior(camera(0.0))
    assert bearings.steps([seen(), seen(30.0), seen()], WHOLE) is not None
    assert bearings.steps([seen(30.0)], WHOLE) is not None
    assert bearings.steps([], WHOLE) is None


def test_a_picture_of_another_shape_is_read_without_and_that_is_said_once() -> None:
    said: list[str] = []
    bearings = CameraPrior(camera(0.0), said.append)
    wide = Part(whole_width_px=320, whole_height_px=160)
    assert bearings.at(wide) is None
    assert bearings.at(wide) is None
    (sentence,) = said
    assert "160 x 160" in sentence
    assert "320 x 160" in sentence
    larger = bearings.at(Part(left_px=40, top_px=60, whole_width_px=320, whole_height_px=320))
    assert larger is not None
    assert larger.view.lens.centre_px == (119.5, 99.5)
    assert CameraPrior().at(WHOLE) is None

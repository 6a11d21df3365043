"""The true calibration of a kit, in the shape that calibrating gives: for measuring without calibrating
first.
"""

import cv2
import numpy as np

from benchmarks.landing.kit import Kit
from benchmarks.landing.layout import description
from calibration.description import PointMm
from calibration.table import Laid, LaidDot, LaidTape, LaidZone, TableCalibration
from calibration.view import Lens, View

STRAIGHT_MM = 0.001
"""A true line may run so far beside its own points."""


def true_view(kit: Kit) -> View:
    """The camera as it really is."""
    optics, camera = kit.camera.optics, kit.camera
    vector = cv2.Rodrigues(camera.turn)[0].ravel()
    move = -camera.turn @ np.array(camera.eye_mm)
    return View(
        lens=Lens(
            width_px=optics.width_px,
            height_px=optics.height_px,
            focal_px=optics.focal_px,
            centre_px=optics.centre_px,
            distortion=(optics.k[0], optics.k[1], optics.p[0], optics.p[1], optics.k[2]),
        ),
        rotation=(float(vector[0]), float(vector[1]), float(vector[2])),
        translation_mm=(float(move[0]), float(move[1]), float(move[2])),
    )


def true_calibration(kit: Kit) -> TableCalibration:
    """Camera and lines as they really are, without landmarks."""
    layout = kit.layout
    half = layout.half_width_mm
    laid = Laid(
        zones=tuple(
            LaidZone(value=a.value, polygon_mm=_points(a.outline_mm, closed=True)) for a in layout.areas
        ),
        dot=LaidDot(center_mm=layout.dot_mm, diameter_mm=layout.dot_diameter_mm, sigma_mm=0.002),
        tapes=tuple(
            LaidTape(name=name, outer_mm=_points(strip.outer_mm), inner_mm=_points(strip.inner_mm))
            for name in ("left", "right", "halfway")
            for strip in layout.strips
            if strip.name == name
        ),
        table_edge_mm=((-half, 0.0), (half, 0.0)),
        sigma_mm=0.002,
    )
    return TableCalibration(
        view=true_view(kit), planned=description(), laid=laid, landmarks=(), sigma_mm=0.002
    )


def _points(line: np.ndarray, *, closed: bool = False) -> tuple[PointMm, ...]:
    """A line without the points that it does not need: a call weighs each of its pieces."""
    kept = cv2.approxPolyDP(line.astype(np.float32).reshape(-1, 1, 2), STRAIGHT_MM, closed).reshape(-1, 2)
    return tuple((float(x), float(y)) for x, y in kept)

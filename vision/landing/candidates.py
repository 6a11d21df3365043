"""Finds where dice may lie under a calibrated camera, by the networks that read dice anywhere.

How it works. A calibration tells how large a die is in the picture, so the finder looks at it once, at the
size in which it knows dice best. What the face reader then holds for an up-face is laid on the plane in which
the up-faces of flat dice lie: that gives its middle and its yaw to a fraction of a millimetre, and the fit
goes on from there. Where its foot is seen tells how far it may lean, and to which side.
"""

import math
from dataclasses import dataclass

import numpy as np

from calibration.arrays import Floats, Picture
from calibration.table import TableCalibration
from calibration.view import View
from vision.landing.cube import Cube, flat_cube, resting_cube
from vision.learned.contract import CLASSES, drop_doubles
from vision.learned.faces import Face, read_faces
from vision.learned.finder import find_at_scale
from vision.learned.networks import Networks
from vision.learned.stance import measure_stances

FOUND_PX = 28.0
"""The edge of a die in the picture that the finder looks at."""
LEAST_HEAT = 0.2
"""The least heat of a find that is looked at."""
LEAST_PIPS = 0.3
"""The least chance to be a pip die's face with which something is measured."""
PIPS = tuple(CLASSES.index(("pip", value)) for value in range(1, 7))
ROUNDS = 3
"""How often the height of a leaning die's up-face is corrected; it then hardly changes."""


@dataclass(frozen=True, eq=False)
class Candidate:
    """Something that may be a die on the table."""

    face: Face
    x_mm: float
    y_mm: float
    """With x, the middle of its up-face, if it lies flat."""
    yaw_rad: float

    @property
    def may_be_measured(self) -> bool:
        """Whether it is likely enough a pip die's face."""
        return float(self.face.chances[list(PIPS)].sum()) >= LEAST_PIPS

    @property
    def value(self) -> int:
        """The likeliest number of pips."""
        return int(self.face.chances[list(PIPS)].argmax()) + 1

    @property
    def value_chance(self) -> float:
        """How often this number is right, if it is a pip die."""
        pips = self.face.chances[list(PIPS)]
        return float(pips.max() / pips.sum())

    def flat(self, edge_mm: float, radius_mm: float) -> Cube:
        """The cube that lies flat here."""
        return flat_cube(self.x_mm, self.y_mm, self.yaw_rad, edge_mm, radius_mm)


def find_candidates(picture: Picture, calibration: TableCalibration, networks: Networks) -> list[Candidate]:
    """What may be dice in a picture (h, w, 3) of the calibration's size, the hottest first."""
    view, edge_mm = calibration.view, calibration.dice.edge_mm
    scale = min(1.0, FOUND_PX / (_scale(view, edge_mm) * edge_mm))
    peaks = drop_doubles(find_at_scale(picture, scale, networks, LEAST_HEAT))
    found = read_faces(picture, peaks, networks)
    faces = [face for face in found if not face.is_none]
    stood = measure_stances(picture, faces, range(len(faces)), networks)
    return sorted((_laid(face, view, edge_mm) for face in stood), key=lambda one: -one.face.heat)


def _scale(view: View, edge_mm: float) -> float:
    """Pixels per millimetre in the middle of the picture."""
    middle = np.array([[view.lens.width_px / 2, view.lens.height_px / 2]])
    x, y = (float(part) for part in view.on_plane(middle)[0])
    return view.scale_px_per_mm(x, y, edge_mm / 2)


def _laid(face: Face, view: View, edge_mm: float) -> Candidate:
    """A face, laid on the plane of the up-faces of flat dice."""
    center, axes = face.place.center.astype(np.float64), face.place.axes.astype(np.float64)
    middle, right, down = view.on_plane(np.stack((center, center + axes[:, 0], center + axes[:, 1])), edge_mm)
    turns = [math.atan2(along[1], along[0]) for along in (right - middle, down - middle)]
    yaw = float(np.angle(np.exp(4j * np.array(turns)).sum())) / 4
    return Candidate(face, float(middle[0]), float(middle[1]), yaw)


def leaning_cube(one: Candidate, view: View, flat: Cube, share: float = 1.0) -> Cube | None:
    """The cube that leans as the candidate's foot tells, by that share of it; None where its foot cannot be
    seen there. `flat` is it lying flat."""
    face, edge_mm = one.face, flat.edge_mm
    if face.stance is None:
        return None
    foot_px = face.place.center - face.stance.step * 2 * face.place.half_px
    way = view.rays(foot_px.astype(np.float64)[None])[0]
    way = way / np.linalg.norm(way)
    up = np.array((0.0, 0.0, 1.0))
    top = np.zeros(3)
    for _ in range(ROUNDS):
        turn = _tilted(up, share) @ flat.turn
        height = 2 * float(resting_cube(0.0, 0.0, turn, edge_mm, flat.radius_mm).center_mm[2])
        z_mm = height / 2 + edge_mm / 2 * float(up[2])
        top = np.array((*view.on_plane(face.place.center[None].astype(np.float64), z_mm)[0][:2], z_mm))
        found = _up_axis(top, view.eye_mm, way, edge_mm)
        if found is None:
            return None
        up = found
    turn = _tilted(up, share) @ flat.turn
    middle = top - edge_mm / 2 * up
    return resting_cube(float(middle[0]), float(middle[1]), turn, edge_mm, flat.radius_mm)


def _up_axis(top: Floats, eye: Floats, way: Floats, edge_mm: float) -> Floats | None:
    """The unit vector from a die's foot, which is seen along a ray, to the middle of its up-face: where the
    ray leaves the ball round that middle, or passes it nearest."""
    to = top - eye
    along = float(to @ way)
    aside = float(to @ to) - along**2
    if aside > (1.5 * edge_mm) ** 2:
        return None
    foot = eye + (along + math.sqrt(max(edge_mm**2 - aside, 0.0))) * way
    axis = top - foot
    return np.asarray(axis / np.linalg.norm(axis))


def _tilted(up: Floats, share: float) -> Floats:
    """The least turn that takes upright by that share to an axis (3 x 3)."""
    across = np.array((-up[1], up[0], 0.0))
    size = float(np.linalg.norm(across))
    if size < 1e-6:
        return np.eye(3)
    angle = share * math.atan2(size, float(up[2]))
    x, y, z = across / size
    skew = np.array(((0, -z, y), (z, 0, -x), (-y, x, 0)))
    return np.asarray(np.eye(3) + math.sin(angle) * skew + (1 - math.cos(angle)) * skew @ skew)

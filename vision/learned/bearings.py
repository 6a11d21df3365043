"""The calibration as a reader of dice uses it: fitted to each picture, and left aside where it does not hold.

- How much otherwise a face is stretched than a flat one must be there is told by its edges and by the
  network; both see something, so their mean counts.
- Two dice cannot stand in one another. Of two faces that would, the one that lies towards the other's foot is
  that die's own side.
- Where most of the sure faces of a picture likelier lean than lie flat, the camera hangs otherwise than when
  it was calibrated. Then dice are read without it until most of them agree again.
"""

from collections.abc import Callable, Sequence

import numpy as np

from models.faces import Picture, told
from vision.learned.company import Known, in_company
from vision.learned.faces import FLAT, Face
from vision.learned.rims import stretches_seen
from vision.learned.upright import Floats, Part, Upright

TOLD_SHARE = 0.2
"""The network tells so much of a flat face's stretch: fitted on 800 faces of held-out drawn scenes."""
NETWORK_SHARE = 2 / 3
"""What the network tells counts twice what the edges tell: so a curve through both wants it."""
SURE = 0.9
"""A face and its lying flat are sure from this chance on, where the calibration itself is asked about."""
FEWEST_SURE = 3
OVERLAP = 0.93
"""In edges: flat dice whose middles are nearer than this would stand in one another."""
FOOTWARDS = 0.6
"""Cosine of the angle between the way to a side face's middle and the way to the foot, at least."""
SIDES_SHOW = 0.15
"""In edges: where the foot lies less aside of the up-face, no side can be taken for a face."""


def _silent(_: str) -> None:
    """Tells nobody."""


class Bearings:
    """A calibrated camera's view, for the pictures that one reader is given."""

    def __init__(self, upright: Upright | None = None, tell: Callable[[str], None] = _silent) -> None:
        """Without `upright` nothing is known; `tell` hears, once each, why dice are read without it."""
        self._upright = upright
        self._tell = tell
        self._told: set[str] = set()
        self._moved = False

    def at(self, part: Part) -> Upright | None:
        """What is known of that part of a picture; None where there is no calibration for it."""
        if self._upright is None:
            return None
        fitted = self._upright.of_size(part.whole_width_px, part.whole_height_px)
        if fitted is not None:
            return fitted.within(part.left_px, part.top_px)
        lens = self._upright.view.lens
        self._once(
            f"The calibration is for pictures of {lens.width_px} x {lens.height_px}, and these are of "
            f"{part.whole_width_px} x {part.whole_height_px}: dice are read without it. Calibrate with "
            "pictures of the same shape."
        )
        return None

    def known(self, picture: Picture, faces: Sequence[Face], upright: Upright) -> Known | None:
        """What is known of N faces; of a D4, which is no square, not how it is stretched. None where the
        calibration does not hold."""
        steps = upright.steps(np.array([face.place.center for face in faces]))
        known = Known(steps, _asides(picture, faces, upright))
        height, width = picture.shape[:2]
        sure = [
            face.leaning
            for face in in_company(faces, width, height, known)
            if face.stance is not None and face.chances.max() >= SURE and face.poses[FLAT] >= SURE
        ]
        if len(sure) >= FEWEST_SURE:
            self._moved = float(np.median(sure)) > 0
        if self._moved:
            self._once(
                "The dice lie otherwise than the calibration says: the camera was moved, or it is another's. "
                "They are read without it. Calibrate again."
            )
            return None
        return known

    def _once(self, sentence: str) -> None:
        if sentence not in self._told:
            self._told.add(sentence)
            self._tell(sentence)


def _asides(picture: Picture, faces: Sequence[Face], upright: Upright) -> Floats:
    out = np.full(len(faces), np.nan)
    square = [i for i, face in enumerate(faces) if face.kind_and_value[0] != "d4"]
    if not square:
        return out
    found = [faces[i].place for i in square]
    expected = upright.stretches(np.array([place.center for place in found]))
    beyond = np.isnan(expected).any(axis=1)
    expected[beyond] = 0.0
    seen = stretches_seen(picture, found, expected)
    network = np.array([told(place)[1:3] for place in found], np.float64)
    by_edges = np.hypot(*(seen - expected).T)
    by_network = np.hypot(*(network - TOLD_SHARE * expected).T)
    aside = (1 - NETWORK_SHARE) * by_edges + NETWORK_SHARE * by_network
    out[square] = np.where(beyond, np.inf, aside)
    return out


def without_sides(faces: Sequence[Face], upright: Upright) -> list[Face]:
    """The faces without those that are a side of a die whose up-face is among them."""
    counts = np.array([not face.is_none and float(face.chances.max()) > 1 / 2 for face in faces], np.bool_)
    if counts.sum() < 2:
        return list(faces)
    centers = np.array([face.place.center for face in faces], np.float64)
    footward, edge = -upright.steps(centers), upright.edge_mm
    grows = upright.scales_px_per_mm(centers)
    edges_mm = np.array([2 * face.place.half_px for face in faces]) / grows
    at = upright.view.on_plane(centers, edge)
    apart = np.linalg.norm(at[:, None] - at, axis=2) / edges_mm[:, None]
    ways = centers - centers[:, None]  # from each to each other
    lengths = np.linalg.norm(ways, axis=2) * np.linalg.norm(footward, axis=1)[:, None]
    towards = (ways * footward[:, None]).sum(axis=2) > FOOTWARDS * lengths
    shows = np.linalg.norm(footward, axis=1) > SIDES_SHOW
    side = counts[:, None] & shows[:, None] & towards & (apart < OVERLAP)
    np.fill_diagonal(side, val=False)
    return [face for i, face in enumerate(faces) if not side[:, i].any()]

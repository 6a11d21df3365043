"""Holds claimed dice against the picture: does a die lie there, and does it stand as claimed?

How it works. Where the camera is known, so is what it would see of a die: the claim is drawn over the piece
of the picture where it should be, and a network that was shown many claims, true ones and others, tells
whether the two are the same (`models/claim.md`). It asks nothing of how the claim came about, so flat dice
and leaning ones are verified alike.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibration.arrays import Picture, Singles
from calibration.view import View
from vision.face_place import place_of
from vision.landing.cube import Cube, up_axis
from vision.landing.faces import up_face
from vision.learned.contract import claim_cut
from vision.learned.faces import softmax
from vision.learned.networks import Networks


@dataclass(frozen=True, slots=True)
class ClaimVerdict:
    """The chances of what is true of a claim."""

    holds: float
    otherwise: float
    """That a die's up-face is there, but that it stands otherwise."""

    @property
    def there(self) -> float:
        """The chance that a die is there, however it stands."""
        return self.holds + self.otherwise


def verify_claims(
    picture: Picture, view: View, cubes: Sequence[Cube], networks: Networks
) -> list[ClaimVerdict]:
    """What the picture (h, w, 3) says of each of these dice."""
    if not cubes:
        return []
    cuts, steps = zip(*(_cut(picture, view, cube) for cube in cubes), strict=True)
    chances = softmax(networks.verify(np.stack(cuts), np.asarray(steps, np.float32)))
    return [ClaimVerdict(float(holds), float(otherwise)) for holds, otherwise, _ in chances]


def _cut(picture: Picture, view: View, cube: Cube) -> tuple[Picture, Singles]:
    top = up_face(cube)
    foot = top - up_axis(cube) * cube.edge_mm
    faces = [place_of(view.project(corners).astype(np.float32)) for corners in (top, foot)]
    return claim_cut(picture, *faces)

"""Tells which finds are dice although they count as none.

Who names the kind that lies there is believed, so what looks like a die of another kind hardly counts as one;
and a D4 that shows no number to the D4 network counts as none. But what is neither read nor mentioned is
missed in silence. So a find that looked like a die before, and that surely rises from the table, as no print
does, is mentioned.
"""

from collections.abc import Sequence
from dataclasses import replace

from calibration.arrays import Picture
from vision.learned.faces import Face
from vision.learned.neighbours import rises_surely
from vision.learned.networks import Networks
from vision.learned.stance import measure_stances

LIKELY_UNEXPECTED, WARM_UNEXPECTED = 0.6, 0.35
"""The chance of an unexpected die, and the finder's heat, from which a find may be strange."""


def find_strange(picture: Picture, faces: Sequence[Face], networks: Networks) -> list[Face]:
    """The faces with `strange` filled in."""
    likely = [i for i, face in enumerate(faces) if _may_be_strange(face)]
    unmeasured = [i for i in likely if faces[i].stance is None]
    measured = measure_stances(picture, faces, unmeasured, networks)
    out = list(faces)
    for i in likely:
        stance = measured[i].stance
        out[i] = replace(faces[i], strange=stance is not None and rises_surely(stance))
    return out


def _may_be_strange(face: Face) -> bool:
    return face.is_none and face.heat >= WARM_UNEXPECTED and face.unexpected >= LIKELY_UNEXPECTED

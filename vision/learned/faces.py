"""Reads faces with the reader network: what each shows, how it lies, how sure that is."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration.arrays import Picture, Singles
from engine.dice import Die
from vision.learned.contract import CLASSES, DICE, FOREIGN, NONE, POSES, cut_out, move_place
from vision.learned.networks import Networks
from vision.learned.peaks import Peak, keep_apart
from vision.place import Place

AT_ONCE = 16
"""How many faces go through the network together: more would only take more memory."""
FLAT = POSES.index("flat")
OTHER_SIDES = (np.pi / 2, np.pi, 3 * np.pi / 2)
SURELY_NONE = 0.9
SETTLED, FAR_OFF = 0.1, 0.2
"""In half edges: a place that the first look set right by more is looked at again, and where the second look
did so by as much as the latter, once more."""
SAME_DIE = 0.9
"""Two faces nearer than this, in half edges of the larger, are one."""


@dataclass(frozen=True, slots=True, eq=False)
class Stance:
    """How a die stands, as it is pictured."""

    step: Singles
    """x, y from its foot to its up-face's middle, in pictured edges of the up-face."""
    off: float
    """How far that may be off along each axis, likewise."""


@dataclass(frozen=True, slots=True, eq=False)
class Face:
    """A find that was read."""

    place: Place
    """Where it lies, as the reader set it right."""
    heat: float
    """The finder's own chance that a die is here, 0 to 1."""
    off: float
    """How far the place was still set right at the last look, in half edges."""
    chances: Singles
    """For each of CLASSES; together 1."""
    poses: Singles
    """For each of POSES; together 1."""
    embedding: Singles
    """64 numbers, near for faces that look alike."""
    askew: float = 0.0
    """How much otherwise than its neighbours it is stretched, or under a calibrated camera than a flat face
    would be (`vision.learned.neighbours`); 0 where nothing tells."""
    stance: Stance | None = None
    """How it stands; None where nobody looked."""
    leaning: float = 0.0
    """The log odds that it leans, as its stance among the others tells, or the calibration (likewise)."""
    close: bool = False
    """Whether it is a D4 that was looked at once more, closely (`vision.learned.d4`)."""

    @property
    def best(self) -> int:
        """The likeliest class."""
        return int(self.chances.argmax())

    @property
    def is_none(self) -> bool:
        """Whether it is likelier no up-face than one."""
        return self.best == NONE

    @property
    def is_foreign(self) -> bool:
        """Whether it is likelier a die of no known kind."""
        return self.best == FOREIGN

    @property
    def die(self) -> Die | None:
        """The die that it most likely shows; None for one of no known kind, or none at all."""
        return DICE[self.best] if self.best < len(DICE) else None


def read_faces(picture: Picture, found: Sequence[Peak], networks: Networks) -> list[Face]:
    """Each find read as the finder placed it; where that look set its place right by much, once more there,
    and at need a third time.

    Finds that are clearly no face at the first look are left out, and so is the worse of two that turn
    out to be one die.
    """
    faces = [
        face
        for face in _looked(picture, [(peak.place, peak.heat, 0.0) for peak in found], networks)
        if face.chances[NONE] < SURELY_NONE
    ]
    for off in (SETTLED, FAR_OFF):
        astray = [i for i, face in enumerate(faces) if face.off > off]
        again = _looked(picture, [(faces[i].place, faces[i].heat, 0.0) for i in astray], networks)
        for i, face in zip(astray, again, strict=True):
            faces[i] = face
    return _once(faces)


def read_at(picture: Picture, places: Sequence[Place], networks: Networks) -> list[Face]:
    """Faces at places that are known, read from all four sides."""
    return read_from_all_sides(
        picture, _looked(picture, [(place, 1.0, 0.0) for place in places], networks), networks
    )


def read_from_all_sides(picture: Picture, faces: Sequence[Face], networks: Networks) -> list[Face]:
    """The faces read from the three other sides too, and the mean of all taken: slower, and surer."""
    others = [(face.place, face.heat, turn) for face in faces for turn in OTHER_SIDES]
    looks = _looked(picture, others, networks)
    out = []
    for i, face in enumerate(faces):
        every = [face, *looks[i * len(OTHER_SIDES) : (i + 1) * len(OTHER_SIDES)]]
        chances = np.mean([look.chances for look in every], axis=0)
        poses = np.mean([look.poses for look in every], axis=0)
        out.append(
            replace(face, chances=np.asarray(chances, np.float32), poses=np.asarray(poses, np.float32))
        )
    return out


def _looked(picture: Picture, places: Sequence[tuple[Place, float, float]], networks: Networks) -> list[Face]:
    """What is seen at places (place, heat, radians further round)."""
    out: list[Face] = []
    for begin in range(0, len(places), AT_ONCE):
        some = places[begin : begin + AT_ONCE]
        cuts = np.stack([cut_out(picture, place, turn) for place, _, turn in some])
        classes, poses, embeddings, moves = networks.read(cuts)
        chances, poses = softmax(classes), softmax(poses)
        for i, (place, heat, _) in enumerate(some):
            triangle = CLASSES[int(chances[i].argmax())][0] == "d4"
            out.append(
                Face(
                    place=move_place(place, moves[i], triangle=triangle) if _sane(moves[i]) else place,
                    heat=heat,
                    off=float(np.abs(moves[i][:3]).sum()),
                    chances=chances[i],
                    poses=poses[i],
                    embedding=embeddings[i],
                )
            )
    return out


def _sane(moves: Singles) -> bool:
    """Whether the face may lie where the reader says: in the cut, and about as large as it."""
    return bool(np.isfinite(moves).all() and np.abs(moves[:2]).max() < 1 and abs(moves[2]) < 1)


def _once(faces: Sequence[Face]) -> list[Face]:
    ordered = sorted(faces, key=lambda f: float(f.chances[NONE]) - f.heat)
    return [ordered[i] for i in keep_apart([face.place for face in ordered], SAME_DIE)]


def softmax(logits: Singles) -> Singles:
    """The chances of logits, row by row."""
    raised = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True), np.float32)

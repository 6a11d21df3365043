"""Reads faces with the reader network: what each shows, how it lies, how sure that is."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration.arrays import Picture, Singles
from engine.dice import Die
from vision.face_place import FacePlace
from vision.learned.contract import (
    CLASSES,
    DICE,
    FOREIGN,
    IS_D4,
    NONE,
    POSES,
    Peak,
    cut_out,
    keep_apart,
    move_place,
)
from vision.learned.networks import Networks

AT_ONCE = 16
"""How many faces go through the network together; more would only take more memory."""
FLAT = POSES.index("flat")
OTHER_SIDES = (np.pi / 2, np.pi, 3 * np.pi / 2)
SURELY_NONE = 0.9
SURE = 0.9
"""The chance from which a face, and its lying flat, are sure."""
SETTLED, FAR_OFF = 0.1, 0.2
"""How far the reader may correct a place, in half edges, before it is looked at again: after the first look,
and after the second."""
SAME_DIE = 0.9
"""Faces nearer to each other than this, in half edges of the larger, are one."""
_OTHERS = np.array([kind not in ("d4", "none") for kind, _ in CLASSES])


@dataclass(frozen=True, slots=True, eq=False)
class Stance:
    """How a die stands, as seen in the picture."""

    step: Singles
    """The step: from the middle of its foot to that of its up-face (x, y), in pictured edges of the
    up-face."""
    off: float
    """One sigma of the step along each axis, in the same unit."""


@dataclass(frozen=True, slots=True, eq=False)
class Face:
    """A find of the finder, as the face reader read it."""

    place: FacePlace
    """Where it lies, as the face reader corrected it."""
    heat: float
    """The finder's own chance that a die is here, 0 to 1."""
    off: float
    """How far the last look still corrected the place, in half edges."""
    chances: Singles
    """The chance of each of CLASSES; they add up to 1."""
    poses: Singles
    """The chance of each of POSES; they add up to 1."""
    embedding: Singles
    """64 numbers that are alike for faces that look alike."""
    askew: float = 0.0
    """How differently it is stretched from its neighbours (`vision.learned.neighbours`); 0 where it has too
    few."""
    stance: Stance | None = None
    """How the die stands; None where nobody looked."""
    leaning: float = 0.0
    """The log odds that the die leans, from its stance compared with the others' or the calibration's
    (`vision.learned.neighbours`)."""
    printed: bool = False
    """Whether it seems to be printed on the table, as very many others beside it
    (`vision.learned.neighbours`)."""
    rivalled: float = 0.0
    """How likely the likeliest other face is to be a flat die's, 0 to 1, that lies too near for a die of its
    own and is likelier than this one (`vision.learned.confidence`): then it may be a side of that."""
    close: bool = False
    """Whether it is a D4 that was looked at closely (`vision.learned.d4`)."""
    unexpected: float = 0.0
    """The chance that it is a die all the same if it counts as none: one of a kind that nobody named, or a D4
    of whose numbers the D4 network sees none."""
    strange: bool = False
    """Whether it is so likely such a die that people are told (`vision.learned.reader`)."""

    @property
    def is_sure(self) -> bool:
        """Whether it is so sure, and so surely flat, that it may speak for or against how a camera hangs."""
        return bool(self.chances.max() >= SURE and self.poses[FLAT] >= SURE) and self.stance is not None

    @property
    def best(self) -> int:
        """The likeliest class."""
        return int(self.chances.argmax())

    @property
    def is_none(self) -> bool:
        """Whether its likeliest class is no up-face."""
        return self.best == NONE

    @property
    def is_foreign(self) -> bool:
        """Whether its likeliest class is a die of no known kind."""
        return self.best == FOREIGN

    @property
    def die(self) -> Die | None:
        """The die that it most likely shows; None for one of no known kind, or none at all."""
        return DICE[self.best] if self.best < len(DICE) else None


def read_faces(
    picture: Picture, found: Sequence[Peak], networks: Networks, before: Sequence[Face] = ()
) -> list[Face]:
    """The finds of a picture, read, with those read `before`. Where a look corrects the place by much, the
    face is cut out there and read again, and at need a third time.

    Finds that are clearly no face at the first look are left out, and so is the worse of two that turn out to
    be one die.
    """
    faces = [
        face
        for face in _read_batch(picture, [(peak.place, peak.heat, 0.0) for peak in found], networks)
        if face.chances[NONE] < SURELY_NONE
    ]
    for off in (SETTLED, FAR_OFF):
        astray = [i for i, face in enumerate(faces) if face.off > off]
        again = _read_batch(picture, [(faces[i].place, faces[i].heat, 0.0) for i in astray], networks)
        for i, face in zip(astray, again, strict=True):
            faces[i] = face
    return _once([*before, *faces])


def read_at(picture: Picture, places: Sequence[FacePlace], networks: Networks) -> list[Face]:
    """The faces at known places, read from all four sides."""
    return read_from_all_sides(
        picture, _read_batch(picture, [(place, 1.0, 0.0) for place in places], networks), networks
    )


def read_from_all_sides(picture: Picture, faces: Sequence[Face], networks: Networks) -> list[Face]:
    """The faces read from their three other sides too, with the mean of all four answers: slower, but
    surer."""
    others = [(face.place, face.heat, turn) for face in faces for turn in OTHER_SIDES]
    looks = _read_batch(picture, others, networks)
    out = []
    for i, face in enumerate(faces):
        every = [face, *looks[i * len(OTHER_SIDES) : (i + 1) * len(OTHER_SIDES)]]
        chances = np.mean([look.chances for look in every], axis=0)
        poses = np.mean([look.poses for look in every], axis=0)
        out.append(
            replace(face, chances=np.asarray(chances, np.float32), poses=np.asarray(poses, np.float32))
        )
    return out


def _read_batch(
    picture: Picture, places: Sequence[tuple[FacePlace, float, float]], networks: Networks
) -> list[Face]:
    """What the face reader sees at each (place, heat, turn of the cut in radians)."""
    out: list[Face] = []
    side = networks.cut_side_px if places else 0
    for begin in range(0, len(places), AT_ONCE):
        some = places[begin : begin + AT_ONCE]
        cuts = np.stack([cut_out(picture, place, turn, side) for place, _, turn in some])
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
    """Whether the reader's answer is plausible: the face lies in the cut and is about as large as it was
    thought."""
    return bool(np.isfinite(moves).all() and np.abs(moves[:2]).max() < 1 and abs(moves[2]) < 1)


def _once(faces: Sequence[Face]) -> list[Face]:
    """Each die once: of two finds that are one die, the one that is hotter and shows more clearly what it is.
    Two dice that touch are at times found as one as well, and that shows nothing clearly."""
    ordered = sorted(faces, key=lambda face: -(face.heat + _clear(face)))
    return [ordered[i] for i in keep_apart([face.place for face in ordered], SAME_DIE)]


def _clear(face: Face) -> float:
    """The chance of the likeliest class that is a face, 0 to 1. D4 count as one: their numbers are too small
    here."""
    return max(float(face.chances[_OTHERS].max()), float(face.chances[IS_D4].sum()))


def softmax(logits: Singles) -> Singles:
    """The chances (n, k) of logits (n, k), row by row."""
    raised = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True), np.float32)

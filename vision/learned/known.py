"""The owner's own dice: a nearest-neighbour classifier beside the face reader's own answer.

The network turns each face into 64 numbers that lie near each other for faces that look alike. For each face
that the owner showed, these numbers and the truth are kept. Near some of these examples, a new face's chances
change by what they say, the nearer the more; far from all, it is read as before. So what was learnt changes
only faces that look like those that were shown.
"""

import base64
import hashlib
import math
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import msgspec
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Singles
from engine.wording import phrase, phrase_later
from vision.learned.contract import CLASSES
from vision.learned.faces import Face

ClassNumbers = NDArray[np.int32]

NEAR = 0.06
"""One minus the cosine at which the trust in an example has fallen to 1/e, about a third."""
NEARER = 0.02
"""By how much less alike an example may be than the likest one until its voice has fallen to as much: many
that are half alike must not outvote one that is the very face."""
SIDES = 6
"""Among how many faces an example chooses: what it says counts against one in so many."""
TRUST = 0.9
"""How much an example that looks just the same is trusted at most; the rest stays with the network."""
NUMBERS = 64
SCHEMA = 1
MOST = 4000
DAMAGED = phrase_later("This file is damaged. Run `callbox learn` again; the lessons are kept.")


class KnownError(ValueError):
    """What was learnt cannot be used; the message says why and what to do."""


class _DiceFile(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="callbox dice"):
    """The content of the file."""

    version: int
    network: str
    classes: tuple[tuple[str, int | str], ...]
    pictures: tuple[str, ...]
    """For each example, the lesson in which it was shown."""
    embeddings: str
    """Base 64 of float32, little endian, row by row."""
    trust: Annotated[float, msgspec.Meta(ge=0, le=TRUST)] = TRUST
    """How much the examples are trusted (`Known.trust`)."""


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """The n faces that the owner showed."""

    network: str
    """SHA-256 of the network that made the embeddings."""
    embeddings: Singles
    """n x 64, each of length 1."""
    classes: ClassNumbers
    """Indices into CLASSES (n)."""
    pictures: tuple[str, ...]
    """The lesson of each (n)."""
    trust: float = TRUST
    """How much an example that looks just the same is trusted, 0 to 1."""

    def __len__(self) -> int:
        return len(self.pictures)

    def adapt(self, face: Face) -> Face:
        """The face with what the examples say taken into account.

        Where they say what the network says, its odds grow as two independent opinions do. Where they say
        otherwise, the chances are mixed: so a design that the network takes for another is read as it was
        shown, and where that is doubtful nobody is sure.
        """
        if not len(self):
            return face
        length = float(np.linalg.norm(face.embedding))
        if length < 1e-6:
            return face
        alike = self.embeddings @ (face.embedding / length)
        likest = float(alike.max())
        voices = np.bincount(self.classes, np.exp((alike - likest) / NEARER), len(CLASSES))
        says = voices / voices.sum()
        share = self.trust * math.exp((likest - 1) / NEAR)
        if int(says.argmax()) == face.best:
            chances = face.chances * (1 - share + share * says * SIDES)
        else:
            chances = (1 - share) * face.chances + share * says
        return replace(face, chances=np.asarray(chances / chances.sum(), np.float32))

    def without(self, picture: str) -> "Known":
        """What would be known had this lesson not been given."""
        kept = np.array([name != picture for name in self.pictures], np.bool_)
        return replace(
            self,
            embeddings=self.embeddings[kept],
            classes=self.classes[kept],
            pictures=tuple(name for name in self.pictures if name != picture),
        )

    def to_bytes(self) -> bytes:
        """The content of a file that holds it; `from_bytes` reads it."""
        file = _DiceFile(
            version=SCHEMA,
            network=self.network,
            classes=tuple(CLASSES[place] for place in self.classes),
            pictures=self.pictures,
            embeddings=base64.b64encode(self.embeddings.astype("<f4").tobytes()).decode("ascii"),
            trust=self.trust,
        )
        return msgspec.json.format(msgspec.json.encode(file), indent=1) + b"\n"

    @classmethod
    def from_bytes(cls, content: bytes, network: Path) -> "Known":
        """Read what `to_bytes` made. Raises `KnownError` for damaged content, or where the network was
        another one."""
        try:
            told = msgspec.json.decode(content, type=_DiceFile)
            numbers = np.frombuffer(base64.b64decode(told.embeddings, validate=True), "<f4")
            embeddings = numbers.reshape(len(told.pictures), NUMBERS).astype(np.float32)
            classes = np.array([CLASSES.index(each) for each in told.classes], np.int32)
        except (msgspec.DecodeError, UnicodeDecodeError, ValueError) as error:
            raise KnownError(phrase(DAMAGED)) from error
        if told.version != SCHEMA or told.network != fingerprint(network):
            raise KnownError(
                phrase(
                    "This was learnt with another version of Callbox's networks. Run `callbox learn` once: "
                    "it learns from the kept lessons again."
                )
            )
        if len(classes) != len(embeddings) or not np.isfinite(embeddings).all():
            raise KnownError(phrase(DAMAGED))
        return cls(told.network, embeddings, classes, told.pictures, told.trust)


def fingerprint(network: Path) -> str:
    """SHA-256 of a network's file."""
    return hashlib.sha256(network.read_bytes()).hexdigest()


def learn_faces(examples: list[tuple[str, Singles, int]], network: Path) -> Known:
    """What is known from examples of (lesson, 64 numbers, index into CLASSES). Raises ValueError for more
    than 4,000."""
    if len(examples) > MOST:
        raise ValueError(f"at most {MOST} faces can be learnt; got {len(examples)}")
    raw = np.array([numbers for _, numbers, _ in examples], np.float32).reshape(len(examples), NUMBERS)
    lengths = np.maximum(np.linalg.norm(raw, axis=1, keepdims=True), 1e-9)
    return Known(
        network=fingerprint(network),
        embeddings=np.asarray(raw / lengths, np.float32),
        classes=np.array([place for _, _, place in examples], np.int32),
        pictures=tuple(name for name, _, _ in examples),
    )

"""Learns the owner's own dice from a few pictures, as nearest neighbours.

The network turns each face into 64 numbers that lie near each other for faces that look alike. For each face
that the owner showed, these numbers and the truth are kept. Near some of these examples, a new face's chances
change by what they say, the nearer the more; far from all, it is read as before. So what was learnt changes
only faces that look like those that were shown.
"""

import base64
import hashlib
import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import msgspec
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Picture, Singles
from engine.dice import Die, DieKind
from engine.dice import Face as DieFace
from engine.wording import phrase, phrase_later
from vision.learned.contract import CLASSES, DICE
from vision.learned.faces import Face
from vision.learned.networks import Networks
from vision.learned.reader import LearnedReader
from vision.reading import ON_THE_WIRE, Point, Reading

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


class CustomDiceError(ValueError):
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
    """How much the examples are trusted (`CustomDice.trust`)."""


@dataclass(frozen=True, slots=True, eq=False)
class CustomDice:
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

    def without(self, picture: str) -> "CustomDice":
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
    def from_bytes(cls, content: bytes, network: Path) -> "CustomDice":
        """Read what `to_bytes` made. Raises `CustomDiceError` for damaged content, or where the network was
        another one."""
        try:
            told = msgspec.json.decode(content, type=_DiceFile)
            numbers = np.frombuffer(base64.b64decode(told.embeddings, validate=True), "<f4")
            embeddings = numbers.reshape(len(told.pictures), NUMBERS).astype(np.float32)
            classes = np.array([CLASSES.index(each) for each in told.classes], np.int32)
        except (msgspec.DecodeError, UnicodeDecodeError, ValueError) as error:
            raise CustomDiceError(phrase(DAMAGED)) from error
        if told.version != SCHEMA or told.network != fingerprint(network):
            raise CustomDiceError(
                phrase(
                    "This was learnt with another version of Callbox's networks. Run `callbox learn` once: "
                    "it learns from the kept lessons again."
                )
            )
        if len(classes) != len(embeddings) or not np.isfinite(embeddings).all():
            raise CustomDiceError(phrase(DAMAGED))
        return cls(told.network, embeddings, classes, told.pictures, told.trust)


def fingerprint(network: Path) -> str:
    """SHA-256 of a network's file."""
    return hashlib.sha256(network.read_bytes()).hexdigest()


def learn_faces(examples: list[tuple[str, Singles, int]], network: Path) -> CustomDice:
    """What is known from examples of (lesson, 64 numbers, index into CLASSES). Raises ValueError for more
    than 4,000."""
    if len(examples) > MOST:
        raise ValueError(f"at most {MOST} faces can be learnt; got {len(examples)}")
    raw = np.array([numbers for _, numbers, _ in examples], np.float32).reshape(len(examples), NUMBERS)
    lengths = np.maximum(np.linalg.norm(raw, axis=1, keepdims=True), 1e-9)
    return CustomDice(
        network=fingerprint(network),
        embeddings=np.asarray(raw / lengths, np.float32),
        classes=np.array([place for _, _, place in examples], np.int32),
        pictures=tuple(name for name, _, _ in examples),
    )


# Learns the owner's dice from a few pictures, and proves that nothing got worse by it.
#
# What is learnt is tried on two sets before it is kept: on every lesson, read as if that lesson had not been
# given, and on pictures that Callbox draws itself. On neither may more dice be misread or fewer be read than
# before; where they are, the lessons are trusted less, and it is tried again.

TRUSTS = (TRUST, 0.6, 0.3)
"""How much examples are trusted, tried in this order."""
Reads = Callable[[CustomDice | None, Picture], Reading]
"""Reads a picture with what is known of the owner's dice."""


class LessonDie(msgspec.Struct, frozen=True, kw_only=True, rename=ON_THE_WIRE):
    """A die in a picture, and what it truly shows. The files of the lessons hold these."""

    kind: DieKind
    value: DieFace
    center_px: Point | None = None
    """The middle of its up-face; None where it is not known which die of the picture this is."""
    corners_px: Annotated[tuple[Point, ...], msgspec.Meta(max_length=4)] = ()
    """Its up-face's corners, in order round it, where they are known."""

    def __post_init__(self) -> None:
        """Wrong dice die at birth."""
        Die(self.kind, self.value)

    @property
    def die(self) -> Die:
        """What it is and shows."""
        return Die(self.kind, self.value)


@dataclass(frozen=True, slots=True, eq=False)
class LessonPicture:
    """A picture with the truth about it."""

    name: str
    picture: Picture
    dice: tuple[LessonDie, ...]
    in_part: tuple[LessonDie, ...] = ()
    """Dice of which only a part is seen: nobody asks that they be read, and it is no mistake where they are
    read as what they show."""


@dataclass(frozen=True, slots=True)
class Score:
    """How well some pictures were read: counts of dice."""

    dice: int = 0
    right: int = 0
    wrong: int = 0

    def __add__(self, other: "Score") -> "Score":
        return Score(self.dice + other.dice, self.right + other.right, self.wrong + other.wrong)

    def as_good_as(self, other: "Score") -> bool:
        """No more dice misread, no fewer read."""
        return self.wrong <= other.wrong and self.right >= other.right


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Outcome:
    """The result of learning, before it is kept or dropped."""

    known: CustomDice
    faces: int
    """How many faces were learnt from."""
    lessons_before: Score
    lessons_after: Score
    drawn_before: Score
    drawn_after: Score

    @property
    def is_no_worse(self) -> bool:
        """Whether nothing got worse, so that it may be kept."""
        return self.lessons_after.as_good_as(self.lessons_before) and self.drawn_after.as_good_as(
            self.drawn_before
        )


def learn_lessons(
    lessons: Sequence[LessonPicture],
    drawn: Iterable[LessonPicture],
    before: CustomDice | None,
    reads: Reads,
    networks: Networks,
    step: Callable[[], object] = lambda: None,
) -> Outcome:
    """Learn from all lessons and try the result: of `TRUSTS` the first with which nothing gets worse, or the
    first where each makes something worse. `step` is called once for each lesson and each drawn picture."""
    examples = [each for lesson in lessons for each in _examples(lesson, networks)]
    known = learn_faces(examples, networks.faces)
    tried = [replace(known, trust=trust) for trust in TRUSTS]
    lesson_totals = [Score()] * (1 + len(tried))
    drawn_totals = list(lesson_totals)
    for lesson in lessons:
        without = [each and each.without(lesson.name) for each in (before, *tried)]
        scores = [score(reads(each, lesson.picture), lesson) for each in without]
        lesson_totals = [total + new for total, new in zip(lesson_totals, scores, strict=True)]
        step()
    for one in drawn:
        scores = [score(reads(each, one.picture), one) for each in (before, *tried)]
        drawn_totals = [total + new for total, new in zip(drawn_totals, scores, strict=True)]
        step()
    outcomes = [
        Outcome(
            known=after,
            faces=len(after),
            lessons_before=lesson_totals[0],
            lessons_after=lessons_after,
            drawn_before=drawn_totals[0],
            drawn_after=drawn_after,
        )
        for after, lessons_after, drawn_after in zip(tried, lesson_totals[1:], drawn_totals[1:], strict=True)
    ]
    return next((outcome for outcome in outcomes if outcome.is_no_worse), outcomes[0])


def score(reading: Reading, truth: LessonPicture) -> Score:
    """How many of a picture's dice were read right, and how many readings match no die that lies there."""
    meant = Counter(die.die for die in truth.dice)
    told = Counter(die.die for die in reading.dice)
    in_part = Counter(die.die for die in truth.in_part)
    return Score(len(truth.dice), (meant & told).total(), (told - meant - in_part).total())


def _examples(lesson: LessonPicture, networks: Networks) -> list[tuple[str, Singles, int]]:
    """For each die whose place is known, the face that the finder found there, as (lesson, embedding,
    index)."""
    looked = LearnedReader(networks).look(lesson.picture)
    out = []
    for die in lesson.dice:
        if die.center_px is None:
            continue
        place = DICE.index(die.die)
        for one in looked:
            if np.hypot(*(one.face.place.center - np.array(die.center_px))) < one.face.place.half_px:
                out.append((lesson.name, one.face.embedding, place))
                break
    return out

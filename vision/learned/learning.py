"""Learns the owner's dice from a few pictures, and proves that nothing got worse by it.

What is learnt is tried on two sets before it is kept: on every lesson, read as if that lesson had not been
given, and on pictures that Callbox draws itself. On neither may more dice be misread or fewer be read than
before; where they are, the lessons are trusted less, and it is tried again.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

import msgspec
import numpy as np

from calibration.arrays import Picture, Singles
from engine.dice import Die, DieKind
from engine.dice import Face as DieFace
from vision.learned.contract import DICE
from vision.learned.known import TRUST, Known, learn_faces
from vision.learned.networks import Networks
from vision.learned.reader import LearnedReader
from vision.reading import ON_THE_WIRE, Point, Reading

TRUSTS = (TRUST, 0.6, 0.3)
"""How much examples are trusted, tried in this order."""
Reads = Callable[[Known | None, Picture], Reading]
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

    known: Known
    faces: int
    """How many faces were learnt from."""
    lessons_before: Score
    lessons_after: Score
    drawn_before: Score
    drawn_after: Score

    @property
    def kept(self) -> bool:
        """Whether nothing got worse, so that it may be kept."""
        return self.lessons_after.as_good_as(self.lessons_before) and self.drawn_after.as_good_as(
            self.drawn_before
        )


def learn(
    lessons: Sequence[LessonPicture],
    drawn: Iterable[LessonPicture],
    before: Known | None,
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
    return next((outcome for outcome in outcomes if outcome.kept), outcomes[0])


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

"""People's word for what dice show that the box read wrong: one die after the other, left to right."""

from dataclasses import dataclass, field

from device.lessons import lesson_die, teaching
from device.setup.dice_advice import edge_of, square_about
from device.setup.shown import MarkShown
from engine.dice import Die, DieKind, Face
from vision.learned.known import LessonDie
from vision.reading import Reading, SeenDie, UnsureDie

NONE = "none"
FACE = "face "
"""What acts begin with that name a face."""


@dataclass(slots=True)
class Correction:
    """What people say of one picture's dice, all of one kind."""

    reading: Reading
    kind: DieKind
    _said: list[Face | None] = field(default_factory=list)
    """What was said so far; None: that is no die."""

    @property
    def finds(self) -> tuple[SeenDie | UnsureDie, ...]:
        """All that is, or may be, a die, left to right."""
        return teaching.list_finds(self.reading)

    @property
    def asked(self) -> int:
        """Which of them is asked for, from 1; after the last one, 0."""
        number = len(self._said) + 1
        return number if number <= len(self.finds) else 0

    def say(self, act: str) -> None:
        """What the die that is asked for shows, by `FACE` and its word, or that it is none."""
        self._said.append(None if act == NONE else teaching.FACE_WORDS[self.kind][act.removeprefix(FACE)])

    @property
    def truth(self) -> tuple[LessonDie, ...]:
        """The dice as people say."""
        return tuple(
            lesson_die(find, Die(self.kind, face))
            for find, face in zip(self.finds, self._said, strict=False)
            if face is not None
        )

    @property
    def right(self) -> int:
        """How many of the dice were read as people say."""
        return sum(
            isinstance(find, SeenDie) and find.kind == self.kind and find.value == face
            for find, face in zip(self.finds, self._said, strict=False)
        )

    def marks(self) -> tuple[MarkShown, ...]:
        """The die that is asked for; thinner, the others."""
        half = 0.6 * edge_of(self.reading)
        return tuple(
            MarkShown("board" if number == self.asked else "taken", self._outline(find, half), closed=True)
            for number, find in enumerate(self.finds, 1)
        )

    def _outline(self, find: SeenDie | UnsureDie, half_px: float) -> tuple[tuple[float, float], ...]:
        return find.corners_px if isinstance(find, SeenDie) else square_about(find.center_px, half_px)

"""How people show the box their dice: a picture, what the box reads in it, and their word for it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from device.lessons.lessons import LessonDie
from engine.dice import DieKind, Face
from vision.reading import Point, Reading

FACES: dict[DieKind, dict[str, Face]] = {
    "pip": {str(value): value for value in range(1, 7)},
    "zoinx": {"dot": "dot", "d": "dot", "square": "square", "s": "square"},
    "bet": {str(value): value for value in (0, 2, 4, 6, 8, 10)},
    "d4": {str(value): value for value in range(1, 5)},
}
"""What may be typed for a die of each kind."""
NO_DIE = "-"
UNREAD = "?"
LEAVE = "leave"
HELP = (
    "Type what the dice show, left to right, with spaces between; - stands for what is no die. Enter alone:"
    " all is as read. leave: leave this picture out."
)

Ask = Callable[[str], str]
"""Shows a question and returns the line that was typed; raises EOFError at the end."""


@dataclass(frozen=True, slots=True)
class Find:
    """One thing in the picture that is, or may be, a die."""

    kind: DieKind
    read: str
    """As it was read, or "?"."""
    center: Point
    corners: tuple[Point, ...]


class NotUnderstood(ValueError):
    """What was typed does not fit; the message says what would."""


def list_finds(reading: Reading, kind: DieKind) -> tuple[Find, ...]:
    """All finds, left to right. `kind` is what an unread one is taken for."""
    seen = [
        Find(die.kind, str(die.value), die.center_px, die.corners_px)
        for die in reading.dice
        if die.kind == kind
    ]
    other = [Find(kind, UNREAD, die.center_px, die.corners_px) for die in reading.dice if die.kind != kind]
    unsure = [Find(kind, UNREAD, place.center_px, ()) for place in reading.unsure]
    return tuple(sorted((*seen, *other, *unsure), key=lambda find: find.center))


def parse_answer(there: Sequence[Find], line: str) -> tuple[LessonDie, ...]:
    """What the dice show, from the line that was typed; raises `NotUnderstood`."""
    words = line.lower().replace(",", " ").split()
    if not words:
        if any(find.read == UNREAD for find in there):
            raise NotUnderstood("Some were not read (?), so their numbers are needed.")
        words = [find.read for find in there]
    if len(words) != len(there):
        raise NotUnderstood(f"{len(there)} were found, and {len(words)} typed.")
    dice = []
    for find, word in zip(there, words, strict=True):
        if word == NO_DIE:
            continue
        if word not in FACES[find.kind]:
            raise NotUnderstood(f"{word!r} is no face of such a die; it has {', '.join(FACES[find.kind])}.")
        dice.append(
            LessonDie(kind=find.kind, value=FACES[find.kind][word], center=find.center, corners=find.corners)
        )
    return tuple(dice)


def teach(
    name: str, reading: Reading, kind: DieKind, ask: Ask, say: Callable[[str], None]
) -> tuple[LessonDie, ...]:
    """Ask until the answer fits; nothing when people pass, or when nothing was found. Raises EOFError."""
    there = list_finds(reading, kind)
    if not there:
        say(f"{name}: no dice are seen, so there is nothing to learn. More light, or a plainer cloth?")
        return ()
    question = f"{name}: {'  '.join(find.read for find in there)}\n  what do they show? "
    while True:
        line = ask(question).strip()
        if line.lower() == LEAVE:
            return ()
        try:
            return parse_answer(there, line)
        except NotUnderstood as wrong:
            say(f"{wrong} {HELP}")

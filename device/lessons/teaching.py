"""How people show the box their dice: a picture, what the box reads in it, and their word for it."""

from collections.abc import Callable, Sequence

from device.lessons.lessons import lesson_die
from engine.dice import FACES, Die, DieKind, Face
from engine.wording import phrase, phrase_later
from vision.learned.known import LessonDie
from vision.reading import Reading, SeenDie, UnsureDie

FACE_WORDS: dict[DieKind, dict[str, Face]] = {
    kind: {word: face for face in faces for word in (str(face), *(face[:1] if isinstance(face, str) else ()))}
    for kind, faces in FACES.items()
}
"""What may be typed for a die of each kind: its face, or the first letter of one that has a name."""
NO_DIE = "-"
UNREAD = "?"
LEAVE = "leave"
HELP = phrase_later(
    "Type what the dice show, left to right, with spaces between; - stands for what is no die. Enter alone:"
    " all is as read. leave: leave this picture out."
)

Ask = Callable[[str], str]
"""Shows a question and returns the line that was typed; raises EOFError at the end."""


class NotUnderstood(ValueError):
    """What was typed does not fit; the message says what would."""


def list_finds(reading: Reading) -> tuple[SeenDie | UnsureDie, ...]:
    """All that is, or may be, a die, left to right."""
    return tuple(sorted((*reading.dice, *reading.unsure), key=lambda find: find.center_px))


def face_word(find: SeenDie | UnsureDie, kind: DieKind) -> str:
    """How a die was read, or "?" for one that was not read as of that kind."""
    return str(find.value) if isinstance(find, SeenDie) and find.kind == kind else UNREAD


def parse_answer(there: Sequence[SeenDie | UnsureDie], kind: DieKind, line: str) -> tuple[LessonDie, ...]:
    """What the dice, all of one kind, show, from the line that was typed; raises `NotUnderstood`."""
    words = line.lower().replace(",", " ").split()
    if not words:
        words = [face_word(find, kind) for find in there]
        if UNREAD in words:
            raise NotUnderstood(phrase("Some were not read (?), so their numbers are needed."))
    if len(words) != len(there):
        raise NotUnderstood(
            phrase("{found} were found, and {typed} typed.", found=len(there), typed=len(words))
        )
    dice = []
    for find, word in zip(there, words, strict=True):
        if word == NO_DIE:
            continue
        if word not in FACE_WORDS[kind]:
            raise NotUnderstood(
                phrase(
                    "{word} is no face of such a die; it has {faces}.",
                    word=repr(word),
                    faces=", ".join(FACE_WORDS[kind]),
                )
            )
        dice.append(lesson_die(find, Die(kind, FACE_WORDS[kind][word])))
    return tuple(dice)


def teach(
    name: str, reading: Reading, kind: DieKind, ask: Ask, say: Callable[[str], None]
) -> tuple[LessonDie, ...]:
    """Ask until the answer fits; nothing when people pass, or when nothing was found. Raises EOFError."""
    there = list_finds(reading)
    if not there:
        say(
            phrase(
                "{picture}: no dice are seen, so there is nothing to learn. More light, or a plainer cloth?",
                picture=name,
            )
        )
        return ()
    read = "  ".join(face_word(find, kind) for find in there)
    asked = phrase("what do they show?")
    question = f"{name}: {read}\n  {asked} "
    while True:
        line = ask(question).strip()
        if line.lower() == LEAVE:
            return ()
        try:
            return parse_answer(there, kind, line)
        except NotUnderstood as wrong:
            say(f"{wrong} {phrase(HELP)}")

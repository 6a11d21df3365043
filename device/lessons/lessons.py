"""Pictures with the truth about their dice: what people corrected at the table, and what they showed the box.

One lesson is a picture, NAME.jpg, and NAME.json beside it: the dice, with their up-faces' corners where it is
known which die is meant. `callbox learn` learns from them; `callbox learn --export` copies them out.
"""

import re
import shutil
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import msgspec

from calibration.durable import sync_folder, write_whole
from device.journal import Storage
from engine.dice import FACES, Die, DieKind, Face
from engine.wording import phrase, phrase_later
from vision.learned.custom_dice import LessonDie
from vision.reading import Reading, SeenDie, UnsureDie

MOST = 400
"""How many lessons are kept, a hundred megabytes or so; then the oldest make room."""
Source = Literal["correction", "learn"]
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,60}")


class LessonTruth(msgspec.Struct, frozen=True, kw_only=True):
    """What a lesson's JSON file holds."""

    image: str
    dice: tuple[LessonDie, ...]
    source: Source


@dataclass(frozen=True, slots=True)
class Lesson:
    """A lesson on the disk."""

    picture: Path
    truth: LessonTruth


class LessonsBroken(OSError):
    """The disk did not take or give a lesson; the message says which and what to do."""


class Lessons:
    """The lessons of one data folder."""

    def __init__(self, folder: Path) -> None:
        """`folder` need not be there yet."""
        self._folder = folder

    def keep(self, name: str, jpeg: bytes, dice: Sequence[LessonDie], source: Source) -> None:
        """Write one lesson, or write it anew, the picture first; raises `LessonsBroken`."""
        if not _NAME.fullmatch(name):
            raise ValueError(f"a lesson's name is small letters, digits and dashes; got {name!r}")
        truth = LessonTruth(image=f"{name}.jpg", dice=tuple(dice), source=source)
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            write_whole(self._folder / f"{name}.jpg", jpeg)
            write_whole(self._folder / f"{name}.json", msgspec.json.format(msgspec.json.encode(truth)))
            sync_folder(self._folder)
            self._make_room()
        except OSError as error:
            raise LessonsBroken(
                phrase(
                    "The picture is not kept to learn from ({error}); the game goes on. Make room on the "
                    "disk with {folder}.",
                    error=error.strerror,
                    folder=self._folder,
                )
            ) from error

    def all(self) -> tuple[Lesson, ...]:
        """The lessons, oldest first; what cannot be read is passed over."""
        found = []
        for path in self._files():
            try:
                truth = msgspec.json.decode(path.read_bytes(), type=LessonTruth)
            except (OSError, msgspec.DecodeError, UnicodeDecodeError):
                continue
            picture = path.with_suffix(".jpg")
            if picture.is_file():
                found.append(Lesson(picture, truth))
        return tuple(found)

    def free_name(self, about: str) -> str:
        """A name for a lesson about a picture, that no lesson has yet."""
        letters = (sign if sign.isascii() and sign.isalnum() else "-" for sign in about.lower())
        stem = "".join(letters).strip("-")[:40]
        taken = {lesson.picture.stem for lesson in self.all()}
        names = [f"learn-{stem}", *(f"learn-{stem}-{again}" for again in range(2, len(taken) + 3))]
        return next(each for each in names if each not in taken)

    def export(self, to: Path) -> int:
        """Copy pictures and one truth.json into a folder; returns how many; raises `LessonsBroken`."""
        lessons = self.all()
        try:
            to.mkdir(parents=True, exist_ok=True)
            for lesson in lessons:
                shutil.copyfile(lesson.picture, to / lesson.truth.image)
            whole = msgspec.json.format(msgspec.json.encode([lesson.truth for lesson in lessons]), indent=1)
            (to / "truth.json").write_bytes(whole + b"\n")
        except OSError as error:
            raise LessonsBroken(
                phrase(
                    "{folder} cannot be written: {error}. Name another folder.",
                    folder=to,
                    error=error.strerror,
                )
            ) from error
        return len(lessons)

    def forget(self) -> int:
        """Delete every lesson; returns how many there were. Raises `LessonsBroken`."""
        files = self._files()
        try:
            for path in files:
                path.unlink()
                path.with_suffix(".jpg").unlink(missing_ok=True)
        except OSError as error:
            raise LessonsBroken(
                phrase("{folder} cannot be emptied: {error}.", folder=self._folder, error=error.strerror)
            ) from error
        return len(files)

    def _files(self) -> list[Path]:
        try:
            return sorted(self._folder.glob("*.json"), key=lambda path: (path.stat().st_mtime_ns, path.name))
        except OSError:
            return []

    def _make_room(self) -> None:
        files = self._files()
        for path in files[: max(len(files) - MOST, 0)]:
            path.with_suffix(".jpg").unlink(missing_ok=True)
            path.unlink()


def place_dice(reading: Reading, meant: Sequence[Die]) -> tuple[LessonDie, ...]:
    """What people said the dice show, each with its place where there is no doubt which die it is.

    Dice that were read as people say keep their places. What is left over is given to the places that are
    left over only when all of it is the same, for example one wrong die; else it stays without a place.
    """
    left = Counter(meant)
    dice: list[LessonDie] = []
    wrong: list[SeenDie] = []
    for seen in reading.dice:
        if left[seen.die] > 0:
            left[seen.die] -= 1
            dice.append(lesson_die(seen, seen.die))
        else:
            wrong.append(seen)
    rest = sorted(left.elements(), key=str)
    known = len(set(rest)) == 1 and len(wrong) == len(rest) and not reading.unsure
    for n, die in enumerate(rest):
        dice.append(lesson_die(wrong[n] if known else None, die))
    return tuple(dice)


def lesson_die(at: SeenDie | UnsureDie | None, die: Die) -> LessonDie:
    """A die where something was seen; None: it is not known where."""
    if at is None:
        return LessonDie(kind=die.kind, value=die.value)
    corners = at.corners_px if isinstance(at, SeenDie) else ()
    return LessonDie(kind=die.kind, value=die.value, center_px=at.center_px, corners_px=corners)


def keep_to_learn(
    storage: Storage, lessons: Lessons | None, reading: Reading, picture: str, meant: Sequence[Die]
) -> str:
    """Keep a corrected reading where the owner asked for that; returns what went wrong, or ""."""
    jpeg = storage.picture(picture) if lessons and picture else None
    if lessons is None or jpeg is None:
        return ""
    name = picture.removesuffix(".jpg").replace("/", "-")
    try:
        lessons.keep(f"game-{name}", jpeg, place_dice(reading, meant), "correction")
    except LessonsBroken as error:
        return str(error)
    return ""


# How people show the box their dice: a picture, what the box reads in it, and their word for it.

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


@dataclass(slots=True)
class Correction:
    """What people say the dice of one picture show, all of one kind, from left to right."""

    reading: Reading
    kind: DieKind
    faces: list[Face | None] = field(default_factory=list)
    """What was said so far; None: that is no die."""

    @property
    def finds(self) -> tuple[SeenDie | UnsureDie, ...]:
        """All that is, or may be, a die."""
        return tuple(sorted((*self.reading.dice, *self.reading.unsure), key=lambda find: find.center_px))

    @property
    def read(self) -> list[str]:
        """How each was read, or "?" for one that was not read as of that kind."""
        return [
            str(find.value) if isinstance(find, SeenDie) and find.kind == self.kind else UNREAD
            for find in self.finds
        ]

    @property
    def next_number(self) -> int:
        """Which of them is asked for, from 1; after the last one, 0."""
        number = len(self.faces) + 1
        return number if number <= len(self.finds) else 0

    @property
    def truth(self) -> tuple[LessonDie, ...]:
        """The dice as people say."""
        return tuple(
            lesson_die(find, Die(self.kind, face))
            for find, face in zip(self.finds, self.faces, strict=False)
            if face is not None
        )

    @property
    def right(self) -> int:
        """How many of the dice were read as people say."""
        return sum(str(face) == word for face, word in zip(self.faces, self.read, strict=False))

    def add(self, word: str) -> None:
        """The next die shows that face, or is none (`NO_DIE`); raises `NotUnderstood`."""
        known = FACE_WORDS[self.kind]
        if word != NO_DIE and word not in known:
            raise NotUnderstood(
                phrase(
                    "{word} is no face of such a die; it has {faces}.",
                    word=repr(word),
                    faces=", ".join(known),
                )
            )
        self.faces.append(known.get(word))

    def answer(self, line: str) -> None:
        """What all of them show, from a line that was typed; raises `NotUnderstood`."""
        words = line.lower().replace(",", " ").split() or self.read
        if UNREAD in words:
            raise NotUnderstood(phrase("Some were not read (?), so their numbers are needed."))
        if len(words) != len(self.finds):
            raise NotUnderstood(
                phrase("{found} were found, and {typed} typed.", found=len(self.finds), typed=len(words))
            )
        self.faces.clear()
        for word in words:
            self.add(word)


def teach(
    name: str, reading: Reading, kind: DieKind, ask: Ask, say: Callable[[str], None]
) -> tuple[LessonDie, ...]:
    """Ask until the answer fits; nothing when people pass, or when nothing was found. Raises EOFError."""
    correction = Correction(reading, kind)
    if not correction.finds:
        say(
            phrase(
                "{picture}: no dice are seen, so there is nothing to learn. More light, or a plainer cloth?",
                picture=name,
            )
        )
        return ()
    read = "  ".join(correction.read)
    prompt = phrase("what do they show?")
    question = f"{name}: {read}\n  {prompt} "
    while True:
        line = ask(question).strip()
        if line.lower() == LEAVE:
            return ()
        try:
            correction.answer(line)
            return correction.truth
        except NotUnderstood as wrong:
            say(f"{wrong} {phrase(HELP)}")

"""The step in which dice of each kind are thrown, and read as in a game."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import dist
from pathlib import Path
from statistics import median
from typing import Protocol, runtime_checkable

import numpy as np

from calibration.arrays import Picture
from calibration.fit import light_of
from device.cameras import Frame
from device.doctor import Finding
from device.journal import lessons_path
from device.lessons import Lessons, LessonsBroken
from device.lessons.known_dice import learn_again, load_lessons
from device.lessons.lessons import NO_DIE, Correction
from device.setup.step import KEEP, NotNow, PictureMark, PointPx, SetupStep, StepAction, StepView
from device.shown.words import DICE
from device.table.reading import open_reader
from engine.dice import FACES, DieKind
from engine.rulebooks import RULEBOOKS
from engine.wording import phrase, phrase_count, phrase_later
from engine.words import capital, face_word, number, together
from models.files import ModelError
from vision.learned.custom_dice import LessonDie
from vision.legible import EDGE_NEEDED, legible
from vision.pictures import jpeg_of
from vision.places import Layout
from vision.reading import DiceChoice, Reading, SeenDie, UnsureDie
from vision.watch import FrameState, Watch, WatchSettings

# What is wrong with dice that are not read for certain, and what to do about it, in a sentence each.

GLARE_SHARE = 0.1
"""The share of burnt pixels from which a lamp hides what a die shows."""
UNKNOWN_EDGE = 0.04
"""A die's edge, as a share of the picture's width, where no die was read."""
SIGNS = {"dot": "●", "square": "■"}
"""Faces without a number, in the picture."""
LEANS = phrase_later("Die {number} leans: it has to lie flat. Throw it again.")
NOT_CLEAR = phrase_later("Die {number} does not show its face clearly: more light, or a sharper picture.")
SMALL = phrase_later(
    "Die {number} is too small in the picture: hang the camera lower, or set larger pictures under [camera]."
)
PRINTED = phrase_later(
    "What is marked {number} may be printed on the table. Throw onto a plain cloth, or take it away."
)
OTHER = phrase_later("Die {number} is of another kind. Leave only those there that were asked for.")
ADVICE: Mapping[str, str] = {
    phrase_later("cocked"): LEANS,
    phrase_later("stacked"): phrase_later("Die {number} lies on another one, or touches it. Throw it again."),
    phrase_later("half hidden"): phrase_later("Die {number} is half hidden: take away what lies before it."),
    phrase_later("at the picture's edge"): phrase_later(
        "Die {number} lies at the picture's edge. Throw it into the middle."
    ),
    phrase_later("it may be printed on the table"): PRINTED,
    phrase_later("of a die's size, but it shows no face"): phrase_later(
        "What is marked {number} is of a die's size and shows no face. If it is none, take it away; "
        "if it is one, the picture has to be sharper."
    ),
    phrase_later("a die of a kind that was not expected"): OTHER,
    phrase_later("too small in the picture"): SMALL,
    phrase_later("its face does not show clearly"): NOT_CLEAR,
}
"""By the reason that vision gives (`vision.reading.UnsureDie.reason`)."""
UNKNOWN = phrase_later("Die {number} is not read ({reason}). Throw it again, or give it more light.")
GLARE = phrase_later("A lamp mirrors on die {number}: move the lamp to the side, or soften it.")


def hints_on(
    picture: Picture, reading: Reading, kind: DieKind, fine_scale: float, words: Mapping[str, str]
) -> tuple[Finding, ...]:
    """What was read in a picture, how sure, and what is wrong with each die that is not.

    `fine_scale` is how many times more pixels a side the picture has that faces are read from; `words` are
    those for faces, by `str` of them.
    """
    if not reading.dice and not reading.unsure:
        text = phrase(
            "No dice are seen. They have to lie in the picture, on a cloth of another colour, and flat."
        )
        return (Finding("read", "warn", text),)
    hints = [_read(reading.dice, words)] if reading.dice else []
    if reading.dice and (small := _size(reading.dice, kind, fine_scale)) is not None:
        hints.append(small)
    for index, die in enumerate(reading.unsure, 1):
        text = advice_for(picture, die, edge_of(reading), index)
        hints.append(Finding(f"unsure{index}", "fail", text))
    return tuple(hints)


def advice_for(picture: Picture, die: UnsureDie, edge_px: float, number: int) -> str:
    """What is wrong with a die that is not read, and what to do, in a sentence."""
    x, y = die.center_px
    half = edge_px / 2
    rows, columns = (slice(max(0, round(at - half)), round(at + half) + 1) for at in (y, x))
    face = np.ascontiguousarray(picture[rows, columns])
    if face.size and light_of(face).burnt_share > GLARE_SHARE:
        return phrase(GLARE, number=number)
    return phrase(ADVICE.get(die.reason, UNKNOWN), number=number, reason=die.words())


def edge_of(reading: Reading) -> float:
    """How wide dice are in the picture, pixels; a guess where none was read."""
    if not reading.dice:
        return UNKNOWN_EDGE * reading.width_px
    return median(map(_edge_px, reading.dice))


def marks_on(reading: Reading) -> tuple[PictureMark, ...]:
    """Each die in the picture: what it was read as and how sure, or its number where it was not."""
    read = [
        PictureMark("die", _rounded(die.corners_px), closed=True, label=_label(die)) for die in reading.dice
    ]
    half = 0.6 * edge_of(reading)
    unsure = [
        PictureMark("unsure", square_about(die.center_px, half), closed=True, label=f"{number}?")
        for number, die in enumerate(reading.unsure, 1)
    ]
    return (*read, *unsure)


def square_about(center_px: PointPx, half_px: float) -> tuple[PointPx, ...]:
    """A square in the picture, by its four corners."""
    x, y = center_px
    corners = ((-half_px, -half_px), (half_px, -half_px), (half_px, half_px), (-half_px, half_px))
    return _rounded(tuple((x + right, y + down) for right, down in corners))


def _read(dice: tuple[SeenDie, ...], words: Mapping[str, str]) -> Finding:
    faces = together([words[str(die.value)] for die in dice])
    least = min(die.confidence for die in dice)
    text = phrase(
        "Read: {faces}. The least sure of them is right {share} times of 100.",
        faces=faces,
        share=int(100 * least),
    )
    return Finding("read", "ok", text)


def _size(dice: tuple[SeenDie, ...], kind: DieKind, fine_scale: float) -> Finding | None:
    edge_px = median(map(_edge_px, dice)) * (fine_scale if kind == "d4" else 1.0)
    if legible(kind, edge_px) == "well":
        return None
    text = phrase(
        "They are {edge} px wide in the picture; with {well} px they are read better. "
        "Hang the camera lower, or set larger pictures under [camera].",
        edge=round(edge_px),
        well=round(EDGE_NEEDED[kind].well_px),
    )
    return Finding("size", "warn", text)


def _edge_px(die: SeenDie) -> float:
    corners = die.corners_px
    return sum(dist(a, b) for a, b in zip(corners, (*corners[1:], corners[0]), strict=True)) / len(corners)


def _label(die: SeenDie) -> str:
    face = SIGNS.get(str(die.value), str(die.value))
    return phrase("{face}: {share} %", face=face, share=int(100 * die.confidence))


def _rounded(points: tuple[PointPx, ...]) -> tuple[PointPx, ...]:
    return tuple((round(x, 1), round(y, 1)) for x, y in points)


FACE = "face "
"""What acts begin with that name a face, or say that there is no die."""


def correction_marks(correction: Correction) -> tuple[PictureMark, ...]:
    """The die that is asked for; thinner, the others."""
    half = 0.6 * edge_of(correction.reading)
    outlines = (
        find.corners_px if isinstance(find, SeenDie) else square_about(find.center_px, half)
        for find in correction.finds
    )
    return tuple(
        PictureMark("board" if number == correction.next_number else "taken", outline, closed=True)
        for number, outline in enumerate(outlines, 1)
    )


SHARP_PATIENCE = 4
"""How many pictures a camera that was asked for sharper ones may still come without."""
ASKED: Mapping[DieKind, str] = {
    "pip": phrase_later("Throw five or six dice with pips where the camera sees them."),
    "zoinx": phrase_later("Throw the four Zoinx dice where the camera sees them."),
    "bet": phrase_later("Throw some bet dice, numbered 0 to 10, where the camera sees them."),
    "d4": phrase_later("Throw a four-sided die where the camera sees it."),
}
NAMES: Mapping[DieKind, str] = {**DICE, "pip": phrase_later("dice with pips")}
COUNTS: Mapping[DieKind, int] = {"pip": 5, "zoinx": 4, "bet": 4, "d4": 1}
"""How many of each kind the hand of a simulated table throws."""


class SetupReader(Protocol):
    """Reads pictures as the box does in a game (`vision.incremental_reader.TableReader`)."""

    def read(self, picture: Picture, dice: DiceChoice = "auto", sharp: Picture | None = None) -> Reading:
        """The dice in the picture; `sharp` is the same view in more pixels, where there is one."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ThrowingBench:
    """What the step works with."""

    open_reader: Callable[[], SetupReader]
    """Opened when a picture is to be read, and let go when the step is left; raises `ModelError`."""
    open_watch: Callable[[], Watch]
    kinds: Mapping[DieKind, Sequence[str]]
    """The kinds that are asked for, with the titles of the games that are played with them."""
    sharpen: Callable[[bool], None]
    """Has the camera bring its larger pictures, too."""
    throw: Callable[[DieKind, int], None] | None
    """Has the dice thrown, where the table is a simulated one."""
    learn: Callable[[Picture, Sequence[LessonDie]], str]
    """Keeps a picture with what its dice show, and learns from it; says what came of it, in sentences."""


@dataclass(frozen=True, slots=True)
class KindThrown:
    """What came of one kind: how many dice were read right, of how many; 0 of 0 where it was skipped."""

    right: int
    of: int


class DiceStep(SetupStep):
    """Dice of one kind after the other are thrown, read, and called right or wrong."""

    title = phrase_later("Dice")

    def __init__(self, bench: ThrowingBench) -> None:
        self._bench = bench
        self._done: dict[DieKind, KindThrown] = {}
        self._reader: SetupReader | None = None
        self._watch: Watch | None = None
        self._look: FrameState | None = None
        self._frame: Frame | None = None
        self._reading: Reading | None = None
        self._scene = self._over = 0
        """The number of what lies there, and of what was settled or is to be thrown anew."""
        self._correction: Correction | None = None
        self._learnt_words = ""
        self._trouble = ""
        self._unsharpened = 0

    def enter(self) -> None:
        """A simulated hand throws; at a real table people do."""
        self._forget()
        self._throw()

    def leave(self) -> None:
        """The reader is let go, and the camera need not be sharper than usual."""
        self._reader = self._watch = None
        self._scene = self._over = 0
        self._bench.sharpen(False)

    def take_frame(self, frame: Frame) -> None:
        """Read what lies there, once it lies still."""
        kind = self._kind
        if kind is None:
            return
        if self._watch is None:
            self._watch = self._bench.open_watch()
        self._look = self._watch.see(frame.picture, frame.time_ms)
        if not self._look.settled:
            if self._look.state == "moving":
                self._reading = self._correction = None
            return
        if self._look.scene != self._scene:  # other dice, or the same ones otherwise
            self._scene, self._correction = self._look.scene, None
            self._learnt_words, self._unsharpened = "", 0
        if self._correction is None and self._scene != self._over:
            self._read(frame, kind)

    def view(self) -> StepView:
        """What to throw, what was read of it, and what is wrong with it."""
        kind, lines = self._kind, tuple(map(self._line, self._bench.kinds))
        if kind is None:
            again = StepAction("again", phrase("Start over"))
            say = phrase("Every kind has been thrown.")
            return StepView(say=say, lines=lines, acts=(again, StepAction(KEEP, phrase("Go on"), main=True)))
        if self._correction is not None and self._correction.next_number:
            return self._question_view(self._correction, lines)
        reading = self._reading
        hints = self._state_hints() if reading is None else self._hints(reading, kind)
        marks = marks_on(reading) if reading else ()
        return StepView(say=self._say(kind), hints=hints, lines=lines, acts=tuple(self._acts()), marks=marks)

    def do(self, act: str) -> str:
        """What people say of the dice; the last kind that was settled ends the step by "keep"."""
        if act == KEEP:
            return self._figure()
        if act == "again":
            self._done.clear()
            self.enter()
        elif act == "throw":
            self._over = self._scene
            self._forget()
            self._throw()
        elif act in ("yes", "skip", "leave"):
            self._settle(act)
        elif act == "learn":
            self._learn()
        elif act == "stop":
            self._correction = None
        elif act == "wrong" and self._reading is not None and self._kind is not None:
            self._correction = Correction(self._reading, self._kind)
        elif self._correction is not None and act.startswith(FACE):
            self._correction.add(act.removeprefix(FACE))
        return ""

    @property
    def _kind(self) -> DieKind | None:
        """The kind that is asked for; None when each had its turn."""
        return next((kind for kind in self._bench.kinds if kind not in self._done), None)

    def _forget(self) -> None:
        self._reading = self._correction = None
        self._learnt_words = self._trouble = ""

    def _throw(self) -> None:
        kind = self._kind
        if kind is None or self._bench.throw is None:
            return
        try:
            self._bench.throw(kind, COUNTS[kind])
        except ValueError as error:
            self._trouble = str(error)

    def _read(self, frame: Frame, kind: DieKind) -> None:
        try:
            if self._reader is None:
                self._reader = self._bench.open_reader()
        except ModelError as error:
            self._trouble = str(error)
            return
        reading = self._reader.read(frame.picture, kind, frame.sharp)
        self._frame, self._reading = frame, reading
        wanted = bool(reading.unsure) or kind == "d4"
        self._unsharpened += frame.sharp is None
        self._bench.sharpen(wanted and self._unsharpened <= SHARP_PATIENCE)

    def _say(self, kind: DieKind) -> str:
        games = self._bench.kinds[kind]
        text = phrase(ASKED[kind])
        if games:
            text += " " + phrase("For {games}.", games=together(list(games)))
        if self._learnt_words:
            return self._learnt_words + " " + phrase("Throw them again to see it.")
        if self._correction is not None:
            text = _taught_words(self._correction)
        elif self._reading is not None and self._reading.dice and not self._reading.unsure:
            text += " " + phrase("Is all read right?")
        return text

    def _hints(self, reading: Reading, kind: DieKind) -> tuple[Finding, ...]:
        frame = self._frame
        if frame is None:
            return ()
        fine = frame.sharp.shape[1] / frame.picture.shape[1] if frame.sharp is not None else 1.0
        return (*hints_on(frame.picture, reading, kind, fine, face_words(kind)), *self._trouble_hint())

    def _state_hints(self) -> tuple[Finding, ...]:
        """Why nothing is read."""
        if self._look is not None and self._look.state == "hand":
            text = phrase("Something reaches into the picture, as a hand does: take it away.")
            return (Finding("state", "warn", text), *self._trouble_hint())
        if self._look is None:
            return (Finding("state", "warn", phrase("No picture has come yet.")), *self._trouble_hint())
        return (
            Finding("state", "warn", phrase("I read them as soon as they lie still.")),
            *self._trouble_hint(),
        )

    def _trouble_hint(self) -> tuple[Finding, ...]:
        return (Finding("trouble", "fail", self._trouble),) if self._trouble else ()

    def _acts(self) -> list[StepAction]:
        reading, acts = self._reading, list[StepAction]()
        if self._correction is not None:
            taught = self._correction
            if taught.truth:
                acts.append(
                    StepAction("learn", phrase("Learn from this picture"), main=not self._learnt_words)
                )
                figure = phrase("Leave it at {right} of {all}", right=taught.right, all=len(taught.truth))
                acts.append(StepAction("leave", figure))
        elif reading is not None and (reading.dice or reading.unsure):
            if not reading.unsure:
                acts.append(StepAction("yes", phrase("Yes: all are right"), main=True))
            acts.append(StepAction("wrong", phrase("No: I say what they show")))
        if self._bench.throw is not None:
            acts.append(StepAction("throw", phrase("Throw again")))
        acts.append(StepAction("skip", phrase("I have none of these")))
        if self._done:
            acts.append(StepAction("again", phrase("Start over")))
        return acts

    def _question_view(self, correction: Correction, lines: tuple[Finding, ...]) -> StepView:
        words = face_words(correction.kind)
        say = phrase(
            "What does die {number} of {count} show, from the left? It is marked in the picture.",
            number=correction.next_number,
            count=len(correction.finds),
        )
        acts = [StepAction(f"{FACE}{face}", words[str(face)]) for face in FACES[correction.kind]]
        acts += [
            StepAction(f"{FACE}{NO_DIE}", phrase("That is no die")),
            StepAction("stop", phrase("Never mind")),
        ]
        return StepView(say=say, lines=lines, acts=tuple(acts), marks=correction_marks(correction))

    def _settle(self, act: str) -> None:
        """The kind that was asked for is through; the next one is thrown."""
        kind, reading, taught = self._kind, self._reading, self._correction
        if kind is None:
            return
        thrown = KindThrown(0, 0)
        if act == "yes" and reading is not None:
            thrown = KindThrown(len(reading.dice), len(reading.dice))
        elif act == "leave" and taught is not None:
            thrown = KindThrown(taught.right, len(taught.truth))
        self._done[kind], self._over = thrown, self._scene
        self._forget()
        self._throw()

    def _learn(self) -> None:
        taught, frame = self._correction, self._frame
        if taught is None or frame is None:
            raise NotNow(phrase("There is nothing to learn from yet."))
        self._learnt_words = self._bench.learn(frame.picture, taught.truth)
        self._reader = None  # it is opened anew, with what was learnt

    def _line(self, kind: DieKind) -> Finding:
        name, done = capital(phrase(NAMES[kind])), self._done.get(kind)
        if done is None:
            return Finding(name, "not here", phrase("not thrown yet"))
        if not done.of:
            return Finding(name, "not here", phrase("left out"))
        text = phrase("{right} of {all} read right", right=done.right, all=done.of)
        return Finding(name, "ok" if done.right == done.of else "warn", text)

    def _figure(self) -> str:
        if self._kind is not None:
            raise NotNow(phrase("Not every kind has been thrown yet."))
        thrown = [
            phrase("{dice} {right} of {all}", dice=phrase(NAMES[kind]), right=done.right, all=done.of)
            for kind, done in self._done.items()
            if done.of
        ]
        left_out = len(self._done) - len(thrown)
        if left_out:
            words = phrase_count(
                "one kind left out", "{number} kinds left out", left_out, number=number(left_out)
            )
            thrown.append(words)
        return ", ".join(thrown)


def face_words(kind: DieKind) -> dict[str, str]:
    """The faces of a kind of dice as people call them, by `str` of each."""
    return {str(face): face_word(face) for face in FACES[kind]}


def _taught_words(taught: Correction) -> str:
    return phrase(
        "{right} of {all} were read right. The box can learn how your dice look; or throw them again.",
        right=taught.right,
        all=len(taught.truth),
    )


# What the step that throws dice works with, on one box.

JPEG = 95
"""The quality of the pictures that are kept to learn from."""


@runtime_checkable
class ThrowsKinds(Protocol):
    """A simulated table, which throws by itself what people would."""

    def set_up(self, *, landings: bool) -> None:
        """Put up the End Zone's table, or the tray."""
        ...

    def spread(self, layout: Layout | None) -> None:
        """Lay a mat down, or take it away."""
        ...

    def lay(self, kind: DieKind, count: int) -> None:
        """Put so many dice of that kind into the hand."""
        ...

    def act(self, name: str) -> None:
        """Let the hand do something."""
        ...


@runtime_checkable
class Sharpens(Protocol):
    """A camera that may have more pixels than are watched."""

    def sharpen(self, on: bool) -> None:
        """Whether the frames that follow should bring a larger picture, too."""
        ...


def open_bench(
    folder: Path, camera: object, reader: Callable[[], SetupReader] | None, tell: Callable[[str], None]
) -> ThrowingBench:
    """The bench of a box that keeps its data in `folder` and sees through `camera`.

    `reader` opens the box's own reader; None reads with one that knows the owner's dice and no
    calibration. `tell` is told what cannot be used.
    """
    return ThrowingBench(
        open_reader=reader or (lambda: open_reader(None, folder, tell, mounted=True)),
        # Pictures come to this step twice a second, so a camera that stands still does not show in them.
        open_watch=lambda: Watch(WatchSettings(frozen_after_ms=None)),
        kinds=_kinds(),
        sharpen=camera.sharpen if isinstance(camera, Sharpens) else lambda _on: None,
        throw=_thrower(camera) if isinstance(camera, ThrowsKinds) else None,
        learn=lambda picture, dice: _learn(folder, picture, dice, tell),
    )


def _kinds() -> Mapping[DieKind, Sequence[str]]:
    """Every kind of die, with the titles of the games that have it at hand."""
    games: dict[DieKind, list[str]] = {kind: [] for kind in FACES}
    for book in RULEBOOKS.values():
        for wanted in (book.dice, *book.dice.more):
            games[wanted.kind].append(book.title)
    return games


def _thrower(table: ThrowsKinds) -> Callable[[DieKind, int], None]:
    def throw(kind: DieKind, count: int) -> None:
        table.set_up(landings=False)
        table.spread(None)
        table.lay(kind, count)
        table.act("throw")

    return throw


def _learn(folder: Path, picture: Picture, dice: Sequence[LessonDie], tell: Callable[[str], None]) -> str:
    """Keep the picture and learn from all that are kept; raises `NotNow`."""
    lessons = Lessons(lessons_path(folder))
    try:
        lessons.keep(lessons.free_name("set-up"), jpeg_of(picture, JPEG), dice, "learn")
        outcome = learn_again(load_lessons(lessons), folder, tell)
    except (LessonsBroken, ModelError) as error:
        raise NotNow(str(error)) from None
    except OSError as error:
        raise NotNow(
            phrase("{path} could not be written: {error}", path=folder, error=error.strerror)
        ) from None
    if not outcome.is_no_worse:
        return phrase(
            "The picture is kept, and what it teaches is not used yet, for something else would be read "
            "worse. Were the answers right? Show more."
        )
    return phrase(
        "Learnt: of the {all} dice that you showed, {after} are read right now, and {before} were before. "
        "Games use it once the box is restarted.",
        all=outcome.lessons_after.dice,
        after=outcome.lessons_after.right,
        before=outcome.lessons_before.right,
    )

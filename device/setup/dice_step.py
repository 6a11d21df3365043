"""The step in which dice of each kind are thrown, and read as in a game."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from calibration.arrays import Picture
from device.cameras import Frame
from device.setup.dice_advice import hints_on, marks_on
from device.setup.first_steps import KEEP, QuietStep
from device.setup.shown import HintShown, LineShown, PressShown
from device.setup.step import NotNow, StepView
from device.setup.teaching import FACE, NONE, Correction
from device.shown.words import DICE
from engine.dice import FACES, DieKind
from engine.wording import phrase, phrase_count, phrase_later
from engine.words import capital, number, together
from models.files import ModelError
from vision.learned.known import LessonDie
from vision.reading import DiceChoice, Reading
from vision.watch import Look, Watch

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
    """Reads pictures as the box does in a game (`vision.remember.TableReader`)."""

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


class DiceStep(QuietStep):
    """Dice of one kind after the other are thrown, read, and called right or wrong."""

    title = phrase_later("Dice")

    def __init__(self, bench: ThrowingBench) -> None:
        self._bench = bench
        self._done: dict[DieKind, KindThrown] = {}
        self._reader: SetupReader | None = None
        self._watch: Watch | None = None
        self._look: Look | None = None
        self._frame: Frame | None = None
        self._reading: Reading | None = None
        self._scene = self._over = 0
        """The number of what lies there, and of what was settled or is to be thrown anew."""
        self._correction: Correction | None = None
        self._told = ""
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

    def see(self, frame: Frame) -> None:
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
            self._scene, self._correction, self._told, self._unsharpened = self._look.scene, None, "", 0
        if self._correction is None and self._scene != self._over:
            self._read(frame, kind)

    def face(self) -> StepView:
        """What to throw, what was read of it, and what is wrong with it."""
        kind, lines = self._kind, tuple(map(self._line, self._bench.kinds))
        if kind is None:
            again = PressShown("again", phrase("Begin anew"))
            say = phrase("Every kind has been thrown.")
            return StepView(say=say, lines=lines, acts=(again, PressShown(KEEP, phrase("Go on"), main=True)))
        if self._correction is not None and self._correction.asked:
            return self._asking_face(self._correction, lines)
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
        elif self._correction is not None and (act == NONE or act.startswith(FACE)):
            self._correction.say(act)
        return ""

    @property
    def _kind(self) -> DieKind | None:
        """The kind that is asked for; None when each had its turn."""
        return next((kind for kind in self._bench.kinds if kind not in self._done), None)

    def _forget(self) -> None:
        self._reading = self._correction = None
        self._told = self._trouble = ""

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
        if self._told:
            return self._told + " " + phrase("Throw them again to see it.")
        if self._correction is not None:
            text = _taught_words(self._correction)
        elif self._reading is not None and self._reading.dice and not self._reading.unsure:
            text += " " + phrase("Is all read right?")
        return text

    def _hints(self, reading: Reading, kind: DieKind) -> tuple[HintShown, ...]:
        frame = self._frame
        if frame is None:
            return ()
        fine = frame.sharp.shape[1] / frame.picture.shape[1] if frame.sharp is not None else 1.0
        return (*hints_on(frame.picture, reading, kind, fine, face_words(kind)), *self._trouble_hint())

    def _state_hints(self) -> tuple[HintShown, ...]:
        """Why nothing is read."""
        if self._look is not None and self._look.state == "hand":
            text = phrase("Something reaches into the picture, as a hand does: take it away.")
            return (HintShown("state", "warn", text), *self._trouble_hint())
        if self._look is None:
            return (HintShown("state", "warn", phrase("No picture has come yet.")), *self._trouble_hint())
        return (
            HintShown("state", "warn", phrase("I read them as soon as they lie still.")),
            *self._trouble_hint(),
        )

    def _trouble_hint(self) -> tuple[HintShown, ...]:
        return (HintShown("trouble", "fail", self._trouble),) if self._trouble else ()

    def _acts(self) -> list[PressShown]:
        reading, acts = self._reading, list[PressShown]()
        if self._correction is not None:
            taught = self._correction
            if taught.truth:
                acts.append(PressShown("learn", phrase("Learn from this picture"), main=not self._told))
                figure = phrase("Leave it at {right} of {all}", right=taught.right, all=len(taught.truth))
                acts.append(PressShown("leave", figure))
        elif reading is not None and (reading.dice or reading.unsure):
            if not reading.unsure:
                acts.append(PressShown("yes", phrase("Yes: all are right"), main=True))
            acts.append(PressShown("wrong", phrase("No: I say what they show")))
        if self._bench.throw is not None:
            acts.append(PressShown("throw", phrase("Throw again")))
        acts.append(PressShown("skip", phrase("I have none of these")))
        if self._done:
            acts.append(PressShown("again", phrase("Begin anew")))
        return acts

    def _asking_face(self, asked: Correction, lines: tuple[LineShown, ...]) -> StepView:
        words = face_words(asked.kind)
        say = phrase(
            "What does die {number} of {count} show, from the left? It is marked in the picture.",
            number=asked.asked,
            count=len(asked.finds),
        )
        acts = [PressShown(f"{FACE}{face}", words[str(face)]) for face in FACES[asked.kind]]
        acts += [PressShown(NONE, phrase("That is no die")), PressShown("stop", phrase("Never mind"))]
        return StepView(say=say, lines=lines, acts=tuple(acts), marks=asked.marks())

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
        self._told = self._bench.learn(frame.picture, taught.truth)
        self._reader = None  # it is opened anew, with what was learnt

    def _line(self, kind: DieKind) -> LineShown:
        name, done = capital(phrase(NAMES[kind])), self._done.get(kind)
        if done is None:
            return LineShown(name, "not here", phrase("not thrown yet"))
        if not done.of:
            return LineShown(name, "not here", phrase("left out"))
        text = phrase("{right} of {all} read right", right=done.right, all=done.of)
        return LineShown(name, "ok" if done.right == done.of else "warn", text)

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
    named = {"dot": phrase("dot"), "square": phrase("square")}
    return {str(face): named.get(str(face), str(face)) for face in FACES[kind]}


def _taught_words(taught: Correction) -> str:
    return phrase(
        "{right} of {all} were read right. The box can learn how your dice look; or throw them again.",
        right=taught.right,
        all=len(taught.truth),
    )

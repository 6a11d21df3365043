"""The way in to the set-up for page and terminal: from any thread, one after the other.

Nothing of it runs unless somebody looks. Each look looks at the newest picture, so a page that goes away
leaves nothing behind that works; what a step holds is put down when it is left, or when a game begins.
"""

import os
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

import msgspec

from calibration.board import EXAMPLE, Board
from calibration.files import load_lock
from calibration.lock import CameraLock
from calibration.trouble import CalibrationError
from device.cameras import Frame
from device.config import Config, find
from device.doctor import CheckedBox, Finding, Machine, examine, own_name
from device.languages import LANGUAGES
from device.panel import Trial
from device.setup.board_steps import CalibratingBench, Holding, HoldsBoard, LensStep, TableStep
from device.setup.dice_step import DiceStep, SetupReader, open_bench
from device.setup.first_steps import DoctorStep, PanelStep, PictureStep, SettingsStep
from device.setup.lights_step import LightsStep
from device.setup.step import LineShown, NotNow, SetupShown, SetupStep, Steps, StepShown, load_done, note_done
from engine.wording import phrase, phrase_later

# The set-up as a state machine: which step is open, what it sees, what was done.


class UnknownStep(ValueError):
    """There is no such step."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SetupParts:
    """What the set-up is made of."""

    steps: Steps
    """By their names, in the order in which they are done."""
    folder: Path
    """Where it is noted what was done."""
    now: Callable[[], datetime]
    pins: bool = False
    """Whether a page may press the panel's buttons: they are mock ones."""


class SetupWalk:
    """Not for several threads at a time."""

    def __init__(self, parts: SetupParts) -> None:
        """Begins with the first step that was never done."""
        self._parts = parts
        self._done = dict(load_done(parts.folder))
        self._frame: Frame | None = None
        self._open = next((name for name in parts.steps if name not in self._done), next(iter(parts.steps)))
        self._entered = False

    def open(self, name: str) -> None:
        """Open a step, at any time and as often as one likes. Raises `UnknownStep`."""
        if name not in self._parts.steps:
            raise UnknownStep(
                phrase(
                    "There is no step {name!r}. There are {steps}.",
                    name=name[:40],
                    steps=", ".join(self._parts.steps),
                )
            )
        if self._entered:
            self._step.leave()
        self._open = name
        self._enter()

    def see(self, frame: Frame | None) -> None:
        """Look at the newest picture, unless it was seen before."""
        if not self._entered:
            self._enter()
        if frame is not None and frame is not self._frame:
            self._frame = frame
            self._step.see(frame)

    def do(self, act: str) -> None:
        """Do one of the acts that are shown; a step that is done by it leads on to the next.

        Raises `NotNow`.
        """
        if act not in {each.name for each in self._step.face().acts}:
            raise NotNow(phrase("That may not be pressed any more. Look again."))
        figure = self._step.do(act)
        if not figure:
            return
        try:
            note_done(self._parts.folder, self._open, figure, self._parts.now())
        except OSError as error:
            raise NotNow(
                phrase(
                    "That could not be noted in {folder}: {strerror}.",
                    folder=self._parts.folder,
                    strerror=error.strerror,
                )
            ) from None
        self._done = dict(load_done(self._parts.folder))
        names = list(self._parts.steps)
        self.open(names[min(names.index(self._open) + 1, len(names) - 1)])

    def press(self, button: str) -> None:
        """A button of the panel went down."""
        self._step.press(button)

    def close(self) -> None:
        """Nobody looks any more: what a step holds in its hands it puts down."""
        if self._entered:
            self._step.leave()
        self._entered = False

    def shown(self) -> SetupShown:
        """Where it stands."""
        face = self._step.face()
        # With two cameras the far one's picture is served below the near one.
        height, width = self._frame.whole.shape[:2] if self._frame is not None else (0, 0)
        return SetupShown(
            step=self._open,
            steps=tuple(self._step_shown(name) for name in self._parts.steps),
            say=face.say,
            taken=face.taken,
            wanted=face.wanted,
            hints=face.hints,
            lines=face.lines,
            acts=face.acts,
            marks=face.marks,
            lamps=face.lamps,
            rows=face.rows,
            width=width,
            height=height,
            pins=self._parts.pins,
        )

    @property
    def _step(self) -> SetupStep:
        return self._parts.steps[self._open]

    def _enter(self) -> None:
        self._step.enter()
        self._entered = True

    def _step_shown(self, name: str) -> StepShown:
        title, done = phrase(self._parts.steps[name].title), self._done.get(name)
        return StepShown(name, title, done.figure, done.at) if done else StepShown(name, title)


PLAYING = phrase_later(
    "A game is going on, and has the camera. Set up the box when it is over, put away or abandoned."
)


class SetsUp(Protocol):
    """What a console may ask of the set-up."""

    def look(self) -> SetupShown:
        """Look at the newest picture, and say where the set-up stands."""
        ...

    def open(self, step: str) -> SetupShown:
        """Open a step."""
        ...

    def do(self, step: str, act: str) -> SetupShown:
        """Do an act of that step; `ok` is false with the reason where it cannot be done."""
        ...

    def press(self, button: str) -> None:
        """A button of the panel went down."""
        ...


class SettingUp:
    """The set-up of one box. Its methods may be called from any thread."""

    def __init__(
        self,
        make: Callable[[], SetupParts],
        newest: Callable[[], Frame | None],
        playing: Callable[[], bool],
    ) -> None:
        """`make` is called when somebody looks for the first time."""
        self._make = make
        self._newest = newest
        self._playing = playing
        self._walk: SetupWalk | None = None
        self._lock = threading.Lock()

    def look(self) -> SetupShown:
        """Look at the newest picture, and say where the set-up stands."""
        return self._ask(lambda walk: None)  # noqa: ARG005 - a look alone

    def open(self, step: str) -> SetupShown:
        """Open a step."""
        return self._ask(lambda walk: walk.open(step))

    def do(self, step: str, act: str) -> SetupShown:
        """Do an act of that step; a page that shows another step is behind, and is told so."""

        def act_there(walk: SetupWalk) -> None:
            if walk.shown().step != step:
                raise NotNow(phrase("Another page has opened another step. Look again."))
            walk.do(act)

        return self._ask(act_there)

    def press(self, button: str) -> None:
        """A button of the panel went down; told at once, whatever is being looked at."""
        walk = self._walk
        if walk is not None:
            walk.press(button)

    def _ask(self, request: Callable[[SetupWalk], None]) -> SetupShown:
        with self._lock:
            if self._playing():
                if self._walk is not None:
                    self._walk.close()
                return SetupShown(ok=False, text=phrase(PLAYING))
            if self._walk is None:
                self._walk = SetupWalk(self._make())
            walk, why = self._walk, ""
            walk.see(self._newest())
            try:
                request(walk)
            except (NotNow, UnknownStep) as error:
                why = str(error)
            shown = walk.shown()
        return msgspec.structs.replace(shown, ok=not why, text=why)


# What the box is set to, one line a setting that matters when it is set up.

NONE = "none"


def settings_shown(config: Config, file: str, folder: Path) -> tuple[LineShown, ...]:
    """The settings in force. `file` is the owner's own, "" where there is none; `folder` holds the data.

    What the set-up made, and no setting names yet, stands there with the line to write.
    """
    at = config.camera
    size = phrase(
        "{width} x {height}, {fps} pictures a second", width=at.width_px, height=at.height_px, fps=at.fps
    )
    own = file or phrase("none: all is as it is shipped. Yours would be /etc/callbox/callbox.toml.")
    pins = phrase("{count} on pins", count=len(config.panel.buttons.fitted()))
    return (
        LineShown(phrase("settings file"), "ok", own),
        LineShown(phrase("language"), "ok", LANGUAGES[config.language]),
        LineShown(phrase("camera"), "ok", f"{at.spec}: {size}"),
        LineShown(phrase("table"), "ok", f"{config.people.table}; {_read_words(config)}"),
        LineShown(phrase("buttons"), "ok", pins),
        _named(phrase("lock"), "[camera] lock", at.lock, folder / "lock.json"),
        _named("End Zone", "[landing] calibration", config.landing.calibration, folder / "table.json"),
        LineShown(phrase("data"), "ok", str(folder)),
    )


def _read_words(config: Config) -> str:
    if config.table.reads == "at_rest":
        return phrase("dice are read as soon as they lie still")
    return phrase("dice are read when ROLL DONE is pressed")


def _named(name: str, key: str, named: str, made: Path) -> LineShown:
    """A file that a setting names, or could."""
    table, _, word = key.partition(" ")
    if named != NONE:
        return LineShown(name, "ok", named)
    if not made.exists():
        return LineShown(name, "not here", f'{key} = "none"')
    return LineShown(
        name, "warn", phrase("{file} is there and not used.", file=made), f'{table}\n{word} = "{made}"'
    )


# Puts the steps of one box together.


def local_time() -> datetime:
    """Now, with its offset from UTC."""
    return datetime.now(UTC).astimezone()


@dataclass(frozen=True, slots=True, kw_only=True)
class SetupMeans:
    """What the set-up does things with on this box."""

    open_reader: Callable[[], SetupReader] | None = None
    """Opens the box's own reader; None reads without a calibration."""
    light: Callable[[Trial | None], None] = lambda _trial: None
    """Lights what is tried of the panel for some seconds; None: no more."""
    tell: Callable[[str], None] = lambda _text: None
    """Is told what cannot be used."""


def open_steps(
    config: Config,
    folder: Path,
    *,
    mock: bool,
    camera: object = None,
    examined: Callable[[], Iterable[Finding]] | None = None,
    means: SetupMeans | None = None,
) -> SetupParts:
    """All steps of a box that is set to `config` and keeps its data in `folder`.

    `mock`: the panel's pins are mock ones. `camera`: a simulated table holds the board and throws
    dice by itself. `examined` asks another doctor than this machine's.
    """
    means = means or SetupMeans()
    file = find(os.environ, Path(os.path.expanduser("~")))  # noqa: PTH111 - as in config.load
    named = str(file or "")
    box = CheckedBox(config=config, trouble="", config_file=named, data=folder, user=own_name())
    buttons = tuple(config.panel.buttons.fitted())
    bench = CalibratingBench(
        board=Board.parse(EXAMPLE),
        folder=folder,
        now=local_time,
        hold=camera.hold if isinstance(camera, HoldsBoard) else _left_to_people,
        lock=_lock_of(config),
    )
    steps: Mapping[str, SetupStep] = {
        "camera": PictureStep(),
        "lens": LensStep(bench),
        "table": TableStep(bench),
        "dice": DiceStep(open_bench(folder, camera, means.open_reader, means.tell)),
        "panel": PanelStep(buttons, mock=mock),
        "lights": LightsStep(config.panel, config.scoreboard, means.light, mock=mock),
        "settings": SettingsStep(lambda: settings_shown(config, named, folder)),
        "doctor": DoctorStep(examined or (lambda: examine(Machine(), box))),
    }
    return SetupParts(steps=steps, folder=folder, now=local_time, pins=mock)


def _left_to_people(what: Holding) -> None:
    """At a real table people hold the board."""


def _lock_of(config: Config) -> CameraLock | None:
    """What the settings lock the camera to; None where they name no lock, or none that can be read."""
    try:
        return None if config.camera.lock == NONE else load_lock(Path(config.camera.lock).expanduser())
    except CalibrationError:
        return None  # the doctor says what is wrong with it

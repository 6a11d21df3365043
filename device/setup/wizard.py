"""The set-up of a box: a wizard that page and terminal drive alike, and the steps that it leads through."""

import os
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from calibration.board import EXAMPLE, Board
from device.cameras import Frame
from device.cameras.locks import lock_for
from device.config import Config, find
from device.doctor import CheckedBox, Finding, Machine, examine, own_name
from device.panel import Trial
from device.setup.board_steps import CalibratingBench, Holding, HoldsBoard, LensStep, TableStep
from device.setup.dice_step import DiceStep, SetupReader, open_bench
from device.setup.first_steps import DoctorStep, PanelStep, PictureStep, SettingsStep
from device.setup.lights_step import LightsStep
from device.setup.step import NotNow, StepDone, Steps, StepSummary, StepView, load_done, note_done
from engine.wording import phrase, phrase_later


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


PLAYING = phrase_later(
    "A game is going on, and has the camera. Set up the box when it is over, put away or abandoned."
)


class SetupWizard:
    """Guides through the steps of one box. Its methods may be called from any thread.

    Nothing of it runs unless somebody looks. Each look looks at the newest picture, so a page that goes away
    leaves nothing behind that works; what a step holds is put down when it is left, or when a game begins.
    """

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
        self._lock = threading.Lock()
        self._parts: SetupParts | None = None
        self._open = ""
        self._entered = False
        self._frame: Frame | None = None

    def refresh(self) -> StepView:
        """Look at the newest picture, and say where the set-up stands."""
        return self._run(lambda parts: None)  # noqa: ARG005 - a look alone

    def open(self, step: str) -> StepView:
        """Open a step, at any time and as often as one likes."""
        return self._run(lambda parts: self._enter(parts, step))

    def do(self, step: str, act: str) -> StepView:
        """Do an act of that step; one that is done by it leads on to the next.

        `ok` is false with the reason where it cannot be done. A page that shows another step is behind.
        """
        return self._run(lambda parts: self._do(parts, step, act))

    def press(self, button: str) -> None:
        """A button of the panel went down; told at once, whatever is being looked at."""
        parts = self._parts
        if parts is not None:
            parts.steps[self._open].press(button)

    def _run(self, request: Callable[[SetupParts], None]) -> StepView:
        """Look at the newest picture, do what is asked for, and show what came of it."""
        with self._lock:
            if self._playing():
                if self._parts is not None and self._entered:
                    self._parts.steps[self._open].leave()
                self._entered = False
                return StepView(ok=False, text=phrase(PLAYING))
            parts, why = self._begun(), ""
            frame = self._newest()
            if frame is not None and frame is not self._frame:
                self._frame = frame
                parts.steps[self._open].take_frame(frame)
            try:
                request(parts)
            except NotNow as error:
                why = str(error)
            return self._view(parts, why)

    def _begun(self) -> SetupParts:
        """All steps, with one that is entered: at first the first that was never done."""
        if self._parts is None:
            parts = self._make()
            done = load_done(parts.folder)
            self._open = next((name for name in parts.steps if name not in done), next(iter(parts.steps)))
            self._parts = parts
        if not self._entered:
            self._enter(self._parts, self._open)
        return self._parts

    def _enter(self, parts: SetupParts, name: str) -> None:
        """Open a step and leave the one that was open; raises `NotNow` where there is none of that name."""
        if name not in parts.steps:
            raise NotNow(
                phrase(
                    "There is no step {name!r}. There are {steps}.",
                    name=name[:40],
                    steps=", ".join(parts.steps),
                )
            )
        if self._entered:
            parts.steps[self._open].leave()
        self._open, self._entered = name, True
        parts.steps[name].enter()

    def _do(self, parts: SetupParts, step: str, act: str) -> None:
        """Do an act, note the figure that ends a step, and open the next; raises `NotNow`."""
        if self._open != step:
            raise NotNow(phrase("Another page has opened another step. Look again."))
        if act not in {each.name for each in parts.steps[step].view().acts}:
            raise NotNow(phrase("That may not be pressed any more. Look again."))
        figure = parts.steps[step].do(act)
        if not figure:
            return
        try:
            note_done(parts.folder, step, figure, parts.now())
        except OSError as error:
            raise NotNow(
                phrase(
                    "That could not be noted in {folder}: {strerror}.",
                    folder=parts.folder,
                    strerror=error.strerror,
                )
            ) from None
        names = list(parts.steps)
        self._enter(parts, names[min(names.index(step) + 1, len(names) - 1)])

    def _view(self, parts: SetupParts, why: str) -> StepView:
        """Where it stands, and why what was asked for could not be done."""
        done = load_done(parts.folder)
        # With two cameras the far one's picture is served below the near one.
        height, width = self._frame.whole.shape[:2] if self._frame is not None else (0, 0)
        return msgspec.structs.replace(
            parts.steps[self._open].view(),
            ok=not why,
            text=why,
            step=self._open,
            steps=tuple(
                StepSummary(name, phrase(step.title), was.figure, was.at)
                for name, step in parts.steps.items()
                for was in (done.get(name, StepDone("", "")),)
            ),
            width=width,
            height=height,
            pins=parts.pins,
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
        lock=lock_for(config.camera.lock, None, lambda _why: None),  # the doctor says what is wrong with it
    )
    steps: Steps = {
        "camera": PictureStep(),
        "lens": LensStep(bench),
        "table": TableStep(bench),
        "dice": DiceStep(open_bench(folder, camera, means.open_reader, means.tell)),
        "panel": PanelStep(buttons, mock=mock),
        "lights": LightsStep(config.panel, config.scoreboard, means.light, mock=mock),
        "settings": SettingsStep(config, named, folder),
        "doctor": DoctorStep(examined or (lambda: examine(Machine(), box))),
    }
    return SetupParts(steps=steps, folder=folder, now=local_time, pins=mock)


def _left_to_people(what: Holding) -> None:
    """At a real table people hold the board."""

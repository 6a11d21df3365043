"""The set-up of a box: a wizard that page and terminal drive alike, and the steps that it leads through."""

import os
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from calibration.board import EXAMPLE, Board
from device.cameras import Frame
from device.cameras.locking import lock_for
from device.config import Config, find
from device.doctor import CheckedBox, own_name
from device.doctor.asking import DoctorProcess
from device.panel import Trial
from device.setup.board_steps import CalibratingBench, Holding, HoldsBoard, LensStep, TableStep
from device.setup.dice_step import DiceStep, SetupReader, open_bench
from device.setup.first_steps import DoctorStep, PanelStep, PictureStep, SettingsStep
from device.setup.lights_step import LightsStep
from device.setup.step import NotNow, SetupStep, StepDone, Steps, StepSummary, StepView, load_done, note_done
from engine.wording import phrase, phrase_later


def local_time() -> datetime:
    """Now, with its offset from UTC."""
    return datetime.now(UTC).astimezone()


PLAYING = phrase_later("A game is using the camera. Set up the box when it is over, saved or abandoned.")


class SetupWizard:
    """Guides through the steps of one box. Its methods may be called from any thread.

    Nothing of it runs unless somebody looks. Each look looks at the newest picture, so a page that goes away
    leaves nothing behind that works; what a step holds is put down when it is left, or when a game begins.
    """

    def __init__(
        self,
        open_all: Callable[[], Steps],
        folder: Path,
        newest: Callable[[], Frame | None],
        playing: Callable[[], bool],
        *,
        mock_pins: bool,
    ) -> None:
        """`open_all` is called when somebody looks for the first time; `folder` notes what was done.

        `mock_pins`: whether a page may press the panel's buttons.
        """
        self._open_all, self._folder = open_all, folder
        self._newest, self._playing = newest, playing
        self._mock_pins = mock_pins
        self._lock = threading.Lock()
        self._steps: Steps = {}
        self._open = ""
        self._entered = False
        self._frame: Frame | None = None

    def refresh(self) -> StepView:
        """Look at the newest picture, and say where the set-up stands."""
        return self._run(lambda: None)

    def open(self, step: str) -> StepView:
        """Open a step, at any time and as often as one likes."""
        return self._run(lambda: self._enter(step))

    def do(self, step: str, act: str) -> StepView:
        """Do an act of that step; one that is done by it leads on to the next.

        `ok` is false with the reason where it cannot be done. A page that shows another step is behind.
        """
        return self._run(lambda: self._do(step, act))

    def press(self, button: str) -> None:
        """A button of the panel went down; told at once, whatever is being looked at."""
        if (step := self._steps.get(self._open)) is not None:
            step.press(button)

    def _run(self, request: Callable[[], None]) -> StepView:
        """Look at the newest picture, do what is asked for, and show what came of it."""
        with self._lock:
            if self._playing():
                if self._entered:
                    self._steps[self._open].leave()
                self._entered = False
                return StepView(ok=False, text=phrase(PLAYING))
            self._begin()
            frame, shown, why = self._newest(), self._open, ""
            if frame is not None and frame is not self._frame:
                self._frame = frame
                self._steps[shown].take_frame(frame)
            try:
                request()
            except NotNow as error:
                why = str(error)
            if self._open != shown and self._frame is not None:
                self._steps[self._open].take_frame(self._frame)
            return self._view(why)

    def _begin(self) -> None:
        """Have all steps, and one that is entered: at first the first that was never done."""
        if not self._steps:
            steps, done = self._open_all(), load_done(self._folder)
            self._open = next((name for name in steps if name not in done), next(iter(steps)))
            self._steps = steps
        if not self._entered:
            self._enter(self._open)

    def _enter(self, name: str) -> None:
        """Open a step and leave the one that was open; raises `NotNow` where there is none of that name."""
        if name not in self._steps:
            raise NotNow(
                phrase(
                    "There is no step {name!r}. There are {steps}.",
                    name=name[:40],
                    steps=", ".join(self._steps),
                )
            )
        if self._entered:
            self._steps[self._open].leave()
        self._open, self._entered = name, True
        self._steps[name].enter()

    def _do(self, step: str, act: str) -> None:
        """Do an act, note the figure that ends a step, and open the next; raises `NotNow`."""
        if self._open != step:
            raise NotNow(phrase("Another page has opened another step. Look again."))
        if act not in {each.name for each in self._steps[step].view().acts}:
            raise NotNow(phrase("That may not be pressed any more. Look again."))
        figure = self._steps[step].do(act)
        if not figure:
            return
        try:
            note_done(self._folder, step, figure, local_time())
        except OSError as error:
            raise NotNow(
                phrase(
                    "That could not be noted in {folder}: {strerror}.",
                    folder=self._folder,
                    strerror=error.strerror,
                )
            ) from None
        names = list(self._steps)
        self._enter(names[min(names.index(step) + 1, len(names) - 1)])

    def _view(self, why: str) -> StepView:
        """Where it stands, and why what was asked for could not be done."""
        done = load_done(self._folder)
        # With two cameras the far one's picture is served below the near one.
        height, width = self._frame.whole.shape[:2] if self._frame is not None else (0, 0)
        return msgspec.structs.replace(
            self._steps[self._open].view(),
            ok=not why,
            text=why,
            step=self._open,
            steps=tuple(
                StepSummary(name, phrase(step.title), was.figure, was.at)
                for name, step in self._steps.items()
                for was in (done.get(name, StepDone("", "")),)
            ),
            width=width,
            height=height,
            pins=self._mock_pins,
        )


def open_steps(
    config: Config,
    folder: Path,
    *,
    mock: bool,
    camera: object = None,
    open_reader: Callable[[], SetupReader] | None = None,
    light: Callable[[Trial | None], None] = lambda _trial: None,
    tell: Callable[[str], None] = lambda _text: None,
) -> dict[str, SetupStep]:
    """All steps of a box that is set to `config` and keeps its data in `folder`, in their order.

    `mock`: the panel's pins are mock ones. `camera`: a simulated table holds the board and throws
    dice by itself. `open_reader` opens the box's own reader; None reads without a calibration. `light` lights
    what is tried of the panel for some seconds; None: no more. `tell` is told what cannot be used.
    """
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
    return {
        "camera": PictureStep(),
        "lens": LensStep(bench),
        "table": TableStep(bench),
        "dice": DiceStep(open_bench(folder, camera, open_reader, tell)),
        "panel": PanelStep(buttons, mock=mock),
        "lights": LightsStep(config.panel, config.scoreboard, light, mock=mock),
        "settings": SettingsStep(config, named, folder),
        "doctor": DoctorStep(lambda: DoctorProcess().examine(box)),
    }


def _left_to_people(what: Holding) -> None:
    """At a real table people hold the board."""

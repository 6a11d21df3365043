"""`callbox setup`: the steps of the set-up in the terminal, for a box without a browser at hand."""

import os
import time
from collections.abc import Callable, Iterable
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import click

from device.cameras import CameraLost, Frame
from device.cameras.locking import lock_for
from device.commands.common import camera_option, config_option, data_option, listen_to_keyboard
from device.commands.opening import open_as_set
from device.config import Config, ConfigError, is_live, load
from device.journal import StorageBroken, data_folder
from device.panel import Fitted, Hearing, Lights, Trial, drawn
from device.setup import SetupStep, SetupWizard, StepView, open_steps
from device.table.feed import Feed, Inbox, Lost
from engine.wording import phrase, phrase_later

LOOK_S = 0.4
"""How long it waits for a line before it looks at the next picture."""
SIGNS = {
    "ok": phrase_later("  well "),
    "warn": phrase_later("  could be better: "),
    "fail": phrase_later("  NOT WELL: "),
    "not here": phrase_later("  not here: "),
}
HELP = phrase_later(
    "Enter does the first thing listed, a number that one. A step's name opens it; look shows everything "
    "again; q quits."
)


@dataclass(slots=True)
class Dialogue:
    """What is said in a terminal, and what the lines typed there mean. It reads no clock and no keyboard."""

    setting_up: SetupWizard
    say: Callable[[str], None]
    _printed: list[str] = field(default_factory=list)
    _step: str = ""

    def refresh(self) -> None:
        """Look at the newest picture, and say what has changed since."""
        self._print_view(self.setting_up.refresh())

    def take(self, line: str) -> bool:
        """A line that was typed; False when it ends the set-up."""
        word = line.strip().lower()
        if word in ("q", "quit"):
            return False
        view = self.setting_up.refresh()
        if word == "look":
            self._printed, self._step = [], ""
            self._print_view(view)
        elif word in {each.name for each in view.steps}:
            self._print_view(self.setting_up.open(word))
        elif (act := _act_of(word, view)) is not None:
            self._print_view(self.setting_up.do(view.step, act))
        else:
            self.say(phrase(HELP))
        return True

    def _print_view(self, view: StepView) -> None:
        """The step's head where it is another one, then the lines that were not told before."""
        if not view.ok:
            self.say(view.text)
        if view.step != self._step:
            self._step, self._printed = view.step, []
            self.say("")
            for each in view.steps:
                here = ">" if each.name == view.step else " "
                figure = phrase(": {figure}, on {at}", figure=each.figure, at=each.at[:10]) if each.at else ""
                self.say(f"{here} {each.name:<10}{each.title}{figure}")
        lines = dict(_lines(view))
        for key, line in lines.items():
            if key not in self._printed:
                self.say(line)
        self._printed = list(lines)


def _lines(view: StepView) -> Iterable[tuple[str, str]]:
    """All that a step says, a line each, with a key: what has the key of a line told before is not news."""
    yield view.say, view.say
    if view.wanted:
        count = phrase("  {taken} of {wanted}", taken=view.taken, wanted=view.wanted)
        yield count, count
    for hint in view.hints:
        yield f"{hint.name} {hint.verdict}", phrase(SIGNS[hint.verdict]) + hint.text
    for line in view.lines:
        text = "\n      ".join(
            [f"{phrase(SIGNS[line.verdict])}{line.name}: {line.text}", *line.fix.splitlines()]
        )
        yield text, text
    if view.rows:
        board = "\n".join(map(drawn, view.rows))
        yield board, board
    for number, (_, words) in enumerate(_in_order(view), 1):
        yield f"{number} {words}", f"  [{number}] {words}"


def _act_of(word: str, view: StepView) -> str | None:
    """The act that a typed number means, the first for none; None where there is no such act."""
    acts = _in_order(view)
    number = 1 if word == "" else int(word) if word.isdecimal() and len(word) < 3 else 0
    return acts[number - 1][0] if 0 < number <= len(acts) else None


def _in_order(view: StepView) -> list[tuple[str, str]]:
    """The acts and their words, the main one first."""
    return [(each.name, each.text) for each in sorted(view.acts, key=lambda each: not each.main)]


@click.command("setup")
@camera_option
@config_option
@data_option
def command(spec: str | None, config_path: Path | None, data: Path | None) -> None:
    """Set up the box step by step, as the console does under /setup.

    The camera must be free: stop the service first (sudo systemctl stop callbox), or use the browser.
    """
    try:
        config, folder = load(config_path), data_folder(data, os.environ)
        folder.mkdir(parents=True, exist_ok=True)
        with ExitStack() as stack:
            _set_up(stack, config, folder, spec or config.camera.spec)
    except (ConfigError, CameraLost, StorageBroken) as error:
        raise click.ClickException(str(error)) from None
    except OSError as error:
        raise click.ClickException(phrase("The data folder cannot be used: {error}.", error=error)) from None
    except KeyboardInterrupt:
        click.echo()


def _set_up(stack: ExitStack, config: Config, folder: Path, spec: str) -> None:
    """Camera, pins and keyboard, until the keyboard ends it."""
    camera = stack.enter_context(
        closing(open_as_set(config.camera, spec, lock_for(config.camera.lock, None, click.echo)))
    )
    mock = not is_live(spec)
    inbox, seen, typed = Inbox(), list[Frame](), list[str]()

    def open_all() -> dict[str, SetupStep]:
        def light(trial: Trial | None) -> None:
            lights.try_out(trial, _clock_ms())

        return open_steps(config, folder, mock=mock, camera=camera, light=light, tell=click.echo)

    setting_up = SetupWizard(
        open_all, folder, lambda: seen[-1] if seen else None, playing=lambda: False, mock_pins=mock
    )
    lights = _open_panel(stack, config, setting_up, mock=mock)
    feed = Feed(camera, inbox, Lost(lost=click.echo, over=lambda: None))
    stack.callback(feed.stop)
    feed.start()
    listen_to_keyboard(
        lambda line: inbox.put(partial(typed.append, line)), lambda: inbox.put(partial(typed.append, "q"))
    )
    click.echo(phrase(HELP))
    dialogue, goes_on = Dialogue(setting_up, click.echo), True
    while goes_on:
        match inbox.next(LOOK_S):
            case Frame() as frame:
                seen[:] = [frame]
            case None:
                pass
            case call:
                call()
        lights.show_trial(_clock_ms())
        if typed:
            goes_on = dialogue.take(typed.pop(0))
        elif seen:
            dialogue.refresh()


def _open_panel(stack: ExitStack, config: Config, setting_up: SetupWizard, *, mock: bool) -> Lights:
    """The buttons, where there are any, and what can be lit."""

    def pressed(button: str, down: bool, _time_ms: float) -> None:
        if down:
            setting_up.press(button)

    hearing = Hearing(edge=pressed, tell=click.echo, clock_ms=_clock_ms)
    fitted = Fitted(config.panel, config.scoreboard, hearing, mock=mock)
    stack.callback(fitted.close_signs)
    stack.callback(fitted.close_panel)
    return Lights(fitted.panel, fitted.display, click.echo, fitted.status)


def _clock_ms() -> float:
    return time.monotonic() * 1000

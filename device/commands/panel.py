"""`callbox panel`: shows each press and lights each lamp, for whoever has just soldered the panel."""

import queue
import time
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import click

from device.commands.common import config_option, listen_to_keyboard
from device.config import Config, ConfigError, load
from device.panel import (
    DIGITS,
    STATUS_TRIED,
    Fitted,
    Hearing,
    Lights,
    Panel,
    Press,
    Presses,
    PrimaryColour,
    Rows,
    Trial,
    digits,
    drawable,
    every_segment,
)
from device.wiring import label
from engine.wording import phrase, phrase_later

CHASE_MS = 600
"""How long each lamp glows when nobody presses anything."""
PUSH_MS = 120
"""How long a button typed on the keyboard is held; a long one is held a little longer than a long press."""

PRESSES = {"short": phrase_later("short"), "long": phrase_later("long")}
Call = Callable[[], object]
"""Something that pins or keyboard bring, for the main thread."""


@dataclass(slots=True)
class PanelTest:
    """The panel under test. Time is passed in; it reads no clock and waits for nothing."""

    config: Config
    fitted: Fitted
    panel: Panel
    say: Callable[[str], None]
    start_ms: float
    walk: list[str] = field(default_factory=list)
    """With --walk: the buttons still to be pressed, in order."""
    _lights: Lights = field(init=False)
    _rows: Rows = field(init=False)
    _presses: Presses = field(init=False)
    _releases: list[tuple[float, str]] = field(default_factory=list)
    _typed: list[str] = field(default_factory=list)
    _ending: bool = False
    _walked: bool = False
    _named: set[str] = field(default_factory=set)
    """Lamps and colours that were named already."""

    def __post_init__(self) -> None:
        """Tell what is wrong from the start."""
        panel, display = self.config.panel, self.fitted.display
        self._lights = Lights(self.panel, display, self.say, self.fitted.status)
        self._rows = every_segment(display.rows)
        self._presses = Presses(panel.debounce_ms, panel.long_press_ms)
        if self.fitted.off is not None and self.fitted.off.down:
            self.say(
                phrase(
                    "OFF (pin {button}) is down though nobody presses it: look at its wires.",
                    button=panel.off.button,
                )
            )
        for button in self.panel.down():
            self.say(
                phrase(
                    "{button} (pin {pin}) is down though nobody presses it: look for solder between "
                    "its wires, and at pull and pressed in callbox.toml.",
                    button=label(button),
                    pin=self._pin(button),
                )
            )
        if self.walk:
            self._ask_for_press()

    def take_edge(self, button: str, down: bool, time_ms: float) -> None:
        """A contact closed or opened."""
        self._describe_presses(self._presses.edge(button, down, time_ms))

    def take_line(self, text: str) -> None:
        """A line from the keyboard (mock pins only): "stop" or "stop long"."""
        self._typed.append(text)

    def end(self) -> None:
        """The keyboard has ended, and with it all presses on mock pins."""
        self._ending = True

    def move_off(self, down: bool) -> None:
        """The off button went down, or up."""
        off = self.config.panel.off
        if not down:
            self.say(phrase("OFF (pin {button}): up", button=off.button))
            return
        lamp = (
            phrase("; its lamp (pin {lamp}) should blink", lamp=off.lamp) if isinstance(off.lamp, int) else ""
        )
        self.say(phrase("OFF (pin {button}): down{lamp}", button=off.button, lamp=lamp))

    def hold_off(self) -> None:
        """The off button was held for as long as a running box wants it."""
        self.say(
            phrase(
                "OFF: held for {hold_s} s. A running box would switch the Pi off now.",
                hold_s=self.config.panel.off.hold_s,
            )
        )

    def goes_on(self, now_ms: float) -> bool:
        """Do whatever is due by now; False when there is nothing left to test."""
        for due_ms, button in [each for each in self._releases if each[0] <= now_ms]:
            self._releases.remove((due_ms, button))
            self.panel.push(button, False)
        self._describe_presses(self._presses.tick(now_ms))
        self._light(now_ms)
        if self._releases or self._presses.due_ms() is not None:
            return True
        if self._typed:
            self._type(self._typed.pop(0), now_ms)
            return True
        return not (self._ending or self._walked)

    def due_ms(self, now_ms: float) -> float:
        """When `goes_on` next has something to do."""
        chase_ms = self.start_ms + CHASE_MS * ((now_ms - self.start_ms) // CHASE_MS + 1)
        dues = [chase_ms, *(due for due, _ in self._releases)]
        if (press_ms := self._presses.due_ms()) is not None:
            dues.append(press_ms)
        return min(dues)

    def _pin(self, button: str) -> int:
        return self.config.panel.buttons.fitted()[button]

    def _light(self, now_ms: float) -> None:
        """Light the lamps of held buttons, else the one asked for, else each in turn; and the status lamp."""
        held, status = self._presses.held(), None
        lit = tuple(name for name in self.panel.lamps if name in held or name in self.walk[:1])
        if not (self.walk or self._walked):
            step = int((now_ms - self.start_ms) // CHASE_MS)
            if self.panel.lamps and not held:
                lit = (self._chase_lamp(step),)
            if self.fitted.status is not None:
                colour, status = STATUS_TRIED[step % len(STATUS_TRIED)]
                self._name_colour(colour)
        self._lights.try_out(Trial(lamps=lit, status=status, rows=self._rows), now_ms)
        self._lights.show_trial(now_ms)

    def _chase_lamp(self, step: int) -> str:
        """The lamp whose turn it is, named the first time."""
        lit = self.panel.lamps[step % len(self.panel.lamps)]
        if lit not in self._named:
            self._named.add(lit)
            self.say(
                phrase(
                    "Lamp {lit} (pin {pin}) is lit.",
                    lit=label(lit),
                    pin=self.config.panel.lamps.fitted()[lit],
                )
            )
        return lit

    def _name_colour(self, colour: PrimaryColour) -> None:
        """Name a colour of the status lamp the first time."""
        if colour not in self._named:
            self._named.add(colour)
            self.say(
                phrase(
                    "Status lamp: {colour} (pin {pin}) is lit.",
                    colour=phrase(colour),
                    pin=self.config.panel.status.fitted()[colour],
                )
            )

    def _describe_presses(self, presses: Iterable[Press]) -> None:
        for press in presses:
            self.say(
                phrase(
                    "{button} (pin {pin}): {kind} press",
                    button=label(press.button),
                    pin=self._pin(press.button),
                    kind=phrase(PRESSES[press.kind]),
                )
            )
            if drawable(label(press.button)):
                row = digits(label(press.button)[:DIGITS])
                self._rows = ((*row, *(0,) * (DIGITS - len(row))),) * len(self._rows)
            if self.walk:
                self._walk_on(press)

    def _walk_on(self, press: Press) -> None:
        expected = self.walk[0]
        if press.button != expected:
            self.say(
                phrase(
                    "That was {button}. Are its wires and those of {asked} swapped?",
                    button=label(press.button),
                    asked=label(expected),
                )
            )
            return
        del self.walk[0]
        if self.walk:
            self._ask_for_press()
        else:
            self.say(phrase("All {count} buttons work.", count=len(self.panel.buttons)))
            self._walked = True

    def _ask_for_press(self) -> None:
        name = self.walk[0]
        lamp = self.config.panel.lamps.fitted().get(name)
        glows = phrase("; its lamp (pin {lamp}) should be lit", lamp=lamp) if lamp is not None else ""
        self.say(
            phrase(
                "Press {name} now (pin {pin}{glows}).",
                name=label(name),
                pin=self._pin(name),
                glows=glows,
            )
        )

    def _type(self, text: str, now_ms: float) -> None:
        button, _, rest = text.strip().lower().partition(" ")
        if not button:
            return
        if rest.strip() not in ("", "long") or button not in self.panel.buttons:
            self.say(
                phrase(
                    "Type one of {buttons}, and after it long for a long press.",
                    buttons=", ".join(self.panel.buttons),
                )
            )
            return
        hold_ms = self.config.panel.long_press_ms + PUSH_MS if rest.strip() == "long" else PUSH_MS
        held_ms = max(hold_ms, 2 * self.config.panel.debounce_ms) if not rest.strip() else hold_ms
        self.panel.push(button, True)
        self._releases.append((now_ms + held_ms, button))


def run(
    test: PanelTest, next_call: Callable[[float], Call | None], clock_ms: Callable[[], float], until_ms: float
) -> None:
    """Until the time is up or the test is through. `next_call` waits at most so many ms."""
    while (now_ms := clock_ms()) < until_ms and test.goes_on(now_ms):
        wait_ms = min(test.due_ms(now_ms), until_ms) - now_ms
        call = next_call(max(0.0, wait_ms))
        if call is not None:
            call()


def _clock_ms() -> float:
    return time.monotonic() * 1000


@click.command(name="panel")
@config_option
@click.option("--mock", is_flag=True, help=phrase_later("Mock pins: type a button's name to press it."))
@click.option("--walk", is_flag=True, help=phrase_later("Ask for one button after the other."))
@click.option(
    "--seconds",
    type=click.FloatRange(min=0),
    help=phrase_later("Stop after this time; otherwise Ctrl-C ends it."),
)
def command(config_path: Path | None, mock: bool, walk: bool, seconds: float | None) -> None:
    """Try buttons and lamps: show each press, light each lamp.

    Lamps light up one after the other; while you hold a button, its own lamp is lit. The scoreboard
    lights every segment, then names the button that was pressed. The status lamp shows each colour; a
    press of the off button is shown, and switches nothing off.
    """
    try:
        with ExitStack() as stack:
            _test_panel(stack, load(config_path), mock=mock, walk=walk, seconds=seconds)
    except ConfigError as error:
        raise click.ClickException(str(error)) from None
    except KeyboardInterrupt:
        click.echo()


def _test_panel(stack: ExitStack, config: Config, *, mock: bool, walk: bool, seconds: float | None) -> None:
    inbox: queue.SimpleQueue[Call] = queue.SimpleQueue()
    lost: list[str] = []
    hearing = Hearing(
        edge=lambda name, down, at_ms: inbox.put(lambda: test.take_edge(name, down, at_ms)),
        off_moved=lambda down: inbox.put(lambda: test.move_off(down)),
        off_held=lambda: inbox.put(lambda: test.hold_off()),  # noqa: PLW0108 - pins come before the test
        tell=lost.append,
        clock_ms=_clock_ms,
    )
    fitted = Fitted(config.panel, config.scoreboard, hearing, mock=mock)
    stack.callback(fitted.close_signs)
    stack.callback(fitted.close_panel)
    if fitted.panel is None:
        raise click.ClickException(" ".join(lost))
    for text in lost:
        click.echo(text)
    start_ms = _clock_ms()
    if mock:
        click.echo(
            phrase("Mock pins: type a button's name and Enter to press it, such as bet1, or bet1 long.")
        )
    todo = list(fitted.panel.buttons) if walk else []
    test = PanelTest(config, fitted, fitted.panel, click.echo, start_ms, todo)
    if mock:
        listen_to_keyboard(lambda line: inbox.put(partial(test.take_line, line)), lambda: inbox.put(test.end))

    def next_call(wait_ms: float) -> Call | None:
        try:
            return inbox.get(timeout=wait_ms / 1000)
        except queue.Empty:
            return None

    try:
        run(test, next_call, _clock_ms, float("inf") if seconds is None else start_ms + 1000 * seconds)
    finally:
        if test.walk:
            click.echo(phrase("Not pressed yet: {label}.", label=", ".join(map(label, test.walk))))

"""`callbox panel`: shows each press and lights each lamp, for whoever has just soldered the panel."""

import queue
import sys
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import click

from device.config import Config, ConfigError, load
from device.panel import (
    DIGITS,
    STATUS_TRIED,
    Display,
    DisplayLost,
    Dummy,
    Factory,
    OffButton,
    Panel,
    PanelLost,
    Press,
    Presses,
    PrimaryColour,
    StatusLamp,
    drawable,
    every_segment,
    open_display,
    open_factory,
)
from device.panel import digits as shown_digits
from device.wiring import PanelConfig, label
from engine.wording import phrase, phrase_later

# What `callbox panel` tries beside buttons and lamps: the off button, and the colours of the status lamp.


@dataclass(frozen=True, slots=True)
class OffMoved:
    """The off button went down, or up."""

    down: bool


@dataclass(frozen=True, slots=True)
class OffHeld:
    """It was held for as long as a running box wants it."""


class Signs:
    """Off button and status lamp on their pins: what is fitted, and can be opened; if not, that is told."""

    def __init__(
        self,
        config: PanelConfig,
        factory: Factory,
        put: Callable[[OffMoved | OffHeld], None],
        say: Callable[[str], None],
    ) -> None:
        """`put` gets what the off button does, from gpiozero's threads."""
        self._config = config
        self._say = say
        self._named: set[PrimaryColour] = set()
        self._open = ExitStack()
        self._status: StatusLamp | None = None
        try:
            if isinstance(config.off.button, int):
                off = OffButton(config.off, factory, lambda: put(OffHeld()), lambda down: put(OffMoved(down)))
                self._open.enter_context(closing(off))
                if off.down:
                    say(
                        phrase(
                            "OFF (pin {button}) is down though nobody presses it: look at its wires.",
                            button=config.off.button,
                        )
                    )
        except PanelLost as lost:
            say(str(lost))
        try:
            if config.status.fitted():
                lamp = StatusLamp(config.status, factory, lit_high=config.lamps_lit == "high")
                self._status = self._open.enter_context(closing(lamp))
        except PanelLost as lost:
            say(str(lost))

    def take(self, item: OffMoved | OffHeld) -> None:
        """Tell what the off button did."""
        off = self._config.off
        match item:
            case OffMoved(down=True):
                lamp = (
                    phrase("; its lamp (pin {lamp}) should blink", lamp=off.lamp)
                    if isinstance(off.lamp, int)
                    else ""
                )
                self._say(phrase("OFF (pin {button}): down{lamp}", button=off.button, lamp=lamp))
            case OffMoved():
                self._say(phrase("OFF (pin {button}): up", button=off.button))
            case OffHeld():
                self._say(
                    phrase(
                        "OFF: held for {hold_s} s. A running box would switch the Pi off now.",
                        hold_s=off.hold_s,
                    )
                )

    def show(self, step: int) -> None:
        """One colour of the status lamp after the other, each named the first time."""
        if self._status is None:
            return
        colour, status = STATUS_TRIED[step % len(STATUS_TRIED)]
        self._status.show(status, 0)
        if colour not in self._named:
            self._named.add(colour)
            self._say(
                phrase(
                    "Status lamp: {colour} (pin {pin}) glows.",
                    colour=phrase(colour),
                    pin=self._config.status.fitted()[colour],
                )
            )

    def close(self) -> None:
        """Dark, and the pins let go."""
        self._open.close()


CHASE_MS = 600
"""How long each lamp glows when nobody presses anything."""
PUSH_MS = 120
"""How long a button typed on the keyboard is held; a long one is held a little longer than a long press."""

PRESSES = {"short": phrase_later("short"), "long": phrase_later("long")}


@dataclass(frozen=True, slots=True)
class Edge:
    """A contact closed or opened."""

    button: str
    down: bool
    time_ms: float


@dataclass(frozen=True, slots=True)
class Typed:
    """A line from the keyboard (mock pins only): "stop" or "stop long"."""

    text: str


@dataclass(frozen=True, slots=True)
class NoMore:
    """The keyboard has ended, and with it all presses on mock pins."""


Item = Edge | Typed | NoMore | OffMoved | OffHeld


@dataclass(slots=True)
class Bench:
    """The panel under test. Time is passed in; it reads no clock and waits for nothing."""

    config: Config
    panel: Panel
    display: Display
    say: Callable[[str], None]
    start_ms: float
    signs: Signs | None = None
    """Off button and status lamp; None tries neither."""
    walk: list[str] = field(default_factory=list)
    """With --walk: the buttons still to be pressed, in order."""
    _presses: Presses = field(init=False)
    _releases: list[tuple[float, str]] = field(default_factory=list)
    _typed: list[str] = field(default_factory=list)
    _ending: bool = False
    _walked: bool = False
    _announced: int = -1

    def __post_init__(self) -> None:
        """Light everything that can be lit, and tell what is wrong from the start."""
        panel = self.config.panel
        self._presses = Presses(panel.debounce_ms, panel.long_press_ms)
        for button in self.panel.down():
            self.say(
                phrase(
                    "{button} (pin {pin}) is down though nobody presses it: look for solder between "
                    "its wires, and at pull and pressed in callbox.toml.",
                    button=label(button),
                    pin=self._pin(button),
                )
            )
        self._light_board(every_segment(1)[0])
        if self.walk:
            self._ask()

    def take(self, item: Item) -> None:
        """An edge, a line from the keyboard, or what the off button did."""
        match item:
            case Edge(button, down, time_ms):
                self._tell(self._presses.edge(button, down, time_ms))
            case Typed(text):
                self._typed.append(text)
            case NoMore():
                self._ending = True
            case OffMoved() | OffHeld():
                if self.signs is not None:
                    self.signs.take(item)

    def goes_on(self, now_ms: float) -> bool:
        """Do whatever is due by now; False when there is nothing left to test."""
        for due_ms, button in [each for each in self._releases if each[0] <= now_ms]:
            self._releases.remove((due_ms, button))
            self.panel.push(button, False)
        self._tell(self._presses.tick(now_ms))
        self.panel.show(self._lamps(now_ms))
        if self.signs is not None and not (self.walk or self._walked):
            self.signs.show(int((now_ms - self.start_ms) // CHASE_MS))
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

    def _lamps(self, now_ms: float) -> dict[str, bool]:
        """The lamps of held buttons; else the one that is asked for; else each in turn."""
        held = self._presses.held()
        if held or self.walk:
            return {name: name in held or name in self.walk[:1] for name in self.panel.lamps}
        if self._walked or not self.panel.lamps:
            return {}
        step = int((now_ms - self.start_ms) // CHASE_MS)
        lit = self.panel.lamps[step % len(self.panel.lamps)]
        if self._announced < step < len(self.panel.lamps):
            self._announced = step
            self.say(
                phrase(
                    "Lamp {lit} (pin {pin}) glows.",
                    lit=label(lit),
                    pin=self.config.panel.lamps.fitted()[lit],
                )
            )
        return {name: name == lit for name in self.panel.lamps}

    def _tell(self, presses: Iterable[Press]) -> None:
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
                shown = shown_digits(label(press.button)[:DIGITS])
                self._light_board(shown + (0,) * (DIGITS - len(shown)))
            if self.walk:
                self._walk_on(press)

    def _walk_on(self, press: Press) -> None:
        asked = self.walk[0]
        if press.button != asked:
            self.say(
                phrase(
                    "That was {button}. Are its wires and those of {asked} swapped?",
                    button=label(press.button),
                    asked=label(asked),
                )
            )
            return
        del self.walk[0]
        if self.walk:
            self._ask()
        else:
            self.say(phrase("All {count} buttons work.", count=len(self.panel.buttons)))
            self._walked = True

    def _ask(self) -> None:
        name = self.walk[0]
        lamp = self.config.panel.lamps.fitted().get(name)
        glows = phrase("; its lamp (pin {lamp}) should glow", lamp=lamp) if lamp is not None else ""
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

    def _light_board(self, row: tuple[int, ...]) -> None:
        try:
            self.display.show((row,) * self.display.rows)
        except DisplayLost as lost:
            self.say(str(lost))
            self.display = Dummy(self.display.rows)


def run(
    bench: Bench, next_item: Callable[[float], Item | None], clock_ms: Callable[[], float], until_ms: float
) -> None:
    """Until the time is up or the bench is through. `next_item` waits at most so many ms."""
    while (now_ms := clock_ms()) < until_ms and bench.goes_on(now_ms):
        wait_ms = min(bench.due_ms(now_ms), until_ms) - now_ms
        item = next_item(max(0.0, wait_ms))
        if item is not None:
            bench.take(item)


def _read_keyboard(lines: Iterable[bytes], put: Callable[[Item], None]) -> None:
    for line in lines:
        put(Typed(line.decode(errors="replace")))
    put(NoMore())


def _clock_ms() -> float:
    return time.monotonic() * 1000


@click.command(name="panel")
@click.option(
    "--config",
    type=click.Path(path_type=Path),
    help=phrase_later("Settings file; callbox.toml says which else."),
)
@click.option("--mock", is_flag=True, help=phrase_later("Mock pins: type a button's name to press it."))
@click.option("--walk", is_flag=True, help=phrase_later("Ask for one button after the other."))
@click.option(
    "--seconds", type=click.FloatRange(min=0), help=phrase_later("Stop after so long; else Ctrl-C ends it.")
)
def command(config: Path | None, mock: bool, walk: bool, seconds: float | None) -> None:
    """Show each press and light each lamp, for whoever has just soldered the panel.

    Lamps glow one after the other; while a button is held, its own lamp glows. The scoreboard lights every
    segment, then names the button that was pressed. The status lamp shows each colour; the off button is
    told, and switches nothing off.
    """
    try:
        with ExitStack() as stack:
            _test_panel(stack, load(config), mock=mock, walk=walk, seconds=seconds)
    except (ConfigError, PanelLost) as error:
        raise click.ClickException(str(error)) from None
    except KeyboardInterrupt:
        click.echo()


def _test_panel(stack: ExitStack, config: Config, *, mock: bool, walk: bool, seconds: float | None) -> None:
    inbox: queue.SimpleQueue[Item] = queue.SimpleQueue()
    factory = stack.enter_context(closing(open_factory(mock=mock)))
    display: Display = Dummy(config.scoreboard.modules)
    try:
        display = stack.enter_context(closing(open_display(config.scoreboard, factory, mock=mock)))
    except DisplayLost as lost:
        click.echo(str(lost))
    panel = Panel(
        config.panel, factory, lambda name, down, at_ms: inbox.put(Edge(name, down, at_ms)), _clock_ms
    )
    stack.enter_context(closing(panel))
    start_ms = _clock_ms()
    if mock:
        click.echo(
            phrase("Mock pins: type a button's name and Enter to press it, such as bet1, or bet1 long.")
        )
        # The raw file: a thread waiting in Python's buffered one would hold its lock when the program ends.
        keyboard = getattr(sys.stdin.buffer, "raw", sys.stdin.buffer)
        reader = partial(_read_keyboard, keyboard, inbox.put)
        threading.Thread(target=reader, name="keyboard", daemon=True).start()
    signs = stack.enter_context(closing(Signs(config.panel, factory, inbox.put, click.echo)))
    todo = list(panel.buttons) if walk else []
    bench = Bench(config, panel, display, click.echo, start_ms, signs, todo)

    def next_item(wait_ms: float) -> Item | None:
        try:
            return inbox.get(timeout=wait_ms / 1000)
        except queue.Empty:
            return None

    try:
        run(bench, next_item, _clock_ms, float("inf") if seconds is None else start_ms + 1000 * seconds)
    finally:
        if bench.walk:
            click.echo(phrase("Not pressed yet: {label}.", label=", ".join(map(label, bench.walk))))

"""All that hangs on a box's pins, opened together. What cannot be opened is told and done without."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from gpiozero import LED, Button

from device.panel.displays import Display, Dummy, open_late
from device.panel.panel import Factory, OnEdge, Panel, PanelLost, library_message, open_factory, pin_troubles
from device.panel.status import StatusLamp
from device.wiring import BUTTONS, OffConfig, PanelConfig, ScoreboardConfig, label
from engine.wording import phrase, phrase_count
from engine.words import together

# The button that switches the Pi off, and its lamp. It only asks: whoever built it ends the box first.
#
# Unlike the other buttons it does not go through the table's thread: a table that hangs must not keep the Pi
# on.

BLINK_S = 0.15
"""How quickly the lamp blinks while the button is held."""


class OffButton:
    """The off button on its pins. Every method may be called from any thread."""

    def __init__(
        self,
        config: OffConfig,
        factory: Factory,
        held: Callable[[], None],
        moved: Callable[[bool], None],
        *,
        hold_s: float | None = None,
    ) -> None:
        """Opens the pins; raises `PanelLost`. For a button that is fitted.

        `held` is called once, from gpiozero's thread, when the button was held for `hold_s` (as set, where
        that is None); `moved` each time it goes down (True) or up. One that is down already, stuck or held
        while the Pi starts, asks for nothing until it was let go: else a box with a stuck button would
        switch itself off at every start.
        """
        self._held = held
        self._moved = moved
        self._lamp: LED | None = None
        self._asked = False
        try:
            self._open(config, factory, config.hold_s if hold_s is None else hold_s)
        except pin_troubles() as error:
            self.close()
            raise PanelLost(
                phrase(
                    "The off button's pins cannot be opened ({error}). Does another program hold them? "
                    "I2C uses pins 2 and 3: switch it off in raspi-config, or choose other pins in "
                    "callbox.toml.",
                    error=library_message(error),
                )
            ) from None
        self._button.when_pressed = self._press
        self._button.when_released = self._release
        self._button.when_held = self._ask

    def _open(self, config: OffConfig, factory: Factory, hold_s: float) -> None:
        self._button = Button(config.button, pull_up=True, hold_time=hold_s, pin_factory=factory)
        if isinstance(config.lamp, int):
            lit_high = config.lamp_lit == "high"
            self._lamp = LED(config.lamp, active_high=lit_high, initial_value=True, pin_factory=factory)

    @property
    def down(self) -> bool:
        """Whether its contact is closed right now."""
        return not self._button.closed and bool(self._button.is_pressed)

    @property
    def lit(self) -> bool:
        """Whether its lamp is lit right now."""
        return self._lamp is not None and not self._lamp.closed and bool(self._lamp.is_lit)

    def close(self) -> None:
        """The lamp out, the pins let go. May be called twice, also after a start that failed."""
        for device in (getattr(self, "_button", None), self._lamp):
            if device is not None:
                device.close()

    def _press(self) -> None:
        self._moved(True)
        if self._lamp is not None and not self._asked:
            self._lamp.blink(on_time=BLINK_S, off_time=BLINK_S)

    def _release(self) -> None:
        self._moved(False)
        self._light()

    def _light(self) -> None:
        if self._lamp is not None and not self._lamp.closed:
            self._lamp.on()

    def _ask(self) -> None:
        if self._asked:
            return
        self._asked = True
        self._light()
        self._held()


# Which buttons are down for longer than anybody presses one: stuck, or wired wrongly. Time is passed in.

OFF = "off"
"""The button that switches the Pi off."""
STUCK_MS = 30_000.0
"""A long press takes less than a second."""


class Stuck:
    """All buttons of a panel. Not for several threads; edges come as they do to `Presses`."""

    def __init__(self, down_at_start: Iterable[str] = ()) -> None:
        """`down_at_start`: what is down before anybody was asked to press it counts as stuck at once."""
        self._since_ms = dict.fromkeys(down_at_start, float("-inf"))

    def edge(self, button: str, down: bool, time_ms: float) -> None:
        """A contact closed or opened."""
        if not down:
            self._since_ms.pop(button, None)
        else:
            self._since_ms.setdefault(button, time_ms)

    def at(self, time_ms: float) -> tuple[str, ...]:
        """The buttons that count as stuck at `time_ms`, in the panel's order."""
        if not self._since_ms:
            return ()
        held = (name for name in (*BUTTONS, OFF) if name in self._since_ms)
        return tuple(name for name in held if time_ms - self._since_ms[name] >= STUCK_MS)


def sentence(stuck: Iterable[str]) -> str:
    """What to say of stuck buttons; "" for none."""
    names = [label(button) for button in stuck]
    if not names:
        return ""
    return phrase_count(
        "{buttons} is down all the time. Does anything lie on it? If not: look for solder between the wires, "
        "and at pull and pressed in callbox.toml.",
        "{buttons} are down all the time. Does anything lie on them? If not: look for solder between the "
        "wires, and at pull and pressed in callbox.toml.",
        len(names),
        buttons=together(names),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Hearing:
    """Who hears of what the pins bring. Called from gpiozero's threads, so none may block."""

    edge: OnEdge
    off_moved: Callable[[bool], None] = lambda _down: None
    """The off button went down, or up."""
    off_held: Callable[[], None] = lambda: None
    """It was held as long as it has to be."""
    tell: Callable[[str], None]
    """Gets a sentence for whatever cannot be opened."""
    clock_ms: Callable[[], float]


class Fitted:
    """The panel, the scoreboard, the off button and the status lamp; None where there is none."""

    def __init__(
        self, panel: PanelConfig, scoreboard: ScoreboardConfig, hearing: Hearing, *, mock: bool
    ) -> None:
        """Opens them; never fails. With `mock` they hang on mock pins."""
        self.panel: Panel | None = None
        self.off: OffButton | None = None
        self.status: StatusLamp | None = None
        self.factory: Factory | None = None
        try:
            factory = self.factory = open_factory(mock=mock)
            self.panel = Panel(panel, factory, hearing.edge, hearing.clock_ms)
        except PanelLost as lost:
            hearing.tell(
                phrase("No buttons and lamps: {lost} The console's panel works all the same.", lost=lost)
            )
        if self.factory is not None:
            self._open_signs(panel, self.factory, hearing)
        if self.factory is None and scoreboard.kind == "digits":
            self.display: Display = Dummy(scoreboard.modules)
        else:
            # Modules on SPI need no pins of a factory: they may work where the pins do not.
            self.display = open_late(scoreboard, self.factory or open_factory(mock=True), mock=mock)

    @property
    def down(self) -> tuple[str, ...]:
        """The buttons that are down now: at the start, when nobody was asked to press one."""
        panel = self.panel.down() if self.panel is not None else ()
        return (*panel, OFF) if self.off is not None and self.off.down else panel

    def close_panel(self) -> None:
        """Let buttons, lamps and scoreboard go."""
        if self.panel is not None:
            self.panel.close()
        self.display.close()

    def close_signs(self) -> None:
        """Let off button and status lamp go: they go dark when all is kept, and not before."""
        for sign in (self.off, self.status):
            if sign is not None:
                sign.close()

    def _open_signs(self, config: PanelConfig, factory: Factory, hearing: Hearing) -> None:
        try:
            if isinstance(config.off.button, int):
                self.off = OffButton(config.off, factory, hearing.off_held, hearing.off_moved)
        except PanelLost as lost:
            hearing.tell(phrase("No off button: {lost} sudo poweroff switches the Pi off, too.", lost=lost))
        try:
            if config.status.fitted():
                lit_high = config.lamps_lit == "high"
                self.status = StatusLamp(config.status, factory, lit_high=lit_high)
        except PanelLost as lost:
            hearing.tell(phrase("No status lamp: {lost}", lost=lost))

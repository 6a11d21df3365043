"""Buttons and lamps: gpiozero devices on whatever pins they are given, and nothing about games.

Raw edges go out, each with the time of an injected clock; debounce and long press are
device/panel/presses.py's. The demo and the tests run this very file on gpiozero's mock pins: the console then
pushes the pin itself.
"""

import os
import sys
import tempfile
from collections.abc import Callable, Mapping
from functools import partial
from threading import Lock, RLock
from typing import Any, Protocol

from gpiozero import LED, DigitalInputDevice, GPIOZeroError
from gpiozero.pins.mock import MockFactory, MockPin

from device.wiring import PanelConfig, Pins
from engine.wording import phrase, phrase_later

BLINK_MS = 120
"""How long a lamp acknowledges a press."""

OnEdge = Callable[[str, bool, float], None]
"""button, down, time_ms. Called from gpiozero's thread, or from the one that pushes; it must not block."""


PIN_OF_BUTTON = phrase_later(
    "Pin {number} for the button {name} cannot be opened ({error}). Does another program hold it? "
    "Stop that, or choose another pin in callbox.toml."
)
PIN_OF_LAMP = phrase_later(
    "Pin {number} for the lamp {name} cannot be opened ({error}). Does another program hold it? "
    "Stop that, or choose another pin in callbox.toml."
)


class PanelLost(Exception):
    """The pins cannot be used. `str(lost)` names cause and fix for a person at the table."""


class Factory(Protocol):
    """What this file needs of a gpiozero pin factory."""

    def pin(self, name: int) -> Any:  # gpiozero ships no types
        """The pin with this BCM number."""
        ...

    def close(self) -> None:
        """Let all pins go."""
        ...


def open_factory(*, mock: bool = False) -> Factory:
    """Mock pins (also for GPIOZERO_PIN_FACTORY=mock), or the Pi's own through lgpio; raises `PanelLost`."""
    if mock or os.environ.get("GPIOZERO_PIN_FACTORY", "").lower() == "mock":
        return _mock_factory()
    # lgpio leaves a named pipe in the working folder, which a service may not write to.
    os.environ.setdefault("LG_WD", tempfile.gettempdir())
    try:
        from gpiozero.pins.lgpio import LGPIOFactory  # noqa: PLC0415 - lgpio is on a Pi only

        factory: Factory = LGPIOFactory()
    except ImportError:
        raise PanelLost(
            phrase(
                "The pins cannot be reached, for Python does not find lgpio. Fix: sudo apt install "
                "python3-lgpio, and let Callbox's virtual environment see the system's own."
            )
        ) from None
    except AttributeError:
        raise PanelLost(
            phrase(
                "The lgpio that Python finds is an empty shell (version 0.0.0.2). Fix: pip uninstall "
                "lgpio in Callbox's virtual environment, then sudo apt install python3-lgpio."
            )
        ) from None
    except pin_troubles() as error:
        raise PanelLost(
            phrase(
                "The pins cannot be reached ({error}). On a Raspberry Pi, may this user use them? "
                "Fix: sudo usermod -aG gpio $USER, then log in again. On another machine: --mock.",
                error=library_message(error),
            )
        ) from None
    return factory


def pin_troubles() -> tuple[type[Exception], ...]:
    """What gpiozero and the library under it raise when a pin does not do as it is told."""
    below = getattr(sys.modules.get("lgpio"), "error", OSError)
    return (GPIOZeroError, OSError, below)


class ForgetfulPin(MockPin):  # type: ignore[misc]
    """A mock pin that keeps no list of all its levels: a simulated table may play for weeks."""

    def _change_state(self, value: bool) -> bool:
        changed: bool = super()._change_state(value)
        del self.states[:-1]
        return changed


def _mock_factory() -> Factory:
    factory: Factory = MockFactory(pin_class=ForgetfulPin)
    return factory


class Panel:
    """All buttons and lamps that are fitted. Every method may be called from any thread."""

    def __init__(
        self, config: PanelConfig, factory: Factory, on_edge: OnEdge, clock_ms: Callable[[], float]
    ) -> None:
        """Opens the pins; raises `PanelLost`. A button that is down already sends nothing until it moves."""
        self._mock = isinstance(factory, MockFactory)
        self._factory = factory
        self._pressed_high = config.pressed == "high"
        self._on_edge = on_edge
        self._clock_ms = clock_ms
        # Two locks: what `on_edge` does with the lamps must not wait for another thread's push.
        self._pushing = RLock()
        self._lighting = Lock()
        self._closed = False
        self._buttons: dict[str, DigitalInputDevice] = {}
        self._lamps: dict[str, LED] = {}
        try:
            self._open_buttons(config)
            self._open_lamps(config.lamps, lit_high=config.lamps_lit == "high")
        except PanelLost:
            self.close()
            raise

    @property
    def buttons(self) -> tuple[str, ...]:
        """The buttons that are fitted."""
        return tuple(self._buttons)

    @property
    def lamps(self) -> tuple[str, ...]:
        """The lamps that are fitted."""
        return tuple(self._lamps)

    def down(self) -> tuple[str, ...]:
        """The buttons whose contact is closed right now: at rest, each is stuck or wired wrongly."""
        return () if self._closed else tuple(name for name, each in self._buttons.items() if each.is_active)

    def lit(self) -> dict[str, bool]:
        """Every fitted lamp, and whether it is lit."""
        with self._lighting:
            return {name: bool(lamp.value) for name, lamp in self._lamps.items()}

    def show(self, lamps: Mapping[str, bool]) -> None:
        """Light exactly these lamps: one that is not named goes out, one that is not fitted is passed over.

        Raises `PanelLost` when a pin fails. After `close` it does nothing.
        """
        with self._lighting:
            if self._closed:
                return
            for name, lamp in self._lamps.items():
                wanted = lamps.get(name, False)
                if bool(lamp.value) != wanted:
                    self._light(name, lamp, wanted)

    def push(self, button: str, down: bool) -> bool:
        """Push or let go a button from elsewhere: on mock pins the pin itself, else the same edge.

        False when there is no such button on this panel.
        """
        with self._pushing:
            device = self._buttons.get(button)
            if device is None or self._closed:
                return False
            if not self._mock:
                self._on_edge(button, down, self._clock_ms())
            elif down == self._pressed_high:
                device.pin.drive_high()
            else:
                device.pin.drive_low()
            return True

    def close(self) -> None:
        """All lamps out, all pins let go. May be called twice."""
        with self._lighting:
            self._closed = True
            devices = [*self._buttons.values(), *self._lamps.values()]
            self._lamps = {}
        for device in devices:
            device.close()

    def _open_buttons(self, config: PanelConfig) -> None:
        pull_up = {"up": True, "down": False, "none": None}[config.pull]
        for name, number in config.buttons.fitted().items():
            if self._mock and pull_up is None:
                # A floating mock pin rests at low; stand in for the resistor that "none" promises.
                pin = self._factory.pin(number)
                pin.drive_low() if self._pressed_high else pin.drive_high()
            # Not gpiozero's Button: each carries a thread that wakes ten times a second for `when_held`,
            # which nobody needs here. No bounce_time: it drops edges, and mock pins ignore it.
            button = self._opened(
                PIN_OF_BUTTON,
                name,
                number,
                partial(
                    DigitalInputDevice,
                    number,
                    pull_up=pull_up,
                    active_state=self._pressed_high if pull_up is None else None,
                    bounce_time=None,
                    pin_factory=self._factory,
                ),
            )
            self._buttons[name] = button
            button.when_activated = self._edge(name, down=True)
            button.when_deactivated = self._edge(name, down=False)

    def _open_lamps(self, pins: Pins, *, lit_high: bool) -> None:
        for name, number in pins.fitted().items():
            self._lamps[name] = self._opened(
                PIN_OF_LAMP,
                name,
                number,
                partial(LED, number, active_high=lit_high, pin_factory=self._factory),
            )

    def _opened(  # gpiozero ships no types
        self, trouble: str, name: str, number: int, device: Callable[[], Any]
    ) -> Any:
        try:
            return device()
        except pin_troubles() as error:
            raise PanelLost(phrase(trouble, number=number, name=name, error=library_message(error))) from None

    def _edge(self, name: str, *, down: bool) -> Callable[[], None]:
        def send() -> None:
            self._on_edge(name, down, self._clock_ms())

        return send

    def _light(self, name: str, lamp: LED, wanted: bool) -> None:
        try:
            lamp.value = int(wanted)
        except pin_troubles() as error:
            raise PanelLost(
                phrase(
                    "The lamp {name} does not obey ({error}). Is its pin in use elsewhere? callbox panel "
                    "lights each lamp in turn.",
                    name=name,
                    error=library_message(error),
                )
            ) from None


def library_message(error: Exception) -> str:
    """A library's words, without its quotes and full stop."""
    return str(error).strip().strip("'\"").rstrip(".") or type(error).__name__


def lamps_at(lamps: Mapping[str, bool], acks: Mapping[str, float], time_ms: float) -> dict[str, bool]:
    """What the lamps show at `time_ms`: for `BLINK_MS` after its last press a lamp shows the opposite.

    `acks` has the time of each button's last press. The blink depends on that time alone, never on what
    the press meant, so nobody can read a bet off a lamp.
    """
    return {name: lit != _acknowledges(acks.get(name), time_ms) for name, lit in lamps.items()}


def _acknowledges(ack_ms: float | None, time_ms: float) -> bool:
    return ack_ms is not None and 0 <= time_ms - ack_ms < BLINK_MS

"""The button that switches the Pi off, and its lamp. It only asks: whoever built it ends the box first.

Unlike the other buttons it does not go through the table's thread: a table that hangs must not keep the Pi
on.
"""

from collections.abc import Callable

from gpiozero import LED, Button

from device.panel.panel import Factory, PanelLost, pin_troubles, told
from device.wiring import OffConfig
from engine.wording import phrase

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
                    error=told(error),
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

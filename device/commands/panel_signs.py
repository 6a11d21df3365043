"""What `callbox panel` tries beside buttons and lamps: the off button, and the colours of the status lamp."""

from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import dataclass

from device.panel import STATUS_TRIED, Factory, OffButton, PanelLost, PrimaryColour, StatusLamp
from device.wiring import PanelConfig
from engine.wording import phrase


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

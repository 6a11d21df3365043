"""What hangs on which pin: buttons, lamps, scoreboard; how they are wired, and what cannot be.

The values stand in callbox.toml and nowhere else; `device.config` reads them.
"""

from collections.abc import Iterator
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from engine.wording import phrase, phrase_later

BUTTONS = ("bet1", "bet2", "bet3", "bet4", "stop", "cache", "roll_done", "undo")
"""Every button's name, and its lamp's."""
COLOURS = ("red", "green", "blue")
"""The colours of the status lamp."""

SPI_PINS: dict[int, tuple[int, ...]] = {0: (8, 7, 9, 10, 11), 1: (18, 17, 19, 20, 21)}
"""By port: chip select 0, chip select 1, MISO, MOSI, SCLK (BCM)."""
PULLED_UP_PINS = (2, 3)
"""The Pi's board carries fixed pull-up resistors here."""

Pin = Annotated[int, Meta(ge=2, le=27, description=phrase_later("The pin's BCM number."))]
PinOrNone = Annotated[
    Annotated[int, Meta(ge=2, le=27)] | Literal["none"],
    Meta(description=phrase_later('The pin\'s BCM number, or "none".')),
]


def label(button: str) -> str:
    """A button's name as it stands on the box: bet1 is "BET 1", roll_done "ROLL DONE"."""
    return button.upper().replace("_", " ").replace("BET", "BET ")


class WiringError(Exception):
    """It cannot be wired like that. `str(error)` names key, value and what is allowed, without the file."""


class Pins(msgspec.Struct, frozen=True):
    """One pin for each button, or for each lamp."""

    bet1: PinOrNone
    bet2: PinOrNone
    bet3: PinOrNone
    bet4: PinOrNone
    stop: PinOrNone
    cache: PinOrNone
    roll_done: PinOrNone
    undo: PinOrNone

    def fitted(self) -> dict[str, int]:
        """Name to BCM number of those that are fitted, in the order of `BUTTONS`."""
        pins = {name: getattr(self, name) for name in BUTTONS}
        return {name: pin for name, pin in pins.items() if isinstance(pin, int)}


class OffConfig(msgspec.Struct, frozen=True):
    """The button that switches the Pi off."""

    button: Annotated[PinOrNone, Meta(description=phrase_later("The button's pin; it joins that to ground."))]
    lamp: Annotated[PinOrNone, Meta(description=phrase_later("The pin of the lamp in it."))]
    lamp_lit: Annotated[Literal["high", "low"], Meta(description=phrase_later("What lights that lamp."))]
    hold_s: Annotated[
        int, Meta(ge=2, le=20, description=phrase_later("How long it has to be held."), extra={"unit": "s"})
    ]


class StatusConfig(msgspec.Struct, frozen=True):
    """The status lamp: one LED of three colours."""

    red: PinOrNone
    green: PinOrNone
    blue: PinOrNone

    def fitted(self) -> dict[str, int]:
        """Colour to BCM number; empty where there is no such lamp."""
        pins = {name: getattr(self, name) for name in COLOURS}
        return {name: pin for name, pin in pins.items() if isinstance(pin, int)}


class PanelConfig(msgspec.Struct, frozen=True):
    """Buttons and lamps."""

    pull: Annotated[
        Literal["up", "down", "none"], Meta(description=phrase_later("Where a button's pin is pulled to."))
    ]
    pressed: Annotated[
        Literal["low", "high"], Meta(description=phrase_later("What a pressed button puts on its pin."))
    ]
    lamps_lit: Annotated[Literal["high", "low"], Meta(description=phrase_later("What lights a lamp."))]
    debounce_ms: Annotated[
        int,
        Meta(
            ge=1,
            le=200,
            description=phrase_later("How long a contact has to stay put."),
            extra={"unit": "ms"},
        ),
    ]
    long_press_ms: Annotated[
        int,
        Meta(
            ge=200, le=5000, description=phrase_later("From here on a press is long."), extra={"unit": "ms"}
        ),
    ]
    buttons: Annotated[Pins, Meta(description=phrase_later("The buttons' pins."))]
    lamps: Annotated[Pins, Meta(description=phrase_later("The lamps' pins."))]
    off: Annotated[OffConfig, Meta(description=phrase_later("The button that switches the Pi off."))]
    status: Annotated[StatusConfig, Meta(description=phrase_later("The status lamp."))]


class ScoreboardConfig(msgspec.Struct, frozen=True):
    """The seven-segment scoreboard."""

    kind: Annotated[
        Literal["max7219", "digits", "none"],
        Meta(description=phrase_later("What the scoreboard is made of.")),
    ]
    modules: Annotated[
        int, Meta(ge=1, le=4, description=phrase_later("Eight-digit modules, one below the other."))
    ]
    brightness: Annotated[int, Meta(ge=0, le=15, description=phrase_later("Brightness."))]
    digit_0: Annotated[
        Literal["right", "left"], Meta(description=phrase_later("Where a module has its digit number 0."))
    ]
    spi_port: Annotated[int, Meta(ge=0, le=1, description=phrase_later("The SPI port."))]
    spi_device: Annotated[
        int, Meta(ge=0, le=1, description=phrase_later("The chip select line of the port."))
    ]
    segment_pins: Annotated[
        tuple[Pin, ...],
        Meta(min_length=7, max_length=8, description=phrase_later("The pins of a, b, c, d, e, f, g, point.")),
    ]
    digit_pins: Annotated[
        tuple[Pin, ...],
        Meta(min_length=2, max_length=8, description=phrase_later("One pin for each digit, left to right.")),
    ]
    segments_lit: Annotated[Literal["high", "low"], Meta(description=phrase_later("What lights a segment."))]
    digits_lit: Annotated[Literal["high", "low"], Meta(description=phrase_later("What chooses a digit."))]


Claim = tuple[str, int]
"""A setting's key, and the BCM number that it wants."""


def pins_in_use(panel: PanelConfig, board: ScoreboardConfig) -> Iterator[Claim]:
    """Every pin that the settings claim, SPI lines included."""
    yield from _older_pins(panel, board)
    for name, pin in (("button", panel.off.button), ("lamp", panel.off.lamp)):
        if isinstance(pin, int):
            yield f"panel.off.{name}", pin
    for name, pin in panel.status.fitted().items():
        yield f"panel.status.{name}", pin


def _older_pins(panel: PanelConfig, board: ScoreboardConfig) -> Iterator[Claim]:
    """The pins of what a panel had before there were an off button and a status lamp."""
    for name, pin in panel.buttons.fitted().items():
        yield f"panel.buttons.{name}", pin
    for name, pin in panel.lamps.fitted().items():
        yield f"panel.lamps.{name}", pin
    match board.kind:
        case "max7219":
            for line in SPI_PINS[board.spi_port]:
                yield f'scoreboard.kind = "max7219" (SPI port {board.spi_port})', line
        case "digits":
            for pin in board.segment_pins:
                yield "scoreboard.segment_pins", pin
            for pin in board.digit_pins:
                yield "scoreboard.digit_pins", pin
        case "none":
            pass


def given_way(panel: PanelConfig, board: ScoreboardConfig, own: object) -> PanelConfig:
    """The panel, where the owner uses pins of off button, its lamp or status lamp otherwise, without these.

    Tables were wired before there were these three: such a box has to start as ever. `own` is the owner's
    own [panel] table; what that names stays, and a pin wanted twice is then refused.
    """
    taken = {pin for _, pin in _older_pins(panel, board)}
    tables = own if isinstance(own, dict) else {}
    named = {key: set(tables.get(key) or ()) for key in ("off", "status")}
    off, status = panel.off, panel.status
    if off.button in taken and "button" not in named["off"]:
        off = msgspec.structs.replace(off, button="none")
    if off.lamp in taken and "lamp" not in named["off"]:
        off = msgspec.structs.replace(off, lamp="none")
    if taken & set(status.fitted().values()) and not named["status"]:
        status = StatusConfig(red="none", green="none", blue="none")
    return msgspec.structs.replace(panel, off=off, status=status)


def refuse_impossible_wiring(panel: PanelConfig, board: ScoreboardConfig) -> None:
    """What no single value shows: a pin taken twice, a pull that cannot be, a long press too short.

    Raises `WiringError`.
    """
    free = _free_pins(panel, board)
    claimed: dict[int, str] = {}
    for key, pin in pins_in_use(panel, board):
        if pin in claimed:
            raise WiringError(
                phrase(
                    "pin {pin} is wanted twice, by {claimed} and by {key}. Free pins are {free}.",
                    pin=pin,
                    claimed=claimed[pin],
                    key=key,
                    free=free,
                )
            )
        claimed[pin] = key
    _refuse_wrong_pull(panel, free)
    _refuse_wrong_lamps(panel, free)
    if panel.long_press_ms <= 2 * panel.debounce_ms:
        raise WiringError(
            phrase(
                "panel.long_press_ms is {long_press_ms}; with panel.debounce_ms = {debounce_ms} "
                "allowed is more than {least_ms} (ms).",
                long_press_ms=panel.long_press_ms,
                debounce_ms=panel.debounce_ms,
                least_ms=2 * panel.debounce_ms,
            )
        )


def _refuse_wrong_pull(panel: PanelConfig, free: str) -> None:
    fits = {"up": "low", "down": "high"}.get(panel.pull, panel.pressed)
    if panel.pressed != fits:
        raise WiringError(
            phrase(
                'panel.pressed is "{pressed}", but with panel.pull = "{pull}" a pressed button is "{fits}".',
                pressed=panel.pressed,
                pull=panel.pull,
                fits=fits,
            )
        )
    for name, pin in panel.buttons.fitted().items():
        if pin in PULLED_UP_PINS and panel.pull != "up":
            raise WiringError(
                phrase(
                    'panel.buttons.{name} is {pin}, but panel.pull is "{pull}" and the Pi pulls pins 2 '
                    "and 3 up by itself. Free pins are {free}.",
                    name=name,
                    pin=pin,
                    pull=panel.pull,
                    free=free,
                )
            )


def _refuse_wrong_lamps(panel: PanelConfig, free: str) -> None:
    """A lamp of three colours without one of them; an off lamp that would glow by itself."""
    fitted = panel.status.fitted()
    if fitted and len(fitted) < len(COLOURS):
        missing = next(name for name in COLOURS if name not in fitted)
        raise WiringError(
            phrase(
                'panel.status.{missing} is "none"; the status lamp needs all three colours, or '
                '"none" for all.',
                missing=missing,
            )
        )
    if panel.off.lamp in PULLED_UP_PINS and panel.off.lamp_lit == "high":
        raise WiringError(
            phrase(
                'panel.off.lamp is {lamp} and panel.off.lamp_lit "high", but the Pi pulls pins 2 and '
                '3 up by itself, so the lamp would always be lit. Wire it for "low". Free pins are '
                "{free}.",
                lamp=panel.off.lamp,
                free=free,
            )
        )


def _free_pins(panel: PanelConfig, board: ScoreboardConfig) -> str:
    taken = {pin for _, pin in pins_in_use(panel, board)}
    return ", ".join(str(pin) for pin in range(2, 28) if pin not in taken) or "none"

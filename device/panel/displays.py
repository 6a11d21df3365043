"""The scoreboard's hardware: rows of eight digits (bit masks, see device/panel/displays.py) become light.

`Max7219` sends them over SPI, `PlainDigits` drives bare digits from pins, `Dummy` keeps them. What to show is
device/panel/scoreboard.py's business.
"""

import importlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from gpiozero import Device, LEDCharDisplay, LEDMultiCharDisplay

from device.panel.panel import Factory, pin_troubles
from device.wiring import ScoreboardConfig
from engine.wording import phrase, phrase_later

# Text for seven-segment digits, from the alphabet drawn in segments.txt.
#
# A digit is a bit mask: bit 0 is segment a (top), then clockwise b, c, d (bottom), e, f, bit 6 is g
# (middle), bit 7 the point. A point in a text lights the point of the digit before it: "12.5" takes three
# digits.

Digit = int
A, B, C, D, E, F, G, POINT = (1 << bit for bit in range(8))
ALL = A | B | C | D | E | F | G | POINT
BLANK = 0

ALPHABET = Path(__file__).with_name("segments.txt")
_CELL = 5
_WHERE: Mapping[tuple[int, int], tuple[str, int]] = {
    (0, 1): ("_", A),
    (1, 0): ("|", F),
    (1, 1): ("_", G),
    (1, 2): ("|", B),
    (2, 0): ("|", E),
    (2, 1): ("_", D),
    (2, 2): ("|", C),
    (2, 3): (".", POINT),
}
"""(line, column) in a drawing to the sign that stands there and the segment that it lights."""


class Undrawable(ValueError):
    """A character that seven segments cannot show; the alphabet does not have it."""


def read_alphabet(text: str) -> dict[str, Digit]:
    """Character to digit, from drawings as segments.txt describes them; raises ValueError for a bad one."""
    alphabet: dict[str, Digit] = {" ": BLANK}
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    at = 0
    while at < len(lines):
        if not lines[at].strip():
            at += 1
            continue
        labels, drawing = lines[at], [*lines[at + 1 : at + 4], "", "", ""][:3]
        width = max(map(len, (labels, *drawing)))
        for left in range(0, width, _CELL):
            name = labels[left : left + _CELL].strip()
            if len(name) != 1 or name in alphabet:
                raise ValueError(f"a drawing needs one character above it, and its own; got {name!r}")
            alphabet[name] = _digit(name, [line[left : left + _CELL] for line in drawing])
        at += 4
    return alphabet


def _digit(name: str, drawing: list[str]) -> Digit:
    mask = BLANK
    for row, line in enumerate(drawing):
        for column, sign in enumerate(line):
            if sign == " ":
                continue
            wanted, segment = _WHERE.get((row, column), ("nothing", BLANK))
            if sign != wanted:
                raise ValueError(
                    f"the drawing of {name!r} has {sign!r} in line {row + 1}, column {column + 1}; "
                    f"expected {wanted}"
                )
            mask |= segment
    return mask


@cache
def alphabet() -> Mapping[str, Digit]:
    """The characters that can be shown, as drawn in segments.txt."""
    return read_alphabet(ALPHABET.read_text(encoding="utf-8"))


def digits(text: str) -> tuple[Digit, ...]:
    """The digits that show `text`; raises `Undrawable` for a character that has no drawing in either case."""
    shown: list[Digit] = []
    for sign in text:
        if sign in ".,":
            if shown and not shown[-1] & POINT:
                shown[-1] |= POINT
            else:
                shown.append(POINT)
            continue
        drawn = next((alphabet()[form] for form in (sign, sign.swapcase()) if form in alphabet()), None)
        if drawn is None:
            raise Undrawable(f"{sign!r} cannot be shown on seven segments (in {text!r})")
        shown.append(drawn)
    return tuple(shown)


def drawable(text: str) -> bool:
    """Whether `digits` can show the whole text."""
    try:
        digits(text)
    except Undrawable:
        return False
    return True


def drawn(row: Iterable[Digit]) -> str:
    """Digits as a picture of three lines, as in segments.txt: for the command line, the manual and tests."""
    shown = tuple(row)
    lines = []
    for line in range(3):
        cells = []
        for digit in shown:
            signs = (_WHERE.get((line, column), (" ", BLANK)) for column in range(4))
            cells.append("".join(sign if digit & segment else " " for sign, segment in signs))
        lines.append("".join(cells).rstrip())
    return "\n".join(lines)


Row = tuple[Digit, ...]
Rows = tuple[Row, ...]

DIGITS = 8
"""Digits in a row, whatever shows them."""
BUS_SPEED_HZ = 1_000_000
"""Slow for a MAX7219 (it takes 10 MHz), kind to a ribbon of loose wires."""


class DisplayLost(Exception):
    """The scoreboard does not show anything. `str(lost)` names cause and fix for a person at the table."""


class Display(Protocol):
    """Whatever can show rows of digits."""

    @property
    def rows(self) -> int:
        """How many rows it has; `show` wants exactly so many."""
        ...

    @property
    def digits(self) -> int:
        """How many digits of each row it has, from the left."""
        ...

    def show(self, rows: Rows) -> None:
        """Show these rows of eight digits; raises `DisplayLost`. Not for several threads at once."""
        ...

    def adjust(self, brightness: int | None, mirrored: bool | None) -> None:
        """With the next `show` be so bright (0 to 15), and have digit 0 of a module on the right; None: as
        set. What has neither takes no notice."""
        ...

    def close(self) -> None:
        """Dark, and the wires let go. May be called twice."""
        ...


def open_display(config: ScoreboardConfig, factory: Factory, *, mock: bool = False) -> Display:
    """The scoreboard that the settings name; raises `DisplayLost`. With `mock`, SPI modules are a `Dummy`."""
    match config.kind:
        case "max7219" if not mock:
            return Max7219(config, open_spi(config))
        case "max7219":
            return Dummy(config.modules)
        case "digits":
            return PlainDigits(config, factory)
        case "none":
            return Dummy(1)


def open_late(config: ScoreboardConfig, factory: Factory, *, mock: bool = False) -> Display:
    """Like `open_display`, but never fails: what is missing may come later (`Late`)."""
    single = config.kind != "max7219"
    return Late(
        lambda: open_display(config, factory, mock=mock),
        rows=1 if single else config.modules,
        digits=len(config.digit_pins) if config.kind == "digits" else DIGITS,
    )


class Late:
    """A display that may be missing: as long as it is, each `show` tries to open it."""

    def __init__(self, open_it: Callable[[], Display], *, rows: int, digits: int) -> None:
        """`rows` and `digits` as it will have them; `open_it` raises `DisplayLost`."""
        self.rows = rows
        self.digits = digits
        self._open = open_it
        self._display: Display | None = None
        self._adjusted: tuple[int | None, bool | None] = (None, None)

    def show(self, rows: Rows) -> None:
        """Show them, once it is there; raises `DisplayLost`."""
        if self._display is None:
            self._display = self._open()
            self._display.adjust(*self._adjusted)
        self._display.show(rows)

    def adjust(self, brightness: int | None, mirrored: bool | None) -> None:
        """As `Display` says, once it is there."""
        self._adjusted = brightness, mirrored
        if self._display is not None:
            self._display.adjust(brightness, mirrored)

    def close(self) -> None:
        """Dark, and the wires let go."""
        if self._display is not None:
            self._display.close()


class Dummy:
    """No hardware: keeps what it was told to show. The console draws the same rows."""

    def __init__(self, rows: int = 1) -> None:
        self.rows = rows
        self.digits = DIGITS
        self.shown: Rows = ((0,) * DIGITS,) * rows

    def show(self, rows: Rows) -> None:
        """Keep them."""
        self.shown = _checked(rows, self.rows)

    def adjust(self, brightness: int | None, mirrored: bool | None) -> None:
        """It has neither."""

    def close(self) -> None:
        """Keep nothing."""
        self.shown = ((0,) * DIGITS,) * self.rows


class Serial(Protocol):
    """What luma calls a serial interface: bytes out, one chip select per call."""

    def data(self, data: list[int]) -> None:
        """Send these bytes while chip select is low."""
        ...

    def cleanup(self) -> None:
        """Close it."""
        ...


NO_SPIDEV = phrase_later(
    "The scoreboard cannot be reached, for Python does not find spidev. Fix: sudo apt install "
    'python3-spidev. Without a scoreboard: kind = "none" under [scoreboard].'
)
NO_SPI = phrase_later(
    "The scoreboard cannot be reached: {where} is not there. Fix: sudo raspi-config, Interface Options, SPI, "
    'Yes, and restart. Without a scoreboard: kind = "none" under [scoreboard].'
)
NOT_THIS_USER = phrase_later(
    "The scoreboard cannot be reached: this user may not use {where}. Fix: sudo usermod -aG spi $USER, then "
    "log in again."
)
SPI_FAILS = phrase_later(
    "The scoreboard cannot be reached: {where} says {error}. Does another program hold it?"
)


def open_spi(config: ScoreboardConfig) -> Serial:
    """The Pi's SPI lines; raises `DisplayLost`."""
    where = phrase("SPI port {port}, device {device}", port=config.spi_port, device=config.spi_device)
    luma = importlib.import_module("luma.core.interface.serial")
    missing = importlib.import_module("luma.core.error").DeviceNotFoundError
    try:
        serial: Serial = luma.spi(
            port=config.spi_port,
            device=config.spi_device,
            gpio=luma.noop(),
            gpio_DC=None,
            gpio_RST=None,
            bus_speed_hz=BUS_SPEED_HZ,
        )
    except ImportError:
        raise DisplayLost(phrase(NO_SPIDEV)) from None
    except missing:
        raise DisplayLost(phrase(NO_SPI, where=where)) from None
    except PermissionError:
        raise DisplayLost(phrase(NOT_THIS_USER, where=where)) from None
    except OSError as error:
        raise DisplayLost(phrase(SPI_FAILS, where=where, error=error.strerror or error)) from None
    return serial


class Max7219:
    """A chain of MAX7219 modules, eight digits each; the one nearest to the Pi is the first row.

    luma sets the chips up; digits are sent as they are, without decoding, a register for all modules a call.
    """

    def __init__(self, config: ScoreboardConfig, serial: Serial) -> None:
        """Sets the modules up and darkens them; raises `DisplayLost`."""
        self.rows = config.modules
        self.digits = DIGITS
        self._config = config
        self.adjust(None, None)
        luma = importlib.import_module("luma.led_matrix.device")
        try:
            self._device: Any = luma.max7219(serial, cascaded=config.modules, contrast=config.brightness << 4)
        except OSError as error:
            serial.cleanup()
            raise DisplayLost(_unplugged(error)) from None
        self._closed = False

    def show(self, rows: Rows) -> None:
        """Send all digits, and the chips' settings again: a spark on the wire may have changed those."""
        if self._closed:
            return
        rows = _checked(rows, self.rows)
        try:
            for message in chip_messages(rows, self._brightness, mirrored=self._mirrored):
                self._device.data(message)
        except OSError as error:
            raise DisplayLost(_unplugged(error)) from None

    def adjust(self, brightness: int | None, mirrored: bool | None) -> None:
        """As `Display` says."""
        config = self._config
        self._brightness = config.brightness if brightness is None else brightness
        self._mirrored = config.digit_0 == "right" if mirrored is None else mirrored

    def close(self) -> None:
        """Dark, and SPI let go."""
        if self._closed:
            return
        self._closed = True
        # luma closes once more when the program ends; then there is nothing left to switch off.
        self._device.persist = True
        try:
            self._device.hide()
        except OSError:
            pass  # the module is gone already, and closing is all that is left to do
        finally:
            self._device.cleanup()


def _unplugged(error: OSError) -> str:
    return phrase(
        "The scoreboard cannot be written to ({error}). Look at its plug and its wires.",
        error=error.strerror or error,
    )


def chip_messages(rows: Rows, brightness: int, *, mirrored: bool) -> list[list[int]]:
    """What modules in a chain are sent, with chip select low for each message, to show these rows.

    Register and value for each module, the settings first (MAX7219 data sheet, table 2): display test, scan
    limit, decode mode, intensity, shutdown.
    """
    settings = ((0x0F, 0), (0x0B, DIGITS - 1), (0x09, 0), (0x0A, brightness), (0x0C, 1))
    frame = [_chip_bits(row, mirrored=mirrored) for row in rows]
    messages = [[register, value] * len(frame) for register, value in settings]
    # What is sent first is pushed on to the far end of the chain: the last row.
    digits_sent = [[part for row in reversed(frame) for part in (1 + at, row[at])] for at in range(DIGITS)]
    return messages + digits_sent


def _chip_bits(row: Row, *, mirrored: bool) -> list[int]:
    """A row as the chip's digit registers 0 to 7, whose bits run point, a, b, ... g from the top."""
    registers = [
        (digit & 0x80) | sum(1 << (6 - bit) for bit in range(7) if digit >> bit & 1) for digit in row
    ]
    return registers[::-1] if mirrored else registers


class PlainDigits:
    """Bare seven-segment digits on pins, shown one after the other so fast that all seem lit (gpiozero)."""

    def __init__(self, config: ScoreboardConfig, factory: Factory) -> None:
        """Opens the pins; raises `DisplayLost`."""
        self.rows = 1
        self.digits = len(config.digit_pins)
        self._segments = len(config.segment_pins)
        self._shown: Row = ()
        lit = (tuple(mask >> bit & 1 for bit in range(self._segments)) for mask in range(1 << self._segments))
        try:
            segments = LEDCharDisplay(
                *config.segment_pins,
                font=dict(enumerate(lit)),
                active_high=config.segments_lit == "high",
                initial_value=0,
                pin_factory=factory,
            )
            try:
                with _default_factory(factory):
                    self._display = LEDMultiCharDisplay(
                        segments,
                        *config.digit_pins,
                        active_high=config.digits_lit == "high",
                        pin_factory=factory,
                    )
            except pin_troubles():
                segments.close()
                raise
        except pin_troubles() as error:
            raise DisplayLost(
                phrase(
                    "The scoreboard's pins cannot be opened ({error}). Does another program hold them? "
                    "Is SPI switched off in raspi-config, when its pins are used?",
                    error=error,
                )
            ) from None

    def show(self, rows: Rows) -> None:
        """Show the first digits of the one row. Without a wire for the point, points are left out."""
        (row,) = _checked(rows, 1)
        shown = tuple(digit & ((1 << self._segments) - 1) for digit in row[: self.digits])
        if shown != self._shown:  # a new value restarts gpiozero's thread, and the eye sees that
            self._display.value = shown
            self._shown = shown

    def adjust(self, brightness: int | None, mirrored: bool | None) -> None:
        """It has neither."""

    def close(self) -> None:
        """Dark, and the pins let go."""
        self._display.close()


@contextmanager
def _default_factory(factory: Factory) -> Iterator[None]:
    """gpiozero 2.0.1's LEDMultiCharDisplay keeps its factory from a part, which asks for the default."""
    before = Device.pin_factory
    Device.pin_factory = factory
    try:
        yield
    finally:
        Device.pin_factory = before


def _checked(rows: Rows, count: int) -> Rows:
    """Rows of another shape are our own mistake, and die here."""
    if len(rows) != count or any(len(row) != DIGITS for row in rows):
        raise ValueError(f"expected {count} rows of {DIGITS} digits, got {[len(row) for row in rows]}")
    return rows

"""Draws docs/wiring.svg and wiring-off.svg from device/callbox.toml: run it after a pin has changed.

A wire's data attributes say what it joins; tests compare them with the settings and the table in wiring.md.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from gpiozero.pins.mock import MockFactory

from device.config import Config, parse
from device.wiring import SPI_PINS, OffConfig, ScoreboardConfig, label

OUT = Path(__file__).with_name("wiring.svg")
OFF_OUT = Path(__file__).with_name("wiring-off.svg")
WIDTH, HEIGHT, OFF_HEIGHT = 1240, 790, 420
LEFT_X, RIGHT_X, TOP_Y, PITCH = 510, 730, 150, 26
"""The header's outer edges, its first row and the distance of its rows, in drawing units."""
BUTTON_X, BUTTON_BUS_X, LAMP_X, LAMP_BUS_X, SUPPLY_X = 250, 70, 900, 1150, 1200
BUTTONS_Y = (294, 62)
LAMPS_Y = (251, 299, 347, 395, 558, 616, 674, 732)
BOARD_Y = (420, 524)
OFF_LAMP_Y, OFF_BUTTON_Y, STATUS_Y, OFF_PINS = 140, 216, (250, 300, 350), 12
"""In the second picture: the rows of off lamp, off button and colours; how many pins it shows."""
INK, GROUND, SUPPLY, BUTTON_INK, LAMP_INK, BUS_INK = (
    "#1f2933", "#1f2933", "#c81e1e", "#1d5fbf", "#b45309", "#0f766e",
)  # fmt: skip

STYLE = f"""
  text {{ font-family: 'DejaVu Sans', Verdana, sans-serif; fill: {INK}; }}
  .title {{ font-size: 24px; font-weight: bold; }}
  .note {{ font-size: 14px; fill: #52606d; }}
  .name {{ font-size: 16px; font-weight: bold; }}
  .pin {{ font-size: 12px; }}
  .wire {{ fill: none; stroke-width: 2.5; stroke-linejoin: round; stroke-linecap: round; }}
  .part {{ fill: #ffffff; stroke: {INK}; stroke-width: 2; }}
  .line {{ fill: none; stroke: {INK}; stroke-width: 2; stroke-linecap: round; }}
"""


@dataclass(frozen=True, slots=True)
class Wire:
    """From a header pin to a part: `part` in the words of callbox.toml, `gpio` its BCM number."""

    part: str
    gpio: int
    header: int
    from_y: float
    to_y: float


@dataclass(frozen=True, slots=True)
class Header:
    """The Pi's forty pins, as gpiozero knows them."""

    names: dict[int, str]

    @classmethod
    def of_a_pi(cls) -> "Header":
        """Header number to name: 11 is "GPIO17", 6 is "GND"."""
        pins = MockFactory("c03115").board_info.headers["J8"].pins
        return cls({number: pin.name for number, pin in pins.items()})

    def number(self, gpio: int) -> int:
        """The header pin of a BCM number."""
        return next(number for number, name in self.names.items() if name == f"GPIO{gpio}")

    @staticmethod
    def at(number: int) -> tuple[float, float]:
        """Where a header pin is drawn."""
        return (LEFT_X if number % 2 else RIGHT_X), TOP_Y + PITCH * ((number - 1) // 2)


def drawing(config: Config) -> str:
    """The whole picture as SVG."""
    header = Header.of_a_pi()
    buttons = _wires(header, "panel.buttons", config.panel.buttons.fitted(), _button_rows())
    lamps = _wires(header, "panel.lamps", config.panel.lamps.fitted(), LAMPS_Y)
    parts = [
        *_sheet("buttons, lamps and scoreboard", HEIGHT),
        *_header(header, 40),
        *_buses(header),
        *_routes(buttons, BUTTON_INK, BUTTON_X, outward=-1),
        *_routes(lamps, LAMP_INK, LAMP_X, outward=1),
        *_board(header, config.scoreboard),
        *(line for wire in buttons for line in _button(wire)),
        *(line for wire in lamps for line in _lamp(wire)),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def off_drawing(config: Config) -> str:
    """Off button and status lamp, with the upper end of the header, as SVG."""
    header, panel = Header.of_a_pi(), config.panel
    numbers = {name: header.number(pin) for name, pin in panel.status.fitted().items()}
    by_y = sorted(numbers, key=lambda name: _leaves_y(numbers[name]))
    colours = [
        Wire(f"panel.status.{name}", getattr(panel.status, name), numbers[name], _leaves_y(numbers[name]), y)
        for name, y in zip(by_y, STATUS_Y, strict=False)
    ]
    parts = [
        *_sheet("off button and status lamp", OFF_HEIGHT),
        *_header(header, OFF_PINS),
        *_off(header, panel.off),
        *_status(header, colours),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _leaves_y(number: int) -> float:
    """Where a wire leaves the header to the right: one of the left row crosses it below its pin."""
    return Header.at(number)[1] + (PITCH / 2 if number % 2 else 0)


def _sheet(what: str, height: int) -> Iterator[str]:
    """The picture's head."""
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        f'width="{WIDTH}" height="{height}" role="img" aria-labelledby="what">'
    )
    yield f'<title id="what">How {what} are wired to the Raspberry Pi</title>'
    yield f"<style>{STYLE}</style>"
    yield f'<rect width="{WIDTH}" height="{height}" fill="#fbfaf7"/>'
    yield f'<text class="title" x="40" y="52">Callbox: {what}</text>'
    yield (
        '<text class="note" x="40" y="78">Seen from above, the USB sockets at the bottom. '
        "Made from device/callbox.toml.</text>"
    )


def _off(header: Header, off: OffConfig) -> Iterator[str]:
    """The off button to ground, and its lamp between 3.3 V and its pin."""
    assert isinstance(off.button, int)  # noqa: S101 - as shipped
    assert isinstance(off.lamp, int)  # noqa: S101
    assert off.lamp_lit == "low"  # noqa: S101 - the drawing would lie
    assert (header.names[1], header.names[9]) == ("3V3", "GND")  # noqa: S101
    left = BUTTON_BUS_X
    for part, gpio, x, y, ink in (
        ("lamp", off.lamp, LEFT_X - 45, OFF_LAMP_Y, LAMP_INK),
        ("button", off.button, LEFT_X - 65, OFF_BUTTON_Y, BUTTON_INK),
    ):
        number = header.number(gpio)
        bends = f"M{LEFT_X} {Header.at(number)[1]} H{x} V{y} H{BUTTON_X}"
        yield _wire(bends, ink, f'data-part="panel.off.{part}" data-gpio="{gpio}" data-header="{number}"')
    supply, ground = f"M{LEFT_X} {TOP_Y} H{LEFT_X - 22} V94 H{left} V{OFF_LAMP_Y}", Header.at(9)[1]
    yield _wire(supply, SUPPLY, 'data-part="3.3 V" data-header="1"')
    yield _wire(f"M{LEFT_X} {ground} H{left} V{OFF_BUTTON_Y}", GROUND, 'data-part="ground" data-header="9"')
    yield f'<text class="note" x="{left + 8}" y="112">3.3 V</text>'
    yield f'<text class="note" x="{left}" y="{ground + 20}">ground (GND)</text>'
    yield from _button(Wire("panel.off.button", off.button, 0, 0, OFF_BUTTON_Y))
    yield from _led(left, BUTTON_X, OFF_LAMP_Y, led_x=left + 44, resistor_x=BUTTON_X - 70)
    yield f'<text class="name" x="{BUTTON_X + 6}" y="{OFF_LAMP_Y - 8}">OFF, lamp</text>'


def _status(header: Header, colours: list[Wire]) -> Iterator[str]:
    """The LED of three colours: each through a resistor of its own, all to ground."""
    assert header.names[6] == "GND"  # noqa: S101 - the drawing would lie
    ground_y = Header.at(6)[1]
    yield _wire(
        f"M{RIGHT_X} {ground_y} H{LAMP_BUS_X} V{STATUS_Y[-1]}", GROUND, 'data-part="ground" data-header="6"'
    )
    yield f'<text class="note" x="{RIGHT_X + 60}" y="{ground_y - 10}">ground (GND)</text>'
    for lane, wire in enumerate(colours[::-1]):
        start_x, start_y = Header.at(wire.header)
        over = f"h-16 V{wire.from_y} H{RIGHT_X} " if wire.header % 2 else ""
        bends = f"M{start_x} {start_y} {over}H{RIGHT_X + 22 + 13 * lane} V{wire.to_y} H{LAMP_X}"
        data = f'data-part="{wire.part}" data-gpio="{wire.gpio}" data-header="{wire.header}"'
        yield _wire(bends, LAMP_INK, data)
    for wire in colours:
        yield from _lamp(wire)
    top, bottom = STATUS_Y[0] - 38, STATUS_Y[-1] + 22
    yield (
        f'<rect x="{LAMP_X + 112}" y="{top}" width="90" height="{bottom - top}" rx="12" fill="none" '
        f'stroke="{INK}" stroke-width="1.5" stroke-dasharray="6 5"/>'
    )
    yield (
        f'<text class="note" x="{LAMP_X + 157}" y="{bottom + 18}" text-anchor="middle">'
        "STATUS: one LED, common cathode</text>"
    )


def _button_rows() -> tuple[float, ...]:
    first, step = BUTTONS_Y
    return tuple(first + step * row for row in range(8))


def _wires(header: Header, table: str, pins: dict[str, int], rows: tuple[float, ...]) -> list[Wire]:
    numbers = {name: header.number(pin) for name, pin in pins.items()}
    return [
        Wire(f"{table}.{name}", pins[name], number, Header.at(number)[1], y)
        for (name, number), y in zip(numbers.items(), rows, strict=False)
    ]


def _routes(wires: list[Wire], ink: str, to_x: float, *, outward: int) -> Iterator[str]:
    """Wires that bend twice and never cross: falling, the last one turns first; rising, the first one."""
    edge = LEFT_X if outward < 0 else RIGHT_X
    falling = [wire for wire in wires if wire.to_y >= wire.from_y]
    rising = [wire for wire in wires if wire.to_y < wire.from_y]
    for group in (falling[::-1], rising):
        for lane, wire in enumerate(group):
            x = edge + outward * (22 + 13 * lane)
            bends = f"M{edge} {wire.from_y} H{x} V{wire.to_y} H{to_x}"
            yield _wire(
                bends, ink, f'data-part="{wire.part}" data-gpio="{wire.gpio}" data-header="{wire.header}"'
            )


def _wire(path: str, ink: str, data: str) -> str:
    return f'<path class="wire" stroke="{ink}" d="{path}" {data}/>'


def _header(header: Header, pins: int) -> Iterator[str]:
    top, bottom = TOP_Y - 26, TOP_Y + (pins // 2 - 1) * PITCH + 26
    yield (
        f'<rect class="part" x="{LEFT_X}" y="{top}" width="{RIGHT_X - LEFT_X}" height="{bottom - top}" '
        'rx="10" style="fill:#eef5ea"/>'
    )
    middle = (LEFT_X + RIGHT_X) / 2
    yield f'<text class="name" x="{middle}" y="{top - 12}" text-anchor="middle">Raspberry Pi, 40 pins</text>'
    for number, name in list(header.names.items())[:pins]:
        x, y = Header.at(number)
        ink = {"GND": GROUND, "5V": SUPPLY, "3V3": SUPPLY}.get(name, "#8b9aa8")
        yield f'<circle cx="{x}" cy="{y}" r="6" fill="{ink}" data-pin="{number}"/>'
        inward, anchor = (14, "start") if number % 2 else (-14, "end")
        text = f"{number}  {name}" if number % 2 else f"{name}  {number}"
        yield (
            f'<text class="pin" x="{x + inward}" y="{y + 4}" text-anchor="{anchor}" '
            f'xml:space="preserve">{text}</text>'
        )


def _buses(header: Header) -> Iterator[str]:
    """Ground for all buttons, ground for all lamps and the board, and the board's 5 V."""
    for number in (9, 6):
        assert header.names[number] == "GND"  # noqa: S101 - the drawing would lie
    assert header.names[2] == "5V"  # noqa: S101
    left_y, right_y, supply_y = Header.at(9)[1], Header.at(6)[1], Header.at(2)[1]
    last_button, last_lamp = _button_rows()[-1], LAMPS_Y[-1]
    yield _wire(
        f"M{LEFT_X} {left_y} H{BUTTON_BUS_X} V{last_button}", GROUND, 'data-part="ground" data-header="9"'
    )
    yield _wire(
        f"M{RIGHT_X} {right_y} H{LAMP_BUS_X} V{last_lamp}", GROUND, 'data-part="ground" data-header="6"'
    )
    board_y = BOARD_Y[0] + 26
    yield _wire(
        f"M{RIGHT_X} {supply_y} H{SUPPLY_X} V{board_y} H{LAMP_BUS_X - 40}",
        SUPPLY,
        'data-part="scoreboard VCC" data-header="2"',
    )
    yield f'<text class="note" x="{BUTTON_BUS_X}" y="{left_y - 10}">ground (GND)</text>'
    yield f'<text class="note" x="{RIGHT_X + 60}" y="{right_y - 10}">ground (GND)</text>'
    yield f'<text class="note" x="{RIGHT_X + 60}" y="{supply_y - 10}">5 V, for the scoreboard only</text>'


def _button(wire: Wire) -> Iterator[str]:
    """A push button between its wire and the ground bus."""
    y, name = wire.to_y, _label(wire.part)
    left, right = BUTTON_X - 74, BUTTON_X - 20
    yield f'<path class="line" d="M{BUTTON_BUS_X} {y} H{left} M{right} {y} H{BUTTON_X}"/>'
    yield f'<path class="line" d="M{left} {y - 12} H{right} M{(left + right) / 2} {y - 12} V{y - 22}"/>'
    yield f'<path class="line" d="M{(left + right) / 2 - 12} {y - 22} h24"/>'
    for x in (left, right):
        yield f'<circle class="part" cx="{x}" cy="{y}" r="5"/>'
    yield f'<circle cx="{BUTTON_BUS_X}" cy="{y}" r="4" fill="{GROUND}"/>'
    yield f'<text class="name" x="{BUTTON_X + 6}" y="{y - 8}">{name}</text>'


def _lamp(wire: Wire) -> Iterator[str]:
    """A resistor and an LED between its wire and the ground bus."""
    y, name = wire.to_y, _label(wire.part)
    yield from _led(LAMP_X, LAMP_BUS_X, y, led_x=LAMP_X + 150, resistor_x=LAMP_X + 20)
    yield f'<circle cx="{LAMP_BUS_X}" cy="{y}" r="4" fill="{GROUND}"/>'
    yield f'<text class="name" x="{LAMP_X + 4}" y="{y - 12}">{name}</text>'


def _led(from_x: float, to_x: float, y: float, *, led_x: float, resistor_x: float) -> Iterator[str]:
    """A LED, its current from left to right, and its resistor on one line."""
    gaps = sorted([(led_x - 12, led_x + 12), (resistor_x, resistor_x + 50)])
    (a, b), (c, d) = gaps
    yield f'<path class="line" d="M{from_x} {y} H{a} M{b} {y} H{c} M{d} {y} H{to_x}"/>'
    yield f'<rect class="part" x="{resistor_x}" y="{y - 8}" width="50" height="16" rx="2"/>'
    yield f'<text class="pin" x="{resistor_x + 25}" y="{y + 4}" text-anchor="middle">330 Ω</text>'
    yield (
        f'<path class="part" d="M{led_x - 12} {y - 11} V{y + 11} L{led_x + 12} {y} Z" style="fill:#ffd54a"/>'
    )
    yield f'<path class="line" d="M{led_x + 12} {y - 11} V{y + 11}"/>'
    for x in (led_x - 2, led_x + 7):
        yield f'<path class="line" d="M{x} {y - 13} l7 -8 m-5 1 l5 -1 l0 5" style="stroke-width:1.4"/>'


def _board(header: Header, config: ScoreboardConfig) -> Iterator[str]:
    """The MAX7219 module and its three signal wires, two of which cross the header between its rows."""
    top, bottom = BOARD_Y
    right = LAMP_BUS_X - 40
    width, height = right - LAMP_X, bottom - top
    yield f'<rect class="part" x="{LAMP_X}" y="{top}" width="{width}" height="{height}" rx="8"/>'
    *select, _, data, clock = SPI_PINS[config.spi_port]
    signals = (("DIN", data, 1.5), ("CS", select[config.spi_device], 0), ("CLK", clock, 0.5))
    for row, (name, gpio, rows_down) in enumerate(signals):
        number = header.number(gpio)
        x, y = Header.at(number)
        y_to = top + 26 + 26 * row
        bend = RIGHT_X + 22 + 13 * (2 - row)
        gap_y = y + PITCH * rows_down
        over = f"h-16 V{gap_y} H{RIGHT_X}" if number % 2 else ""
        yield _wire(
            f"M{x} {y} {over} H{bend} V{y_to} H{LAMP_X}",
            BUS_INK,
            f'data-part="scoreboard {name}" data-gpio="{gpio}" data-header="{number}"',
        )
        yield f'<text class="pin" x="{LAMP_X + 8}" y="{y_to + 4}">{name}</text>'
    yield f'<text class="pin" x="{right - 8}" y="{top + 30}" text-anchor="end">VCC</text>'
    yield f'<text class="pin" x="{right - 8}" y="{top + 56}" text-anchor="end">GND</text>'
    yield _wire(f"M{right} {top + 52} H{LAMP_BUS_X}", GROUND, 'data-part="scoreboard GND" data-header="6"')
    yield f'<circle cx="{LAMP_BUS_X}" cy="{top + 52}" r="4" fill="{GROUND}"/>'
    yield from _eight_digits((LAMP_X + right) / 2, top + 40)
    yield (
        f'<text class="pin" x="{(LAMP_X + right) / 2}" y="{bottom - 10}" text-anchor="middle">'
        "scoreboard, MAX7219</text>"
    )


def _eight_digits(middle: float, y: float) -> Iterator[str]:
    """Eight little eights, to know the part by."""
    for digit in range(8):
        x = middle - 52 + 13.5 * digit
        eight = f"M{x} {y - 9} h7 v9 h-7 z m0 9 h7 v9 h-7 z"
        yield f'<path d="{eight}" fill="none" stroke="{SUPPLY}" stroke-width="1.8"/>'


def _label(part: str) -> str:
    return label("off" if part == "panel.off.button" else part.rpartition(".")[2])


if __name__ == "__main__":
    OUT.write_text(drawing(parse("")), encoding="utf-8")
    OFF_OUT.write_text(off_drawing(parse("")), encoding="utf-8")

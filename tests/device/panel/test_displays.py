"""What goes over the wire to the digits: bytes on SPI, levels on pins."""

import sys
import types
from collections.abc import Callable, Iterator

import pytest
from gpiozero import LED
from gpiozero.pins.mock import MockFactory, MockPin
from luma.core.virtual import sevensegment
from luma.led_matrix.device import max7219

from device.config import parse
from device.panel.displays import DisplayLost, Dummy, Max7219, PlainDigits, Rows, digits, open_display
from device.wiring import ScoreboardConfig

# luma 1.9 still draws its first, dark picture with a call that Pillow 14 will drop; ours does not use it.
pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata:DeprecationWarning")

NO_CACHE = "[panel.buttons]\ncache = 'none'\n[panel.lamps]\ncache = 'none'\n"
Turns = list[list[tuple[object, int]]]
"""What gpiozero does to its pins for each digit in turn."""

DIGITS = NO_CACHE + "[scoreboard]\nkind = 'digits'\n"


def settings(text: str = "") -> ScoreboardConfig:
    return parse(f"[scoreboard]\n{text}" if not text.startswith("[") else text).scoreboard


def row(text: str) -> tuple[int, ...]:
    shown = digits(text)
    return shown + (0,) * (8 - len(shown))


class Wire:
    """Stands for the SPI lines and for the chips behind them: a shift register of `modules` times 16 bits."""

    def __init__(self, modules: int) -> None:
        self.sent: list[list[int]] = []
        self.chips: list[dict[int, int]] = [{} for _ in range(modules)]
        self.broken = False
        self.closed = 0

    def data(self, data: list[int]) -> None:
        if self.broken:
            raise OSError(121, "Remote I/O error")
        self.sent.append(list(data))
        assert len(data) == 2 * len(self.chips)
        pairs = [(data[at], data[at + 1]) for at in range(0, len(data), 2)]
        for chip, (register, value) in zip(self.chips, reversed(pairs), strict=True):
            chip[register] = value

    def cleanup(self) -> None:
        self.closed += 1


@pytest.mark.parametrize("text", ["12345678", "90.5", "HELP", "1.2.3.4.5.6.7.8.", "", "-  _"])
def test_the_bytes_are_those_that_lumas_own_text_display_sends(text: str) -> None:
    theirs, ours = Wire(1), Wire(1)
    display = max7219(theirs)
    display.persist = True
    sevensegment(display).text = text
    Max7219(settings(), ours).show((row(text),))
    assert {register: ours.chips[0][register] for register in range(1, 9)} == {
        register: theirs.chips[0][register] for register in range(1, 9)
    }


def test_the_whole_talk_with_one_module() -> None:
    wire = Wire(1)
    display = Max7219(settings("brightness = 9"), wire)
    wire.sent.clear()
    display.show((row("12.5 -"),))
    one, two, five, minus = 0b0011_0000, 0b1110_1101, 0b0101_1011, 0b0000_0001
    setup = [[15, 0], [11, 7], [9, 0], [10, 9], [12, 1]]
    assert wire.sent == [*setup, [1, 0], [2, 0], [3, 0], [4, minus], [5, 0], [6, five], [7, two], [8, one]]


def test_a_module_with_digit_0_on_the_left() -> None:
    wire = Wire(1)
    Max7219(settings("digit_0 = 'left'"), wire).show((row("1"),))
    assert [wire.chips[0][register] for register in range(1, 9)] == [0b0011_0000] + [0] * 7


def test_the_first_row_is_the_module_next_to_the_pi() -> None:
    wire = Wire(3)
    Max7219(settings("modules = 3"), wire).show((row("1"), row("8"), row("-")))
    assert [chip[8] for chip in wire.chips] == [0b0011_0000, 0b0111_1111, 0b0000_0001]


def test_a_chip_that_lost_its_settings_has_them_back_with_the_next_row() -> None:
    wire = Wire(2)
    display = Max7219(settings("modules = 2"), wire)
    wire.chips = [{9: 0xFF, 15: 1}, {12: 0}]
    display.show((row("1"), row("2")))
    assert [[chip[register] for register in (9, 10, 11, 12, 15)] for chip in wire.chips] == [
        [0, 4, 7, 1, 0]
    ] * 2


def test_a_board_is_as_bright_and_turned_as_it_is_tried_and_then_as_it_is_set() -> None:
    wire = Wire(1)
    display = Max7219(settings(), wire)
    display.adjust(11, False)
    display.show((row("1"),))
    assert [wire.chips[0][register] for register in (10, 1, 8)] == [11, 0b0011_0000, 0]
    display.adjust(None, None)
    display.show((row("1"),))
    assert [wire.chips[0][register] for register in (10, 1, 8)] == [4, 0, 0b0011_0000]


def test_closing_darkens_the_modules_once() -> None:
    wire = Wire(1)
    display = Max7219(settings(), wire)
    display.close()
    assert (wire.chips[0][12], wire.closed) == (0, 1)
    display.close()
    display.show((row("1"),))
    assert (wire.chips[0][12], wire.closed) == (0, 1)


def test_a_wire_that_came_loose_is_told_and_closing_still_works() -> None:
    wire = Wire(1)
    display = Max7219(settings(), wire)
    wire.broken = True
    with pytest.raises(DisplayLost, match=r"cannot be written to \(Remote I/O error\). Look at its plug"):
        display.show((row("1"),))
    display.close()
    assert wire.closed == 1
    with pytest.raises(DisplayLost, match="cannot be written to"):
        Max7219(settings(), wire)


@pytest.mark.parametrize("rows", [(), (row("1"), row("2")), ((0,) * 7,)])
def test_rows_of_another_shape_die_at_once(rows: Rows) -> None:
    for display in (Max7219(settings(), Wire(1)), Dummy(1)):
        with pytest.raises(ValueError, match="expected 1 rows of 8 digits"):
            display.show(rows)


def _spidev(monkeypatch: pytest.MonkeyPatch, error: Exception | None) -> list[str]:
    """A spidev that answers to being opened with this error; what was asked of it."""
    asked: list[str] = []

    class SpiDev:
        max_speed_hz = 0

        def open(self, port: int, device: int) -> None:
            asked.append(f"open {port} {device}")
            if error:
                raise error

        def writebytes(self, data: list[int]) -> None:
            asked.append(f"{self.max_speed_hz} Hz {len(data)} bytes")

        def close(self) -> None:
            asked.append("close")

    module = types.ModuleType("spidev")
    module.SpiDev = SpiDev  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "spidev", module)
    return asked


def test_opening_the_modules_that_the_settings_name(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = _spidev(monkeypatch, None)
    display = open_display(settings("spi_device = 1\nmodules = 2"), MockFactory())
    assert (display.rows, display.digits, asked[:2]) == (2, 8, ["open 0 1", "1000000 Hz 4 bytes"])
    display.close()
    assert asked[-1] == "close"


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (FileNotFoundError(2, "No such file"), "SPI port 0, device 0 is not there. Fix: sudo raspi-config"),
        (
            PermissionError(13, "Permission denied"),
            "may not use SPI port 0, device 0. Fix: sudo usermod -aG spi",
        ),
        (
            OSError(16, "Device or resource busy"),
            "says Device or resource busy. Does another program hold it",
        ),
        (ImportError("spidev"), "Fix: sudo apt install python3-spidev"),
    ],
)
def test_spi_that_cannot_be_used(monkeypatch: pytest.MonkeyPatch, error: Exception, says: str) -> None:
    _spidev(monkeypatch, error)
    with pytest.raises(DisplayLost, match=says):
        open_display(settings(), MockFactory())


def test_without_spidev_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "spidev", None)
    with pytest.raises(DisplayLost, match=r"sudo apt install python3-spidev.*kind = \"none\""):
        open_display(settings(), MockFactory())


def test_which_display_the_settings_mean() -> None:
    mock = open_display(settings("modules = 3"), MockFactory(), mock=True)
    none = open_display(settings("kind = 'none'"), MockFactory())
    assert [(type(each), each.rows, each.digits) for each in (mock, none)] == [(Dummy, 3, 8), (Dummy, 1, 8)]


def test_the_dummy_keeps_what_it_shows() -> None:
    display = Dummy(2)
    display.show((row("12"), row("34")))
    assert display.shown == (row("12"), row("34"))
    display.close()
    assert display.shown == ((0,) * 8,) * 2


class OneRound:
    """Stands for the thread that gpiozero turns from digit to digit: one round, here and now."""

    def __init__(self, target: Callable[[Turns], None], args: tuple[Turns]) -> None:
        self._target, self._args = target, args
        self._left = len(args[0])
        self.stopping = self

    def start(self) -> None:
        self._target(*self._args)

    def wait(self, _seconds: float) -> bool:
        self._left -= 1
        return self._left <= 0

    def stop(self) -> None:
        pass


class Eye:
    """Sees which segments glow whenever a digit is chosen, as an eye does on the table."""

    def __init__(self, text: str) -> None:
        self.config = settings(text)
        self.seen: dict[int, int] = {}
        eye = self

        class SeenPin(MockPin):  # type: ignore[misc] # gpiozero ships no types
            def _set_state(self, value: int) -> None:
                super()._set_state(value)
                if self._number in eye.config.digit_pins and bool(value) == (eye.config.digits_lit == "high"):
                    eye.look(eye.config.digit_pins.index(self._number))

        self.factory = MockFactory(pin_class=SeenPin)
        self.display = PlainDigits(self.config, self.factory)

    def look(self, digit: int) -> None:
        lit = self.config.segments_lit == "high"
        pins = [self.factory.pin(number) for number in self.config.segment_pins]
        self.seen[digit] = sum(1 << bit for bit, pin in enumerate(pins) if pin.state == lit)

    def sees(self, text: str) -> list[int]:
        """What is seen of this text in one round, digit by digit."""
        self.seen.clear()
        self.display.show((row(text),))
        return [self.seen.get(digit, 0) for digit in range(self.display.digits)]


@pytest.fixture(autouse=True)
def one_round(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gpiozero.boards.GPIOThread", OneRound)


@pytest.fixture(
    params=[DIGITS, DIGITS + "segments_lit = 'low'\n", DIGITS + "digits_lit = 'low'\n"],
    ids=["high", "segments low", "digits low"],
)
def eye(request: pytest.FixtureRequest) -> Iterator[Eye]:
    made = Eye(request.param)
    yield made
    made.display.close()


@pytest.mark.parametrize("text", ["1234", "12.5", "8888", "1 1 ", "-_=1"])
def test_bare_digits_glow_as_the_text_says(eye: Eye, text: str) -> None:
    assert eye.sees(text) == list(row(text)[:4])


def test_bare_digits_change_and_go_dark(eye: Eye) -> None:
    assert eye.sees("12") == list(row("12")[:4])
    assert eye.sees("34.") == list(row("34.")[:4])
    eye.display.close()
    eye.display.close()
    assert all(eye.factory.pin(number).function == "input" for number in eye.config.digit_pins)


def test_seven_wires_leave_the_points_out() -> None:
    eye = Eye(DIGITS + "segment_pins = [2, 3, 4, 7, 8, 9, 10]\n")
    assert eye.sees("1.2.34") == list(row("1234")[:4])
    eye.display.close()


def test_the_same_row_again_does_not_restart_the_digits(eye: Eye) -> None:
    eye.sees("12")
    thread = eye.display._display._plex_thread
    eye.display.show((row("12"),))
    assert eye.display._display._plex_thread is thread


def test_digits_whose_pins_are_taken() -> None:
    factory = MockFactory()
    with LED(13, pin_factory=factory), pytest.raises(DisplayLost, match="pins cannot be opened") as caught:
        open_display(settings(DIGITS), factory)
    with LED(2, pin_factory=factory) as other:  # let go, though the error still knows the display
        assert (other.is_lit, caught.value.__traceback__ is None) == (False, False)

"""`callbox panel` with a clock that is told the time, and once through the command line."""

import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner

from device.commands.panel import CHASE_MS, Call, PanelTest, command, run
from device.config import parse
from device.panel import Display, DisplayLost, Dummy, Fitted, Hearing, digits
from device.panel.displays import Rows
from device.wiring import BUTTONS, label
from tests.waiting import PATIENCE_S


class Workshop:
    """A bench on mock pins whose waiting takes no time: the clock jumps to when the wait would end."""

    def __init__(self, text: str = "", *, walk: bool = False, display: Display | None = None) -> None:
        self.now_ms = 0.0
        self.calls: deque[Call] = deque()
        self.said: list[str] = []
        self.lit: list[dict[str, bool]] = []
        self.off_held = threading.Event()
        self.config = parse(text)
        self.fitted = Fitted(self.config.panel, self.config.scoreboard, self._hearing(), mock=True)
        assert self.fitted.panel is not None
        self.panel = self.fitted.panel
        self.fitted.display = display or Dummy(1)
        todo = list(self.panel.buttons) if walk else []
        self.test = PanelTest(self.config, self.fitted, self.panel, self.said.append, 0.0, todo)

    def _hearing(self) -> Hearing:
        return Hearing(
            edge=lambda *edge: self.calls.append(lambda: self.test.take_edge(*edge)),
            off_moved=lambda down: self.calls.append(lambda: self.test.move_off(down)),
            off_held=self._hold_off,
            tell=self.said.append,
            clock_ms=lambda: self.now_ms,
        )

    def _hold_off(self) -> None:
        self.calls.append(self.test.hold_off)
        self.off_held.set()

    def drive(self, pin: int, *, high: bool) -> None:
        """Another hand on a wire."""
        assert self.fitted.factory is not None
        wire = self.fitted.factory.pin(pin)
        (wire.drive_high if high else wire.drive_low)()

    def next_call(self, wait_ms: float) -> Call | None:
        lit = self.panel.lit()
        if not self.lit or self.lit[-1] != lit:
            self.lit.append(lit)
        if self.calls:
            return self.calls.popleft()
        self.now_ms += wait_ms
        return None

    def run(self, until_ms: float = 1e6) -> list[str]:
        run(self.test, self.next_call, lambda: self.now_ms, until_ms)
        return self.said

    def type(self, *lines: str) -> None:
        self.calls.extend(partial(self.test.take_line, line) for line in lines)


@pytest.fixture
def workshop() -> Iterator[Callable[..., Workshop]]:
    made: list[Workshop] = []

    def make(text: str = "", *, walk: bool = False, display: Display | None = None) -> Workshop:
        made.append(Workshop(text, walk=walk, display=display))
        return made[-1]

    yield make
    for each in made:
        each.fitted.close_signs()
        each.fitted.close_panel()


def test_a_press_is_told_by_its_name_and_pin(workshop: Callable[..., Workshop]) -> None:
    shop = workshop()
    shop.type("roll_done", "bet1 long")
    shop.calls.append(shop.test.end)
    assert [line for line in shop.run() if "press" in line] == [
        "ROLL DONE (pin 19): short press",
        "BET 1 (pin 17): long press",
    ]


def test_the_off_button_is_told_and_switches_nothing_off(workshop: Callable[..., Workshop]) -> None:
    shop = workshop("[panel.off]\nhold_s = 2")
    shop.drive(3, high=False)
    assert shop.off_held.wait(PATIENCE_S)
    shop.drive(3, high=True)
    shop.calls.append(shop.test.end)
    assert [line for line in shop.run() if line.startswith("OFF")] == [
        "OFF (pin 3): down; its lamp (pin 2) should blink",
        "OFF: held for 2 s. A running box would switch the Pi off now.",
        "OFF (pin 3): up",
    ]


def test_the_status_lamp_shows_each_colour(workshop: Callable[..., Workshop]) -> None:
    shop = workshop()
    lines = [line for line in shop.run(until_ms=5 * CHASE_MS) if line.startswith("Status")]
    assert lines == [
        f"Status lamp: {colour} (pin {pin}) is lit."
        for colour, pin in (("red", 4), ("green", 14), ("blue", 15))
    ]
    assert shop.fitted.factory is not None
    assert shop.fitted.factory.pin(14).state == 1, "green is the fifth step's"


def test_a_panel_without_off_button_and_status_lamp_tries_neither(workshop: Callable[..., Workshop]) -> None:
    none = "[panel.off]\nbutton = 'none'\nlamp = 'none'\n"
    none += "[panel.status]\nred = 'none'\ngreen = 'none'\nblue = 'none'\n"
    shop = workshop(none)
    assert [line for line in shop.run(until_ms=5 * CHASE_MS) if "Status" in line or "OFF" in line] == []


def test_a_wire_that_moves_is_told_as_well(workshop: Callable[..., Workshop]) -> None:
    shop = workshop()
    shop.drive(6, high=False)
    shop.calls.append(shop.test.end)
    assert "STOP (pin 6): long press" in shop.run(2000)


def test_each_lamp_glows_in_turn_and_is_named_once(workshop: Callable[..., Workshop]) -> None:
    shop = workshop()
    pins = shop.config.panel.lamps.fitted()
    named = [line for line in shop.run(10_000) if line.startswith("Lamp")]
    assert named == [f"Lamp {label(lamp)} (pin {pin}) is lit." for lamp, pin in pins.items()]
    one_by_one = [{name: name == lamp for name in BUTTONS} for lamp in BUTTONS]
    assert shop.lit == (one_by_one * 3)[: len(shop.lit)]
    assert len(shop.lit) > len(BUTTONS)


def test_while_a_button_is_held_its_own_lamp_glows_alone(workshop: Callable[..., Workshop]) -> None:
    shop = workshop()
    shop.type("undo long")
    shop.calls.append(shop.test.end)
    shop.run()
    assert {name: name == "undo" for name in BUTTONS} in shop.lit


def test_walking_asks_for_each_button_and_notices_swapped_wires(workshop: Callable[..., Workshop]) -> None:
    fitted = "".join(
        f"[panel.{kind}]\n" + "".join(f"{name} = 'none'\n" for name in BUTTONS[2:])
        for kind in ("buttons", "lamps")
    )
    shop = workshop(fitted, walk=True)
    shop.type("bet2", "bet1", "bet2")
    assert shop.run() == [
        "Press BET 1 now (pin 17; its lamp (pin 18) should be lit).",
        "BET 2 (pin 27): short press",
        "That was BET 2. Are its wires and those of BET 1 swapped?",
        "BET 1 (pin 17): short press",
        "Press BET 2 now (pin 27; its lamp (pin 23) should be lit).",
        "BET 2 (pin 27): short press",
        "All 2 buttons work.",
    ]
    asked = [{"bet1": True, "bet2": False}, {"bet1": True, "bet2": True}]
    assert shop.lit[:2] == asked


def test_an_unknown_name_is_answered_with_the_names(workshop: Callable[..., Workshop]) -> None:
    shop = workshop()
    shop.type("", "bet9", "stop short")
    shop.calls.append(shop.test.end)
    answers = [line for line in shop.run() if line.startswith("Type one of bet1, bet2")]
    assert len(answers) == 2


def test_the_scoreboard_lights_everything_and_then_names_the_button(
    workshop: Callable[..., Workshop],
) -> None:
    display = Dummy(2)
    shop = workshop(display=display)
    shop.run(until_ms=1)
    assert display.shown == ((255,) * 8,) * 2
    shop.type("stop")
    shop.calls.append(shop.test.end)
    shop.run()
    assert display.shown == (digits("STOP    "),) * 2


class LooseWire(Dummy):
    """A scoreboard whose plug fell out."""

    def show(self, rows: Rows) -> None:
        assert rows
        raise DisplayLost("The scoreboard cannot be written to. Look at its plug.")


def test_a_scoreboard_that_fails_is_told_once_and_the_rest_goes_on(workshop: Callable[..., Workshop]) -> None:
    shop = workshop(display=LooseWire(1))
    shop.type("stop")
    shop.calls.append(shop.test.end)
    said = shop.run()
    assert said.count("The scoreboard cannot be written to. Look at its plug.") == 1
    assert "STOP (pin 6): short press" in said


def test_through_the_command_line_on_mock_pins(tmp_path: Path) -> None:
    settings = tmp_path / "callbox.toml"
    settings.write_text("[panel]\nlong_press_ms = 5000\n")  # the wall's: a busy machine lets go late
    answer = CliRunner().invoke(command, ["--mock", "--config", str(settings)], input=b"\xff\xfe\nstop\n")
    assert answer.exit_code == 0
    assert "STOP (pin 6): short press" in answer.output


def test_no_time_at_all_and_what_was_not_pressed() -> None:
    answer = CliRunner().invoke(command, ["--mock", "--walk", "--seconds", "0"])
    assert answer.exit_code == 0
    assert answer.output.splitlines()[-1] == f"Not pressed yet: {', '.join(map(label, BUTTONS))}."


def test_wrong_settings_and_missing_pins_are_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY", raising=False)
    monkeypatch.setitem(sys.modules, "lgpio", None)
    for options, says in ((["--config", "gone.toml"], "no settings file gone.toml"), ([], "python3-lgpio")):
        answer = CliRunner().invoke(command, options)
        assert (answer.exit_code, says in answer.output) == (1, True)
        assert "Traceback" not in answer.output

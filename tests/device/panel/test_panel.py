"""Buttons and lamps on gpiozero's mock pins: whole lists of edges, whole lists of lamp states."""

import os
import sys
import threading
import types
from collections.abc import Iterator

import pytest
from gpiozero import LED
from gpiozero.exc import PinInvalidFunction
from gpiozero.pins.mock import MockFactory, MockPin
from hypothesis import given
from hypothesis import strategies as st

from device.config import Config, parse
from device.panel.panel import BLINK_MS, Panel, PanelLost, lamps_at, open_factory
from device.wiring import BUTTONS

DARK = dict.fromkeys(BUTTONS, False)
PULLS = {
    "up": "[panel]\npull = 'up'\npressed = 'low'\n",
    "down": "[panel]\npull = 'down'\npressed = 'high'\n",
    "own resistor, low": "[panel]\npull = 'none'\npressed = 'low'\n",
    "own resistor, high": "[panel]\npull = 'none'\npressed = 'high'\n",
}
pulls = pytest.mark.parametrize("text", PULLS.values(), ids=PULLS.keys())


class Bench:
    """A panel on mock pins, with all its edges written down and a clock that stands where it is put."""

    def __init__(self, config: Config) -> None:
        self.factory = MockFactory()
        self.config = config.panel
        self.edges: list[tuple[str, bool, float]] = []
        self.now_ms = 0.0
        self.panel = Panel(config.panel, self.factory, self.edge, lambda: self.now_ms)

    def edge(self, button: str, down: bool, time_ms: float) -> None:
        self.edges.append((button, down, time_ms))

    def states(self, lamp: str) -> list[bool]:
        """Every level that the lamp's pin went through."""
        return [state.state for state in self.factory.pin(getattr(self.config.lamps, lamp)).states]

    def close(self) -> None:
        self.panel.close()
        self.factory.reset()


@pytest.fixture
def bench() -> Iterator[Bench]:
    made = Bench(parse(""))
    yield made
    made.close()


@pulls
def test_every_button_sends_its_own_edges_with_the_clocks_time(text: str) -> None:
    bench = Bench(parse(text))
    wanted = []
    for button in BUTTONS:
        for down in (True, False):
            bench.now_ms += 10
            assert bench.panel.push(button, down)
            wanted.append((button, down, bench.now_ms))
    assert bench.edges == wanted
    bench.close()


@pulls
def test_a_push_moves_the_pin_itself(text: str) -> None:
    bench = Bench(parse(text))
    pin = bench.factory.pin(bench.config.buttons.stop)
    rest = pin.state
    bench.panel.push("stop", True)
    assert (pin.state, bench.panel.down()) == (not rest, ("stop",))
    assert pin.state == (bench.config.pressed == "high")
    bench.panel.push("stop", False)
    assert (pin.state, bench.panel.down()) == (rest, ())
    bench.close()


def test_a_wire_pulled_low_is_an_edge_and_pushing_twice_is_one(bench: Bench) -> None:
    bench.factory.pin(17).drive_low()
    bench.panel.push("bet1", True)
    bench.panel.push("bet1", True)
    bench.factory.pin(17).drive_high()
    assert [(button, down) for button, down, _ in bench.edges] == [("bet1", True), ("bet1", False)]


def test_bounces_come_through_raw(bench: Bench) -> None:
    pin = bench.factory.pin(17)
    for _ in range(3):
        pin.drive_low()
        pin.drive_high()
    assert [down for _, down, _ in bench.edges] == [True, False] * 3


class StuckPin(MockPin):  # type: ignore[misc] # gpiozero ships no types
    """A pin with a drop of solder to ground."""

    def drive_high(self) -> None:
        pass


def test_a_button_that_is_down_at_the_start_sends_nothing_but_is_told() -> None:
    edges: list[object] = []
    panel = Panel(parse("").panel, MockFactory(pin_class=StuckPin), lambda *edge: edges.append(edge), float)
    assert (panel.down(), edges) == (BUTTONS, [])
    panel.close()


def test_unknown_and_unfitted_buttons_are_not_pushed() -> None:
    bench = Bench(parse("[panel.buttons]\ncache = 'none'\n"))
    assert bench.panel.buttons == tuple(name for name in BUTTONS if name != "cache")
    assert [bench.panel.push("cache", True), bench.panel.push("bet9", True)] == [False, False]
    assert bench.edges == []
    bench.close()


def test_show_lights_exactly_what_it_is_told(bench: Bench) -> None:
    assert bench.panel.lit() == DARK
    bench.panel.show({"bet1": True, "stop": True})
    assert bench.panel.lit() == DARK | {"bet1": True, "stop": True}
    bench.panel.show({"undo": True})
    assert bench.panel.lit() == DARK | {"undo": True}
    assert {lamp: bench.states(lamp) for lamp in BUTTONS} == {
        **{lamp: [False] for lamp in ("bet2", "bet3", "bet4", "cache", "roll_done")},
        "bet1": [False, True, False],
        "stop": [False, True, False],
        "undo": [False, True],
    }


def test_showing_the_same_again_touches_no_pin(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.panel.show({"stop": True})
    touched: list[bool] = []
    for lamp in bench.config.lamps.fitted().values():
        monkeypatch.setattr(bench.factory.pin(lamp), "_set_state", touched.append)
    bench.panel.show({"stop": True})
    assert touched == []
    bench.panel.show({"stop": False})
    assert touched == [False]


def test_lamps_that_light_at_low() -> None:
    bench = Bench(parse("[panel]\nlamps_lit = 'low'\n"))
    bench.panel.show({"stop": True})
    levels = {lamp: bench.states(lamp)[-1] for lamp in BUTTONS}
    assert levels == {lamp: lamp != "stop" for lamp in BUTTONS}
    assert bench.panel.lit() == DARK | {"stop": True}
    bench.close()


def test_a_lamp_that_is_not_fitted_is_passed_over() -> None:
    bench = Bench(parse("[panel.lamps]\nstop = 'none'\n"))
    bench.panel.show({"stop": True, "undo": True})
    assert bench.panel.lit() == {name: name == "undo" for name in BUTTONS if name != "stop"}
    bench.close()


def test_closing_lets_the_pins_go_and_may_be_done_twice(bench: Bench) -> None:
    bench.panel.show({"stop": True})
    bench.panel.close()
    bench.panel.close()
    bench.panel.show({"stop": True})
    assert (bench.panel.push("stop", True), bench.panel.lit(), bench.panel.down()) == (False, {}, ())
    with LED(12, pin_factory=bench.factory) as lamp:
        assert not lamp.is_lit


def test_lamps_are_free_for_other_threads_while_an_edge_is_on_its_way() -> None:
    """What the table does at a press must not wait for a lamp that waits for the press."""
    free: list[bool] = []

    def edge(button: str, down: bool, time_ms: float) -> None:
        other = threading.Thread(target=lambda: free.append(panel._lighting.acquire(blocking=False)))
        other.start()
        other.join()

    panel = Panel(parse("").panel, MockFactory(), edge, float)
    panel.push("stop", True)
    assert free == [True]
    panel._lighting.release()
    panel.close()


def test_pushes_from_many_threads_all_arrive_in_pairs(bench: Bench) -> None:
    def pushes() -> None:
        for _ in range(50):
            bench.panel.push("stop", True)
            bench.panel.push("stop", False)

    threads = [threading.Thread(target=pushes) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert bench.edges
    assert [down for _, down, _ in bench.edges] == [True, False] * (len(bench.edges) // 2)


def test_a_pin_that_is_taken_is_named_and_nothing_stays_open() -> None:
    factory = MockFactory()
    with LED(21, pin_factory=factory):
        with pytest.raises(
            PanelLost, match=r"Pin 21 for the lamp undo cannot be opened \(.*\)\. Does another"
        ):
            Panel(parse("").panel, factory, print, float)
        with LED(17, pin_factory=factory) as other:
            assert not other.is_lit


def test_a_lamp_that_fails_is_named(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(value: bool) -> None:
        raise PinInvalidFunction("GPIO not allocated")

    monkeypatch.setattr(bench.factory.pin(12), "_set_state", broken)
    with pytest.raises(PanelLost, match=r"The lamp stop does not obey \(GPIO not allocated\)"):
        bench.panel.show({"stop": True})


def test_on_real_pins_the_console_sends_the_same_edge(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("device.panel.panel.MockFactory", type("Nothing", (), {}))
    factory, edges = MockFactory(), list[tuple[str, bool, float]]()
    panel = Panel(parse("").panel, factory, lambda *edge: edges.append(edge), lambda: 7.0)
    assert panel.push("stop", True)
    assert panel.push("stop", False)
    assert edges == [("stop", True, 7.0), ("stop", False, 7.0)]
    assert factory.pin(6).state is True
    panel.close()


def _lgpio_factory(monkeypatch: pytest.MonkeyPatch, error: Exception | None) -> None:
    module = types.ModuleType("gpiozero.pins.lgpio")

    def factory() -> MockFactory:
        if error:
            raise error
        return MockFactory()

    if not isinstance(error, ImportError):
        module.LGPIOFactory = factory  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "gpiozero.pins.lgpio", module)
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY", raising=False)
    monkeypatch.setenv("LG_WD", "/somewhere")


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (ImportError("lgpio"), "sudo apt install python3-lgpio"),
        (AttributeError("SET_BIAS_DISABLE"), r"empty shell \(version 0\.0\.0\.2\)"),
        (PermissionError(13, "Permission denied"), "usermod -aG gpio"),
        (OSError("can not open gpiochip"), r"\(can not open gpiochip\).*--mock"),
    ],
)
def test_pins_that_cannot_be_reached(monkeypatch: pytest.MonkeyPatch, error: Exception, says: str) -> None:
    _lgpio_factory(monkeypatch, error)
    with pytest.raises(PanelLost, match=says):
        open_factory()


def test_lgpios_own_error_is_a_sentence_too(monkeypatch: pytest.MonkeyPatch) -> None:
    lgpio = types.ModuleType("lgpio")
    lgpio.error = type("error", (Exception,), {})  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "lgpio", lgpio)
    _lgpio_factory(monkeypatch, lgpio.error("'can not open gpiochip'"))
    with pytest.raises(PanelLost, match=r"cannot be reached \(can not open gpiochip\)"):
        open_factory()


def test_a_folder_for_lgpios_pipe_is_named_unless_the_owner_did(monkeypatch: pytest.MonkeyPatch) -> None:
    _lgpio_factory(monkeypatch, None)
    open_factory().close()
    assert os.environ["LG_WD"] == "/somewhere"
    monkeypatch.delenv("LG_WD")
    open_factory().close()
    assert os.access(os.environ["LG_WD"], os.W_OK)


def test_mock_pins_on_request_and_by_gpiozeros_own_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(open_factory(mock=True), MockFactory)
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")
    assert isinstance(open_factory(), MockFactory)


def test_a_press_is_acknowledged_by_a_short_blink() -> None:
    lamps = DARK | {"bet1": True}
    acks = {"bet1": 1000.0}
    shown = {time_ms: lamps_at(lamps, acks, time_ms)["bet1"] for time_ms in (999, 1000, 1119, 1120, 5000)}
    assert shown == {999: True, 1000: False, 1119: False, 1120: True, 5000: True}
    assert lamps_at(DARK, acks, 1000) == DARK | {"bet1": True}


lamp_states = st.fixed_dictionaries({name: st.booleans() for name in BUTTONS})
ack_times = st.dictionaries(st.sampled_from(BUTTONS), st.floats(0, 1e6), max_size=8)


@given(lamp_states, ack_times, st.floats(0, 2e6))
def test_a_blink_turns_one_lamp_over_and_no_other(
    lamps: dict[str, bool], acks: dict[str, float], time_ms: float
) -> None:
    blinking = {name for name, ack in acks.items() if 0 <= time_ms - ack < BLINK_MS}
    shown = lamps_at(lamps, acks, time_ms)
    assert list(shown) == list(lamps)
    assert {name for name in lamps if shown[name] != lamps[name]} == blinking


def test_a_simulated_panel_does_not_grow_with_what_is_pressed() -> None:
    factory = open_factory(mock=True)
    edges: list[bool] = []
    panel = Panel(parse("").panel, factory, lambda _name, down, _at_ms: edges.append(down), lambda: 0.0)
    for _ in range(50):
        for down in (True, False):
            panel.push("stop", down)
    stop = parse("").panel.buttons.stop
    assert isinstance(stop, int)
    kept = len(factory.pin(stop).states)
    panel.close()
    assert (edges, kept) == ([True, False] * 50, 1)

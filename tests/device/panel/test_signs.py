"""The off button, the status lamp, and buttons that are stuck, on gpiozero's mock pins."""

import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager

import pytest
from gpiozero import LED
from gpiozero.pins.mock import MockFactory, MockPin

from device.config import parse
from device.panel.displays import Dummy
from device.panel.fitted import STUCK_MS, Fitted, Hearing, OffButton, Stuck, sentence
from device.panel.lights import Lights
from device.panel.panel import PanelLost
from device.panel.status import COLOURS, DARK, StatusLamp, colour_at, status_of
from device.shown.snapshot import AsideShown, MessageShown, Snapshot, Tone
from device.wiring import OffConfig, StatusConfig
from tests.waiting import PATIENCE_S

PANEL = parse("").panel
BUTTON, LAMP = 3, 2


class Finger:
    """An off button with a finger on it; what it brought is written down."""

    def __init__(self, hold_s: float, config: OffConfig = PANEL.off) -> None:
        self.factory = MockFactory()
        self.asked = threading.Event()
        self.moves: list[bool] = []
        self.pin = self.factory.pin(BUTTON)
        self.off = OffButton(config, self.factory, self.asked.set, self.moves.append, hold_s=hold_s)

    @property
    def lamp(self) -> bool:
        """Whether current runs through the lamp: it lies between 3.3 V and its pin."""
        pin = self.factory.pin(LAMP)
        return pin.function == "output" and not pin.state


@contextmanager
def finger(hold_s: float) -> Iterator[Finger]:
    made = Finger(hold_s)
    with closing(made.off):
        yield made


def test_held_long_enough_the_off_button_asks_and_its_lamp_is_lit() -> None:
    with finger(hold_s=0.0) as held:
        assert held.lamp, "the box runs"
        held.pin.drive_low()
        assert held.asked.wait(PATIENCE_S)
        assert held.moves == [True]
    assert not held.lamp, "the box has ended"


def test_let_go_before_its_time_the_off_button_asks_for_nothing() -> None:
    with finger(hold_s=3600.0) as held:
        held.pin.drive_low()
        assert held.off._lamp is not None
        assert held.off._lamp._blink_thread is not None, "it blinks while it is held"
        held.pin.drive_high()
        assert (held.moves, held.lamp, held.asked.is_set()) == ([True, False], True, False)
        assert held.off._lamp._blink_thread is None


class HeldPin(MockPin):  # type: ignore[misc] # gpiozero ships no types
    """A pin on which a finger lies from the start."""

    def _set_pull(self, value: str) -> None:
        super()._set_pull(value)
        self._change_state(False)


def test_an_off_button_that_is_down_at_the_start_asks_for_nothing_until_it_was_let_go() -> None:
    factory = MockFactory(pin_class=HeldPin)
    asked = threading.Event()
    with closing(OffButton(PANEL.off, factory, asked.set, lambda _: None, hold_s=0.0)) as off:
        assert off.down
        assert not off._button._hold_thread.holding.is_set(), "nothing will ever ask"
        pin = factory.pin(BUTTON)
        pin.drive_high()
        assert not off.down
        pin.drive_low()
        assert asked.wait(PATIENCE_S)


def test_an_off_button_whose_pins_are_taken_is_told_and_lets_go_what_it_had() -> None:
    factory = MockFactory()
    with LED(LAMP, pin_factory=factory), pytest.raises(PanelLost, match="I2C uses pins 2 and 3"):
        OffButton(PANEL.off, factory, lambda: None, lambda _: None)
    with LED(BUTTON, pin_factory=factory) as other:
        assert not other.is_lit


def alarm(text: str) -> MessageShown:
    return MessageShown(text, "alarm")


STUCK = MessageShown("BET 1 is down all the time.", "alarm", "StUCK")


def said(tone: Tone) -> Snapshot:
    return Snapshot(message=MessageShown("Something is said.", tone))


@pytest.mark.parametrize(
    ("snapshot", "status"),
    [
        (Snapshot(), "ready"),
        (Snapshot(stage="playing", message=MessageShown("Ann rolls.")), "ready"),
        (said("refused"), "ready"),
        (said("unsure"), "asks"),
        (Snapshot(ask="correct"), "asks"),
        (Snapshot(ask="landing"), "asks"),
        (Snapshot(message=MessageShown("Is it off?", "unsure", "OFF")), "asks"),
        (said("alarm"), "trouble"),
        (Snapshot(camera=alarm("No picture.")), "trouble"),
        (Snapshot(aside=AsideShown("Game 7 cannot be opened.")), "trouble"),
        (Snapshot(panel=STUCK), "stuck"),
        (Snapshot(panel=STUCK, camera=alarm("No picture.")), "trouble"),
    ],
)
def test_the_status_lamp_says_what_the_console_says(snapshot: Snapshot, status: str) -> None:
    assert status_of(snapshot) == status


def test_colours_differ_and_so_do_the_rhythms_of_good_questioning_and_bad() -> None:
    assert len(set(COLOURS.values())) == len(COLOURS)
    rhythm = {
        status: [colour_at(status, time_ms) == DARK for time_ms in range(0, 4000, 250)]
        for status in ("ready", "asks", "trouble")
    }
    assert [sum(dark) for dark in rhythm.values()] == [0, 8, 8]
    assert rhythm["asks"] != rhythm["trouble"]


@pytest.mark.parametrize(("lit_high", "lit"), [(True, True), (False, False)], ids=["cathode", "anode"])
def test_the_status_lamp_lights_its_pins_and_touches_them_on_a_change_only(lit_high: bool, lit: bool) -> None:
    factory = MockFactory()
    lamp = StatusLamp(PANEL.status, factory, lit_high=lit_high)
    pins = [factory.pin(number) for number in (4, 14, 15)]
    assert [pin.state == lit for pin in pins] == [False, False, True], "blue: it starts"
    lights = Lights(None, Dummy(1), print, lamp)
    for time_ms in (0, 20, 40):
        lights.show_status(Snapshot(), time_ms)
    assert [pin.state == lit for pin in pins] == [False, True, False]
    touched = [len(pin.states) for pin in pins]
    lights.show_status(Snapshot(), 60)
    assert [len(pin.states) for pin in pins] == touched
    lights.ending()
    assert [pin.state == lit for pin in pins] == [True, True, True]
    lamp.close()
    lamp.close()
    lights.show_status(Snapshot(), 80)


def test_a_status_lamp_whose_pin_is_taken_is_told() -> None:
    factory = MockFactory()
    with LED(14, pin_factory=factory), pytest.raises(PanelLost, match="pins 4, 14, 15 cannot be opened"):
        StatusLamp(PANEL.status, factory, lit_high=True)
    StatusLamp(StatusConfig(4, 14, 15), factory, lit_high=True).close()


def test_a_button_is_stuck_after_half_a_minute_or_when_it_is_down_at_the_start() -> None:
    stuck = Stuck(["cache", "off"])
    assert stuck.at(0) == ("cache", "off")
    stuck.edge("bet2", True, 1000)
    stuck.edge("bet2", True, 20_000)
    assert stuck.at(999 + STUCK_MS) == ("cache", "off")
    assert stuck.at(1000 + STUCK_MS) == ("bet2", "cache", "off")
    for button in ("bet2", "cache", "off", "stop"):
        stuck.edge(button, False, 40_000)
    assert stuck.at(1e9) == ()


def test_stuck_buttons_are_named_as_on_the_box() -> None:
    assert sentence(()) == ""
    assert sentence(("roll_done",)).startswith("ROLL DONE is down all the time. Does anything lie on it?")
    assert sentence(("bet1", "undo", "off")).startswith("BET 1, UNDO and OFF are down all the time.")


def fitted(text: str, told: list[str]) -> Fitted:
    config = parse(text)
    hearing = Hearing(
        edge=lambda *_: None,
        off_moved=lambda _: None,
        off_held=lambda: None,
        tell=told.append,
        clock_ms=float,
    )
    return Fitted(config.panel, config.scoreboard, hearing, mock=True)


def test_what_is_not_fitted_is_not_opened() -> None:
    told: list[str] = []
    none = "[panel.off]\nbutton = 'none'\n[panel.status]\nred = 'none'\ngreen = 'none'\nblue = 'none'\n"
    bare, whole = fitted(none, told), fitted("", told)
    assert (bare.off, bare.status, told) == (None, None, [])
    assert (whole.off is None, whole.status is None, whole.down) == (False, False, ())
    for each in (bare, whole):
        each.close_panel()
        each.close_signs()


def test_a_box_without_pins_says_so_once_and_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def lost(*, mock: bool) -> MockFactory:
        raise PanelLost("The pins cannot be reached.")

    monkeypatch.setattr("device.panel.fitted.open_factory", lost)
    told: list[str] = []
    no_cache = "[panel.buttons]\ncache = 'none'\n[panel.lamps]\ncache = 'none'\n"
    none = fitted(f"{no_cache}[scoreboard]\nkind = 'digits'\n", told)
    assert (none.panel, none.off, none.status, none.down) == (None, None, None, ())
    assert len(told) == 1
    none.close_panel()
    none.close_signs()

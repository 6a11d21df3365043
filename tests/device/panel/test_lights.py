"""A scoreboard may be missing, come, go and come back: it is told of once each time, and the game goes on."""

from collections.abc import Iterator
from contextlib import closing

import pytest
from gpiozero.pins.mock import MockFactory

from device.config import parse
from device.panel.displays import DIGITS, DisplayLost, Dummy, Late, Rows, open_display, open_late
from device.panel.lights import REFRESH_MS, TRIAL_MS, Lights, Trial, dark
from device.panel.panel import Panel, PanelLost
from device.panel.status import StatusLamp
from device.shown.snapshot import Snapshot

MISSING = "The scoreboard cannot be reached."
ONE: Rows = ((1,) * DIGITS,)
TWO: Rows = ((2,) * DIGITS,)


class Socket:
    """Where a scoreboard may be plugged in."""

    def __init__(self) -> None:
        self.plugged: Dummy | None = None
        self.tries = 0

    def open(self) -> Dummy:
        self.tries += 1
        if self.plugged is None:
            raise DisplayLost(MISSING)
        return self.plugged


@pytest.fixture
def socket() -> Socket:
    return Socket()


@pytest.fixture
def told() -> list[str]:
    return []


@pytest.fixture
def lights(socket: Socket, told: list[str]) -> Lights:
    return Lights(None, Late(socket.open, rows=1, digits=DIGITS), told.append)


def test_a_scoreboard_that_is_missing_is_tried_again_now_and_then(
    socket: Socket, told: list[str], lights: Lights
) -> None:
    for step in range(20):
        lights.show({}, ONE if step % 2 else TWO, step * REFRESH_MS / 4)
    assert told == [MISSING]
    assert socket.tries == 5, "not at every change: opening takes time"
    socket.plugged = Dummy(1)
    lights.show({}, ONE, 4.9 * REFRESH_MS)
    assert socket.plugged.shown != ONE
    lights.show({}, ONE, 5 * REFRESH_MS)
    assert socket.plugged.shown == ONE
    assert told == [MISSING, "The scoreboard is back."]
    lights.show({}, TWO, 5 * REFRESH_MS + 1)
    assert socket.plugged.shown == TWO
    assert socket.tries == 6


class Loose(Dummy):
    """A scoreboard whose plug is loose."""

    loose = True

    def show(self, rows: Rows) -> None:
        if self.loose:
            raise DisplayLost("Look at its plug.")
        super().show(rows)


def test_a_scoreboard_that_comes_loose_is_told_each_time(
    socket: Socket, told: list[str], lights: Lights
) -> None:
    socket.plugged = board = Loose(1)
    for step, loose in enumerate([True, True, False, False, True, False]):
        board.loose = loose
        lights.show({}, ONE, step * REFRESH_MS)
    assert told == ["Look at its plug.", "The scoreboard is back."] * 2
    assert socket.tries == 1


@pytest.fixture
def panel(monkeypatch: pytest.MonkeyPatch) -> Iterator[Panel]:
    found = Panel(parse("").panel, MockFactory(), lambda *_: None, lambda: 0.0)
    yield found
    found.close()


def test_lamps_that_fail_leave_the_scoreboard_alone(
    panel: Panel, told: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: object) -> None:
        raise PanelLost("No lamp glows.")

    board = Dummy(1)
    lights = Lights(panel, board, told.append)
    with monkeypatch.context() as patched:
        patched.setattr(panel, "show", broken)
        lights.show({}, ONE, 0)
    assert board.shown == ONE
    lights.show({}, ONE, 1)
    assert told == ["No lamp glows.", "The lamps are back."]


@pytest.mark.parametrize("scoreboard", ["modules = 3", "kind = 'none'\nmodules = 3", "kind = 'digits'"])
def test_a_late_scoreboard_has_its_shape_from_the_start(scoreboard: str) -> None:
    no_cache = "[panel.buttons]\ncache = 'none'\n[panel.lamps]\ncache = 'none'\n"
    config = parse(f"{no_cache}[scoreboard]\n{scoreboard}\n").scoreboard
    late = open_late(config, MockFactory(), mock=True)
    with closing(open_display(config, MockFactory(), mock=True)) as there:
        assert (late.rows, late.digits) == (there.rows, there.digits)


def test_what_is_tried_is_lit_instead_of_the_game_and_only_while_somebody_asks() -> None:
    factory = MockFactory()
    config = parse("").panel
    board = Dummy(1)
    with (
        closing(Panel(config, factory, lambda *_: None, lambda: 0)) as panel,
        closing(StatusLamp(config.status, factory, lit_high=True)) as status,
    ):
        lights = Lights(panel, board, pytest.fail, status)

        def lit(time_ms: float) -> tuple[list[str], Rows]:
            lights.show({"stop": True}, ONE, time_ms)
            lights.show_status(Snapshot(), time_ms)
            return [name for name, on in panel.lit().items() if on], board.shown

        assert lit(0) == (["stop"], ONE)
        lights.try_out(Trial(lamps=("bet1",), status="trouble"), 0)
        assert lit(10) == (["bet1"], dark(1))
        red = factory.pin(config.status.fitted()["red"])
        assert red.state
        lights.try_out(Trial(rows=TWO), TRIAL_MS)
        assert lit(TRIAL_MS + 10) == ([], TWO)
        assert not red.state, "what is not tried shows how the box is"
        assert lit(2 * TRIAL_MS + 10) == (["stop"], ONE)
        lights.try_out(Trial(rows=TWO), 3 * TRIAL_MS)
        lights.try_out(None, 3 * TRIAL_MS)
        assert lit(3 * TRIAL_MS + 10) == (["stop"], ONE)


def test_without_a_game_all_is_dark_but_what_is_tried() -> None:
    board = Dummy(1)
    lights = Lights(None, board, pytest.fail)
    lights.try_out(Trial(rows=ONE), 0)
    lights.show_trial(1)
    assert board.shown == ONE
    lights.show_trial(TRIAL_MS)
    assert board.shown == dark(1)


class Adjusted(Dummy):
    """A scoreboard that remembers how it was adjusted, and when it was shown something."""

    def __init__(self) -> None:
        super().__init__(1)
        self.how: list[tuple[int | None, bool | None]] = []

    def adjust(self, brightness: int | None, mirrored: bool | None) -> None:
        self.how.append((brightness, mirrored))


def test_a_brightness_that_is_tried_reaches_a_board_that_comes_later_and_is_taken_back(
    socket: Socket, told: list[str], lights: Lights
) -> None:
    lights.try_out(Trial(rows=ONE, brightness=9, mirrored=False), 0)
    lights.show({}, TWO, 0)
    assert told == [MISSING]
    board = socket.plugged = Adjusted()
    lights.try_out(Trial(rows=ONE, brightness=9, mirrored=False), REFRESH_MS)
    lights.show({}, TWO, REFRESH_MS)
    assert board.how[-1] == (9, False)
    lights.try_out(Trial(rows=ONE, brightness=10, mirrored=False), REFRESH_MS)
    lights.show({}, TWO, REFRESH_MS + 1)
    assert board.how[-1] == (10, False)
    lights.try_out(None, REFRESH_MS)
    lights.show({}, TWO, REFRESH_MS + 2)
    assert board.how[-1] == (None, None)

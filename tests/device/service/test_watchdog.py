"""A box that hangs: systemd hears nothing more of it, presses are refused, and both end when it moves on."""

import socket
import threading
from pathlib import Path

import pytest
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from device.box import CAMERA_HUNG_S
from device.console import ConsoleServer, make_app
from device.requests import PressButton, StartGame
from device.service.notify import EVERY_S, Turning, Watchdog
from device.table.loop import HUNG, HUNG_S
from tests.device.console.fake_box import FakeBox
from tests.device.test_play_troubles import box_process
from tests.playing import Playing, playing, simulated
from tests.waiting import eventually


class Counted:
    """Something that turns when a test says so."""

    def __init__(self) -> None:
        self.turns: int | None = 0

    def __call__(self) -> int | None:
        return self.turns


def test_systemd_is_told_while_everything_turns_and_not_too_often() -> None:
    one, other, told = Counted(), Counted(), [0]
    threads = [Turning(turns=one, patience_s=8.0), Turning(turns=other, patience_s=30.0)]
    watchdog = Watchdog(threads, lambda: told.append(1))
    for tenth in range(100):
        one.turns, other.turns = tenth, tenth
        watchdog.look(tenth / 10)
    assert sum(told) == 10 / EVERY_S


def test_one_thread_that_hangs_is_enough_and_its_patience_is_its_own() -> None:
    one, other, told = Counted(), Counted(), []
    threads = [Turning(turns=one, patience_s=8.0), Turning(turns=other, patience_s=30.0)]
    watchdog = Watchdog(threads, lambda: told.append(now_s))
    for now_s in range(60):
        one.turns = now_s
        watchdog.look(now_s)
    assert max(told) <= 30
    told.clear()
    for now_s in range(60, 100):
        other.turns = now_s
        watchdog.look(now_s)
    assert 65 <= max(told) <= 67


def test_who_has_nothing_more_to_do_hangs_not() -> None:
    over, told = Counted(), []
    over.turns = None
    watchdog = Watchdog([Turning(turns=over, patience_s=1.0)], lambda: told.append(now_s))
    for now_s in range(100):
        watchdog.look(now_s)
    assert max(told) >= 97


class Hung:
    """Keeps the table's thread at one thing until it is let go."""

    def __init__(self, player: Playing) -> None:
        self._entered, self._let_go = threading.Event(), threading.Event()
        player.box.loop.post(self._hang)
        assert self._entered.wait(60)

    def _hang(self) -> None:
        self._entered.set()
        self._let_go.wait(60)

    def let_go(self, player: Playing) -> None:
        self._let_go.set()
        player.box.loop.ask(lambda: None, 60)


def test_a_press_on_a_box_that_hangs_is_refused_and_never_counts_later(tmp_path: Path) -> None:
    with playing(tmp_path, simulated(seed=1)) as player:
        assert player.box.api.request(StartGame("zoinx", ("Ann", "Bea"), {})).ok
        clock = [0.0]
        loop = player.box.loop
        loop.ask(lambda: setattr(loop, "_clock_s", lambda: clock[0]))
        loop.ask(lambda: None)
        hung = Hung(player)
        assert player.box.api.request(PressButton(down=True, button="bet1")).ok, (
            "what takes a moment is waited for"
        )
        assert player.box.api.request(PressButton(down=False, button="bet1")).ok
        clock[0] = HUNG_S + 1
        answer = player.box.api.request(PressButton(down=True, button="undo"))
        assert (answer.ok, answer.text) == (False, HUNG)
        assert player.box.api.request(PressButton(down=False, button="undo")).ok, "a finger is always lifted"
        hung.let_go(player)
        loop.ask(lambda: None)
        assert player.box.api.request(PressButton(down=True, button="bet1")).ok


def test_the_threads_of_a_real_box_turn_and_a_table_that_hangs_does_not(tmp_path: Path) -> None:
    with playing(tmp_path, simulated(seed=1)) as player:
        player.until(lambda shown: shown.table.state == "still", "a picture")
        table, console, camera = player.box.threads()
        assert (table.patience_s, console.patience_s, camera.patience_s) == (HUNG_S, HUNG_S, CAMERA_HUNG_S)
        first = (table.turns(), camera.turns())
        assert None not in first
        player.until(lambda _: camera.turns() != first[1], "another picture")
        hung = Hung(player)
        stands = table.turns()
        assert stands != first[0]
        assert [table.moves_on(now_s) for now_s in (0.0, HUNG_S, HUNG_S + 0.1)] == [True, True, False]
        assert table.turns() == stands
        hung.let_go(player)
        assert table.moves_on(HUNG_S + 0.2)


def test_a_console_that_hangs_turns_no_more_until_it_is_let_go() -> None:
    entered, let_go = threading.Event(), threading.Event()

    async def hang(_request: Request) -> Response:  # on the very thread that answers everybody
        entered.set()
        let_go.wait(60)
        return Response("")

    app = make_app(FakeBox())
    app.router.routes.insert(0, Route("/hang", hang))
    server = ConsoleServer(app, "127.0.0.1", 0)
    assert server.turns is None
    server.start()
    try:
        first = server.turns
        eventually(lambda: server.turns != first, "a turn")
        with socket.create_connection(("127.0.0.1", server.port)) as asking:
            asking.sendall(f"GET /hang HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode())
            assert entered.wait(60)
            stands = Turning(turns=lambda: server.turns, patience_s=HUNG_S)
            assert [stands.moves_on(now_s) for now_s in (0.0, HUNG_S, HUNG_S + 0.1)] == [True, True, False]
            let_go.set()
            eventually(lambda: stands.moves_on(HUNG_S + 0.2), "another turn")
    finally:
        let_go.set()
        server.stop()
    assert server.turns is None


@pytest.mark.long
def test_the_program_itself_tells_systemd_that_it_is_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as heard:
        heard.bind(str(tmp_path / "notify"))
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        with box_process(tmp_path / "data"):
            assert [heard.recv(1000) for _ in range(3)] == [b"READY=1", b"WATCHDOG=1", b"WATCHDOG=1"]

"""Silent, slow and too many devices: each loses its own connection, and everybody else presses on."""

import asyncio
import http.client
import json
import socket
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import suppress

import pytest
from starlette.applications import Starlette
from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from device.console.app import make_app
from device.console.connections import Connection
from device.console.server import ConsoleServer
from device.requests import PressButton
from tests.device.console.fake_box import FakeBox
from tests.waiting import PATIENCE_S

HERE = "127.0.0.1"
NEIGHBOUR = "127.0.0.2"
Serve = Callable[[], ConsoleServer]


@pytest.fixture
def desk() -> FakeBox:
    return FakeBox()


@pytest.fixture
def serve(desk: FakeBox, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., ConsoleServer]]:
    """Serves the desk's console with other limits, by their names."""
    servers: list[ConsoleServer] = []

    def start(**limits: float) -> ConsoleServer:
        for name, limit in limits.items():
            monkeypatch.setattr(f"device.console.connections.{name}", limit)
        servers.append(ConsoleServer(make_app(desk), HERE, 0))
        servers[-1].start()
        return servers[-1]

    yield start
    for server in servers:
        server.stop()


def connect(server: ConsoleServer, address: str = HERE) -> socket.socket:
    return socket.create_connection((HERE, server.port), PATIENCE_S, (address, 0))


def press(server: ConsoleServer, address: str = HERE) -> object:
    phone = http.client.HTTPConnection(HERE, server.port, PATIENCE_S, (address, 0))
    headers = {"content-type": "application/json", "origin": f"http://{HERE}:{server.port}"}
    phone.request("POST", "/pins/stop", json.dumps({"down": True}), headers)
    response = phone.getresponse()
    said: object = json.loads(response.read())
    phone.close()
    assert response.status == 200
    return said


def drip(device: socket.socket) -> bytes:
    """Send a byte again and again, until the box has had enough; what it said."""
    device.settimeout(0.01)
    with suppress(ConnectionError):
        while True:
            device.sendall(b"a")
            with suppress(TimeoutError):
                return device.recv(1000)
    return b""


BEGINNINGS = {
    "silent": b"",
    "header": b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
    "body": b"POST /pins/stop HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\n"
    b"Content-Type: application/json\r\nContent-Length: 90000\r\n\r\n",
}


@pytest.mark.parametrize("kind", BEGINNINGS)
def test_a_request_that_does_not_come_whole_is_not_waited_for(
    kind: str, serve: Callable[..., ConsoleServer], desk: FakeBox, caplog: pytest.LogCaptureFixture
) -> None:
    server = serve(ASK_S=0.3)
    device = connect(server)
    device.sendall(BEGINNINGS[kind])
    assert (drip(device) if kind != "silent" else device.recv(1000)) == b""
    device.close()
    assert desk.asked == []
    server.stop()
    assert caplog.records == []


def test_a_connection_is_used_again_for_as_long_as_it_asks(serve: Callable[..., ConsoleServer]) -> None:
    server = serve(ASK_S=0.2)
    device = connect(server)
    for _ in range(3):
        device.sendall(b"GET /qr.svg HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert device.recv(100).startswith(b"HTTP/1.1 200 ")
        while not device.recv(100_000).endswith(b"</svg>\n"):
            pass
    assert device.recv(100) == b""
    device.close()


def test_an_answer_that_nobody_takes_is_given_up(
    serve: Callable[..., ConsoleServer], desk: FakeBox, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost = threading.Event()
    losing = Connection.connection_lost

    def lose(self: Connection, error: Exception | None) -> None:
        losing(self, error)
        lost.set()

    monkeypatch.setattr(Connection, "connection_lost", lose)
    desk.jpeg = bytes(30_000_000)
    device = connect(serve(TAKE_S=0.1))
    device.sendall(b"GET /picture.jpg HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    assert lost.wait(PATIENCE_S)
    device.close()


def test_a_body_that_is_not_wanted_is_not_read_to_its_end(serve: Callable[..., ConsoleServer]) -> None:
    device = connect(serve())
    device.sendall(b"POST /nothing HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 90000000\r\n\r\n")
    said = b""
    while some := device.recv(1000):
        said += some
    assert said.startswith(b"HTTP/1.1 403 ")
    device.close()


@pytest.mark.parametrize("begun", [False, True])
def test_what_turns_out_to_be_no_request_is_not_answered_by_two(
    begun: bool, caplog: pytest.LogCaptureFixture
) -> None:
    asked, heard, left = threading.Event(), threading.Event(), threading.Event()

    async def words() -> AsyncIterator[bytes]:
        asked.set()
        await asyncio.to_thread(heard.wait, PATIENCE_S)
        yield b"too late"

    async def page(_: Request) -> Response:
        answered = BackgroundTask(left.set)
        return StreamingResponse(words(), background=answered) if begun else Response(background=answered)

    app = Starlette(routes=[Route("/", page, methods=["POST"])])
    app.state.when_closing = ()
    server = ConsoleServer(app, HERE, 0)
    server.start()
    device = connect(server)
    beginning = b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
    if begun:
        device.sendall(beginning)
        assert asked.wait(PATIENCE_S)
    device.sendall(b"no number\r\n" if begun else beginning + b"no number\r\n")
    said = b""
    while more := device.recv(10_000):
        said += more
    heard.set()
    assert left.wait(PATIENCE_S)
    device.close()
    server.stop()
    assert said.count(b"HTTP/1.1 ") == 1
    assert said.startswith(b"HTTP/1.1 200 " if begun else b"HTTP/1.1 400 ")
    assert caplog.records == []


@pytest.mark.parametrize("address", [HERE, NEIGHBOUR])
def test_silent_connections_keep_nobody_from_pressing(
    address: str, serve: Callable[..., ConsoleServer], desk: FakeBox
) -> None:
    server = serve(CONNECTIONS=20)
    page = connect(server)
    page.sendall(b"GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    assert page.recv(100)
    silent = [connect(server, address) for _ in range(60)]
    assert press(server) == {"ok": True, "text": ""}
    assert desk.said(PressButton) == [PressButton(down=True, button="stop")]
    assert len(desk.listeners) == 1  # the page that followed the game still does
    assert [each.recv(1) for each in silent[:41]] == [b""] * 41  # page and press have their places
    for each in (*silent, page):
        each.close()


def test_a_device_with_a_hundred_live_feeds_loses_its_own(
    serve: Callable[..., ConsoleServer], desk: FakeBox
) -> None:
    server = serve(CONNECTIONS=20)
    page = connect(server)
    page.sendall(b"GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    assert page.recv(100)
    feeds = []
    for _ in range(40):
        feeds.append(connect(server, NEIGHBOUR))
        with suppress(ConnectionError):
            feeds[-1].sendall(b"GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            feeds[-1].recv(100)
    assert press(server) == {"ok": True, "text": ""}
    desk.show(simulated=True)
    while b'"simulated":true' not in page.recv(100_000):
        pass  # until it comes, or the test's patience is over
    for each in (*feeds, page):
        each.close()

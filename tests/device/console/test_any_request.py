"""Whatever is sent to the console, it goes on: no error of the server, and presses are answered after it."""

from collections.abc import Iterator
from contextlib import suppress
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.routing import Route

from device.console.app import make_app
from device.console.server import ConsoleServer
from tests.device.console.fake_box import HOME, FakeBox, begun, console
from tests.device.console.test_connections import connect, press

PATHS = sorted({route.path for route in make_app(FakeBox()).routes if isinstance(route, Route)})
FILLINGS = st.one_of(st.integers().map(str), st.sampled_from(["stop", "bet1"]), st.text(max_size=8))
"""What stands in an address where a name or a number is asked for."""
WORDS = st.text(st.characters(min_codepoint=33, max_codepoint=126), max_size=30)
HEADERS = st.dictionaries(
    st.sampled_from(
        ["origin", "content-type", "range", "if-none-match", "accept-encoding", "x-forwarded-for"]
    ),
    st.one_of(WORDS, st.sampled_from([HOME, "application/json", "bytes=0-", "bytes=5-2,-1", '"7"'])),
)
BODIES = st.one_of(
    st.binary(max_size=200),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
        max_leaves=12,
    ).map(lambda value: repr(value).encode()),
)


@st.composite
def addresses(draw: st.DrawFn) -> str:
    """One that the console has, filled in somehow, or any other."""
    if draw(st.booleans()):
        return "/" + quote(draw(WORDS).lstrip("/"))
    path = draw(st.sampled_from(PATHS))
    for hole in ("{button}", "{reading_id:number}", "{number:number}"):
        path = path.replace(hole, quote(draw(FILLINGS)))
    return path


@pytest.mark.long
@given(
    method=st.sampled_from(["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PROPFIND"]),
    path=addresses().filter(lambda path: path != "/events"),
    query=st.dictionaries(st.sampled_from(["player", "screen", "x"]), st.text(max_size=60)),
    headers=HEADERS,
    content=BODIES,
)
def test_no_request_at_all_is_an_error_of_the_server(
    method: str, path: str, query: dict[str, str], headers: dict[str, str], content: bytes
) -> None:
    client = console(begun())
    response = client.request(method, path, params=query, headers=headers, content=content)
    assert response.status_code < 500
    response = client.post("/pins/stop", json={"down": False}, headers={"origin": HOME})
    assert response.json() == {"ok": True, "text": ""}


@pytest.fixture(scope="module")
def server() -> Iterator[ConsoleServer]:
    running = ConsoleServer(make_app(FakeBox()), "127.0.0.1", 0)
    running.start()
    yield running
    running.stop()


LINES = st.lists(
    st.one_of(
        st.binary(max_size=30),
        st.sampled_from(
            [
                b"GET / HTTP/1.1",
                b"POST /pins/stop HTTP/1.1",
                b"PRI * HTTP/2.0",
                b"GET //[ HTTP/1.0",
                b"Host: localhost",
                b"Host: [::1",
                b"Content-Length: 5",
                b"Content-Length: -1",
                b"Transfer-Encoding: chunked",
                b"Expect: 100-continue",
                b"Upgrade: websocket",
                b"Connection: upgrade",
                b"ffffffffffffffff",
                b"",
            ]
        ),
    ),
    max_size=12,
)


@settings(suppress_health_check=list(HealthCheck))
@given(lines=LINES)
def test_no_bytes_at_all_keep_the_next_one_from_pressing(
    server: ConsoleServer, caplog: pytest.LogCaptureFixture, lines: list[bytes]
) -> None:
    device = connect(server)
    device.sendall(b"\r\n".join([*lines, b""]))
    assert press(server) == {"ok": True, "text": ""}
    device.setblocking(False)
    with suppress(BlockingIOError, ConnectionResetError):  # nothing was said
        assert b"HTTP/1.1 5" not in device.recv(100_000)
    device.close()
    assert caplog.records == []

"""The live feed and the server on its thread: newest wins, phones vanish, ports are taken, stop is quick."""

import asyncio
import errno
import http.client
import json
import socket
import threading
from collections.abc import AsyncGenerator, Iterator
from pathlib import Path
from typing import Any

import pytest

from device.console.app import ConsoleSettings, make_app
from device.console.feed import BEAT, CROWDED, SnapshotFeed
from device.console.server import (
    ConsoleError,
    ConsoleServer,
    bound_socket,
    bound_sockets,
    lasting_ipv6,
    why_not,
)
from device.requests import PressButton
from tests.device.console.fake_box import FakeBox, pressed
from tests.loopback import own_loopback
from tests.waiting import PATIENCE_S


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """What does not end by itself is never cut off: a test would wait for it, and fail."""
    monkeypatch.setattr("device.console.server.GRACE_S", round(PATIENCE_S))


@pytest.fixture
def desk() -> FakeBox:
    return FakeBox()


@pytest.fixture
def server(desk: FakeBox) -> Iterator[ConsoleServer]:
    running = ConsoleServer(make_app(desk, ConsoleSettings(hold_s=0.01)), "127.0.0.1", 0)
    running.start()
    yield running
    running.stop()


def snapshot_number(event: bytes) -> int:
    data = next(line for line in event.decode().splitlines() if line.startswith("data: "))
    number = json.loads(data.removeprefix("data: "))["number"]
    assert isinstance(number, int)
    return number


def test_a_slow_page_gets_the_newest_and_skips_the_rest(desk: FakeBox) -> None:
    async def look() -> list[int]:
        feed = SnapshotFeed(desk, beat_s=60, pace_s=0)
        stream = feed.stream()
        numbers = [snapshot_number(await anext(stream))]
        for _ in range(5):
            desk.show()
        numbers.append(snapshot_number(await anext(stream)))
        desk.show()
        numbers.append(snapshot_number(await anext(stream)))
        await stream.aclose()
        assert feed.watching == 0
        return numbers

    assert asyncio.run(look()) == [0, 5, 6]
    assert desk.listeners == []


def test_nothing_new_is_told_by_a_beat(desk: FakeBox) -> None:
    async def look() -> bytes:
        stream = SnapshotFeed(desk, beat_s=0, pace_s=0).stream()
        await anext(stream)
        beat = await anext(stream)
        await stream.aclose()
        return beat

    assert asyncio.run(look()) == BEAT


def test_closing_ends_every_stream(desk: FakeBox) -> None:
    async def look() -> int:
        feed = SnapshotFeed(desk, beat_s=60, pace_s=0)
        streams = [feed.stream() for _ in range(3)]
        for stream in streams:
            await anext(stream)
        waiting = [asyncio.ensure_future(anext(stream, b"")) for stream in streams]
        await asyncio.sleep(0)
        await asyncio.to_thread(feed.close)
        assert await asyncio.gather(*waiting) == [BEAT] * 3
        ends = await asyncio.gather(*(anext(stream, b"") for stream in streams))
        return ends.count(b"")

    assert asyncio.run(look()) == 3
    assert desk.listeners == []


def test_a_table_that_goes_on_after_the_loop_has_ended_meets_no_error(desk: FakeBox) -> None:
    async def look() -> None:
        await anext(feed.stream())

    feed = SnapshotFeed(desk, beat_s=60, pace_s=0)
    listeners = desk.listeners
    asyncio.run(look())
    desk.listeners = listeners
    desk.show()
    feed.close()


async def told(stream: AsyncGenerator[bytes]) -> bytes:
    """All that comes until a stream ends."""
    return b"".join([event async for event in stream])


def test_a_page_beyond_the_streams_gets_one_snapshot_and_is_told_to_come_again(
    desk: FakeBox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("device.console.feed.STREAMS", 3)

    async def look() -> bytes:
        feed = SnapshotFeed(desk, beat_s=60, pace_s=0)
        streams = [feed.stream("Ann's") for _ in range(3)]
        for stream in streams:
            await anext(stream)
        crowded = await told(feed.stream("Ann's"))
        assert feed.watching == 3
        for stream in streams:
            await stream.aclose()
        return crowded

    crowded = asyncio.run(look())
    assert snapshot_number(crowded) == 0
    assert crowded.endswith(CROWDED)
    assert desk.listeners == []


def test_an_address_with_many_streams_loses_one_to_an_address_with_none(
    desk: FakeBox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("device.console.feed.STREAMS", 3)

    async def look() -> bytes:
        feed = SnapshotFeed(desk, beat_s=60, pace_s=0)
        greedy = [feed.stream("greedy") for _ in range(3)]
        for stream in greedy:
            await anext(stream)
        oldest = asyncio.ensure_future(told(greedy[0]))
        await asyncio.sleep(0)
        ann = feed.stream("Ann's")
        await anext(ann)
        gone = await oldest
        desk.show()
        for stream in (*greedy[1:], ann):
            assert snapshot_number(await anext(stream)) == 1
            await stream.aclose()
        return gone

    assert asyncio.run(look()) == CROWDED


def test_the_more_look_the_seldomer_each_gets_a_picture(desk: FakeBox) -> None:
    async def look() -> list[int]:
        feed = SnapshotFeed(desk, beat_s=60, pace_s=0)
        streams = [feed.stream(str(number)) for number in range(200)]
        waits_ms = []
        for stream in streams:
            await anext(stream)
            waits_ms.append(feed.next_look_ms)
        assert len(desk.listeners) == 1  # the table's thread tells all of them at once
        for stream in streams:
            await stream.aclose()
        return waits_ms

    waits_ms = asyncio.run(look())
    assert (waits_ms[0], waits_ms[9], waits_ms[199]) == (200, 250, 5000)


def lines_of(stream: http.client.HTTPResponse, until: bytes) -> list[bytes]:
    lines: list[bytes] = []
    while not lines or not lines[-1].startswith(until):
        lines.append(stream.readline())
        assert lines[-1], "the stream ended"
    return lines


def test_the_feed_over_the_wire(server: ConsoleServer, desk: FakeBox) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", server.port)
    connection.request("GET", "/events")
    response = connection.getresponse()
    assert response.headers["content-type"].startswith("text/event-stream")
    assert response.headers["cache-control"] == "no-store"
    first = lines_of(response, b"data: ")
    assert first[0] == b"retry: 1000\n"
    assert snapshot_number(b"".join(first)) == 0
    desk.show()
    assert snapshot_number(b"".join(lines_of(response, b"data: "))) == 1
    response.close()
    connection.close()
    desk.wait_for(lambda each: not each.listeners)


def test_a_phone_that_vanishes_leaves_no_trace(
    server: ConsoleServer, desk: FakeBox, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(8):
        phone = socket.create_connection(("127.0.0.1", server.port))
        phone.sendall(b"GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        phone.recv(100)
        # Reset, as when the phone leaves the house: no goodbye.
        phone.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\x00\x00\x00\x00\x00\x00\x00")
        phone.close()
    desk.show()
    desk.wait_for(lambda each: not each.listeners)
    server.stop()
    assert capfd.readouterr().err == ""
    assert caplog.records == []


def test_a_button_held_by_a_phone_that_vanished_comes_up(server: ConsoleServer, desk: FakeBox) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", server.port)
    headers = {"content-type": "application/json", "origin": f"http://127.0.0.1:{server.port}"}
    connection.request("POST", "/pins/bet1", json.dumps({"down": True, "finger": "a"}), headers)
    assert json.loads(connection.getresponse().read()) == {"ok": True, "text": ""}
    connection.close()
    desk.wait_for(lambda each: len(each.asked) == 2)
    assert desk.said(PressButton) == pressed("bet1")


def test_stop_ends_open_streams_itself(desk: FakeBox, caplog: pytest.LogCaptureFixture) -> None:
    here = own_loopback()
    running = ConsoleServer(make_app(desk), here, 0)
    running.start()
    phones = [socket.create_connection((here, running.port)) for _ in range(5)]
    for phone in phones:
        phone.sendall(b"GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert phone.recv(100)
    running.stop()
    running.stop()
    assert caplog.records == []  # nothing had to be cancelled
    assert [thread.name for thread in threading.enumerate() if thread.name == "console"] == []
    assert desk.listeners == []
    for phone in phones:
        while phone.recv(65536):
            pass
        phone.close()
    bound_socket(here, running.port).close()


def test_everywhere_is_ipv4_and_ipv6_at_one_port() -> None:
    sockets = bound_sockets("", 0)
    found = [(each.family, each.getsockname()[1]) for each in sockets]
    for each in sockets:
        each.close()
    families = [socket.AF_INET, socket.AF_INET6] if Path("/proc/net/if_inet6").exists() else [socket.AF_INET]
    assert found == [(family, found[0][1]) for family in families]


@pytest.mark.parametrize(
    ("lines", "address"),
    [
        ("", ""),
        ("00000000000000000000000000000001 01 80 10 80       lo", ""),
        ("fe8000000000000000fc00fffe000001 04 40 20 80     eth0", ""),
        ("20010db8000000000000000000000007 02 40 00 00    wlan0", "2001:db8::7"),
        (
            "2003000a000b000c0000000000000008 02 40 00 01    wlan0\n"
            "2003000a000b000c0000000000000009 02 40 00 00    wlan0\n"
            "fd000000000000000000000000000002 02 40 00 82    wlan0\n",
            "fd00::2",
        ),
        (
            "2003000a000b000c0000000000000008 02 40 00 01    wlan0\n"
            "2003000a000b000c0000000000000009 02 40 00 00    wlan0\n",
            "2003:a:b:c::9",
        ),
    ],
)
def test_where_there_is_ipv6_alone_the_address_is_one_that_lasts(lines: str, address: str) -> None:
    assert lasting_ipv6(lines) == address


def test_a_host_that_is_not_there_yet_is_waited_for(desk: FakeBox, monkeypatch: pytest.MonkeyPatch) -> None:
    here, looked_up, resolve = own_loopback(), list[str](), socket.getaddrinfo

    def come_up_late(host: str, *more: Any, **named: Any) -> Any:
        looked_up.append(host)
        if len(looked_up) < 3:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return resolve(here, *more, **named)

    monkeypatch.setattr(socket, "getaddrinfo", come_up_late)
    told: list[str] = []
    running = ConsoleServer(make_app(desk), "callbox.lan", 0, again_s=0.001)
    running.start_when_there(told.append)
    for thread in threading.enumerate():
        if thread.name == "console waits":
            thread.join(PATIENCE_S)
    assert looked_up == ["callbox.lan"] * 3
    assert [each.split(":")[0] for each in told] == ["This box has no address 'callbox.lan' yet"]
    with socket.create_connection((here, running.port)) as phone:
        phone.sendall(b"GET /state HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert phone.recv(100).startswith(b"HTTP/1.1 200")
    running.stop()


def test_a_console_that_waits_for_its_address_stops() -> None:
    told: list[str] = []
    waiting = ConsoleServer(make_app(FakeBox()), "192.0.2.55", 0)
    waiting.start_when_there(told.append)
    assert told[0].startswith("This box has no address '192.0.2.55' yet: its pages come when it has")
    assert waiting.turns is None
    waiting.stop()
    for thread in threading.enumerate():
        if thread.name == "console waits":
            thread.join(PATIENCE_S)
            assert not thread.is_alive()


def test_the_address_is_one_that_a_phone_can_open(server: ConsoleServer) -> None:
    assert server.address == f"http://127.0.0.1:{server.port}/"
    everywhere = ConsoleServer(make_app(FakeBox()), "", 80)
    host = everywhere.address.removeprefix("http://").removesuffix("/")
    assert "." in host
    assert socket.inet_aton(host) != b"\0\0\0\0"
    assert ConsoleServer(make_app(FakeBox()), "::1", 8080).address == "http://[::1]:8080/"


def test_a_taken_port_is_said_with_its_fix(server: ConsoleServer) -> None:
    with pytest.raises(
        ConsoleError, match=rf"Port {server.port} is taken .* set another port under \[console\]"
    ):
        ConsoleServer(make_app(FakeBox()), "127.0.0.1", server.port).start()


@pytest.mark.parametrize(
    ("host", "port", "words"),
    [
        ("192.0.2.55", 0, "This box has no address '192.0.2.55'. Set host to 0.0.0.0"),
        ("no such host", 8080, "no such address"),
        ("127.0.0.1", 70_000, "70000"),
    ],
)
def test_an_address_that_cannot_be_is_said_with_its_fix(host: str, port: int, words: str) -> None:
    with pytest.raises(ConsoleError) as error:
        ConsoleServer(make_app(FakeBox()), host, port).start()
    assert words in str(error.value)
    assert "under [console]" in str(error.value)


def test_a_port_that_needs_rights_is_said_with_its_fix() -> None:
    words = why_not(PermissionError(errno.EACCES, "Permission denied"), "", 80)
    assert words.startswith("Port 80 may not be used without more rights. Set a port from 1024 up")

"""The hall's page stays open to everybody, however many streams one guest opens."""

import socket
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from device.console import ConsoleServer, Doors
from device.hall.desk import HallPage, make_hall_app
from device.venue.membership import Membership
from tests.device.hall.small_hall import SmallHall

GUEST, SCREEN = "127.0.4.1", "127.0.9.9"


@pytest.fixture
def port(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """Where a desk's page is served that keeps three streams."""
    monkeypatch.setattr("device.hall.desk.STREAMS", 3)
    hall = SmallHall(tmp_path)
    page = HallPage(hall.ledger, hall.ingest, partial(Membership, host="", port=0, certificate=""))
    server = ConsoleServer(make_hall_app(page, Doors(own_name="desk")), "127.0.0.1", 0)
    server.start()
    yield server.port
    server.stop()
    hall.close()


def follow(port: int, address: str) -> socket.socket:
    """Ask for the stream from that address."""
    asking = socket.create_connection(("127.0.0.1", port), source_address=(address, 0))
    asking.sendall(f"GET /events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
    return asking


def read_until(asking: socket.socket, word: bytes) -> bytes:
    """What comes, up to that word or the end."""
    found = b""
    while word not in found and (more := asking.recv(65536)):
        found += more
    return found


def test_who_has_fewer_streams_finds_room_at_the_cost_of_who_has_most(port: int) -> None:
    guest = [follow(port, GUEST) for _ in range(3)]
    for each in guest:
        assert b"event: tables" in read_until(each, b"event: tables")
    screen = follow(port, SCREEN)
    assert b" 200 OK" in read_until(screen, b"event: tables")
    assert b"event: crowded" in read_until(guest[0], b"event: crowded"), "its oldest stream makes room"
    for each in (*guest, screen):
        each.close()


def test_who_finds_no_room_sees_the_tables_once_and_is_told_to_come_again(port: int) -> None:
    guest = [follow(port, GUEST) for _ in range(3)]
    for each in guest:
        read_until(each, b"event: tables")
    fourth = follow(port, GUEST)
    found = read_until(fourth, b"event: crowded")
    assert b"event: tables" in found
    assert b"event: crowded" in found
    for each in (*guest, fourth):
        each.close()

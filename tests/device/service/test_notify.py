"""What systemd hears, on a real socket in its place."""

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from device.service import notify


@pytest.fixture(params=["file", "abstract"])
def systemd(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[socket.socket, dict[str, str]]]:
    """A listening socket, and the environment that names it."""
    path = str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as heard:
        if request.param == "abstract":
            heard.bind("\0callbox-test" + path)
            yield heard, {"NOTIFY_SOCKET": "@callbox-test" + path}
        else:
            heard.bind(path)
            yield heard, {"NOTIFY_SOCKET": path}


def test_every_message_arrives_as_one_datagram(systemd: tuple[socket.socket, dict[str, str]]) -> None:
    heard, environment = systemd
    assert notify.ready(environment)
    assert notify.alive(environment)
    assert notify.stopping(environment)
    assert [heard.recv(1000) for _ in range(3)] == [b"READY=1", b"WATCHDOG=1", b"STOPPING=1"]


@pytest.mark.parametrize(
    "environment",
    [{}, {"NOTIFY_SOCKET": ""}, {"NOTIFY_SOCKET": "vsock:2:1"}, {"NOTIFY_SOCKET": "/nowhere/notify"}],
)
def test_without_a_listener_nothing_happens(environment: dict[str, str]) -> None:
    assert not notify.ready(environment)

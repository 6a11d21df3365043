"""Pins that somebody else holds, and buttons that are down: told by name, with what to do."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from device.doctor.machine import Machine, Verdict
from tests.device.doctor.test_doctor import BOX, PC, Fake, findings

OURS = dict.fromkeys((17, 27, 22, 5, 3, 2, 4, 14, 15), "lg")
STUCK = "BET 1 is down all the time."


@pytest.mark.parametrize(
    ("name", "machine", "verdict", "says"),
    [
        ("claimed", Fake(), "ok", "21 pins, all free."),
        ("claimed", Fake(holders=OURS, box=""), "ok", "all the box has"),
        ("claimed", Fake(holders=OURS), "warn", "9 pins are held by a program, and no box runs"),
        ("claimed", Fake(holders={8: "spi0 CS0"}), "ok", "all free"),
        ("claimed", Fake(holders={3: "i2c", 40: "led"}), "fail", "pin 3 (panel.off.button) by i2c."),
        ("claimed", PC, "not here", "no pin header"),
        ("buttons", Fake(), "ok", "Every button is at rest."),
        ("buttons", Fake(down=STUCK), "warn", STUCK),
        ("buttons", Fake(down="no pins"), "fail", "The pins cannot be reached."),
        ("buttons", Fake(down="no pins", box=""), "ok", "The box sees every button at rest."),
        ("buttons", Fake(down="no pins", box=STUCK), "warn", STUCK),
        ("buttons", PC, "not here", "no buttons"),
    ],
)
def test_the_pins_tell_who_has_them_and_what_is_down(
    name: str, machine: Fake, verdict: Verdict, says: str
) -> None:
    found = findings(machine, BOX)[name]
    assert (found.verdict, says in found.text) == (verdict, True), found
    assert bool(found.fix) == (verdict in {"warn", "fail"})


@contextmanager
def answering(body: bytes) -> Iterator[int]:
    """A console on this machine that gives one answer."""

    class Console(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Console) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


def test_the_box_that_runs_is_asked_through_its_console() -> None:
    for body, told in (
        (json.dumps({"frames": 1, "table": 2, "panel": STUCK}).encode(), STUCK),
        (json.dumps({"frames": 1, "table": 2, "panel": ""}).encode(), ""),
        (json.dumps({"frames": 1, "table": 2}).encode(), None),
        (b"not json", None),
    ):
        with answering(body) as port:
            assert Machine().box_says_of_panel(port) == told
    assert Machine().box_says_of_panel(port) is None


def test_a_machine_without_pins_holds_none() -> None:
    assert Machine().gpio_holders("/dev/no-such-chip") == {}

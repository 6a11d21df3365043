"""The pieces of a box's work, each measured once it is warm. Runs under the Pi's emulated processor, or here.

python tests/rigs/budget/work.py FOLDER PART...

FOLDER has what `scene.record` wrote; a part is one of `PARTS`. It is the box's own code from the camera's
frame on, with mock pins, a journal on the disk and a page that looks on. What the system does for it (waiting
for the disk, sending packets) and the camera's process are not in it.
"""

import runpy
import socket
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import cv2
import msgspec
import numpy as np

import device.films
from calibration.arrays import Picture
from calibration.ends import load_ends
from calibration.files import load_table
from device.box import Box, Setup
from device.cameras import Frame
from device.config import load
from device.films.filming import halved
from device.journal import Moment
from device.landings.ends import EndsEye
from device.landings.sight import SeesLandings
from device.requests import LockBet
from device.table.reading import VISION_THREADS
from device.table.session import Session
from tests.clock import Clock
from tests.rigs.budget.meter import Meter, meter
from vision.landing.detector import LandingDetector
from vision.pictures import jpeg_of

EACH = 5
"""One frame of this many is measured, and all from the last one that moves to the reading."""
SHOTS, AT_REST = 4, 4
"""Pictures of the film. A real one has some 60, and three seconds of the picture at rest."""
RATE = 20
PATIENCE_S = 600.0
"""Emulated, and logged, an answer takes its time."""


class Recorded:
    """Stands where the camera would: frames are given to the table by hand."""

    live = True

    def frames(self) -> Iterator[Frame]:
        """None by itself."""
        return iter(())

    def sharpen(self, on: bool) -> None:
        """There are no larger pictures."""

    def close(self) -> None:
        """Nothing is open."""


def watch_a_throw(measure: Meter, box: Box, clock: Clock, shown: Mapping[str, Any]) -> None:
    """A game of any dice: "still", "moving" and "hand" are frames; in "read" the dice are read."""
    box.table.start("tray", (), {})
    learnt = moved = False
    for number, (picture, time_ms) in enumerate(zip(shown["throw"], shown["times_ms"], strict=True)):
        clock.now_ms = float(time_ms)
        frame = Frame(picture=picture, time_ms=clock.now_ms, name=f"frame {number}")
        before = box.table.snapshot.table
        learnt |= before.state == "still"
        moved |= learnt and before.state != "still"
        if number % EACH and not (moved and before.state == "still" and not before.reading_id):
            box.table.handle_frame(frame)
            continue
        with measure.piece() as piece:
            box.table.handle_frame(frame)
            now = box.table.snapshot.table
            piece.name = "read" if now.reading_id != before.reading_id else now.state
    assert box.table.snapshot.table.reading_id, "the throw was never read"


def show_and_keep(measure: Meter, box: Box, clock: Clock) -> None:
    """Something new is shown; a row is kept; somebody bets, which is both, and the rules."""
    for name in ("warm", "snapshot"):
        with measure.piece(name):
            box.table.lost(name)
    game_id = box.table.snapshot.game_id
    assert game_id is not None
    rows = [entry.row for entry in box.journal.rows(game_id)][-1:]
    for name in ("warm", "journal"):
        with measure.piece(name):
            box.journal.append(game_id, rows, Moment(datetime.now(UTC), clock()))
    box.table.change_game("abandon", game_id)
    assert not box.table.start("zoinx", ("Ann", "Bea"), {})
    session = Session(box.table, box.storage)
    for name, player in (("warm", "Ann"), ("bet", "Bea")):
        with measure.piece(name):
            assert session.request(LockBet(player, 4)).ok


def look_on(measure: Meter, box: Box, picture: Picture) -> None:
    """A page gets a new snapshot, and the camera's picture: counted is what the other threads do for it."""
    box.console.start()
    address = urlsplit(box.console.address)
    where = ("127.0.0.1", address.port)
    head = f"HTTP/1.1\r\nHost: 127.0.0.1:{address.port}\r\n\r\n"
    with (
        socket.create_connection(where, PATIENCE_S) as page,
        socket.create_connection(where, PATIENCE_S) as seen,
    ):
        page.sendall(f"GET /events {head}".encode())
        _await(page, b"event: snapshot")
        for name in ("warm", "snapshot sent"):
            with measure.piece(name):
                box.table.lost(name)
                _await(page, b"event: snapshot")
        for number, name in enumerate(("warm", "picture sent")):
            frame = Frame(picture=picture, time_ms=1e6 + number, name=name)
            box.table.handle_frame(frame)
            with measure.piece(name):
                seen.sendall(f"GET /picture.jpg {head}".encode())
                _await(seen, b"\xff\xd9")


def _await(page: socket.socket, last: bytes) -> None:
    """Wait until a page has been sent something."""
    got = b""
    while last not in got:
        got = got[-len(last) :] + (more := page.recv(1 << 16))
        assert more, "the console has hung up"


def measure_landings(measure: Meter, folder: Path, shown: Mapping[str, Any]) -> None:
    """A die that lies in the End Zone is measured, under one camera and under two."""
    ends = load_ends(folder / "near.json", folder / "far.json")
    one = load_table(folder / "one.json")
    tables: dict[str, tuple[Callable[[], SeesLandings], Picture, Picture | None]] = {
        "landing": (lambda: LandingDetector(one), shown["one"], None),
        "landing, two cameras": (lambda: EndsEye(ends), shown["near"], shown["far"]),
    }
    for name, (make, near, far) in tables.items():
        make().look(near, far)
        eye = make()  # which has not learnt the die's shape yet
        with measure.piece(name):
            sight = eye.look(near, far)
        assert len(sight.dice) == 1, sight


def make_a_film(measure: Meter, _folder: Path, shown: Mapping[str, Any]) -> None:
    """Pictures of a throw are packed; a film is made of them and of the picture at rest."""
    throw, jpegs = shown["throw"], list[bytes]()
    for number, picture in enumerate(throw[-SHOTS:]):
        with measure.piece("packed" if number == 1 else "warm"):
            jpegs.append(jpeg_of(halved(picture)))
    maker = runpy.run_path(str(Path(device.films.__file__).with_name("maker.py")))
    rest = jpeg_of(throw[-1])
    with measure.piece(f"film of {SHOTS + AT_REST}"):
        maker["make"]([*((1, jpeg) for jpeg in jpegs), (AT_REST, rest)], RATE)


def play(measure: Meter, _folder: Path, shown: Mapping[str, Any]) -> None:
    """A box with a game, and with a page that looks on."""
    config, clock = load(None), Clock()
    config = msgspec.structs.replace(config, films=msgspec.structs.replace(config.films, keep=False))
    with tempfile.TemporaryDirectory() as data:
        setup = Setup(
            config=config, camera=Recorded(), data=Path(data), mock_pins=True, reads="at_rest",
            host="127.0.0.1", port=0, tell=print, clock_ms=clock,
        )  # fmt: skip
        with Box(setup) as box:
            watch_a_throw(measure, box, clock, shown)
            show_and_keep(measure, box, clock)
            look_on(measure, box, shown["throw"][0])


PARTS: Mapping[str, Callable[[Meter, Path, Mapping[str, Any]], None]] = {
    "play": play,
    "landings": measure_landings,
    "film": make_a_film,
}


def main(folder: Path, parts: Sequence[str]) -> None:
    """These parts, with one thread for the pixels, as in a box."""
    cv2.setNumThreads(VISION_THREADS)
    measure = meter()
    with np.load(folder / "frames.npz") as frames:
        shown = dict(frames)
    for part in parts:
        PARTS[part](measure, folder, shown)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])

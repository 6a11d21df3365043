"""How many tables the desk of a hall can hear: broker and desk as processes of their own, boxes beside them.

Each simulated box has its keys and its own connection with TLS, and tells the same recorded game, as a box
would: first how it is, every ten seconds, with two rows and a snapshot at each throw, one in ten seconds;
then all boxes at once tell what they played in an hour without a network. Printed are how long it took from
telling a throw to its acknowledgement (at the desk the row is on the disk by then), how much of a core
broker and desk were busy meanwhile, what both grew by in memory, what the rows take on the disk in eight
hours, and the processor time of broker and desk for each late row. Clock times are only as good as the
machine is idle: the simulated boxes share its cores. Many of them are driven by one thread, which costs a
tenth of a thread each.

    python -m benchmarks hall [--tables 10,100] [--seconds 20] [--throws-an-hour 180]
"""

import argparse
import multiprocessing
import os
import select
import socket
import ssl
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from device.hall.broker import NoBroker, find_mosquitto
from device.hall.ledger import Invitation, KnownBox, Ledger
from device.journal import Journal, Moment
from device.journal.outbox import HeldGame, OutBatch, Outbox, OutRow
from device.journal.rows import DiceReading, EventRow, ReadDie
from device.venue.broker_link import BrokerLink
from device.venue.membership import Membership
from device.venue.messages import HEALTH_S, LARGEST_BYTES, BoxHealth, BoxHello, DeskAnswer, topic
from device.venue.publishing import PATIENCE_S
from engine.dice import Die
from engine.events import Rolled

HOST = "127.0.0.1"
EACH_S = 10.0
BATCH = 100
ARRIVE = 20
"""This many boxes come at a time: the system lets a hundred wait at a door."""
SHARE = 5_000
"""This many boxes are simulated by one process."""
SLOW_S = 600
"""The thread that drives thousands of boxes may be silent for longer than one box is."""
LOOK_S = 2.0
"""How often connections that are quiet are looked after."""
HOURS_A_DAY = 8
COLUMNS = ("tables", "msg/s", "p50 ms", "p99 ms", "broker %", "desk %", "boxes %", "MB a day")
LATE_COLUMNS = ("broker us", "desk us", "boxes us", "late s", "broker MB", "desk MB", "broken")
"""Per cent of a core are those of live play; microseconds are those of a late row; broken are connections."""
SNAPSHOT = msgspec.json.encode(
    {
        "stage": "playing",
        "game": {
            "game": "tray",
            "players": ["Ann", "Bea"],
            "scores": [120, 130],
            "active": "Ann",
            "news": "7",
        },
        "segments": [[0] * 8] * 30,
        "choices": ["word " * 20] * 50,
    }
)


class DrivenLink(BrokerLink):
    """A box's connection without a thread of its own: a switchboard drives it."""

    def start(self, *topics: str) -> None:
        """Connect now, and hear these topics."""
        self._subscribed = topics
        properties = Properties(PacketTypes.CONNECT)
        properties.MaximumPacketSize = LARGEST_BYTES
        self._client.connect(self._at.host, self._at.port, SLOW_S, clean_start=True, properties=properties)

    def fileno(self) -> int:
        """What to wait for."""
        return self._socket().fileno()

    @property
    def is_broken(self) -> bool:
        """Whether the broker, or this side, has given the connection up."""
        return self._client.socket() is None

    def start_again(self) -> bool:
        """Connect anew, as a real box's does by itself; False where the broker does not answer."""
        try:
            self.start(*self._subscribed)
        except OSError:
            return False
        return True

    def come(self) -> None:
        """Something has come, or there is room for what could not be written."""
        if self._client.want_write():
            self._client.loop_write()
        self._client.loop_read()
        while self._client.socket() is not None and self._socket().pending():
            self._client.loop_read()

    @property
    def is_full(self) -> bool:
        """Whether something waits for room in the socket."""
        return bool(self._client.want_write())

    def look(self) -> None:
        """Show that the box is there."""
        self._client.loop_misc()

    def stop(self) -> None:
        """Leave."""
        self._client.disconnect()

    def _socket(self) -> ssl.SSLSocket:
        found = self._client.socket()
        assert isinstance(found, ssl.SSLSocket), "the broker has closed a connection"
        return found


class Switchboard:
    """Drives many connections by one thread."""

    def __init__(self) -> None:
        self._ready = select.epoll()
        self._all: list[DrivenLink] = []
        self._links: dict[int, DrivenLink] = {}
        """By their sockets, which a new connection changes."""
        self.boxes: list[SimulatedBox] = []
        self._looked_s = time.monotonic()
        self.broken = 0
        """How many connections were lost."""

    def connect(self, box: "SimulatedBox", link: DrivenLink) -> None:
        """Drive this one, too; it has started."""
        self.boxes.append(box)
        self._all.append(link)
        self._drive(link)

    def send(self, link: DrivenLink, where: str, body: bytes, *, retain: bool) -> None:
        """Send that, the rest of it as soon as there is room."""
        link.send(where, body, retain=retain)
        if link.is_full and not link.is_broken:
            self._ready.modify(link, select.EPOLLIN | select.EPOLLOUT)

    def drive(self, seconds: float) -> None:
        """Do what is due, and wait at most so long for something to come."""
        for number, what in self._ready.poll(seconds):
            link = self._links[number]
            link.come()
            if what & select.EPOLLOUT and not link.is_full and not link.is_broken:
                self._ready.modify(link, select.EPOLLIN)
        now_s = time.monotonic()
        if now_s >= self._looked_s + LOOK_S:
            self._looked_s = now_s
            for link in self._all:
                link.look()
                if link.is_broken:
                    self._mend(link)
            for box in self.boxes:
                box.look(now_s)

    def _mend(self, link: DrivenLink) -> None:
        """Connect a link anew; where that cannot be, it is tried again at the next look."""
        if link.start_again():
            self.broken += 1
            self._drive(link)

    def _drive(self, link: DrivenLink) -> None:
        self._links[link.fileno()] = link
        self._ready.register(link, select.EPOLLIN)


@dataclass(slots=True)
class SimulatedBox:
    """One box: tells the first rows of its journal, up to a number that grows."""

    known: KnownBox
    journal: "SimulatedJournal"
    link: DrivenLink | None = None
    board: Switchboard | None = None
    due: int = 0
    held: int = 0
    asked_s: float = 0.0
    flying_s: float | None = None
    """Since when rows are on their way."""
    well_s: float = float("-inf")
    """When it last said how it is."""
    greeted: bool = False
    waits_s: list[float] = field(default_factory=list)

    def join(self, at: Membership, board: Switchboard) -> None:
        """Connect, and ask where the desk stands."""
        self.link, self.board = DrivenLink(at, at.table_id, hear=self._hear, joined=self._joined), board
        self.link.start(topic(at.table_id, "told"))
        board.connect(self, self.link)

    def tell(self, throws: int) -> None:
        """That many throws more were played."""
        if self.held == self.due:
            self.asked_s = time.monotonic()
        self.due += 2 * throws
        self._say("state", SNAPSHOT)
        self._tell_rows()

    def look(self, now_s: float) -> None:
        """Say how it is when that is due, and ask where the desk stands after a long silence."""
        if now_s >= self.well_s + HEALTH_S:
            self._say_health(now_s)
        if self.flying_s is not None and now_s >= self.flying_s + PATIENCE_S:
            self._joined()

    def _joined(self) -> None:
        self.flying_s, self.greeted = None, False
        self._say_health(time.monotonic())
        self._say_hello()

    def _say_health(self, now_s: float) -> None:
        self.well_s = now_s
        self._say("health", msgspec.json.encode(BoxHealth("run", True, datetime.now(UTC).isoformat())))

    def _say_hello(self) -> None:
        self._say("hello", msgspec.json.encode(BoxHello("run", "0")))

    def _tell_rows(self) -> None:
        if self.greeted and self.flying_s is None and self.held < self.due:
            self.flying_s = time.monotonic()
            self._say("rows", self.journal.part(self.held, min(self.due, self.held + BATCH)))

    def _hear(self, _where: str, body: bytes, _code: str) -> None:
        answer = msgspec.json.decode(body, type=DeskAnswer)
        if answer.hello:
            self._joined()
        self.greeted |= answer.whole
        if self.greeted and answer.held:
            late, self.held, self.flying_s = self.held < self.due, answer.held[1].rows, None
            if late and self.held == self.due:
                self.waits_s.append(time.monotonic() - self.asked_s)
            self._tell_rows()

    def _say(self, what: str, body: bytes) -> None:
        if self.link is not None and self.board is not None:
            retain = what in ("state", "health")
            self.board.send(self.link, topic(self.known.id, what), body, retain=retain)


class SimulatedJournal:
    """The one game that all boxes tell; each part of it is encoded once."""

    def __init__(self, rows: OutBatch) -> None:
        self._rows = rows
        self._parts: dict[tuple[int, int], bytes] = {}

    def part(self, first: int, end: int) -> bytes:
        """A message with the rows from `first` on, counted from 0, up to before `end`."""
        if (first, end) not in self._parts:
            rows = self._rows.rows[first:end]
            told = msgspec.structs.replace(self._rows, first=first + 1, rows=rows, whole=False, ending=None)
            self._parts[first, end] = msgspec.json.encode(told)
        return self._parts[first, end]


def recorded(folder: Path, throws: int) -> OutBatch:
    """All rows of a game of that many throws: a reading of five dice, and the roll."""
    path, at = folder / "journal.db", Moment(datetime.now(UTC), 1000.5)
    dice = tuple(ReadDie(kind="pip", value=value, confidence=0.99, color="red") for value in range(1, 6))
    event = EventRow(Rolled(dice=tuple(Die("pip", value) for value in range(1, 6))))
    outbox, rows = Outbox(path), list[OutRow]()
    with Journal.open(path) as journal:
        game = journal.begin("tray", ("Ann", "Bea"), {}, at)
        batch = line = outbox.next({})
        for _ in range(throws):
            journal.append(game, [DiceReading(picture="1/1.jpg", dice=dice, elapsed_ms=48.2), event], at)
        assert line is not None
        held = HeldGame(head=line.game.hash)
        while batch := outbox.next({game: held}):
            rows += batch.rows
            held = HeldGame(len(rows), rows[-1].hash)
    return msgspec.structs.replace(line, first=1, rows=tuple(rows))


class DeskProcess:
    """`callbox desk` and its broker, as processes of their own."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        words = ("--host", HOST, "--port", str(free_port()), "--broker-port", str(self.port))
        command = [sys.executable, "-m", "device", "desk", "--data", str(folder), *words]
        self._running = subprocess.Popen(command, stdout=subprocess.PIPE)
        assert self._running.stdout is not None
        self._running.stdout.readline()
        self.pids = (int((folder / "broker" / "pid").read_text()), self._running.pid)

    def stop(self) -> None:
        """End both."""
        self._running.terminate()
        self._running.communicate()

    def most_memory_mb(self) -> list[float]:
        """What broker and desk had in memory at most."""
        lines = [Path(f"/proc/{pid}/status").read_text().splitlines() for pid in self.pids]
        return [int(line.split()[1]) / 1e3 for each in lines for line in each if line.startswith("VmHWM")]


def _cpu_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def free_port() -> int:
    """A port that nobody has now."""
    with socket.create_server((HOST, 0)) as free:
        return int(free.getsockname()[1])


def pair(folder: Path, tables: int) -> list[KnownBox]:
    """That many boxes with their keys in the desk's ledger."""
    with closing(Ledger.open(folder)) as ledger:
        for number in range(tables):
            ledger.invite(Invitation(str(number), "", f"Table {number + 1}", 1e12))
            ledger.take_up(str(number), 0.0, "2026-11-20T12:00:00+00:00")
        return ledger.boxes()


class Share(multiprocessing.Process):
    """Some of the boxes, in a process of their own; it answers with what it measured."""

    def __init__(self, known: list[KnownBox], rows: OutBatch, port: int, certificate: str) -> None:
        super().__init__(daemon=True)
        self._known, self._rows, self._port, self._certificate = known, rows, port, certificate
        self.line: Connection
        self._far: Connection
        self.line, self._far = multiprocessing.Pipe()

    def run(self) -> None:
        """Connect; then throw when asked, until nothing more is asked."""
        board = Switchboard()
        boxes = self._join(board)
        self._far.send(())
        while (asked := self._next_request(board)) is not None:
            what, *told = asked
            if what == "play":
                _play(boxes, board, *told)
            else:
                for each in boxes:
                    each.tell(*told)
                _settle(boxes, board)
            self._far.send(([wait for each in boxes for wait in each.waits_s], board.broken))
            for each in boxes:
                each.waits_s.clear()
        for each in boxes:
            if each.link:
                each.link.stop()

    def _next_request(self, board: Switchboard) -> Any:
        """What is to be done next; meanwhile the boxes show that they are there."""
        while not self._far.poll():
            board.drive(0.02)
        return self._far.recv()

    def _join(self, board: Switchboard) -> list[SimulatedBox]:
        journal = SimulatedJournal(self._rows)
        boxes = [SimulatedBox(each, journal) for each in self._known]
        for some in (boxes[first : first + ARRIVE] for first in range(0, len(boxes), ARRIVE)):
            for each in some:
                known = each.known
                at = Membership(known.id, known.name, known.secret, HOST, self._port, self._certificate)
                each.join(at, board)
            while not all(each.greeted for each in some):
                board.drive(0.02)
        return boxes


def _play(boxes: list[SimulatedBox], board: Switchboard, seconds: float) -> None:
    """Each box throws once in `EACH_S`, one after the other."""
    began_s = time.monotonic()
    for number in range(int(len(boxes) * seconds / EACH_S)):
        due_s = began_s + number * EACH_S / len(boxes)
        while (wait_s := due_s - time.monotonic()) > 0:
            board.drive(wait_s)
        boxes[number % len(boxes)].tell(1)
        board.drive(0)
    _settle(boxes, board)


def _settle(boxes: list[SimulatedBox], board: Switchboard) -> None:
    """Wait until all that was told is held."""
    while any(each.held < each.due for each in boxes):
        board.drive(0.05)


class Hall:
    """All simulated boxes, connected."""

    def __init__(self, known: list[KnownBox], rows: OutBatch, port: int, certificate: str) -> None:
        lots = (known[first : first + SHARE] for first in range(0, len(known), SHARE))
        self._shares = [Share(lot, rows, port, certificate) for lot in lots]
        for each in self._shares:
            each.start()
            each.line.recv()

    @property
    def pids(self) -> list[int]:
        """The processes."""
        return [each.pid for each in self._shares if each.pid]

    def ask(self, *what: object) -> tuple[float, list[float], int]:
        """Have all boxes do that; returns for how long it took, what each acknowledgement took, in s, and how
        many connections were lost until then."""
        began_s = time.monotonic()
        for each in self._shares:
            each.line.send(what)
        told = [each.line.recv() for each in self._shares]
        took_s = time.monotonic() - began_s
        return took_s, [wait for waits_s, _ in told for wait in waits_s], sum(broken for _, broken in told)

    def leave(self) -> None:
        """All boxes go."""
        for each in self._shares:
            each.line.send(None)
            each.join()


def measure(tables: int, seconds: float, throws_an_hour: int) -> str:
    """One line of the table."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        played = int(tables * seconds / EACH_S)
        rows = recorded(folder, int(seconds / EACH_S) + 1 + throws_an_hour)
        known = pair(folder / "desk", tables)
        desk = DeskProcess(folder / "desk")
        certificate = (folder / "desk" / "broker" / "certificate.pem").read_text()
        hall = Hall(known, rows, desk.port, certificate)

        def cpu_s() -> np.ndarray:
            """Processor time of broker, desk and simulated boxes until now."""
            return np.array([*map(_cpu_s, desk.pids), sum(map(_cpu_s, hall.pids))])

        began = cpu_s()
        live_s, waits_s, _ = hall.ask("play", seconds)
        lived = cpu_s()
        caught_s, _, broken = hall.ask("catch up", throws_an_hour)
        late_s = cpu_s() - lived
        late = tables * throws_an_hour * 2
        disk = sum(each.stat().st_size for each in (folder / "desk").glob("desk.db*")) / (late + 2 * played)
        memory = desk.most_memory_mb()
        hall.leave()
        desk.stop()
        with closing(Ledger.open(folder / "desk")) as ledger:
            assert ledger.find("SELECT count(*) FROM entries") == [(late + 2 * played,)], "a row is missing"
    p50, p99 = np.percentile(waits_s, (50, 99)) * 1e3
    busy, busy_late = (lived - began) / live_s * 100, late_s / late * 1e6
    day_mb = disk * throws_an_hour * 2 * HOURS_A_DAY / 1e6
    figures = [tables * (2 / EACH_S + 1 / HEALTH_S), p50, p99, *busy, day_mb, *busy_late, caught_s, *memory]
    told = "".join(f"{figure:10.{1 if figure < 100 else 0}f}" for figure in figures)
    return f"{tables:10}{told}{broken:10}"


def main(words: Sequence[str] = ()) -> None:
    """Print a line for each number of tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks hall")
    parser.add_argument("--tables", default="10,100")
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--throws-an-hour", type=int, default=180)
    options = parser.parse_args(words)
    try:
        find_mosquitto()
    except NoBroker as error:
        print(error)
        return
    print("".join(f"{name:>10}" for name in COLUMNS + LATE_COLUMNS))
    for tables in map(int, options.tables.split(",")):
        print(measure(tables, options.seconds, options.throws_an_hour), flush=True)

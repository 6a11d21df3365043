"""Whether a crowd of phones, with hostile devices among them, can keep anybody from pressing a button.

A whole box runs with its own threads, journal and console, a simulated table under it and a game on. Beside
it, in a process of its own, is the crowd. Each phone follows the live feed, looks at the camera's picture as
often as the page does, and presses STOP every ten seconds or so, each time on a fresh connection; a press
counts as answered when the console says 200. The hostile connections are of five kinds, in turns: silent, a
header that drips, a body that drips, answers that are never taken, and one that asks again and again; each
comes back at once when it is shut out. Every phone and every hostile connection has an address of its own in
127.0.0.0/8; with `--one-address` all have the same. `--silent` adds silent connections from one more address.

The box's own work is the time of all its threads less what it needs before the crowd comes.

    python -m benchmarks crowd [--phones 200] [--hostile 20] [--silent 0] [--seconds 30] [--one-address]
"""

import argparse
import asyncio
import multiprocessing
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random

import numpy as np

from device.box import Box
from device.requests import StartGame
from device.simulator.table import SimulatedTable
from tests.playing import trial_setup

LOOK_S = 0.2
PRESS_EACH_S = 10.0
HOLD_S = 0.1
AGAIN_S = 2.0
DRIP_S = 1.0
REST_S = 5.0
ARRIVE_S = 5.0
GONE = (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError)
Stream = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@dataclass(slots=True)
class CrowdOutcome:
    """What the crowd met."""

    presses_ms: list[float] = field(default_factory=list)
    pressed: Counter[int] = field(default_factory=Counter)
    """By the status of the answer; 0 where none came."""
    got: Counter[int] = field(default_factory=Counter)
    """The same for feeds and pictures."""
    snapshots: int = 0
    pictures: int = 0
    hostile: Counter[int] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True, kw_only=True)
class Crowd:
    """How many come, and where to."""

    port: int
    phones: int
    hostile: int
    silent: int
    seconds: float
    one_address: bool

    def address(self, group: int, number: int) -> str:
        """Where one of them comes from."""
        return "127.0.0.1" if self.one_address else f"127.{group}.{number // 250}.{number % 250 + 1}"


class Visitor:
    """One device of the crowd: what it sends, and what it makes of the answers."""

    def __init__(self, crowd: Crowd, address: str, seen: CrowdOutcome, rng: Random) -> None:
        self._port = crowd.port
        self._address = address
        self._seen = seen
        self._rng = rng
        self._origin = f"Host: 127.0.0.1:{crowd.port}\r\nOrigin: http://127.0.0.1:{crowd.port}\r\n"

    async def _open(self) -> Stream:
        return await asyncio.open_connection("127.0.0.1", self._port, local_addr=(self._address, 0))

    def _get(self, path: str) -> bytes:
        return f"GET {path} HTTP/1.1\r\n{self._origin}\r\n".encode()

    def _post(self, path: str, body: bytes, length: int | None = None) -> bytes:
        length = len(body) if length is None else length
        head = f"POST {path} HTTP/1.1\r\n{self._origin}Content-Type: application/json\r\n"
        return f"{head}Content-Length: {length}\r\n\r\n".encode() + body

    async def follow(self) -> None:
        """The live feed, anew whenever it ends."""
        while True:
            with suppress(*GONE):
                reader, writer = await self._open()
                writer.write(self._get("/events"))
                status, _ = await _head(reader)
                self._seen.got[status] += 1
                while status == 200 and (line := await reader.readline()):
                    self._seen.snapshots += line == b"event: snapshot\n"
                writer.close()
            await asyncio.sleep(AGAIN_S)

    async def look(self) -> None:
        """The camera's picture, as often as the page asks for it."""
        await asyncio.sleep(self._rng.uniform(0, ARRIVE_S))
        while True:
            with suppress(*GONE):
                reader, writer = await self._open()
                while True:
                    writer.write(self._get("/picture.jpg"))
                    status, fields = await _head(reader)
                    await reader.readexactly(int(fields.get("content-length", 0)))
                    self._seen.got[status] += 1
                    self._seen.pictures += status == 200
                    if status not in (200, 304):
                        break
                    await asyncio.sleep(float(fields.get("callbox-next-ms", 1000 * LOOK_S)) / 1000)
                writer.close()
            await asyncio.sleep(1)

    async def press(self) -> None:
        """STOP, now and then."""
        await asyncio.sleep(ARRIVE_S)
        while True:
            await asyncio.sleep(self._rng.uniform(0, 2 * PRESS_EACH_S))
            finger = f"{self._rng.random()}"
            await self._edge(f'{{"down":true,"finger":"{finger}"}}'.encode())
            await asyncio.sleep(HOLD_S)
            await self._edge(f'{{"down":false,"finger":"{finger}"}}'.encode())

    async def _edge(self, body: bytes) -> None:
        began, status = time.monotonic(), 0
        with suppress(*GONE):
            reader, writer = await self._open()
            writer.write(self._post("/pins/stop", body))
            status, fields = await _head(reader)
            await reader.readexactly(int(fields["content-length"]))
            writer.close()
        self._seen.pressed[status] += 1
        self._seen.presses_ms.append(1000 * (time.monotonic() - began))

    async def harass(self, kind: int) -> None:
        """One hostile connection, anew whenever it is shut out."""
        ways = (self._stay_silent, self._drip_header, self._drip_body, self._take_nothing, self._ask)
        while True:
            with suppress(*GONE):
                reader, writer = await self._open()
                try:
                    await ways[kind % len(ways)](reader, writer)
                finally:
                    writer.close()
            self._seen.hostile[kind % len(ways)] += 1
            await asyncio.sleep(0.05)

    async def _stay_silent(self, reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
        await reader.read(1)

    async def _drip_header(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await self._drip(reader, writer, b"GET / HTTP/1.1\r\nX-Slow: " + b"a" * 3600)

    async def _drip_body(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(self._post("/pins/stop", b"", 4000))
        await self._drip(reader, writer, b" " * 3600)

    async def _drip(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, data: bytes) -> None:
        ended = asyncio.ensure_future(reader.read(1))
        for at in range(len(data)):
            writer.write(data[at : at + 1])
            if (await asyncio.wait([ended], timeout=DRIP_S))[0]:
                return

    async def _take_nothing(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.transport.pause_reading()  # type: ignore[attr-defined]
        for _ in range(200):
            writer.write(self._get("/static/table.js"))
        while not reader.at_eof() and not writer.transport.is_closing():
            await asyncio.sleep(DRIP_S)
            writer.write(b"\r\n")

    async def _ask(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            writer.write(self._get("/state"))
            status, fields = await _head(reader)
            await reader.readexactly(int(fields.get("content-length", 0)))
            if status != 200:
                return


async def _head(reader: asyncio.StreamReader) -> tuple[int, dict[str, str]]:
    """An answer's status and fields."""
    lines = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
    fields = dict(line.lower().split(": ", 1) for line in lines[1:] if ": " in line)
    return int(lines[0].split(" ")[1]), fields


async def _visit(crowd: Crowd) -> CrowdOutcome:
    seen, rng = CrowdOutcome(), Random(1)
    work = []
    for number in range(crowd.hostile):
        visitor = Visitor(crowd, crowd.address(2, number), seen, Random(rng.random()))
        work.append(visitor.harass(number))
    still = Visitor(crowd, crowd.address(3, 0), seen, rng)
    work += [still.harass(0) for _ in range(crowd.silent)]
    for number in range(crowd.phones):
        visitor = Visitor(crowd, crowd.address(1, number), seen, Random(rng.random()))
        work += [visitor.follow(), visitor.look(), visitor.press()]
    tasks = [asyncio.ensure_future(each) for each in work]
    await asyncio.sleep(ARRIVE_S + crowd.seconds)
    for task in tasks:
        task.cancel()
    return seen


def _come(crowd: Crowd, pipe: Connection) -> None:
    """The crowd's process."""
    pipe.send(asyncio.run(_visit(crowd)))


def _measured(options: argparse.Namespace) -> tuple[CrowdOutcome, float, float]:
    """What the crowd met, and the box's cores at rest and with the crowd."""
    camera = SimulatedTable(seed=3, fps=10, width=1280, height=960)
    with tempfile.TemporaryDirectory() as folder, Box(trial_setup(camera, Path(folder))) as box:
        box.start()
        box.api.request(StartGame("zoinx", ("Ann", "Bea"), {}))
        time.sleep(REST_S)
        rest = _cores(2 * REST_S)
        crowd = Crowd(
            port=box.console.port,
            phones=options.phones,
            hostile=options.hostile,
            silent=options.silent,
            seconds=options.seconds,
            one_address=options.one_address,
        )
        ours, theirs = multiprocessing.Pipe()
        come = multiprocessing.get_context("spawn").Process
        people = come(target=_come, args=(crowd, theirs), daemon=True)
        people.start()
        time.sleep(ARRIVE_S)
        busy = _cores(options.seconds)
        seen: CrowdOutcome = ours.recv()
    return seen, rest, busy


def _cores(seconds: float) -> float:
    """How many cores this process keeps busy, from now on for so long."""
    began, used = time.monotonic(), time.process_time()
    time.sleep(seconds)
    return (time.process_time() - used) / (time.monotonic() - began)


def main(words: Sequence[str] = ()) -> None:
    """Print what the crowd met."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks crowd")
    parser.add_argument("--phones", type=int, default=200)
    parser.add_argument("--hostile", type=int, default=20)
    parser.add_argument("--silent", type=int, default=0, help="silent connections from one more address")
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--one-address", action="store_true")
    options = parser.parse_args(words)
    seen, rest, busy = _measured(options)
    answered, tried = seen.pressed[200], sum(seen.pressed.values())
    print(f"{options.phones} phones, {options.hostile} hostile and {options.silent} silent connections")
    print(f"  presses answered {answered} of {tried} {dict(seen.pressed)}")
    if seen.presses_ms:
        p50, p99 = np.percentile(seen.presses_ms, [50, 99])
        print(f"  a press takes {p50:.0f} ms, p99 {p99:.0f} ms, at most {max(seen.presses_ms):.0f} ms")
    print(f"  feeds and pictures {dict(seen.got)}")
    phone_s = max(1, options.phones) * (ARRIVE_S + options.seconds)
    got = f"{seen.snapshots / phone_s:.2f} snapshots and {seen.pictures / phone_s:.2f} pictures"
    print(f"  a phone gets {got} a second")
    print(f"  hostile connections came anew {sum(seen.hostile.values())} times {dict(seen.hostile)}")
    print(f"  the box: {100 * rest:.0f} % of a core at rest, {100 * (busy - rest):.0f} % more with the crowd")

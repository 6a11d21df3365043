"""PINs are hashed one after another beside the presses, each address in its turn."""

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from device.console.answers import BadBody
from device.console.app import ConsoleSettings, make_app
from device.console.concurrency_limit import PinQueue
from device.console.server import WORKERS, ConsoleServer
from device.people.people import Caller, People
from device.people.player_profiles import PersonColor
from tests.device.console.fake_box import FakeBox
from tests.device.console.test_connections import connect, press
from tests.waiting import PATIENCE_S

GREEDY, HONEST = "192.168.1.66", "192.168.1.20"


def served(asks: list[str], waiting: int = 64) -> tuple[list[str], list[str]]:
    """Who was served, in order, and who was refused, where all these addresses ask at once."""
    done, refused = list[str](), list[str]()

    async def ask(queue: PinQueue, address: str) -> None:
        try:
            await queue.run(address, lambda: done.append(address))
        except BadBody:
            refused.append(address)

    async def ask_all() -> None:
        queue = PinQueue(waiting)
        await asyncio.gather(*(ask(queue, address) for address in asks))

    asyncio.run(ask_all())
    return done, refused


def test_whoever_asks_once_waits_for_no_more_than_one_of_each_other_address() -> None:
    done, refused = served([GREEDY] * 60 + [HONEST])
    assert done.index(HONEST) <= 2
    assert (len(done), refused) == (61, [])


def test_where_too_many_wait_somebody_of_the_longest_line_is_refused() -> None:
    done, refused = served([GREEDY] * 60 + [HONEST], waiting=10)
    assert HONEST in done
    assert set(refused) == {GREEDY}
    assert len(done) + len(refused) == 61


def test_work_that_fails_and_whoever_leaves_hold_up_nobody() -> None:
    async def trial() -> list[object]:
        queue = PinQueue()
        begun, go_on = threading.Event(), threading.Event()

        def hold() -> None:
            begun.set()
            assert go_on.wait(PATIENCE_S)

        def fail() -> None:
            raise RuntimeError

        first = asyncio.create_task(queue.run(GREEDY, hold))
        failing = asyncio.create_task(queue.run(GREEDY, fail))
        leaving = asyncio.create_task(queue.run(GREEDY, lambda: "left"))
        last = asyncio.create_task(queue.run(HONEST, lambda: "done"))
        await asyncio.to_thread(begun.wait, PATIENCE_S)
        leaving.cancel()
        go_on.set()
        return list(await asyncio.gather(first, failing, leaving, last, return_exceptions=True))

    outcomes = asyncio.run(trial())
    assert (outcomes[0], outcomes[3]) == (None, "done")
    assert isinstance(outcomes[1], RuntimeError)
    assert isinstance(outcomes[2], asyncio.CancelledError)


class HeldPeople(People):
    """Whoever is to be remembered waits until the test lets go."""

    def __init__(self, folder: Path) -> None:
        super().__init__("family", folder, print)
        self.begun, self.go_on = threading.Event(), threading.Event()

    def put_person(self, caller: Caller, name: str, color: PersonColor, pin: str, new_pin: str | None) -> str:
        self.begun.set()
        assert self.go_on.wait(PATIENCE_S)
        return super().put_person(caller, name, color, pin, new_pin)


@pytest.fixture
def while_hashing(tmp_path: Path) -> Callable[[Callable[[ConsoleServer], object]], object]:
    """Runs something while more PINs wait to be hashed than the console has threads for presses."""

    def run(do: Callable[[ConsoleServer], object]) -> object:
        people = HeldPeople(tmp_path)
        server = ConsoleServer(make_app(FakeBox(), ConsoleSettings(people=people)), "127.0.0.1", 0)
        server.start()
        body = b'{"name":"Ann","color":"red","new_pin":"2468"}'
        head = (
            f"POST /persons HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        phones = [connect(server) for _ in range(WORKERS + 8)]
        try:
            for phone in phones:
                phone.sendall(head.encode() + body)
            assert people.begun.wait(PATIENCE_S)
            return do(server)
        finally:
            people.go_on.set()
            for phone in phones:
                phone.close()
            server.stop()

    return run


def test_a_press_waits_for_no_pin(
    while_hashing: Callable[[Callable[[ConsoleServer], object]], object],
) -> None:
    assert while_hashing(press) == {"ok": True, "text": ""}

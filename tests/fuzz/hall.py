"""Sends hostile messages of one paired box to a whole desk, on every topic, through a real mosquitto.

After each batch a good box says hello and sends a game: a case is a fault where the desk does not take it, no
longer knows the hostile box either, or cannot work out its results. Without mosquitto each case is "skipped".
"""

import json
import random
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from device.hall.broker import EmbeddedBroker, NoBroker, find_mosquitto
from device.hall.desk import Hall, HallSetup
from device.hall.ledger import Invitation, KnownBox, Ledger, results_of_all
from device.journal.journal import Journal
from device.journal.outbox import Outbox
from device.journal.rows import OtherNote
from device.venue.broker_link import BrokerLink
from device.venue.membership import Membership
from device.venue.messages import BoxHealth, BoxHello, topic
from tests.device.hall.test_hostile_box import UNPLAYABLE, WRONG_WORDS, forged
from tests.device.hall.test_ingest import AT, played
from tests.fuzz.targets import FAULT
from tests.waiting import eventually

CASES = 20_000
BATCH = 250
HERE = "127.0.0.1"
CLOCK = "2026-11-20T12:00:00+00:00"
WRONG = (*WRONG_WORDS, *((game, {}) for game in UNPLAYABLE))
"""Other words of a game and of its rows: what is refused, and what is taken and cannot be replayed."""
TOPICS = ("state", "health", "hello", "rows", "called", "shown")
ODD: tuple[Any, ...] = (
    None, True, -1, 2**31, 2**53, 2**63, 2**70, 10**400, 1e300, -0.5, "", "\x00", "\ud800", "x" * 20_000,
    [], {}, [[]] * 100, {"id": 2**70}, "2026-13-40T99:00:00+99:99", "../../etc/passwd",
)  # fmt: skip
BODIES = (
    b"", b"\0\1", b"null", b"7", b"[]", b'"\xff"', b'{"run":"\xff","stage":"\xff"}', b"[" * 100_000,
    b'{"zz":' + b"[" * 3000 + b"]" * 3000 + b"}", b'{"number":NaN}', b"{" * 500, b"\xef\xbb\xbf{}",
    b" " * 1_000_000,
)  # fmt: skip


def free_port() -> int:
    """A port of this machine that nobody listens at."""
    with socket.socket() as probe:
        probe.bind((HERE, 0))
        port: int = probe.getsockname()[1]
        return port


def pair(ledger: Ledger, name: str) -> KnownBox:
    """A box of that name."""
    ledger.invite(Invitation(name, name, name, 10.0))
    found = ledger.take_up(name, 5.0, CLOCK)
    assert found is not None
    return found[1]


class HostileBox:
    """Draws hostile messages."""

    def __init__(self, folder: Path, chance: random.Random) -> None:
        self._chance = chance
        self._batch = played(folder / "evil" / "journal.db", 3, over=True)
        self._valid = {
            "state": {"stage": "playing", "message": {"text": "x"}, "game": None},
            "health": msgspec.to_builtins(BoxHealth("r", True, CLOCK)),
            "hello": msgspec.to_builtins(BoxHello("r", "0.3.0")),
            "rows": msgspec.to_builtins(self._batch),
            "called": {"number": 1, "refused": "", "why": ""},
            "shown": {"number": 1, "question": "x", "pictures": []},
        }

    def message(self) -> tuple[str, str, bytes]:
        """What kind of message, its topic, and its body."""
        what = self._chance.choice(TOPICS)
        match self._chance.randrange(6):
            case 0:
                return "no message", what, self._chance.choice(BODIES)
            case 1:
                body = json.dumps(self._valid[what]).encode()
                return "cut", what, body[: self._chance.randrange(len(body))]
            case 2:
                changed = bytearray(json.dumps(self._valid[what]).encode())
                for _ in range(self._chance.randint(1, 8)):
                    changed[self._chance.randrange(len(changed))] = self._chance.randrange(256)
                return "bytes changed", what, bytes(changed)
            case 3:
                game, row = self._chance.choice(WRONG)
                game = {"id": self._chance.choice((1, 2, 77, 2**63 - 1)), **game}
                return "rows with a right hash", "rows", msgspec.json.encode(forged(self._batch, game, row))
            case 4:
                return "no such topic", f"x{self._chance.randrange(9)}", b"{}"
            case _:
                return "odd value", what, json.dumps(self._with_odd_value(self._valid[what])).encode()

    def _with_odd_value(self, value: Any) -> Any:
        """The value with one thing in it, or all of it, replaced."""
        if isinstance(value, dict) and value and self._chance.random() < 0.9:
            key = self._chance.choice(list(value))
            return {**value, key: self._with_odd_value(value[key])}
        if isinstance(value, list) and value and self._chance.random() < 0.8:
            place = self._chance.randrange(len(value))
            return [*value[:place], self._with_odd_value(value[place]), *value[place + 1 :]]
        return self._chance.choice(ODD)


class GoodBox:
    """A box that plays one game after the other."""

    def __init__(self, folder: Path, known: KnownBox, link: BrokerLink) -> None:
        self._path, self._known, self._link = folder / "good" / "journal.db", known, link
        self._path.parent.mkdir()
        self.games = 0

    def send_game(self, ledger: Ledger) -> None:
        """Play one, say hello, and send it."""
        with Journal.open(self._path) as journal:
            self.games = journal.begin("tray", ("Ann", "Bea"), {}, AT)
            journal.append(self.games, [OtherNote({"step": 1})], AT)
            journal.end(self.games, "played", AT)
        batch = Outbox(self._path).next(ledger.held(self._known.id))
        assert batch is not None
        self._link.send(topic(self._known.id, "hello"), msgspec.json.encode(BoxHello("r", "0.3.0")))
        self._link.send(topic(self._known.id, "rows"), msgspec.json.encode(batch))


def fuzz(cases: int, seed: int) -> Iterator[str]:
    """Yield what kind of message each case was, or a fault for the batch that the desk did not stand."""
    try:
        find_mosquitto()
    except NoBroker:
        yield from ["skipped"] * cases
        return
    with tempfile.TemporaryDirectory() as name:
        yield from _fuzz(Path(name), cases, random.Random(seed))


def _fuzz(folder: Path, cases: int, chance: random.Random) -> Iterator[str]:
    hostile = HostileBox(folder, chance)
    ledger = Ledger.open(folder / "desk")
    evil, good = pair(ledger, "Evil"), pair(ledger, "Good")
    ledger.close()
    broker = EmbeddedBroker(folder / "broker", HERE, free_port())
    setup = HallSetup(
        data=folder / "desk", host=HERE, port=free_port(), broker=broker, home_prefix="",
        visitors="local", names=(), tell=lambda _: None,
    )  # fmt: skip
    with Hall(setup) as hall:
        links = [_link(broker, box) for box in (evil, good)]
        table = GoodBox(folder, good, links[1])
        for first in range(0, cases, BATCH):
            kinds = []
            for _ in range(min(BATCH, cases - first)):
                kind, what, body = hostile.message()
                key = b"k" * 32 if chance.random() < 0.05 else None
                links[0].send(topic(evil.id, what), body, key=key)
                kinds.append(kind if key is None else "wrong key")
            links[0].send(topic(evil.id, "hello"), msgspec.json.encode(BoxHello(f"run {first}", "0.3.0")))
            if fault := _fault_of(hall, evil, good, table, f"run {first}"):
                kinds[0] = f"{FAULT}: after messages {first} to {first + len(kinds)}: {fault}"
            yield from kinds
        for link in links:
            link.stop()


def _link(broker: EmbeddedBroker, box: KnownBox) -> BrokerLink:
    at = Membership(box.id, box.name, box.secret, HERE, broker.port, broker.certificate)
    link = BrokerLink(at, f"fuzz-{box.name}", hear=lambda *_: None, joined=lambda: None, waiting=0)
    link.start()
    eventually(lambda: link.is_there, "the broker lets a box in")
    return link


def _fault_of(hall: Hall, evil: KnownBox, good: KnownBox, table: GoodBox, run: str) -> str:
    """What no longer works once the batch was heard; empty when all goes on."""
    try:
        table.send_game(hall.ledger)
        eventually(lambda: _runs(hall, evil) == run, "the hostile box's last hello is heard")
        eventually(lambda: table.games in hall.ledger.held(good.id), "the good box's game is held")
        if results_of_all(hall.ledger).count("Good,") < table.games:
            return "a game of the good box is not in the results"
    except Exception as error:  # noqa: BLE001 - whatever it is, it is a fault of this batch
        return f"{type(error).__name__}: {error}"
    return ""


def _runs(hall: Hall, box: KnownBox) -> str:
    spoken = hall.ingest.speaks(box.id)
    return spoken.run if spoken else ""

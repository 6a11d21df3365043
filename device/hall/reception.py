"""Takes in what boxes tell: what carries their key and follows their chain is kept, and acknowledged.

Messages wait in a line and are worked off by one thread, many in one write to the disk; what a box gets as an
answer is on the disk by then. What waits is bounded by the boxes: each tells one batch of rows at a time.
"""

import queue
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import msgspec

from device.decode import Undecodable, decode_json
from device.hall.hall_cup import TableNow
from device.hall.ledger import KnownBox, Ledger, LedgerBroken, NotTaken
from device.hall.tables import HallLine, HallTable, TableSeen, TableSpeaks, wall_now
from device.hall.tournament import HallTournament
from device.journal.outbox import OutBatch
from device.tournaments.called import CallTold
from device.venue.calls import CallHeard
from device.venue.membership import key_of
from device.venue.wire import FORM, ROOT, BoxHealth, BoxHello, DeskAnswer, is_sealed, topic
from engine.wording import phrase

AT_ONCE = 500
"""This many messages go into one write to the disk, at most."""
LOOK_S = 1.0
"""How often the desk looks for boxes that were invited or revoked, and for those that fell silent."""
STATE_BYTES = 500_000
"""What a box shows is no larger: each page of the hall gets it."""
SHORT_BYTES = 10_000
"""Nor is what it says of itself."""
OURS = ("told", "asked")
"""What the desk itself says: it hears that, too."""


class SaysToBoxes(Protocol):
    """As `device.venue.broker_link.BrokerLink` does."""

    def say(self, where: str, body: bytes, *, key: bytes | None = None, retain: bool = False) -> bool:
        """Send a message; False where that cannot be now."""
        ...


@dataclass(frozen=True, slots=True)
class Heard:
    """A message as it came."""

    box: str
    what: str
    where: str
    body: bytes
    code: str


class Reception:
    """All tables of a hall. `hear` may be called from any thread."""

    def __init__(self, ledger: Ledger, link: SaysToBoxes, admit: Callable[[list[KnownBox]], None]) -> None:
        """`admit` is given the boxes that are believed, whenever these change."""
        self._ledger, self._link, self._admit = ledger, link, admit
        self._waiting: queue.SimpleQueue[Heard | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._tables: dict[str, HallTable] = {}
        self._keys: dict[str, bytes] = {}
        self._answers: list[tuple[str, DeskAnswer]] = []
        self._shows: list[tuple[str, bytes]] = []
        self._change = 0
        self._known_changes = -1
        self.counts: Counter[str] = Counter()
        """What came in: "rows", "doubled", "messages", "writes"."""
        self.disk = ""
        """Why the disk takes nothing, in a sentence; "" when it does."""
        self.shown: Callable[[str, bytes], None] = lambda _box, _body: None
        """Gets what a box shows to whom somebody looks (`device.hall.answering`), and of which box."""
        self.tournament = HallTournament(ledger, self._tables_now, self._say_call)
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._work, name="reception", daemon=True)

    def start(self) -> None:
        """Begin to work."""
        self.meet()
        self._thread.start()

    def stop(self) -> None:
        """Work off what has come, and end."""
        self._over.set()
        self._waiting.put(None)
        self._thread.join()

    def hear(self, where: str, body: bytes, code: str) -> None:
        """A message came."""
        root, _, rest = where.partition("/")
        box, _, what = rest.partition("/")
        if root == ROOT and what not in OURS:
            self._waiting.put(Heard(box, what, where, body, code))

    def speaks(self, box: str) -> TableSpeaks | None:
        """Who speaks for a table now; None where there is no such table."""
        with self._lock:
            table = self._tables.get(box)
            return None if table is None else TableSpeaks(table.name, table.online, table.run, table.seen)

    def ask(self, box: str, body: bytes) -> bool:
        """Send that to a box, sealed with its key; False where it cannot be sent."""
        key = self._keys.get(box)
        return key is not None and self._link.say(topic(box, "asked"), body, key=key)

    def lines(self, after: int = 0) -> list[HallLine]:
        """The tables that changed after that change, in the order of their names."""
        now_s = time.monotonic()
        with self._lock:
            return [each.line(now_s) for each in self._tables.values() if each.change > after]

    @property
    def change(self) -> int:
        """Grows with each change of any table."""
        return self._change

    @property
    def size(self) -> int:
        """How many tables there are."""
        return len(self._tables)

    def meet(self) -> None:
        """Know the boxes that are paired now, and no others."""
        boxes = [each for each in self._ledger.boxes() if not each.revoked]
        with self._lock:
            self._keys = {each.id: key_of(each.secret) for each in boxes}
            for gone in set(self._tables) - set(self._keys):
                del self._tables[gone]
            for each in boxes:
                if each.id not in self._tables:
                    rows = sum(game.rows for game in self._ledger.held(each.id).values())
                    self._tables[each.id] = HallTable(each.id, each.name, rows=rows)
                    self._touch(self._tables[each.id])
        self._admit(boxes)

    def _work(self) -> None:
        looked_s = time.monotonic()
        while not self._over.is_set():
            batch = self._some()
            try:
                if batch:
                    self._take_in(batch)
                    self._go_on()
                if time.monotonic() >= looked_s + LOOK_S:
                    looked_s = time.monotonic()
                    self._look_around()
                    self._go_on()
            except Exception as error:  # noqa: BLE001 - a fault of the desk's own: all tables are heard all the same
                self.disk = phrase(
                    "The desk made a mistake of its own ({error}). What the boxes play is kept there, and "
                    "told again.",
                    error=repr(error)[:200],
                )

    def _some(self) -> list[Heard]:
        found: list[Heard] = []
        try:
            first = self._waiting.get(timeout=LOOK_S)
            while True:
                if first is not None:
                    found.append(first)
                if len(found) >= AT_ONCE:
                    break
                first = self._waiting.get_nowait()
        except queue.Empty:
            pass
        return found

    def _look_around(self) -> None:
        changes = self._ledger.changes
        if changes != self._known_changes:
            self._known_changes = changes
            self.meet()
        now_s = time.monotonic()
        with self._lock:
            for each in self._tables.values():
                if each.troubles(now_s):
                    self._touch(each)

    def _take_in(self, batch: list[Heard]) -> None:
        """Work off some messages in one write; where the disk does not take it, nothing is answered."""
        self._answers.clear()
        self._shows.clear()
        self.counts["messages"] += len(batch)
        try:
            with self._ledger.kept():
                for each in batch:
                    with self._lock:
                        self._take_one(each)
            for box, shows in self._shows:
                self.shown(box, shows)
            self.counts["writes"] += 1
            self.disk = ""
        except LedgerBroken as error:
            self.disk = str(error)
            return
        for box, answer in self._answers:
            if key := self._keys.get(box):
                self._link.say(topic(box, "told"), msgspec.json.encode(answer), key=key)

    def _take_one(self, heard: Heard) -> None:
        table = self._tables.get(heard.box)
        if table is None:
            self.counts["strangers"] += 1
            return
        if not is_sealed(self._keys[heard.box], heard.where, heard.body, heard.code):
            self._touch(table)
            table.forged += 1
            return
        if heard.what == "shown":
            self._shows.append((heard.box, heard.body))
            return
        self._touch(table)
        try:
            self._read(table, heard)
        except Undecodable as error:
            table.unread = phrase(
                "what it says is not understood here ({error}): it is newer than this desk, or older",
                error=error,
            )

    def _read(self, table: HallTable, heard: Heard) -> None:
        """Do what a box's message says; raises `Undecodable`."""
        match heard.what:
            case "state":
                self._see(table, decode_json(heard.body, TableSeen, max_bytes=STATE_BYTES))
            case "health":
                self._hear_health(table, decode_json(heard.body, BoxHealth, max_bytes=SHORT_BYTES))
            case "hello":
                self._greet(table, decode_json(heard.body, BoxHello, max_bytes=SHORT_BYTES))
            case "rows":
                self._take_rows(table, decode_json(heard.body, OutBatch))
            case "called":
                self._hear_call(table, decode_json(heard.body, CallHeard, max_bytes=SHORT_BYTES))
            case _:
                pass

    def _see(self, table: HallTable, seen: TableSeen) -> None:
        if seen.waits != table.seen.waits or (seen.waits and table.waits_since is None):
            table.waits_since = self._ledger.waits(table.id, seen.waits, time.time())
        table.seen, table.unread, table.state_known = seen, "", True

    def _hear_health(self, table: HallTable, health: BoxHealth) -> None:
        unknown = not table.run
        table.hear_health(health, time.monotonic(), wall_now())
        if unknown and health.online:
            self._answers.append((table.id, DeskAnswer(hello=True)))

    def _greet(self, table: HallTable, hello: BoxHello) -> None:
        table.hear_run(hello.run, time.monotonic(), hello=True)
        if hello.form > FORM:
            table.refused = phrase(
                "its Callbox {version} is newer than this desk: bring the desk up to date",
                version=hello.version,
            )
            self._answers.append((table.id, DeskAnswer(refused=table.refused)))
            return
        table.refused = ""
        held = self._ledger.held(table.id)
        table.rows = sum(game.rows for game in held.values())
        self._answers.append((table.id, DeskAnswer(held=held, whole=True)))

    def _take_rows(self, table: HallTable, batch: OutBatch) -> None:
        try:
            held, new = self._ledger.take(table.id, batch)
        except NotTaken as why:
            table.refused = str(why)
            self._answers.append((table.id, DeskAnswer(refused=table.refused)))
            return
        table.rows += new
        self.counts["rows"] += new
        self.counts["doubled"] += min(len(batch.rows), max(0, held.rows - new + 1 - batch.first))
        self._answers.append((table.id, DeskAnswer(held={batch.game.id: held})))

    def _hear_call(self, table: HallTable, heard: CallHeard) -> None:
        calls = self.tournament.calls
        calls.heard(table.id, heard.number)
        if heard.refused:
            calls.refused(table.id, heard.refused, heard.why)

    def _go_on(self) -> None:
        """The tournament goes on by what has come."""
        try:
            self.tournament.look(time.monotonic())
        except LedgerBroken as error:
            self.disk = str(error)

    def _tables_now(self) -> list[TableNow]:
        now_s = time.monotonic()
        with self._lock:
            return [
                TableNow(each.id, each.name, each.takes_calls(now_s), each.online)
                for each in self._tables.values()
            ]

    def _say_call(self, box: str, told: CallTold) -> bool:
        key = self._keys.get(box)
        return key is not None and self._link.say(topic(box, "call"), msgspec.json.encode(told), key=key)

    def _touch(self, table: HallTable) -> None:
        self._change += 1
        table.change = self._change

"""Takes in what boxes tell: what carries their key and follows their chain is kept, and acknowledged.

Messages wait in a line and are worked off by one thread, many in one write to the disk; what a box gets as an
answer is on the disk by then. What waits is bounded by the boxes: each tells one batch of rows at a time.
"""

import queue
import threading
import time
from collections import Counter, deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import msgspec

from device.call_slip import CurrentCall
from device.decode import Undecodable, decode_json
from device.hall.ledger import KnownBox, Ledger, LedgerBroken, NotTaken
from device.hall.tournament import HallTournament, TableNow
from device.journal.outbox import OutBatch
from device.venue.membership import key_of
from device.venue.messages import (
    FORM,
    HEALTH_S,
    BoxHealth,
    BoxHello,
    CallHeard,
    DeskAnswer,
    SendsMessages,
    decrypt,
    encrypt,
    is_sealed,
    topic,
)
from engine.wording import phrase, phrase_later

# What the venue's desk knows of each table now: who plays, what waits for a referee, how its box is.
#
# It is made of what boxes show to strangers (`device.shown.snapshot`), and of no more of that than is
# needed, so that boxes of other versions are understood as far as they can be.

WRONG_CLOCK_S = 120.0
SILENT_S = 3 * HEALTH_S
"""A box that says nothing for so long is told as silent."""
FORMER = 20
"""This many earlier starts of a box are remembered."""


class ShownText(msgspec.Struct, frozen=True):
    """What a message says."""

    text: str = ""


class ChoiceSeen(msgspec.Struct, frozen=True):
    """What the hall wants to know of something that may be chosen."""

    event: dict[str, Any] = {}


class GameSeen(msgspec.Struct, frozen=True):
    """What the hall wants to know of a game."""

    game: str = ""
    phase: str = ""
    players: tuple[str, ...] = ()
    scores: tuple[int, ...] = ()
    active: str | None = None
    news: str = ""
    winners: tuple[str, ...] = ()
    choices: tuple[ChoiceSeen, ...] = ()


class SignOffSeen(msgspec.Struct, frozen=True):
    """How the last result stands with the referee."""

    standing: str = ""


class TableSeen(msgspec.Struct, frozen=True):
    """What the hall wants to know of a box's snapshot."""

    stage: str = "lobby"
    game_id: int | None = None
    game: GameSeen | None = None
    message: ShownText = ShownText()
    camera: ShownText = ShownText()
    panel: ShownText = ShownText()
    ask: str = ""
    touched: dict[str, Any] | None = None
    aside: ShownText | None = None
    paused: bool = False
    sign_off: SignOffSeen | None = None

    @property
    def between_games(self) -> bool:
        """Whether a game may be begun there now."""
        unsigned = self.sign_off is not None and self.sign_off.standing != "signed"
        return self.stage in ("lobby", "ended") and not unsigned and not self.waits

    @property
    def asks(self) -> bool:
        """Whether a referee is asked about a throw; a covered dot stands among the game's choices."""
        choices = self.game.choices if self.game else ()
        dot = any(each.event.get("event") == "confirmed" for each in choices)
        return bool(self.ask) or dot or self.touched is not None

    @property
    def waits(self) -> str:
        """What somebody has to come for, in the box's own words; "" for nothing."""
        if self.camera.text:
            return self.camera.text
        if self.aside is not None:
            return self.aside.text
        if self.asks:
            return self.message.text or phrase("The table asks something.")
        return self.panel.text


class _Clock(msgspec.Struct, frozen=True):
    """What is said of a box's clock, in some unit of time."""

    seconds: float
    behind: str
    ahead: str


NOT_CONNECTED = phrase_later("{name} is not connected. It plays on, and tells later what it played.")
CLOCKS = (
    _Clock(
        86_400.0,
        phrase_later("The clock of {name} is {count} days behind: scores count, their times do not."),
        phrase_later("The clock of {name} is {count} days ahead: scores count, their times do not."),
    ),
    _Clock(
        3600.0,
        phrase_later("The clock of {name} is {count} hours behind: scores count, their times do not."),
        phrase_later("The clock of {name} is {count} hours ahead: scores count, their times do not."),
    ),
    _Clock(
        60.0,
        phrase_later("The clock of {name} is {count} minutes behind: scores count, their times do not."),
        phrase_later("The clock of {name} is {count} minutes ahead: scores count, their times do not."),
    ),
)


class HallLine(msgspec.Struct, frozen=True):
    """One table as the desk's page shows it."""

    id: str
    name: str
    online: bool
    game: GameSeen | None
    stage: str
    paused: bool
    waits: str
    asks: bool
    """Whether that is a question for a referee."""
    waits_since: float | None
    """Seconds of the desk's wall clock."""
    troubles: tuple[str, ...]
    """What is wrong with the box, a sentence each."""
    rows: int
    """How many rows of its journal the desk holds."""
    change: int
    """Grows with each change of any table."""


@dataclass(frozen=True, slots=True)
class TableSpeaks:
    """Who speaks for a table now."""

    name: str
    online: bool
    run: str
    """The start of its box."""
    seen: TableSeen
    """What it shows; another object with each change."""


@dataclass(slots=True)
class HallTable:
    """One table, as it is heard. Times are seconds of the desk's clocks."""

    id: str
    name: str
    seen: TableSeen = field(default_factory=TableSeen)
    state_known: bool = False
    """Whether it has shown what is played there."""
    waits_since: float | None = None
    run: str = ""
    """The start of the box that speaks for it."""
    former: deque[str] = field(default_factory=lambda: deque(maxlen=FORMER))
    """Earlier starts."""
    twice_s: float = float("-inf")
    """When a former start was last heard again: then two boxes speak."""
    online: bool = False
    heard_s: float = float("-inf")
    rows: int = 0
    box_says: str = ""
    refused: str = ""
    """Why its rows are not taken."""
    unread: str = ""
    """What of its messages is not understood."""
    forged: int = 0
    """How many messages came under its name without its key."""
    behind_s: float = 0.0
    """How far its clock is behind the desk's; below 0 before it."""
    change: int = 0

    def hear_run(self, run: str, now_s: float, *, hello: bool) -> None:
        """A start of the box speaks. A new one takes over; one that was over and speaks is another box."""
        if run in self.former:
            self.twice_s = now_s
        elif run != self.run and (hello or not self.run):
            if self.run:
                self.former.append(self.run)
            self.run = run

    def hear_health(self, health: BoxHealth, now_s: float, wall: datetime) -> None:
        """How the box is. Retained word of an earlier start says nothing of this one."""
        if not health.online:
            if health.run == self.run or not self.run:
                self.online = False
            return
        self.hear_run(health.run, now_s, hello=False)
        self.online, self.heard_s, self.box_says = True, now_s, health.trouble
        try:
            there = datetime.fromisoformat(health.at)
            self.behind_s = (wall - there).total_seconds() if there.tzinfo else 0.0
        except ValueError:
            self.behind_s = 0.0

    def takes_calls(self, now_s: float) -> bool:
        """Whether players may be called there: its box is there and well, and nobody plays."""
        well = self.online and now_s <= self.heard_s + SILENT_S and now_s >= self.twice_s + 2 * SILENT_S
        known = self.state_known and not self.unread and not self.refused
        return well and known and self.seen.between_games

    def troubles(self, now_s: float) -> tuple[str, ...]:
        """What is wrong with the box, a sentence each, the worst first."""
        found = []
        if now_s < self.twice_s + 2 * SILENT_S:
            found.append(
                phrase(
                    "Two boxes use the name {name}: a card was copied. Stop one of them and pair it again.",
                    name=self.name,
                )
            )
        if self.refused:
            found.append(f"{self.name}: {self.refused}.")
        if self.forged:
            found.append(
                phrase(
                    "{forged} messages as {name} came without its key, and were not believed.",
                    forged=self.forged,
                    name=self.name,
                )
            )
        if self.unread:
            found.append(f"{self.name}: {self.unread}.")
        if self.box_says and self.box_says != self.refused:
            found.append(phrase("{name} says: {box_says}", name=self.name, box_says=self.box_says))
        if not self.online:
            found.append(phrase(NOT_CONNECTED, name=self.name))
        elif now_s > self.heard_s + SILENT_S:
            found.append(
                phrase(
                    "{name} has been silent for {seconds:.0f} s.",
                    name=self.name,
                    seconds=now_s - self.heard_s,
                )
            )
        if self.online and abs(self.behind_s) > WRONG_CLOCK_S:
            found.append(_clock(self.name, self.behind_s))
        return tuple(found)

    def line(self, now_s: float) -> HallLine:
        """As the page shows it."""
        return HallLine(
            id=self.id,
            name=self.name,
            online=self.online,
            game=self.seen.game and msgspec.structs.replace(self.seen.game, choices=()),
            stage=self.seen.stage,
            paused=self.seen.paused,
            waits=self.seen.waits,
            asks=self.seen.asks,
            waits_since=self.waits_since,
            troubles=self.troubles(now_s),
            rows=self.rows,
            change=self.change,
        )


def wall_now() -> datetime:
    """The desk's wall clock."""
    return datetime.now(UTC)


def _clock(name: str, behind_s: float) -> str:
    unit = next(each for each in CLOCKS if abs(behind_s) >= 2 * each.seconds or each is CLOCKS[-1])
    text = unit.behind if behind_s > 0 else unit.ahead
    return phrase(text, name=name, count=f"{abs(behind_s) / unit.seconds:.0f}")


AT_ONCE = 500
"""This many messages go into one write to the disk, at most."""
LOOK_S = 1.0
"""How often the desk looks for boxes that were invited or revoked, and for those that fell silent."""
STATE_BYTES = 500_000
"""What a box shows is no larger: each page of the hall gets it."""
SHORT_BYTES = 10_000
"""Nor is what it says of itself."""
GATHER_S = 0.05
"""After a write to the disk the next one waits so long for further messages: one write serves them all."""


@dataclass(frozen=True, slots=True)
class Heard:
    """A message as it came."""

    box: str
    what: str
    where: str
    body: bytes
    code: str


class Ingest:
    """All tables of a hall. `hear` may be called from any thread."""

    def __init__(self, ledger: Ledger, link: SendsMessages, admit: Callable[[list[KnownBox]], None]) -> None:
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
        self._gathered_s = float("-inf")
        """When the next write may begin."""
        self.counts: Counter[str] = Counter()
        """What came in: "rows", "doubled", "messages", "writes"."""
        self.disk = ""
        """Why the disk takes nothing, in a sentence; "" when it does."""
        self.hear_reply: Callable[[str, bytes], None] = lambda _box, _body: None
        """Gets what a box shows to whom somebody looks (`device.hall.questions`), and of which box."""
        self.tournament = HallTournament(ledger, self._tables_now, self._send_call)
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._work, name="ingest", daemon=True)

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
        _, box, what = where.split("/")
        self._waiting.put(Heard(box, what, where, body, code))

    def speaks(self, box: str) -> TableSpeaks | None:
        """Who speaks for a table now; None where there is no such table."""
        with self._lock:
            table = self._tables.get(box)
            return None if table is None else TableSpeaks(table.name, table.online, table.run, table.seen)

    def ask(self, box: str, body: bytes) -> bool:
        """Send a question to a box, encrypted; False where it cannot be sent."""
        key = self._keys.get(box)
        return key is not None and self._send(box, "asked", encrypt(key, body))

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
                    self._gathered_s = time.monotonic() + GATHER_S
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
        with suppress(queue.Empty):
            heard = self._waiting.get(timeout=LOOK_S)
            self._over.wait(self._gathered_s - time.monotonic())
            while True:
                if heard is not None:
                    found.append(heard)
                if len(found) >= AT_ONCE:
                    break
                heard = self._waiting.get_nowait()
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
            with self._ledger.transaction():
                for each in batch:
                    with self._lock:
                        self._take_one(each)
            for box, shows in self._shows:
                self.hear_reply(box, shows)
            self.counts["writes"] += 1
            self.disk = ""
        except LedgerBroken as error:
            self.disk = str(error)
            return
        for box, answer in self._answers:
            self._send(box, "told", msgspec.json.encode(answer))

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
            with suppress(Undecodable):  # of an older box: whoever waits is told that none came
                self._shows.append((heard.box, decrypt(self._keys[heard.box], heard.body)))
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
        calls.confirm(table.id, heard.number)
        if heard.refused:
            calls.refuse(table.id, heard.refused, heard.why)

    def _go_on(self) -> None:
        """The tournament goes on by what has come."""
        try:
            self.tournament.advance(time.monotonic())
        except LedgerBroken as error:
            self.disk = str(error)

    def _tables_now(self) -> list[TableNow]:
        now_s = time.monotonic()
        with self._lock:
            return [
                TableNow(each.id, each.name, each.takes_calls(now_s), each.online)
                for each in self._tables.values()
            ]

    def _send_call(self, box: str, told: CurrentCall) -> bool:
        return self._send(box, "call", msgspec.json.encode(told))

    def _send(self, box: str, what: str, body: bytes) -> bool:
        """Send a message to a box, sealed with its key; False where it cannot be sent."""
        key = self._keys.get(box)
        return key is not None and self._link.send(topic(box, what), body, key=key)

    def _touch(self, table: HallTable) -> None:
        self._change += 1
        table.change = self._change

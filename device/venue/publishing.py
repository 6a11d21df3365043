"""A box's own uplink: tells the venue's desk what a stranger sees, and what the journal may tell.

It runs as a process of its own (`python -m device.venue.publishing DATA HOST PORT`), which the box starts
where `venue.publish` is set, at low priority; it ends with its standard input. Nobody at the table waits for
it. The journal is what there is to tell: what the desk did not acknowledge is read there again, so the
process keeps nothing, and a broker that is away, full or slow costs no more than telling it later.
"""

import http.client
import os
import queue
import secrets
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import BinaryIO

import msgspec

from device.call_slip import CallRefused, CallSlip, CurrentCall
from device.decode import Undecodable, decode_json
from device.journal import JournalError
from device.journal.outbox import Diverged, HeldGame, Outbox
from device.journal.storage import journal_path
from device.journal.trouble import JournalEmpty
from device.languages import speak_as_started
from device.venue.broker_link import BrokerLink
from device.venue.membership import Membership, NotPaired, load_membership
from device.venue.messages import HEALTH_S, BoxHealth, BoxHello, CallHeard, DeskAnswer, DeskLink, topic
from device.venue.questions import AnswersForDesk, OwnConsole
from engine.wording import phrase

# The uplink's part in calls to the table: it keeps what the desk says, and says what the table answered.
#
# Each thing said has a number, and is said until the other side has answered: the desk says for whom a box
# is called until the box says that number back, the box says that it refuses until the desk's next number
# says that it knows. So nothing is lost with a connection, and what comes twice changes nothing.

REFUSAL_AGAIN_S = 10.0
"""How often the box says a refusal again."""


class CallKeeper:
    """One box's. One thread calls it; times are seconds of a steady clock."""

    def __init__(self, link: DeskLink, table_id: str, slip: CallSlip) -> None:
        self._link, self._table_id, self._slip = link, table_id, slip
        self.topic = topic(table_id, "call")
        """Where the desk says for whom this box is called."""
        self._due = False
        self._refused = CallRefused()
        self._said_s = float("-inf")

    def hear(self, where: str, body: bytes, code: str) -> None:
        """Something that claims to be from the desk; what is older than what is held is passed over."""
        if where != self.topic or not self._link.is_from_desk(where, body, code):
            return
        try:
            told = decode_json(body, CurrentCall)
        except Undecodable:  # of a newer desk; it sees that the call is not taken up
            return
        held = self._held()
        if told.number > held.number:
            try:
                self._slip.save_current(msgspec.structs.replace(told, table_id=self._table_id))
            except OSError:  # a full disk: the desk says it again
                return
        self._due = True

    def look(self, now_s: float) -> None:
        """Say what is due."""
        held, refused = self._held(), self._slip.refusal()
        stands = held.call is not None and refused.id == held.call.id
        anew = refused != self._refused
        if not (self._due or (stands and (anew or now_s >= self._said_s + REFUSAL_AGAIN_S))):
            return
        said = CallHeard(held.number, refused.id, refused.why) if stands else CallHeard(held.number)
        where = topic(self._table_id, "called")
        if self._link.is_there and self._link.send(where, msgspec.json.encode(said)):
            self._due, self._refused, self._said_s = False, refused, now_s

    def _held(self) -> CurrentCall:
        held = self._slip.current()
        return held if held.table_id == self._table_id else CurrentCall()


# What a stranger sees of the box: its console's own stream, read as any page reads it.
#
# So nothing can leave for the desk that a page in the room may not have, and not earlier either: while bets
# are secret the stream itself comes at set times (`device.console.bet_timing_guard`).

SILENT_S = 30.0
"""The console says every ten seconds that it is there."""
STREAM_AGAIN_S = 1.0


def follow_snapshots(host: str, port: int, show: Callable[[bytes], None]) -> None:
    """Give each snapshot to `show`, as JSON, for ever; begins anew whenever the stream breaks off."""
    while True:
        connection = http.client.HTTPConnection(host, port, timeout=SILENT_S)
        with suppress(OSError, http.client.HTTPException):
            connection.request("GET", "/events")
            response = connection.getresponse()
            if response.status == 200:
                read_snapshots(response, show)
        connection.close()
        time.sleep(STREAM_AGAIN_S)


def read_snapshots(stream: BinaryIO | http.client.HTTPResponse, show: Callable[[bytes], None]) -> None:
    """Each snapshot of a stream of server-sent events, until it ends."""
    event = b""
    while line := stream.readline():
        name, _, value = line.rstrip(b"\n").partition(b":")
        if name == b"event":
            event = value.strip()
        elif name == b"data" and event == b"snapshot":
            show(value.strip())


PACE_S = 0.5
"""The least time between two snapshots to the desk."""
LOOK_S = 5.0
"""The journal is looked at after each snapshot, and at least so often."""
PATIENCE_S = 15.0
"""After so long without an acknowledgement the desk is asked where it stands."""
REFUSED_S = 60.0
"""When the desk takes nothing, it is asked again after this."""


class Publisher:
    """What is told when. One thread calls it; times are seconds of a steady clock."""

    def __init__(
        self,
        link: DeskLink,
        table_id: str,
        outbox: Outbox,
        run: str,
        warning: Callable[[], str] = lambda: "",
    ) -> None:
        """`warning`: what else the desk is to know of this box, in a sentence; "" for nothing."""
        self._warning = warning
        self._link, self._table_id, self._outbox, self._run = link, table_id, outbox, run
        self._held: dict[int, HeldGame] | None = None
        self._snapshot: bytes | None = None
        """The newest one that was not told yet."""
        self._newest: bytes | None = None
        self._told_s = self._well_s = self._looked_s = self._asked_s = -1e9
        self._flying_s: float | None = None
        """Since when a batch is on its way."""
        self._look = False
        self.trouble = ""

    def show(self, snapshot: bytes) -> None:
        """There is something new to be seen."""
        self._snapshot = self._newest = snapshot
        self._look = True

    def join(self) -> None:
        """The broker is there, again perhaps: it may know nothing any more."""
        self._snapshot = self._newest
        self._told_s = self._well_s = self._asked_s = -1e9
        self._held = self._flying_s = None

    def hear(self, where: str, body: bytes, code: str) -> None:
        """Something that claims to be from the desk."""
        if not self._link.is_from_desk(where, body, code):
            return
        try:
            told = decode_json(body, DeskAnswer)
        except Undecodable as error:
            self.trouble = phrase(
                "the desk says what this box does not understand ({error}): it may be newer", error=error
            )
            return
        if told.hello:
            self._held, self._asked_s = None, -1e9
            return
        self.trouble = told.refused
        self._flying_s = None
        if told.refused:
            self._held = None
        elif told.whole:
            self._held = dict(told.held)
        elif self._held is not None:
            self._held.update(told.held)
        self._look = True

    def look(self, now_s: float, at: str) -> None:
        """Say what is due; `at` is the wall clock, ISO in UTC."""
        if not self._link.is_there:
            return
        if self._snapshot is not None and now_s >= self._told_s + PACE_S:
            if self._say("state", self._snapshot, retain=True):
                self._snapshot = None
            self._told_s = now_s
        if now_s >= self._well_s + HEALTH_S:
            trouble = self.trouble or self._warning()
            self._say("health", BoxHealth(self._run, online=True, at=at, trouble=trouble), retain=True)
            self._well_s = now_s
        if self._flying_s is not None and now_s >= self._flying_s + PATIENCE_S:
            self._held = self._flying_s = None
        if self._held is None:
            self._say_hello(now_s)
        elif self._flying_s is None and (self._look or now_s >= self._looked_s + LOOK_S):
            self._look, self._looked_s = False, now_s
            self._tell_rows(self._held, now_s)

    def _say_hello(self, now_s: float) -> None:
        if now_s >= self._asked_s + (REFUSED_S if self.trouble else PATIENCE_S):
            self._asked_s = now_s
            self._say("hello", BoxHello(self._run, version("callbox")))

    def _tell_rows(self, held: dict[int, HeldGame], now_s: float) -> None:
        try:
            batch = self._outbox.next(held)
        except JournalEmpty:
            return
        except (JournalError, Diverged) as error:
            self.trouble = str(error)
            self._held, self._asked_s = None, now_s
            return
        if batch is not None and self._say("rows", batch):
            self._flying_s = now_s

    def _say(self, what: str, said: bytes | msgspec.Struct, *, retain: bool = False) -> bool:
        body = said if isinstance(said, bytes) else msgspec.json.encode(said)
        return self._link.send(topic(self._table_id, what), body, retain=retain)


class Uplink:
    """Joins a publisher to the world: what comes in from other threads waits for the one that works."""

    def __init__(self, at: Membership, data: Path, console: OwnConsole) -> None:
        run = secrets.token_hex(8)
        self._waiting: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._link = BrokerLink(at, f"{at.table_id}-{run}", hear=self._hear, joined=self._join)
        gone = msgspec.json.encode(BoxHealth(run, online=False))
        self._link.last_will(topic(at.table_id, "health"), gone)
        self._goes = topic(at.table_id, "health"), gone
        self._answers = AnswersForDesk(self._link, at.table_id, run, console, may_answer=bool(console.word))
        outbox = Outbox(journal_path(data))
        self._publisher = Publisher(self._link, at.table_id, outbox, run, lambda: self._answers.warning)
        self._answers.start()
        self._calls = CallKeeper(self._link, at.table_id, CallSlip(data))
        self._link.start(topic(at.table_id, "told"), self._answers.topic, self._calls.topic)
        following = (console.host, console.port, self._show)
        threading.Thread(target=follow_snapshots, args=following, name="snapshots", daemon=True).start()
        self._said = ""

    def work(self, over: threading.Event) -> None:
        """Until it is over."""
        while not over.is_set():
            with suppress(queue.Empty):
                self._waiting.get(timeout=PACE_S)()
            self._publisher.look(time.monotonic(), datetime.now(UTC).isoformat(timespec="seconds"))
            self._calls.look(time.monotonic())
            self._say_trouble()
        self._link.send(*self._goes, retain=True)
        self._link.stop()

    def _say_trouble(self) -> None:
        now = self._publisher.trouble or self._link.refused
        if now and now != self._said:
            sys.stderr.write(phrase("The venue's desk: {news}", news=now) + "\n")
        self._said = now

    def _hear(self, where: str, body: bytes, code: str) -> None:
        if where == self._answers.topic:
            self._answers.hear(where, body, code)
            return
        heard = self._calls.hear if where == self._calls.topic else self._publisher.hear
        self._waiting.put(lambda: heard(where, body, code))

    def _join(self) -> None:
        self._waiting.put(self._publisher.join)

    def _show(self, snapshot: bytes) -> None:
        self._waiting.put(lambda: self._publisher.show(snapshot))


def main(data: Path, host: str, port: int) -> None:
    """The process: until its input ends. The first line there is the word by which it may answer."""
    speak_as_started()
    with suppress(OSError):  # a service may forbid it
        os.nice(10)
    word = sys.stdin.buffer.readline().decode().strip()
    try:
        telling = Uplink(load_membership(data), data, OwnConsole(host, port, word))
    except NotPaired as error:
        sys.stderr.write(phrase("The venue: {error}", error=error) + "\n")
        sys.exit(2)
    over = threading.Event()

    def wait_for_end() -> None:
        sys.stdin.buffer.read()
        over.set()

    threading.Thread(target=wait_for_end, daemon=True).start()
    telling.work(over)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))

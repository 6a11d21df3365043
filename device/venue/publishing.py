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
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import BinaryIO, Protocol

import msgspec

from device.call_slip import CallRefused, CallSlip, CurrentCall
from device.decode import Undecodable, decode_json
from device.journal import JournalError
from device.journal.outbox import Diverged, HeldGame, Outbox
from device.journal.storage import journal_path
from device.journal.trouble import JournalEmpty
from device.languages import speak_as_started
from device.requests import AnswerQuestion, address_of
from device.shown.questions import QuestionReply, QuestionShown
from device.venue.broker_link import BrokerLink
from device.venue.membership import Membership, NotPaired, load_membership
from device.venue.messages import (
    HEALTH_S,
    LARGEST_ASKED_BYTES,
    LARGEST_PICTURE_BYTES,
    LOOKED_S,
    PIECE_BYTES,
    AsksPiece,
    AsksQuestion,
    AsksToAnswer,
    BoxHealth,
    BoxHello,
    BoxShows,
    CallHeard,
    DeskAnswer,
    DeskAsks,
    DeskLink,
    ShowsDone,
    ShowsNothing,
    ShowsPiece,
    ShowsQuestion,
    decrypt,
    encrypt,
    topic,
)
from engine.wording import phrase, phrase_count, phrase_later

# The uplink's part in what a hall's desk asks: shows the question that waits, and brings the desk's answer.
#
# It asks the box's own console, as a page does, so it can show nothing that a page in the room may not see;
# and it answers by the word that the box gave it, where the box's owner allows that. A thread of its own
# does it: the journal's rows do not wait for pictures.

ASK_S = 20.0
WAITING = 64
"""More messages than these do not wait: the desk asks again."""
LARGEST_ANSWER_BYTES = 200_000
SILENT = phrase_later("The box's console does not answer its own teller. Answer at the table.")
CAME_BEFORE = phrase_later("That came before, so it does not count again. Look at what waits now.")
EARLIER_START = phrase_later(
    "That was meant for the box before it was restarted. Look at what waits now, and answer again."
)
TOO_LATE = phrase_later("That came too late: nobody at the desk looked any more. Nothing was changed.")
NOT_ALLOWED = phrase_later(
    "This box takes no answers from the desk. Its owner allows them: answers = true under [venue] in "
    "callbox.toml."
)


class ConsoleSilent(Exception):
    """The box's console does not give what was asked for. `str(error)` says why."""


class AsksConsole(Protocol):
    """As `OwnConsole` does."""

    def get(self, path: str, most_bytes: int) -> bytes:
        """What lies at an address; raises `ConsoleSilent`."""
        ...

    def post(self, path: str, body: object) -> bytes:
        """Send JSON there; returns the console's reply. Raises `ConsoleSilent`."""
        ...


@dataclass(frozen=True, slots=True)
class OwnConsole:
    """The console of the very box whose uplink this is."""

    host: str
    port: int
    word: str = ""
    """By which the console lets this process answer for the desk; "" where its owner does not allow it."""

    def get(self, path: str, most_bytes: int) -> bytes:
        """What lies at an address; raises `ConsoleSilent`."""
        status, body = self._request("GET", path, None, most_bytes)
        if status != 200:
            raise ConsoleSilent(phrase("That picture is not kept any more."))
        return body

    def post(self, path: str, body: object) -> bytes:
        """Send JSON there; returns the console's reply, refusals too. Raises `ConsoleSilent`."""
        return self._request("POST", path, msgspec.json.encode(body), LARGEST_ANSWER_BYTES)[1]

    def _request(self, method: str, path: str, body: bytes | None, most_bytes: int) -> tuple[int, bytes]:
        host = f"[{self.host}]" if ":" in self.host else self.host
        headers = {
            "content-type": "application/json",
            "origin": f"http://{host}:{self.port}",
            "authorization": f"Bearer {self.word}",
        }
        connection = http.client.HTTPConnection(self.host, self.port, timeout=ASK_S)
        try:
            connection.request(method, path, body, headers)
            response = connection.getresponse()
            found = response.read(most_bytes + 1)
        except (OSError, http.client.HTTPException):
            raise ConsoleSilent(phrase(SILENT)) from None
        finally:
            connection.close()
        if len(found) > most_bytes:
            raise ConsoleSilent(phrase("That is too large to be shown at the desk. Look at the table."))
        return response.status, found


@dataclass(slots=True)
class _LookedAt:
    """What the desk looks at now."""

    looked_s: float = float("-inf")
    question: QuestionShown | None = None
    picture: tuple[str, str, bytes] = ("", "", b"")
    """The one that is on its way: the question's identity, its address, and its bytes."""
    last: int = 0
    """The highest number taken."""
    wrong: Counter[str] = field(default_factory=Counter)


class AnswersForDesk:
    """Takes what the desk asks, one message after the other. `hear` may be called from any thread."""

    def __init__(
        self, link: DeskLink, at: Membership, run: str, console: AsksConsole, *, may_answer: bool
    ) -> None:
        """`may_answer`: whether the owner lets a desk answer here."""
        self._link, self._key, self._run = link, at.key, run
        self._console, self._may_answer = console, may_answer
        self._request, self._shown = topic(at.table_id, "asked"), topic(at.table_id, "shown")
        self._seen = _LookedAt()
        self._waiting: queue.Queue[tuple[str, bytes, str]] = queue.Queue(WAITING)

    @property
    def topic(self) -> str:
        """Where the desk asks."""
        return self._request

    @property
    def warning(self) -> str:
        """What came that nobody may have sent, in a sentence; "" for nothing."""
        if forged := self._seen.wrong["forged"]:
            return phrase_count(
                "a message as the desk came without this box's key, and was not believed",
                "{count} messages as the desk came without this box's key, and were not believed",
                forged,
            )
        if self._seen.wrong["unread"]:
            return phrase("the desk asks what this box does not understand: it may be newer, or older")
        return ""

    def hear(self, where: str, body: bytes, code: str) -> None:
        """Something that claims to be from the desk."""
        with suppress(queue.Full):
            self._waiting.put_nowait((where, body, code))

    def start(self) -> None:
        """Work, on a thread of its own."""
        threading.Thread(target=self._work, name="answering", daemon=True).start()

    def _work(self) -> None:
        while True:
            with suppress(queue.Empty):
                self.take(*self._waiting.get(timeout=LOOKED_S / 2), time.monotonic())
            self.forget(time.monotonic())

    def forget(self, now_s: float) -> None:
        """Keep nothing once nobody at the desk looks."""
        if now_s > self._seen.looked_s + LOOKED_S:
            self._seen.question, self._seen.picture = None, ("", "", b"")

    def take(self, where: str, body: bytes, code: str, now_s: float) -> None:
        """Work off one message; `now_s` on a steady clock."""
        if where != self._request or len(body) > LARGEST_ASKED_BYTES:
            self._seen.wrong["unread"] += 1
            return
        if not self._link.is_from_desk(where, body, code):
            self._seen.wrong["forged"] += 1
            return
        try:
            asked: DeskAsks = decode_json(decrypt(self._key, body), DeskAsks)
        except Undecodable:
            self._seen.wrong["unread"] += 1
            return
        self.forget(now_s)
        shows = self._why_not(asked, now_s) or self._done(asked, now_s)
        self._link.send(self._shown, encrypt(self._key, msgspec.json.encode(shows)))

    def _why_not(self, asked: DeskAsks, now_s: float) -> ShowsNothing | None:
        """Why a message that is the desk's own does not count; None where it does."""
        if asked.run != self._run:
            return self._nothing(asked, phrase(EARLIER_START))
        if asked.number <= self._seen.last:
            return self._nothing(asked, phrase(CAME_BEFORE))
        self._seen.last = asked.number
        if not isinstance(asked, AsksQuestion) and now_s > self._seen.looked_s + LOOKED_S:
            return self._nothing(asked, phrase(TOO_LATE))
        return None

    def _nothing(self, asked: DeskAsks, text: str) -> ShowsNothing:
        return ShowsNothing(self._run, asked.number, self._seen.last, text)

    def _done(self, asked: DeskAsks, now_s: float) -> BoxShows:
        try:
            match asked:
                case AsksQuestion():
                    self._seen.looked_s = now_s
                    return self._question(asked)
                case AsksPiece():
                    return self._piece(asked)
                case AsksToAnswer():
                    return self._answer(asked)
        except ConsoleSilent as silent:
            return self._nothing(asked, str(silent))

    def _question(self, asked: AsksQuestion) -> ShowsQuestion:
        try:
            raw = self._console.get("/question", LARGEST_ANSWER_BYTES)
            told = decode_json(raw, QuestionReply)
        except Undecodable:
            raise ConsoleSilent(phrase(SILENT)) from None
        self._seen.question = told.question
        return ShowsQuestion(self._run, asked.number, told)

    def _piece(self, asked: AsksPiece) -> ShowsPiece | ShowsNothing:
        question = self._seen.question
        offered = [each.address for each in question.pictures] if question else []
        if question is None or asked.question != question.id or asked.address not in offered:
            return self._nothing(asked, phrase("That picture belongs to no question that waits."))
        if self._seen.picture[:2] != (question.id, asked.address):
            found = self._console.get(asked.address, LARGEST_PICTURE_BYTES)
            self._seen.picture = question.id, asked.address, found
        whole = self._seen.picture[2]
        data = whole[asked.offset : asked.offset + PIECE_BYTES]
        return ShowsPiece(self._run, asked.number, asked.address, asked.offset, len(whole), data)

    def _answer(self, asked: AsksToAnswer) -> ShowsDone:
        if not self._may_answer:
            return ShowsDone(self._run, asked.number, ok=False, text=phrase(NOT_ALLOWED))
        try:
            raw = self._console.post(address_of(AnswerQuestion), asked.answer)
            answer = decode_json(raw, _ConsoleReply)
        except Undecodable:
            raise ConsoleSilent(phrase(SILENT)) from None
        return ShowsDone(self._run, asked.number, answer.ok, answer.text)


class _ConsoleReply(msgspec.Struct, frozen=True):
    """What it says to it."""

    ok: bool
    text: str = ""


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
        self._answers = AnswersForDesk(self._link, at, run, console, may_answer=bool(console.word))
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

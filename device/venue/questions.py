"""The uplink's part in what a hall's desk asks: shows the question that waits, and brings the desk's answer.

It asks the box's own console, as a page does, so it can show nothing that a page in the room may not see; and
it answers by the word that the box gave it, where the box's owner allows that. A thread of its own does it:
the journal's rows do not wait for pictures.
"""

import http.client
import queue
import threading
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Protocol

import msgspec

from device.decode import Undecodable, decode_json
from device.requests import AnswerQuestion, address_of
from device.shown.questions import QuestionReply, QuestionShown
from device.venue.messages import (
    LARGEST_ASKED_BYTES,
    LARGEST_PICTURE_BYTES,
    LOOKED_S,
    PIECE_BYTES,
    AsksPiece,
    AsksQuestion,
    AsksToAnswer,
    BoxShows,
    DeskAsks,
    DeskLink,
    ShowsDone,
    ShowsNothing,
    ShowsPiece,
    ShowsQuestion,
    topic,
)
from engine.wording import phrase, phrase_count, phrase_later

ASK_S = 20.0
WAITING = 64
"""More messages than these do not wait: the desk asks again."""
LARGEST_ANSWER_BYTES = 200_000
SILENT = phrase_later("The box's console does not answer its own teller. Answer at the table.")
CAME_BEFORE = phrase_later("That came before, so it does not count again. Look at what waits now.")
EARLIER_START = phrase_later(
    "That was meant for the box before it was started anew. Look at what waits now, and answer again."
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
        self, link: DeskLink, table_id: str, run: str, console: AsksConsole, *, may_answer: bool
    ) -> None:
        """`may_answer`: whether the owner lets a desk answer here."""
        self._link, self._run, self._console, self._may_answer = link, run, console, may_answer
        self._request, self._shown = topic(table_id, "asked"), topic(table_id, "shown")
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
            return phrase("the desk asks what this box does not understand: it may be newer")
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
            asked: DeskAsks = decode_json(body, DeskAsks)
        except Undecodable:
            self._seen.wrong["unread"] += 1
            return
        self.forget(now_s)
        shows = self._why_not(asked, now_s) or self._done(asked, now_s)
        self._link.send(self._shown, msgspec.json.encode(shows))

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

"""What a desk may ask of a box: shown while somebody looks, answered once, and nothing without the key."""

import base64

import msgspec
import pytest

from device.requests import AnswerQuestion
from device.shown.questions import AnswerOffered, PictureOffered, QuestionReply, QuestionShown
from device.venue.membership import Membership, key_of
from device.venue.messages import (
    LARGEST_ASKED_BYTES,
    LARGEST_PICTURE_BYTES,
    LOOKED_S,
    PIECE_BYTES,
    AsksPiece,
    AsksQuestion,
    AsksToAnswer,
    BoxShows,
    ShowsDone,
    ShowsNothing,
    ShowsPiece,
    ShowsQuestion,
    decrypt,
    encrypt,
    is_sealed,
    seal,
    topic,
)
from device.venue.publishing import AnswersForDesk, ConsoleSilent

SECRET, OTHER = "ab" * 32, "cd" * 32
ASKED = topic("t1", "asked")
CLOSE_UP = "/evidence/2.jpg"
WAITS = QuestionShown(
    "q1",
    "landing",
    "5 or 10?",
    answers=(AnswerOffered(1, "it is 10"),),
    pictures=(PictureOffered("close-up", CLOSE_UP),),
)
SENTENCE = "That question does not wait any more."


class Desk:
    """The broker's end: seals as the test says, and keeps what the box shows."""

    def __init__(self) -> None:
        self.shown: list[BoxShows] = []
        self.on_the_wire = b""

    is_there = True

    def send(self, where: str, body: bytes, *, key: bytes | None = None, retain: bool = False) -> bool:
        assert (where, key, retain) == (topic("t1", "shown"), None, False), "no picture stays at the broker"
        self.on_the_wire += body
        self.shown.append(msgspec.json.decode(decrypt(key_of(SECRET), body), type=BoxShows))
        return True

    def is_from_desk(self, where: str, body: bytes, code: str) -> bool:
        return is_sealed(key_of(SECRET), where, body, code)


class Console:
    """The box's own console: one question, one picture."""

    def __init__(self) -> None:
        self.told = QuestionReply(WAITS, takes_answers=True)
        self.picture = bytes(range(256)) * 400
        self.fetched: list[str] = []
        self.done: list[AnswerQuestion] = []

    def get(self, path: str, most_bytes: int) -> bytes:
        self.fetched.append(path)
        if path == "/question":
            return msgspec.json.encode(self.told)
        if len(self.picture) > most_bytes:
            raise ConsoleSilent("too large")
        return self.picture

    def post(self, path: str, said: object) -> bytes:
        assert path == "/question/answer"
        assert isinstance(said, AnswerQuestion)
        if self.told.question is None or said.question != self.told.question.id:
            return msgspec.json.encode({"ok": False, "text": SENTENCE})
        self.done.append(said)
        self.told = QuestionReply(None, takes_answers=True)
        return b'{"ok": true, "text": ""}'


class Box:
    """An uplink whose messages the test brings."""

    def __init__(self, *, may_answer: bool = True) -> None:
        self.desk, self.console = Desk(), Console()
        at = Membership("t1", "Table 1", SECRET, "", 0, "")
        self.answers = AnswersForDesk(self.desk, at, "run", self.console, may_answer=may_answer)

    def hear(
        self, said: msgspec.Struct | bytes, at_s: float = 100.0, secret: str = SECRET
    ) -> BoxShows | None:
        """What the box shows to that; None for nothing."""
        body = encrypt(key_of(secret), said if isinstance(said, bytes) else msgspec.json.encode(said))
        before = len(self.desk.shown)
        self.answers.take(ASKED, body, seal(key_of(secret), ASKED, body), at_s)
        new = self.desk.shown[before:]
        return new[0] if new else None


ANSWER = AsksToAnswer("q1", 1, "it is 10", run="run", number=2, by="Cleo")


def test_an_answer_on_the_wire_has_the_fields_that_desks_and_boxes_of_before_know() -> None:
    assert msgspec.json.decode(msgspec.json.encode(ANSWER)) == {
        "type": "answer",
        "run": "run",
        "number": 2,
        "question": "q1",
        "by": "Cleo",
        "choice": 1,
        "words": "it is 10",
        "dice": [],
    }


def looking(*, may_answer: bool = True) -> Box:
    """A box whose question somebody at the desk looks at."""
    box = Box(may_answer=may_answer)
    shown = box.hear(AsksQuestion("run", 1))
    assert isinstance(shown, ShowsQuestion)
    assert shown.told.question == WAITS
    return box


def test_the_answer_goes_to_the_box_s_own_console() -> None:
    box = looking()
    assert box.hear(ANSWER) == ShowsDone("run", 2, ok=True)
    assert box.console.done == [AnswerQuestion("q1", 1, "it is 10", by="Cleo")]


@pytest.mark.parametrize("said", [AsksQuestion("run", 1), ANSWER, AsksPiece("run", 2, "q1", CLOSE_UP, 0)])
def test_a_message_sealed_with_another_box_s_key_does_nothing_and_is_told(said: msgspec.Struct) -> None:
    box = looking()
    fetched = list(box.console.fetched)
    assert box.hear(said, secret=OTHER) is None
    assert (box.console.done, box.console.fetched) == ([], fetched)
    assert box.answers.warning == "a message as the desk came without this box's key, and was not believed"


def test_nobody_between_box_and_desk_sees_the_picture() -> None:
    box = looking()
    box.hear(AsksPiece("run", 2, "q1", CLOSE_UP, 0))
    for seen in (base64.b64encode(box.console.picture[:300]), CLOSE_UP.encode(), WAITS.text.encode()):
        assert seen not in box.desk.on_the_wire


def test_a_question_that_is_not_encrypted_gets_nothing() -> None:
    box, body = Box(), msgspec.json.encode(AsksQuestion("run", 1))
    box.answers.take(ASKED, body, seal(key_of(SECRET), ASKED, body), 100.0)
    assert box.desk.shown == []
    assert "does not understand" in box.answers.warning


def test_a_message_that_was_sealed_for_another_place_is_not_believed() -> None:
    box, body = looking(), msgspec.json.encode(ANSWER)
    box.answers.take(ASKED, body, seal(key_of(SECRET), topic("t1", "told"), body), 100.0)
    box.answers.take(ASKED, body, "", 100.0)
    assert box.console.done == []
    assert box.answers.warning.startswith("2 messages")


def test_a_doubled_answer_is_done_once() -> None:
    box = looking()
    box.hear(ANSWER)
    box.console.told = QuestionReply(WAITS, takes_answers=True)
    again = box.hear(ANSWER)
    assert isinstance(again, ShowsNothing)
    assert "came before" in again.text
    assert len(box.console.done) == 1


def test_what_is_replayed_out_of_order_or_from_an_earlier_start_changes_nothing() -> None:
    box = looking()
    box.hear(AsksQuestion("run", 5))
    for stale in (ANSWER, msgspec.structs.replace(ANSWER, number=9, run="before")):
        shown = box.hear(stale)
        assert isinstance(shown, ShowsNothing)
        assert shown.text
        assert shown.last == 5, "so the desk can go on from there"
    assert box.console.done == []


def test_an_answer_that_comes_when_nobody_looks_any_more_is_too_late() -> None:
    box = looking()
    shown = box.hear(ANSWER, 100.0 + LOOKED_S + 1)
    assert isinstance(shown, ShowsNothing)
    assert "too late" in shown.text
    assert box.console.done == []


def test_an_answer_to_another_question_is_refused_in_the_box_s_own_sentence() -> None:
    box = looking()
    other = msgspec.structs.replace(WAITS, id="q2")
    box.console.told = QuestionReply(other, takes_answers=True)
    assert box.hear(ANSWER) == ShowsDone("run", 2, ok=False, text=SENTENCE)
    assert box.console.done == []


def test_without_the_owner_s_word_no_answer_reaches_the_console() -> None:
    box = looking(may_answer=False)
    shown = box.hear(ANSWER)
    assert isinstance(shown, ShowsDone)
    assert not shown.ok
    assert "answers = true" in shown.text
    assert box.console.done == []


@pytest.mark.parametrize(
    "body",
    [b"{", b"[]", b'{"type":"answer"}', msgspec.json.encode(ANSWER) + b" " * LARGEST_ASKED_BYTES],
    ids=["cut", "list", "bare", "too large"],
)
def test_what_is_no_question_or_too_large_does_nothing_and_is_told(body: bytes) -> None:
    box = looking()
    assert box.hear(body) is None
    assert box.console.done == []
    assert "does not understand" in box.answers.warning


def test_a_picture_comes_in_pieces_and_is_fetched_once() -> None:
    box, whole = looking(), b""
    for number in range(2, 4):
        piece = box.hear(AsksPiece("run", number, "q1", CLOSE_UP, len(whole)))
        assert isinstance(piece, ShowsPiece)
        assert len(piece.data) <= PIECE_BYTES
        assert piece.size == len(box.console.picture)
        whole += piece.data
    assert whole == box.console.picture
    assert box.console.fetched == ["/question", CLOSE_UP]


@pytest.mark.parametrize(
    ("question", "address"), [("q1", "/state"), ("q1", "/reading/1.jpg"), ("q2", CLOSE_UP)]
)
def test_nothing_is_fetched_that_does_not_belong_to_the_question(question: str, address: str) -> None:
    box = looking()
    shown = box.hear(AsksPiece("run", 2, question, address, 0))
    assert isinstance(shown, ShowsNothing)
    assert box.console.fetched == ["/question"]


def test_a_picture_that_is_too_large_is_refused() -> None:
    box = looking()
    box.console.picture = bytes(LARGEST_PICTURE_BYTES + 1)
    assert isinstance(box.hear(AsksPiece("run", 2, "q1", CLOSE_UP, 0)), ShowsNothing)


def test_nothing_is_shown_or_kept_once_nobody_looks() -> None:
    box = looking()
    box.hear(AsksPiece("run", 2, "q1", CLOSE_UP, 0))
    box.answers.forget(100.0 + LOOKED_S + 1)
    assert box.answers._seen.picture == ("", "", b"")
    shown = box.hear(AsksPiece("run", 3, "q1", CLOSE_UP, 0), 100.0 + LOOKED_S + 1)
    assert isinstance(shown, ShowsNothing)
    assert box.console.fetched == ["/question", CLOSE_UP]

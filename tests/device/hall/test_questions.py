"""The desk asks a box for its question while somebody looks, and brings a referee's answer: once, or told."""

import queue
import threading
from collections.abc import Callable, Iterator

import msgspec
import pytest

from device.hall.ingest import TableSeen, TableSpeaks
from device.hall.questions import FRESH_S, HallQuestions, QuestionUnavailable
from device.requests import AnswerQuestion, Declined, Done, Reply
from device.shown.questions import AnswerOffered, PictureOffered, QuestionReply, QuestionShown
from device.venue.messages import (
    LARGEST_PICTURE_BYTES,
    LOOKED_S,
    AsksPiece,
    AsksQuestion,
    AsksToAnswer,
    BoxShows,
    DeskAsks,
    ShowsDone,
    ShowsNothing,
    ShowsPiece,
    ShowsQuestion,
)

WAITS = QuestionShown(
    "q1",
    "landing",
    "5 or 10?",
    answers=(AnswerOffered(1, "it is 10"),),
    pictures=(PictureOffered("close-up", "/evidence/2.jpg"),),
)
JPEG = bytes(range(200)) * 3
Replies = Callable[[DeskAsks], BoxShows | None]


class Box:
    """A table whose box replies as the test says, on a thread of its own; messages it has lost stay lost."""

    def __init__(self) -> None:
        self.speaks_now: TableSpeaks | None = TableSpeaks("Table 4", True, "run", TableSeen())
        self.told = QuestionReply(WAITS, takes_answers=True)
        self.asked: list[DeskAsks] = []
        self.replies: Replies = self.reply
        self.reachable = True
        self._todo: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self.clock_s = 100.0
        self.questions = HallQuestions(self, lambda: self.clock_s, patience_s=30.0)
        self._thread = threading.Thread(target=self._work)
        self._thread.start()

    def speaks(self, box: str) -> TableSpeaks | None:
        return self.speaks_now if box == "t4" else None

    def ask(self, box: str, body: bytes) -> bool:
        assert box == "t4"
        self._todo.put(body)
        return self.reachable

    def stop(self) -> None:
        self._todo.put(None)
        self._thread.join()

    def _work(self) -> None:
        while (body := self._todo.get()) is not None:
            asked = msgspec.json.decode(body, type=DeskAsks)
            self.asked.append(asked)
            if (shows := self.replies(asked)) is not None:
                self.questions.hear("t4", msgspec.json.encode(shows))

    def reply(self, asked: DeskAsks) -> BoxShows:
        match asked:
            case AsksQuestion(run=run, number=number):
                return ShowsQuestion(run, number, self.told)
            case AsksPiece(run=run, number=number, address=address, offset=at):
                return ShowsPiece(run, number, address, at, len(JPEG), JPEG[at : at + 256])
            case AsksToAnswer(run=run, number=number):
                return ShowsDone(run, number, ok=True)


@pytest.fixture
def box() -> Iterator[Box]:
    made = Box()
    yield made
    made.stop()


def answer(box: Box) -> Reply:
    return box.questions.answer("t4", AnswerQuestion("q1", 1, "it is 10"), "Cleo")


def test_a_question_is_asked_once_for_all_who_look_and_anew_when_the_table_shows_something_new(
    box: Box,
) -> None:
    for _ in range(3):
        assert box.questions.look("t4").question == WAITS
    assert len(box.asked) == 1
    box.speaks_now = TableSpeaks("Table 4", True, "run", TableSeen(ask="landing"))
    box.questions.look("t4")
    box.clock_s += FRESH_S
    box.questions.look("t4")
    assert len(box.asked) == 3


def test_each_message_has_a_higher_number_than_the_one_before(box: Box) -> None:
    box.questions.look("t4")
    box.questions.picture("t4", "q1", 0)
    answer(box)
    numbers = [each.number for each in box.asked]
    assert numbers == sorted(set(numbers))


def test_a_picture_is_put_together_of_its_pieces_and_fetched_once(box: Box) -> None:
    box.questions.look("t4")
    assert [box.questions.picture("t4", "q1", 0) for _ in range(2)] == [JPEG, JPEG]
    assert [each.offset for each in box.asked if isinstance(each, AsksPiece)] == [0, 256, 512]


def test_nothing_is_kept_once_nobody_looks(box: Box) -> None:
    box.questions.look("t4")
    box.questions.picture("t4", "q1", 0)
    box.clock_s += LOOKED_S + 1
    box.questions.forget()
    with pytest.raises(QuestionUnavailable, match="no question that waits"):
        box.questions.picture("t4", "q1", 0)


def test_another_question_s_pictures_are_not_the_first_one_s(box: Box) -> None:
    box.questions.look("t4")
    box.questions.picture("t4", "q1", 0)
    box.told = QuestionReply(msgspec.structs.replace(WAITS, id="q2"), takes_answers=True)
    box.clock_s += FRESH_S
    box.questions.look("t4")
    with pytest.raises(QuestionUnavailable):
        box.questions.picture("t4", "q1", 0)
    box.questions.picture("t4", "q2", 0)
    assert len([each for each in box.asked if isinstance(each, AsksPiece)]) == 6


@pytest.mark.parametrize("place", [-1, 1])
def test_only_the_question_s_own_pictures_are_asked_for(box: Box, place: int) -> None:
    box.questions.look("t4")
    with pytest.raises(QuestionUnavailable):
        box.questions.picture("t4", "q1", place)
    assert len(box.asked) == 1


def test_a_box_that_claims_too_large_a_picture_is_not_believed(box: Box) -> None:
    box.questions.look("t4")
    huge = LARGEST_PICTURE_BYTES + 1
    box.replies = lambda asked: ShowsPiece("run", asked.number, "/evidence/2.jpg", 0, huge, b"x")
    with pytest.raises(QuestionUnavailable, match="too large"):
        box.questions.picture("t4", "q1", 0)


def test_the_box_s_own_sentence_comes_back(box: Box) -> None:
    box.questions.look("t4")
    assert answer(box) == Done()
    said = [each for each in box.asked if isinstance(each, AsksToAnswer)]
    assert [(each.by, each.question, each.choice, each.words) for each in said] == [
        ("Cleo", "q1", 1, "it is 10")
    ]
    box.replies = lambda asked: ShowsDone("run", asked.number, ok=False, text="It waits no more.")
    assert answer(box) == Declined("It waits no more.")


def test_a_box_that_is_away_says_so_and_is_asked_nothing(box: Box) -> None:
    box.speaks_now = TableSpeaks("Table 4", False, "run", TableSeen())
    assert "Table 4 is not connected" in answer(box).text
    with pytest.raises(QuestionUnavailable, match="Table 4 is not connected"):
        box.questions.look("t4")
    with pytest.raises(QuestionUnavailable, match="no such table"):
        box.questions.look("t5")
    assert box.asked == []


def test_a_box_that_gives_no_answer_is_told_as_unknown_and_not_as_refused(box: Box) -> None:
    box.replies = lambda _: None
    box.questions._patience_s = 0.0
    assert "did not say whether it took the answer" in answer(box).text
    with pytest.raises(QuestionUnavailable, match="does not answer"):
        box.questions.look("t4")


def test_a_broker_that_is_away_is_told(box: Box) -> None:
    box.reachable = False
    assert "broker does not answer" in answer(box).text


def test_a_desk_whose_numbers_are_behind_goes_on_from_the_box_s(box: Box) -> None:
    ahead = 10**15
    sound = box.reply

    def strict(asked: DeskAsks) -> BoxShows:
        if asked.number <= ahead:
            return ShowsNothing("run", asked.number, ahead, "That came before.")
        return sound(asked)

    box.replies = strict
    assert box.questions.look("t4").question == WAITS
    assert [each.number > ahead for each in box.asked] == [False, True]


def test_what_a_box_shows_without_being_asked_or_from_another_start_is_passed_over(box: Box) -> None:
    seen: list[int] = []

    def twice(asked: DeskAsks) -> BoxShows:
        stale = ShowsQuestion("before", asked.number, QuestionReply(None, takes_answers=True))
        for each in (stale, ShowsDone("run", asked.number + 1, ok=True)):
            box.questions.hear("t4", msgspec.json.encode(each))
        box.questions.hear("t4", b"{")
        seen.append(asked.number)
        return box.reply(asked)

    box.replies = twice
    assert box.questions.look("t4").question == WAITS
    assert len(seen) == 1

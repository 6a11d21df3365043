"""A referee at the desk in a real Chromium: the question with its pictures, the PIN, the answer."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import Browser, Page, expect
from starlette.testclient import TestClient

from device.console import ConsoleServer, Doors
from device.hall.desk import HallPage, make_hall_app
from device.hall.ingest import Heard, Ingest, wall_now
from device.hall.ledger import Invitation, KnownBox, Ledger
from device.hall.questions import HallQuestions, RefereePages, people_of_desk
from device.people.pins import PinBook, pins_path
from device.shown.questions import (
    AnswerOffered,
    DieAsked,
    PictureOffered,
    QuestionReply,
    QuestionShown,
)
from device.venue.membership import Membership, key_of
from device.venue.messages import (
    AsksPiece,
    AsksQuestion,
    AsksToAnswer,
    BoxHealth,
    BoxShows,
    DeskAsks,
    ShowsDone,
    ShowsPiece,
    ShowsQuestion,
    decrypt,
    encrypt,
    is_sealed,
    seal,
    topic,
)
from tests.device.axe import find_violations
from tests.device.console.drawn import drawn_table
from tests.device.people.page import SealedPage
from tests.waiting import eventually

ANSWERS = (
    AnswerOffered(1, "a third party says 10", "Ann 0 -> 40; Bea stays.", likeliest=True),
    AnswerOffered(0, "a third party says 5", "Ann 0 -> 20; Bea stays."),
)
CLOSE = QuestionShown(
    "q1",
    "landing",
    "Too close to call: 5 or 10?",
    "0.1 mm ± 0.4 mm from the line 5|10.",
    ANSWERS,
    (PictureOffered("close-up", "/evidence/2.jpg"), PictureOffered("whole", "/reading/2.jpg")),
)
DICE = QuestionShown(
    "q2",
    "dice",
    "One die is half hidden.",
    pictures=(PictureOffered("whole", "/reading/3.jpg"),),
    dice=(DieAsked("zoinx", "dot"), DieAsked("zoinx", None)),
    faces={"zoinx": ("dot", "square")},
    wanted="two Zoinx dice",
)
PIN = "13579"


class Hall:
    """A desk with one table, whose box is the test."""

    def __init__(self, folder: Path) -> None:
        self.ledger = Ledger.open(folder)
        self.ledger.invite(Invitation("id", "code", "Table 4", 10.0))
        found = self.ledger.take_up("id", 5.0, "2026-11-20T12:00:00+00:00")
        assert found is not None
        self.box: KnownBox = found[1]
        self.key = key_of(self.box.secret)
        self.told = QuestionReply(CLOSE, takes_answers=True)
        self.text = ""
        self.answered: list[AsksToAnswer] = []
        self.ingest = Ingest(self.ledger, self, lambda _: None)
        self.questions = HallQuestions(self.ingest)
        self.ingest.hear_reply = self.questions.hear
        self.referee = RefereePages(self.questions, people_of_desk(folder, print))
        page = HallPage(self.ledger, self.ingest, lambda *_: Membership("", "", "", "", 0, ""))
        self.app = make_hall_app(page, Doors(own_name="desk"), self.referee.routes())
        self.server = ConsoleServer(self.app, "127.0.0.1", 0)
        self.ingest.start()
        self.tell("health", msgspec.json.encode(BoxHealth("run", online=True, at=wall_now().isoformat())))
        self.wait(CLOSE.text)

    def tell(self, what: str, body: bytes) -> None:
        where = topic(self.box.id, what)
        self.ingest.hear(where, body, seal(self.key, where, body))

    def wait(self, text: str) -> None:
        """The table's snapshot says that it waits for that, and the desk knows; "" for nothing."""
        ask = "landing" if text else ""
        said = {"stage": "playing", "ask": ask, "message": {"text": text}}
        self.tell("state", msgspec.json.encode(said))
        eventually(lambda: self._knows(text), "the desk knows what the table shows")

    def _knows(self, text: str) -> bool:
        speaks = self.ingest.speaks(self.box.id)
        return speaks is not None and speaks.online and speaks.seen.message.text == text

    def send(self, where: str, body: bytes, *, key: bytes | None = None, retain: bool = False) -> bool:
        if where == topic(self.box.id, "asked"):
            assert key == self.key
            assert not retain
            asked = msgspec.json.decode(decrypt(self.key, body), type=DeskAsks)
            self.tell("shown", encrypt(self.key, msgspec.json.encode(self.shows(asked))))
        return True

    def shows(self, asked: DeskAsks) -> BoxShows:
        match asked:
            case AsksQuestion(run=run, number=number):
                return ShowsQuestion(run, number, self.told)
            case AsksPiece(run=run, number=number, address=address, offset=at):
                jpeg = drawn_table((4,))
                return ShowsPiece(run, number, address, at, len(jpeg), jpeg[at : at + 60_000])
            case AsksToAnswer(run=run, number=number):
                if self.text:
                    return ShowsDone(run, number, ok=False, text=self.text)
                self.answered.append(asked)
                self.told = QuestionReply(None, takes_answers=True)
                self.wait("")
                return ShowsDone(run, number, ok=True)

    def stop(self) -> None:
        self.server.stop()
        self.referee.close()
        self.ingest.stop()
        self.ledger.close()


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    PinBook(pins_path(tmp_path)).put("referee", PIN)
    made = Hall(tmp_path)
    yield made
    made.stop()


@pytest.fixture
def page(hall: Hall, chromium: Browser) -> Iterator[Page]:
    """The desk's page; afterwards nothing was logged as wrong."""
    hall.server.start()
    context, trouble = chromium.new_context(viewport={"width": 1280, "height": 900}), list[str]()
    opened = context.new_page()
    opened.on(
        "console", lambda said: trouble.append(said.text) if said.type in ("error", "warning") else None
    )
    opened.on("pageerror", lambda error: trouble.append(str(error)))
    opened.goto(hall.server.address)
    yield opened
    context.close()
    assert trouble == []


def look(page: Page) -> None:
    page.get_by_role("button", name="Look at Table 4").click()
    expect(page.locator("#question .text")).not_to_be_empty()


def sign_in(page: Page) -> None:
    page.locator("#open-sign").click()
    page.locator("#sign [name=pin]").fill(PIN)
    page.locator("#sign [name=name]").fill("Cleo")
    page.locator("#sign .main").click()
    expect(page.locator("#open-sign")).to_have_text("Referee Cleo")


@pytest.mark.chromium
def test_a_referee_answers_with_the_pictures_before_their_eyes(page: Page, hall: Hall) -> None:
    sign_in(page)
    look(page)
    expect(page.locator("#question-title")).to_have_text("Table 4: To be decided")
    expect(page.locator("#question .answers button b")).to_have_text([each.words for each in ANSWERS])
    expect(page.locator("#question .answers span")).to_have_text([each.changes for each in ANSWERS])
    for image in page.locator("#question .pictures img").all():
        expect(image).to_have_js_property("naturalWidth", 1280)
    assert find_violations(page) == []
    page.locator("#question .answers button").first.click()
    expect(page.locator("#question .done")).to_have_text("Done: Table 4 has taken it.")
    expect(page.locator("#question-title")).to_have_text("Table 4: Nothing waits there")
    expect(page.locator("#question .pictures img")).to_have_count(0)
    said = [(each.question, each.by, each.choice, each.words) for each in hall.answered]
    assert said == [("q1", "Cleo", 1, "a third party says 10")]


@pytest.mark.chromium
def test_who_has_no_pin_looks_on(page: Page, hall: Hall) -> None:
    look(page)
    expect(page.locator("#question .pictures img")).to_have_count(2)
    expect(page.locator("#question .why")).to_have_text("Who has the desk’s PIN may answer from here.")
    expect(page.locator("#question .answers button")).to_have_count(0)
    expect(page.locator("#question .sign")).to_be_visible()
    hall.told = QuestionReply(CLOSE, takes_answers=False)
    hall.wait("Too close to call, again.")
    expect(page.locator("#question .why")).to_contain_text("answers = true")
    assert find_violations(page) == []


@pytest.mark.chromium
def test_a_refusal_is_told_in_the_box_s_own_sentence(page: Page, hall: Hall) -> None:
    hall.text = "That question does not wait any more."
    sign_in(page)
    look(page)
    page.locator("#question .answers button").last.click()
    expect(page.locator("#question .done")).to_have_text(hall.text)
    assert hall.answered == []


@pytest.mark.chromium
def test_dice_are_said_one_by_one(page: Page, hall: Hall) -> None:
    hall.told = QuestionReply(DICE, takes_answers=True)
    sign_in(page)
    look(page)
    dice = page.locator("#question select")
    expect(dice.first).to_have_value("zoinx dot")
    page.get_by_role("button", name="Save correction").click()
    assert hall.answered == [], "one die was not said"
    dice.last.select_option("square")
    assert find_violations(page) == []
    page.get_by_role("button", name="Save correction").click()
    expect(page.locator("#question .done")).to_contain_text("Done")
    assert hall.answered[0].dice == (DieAsked("zoinx", "dot"), DieAsked("zoinx", "square"))


@pytest.mark.chromium
def test_the_box_is_asked_no_more_once_the_question_is_closed(page: Page, hall: Hall) -> None:
    look(page)
    page.locator("#question").get_by_role("button", name="Close", exact=True).click()
    expect(page.locator("#question")).to_be_hidden()
    assert page.evaluate("document.querySelectorAll('#question img').length") == 0


def client(hall: Hall) -> TestClient:
    return TestClient(hall.app, base_url="http://127.0.0.1:8090", client=("127.0.0.1", 5000))


SAID = {"question": "q1", "choice": 1, "words": "a third party says 10"}


def test_only_who_gave_the_pin_answers(hall: Hall) -> None:
    at_desk = client(hall)
    viewer, said = SealedPage(at_desk), {"table": hall.box.id, **SAID}
    assert "Only the referee may answer for a table" in viewer.post("/answers", said)["text"]
    own = {"origin": "http://127.0.0.1:8090"}
    assert at_desk.post("/answers", json=said, headers=own).status_code == 403
    assert not viewer.post("/sign-in", {"office": "referee", "pin": "0000", "name": "Eve"})["ok"]
    assert viewer.post("/sign-in", {"office": "referee", "pin": PIN, "name": "Cleo"})["ok"]
    assert viewer.post("/answers", said) == {"ok": True, "text": ""}
    assert len(hall.answered) == 1


def test_a_letter_that_was_sent_before_does_not_answer_again(hall: Hall) -> None:
    page = SealedPage(client(hall))
    page.post("/sign-in", {"office": "referee", "pin": PIN, "name": "Cleo"})
    page.post("/answers", {"table": hall.box.id, **SAID})
    sent = page.sent
    assert "was sent before" in page.send("/answers", sent)["text"]
    assert len(hall.answered) == 1


def test_another_site_s_page_answers_nothing(hall: Hall) -> None:
    at_desk = client(hall)
    page = SealedPage(at_desk)
    page.post("/sign-in", {"office": "referee", "pin": PIN, "name": "Cleo"})
    letter = page.envelope("/answers", {"table": hall.box.id, **SAID})
    foreign = at_desk.post("/answers", json=letter, headers={"origin": "http://evil.test"})
    assert foreign.status_code == 403
    assert hall.answered == []


def test_wrong_pins_are_counted_and_the_desk_says_where_its_own_is_set(hall: Hall) -> None:
    page = SealedPage(client(hall))
    guess = {"office": "referee", "pin": "0000", "name": ""}
    assert "callbox desk pin" in page.post("/sign-in", guess)["text"]
    for _ in range(4):
        page.post("/sign-in", guess)
    assert "Too many wrong PINs" in page.post("/sign-in", {**guess, "pin": PIN})["text"]


def test_a_desk_without_a_pin_says_how_to_set_one(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    try:
        said = SealedPage(client(hall)).post("/sign-in", {"office": "referee", "pin": PIN, "name": ""})
    finally:
        hall.stop()
    assert "No PIN is set for the desk's referee" in said["text"]


def test_a_picture_of_no_question_is_not_shown(hall: Hall) -> None:
    at_desk = client(hall)
    assert at_desk.get(f"/tables/{hall.box.id}/question").json()["told"]["question"]["id"] == "q1"
    assert at_desk.get(f"/tables/{hall.box.id}/pictures/0.jpg?of=q1").content == drawn_table((4,))
    endless = f"pictures/{'9' * 5000}.jpg?of=q1"
    for path in ("pictures/2.jpg?of=q1", "pictures/0.jpg?of=q2", endless):
        assert at_desk.get(f"/tables/{hall.box.id}/{path}").status_code == 404
    assert not at_desk.get("/tables/nobody/question").json()["ok"]


def test_a_picture_that_is_not_encrypted_is_not_shown(hall: Hall) -> None:
    where, body = topic(hall.box.id, "shown"), msgspec.json.encode(ShowsDone("run", 1, ok=True))
    heard: list[bytes] = []
    hall.ingest.hear_reply = lambda _, body: heard.append(body)
    for each in (body, encrypt(key_of("00" * 32), body), encrypt(hall.key, body)):
        hall.ingest._take_in([Heard(hall.box.id, "shown", where, each, seal(hall.key, where, each))])
    assert heard == [body]


def test_a_forged_picture_is_not_believed(hall: Hall) -> None:
    where, body = topic(hall.box.id, "shown"), msgspec.json.encode(ShowsDone("run", 1, ok=True))
    heard: list[bytes] = []
    hall.ingest.hear_reply = lambda _, body: heard.append(body)
    forged = seal(key_of("00" * 32), where, body)
    assert not is_sealed(hall.key, where, body, forged)
    hall.ingest._take_in([Heard(hall.box.id, "shown", where, body, forged)])
    assert heard == []
    assert "without its key" in " ".join(hall.ingest.lines(-1)[0].troubles)

"""What waits for a referee, as the console tells it, and the door by which a box's uplink answers."""

from typing import Any

import msgspec
import pytest
from starlette.testclient import TestClient

from device.console.app import ConsoleSettings, make_app
from device.people.actor import Actor
from device.requests import AnswerQuestion, Declined, Done, PreviewRuling
from device.shown.questions import DieAsked, QuestionReply, QuestionShown
from device.shown.snapshot import ChoiceShown, LandingShown, MessageShown
from device.shown.throws import ThrowShown, ThrowsShown
from engine.dice import Die
from engine.events import Landed, Refereed
from tests.device.console.fake_box import HERE, HOME, FakeBox, PlayingBox, preview_of, rolling, table_of

WORD = "the uplink's word"


def bearing(word: str, origin: str = HOME) -> dict[str, str]:
    return {"origin": origin, "authorization": f"Bearer {word}"}


OWN = bearing(WORD)
LANDED = {"event": "landed", "value": 4, "zone": 10}
CHOICES = (
    ChoiceShown("one die shows 1: 10", by_die=True),
    ChoiceShown("a third party says 5", event={**LANDED, "zone": 5}),
    ChoiceShown("a third party says 10", event=LANDED),
)


def asked(number: int = 2) -> FakeBox:
    """A desk at which a landing is too close to call; the measurement speaks for 10."""
    playing = PlayingBox()
    playing.start("end-zone", ("Ann", "Bea"), {})
    desk = FakeBox(playing.shown)
    assert desk.shown.game is not None
    log = ThrowShown(1, "", "Ann", "", "asked", asked="Too close: 5 or 10?", likeliest=CHOICES[2].words)
    desk.thrown = ThrowsShown(1, 1, (log,))
    desk.replies[PreviewRuling] = Done("Ann 0 -> 40; Bea stays.")
    landing = LandingShown(number, "asked", value=4, gap="gap 0.1 mm", note="it leans", evidence="1/2-2.jpg")
    game = msgspec.structs.replace(desk.shown.game, choices=CHOICES)
    desk.show(game=game, ask="landing", landing=landing, message=MessageShown("refused just now", "refused"))
    return desk


def client_of(desk: FakeBox, word: str = WORD, at: tuple[str, int] = HERE) -> TestClient:
    return TestClient(make_app(desk, ConsoleSettings(uplink_word=word)), base_url=HOME, client=at)


def question(client: TestClient) -> QuestionShown:
    found = msgspec.json.decode(client.get("/question").content, type=QuestionReply).question
    assert found is not None
    return found


def body(waits: QuestionShown, **changes: Any) -> dict[str, Any]:
    first = waits.answers[0]
    return {"question": waits.id, "choice": first.choice, "words": first.words, "by": "Cleo", **changes}


def test_the_question_has_its_answers_the_likeliest_first_and_what_each_changes() -> None:
    desk = asked()
    waits = question(client_of(desk))
    assert waits.text == "Too close: 5 or 10?"
    assert waits.measured == "gap 0.1 mm it leans"
    assert [(each.choice, each.likeliest) for each in waits.answers] == [(2, True), (1, False), (0, False)]
    assert [each.changes for each in waits.answers] == ["Ann 0 -> 40; Bea stays."] * 2 + [""]
    assert [each.address for each in waits.pictures] == ["/evidence/2.jpg", "/reading/2.jpg"]
    desk.hears(*(preview_of(Refereed(landed=Landed(value=4, zone=zone), reason="?")) for zone in (10, 5)))
    question(client_of(desk))
    assert question(client_of(asked(3))).id != waits.id, "the same question about another throw is another"


def test_nothing_waits_while_nothing_is_asked_or_the_game_is_paused() -> None:
    desk = asked()
    client = client_of(desk)
    desk.show(paused=True)
    assert client.get("/question").json()["question"] is None
    desk.show(paused=False, ask="")
    game = desk.shown.game
    assert game is not None
    desk.show(game=msgspec.structs.replace(game, choices=()))
    assert client.get("/question").json()["question"] is None


def test_only_the_answers_about_the_dot_are_offered_where_it_is_asked_about() -> None:
    desk = asked()
    assert desk.shown.game is not None
    dot = ChoiceShown("the dot is covered", event={"event": "confirmed", "covered": True})
    game = msgspec.structs.replace(desk.shown.game, choices=(CHOICES[1], dot))
    desk.show(game=game, ask="")
    waits = question(client_of(desk))
    assert (waits.kind, [each.choice for each in waits.answers]) == ("dot", [1])


def test_dice_that_cannot_be_read_are_asked_for_with_the_faces_that_they_may_show() -> None:
    desk = rolling()
    table = table_of([Die("zoinx", "dot"), Die("pip", 3)], 7, unread=("half hidden",))
    desk.show(ask="correct", table=table, message=MessageShown("One die is half hidden.", "unsure"))
    client = client_of(desk)
    waits = question(client)
    assert (waits.kind, waits.answers) == ("dice", ())
    assert [(die.kind, die.value) for die in waits.dice] == [
        ("zoinx", "dot"),
        ("zoinx", None),
        ("zoinx", None),
    ]
    assert waits.faces == {"zoinx": ("dot", "square")}
    assert [each.address for each in waits.pictures] == ["/reading/7.jpg"]
    plain: FakeBox = FakeBox(desk.shown)
    answered = {"question": waits.id, "by": "Cleo", "dice": [{"kind": "zoinx", "value": "dot"}]}
    assert client_of(plain).post("/question/answer", json=answered, headers=OWN).json()["ok"]
    plain.hears(AnswerQuestion(waits.id, dice=(DieAsked("zoinx", "dot"),), by="Cleo"))


def test_the_uplink_answers_the_very_question_as_the_desk_s_referee() -> None:
    desk = asked()
    client = client_of(desk)
    waits = question(client)
    answer = client.post("/question/answer", json=body(waits), headers=OWN)
    assert (answer.status_code, answer.json()) == (200, {"ok": True, "text": ""})
    assert desk.said(AnswerQuestion) == [AnswerQuestion(waits.id, 2, CHOICES[2].words, by="Cleo")]
    assert desk.by == [Actor("desk", "Cleo")]
    assert desk.by[0].words == "desk: Cleo"


def test_what_the_table_declines_is_told_to_the_uplink() -> None:
    desk = asked()
    desk.replies[AnswerQuestion] = Declined("That question does not wait any more.")
    client = client_of(desk)
    answer = client.post("/question/answer", json=body(question(client)), headers=OWN)
    assert answer.json() == {"ok": False, "text": "That question does not wait any more."}


def test_the_door_opens_to_the_box_s_own_uplink_alone() -> None:
    desk = asked()
    good = body(question(client_of(desk)))
    far = client_of(desk, at=("192.168.1.30", 50_000)).post("/question/answer", json=good, headers=OWN)
    guessed = client_of(desk).post("/question/answer", json=good, headers=bearing("guess"))
    foreign = client_of(desk).post("/question/answer", json=good, headers=bearing(WORD, "http://evil.test"))
    assert [each.status_code for each in (far, guessed, foreign)] == [403, 403, 403]
    assert not desk.said(AnswerQuestion)


def test_a_box_whose_owner_allows_no_answers_has_no_door() -> None:
    desk = asked()
    client = client_of(desk, word="")
    assert not client.get("/question").json()["takes_answers"]
    answer = client.post("/question/answer", json=body(question(client)), headers=bearing(""))
    assert answer.status_code in (404, 405)
    assert not desk.said(AnswerQuestion)


@pytest.mark.parametrize("raw", [b"{", b"[]", b'{"question": 7}', b"x" * 20_000])
def test_what_is_no_answer_is_refused(raw: bytes) -> None:
    headers = {**OWN, "content-type": "application/json"}
    answer = client_of(asked()).post("/question/answer", content=raw, headers=headers)
    assert answer.status_code in (400, 413, 422)
    assert answer.json()["text"]

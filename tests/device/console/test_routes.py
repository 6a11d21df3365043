"""Every address of the console: what it answers, what it asks of the desk, and whom it turns away."""

import hashlib
import json
import re
from typing import get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.routing import Route
from starlette.testclient import TestClient

from device.console.app import make_app
from device.console.button_holds import REMEMBERED, Fingers
from device.console.pages import STATIC, TEMPLATES, qr_svg
from device.people.permissions import Permission
from device.requests import (
    BUTTONS,
    ApplyRuling,
    BoxRequest,
    ConsoleRequest,
    Correct,
    Declined,
    LockBet,
    PressButton,
    Secrecy,
    StartGame,
    address_of,
)
from device.shown.snapshot import Snapshot
from engine.dice import Die
from engine.events import Landed, Refereed, Ruled
from engine.game import Rulebook
from engine.rulebooks import RULEBOOKS
from tests.device.console.fake_box import HERE, HOME, STALE, FakeBox, PlayingBox, console, rule_of

OWN = {"origin": HOME}
GOOD = {
    "/pins/stop": {"down": True},
    "/bets": {"player": "Ann", "dots": 4},
    "/choices": {"choice": 2, "words": "three 1s and a 5"},
    "/correct": {"dice": [{"kind": "zoinx", "value": "dot"}, {"kind": "zoinx", "value": "square"}]},
    "/correct/preview": {"dice": [{"kind": "pip", "value": 4}], "reason": "a thumb", "roll": 3},
    "/games": {"game": "zoinx", "players": ["Ann", "Ben"], "options": {"edition": "game-factory"}},
    "/games/pause": {"game_id": 7},
    "/games/go-on": {"game_id": 7},
    "/games/put-away": {"game_id": 7},
    "/games/take-up": {"game_id": 3},
    "/games/abandon": {"game_id": 3},
    "/rulings": {"event": {"event": "ruled", "zone": 10, "by": "Cleo"}},
    "/rulings/preview": {"event": {"event": "ruled", "zone": 10, "by": "Cleo"}},
    "/sign-off": {"game_id": 7},
    "/sign-off/open": {"game_id": 7, "reason": "a die was misread"},
    "/tournament/draw": {"title": "Cup", "kind": "single", "players": ["Ann", "Ben"], "game": "tray"},
    "/tournament/begin": {"match": 2},
    "/tournament/take-back": {"match": 2, "reason": "a die was lost"},
    "/tournament/close": {},
    "/call/begin": {"call": "c0ffee"},
    "/call/refuse": {"call": "c0ffee", "reason": "the mat is wet"},
    "/no-hand": {},
    "/restore": {},
    "/hand/acts": {"act": "throw"},
    "/hand/choices": {"choice": 2, "words": "three 1s and a 5"},
}
"""What pages ask of the box and of a simulated table's hand, by the address."""
SEATS = {
    "/me": {},
    "/sign-in": {"office": "host", "pin": "1234", "name": "Cleo"},
    "/leave": {},
    "/sit": {"token": "abc", "pin": "1234"},
    "/seats": {},
    "/seats/back": {"player": "Ann"},
    "/persons": {"name": "Ann", "color": "red"},
    "/persons/forget": {"name": "Ann"},
    "/setup/look": {},
    "/setup/do": {"step": "camera"},
    "/settings/look": {},
    "/settings/change": {"values": {"language": "de"}},
    "/settings/restart": {},
    "/maintenance/look": {},
    "/maintenance/check": {},
    "/maintenance/receive": {"name": "callbox-0.4.0.tar.gz", "size_bytes": 90_000_000},
    "/maintenance/roll-back": {},
}
"""What asks nothing of the box: see test_who_may.py, tests/device/people and test_setup_page.py."""


def request_of(path: str) -> BoxRequest:
    """What that address is to make of its example."""
    kind = next(kind for kind in get_args(ConsoleRequest) if path in {address_of(kind), KINDS.get(kind)})
    asked: BoxRequest = msgspec.convert({**GOOD, **SEATS}[path], kind)
    return msgspec.structs.replace(asked, button="stop") if isinstance(asked, PressButton) else asked


KINDS = {PressButton: "/pins/stop"}


def test_every_request_has_an_address_an_example_a_permission_and_words() -> None:
    by_address = {KINDS.get(kind, address_of(kind)): kind for kind in get_args(ConsoleRequest)}
    assert len(by_address) == len(get_args(ConsoleRequest)), "two requests at one address"
    assert set(by_address) == {*GOOD, *SEATS, "/question/answer"}
    for path, kind in by_address.items():
        assert issubclass(kind, BoxRequest), path
        assert kind.permission in get_args(Permission), path
        assert kind.verb, path
        assert kind.secrecy in get_args(Secrecy), path
        assert (kind.__doc__ or "").strip().endswith("."), path
    routes = [route for route in make_app(FakeBox()).routes if isinstance(route, Route)]
    posts = {route.path.replace("{button}", "stop") for route in routes if "POST" in (route.methods or ())}
    assert posts == {*GOOD, *SEATS}


def test_a_good_request_reaches_the_box_as_it_was_meant() -> None:
    for path, example in GOOD.items():
        desk = FakeBox()
        response = console(desk).post(path, json=example, headers=OWN)
        assert (response.status_code, response.json()) == (200, {"ok": True, "text": ""}), path
        assert desk.asked == [request_of(path)], path
    assert request_of("/correct") == Correct((Die("zoinx", "dot"), Die("zoinx", "square")))
    assert request_of("/games") == StartGame("zoinx", ("Ann", "Ben"), {"edition": "game-factory"})


def test_a_request_says_its_own_tag_or_none() -> None:
    """Pages may post the very JSON of the tagged union."""
    client = console(FakeBox())
    tagged = {"request": "bets", "player": "Ann", "dots": 4}
    assert client.post("/bets", json=tagged, headers=OWN).json()["ok"]
    assert client.post("/bets", json={**tagged, "request": "games"}, headers=OWN).status_code == 422


def test_what_the_table_refuses_is_said_in_its_own_words() -> None:
    desk = FakeBox()
    desk.replies[LockBet] = Declined("Ann has locked a bet already.")
    response = console(desk).post("/bets", json=GOOD["/bets"], headers=OWN)
    assert (response.status_code, response.json()) == (
        200,
        {"ok": False, "text": "Ann has locked a bet already."},
    )


def test_a_choice_that_was_overtaken_is_refused_with_its_sentence() -> None:
    desk = PlayingBox()
    desk.start("ten-thousand", ("Ann", "Ben"), {"first": "named"})
    desk.read((1, 1, 1, 5, 2, 3))
    assert desk.shown.game is not None
    seen = {"choice": 0, "words": desk.shown.game.choices[0].words}
    desk.request(PressButton(down=False, button="undo"))
    desk.read((1, 2, 2, 3, 3, 4))
    before = desk.shown
    response = console(desk).post("/choices", json=seen, headers=OWN)
    assert (response.status_code, response.json()) == (200, {"ok": False, "text": STALE})
    assert desk.shown == before
    assert console(desk).post("/choices", json={"choice": 0, "words": "a 1"}, headers=OWN).json()["ok"]


@pytest.mark.parametrize("path", ["/hand/acts", "/hand/choices"])
def test_a_real_table_has_no_hand_but_its_players(path: str) -> None:
    desk = FakeBox()
    real = TestClient(make_app(desk), base_url=HOME, client=HERE)
    said = real.post(path, json=GOOD[path], headers=OWN).json()
    assert not said["ok"]
    assert said["text"].startswith("This is a real table: ")
    assert said["text"].endswith(" by hand.")
    assert desk.asked == []


BAD = [
    ("/bets", b"", 400, "JSON"),
    ("/bets", b"\xff\xfe", 400, "JSON"),
    ("/bets", b"[" * 9000, 422, "object"),
    ("/bets", b'{"more": ' + b"[" * 9000, 422, "more"),
    ("/bets", b"[]", 422, "object"),
    ("/bets", b'{"player": "Ann"}', 422, "dots"),
    ("/bets", b'{"player": "Ann", "dots": "4"}', 422, "dots"),
    ("/bets", b'{"player": "Ann", "dots": 4.5}', 422, "dots"),
    ("/bets", b'{"player": "Ann", "dots": NaN}', 400, "JSON"),
    ("/bets", b'{"player": "Ann", "dots": 1e999}', 422, "a number beyond"),
    ("/bets", b'{"player": "Ann", "dots": -2}', 422, "dots"),
    ("/bets", b'{"player": "Ann", "dots": true}', 422, "dots"),
    ("/bets", b'{"player": "", "dots": 4}', 422, "player"),
    ("/bets", b'{"player": "Ann", "dots": 4, "more": 1}', 422, "more"),
    ("/choices", b'{"choice": 0}', 422, "words"),
    ("/choices", b'{"choice": 0, "words": ""}', 422, "words"),
    ("/choices", b'{"choice": -1, "words": "1"}', 422, "choice"),
    ("/choices", b'{"choice": "0", "words": "1"}', 422, "choice"),
    ("/choices", b'{"choice": true, "words": "1"}', 422, "choice"),
    ("/choices", b'{"choice": 0, "words": "1", "points": 9}', 422, "points"),
    ("/pins/stop", b'{"down": 1}', 422, "down"),
    ("/pins/siren", b'{"down": true}', 404, "siren"),
    ("/correct", b'{"dice": [{"kind": "pip", "value": 4}], "roll": -1}', 422, "roll"),
    ("/correct/preview", b'{"dice": [{"kind": "pip", "value": 4}], "roll": "last"}', 422, "roll"),
    ("/correct/preview", b'{"dice": [{"kind": "pip", "value": 7}]}', 422, "pip die shows"),
    ("/correct", b'{"dice": []}', 422, "dice"),
    ("/correct", b'{"dice": [{"kind": "pip", "value": 7}]}', 422, "pip die shows"),
    ("/correct", b'{"dice": [{"kind": "coin", "value": 1}]}', 422, "coin"),
    ("/correct", b'{"dice": [{"kind": "pip", "value": true}]}', 422, "value"),
    ("/games", b'{"game": "zoinx", "players": "Ann"}', 422, "players"),
    ("/hand/acts", b'{"act": null}', 422, "act"),
    ("/hand/acts", b'{"act": "' + b"x" * 20_000 + b'"}', 413, "too long"),
]


@pytest.mark.parametrize(
    ("path", "content", "status", "word"), BAD, ids=[f"{p}-{b[:40]!r}" for p, b, _, _ in BAD]
)
def test_bad_input_gets_a_sentence_and_moves_nothing(
    path: str, content: bytes, status: int, word: str
) -> None:
    desk = FakeBox()
    headers = {**OWN, "content-type": "application/json"}
    response = console(desk).post(path, content=content, headers=headers)
    assert response.status_code == status
    answer = response.json()
    assert not answer["ok"]
    assert word in answer["text"]
    assert answer["text"].endswith(".")
    assert desk.asked == []


@given(
    path=st.sampled_from(sorted(GOOD)), content=st.binary(max_size=200) | st.text(max_size=80).map(str.encode)
)
def test_no_bytes_at_all_break_it(path: str, content: bytes) -> None:
    headers = {**OWN, "content-type": "application/json"}
    response = console(FakeBox()).post(path, content=content, headers=headers)
    assert response.status_code in (200, 400, 422)


@pytest.mark.parametrize(
    "path", ["/nothing", "/static/../app.py", "/static/%2e%2e/app.py", "/reading/x.jpg", "/static/"]
)
def test_what_is_not_there_is_said(path: str) -> None:
    response = console(FakeBox()).get(path)
    assert response.status_code == 404
    assert response.json()["text"].startswith("The console has nothing at")


def test_whoever_opens_an_address_that_is_none_gets_a_page() -> None:
    response = console(FakeBox()).get("/no/such", headers={"accept": "text/html,*/*"})
    assert response.status_code == 404
    assert 'href="../">To the table' in response.text


def test_whoever_opens_the_tournament_s_data_gets_its_page() -> None:
    client = console(FakeBox())
    opened = client.get("/tournament", headers={"accept": "text/html,*/*;q=0.8"}, follow_redirects=False)
    assert (opened.status_code, opened.headers["location"]) == (307, "./?tournament")
    assert client.get("/tournament").headers["content-type"] == "application/json"


def test_a_wrong_method_is_said() -> None:
    response = console(FakeBox()).get("/bets")
    assert response.status_code == 405
    assert response.json()["text"] == "/bets does not take GET."


def test_the_state_is_the_snapshot_and_nothing_else() -> None:
    desk = PlayingBox()
    desk.start("zoinx", ("Ann", "Ben"), {})
    desk.bet("Ann", 8)
    response = console(desk).get("/state")
    assert msgspec.json.decode(response.content, type=Snapshot) == desk.shown
    assert response.json()["game"]["bets"] == ["locked", "thinking"]
    assert "8" not in json.dumps({**response.json()["game"], "allowed": []})


def test_the_picture_is_sent_once_and_then_known() -> None:
    desk = FakeBox()
    client = console(desk)
    first = client.get("/picture.jpg")
    assert first.content == desk.jpeg
    assert first.headers["cache-control"] == "no-store"
    again = client.get("/picture.jpg", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    desk.jpeg = b"\xff\xd8 another"
    assert client.get("/picture.jpg", headers={"if-none-match": first.headers["etag"]}).content == desk.jpeg
    desk.jpeg = None
    assert client.get("/picture.jpg").status_code == 204


def test_the_picture_that_was_read_is_kept_by_its_number() -> None:
    desk = FakeBox()
    desk.readings[3] = b"\xff\xd8 third"
    assert console(desk).get("/reading/3.jpg").content == b"\xff\xd8 third"
    gone = console(desk).get("/reading/2.jpg")
    assert (gone.status_code, gone.json()["text"]) == (404, "That picture is not kept any more.")


def test_a_page_says_of_which_game_it_asks() -> None:
    """By the time that its question comes, the next game may have begun."""
    desk = FakeBox()
    client = console(desk)
    for kind in ("/reading/3.jpg", "/evidence/3.jpg", "/film/3.mp4"):
        for of in ("?of=12/12/3.jpg", "?of=12", "?of=null/3", "?of=-1", ""):
            client.get(f"{kind}{of}")
    assert desk.games_asked == [12, 12, None, None, None] * 3


def test_each_player_has_a_code_of_their_own() -> None:
    desk = FakeBox()
    desk.show(address="http://192.168.1.7:8080/")
    client = console(desk)
    queries = ("", "?play", "?player=Ann", "?player=Zo%C3%AB", "?game=12")
    codes = [client.get(f"/qr.svg{query}") for query in queries]
    assert {code.headers["content-type"] for code in codes} == {"image/svg+xml"}
    assert all(code.text.startswith("<svg") and "http://www.w3.org/2000/svg" in code.text for code in codes)
    assert len({code.text for code in codes}) == 5
    assert codes[4].content == qr_svg("http://192.168.1.7:8080/games/12")


def test_an_older_code_of_a_player_leads_to_the_players_page() -> None:
    client = console(FakeBox())
    gone_on = client.get("/?player=Zo%C3%AB", follow_redirects=False)
    assert gone_on.headers["location"] == "play?player=Zo%C3%AB"
    assert "player.js" in client.get("/?player=Zo%C3%AB").text


def test_every_answer_forbids_what_the_page_does_not_need() -> None:
    client = console(FakeBox())
    for path in ("/", "/state", "/static/main.js", "/nothing", "/qr.svg"):
        headers = client.get(path).headers
        assert headers["content-security-policy"].startswith(
            "default-src 'none'; script-src 'self'; style-src 'self'"
        )
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cross-origin-resource-policy"] == "same-origin"
        assert headers["cache-control"] in ("no-store", "no-cache")
        assert "access-control-allow-origin" not in headers
        assert "server" not in headers


FILES = sorted(path for folder in (STATIC, TEMPLATES) for path in folder.rglob("*") if path.is_file())


def test_the_page_needs_nothing_from_elsewhere() -> None:
    wanting = {}
    for path in FILES:
        text = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
        foreign = re.findall(r"(?:https?:)?//[a-z0-9.]+\.[a-z]+", text)
        if path.suffix == ".html":
            foreign += re.findall(r"<style|\sstyle=|\son[a-z]+=|<script(?![^>]*\ssrc=)", text)
        if foreign:
            wanting[path.name] = foreign
    assert wanting == {}


def test_the_page_seals_with_the_published_tweetnacl() -> None:
    """Version 1.0.3 as it stands in the npm registry; whoever brings a newer one says so here."""
    digest = hashlib.sha256((STATIC / "nacl.min.js").read_bytes()).hexdigest()
    assert digest == "973cc5733cc7432e30ee4682098f413094f494bccf76a567c23908c5035ddbbc"


def test_the_page_knows_the_panels_buttons() -> None:
    text = (STATIC / "game.js").read_text(encoding="utf-8")
    for button in BUTTONS:
        assert f'"{button}"' in text


REFEREED = {"event": "refereed", "landed": {"event": "landed", "value": 4, "zone": 20}, "reason": "seen"}


def test_rulings_reach_the_desk_as_events() -> None:
    desk = FakeBox()
    client = console(desk)
    for event in ({"event": "ruled", "zone": 10, "by": "Cleo"}, REFEREED):
        assert client.post("/rulings", json={"event": event}, headers=OWN).json()["ok"]
    assert desk.said(ApplyRuling) == [
        rule_of(Ruled(zone=10, by="Cleo")),
        rule_of(Refereed(landed=Landed(value=4, zone=20), reason="seen")),
    ]


@pytest.mark.parametrize(
    ("event", "why"),
    [
        ({"event": "stop"}, "A ruling is an event ruled"),
        ({"event": "ruled", "zone": 7}, "zone is one of"),
        ({**REFEREED, "reason": " "}, "a referee says why"),
        ({}, "event is"),
    ],
)
def test_what_is_no_ruling_is_refused_with_the_reason(event: dict[str, object], why: str) -> None:
    desk = FakeBox()
    answer = console(desk).post("/rulings", json={"event": event}, headers=OWN)
    assert answer.status_code == 422
    assert why in answer.json()["text"]
    assert desk.said(ApplyRuling) == []


def test_close_ups_are_pictures_while_they_are_kept() -> None:
    desk = FakeBox()
    desk.close_ups[3] = b"a jpeg"
    assert console(desk).get("/evidence/3.jpg").content == b"a jpeg"
    gone = console(desk).get("/evidence/4.jpg")
    assert (gone.status_code, gone.json()["ok"]) == (404, False)


@pytest.mark.parametrize("book", RULEBOOKS.values(), ids=RULEBOOKS)
def test_a_game_begins_with_every_seat_taken_and_every_option_named(book: Rulebook) -> None:
    """A request may be as long as the longest game that can be agreed."""
    names = [f"Player {seat}" for seat in range(1, book.seats.stop)]
    longest = {"youngest": names[0], "minus": "+".join(map(str, range(1000, 1000 - len(names), -1)))}
    options = {key: longest.get(key) or (values or ("100",))[0] for key, values in book.options.items()}
    asked = {"game": book.name, "players": names, "options": options}
    assert msgspec.convert(asked, StartGame).options == options


def test_two_fingers_press_a_button_once() -> None:
    fingers = Fingers()
    assert [fingers.put("stop", "a"), fingers.put("stop", "b")] == [True, False]
    assert [fingers.lift("stop", "a"), fingers.lift("stop", "b")] == [False, True]
    assert fingers.put("stop", "c")


def test_a_press_that_comes_after_its_release_never_lands() -> None:
    fingers = Fingers()
    assert not fingers.lift("bet1", "a")
    assert not fingers.put("bet1", "a")
    assert fingers.put("bet1", "b")


def test_a_press_without_a_finger_can_be_repeated() -> None:
    fingers = Fingers()
    assert [fingers.put("undo", ""), fingers.lift("undo", ""), fingers.put("undo", "")] == [True, True, True]


def test_lifted_fingers_are_forgotten_in_the_end() -> None:
    fingers = Fingers()
    for number in range(REMEMBERED + 1):
        fingers.lift("stop", str(number))
    assert fingers.put("stop", "0")
    fingers.lift("stop", "0")
    assert not fingers.put("stop", str(REMEMBERED))


def test_a_refused_press_is_no_press() -> None:
    desk = FakeBox()
    desk.replies[PressButton] = Declined("The panel is gone: plug it in.")
    client = console(desk)
    assert not client.post("/pins/stop", json={"down": True, "finger": "a"}, headers=OWN).json()["ok"]
    client.post("/pins/stop", json={"down": False, "finger": "a"}, headers=OWN)
    assert desk.said(PressButton) == [PressButton(down=True, button="stop")]

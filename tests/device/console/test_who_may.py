"""Each request asks for a permission, and nobody does what is not theirs."""

import json
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from starlette.testclient import TestClient

from device.console.app import ConsoleSettings, make_app
from device.people.actor import Actor, Role, TableKind
from device.people.people import Caller, Clocks, People
from device.people.permissions import WHO_MAY, Act
from device.people.pins import PinBook, pins_path
from device.requests import (
    BUTTONS,
    AnswerQuestion,
    BoxRequest,
    ChangeSettings,
    CheckBox,
    ConsoleRequest,
    DoSetup,
    ForgetPerson,
    LockBet,
    PressButton,
    PutPerson,
    ReceiveRelease,
    Restart,
    RollBack,
    ShowMaintenance,
    ShowSettings,
    ShowSetup,
    StartGame,
    address_of,
)
from engine.game import Allowed
from tests.device.console.fake_box import HOME, FakeBox, PlayingBox, begun, console, pressed, rolling
from tests.device.console.test_routes import GOOD, OWN
from tests.device.people.page import SealedPage

AS_JSON = {"content-type": "application/json"}
PINS = {"host": "2468", "referee": "13579"}
FAR = ("192.168.1.30", 50_000)
ROLES: tuple[Role, ...] = ("viewer", "player", "referee", "host")
DOES = {
    **GOOD,
    "/bets": {"player": "Zoë", "dots": 4},
    **{f"/pins/{button}": {"down": True} for button in BUTTONS},
    "/seats": {},
    "/seats/back": {"player": "Zoë"},
}


HOST_ALONE = pytest.mark.parametrize(
    ("kind", "role", "may"),
    [
        ("club", "viewer", False),
        ("club", "player", False),
        ("club", "host", True),
        ("tournament", "referee", False),
        ("tournament", "host", True),
    ],
)
"""Who may do at a club or a tournament what is the host's alone."""


def people_of(folder: Path, kind: TableKind) -> People:
    for office, pin in PINS.items():
        PinBook(pins_path(folder)).put("host" if office == "host" else "referee", pin)
    return People(kind, folder, print, Clocks())


def page_of(role: Role, people: People, client: TestClient, desk: FakeBox, player: str = "Zoë") -> SealedPage:
    """A page of somebody in that role."""
    page = SealedPage(client)
    if role in PINS:
        answer = page.post("/sign-in", {"office": role, "pin": PINS[role], "name": "Cleo"})
        assert answer["ok"] or "has no referee" in answer["text"]
    if role == "player":
        shown = desk.shown
        assert shown.game is not None
        assert shown.game_id is not None
        seats = people.seats(shown.game_id, shown.game.players)
        token = next(each.token for each in seats if each.player == player)
        assert page.post("/sit", {"token": token})["ok"]
    desk.asked.clear()
    desk.by.clear()
    return page


def needed(path: str, desk: FakeBox) -> Act:
    """What it takes to post that example now."""
    if path.startswith("/pins/"):
        return PressButton(down=True, button=path.removeprefix("/pins/")).needs(desk.shown)
    kind = next(each for each in get_args(ConsoleRequest) if address_of(each) == path)
    asked: BoxRequest = msgspec.convert(DOES[path], kind)
    return asked.needs(desk.shown)


def test_every_request_that_pages_make_is_tried_here() -> None:
    kinds = set(get_args(ConsoleRequest)) - {PressButton, AnswerQuestion}
    knocks = {each for each in kinds if each.permission == "knock"}
    settings = {ShowSettings, ChangeSettings, Restart, ShowMaintenance, CheckBox, ReceiveRelease, RollBack}
    elsewhere = {
        address_of(each) for each in {ShowSetup, DoSetup, PutPerson, ForgetPerson, *settings, *knocks}
    }
    buttons = {f"/pins/{button}" for button in BUTTONS}
    assert set(DOES) == {address_of(each) for each in kinds} - elsewhere | buttons


@pytest.mark.parametrize(
    ("kind", "role"),
    [("club", "viewer"), ("club", "player"), ("club", "host"), *(("tournament", role) for role in ROLES)],
)
def test_each_role_does_what_the_table_says_and_nothing_else(
    tmp_path: Path, kind: TableKind, role: Role
) -> None:
    desk = begun()
    people = people_of(tmp_path, kind)
    page = page_of(role, people, console(desk, people), desk)
    for path in sorted(DOES):
        act = needed(path, desk)
        own = role != "player" or act.permission not in ("bet", "play") or not act.players
        may = role in WHO_MAY[kind][act.permission] and (own or "Zoë" in act.players)
        answer = page.post(path, DOES[path])
        assert (page.status == 403) is not may, path
        if may:
            assert not desk.by or desk.by[0].role == role, path
        else:
            assert answer["text"].endswith("."), path
            assert desk.asked == [], path
        if path == "/seats/back" and may:
            page = page_of(role, people, page.client, desk)
        desk.shown = begun().shown
        desk.asked.clear()
        desk.by.clear()


def test_at_a_familys_table_an_unsealed_post_is_enough() -> None:
    for path, example in DOES.items():
        desk = begun()
        answer = console(desk).post(path, json=example, headers=OWN)
        assert answer.status_code == 200, path
        assert desk.asked or path.startswith("/seats"), path


def test_in_a_club_whoever_seals_nothing_watches(tmp_path: Path) -> None:
    desk = begun()
    client = console(desk, people_of(tmp_path, "club"))
    for path, example in DOES.items():
        assert client.post(path, json=example, headers=OWN).status_code == 403, path
    assert desk.asked == []


def test_whoever_did_it_is_told_to_the_desk(tmp_path: Path) -> None:
    desk = begun()
    people = people_of(tmp_path, "tournament")
    client = console(desk, people)
    referee = page_of("referee", people, client, desk)
    player = page_of("player", people, client, desk)
    referee.post("/correct", GOOD["/correct"])
    player.post("/bets", {"player": "Zoë", "dots": 2})
    assert desk.by == [Actor("referee", "Cleo"), Actor("player", "Zoë")]


def test_a_player_does_nothing_for_another(tmp_path: Path) -> None:
    desk = rolling()
    people = people_of(tmp_path, "club")
    client = console(desk, people)
    ben = page_of("player", people, client, desk, "Ben")
    for path, body in (
        ("/bets", {"player": "Zoë", "dots": 4}),
        ("/pins/bet1", {"down": True}),
        ("/pins/roll_done", {"down": True}),
        ("/pins/stop", {"down": True}),
        ("/choices", {"choice": 0, "words": "1"}),
    ):
        ben.post(path, body)
        assert ben.status == 403, path
    assert desk.asked == []


@pytest.mark.parametrize("path", ["/choices", "/pins/stop", "/pins/cache"])
def test_an_answer_about_a_landing_is_a_ruling(tmp_path: Path, path: str) -> None:
    desk = rolling()
    desk.show(ask="landing")
    people = people_of(tmp_path, "tournament")
    client = console(desk, people)
    player, referee = page_of("player", people, client, desk), page_of("referee", people, client, desk)
    body = {"down": True} if path.startswith("/pins") else {"choice": 0, "words": "zone 5"}
    told = player.post(path, body)
    assert told["text"].startswith("Only the referee may answer what is asked about a throw here.")
    referee.post(path, body)
    assert referee.status == 200


def test_a_button_is_pressed_by_whose_turn_it_is_or_by_whom_the_game_names_for_it() -> None:
    desk = rolling()
    game = desk.shown.game
    assert game is not None
    named = msgspec.structs.replace(
        game, allowed=(Allowed(button="stop", player="Ann"), Allowed(button="cache", player="Bea"))
    )
    shown = msgspec.structs.replace(desk.shown, game=named)
    assert PressButton(down=True, button="stop").needs(shown).players == (game.active, "Ann")
    assert PressButton(down=True, button="cache").needs(shown).players == (game.active, "Bea")


def test_a_button_may_be_let_go_whatever_has_happened_since(tmp_path: Path) -> None:
    desk = rolling()
    people = people_of(tmp_path, "club")
    player = page_of("player", people, console(desk, people), desk)
    assert player.post("/pins/stop", {"down": True, "finger": "a"})["ok"]
    desk.show(ask="landing")
    assert player.post("/pins/stop", {"down": False, "finger": "a"})["ok"]
    assert desk.said(PressButton) == pressed("stop")


def test_a_page_is_told_what_it_may(tmp_path: Path) -> None:
    desk = begun()
    people = people_of(tmp_path, "club")
    client = console(desk, people)
    told = {
        role: page_of(role, people, client, desk).post("/me", {}) for role in ("viewer", "player", "host")
    }
    assert [told[role]["role"] for role in told] == list(told)
    assert told["viewer"]["may"] == ["knock"]
    assert set(told["player"]["may"]) == {"knock", "bet", "play", "hand", "rematch"}
    may = {"knock", "play", "hand", "judge", "lead", "rematch", "seat", "setup"}
    assert set(told["host"]["may"]) == may
    assert told["player"]["name"] == "Zoë"


def test_seats_are_handed_out_with_codes_that_no_network_carries(tmp_path: Path) -> None:
    desk = begun()
    desk.show(address="http://192.168.1.7:8080/")
    people = people_of(tmp_path, "club")
    client = console(desk, people)
    host = page_of("host", people, client, desk)
    seats = host.post("/seats", {})["seats"]
    assert [(each["player"], each["taken"]) for each in seats] == [("Zoë", False), ("Ben", False)]
    token = people.seats(1, ("Zoë", "Ben"))[0].token
    link = f"http://192.168.1.7:8080/play?player=Zo%C3%AB#seat={token}&key={people.seal.public}"
    assert seats[0]["link"] == link
    assert seats[0]["code"].startswith("<svg")
    assert token.encode() not in host.received, "sealed on its way to the page that shows it"
    viewer = SealedPage(client)
    assert not viewer.post("/seats", {})["ok"]
    assert viewer.status == 403


def test_who_is_taken_back_watches_from_then_on(tmp_path: Path) -> None:
    desk = begun()
    people = people_of(tmp_path, "tournament")
    client = console(desk, people)
    player = page_of("player", people, client, desk)
    referee = page_of("referee", people, client, desk)
    assert referee.post("/seats/back", {"player": "Zoë"})["ok"]
    assert player.post("/me", {})["role"] == "viewer"


def test_a_seat_stays_for_the_rematch_and_ends_with_the_next_game(tmp_path: Path) -> None:
    desk = begun()
    people = people_of(tmp_path, "club")
    player = page_of("player", people, console(desk, people), desk)
    desk.show(stage="ended")
    assert player.post("/me", {})["role"] == "player"
    desk.show(game_id=99)
    assert player.post("/me", {})["role"] == "viewer"


def test_no_seat_without_a_game(tmp_path: Path) -> None:
    desk = FakeBox()
    people = people_of(tmp_path, "club")
    host = page_of("host", people, console(desk, people), desk)
    for path in ("/seats", "/seats/back"):
        assert (
            host.post(path, DOES[path])["text"]
            == "No game is going on, so there are no seats. Begin one first."
        )


def test_a_page_that_cannot_seal_is_nobody(tmp_path: Path) -> None:
    client = console(begun(), people_of(tmp_path, "club"))
    for path, body in (("/sign-in", {"office": "host", "pin": "2468"}), ("/sit", {"token": "x"})):
        told = client.post(path, json=body, headers=OWN).json()
        assert told["text"].startswith("This page cannot seal")


def test_what_a_listener_caught_does_not_count_again(tmp_path: Path) -> None:
    desk = begun()
    people = people_of(tmp_path, "club")
    page = SealedPage(console(desk, people))
    early = json.dumps(page.envelope("/pins/undo", {"down": True})).encode()
    page.send("/pins/undo", early)
    assert page.status == 403, "nobody has signed in yet"
    page.post("/sign-in", {"office": "host", "pin": "2468"})
    page.send("/pins/undo", early)
    assert page.status == 400, "what was caught before must not gain a host's rights"
    page.post("/pins/undo", {"down": True})
    assert page.status == 200
    page.send("/pins/undo", page.sent)
    assert page.status == 400
    assert desk.said(PressButton) == [PressButton(down=True, button="undo")]


def test_a_page_of_before_a_restart_is_told_the_new_word(tmp_path: Path) -> None:
    desk = begun()
    people = people_of(tmp_path, "club")
    page = page_of("host", people, console(desk, people), desk)
    client = console(desk, People("club", tmp_path, print))
    page.client = client
    told = page.post("/pins/undo", {"down": True})
    assert (page.status, told["ok"]) == (409, False)
    page.word = told["word"]
    assert page.post("/pins/undo", {"down": True})["ok"], "and is host still"


def far(desk: FakeBox, people: People) -> TestClient:
    """The console as a phone in the network reaches it."""
    app = make_app(desk, ConsoleSettings(people=people), hand=desk)
    return TestClient(app, base_url=HOME, client=FAR)


@pytest.mark.parametrize("kind", ["family", "club"])
def test_no_bet_on_the_wire_in_clear(tmp_path: Path, kind: TableKind) -> None:
    """Every byte that crosses the network for each bet: none holds it, and all are equally many."""
    sizes = set()
    for dots in (2, 4, 6, 8, 10):
        desk = begun()
        people = people_of(tmp_path / f"{dots}", kind) if kind == "club" else People()
        client = far(desk, people)
        page = page_of("player" if kind == "club" else "viewer", people, client, desk)
        bet = {"player": "Zoë", "dots": dots}
        assert page.post("/bets", bet)["ok"]
        assert desk.said(LockBet) == [LockBet("Zoë", dots)]
        wire = page.sent + page.received
        assert b"dots" not in wire
        assert "Zoë".encode() not in wire
        assert b"player" not in wire
        sizes.add((len(page.sent), len(page.received)))
    assert len(sizes) == 1


def test_the_same_bet_never_looks_the_same(tmp_path: Path) -> None:
    page = SealedPage(far(begun(), People()))
    sent = [page.envelope("/bets", {"player": "Zoë", "dots": 2})["sealed"] for _ in range(20)]
    prefixes = {each[:16] for each in sent}
    assert len(prefixes) == 20


@pytest.mark.parametrize(
    ("path", "body", "why"),
    [
        ("/bets", {"player": "Zoë", "dots": 4}, "could read this"),
        ("/sign-in", {"office": "host", "pin": "2468"}, "could read this"),
        ("/sit", {"token": "x", "pin": "1234"}, "could read this"),
        ("/pins/bet1", {"down": True}, "can be counted by whoever listens"),
        ("/pins/bet2", {"down": False}, "can be counted by whoever listens"),
    ],
)
def test_what_is_secret_is_not_taken_unsealed_over_a_network(path: str, body: Any, why: str) -> None:
    desk = begun()
    people = People()
    answer = far(desk, people).post(path, json=body, headers=OWN)
    assert answer.status_code == 403
    assert why in answer.json()["text"]
    assert desk.asked == []
    sealed = SealedPage(far(desk, people))
    if path.startswith("/pins"):
        sealed.post(path, body)
        assert sealed.status == 403, "sealed presses can be counted as well"


def test_on_the_box_itself_bet_keys_work_as_ever() -> None:
    desk = begun()
    assert console(desk).post("/pins/bet1", json={"down": True}, headers=OWN).json()["ok"]
    assert desk.said(PressButton) == [PressButton(down=True, button="bet1")]


def test_a_family_seals_a_bet_without_being_anybody(tmp_path: Path) -> None:
    people = People()
    page = SealedPage(far(begun(), people))
    assert page.post("/bets", {"player": "Zoë", "dots": 4})["ok"]
    assert people.actor_of(page.key, 1).role == "table"


def test_wrong_pins_are_locked_out_on_the_console(tmp_path: Path) -> None:
    page = SealedPage(far(begun(), people_of(tmp_path, "club")))
    said = [page.post("/sign-in", {"office": "host", "pin": "0000"})["text"] for _ in range(6)]
    assert all(text.startswith("That is not the host's PIN.") for text in said[:5])
    assert said[5].startswith("Too many wrong PINs were given, so none is looked at for 5 minutes, until ")


def test_a_caller_is_known_by_key_alone(tmp_path: Path) -> None:
    people = people_of(tmp_path, "club")
    people.sign_in(Caller(key="k", count=1, address="192.168.1.9"), "host", "", "2468")
    assert people.actor_of("k", None).role == "host"
    assert people.actor_of("K", None).role == "viewer"


@pytest.mark.parametrize(("kind", "sealed"), [("club", True), ("family", True), ("family", False)])
def test_a_body_that_is_too_deep_or_counts_too_high_is_refused_in_a_sentence(
    tmp_path: Path, kind: TableKind, sealed: bool
) -> None:
    people = people_of(tmp_path, kind)
    client = console(begun(), people)
    page = page_of("host", people, client, begun()) if kind == "club" else SealedPage(client)

    def posted(path: str, inside: str) -> tuple[int, dict[str, Any]]:
        if not sealed:
            response = client.post(path, content=inside.encode(), headers={**OWN, **AS_JSON})
            return response.status_code, response.json()
        answer = page.post_text(path, inside)
        return page.status, answer

    for path in ("/games/abandon", "/me"):
        status, told = posted(path, "[" * 3000 + "]" * 3000)
        assert status < 500
        assert not told["ok"]
        assert told["text"].endswith(".")
    status, told = posted("/games/abandon", '{"game_id":9223372036854775808}')
    assert status < 500
    assert told["text"] == "The console cannot take that: it has a number beyond 9007199254740991."


def test_an_address_with_a_number_that_nothing_has_is_no_address() -> None:
    client = console(begun())
    for path in ("/reading/{}.jpg", "/film/{}.mp4", "/evidence/{}.jpg"):
        for digits in ("9" * 16, "9" * 5000):
            assert client.get(path.format(digits)).status_code == 404


OVER = {"game": "pig", "players": ["Zoë", "Ben"], "options": {"target": "10"}}


@pytest.mark.parametrize("kind", ["club", "tournament"])
def test_who_sat_in_the_game_that_is_over_asks_for_its_rematch_and_for_no_other_game(
    tmp_path: Path, kind: TableKind
) -> None:
    desk = PlayingBox()
    desk.start("pig", ("Zoë", "Ben"), {"target": "10"})
    people = people_of(tmp_path, kind)
    client = console(desk, people)
    ben = page_of("player", people, client, desk, "Ben")
    viewer = SealedPage(client)
    ben.post("/games", OVER)
    assert ben.status == 403, "while it is played"
    for value in (6, 4):
        desk.read((value,))
    desk.request(PressButton(down=False, button="cache"))
    assert desk.shown.stage == "ended"
    desk.asked.clear()
    changes: tuple[dict[str, object], ...] = (
        {"options": {}},
        {"players": ["Ben", "Zoë"]},
        {"options": {"target": "10", "seed": "x"}},
    )
    for change in changes:
        ben.post("/games", OVER | change)
        assert ben.status == 403, change
    viewer.post("/games", OVER)
    assert viewer.status == 403
    desk.show(match="Match 3 of Autumn Cup")
    ben.post("/games", OVER)
    assert ben.status == 403, "the tournament goes on first"
    desk.show(match="")
    assert desk.asked == []
    ben.post("/games", OVER)
    assert desk.asked == [StartGame("pig", ("Zoë", "Ben"), {"target": "10"})]

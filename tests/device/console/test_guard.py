"""Who may talk to the console: its own page, in its own network, by its own names."""

import pytest
from starlette.testclient import TestClient

from device.console.app import ConsoleSettings, make_app
from device.console.guard import Doors, host_is_ours, peer_is_at_home, peer_is_local, same_origin
from device.console.server import lan_address
from tests.device.console.fake_box import HOME, FakeBox, console
from tests.device.console.test_routes import GOOD, OWN

STRANGERS = [
    {},
    {"origin": "null"},
    {"origin": "http://example.org"},
    {"origin": "http://127.0.0.1"},
    {"origin": "http://127.0.0.1:8081"},
    {"origin": "http://127.0.0.1:8080.example.org"},
    {"origin": "file://127.0.0.1:8080"},
]


def test_no_other_page_can_move_anything() -> None:
    desk = FakeBox()
    client, let_in = console(desk), []
    for headers in STRANGERS:
        for path in GOOD:
            response = client.post(path, json=GOOD[path], headers=headers)
            if response.status_code != 403 or "console's own page" not in response.json()["text"]:
                let_in.append((path, headers, response.status_code))
    assert let_in == []
    assert desk.asked == []


def test_a_foreign_name_pointed_at_the_box_opens_nothing() -> None:
    desk = FakeBox()
    client, opened = console(desk), []
    headers = {"host": "rebound.example.org", "origin": "http://rebound.example.org"}
    for path in ("/", "/state", "/events", "/picture.jpg", *GOOD):
        method = "POST" if path in GOOD else "GET"
        response = client.request(method, path, json=GOOD.get(path), headers=headers)
        if response.status_code != 421:
            opened.append((path, response.status_code))
    assert opened == []
    assert desk.asked == []


def test_json_must_say_that_it_is_json() -> None:
    # A form on another page can send text without asking; it can never send this type.
    headers = {**OWN, "content-type": "text/plain"}
    response = console(FakeBox()).post("/hand/acts", content=b'{"act": "throw"}', headers=headers)
    assert response.status_code == 415


@pytest.mark.parametrize(
    ("host", "ours"),
    [
        ("192.168.1.7", True),
        ("192.168.1.7:8080", True),
        ("localhost:80", True),
        ("127.0.0.1:8080", True),
        ("[::1]:8080", True),
        ("OwnName:8080", True),
        ("ownname.local", True),
        ("ownname-2.local.:8080", True),
        ("box.fritz.box", True),
        ("192.168.1.8", False),
        ("[fe80::1]:8080", False),
        ("8.8.8.8", False),
        ("callbox.local", False),
        ("ownname.local.example.org", False),
        ("ownname.example.org", False),
        ("a.ownname.local", False),
        ("", False),
        ("[", False),
        ("127.0.0.1.example.org", False),
    ],
)
def test_the_names_that_the_console_answers_to(host: str, ours: bool) -> None:
    doors = Doors(own_name="OwnName", names=("Box.fritz.box",))
    assert host_is_ours(host, doors, "192.168.1.7") is ours


def test_a_box_without_a_name_answers_to_no_empty_one() -> None:
    assert not host_is_ours(".local", Doors(), "10.0.0.1")
    assert not host_is_ours("", Doors(), "")


def test_an_address_is_the_same_in_the_clothes_of_ipv6() -> None:
    assert host_is_ours("192.168.1.7:8080", Doors(), "::ffff:192.168.1.7")
    assert host_is_ours("[fd00::7]:8080", Doors(), "fd00:0::7")


@pytest.mark.parametrize(
    ("peer", "local"),
    [
        ("127.0.0.1", True),
        ("::1", True),
        ("10.1.2.3", True),
        ("172.31.255.1", True),
        ("192.168.178.20", True),
        ("169.254.7.7", True),
        ("fe80::1%wlan0", True),
        ("fd12:3456::9", True),
        ("::ffff:192.168.1.7", True),
        ("8.8.8.8", False),
        ("172.32.0.1", False),
        ("100.64.0.1", False),
        ("192.0.2.1", False),
        ("2001:db8::1", False),
        ("2a02:8070::1", False),
        ("::ffff:8.8.8.8", False),
        ("224.0.0.1", False),
        ("testclient", False),
        ("", False),
    ],
)
def test_a_peer_is_local_by_its_address_alone(peer: str, local: bool) -> None:
    assert peer_is_local(peer) is local


@pytest.mark.parametrize(
    ("peer", "reached", "home"),
    [
        ("192.168.1.9", "192.168.1.7", True),
        ("192.0.2.2", "192.0.2.2", True),
        ("::ffff:192.0.2.2", "192.0.2.2", True),
        ("2001:db8::5", "2001:db8::9", True),
        ("2001:db8:0:1::5", "2001:db8::9", False),
        ("192.0.2.3", "192.0.2.2", False),
        ("8.8.8.8", "192.168.1.7", False),
        ("2001:db8::5", "192.168.1.7", False),
        ("8.8.8.8", "", False),
        ("", "", False),
        ("testserver", "testserver", False),
    ],
)
def test_who_sits_at_the_box_or_on_its_link_is_at_home(peer: str, reached: str, home: bool) -> None:
    assert peer_is_at_home(peer, reached) is home


def test_the_page_opens_at_the_machine_itself_by_whatever_address() -> None:
    # `make demo` prints the machine's own address, which need not be a private one.
    own = TestClient(make_app(FakeBox()), base_url="http://192.0.2.2:8080", client=("192.0.2.2", 4711))
    assert own.get("/state").status_code == 200


def test_who_comes_from_elsewhere_is_turned_away() -> None:
    desk = FakeBox()
    afar = TestClient(make_app(desk), base_url=HOME, client=("203.0.113.9", 4711))
    let_in = []
    for path in ("/", "/state", "/picture.jpg", "/static/main.js", *GOOD):
        response = afar.request("POST" if path in GOOD else "GET", path, json=GOOD.get(path), headers=OWN)
        text = response.json()["text"] if response.status_code == 403 else ""
        if not ("its own network" in text and "203.0.113.9" in text):
            let_in.append((path, response.status_code))
    assert let_in == []
    assert desk.asked == []


def test_the_settings_may_let_anybody_in() -> None:
    settings = ConsoleSettings(doors=Doors(visitors="anybody"))
    afar = TestClient(make_app(FakeBox(), settings), base_url=HOME, client=("203.0.113.9", 4711))
    assert afar.get("/state").status_code == 200
    assert afar.get("/state", headers={"host": "rebound.example.org"}).status_code == 421


def test_an_origin_is_the_same_only_with_name_and_port() -> None:
    assert same_origin("http://Callbox.local:8080", "callbox.local:8080")
    assert not same_origin("http://callbox.local:8080", "callbox.local")
    assert not same_origin("callbox.local", "callbox.local")


@pytest.mark.parametrize(
    ("peer", "status"), [("127.0.0.1", 200), ("::1", 200), ("192.168.1.20", 403), ("10.0.0.9", 403)]
)
def test_only_this_machine_itself_is_told_how_often_the_table_turned(peer: str, status: int) -> None:
    # A press is a turn: who could count them would know a secret bet.
    guest = TestClient(make_app(FakeBox()), base_url=HOME, client=(peer, 50_000))
    response = guest.get("/health")
    assert response.status_code == status
    assert ("table" in response.json()) is (status == 200)


def test_behind_a_proxy_on_this_machine_the_box_answers_to_its_own_number() -> None:
    own = lan_address()
    if own == "127.0.0.1":
        pytest.skip("this machine is in no network, and has no number but 127.0.0.1")
    doors = Doors(own_name="ownname")
    host = f"[{own}]" if ":" in own else own
    assert host_is_ours(host, doors, "127.0.0.1")
    for foreign in ("192.0.2.55", "224.0.0.1", "[2001:db8::55]", "[::]"):
        assert not host_is_ours(foreign, doors, "127.0.0.1")


def test_the_refusal_of_a_name_says_which_setting_allows_it() -> None:
    told = console(FakeBox()).get("/", headers={"host": "callbox.lan:8080"})
    assert told.status_code == 421
    assert told.json()["text"].endswith("or add that name to names under [console] in callbox.toml.")
    doors = Doors(own_name="callbox", names=["callbox.lan"])
    assert host_is_ours("callbox.lan:8080", doors, "192.168.1.7")

"""A desk and its boxes as guests of a broker that others run, and what Home Assistant finds there."""

import getpass
import json
import secrets
import shutil
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from jinja2 import StrictUndefined
from jinja2.sandbox import ImmutableSandboxedEnvironment
from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion

from device.hall.broker import NamedBroker, NoBroker, find_mosquitto, read_address
from device.hall.desk import Hall, HallSetup, introduce, introduction_topic
from device.hall.ingest import TableSeen
from device.hall.ledger import Invitation
from device.shown.snapshot import Snapshot
from device.venue.broker_link import BrokerLink
from device.venue.membership import Membership, load_membership
from device.venue.messages import BoxHealth, topic
from device.venue.pairing import ask_desk, invitation_id, new_code
from tests.loopback import own_loopback
from tests.waiting import eventually

HOST = own_loopback()
USER, PASSWORD = "callbox", secrets.token_hex(8)


def why_not() -> str:
    """Why no real broker can be had here; "" when it can."""
    try:
        find_mosquitto()
    except NoBroker as error:
        return str(error)
    return "" if shutil.which("mosquitto_passwd") else "mosquitto_passwd is not on this machine"


real = pytest.mark.skipif(bool(why_not()), reason=why_not() or "all is there")


@pytest.fixture
def port(tmp_path: Path) -> Iterator[int]:
    """A broker of a home, which knows one user."""
    port = 1883
    subprocess.run(
        ["mosquitto_passwd", "-b", "-c", tmp_path / "passwords", USER, PASSWORD],
        check=True,
        capture_output=True,
    )
    settings = tmp_path / "mosquitto.conf"
    settings.write_text(
        f"listener {port} {HOST}\nuser {getpass.getuser()}\n"
        f"allow_anonymous false\npassword_file {tmp_path / 'passwords'}\n"
    )
    broker = subprocess.Popen([find_mosquitto(), "-c", settings], stderr=subprocess.DEVNULL)
    eventually(lambda: answers(port), "the broker answers")
    yield port
    broker.terminate()
    broker.wait()


def answers(port: int) -> bool:
    try:
        socket.create_connection((HOST, port)).close()
    except OSError:
        return False
    return True


def named(folder: Path, port: int, *, word: str = PASSWORD) -> NamedBroker:
    kept = folder / "password"
    kept.write_text(f"{word}\n")
    return NamedBroker(read_address(f"mqtt://{USER}@{HOST}:{port}"), kept, None)


@pytest.mark.parametrize(
    ("url", "host", "port", "user", "tls"),
    [
        ("mqtts://callbox@192.168.1.5", "192.168.1.5", 8883, "callbox", True),
        ("mqtt://home.local:1884/", "home.local", 1884, "", False),
        ("mqtts://a%40b@[fe80::1]:99", "fe80::1", 99, "a@b", True),
    ],
)
def test_a_broker_is_named_by_its_address(url: str, host: str, port: int, user: str, tls: bool) -> None:
    found = read_address(url)
    assert (found.host, found.port, found.user, found.tls) == (host, port, user, tls)


@pytest.mark.parametrize(
    "url",
    ["", "192.168.1.5", "http://a", "mqtt://", "mqtt://a:b", "mqtt://a:99999", "mqtt://a/b", "mqtt://[a"],
)
def test_what_names_no_broker_is_told_with_an_example(url: str) -> None:
    with pytest.raises(NoBroker, match=r"names no broker\. It is mqtts://USER@HOST"):
        read_address(url)


def test_a_password_does_not_belong_on_the_command_line() -> None:
    with pytest.raises(NoBroker, match="seen by everybody"):
        read_address("mqtt://me:secret@home")


def test_a_user_needs_a_password_and_an_authority_a_certificate(tmp_path: Path) -> None:
    at, empty = read_address("mqtts://me@home"), tmp_path / "empty"
    empty.write_text("\n")
    for password in (None, empty):
        with pytest.raises(NoBroker, match="me needs a password"):
            NamedBroker(at, password, None)
    (tmp_path / "password").write_text("x")
    with pytest.raises(NoBroker, match="holds no certificate"):
        NamedBroker(at, tmp_path / "password", empty)
    with pytest.raises(NoBroker, match="nowhere cannot be read"):
        NamedBroker(at, tmp_path / "nowhere", None)


def test_a_broker_that_is_not_there_is_told_with_its_address(tmp_path: Path) -> None:
    with pytest.raises(NoBroker, match=rf"No broker can be reached at {HOST}:1"):
        named(tmp_path, 1).start({})


@real
def test_a_broker_that_does_not_let_the_desk_in_is_told(tmp_path: Path, port: int) -> None:
    broker = named(tmp_path, port, word="wrong")
    with pytest.raises(NoBroker, match=r"does not let the desk in: .*Look at user and password"):
        broker.start({})


class Onlooker:
    """Somebody else at that broker, as Home Assistant is: keeps what is said."""

    def __init__(self, port: int) -> None:
        self.said: dict[str, bytes] = {}
        client = self._client = Client(CallbackAPIVersion.VERSION2)
        client.username_pw_set(USER, PASSWORD)
        client.on_connect = lambda client, *_: client.subscribe("#")
        client.on_message = lambda _client, _data, message: self.said.update({message.topic: message.payload})
        client.connect(HOST, port)
        client.loop_start()

    def leave(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()

    def says(self, where: str, body: bytes) -> None:
        """Say something without a key."""
        self._client.publish(where, body, qos=1)


@real
def test_a_box_tells_a_desk_by_a_broker_of_others(tmp_path: Path, port: int) -> None:
    told: list[str] = []
    setup = HallSetup(
        data=tmp_path / "desk",
        host=HOST,
        port=8090,
        broker=named(tmp_path, port),
        home_prefix="homeassistant",
        visitors="local",
        names=(),
        tell=told.append,
    )
    with Hall(setup) as hall:
        home = Onlooker(port)
        box = paired(hall)
        assert (box.host, box.port, box.user, box.password) == (HOST, port, USER, PASSWORD)
        link = BrokerLink(box, box.table_id, hear=lambda *_: None, joined=lambda: None)
        link.start(topic(box.table_id, "told"))
        eventually(lambda: link.is_there, "the box in the broker")
        link.send(topic(box.table_id, "state"), snapshot(), retain=True)
        link.send(topic(box.table_id, "health"), msgspec.json.encode(BoxHealth("run", True)), retain=True)
        eventually(lambda: [each.game for each in hall.ingest.lines() if each.game], "the game at the desk")
        # Somebody with the broker's password, and without the box's key, can make no message.
        home.says(topic(box.table_id, "state"), b'{"stage":"over"}')
        eventually(lambda: any("without its key" in each for each in hall.ingest.lines()[0].troubles), "told")
        assert hall.ingest.lines()[0].stage == "playing"
        where = introduction_topic(box.table_id, "homeassistant")
        eventually(lambda: looked(hall, home, where) != b"", "the table in Home Assistant")
        assert json.loads(home.said[where])["device"]["name"] == "Callbox Table 1"
        with hall.ledger.transaction():
            hall.ledger.revoke("Table 1")
        eventually(lambda: looked(hall, home, where) == b"", "Home Assistant to forget the table")
        link.stop()
        home.leave()
    assert told == []


def looked(hall: Hall, home: Onlooker, where: str) -> bytes:
    """What Home Assistant has heard of a table once the desk has looked again."""
    hall.look()
    return home.said.get(where, b"")


def paired(hall: Hall) -> Membership:
    """A box that comes with a code, as `callbox pair` does."""
    code = new_code()
    hall.ledger.invite(Invitation(invitation_id(code), code, "Table 1", 1e12))
    return ask_desk(HOST, 8090, code)


def snapshot() -> bytes:
    return msgspec.json.encode(
        {
            "stage": "playing",
            "ask": "dice",
            "game": {
                "game": "ZONK",
                "players": ["Ann", "Bea"],
                "scores": [50, 0],
                "active": "Bea",
                "news": "n" * 300,
            },
        }
    )


def shown(state: bytes) -> dict[str, str]:
    """What Home Assistant makes of a table's state: its templates are Jinja's, in a sandbox."""
    told: dict[str, Any] = json.loads(introduce("T1", "Table 1"))
    value = {"value_json": json.loads(state)}
    sandbox = ImmutableSandboxedEnvironment(undefined=StrictUndefined)
    return {
        key: sandbox.from_string(part["value_template"]).render(value)
        for key, part in told["components"].items()
    }


def test_home_assistant_shows_what_a_table_plays() -> None:
    assert shown(snapshot()) == {
        "game": "ZONK",
        "turn": "Bea",
        "news": "n" * 255,
        "winners": "",
        "scores": "Ann 50, Bea 0",
        "waits": "ON",
    }


@pytest.mark.parametrize("online", [True, False])
def test_home_assistant_sees_whether_a_box_is_there(online: bool) -> None:
    told = json.loads(introduce("T1", "Table 1"))
    health = json.loads(msgspec.json.encode(BoxHealth("run", online)))
    shown = (
        ImmutableSandboxedEnvironment().from_string(told["availability_template"]).render(value_json=health)
    )
    assert shown == told["payload_available" if online else "payload_not_available"]


def test_home_assistant_shows_an_empty_table() -> None:
    state = msgspec.json.encode(Snapshot())
    assert set(shown(state).values()) == {"", "OFF"}


@pytest.mark.parametrize(
    "state",
    [
        {"ask": "dice"},
        {"touched": {"die": 1}},
        {
            "game": {
                "game": "end-zone",
                "players": [],
                "scores": [],
                "winners": [],
                "choices": [{"event": {}}, {"event": {"event": "confirmed", "covered": True}}],
            }
        },
        {"aside": {"text": "x"}},
        {"camera": {"text": "x"}},
        {"panel": {"text": "x"}},
        {"message": {"text": "x"}},
        {},
    ],
)
def test_home_assistant_and_desk_agree_on_who_waits(state: dict[str, Any]) -> None:
    body = msgspec.json.encode(state)
    waits = msgspec.json.decode(body, type=TableSeen).waits
    assert (shown(body)["waits"] == "ON") == bool(waits)


def test_each_part_of_a_table_has_an_id_of_its_own() -> None:
    parts = [
        part["unique_id"]
        for table in ("T1", "T2")
        for part in json.loads(introduce(table, table))["components"].values()
    ]
    assert len(set(parts)) == len(parts)


def test_a_box_of_before_finds_the_desks_own_broker(tmp_path: Path) -> None:
    old = {"table_id": "T", "name": "Table 1", "secret": "00", "host": "h", "port": 1, "certificate": "c"}
    (tmp_path / "venue.json").write_text(json.dumps(old))
    assert load_membership(tmp_path).user == "T"

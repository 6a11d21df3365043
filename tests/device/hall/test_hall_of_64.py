"""A whole tournament of 64 over 16 tables, with a real broker and the desk as a process of its own.

The desk is killed twice, two tables are unplugged while they play, and the organiser does it all by the page.
"""

import hashlib
import http.client
import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import httpx2
import pytest

from device.hall.ledger import Invitation, KnownBox, Ledger
from device.venue.membership import Membership
from tests.device.hall.organiser_desk import PIN
from tests.device.hall.plugged_box import PluggedBox
from tests.device.hall.processes import BROKER, HOST, PAGE, Process, run, why_not
from tests.device.hall.small_hall import RULES
from tests.device.people.page import SealedPage
from tests.waiting import eventually

pytestmark = [pytest.mark.long, pytest.mark.skipif(bool(why_not()), reason=why_not() or "all is there")]

TABLES = 16
PLAYERS = tuple(f"Player {number:02}" for number in range(1, 65))
SEEDS, NUMBER = 8, 271828


class OrganiserAt:
    """An organiser's page at the running desk, which outlives the desk."""

    def __init__(self, client: httpx2.Client, name: str) -> None:
        self._page = SealedPage(client)  # type: ignore[arg-type]  # what it needs of a client both have
        answer = self._page.post("/sign-in", {"office": "referee", "pin": PIN, "name": name})
        assert answer["ok"], answer["text"]

    def ask(self, act: str, /, **said: object) -> dict[str, Any]:
        """Do something. A desk that was started anew names its word, and is asked again."""
        answer = self._page.post(f"/organiser/{act}", said)
        if "word" in answer:
            self._page.word = answer["word"]
            answer = self._page.post(f"/organiser/{act}", said)
        return answer

    def does(self, act: str, /, **said: object) -> str:
        answer = self.ask(act, **said)
        assert answer["ok"], answer["text"]
        return str(answer["text"])


class HallOf64:
    """The desk's process and its tables."""

    def __init__(self, folder: Path, closing_all: ExitStack) -> None:
        self.folder = folder / "desk"
        self._known = self._pair()
        run("desk", "--data", self.folder, "pin", typed=f"{PIN}\n")
        words = ("--data", self.folder, "--host", HOST, "--port", PAGE, "--broker-port", BROKER)
        self._log = folder / "desk.log"
        self.desk = Process(self._log, "desk", *words)
        closing_all.callback(self.desk.stop)
        eventually(lambda: "big screen" in self._log.read_text(), "the desk runs")
        certificate = (self.folder / "broker" / "certificate.pem").read_text()
        self.boxes = []
        for each in self._known:
            at = Membership(each.id, each.name, each.secret, HOST, BROKER, certificate)
            self.boxes.append(PluggedBox(each, folder / each.id, at))
            closing_all.callback(self.boxes[-1].stop)
        self.client = closing_all.enter_context(httpx2.Client(base_url=f"http://{HOST}:{PAGE}"))

    def _pair(self) -> list[KnownBox]:
        with closing(Ledger.open(self.folder)) as ledger:
            for number in range(1, TABLES + 1):
                ledger.invite(Invitation(str(number), "", f"Table {number}", 1e12))
                ledger.take_up(str(number), 0.0, "2026-11-20T12:00:00+00:00")
            return ledger.boxes()

    def until(self, look: Callable[[], object], what: str) -> None:
        """The tables play on until that is seen."""

        def play_and_look() -> object:
            for box in self.boxes:
                box.work()
            return look()

        eventually(play_and_look, what)

    def start_again(self) -> None:
        """The desk was killed; it is started again."""
        told = self._log.stat().st_size
        self.desk.start()
        self.until(lambda: "big screen" in self._log.read_text()[told:], "the desk runs again")

    def view(self) -> Any:
        """What every page sees of the tournament."""
        return self.client.get("/tournament").json()

    def matches(self) -> list[Any]:
        found: list[Any] = self.view()["tournament"]["matches"]
        return found

    def count(self) -> int:
        """How many matches have a winner."""
        return sum(bool(each["winner"]) for each in self.matches())

    def online(self) -> dict[str, bool]:
        """Whether the desk has each table, by the first event of its stream."""
        connection = http.client.HTTPConnection(HOST, PAGE)
        connection.request("GET", "/events")
        response = connection.getresponse()
        line = next(line for line in iter(response.readline, b"") if line.startswith(b"data:"))
        connection.close()
        return {each["name"]: each["online"] for each in json.loads(line[5:])["tables"]}


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[HallOf64]:
    with ExitStack() as closing_all:
        yield HallOf64(tmp_path, closing_all)


def draw(hall: HallOf64, cleo: OrganiserAt) -> None:
    """The list is pasted and drawn; whoever knows the number draws the same."""
    entries = {
        "title": "Hall Cup",
        "kind": "single",
        "game": "ten-thousand",
        "options": RULES,
        "players": "\n".join(f"{number}. {name}" for number, name in enumerate(PLAYERS, 1)),
        "seeds": SEEDS,
        "number": NUMBER,
    }
    assert cleo.does("entries", seen=0, **entries) == "The list is saved."
    assert cleo.does("draw", seen=1) == "Hall Cup is drawn."
    hall.until(hall.matches, "the desk shows the bracket")
    digests = {name: hashlib.sha256(f"{NUMBER} {name}".encode()).hexdigest() for name in PLAYERS}
    by_hand = sorted(PLAYERS[SEEDS:], key=lambda name: digests[name])
    order = [*PLAYERS[:SEEDS], *by_hand]
    pairs = {frozenset(each["sides"]) for each in hall.matches()[:32]}
    assert pairs == {frozenset((order[place], order[63 - place])) for place in range(32)}


def test_a_tournament_of_64_is_played_to_its_end_through_kills_and_pulled_cables(hall: HallOf64) -> None:
    hall.until(lambda: all(hall.online().values()), "all tables are there")
    cleo, max_ = OrganiserAt(hall.client, "Cleo"), OrganiserAt(hall.client, "Max")
    draw(hall, cleo)
    late, moved = hall.boxes[2], hall.boxes[6]
    eventually(lambda: called_all(hall), "every table is called")
    for box in (late, moved):
        box.unplug()
    walkover = hall.matches()[31]["sides"][0]
    assert cleo.does("withdraw", cup=1, player=walkover, reason="ill") == f"{walkover} has withdrawn."
    gone = {late.name, moved.name}
    hall.until(lambda: gone == {name for name, there in hall.online().items() if not there}, "two are away")
    move(hall, cleo, max_, moved)
    hall.until(lambda: hall.count() >= 10, "some have played")
    hall.desk.kill()
    hall.until(lambda: not any(box.is_called for box in hall.boxes), "whoever is called plays without a desk")
    hall.start_again()
    hall.until(lambda: hall.count() >= 30, "more have played")
    assert late.played, "it played by itself"
    number = the_match(hall, late)
    assert hall.matches()[number - 1]["winner"] == "", "nobody knows what was played at an unplugged table"
    for box in (late, moved):
        box.plug_in()
    hall.until(lambda: hall.matches()[number - 1]["winner"], "plugged in, it tells what it played")
    hall.until(lambda: hall.count() >= 45, "more have played")
    hall.desk.kill()
    hall.until(lambda: not any(box.is_called for box in hall.boxes), "whoever is called plays without a desk")
    hall.start_again()
    hall.until(lambda: hall.view()["tournament"]["champion"], "somebody has won")
    check_results(hall, walkover, moved)
    sign_all(hall, cleo)
    decide_the_final(hall, cleo, max_)
    hall.until(lambda: holds_all(hall), "each row of each table is at the desk, once and in order")


def called_all(hall: HallOf64) -> bool:
    """Tables work until all are called, and none has begun."""
    for box in hall.boxes:
        box.work(plays=False)
    return all(box.is_called for box in hall.boxes)


def the_match(hall: HallOf64, box: PluggedBox) -> int:
    call = box.table.slip.current().call
    assert call is not None
    return call.match


def move(hall: HallOf64, cleo: OrganiserAt, max_: OrganiserAt, moved: PluggedBox) -> None:
    """The organiser calls an unplugged table's match elsewhere; another one comes too late for that."""
    number = the_match(hall, moved)
    said = {"cup": 1, "match": number, "seen_at": moved.name}
    assert "next free table" in cleo.does("call", **said)
    refused = max_.ask("call", **said)
    assert (refused["ok"], "has changed meanwhile" in refused["text"]) == (False, True)


def check_results(hall: HallOf64, walkover: str, moved: PluggedBox) -> None:
    """Each match counts once, by the one game that was played for it."""
    matches = hall.matches()
    assert [each["number"] for each in matches] == list(range(1, 64))
    by_walkover = matches[31]
    assert by_walkover["winner"] == next(name for name in by_walkover["sides"] if name != walkover)
    played = [each for each in matches if each is not by_walkover]
    assert [each["winner"] for each in played] == [each["sides"][1 - each["number"] % 2] for each in played]
    assert len({(each["table"], each["game_id"]) for each in played}) == 62
    assert {each["table"] for each in played} >= {box.name for box in hall.boxes if box is not moved}
    games = sum(len(box.played) for box in hall.boxes)
    assert games == 63, "one more was played: at the table whose match had been moved"
    number = moved.numbers[0]
    assert matches[number - 1]["table"] != moved.name
    standings = hall.view()["tournament"]["standings"]
    assert (standings[0]["player"], standings[0]["wins"]) == (matches[-1]["winner"], 6)
    assert len(standings) == 64


def sign_all(hall: HallOf64, cleo: OrganiserAt) -> None:
    """Each result that was played is signed off, once."""
    for match in hall.matches():
        if match["game_id"]:
            said = {"cup": 1, "match": match["number"], "seen": match["steps"], "winner": match["winner"]}
            assert cleo.does("sign", **said) == f"Match {match['number']} is signed off."
    hall.until(lambda: sum(each["signed"] == "Cleo" for each in hall.matches()) == 62, "all are signed off")


def decide_the_final(hall: HallOf64, cleo: OrganiserAt, max_: OrganiserAt) -> None:
    """After a dispute the organiser decides the final; the other one's page is older, and decides nothing."""
    final = hall.matches()[-1]
    loser = next(name for name in final["sides"] if name != final["winner"])
    said = {"cup": 1, "match": 63, "seen": final["steps"], "reason": "a die was misread"}
    assert cleo.does("rule", **said, winner=loser) == f"Match 63 is decided: {loser} has won."
    assert not max_.ask("rule", **said, winner=final["winner"])["ok"]
    hall.until(lambda: hall.view()["tournament"]["champion"] == loser, "the other one has won")


def holds_all(hall: HallOf64) -> bool:
    with closing(Ledger.open(hall.folder)) as ledger:
        return all(box.is_held(ledger.held(box.table.known.id)) for box in hall.boxes)

"""Two boxes and a desk as processes of their own, with a real broker between them.

One box is unplugged for a part, and the desk is killed twice: nothing is lost, doubled or out of order.
"""

import http.client
import json
import os
import re
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest

from device.hall.ledger import Ledger
from device.journal.reader import open_reader
from device.rolls.counted import READ_MS
from tests.device.hall.processes import BROKER, HOST, PAGE, Process, run, why_not
from tests.waiting import eventually

pytestmark = [pytest.mark.long, pytest.mark.skipif(bool(why_not()), reason=why_not() or "all is there")]


def code_for(folder: Path, name: str) -> str:
    """The code by which a box becomes that table."""
    found = re.search(r"pair DESK (\S+)", run("desk", "--data", folder, "invite", name))
    assert found
    return found[1]


class PlayingBox(Process):
    """A whole box at the simulated table."""

    def __init__(self, folder: Path, number: int, game: tuple[str, ...]) -> None:
        """`game`: what is played at its start; nothing for the lobby."""
        self.folder, self.port = folder, 8080 + number
        self._pressed_s = float("-inf")
        words = ("--camera", "table", "--host", HOST, "--port", self.port)
        settings = folder / "callbox.toml"
        super().__init__(folder / "log", "play", *game, *words, "--data", folder, "--config", settings)

    def post(self, path: str, said: dict[str, object]) -> None:
        asking = http.client.HTTPConnection(HOST, self.port)
        headers = {"origin": f"http://{HOST}:{self.port}", "content-type": "application/json"}
        asking.request("POST", path, json.dumps(said), headers)
        answer = asking.getresponse()
        assert answer.status < 500, answer.read()
        asking.close()

    def state(self) -> dict[str, Any]:
        """What every page sees."""
        asking = http.client.HTTPConnection(HOST, self.port)
        asking.request("GET", "/state")
        found: dict[str, Any] = json.loads(asking.getresponse().read())
        asking.close()
        return found

    def press(self, button: str) -> None:
        self.post(f"/pins/{button}", {"down": True})
        for _ in range(20):  # a finger stays longer than a contact bounces
            self.state()
        self.post(f"/pins/{button}", {"down": False})

    def play_called(self) -> None:
        """Whoever is called begins with one touch; the first to throw wins with three 1s."""
        call = eventually(lambda: self.state()["call"], "players are called here")
        self.post("/call/begin", {"call": call["id"]})
        eventually(lambda: self.state()["stage"] == "playing", "their match is at the table")
        assert list(self.state()["game"]["players"]) == call["players"]
        eventually(lambda: not self.state()["hand_busy"], "a free hand")
        self.post("/hand/acts", {"act": "throw"})
        eventually(self._is_read, "the throw is read")
        self.post("/correct", {"dice": [{"kind": "pip", "value": value} for value in (1, 1, 1, 2, 3, 3)]})
        eventually(lambda: self.state()["lamps"].get("cache"), "a thousand may be banked")
        eventually(self._is_banked, "the match is won")

    def _is_banked(self) -> bool:
        """Whether CACHE has ended the game; where a finger was too quick for the box, it presses again."""
        if self.state()["stage"] == "ended":
            return True
        self.press("cache")
        return False

    def _is_read(self) -> bool:
        shown = self.state()
        waits = not shown["game"]["last_roll"] and not shown["ask"] and shown["table"]["state"] == "still"
        # Who presses again before he can have read what the box says is not heard.
        if waits and time.monotonic() > self._pressed_s + 2 * READ_MS / 1000:
            self.press("roll_done")
            self._pressed_s = time.monotonic()
        return bool(shown["game"]["last_roll"] or shown["ask"])

    def quarrel(self, times: int) -> None:
        """Correct a roll that there was not: each time that, its refusal, and who said it are rows."""
        for _ in range(times):
            self.post("/correct", {"dice": [{"kind": "pip", "value": 3}]})

    def bet(self, player: str) -> None:
        self.post("/bets", {"player": player, "dots": 4})

    def answers(self) -> bool:
        try:
            socket.create_connection((HOST, self.port)).close()
        except OSError:
            return False
        return True

    def uplink(self) -> int:
        """The process that tells the desk; 0 while there is none."""
        pid = self.running.pid
        found = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        for each in found:
            if b"device.venue.publishing" in Path(f"/proc/{each}/cmdline").read_bytes():
                return int(each)
        return 0

    def rows(self) -> list[tuple[int, str]]:
        """Number and hash of each row in its journal."""
        with open_reader(self.folder / "journal.db") as reader:
            return [(seq, row[4].hex()) for seq, row in enumerate(reader.written_rows(1, 0, 100_000), 1)]


class Hall:
    """The desk's process and its two boxes."""

    def __init__(self, folder: Path, closing_all: ExitStack, game: tuple[str, ...]) -> None:
        self.folder = folder / "desk"
        words = ("--data", self.folder, "--host", HOST, "--port", PAGE, "--broker-port", BROKER)
        self.desk = Process(folder / "desk.log", "desk", *words)
        closing_all.callback(self.desk.stop)
        eventually(lambda: "big screen" in (folder / "desk.log").read_text(), "the desk runs")
        self.boxes = []
        for number in (1, 2):
            home = folder / f"box{number}"
            home.mkdir()
            (home / "callbox.toml").write_text("[venue]\npublish = true\n")
            code = code_for(self.folder, f"Table {number}")
            run("pair", HOST, code, "--port", PAGE, "--data", home)
            box = PlayingBox(home, number, game)
            closing_all.callback(box.stop)
            self.boxes.append(box)
        for box in self.boxes:
            eventually(box.answers, "the box's console answers")
            eventually(box.uplink, "somebody tells the desk")

    def held(self, number: int) -> list[tuple[int, str]]:
        """Number and hash of each row that the desk holds of a box."""
        with closing(Ledger.open(self.folder)) as ledger:
            names = {each.name: each.id for each in ledger.boxes()}
            query = "SELECT seq, lower(hex(hash)) FROM entries WHERE box = ? ORDER BY game, seq"
            found: list[Any] = ledger._db.execute(query, (names[f"Table {number}"],)).fetchall()
            return found

    def holds_all(self, number: int) -> bool:
        return self.held(number) == self.boxes[number - 1].rows() != []


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    with ExitStack() as closing_all:
        yield Hall(tmp_path, closing_all, ("zoinx", "--players", "Ann,Bea"))


@pytest.fixture
def lobbies(tmp_path: Path) -> Iterator[Hall]:
    """At both tables nobody plays."""
    with ExitStack() as closing_all:
        yield Hall(tmp_path, closing_all, ())


def test_nothing_is_lost_doubled_or_out_of_order(hall: Hall) -> None:
    first, second = hall.boxes
    for box in hall.boxes:
        box.bet("Ann")
    assert hall.held(1) == [], "one bet is secret until both are locked"
    for box in hall.boxes:
        box.bet("Bea")
        box.quarrel(4)
    for number in (1, 2):
        eventually(lambda number=number: hall.holds_all(number), "all that was played is held")  # type: ignore[misc]
    unplugged = second.uplink()
    os.kill(unplugged, signal.SIGSTOP)
    second.quarrel(40)
    hall.desk.kill()
    first.quarrel(40)
    assert not hall.holds_all(1)
    hall.desk.start()
    first.quarrel(10)
    eventually(lambda: len(hall.held(1)) > 20, "the desk is back, and hears again")
    hall.desk.kill()
    hall.desk.start()
    first.quarrel(10)
    eventually(lambda: hall.holds_all(1), "the first table is whole though the desk was killed twice")
    assert len(hall.held(2)) < len(second.rows()), "the second is unplugged"
    os.kill(unplugged, signal.SIGCONT)
    second.quarrel(1)
    eventually(lambda: hall.holds_all(2), "so is the second, once it is plugged in")
    told = run("desk", "--data", hall.folder, "results")
    assert [line.split(",")[0] for line in told.splitlines()[1:]] == ["Table 1"] * 2 + ["Table 2"] * 2


def test_who_has_no_key_is_not_let_in_and_a_revoked_box_is_thrown_out(hall: Hall) -> None:
    first = hall.boxes[0]
    first.bet("Ann")
    first.bet("Bea")
    eventually(lambda: hall.holds_all(1), "it is heard")
    run("desk", "--data", hall.folder, "revoke", "Table 1")
    eventually(lambda: "Not authorized" in first.log.read_text(), "it is thrown out, and says so")
    first.quarrel(3)
    assert not hall.holds_all(1)
    code = code_for(hall.folder, "Table 1")
    run("pair", HOST, code, "--port", PAGE, "--data", first.folder)
    first.stop()
    first.start()
    eventually(first.uplink, "it runs again")
    with closing(Ledger.open(hall.folder)) as ledger:
        newest = max(ledger.boxes(), key=lambda each: each.paired)
        eventually(
            lambda: ledger.held(newest.id).get(1), "paired anew, it tells all it has from the first row on"
        )
        eventually(lambda: ledger.held(newest.id)[1].rows == len(first.rows()), "up to the last")


EIGHT = ("Ann", "Bea", "Cid", "Dan", "Eve", "Fay", "Gus", "Hal")
RULES = ("first=named", "target=1000", "last=none")


def tournament(hall: Hall, *words: object) -> str:
    """What the organiser does at the desk's keyboard."""
    return run("desk", "--data", hall.folder, "tournament", *words)


def lines_of(hall: Hall, kind: str) -> list[dict[str, Any]]:
    """The matches, or the standings."""
    lines = map(json.loads, tournament(hall, "show", "--format", "jsonl").splitlines())
    return [line for line in lines if line["kind"] == kind]


def test_a_bracket_of_eight_is_played_over_two_tables_to_its_end(lobbies: Hall) -> None:
    first, second = lobbies.boxes
    rules = [word for rule in RULES for word in ("--option", rule)]
    tournament(lobbies, "draw", "Cup", *EIGHT, "--game", "ten-thousand", *rules)
    eventually(lambda: first.state()["call"] and second.state()["call"], "both tables are called")
    unplugged = second.uplink()
    os.kill(unplugged, signal.SIGSTOP)
    second.play_called()
    first.play_called()
    eventually(lambda: lines_of(lobbies, "match")[0]["winner"] == "Ann", "the first result is in")
    eventually(lambda: first.state()["call"], "the next are called to the table that is there")
    lobbies.desk.kill()
    first.play_called()
    lobbies.desk.start()
    eventually(
        lambda: sum(bool(each["winner"]) for each in lines_of(lobbies, "match")) == 2, "so is the next"
    )
    lobbies.desk.kill()
    lobbies.desk.start()
    assert lines_of(lobbies, "match")[1]["winner"] == "", "the second table is unplugged"
    os.kill(unplugged, signal.SIGCONT)
    eventually(
        lambda: lines_of(lobbies, "match")[1]["winner"] == "Dan", "plugged in, it tells what it played"
    )
    for box in play_on(lobbies):
        box.play_called()
    matches, standings = lines_of(lobbies, "match"), lines_of(lobbies, "standing")
    assert [each["winner"] for each in matches] == [each["sides"][0] for each in matches]
    assert {each["table"] for each in matches} == {"Table 1", "Table 2"}
    assert len({(each["table"], each["game_id"]) for each in matches}) == 7
    assert (standings[0]["player"], standings[0]["wins"]) == (matches[-1]["winner"], 3)


def play_on(hall: Hall) -> Iterator[PlayingBox]:
    """The box to which somebody is called next, until all matches have a winner."""
    while True:
        found = eventually(
            lambda: (
                [each for each in hall.boxes if each.state()["call"]]
                or all(each["winner"] for each in lines_of(hall, "match"))
            ),
            "somebody is called, or all is played",
        )
        if found is True:
            return
        assert isinstance(found, list)
        yield found[0]

"""A close call at a whole box, answered from a desk through a real broker, with its pictures.

Box, desk and broker are processes of their own. Where the table answers first, the desk is refused.
"""

import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any, cast

import httpx2
import pytest
from starlette.testclient import TestClient

from device.hall.ledger import Ledger
from tests.device.hall.processes import BROKER, HOST, PAGE, ROOT, Process, callbox, run, why_not
from tests.device.hall.test_three_processes import PlayingBox, code_for
from tests.device.people.page import SealedPage
from tests.waiting import PATIENCE_S, eventually

pytestmark = [pytest.mark.long, pytest.mark.skipif(bool(why_not()), reason=why_not() or "all is there")]

PIN = "13579"
SETTINGS = "[venue]\npublish = true\nanswers = true\n"


class LandingBox(PlayingBox):
    """A whole box at the simulated table, which plays End Zone and reads dice as soon as they lie."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, 8081
        words = ("--players", "Ann,Bea", "--camera", "table", "--seed", 7, "--reads", "at_rest")
        rules = ("--option", "order=seats")
        where = ("--host", HOST, "--port", self.port, "--data", folder, "--config", folder / "callbox.toml")
        Process.__init__(self, folder / "log", "play", "end-zone", *words, *rules, *where)

    def state(self) -> dict[str, Any]:
        told: dict[str, Any] = httpx2.get(f"http://{HOST}:{self.port}/state", timeout=PATIENCE_S).json()
        return told

    def let_one_stop_on_a_line(self) -> None:
        """Throw until the box asks: a die on a line is too close to call, if it came to lie at all."""
        eventually(lambda: not self.state()["hand_busy"], "a free hand")
        before = self.state()["table"]["reading_id"]
        self.post("/hand/acts", {"act": "line"})
        eventually(lambda: self.state()["table"]["reading_id"] > before, "the throw is read")
        eventually(lambda: self.state()["ask"] == "landing", "it is too close to call")


class Desk:
    """The desk's process, and a page at it."""

    def __init__(self, folder: Path, closing_all: ExitStack) -> None:
        self.folder = folder / "desk"
        words = ("--data", self.folder, "--host", HOST, "--port", PAGE, "--broker-port", BROKER)
        self._log = folder / "desk.log"
        self._process = Process(self._log, "desk", *words)
        closing_all.callback(self._process.stop)
        eventually(lambda: "big screen" in self._log.read_text(), "the desk runs")
        subprocess.run(
            callbox("desk", "--data", self.folder, "pin"),
            cwd=ROOT,
            input=f"{PIN}\n",
            text=True,
            check=True,
            capture_output=True,
        )
        self.http = httpx2.Client(base_url=f"http://{HOST}:{PAGE}", timeout=PATIENCE_S)
        closing_all.callback(self.http.close)
        self.page = SealedPage(cast("TestClient", self.http))
        self.table = ""

    def start_again(self) -> None:
        """The desk is killed, and started again."""
        self._process.kill()
        told = self._log.stat().st_size
        self._process.start()
        eventually(lambda: "big screen" in self._log.read_text()[told:], "the desk runs again")

    def sign_in(self) -> None:
        assert self.page.post("/sign-in", {"office": "referee", "pin": PIN, "name": "Cleo"})["ok"]

    def shown_question(self) -> dict[str, Any]:
        """What the box shows of its question."""
        said: dict[str, Any] = self.http.get(f"/tables/{self.table}/question").json()
        told: dict[str, Any] = said["told"] or {}
        return told

    def question(self) -> dict[str, Any]:
        """The question that waits, as soon as its close-up is there."""
        eventually(
            lambda: len((self.shown_question().get("question") or {}).get("pictures", ())) == 2,
            "the question is there with both pictures",
        )
        found: dict[str, Any] = self.shown_question()["question"]
        return found

    def answer(self, question: dict[str, Any]) -> dict[str, Any]:
        first = question["answers"][0]
        said = {"question": question["id"], "choice": first["choice"], "words": first["words"]}
        return self.page.post("/answers", {"table": self.table, **said})


@pytest.fixture
def at(tmp_path: Path) -> Iterator[tuple[Desk, LandingBox]]:
    with ExitStack() as closing_all:
        desk = Desk(tmp_path, closing_all)
        home = tmp_path / "box"
        home.mkdir()
        (home / "callbox.toml").write_text(SETTINGS)
        run("pair", HOST, code_for(desk.folder, "Table 4"), "--port", PAGE, "--data", home)
        box = LandingBox(home)
        closing_all.callback(box.stop)
        eventually(box.answers, "the box's console answers")
        eventually(box.uplink, "somebody tells the desk")
        with closing(Ledger.open(desk.folder)) as ledger:
            (known,) = ledger.boxes()
        desk.table = known.id
        yield desk, box


def test_a_close_call_is_answered_from_the_desk_with_its_picture(at: tuple[Desk, LandingBox]) -> None:
    desk, box = at
    box.let_one_stop_on_a_line()
    question = desk.question()
    assert desk.shown_question()["takes_answers"]
    assert question["text"]
    for place, picture in enumerate(question["pictures"]):
        jpeg = desk.http.get(f"/tables/{desk.table}/pictures/{place}.jpg", params={"of": question["id"]})
        own = httpx2.get(f"http://{HOST}:{box.port}{picture['address']}", timeout=PATIENCE_S)
        assert jpeg.content == own.content != b"", "the very picture that the box's referee sees"
    assert all(each["changes"] for each in question["answers"]), "each says what it would change"
    assert [each["view"] for each in question["pictures"]] == ["close-up", "whole"]
    assert "Only the referee may" in desk.answer(question)["text"]
    desk.sign_in()
    assert desk.answer(question) == {"ok": True, "text": ""}
    sent = desk.page.sent
    eventually(lambda: box.state()["ask"] == "", "the box asks no more")
    assert "was sent before" in desk.page.send("/answers", sent)["text"]
    assert "does not wait any more" in desk.answer(question)["text"]
    told = run("show", 1, "--data", box.folder)
    assert "- desk: Cleo" in told
    assert question["answers"][0]["words"] in told
    box.let_one_stop_on_a_line()
    second = desk.question()
    assert second["id"] != question["id"]
    first = second["answers"][0]
    box.post("/choices", {"choice": first["choice"], "words": first["words"]})
    eventually(lambda: box.state()["ask"] == "", "the table answers first")
    assert "does not wait any more" in desk.answer(second)["text"]
    assert run("show", 1, "--data", box.folder).count("desk: Cleo") == told.count("desk: Cleo")

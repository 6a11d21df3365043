"""A result is signed off at the desk, and its table shows that: two whole processes and a real broker.

The box is away while the organiser signs, and the desk is killed meanwhile.
"""

import os
import signal
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.device.hall.organiser_desk import LIST
from tests.device.hall.processes import HOST, PAGE, run, why_not
from tests.device.hall.test_answered_from_desk import Desk
from tests.device.hall.test_three_processes import PlayingBox, code_for
from tests.device.people.page import SealedPage
from tests.waiting import PATIENCE_S, eventually

pytestmark = [pytest.mark.long, pytest.mark.skipif(bool(why_not()), reason=why_not() or "all is there")]

PIN = "2468"
SETTINGS = '[venue]\npublish = true\nanswers = true\n[people]\ntable = "tournament"\n'


class TournamentBox(PlayingBox):
    """A whole box in its lobby, and its referee's page."""

    def __init__(self, folder: Path, closing_all: ExitStack) -> None:
        super().__init__(folder, 1, ())
        closing_all.callback(self.stop)
        eventually(self.answers, "the box's console answers")
        address = f"http://{HOST}:{self.port}"
        http = closing_all.enter_context(httpx2.Client(base_url=address, timeout=PATIENCE_S))
        self._page = SealedPage(http)  # type: ignore[arg-type]  # what it needs of a client both have
        assert self._page.post("/sign-in", {"office": "referee", "pin": PIN, "name": "Max"})["ok"]

    def post(self, path: str, said: dict[str, object]) -> None:
        self._page.post(path, said)

    def sign_off(self) -> dict[str, Any]:
        """How the result stands at the table."""
        found: dict[str, Any] = self.state()["sign_off"] or {}
        return found


@pytest.fixture
def at(tmp_path: Path) -> Iterator[tuple[Desk, TournamentBox]]:
    with ExitStack() as closing_all:
        desk = Desk(tmp_path, closing_all)
        home = tmp_path / "box"
        home.mkdir()
        (home / "callbox.toml").write_text(SETTINGS)
        run("pair", HOST, code_for(desk.folder, "Table 1"), "--port", PAGE, "--data", home)
        run("pin", "referee", "--data", home, "--config", home / "callbox.toml", typed=f"{PIN}\n")
        box = TournamentBox(home, closing_all)
        eventually(box.uplink, "somebody tells the desk")
        yield desk, box


def test_a_sign_off_at_the_desk_reaches_a_table_that_was_away_meanwhile(
    at: tuple[Desk, TournamentBox],
) -> None:
    desk, box = at
    desk.sign_in()
    assert desk.page.post("/organiser/entries", {**LIST, "seen": 0})["ok"]
    assert desk.page.post("/organiser/draw", {"seen": 1})["ok"]
    box.play_called()
    assert box.sign_off()["standing"] == "waits"

    def final() -> dict[str, Any]:
        found: dict[str, Any] = desk.http.get("/tournament").json()["tournament"]["matches"][0]
        return found

    eventually(lambda: final()["unsigned"], "the desk knows the result")
    away = box.uplink()
    os.kill(away, signal.SIGSTOP)
    said = {"cup": 1, "match": 1, "seen": final()["steps"], "winner": final()["unsigned"]}
    assert desk.page.post("/organiser/sign", said)["ok"]
    eventually(lambda: final()["winner"], "the result counts")
    desk.start_again()
    assert box.sign_off()["standing"] == "waits", "the box is away"
    os.kill(away, signal.SIGCONT)
    eventually(lambda: box.sign_off()["standing"] == "signed", "the table shows the sign-off")
    assert box.sign_off()["by"] == "desk: Cleo"
    assert "- desk: Cleo" in run("show", 1, "--data", box.folder)
    eventually(lambda: box.state()["call"], "the table is free, and the next are called there")

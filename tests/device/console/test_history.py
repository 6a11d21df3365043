"""What was played, on the console's pages: told by a process beside the box, and no press waits for it."""

import os
import re
import signal
import threading
from collections.abc import Iterator
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage
from starlette.testclient import TestClient

from calibration.description import CLASSIC, load_description
from device.console import ConsoleServer, make_app
from device.console.app import ConsoleSettings
from device.journal import Journal, Moment
from device.journal.rows import EventRow
from device.reports.asking import HistoryAsked, HistoryProcess, HistoryTold, TellsHistory
from device.reports.worker import Historian
from engine.dice import Die
from engine.events import Bet, Rolled
from tests.device.console.fake_box import HERE, HOME, FakeBox
from tests.device.reports.kept import EVENING, RECORDINGS, keep, keep_recording
from tests.waiting import PATIENCE_S

SHEET = load_description(CLASSIC)
WIDTHS = (390, 1280)
OWN = {"origin": HOME}


class AskedHistory:
    """Answers with what it was asked."""

    def __init__(self, told: HistoryTold | None = None) -> None:
        self.told = told
        self.asked: list[HistoryAsked] = []

    def ask(self, question: HistoryAsked, /) -> HistoryTold | None:
        self.asked.append(question)
        return self.told


def console(history: TellsHistory | None) -> TestClient:
    return TestClient(make_app(FakeBox(), ConsoleSettings(history=history)), base_url=HOME, client=HERE)


def _note(trouble: list[str], message: ConsoleMessage) -> None:
    trouble.append(message.text)


def throw(value: int) -> Rolled:
    return Rolled(dice=(Die("pip", value),))


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal.open(tmp_path / "journal.db") as opened:
        yield opened


@pytest.fixture
def historian(journal: Journal) -> Historian:
    return Historian(journal.path, SHEET)


def text_of(historian: Historian, question: HistoryAsked) -> str:
    told = historian.answer(question)
    assert told.status == 200
    return told.body.decode()


def test_each_address_asks_for_what_it_says() -> None:
    history = AskedHistory(HistoryTold(body=b"<p>", media="text/csv; charset=utf-8", name="callbox-x.csv"))
    client = console(history)
    for path in ("/history", "/history.pdf?game=7", "/history.csv?evening=2026-11-20", "/history?all=yes"):
        assert client.get(path).status_code == 200
    assert history.asked == [
        HistoryAsked(),
        HistoryAsked(form="pdf", game=7),
        HistoryAsked(form="csv", evening="2026-11-20"),
        HistoryAsked(every=True),
    ]
    answer = client.get("/history.csv")
    assert answer.headers["content-disposition"] == 'attachment; filename="callbox-x.csv"'
    assert "script-src 'self'" in answer.headers["content-security-policy"]
    assert client.get("/history.css").headers["content-type"].startswith("text/css")
    for number in ("x", "-1", "²", "9" * 19, "1" * 400):
        assert client.get("/history", params={"game": number}).status_code == 404
    assert len(history.asked) == 5


def test_where_nobody_can_tell_it_is_said() -> None:
    assert console(None).get("/history").json()["text"].startswith("This console tells no history")
    lost = console(AskedHistory(None)).get("/history")
    assert (lost.status_code, lost.json()["text"][:27]) == (503, "The history cannot be told ")


def test_a_press_is_answered_while_the_history_is_still_gone_through() -> None:
    asked, over = threading.Event(), threading.Event()

    class Slow:
        def ask(self, _question: HistoryAsked, /) -> HistoryTold | None:
            asked.set()
            over.wait(PATIENCE_S)
            return None

    with console(Slow()) as client:
        waiting = [threading.Thread(target=client.get, args=("/history",)) for _ in range(60)]
        for each in waiting:
            each.start()
        assert asked.wait(PATIENCE_S)
        assert client.post("/pins/stop", json={"down": True}, headers=OWN).json()["ok"]
        assert client.get("/picture.jpg").status_code in (200, 204)
        over.set()
        for each in waiting:
            each.join(PATIENCE_S)


def test_the_last_evening_is_told_and_others_lead_on(journal: Journal, historian: Historian) -> None:
    assert "No game has been played yet." in text_of(historian, HistoryAsked())
    for number, day in enumerate((0, 1, 1)):
        keep(journal, "tray", ("Ann", f"Bob {number}"), {}, [throw(3)], EVENING + timedelta(days=day))
    last = text_of(historian, HistoryAsked())
    assert "The evening of 21 November 2026" in last
    assert "Bob 0" not in last
    assert '<a href="history?game=3">3</a>' in last
    for link in ("history?evening=2026-11-20", "history?all=yes", "history.pdf?evening=2026-11-21"):
        assert link in last
    assert "Bob 0" in text_of(historian, HistoryAsked(evening="2026-11-20"))
    of_bob = text_of(historian, HistoryAsked(player="bob 0"))
    assert "Games of bob 0" in of_bob
    assert "history.csv?player=bob+0" in of_bob
    assert "The throws of game 1" in text_of(historian, HistoryAsked(game=1))
    assert "history.csv?game=1" in text_of(historian, HistoryAsked(game=1))
    assert historian.answer(HistoryAsked(form="pdf", every=True)).body.startswith(b"%PDF")
    assert historian.answer(HistoryAsked(form="csv")).name == "callbox-the-evening-of-21-november-2026.csv"
    for wrong in (HistoryAsked(game=9), HistoryAsked(evening="1999-01-01"), HistoryAsked(evening="<script>")):
        assert historian.answer(wrong).status == 404


def test_of_many_games_the_figures_are_kept_and_a_game_that_goes_on_is_looked_at_anew(
    journal: Journal, historian: Historian
) -> None:
    games = [keep(journal, "tray", ("Ann",), {}, [throw(2)] * 3) for _ in range(13)]
    assert "13 games, 39 throws." in text_of(historian, HistoryAsked(every=True))
    journal.append(games[4], [EventRow(throw(6))], Moment(EVENING, 1.0))
    told = text_of(historian, HistoryAsked(every=True))
    assert "13 games, 40 throws." in told
    assert "The throws of game" not in told
    assert text_of(historian, HistoryAsked(every=True)) == told


def test_a_running_game_tells_no_bet(journal: Journal, historian: Historian) -> None:
    pages = []
    for dots in (2, 8):
        game = keep(journal, "zoinx", ("Ann", "Bob"), {}, [Bet(player="Ann", dots=dots)])
        page = text_of(historian, HistoryAsked(game=game))
        pages.append(re.sub(rf"(?i)(game[ =]){game}\b|>{game}<", r"\1", page))
    assert pages[0] == pages[1]


def test_the_process_answers_is_started_anew_when_it_fell_and_ends_with_the_box(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "journal.db") as opened:
        keep(opened, "tray", ("Ann",), {}, [throw(5)])
    history = HistoryProcess(tmp_path / "journal.db", None)
    told = history.ask(HistoryAsked())
    assert told is not None
    assert b"1 game, 1 throw." in told.body
    running = history._process._running
    assert running
    running.kill()
    running.wait()
    assert history.ask(HistoryAsked()) == told
    history.close()
    assert history.ask(HistoryAsked()) is None


def test_a_process_that_stands_still_is_replaced_and_the_page_gets_a_sentence(tmp_path: Path) -> None:
    """A process that was stopped (SIGSTOP) never answers and never ends by itself."""
    with Journal.open(tmp_path / "journal.db") as journal:
        keep_recording(journal, RECORDINGS[0], EVENING)
    history = HistoryProcess(tmp_path / "journal.db", None, answer_s=PATIENCE_S)
    try:
        first = history.ask(HistoryAsked())
        stopped = history._process._running
        assert first is not None
        assert stopped is not None
        os.kill(stopped.pid, signal.SIGSTOP)
        history._process.answer_s = 0.2
        said = console(history).get("/history")
        assert (said.status_code, "Try again in a moment" in said.json()["text"]) == (503, True)
        assert stopped.poll() is not None, "the one that stood still has ended"
        history._process.answer_s = PATIENCE_S
        assert history.ask(HistoryAsked()) == first
    finally:
        history.close()


def test_a_journal_that_cannot_be_read_is_told_in_a_sentence(tmp_path: Path) -> None:
    told = Historian(tmp_path / "journal.db", SHEET).answer(HistoryAsked())
    assert told.status == 404
    assert "there is no journal" in told.body.decode()


@pytest.mark.chromium
def test_the_pages_fit_a_phone_and_obey_the_console_s_own_policy(
    chromium: Browser, journal: Journal, historian: Historian
) -> None:
    for path in RECORDINGS[:3]:
        keep_recording(journal, path)

    class Here:
        def ask(self, question: HistoryAsked, /) -> HistoryTold | None:
            return historian.answer(question)

    server = ConsoleServer(make_app(FakeBox(), ConsoleSettings(history=Here())), "127.0.0.1", 0)
    server.start()
    try:
        for width in WIDTHS:
            page = chromium.new_page(viewport={"width": width, "height": 844})
            trouble: list[str] = []
            page.on("console", partial(_note, trouble))
            page.goto(server.address)
            page.get_by_role("link", name="History").click()
            page.get_by_role("link", name="2", exact=True).click()
            assert page.get_by_role("heading", level=1).inner_text() == "Game 2"
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            assert page.locator("svg[role=img]").count() == 3
            small = page.locator("nav a").evaluate_all(
                "links => links.filter(link => link.getBoundingClientRect().height < 44).length"
            )
            assert (small, trouble) == (0, [])
            with page.expect_download() as download:
                page.get_by_role("link", name="Report as PDF").click()
            assert download.value.suggested_filename == "callbox-game-2.pdf"
            page.close()
    finally:
        server.stop()

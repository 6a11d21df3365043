"""What was played, on the console's pages: told by a process beside the box, and no press waits for it."""

import os
import re
import signal
import threading
from collections.abc import Iterator
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, expect
from starlette.testclient import TestClient

from calibration.description import CLASSIC, load_description
from device.console import ConsoleServer, make_app
from device.console.app import ConsoleSettings
from device.films import Shelf
from device.journal import Journal, Moment
from device.journal.rows import DiceReading, EventRow, ReadDie, Row
from device.reports.asking import HistoryAsked, HistoryProcess, HistoryTold, TellsHistory
from device.reports.worker import Historian
from engine.dice import Die
from engine.events import Bet, Cache, Event, Rolled
from tests.device.axe import find_violations
from tests.device.console.drawn import drawn_table
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
    for path in (
        "/history",
        "/history.pdf?game=7",
        "/history.csv?evening=2026-11-20",
        "/history?all=yes",
        "/history?game=7",
        "/games/7.html?names=no",
    ):
        assert client.get(path).status_code == 200
    assert history.asked == [
        HistoryAsked(),
        HistoryAsked(form="pdf", game=7),
        HistoryAsked(form="csv", evening="2026-11-20"),
        HistoryAsked(every=True),
        HistoryAsked(game=7),
        HistoryAsked(form="file", game=7, names=False),
    ]
    assert str(client.get("/history?game=7").url).endswith("/games/7")
    history.asked.clear()
    for path in ("/pictures/7/3-2.jpg", "/films/7/3.mp4"):
        assert client.get(path).status_code == 404, "the answer names no file"
    assert history.asked == [
        HistoryAsked(form="picture", game=7, name="3-2"),
        HistoryAsked(form="film", game=7, name="3"),
    ]
    answer = client.get("/history.csv")
    assert answer.headers["content-disposition"] == 'attachment; filename="callbox-x.csv"'
    assert "script-src 'self'" in answer.headers["content-security-policy"]
    assert client.get("/history.css").headers["content-type"].startswith("text/css")
    for number in ("x", "-1", "²", "9" * 19, "1" * 400):
        assert client.get("/history", params={"game": number}).status_code == 404
    assert len(history.asked) == 3


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
    assert '<a href="games/3">3</a>' in last
    assert "The throws of game" not in last, "each game has a page of its own"
    for link in ("history?evening=2026-11-20", "history?all=yes", "history.pdf?evening=2026-11-21"):
        assert link in last
    assert "Bob 0" in text_of(historian, HistoryAsked(evening="2026-11-20"))
    of_bob = text_of(historian, HistoryAsked(player="bob 0"))
    assert "Games of bob 0" in of_bob
    assert '<a href="history?player=Bob%200">Bob 0</a>' in of_bob
    assert "history?player=Ann" not in of_bob
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
        pages.append(re.sub(rf"(?i)(games?[ =/]){game}\b|>{game}<|\b{game}(?=\.html)", r"\1", page))
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
            if (menu := page.locator("#open-menu")).is_visible():
                menu.click()
            page.get_by_role("link", name="History").click()
            page.get_by_role("link", name="2", exact=True).click()
            assert page.get_by_role("heading", level=1).inner_text().startswith("Game 2: ")
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            assert page.locator("svg[role=img]").count() == 3
            small = page.locator("nav a").evaluate_all(
                "all => all.filter(link => link.checkVisibility() && link.offsetHeight < 44).length"
            )
            assert (small, trouble) == (0, [])
            page.locator("nav").get_by_text("To keep").click()
            with page.expect_download() as download:
                page.get_by_role("link", name="Report as PDF").click()
            assert download.value.suggested_filename == "callbox-game-2.pdf"
            page.close()
    finally:
        server.stop()


def pig(journal: Journal, *faces: int) -> int:
    """A game of Ann and Bea to its end, each throw with its picture and the first with a film."""
    events: list[Event] = [*map(throw, faces), Cache()]
    game = journal.begin("pig", ("Ann", "Bea"), {"target": "10"}, Moment(EVENING, 0.0))
    for number, event in enumerate(events, 1):
        name = f"{game}/{number}.jpg"
        rows: list[Row] = [EventRow(event)]
        if isinstance(event, Rolled):
            read = ReadDie(kind="pip", value=event.dice[0].value, confidence=0.99, color="ivory")
            rows.insert(0, DiceReading(picture=name, dice=(read,)))
            keep_picture(journal.path.parent, name, drawn_table((event.dice[0].value,)))
        ended = "Bea wins with 10 points (rule 4)." if isinstance(event, Cache) else None
        journal.append(game, rows, Moment(EVENING, 1000.0 * number), ended=ended)
    Shelf(journal.path.parent / "films", 10).keep(game, 1, b"film")
    return game


def keep_picture(folder: Path, name: str, jpeg: bytes) -> None:
    path = folder / "pictures" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(jpeg)


def test_a_game_tells_how_lucky_the_rolls_were(journal: Journal, historian: Historian) -> None:
    """Each roll of Pig loses the turn with one chance in six: Ann had two, Bea two."""
    told = text_of(historian, HistoryAsked(game=pig(journal, 4, 1, 6, 4)))
    rows = re.findall(r"<td>(Ann|Bea)</td>" + r"<td class=number>([^<]+)</td>" * 4, told)
    assert rows == [("Ann", "2", "1", "0.3", "-0.7"), ("Bea", "2", "0", "0.3", "+0.3")]
    running = keep(journal, "pig", ("Ann", "Bea"), {"target": "10"}, [throw(4)])
    assert "Luck of the dice" not in text_of(historian, HistoryAsked(game=running)), "it is still played"


def test_a_game_is_a_file_with_its_pictures_and_without_names(journal: Journal, historian: Historian) -> None:
    game = pig(journal, 4, 1, 6, 4)
    for names in (True, False):
        told = historian.answer(HistoryAsked(form="file", game=game, names=names))
        assert told.name == f"callbox-game-{game}.html"
        text = told.body.decode()
        assert text.count('src="data:image/jpeg;base64,') == 4
        plain = re.sub(r"base64,[^\"]+", "", text)
        assert bool(re.search(r"\b(Ann|Bea)\b", plain)) == names
        assert ("Player 2: 6" in plain) == (not names)
        assert not re.search(r'(src|href)="(?!data:|#)', plain), "it needs nothing from outside itself"
        assert "<script" not in plain


def test_pictures_and_films_come_from_their_own_folders_alone(journal: Journal, historian: Historian) -> None:
    game = pig(journal, 4, 1, 6, 4)

    class Here:
        def ask(self, question: HistoryAsked, /) -> HistoryTold | None:
            return historian.answer(question)

    client = console(Here())
    assert client.get(f"/pictures/{game}/2.jpg").content == drawn_table((1,))
    assert client.get(f"/films/{game}/1.mp4").headers["content-type"] == "video/mp4"
    film = journal.path.parent / "films" / str(game) / "1.mp4"
    film.write_bytes(film.read_bytes()[:-1] + b"x")
    for path in (
        f"/films/{game}/1.mp4",
        f"/films/{game}/2.mp4",
        f"/pictures/{game}/9.jpg",
        f"/pictures/{game}/..%2f..%2fjournal.jpg",
        f"/pictures/{game}/%2e%2e.jpg",
    ):
        assert client.get(path).status_code == 404, path


@pytest.mark.chromium
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_game_is_stepped_through_without_a_script(
    chromium: Browser, journal: Journal, historian: Historian, scheme: Literal["light", "dark"]
) -> None:
    game = pig(journal, 4, 1, 6, 4)

    class Here:
        def ask(self, question: HistoryAsked, /) -> HistoryTold | None:
            return historian.answer(question)

    server = ConsoleServer(make_app(FakeBox(), ConsoleSettings(history=Here())), "127.0.0.1", 0)
    server.start()
    page = chromium.new_page(viewport={"width": 390, "height": 844}, color_scheme=scheme)
    try:
        page.goto(f"{server.address}games/{game}")
        step = page.locator(".step:visible")
        expect(step.locator("h2")).to_have_text("Ann: 4 +4")
        expect(step.locator("video")).to_have_count(1)
        expect(step.get_by_text("Earlier")).to_be_hidden()
        step.get_by_role("link", name="Later").click()
        expect(step.locator("h2")).to_have_text("Ann: 1")
        step.get_by_role("link", name="Later").click()
        expect(step).to_have_count(1)
        expect(step.locator("h2")).to_have_text("Bea: 6 +6")
        expect(step).to_contain_text("Ann 0, Bea 0; this turn: 6")
        expect(step).to_contain_text("Throw 3 of 4")
        page.wait_for_function("document.querySelector('.step:target img').naturalWidth > 0")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        page.get_by_text("The throws of game").first.click()
        assert axe_without_policy(chromium, page) == []
        page.get_by_role("link", name="1", exact=True).click()
        expect(step.locator("h2")).to_have_text("Ann: 4 +4")
    finally:
        page.close()
        server.stop()


def axe_without_policy(chromium: Browser, page: Page) -> list[str]:
    """What axe finds on a page like this one that lets it run: the console's own policy allows no script."""
    context = chromium.new_context(viewport=page.viewport_size, bypass_csp=True)
    try:
        other = context.new_page()
        other.emulate_media(
            color_scheme="dark"
            if page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
            else "light"
        )
        other.goto(page.url)
        return find_violations(other)
    finally:
        context.close()

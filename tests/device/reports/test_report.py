"""`callbox report` and `callbox results`: files that can be opened again, and no secret in them."""

import csv
import io
import json
import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree as ET

import apsw
import pytest
from click.testing import CliRunner, Result

from device.cli import callbox
from device.journal import Journal
from device.languages import speak_language
from device.reports.asking import HistoryAsked, HistoryProcess
from device.reports.gathering import evening_of
from engine.dice import Die
from engine.events import Bet, Rolled
from tests.device.reports.kept import EVENING, RECORDINGS, keep, keep_recording

Call = Callable[..., Result]
DOTS = tuple(Die("zoinx", face) for face in ("dot", "dot", "square", "square"))
NEXT_DAY = EVENING + timedelta(days=1)


@pytest.fixture(autouse=True)
def utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    import time  # noqa: PLC0415 - only the zone is set here, no clock is read

    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with an evening of all recorded games."""
    folder = tmp_path_factory.mktemp("evening")
    with Journal.open(folder / "journal.db") as journal:
        for number, path in enumerate(RECORDINGS):
            keep_recording(journal, path, EVENING + timedelta(minutes=20 * number))
    return folder


def run(*arguments: str, data: Path) -> Result:
    return CliRunner().invoke(callbox, [*arguments, "--data", str(data)])


class Shape(HTMLParser):
    """Sees to it that a page's elements are closed in their order, and gathers its text."""

    EMPTY = frozenset({"meta", "link"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.names: set[str] = set()
        self.text = ""
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names |= {tag, *(name for name, _ in attrs)}
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names |= {tag, *(name for name, _ in attrs)}

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.mark.long
def test_a_report_of_an_evening_is_one_page_without_script(evening: Path, tmp_path: Path) -> None:
    out = tmp_path / "evening.html"
    told = run("report", "--evening", "2026-11-20", "-o", str(out), data=evening)
    assert told.exit_code == 0, told.output
    page = Shape(out.read_text(encoding="utf-8"))
    assert not page.names & {"script", "style=", "onclick", "iframe", "img"}
    assert "style" in page.names  # it brings its own along
    assert f"{len(RECORDINGS)} games" in page.text
    for words in (
        "The evening of 20 November 2026",
        "Standings",
        "Zoinx dice",
        "measured landings",
        "Zoë B.",
    ):
        assert words in page.text


@pytest.mark.long
def test_a_report_is_told_in_the_language_of_the_settings(
    evening: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings, out = tmp_path / "callbox.toml", tmp_path / "evening.html"
    settings.write_text('language = "de"\n', encoding="utf-8")
    monkeypatch.setenv("CALLBOX_CONFIG", str(settings))
    told = run("report", "--evening", "2026-11-20", "-o", str(out), data=evening)
    assert told.exit_code == 0, told.output
    text = out.read_text(encoding="utf-8")
    assert '<html lang="de">' in text
    for words in ("Der Abend vom 20. November 2026", "Die Spiele, das neueste zuerst", "Zoinx-Würfel"):
        assert words in text


@pytest.mark.long
def test_history_is_told_by_a_process_that_speaks_as_the_box_does(evening: Path) -> None:
    speak_language("fr")
    history = HistoryProcess(evening / "journal.db", None)
    told = history.ask(HistoryAsked(every=True))
    history.close()
    assert told is not None
    assert "Toutes les parties" in told.body.decode()


@pytest.mark.long
def test_each_drawing_of_a_report_is_whole_svg_that_says_what_it_shows(evening: Path, tmp_path: Path) -> None:
    out = tmp_path / "one.html"
    number = [path.stem for path in RECORDINGS].index("end-zone") + 1
    assert run("report", str(number), "-o", str(out), data=evening).exit_code == 0
    drawings = re.findall(r"<svg .*?</svg>", out.read_text(encoding="utf-8"))
    assert len(drawings) == 3
    for drawing in drawings:
        root = ET.fromstring(drawing)  # noqa: S314 - our own
        assert root.attrib["aria-label"]
        assert all("style" not in part.attrib for part in root.iter())
    assert "The scores of Ann and Jürgen Ö. over 37 turns." in drawings[2]


@pytest.mark.long
def test_a_report_as_pdf_has_pages_and_the_same_bytes_each_time(evening: Path, tmp_path: Path) -> None:
    made = []
    for name in ("one.pdf", "again.PDF"):
        told = run("report", "1", "2", "-o", str(tmp_path / name), data=evening)
        assert told.exit_code == 0, told.output
        made.append((tmp_path / name).read_bytes())
    assert made[0] == made[1]
    assert made[0].startswith(b"%PDF")
    assert len(re.findall(rb"/Type /Page\b", made[0])) >= 3


@pytest.mark.long
def test_results_are_a_spreadsheet_and_json_with_the_same_in_them(evening: Path, tmp_path: Path) -> None:
    sheet = run("results", "--all", data=evening)
    rows = list(csv.DictReader(io.StringIO(sheet.stdout.removeprefix("\ufeff"))))
    lines = [
        json.loads(line) for line in run("results", "--format", "jsonl", data=evening).stdout.splitlines()
    ]
    told = [line for line in lines if line["kind"] == "result"]
    assert len(rows) == len(told) > len(RECORDINGS)
    for row, line in zip(rows, told, strict=True):
        points = "" if line["points"] is None else str(line["points"])
        assert (row["player"], row["points"]) == (line["player"], points)
        assert row["won"] == str(line["won"]).lower()
    ranked = [line for line in lines if line["kind"] == "standing"]
    assert [line["wins"] for line in ranked] == sorted((line["wins"] for line in ranked), reverse=True)
    assert sum(line["wins"] for line in ranked) == sum(line["won"] for line in told)
    out = tmp_path / "results.pdf"
    assert run("results", "-o", str(out), data=evening).exit_code == 0
    assert out.read_bytes().startswith(b"%PDF")


def test_bets_and_the_seed_of_a_running_game_are_in_no_report(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "journal.db") as journal:
        bets = [Bet(player="Ann", dots=4), Bet(player="Bob", dots=2)]
        keep(journal, "zoinx", ("Ann", "Bob"), {}, [*bets, Rolled(dice=DOTS)])
        keep(journal, "zoinx", ("Ann", "Bob"), {}, [Bet(player="Ann", dots=10)])
        keep(journal, "zonk", ("Ann",), {"deck": "box", "seed": "5eed5eed"}, [])
    for form in ("report", "results"):
        out = tmp_path / f"{form}.html"
        end = ["-o", str(out)] if form == "report" else []
        told = run(form, "--all", *end, data=tmp_path)
        assert told.exit_code == 0, told.output
        text = out.read_text(encoding="utf-8") if end else told.stdout
        assert "5eed5eed" not in text
        assert "seed=?" in text
        assert "bets" not in text


def test_a_damaged_game_is_told_and_left_out(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "journal.db") as journal:
        first = keep_recording(journal, RECORDINGS[0])
        keep_recording(journal, RECORDINGS[-1])
    with apsw.Connection(str(tmp_path / "journal.db")) as connection:
        connection.execute("DROP TRIGGER entries_keep")
        connection.execute("UPDATE entries SET body = '{}' WHERE game_id = ? AND seq = 3", (first,))
    out = tmp_path / "report.html"
    told = run("report", "--all", "-o", str(out), data=tmp_path)
    assert told.exit_code == 0, told.output
    assert f"Game {first} is left out: row 3 of game {first}" in told.stderr
    text = out.read_text(encoding="utf-8")
    assert f"Game {first} is left out" in text
    assert "1 game," in text
    whole = run("results", "--all", "--format", "jsonl", data=tmp_path)
    assert [json.loads(line)["kind"] for line in whole.stdout.splitlines()].count("left out") == 1


def test_a_player_may_be_called_anything(tmp_path: Path) -> None:
    names = ("=1+1", "<script>x</script>", "Дарья 中", "a" * 40)
    with Journal.open(tmp_path / "journal.db") as journal:
        keep(journal, "tray", names, {}, [Rolled(dice=(Die("pip", 3),)) for _ in range(8)])
    for name in ("x.html", "x.pdf"):
        assert run("report", "1", "-o", str(tmp_path / name), data=tmp_path).exit_code == 0
    page = Shape((tmp_path / "x.html").read_text(encoding="utf-8"))
    assert "script" not in page.names
    assert all(name in page.text for name in names[:3])
    assert "'=1+1" in run("results", data=tmp_path).stdout


@pytest.mark.long
@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["report", "1", "-o", "x.txt"], "neither .html nor .pdf"),
        (["report", "1", "--all", "-o", "x.html"], "one of these"),
        (["report", "99", "-o", "x.html"], "no game 99"),
        (["report", "--evening", "1999-01-01", "-o", "x.html"], "no game began on the evening of 1999-01-01"),
        (["report", "1", "--calibration", "none.json", "-o", "x.html"], "none.json"),
        (["report", "1", "-o", "/nowhere/x.html"], "cannot be written"),
        (["results", "-o", "/nowhere/x.csv"], "cannot be written"),
    ],
)
def test_what_cannot_be_ends_in_a_sentence(evening: Path, arguments: list[str], says: str) -> None:
    told = run(*arguments, data=evening)
    assert told.exit_code in (1, 2)
    assert says in told.stderr
    assert "Traceback" not in told.output


def test_without_a_word_it_is_the_last_evening_which_lasts_into_the_night(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "journal.db") as journal:
        for begun in (EVENING, NEXT_DAY, datetime(2026, 11, 22, 2, 30, tzinfo=UTC)):
            keep(journal, "tray", ("Ann",), {}, [Rolled(dice=(Die("pip", 3),))], begun)
        days = [evening_of(record) for record in journal.games()]
    assert [day and day.isoformat() for day in days] == ["2026-11-20", "2026-11-21", "2026-11-21"]
    lines = run("results", "--format", "jsonl", data=tmp_path).stdout.splitlines()
    assert [json.loads(line)["game_id"] for line in lines] == [2, 3]

"""The process that tells the console's pages what was played: one question a line, one answer a line.

    python -m device.reports.worker JOURNAL [CALIBRATION]

It looks into the journal anew for each question and writes nothing. Games that are over are gone through
once and their figures kept; after some minutes without a question it ends, and its memory is free again.
"""

import base64
import os
import re
import select
import sys
from collections.abc import Iterator, Sequence
from datetime import date
from html import escape
from pathlib import Path
from urllib.parse import urlencode

import cv2
import msgspec

from calibration.description import TableDescription
from device.journal import GameId, GameRecord, JournalError
from device.journal.reader import JournalReader, open_reader
from device.languages import speak_as_started
from device.reports.asking import HistoryAsked, HistoryTold
from device.reports.blocks import Heading, Sentence
from device.reports.content import (
    DETAILED,
    Report,
    add_reports,
    make_report,
    tell,
    tell_game_page,
    tell_page,
)
from device.reports.gathering import (
    day_words,
    evening_of,
    evening_title,
    evenings,
    gather,
    of_evening,
    of_player,
)
from device.reports.html import Addresses, page
from device.reports.pdf import make_pdf
from device.reports.played import PlayedGame, without_names
from device.reports.results import results_csv
from device.reports.sheet import SheetUnknown, sheet_of
from engine.wording import phrase

NICENESS = 10
IDLE_S = 600.0
STYLE = "history.css"
UP = "../"
"""From a game's page to the console's own address."""
EMBEDDED_QUALITY = 80
"""JPEG quality of the pictures in a file, which are half as wide as those that were read."""
_KEPT = re.compile(r"[1-9][0-9]{0,17}/[0-9]{1,18}(-[0-9]{1,6})?\.jpg")
MOST_EVENINGS = 30
"""The newest so many can be chosen on the page; the command line knows them all."""

_Kept = tuple[int, str | None, Report]
"""How many rows a game had, when it ended, and the report on it."""


class Historian:
    """Answers questions about one journal."""

    def __init__(self, journal: Path, sheet: TableDescription) -> None:
        self._journal = journal
        self._sheet = sheet
        self._kept: dict[GameId, _Kept] = {}

    def answer(self, question: HistoryAsked) -> HistoryTold:
        """What was asked for; trouble is told on a page, in a sentence."""
        try:
            if question.form in ("picture", "film"):
                return self._kept_file(question)
            with open_reader(self._journal) as reader:
                return self._tell(reader, question)
        except JournalError as error:
            return _trouble(str(error))

    def _tell(self, reader: JournalReader, question: HistoryAsked) -> HistoryTold:
        records = reader.games()
        days = evenings(records)
        if not records:
            return _trouble(phrase("No game has been played yet."), status=200)
        title, chosen = _chosen(question, records, days)
        if not chosen:
            return _trouble(phrase("There are no such games in the journal."))
        if question.game and question.form in ("page", "file"):
            return self._game(reader, question, title, chosen[0])
        report = self._report(reader, title, chosen)
        name = f"callbox-{re.sub(r'[^a-z0-9]+', '-', title.lower()).strip('-')}"
        if question.form == "csv":
            text = results_csv(report.games)
            return HistoryTold(media="text/csv; charset=utf-8", name=f"{name}.csv", body=_bytes(text))
        if question.form == "pdf":
            made = make_pdf(title, tell(report, self._sheet))
            return HistoryTold(media="application/pdf", name=f"{name}.pdf", body=made)
        blocks = tell_page(report, self._sheet, player=question.player)
        nav = "\n".join(_nav(question, days))
        return HistoryTold(body=_bytes(page(title, blocks, style=STYLE, nav=nav)))

    def _game(
        self, reader: JournalReader, question: HistoryAsked, title: str, record: GameRecord
    ) -> HistoryTold:
        """One game step by step: a page of the console, or a file that brings its pictures along."""
        (found,) = gather(reader, [record], with_luck=record.ended is not None)
        if isinstance(found, PlayedGame) and not question.names:
            found = without_names(found)
        report = make_report(title, [found], detailed=True)
        if not report.games:
            return _trouble(next(iter(report.left_out)).why)
        if question.form == "file":
            blocks = tell_game_page(report, self._sheet, linked=False)
            text = page(title, blocks, addresses=Addresses(picture=self._embedded))
            return HistoryTold(name=f"callbox-game-{record.id}.html", body=_bytes(text))
        films = {
            name
            for throw in report.games[0].throws
            if (name := throw.picture.removesuffix(".jpg")) and (self._films / f"{name}.mp4").is_file()
        }
        blocks = tell_game_page(report, self._sheet, films)
        nav = "\n".join(_game_nav(record))
        addresses = Addresses(root=UP, picture=(UP + "pictures/{}").format)
        return HistoryTold(body=_bytes(page(title, blocks, style=STYLE, nav=nav, addresses=addresses)))

    @property
    def _films(self) -> Path:
        return self._journal.parent / "films"

    def _picture(self, name: str) -> Path | None:
        """Where a picture lies that the journal names; None for a name that is none, or no longer kept."""
        path = self._journal.parent / "pictures" / name
        return path if _KEPT.fullmatch(name) and path.is_file() else None

    def _kept_file(self, question: HistoryAsked) -> HistoryTold:
        """Where a picture or a film lies on the disk."""
        name = f"{question.game}/{question.name}.jpg"
        media, path = "image/jpeg", self._picture(name)
        if question.form == "film":
            film = self._films / name.replace(".jpg", ".mp4")
            media, path = "video/mp4", film if _KEPT.fullmatch(name) and film.is_file() else None
        return HistoryTold(status=404) if path is None else HistoryTold(media=media, path=str(path))

    def _embedded(self, name: str) -> str:
        """A picture as a part of a page, no larger than is looked at; "" where it is not kept."""
        path = self._picture(name)
        picture = None if path is None else cv2.imread(str(path), cv2.IMREAD_REDUCED_COLOR_2)
        if picture is None:
            return ""
        _, jpeg = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, EMBEDDED_QUALITY])
        return f"data:image/jpeg;base64,{base64.b64encode(jpeg.tobytes()).decode()}"

    def _report(self, reader: JournalReader, title: str, chosen: Sequence[GameRecord]) -> Report:
        """Few games are told throw by throw; of many the figures are put together."""
        if len(chosen) <= DETAILED:
            return make_report(title, gather(reader, chosen), detailed=True)
        return add_reports(title, [self._figures(reader, record) for record in chosen])

    def _figures(self, reader: JournalReader, record: GameRecord) -> Report:
        """One game's, from memory where nothing has happened in it since."""
        kept = self._kept.get(record.id)
        if kept is None or kept[:2] != (record.rows, record.ended):
            made = make_report("", gather(reader, [record]), detailed=False)
            kept = self._kept[record.id] = (record.rows, record.ended, made)
        return kept[2]


def _chosen(
    question: HistoryAsked, records: Sequence[GameRecord], days: Sequence[date]
) -> tuple[str, Sequence[GameRecord]]:
    """The games that are meant and what they are called; none where there are no such games."""
    if question.game:
        return phrase("Game {number}", number=question.game), [
            record for record in records if record.id == question.game
        ]
    if question.player:
        return phrase("Games of {player}", player=question.player), of_player(records, question.player)
    if question.every or not days:
        return phrase("All games"), records
    try:
        day = date.fromisoformat(question.evening) if question.evening else days[0]
    except ValueError:
        return "", ()
    return evening_title(day), of_evening(records, day)


def _nav(question: HistoryAsked, days: Sequence[date]) -> Iterator[str]:
    """Where else to go, and the same as a file."""
    last = bool(days) and not (question.evening or question.player or question.every)
    now = question.evening or (days[0].isoformat() if last else "")
    asked = {
        key: value
        for key, value in (
            ("player", question.player),
            ("evening", "" if question.player or question.every else now),
            ("all", "yes" if question.every or not (question.player or now) else ""),
        )
        if value
    }
    yield f'<nav aria-label="{escape(phrase("History"))}"><ul>'
    yield _link("./", phrase("Back to the table"), here=False)
    yield _link("history?all=yes", phrase("All games"), here="all" in asked)
    others = phrase("Evenings")
    yield f"</ul><details><summary>{escape(others)}</summary><ul>"
    for day in days[:MOST_EVENINGS]:
        here = asked.get("evening") == day.isoformat()
        yield _link(f"history?evening={day.isoformat()}", day_words(day), here=here)
    yield "</ul></details>"
    query = urlencode(asked)
    yield from _to_keep(
        (f"history.pdf?{query}", phrase("Report as PDF")),
        (f"history.csv?{query}", phrase("Results for a spreadsheet")),
    )
    yield "</nav>"


def _game_nav(record: GameRecord) -> Iterator[str]:
    """The same for one game."""
    yield f'<nav aria-label="{escape(phrase("History"))}"><ul>'
    yield _link(UP, phrase("Back to the table"), here=False)
    day = evening_of(record)
    if day is not None:
        yield _link(f"{UP}history?evening={day.isoformat()}", evening_title(day), here=False)
    yield "</ul>"
    yield from _to_keep(
        (f"{record.id}.html", phrase("This page with its pictures")),
        (f"{record.id}.html?names=no", phrase("The same without names")),
        (f"{UP}history.pdf?game={record.id}", phrase("Report as PDF")),
        (f"{UP}history.csv?game={record.id}", phrase("Results for a spreadsheet")),
    )
    yield "</nav>"


def _to_keep(*files: tuple[str, str]) -> Iterator[str]:
    """Links to the same as files."""
    keep = phrase("To keep")
    yield f"<details><summary>{escape(keep)}</summary><ul>"
    for to, words in files:
        yield f'<li><a href="{escape(to)}" download>{escape(words)}</a></li>'
    yield "</ul></details>"


def _link(to: str, words: str, *, here: bool) -> str:
    current = ' aria-current="page"' if here else ""
    return f'<li><a href="{to}"{current}>{escape(words)}</a></li>'


def _trouble(text: str, *, status: int = 404) -> HistoryTold:
    history = phrase("History")
    back = _link("./", phrase("Back to the table"), here=False)
    nav = f'<nav aria-label="{escape(history)}"><ul>{back}</ul></nav>'
    blocks = (Heading(text=history, level=1), Sentence(text=text))
    return HistoryTold(status=status, body=_bytes(page(history, blocks, style=STYLE, nav=nav)))


def _bytes(text: str) -> bytes:
    return text.encode(errors="backslashreplace")


def main() -> None:
    """Answer until nobody asks any more."""
    os.nice(NICENESS)
    speak_as_started()
    journal, *calibration = map(Path, sys.argv[1:])
    try:
        sheet = sheet_of(next(iter(calibration), None))
    except SheetUnknown:  # the box says what is wrong with that file
        sheet = sheet_of(None)
    historian = Historian(journal, sheet)
    asked, told = sys.stdin.buffer, sys.stdout.buffer
    while select.select([asked], [], [], IDLE_S)[0] and (line := asked.readline()):
        question = msgspec.json.decode(line, type=HistoryAsked)
        told.write(msgspec.json.encode(historian.answer(question)) + b"\n")
        told.flush()


if __name__ == "__main__":
    main()

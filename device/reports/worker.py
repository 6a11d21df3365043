"""The process that tells the console's pages what was played: one question a line, one answer a line.

    python -m device.reports.worker JOURNAL [CALIBRATION]

It looks into the journal anew for each question and writes nothing. Games that are over are gone through
once and their figures kept; after some minutes without a question it ends, and its memory is free again.
"""

import os
import re
import select
import sys
from collections.abc import Iterator, Sequence
from datetime import date
from html import escape
from pathlib import Path
from urllib.parse import urlencode

import msgspec

from calibration.description import TableDescription
from device.journal import GameId, GameRecord, JournalError
from device.journal.reader import JournalReader, open_reader
from device.languages import speak_as_started
from device.reports.asking import HistoryAsked, HistoryTold
from device.reports.blocks import Heading, Sentence
from device.reports.content import DETAILED, Report, add_reports, make_report, tell
from device.reports.gathering import day_words, evening_title, evenings, gather, of_evening, of_player
from device.reports.html import page
from device.reports.pdf import make_pdf
from device.reports.results import results_csv
from device.reports.sheet import SheetUnknown, sheet_of
from engine.wording import phrase

NICENESS = 10
IDLE_S = 600.0
STYLE = "history.css"
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
        report = self._report(reader, title, chosen)
        name = f"callbox-{re.sub(r'[^a-z0-9]+', '-', title.lower()).strip('-')}"
        if question.form == "csv":
            text = results_csv(report.games)
            return HistoryTold(media="text/csv; charset=utf-8", name=f"{name}.csv", body=_bytes(text))
        if question.form == "pdf":
            made = make_pdf(title, tell(report, self._sheet))
            return HistoryTold(media="application/pdf", name=f"{name}.pdf", body=made)
        blocks = tell(report, self._sheet, link="history?game={}")
        nav = "\n".join(_nav(question, days))
        return HistoryTold(body=_bytes(page(title, blocks, style=STYLE, nav=nav)))

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
    last = bool(days) and not (question.game or question.evening or question.player or question.every)
    now = question.evening or (days[0].isoformat() if last else "")
    asked = {
        key: value
        for key, value in (
            ("game", question.game),
            ("player", question.player),
            ("evening", "" if question.game or question.player or question.every else now),
            ("all", "yes" if question.every or not (question.game or question.player or now) else ""),
        )
        if value
    }
    yield f'<nav aria-label="{escape(phrase("History"))}"><ul>'
    yield _link("./", phrase("Back to the table"), here=False)
    yield _link("history?all=yes", phrase("All games"), here="all" in asked)
    for day in days[:MOST_EVENINGS]:
        here = asked.get("evening") == day.isoformat()
        yield _link(f"history?evening={day.isoformat()}", day_words(day), here=here)
    keep = phrase("To keep:")
    yield f"</ul><p>{escape(keep)}</p><ul>"
    query = urlencode(asked)
    for form, words in (("pdf", phrase("Report as PDF")), ("csv", phrase("Results for a spreadsheet"))):
        yield f'<li><a href="history.{form}?{query}" download>{escape(words)}</a></li>'
    yield "</ul></nav>"


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

"""`callbox report` and `results`: what was played and who came where, as page, PDF, CSV or JSON."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TypeVar

import click

from device.commands.common import PATH, data_option, fail, write_output
from device.commands.games import open_journal
from device.journal import GameRecord
from device.journal.reader import JournalReader
from device.reports.content import DETAILED, Report, make_report, tell, tell_results
from device.reports.gathering import evening_title, evenings, gather, of_evening
from device.reports.html import page
from device.reports.pdf import make_pdf
from device.reports.results import results_csv, results_json
from device.reports.sheet import SheetUnknown, sheet_of
from engine.wording import phrase, phrase_count, phrase_later

# Which games a command is about: by their numbers, an evening's, or all; else the last evening's.

_Command = TypeVar("_Command", bound=Callable[..., object])


@dataclass(frozen=True, slots=True)
class ChosenGames:
    """The games, oldest first, and what they are called."""

    title: str
    records: tuple[GameRecord, ...]


def choosing(command: _Command) -> _Command:
    """The arguments by which games are chosen: `ids`, `evening`, `every`."""
    for option in (
        click.option("--all", "every", is_flag=True, help=phrase_later("All games of the journal.")),
        click.option(
            "--evening",
            type=click.DateTime(["%Y-%m-%d"]),
            metavar="DATE",
            help=phrase_later(
                "The games of an evening, such as 2026-11-20; until six in the morning it goes on."
            ),
        ),
        click.argument("ids", metavar="[ID]...", nargs=-1, type=click.IntRange(1, 2**63 - 1)),
    ):
        command = option(command)
    return command


def choose(reader: JournalReader, ids: tuple[int, ...], evening: datetime | None, every: bool) -> ChosenGames:
    """The games that are meant; ends the command where there are none, or more than one way was named."""
    if sum((bool(ids), evening is not None, every)) > 1:
        raise click.UsageError(
            phrase("Name games by their numbers, or an --evening, or --all: one of these.")
        )
    records = reader.games()
    if ids:
        named = tuple(reader.game(number) for number in sorted(set(ids)))
        return ChosenGames(phrase("Game {id}", id=named[0].id) if len(named) == 1 else "Games", named)
    days = evenings(records)
    if not days:
        fail(phrase("no game has been played yet."))
    if every:
        return ChosenGames(phrase("All games"), records)
    day = evening.date() if evening else days[0]
    found = tuple(of_evening(records, day))
    if not found:
        fail(phrase("no game began on the evening of {day}. callbox games lists them all.", day=day))
    return ChosenGames(evening_title(day), found)


@click.command()
@choosing
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    required=True,
    type=PATH,
    help=phrase_later("A web page (FILE.html) or a PDF (FILE.pdf)."),
)
@click.option(
    "--calibration",
    metavar="FILE",
    type=PATH,
    help=phrase_later(
        "The End Zone's table.json, for the sheet; otherwise the one in the settings, or the classic sheet."
    ),
)
@data_option
def command(
    ids: tuple[int, ...],
    evening: datetime | None,
    every: bool,
    output: Path,
    calibration: Path | None,
    data: Path | None,
) -> None:
    """Write a report of what was played: results, personal bests, whether the dice are fair, where dice
    landed.

    Of games ID..., of an evening, or of --all; without these, of the last evening. Up to twelve games are
    shown throw by throw. Secret bets are in no report.
    """
    form = output.suffix.lower()
    if form not in (".html", ".htm", ".pdf"):
        raise click.UsageError(
            phrase("{output} is neither .html nor .pdf: name one of these with -o.", output=output)
        )
    with open_journal(data) as reader:
        try:
            sheet = sheet_of(calibration)
        except SheetUnknown as error:
            raise click.UsageError(str(error)) from None
        chosen = choose(reader, ids, evening, every)
        detailed = len(chosen.records) <= DETAILED
        report = make_report(chosen.title, gather(reader, chosen.records), detailed=detailed)
    blocks = tell(report, sheet)
    if form == ".pdf":
        write_output(output, make_pdf(report.title, blocks))
    else:
        write_output(output, page(report.title, blocks).encode(errors="backslashreplace"))
    _tell_left_out(report)
    _tell_written(report, output)


def _tell_written(report: Report, output: Path) -> None:
    click.echo(
        phrase_count(
            "{output}: {count} game, {throws} throws.",
            "{output}: {count} games, {throws} throws.",
            len(report.games),
            output=output,
            throws=report.figures.throws,
        ),
        err=True,
    )


@click.command()
@choosing
@click.option(
    "--format",
    "form",
    type=click.Choice(["csv", "jsonl"]),
    default="csv",
    show_default=True,
    help=phrase_later(
        "csv: for a spreadsheet. jsonl: JSON, one object a line, with the standings at its end."
    ),
)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=PATH,
    help=phrase_later("Instead of standard output; FILE.pdf is a page to pin up."),
)
@data_option
def results(
    ids: tuple[int, ...],
    evening: datetime | None,
    every: bool,
    form: str,
    output: Path | None,
    data: Path | None,
) -> None:
    """Write the results of games ID..., of an evening, or of --all; without these, of the last evening.

    docs/journal.md explains the columns.
    """
    with open_journal(data) as reader:
        chosen = choose(reader, ids, evening, every)
        report = make_report(chosen.title, gather(reader, chosen.records), detailed=False)
    if output is not None and output.suffix.lower() == ".pdf":
        write_output(output, make_pdf(report.title, tell_results(report)))
    else:
        lines = results_json(report.games, report.left_out)
        text = results_csv(report.games) if form == "csv" else "".join(f"{line}\n" for line in lines)
        if output is None:
            click.echo(text, nl=False)
        else:
            write_output(output, text.encode(errors="backslashreplace"))
    _tell_left_out(report)


def _tell_left_out(report: Report) -> None:
    """Say which games are missing there, and why."""
    for missing in report.left_out:
        click.echo(
            phrase("Game {game_id} is left out: {why}", game_id=missing.game_id, why=missing.why), err=True
        )

"""`callbox report`: what was played, as a page or as a PDF."""

from datetime import datetime
from pathlib import Path

import click

from device.commands.which_games import choose, choosing, write
from device.journal.tools import data_option, open_journal
from device.reports.content import DETAILED, Report, make_report, tell
from device.reports.gathering import gather
from device.reports.html import page
from device.reports.pdf import make_pdf
from device.reports.sheet import SheetUnknown, sheet_of
from engine.wording import phrase, phrase_count, phrase_later


@click.command()
@choosing
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    required=True,
    type=click.Path(path_type=Path),
    help=phrase_later("A page of the web (FILE.html) or a paper (FILE.pdf)."),
)
@click.option(
    "--calibration",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help=phrase_later(
        "The End Zone's table.json, for the sheet; else the settings' one, or the classic sheet."
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
    """Tell what was played: results, personal bests, the dice and whether they are fair, where dice landed.

    Of games ID..., of an evening, or of --all; without these of the last evening. Up to twelve games are told
    throw by throw. Secret bets are in no report.
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
    write(
        output,
        make_pdf(report.title, blocks)
        if form == ".pdf"
        else page(report.title, blocks).encode(errors="backslashreplace"),
    )
    _tell(report, output)


def _tell(report: Report, output: Path) -> None:
    """What was written, and what is missing there."""
    for missing in report.left_out:
        click.echo(
            phrase("Game {game_id} is left out: {why}", game_id=missing.game_id, why=missing.why), err=True
        )
    count = len(report.games)
    click.echo(
        phrase_count(
            "{output}: {count} game, {throws} throws.",
            "{output}: {count} games, {throws} throws.",
            count,
            output=output,
            throws=report.figures.throws,
        ),
        err=True,
    )

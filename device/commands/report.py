"""`callbox report`: what was played, as a page or as a PDF."""

from datetime import datetime
from pathlib import Path

import click

from device.commands.which_games import choose, choosing, write
from device.journal.tools import data_option, open_journal
from device.reports.content import DETAILED, make_report, tell
from device.reports.gathering import gather
from device.reports.html import page
from device.reports.pdf import make_pdf
from device.reports.sheet import SheetUnknown, sheet_of


@click.command()
@choosing
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    required=True,
    type=click.Path(path_type=Path),
    help="A page of the web (FILE.html) or a paper (FILE.pdf).",
)
@click.option(
    "--calibration",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="The End Zone's table.json, for the sheet; else the settings' one, or the classic sheet.",
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
        raise click.UsageError(f"{output} is neither .html nor .pdf: name one of these with -o.")
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
    for missing in report.left_out:
        click.echo(f"Game {missing.game_id} is left out: {missing.why}", err=True)
    count = len(report.games)
    click.echo(
        f"{output}: {count} {'game' if count == 1 else 'games'}, {report.figures.throws} throws.", err=True
    )

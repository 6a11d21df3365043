"""`callbox results`: who came where, for other programs and for the wall."""

from datetime import datetime
from pathlib import Path

import click

from device.commands.which_games import choose, choosing, write
from device.journal.tools import data_option, open_journal
from device.reports.content import make_report, tell_results
from device.reports.gathering import gather
from device.reports.pdf import make_pdf
from device.reports.results import results_csv, results_json
from engine.wording import phrase, phrase_later


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
    type=click.Path(path_type=Path),
    help=phrase_later("Instead of standard output; FILE.pdf is a paper to pin up."),
)
@data_option
def command(
    ids: tuple[int, ...],
    evening: datetime | None,
    every: bool,
    form: str,
    output: Path | None,
    data: Path | None,
) -> None:
    """Write who came where in games ID..., on an evening, or in --all; without these on the last evening.

    docs/journal.md says what the columns are.
    """
    with open_journal(data) as reader:
        chosen = choose(reader, ids, evening, every)
        report = make_report(chosen.title, gather(reader, chosen.records), detailed=False)
    if output is not None and output.suffix.lower() == ".pdf":
        write(output, make_pdf(report.title, tell_results(report)))
    else:
        lines = results_json(report.games, report.left_out)
        text = results_csv(report.games) if form == "csv" else "".join(f"{line}\n" for line in lines)
        if output is None:
            click.echo(text, nl=False)
        else:
            write(output, text.encode(errors="backslashreplace"))
    for missing in report.left_out:
        click.echo(
            phrase("Game {game_id} is left out: {why}", game_id=missing.game_id, why=missing.why), err=True
        )

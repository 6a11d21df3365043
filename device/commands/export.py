"""`callbox export ID`: one game for other programs."""

from collections.abc import Callable, Iterator
from pathlib import Path

import click

from device.journal.export import bare_events, json_lines, recording, spreadsheet
from device.journal.replay import Replay
from device.journal.tools import data_option, game_argument, give_up, open_journal, replayed
from engine.refusal import Refused
from engine.wording import phrase, phrase_later

FORMATS: dict[str, Callable[[Replay], Iterator[str]]] = {
    "jsonl": json_lines,
    "csv": spreadsheet,
    "events": bare_events,
    "recording": recording,
}


@click.command()
@game_argument
@click.option(
    "--format",
    "form",
    type=click.Choice(list(FORMATS)),
    default="jsonl",
    show_default=True,
    help=phrase_later(
        "jsonl: every row. csv: for a spreadsheet. events: for `callbox score`. recording: for a test."
    ),
)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help=phrase_later("Instead of standard output."),
)
@data_option
def command(game_id: int, form: str, output: Path | None, data: Path | None) -> None:
    """Write game ID as JSON lines or CSV (docs/journal.md says what is in them).

    Bets that are still secret are withheld; export again when all are locked. So is, until the game ends, the
    seed of a deck that the box deals.
    """
    with open_journal(data) as reader:
        game = replayed(reader, game_id)
    try:
        lines = list(FORMATS[form](game))
    except Refused as refused:
        give_up(str(refused))
    text = "".join(f"{line}\n" for line in lines)
    if output is None:
        click.echo(text, nl=False)
    else:
        _write(output, text)
    if game.has_secrets:
        click.echo(phrase("Bets that are still secret are withheld."), err=True)
    if game.sealed:
        click.echo(phrase("The seed of the box's deck is withheld until the game ends."), err=True)


def _write(output: Path, text: str) -> None:
    try:
        output.write_text(text, encoding="utf-8", errors="backslashreplace", newline="")
    except OSError as error:
        give_up(
            phrase(
                "{output} cannot be written: {strerror}. Name another file with -o.",
                output=output,
                strerror=error.strerror,
            )
        )

"""`callbox games`, `show`, `export` and `verify`: what the journal holds, for people and programs."""

import io
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from device.commands.common import PATH, data_option, fail, write_output
from device.journal import JournalError, StorageBroken, data_folder
from device.journal.export import bare_events, json_lines, recording, spreadsheet
from device.journal.reader import JournalReader, open_reader
from device.journal.replay import Replay, replay
from device.journal.storage import journal_path
from device.journal.verify import verify as verify_rows
from device.journal.words import local, plain, state, tell_game, title
from engine.refusal import Refused
from engine.wording import phrase, phrase_later
from engine.words import capital, together

BOX_FOLDER = Path("/var/lib/callbox")
"""Where the installed service keeps its data: hinted at when the caller's own folder has no journal."""

game_argument = click.argument("game_id", metavar="ID", type=click.IntRange(1, 2**63 - 1))


def journal_of(data: Path | None) -> Path:
    """The journal's file; raises `StorageBroken` where it is elsewhere than asked for."""
    path = journal_path(data_folder(data, os.environ))
    if data is None and not _is_there(path) and _is_there(journal_path(BOX_FOLDER)):
        raise StorageBroken(
            phrase(
                "there is no journal at {path}. The box's own is read with --data {folder}.",
                path=path,
                folder=BOX_FOLDER,
            )
        )
    return path


def _is_there(path: Path) -> bool:
    """Whether a file stands there, or may: a folder that may not be looked into says no more."""
    try:
        return path.exists()
    except OSError:
        return True


@contextmanager
def open_journal(data: Path | None) -> Iterator[JournalReader]:
    """The journal, open for looking. Trouble ends the command with its sentence and status 1."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        with open_reader(journal_of(data)) as reader:
            yield reader
    except (JournalError, StorageBroken) as error:
        fail(str(error))


def replayed(reader: JournalReader, game_id: int) -> Replay:
    """One game, played again; raises `JournalError`."""
    return replay(reader.game(game_id), reader.rows(game_id))


@click.command()
@data_option
@click.option(
    "--newest", default=20, show_default=True, type=click.IntRange(1), help=phrase_later("How many to list.")
)
@click.option("--all", "every", is_flag=True, help=phrase_later("List them all."))
def command(data: Path | None, newest: int, every: bool) -> None:
    """List the games in the journal, the newest last: number, when, game, players, state, position."""
    with open_journal(data) as reader:
        records = reader.games()
        listed = records if every else records[-newest:]
        if not records:
            click.echo(phrase("No game has been played yet."))
        if len(listed) < len(records):
            click.echo(
                phrase(
                    "{count} older games are not listed: --all lists them.", count=len(records) - len(listed)
                ),
                err=True,
            )
        for record in listed:
            game = replayed(reader, record.id)
            click.echo(
                plain(
                    f"{record.id:>5}  {local(record.begun)}  {title(record)}  "
                    f"{together(record.players)}  {state(record)}"
                )
            )
            click.echo(plain(f"{'':7}{game.line or game.trouble}"))


@click.command()
@game_argument
@data_option
def show(game_id: int, data: Path | None) -> None:
    """Show game ID: time, what happened, and the position after it.

    A bet is shown once all bets of its turn are locked. `callbox games` lists the numbers.
    """
    with open_journal(data) as reader:
        for line in tell_game(replayed(reader, game_id)):
            click.echo(line)


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
    type=PATH,
    help=phrase_later("Instead of standard output."),
)
@data_option
def export(game_id: int, form: str, output: Path | None, data: Path | None) -> None:
    """Write game ID as JSON lines or CSV (docs/journal.md says what is in them).

    Bets that are still secret are withheld; export again when all are locked. So is, until the game ends, the
    seed of a deck that the box deals.
    """
    with open_journal(data) as reader:
        game = replayed(reader, game_id)
    try:
        lines = list(FORMATS[form](game))
    except Refused as refused:
        fail(str(refused))
    text = "".join(f"{line}\n" for line in lines)
    if output is None:
        click.echo(text, nl=False)
    else:
        write_output(output, text.encode(errors="backslashreplace"))
    if game.has_secrets:
        click.echo(phrase("Bets that are still secret are withheld."), err=True)
    if game.sealed:
        click.echo(phrase("The seed of the box's deck is withheld until the game ends."), err=True)


@click.command()
@data_option
def verify(data: Path | None) -> None:
    """Check each row of the journal against its hash, and the whole against the mark of the last write.

    Says what was changed or is missing, and what is intact; ends with status 1 if anything is wrong. It
    does not say how many rows there are: that would count the presses of a bet that is still secret.
    Nothing is written, and a box may play meanwhile.
    """
    try:
        path = journal_of(data)
        verdict = verify_rows(path)
    except (JournalError, StorageBroken) as error:
        fail(str(error))
    for remark in verdict.remarks:
        click.echo(phrase("Note: {remark}.", remark=remark))
    if not verdict.damages:
        click.echo(
            phrase(
                "{path}: {count} games, every row as it was written.",
                path=path,
                count=len(verdict.games),
            )
        )
        return
    for damage in verdict.damages:
        click.echo(f"{capital(damage)}.")
    click.echo(phrase("Whole: {whole}.", whole=verdict.whole))
    sys.exit(1)

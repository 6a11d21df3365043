"""What the looking commands share: --data, an open journal, and sentences instead of tracebacks."""

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from device.journal.journal import JournalError, JournalReader, open_reader
from device.journal.replay import Replay, replay
from device.journal.storage import StorageBroken, data_folder, journal_path
from engine.wording import phrase, phrase_later

BOX_FOLDER = Path("/var/lib/callbox")
"""Where the installed service keeps its data: hinted at when the caller's own folder has no journal."""

data_option = click.option(
    "--data",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help=phrase_later("The data folder; otherwise $CALLBOX_DATA, or ~/.local/share/callbox."),
)
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
        give_up(str(error))


def replayed(reader: JournalReader, game_id: int) -> Replay:
    """One game, played again; raises `JournalError`."""
    return replay(reader.game(game_id), reader.rows(game_id))


def give_up(sentence: str) -> None:
    """Say why, and end with status 1."""
    name = click.get_current_context().command_path
    click.echo(f"{name}: {sentence}", err=True)
    sys.exit(1)

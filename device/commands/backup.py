"""`callbox backup`: all that a box has played and learnt, in one file."""

from datetime import UTC, datetime
from pathlib import Path

import click

from device.backup import BackupError, pack
from device.journal import JournalError, StorageBroken
from device.journal.tools import data_option, give_up, journal_of
from engine.wording import phrase, phrase_later


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@data_option
@click.option("--films", is_flag=True, help=phrase_later("The films of throws, too (up to 200 MB)."))
@click.option("--yes", is_flag=True, help=phrase_later("Write over a file that is there, without asking."))
def command(file: Path, data: Path | None, films: bool, yes: bool) -> None:
    """Copy journal, pictures, taught dice and calibrations into FILE. A box may play meanwhile.

    People, PINs, keys and settings are not in it. The journal is not encrypted: keep FILE where you would
    keep the box.
    """
    if file.exists() and not yes:
        click.confirm(phrase("{file} is there. Write over it?", file=file), abort=True, err=True)
    try:
        contents = pack(journal_of(data).parent, file, datetime.now(UTC), films=films)
    except (BackupError, JournalError, StorageBroken) as error:
        give_up(str(error))
    size = sum(each.bytes for each in contents.files.values())
    click.echo(
        phrase(
            "{file}: {games} games, {count} files, {size:.1f} MB.",
            file=file,
            games=contents.games,
            count=len(contents.files),
            size=size / 1000000.0,
        )
    )

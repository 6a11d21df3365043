"""`callbox backup` and `restore`: all that a box has played and learnt, in one file, and back again."""

import os
from datetime import UTC, datetime
from pathlib import Path

import click

from device.backup import BackupError, bring_back, look_into, pack, would_replace
from device.commands.common import PATH, data_option, fail
from device.commands.games import journal_of
from device.journal import JournalError, StorageBroken, data_folder
from engine.wording import phrase, phrase_later


@click.command()
@click.argument("file", type=PATH)
@data_option
@click.option("--films", is_flag=True, help=phrase_later("The films of throws, too (up to 200 MB)."))
@click.option("--yes", is_flag=True, help=phrase_later("Overwrite an existing file without asking."))
def command(file: Path, data: Path | None, films: bool, yes: bool) -> None:
    """Copy journal, pictures, taught dice and calibrations into FILE. A box may play meanwhile.

    People, PINs, keys and settings are not in it. The journal is not encrypted: keep FILE where you would
    keep the box.
    """
    if file.exists() and not yes:
        click.confirm(phrase("{file} exists. Overwrite it?", file=file), abort=True, err=True)
    try:
        contents = pack(journal_of(data).parent, file, datetime.now(UTC), films=films)
    except (BackupError, JournalError, StorageBroken) as error:
        fail(str(error))
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


@click.command()
@click.argument("file", type=PATH)
@data_option
@click.option("--yes", is_flag=True, help=phrase_later("Do not ask."))
def restore(file: Path, data: Path | None, yes: bool) -> None:
    """Replace what the box has with what FILE holds. No box may run meanwhile.

    Says what would be replaced, and asks. What was there is kept in the data folder, under aside. A FILE
    that is damaged, or that this Callbox does not understand, changes nothing.
    """
    try:
        folder = data_folder(data, os.environ)
        contents = look_into(file)
        click.echo(
            phrase(
                "{file}: made {made}, {games} games. It would replace in {folder}:",
                file=file,
                made=contents.made,
                games=contents.games,
                folder=folder,
            )
        )
        for each in would_replace(folder, contents):
            click.echo(
                phrase(
                    "  {name:<14}{now} files now, {then} then", name=each.name, now=each.now, then=each.then
                )
            )
        if not yes:
            click.confirm(phrase("Restore it?"), abort=True, err=True)
        aside = bring_back(folder, file, contents)
    except (BackupError, StorageBroken) as error:
        fail(str(error))
    click.echo(phrase("Done. The old data is in {aside}; delete it once everything works.", aside=aside))

"""`callbox restore`: brings a backup back."""

import os
from pathlib import Path

import click

from device.backup import BackupError, bring_back, look_into, would_replace
from device.journal import StorageBroken, data_folder
from device.journal.tools import data_option, give_up
from engine.wording import phrase, phrase_later


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@data_option
@click.option("--yes", is_flag=True, help=phrase_later("Do not ask."))
def command(file: Path, data: Path | None, yes: bool) -> None:
    """Put what FILE holds into the place of what the box has. No box may run meanwhile.

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
            click.confirm(phrase("Bring it back?"), abort=True, err=True)
        aside = bring_back(folder, file, contents)
    except (BackupError, StorageBroken) as error:
        give_up(str(error))
    click.echo(phrase("Done. What was there is in {aside}; delete it once all is well.", aside=aside))

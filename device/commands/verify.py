"""`callbox verify`: whether the journal is as it was written."""

import sys
from pathlib import Path

import click

from device.journal import JournalError, StorageBroken
from device.journal.tools import data_option, give_up, journal_of
from device.journal.verify import verify
from engine.wording import phrase
from engine.words import capital


@click.command()
@data_option
def command(data: Path | None) -> None:
    """Hold each row of the journal against its hash, and the whole against the mark of the last write.

    Says what was changed or is missing, and what is whole; ends with status 1 where anything is wrong. How
    many rows there are is not said: it would count the presses of a bet that is still secret.
    Nothing is written, and a box may play meanwhile.
    """
    try:
        path = journal_of(data)
        verdict = verify(path)
    except (JournalError, StorageBroken) as error:
        give_up(str(error))
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

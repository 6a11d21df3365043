"""`callbox show ID`: one game, event by event."""

from pathlib import Path

import click

from device.journal.tools import data_option, game_argument, open_journal, replayed
from device.journal.words import tell_game


@click.command()
@game_argument
@data_option
def command(game_id: int, data: Path | None) -> None:
    """Show game ID: time, what happened, and the position after it.

    A bet is shown once all bets of its turn are locked. `callbox games` lists the numbers.
    """
    with open_journal(data) as reader:
        for line in tell_game(replayed(reader, game_id)):
            click.echo(line)

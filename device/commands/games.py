"""`callbox games`: the games in the journal."""

from pathlib import Path

import click

from device.journal.tools import data_option, open_journal, replayed
from device.journal.words import local, plain, state, title
from engine.wording import phrase, phrase_later
from engine.words import together


@click.command()
@data_option
@click.option(
    "--newest", default=20, show_default=True, type=click.IntRange(1), help=phrase_later("How many to list.")
)
@click.option("--all", "every", is_flag=True, help=phrase_later("List them all."))
def command(data: Path | None, newest: int, every: bool) -> None:
    """List the games in the journal, the newest last: number, when, game, players, state, position."""
    with open_journal(data) as reader:
        games = reader.games()
        listed = games if every else games[-newest:]
        if not games:
            click.echo(phrase("No game has been played yet."))
        if len(listed) < len(games):
            click.echo(
                phrase(
                    "{count} older games are not listed: --all lists them.", count=len(games) - len(listed)
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

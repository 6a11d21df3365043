"""`callbox game`: pauses the game of the running box, puts it away, takes one up again or abandons it."""

import sys
from pathlib import Path
from typing import NoReturn

import click

from device.commands.health import BoxSilent, ask_box, console_here
from device.config import ConfigError, load
from engine.wording import phrase, phrase_later

DONE = {
    "pause": phrase_later("The game is paused."),
    "go-on": phrase_later("The game goes on."),
    "put-away": phrase_later("The game is put away."),
    "take-up": phrase_later("The game is at the table again."),
    "abandon": phrase_later("The game is abandoned."),
}
"""By what is asked, which is also the end of the console's address for it."""


@click.command()
@click.argument("what", type=click.Choice(list(DONE)))
@click.argument("game_id", metavar="[ID]", required=False, type=click.IntRange(1))
@click.option("--yes", is_flag=True, help=phrase_later("Do not ask before a game is abandoned."))
@click.option(
    "--config", "config_path", type=click.Path(path_type=Path), help=phrase_later("The box's settings file.")
)
@click.option("--host", help=phrase_later("Where the console listens, if it is not where the settings say."))
@click.option(
    "--port",
    type=click.IntRange(1, 65535),
    help=phrase_later("The console's port, if it is not the settings'."),
)
def command(
    what: str, game_id: int | None, yes: bool, config_path: Path | None, host: str | None, port: int | None
) -> None:
    """Pause the game of the running box, go on with it, put it away, take up game ID again, or abandon one.

    Without ID it is the game at the table; callbox games has the numbers. Where only host or referee may do
    that, it is done on the console. A box that does not run: callbox play --resume ID.
    """
    try:
        told = load(config_path).console
    except ConfigError as error:
        _fail(str(error))
    address = console_here(host or told.host, port or told.port)
    if what == "take-up" and game_id is None:
        _fail(phrase("Say which game: callbox games lists them."))
    try:
        meant = _at_table(address) if game_id is None else game_id
        if what == "abandon" and not yes:
            click.confirm(
                phrase("Game {meant} ends without a winner for good. Abandon it?", meant=meant),
                abort=True,
                err=True,
            )
        answer = ask_box(f"{address}/games/{what}", {"game_id": meant})
    except BoxSilent as silent:
        _fail(str(silent))
    if not answer.get("ok"):
        _fail(str(answer.get("text")))
    click.echo(phrase(DONE[what]))


def _at_table(address: str) -> int:
    """The game that is played there."""
    game_id = ask_box(f"{address}/state").get("game_id")
    if not isinstance(game_id, int):
        _fail(phrase("No game is at the table."))
    return game_id


def _fail(text: str) -> NoReturn:
    click.echo(f"callbox game: {text}", err=True)
    sys.exit(1)

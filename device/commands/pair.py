"""`callbox pair`: brings this box to a venue's desk."""

import os
import sys
from pathlib import Path

import click

from device.commands.common import config_option, data_option, fail
from device.config import ConfigError, load
from device.journal import StorageBroken, data_folder
from device.venue.membership import keep
from device.venue.pairing import PAIR_PORT, PairingFailed, ask_desk
from engine.wording import phrase, phrase_later


@click.command()
@click.argument("desk")
@click.argument("code")
@click.option(
    "--port",
    type=click.IntRange(1, 65535),
    default=PAIR_PORT,
    show_default=True,
    help=phrase_later("The desk's page."),
)
@data_option
@config_option
def command(desk: str, code: str, port: int, data: Path | None, config_path: Path | None) -> None:
    """Pair this box with the desk at address DESK, by the CODE that `callbox desk invite` gave there.

    What the box gets is kept in venue.json of its data folder. It takes effect when the box next starts.
    """
    try:
        publishes = load(config_path).venue.publish
        membership = ask_desk(desk, port, code)
        keep(data_folder(data, os.environ), membership)
    except (ConfigError, StorageBroken, PairingFailed) as error:
        fail(str(error), 2)
    except OSError as error:
        click.echo(
            phrase(
                "callbox pair: the keys cannot be kept ({error}). Run it as the box's own user.", error=error
            ),
            err=True,
        )
        sys.exit(2)
    click.echo(phrase("This box is {name}. Restart it to connect it to the desk.", name=membership.name))
    if not publishes:
        click.echo(phrase("It sends nothing yet: set publish = true under [venue] in callbox.toml."))

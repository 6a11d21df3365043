"""`callbox pin`: sets the PIN of host or referee, on the box itself."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import get_args

import click

from device.commands.common import config_option, data_option, fail
from device.config import ConfigError, load
from device.journal import StorageBroken, data_folder
from device.people.actor import Office
from device.people.pins import PinBook, PinsBroken, pins_path
from engine.wording import phrase, phrase_later

KINDS = {"host": "club", "referee": "tournament"}
"""At which kind of table each of them leads."""
NEW_PIN: Mapping[Office, str] = {
    "host": phrase_later("The host's new PIN, 4 to 12 digits"),
    "referee": phrase_later("The referee's new PIN, 4 to 12 digits"),
}
SET: Mapping[Office, str] = {
    "host": phrase_later("The host's PIN is set. The host has to sign in again."),
    "referee": phrase_later("The referee's PIN is set. The referee has to sign in again."),
}
GONE: Mapping[Office, str] = {
    "host": phrase_later("The host's PIN is removed: nobody can sign in as host."),
    "referee": phrase_later("The referee's PIN is removed: nobody can sign in as referee."),
}


@click.command()
@click.argument("office", type=click.Choice(get_args(Office)))
@click.option(
    "--forget", is_flag=True, help=phrase_later("Remove the PIN: nobody can sign in with it any more.")
)
@data_option
@config_option
def command(office: Office, *, forget: bool, data: Path | None, config_path: Path | None) -> None:
    """Set the PIN of OFFICE: host or referee. Asks for it; in a pipe, reads it from the first line.

    Only a hash of it is kept, so a forgotten one cannot be shown: set a new one, which also signs out
    whoever used the old one. A running box takes it at once.
    """
    try:
        kind = load(config_path).people.table
        book = PinBook(pins_path(data_folder(data, os.environ)))
        book.put(office, None if forget else ask_pin(office))
    except (ConfigError, StorageBroken, PinsBroken) as error:
        fail(str(error), 2)
    if forget:
        click.echo(phrase(GONE[office]))
        return
    click.echo(phrase(SET[office]))
    if kind == "family":
        click.echo(
            phrase(
                "This box is a family's: everybody may do everything, without a PIN. Set table = "
                '"{kinds}" under [people] to change that.',
                kinds=KINDS[office],
            )
        )


def ask_pin(office: Office) -> str:
    """The PIN as somebody types it, twice and unseen, or as a pipe brings it."""
    if not sys.stdin.isatty():
        return sys.stdin.readline().strip()
    while True:
        given = str(click.prompt(phrase(NEW_PIN[office]), hide_input=True))
        if given == click.prompt(phrase("The same PIN again"), hide_input=True):
            return given
        click.echo(phrase("These are two different PINs. Type it again."))

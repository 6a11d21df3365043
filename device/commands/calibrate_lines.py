"""What the calibrating commands print: one JSON object a line, and why there is no calibration."""

import sys
from typing import NoReturn

import click
import msgspec


class FailedLine(msgspec.Struct, frozen=True):
    """Why there is no calibration."""

    error: str


def say(line: msgspec.Struct) -> None:
    """A line on standard output."""
    click.echo(msgspec.json.encode(line).decode())


def fail(error: str) -> NoReturn:
    """Say why, to programs and to people, and end."""
    say(FailedLine(error))
    click.echo(error, err=True)
    sys.exit(1)

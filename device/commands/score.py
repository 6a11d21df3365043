"""`callbox score GAME`: run a rulebook without a camera, events on standard input."""

import io
import os
import sys
from collections.abc import Iterator
from typing import BinaryIO

import click

from device.commands.common import fail
from engine.refusal import Refused
from engine.rulebooks import RULEBOOKS, rulebook
from engine.scoring import score
from engine.wire import LINE_BYTES
from engine.wording import phrase, phrase_later
from engine.words import plain


def lines_of(stream: BinaryIO) -> Iterator[bytes]:
    """The stream's lines as they come, without their ends. Of an endless one only the beginning is kept."""
    while line := stream.readline(LINE_BYTES + 2):
        kept = line
        while not line.endswith(b"\n") and (line := stream.readline(LINE_BYTES)):
            pass
        yield kept.rstrip(b"\r\n")


def options_of(pairs: tuple[str, ...]) -> dict[str, str]:
    """KEY=VALUE words as a mapping; raises `Refused`."""
    found: dict[str, str] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals or not key:
            raise Refused(
                phrase("An option is KEY=VALUE, such as edition=game-factory; got {pair}.", pair=plain(pair))
            )
        if key in found:
            raise Refused(phrase("The option {key} is given twice.", key=plain(key)))
        found[key] = value
    return found


@click.command()
@click.argument("game")
@click.option(
    "--players",
    required=True,
    metavar="A,B[,...]",
    help=phrase_later("The players in seating order, with commas."),
)
@click.option(
    "--option", "options", multiple=True, metavar="KEY=VALUE", help=phrase_later("An option of the rulebook.")
)
def command(game: str, players: str, options: tuple[str, ...]) -> None:
    """Run the rulebook GAME without a camera.

    Events are JSON objects on standard input, one a line (docs/events.md); after each, one line with the
    whole public state. A refused event answers {"error": ...} and changes nothing; the exit status is then 1.
    """
    try:
        start = rulebook(game).start(tuple(players.split(",")), options_of(options))
    except Refused as refused:
        fail(str(refused), 2)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", line_buffering=True)
    events = lines_of(sys.stdin.buffer if sys.stdin else io.BytesIO())
    failed = False
    try:
        for line, taken in score(start, events):
            print(line)
            failed |= not taken
    except BrokenPipeError:
        raise
    except OSError as lost:
        click.echo(
            phrase(
                "callbox score: {strerror}: the game stops here. Fix the input or output.",
                strerror=lost.strerror,
            ),
            err=True,
        )
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        failed = True
    sys.exit(1 if failed else 0)


command.epilog = f"GAME is one of: {', '.join(RULEBOOKS)}."

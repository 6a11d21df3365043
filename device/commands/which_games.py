"""Which games a command is about: by their numbers, an evening's, or all; else the last evening's."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TypeVar

import click

from device.journal import GameRecord
from device.journal.reader import JournalReader
from device.journal.tools import give_up
from device.reports.gathering import evening_title, evenings, of_evening
from engine.wording import phrase, phrase_later

_Command = TypeVar("_Command", bound=Callable[..., object])


@dataclass(frozen=True, slots=True)
class ChosenGames:
    """The games, oldest first, and what they are called."""

    title: str
    records: tuple[GameRecord, ...]


def choosing(command: _Command) -> _Command:
    """The arguments by which games are chosen: `ids`, `evening`, `every`."""
    for option in (
        click.option("--all", "every", is_flag=True, help=phrase_later("All games of the journal.")),
        click.option(
            "--evening",
            type=click.DateTime(["%Y-%m-%d"]),
            metavar="DATE",
            help=phrase_later(
                "The games of an evening, such as 2026-11-20; until six in the morning it goes on."
            ),
        ),
        click.argument("ids", metavar="[ID]...", nargs=-1, type=click.IntRange(1, 2**63 - 1)),
    ):
        command = option(command)
    return command


def choose(reader: JournalReader, ids: tuple[int, ...], evening: datetime | None, every: bool) -> ChosenGames:
    """The games that are meant; ends the command where there are none, or more than one way was named."""
    if sum((bool(ids), evening is not None, every)) > 1:
        raise click.UsageError(
            phrase("Name games by their numbers, or an --evening, or --all: one of these.")
        )
    records = reader.games()
    if ids:
        named = tuple(reader.game(number) for number in sorted(set(ids)))
        return ChosenGames(phrase("Game {id}", id=named[0].id) if len(named) == 1 else "Games", named)
    days = evenings(records)
    if not days:
        give_up(phrase("no game has been played yet."))
    if every:
        return ChosenGames(phrase("All games"), records)
    day = evening.date() if evening else days[0]
    found = tuple(of_evening(records, day))
    if not found:
        give_up(phrase("no game began on the evening of {day}. callbox games lists them all.", day=day))
    return ChosenGames(evening_title(day), found)


def write(output: Path, made: bytes) -> None:
    """Write the file, or say why it cannot be."""
    try:
        output.write_bytes(made)
    except OSError as error:
        give_up(
            phrase(
                "{output} cannot be written: {strerror}. Name another file with -o.",
                output=output,
                strerror=error.strerror,
            )
        )

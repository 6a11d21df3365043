"""`callbox tournament`: draws one, begins its matches, takes one back, ends it; writes who came where."""

import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NoReturn, TypeVar, get_args

import click

from device.commands.common import data_option
from device.commands.common import write_output as write
from device.commands.health import BoxSilent, ask_box, console_here
from device.config import ConfigError, load
from device.journal import StorageBroken, data_folder
from device.journal.words import plain
from device.reports.pdf import make_pdf
from device.tournaments.book import numbers, read_tournament, tournaments_path
from device.tournaments.view import (
    TournamentShown,
    place_words,
    points_words,
    show_tournament,
    tell_tournament,
    tournament_csv,
    tournament_json,
)
from engine.refusal import Refused
from engine.tournament import TournamentFormat, tie_break_words
from engine.wording import phrase, phrase_later

_Command = TypeVar("_Command", bound=Callable[..., object])


def of_the_box(command: _Command) -> _Command:
    """The options by which the running box is found."""
    for option in (
        click.option(
            "--port",
            type=click.IntRange(1, 65535),
            help=phrase_later("The console's port, if not the settings'."),
        ),
        click.option(
            "--host", help=phrase_later("Where the console listens, if it is not where the settings say.")
        ),
        click.option(
            "--config",
            "config_path",
            type=click.Path(path_type=Path),
            help=phrase_later("The box's settings."),
        ),
    ):
        command = option(command)
    return command


def of_a_draw(command: _Command) -> _Command:
    """A command that is told what to draw: TITLE, PLAYERS and the tournament's rules."""
    for word in (
        click.option(
            "--goal",
            default=0,
            type=click.IntRange(0, 999),
            help=phrase_later("king: wins that end it, 0 for none."),
        ),
        click.option(
            "--option",
            "options",
            multiple=True,
            metavar="NAME=VALUE",
            help=phrase_later("A rule of the game."),
        ),
        click.option(
            "--game", default="end-zone", show_default=True, help=phrase_later("What each match is.")
        ),
        click.option(
            "--kind",
            type=click.Choice(get_args(TournamentFormat)),
            default="single",
            show_default=True,
            help=phrase_later(
                "The format. round-robin: wins decide, then wins among equals, then the difference of points "
                "in those matches, then a play-off for first place."
            ),
        ),
        click.argument("players", nargs=-1, required=True),
        click.argument("title"),
    ):
        command = word(command)
    return command


def rules_of(options: tuple[str, ...]) -> dict[str, str]:
    """The game's rules from words such as "target=1000"."""
    return dict(each.partition("=")[::2] for each in options)


def tell_tie_breaks(kind: TournamentFormat) -> None:
    """Print how ties are broken in what was just drawn, where there are any."""
    if words := tie_break_words(kind):
        click.echo(words)


@click.group()
def command() -> None:
    """A tournament: draw it and begin its matches at the running box, or write it to a file.

    Where only host or referee may draw and begin, that is done on the console (/?tournament).
    """


@command.command()
@of_a_draw
@of_the_box
def draw(  # noqa: PLR0913 - click gives each option as an argument
    *,
    title: str,
    players: tuple[str, ...],
    kind: TournamentFormat,
    game: str,
    options: tuple[str, ...],
    goal: int,
    config_path: Path | None,
    host: str | None,
    port: int | None,
) -> None:
    """Draw tournament TITLE for PLAYERS, by their seeds, the best first, or in line."""
    rules = rules_of(options)
    body = {"title": title, "kind": kind, "players": players, "game": game, "options": rules, "goal": goal}
    _do("draw", body, config_path, host, port)
    click.echo(phrase("{title} is drawn: callbox tournament show", title=title))
    tell_tie_breaks(kind)


@command.command()
@click.argument("match", type=click.IntRange(1))
@of_the_box
def begin(match: int, config_path: Path | None, host: str | None, port: int | None) -> None:
    """Begin MATCH with its players."""
    _do("begin", {"match": match}, config_path, host, port)
    click.echo(phrase("Match {match} is at the table.", match=match))


@command.command("take-back")
@click.argument("match", type=click.IntRange(1))
@click.argument("reason")
@of_the_box
def take_back(match: int, reason: str, config_path: Path | None, host: str | None, port: int | None) -> None:
    """Take MATCH back for a REASON: it does not count, and may be played again."""
    _do("take-back", {"match": match, "reason": reason}, config_path, host, port)
    click.echo(phrase("Match {match} is taken back.", match=match))


@command.command()
@of_the_box
def close(config_path: Path | None, host: str | None, port: int | None) -> None:
    """End the tournament: another may be drawn."""
    _do("close", {}, config_path, host, port)
    click.echo(phrase("The tournament is over."))


@command.command()
@click.argument("number", required=False, type=click.IntRange(1))
@click.option(
    "--format", "form", type=click.Choice(["text", "csv", "jsonl"]), default="text", show_default=True
)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help=phrase_later("Instead of standard output; FILE.pdf is a paper to pin up."),
)
@data_option
def show(number: int | None, form: str, output: Path | None, data: Path | None) -> None:
    """Write tournament NUMBER, or the newest: matches and standings. A running box is not needed."""
    shown = _read_tournament(number, data)
    if output is not None and output.suffix.lower() == ".pdf":
        write(output, make_pdf(shown.title, tell_tournament(shown)))
        return
    lines = tournament_json(shown) if form == "jsonl" else map(plain, tournament_lines(shown))
    text = tournament_csv(shown) if form == "csv" else "".join(f"{line}\n" for line in lines)
    if output is None:
        click.echo(text, nl=False)
    else:
        write(output, text.encode(errors="backslashreplace"))


def _read_tournament(number: int | None, data: Path | None) -> TournamentShown:
    try:
        folder = tournaments_path(data_folder(data, os.environ))
        known = numbers(folder)
        meant = number or (known[-1] if known else 0)
        if meant not in known:
            _fail(
                phrase("there is no tournament {number}.", number=number)
                if number
                else phrase("no tournament was drawn yet.")
            )
        return show_tournament(read_tournament(folder / f"{meant}.json"), meant)
    except (StorageBroken, Refused) as error:
        _fail(str(error))


def tournament_lines(shown: TournamentShown) -> list[str]:
    """A tournament for a terminal."""
    found = [f"{shown.title}: {shown.kind}, {shown.game}"]
    for each in shown.matches:
        came = f"{points_words(each)}  {each.winner}" if each.winner else each.state
        found.append(f"{each.number:>4}  {each.group}: {' - '.join(each.sides)}  {came}")
    if shown.tie_breaks:
        found.append(shown.tie_breaks)
    return found + [
        phrase(
            "{place:>4}. {player}, {wins} of {played} won",
            place=place_words(place),
            player=place.player,
            wins=place.wins,
            played=place.played,
        )
        for place in shown.standings
    ]


def _do(
    what: str, body: Mapping[str, object], config_path: Path | None, host: str | None, port: int | None
) -> None:
    """Ask the running box for that, or say why not."""
    try:
        told = load(config_path).console
        answer = ask_box(f"{console_here(host or told.host, port or told.port)}/tournament/{what}", body)
    except (ConfigError, BoxSilent) as error:
        _fail(str(error))
    if not answer.get("ok"):
        _fail(str(answer.get("text")))


def _fail(text: str) -> NoReturn:
    click.echo(f"callbox tournament: {text}", err=True)
    sys.exit(1)

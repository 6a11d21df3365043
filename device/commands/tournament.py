"""`callbox tournament`: draws one, begins its matches, takes one back, ends it; writes who came where."""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import NoReturn, TypedDict, TypeVar, Unpack, get_args

import click

from device.commands.common import config_option, data_option, host_option, port_option, write_output
from device.commands.health import BoxSilent, ask_box, console_here
from device.config import ConfigError, load
from device.journal import StorageBroken, data_folder
from device.journal.words import plain
from device.reports.pdf import make_pdf
from device.tournaments import (
    TournamentFiles,
    TournamentView,
    place_words,
    points_words,
    tournament_blocks,
    tournament_csv,
    tournament_json,
    view_tournament,
)
from engine.refusal import Refused
from engine.tournament import TournamentAgreed, TournamentFormat, tie_break_words
from engine.wording import phrase, phrase_later

_Command = TypeVar("_Command", bound=Callable[..., object])


def of_the_box(command: _Command) -> _Command:
    """The options by which the running box is found."""
    for option in (port_option, host_option, config_option):
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


def of_a_file(command: _Command) -> _Command:
    """A command that writes a tournament: in which form, and where."""
    for option in (
        click.option(
            "-o",
            "--output",
            metavar="FILE",
            type=click.Path(path_type=Path),
            help=phrase_later("Instead of standard output; FILE.pdf is a page to pin up."),
        ),
        click.option(
            "--format", "form", type=click.Choice(["text", "csv", "jsonl"]), default="text", show_default=True
        ),
    ):
        command = option(command)
    return command


class DrawWords(TypedDict):
    """What `of_a_draw` gives to a command."""

    title: str
    players: tuple[str, ...]
    kind: TournamentFormat
    game: str
    options: tuple[str, ...]
    goal: int


class BoxAddress(TypedDict):
    """What `of_the_box` gives to a command."""

    config_path: Path | None
    host: str | None
    port: int | None


def agreed_of(words: DrawWords) -> TournamentAgreed:
    """What is to be drawn; the game's rules are words such as "target=1000"."""
    return TournamentAgreed(
        title=words["title"].strip(),
        kind=words["kind"],
        players=tuple(" ".join(each.split()) for each in words["players"]),
        game=words["game"],
        options=dict(each.partition("=")[::2] for each in words["options"]),
        goal=words["goal"],
    )


def tell_tie_breaks(kind: TournamentFormat) -> None:
    """Print how ties are broken in what was just drawn, where there are any."""
    if words := tie_break_words(kind):
        click.echo(words)


def write_tournament(view: TournamentView, form: str, output: Path | None, more: Sequence[str] = ()) -> None:
    """Write it as text, CSV or JSON lines, or to FILE.pdf. `more`: lines after the text."""
    if output is not None and output.suffix.lower() == ".pdf":
        write_output(output, make_pdf(view.title, tournament_blocks(view)))
        return
    lines = tournament_json(view) if form == "jsonl" else map(plain, [*tournament_lines(view), *more])
    text = tournament_csv(view) if form == "csv" else "".join(f"{line}\n" for line in lines)
    if output is None:
        click.echo(text, nl=False)
    else:
        write_output(output, text.encode(errors="backslashreplace"))


@click.group()
def command() -> None:
    """Draw a tournament and begin its matches at the running box, or write it to a file.

    Where only host or referee may do that, use the console (/?tournament).
    """


@command.command()
@of_a_draw
@of_the_box
def draw(config_path: Path | None, host: str | None, port: int | None, **words: Unpack[DrawWords]) -> None:
    """Draw tournament TITLE for PLAYERS, best seed first, or in line."""
    agreed = agreed_of(words)
    _ask("draw", asdict(agreed), BoxAddress(config_path=config_path, host=host, port=port))
    click.echo(phrase("{title} is drawn: callbox tournament show", title=agreed.title))
    tell_tie_breaks(agreed.kind)


@command.command()
@click.argument("match", type=click.IntRange(1))
@of_the_box
def begin(match: int, **box: Unpack[BoxAddress]) -> None:
    """Begin MATCH with its players."""
    _ask("begin", {"match": match}, box)
    click.echo(phrase("Match {match} is at the table.", match=match))


@command.command("take-back")
@click.argument("match", type=click.IntRange(1))
@click.argument("reason")
@of_the_box
def take_back(match: int, reason: str, **box: Unpack[BoxAddress]) -> None:
    """Take MATCH back for a REASON: it does not count, and may be played again."""
    _ask("take-back", {"match": match, "reason": reason}, box)
    click.echo(phrase("Match {match} is taken back.", match=match))


@command.command()
@of_the_box
def close(**box: Unpack[BoxAddress]) -> None:
    """End the tournament, so that another may be drawn."""
    _ask("close", {}, box)
    click.echo(phrase("The tournament is over."))


@command.command()
@click.argument("number", required=False, type=click.IntRange(1))
@of_a_file
@data_option
def show(number: int | None, form: str, output: Path | None, data: Path | None) -> None:
    """Write tournament NUMBER, or the newest: matches and standings. A running box is not needed."""
    write_tournament(_read_tournament(number, data), form, output)


def _read_tournament(number: int | None, data: Path | None) -> TournamentView:
    try:
        stored = TournamentFiles(data_folder(data, os.environ))
        meant = number or stored.newest()
        if meant not in stored.numbers():
            _fail(
                phrase("there is no tournament {number}.", number=number)
                if number
                else phrase("no tournament was drawn yet.")
            )
        return view_tournament(stored.read(meant), meant)
    except (StorageBroken, Refused) as error:
        _fail(str(error))


def tournament_lines(shown: TournamentView) -> list[str]:
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


def _ask(what: str, body: Mapping[str, object], box: BoxAddress) -> None:
    """Ask the running box for that, or say why not."""
    try:
        console = load(box["config_path"]).console
        address = console_here(box["host"] or console.host, box["port"] or console.port)
        answer = ask_box(f"{address}/tournament/{what}", body)
    except (ConfigError, BoxSilent) as error:
        _fail(str(error))
    if not answer.get("ok"):
        _fail(str(answer.get("text")))


def _fail(text: str) -> NoReturn:
    click.echo(f"callbox tournament: {text}", err=True)
    sys.exit(1)

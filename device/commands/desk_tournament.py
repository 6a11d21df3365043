"""`callbox desk tournament`: a tournament over the tables of a hall, from the desk's keyboard."""

import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NoReturn

import click

from device.commands.common import write_output as write
from device.commands.tournament import of_a_draw, rules_of, tell_tie_breaks, tournament_lines
from device.hall.ledger import Ledger, LedgerBroken
from device.hall.tournament import CallBook, HallCupShown, Organiser, show_cup
from device.journal.words import plain
from device.reports.pdf import make_pdf
from device.tournaments.book import TournamentAgreed
from device.tournaments.view import tell_tournament, tournament_csv, tournament_json
from engine.refusal import Refused
from engine.tournament import TournamentFormat
from engine.wording import phrase, phrase_later


@click.group()
def command() -> None:
    """A tournament over all tables: draw it, have matches called, take them back, write who came where.

    A running desk calls players to free tables by itself, and shows that on its page and the big screen.
    """


@command.command()
@of_a_draw
@click.option(
    "--table", "tables", multiple=True, metavar="NAME", help=phrase_later("Only there; may be repeated.")
)
@click.pass_obj
def draw(  # noqa: PLR0913 - click gives each option as an argument
    folder: Path,
    *,
    title: str,
    players: tuple[str, ...],
    kind: TournamentFormat,
    game: str,
    options: tuple[str, ...],
    goal: int,
    tables: tuple[str, ...],
) -> None:
    """Draw tournament TITLE for PLAYERS, by their seeds, the best first, or in line."""
    names = tuple(" ".join(each.split()) for each in players)
    with _organiser(folder) as organiser:
        organiser.draw(TournamentAgreed(title.strip(), kind, names, game, rules_of(options), goal), tables)
    click.echo(phrase("{title} is drawn. The desk calls its matches to free tables.", title=title))
    tell_tie_breaks(kind)


@command.command()
@click.argument("match", type=click.IntRange(1))
@click.argument("table", required=False)
@click.pass_obj
def call(folder: Path, match: int, table: str | None) -> None:
    """Call MATCH to TABLE, such as "Table 4", or to the next table that is free.

    Where it was called to another table, or is played there, it is taken away from that.
    """
    with _organiser(folder) as organiser:
        organiser.call(match, table)
    click.echo(
        phrase(
            "Match {match} is called to {table}.", match=match, table=table or phrase("the next free table")
        )
    )


@command.command("call-back")
@click.argument("match", type=click.IntRange(1))
@click.pass_obj
def call_back(folder: Path, match: int) -> None:
    """Take the call of MATCH back. It is called no more until you do."""
    with _organiser(folder) as organiser:
        organiser.take_call_back(match)
    click.echo(
        phrase("Nobody is called for match {match} until: callbox desk tournament call {match}", match=match)
    )


@command.command()
@click.argument("player")
@click.argument("reason", default="")
@click.pass_obj
def withdraw(folder: Path, player: str, reason: str) -> None:
    """PLAYER plays no more: whoever would have met them goes on without a match."""
    with _organiser(folder) as organiser:
        organiser.withdraw(player, reason)
    click.echo(phrase("{player} has withdrawn.", player=player))


@command.command("bring-back")
@click.argument("player")
@click.pass_obj
def bring_back(folder: Path, player: str) -> None:
    """PLAYER, who withdrew, plays again, where nobody has played on from it."""
    with _organiser(folder) as organiser:
        organiser.bring_back(player)
    click.echo(phrase("{player} plays again.", player=player))


@command.command("take-back")
@click.argument("match", type=click.IntRange(1))
@click.argument("reason")
@click.pass_obj
def take_back(folder: Path, match: int, reason: str) -> None:
    """Take MATCH back for a REASON: it does not count, and is called again."""
    with _organiser(folder) as organiser:
        organiser.take_back(match, reason)
    click.echo(phrase("Match {match} is taken back.", match=match))


@command.command()
@click.pass_obj
def close(folder: Path) -> None:
    """End the tournament: another may be drawn."""
    with _organiser(folder) as organiser:
        organiser.close()
    click.echo(phrase("The tournament is over."))


@command.command()
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
@click.pass_obj
def show(folder: Path, form: str, output: Path | None) -> None:
    """Write the newest tournament: who is called where, matches and standings. The desk need not run."""
    cup = _read_hall_cup(folder)
    shown = cup.tournament
    if output is not None and output.suffix.lower() == ".pdf":
        write(output, make_pdf(shown.title, tell_tournament(shown)))
        return
    calls = [
        phrase("called  {text_}, match {match}", text_=each.text, match=each.match)
        for each in cup.calls
        if each.standing == "called"
    ]
    told = [*tournament_lines(shown), *calls]
    lines: Iterator[str] = tournament_json(shown) if form == "jsonl" else map(plain, told)
    text = tournament_csv(shown) if form == "csv" else "".join(f"{line}\n" for line in lines)
    if output is None:
        click.echo(text, nl=False)
    else:
        write(output, text.encode(errors="backslashreplace"))


def _read_hall_cup(folder: Path) -> HallCupShown:
    try:
        with closing(Ledger.open(folder)) as ledger:
            calls = CallBook(ledger)
            book = calls.book()
            if book.kept is None:
                _fail(phrase("no tournament was drawn yet."))
            names = {each.id: each.name for each in ledger.boxes()}
            return show_cup(book, calls.calls(book.number), names, set(names), (), {})
    except LedgerBroken as error:
        _fail(str(error))


@contextmanager
def _organiser(folder: Path) -> Iterator[Organiser]:
    try:
        with closing(Ledger.open(folder)) as ledger:
            yield Organiser(ledger)
    except (LedgerBroken, Refused) as error:
        _fail(str(error))


def _fail(why: str) -> NoReturn:
    click.echo(f"callbox desk tournament: {why}", err=True)
    sys.exit(1)

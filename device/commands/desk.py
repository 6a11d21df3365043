"""`callbox desk`: the venue's desk, for a hall with more boxes than one."""

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NoReturn, TypedDict, Unpack

import click

from device.commands.pin import ask_pin
from device.commands.tournament import (
    DrawWords,
    agreed_of,
    of_a_draw,
    of_a_file,
    tell_tie_breaks,
    write_tournament,
)
from device.console import ConsoleError
from device.hall.broker import PORT, EmbeddedBroker, HallBroker, NamedBroker, NoBroker, read_address
from device.hall.desk import HOME_PREFIX, Hall, HallSetup
from device.hall.ledger import Invitation, Ledger, LedgerBroken, results_of_all
from device.hall.organiser import Organiser
from device.hall.organiser_page import (
    HIGHEST_NUMBER,
    BringPlayerBack,
    CallToTable,
    CloseCup,
    OrganiserAct,
    PlayMatchAgain,
    RuleMatch,
    SignMatch,
    TakeCallBack,
    WithdrawPlayer,
)
from device.hall.tournament import CallBook, HallTournamentView, view_hall_tournament
from device.journal import StorageBroken, data_folder
from device.people.pins import PinBook, PinsBroken, pins_path
from device.venue.pairing import PAIR_PORT, invitation_id, new_code
from engine.refusal import Refused
from engine.tournament import Lot
from engine.wording import phrase, phrase_later

GOOD_S = 3600.0
LOOK_S = 2.0

data_option = click.option(
    "--data",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help=phrase_later("The desk's own folder; otherwise desk in the data folder of callbox."),
)


class BrokerAsked(TypedDict):
    """Which broker the desk is to speak through."""

    broker_port: int
    broker_url: str | None
    broker_password: Path | None
    broker_authority: Path | None


@click.group(invoke_without_command=True)
@data_option
@click.option(
    "--host",
    default="0.0.0.0",  # noqa: S104 - a hall's
    show_default=True,
    help=phrase_later("Where page and broker listen."),
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=PAIR_PORT,
    show_default=True,
    help=phrase_later("The page's."),
)
@click.option("--broker-port", type=click.IntRange(1, 65535), default=PORT, show_default=True)
@click.option(
    "--broker",
    "broker_url",
    metavar="URL",
    help=phrase_later("Another broker, such as mqtts://callbox@192.168.1.5, instead of the desk's own."),
)
@click.option(
    "--broker-password",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help=phrase_later("Its password is in there."),
)
@click.option(
    "--broker-authority",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help=phrase_later("The certificate (PEM) by which it is known, where this machine does not know it."),
)
@click.option(
    "--home-assistant",
    "home_prefix",
    metavar="PREFIX",
    is_flag=False,
    flag_value=HOME_PREFIX,
    default="",
    help=phrase_later(
        "Tell Home Assistant of the tables, at its discovery prefix (homeassistant if none is said)."
    ),
)
@click.option(
    "--name",
    "names",
    multiple=True,
    help=phrase_later("Another name of this machine; may be repeated."),
)
@click.option(
    "--anybody", is_flag=True, help=phrase_later("Answer requests from outside the hall's network, too.")
)
@click.pass_context
def command(
    context: click.Context,
    data: Path | None,
    host: str,
    port: int,
    names: tuple[str, ...],
    anybody: bool,
    home_prefix: str,
    **broker: Unpack[BrokerAsked],
) -> None:
    """Run the desk of a hall: hear its boxes, keep what they play, show all tables on one page.

    Without a command it runs until Ctrl-C. The commands may be given while it runs, on the same machine.
    """
    context.obj = _folder(data)
    if context.invoked_subcommand is not None:
        return
    over = threading.Event()
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, lambda *_: over.set())
    try:
        setup = HallSetup(
            data=context.obj,
            host=host,
            port=port,
            broker=_broker(context.obj, host, broker),
            home_prefix=home_prefix,
            visitors="anybody" if anybody else "local",
            names=names,
            tell=click.echo,
        )
        with Hall(setup) as hall:
            click.echo(phrase("The desk: {address}", address=hall.address))
            click.echo(phrase("The hall's big screen: {address}?screen", address=hall.address))
            click.echo(phrase('To bring a box in: callbox desk{data} invite "Table 1"', data=_flag(data)))
            while not over.wait(LOOK_S):
                hall.look()
    except (LedgerBroken, NoBroker, ConsoleError) as error:
        _fail(str(error))


@command.command()
@click.argument("name")
@click.pass_obj
def invite(folder: Path, name: str) -> None:
    """Give out a code by which one box becomes NAME, such as "Table 4". It is valid for an hour.

    Once the new box has connected, a box that had this name before is trusted no more.
    """
    name = " ".join(name.split())
    if not 1 <= len(name) <= 40 or not name.isprintable():
        _fail(phrase("a table's name has 1 to 40 letters or digits, such as Table 4."))
    code = new_code()
    with _ledger(folder) as ledger:
        ledger.invite(Invitation(invitation_id(code), code, name, time.time() + GOOD_S))
    click.echo(phrase("On the box that is to be {name}, within an hour:", name=name))
    click.echo(f"    callbox pair DESK {code}")
    click.echo(phrase("DESK is this machine's address, such as 192.168.1.20."))


@command.command()
@click.argument("name")
@click.pass_obj
def revoke(folder: Path, name: str) -> None:
    """Stop trusting the box NAME, and let it in no more. What it sent stays."""
    with _ledger(folder) as ledger, ledger.transaction():
        found = ledger.revoke(name)
    if not found:
        _fail(phrase("there is no table {name!r}: callbox desk tables lists them.", name=name))
    click.echo(phrase("{name} is revoked. A running desk disconnects it within seconds.", name=name))


@command.command()
@click.option(
    "--forget", is_flag=True, help=phrase_later("Remove the PIN: nobody can answer from the desk any more.")
)
@click.pass_obj
def pin(folder: Path, *, forget: bool) -> None:
    """Set the PIN by which a referee answers from the desk. Asks for it; in a pipe, reads the first line.

    A box takes such answers only where its owner allows it: answers = true under [venue] in callbox.toml.
    """
    try:
        PinBook(pins_path(folder)).put("referee", None if forget else ask_pin("referee"))
    except PinsBroken as error:
        _fail(str(error))
    if forget:
        click.echo(phrase("The desk's PIN is removed: nobody can answer from the desk."))
        return
    click.echo(phrase("The PIN of the desk's referee is set. Everybody has to sign in again."))


@command.command()
@click.pass_obj
def tables(folder: Path) -> None:
    """List the boxes that were paired, and what is held of them."""
    with _ledger(folder) as ledger:
        for box in ledger.boxes():
            held = ledger.held(box.id)
            rows = sum(each.rows for each in held.values())
            mark = " (revoked)" if box.revoked else ""
            click.echo(
                phrase(
                    "{name}{mark}: {count} games, {rows} rows, paired {paired}",
                    name=box.name,
                    mark=mark,
                    count=len(held),
                    rows=rows,
                    paired=box.paired[:16],
                )
            )


@command.command()
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help=phrase_later("Instead of the screen."),
)
@click.pass_obj
def results(folder: Path, output: Path | None) -> None:
    """Write the results of all tables as CSV; docs/journal.md explains the columns."""
    with _ledger(folder) as ledger:
        told = results_of_all(ledger)
    if output is None:
        click.echo(told, nl=False)
        return
    try:
        output.write_bytes(told.encode(errors="backslashreplace"))
    except OSError as error:
        _fail(phrase("{output} cannot be written: {strerror}.", output=output, strerror=error.strerror))


@command.group()
def tournament() -> None:
    """Run a tournament over all tables: draw it, have matches called, take them back, write the results.

    A running desk calls players to free tables by itself, and shows that on its page and the big screen.
    """


@tournament.command()
@of_a_draw
@click.option(
    "--table", "tables", multiple=True, metavar="NAME", help=phrase_later("Only there; may be repeated.")
)
@click.option(
    "--number",
    type=click.IntRange(0, HIGHEST_NUMBER),
    help=phrase_later("Draw by this number who stands where; without it players stand as named."),
)
@click.option(
    "--seeds",
    default=0,
    type=click.IntRange(0, 64),
    help=phrase_later("With --number: so many of the first names keep their places."),
)
@click.pass_obj
def draw(
    folder: Path, tables: tuple[str, ...], number: int | None, seeds: int, **words: Unpack[DrawWords]
) -> None:
    """Draw tournament TITLE for PLAYERS, best seed first, or in line."""
    agreed = agreed_of(words)
    with _organiser(folder) as organiser:
        organiser.draw(agreed, tables, None if number is None else Lot(number, seeds))
    click.echo(phrase("{title} is drawn. The desk calls its matches to free tables.", title=agreed.title))
    tell_tie_breaks(agreed.kind)


of_a_match = click.argument("match", type=click.IntRange(1))


@tournament.command()
@of_a_match
@click.argument("table", default="")
@click.pass_obj
def call(folder: Path, match: int, table: str) -> None:
    """Call MATCH to TABLE, such as "Table 4", or to the next free table.

    If it was called to another table, or is being played there, it is taken away from that one.
    """
    _act(folder, CallToTable(match=match, table=table))


@tournament.command("call-back")
@of_a_match
@click.pass_obj
def call_back(folder: Path, match: int) -> None:
    """Take back the call of MATCH. It is called again only when you do so."""
    _act(folder, TakeCallBack(match=match))


@tournament.command()
@of_a_match
@click.argument("winner")
@click.pass_obj
def sign(folder: Path, match: int, winner: str) -> None:
    """Sign off that WINNER has won MATCH: a result that counts, or one that waits at its table."""
    _act(folder, SignMatch(match=match, winner=winner))


@tournament.command()
@of_a_match
@click.argument("winner")
@click.argument("reason")
@click.option(
    "--points",
    multiple=True,
    metavar="NAME=POINTS",
    help=phrase_later("What a player has; said of both, or left out."),
)
@click.pass_obj
def rule(folder: Path, match: int, winner: str, reason: str, points: tuple[str, ...]) -> None:
    """Decide for a REASON that WINNER has won MATCH, whatever its game says."""
    scores = tuple(map(_points, points))
    _act(folder, RuleMatch(match=match, winner=winner, scores=scores, reason=reason))


@tournament.command("take-back")
@of_a_match
@click.argument("reason")
@click.pass_obj
def take_back(folder: Path, match: int, reason: str) -> None:
    """Take MATCH back for a REASON: it does not count, and is called again."""
    _act(folder, PlayMatchAgain(match=match, reason=reason))


@tournament.command()
@click.argument("player")
@click.argument("reason", default="")
@click.pass_obj
def withdraw(folder: Path, player: str, reason: str) -> None:
    """Withdraw PLAYER: whoever would have met them moves on without a match."""
    _act(folder, WithdrawPlayer(player=player, reason=reason))


@tournament.command("bring-back")
@click.argument("player")
@click.pass_obj
def bring_back(folder: Path, player: str) -> None:
    """Let PLAYER, who withdrew, play again, unless others have played on since."""
    _act(folder, BringPlayerBack(player=player))


@tournament.command()
@click.pass_obj
def close(folder: Path) -> None:
    """End the tournament, so that another may be drawn."""
    _act(folder, CloseCup())


@tournament.command()
@of_a_file
@click.pass_obj
def show(folder: Path, form: str, output: Path | None) -> None:
    """Write the newest tournament: who is called where, matches and standings. The desk need not run."""
    view = _read_tournament(folder)
    called = [
        phrase("called  {text_}, match {match}", text_=each.text, match=each.match)
        for each in view.calls
        if each.standing == "called"
    ]
    write_tournament(view.tournament, form, output, called)


def _read_tournament(folder: Path) -> HallTournamentView:
    with _ledger(folder) as ledger:
        calls = CallBook(ledger)
        book = calls.book()
        if book.record is None:
            _fail(phrase("no tournament was drawn yet."), "desk tournament", 1)
        names = {each.id: each.name for each in ledger.boxes()}
        return view_hall_tournament(book, calls.calls(book.number), names, set(names), (), {})


def _act(folder: Path, act: OrganiserAct) -> None:
    """Do what the organiser's page can do, too, and say what it says."""
    with _organiser(folder) as organiser:
        click.echo(act.do(organiser))


def _points(typed: str) -> tuple[str, int]:
    """NAME=POINTS as it was typed."""
    name, _, number = typed.rpartition("=")
    try:
        return name, int(number)
    except ValueError:
        raise click.BadParameter(phrase("points are said as NAME=POINTS, such as Ann=1200.")) from None


@contextmanager
def _organiser(folder: Path) -> Iterator[Organiser]:
    try:
        with closing(Ledger.open(folder)) as ledger:
            yield Organiser(ledger)
    except (LedgerBroken, Refused) as error:
        _fail(str(error), "desk tournament", 1)


def _broker(folder: Path, host: str, asked: BrokerAsked) -> HallBroker:
    url, password, authority = asked["broker_url"], asked["broker_password"], asked["broker_authority"]
    if url is not None:
        return NamedBroker(read_address(url), password, authority)
    if password or authority:
        raise NoBroker(
            phrase("--broker-password and --broker-authority are for a broker that --broker names.")
        )
    return EmbeddedBroker(folder / "broker", host, asked["broker_port"])


def _ledger(folder: Path) -> "closing[Ledger]":
    try:
        return closing(Ledger.open(folder))
    except LedgerBroken as error:
        _fail(str(error))


def _folder(data: Path | None) -> Path:
    try:
        return data or data_folder(None, os.environ) / "desk"
    except StorageBroken as error:
        _fail(str(error))


def _flag(data: Path | None) -> str:
    return f" --data {data}" if data else ""


def _fail(why: str, command: str = "desk", status: int = 2) -> NoReturn:
    click.echo(f"callbox {command}: {why}", err=True)
    sys.exit(status)

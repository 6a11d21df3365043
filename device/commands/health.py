"""`callbox health` and `game`: what is asked of the box that runs here, through its own console."""

import json
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import ProxyHandler, Request, build_opener

import click

from device.commands.common import config_option, fail, host_option, load_settings, port_option
from engine.wording import phrase, phrase_later

AGAIN_S = 0.5
"""The time between two questions."""
ANSWER_S = 5.0
"""A console that takes longer for an answer hangs."""
MOVES = {"frames": phrase_later("pictures come"), "table": phrase_later("the table goes on")}
"""What is counted in an answer, and what it means when the count grows."""


@dataclass(frozen=True, slots=True)
class Health:
    """What was found."""

    trouble: str
    """Why the console does not answer; empty when it does."""
    stuck: tuple[str, ...]
    """What was wanted and did not grow while the console was asked."""


REQUEST_ANSWER_S = 90.0
"""A slow machine takes its time to open a game."""
LONGEST_BYTES = 1_000_000


class BoxSilent(Exception):
    """No box answers. `str(error)` names cause and fix."""


Ask = Callable[[], dict[str, int | None]]
"""Asks the console for its counts; raises `BoxSilent`."""


@dataclass(frozen=True, slots=True)
class Times:
    """How time passes for whoever waits."""

    clock_s: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep


def watch(ask: Ask, wanted: Sequence[str], within_s: float, times: Times) -> Health:
    """Ask again and again, until all of `MOVES` that is `wanted` has moved or `within_s` are over."""
    end_s = times.clock_s() + within_s
    first: dict[str, int | None] | None = None
    while True:
        try:
            counts = ask()
        except BoxSilent as error:
            first, found = None, Health(str(error), tuple(wanted))
        else:
            # A box that was started anew meanwhile counts from the beginning.
            if first is None or any((counts[name] or 0) < (first[name] or 0) for name in wanted):
                first = counts
            found = Health("", tuple(name for name in wanted if not _moved(first[name], counts[name])))
        if (not found.trouble and not found.stuck) or times.clock_s() >= end_s:
            return found
        times.sleep(AGAIN_S)


def _moved(first: int | None, now: int | None) -> bool:
    """Whether a count has grown; a film that is over has nothing more to count."""
    return now is None or (first is not None and now > first)


def console_here(host: str, port: int) -> str:
    """The address of this machine's console; `host` is what it listens on."""
    number = {"0.0.0.0": "127.0.0.1", "": "127.0.0.1", "::": "[::1]"}.get(host, host)  # noqa: S104
    return f"http://{number}:{port}"


def asker(host: str, port: int) -> Ask:
    """Asks this machine's console; `host` is what it listens on."""
    address = f"{console_here(host, port)}/health"

    def ask() -> dict[str, int | None]:
        try:
            found = _fetch(address, ANSWER_S)
            if not isinstance(found, dict) or not MOVES.keys() <= found.keys():
                raise ValueError(phrase("what answers there is no Callbox, or an older one"))
        except (OSError, HTTPException, ValueError) as error:
            raise BoxSilent(
                phrase("the console at port {port} does not answer: {error}", port=port, error=error)
            ) from error
        return {name: found[name] for name in MOVES}

    return ask


def _fetch(request: str | Request, timeout_s: float) -> Any:
    """The JSON that an address of this machine answers: no proxy is asked, whatever the shell says."""
    here = build_opener(ProxyHandler({}))
    with here.open(request, timeout=timeout_s) as answer:
        return json.loads(answer.read(LONGEST_BYTES))


def ask_box(address: str, body: Mapping[str, object] | None = None) -> dict[str, Any]:
    """What this machine's console answers; without a body it is only looked at. Raises `BoxSilent`."""
    origin = address.split("/", 3)
    headers = {"Content-Type": "application/json", "Origin": "/".join(origin[:3])}
    data = None if body is None else json.dumps(body).encode()
    try:
        found = _fetch(Request(address, data, headers), REQUEST_ANSWER_S)  # noqa: S310 - http
    except HTTPError as refused:
        found = _body_of(refused)
    except (OSError, HTTPException, ValueError) as error:
        raise BoxSilent(
            phrase(
                "no box answers at {address}: {error}. Start it, or name its --port.",
                address=address,
                error=error,
            )
        ) from error
    if not isinstance(found, dict):
        raise BoxSilent(phrase("what answers at {address} is no Callbox.", address=address))
    return found


def _body_of(refused: HTTPError) -> Any:
    """Why the console refused it."""
    try:
        return json.loads(refused.read(LONGEST_BYTES))
    except ValueError:
        return {"text": phrase("the console answered {code}", code=refused.code)}


@click.command()
@config_option
@host_option
@port_option
@click.option("--within", "within_s", type=click.FloatRange(0, 3600), default=30.0, show_default=True)
@click.option("--without-pictures", is_flag=True, help=phrase_later("Accept a box without pictures."))
def command(
    config_path: Path | None, host: str | None, port: int | None, within_s: float, without_pictures: bool
) -> None:
    """Check that the running box is well: pictures come, the table runs, the console answers.

    Waits up to --within seconds for all three; ends with status 1 if one is missing.
    """
    console = load_settings(config_path, 2).console
    wanted = [name for name in MOVES if not (without_pictures and name == "frames")]
    found = watch(asker(host or console.host, port or console.port), wanted, within_s, Times())
    it_answers = phrase("it answers")
    click.echo(f"console  {'fail' if found.trouble else 'ok  '}  {found.trouble or it_answers}")
    for name in wanted:
        stuck = name in found.stuck
        seen = phrase("not seen that ") if stuck else ""
        click.echo(f"{name:<8} {'fail' if stuck else 'ok  '}  {seen}{phrase(MOVES[name])}")
    if found.trouble or found.stuck:
        sys.exit(1)


ACTIONS = {
    "pause": phrase_later("The game is paused."),
    "resume": phrase_later("The game goes on."),
    "save": phrase_later("The game is saved."),
    "abandon": phrase_later("The game is abandoned."),
}
ADDRESSES = {"pause": "pause", "resume": "go-on", "save": "put-away", "abandon": "abandon"}
"""The end of the console's address for each, where the game is the one at the table."""


@click.command()
@click.argument("what", type=click.Choice(list(ACTIONS)))
@click.argument("game_id", metavar="[ID]", required=False, type=click.IntRange(1))
@click.option("--yes", is_flag=True, help=phrase_later("Do not ask before a game is abandoned."))
@config_option
@host_option
@port_option
def game(
    what: str, game_id: int | None, yes: bool, config_path: Path | None, host: str | None, port: int | None
) -> None:
    """Pause, resume, save or abandon a game of the running box.

    Without ID it is the game at the table; to resume a saved game give its ID, which callbox games lists.
    Where only host or referee may do that, use the console. If no box runs: callbox play --resume ID.
    """
    console = load_settings(config_path).console
    address = console_here(host or console.host, port or console.port)
    try:
        at_table = ask_box(f"{address}/state").get("game_id")
        meant = game_id or at_table
        if not isinstance(meant, int):
            fail(phrase("No game is at the table. Give the number of one: callbox games lists them."))
        if what == "abandon" and not yes:
            click.confirm(
                phrase("Game {meant} ends without a winner for good. Abandon it?", meant=meant),
                abort=True,
                err=True,
            )
        way = "take-up" if what == "resume" and meant != at_table else ADDRESSES[what]
        answer = ask_box(f"{address}/games/{way}", {"game_id": meant})
    except BoxSilent as silent:
        fail(str(silent))
    if not answer.get("ok"):
        fail(str(answer.get("text")))
    click.echo(phrase(ACTIONS[what]))

"""`callbox health`: whether the box that runs here moves on, asked through its own console."""

import json
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import OpenerDirector, ProxyHandler, Request, build_opener

import click

from device.config import ConfigError, load
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


class NoAnswer(Exception):
    """The console did not answer. `str(error)` says why."""


Ask = Callable[[], dict[str, int | None]]
"""Asks the console for its counts; raises `NoAnswer`."""


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
        except NoAnswer as error:
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


def opener_here() -> OpenerDirector:
    """Opens addresses of this machine: no proxy is asked, whatever the shell says."""
    return build_opener(ProxyHandler({}))


def asker(host: str, port: int) -> Ask:
    """Asks this machine's console; `host` is what it listens on."""
    address, here = f"{console_here(host, port)}/health", opener_here()

    def ask() -> dict[str, int | None]:
        try:
            return _counts(address, here)
        except (OSError, HTTPException, ValueError) as error:
            raise NoAnswer(
                phrase("the console at port {port} does not answer: {error}", port=port, error=error)
            ) from error

    return ask


def _counts(address: str, here: OpenerDirector) -> dict[str, int | None]:
    with here.open(address, timeout=ANSWER_S) as answer:
        told: Any = json.loads(answer.read(10_000))
    if not isinstance(told, dict) or not MOVES.keys() <= told.keys():
        raise ValueError(phrase("what answers there is no Callbox, or an older one"))
    return {name: told[name] for name in MOVES}


@click.command()
@click.option(
    "--config", "config_path", type=click.Path(path_type=Path), help=phrase_later("The box's settings file.")
)
@click.option("--host", help=phrase_later("Where the console listens, if it is not where the settings say."))
@click.option(
    "--port",
    type=click.IntRange(1, 65535),
    help=phrase_later("The console's port, if it is not the settings'."),
)
@click.option("--within", "within_s", type=click.FloatRange(0, 3600), default=30.0, show_default=True)
@click.option("--without-pictures", is_flag=True, help=phrase_later("Be content when no pictures come."))
def command(
    config_path: Path | None, host: str | None, port: int | None, within_s: float, without_pictures: bool
) -> None:
    """Ask the running box whether pictures come, the table goes on and the console answers.

    Waits up to --within seconds for all three; ends with status 1 where one is missing.
    """
    try:
        told = load(config_path).console
    except ConfigError as error:
        click.echo(f"callbox health: {error}", err=True)
        sys.exit(2)
    wanted = [name for name in MOVES if not (without_pictures and name == "frames")]
    found = watch(asker(host or told.host, port or told.port), wanted, within_s, Times())
    it_answers = phrase("it answers")
    click.echo(f"console  {'fail' if found.trouble else 'ok  '}  {found.trouble or it_answers}")
    for name in wanted:
        stuck = name in found.stuck
        seen = phrase("not seen that ") if stuck else ""
        click.echo(f"{name:<8} {'fail' if stuck else 'ok  '}  {seen}{phrase(MOVES[name])}")
    if found.trouble or found.stuck:
        sys.exit(1)


# Asking the running box of this machine, through its console.

REQUEST_ANSWER_S = 90.0
"""A slow machine takes its time to open a game."""
LONGEST_BYTES = 1_000_000


class BoxSilent(Exception):
    """No box answers. `str(error)` names cause and fix."""


def ask_box(address: str, body: Mapping[str, object] | None = None) -> dict[str, Any]:
    """What this machine's console answers; without a body it is only looked at. Raises `BoxSilent`."""
    origin = address.split("/", 3)
    headers = {"Content-Type": "application/json", "Origin": "/".join(origin[:3])}
    data = None if body is None else json.dumps(body).encode()
    try:
        with opener_here().open(Request(address, data, headers), timeout=REQUEST_ANSWER_S) as answer:  # noqa: S310 - http
            found: Any = json.loads(answer.read(LONGEST_BYTES))
    except HTTPError as refused:
        found = _words(refused)
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


def _words(refused: HTTPError) -> object:
    """Why the console refused it."""
    try:
        return json.loads(refused.read(LONGEST_BYTES))
    except ValueError:
        return {"text": phrase("the console answered {code}", code=refused.code)}

"""One game of the journal for other programs: JSON lines, a spreadsheet, bare events, or a recording."""

import csv
import io
import json
from collections.abc import Iterator
from typing import Any

from msgspec import to_builtins

from device.journal.replay import Replay, Step, options_shown
from engine.recording import write_recording
from engine.refusal import Refused
from engine.wording import phrase

_FROM_BODY = ("event", "player", "dots", "dice", "button", "picture")
COLUMNS = ("game", "seq", "at", "steady_ms", "kind", *_FROM_BODY, "position", "body")
"""The spreadsheet's columns. `at` is UTC; `body` is the whole row as JSON."""

WITHHELD = "bets are secret until all of the turn are locked"


def json_lines(game: Replay) -> Iterator[str]:
    """A line for the game, one for each row, and one for the ending where there is one."""
    record = game.record
    yield _json(
        {
            "kind": "game",
            "id": record.id,
            "at": record.begun,
            "steady_ms": record.begun_steady_ms,
            "game": record.game,
            "players": list(record.players),
            "options": options_shown(record),
            "position": game.start_line or None,
        }
    )
    for step in _public_steps(game):
        yield _json(
            {
                "kind": _kind(step),
                "seq": step.entry.seq if step.public else None,
                "at": step.entry.at,
                "steady_ms": step.entry.steady_ms,
                "body": _body(step),
                "position": step.line or None,
                **({"by": to_builtins(step.by)} if step.by and not step.veiled else {}),
            }
        )
    if record.ended:
        yield _json({"kind": "end", "at": record.ended, "cause": record.cause})


def bare_events(game: Replay) -> Iterator[str]:
    """The events alone, as `callbox score` reads them; they break off before the first secret."""
    for step in _before_secrets(game):
        if step.entry.kind == "event":
            yield _json(dict(step.entry.body))


def spreadsheet(game: Replay) -> Iterator[str]:
    """Comma-separated lines with a head line, for a spreadsheet: UTF-8 with its mark, quoted where needed."""
    rows = [dict(zip(COLUMNS, COLUMNS, strict=True)), *(_cells(game, step) for step in _public_steps(game))]
    for place, cells in enumerate(rows):
        text = io.StringIO()
        # Excel takes a file without the mark for some old alphabet.
        text.write("" if place else "\ufeff")
        csv.writer(text, lineterminator="\r").writerow([cell(cells.get(column)) for column in COLUMNS])
        yield text.getvalue()


def recording(game: Replay) -> Iterator[str]:
    """The form of recorded games (engine.recording), up to the first secret; raises `Refused`."""
    record = game.record
    if game.sealed:
        raise Refused(
            phrase(
                "a recording tells the seed of the box's deck, and with it the next cards. Make it "
                "after its end; --format jsonl leaves the seed out."
            )
        )
    events = [step.event for step in _before_secrets(game) if step.event is not None]
    yield from write_recording(record.game, record.players, record.options, events).splitlines()


def _public_steps(game: Replay) -> Iterator[Step]:
    """The rows that may be told of: a secret bet as a withheld one, secret presses and notes not at all."""
    return (step for step in game.steps if not step.veiled or step.entry.kind == "event")


def _before_secrets(game: Replay) -> Iterator[Step]:
    return (step for step in game.steps if step.public)


def _kind(step: Step) -> str:
    return "withheld" if step.veiled else step.entry.kind


def _body(step: Step) -> dict[str, Any]:
    if step.veiled:
        return {"player": step.entry.body.get("player"), "why": WITHHELD}
    return dict(step.entry.body)


def _cells(game: Replay, step: Step) -> dict[str, Any]:
    body = _body(step)
    return {
        "game": game.record.id,
        "seq": step.entry.seq if step.public else None,
        "at": step.entry.at,
        "steady_ms": step.entry.steady_ms,
        "kind": _kind(step),
        "position": step.line,
        "body": _json(body),
        **{key: body.get(key) for key in _FROM_BODY},
    }


def cell(value: Any) -> str | int | float:
    """A cell's content. Text that a spreadsheet would take for a formula gets an apostrophe before it."""
    match value:
        case None:
            return ""
        case bool():
            return str(value).lower()
        case int() | float():
            return value
        case str() if value.startswith(("=", "+", "-", "@", "\t", "\r", "\n")):
            return f"'{value}"
        case str():
            return value
        case _:
            return _json(value)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)

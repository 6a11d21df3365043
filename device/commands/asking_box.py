"""Asking the running box of this machine, through its console."""

import json
from collections.abc import Mapping
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request

from device.commands.health import opener_here
from engine.wording import phrase

ANSWER_S = 90.0
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
        with opener_here().open(Request(address, data, headers), timeout=ANSWER_S) as answer:  # noqa: S310 - http
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

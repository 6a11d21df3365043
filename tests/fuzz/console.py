"""Sends hostile paths and bodies, sealed and in the open, to the console of a whole box, without a network.

A case is a fault where the box answers with an error of its own, raises anything, or answers a POST with
anything but a sentence in JSON; and where its table's thread has ended. `/events` never ends, so it is not
among them.
"""

import json
import random
import tempfile
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any
from urllib.parse import quote

from starlette.routing import Route
from starlette.testclient import TestClient

from device.console.app import ConsoleSettings, make_app
from device.people.people import People
from device.requests import BUTTONS
from tests.device.console.fake_box import HERE, HOME
from tests.device.console.test_routes import GOOD, OWN
from tests.device.people.page import SealedPage
from tests.fuzz.targets import FAULT
from tests.playing import Playing, playing, simulated

CASES = 5000
ODD: tuple[Any, ...] = (
    None,
    True,
    -1,
    0,
    2**31,
    2**53,
    2**63,
    -(2**63) - 1,
    10**400,
    1.5,
    "",
    " ",
    "\x00",
    "A\u200b",
    "\u202e",
    "\ud800",
    "x" * 41,
    "x" * 17_000,
    "../../etc/passwd",
    [],
    {},
    [[]] * 50,
    {"event": "landed"},
)
MORE = {
    **GOOD,
    "/me": {},
    "/sit": {"token": "abc", "pin": "1234"},
    "/sign-in": {"office": "host", "pin": "1234", "name": "Cleo"},
    "/leave": {},
    "/seats": {},
    "/seats/back": {"player": "Ann"},
    "/persons": {"name": "Ann", "color": "red", "pin": "", "new_pin": None},
    "/persons/forget": {"name": "Ann"},
}
HEADERS = ("range", "if-none-match", "accept-encoding", "accept", "x-forwarded-for", "transfer-encoding")


class Sender:
    """Makes cases by chance and sends them."""

    def __init__(self, player: Playing, client: TestClient, paths: list[str], seed: int) -> None:
        self._player, self._client, self._paths = player, client, paths
        self._page = SealedPage(client)
        self._random = random.Random(seed)

    def send(self) -> str:
        """Send one case; returns its outcome."""
        method = self._random.choice(("GET", "POST", "POST", "POST", "sealed", "sealed", "PUT"))
        path = self._path() if method in ("GET", "PUT") else self._random.choice(list(MORE))
        body = b"" if method == "GET" else self._body(path)
        try:
            return self._outcome(method, path, body)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is what is looked for
            return f"{FAULT}: {method} {path[:200]} {body[:300]!r}: {type(error).__name__}: {error}"

    def _outcome(self, method: str, path: str, body: bytes) -> str:
        if method == "sealed":
            said = self._page.post_text(path, body.decode(errors="replace"))
            status = self._page.status
        else:
            headers = {**OWN, "content-type": "application/json", **self._headers()}
            response = self._client.request(method, path, content=body, headers=headers)
            status = response.status_code
            said = response.json() if method != "GET" else {"ok": True}
        good = status < 500 and "ok" in said and (said["ok"] or said["text"].endswith((".", "?", ")")))
        if not good or self._player.box.loop.failed is not None:
            trouble = self._player.box.loop.failed or said
            return f"{FAULT}: {method} {path[:200]} {body[:300]!r}: {status} {trouble!r}"
        return f"{method} {status}"

    def _path(self) -> str:
        path = self._random.choice([*self._paths, "/nothing", "/static/../x", "/static/%00", "//", "/%ff"])
        for hole in ("{button}", "{reading_id:number}", "{number:number}"):
            filling = self._random.choice(["7", "9" * 15, "9" * 16, "9" * 5000, "stop", "\x00", "é"])
            path = path.replace(hole, quote(filling))
        queries = (
            "",
            "?player=%00",
            f"?before={'9' * 30}",
            "?play&player=" + "x" * 900,
            "?game=-1",
            "?screen&x",
        )
        return path + self._random.choice(queries)

    def _headers(self) -> dict[str, str]:
        if self._random.random() < 0.7:
            return {}
        return {
            self._random.choice(HEADERS): self._random.choice(["bytes=0-", "x" * 200, '"7"', "::::", "1.2.3"])
        }

    def _body(self, path: str) -> bytes:
        """A good body of that address, or of another, changed here and there."""
        if self._random.random() < 0.05:
            return b"[" * self._random.choice([40, 3000, 15_000])
        body = json.loads(json.dumps(MORE.get(path, {})))
        for _ in range(self._random.randrange(3)):
            self._change(body)
        raw = json.dumps(body).encode(errors="replace")
        if self._random.random() < 0.2 and raw:
            at = self._random.randrange(len(raw))
            raw = raw[:at] + self._random.randbytes(self._random.randrange(3)) + raw[at + 1 :]
        return raw

    def _change(self, body: Any) -> None:
        """Put something odd into one place of a body."""
        keys = list(body) if isinstance(body, dict) else list(range(len(body)))
        if not keys:
            return
        key = self._random.choice(keys)
        if isinstance(body[key], (dict, list)) and body[key] and self._random.random() < 0.6:
            self._change(body[key])
        else:
            body[key] = deepcopy(self._random.choice(ODD))


def fuzz(cases: int, seed: int) -> Iterator[str]:
    """Yield one outcome for each case: how it was sent and the status, or a fault."""
    with tempfile.TemporaryDirectory() as folder, playing(Path(folder), simulated(seed=1)) as player:
        settings = ConsoleSettings(people=People("family", Path(folder), lambda _: None))
        app = make_app(player.box.api, settings, player.box.hand)
        paths = sorted(
            {
                *(each.path for each in app.routes if isinstance(each, Route)),
                *(f"/pins/{name}" for name in BUTTONS),
            }
        )
        with TestClient(app, base_url=HOME, client=HERE) as client:
            sender = Sender(player, client, [path for path in paths if path != "/events"], seed)
            for _ in range(cases):
                yield sender.send()

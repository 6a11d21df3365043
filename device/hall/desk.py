"""The venue's desk as a whole: ledger, broker, ingest and page, started and stopped in their order."""

import secrets
import socket
import threading
import time
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Literal, Self

import msgspec

from device.console import ConsoleServer, Doors
from device.hall.broker import HallBroker, NoBroker
from device.hall.ingest import Ingest
from device.hall.ledger import KnownBox, Ledger
from device.hall.page import HallPage, make_hall_app
from device.hall.questions import HallQuestions, RefereePages, people_of_desk
from device.venue.broker_link import BrokerLink
from device.venue.membership import password_of
from device.venue.messages import ROOT, topic
from engine.wording import phrase, phrase_later

# What Home Assistant is told of each table, so that it finds them by itself (MQTT discovery, by device).
#
# It shows what a box tells everybody who is let in by the broker: the retained snapshot and the box's
# health. Automations can go by it: light the lamp over table 4 when it waits for somebody.

LABELS = {
    "game": phrase_later("Game"),
    "turn": phrase_later("Whose turn"),
    "news": phrase_later("News"),
    "winners": phrase_later("Winner"),
    "scores": phrase_later("Scores"),
    "waits": phrase_later("Waits for somebody"),
}
"""By their names in `home.toml`: what people read."""


def introduction_topic(table_id: str, prefix: str) -> str:
    """Where Home Assistant hears of a table; an empty retained message there makes it forget the table."""
    return f"{prefix}/device/callbox_{table_id}/config"


def introduce(table_id: str, name: str) -> bytes:
    """A table as Home Assistant shows it: a device with what is played there, and whether it waits."""
    told = tomllib.loads(files("device.hall").joinpath("home.toml").read_text(encoding="utf-8"))
    for key, part in told["components"].items():
        part |= {"name": phrase(LABELS[key]), "unique_id": f"callbox_{table_id}_{key}"}
    return msgspec.json.encode(
        {
            "device": {
                "identifiers": [f"callbox_{table_id}"],
                "name": phrase("Callbox {name}", name=name),
                "manufacturer": "Callbox",
            },
            "origin": {"name": "Callbox", "sw_version": version("callbox")},
            "state_topic": topic(table_id, "state"),
            "availability_topic": topic(table_id, "health"),
            **told,
        }
    )


HOME_PREFIX = "homeassistant"
"""Where Home Assistant hears of devices, unless its owner has set another prefix."""
WAITING = 20_000
"""This many answers may wait for the broker."""
AWAY_S = 20.0
"""A broker that comes back sooner is not told of as away."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HallSetup:
    """What a desk is to be made of."""

    data: Path
    host: str
    port: int
    """The page's."""
    broker: HallBroker
    home_prefix: str
    """Where Home Assistant hears of the tables; "" where it is told nothing."""
    visitors: Literal["local", "anybody"]
    names: tuple[str, ...]
    tell: Callable[[str], None]


class Away:
    """Says it once when the broker does not answer for long, and once when it does again."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell = tell
        self._since_s: float | None = None
        self._told = False

    def look(self, now_s: float, link: BrokerLink) -> None:
        """`now_s` on a steady clock."""
        if link.is_there:
            if self._told:
                self._tell(phrase("The broker answers again."))
            self._since_s, self._told = None, False
            return
        if self._since_s is None:
            self._since_s = now_s
        if not self._told and now_s >= self._since_s + AWAY_S:
            self._told = True
            self._tell(
                phrase(
                    "The broker does not answer. The tables play on, and tell later what they played. {why}",
                    why=link.refused,
                ).strip()
            )


class Hall:
    """A running desk. Raises `LedgerBroken`, `NoBroker`, `ConsoleError`."""

    def __init__(self, setup: HallSetup) -> None:
        self._setup = setup
        self.ledger = Ledger.open(setup.data)
        self.broker = setup.broker
        self._unknown_at_home = threading.Event()
        """Home Assistant may not know the tables as they are."""
        self._link = BrokerLink(
            self.broker.as_desk,
            f"callbox-desk-{secrets.token_hex(4)}",
            hear=self._hear,
            joined=self._unknown_at_home.set,
            waiting=WAITING,
        )
        self._away = Away(setup.tell)
        self.ingest = Ingest(self.ledger, self._link, self._admit)
        self.questions = HallQuestions(self.ingest)
        self.ingest.hear_reply = self.questions.hear
        self._referee = RefereePages(self.questions, people_of_desk(setup.data, setup.tell))
        page = HallPage(self.ledger, self.ingest, self.broker.membership_for)
        doors = Doors(visitors=setup.visitors, names=setup.names, own_name=socket.gethostname())
        self._server = ConsoleServer(
            make_hall_app(page, doors, self._referee.routes()), setup.host, setup.port
        )

    def __enter__(self) -> Self:
        try:
            self.broker.start(self._passwords(self.ledger.boxes()))
            self.ingest.start()
            self._link.start(f"{ROOT}/#")
            self._server.start()
        except BaseException:
            self.broker.stop()
            raise
        return self

    def __exit__(self, *error: object) -> None:
        self._server.stop()
        self._referee.close()
        self.ingest.stop()
        self._link.stop()
        self.broker.stop()
        self.ledger.close()

    @property
    def address(self) -> str:
        """Where the page is."""
        return self._server.address

    def look(self) -> None:
        """Start the broker anew where it fell; tell Home Assistant what it may not know."""
        if not self.broker.runs:
            self._setup.tell(
                phrase("The broker fell, and is started anew. Boxes tell again what was not kept.")
            )
            try:
                self.broker.start(self._passwords(self.ledger.boxes()))
            except NoBroker as error:
                self._setup.tell(str(error))
        self.questions.forget()
        self._away.look(time.monotonic(), self._link)
        if self._setup.home_prefix and self._link.is_there and self._unknown_at_home.is_set():
            self._unknown_at_home.clear()
            for each in self.ledger.boxes():
                told = b"" if each.revoked else introduce(each.id, each.name)
                self._link.send(introduction_topic(each.id, self._setup.home_prefix), told, retain=True)

    def _hear(self, where: str, body: bytes, code: str) -> None:
        self.ingest.hear(where, body, code)

    def _admit(self, boxes: list[KnownBox]) -> None:
        self._unknown_at_home.set()
        if self.broker.runs:
            self.broker.admit(self._passwords(boxes))

    def _passwords(self, boxes: list[KnownBox]) -> dict[str, str]:
        return {each.id: password_of(each.secret) for each in boxes if not each.revoked}

"""The venue's desk as a whole: ledger, broker, reception and page, started and stopped in their order."""

import socket
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Self

from device.console import ConsoleServer, Doors
from device.hall.embedded_broker import EmbeddedBroker, NoBroker
from device.hall.ledger import KnownBox, Ledger
from device.hall.page import HallPage, make_hall_app
from device.hall.reception import Reception
from device.venue.broker_link import BrokerLink
from device.venue.membership import password_of
from device.venue.wire import ROOT
from engine.wording import phrase

WAITING = 20_000
"""This many answers may wait for the broker."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HallSetup:
    """What a desk is to be made of."""

    data: Path
    host: str
    port: int
    """The page's."""
    broker_port: int
    visitors: Literal["local", "anybody"]
    names: tuple[str, ...]
    tell: Callable[[str], None]


class Hall:
    """A running desk. Raises `LedgerBroken`, `NoBroker`, `ConsoleError`."""

    def __init__(self, setup: HallSetup) -> None:
        self._setup = setup
        self.ledger = Ledger.open(setup.data)
        self.broker = EmbeddedBroker(setup.data / "broker", setup.host, setup.broker_port)
        self._link = BrokerLink(
            self.broker.as_desk, "desk", hear=self._hear, joined=lambda: None, waiting=WAITING
        )
        self.reception = Reception(self.ledger, self._link, self._admit)
        page = HallPage(self.ledger, self.reception, setup.broker_port, self.broker.certificate)
        doors = Doors(visitors=setup.visitors, names=setup.names, own_name=socket.gethostname())
        self._server = ConsoleServer(make_hall_app(page, doors), setup.host, setup.port)

    def __enter__(self) -> Self:
        try:
            self.broker.start(self._passwords(self.ledger.boxes()))
            self.reception.start()
            self._link.start(f"{ROOT}/#")
            self._server.start()
        except BaseException:
            self.broker.stop()
            raise
        return self

    def __exit__(self, *error: object) -> None:
        self._server.stop()
        self.reception.stop()
        self._link.stop()
        self.broker.stop()
        self.ledger.close()

    @property
    def address(self) -> str:
        """Where the page is."""
        return self._server.address

    def look(self) -> None:
        """Start the broker anew where it fell."""
        if not self.broker.runs:
            self._setup.tell(
                phrase("The broker fell, and is started anew. Boxes tell again what was not kept.")
            )
            try:
                self.broker.start(self._passwords(self.ledger.boxes()))
            except NoBroker as error:
                self._setup.tell(str(error))

    def _hear(self, where: str, body: bytes, code: str) -> None:
        self.reception.hear(where, body, code)

    def _admit(self, boxes: list[KnownBox]) -> None:
        if self.broker.runs:
            self.broker.admit(self._passwords(boxes))

    def _passwords(self, boxes: list[KnownBox]) -> dict[str, str]:
        return {each.id: password_of(each.secret) for each in boxes if not each.revoked}

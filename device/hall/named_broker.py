"""A broker that others run, such as a home's own: the desk and its boxes are guests there.

Who has a password of that broker may read what boxes tell, which is what a stranger may see, and may hold
messages back. He can make none: each is sealed with its box's key, which the broker never has
(`device.venue.wire`). Who may come in there and write where is its owner's affair; docs/venue.md says what
to set.
"""

import socket
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

from device.hall.broker import DESK, NoBroker
from device.venue.broker_link import BrokerLink, tls_of
from device.venue.membership import BrokerLogin, Membership
from device.venue.pairing import Pass
from engine.wording import phrase, phrase_later

PORTS = {"mqtt": 1883, "mqtts": 8883}
KNOCK_S = 10.0
"""The broker may take this long to answer."""
UNREAD = phrase_later(
    "{url!r} names no broker. It is mqtts://USER@HOST, or mqtt:// where the network is a trusted one; "
    "a port may follow: mqtts://callbox@192.168.1.5:8883."
)


@dataclass(frozen=True, slots=True)
class BrokerAddress:
    """Where a broker is, and as whom."""

    host: str
    port: int
    user: str
    """"" where it asks for none."""
    tls: bool


def read_address(url: str) -> BrokerAddress:
    """`mqtts://USER@HOST:PORT`, or `mqtt://`; raises `NoBroker`."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise NoBroker(phrase(UNREAD, url=url[:200])) from None
    if parts.password is not None:
        raise NoBroker(
            phrase(
                "A password on the command line is seen by everybody on this machine. Write it into a "
                "file, and name that with --broker-password."
            )
        )
    plain = not (parts.query or parts.fragment) and parts.path in ("", "/")
    if parts.scheme not in PORTS or not parts.hostname or not plain:
        raise NoBroker(phrase(UNREAD, url=url[:200]))
    user = unquote(parts.username or "")
    return BrokerAddress(parts.hostname, port or PORTS[parts.scheme], user, parts.scheme == "mqtts")


class NamedBroker:
    """A broker as its owner lets the desk in."""

    runs = True
    """It is not the desk's to start."""

    def __init__(self, at: BrokerAddress, password: Path | None, authority: Path | None) -> None:
        """`password`: a file with it in its first line. `authority`: the certificate (PEM) by which the
        broker is known; None for those that this machine trusts. Raises `NoBroker`."""
        told = _text(password).splitlines() if password else []
        if at.user and not (told and told[0]):
            raise NoBroker(
                phrase("{user} needs a password: name its file with --broker-password.", user=at.user)
            )
        self._at = at
        self._login = BrokerLogin(at.user, told[0] if told else "", at.tls)
        self._certificate = _text(authority) if authority else ""
        try:
            tls_of(self.as_desk)
        except (OSError, ValueError):
            raise NoBroker(phrase("{path} holds no certificate (PEM).", path=authority)) from None

    @property
    def as_desk(self) -> Membership:
        """By which the desk itself comes in."""
        # The desk seals with each box's key: its own is never used.
        return self._membership(DESK, DESK, "00")

    def start(self, passwords: Mapping[str, str]) -> None:  # noqa: ARG002 - its owner admits
        """See that it is there, and lets the desk in; raises `NoBroker`."""
        where = f"{self._at.host}:{self._at.port}"
        try:
            with socket.create_connection((self._at.host, self._at.port), KNOCK_S) as door:
                if tls := tls_of(self.as_desk):
                    tls.wrap_socket(door, server_hostname=self._at.host).close()
        except OSError as error:  # TLS errors are such, too
            raise NoBroker(
                phrase(
                    "No broker can be reached at {where}: {error}. Look at the address. Where this machine "
                    "does not know the broker's certificate, name its authority's with --broker-authority.",
                    where=where,
                    error=error,
                )
            ) from None
        if why := self._why_not():
            raise NoBroker(
                phrase(
                    "The broker at {where} does not let the desk in: {why}. Look at user and password.",
                    where=where,
                    why=why,
                )
            )

    def admit(self, passwords: Mapping[str, str]) -> None:
        """Its owner admits; a box that is revoked is believed no more."""

    def pass_for(self, table_id: str, name: str, secret: str) -> Pass:
        """What a box is handed out that is to come here."""
        at = self._at
        return Pass(table_id, name, secret, at.port, self._certificate, at.host, self._login)

    def stop(self) -> None:
        """It is not the desk's to stop."""

    def _membership(self, table_id: str, name: str, secret: str) -> Membership:
        at = self._at
        return Membership(table_id, name, secret, at.host, at.port, self._certificate, self._login)

    def _why_not(self) -> str:
        """Why the broker does not let the desk in; "" when it does."""
        joined = threading.Event()
        link = BrokerLink(self.as_desk, "", hear=lambda *_: None, joined=joined.set, answered=joined.set)
        link.start()
        came = joined.wait(KNOCK_S)
        link.stop()
        return link.refused if came else phrase("it does not answer")


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeError) as error:
        raise NoBroker(phrase("{path} cannot be read: {error}.", path=path, error=error)) from None

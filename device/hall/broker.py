"""What the desk needs of its broker: its own (`embedded_broker`), or one that others run (`named_broker`)."""

from collections.abc import Mapping
from typing import Protocol

from device.venue.membership import Membership
from device.venue.pairing import Pass

DESK = "desk"
"""What the desk calls itself."""


class NoBroker(Exception):
    """The broker cannot be used. `str(error)` names cause and fix."""


class HallBroker(Protocol):
    """Through which boxes and desk speak."""

    @property
    def as_desk(self) -> Membership:
        """By which the desk itself comes in."""
        ...

    @property
    def runs(self) -> bool:
        """False where the desk has to start it anew."""
        ...

    def start(self, passwords: Mapping[str, str]) -> None:
        """Be there for these users (user to password); raises `NoBroker`."""
        ...

    def admit(self, passwords: Mapping[str, str]) -> None:
        """From now on these users and no others."""
        ...

    def pass_for(self, table_id: str, name: str, secret: str) -> Pass:
        """What a box is handed out that is to come here."""
        ...

    def stop(self) -> None:
        """Be no longer there. May be called twice."""
        ...

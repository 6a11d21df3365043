"""The teller's part in calls to the table: it keeps what the desk says, and says what the table answered.

Each thing said has a number, and is said until the other side has answered: the desk says for whom a box is
called until the box says that number back, the box says that it refuses until the desk's next number says
that it knows. So nothing is lost with a connection, and what comes twice changes nothing.
"""

from typing import Protocol

import msgspec
from msgspec import Struct

from device.decode import Undecodable, decode_json
from device.tournaments.called import CallRefused, CallSlip, CallTold
from device.venue.wire import topic

AGAIN_S = 10.0
"""How often the box says a refusal again."""


class CallHeard(Struct, frozen=True):
    """What a box says to its desk: how much of its calls it holds, and whether the table refuses."""

    number: int
    """That of the newest `CallTold` on its disk."""
    refused: str = ""
    """The call that the table does not take; "" for none."""
    why: str = ""


class SaysCalls(Protocol):
    """As `device.venue.broker_link.BrokerLink` does."""

    @property
    def is_there(self) -> bool:
        """Whether the broker can be spoken to now."""
        ...

    def say(self, where: str, body: bytes, *, key: bytes | None = None, retain: bool = False) -> bool:
        """Send a message; False where that cannot be now."""
        ...

    def ours(self, where: str, body: bytes, code: str) -> bool:
        """Whether a message is from the desk."""
        ...


class CallKeeper:
    """One box's. One thread calls it; times are seconds of a steady clock."""

    def __init__(self, link: SaysCalls, table_id: str, slip: CallSlip) -> None:
        self._link, self._table_id, self._slip = link, table_id, slip
        self.topic = topic(table_id, "call")
        """Where the desk says for whom this box is called."""
        self._due = False
        self._refused = CallRefused()
        self._said_s = float("-inf")

    def hear(self, where: str, body: bytes, code: str) -> None:
        """Something that claims to be from the desk; what is older than what is held is passed over."""
        if where != self.topic or not self._link.ours(where, body, code):
            return
        try:
            told = decode_json(body, CallTold)
        except Undecodable:  # of a newer desk; it sees that the call is not taken up
            return
        held = self._held()
        if told.number > held.number:
            try:
                self._slip.keep_told(msgspec.structs.replace(told, table_id=self._table_id))
            except OSError:  # a full disk: the desk says it again
                return
        self._due = True

    def look(self, now_s: float) -> None:
        """Say what is due."""
        held, refused = self._held(), self._slip.refused()
        stands = held.call is not None and refused.id == held.call.id
        anew = refused != self._refused
        if not (self._due or (stands and (anew or now_s >= self._said_s + AGAIN_S))):
            return
        said = CallHeard(held.number, refused.id, refused.why) if stands else CallHeard(held.number)
        where = topic(self._table_id, "called")
        if self._link.is_there and self._link.say(where, msgspec.json.encode(said)):
            self._due, self._refused, self._said_s = False, refused, now_s

    def _held(self) -> CallTold:
        held = self._slip.told()
        return held if held.table_id == self._table_id else CallTold()

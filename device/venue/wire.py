"""What boxes and the venue's desk say to one another, and how each knows that it is the other who says it.

Topics of MQTT, ID being what the desk called the box when they were paired:

    callbox/ID/state    box, retained: the snapshot, as the console's own stream gives it to a stranger
    callbox/ID/health   box, retained, every ten seconds: `BoxHealth`; the broker says it when a box goes
    callbox/ID/hello    box: `BoxHello`, when it has found the broker, and when it heard nothing for long
    callbox/ID/rows     box: `device.journal.outbox.OutBatch`, one at a time
    callbox/ID/call     desk: `device.tournaments.called.CallTold`, for whom the box is called
    callbox/ID/called   box: `device.venue.calls.CallHeard`, how much of that it holds
    callbox/ID/told     desk: `DeskAnswer`, what it holds on its disk
    callbox/ID/asked    desk, while somebody looks: `device.venue.asking.DeskAsks`
    callbox/ID/shown    box: what it shows and says to that, `device.venue.asking.BoxShows`

Each message carries a code under its topic and body (HMAC-SHA256, RFC 2104) by a key that only box and desk
have: so a broker that belongs to others can hold messages back, and can make none.
"""

import hashlib
import hmac

from msgspec import Struct

from device.journal.outbox import HeldGame

FORM = 1
"""Counts changes of these messages that a desk of before would misunderstand."""
ROOT = "callbox"
HEALTH_S = 10.0
"""How often a box says how it is."""
LARGEST_BYTES = 4_000_000
"""No message is larger."""
UNANSWERED = 100
"""This many messages are on their way at a time, in each direction: enough for thousands of tables, too few
to fill a connection."""


class BoxHealth(Struct, frozen=True):
    """How a box is."""

    run: str
    """Made anew at each start of the box: two at a time are two boxes."""
    online: bool
    at: str = ""
    """Its wall clock, ISO in UTC."""
    trouble: str = ""
    """What keeps it from telling, in a sentence; "" when nothing does."""


class BoxHello(Struct, frozen=True):
    """A box asks what the desk holds of its journal."""

    run: str
    version: str
    """Its Callbox."""
    form: int = FORM


class DeskAnswer(Struct, frozen=True):
    """What the desk has on its disk."""

    held: dict[int, HeldGame] = {}
    whole: bool = False
    """Whether that is all it holds of this box; else one game, after a batch."""
    hello: bool = False
    """The desk does not know where the box stands: it is to say hello."""
    refused: str = ""
    """Why it takes no more of this box, in a sentence; "" when it does."""


def topic(table_id: str, what: str) -> str:
    """Where something of a box is said."""
    return f"{ROOT}/{table_id}/{what}"


def seal(key: bytes, where: str, body: bytes) -> str:
    """The code that goes with a message, in hex."""
    return hmac.new(key, where.encode() + b"\0" + body, hashlib.sha256).hexdigest()


def is_sealed(key: bytes, where: str, body: bytes, code: str) -> bool:
    """Whether a message is from somebody who has the key."""
    return hmac.compare_digest(seal(key, where, body).encode(), code.encode("utf-8", "replace"))

"""What boxes and the venue's desk say to one another, and how each knows that it is the other who says it.

Topics of MQTT, ID being what the desk called the box when they were paired:

    callbox/ID/state    box, retained: the snapshot, as the console's own stream gives it to a stranger
    callbox/ID/health   box, retained, every ten seconds: `BoxHealth`; the broker says it when a box goes
    callbox/ID/hello    box: `BoxHello`, when it has found the broker, and when it heard nothing for long
    callbox/ID/rows     box: `device.journal.outbox.OutBatch`, one at a time
    callbox/ID/call     desk: `device.call_slip.CurrentCall`, for whom the box is called, what is signed off
    callbox/ID/called   box: `CallHeard`, how much of that it holds
    callbox/ID/told     desk: `DeskAnswer`, what it holds on its disk
    callbox/ID/asked    desk, while somebody looks: `DeskAsks`
    callbox/ID/shown    box: what it shows and says to that, `BoxShows`

Each message carries a code under its topic and body (HMAC-SHA256, RFC 2104) by a key that only box and desk
have: so a broker that belongs to others can hold messages back, and can make none. What is asked and shown,
pictures among it, is encrypted, too (NaCl's secretbox, by a key made of that one): nobody between can see it.
"""

import hashlib
import hmac
from typing import Annotated, Protocol

from msgspec import Meta, Struct
from nacl.exceptions import CryptoError
from nacl.secret import SecretBox

from device.decode import Undecodable
from device.journal.outbox import HeldGame
from device.requests import AnswerQuestion, Word
from device.shown.questions import QuestionReply
from engine.wording import phrase

FORM = 1
"""Counts changes of these messages that a desk of before would misunderstand."""
ROOT = "callbox"
FROM_BOX = ("state", "health", "hello", "rows", "called", "shown")
"""What a desk hears of each box; what it says itself, no broker need send back to it."""
HEALTH_S = 10.0
"""How often a box says how it is."""
LARGEST_BYTES = 4_000_000
"""No message is larger."""
UNANSWERED = 1000
"""This many messages are on their way at a time, in each direction. 10,000 tables say 3,000 a second, so an
answer may take a third of a second where the machine is busy; with 100 both sides waited for one another."""


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


class CallHeard(Struct, frozen=True):
    """How much of its calls a box holds, and whether the table refuses the newest."""

    number: int
    """That of the newest `CurrentCall` on its disk."""
    refused: str = ""
    """The call that the table does not take; "" for none."""
    why: str = ""


class SendsMessages(Protocol):
    """The part of `device.venue.broker_link.BrokerLink` that the desk uses."""

    def send(self, where: str, body: bytes, *, key: bytes | None = None, retain: bool = False) -> bool:
        """Send a message; False where that cannot be now."""
        ...


class DeskLink(SendsMessages, Protocol):
    """The part of `device.venue.broker_link.BrokerLink` that a box uses."""

    @property
    def is_there(self) -> bool:
        """Whether the broker can be spoken to now."""
        ...

    def is_from_desk(self, where: str, body: bytes, code: str) -> bool:
        """Whether a message is sealed with this box's key."""
        ...


def topic(table_id: str, what: str) -> str:
    """Where something of a box is said."""
    return f"{ROOT}/{table_id}/{what}"


def seal(key: bytes, where: str, body: bytes) -> str:
    """The code that goes with a message, in hex."""
    return hmac.digest(key, where.encode() + b"\0" + body, hashlib.sha256).hex()


def is_sealed(key: bytes, where: str, body: bytes, code: str) -> bool:
    """Whether a message is from somebody who has the key."""
    return hmac.compare_digest(seal(key, where, body).encode(), code.encode("utf-8", "replace"))


def encrypt(key: bytes, body: bytes) -> bytes:
    """A body of what is asked or shown, for the other one who has the key of messages."""
    return bytes(_secret_box(key).encrypt(body))


def decrypt(key: bytes, body: bytes) -> bytes:
    """What the other one has encrypted; raises `Undecodable`."""
    try:
        return bytes(_secret_box(key).decrypt(body))
    except (CryptoError, ValueError):
        raise Undecodable(phrase("it is not encrypted for this table"), is_json=False) from None


def _secret_box(key: bytes) -> SecretBox:
    return SecretBox(hmac.digest(key, b"callbox questions", hashlib.sha256))


# What a hall's desk asks of a box while somebody at the desk looks at its question, and what the box shows.
#
# Each message of the desk names the box's start (`run`) and has a number that rises: the box takes each
# number once, and none of another start. So what is replayed, doubled or held back for too long changes
# nothing, and the box says so. All of it is encrypted (`encrypt`), and then sealed like every other message.

LARGEST_ASKED_BYTES = 8_000
"""No message of the desk on this topic is larger."""
PIECE_BYTES = 60_000
"""A picture comes in pieces: each is asked for by itself, so a slow network waits for one at a time."""
LARGEST_PICTURE_BYTES = 4_000_000
"""No picture is larger; a camera's JPEG of twelve megapixels has some three."""
LOOKED_S = 30.0
"""When the desk has not said for so long that somebody looks, the box shows nothing and takes no answer."""


Run = Annotated[str, Meta(max_length=40)]
"""The start of the box that is meant."""
MessageNumber = Annotated[int, Meta(ge=0)]


class _Asks(Struct, frozen=True, forbid_unknown_fields=True):
    run: Run
    number: MessageNumber


class AsksQuestion(_Asks, frozen=True, tag="question"):
    """Somebody looks: what waits for a referee?"""


class AsksPiece(_Asks, frozen=True, tag="piece"):
    """A piece of one of the question's pictures."""

    question: Annotated[str, Meta(max_length=40)]
    address: Annotated[str, Meta(max_length=80)]
    offset: Annotated[int, Meta(ge=0, le=LARGEST_PICTURE_BYTES)]


class AsksToAnswer(
    AnswerQuestion, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="answer"
):
    """A referee answers, as a page does at the box."""

    run: Run
    number: MessageNumber
    by: Word

    @property
    def answer(self) -> AnswerQuestion:
        """As the box's console takes it."""
        return AnswerQuestion(self.question, self.choice, self.words, self.dice, self.by)


DeskAsks = AsksQuestion | AsksPiece | AsksToAnswer


class _Shows(Struct, frozen=True):
    run: str
    number: int
    """To which message this is the answer."""


class ShowsQuestion(_Shows, frozen=True, tag="question"):
    """What waits now."""

    told: QuestionReply


class ShowsPiece(_Shows, frozen=True, tag="piece"):
    """A piece of a picture."""

    address: str
    offset: int
    size: int
    """How large the whole picture is, in bytes."""
    data: bytes


class ShowsDone(_Shows, frozen=True, tag="answer"):
    """Whether an answer was taken; if not, why, in the box's own sentence."""

    ok: bool
    text: str = ""


class ShowsNothing(_Shows, frozen=True, tag="nothing"):
    """Why the box does nothing with a message."""

    last: int
    """The highest number that it has taken."""
    text: str


BoxShows = ShowsQuestion | ShowsPiece | ShowsDone | ShowsNothing

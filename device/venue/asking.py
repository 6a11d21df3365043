"""What a hall's desk asks of a box while somebody at the desk looks at its question, and what the box shows.

Each message of the desk names the box's start (`run`) and has a number that rises: the box takes each number
once, and none of another start. So what is replayed, doubled or held back for too long changes nothing, and
the box says so. All of it is sealed like every other message (`device.venue.wire`).
"""

from typing import Annotated

from msgspec import Meta, Struct

from device.shown.questions import DieAsked, QuestionTold

LARGEST_ASKED_BYTES = 8_000
"""No message of the desk on this topic is larger."""
PIECE_BYTES = 60_000
"""A picture comes in pieces: each is asked for by itself, so a slow network waits for one at a time."""
LARGEST_PICTURE_BYTES = 4_000_000
"""No picture is larger; a camera's JPEG of twelve megapixels has some three."""
LOOKED_S = 30.0
"""When the desk has not said for so long that somebody looks, the box shows nothing and takes no answer."""


class _Asks(Struct, frozen=True, forbid_unknown_fields=True):
    run: Annotated[str, Meta(max_length=40)]
    """The start of the box that is meant."""
    number: Annotated[int, Meta(ge=0)]


class AsksQuestion(_Asks, frozen=True, tag="question"):
    """Somebody looks: what waits for a referee?"""


class AsksPiece(_Asks, frozen=True, tag="piece"):
    """A piece of one of the question's pictures."""

    question: Annotated[str, Meta(max_length=40)]
    address: Annotated[str, Meta(max_length=80)]
    offset: Annotated[int, Meta(ge=0, le=LARGEST_PICTURE_BYTES)]


class AsksToAnswer(_Asks, frozen=True, tag="answer"):
    """A referee answers: with one of the answers offered, or with what the dice show."""

    question: Annotated[str, Meta(min_length=1, max_length=40)]
    by: Annotated[str, Meta(min_length=1, max_length=40)]
    choice: Annotated[int, Meta(ge=0, le=9999)] = 0
    words: Annotated[str, Meta(max_length=400)] = ""
    dice: Annotated[tuple[DieAsked, ...], Meta(max_length=40)] = ()


DeskAsks = AsksQuestion | AsksPiece | AsksToAnswer


class _Shows(Struct, frozen=True):
    run: str
    number: int
    """To which message this is the answer."""


class ShowsQuestion(_Shows, frozen=True, tag="question"):
    """What waits now."""

    told: QuestionTold


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

"""The console's JSON: bodies that it takes, strictly, and answers that it gives."""

from typing import Annotated, Any, TypeVar

import msgspec
from starlette.convertors import IntegerConvertor, register_url_convertor
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from device.decode import Undecodable, decode_json
from device.desk import Answer
from device.people.who import Office
from engine import wire
from engine.events import Ruling
from engine.refusal import Unreadable
from engine.wording import phrase

BODY_LIMIT_BYTES = 16_384
"""More than the longest sensible request; what is longer is not read to its end."""


class NumberConvertor(IntegerConvertor):
    """A number in an address, as `{name:number}`: one that the journal can keep; others are no address."""

    regex = "[0-9]{1,15}"


register_url_convertor("number", NumberConvertor())

Word = Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
OptionWord = Annotated[str, msgspec.Meta(min_length=1, max_length=80)]
"""The value of an option: a word, a name, or a number for each of 16 players."""
OptionsBody = Annotated[dict[Word, OptionWord], msgspec.Meta(max_length=40)]
"""What is agreed for a game, more than any rulebook has options."""
PinWord = Annotated[str, msgspec.Meta(min_length=1, max_length=12)]
Body = TypeVar("Body", bound=msgspec.Struct)


class PinBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A finger on one of the panel's buttons, or off it."""

    down: bool
    finger: Annotated[str, msgspec.Meta(max_length=40)] = ""
    """Tells fingers apart that hold one button at a time; a fresh word for each press."""


class BetBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A bet to lock."""

    player: Word
    dots: Annotated[int, msgspec.Meta(ge=0, le=99)]


class ChoiceBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One of the game's choices: its place in the snapshot, and its words there."""

    choice: Annotated[int, msgspec.Meta(ge=0, le=9999)]
    words: Annotated[str, msgspec.Meta(min_length=1, max_length=400)]


class DieBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One die as the players saw it."""

    kind: Word
    value: int | str


class CorrectBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the dice really show."""

    dice: Annotated[tuple[DieBody, ...], msgspec.Meta(min_length=1, max_length=40)]
    reason: Annotated[str, msgspec.Meta(max_length=200)] = ""
    roll: Annotated[int, msgspec.Meta(ge=0, le=9_999_999)] = 0
    """Rolls of the game count from 1; 0 is the last, or the one that is asked about."""


class GameBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game to begin."""

    game: Word
    players: Annotated[tuple[Word, ...], msgspec.Meta(min_length=1, max_length=16)]
    options: OptionsBody = {}


class WhichGameBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The game that something is done with, by its number in the journal."""

    game_id: Annotated[int, msgspec.Meta(ge=1)]


class OpenAgainBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A result that was signed off is to be opened again."""

    game_id: Annotated[int, msgspec.Meta(ge=1)]
    reason: Annotated[str, msgspec.Meta(min_length=1, max_length=200)]


class ActBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something for a simulated table's hand to do."""

    act: Word


class EmptyBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The address says it all: nothing more to say."""


class RulingBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A ruling on a landing: an event `ruled`, `die_ruled` or `refereed` in the engine's own words."""

    event: dict[str, Any]


class SignInBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Referee or host give the PIN."""

    office: Office
    pin: PinWord
    name: Annotated[str, msgspec.Meta(max_length=40)] = ""


class SitBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody scanned a seat's code."""

    token: Word
    pin: Annotated[str, msgspec.Meta(max_length=12)] = ""
    """Where another page has the seat."""


class SeatBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A seat to take back."""

    player: Word


class BadBody(Exception):
    """The body is not what this address takes. `status` is the HTTP status, `str()` the sentence."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status = status


async def read_whole(request: Request) -> bytes:
    """The request's body as it came; raises `BadBody` for one that is too long."""
    raw = bytearray()
    async for chunk in request.stream():
        raw += chunk
        if len(raw) > BODY_LIMIT_BYTES:
            raise BadBody(
                413,
                phrase("That is too long: the console reads at most {bytes} bytes.", bytes=BODY_LIMIT_BYTES),
            )
    return bytes(raw)


def body(request: Request, kind: type[Body]) -> Body:
    """What was posted (`device.console.post` has opened it) as `kind`; raises `BadBody` for another shape."""
    return decoded(request.state.raw, kind)


def decoded(raw: bytes, kind: type[Body]) -> Body:
    """These bytes as `kind`; raises `BadBody` for another shape."""
    try:
        return decode_json(raw, kind)
    except Undecodable as error:
        if error.is_json:
            raise BadBody(422, phrase("The console cannot take that: {error}.", error=error)) from None
        raise BadBody(400, phrase("That is not JSON: {error}.", error=error)) from None


def posted_ruling(request: Request) -> Ruling:
    """The ruling that was posted; raises `BadBody`."""
    asked = body(request, RulingBody)
    try:
        event = wire.event_of(asked.event)
    except Unreadable as error:
        raise BadBody(422, str(error)) from None
    if not isinstance(event, Ruling):
        raise BadBody(422, phrase("A ruling is an event ruled, die_ruled or refereed."))
    return event


def answer(ok: bool, text: str = "", *, status: int = 200) -> Response:
    """An answer in JSON. A request that the table refuses is still a good request: 200 with "ok": false."""
    return told(Answer(ok, text), status=status)


def told(what: msgspec.Struct, *, status: int = 200) -> Response:
    """A longer answer in JSON; it has `ok` and `text`, too."""
    return Response(
        msgspec.json.encode(what),
        status_code=status,
        media_type="application/json",
        headers={"cache-control": "no-store"},
    )


async def bad_body(request: Request, error: Exception) -> Response:  # noqa: ARG001 - starlette's signature
    """What a post gets that cannot be understood: the reason, in a sentence."""
    status = error.status if isinstance(error, BadBody) else 400
    return answer(False, str(error), status=status)


async def no_such(request: Request, error: Exception) -> Response:
    """What is answered at an address that is none, or that does not take such a request."""
    status = error.status_code if isinstance(error, HTTPException) else 404
    if status == 405:
        return answer(
            False,
            phrase("{path} does not take {method}.", path=request.url.path[:80], method=request.method),
            status=405,
        )
    return answer(
        False, phrase("The console has nothing at {path}.", path=request.url.path[:80]), status=status
    )

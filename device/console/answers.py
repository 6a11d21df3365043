"""The console's JSON: reads what was posted, strictly, and writes what it answers."""

from typing import TypeVar

import msgspec
from starlette.convertors import IntegerConvertor, register_url_convertor
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from device.decode import Undecodable, decode_json
from device.requests import Declined, Done
from engine.wording import phrase

BODY_LIMIT_BYTES = 16_384
"""More than the longest sensible request; what is longer is not read to its end."""


class NumberConvertor(IntegerConvertor):
    """A number in an address, as `{name:number}`: one that the journal can keep; others are no address."""

    regex = "[0-9]{1,15}"


register_url_convertor("number", NumberConvertor())

Body = TypeVar("Body", bound=msgspec.Struct)


class BadBody(Exception):
    """The body is not what this address takes. `status` is the HTTP status, `str()` the sentence."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status = status


def wants_page(request: Request) -> bool:
    """Whether somebody opened this address in a browser, rather than a page or a program asking for data."""
    return request.method == "GET" and "text/html" in request.headers.get("accept", "")


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


def decode_body(raw: bytes, kind: type[Body]) -> Body:
    """These bytes as `kind`; raises `BadBody` for another shape."""
    try:
        return decode_json(raw, kind)
    except Undecodable as error:
        if error.is_json:
            raise BadBody(422, phrase("The console cannot take that: {error}.", error=error)) from None
        raise BadBody(400, phrase("That is not JSON: {error}.", error=error)) from None


def answer(ok: bool, text: str = "", *, status: int = 200) -> Response:
    """An answer in JSON. A request that the table declines is still a good request: 200 with "ok": false."""
    return respond(Done(text) if ok else Declined(text), status=status)


def respond(reply: msgspec.Struct, *, status: int = 200) -> Response:
    """A reply in JSON."""
    return Response(
        msgspec.json.encode(reply),
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

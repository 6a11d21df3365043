"""Decodes JSON that comes from outside, bounded in size, depth and numbers: the one door for such bytes.

A parser recurses, and a database holds 64-bit numbers: what is too long, nested too deep or counts too high
is refused here, in a sentence, before anything works with it.
"""

import re
from functools import cache
from itertools import accumulate
from typing import Any, TypeVar, overload

import msgspec

from engine.wording import phrase

MAX_BYTES = 4_000_000
MAX_DEPTH = 32
"""Lists and objects inside one another; a ruling, the deepest message of ours, has 6."""
MAX_NUMBER = 2**53 - 1
"""Beyond it other programs lose digits (RFC 8259, section 6), and above 2**63 no database keeps it."""
MAX_REASON = 200
"""Characters of a reason: a decoder repeats what it met."""
_PERHAPS_LARGE = re.compile(rb"\d{16}[\d.eE+-]*+|\d[\d.]*+[eE][\d+-]*+")
_SIGNS = bytes(
    ord("0") if byte in b".0123456789" else ord("e") if byte in b"eE" else byte for byte in range(256)
)
_STEPS = bytes(1 if byte in b"[{" else 2 if byte in b"]}" else 0 for byte in range(256))

Message = TypeVar("Message")


class Undecodable(ValueError):
    """The bytes are no such message. `str(error)` says why, for use behind a colon."""

    def __init__(self, text: str, *, is_json: bool = True) -> None:
        """`is_json`: whether it is JSON at all, and only of another shape or beyond the bounds."""
        super().__init__(text[:MAX_REASON])
        self.is_json = is_json


@overload
def decode_json(raw: bytes | str, kind: type[Message], *, max_bytes: int = MAX_BYTES) -> Message: ...
@overload
def decode_json(raw: bytes | str, kind: Any, *, max_bytes: int = MAX_BYTES) -> Any: ...
def decode_json(raw: bytes | str, kind: Any, *, max_bytes: int = MAX_BYTES) -> Any:
    """Decode JSON as `kind`; raises `Undecodable`, and nothing else whatever the bytes are.

    `max_bytes` is the length in UTF-8 up to which a message is looked at.
    """
    data = raw if isinstance(raw, bytes) else raw.encode("utf-8", "surrogatepass")
    if len(data) > max_bytes:
        raise Undecodable(
            phrase("it has {size} bytes, and at most {limit} are taken", size=len(data), limit=max_bytes)
        )
    if _perhaps_deep(data) or _perhaps_large(data):
        _refuse_extremes(_without_texts(data))
    try:
        return _decoder(kind).decode(data)
    except msgspec.ValidationError as error:
        raise Undecodable(str(error)) from None
    except (msgspec.MsgspecError, ValueError, OverflowError, RecursionError) as error:
        raise Undecodable(str(error), is_json=False) from None


@cache
def _decoder(kind: Any) -> msgspec.json.Decoder[Any]:
    """Made once for each kind: that takes longer than to decode a short message."""
    return msgspec.json.Decoder(kind)


def _perhaps_deep(data: bytes) -> bool:
    """Whether JSON may be nested too deep: quick to tell."""
    return data.count(b"[") + data.count(b"{") > MAX_DEPTH


def _perhaps_large(data: bytes) -> bool:
    """Whether JSON may have a number too large: quick to tell."""
    signs = data.translate(_SIGNS)
    return b"0" * 16 in signs or b"0e" in signs


def _without_texts(data: bytes) -> bytes:
    """JSON with all its texts empty."""
    return b'""'.join(data.replace(b"\\\\", b"").replace(b'\\"', b"").split(b'"')[::2])


def _refuse_extremes(plain: bytes) -> None:
    """Raise `Undecodable` for JSON (its texts left out) that is nested too deep or has a number too large."""
    if _perhaps_deep(plain):
        brackets = plain.translate(_STEPS).replace(b"\0", b"")
        if any(depth > MAX_DEPTH for depth in accumulate(1 if step == 1 else -1 for step in brackets)):
            raise Undecodable(
                phrase("its lists and objects are nested more than {most} deep", most=MAX_DEPTH)
            )
    if _perhaps_large(plain) and any(_is_too_large(found[0]) for found in _PERHAPS_LARGE.finditer(plain)):
        raise Undecodable(phrase("it has a number beyond {most}", most=MAX_NUMBER))


def _is_too_large(number: bytes) -> bool:
    try:
        return float(number) > MAX_NUMBER
    except ValueError:
        return False  # the parser says what is wrong with it

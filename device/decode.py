"""Decodes JSON that comes from outside, bounded in depth and in numbers: the one door for such bytes.

A parser recurses, and a database holds 64-bit numbers: what is nested too deep or counts too high is refused
here, in a sentence, before anything works with it. Lengths are bounded where bytes are read.
"""

import re
from typing import TypeVar

import msgspec

from engine.wording import phrase

MAX_DEPTH = 32
"""Lists and objects inside one another; a ruling, the deepest message of ours, has 6."""
MAX_NUMBER = 2**53 - 1
"""Beyond it other programs lose digits (RFC 8259, section 6), and above 2**63 no database keeps it."""
_TOKENS = re.compile(
    rb'"(?:[^"\\]|\\.)*+"?|(?P<open>[\[{])|(?P<close>[\]}])|(?P<number>-?\d[\d.eE+-]*+)', re.DOTALL
)

Message = TypeVar("Message")


class Undecodable(ValueError):
    """The bytes are no such message. `str(error)` says why, for use behind a colon."""

    def __init__(self, text: str, *, is_json: bool = True) -> None:
        """`is_json`: whether it is JSON at all, and only of another shape or beyond the bounds."""
        super().__init__(text)
        self.is_json = is_json


def decode_json(raw: bytes, kind: type[Message]) -> Message:
    """Decode JSON bytes as `kind`; raises `Undecodable`, and nothing else whatever the bytes are."""
    _refuse_extremes(raw)
    try:
        return msgspec.json.decode(raw, type=kind)
    except msgspec.ValidationError as error:
        raise Undecodable(str(error)) from None
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise Undecodable(str(error), is_json=False) from None


def _refuse_extremes(raw: bytes) -> None:
    """Raise `Undecodable` for what is nested too deep, or has a number that is too large."""
    depth = 0
    for token in _TOKENS.finditer(raw):
        match token.lastgroup:
            case "open":
                depth += 1
                if depth > MAX_DEPTH:
                    raise Undecodable(
                        phrase("its lists and objects are nested more than {most} deep", most=MAX_DEPTH)
                    )
            case "close":
                depth -= 1
            case "number" if _is_too_large(token["number"]):
                raise Undecodable(phrase("it has a number beyond {most}", most=MAX_NUMBER))


def _is_too_large(number: bytes) -> bool:
    try:
        return abs(float(number)) > MAX_NUMBER
    except ValueError:
        return False  # the parser says what is wrong with it

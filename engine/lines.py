"""The position line's small change: words split at single spaces, names that survive it, numbers.

A line is `GAME key=value ... seat seat ...`, every key in its fixed order. A rulebook's `parse` prints what
it has read and compares: a line that is not written exactly as the printer writes it is refused.
"""

import re
from collections.abc import Sequence
from urllib.parse import quote, unquote

from engine.refusal import Unreadable
from engine.words import plain

LINE_LENGTH = 10_000
"""The longest line that is read, in characters."""


def pack(name: str) -> str:
    """The name without space, colon or the like: letters, digits and -_. stay, others become %XX."""
    return "".join(char if char.isalnum() or char in "-_." else quote(char, safe="") for char in name)


def unpack(word: str, field: str) -> str:
    """The name of a word; raises `Unreadable`."""
    try:
        name = unquote(word, errors="strict")
    except UnicodeDecodeError:
        raise Unreadable(f"{field}: {plain(word)} is no name.") from None
    if not name or pack(name) != word:
        raise Unreadable(f"{field}: {plain(word)} is no name.")
    return name


def split_line(line: str, game: str, keys: Sequence[str]) -> tuple[dict[str, str], list[str]]:
    """The keys' values and the seats that follow; raises `Unreadable` naming what is wrong."""
    if len(line) > LINE_LENGTH:
        raise Unreadable(f"The position line is too long: {len(line)} characters.")
    words = line.split(" ")
    if words[0] != game:
        raise Unreadable(
            f"A position line of this game begins with {game}; this one begins {plain(words[0])}."
        )
    values: dict[str, str] = {}
    for place, key in enumerate(keys, start=1):
        found, equals, value = words[place].partition("=") if place < len(words) else ("", "", "")
        if found != key or not equals:
            raise Unreadable(f"The position line lacks {key}= as word {place + 1}.")
        values[key] = value
    return values, words[1 + len(keys) :]


def whole(text: str, field: str) -> int:
    """A whole number of at most nine digits; raises `Unreadable`."""
    if not re.fullmatch(r"0|[1-9][0-9]{0,8}", text):
        raise Unreadable(f"{field}: {plain(text)} is no whole number.")
    return int(text)


def one_of(text: str, field: str, values: Sequence[str]) -> str:
    """One of the given words; raises `Unreadable`."""
    if text not in values:
        raise Unreadable(f"{field} is {', '.join(values)}; got {plain(text)}.")
    return text

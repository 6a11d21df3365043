"""The position line's small change: words split at single spaces, names that survive it, numbers.

A line is `GAME key=value ... seat seat ...`, every key in its fixed order. A rulebook's `parse` prints what
it has read and compares: a line that is not written exactly as the printer writes it is refused.
"""

import re
from collections.abc import Mapping, Sequence
from urllib.parse import quote, unquote

from engine.refusal import Unreadable
from engine.wording import phrase
from engine.words import plain

NOTHING: Mapping[str, str] = {}
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
        raise Unreadable(phrase("{field}: {word} is no name.", field=field, word=plain(word))) from None
    if not name or pack(name) != word:
        raise Unreadable(phrase("{field}: {word} is no name.", field=field, word=plain(word)))
    return name


def print_words(head: Mapping[str, object], unsaid: Mapping[str, str]) -> list[str]:
    """The words `key=value` of a line, without those that it need not say.

    A key that is younger than the first lines is left out where it says what counted before: so the line of
    an old game stays what it was.
    """
    return [f"{key}={value}" for key, value in head.items() if unsaid.get(key) != str(value)]


def split_line(
    line: str, game: str, keys: Sequence[str], unsaid: Mapping[str, str] = NOTHING
) -> tuple[dict[str, str], list[str]]:
    """The keys' values and the seats that follow; raises `Unreadable` naming what is wrong.

    Keys of `unsaid` may be left out, and then have the value that stands there.
    """
    if len(line) > LINE_LENGTH:
        raise Unreadable(phrase("The position line is too long: {count} characters.", count=len(line)))
    words = line.split(" ")
    if words[0] != game:
        raise Unreadable(
            phrase(
                "A position line of this game begins with {game}; this one begins {word}.",
                game=game,
                word=plain(words[0]),
            )
        )
    values: dict[str, str] = {}
    place = 1
    for key in keys:
        found, equals, value = words[place].partition("=") if place < len(words) else ("", "", "")
        if found == key and equals:
            values[key] = value
            place += 1
        elif key in unsaid:
            values[key] = unsaid[key]
        else:
            raise Unreadable(
                phrase("The position line lacks {key}= as word {place}.", key=key, place=place + 1)
            )
    return values, words[place:]


def whole(text: str, field: str) -> int:
    """A whole number of at most nine digits; raises `Unreadable`."""
    if not re.fullmatch(r"0|[1-9][0-9]{0,8}", text):
        raise Unreadable(phrase("{field}: {word} is no whole number.", field=field, word=plain(text)))
    return int(text)


def one_of(text: str, field: str, values: Sequence[str]) -> str:
    """One of the given words; raises `Unreadable`."""
    if text not in values:
        raise Unreadable(
            phrase("{field} is {words}; got {word}.", field=field, words=", ".join(values), word=plain(text))
        )
    return text

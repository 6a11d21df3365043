"""How people are spoken to: a sentence stands in English where it is said, and is told in the house's own.

A sentence is written whole, with names for what changes in it: `phrase("{who} scores {n}.", who=name, n=n)`.
Translators see it as it stands there (`make words`), so no sentence is put together of parts. Numbers in it
are written as that language writes them: what a sentence is given as a number, and what `told_number` tells.
Points have a mark between thousands: "1,050", as the rulebooks print them.
"""

from collections.abc import Mapping
from gettext import NullTranslations
from numbers import Real

MARKS: Mapping[str, tuple[str, str]] = {"en": (".", ","), "de": (",", "."), "fr": (",", "\u202f")}
"""The decimal mark of each language, and what stands between thousands."""

POINTS = frozenset(
    {"points", "score", "gain", "least", "sum", "kept", "quota", "bonus", "need", "was", "now"}
)
"""By these names a sentence is given points; other numbers, of games and of years, have no such mark."""

_spoken = NullTranslations()
_english = True
"""Then nothing is looked up: the rules tell a sentence or two with each event."""


def speak(translations: NullTranslations) -> None:
    """Tell all sentences from these from now on; `NullTranslations()` is English. Done once, at the start."""
    global _spoken, _english  # a house has one language: no sentence is handed its own
    _spoken, _english = translations, type(translations) is NullTranslations


def spoken_language() -> str:
    """The code of the language that is spoken (ISO 639-1)."""
    return _spoken.info().get("language", "en")


def phrase(text: str, /, **values: object) -> str:
    """The sentence `text` in the language of the house, with the values at their names."""
    told = text if _english else _spoken.gettext(text)
    return told.format_map(_in_words(values)) if values else told


def phrase_count(one: str, many: str, count: int, /, **values: object) -> str:
    """The same where a number decides the form: `{count}` stands for it in both."""
    told = _spoken.ngettext(one, many, count)
    return told.format_map(_in_words(values | {"count": count}))


def phrase_later(text: str, /) -> str:
    """The text as it is, for tables that are made before the language is known; `phrase` tells it then."""
    return text


def told_number(value: float, form: str = "") -> str:
    """A number for people, in Python's `form` (".1f"): "0,3" in German. Not for files that are read."""
    told = format(value, form)
    if _english:
        return told
    point, between = MARKS[spoken_language()]
    return told.translate({ord("."): point, ord(","): between})


class _Number:
    """A number in a sentence that is not English: it is told as its language writes it."""

    def __init__(self, value: float) -> None:
        self._value = value

    def __format__(self, form: str) -> str:
        return told_number(self._value, form)

    def __str__(self) -> str:
        return told_number(self._value)

    def __repr__(self) -> str:
        return repr(self._value)


class _Points(_Number):
    """Points in a sentence of any language: "1,050"."""

    def __format__(self, form: str) -> str:
        return told_number(self._value, form or ",")

    def __str__(self) -> str:
        return told_number(self._value, ",")


def _in_words(values: Mapping[str, object]) -> Mapping[str, object]:
    return {
        name: _Points(each)
        if name in POINTS and isinstance(each, int)
        else each
        if _english
        else _told_value(each)
        for name, each in values.items()
    }


def _told_value(value: object) -> object:
    if isinstance(value, int | float):
        return _Number(value)
    return _Number(float(value)) if isinstance(value, Real) else value  # numpy's

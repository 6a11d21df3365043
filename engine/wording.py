"""How people are spoken to: a sentence stands in English where it is said, and is told in the house's own.

A sentence is written whole, with names for what changes in it: `phrase("{who} scores {n}.", who=name, n=n)`.
Translators see it as it stands there (`make words`), so no sentence is put together of parts.
"""

from gettext import NullTranslations

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
    return told.format_map(values) if values else told


def phrase_count(one: str, many: str, count: int, /, **values: object) -> str:
    """The same where a number decides the form: `{count}` stands for it in both."""
    told = _spoken.ngettext(one, many, count)
    return told.format_map(values | {"count": count})


def phrase_later(text: str, /) -> str:
    """The text as it is, for tables that are made before the language is known; `phrase` tells it then."""
    return text

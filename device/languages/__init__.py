"""The languages of the house: one catalogue of sentences for box and pages.

`make words` gathers the sentences of all rooms into `LANGUAGE/LC_MESSAGES/callbox.po`, for people to
translate; `device.languages.compile` makes what is read here: `callbox.mo`, and `page.json` with what pages
say by themselves.
"""

import os
from contextlib import suppress
from gettext import NullTranslations, translation
from importlib.resources import files
from pathlib import Path

import msgspec

from engine.wording import speak, spoken_language

__all__ = [
    "COMPILED",
    "FOLDER",
    "LANGUAGE",
    "LANGUAGES",
    "PageWords",
    "page_module",
    "page_words",
    "speak_as_started",
    "speak_language",
]

FOLDER = Path(str(files("device.languages")))
COMPILED = FOLDER / "compiled"
"""What `device.languages.compile` writes and git does not keep."""
LANGUAGES = {"en": "English", "de": "Deutsch", "fr": "Français"}
"""Each language by its code (ISO 639-1), under its own name. English is what stands in the rooms."""
LANGUAGE = "CALLBOX_LANGUAGE"
"""Where a process of the box's own is told what language it speaks."""
PageWords = dict[str, list[str]]
"""Each English sentence of the pages, with its form for one, and for many where it has two."""


def speak_language(code: str) -> None:
    """From now on the box speaks this language of `LANGUAGES`.

    Raises `KeyError` for another, `FileNotFoundError` where its texts were not compiled, and changes nothing.
    """
    if LANGUAGES[code] == LANGUAGES["en"]:
        speak(NullTranslations())
    else:
        speak(translation("callbox", COMPILED, languages=[code]))


def speak_as_started() -> None:
    """Speak the language of the box that has started this process; else English."""
    code = os.environ.get(LANGUAGE, "en")
    with suppress(FileNotFoundError):
        speak_language(code if code in LANGUAGES else "en")


def page_module() -> str:
    """What the pages' `dom.js` takes: the language that is spoken, and the pages' words in it."""
    code = spoken_language()
    words = msgspec.json.encode(page_words(code), order="sorted").decode()
    return f'export const LANGUAGE = "{code}";\nexport const WORDS = {words};\n'


def page_words(code: str) -> PageWords:
    """What the pages say in a language of `LANGUAGES`, nothing for English; raises `KeyError` for another."""
    if LANGUAGES[code] == LANGUAGES["en"]:
        return {}
    return msgspec.json.decode((COMPILED / code / "LC_MESSAGES" / "page.json").read_bytes(), type=PageWords)

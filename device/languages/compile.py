"""Compiles the catalogues into what the box reads: a `.mo` for itself, and the pages' sentences as JSON.

    python -m device.languages.compile

`make setup` and the installer run it; git keeps neither. The only part of the product that needs Babel.
"""

from io import BytesIO
from pathlib import Path

import msgspec
from babel.messages import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from calibration.durable import write_whole
from device.languages import COMPILED, FOLDER, LANGUAGES, PageWords

TRANSLATED = tuple(code for code in LANGUAGES if code != "en")


def read_catalogue(code: str) -> Catalog:
    """Read the catalogue of a language; raises FileNotFoundError where there is none."""
    with catalogue_path(code).open("rb") as file:
        return read_po(file, locale=code, abort_invalid=True)


def catalogue_path(code: str) -> Path:
    """Where the sentences of a language stand with their translations, for people to edit."""
    return FOLDER / code / "LC_MESSAGES" / "callbox.po"


def find_page_words(catalogue: Catalog) -> PageWords:
    """The sentences that pages say by themselves, as far as all their forms are translated."""
    words: PageWords = {}
    for message in catalogue:
        if message.id and any(name.endswith(".js") for name, _ in message.locations):
            one = message.id if isinstance(message.id, str) else message.id[0]
            forms = [message.string] if isinstance(message.string, str) else list(message.string or [""])
            if all(forms):
                words[one] = forms
    return words


def compile_languages() -> None:
    """Write the files of each language."""
    for code in TRANSLATED:
        catalogue, compiled = read_catalogue(code), BytesIO()
        write_mo(compiled, catalogue)
        folder = COMPILED / code / "LC_MESSAGES"
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(folder / "callbox.mo", compiled.getvalue())
        write_whole(folder / "page.json", msgspec.json.encode(find_page_words(catalogue), order="sorted"))


if __name__ == "__main__":
    compile_languages()

"""The catalogue of each language, kept in step with the sentences that stand in the rooms."""

import ast
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from io import BytesIO
from pathlib import Path

from babel.messages import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import write_po

from device.cli import one_line
from device.languages import FOLDER, LANGUAGES
from device.languages.compile import catalogue_path, read_catalogue

ROOT = FOLDER.parents[1]
ROOMS = ("calibration", "engine", "vision", "device")
READERS = [
    ("**.min.js", "ignore"),
    ("**.py", "python"),
    ("**.js", "javascript"),
    ("**.html", "jinja2.ext:babel_extract"),
]
HOW = {"**.js": {"parse_template_string": True}}
"""JavaScript's texts in backquotes may say sentences, too."""
SAID_BY = {
    "phrase": None,
    "phrase_later": None,
    "phraseLater": None,
    "phrase_count": (1, 2),
    "phraseCount": (1, 2),
}
"""What a sentence is handed to, in Python, in templates and in the pages, and where it stands there."""
SINCE = datetime(2026, 11, 1, tzinfo=UTC)
"""The date in each catalogue: one that does not change, since versions are what git keeps."""
Forms = str | Sequence[str | None] | None
"""A message as Babel has it: a sentence or its forms, each of them None or "" where it is not translated."""


def gather_sentences() -> Catalog:
    """All sentences of the rooms by file and alphabet, each with the files that say it."""
    found = Catalog(project="Callbox", creation_date=SINCE, revision_date=SINCE)
    for room in ROOMS:
        told = extract_from_dir(ROOT / room, READERS, HOW, keywords=SAID_BY, strip_comment_tags=True)
        for name, _, text, comments, _ in sorted(told, key=lambda each: (each[0], forms_of(each[2]))):
            found.add(text, None, [(f"{room}/{Path(name).as_posix()}", 1)], auto_comments=comments)
    for path in (ROOT / "device/cli.py", *sorted((ROOT / "device/commands").glob("*.py"))):
        for text in help_of(path):
            found.add(text, None, [(path.relative_to(ROOT).as_posix(), 1)])
    return found


def help_of(path: Path) -> Iterator[str]:
    """What the commands in a file say of themselves: their docstrings, as their --help shows them."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef) and (text := ast.get_docstring(node)):
            ways = (each.func for each in node.decorator_list if isinstance(each, ast.Call))
            if any(isinstance(way, ast.Attribute) and way.attr in {"command", "group"} for way in ways):
                yield one_line(text)


def updated(code: str, sentences: Catalog) -> bytes:
    """The catalogue of a language with the sentences of today and the translations that it has."""
    catalogue = translations_of(code)
    catalogue.update(sentences, no_fuzzy_matching=True, update_creation_date=False)
    for message in catalogue:
        message.locations = sorted(set(message.locations))
    text = BytesIO()
    write_po(text, catalogue, sort_by_file=True, include_lineno=False, ignore_obsolete=True, width=110)
    return text.getvalue()


def translations_of(code: str) -> Catalog:
    """The catalogue of a language as it stands; an empty one where none is."""
    if not catalogue_path(code).exists():
        return Catalog(
            locale=code,
            header_comment=f"# The sentences of Callbox: {LANGUAGES[code]}.",
            project="Callbox",
            version=version("callbox").rpartition(".")[0],
            msgid_bugs_address="-",
            last_translator="-",
            language_team="-",
            creation_date=SINCE,
            revision_date=SINCE,
            fuzzy=False,
        )
    return read_catalogue(code)


def forms_of(text: Forms) -> list[str]:
    """A sentence's one form, or its forms for one and for many; "" is one that nobody has translated yet."""
    return [text or ""] if text is None or isinstance(text, str) else [form or "" for form in text]

"""No sentence bypasses the catalogue: what reads like one is told by `phrase`, or has its reason here."""

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from device.languages.compile import TRANSLATED
from device.languages.gather import forms_of, translations_of
from tests.device.languages.untold import EXCEPT

ROOT = Path(__file__).parents[3]
DONE = (
    "calibration",
    "device/backup",
    "device/box.py",
    "device/cameras",
    "device/cli.py",
    "device/commands",
    "device/config.py",
    "device/console",
    "device/requests.py",
    "device/doctor",
    "device/films",
    "device/games",
    "device/hall",
    "device/journal",
    "device/landings",
    "device/lessons",
    "device/mat",
    "device/match",
    "device/odds.py",
    "device/options.py",
    "device/panel",
    "device/people",
    "device/printing",
    "device/reports",
    "device/rolls",
    "device/service",
    "device/settings_words.py",
    "device/setup",
    "device/shown",
    "device/simulator",
    "device/table",
    "device/throws",
    "device/tournaments.py",
    "device/venue",
    "device/voice",
    "device/wiring.py",
    "engine",
    "vision",
)
"""Files and folders whose sentences are all in the catalogue. Whoever wraps another adds it."""
ALONE = {"device/cameras/grabber.py", "device/cameras/usb_grabber.py", "device/films/maker.py"}
"""Programs that other Pythons run without the rooms: what they say in detail stays in English."""
CODES = {
    "go on", "lay there", "no PIC", "no picture", "not here", "on the table", "put away", "take up",
    "taken back", "taken up", "went on",
}  # fmt: skip
"""What rooms call states among themselves, in the journal and on the wire; `phrase` tells them to people."""
SQL = re.compile(
    r"\b(SELECT|INSERT|UPDATE|DELETE|CREATE|BEGIN|VACUUM|PRAGMA|CAST|FROM|ORDER BY|WHERE|NULL|DROP)\b"
)
MARKUP = re.compile(r'[a-z-]+="[^"]*"|</?[^<>]*>')
"""Attributes and tags of HTML and SVG: what people read in them is handed in."""
TELLING = {"phrase": 1, "phrase_later": 1, "phrase_count": 2}
"""What tells a sentence, and how many of its arguments are the sentence."""
UNSEEN = {"TypeError", "AssertionError", "NotImplementedError", "cast"}
"""Calls whose texts nobody at a table sees."""
LOGGED = {"debug", "info", "warning", "error", "exception"}
"""What a logger is told, for those who build."""


@pytest.mark.long
def test_no_sentence_bypasses_the_catalogue() -> None:
    found = [(path, text) for path, text in _texts() if _is_sentence(text) and (path, text) not in EXCEPT]
    assert found == []


@pytest.mark.long
def test_each_exception_is_still_there() -> None:
    assert EXCEPT.keys() - {(path, text) for path, text in _texts()} == set()


@pytest.mark.parametrize(
    "wrong", ["Ann has won.", "{} scores {} points", "no dice", "A tie: roll on!", "<p>Ann has won.</p>"]
)
def test_what_reads_like_a_sentence_is_found(wrong: str) -> None:
    assert _is_sentence(wrong)


@pytest.mark.parametrize("code", ["roll_done", "{} {}", "{}:{}@{}", ", ", "utf-8", "{}-{}"])
def test_codes_and_separators_are_no_sentences(code: str) -> None:
    assert not _is_sentence(code)


@pytest.mark.long
def test_what_is_told_is_gathered() -> None:
    """The gatherer reads over a sentence that is told inside the braces of another text."""
    gathered = {forms_of(message.id)[0] for message in translations_of(TRANSLATED[0])}
    told = {(path, text) for path, tree in _trees() for text in _told(tree)}
    assert {(path, text) for path, text in told if text not in gathered} == set()


def _trees() -> Iterator[tuple[str, ast.Module]]:
    for name in DONE:
        path = ROOT / name
        assert path.exists(), name
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            if (inside := file.relative_to(ROOT).as_posix()) not in ALONE:
                yield inside, ast.parse(file.read_text(encoding="utf-8"))


def _texts() -> Iterator[tuple[str, str]]:
    """Each text that is not handed to what tells sentences, with its file; {} stands for its values."""
    for path, tree in _trees():
        for text in _bare(tree):
            yield path, text


def _bare(node: ast.AST) -> Iterator[str]:
    parts: Iterable[ast.AST] = ast.iter_child_nodes(node)
    match node:
        case ast.Call() if _called(node) in UNSEEN | LOGGED:
            return
        case ast.Assert() | ast.Expr(value=ast.Constant()):
            return
        case ast.Call() if _called(node) in TELLING:
            parts = (*node.args[TELLING[_called(node)] :], *node.keywords)
        case ast.Constant(value=str(text)):
            yield text
        case ast.JoinedStr():
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
            parts = [part for part in node.values if isinstance(part, ast.FormattedValue)]
        case _:
            pass
    for part in parts:
        yield from _bare(part)


def _told(tree: ast.AST) -> Iterator[str]:
    """The sentences that are handed to what tells them."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _called(node) in TELLING and node.args:
            text = node.args[0]
            if isinstance(text, ast.Constant) and isinstance(text.value, str):
                yield text.value


def _called(call: ast.Call) -> str:
    if isinstance(call.func, ast.Attribute):
        return call.func.attr
    return call.func.id if isinstance(call.func, ast.Name) else ""


def _is_sentence(text: str) -> bool:
    """Whether there is a space in it and a word beside another or beside a value."""
    if text in CODES or SQL.search(text) or "\n" in text.strip():  # lines of a file
        return False
    text = MARKUP.sub(" ", text)
    words = re.findall(r"[^\W\d_]{2,}", text.replace("{}", " "))
    return " " in text.strip() and bool(words) and (len(words) + text.count("{}") > 1)

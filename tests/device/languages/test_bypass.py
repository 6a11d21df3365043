"""No sentence bypasses the catalogue: what reads like one is told by `phrase`, or has its reason here."""

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from device.languages.gather import TRANSLATED, forms_of, translations_of
from engine.zonk.cards import NAMES

ROOT = Path(__file__).parents[3]
DONE = ("engine",)
"""Files and folders whose sentences are all in the catalogue. Whoever wraps another adds it."""
EXCEPT = {
    ("engine/recording.py", "game {}"): "a recording's own words, which are read back",
    ("engine/recording.py", "players {}"): "a recording's own words, which are read back",
    ("engine/recording.py", "option {}={}"): "a recording's own words, which are read back",
    ("engine/refusal.py", "against the rules"): "a code on the wire (`kind`)",
    ("engine/end_zone/agreed.py", "End Zone"): "the game's name, the same in each language",
    ("engine/end_zone/showing.py", "on the table"): "the name of a fact, by which others look it up",
    ("engine/end_zone/showing.py", "wins as King"): "the name of a fact, by which others look it up",
    ("engine/game.py", "tuple[Wanted, ...]"): "a type",
    ("engine/tray.py", "tray turn={} active={} running={} last={}"): "a position line",
    ("engine/zoinx.py", "LATIN SMALL LETTER ([A-Z]{1,2})(?: WITH |$)"): "Unicode's own words",
    ("engine/zonk/telling.py", "pocket {}"): "the name of a fact, by which others look it up",
    **{("engine/zonk/cards.py", name): "printed on the card" for name in NAMES.values()},
}
"""Texts that stay as they are, by file, values as {}, and why."""
TELLING = {"phrase": 1, "phrase_later": 1, "phrase_count": 2}
"""What tells a sentence, and how many of its arguments are the sentence."""
UNSEEN = {"TypeError", "AssertionError", "NotImplementedError", "cast"}
"""Calls whose texts nobody at a table sees."""
LOGGED = {"debug", "info", "warning", "error", "exception"}
"""What a logger is told, for those who build."""


def test_no_sentence_bypasses_the_catalogue() -> None:
    found = [(path, text) for path, text in _texts() if _is_sentence(text) and (path, text) not in EXCEPT]
    assert found == []


def test_each_exception_is_still_there() -> None:
    assert EXCEPT.keys() - {(path, text) for path, text in _texts()} == set()


@pytest.mark.parametrize("wrong", ["Ann has won.", "{} scores {} points", "no dice", "A tie: roll on!"])
def test_what_reads_like_a_sentence_is_found(wrong: str) -> None:
    assert _is_sentence(wrong)


@pytest.mark.parametrize("code", ["roll_done", "{} {}", "{}:{}@{}", ", ", "utf-8", "{}-{}"])
def test_codes_and_separators_are_no_sentences(code: str) -> None:
    assert not _is_sentence(code)


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
            yield file.relative_to(ROOT).as_posix(), ast.parse(file.read_text(encoding="utf-8"))


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
    words = re.findall(r"[^\W\d_]{2,}", text.replace("{}", " "))
    return " " in text.strip() and bool(words) and (len(words) + text.count("{}") > 1)

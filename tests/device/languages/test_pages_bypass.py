"""No sentence of the pages bypasses the catalogue."""

import re
from html.parser import HTMLParser
from itertools import islice
from pathlib import Path

import pytest
from babel.messages.jslexer import Token, tokenize

from device.console.pages import STATIC, TEMPLATES, Pages
from device.languages import page_words

HALL = STATIC.parents[1] / "hall" / "templates"
PARTS = {"parts.html", "skeleton.html", "view.html"}
"""Told as part of each page."""
PAGES = sorted({path.name for folder in (TEMPLATES, HALL) for path in folder.glob("*.html")} - PARTS)
READ_OUT = {"aria-label", "alt", "title", "placeholder"}
NAMES = {"Callbox", "Fast Play", "Solo Play", "First of 500", "King of Kings"}
"""Said as they are printed, in every language."""
SCRIPTS = sorted(
    path
    for folder in (STATIC, HALL.with_name("static"))
    for path in folder.rglob("*.js")
    if path.name != "nacl.min.js"
)
SENTENCE = re.compile(r"^[A-Z][a-z’']+ [a-z0-9(]|[a-z] [a-z]+[.,;:!?]( |$)|^[A-Z][^<>=]*[a-z][.!?…]$")
TOLD = {"phrase", "phraseLater", "phraseCount"}


class Bare(HTMLParser):
    """Gathers what a page says."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002
        self.said += [value for name, value in attrs if name in READ_OUT and value]

    def handle_data(self, data: str) -> None:
        if data.strip() and data.strip() not in NAMES:
            self.said.append(data.strip())


HANDED = re.compile(r'\bphrase(?:Count|Later)?\("([^"\\]+)"')
"""A sentence without a backslash in it, as a script hands it over."""


def bare(*folders: Path, name: str) -> list[str]:
    """What a page says where the catalogue says nothing."""
    pages = Pages(*folders)
    pages._templates.globals["phrase"] = lambda _: ""
    told = Bare()
    told.feed(pages._tell(name).decode())
    return told.said


@pytest.mark.parametrize("name", PAGES)
def test_a_template_says_nothing_by_itself(name: str) -> None:
    assert bare(HALL, name=name) == []


def test_a_bare_word_of_a_template_is_seen(tmp_path: Path) -> None:
    template = '<p>{{ phrase("Here") }}</p><img alt="A die"> Callbox <b>Bare</b>'
    (tmp_path / "own.html").write_text(template, encoding="utf-8")
    assert bare(tmp_path, name="own.html") == ["A die", "Bare"]


def unsaid(script: str) -> list[str]:
    """The texts of a script that read like sentences, or are put where people read, past `phrase`."""
    tokens = list(tokenize(script))
    return [
        token.value[1:-1]
        for place, token in enumerate(tokens)
        if token.type in ("string", "template_string") and is_unsaid(tokens, place)
    ]


def is_unsaid(tokens: list[Token], place: int) -> bool:
    """Whether the text at that place is one for people and goes to none of the functions that tell."""
    text = re.sub(r"\$\{[^{}]*\}", "", tokens[place].value[1:-1])
    after = tokens[place + 1].value if place + 1 < len(tokens) else ""
    before = [each.value for each in islice(reversed(tokens[:place]), 6)]
    told = before[:1] == ["("] and before[1] in TOLD
    form_for_many = before[:1] == [","] and before[2:4] == ["(", "phraseCount"]
    key = after == ":" and before[:1] != ["?"]
    if told or form_for_many or key or text in NAMES:
        return False
    shown = before[:1] == [":"] and before[1].strip('"') in READ_OUT | {"text"}
    return bool(SENTENCE.search(text) or (shown and re.search(r"[^\W\d_]{2}", text)))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_a_script_says_nothing_past_the_catalogue(script: Path) -> None:
    assert unsaid(script.read_text(encoding="utf-8")) == []


def test_pages_have_each_sentence_that_a_script_hands_to_phrase() -> None:
    """What stands within a template that stands within another one is not gathered."""
    told = {text for script in SCRIPTS for text in HANDED.findall(script.read_text(encoding="utf-8"))}
    assert len(told) > 100
    assert told - page_words("de").keys() == set()


def test_a_sentence_past_the_catalogue_is_seen() -> None:
    script = """
      put(node, "Nothing counts here"); el("b", { text: "here", class: "quiet main" });
      put(node, `${name} has rolled, and bets`); notice(phrase("It is told."));
      phraseCount("One way scores", "{count} ways score", ways.length); one("#scores h2");
    """
    assert unsaid(script) == ["Nothing counts here", "here", "${name} has rolled, and bets"]

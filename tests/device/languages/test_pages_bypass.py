"""No sentence of the pages bypasses the catalogue."""

from html.parser import HTMLParser
from pathlib import Path

import pytest

from device.console.pages import STATIC, TEMPLATES, Pages

HALL = STATIC.parents[1] / "hall" / "templates"
PARTS = {"parts.html", "skeleton.html", "view.html"}
"""Told as part of each page."""
PAGES = sorted({path.name for folder in (TEMPLATES, HALL) for path in folder.glob("*.html")} - PARTS)
READ_OUT = {"aria-label", "alt", "title", "placeholder"}
NAMES = {"Callbox"}


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

"""One word for one thing: sentences, pages and guides use no word that the glossary avoids."""

import re
from pathlib import Path

import pytest

from device.languages.gather import forms_of, translations_of

ROOT = Path(__file__).parents[1]
GUIDES = [
    ROOT / name
    for name in (
        "README.md",
        *(f"docs/{name}.md" for name in ("player", "builder", "running", "referee", "commands")),
    )
]
CODE = re.compile(
    r"`[^`\n]*`|^ {4,}.*$|\]\([^)]*\)|callbox setup|make setup|/setup|\{[^}]*\}|-aG video", re.MULTILINE
)
"""What stands in a guide as it is typed, and addresses: `callbox setup` is a command, `video` a group."""
PRINTED = {"put away for another game"}
"""What older journals hold: it is shown as it is written there."""


def avoided_words(heading: str) -> re.Pattern[str]:
    """The words that the table below a heading of the glossary avoids; `*` is any ending."""
    _, _, below = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8").partition(f"{heading}\n")
    rows = re.findall(r"^\| .+? \| (.+?) \|$", re.split(r"^#+ ", below, flags=re.MULTILINE)[0], re.MULTILINE)
    words = [re.escape(word).replace(r"\*", r"\w*") for row in rows[1:] for word in row.split(", ")]
    assert words
    return re.compile(
        rf"(?<![\w-])({'|'.join(sorted(words, key=len, reverse=True))})(?![\w-])", re.IGNORECASE
    )


AVOIDED = avoided_words("## What pages and guides call it")
AVOIDED_IN = {"de": avoided_words("### In German"), "fr": avoided_words("### In French")}


def sentences() -> set[str]:
    """Each English sentence of the product."""
    found = (message.id for message in translations_of("de") if message.id)
    return {each if isinstance(each, str) else "\n".join(each) for each in found}


SENTENCES = sentences()


def breaking(text: str) -> list[str]:
    """The avoided words in a text."""
    return [found.lower() for found in AVOIDED.findall(CODE.sub("", text))]


def test_no_sentence_uses_an_avoided_word() -> None:
    assert {text: words for text in SENTENCES - PRINTED if (words := breaking(text))} == {}


@pytest.mark.parametrize("guide", GUIDES, ids=lambda path: path.name)
def test_no_guide_uses_an_avoided_word(guide: Path) -> None:
    text = guide.read_text(encoding="utf-8")
    for quoted, label in re.findall(r"(\*+([^*]+)\*+)", text):
        if " ".join(label.split()) in SENTENCES:
            text = text.replace(quoted, "")
    assert breaking(text) == []


@pytest.mark.parametrize("language", AVOIDED_IN)
def test_no_translation_uses_an_avoided_word(language: str) -> None:
    told = [message for message in translations_of(language) if message.id not in PRINTED]
    texts = [CODE.sub("", form) for message in told for form in forms_of(message.string)]
    assert {text: found for text in texts if (found := AVOIDED_IN[language].findall(text))} == {}


def test_an_avoided_word_is_found() -> None:
    assert breaking(
        "Put away for tonight, then mend it. `put away` is code; callbox setup is a command."
    ) == [
        "put away",
        "mend",
    ]
    assert breaking("A set-up, a mender and a clipboard.") == []
    assert AVOIDED_IN["fr"].search("Redémarre la box.")
    assert AVOIDED_IN["de"].findall("Streit um Verzeichnisse") == ["Streit", "Verzeichnisse"]

"""The catalogues hold what the rooms say, and each translation keeps what stands in braces."""

import string

import pytest
from babel.messages import Catalog

from device.languages import LANGUAGES, page_words, speak_language
from device.languages.compile import TRANSLATED, catalogue_path, find_page_words, read_catalogue
from device.languages.gather import forms_of, gather_sentences, translations_of, updated
from engine.wording import phrase, phrase_count
from engine.words import dice_of


@pytest.fixture(scope="module")
def sentences() -> Catalog:
    return gather_sentences()


@pytest.mark.long
@pytest.mark.parametrize("code", TRANSLATED)
def test_the_files_of_each_language_are_those_of_the_sentences(code: str, sentences: Catalog) -> None:
    """Else `make words` was forgotten."""
    assert catalogue_path(code).read_bytes() == updated(code, sentences)


@pytest.mark.parametrize("code", TRANSLATED)
def test_what_was_compiled_is_what_the_catalogue_says(code: str) -> None:
    """Else it is older than the catalogue: `python -m device.languages.compile`."""
    catalogue = read_catalogue(code)
    assert page_words(code) == find_page_words(catalogue)
    speak_language(code)
    whole = {
        each.id: each.string
        for each in catalogue
        if each.id and isinstance(each.id, str) and "{" not in each.id and each.string
    }
    assert len(whole) > 1000
    assert {english: phrase(english) for english in whole} == whole


@pytest.mark.parametrize("code", TRANSLATED)
def test_each_translation_names_the_same_values_as_the_sentence(code: str) -> None:
    for message in translations_of(code):
        english, told = forms_of(message.id), forms_of(message.string)
        if message.id and all(told):
            assert len(told) == len(english), english[-1]
            wanted = _named(english[-1])
            assert all(_named(form) <= wanted for form in told), told
            assert _named(told[-1]) == wanted or _named(told[-1]) | {"count"} == wanted | {"count"}, told


def test_a_sentence_is_told_in_the_language_of_the_house() -> None:
    speak_language("de")
    assert dice_of(1, "zoinx") == "ein Zoinx-Würfel"
    assert dice_of(4, "zoinx") == "vier Zoinx-Würfel"
    assert phrase("A sentence that nobody translated: {name}", name="Ann") == (
        "A sentence that nobody translated: Ann"
    )


def test_numbers_decide_the_form() -> None:
    assert [phrase_count("{count} dot", "{count} dots", count) for count in (0, 1, 2)] == [
        "0 dots",
        "1 dot",
        "2 dots",
    ]


@pytest.mark.parametrize("code", LANGUAGES)
def test_each_language_has_words_for_the_pages(code: str) -> None:
    assert all(told for told in page_words(code).values())


def _named(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}

"""Small words for sentences."""

import pytest

from engine.words import capital


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("four dice", "Four dice"),
        ("élan", "Élan"),
        ("two rows. more", "Two rows. more"),
        ("is torn: row 3", "Is torn: row 3"),
        ("data/journal.db is damaged", "data/journal.db is damaged"),
        ("journal.db is damaged", "journal.db is damaged"),
        ("./x: no file", "./x: no file"),
        ("", ""),
        (" ", " "),
    ],
)
def test_a_sentence_begins_with_a_capital_letter_and_a_path_stays_as_it_is(text: str, sentence: str) -> None:
    assert capital(text) == sentence

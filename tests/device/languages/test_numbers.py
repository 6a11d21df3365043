"""Numbers in sentences are written as the language of the house writes them, and in English as they were."""

import pytest

from device.languages import speak_language
from device.languages.compile import TRANSLATED
from device.languages.gather import forms_of, translations_of
from device.shown.calls import spoken
from engine.wording import phrase, phrase_count, told_number
from vision.face_place import COLORS
from vision.landing.call import length_words, percent
from vision.places import list_packaged, load_packaged

GIVEN = (
    "The film of this throw is not kept: it has {size:.1f} MB, and all films may have {most:g}. "
    "Set films.disk_mb higher in callbox.toml."
)


@pytest.mark.parametrize(
    ("code", "small", "large"),
    [("en", "1.50", "12,345.7"), ("de", "1,50", "12.345,7"), ("fr", "1,50", "12\u202f345,7")],
)
def test_a_number_is_written_as_its_language_writes_it(code: str, small: str, large: str) -> None:
    speak_language(code)
    assert (told_number(1.5, ".2f"), told_number(12345.678, ",.1f")) == (small, large)


@pytest.mark.parametrize(
    ("code", "size", "most"), [("en", "3.2", "0.5"), ("de", "3,2", "0,5"), ("fr", "3,2", "0,5")]
)
def test_a_number_in_a_sentence_is_written_so_by_itself(code: str, size: str, most: str) -> None:
    speak_language(code)
    told = phrase(GIVEN, size=3.21, most=0.5)
    assert size in told
    assert most in told


@pytest.mark.parametrize(("code", "points"), [("en", "1,050"), ("de", "1.050"), ("fr", "1\u202f050")])
def test_points_in_a_sentence_have_a_mark_between_thousands_and_other_numbers_have_none(
    code: str, points: str
) -> None:
    speak_language(code)
    told = phrase("{player} banks {gain} and has {score}.", player="Ann", gain=1050, score=2000)
    assert points in told
    assert "1050" in spoken(told)
    assert "1050" in phrase("Game {number}", number=1050)


def test_a_count_is_written_so_as_well() -> None:
    speak_language("de")
    assert [percent(part) for part in (1.0, 0.0)] == ["über 99,99 %", "unter 0,01 %"]
    assert phrase_count("1 game", "{count:,} games", 12345) == "12.345 Spiele"
    assert phrase_count("1 game", "{count:,} games", 1) == "1 Spiel"


def test_a_text_is_told_as_it_is_whatever_stands_in_it() -> None:
    speak_language("fr")
    assert phrase("{names} and {last}", names="3.2", last="1,5") == "3.2 et 1,5"


def test_a_length_has_a_comma_where_the_language_has() -> None:
    assert length_words(0.42, 0.04) == "0.42 ± 0.08 mm"
    speak_language("de")
    assert length_words(0.42, 0.04) == "0,42 ± 0,08 mm"


@pytest.mark.parametrize("code", TRANSLATED)
def test_the_letters_of_mats_and_the_words_for_colours_are_in_the_catalogue(code: str) -> None:
    told = {forms_of(message.id)[0] for message in translations_of(code) if message.string}
    mats = [load_packaged(name) for name in list_packaged()]
    words = {*COLORS, *(mat.title for mat in mats), *(place.label for mat in mats for place in mat.region)}
    assert words - told == set()


@pytest.mark.parametrize(
    ("code", "title", "label"), [("de", "Matte für ZONK", "Tasche 2"), ("fr", "Tapis de ZONK", "poche 2")]
)
def test_a_mat_is_told_in_the_language_and_known_by_its_english(code: str, title: str, label: str) -> None:
    speak_language(code)
    mat = load_packaged("zonk")
    place = mat.named("pocket 2")
    assert place is not None
    assert (mat.told_title, place.words) == (title, label)

"""The drawn alphabet and what is read out of it."""

import ast
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.languages import LANGUAGES, speak_language
from device.panel.displays import ALL, POINT, Undrawable, alphabet, digits, drawable, drawn, read_alphabet
from engine.wording import phrase

ENGINE = Path(__file__).parents[3] / "engine"


def test_each_segment_has_its_bit() -> None:
    one_by_one = """\
 a    b    c    d    e    f    g    p    8
 _                                       _
       |                 |     _        |_|
            |   _   |                 . |_|.
"""
    assert read_alphabet(one_by_one) == {
        " ": 0,
        **{name: 1 << bit for bit, name in enumerate("abcdefgp")},
        "8": ALL,
    }


def test_the_figures_light_the_segments_that_everybody_knows() -> None:
    lit = ["abcdef", "bc", "abdeg", "abcdg", "bcfg", "acdfg", "acdefg", "abc", "abcdefg", "abcdfg"]
    known = tuple(sum(1 << "abcdefg".index(segment) for segment in segments) for segments in lit)
    assert digits("0123456789") == known


def test_a_point_lights_up_with_the_figure_before_it() -> None:
    one, two, five = digits("125")
    assert digits("12.5") == (one, two | POINT, five)
    assert digits(".5") == (POINT, five)
    assert digits("5..") == (five | POINT, POINT)
    assert digits("5,1") == digits("5.1")


def test_a_letter_drawn_in_one_case_serves_for_both() -> None:
    assert digits("ABCD") == digits("AbCd")
    assert digits("zoINx") == digits("ZoINX")
    assert digits("c") != digits("C")


def test_a_row_as_a_picture() -> None:
    assert drawn(digits("8.5")) == " _   _\n|_| |_\n|_|. _|"


@pytest.mark.parametrize("sign", ["m", "V", "W", "é", "#", "\n", "字"])
def test_what_cannot_be_drawn_is_refused_by_name(sign: str) -> None:
    with pytest.raises(Undrawable, match="cannot be shown on seven segments"):
        digits(f"12{sign}")
    assert not drawable(f"12{sign}")


@given(st.text(st.sampled_from(sorted(set(alphabet()) - {"."})), max_size=8))
def test_a_picture_of_a_text_reads_back_as_the_same_digits(text: str) -> None:
    shown = digits(text)
    lines = drawn(shown).split("\n")
    cells = [
        "\n".join(line.ljust(4 * len(shown))[4 * at : 4 * at + 4] for line in lines)
        for at in range(len(shown))
    ]
    assert tuple(read_alphabet(f" x\n{cell}").get("x") for cell in cells) == shown


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (" 1\n\n  _|\n", "has '_' in line 2, column 3; expected |"),
        (" 1\n\n  |\n  | x\n", "has 'x' in line 3, column 5; expected nothing"),
        (" 1    1\n", "one character above it, and its own; got '1'"),
        (" 1\n      _\n", "one character above it"),
        (" 12\n", "one character above it"),
    ],
)
def test_a_bad_drawing_is_refused(text: str, says: str) -> None:
    with pytest.raises(ValueError, match=says.replace("|", r"\|")):
        read_alphabet(text)


def _engines_banners() -> list[str]:
    """The texts that the rulebooks' files bind to the name `banner`, as far as they are written out there.

    What functions called so return is among them.
    """
    found: list[str] = []
    for path in sorted(ENGINE.glob("**/*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            told: list[ast.AST] = []
            match node:
                case ast.Assign(targets=targets, value=value) if any(
                    getattr(name, "id", "") == "banner" for target in targets for name in ast.walk(target)
                ):
                    told = [value]
                case ast.keyword(arg="banner", value=value):
                    told = [value]
                case ast.FunctionDef(name=name) if name.endswith("banner"):
                    told = [each for each in ast.walk(node) if isinstance(each, ast.Return)]
                case _:
                    continue
            consts = (
                part.value for each in told for part in ast.walk(each) if isinstance(part, ast.Constant)
            )
            found += [const for const in consts if isinstance(const, str)]
    return found


@pytest.mark.long
def test_every_banner_of_every_rulebook_can_be_drawn() -> None:
    banners = _engines_banners()
    assert "ZOINX" in banners
    assert [banner for banner in banners if not drawable(banner)] == []
    assert drawable("30!")


@pytest.mark.long
@pytest.mark.parametrize("code", LANGUAGES)
def test_the_board_can_draw_each_banner_in_every_language(code: str) -> None:
    speak_language(code)
    told = {banner: phrase(banner) for banner in _engines_banners() if banner.isupper()}
    assert {"SHARED", "LOST", "END"} <= set(told)
    assert {banner: words for banner, words in told.items() if not drawable(words)} == {}

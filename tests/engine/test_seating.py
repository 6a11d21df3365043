"""Who may sit down together, under which names."""

import pytest

from engine.refusal import Refused
from engine.seating import NAME_LENGTH, agree_on_options, seat_of, seat_players


def sit(*names: str) -> tuple[str, ...]:
    """The names of a table for one to four."""
    return seat_players(names, range(1, 5), "Halma", "1")


@pytest.mark.parametrize(
    "name", ["Ann", "Ann Mary", "Zoë", "日本", "O'Neil", "#1", "👩‍🚀", "x" * NAME_LENGTH]
)
def test_a_name_that_is_kept(name: str) -> None:
    assert sit(name) == (name,)


def test_space_around_a_name_and_split_accents_make_no_difference() -> None:
    names = sit(" Ann ", "Zoe\u0308")
    assert names == ("Ann", "Zoë")
    assert seat_of(names, "Zoe\u0308 ", "1") == 1


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("", "is empty"),
        (" \t", "is empty"),
        ("\u200b", "is empty"),
        ("x" * (NAME_LENGTH + 1), "is too long"),
        ("An\x00n", r"'An\x00n' holds a character that cannot be shown"),
        ("An\nn", "cannot be shown"),
        ("An\u2028n", "cannot be shown"),
        ("An\ud800n", "cannot be shown"),
        ("An\u202en", "cannot be shown"),
    ],
)
def test_a_name_that_no_table_can_show(name: str, reason: str) -> None:
    with pytest.raises(Refused) as refusal:
        sit("Bob", name)
    assert reason in str(refusal.value)
    assert str(refusal.value).isprintable()


@pytest.mark.parametrize(
    "names",
    [
        ("Ann", "Ann"),
        ("Ann", "ANN"),
        ("Zoë", "zoe\u0308"),
        ("Ann", " Ann"),
        ("Ann", "A\u200bnn"),
        ("Ann", "Ann\u2060"),
        ("Ann", "An\u200dn"),
        ("Ann", "Ann\u3164"),
    ],
)
def test_two_players_with_one_name(names: tuple[str, ...]) -> None:
    with pytest.raises(Refused, match="Give each a name of their own"):
        sit(*names)


def test_a_joiner_that_joins_stays_in_a_name() -> None:
    family = "\U0001f468\u200d\U0001f469"
    assert sit("Ann", family) == ("Ann", family)


def test_too_few_and_too_many() -> None:
    with pytest.raises(Refused, match=r"Halma is for one to four players; no players came\. \(rule 1\)"):
        sit()
    with pytest.raises(Refused, match=r"Halma is for one to four players; five players came\. \(rule 1\)"):
        sit("A", "B", "C", "D", "E")


KNOWN = {"edition": ("first", "second"), "youngest": ()}


def test_options_not_given_have_their_default() -> None:
    assert agree_on_options(KNOWN, {}, "Halma") == {"edition": "first", "youngest": ""}
    assert agree_on_options(KNOWN, {"youngest": "Ann"}, "Halma") == {"edition": "first", "youngest": "Ann"}


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"edition": "third"}, "The option edition is first or second; got third."),
        ({"edition": ""}, "The option edition is first or second; got nothing."),
        ({"colour": "red"}, "Halma has no option called colour; it has edition and youngest."),
        ({"\x1b[2J": "red"}, r"no option called '\x1b[2J'"),
    ],
)
def test_options_that_the_rulebook_does_not_have(given: dict[str, str], reason: str) -> None:
    with pytest.raises(Refused) as refusal:
        agree_on_options(KNOWN, given, "Halma")
    assert reason in str(refusal.value)

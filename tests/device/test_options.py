"""Options that are given before anybody is named."""

from contextlib import suppress

import pytest
from click.testing import CliRunner

from device.commands.play import command
from device.options import agreed_values, check_options, describe_agreement
from engine.refusal import Refused
from engine.rulebooks import RULEBOOKS, rulebook


@pytest.mark.parametrize(
    ("game", "options", "told"),
    [
        ("end-zone", {"mdoe": "fast"}, "no option called mdoe"),
        ("end-zone", {"mode": "quick"}, "got quick"),
        ("end-zone", {"minus": "lots"}, "lots"),
        ("zoinx", {"edition": "gamewright", "youngest": "Ann"}, "Leave out youngest"),
        ("zonk", {"deck": "box", "seed": "apples"}, "Name the players too"),
    ],
)
def test_options_that_fit_no_players_are_refused(game: str, options: dict[str, str], told: str) -> None:
    with pytest.raises(Refused, match=told):
        check_options(rulebook(game), options)


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("end-zone", {"mode": "solo"}),
        ("end-zone", {"teams": "own", "minus": "20"}),
        ("zoinx", {"edition": "game-factory", "youngest": "Ann"}),
    ],
)
def test_options_that_fit_some_players_are_taken(game: str, options: dict[str, str]) -> None:
    check_options(rulebook(game), options)


def test_a_wrong_option_ends_the_start_also_where_nobody_is_named() -> None:
    ended = CliRunner().invoke(command, ["end-zone", "--option", "mdoe=fast"])
    assert ended.exit_code == 2
    assert "no option called mdoe" in ended.output


def test_what_was_agreed_is_told_in_words_without_what_is_secret_or_means_nothing() -> None:
    book = rulebook("zonk")
    line = book.start(("Ann",), {"deck": "box", "seed": "lucky"}).view().line
    agreed = agreed_values(book, line, {"deck": "box"})
    told = dict(describe_agreement(book, agreed))
    assert told["Cards"] == "The box deals"
    assert told["Copies of each card"] == "2"
    assert "Shuffled by the word" not in told
    book = rulebook("end-zone")
    line = book.start(("Ann", "Bob"), {"mode": "first-of-500"}).view().line
    told = dict(describe_agreement(book, agreed_values(book, line, {})))
    assert told["Points to reach"] == "500"
    assert "Wins as King" not in told


@pytest.mark.parametrize("name", RULEBOOKS)
def test_the_short_rules_follow_what_was_agreed(name: str) -> None:
    book = RULEBOOKS[name]
    usual = book.start(("Ann", "Bob", "Cat", "Dan"), {}).view().line
    told = {book.explain(agreed_values(book, usual, {}))}
    for option, values in book.options.items():
        for value in values:
            with suppress(Refused):  # teams of another mode, say
                line = book.start(("Ann", "Bob", "Cat", "Dan"), {option: value}).view().line
                told.add(book.explain(agreed_values(book, line, {option: value})))
    assert all(text and "{" not in text for rules in told for text in rules)
    assert len(told) > 1 or not any(book.options.values())

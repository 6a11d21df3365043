"""Options that are given before anybody is named."""

import pytest
from click.testing import CliRunner

from device.commands.play import command
from device.options import check_options
from engine.refusal import Refused
from engine.rulebooks import rulebook


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

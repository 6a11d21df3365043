"""What the console is told of a game: nothing that a player may not know."""

import msgspec
import pytest

from device.journal.rows import Option
from device.match.showing import game_shown, option_shown, table_shown
from device.match.throw_detector import AcceptedReading
from engine.events import DieRuled, Landed, Ruled
from engine.rulebooks import rulebook
from tests.vision.test_whole import nearly, throw


def test_the_seed_of_a_deck_that_the_box_deals_is_not_shown() -> None:
    options = {"deck": "box", "seed": "lucky seven"}
    view = rulebook("zonk").start(("Ann", "Bob"), options).view()
    shown = game_shown(view, None, options)
    assert shown.options == {"deck": "box", "seed": "?"}
    assert b"lucky" not in msgspec.json.encode(shown)


@pytest.mark.parametrize(
    ("game", "options", "target"),
    [
        ("zoinx", {}, 30),
        ("zoinx", {"goal": "50"}, 50),
        ("ten-thousand", {}, 10_000),
        ("pig", {"target": "20"}, 20),
        ("end-zone", {"mode": "first-of-500", "goal": "300"}, 300),
        ("end-zone", {"mode": "fast"}, None),
        ("zonk", {"deck": "box", "seed": "lucky seven"}, None),
    ],
)
def test_the_points_to_reach_are_those_of_the_game_as_it_was_agreed(
    game: str, options: dict[str, str], target: int | None
) -> None:
    view = rulebook(game).start(("Ann", "Bob"), options).view()
    assert game_shown(view, None, options).target == target


def test_what_an_unsure_die_most_likely_shows_is_not_shown() -> None:
    taken = AcceptedReading(number=1, reading=throw(nearly(0.6)), picture="a.jpg")
    shown = table_shown("still", taken, fresh=True)
    assert [one.reason for one in shown.unsure] == ["faint"]
    assert b"likely" not in msgspec.json.encode(shown)


@pytest.mark.parametrize(
    ("said", "zone"), [((), 10), ((Ruled(zone=5),), 5), ((DieRuled(odd=5, even=10, value=3),), 5)]
)
def test_an_answer_with_a_ruling_is_shown_as_the_landing_that_comes_of_it(
    said: tuple[Ruled | DieRuled, ...], zone: int
) -> None:
    option = Option(words="a third party says so", events=(Landed(value=4, zone=10), *said))
    assert option_shown(option).event == {"event": "landed", "value": 4, "zone": zone}

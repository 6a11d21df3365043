"""What the console is told of a game: nothing that a player may not know."""

import msgspec

from device.match.showing import game_shown
from engine.rulebooks import rulebook


def test_the_seed_of_a_deck_that_the_box_deals_is_not_shown() -> None:
    options = {"deck": "box", "seed": "lucky seven"}
    view = rulebook("zonk").start(("Ann", "Bob"), options).view()
    shown = game_shown(view, None, options)
    assert shown.options == {"deck": "box", "seed": "?"}
    assert b"lucky" not in msgspec.json.encode(shown)

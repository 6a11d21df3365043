"""Games that were written down before an option was there are played on by the rules of their day."""

import pytest

from engine.events import Cache, Event, Pocket, Rolled
from engine.game import name_younger, start_written
from engine.history import History
from engine.refusal import Refused
from engine.rulebooks import RULEBOOKS, rulebook
from tests.engine.say import event_of, pips

YOUNGER = [(name, key) for name, book in RULEBOOKS.items() for key in book.younger]


@pytest.mark.parametrize(("game", "option"), YOUNGER)
def test_what_counted_before_is_still_a_value_and_not_the_default(game: str, option: str) -> None:
    book = rulebook(game)
    assert book.younger[option] in book.options[option][1:]


def test_a_new_game_names_what_older_ones_do_not() -> None:
    named = name_younger(rulebook("end-zone"), {"mode": "fast", "dot-wins": "game"})
    assert named == {"mode": "fast", "dot-wins": "game", "challenge": "score"}
    assert name_younger(rulebook("zoinx"), {}) == {}


def test_an_old_game_of_ten_thousand_banks_what_it_banked() -> None:
    """Its other scoring dice were in the hand once some were set aside."""
    events: list[Event] = [Rolled(dice=pips(1, 1, 5, 2, 3, 4)), Pocket(combos=(pips(1),)), Cache()]
    book, names = rulebook("ten-thousand"), ("Ann", "Bob")
    agreed = {"first": "named", "opening": "0"}
    old = History.replay(start_written(book, names, agreed), events)
    new = History.replay(start_written(book, names, name_younger(book, agreed)), events)
    assert (old.position.view().scores, new.position.view().scores) == ((100, 0), (250, 0))


def test_an_old_game_of_zonk_pockets_what_it_pocketed() -> None:
    """What a cast pocketed first, and what it then cast on without a word, did not count together."""
    told = "casts 5 5 5 1 2 3, pockets 5, casts 1 2 4, caches"
    events = [event_of(words) for words in told.split(", ")]
    book, names = rulebook("zonk"), ("Ann",)
    old = History.replay(start_written(book, names, {"deck": "none"}), events)
    new = History.replay(start_written(book, names, name_younger(book, {"deck": "none"})), events)
    assert (old.position.view().scores, new.position.view().scores) == ((300,), (600,))
    assert "same-cast" not in old.position.line()
    assert book.parse(old.position.line()) == old.position


def test_an_old_game_of_zonk_plays_the_item_that_it_played_too_late() -> None:
    """At a last die that Final Chance may cast again, with zonk=at-once."""
    told = ["casts 1 1 1 4 4 4", "caches", "draws Final Chance", "draws Chaos Swap", "casts 1 1 1 4 4 4"]
    told += ["pockets 1 1 1", "casts 5 5 2", "pockets 5 + 5", "casts 6", "plays Chaos Swap on 6", "caches"]
    events = [event_of(words) for words in told]
    book, names, agreed = rulebook("zonk"), ("Ann",), {"zonk": "at-once"}
    old = History.replay(start_written(book, names, agreed), events)
    assert old.position.view().scores == (2600,)
    with pytest.raises(Refused, match="items are too late"):
        History.replay(start_written(book, names, name_younger(book, agreed)), events)


def test_an_old_king_of_kings_is_won_by_a_covered_dot() -> None:
    book, names = rulebook("end-zone"), ("Ann", "Bob")
    agreed = {"mode": "king-of-kings", "game": "fast", "order": "seats"}
    events = [event_of("lands 1x5 dot")]
    old = History.replay(start_written(book, names, agreed), events)
    new = History.replay(start_written(book, names, name_younger(book, agreed)), events)
    assert old.position.view().ending is not None
    assert new.position.view().ending is None

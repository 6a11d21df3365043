"""Games that were written down before an option was there are played on by the rules of their day."""

import pytest

from engine.events import Cache, Event, Pocket, Rolled
from engine.game import name_younger, start_written
from engine.history import History
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


def test_an_old_king_of_kings_is_won_by_a_covered_dot() -> None:
    book, names = rulebook("end-zone"), ("Ann", "Bob")
    agreed = {"mode": "king-of-kings", "game": "fast", "order": "seats"}
    events = [event_of("lands 1x5 dot")]
    old = History.replay(start_written(book, names, agreed), events)
    new = History.replay(start_written(book, names, name_younger(book, agreed)), events)
    assert old.position.view().ending is not None
    assert new.position.view().ending is None

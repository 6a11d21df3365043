"""Fast Play is played again with the loser of the last game rolling first (rule 30a)."""

from engine.events import Landed
from engine.game import DecidesNext
from engine.history import History
from engine.rulebooks import rulebook


def played(mode: str, *zones: int) -> DecidesNext:
    """A game of three in which each die shows a 5, in these zones."""
    start = rulebook("end-zone").start(("Ann", "Bea", "Cat"), {"mode": mode, "order": "seats"})
    history = History(start)
    for zone in zones:
        history.take(Landed(value=5, zone=1 if zone == 1 else 2 if zone == 2 else 5))
    position = history.position
    assert isinstance(position, DecidesNext)
    return position


def test_the_loser_of_fast_play_begins_and_the_others_follow() -> None:
    over = played("fast", 5, 5, 5, 1, 1, 1, 2, 2, 2)
    assert over.view().ending is not None
    assert over.next_game == (("Bea", "Cat", "Ann"), {"order": "seats"})


def test_nobody_is_named_before_the_game_is_over_nor_in_modes_that_roll_for_it() -> None:
    assert played("fast", 5, 5).next_game is None
    assert played("score-card", 5).next_game is None

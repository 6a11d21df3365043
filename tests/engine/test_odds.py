"""What holds for the odds of every rulebook that has them: looked for by chance."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.events import Bet, Cache, Stop
from engine.game import Allowed, Position
from engine.odds import Advice, advice
from engine.rulebooks import rulebook
from tests.engine.legal import random_events

GAMES = {
    "zoinx": ("zoinx", {}),
    "zoinx game-factory": ("zoinx", {"edition": "game-factory"}),
    "ten-thousand": ("ten-thousand", {}),
    "ten-thousand plain": ("ten-thousand", {"edition": "plain", "below": "nothing", "minimum": "300"}),
    "ten-thousand with five dice": (
        "ten-thousand",
        {"dice": "5", "piggyback": "yes", "all-ones": "5000", "last": "one-roll", "target": "2000"},
    ),
    "ten-thousand exact": ("ten-thousand", {"exact": "yes", "target": "1500", "edition": "tavern"}),
    "zonk": ("zonk", {"deck": "none"}),
}
NAMES = ("Ann", "Bob", "Zoe")


def told(position: Position, allowed: Allowed, found: tuple[Advice, ...]) -> bool:
    """Whether advice has a word on this button for this player."""
    mine = [each.event for each in found if each.player == allowed.player]
    match allowed.button:
        case "bet":
            return all(Bet(player=allowed.player, dots=dots) in mine for dots in allowed.choices)
        case "stop":
            return Stop() in mine
        case "cache":
            return Cache() in mine
        case "roll_done":
            # While dice lie there, rolling on goes with what is set aside: that is told in the same breath.
            return None in mine or bool(position.view().choices)


@pytest.mark.parametrize("name", GAMES)
@given(seats=st.integers(2, 3), chance=st.integers(0, 2**32).map(Random), most=st.integers(0, 60))
def test_advice_names_every_legal_choice_and_only_those(
    name: str, seats: int, chance: Random, most: int
) -> None:
    game, options = GAMES[name]
    position: Position = rulebook(game).start(NAMES[:seats], options)
    for event in random_events(position, chance, most):
        position = position.after(event)
    view, found = position.view(), advice(position)
    if view.phase in {"roll-off", "ended"}:
        assert found == ()
        return
    assert {each.player for each in found} == {allowed.player for allowed in view.allowed} | (
        {view.active} if view.choices else set()
    )
    assert all(told(position, allowed, found) for allowed in view.allowed)
    assert {choice.event for choice in view.choices} <= {each.event for each in found}
    for each in found:
        assert 0 <= each.chance <= 1
        assert 0 <= each.risk <= 1
        assert 0 <= (each.goal or 0) <= 1
        assert each.points >= 0
        if each.event is not None:
            position.after(each.event)


@pytest.mark.parametrize("name", GAMES)
@given(chance=st.integers(0, 2**32).map(Random), most=st.integers(0, 60))
def test_the_best_by_points_stands_first_for_each_player(name: str, chance: Random, most: int) -> None:
    game, options = GAMES[name]
    position: Position = rulebook(game).start(NAMES[:2], options)
    for event in random_events(position, chance, most):
        position = position.after(event)
    for player in position.players:
        points = [each.points for each in advice(position) if each.player == player]
        assert points == sorted(points, reverse=True)

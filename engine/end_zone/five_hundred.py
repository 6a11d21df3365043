"""First of 500.

Rules
60   Each turn is three dice, one at a time; totals add up from turn to turn.
60a  The highest die goes first here, the others follow downwards; ties roll again.
61   Whoever first has 500 or more (option `goal`: any number) is challenged: each other player gets one
     turn to beat or tie that score. 61a: in shuffle play of several who reach it together, the highest
     total, and of equals the first in the rolling order.
62   Whoever does stays in; all others are out. When nobody does, the challenged score wins.
62a  The highest score is the one now challenged: everybody else still in gets one turn, and so on.
63   A tie for the highest score after a challenge is rolled off at once (rule 7).
"""

from dataclasses import replace

from engine.end_zone.agreed import EndZoneAgreement
from engine.end_zone.game import Game, Kind, behind, plain_turn


def _three(lap: int) -> int:  # noqa: ARG001 - a Kind's
    return 3


def _one(agreed: EndZoneAgreement) -> bool:  # noqa: ARG001 - a Kind's
    return True


def _onward(agreed: EndZoneAgreement, game: Game) -> Game | tuple[int, ...]:
    best = max(game.points[seat] for seat in game.still)
    if game.high is None and best >= agreed.goal:
        return _challenged(game, game.still)
    if game.lap:
        return game
    if game.high is None:
        return replace(game, lap_no=game.lap_no + 1, lap=game.still)
    level = [seat for seat in game.still if game.points[seat] == best]
    if len(level) > 1 or level[0] == game.high:
        return tuple(agreed.side_of(seat) for seat in level)
    return _challenged(game, tuple(s for s in game.still if game.points[s] >= game.points[game.high]))


def _challenged(game: Game, still: tuple[int, ...]) -> Game:
    """The highest of those still in is challenged by the others (rules 61, 62a)."""
    high = max(still, key=lambda seat: (game.points[seat], -still.index(seat)))
    return replace(game, lap_no=game.lap_no + 1, lap=behind(still, high), still=still, high=high)


FIVE_HUNDRED = Kind(dice=_three, scored=plain_turn, onward=_onward, one_margin=_one, highest_first=True)

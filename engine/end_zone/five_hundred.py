"""First of 500.

Rules
60   Each turn is three dice, one at a time; totals add up from turn to turn.
60a  The highest die goes first here, the others follow downwards; ties roll again.
61   Whoever first has 500 or more (option `goal`: any number) is challenged: each other player gets one
     turn to beat or tie that score. 61a: in shuffle play of several who reach it together, the highest
     total, and of equals the first in the rolling order.
62   Whoever does stays in; all others are out. When nobody does, the challenged score wins.
62a  The highest score is the one now challenged: everybody else still in gets one turn, and so on.
61b  Option `challenge`: with `score` it is that score which has to be beaten or tied, whatever minus points
     the leader gets meanwhile, and rolls go on round the table from whoever rolled last; with `leader` the
     leader's points as they stand, and each challenge begins behind the leader.
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
    if game.high is None and max(game.points[seat] for seat in game.still) >= agreed.goal:
        return _challenged(agreed, game, game.still)
    if game.lap:
        return game
    if game.high is None:
        return replace(game, lap_no=game.lap_no + 1, lap=game.still)
    best = max(standing(game, seat) for seat in game.still)
    level = [seat for seat in _in_order(agreed, game, game.still) if standing(game, seat) == best]
    if len(level) > 1 or level[0] == game.high:
        return tuple(agreed.side_of(seat) for seat in level)
    target = standing(game, game.high)
    return _challenged(agreed, game, tuple(seat for seat in game.still if standing(game, seat) >= target))


def standing(game: Game, margin: int) -> int:
    """What a margin counts for in a challenge: the challenged one with the score that began it (rule 61b)."""
    return game.points[margin] if margin != game.high or game.at is None else game.at


def _in_order(agreed: EndZoneAgreement, game: Game, some: tuple[int, ...]) -> tuple[int, ...]:
    """These margins in the rolling order."""
    return tuple(sorted(some, key=lambda seat: game.order.index(agreed.side_of(seat))))


def _challenged(agreed: EndZoneAgreement, game: Game, still: tuple[int, ...]) -> Game:
    """The highest of those still in is challenged by the others (rules 61, 62a)."""
    ranked = _in_order(agreed, game, still)
    high = max(ranked, key=lambda seat: (game.points[seat], -ranked.index(seat)))
    after = replace(game, lap_no=game.lap_no + 1, lap=behind(ranked, high), still=ranked, high=high)
    if not agreed.keeps_score:
        return after
    rolling = tuple(seat for seat in _next_round(agreed, game, high) if seat in still)
    late = set(game.lap) if game.high is None else set(game.late) ^ {game.high}
    return replace(
        after,
        lap=tuple(seat for seat in rolling if seat != high),
        still=rolling,
        at=game.points[high],
        late=tuple(seat for seat in ranked if seat in late) if agreed.teams != "no" else (),
    )


def _next_round(agreed: EndZoneAgreement, game: Game, high: int) -> tuple[int, ...]:
    """The margins as they come round from here, whoever rolled last being the last of them."""
    if game.high is None:
        # The one who reached the goal has just rolled, but in shuffle play everybody has.
        return game.still if agreed.shuffle != "no" else (*behind(game.still, high), high)
    last = [seat for seat in game.still if seat != game.high][-1]
    return (*behind(game.still, last), last)


FIVE_HUNDRED = Kind(dice=_three, scored=plain_turn, onward=_onward, one_margin=_one, highest_first=True)

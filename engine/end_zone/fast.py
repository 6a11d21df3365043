"""Fast Play, 3's and 3's Sets.

Rules
30   Fast Play: each player rolls three dice, one at a time. The highest total wins; ties by rule 7.
30a  Then it is played again with the loser of the last game rolling first, as in 40a.
40   3's: Fast Play games until a side has won three.
40a  After a game the loser, the lowest total, goes first; the others follow as they did in it, going round:
     after A, B and C with B the loser, B, C and A. Of several losers the one who went first in it. The
     winner of a tie is no loser.
41   3's Sets: games of 3's until a side has won five, which is a set.
41a  Option `sets`: so many sets must be won; unless told, one.
"""

from engine.end_zone.agreed import EndZoneAgreement
from engine.end_zone.game import Game, Kind, behind, best_sides, plain_turn, total


def _three(lap: int) -> int:  # noqa: ARG001 - a Kind's
    return 3


def _onward(agreed: EndZoneAgreement, game: Game) -> Game | tuple[int, ...]:
    return game if game.lap else best_sides(agreed, game)


def _own(agreed: EndZoneAgreement) -> bool:  # noqa: ARG001 - a Kind's
    return False


FAST = Kind(dice=_three, scored=plain_turn, onward=_onward, one_margin=_own)

Tally = tuple[tuple[int, ...], ...]
"""Each level's wins by side: games, and for 3's Sets also 3's and sets."""


def levels(agreed: EndZoneAgreement, unit: str) -> tuple[int, ...]:
    """How many wins each level asks for."""
    match unit:
        case "threes":
            return (3,)
        case "threes-sets":
            return (3, 5, agreed.sets)
        case _:
            return (1,)


def tallied(agreed: EndZoneAgreement, unit: str, tally: Tally, side: int) -> tuple[Tally, bool]:
    """The wins after a game, and whether the side has won the match (rules 40, 41)."""
    targets, found = levels(agreed, unit), list(tally)
    for level, target in enumerate(targets):
        wins = found[level]
        found[level] = (*wins[:side], wins[side] + 1, *wins[side + 1 :])
        if found[level][side] < target:
            return tuple(found), False
        if level < len(targets) - 1:
            found[level] = (0,) * len(wins)
    return tuple(found), True


def fresh_tally(agreed: EndZoneAgreement, unit: str) -> Tally:
    """No wins yet."""
    return ((0,) * len(agreed.sides),) * len(levels(agreed, unit))


def loser_first(agreed: EndZoneAgreement, game: Game, winner: int) -> tuple[int, ...]:
    """The rolling order of the next game (rule 40a)."""
    losers = [side for side in game.order if side != winner]
    loser = min(losers, key=lambda side: total(agreed, game, side))
    return (loser, *behind(game.order, loser))

"""The odds: chance and expected value of every legal choice, exact and never simulated.

`advice(position)` answers for every rulebook that has odds; how each is worked out stands in its own file
here. Points are those of the turn that is played. An answer takes a few milliseconds once its table stands;
the first question of a kind builds it, which takes up to a few seconds for many dice of two kinds.
"""

from engine.game import Position
from engine.odds.advice import Advice
from engine.odds.pig import pig_advice
from engine.odds.ten_thousand import ten_thousand_advice
from engine.odds.zoinx import zoinx_advice
from engine.odds.zonk import cast_or_cache, zonk_advice
from engine.pig import PigPosition
from engine.rulebooks import rulebook
from engine.ten_thousand import TenThousandPosition
from engine.zoinx import ZoinxPosition
from engine.zonk import ZonkPosition

__all__ = ["Advice", "advice", "advice_seen", "cast_or_cache"]


def advice(position: Position) -> tuple[Advice, ...]:
    """Every legal choice, the best by expected points first; () where there is none, or no odds are known."""
    match position:
        case ZoinxPosition():
            return zoinx_advice(position)
        case TenThousandPosition():
            return ten_thousand_advice(position)
        case ZonkPosition():
            return zonk_advice(position)
        case PigPosition():
            return pig_advice(position)
        case _:
            return ()


def advice_seen(line: str) -> tuple[Advice, ...]:
    """The same for a public position line (`GameView.line`); raises `engine.refusal.Refused`.

    What is secret in it counts as not there: a bet that is locked as not made, which tells nobody who has
    locked one, and a deck that is dealt by the box as one of cards.
    """
    words = line.replace(" deck=box ", " deck=hand ").replace(" seed=? ", " seed= ").split(" ")
    seen = [f"{word[:-2]}:-" if word.endswith(":?") else word for word in words]
    return advice(rulebook(words[0]).parse(" ".join(seen)))

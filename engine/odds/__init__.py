"""The odds: chance and expected value of every legal choice, exact and never simulated.

`advice(position)` answers for every rulebook that has odds; how each is worked out stands in its own file
here. Points are those of the turn that is played. An answer takes a few milliseconds once its table stands;
the first question of a kind builds it, which takes up to a few seconds for many dice of two kinds.
"""

from engine.dice import Die
from engine.game import Position
from engine.odds.advice import Advice
from engine.odds.pig import pig_advice, pig_turn_at
from engine.odds.ten_thousand import ten_thousand_advice, ten_thousand_turn_at, why_untold
from engine.odds.zoinx import zoinx_advice
from engine.odds.zonk import MOST, cast_or_cache, zonk_advice, zonk_turn_at
from engine.pig import PigPosition
from engine.rulebooks import rulebook
from engine.ten_thousand import TenThousandPosition
from engine.wording import phrase
from engine.zoinx import ZoinxPosition
from engine.zonk import ZonkPosition

__all__ = [
    "Advice",
    "advice",
    "advice_seen",
    "cast_or_cache",
    "position_seen",
    "turn_at",
    "why_no_advice",
]


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


def turn_at(start: Position, points: int, dice: int, roll: tuple[Die, ...]) -> Position | None:
    """The turn that begins at `start`, with so many points, so many dice left, and what these then show.

    None where nothing scores. Raises `Refused` where no turn comes to that.
    """
    match start:
        case TenThousandPosition():
            return ten_thousand_turn_at(start, points, dice, roll)
        case ZonkPosition():
            return zonk_turn_at(start, points, roll)
        case PigPosition():
            return pig_turn_at(start, points)
        case _:
            raise TypeError(f"no points are set aside in a {type(start).__name__}")


def why_no_advice(position: Position) -> str:
    """Why `advice` has nothing to say of a position, in a sentence."""
    match position.view().phase:
        case "ended":
            return phrase("The game is over: there is nothing to choose.")
        case "roll-off":
            return phrase("The roll-off is pure chance: there is nothing to choose.")
        case "draw":
            return phrase("A card is drawn next: the odds are known once it is.")
        case _ if isinstance(position, TenThousandPosition) and (why := why_untold(position)):
            return why
        case _ if isinstance(position, ZonkPosition):
            return phrase(
                "The odds of ZONK are known for up to {most} dice, and with extra dice not under "
                "aura=cast or hot-cast=six.",
                most=MOST,
            )
        case _:
            return phrase("No odds are known of this game.")


def advice_seen(line: str) -> tuple[Advice, ...]:
    """The same for a public position line (`GameView.line`); raises `engine.refusal.Refused`."""
    return advice(position_seen(line))


def position_seen(line: str) -> Position:
    """The position that a public line leaves to work with; raises `engine.refusal.Refused`.

    What is secret in it counts as not there: a bet that is locked as not made, which tells nobody who has
    locked one, and a deck that is dealt by the box as one of cards.
    """
    words = line.replace(" deck=box ", " deck=hand ").replace(" seed=? ", " seed= ").split(" ")
    seen = [f"{word[:-2]}:-" if word.endswith(":?") else word for word in words]
    return rulebook(words[0]).parse(" ".join(seen))

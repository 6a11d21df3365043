"""Ten Thousand in sentences: what was rolled, and why dice are not taken. Rules are those of the package."""

from collections.abc import Sequence

from engine.dice import Die, DieKind
from engine.refusal import AgainstTheRules
from engine.wording import phrase, phrase_count
from engine.words import dice_named, number, plain_dice, together


def pips(dice: tuple[Die, ...], count: int, name: str, rule: str) -> tuple[int, ...]:
    """The faces of exactly so many pip dice."""
    values = tuple(die.value for die in dice if die.kind == "pip" and isinstance(die.value, int))
    if len(values) != len(dice) or len(values) != count:
        kinds = [die.kind for die in dice]
        here = plain_dice(len(kinds)) if {*kinds} == {"pip"} else dice_named(kinds)
        wrong = phrase_count(
            "{player} rolls one die; here are {dice}. Roll again, or correct them.",
            "{player} rolls {number} dice; here are {dice}. Roll again, or correct them.",
            count,
            player=name,
            number=number(count),
            dice=here,
        )
        raise AgainstTheRules(wrong, rule)
    return values


def not_there(kinds: Sequence[DieKind], missing: Sequence[int], roll: str) -> str:
    """Why these dice cannot be set aside: other kinds, or faces that do not lie there so often."""
    if kinds:
        return phrase("There are not {dice} here: the roll is {roll}.", dice=dice_named(kinds), roll=roll)
    several = together([phrase("{face}s", face=face) for face in missing])
    return phrase("There are not so many {faces} here: the roll is {roll}.", faces=several, roll=roll)


def farkle_told(name: str, roll: str, lost: int) -> str:
    """That nothing scores, and what is lost (rule 6)."""
    if not lost:
        return phrase("FARKLE! {player} rolls {roll}.", player=name, roll=roll)
    return phrase(
        "FARKLE! {player} rolls {roll} and loses {points} points.", player=name, roll=roll, points=lost
    )


def rolling_told(name: str, count: int) -> str:
    """That a player rolls so many dice."""
    return phrase_count(
        "{player} rolls one die.", "{player} rolls {number} dice.", count, player=name, number=number(count)
    )


def offer_told(name: str, points: int, dice: int) -> str:
    """That points may be taken over (rule 8d)."""
    return phrase_count(
        "Or {player} takes over {points} points and rolls the last die.",
        "Or {player} takes over {points} points and rolls {number} dice.",
        dice,
        player=name,
        points=points,
        number=number(dice),
    )


def taking_words(points: int, dice: int) -> str:
    """What may be chosen: to take points over (rule 8d)."""
    return phrase_count(
        "take over {points} and roll one die",
        "take over {points} and roll {number} dice",
        dice,
        points=points,
        number=number(dice),
    )


def won_told(winner: str, points: int) -> str:
    """Who has the most (rule 10)."""
    return phrase(
        "{player} wins with {points} points, the most at the end (rule 10).", player=winner, points=points
    )


def row(values: tuple[int, ...]) -> str:
    """The faces as they lie: "1 4 5"."""
    return " ".join(map(str, values))

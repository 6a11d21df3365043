"""ZONK in the players' words: dice, pockets and cards for sentences."""

from collections.abc import Iterable, Sequence

from engine.dice import Die
from engine.wording import phrase, told_number
from engine.words import dice_of, plain_dice, together
from engine.zonk.cards import NAMES, Card
from engine.zonk.combos import Values, combo_named, values_of
from engine.zonk.state import Kinds


def thousands(points: int) -> str:
    """1,050"""
    return told_number(points, ",")


def die_named(die: Die) -> str:
    """A 3, and a 3 of the D4."""
    return f"{die.value}" if die.kind == "pip" else phrase("{face} of the D4", face=die.value)


def faces_of(dice: Iterable[Die]) -> tuple[str, ...]:
    """The faces as digits."""
    return tuple(str(die.value) for die in dice)


def combos_named(combos: Iterable[tuple[Die, ...]]) -> str:
    """Combos in words: "three 4s, 1 and 5"; one that holds a D4 says so: "1 (D4)"."""
    return together([_combo_named(combo) for combo in combos])


def _combo_named(combo: tuple[Die, ...]) -> str:
    count = sum(die.kind == "d4" for die in combo)
    return combo_named(values_of(combo)) + (f" ({'D4' if count == 1 else f'{count} D4'})" if count else "")


def values_named(combos: Iterable[Values]) -> str:
    """Combos of a pocket, where the kinds of dice no longer matter."""
    return together([combo_named(values) for values in combos])


def cards_named(cards: Sequence[Card]) -> str:
    """The cards' names, in a list."""
    return together([NAMES[card] for card in cards])


def kinds_named(kinds: Kinds) -> str:
    """Five dice and one four-sided die."""
    d6, d4 = kinds
    parts = ([plain_dice(d6)] if d6 else []) + ([dice_of(d4, "d4")] if d4 else [])
    return together(parts) or phrase("no dice")

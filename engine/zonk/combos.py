"""ZONK's combos as a table, and what a cast may be pocketed for. Rule numbers are those of `engine.zonk`.

Every answer is kept by the dice's sorted values: a cast of six pip dice has only 462 of them.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement, groupby, product
from typing import Literal

from engine.dice import Die
from engine.wording import phrase
from engine.words import alike

Values = tuple[int, ...]
"""Faces from 1 to 6, the smallest first."""

PairsRule = Literal["any", "different"]

SINGLES: dict[Values, int] = {(1,): 100, (5,): 50}
KINDS = {3: 100, 4: 200, 5: 400, 6: 600}
"""What each point of the face is worth in so many of a kind (rules 5c to 5f)."""
THREE_ONES = 1000
THREE_PAIRS = 750
RAINBOW = 2500
STARE = 500


@dataclass(frozen=True, slots=True)
class Modifiers:
    """What changes the table: Serpent's Stare (rule 9c), and what counts as three pairs (rule 5g)."""

    stare: bool = False
    pairs: PairsRule = "any"


PLAIN = Modifiers()
"""The table as printed."""


@dataclass(frozen=True, slots=True)
class Pocketing:
    """Dice of one cast that may be pocketed together, grouped into the combos that are worth the most."""

    combos: tuple[tuple[Die, ...], ...]
    points: int

    @property
    def dice(self) -> tuple[Die, ...]:
        """All its dice."""
        return tuple(die for combo in self.combos for die in combo)


@lru_cache(maxsize=8)
def combo_table(modifiers: Modifiers) -> dict[Values, int]:
    """Every combo by its values, with its points (rules 5a to 5h, 9c)."""
    table = dict(SINGLES)
    pairs = combinations_with_replacement(range(1, 7), 3)
    for found in pairs:
        if modifiers.pairs == "any" or len(set(found)) == 3:
            table[tuple(sorted(found * 2))] = THREE_PAIRS
    for count, worth in KINDS.items():
        for face in range(1, 7):
            values = (face,) * count
            table[values] = max(face * worth, table.get(values, 0))
    table[1, 1, 1] = THREE_ONES
    table[1, 2, 3, 4, 5, 6] = RAINBOW
    if modifiers.stare:
        table[1, 1] = STARE
    return table


@lru_cache(maxsize=8)
def _starting(modifiers: Modifiers) -> dict[int, tuple[tuple[Values, int], ...]]:
    """The table's rows by the smallest face in them."""
    rows = sorted(combo_table(modifiers).items())
    return {face: tuple(group) for face, group in groupby(rows, key=lambda row: row[0][0])}


def face(die: Die) -> int:
    """The die's face; 0 for one without numbers."""
    return die.value if isinstance(die.value, int) else 0


def by_face(die: Die) -> tuple[int, bool]:
    """For sorting dice: small faces first, and the D6 before the D4."""
    return face(die), die.kind == "d4"


def values_of(dice: Iterable[Die]) -> Values:
    """The dice's faces, sorted; a D4 counts like a D6."""
    return tuple(sorted(map(face, dice)))


def without(values: Values, taken: Values) -> Values | None:
    """The values that are left; None where not all of `taken` are among them."""
    left = list(values)
    for value in taken:
        if value not in left:
            return None
        left.remove(value)
    return tuple(left)


@lru_cache(maxsize=65_536)
def scores(values: Values, modifiers: Modifiers) -> bool:
    """Whether any combo lies among the values; if none does, the cast is a zonk (rule 6)."""
    return any(without(values, combo) is not None for combo in combo_table(modifiers))


@lru_cache(maxsize=65_536)
def grouped(values: Values, modifiers: Modifiers) -> tuple[int, tuple[Values, ...]] | None:
    """All the values as combos, and the most points they make (rule 4b); None where one is in no combo.

    Of groupings that are worth the same the one with fewer combos counts.
    """
    if not values:
        return 0, ()
    best: tuple[int, tuple[Values, ...]] | None = None
    for combo, points in _starting(modifiers).get(values[0], ()):
        left = without(values, combo)
        rest = None if left is None else grouped(left, modifiers)
        if rest is None:
            continue
        found = points + rest[0], (combo, *rest[1])
        if best is None or (found[0], -len(found[1])) > (best[0], -len(best[1])):
            best = found
    return best and (best[0], tuple(sorted(best[1], key=lambda combo: (-len(combo), combo))))


@lru_cache(maxsize=65_536)
def most_points(values: Values, modifiers: Modifiers) -> int:
    """The points of dice that lie in a pocket, those that are in no combo (rule 10) left out."""
    found = grouped(values, modifiers)
    if found is not None:
        return found[0]
    fewer = (values[:place] + values[place + 1 :] for place in range(len(values)))
    return max(most_points(left, modifiers) for left in fewer)


def legal_pocketings(dice: tuple[Die, ...], modifiers: Modifiers = PLAIN) -> tuple[Pocketing, ...]:
    """Every set of these dice that may be pocketed, with its points, the best first (rules 4, 4b).

    Of those with the same points, first the one that leaves more dice, then the one that leaves D4s in hand.
    """
    return _pocketings(tuple(sorted(dice, key=by_face)), modifiers)


@lru_cache(maxsize=65_536)
def joins(pocket: Values, values: Values, modifiers: Modifiers) -> bool:
    """Whether values are in combos with their cast's pocket, and the pocket's own still are (rules 4a, 4b).

    What was in no combo there (rule 10) may stay so.
    """
    if grouped(tuple(sorted(pocket + values)), modifiers) is not None:
        return True
    if grouped(pocket, modifiers) is not None:
        return False
    fewer = (pocket[:place] + pocket[place + 1 :] for place in range(len(pocket)))
    return any(joins(left, values, modifiers) for left in fewer)


def legal_additions(
    pocket: Values, dice: tuple[Die, ...], modifiers: Modifiers = PLAIN
) -> tuple[Pocketing, ...]:
    """Every set of a cast's dice that may join those it already pocketed, as `legal_pocketings` has them.

    Points are what a set adds to the pocket, for all its dice together count for the most they make (rule
    4b). It may take some away: beside four 6s, a pair makes three pairs.
    """
    return _additions(pocket, tuple(sorted(dice, key=by_face)), modifiers)


@lru_cache(maxsize=16_384)
def _additions(pocket: Values, dice: tuple[Die, ...], modifiers: Modifiers) -> tuple[Pocketing, ...]:
    found, before = [], most_points(pocket, modifiers)
    for taken, values in _subsets(dice):
        if taken and joins(pocket, values, modifiers):
            alone = grouped(values, modifiers)
            combos = alone[1] if alone else tuple(tuple(same) for _, same in groupby(values))
            after = most_points(tuple(sorted(pocket + values)), modifiers)
            found.append(Pocketing(dealt(combos, taken), after - before))
    return tuple(sorted(found, key=_best_first))


@lru_cache(maxsize=16_384)
def _pocketings(dice: tuple[Die, ...], modifiers: Modifiers) -> tuple[Pocketing, ...]:
    found = []
    for taken, values in _subsets(dice):
        if taken and (grouping := grouped(values, modifiers)) is not None:
            points, combos = grouping
            found.append(Pocketing(dealt(combos, taken), points))
    return tuple(sorted(found, key=_best_first))


def _best_first(pocketing: Pocketing) -> tuple[int, int, int, Values]:
    dice = pocketing.dice
    return (
        -pocketing.points,
        len(dice),
        sum(die.kind == "d4" for die in dice),
        tuple(value for combo in pocketing.combos for value in values_of(combo)),
    )


def _subsets(dice: tuple[Die, ...]) -> Iterator[tuple[tuple[Die, ...], Values]]:
    """Every choice of sorted dice with its faces, each once: two equal dice are no choice."""
    parts = [
        [((die,) * many, (face(die),) * many) for many in range(count + 1)]
        for die, count in Counter(dice).items()
    ]
    for chosen in product(*parts):
        yield sum((some for some, _ in chosen), ()), sum((faces for _, faces in chosen), ())


def dealt(combos: tuple[Values, ...], dice: tuple[Die, ...]) -> tuple[tuple[Die, ...], ...]:
    """The dice that make up the combos, the D6 first where both kinds show a face."""
    left: dict[int, list[Die]] = {}
    for die in sorted(dice, key=by_face, reverse=True):
        left.setdefault(face(die), []).append(die)
    return tuple(tuple(left[value].pop() for value in combo) for combo in combos)


def combo_named(values: Values) -> str:
    """A combo in the players' words: "three 4s", "1", "rainbow"."""
    if len(set(values)) == 1:
        return f"{values[0]}" if len(values) == 1 else alike(len(values), values[0])
    return phrase("a rainbow") if len(set(values)) == 6 else phrase("three pairs")

"""What dice are worth in Ten Thousand: the combos as a table, and every legal set-aside of a roll.

Faces are 1 to 6. A set of dice is counted face by face: how many 1s, how many 2s, and so on. All answers are
kept (there are 923 different sets of one to six dice), so that each is worked out once for each agreement.
Rule numbers are those of `engine.ten_thousand`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, groupby, permutations, product
from typing import Literal

from engine.wording import phrase
from engine.words import alike, together

Kinds = Literal["double", "printed", "add", "fixed"]
Counts = tuple[int, int, int, int, int, int]
"""How many dice show 1, 2, 3, 4, 5, 6."""

DICE = 6
FACES = range(1, 7)
FIXED = {4: 1000, 5: 2000, 6: 3000}


@dataclass(frozen=True, slots=True, kw_only=True)
class Combos:
    """What scores, as agreed: points, 0 for a combo that does not count. Single 1s and 5s always do."""

    kinds: Kinds = "double"
    three_ones: int = 1000
    straight: int = 1500
    low_straight: int = 0
    high_straight: int = 0
    three_pairs: int = 1500
    four_and_pair: int = 1500
    two_threes: int = 0
    all_ones: int = 0
    """What all dice of the game are worth that show 1 in one roll; 0: as other dice of a kind (rule 4g)."""
    dice: int = DICE
    """How many dice the game has (rule 3a): combos of more do not count."""


@dataclass(frozen=True, slots=True)
class Keep:
    """Dice that may be set aside at once, as the combos that make the most of them."""

    combos: tuple[tuple[int, ...], ...]
    """The best combo first; the faces of each in rising order."""
    points: int

    @property
    def dice(self) -> tuple[int, ...]:
        """All faces, in rising order."""
        return tuple(sorted(face for combo in self.combos for face in combo))


def kind_points(face: int, count: int, combos: Combos) -> int:
    """Rules 4b, 4c and 4g: three or more of a kind."""
    if face == 1 and count == combos.dice and combos.all_ones:
        return combos.all_ones
    three = combos.three_ones if face == 1 else 100 * face
    if count == 3:
        return three
    match combos.kinds:
        case "printed" if count == 6:
            return three * 3
        case "double" | "printed":
            return three << (count - 3)
        case "add":
            return three * (count - 2)
        case "fixed":
            return FIXED[count]


@cache
def table(combos: Combos) -> tuple[tuple[tuple[int, ...], int], ...]:
    """Every combo with its points: the rows of rule 4."""
    rows: list[tuple[tuple[int, ...], int]] = [((1,), 100), ((5,), 50)]
    rows += [((face,) * count, kind_points(face, count, combos)) for face in FACES for count in range(3, 7)]
    rows.append((tuple(FACES), combos.straight))
    rows.append((tuple(FACES)[:5], combos.low_straight))
    rows.append((tuple(FACES)[1:], combos.high_straight))
    rows += [(tuple(sorted(trio * 2)), combos.three_pairs) for trio in combinations(FACES, 3)]
    rows += [
        (tuple(sorted((four,) * 4 + (pair,) * 2)), combos.four_and_pair)
        for four, pair in permutations(FACES, 2)
    ]
    rows += [(tuple(sorted(pair * 3)), combos.two_threes) for pair in combinations(FACES, 2)]
    return tuple((faces, points) for faces, points in rows if points and len(faces) <= combos.dice)


@cache
def _counted_table(combos: Combos) -> tuple[tuple[Counts, tuple[int, ...], int], ...]:
    return tuple((_counts(faces), faces, points) for faces, points in table(combos))


def _counts(faces: Sequence[int]) -> Counts:
    one, two, three, four, five, six = (faces.count(face) for face in FACES)
    return (one, two, three, four, five, six)


def _less(counts: Counts, taken: Counts) -> Counts | None:
    """The counts without those taken; None when they are not all there."""
    a, b, c, d, e, f = counts
    one, two, three, four, five, six = taken
    if a < one or b < two or c < three or d < four or e < five or f < six:
        return None
    return (a - one, b - two, c - three, d - four, e - five, f - six)


@cache
def _best(counts: Counts, combos: Combos) -> Keep | None:
    """The best split of all these dice into combos (rule 5a); None when a die is left over."""
    if not any(counts):
        return Keep((), 0)
    best: Keep | None = None
    best_order = (0, 0, 0)
    for taken, faces, points in _counted_table(combos):
        rest = _less(counts, taken)
        if rest is None or (split := _best(rest, combos)) is None:
            continue
        # For the same points fewer combos are simpler to say, and the best of them is said first.
        order = (split.points + points, -1 - len(split.combos), points)
        if best is None or order > best_order:
            best, best_order = Keep((faces, *split.combos), order[0]), order
    return best


def best_keep(dice: Sequence[int], combos: Combos) -> Keep | None:
    """These dice set aside at once, made the most of; None when one of them does not score."""
    found = _best(_counts(dice), combos)
    return found if found and found.combos else None


@cache
def _keeps(counts: Counts, combos: Combos) -> tuple[Keep, ...]:
    a, b, c, d, e, f = (range(count + 1) for count in counts)
    found = [keep for taken in product(a, b, c, d, e, f) if (keep := _best(taken, combos)) and keep.combos]
    return tuple(sorted(found, key=lambda keep: (-keep.points, len(keep.dice), keep.dice)))


def legal_keeps(dice: Sequence[int], combos: Combos) -> tuple[Keep, ...]:
    """Every set-aside of a roll, once each, most points first, then fewest dice; () for a farkle."""
    return _keeps(_counts(dice), combos)


@cache
def legal_additions(aside: Sequence[int], rest: Sequence[int], combos: Combos) -> tuple[Keep, ...]:
    """What of the rest of a roll may be set aside beside dice of the same roll, as `legal_keeps` has it.

    Points are what it adds: all of them together are worth the most that combos of them can make (rule 5a).
    They may be fewer than 0: beside four 1s a pair may make four of a kind and a pair, for less.
    """
    before = best_keep(aside, combos)
    if before is None:
        return ()
    found = []
    for counts in product(*(range(rest.count(face) + 1) for face in FACES)):
        more = tuple(face for face, count in zip(FACES, counts, strict=True) for _ in range(count))
        together_worth = best_keep((*aside, *more), combos)
        if more and together_worth:
            alone = best_keep(more, combos)
            dice = alone.combos if alone else tuple(tuple(same) for _, same in groupby(more))
            found.append(Keep(dice, together_worth.points - before.points))
    return tuple(sorted(found, key=lambda keep: (-keep.points, len(keep.dice), keep.dice)))


@cache
def fewest_points(dice: int, combos: Combos) -> int:
    """No fewer points than this lie where so many dice were set aside."""
    if not dice:
        return 0
    return min(
        points + fewest_points(dice - len(faces), combos)
        for faces, points in table(combos)
        if len(faces) <= dice
    )


def combo_words(faces: tuple[int, ...]) -> str:
    """A combo as it is called: "a 5", "three 6s", "the straight 1 to 6", "four 2s and two 3s"."""
    if len(faces) == 1:
        return phrase("a {face}", face=faces[0])
    if len(set(faces)) == len(faces):
        return phrase("the straight {low} to {high}", low=faces[0], high=faces[-1])
    shown = sorted(set(faces), key=lambda face: (-faces.count(face), face))
    return together([alike(faces.count(face), face) for face in shown])


def keep_words(keep: Keep) -> str:
    """A set-aside in words: "three 6s and two 1s"."""
    bigger = [combo_words(combo) for combo in keep.combos if len(combo) > 1]
    singles = [combo[0] for combo in keep.combos if len(combo) == 1]
    counted = [(face, singles.count(face)) for face in FACES if face in singles]
    return together([*bigger, *(combo_words((face,) * count) for face, count in counted)])

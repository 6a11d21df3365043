"""One game of End Zone while it runs, and what its kinds have in common: margins, laps, turns.

A margin is a column of points: a player's, or a team's where partners share one. It goes by the seat of its
first player. A lap is one turn for every margin that takes part in it; the first of `lap` is rolling.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from engine.end_zone.agreed import EndZoneAgreement
from engine.end_zone.landing import Lying

Extra = str
"""The four extra rolls of a score card: each `-` not won, `x` won, `o` taken."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """One game: from its rolling order to its last die. Seats and sides count from 0, laps from 1."""

    order: tuple[int, ...] = ()
    """The sides in rolling order; empty until it is known."""
    points: tuple[int, ...]
    """Each seat's margin; 0 for a partner without one."""
    extras: tuple[Extra, ...]
    lap_no: int = 1
    lap: tuple[int, ...] = ()
    """The margins that have not had their turn in this lap."""
    still: tuple[int, ...] = ()
    """The margins that can still win, in rolling order."""
    high: int | None = None
    """First of 500: the margin that is challenged."""
    at: int | None = None
    """First of 500: the score that began the challenge (rule 61b)."""
    late: tuple[int, ...] = ()
    """First of 500 with teams: the margins that have had one turn fewer than laps, or one more (rule 13a)."""
    lying: tuple[Lying, ...] = ()


Scored = tuple[tuple[Lying, int], ...]
"""The dice of one turn, each with its points."""


@dataclass(frozen=True, slots=True)
class Kind:
    """What sets one kind of game apart."""

    dice: Callable[[int], int]
    """Dice of a turn in that lap."""
    scored: Callable[[EndZoneAgreement, Game, int, Scored], tuple[Game, str]]
    """The game after a margin's turn, and what else there is to say."""
    onward: Callable[[EndZoneAgreement, Game], Game | tuple[int, ...]]
    """After a turn: the game with its next lap, or the sides level at its end (one: the winner)."""
    one_margin: Callable[[EndZoneAgreement], bool]
    """Whether a side has one margin for all its players."""
    highest_first: bool = False
    """Who goes first: the highest die (rule 60a) or the lowest (rule 2)."""
    lines: bool = False
    """A lap is a line of the score card."""


def margins(agreed: EndZoneAgreement, kind: Kind, order: tuple[int, ...]) -> tuple[int, ...]:
    """The margins in rolling order: partners that each have one come round one after the other (rule 13)."""
    sides = [agreed.sides[side] for side in order]
    if kind.one_margin(agreed):
        return tuple(side[0] for side in sides)
    return tuple(side[place] for place in range(len(sides[0])) for side in sides)


def roller(agreed: EndZoneAgreement, kind: Kind, game: Game, margin: int) -> int:
    """The seat that rolls for a margin in this lap: partners on one margin take turns (rule 13a)."""
    if not kind.one_margin(agreed):
        return margin
    partners = agreed.sides[agreed.side_of(margin)]
    return partners[(game.lap_no - 1 + (margin in game.late)) % len(partners)]


def whose(agreed: EndZoneAgreement, kind: Kind, game: Game, place: int) -> tuple[int, int]:
    """Margin of the die at that place on the table, and the how-manieth of its turn it is (rules 5, 12a)."""
    dice = kind.dice(game.lap_no)
    match agreed.shuffle:
        case "turns":
            return game.lap[place // dice], place % dice + 1
        case "dice":
            return game.lap[place % len(game.lap)], place // len(game.lap) + 1
        case _:
            return game.lap[0], place + 1


def dice_due(agreed: EndZoneAgreement, kind: Kind, game: Game) -> int:
    """How many dice are rolled before points are added (rules 5, 12)."""
    turns = 1 if agreed.shuffle == "no" else len(game.lap)
    return kind.dice(game.lap_no) * turns


def added(points: tuple[int, ...], seat: int, gain: int) -> tuple[int, ...]:
    """The points of all seats once one has gained."""
    return (*points[:seat], points[seat] + gain, *points[seat + 1 :])


def total(agreed: EndZoneAgreement, game: Game, side: int) -> int:
    """A side's points, partners added (rule 13)."""
    return sum(game.points[seat] for seat in agreed.sides[side])


def best_sides(agreed: EndZoneAgreement, game: Game) -> tuple[int, ...]:
    """The sides with the most points, in rolling order."""
    totals = [total(agreed, game, side) for side in game.order]
    return tuple(side for side, points in zip(game.order, totals, strict=True) if points == max(totals))


def behind(order: tuple[int, ...], first: int) -> tuple[int, ...]:
    """All after `first`, going round."""
    at = order.index(first)
    return order[at + 1 :] + order[:at]


def plain_turn(agreed: EndZoneAgreement, game: Game, margin: int, dice: Scored) -> tuple[Game, str]:  # noqa: ARG001 - a Kind's
    """A turn whose points are simply added."""
    return with_points(game, margin, sum(score for _, score in dice)), ""


def with_points(game: Game, margin: int, gain: int) -> Game:
    """The game once a margin has gained."""
    return replace(game, points=added(game.points, margin, gain))

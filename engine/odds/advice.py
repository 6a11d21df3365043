"""What the odds say of one legal choice, in one shape for every rulebook."""

from dataclasses import dataclass
from fractions import Fraction

from engine.events import GameEvent
from engine.wording import told_number


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """One thing a player may do now, and what it is worth when all that follows is played best by points."""

    player: str
    words: str
    """For the table: "roll three dice", "bet 4"."""
    points: float
    """Expected points of the turn for this player."""
    chance: float
    """That the turn brings this player any points."""
    risk: float = 0.0
    """That the very next roll loses the turn; 0 where nothing is rolled next."""
    lead: float | None = None
    """Expected lead over the best other after the turn, played best for it; None where it is not known."""
    goal: float | None = None
    """The best chance from here of what this turn must bring, where it must: the win in a game's last turn,
    the quota in a round's last. It may ask for another play than the points do."""
    hint: str = ""
    """How to go on with it, where that can be said in a few words: "stop from 7 dots on"."""
    event: GameEvent | None = None
    """What would be sent; None for a roll, whose dice nobody knows yet."""


def best_first(found: list[Advice]) -> tuple[Advice, ...]:
    """The most expected points first, and of equals the safer."""
    return tuple(sorted(found, key=lambda each: (-each.points, -each.chance)))


def percent(chance: Fraction | float) -> str:
    """A chance as people say it: "2.3 %"."""
    return f"{told_number(float(chance) * 100, '.1f')} %"

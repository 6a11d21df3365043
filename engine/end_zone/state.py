"""Where a game of End Zone stands: who meets whom, the running game, and whose die is next.

Rule numbers are those at the head of `engine.end_zone` and of its modes.
"""

from dataclasses import dataclass, field, replace
from typing import Literal, TypeVar

from engine.end_zone.agreed import EndZoneAgreement
from engine.end_zone.modes import (
    CARD,
    FAST,
    FIVE_HUNDRED,
    SOLO,
    Game,
    Kind,
    Need,
    RollOff,
    Tally,
    roller,
    whose,
)
from engine.game import News

Phase = Literal["order", "roll", "confirm", "tie", "choose", "ended"]
"""Who goes first; the game; is the dot covered; a tie; the King chooses the next mode; over."""
By = Literal["", "points", "dot", "roll-off", "stop"]
"""How it was won; empty while it goes on."""
KINGS = ("king", "king-of-kings")


@dataclass(frozen=True, slots=True, kw_only=True)
class Contest:
    """Who meets whom. Sides count from 0."""

    match: tuple[int, ...] = ()
    """The sides of this match; empty until King's first two are found."""
    queue: tuple[int, ...] = ()
    """Who waits: King's line of challengers; those of this bracket who have still to play."""
    through: tuple[int, ...] = ()
    """Tournament: the winners of this bracket."""
    king: int | None = None
    crowns: tuple[int, ...] = ()
    """King and King of Kings: the wins marked for each side."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EndZoneState:
    """One moment. What cannot be told from the rest is stored, nothing else."""

    agreed: EndZoneAgreement
    unit: str
    """The mode of this match."""
    contest: Contest
    tally: Tally
    game: Game
    rolloff: RollOff | None = None
    played: int = 0
    """Games that have ended."""
    landings: int = 0
    choosing: bool = False
    winner: int | None = None
    by: By = ""
    said: News = field(default=News(), compare=False)

    @property
    def players(self) -> tuple[str, ...]:
        """The players in seating order."""
        return self.agreed.players

    @property
    def lying(self) -> int:
        """How many dice of the running turn lie on the table (rule 5)."""
        return len(self.game.lying)

    @property
    def tells_apart(self) -> bool:
        """Whether it matters which of several equal dice is which: where one of a turn's dice counts twice
        (rule 11), and in shuffle play, where each player has dice of the own colour (rule 12)."""
        return self.agreed.shuffle != "no" or any(word.startswith("die") for word in self.agreed.double)

    @property
    def kind(self) -> Kind:
        """The kind of game that is rolled."""
        return kind_of(self.unit)

    @property
    def phase(self) -> Phase:
        """What the table is doing."""
        if self.winner is not None:
            return "ended"
        if self.choosing:
            return "choose"
        if self.agreed.confirms and self.dot is not None:
            return "confirm"
        if self.rolloff is None:
            return "roll"
        return "tie" if self.game.order else "order"

    @property
    def dot(self) -> int | None:
        """The place of a die that covers the dot."""
        return next((place for place, die in enumerate(self.game.lying) if die.dot), None)

    @property
    def need(self) -> Need:
        """What the roll-off must make clear."""
        if self.game.order:
            return "best"
        return "order" if self.contest.match else "two"

    @property
    def active(self) -> int:
        """The seat that rolls, or whose die was asked about, or that chooses."""
        sides = self.agreed.sides
        if self.choosing and self.contest.king is not None:
            return sides[self.contest.king][0]
        if self.rolloff is not None:
            return sides[self.rolloff.next_side(self.need) or 0][0]
        place = len(self.game.lying)
        if self.phase == "confirm":
            place -= 1
        return self.roller_at(place)

    def roller_at(self, place: int) -> int:
        """The seat that rolls, or rolled, the die at that place on the table."""
        if self.rolloff is not None:
            return self.active
        margin, _ = whose(self.agreed, self.kind, self.game, place)
        return roller(self.agreed, self.kind, self.game, margin)

    @property
    def untouched(self) -> bool:
        """Whether no die of this match has been rolled."""
        if self.choosing:
            return True
        if any(any(wins) for wins in self.tally) or not self.contest.match:
            return False
        if self.rolloff is not None:
            return not (self.game.order or self.rolloff.shown or len(self.rolloff.groups) > 1)
        return not self.agreed.rolls_for_order and self._at_start

    @property
    def _at_start(self) -> bool:
        return self.game.lap_no == 1 and not self.game.lying and self.game.lap == self.game.still

    @property
    def may_stop(self) -> bool:
        """Whether King may end now (rule 72)."""
        return self.agreed.mode == "king" and self.contest.king is not None and self.untouched


S = TypeVar("S", bound=EndZoneState)


def kind_of(unit: str) -> Kind:
    """The kind of game that a mode rolls."""
    match unit:
        case "score-card":
            return CARD
        case "first-of-500":
            return FIVE_HUNDRED
        case "solo":
            return SOLO
        case _:
            return FAST


def tell(state: S, text: str, banner: str = "") -> S:
    """The state with one more sentence for the table."""
    said = state.said
    return replace(
        state,
        said=News(news=f"{said.news} {text}".strip(), banner=banner or said.banner, roll=said.roll),
    )

"""A turn of rolling, setting aside and banking, played best by expected points: the solver.

The state is (points of the turn, dice in the hand). Setting dice aside always adds points, so the states
stand in order and one pass from many points down to none finds every value: no iteration, no guess. The
pass begins at the cap, the fewest points from which banking is always the best wherever a roll can lose the
turn: from there on one roll more, with chance f of losing the turn and e points to be gained, would need f
* points < e. Dice whose roll cannot fail are worth their own expected gain there, which is solved for
first. So nothing is cut off; the values are sums of floating numbers over exact counts, wrong by less than
a millionth of a point.
"""

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass

from engine.refusal import Unreadable
from engine.wording import phrase_count
from engine.words import number

STEP = 50
"""All points are multiples of this."""
SETTLED = 1e-12

Hand = Hashable
"""The dice that may be rolled, in the rulebook's own way."""
Options = tuple[tuple[int, Hand], ...]
"""What may be set aside of one throw: the points, and the dice then in the hand."""


@dataclass(frozen=True, slots=True)
class Roll:
    """One roll of a hand: throws that leave the same options stand together, with their exact counts."""

    throws: tuple[tuple[int, Options], ...]
    forced: bool = False
    """Whether this hand must be rolled: its turn cannot be banked first."""

    @property
    def total(self) -> int:
        """All throws."""
        return sum(count for count, _ in self.throws)


@dataclass(frozen=True, slots=True)
class Value:
    """Expected points of the turn, and the chance that it brings any."""

    points: float
    chance: float


NOTHING = Value(0.0, 0.0)


def best_options(options: Iterator[tuple[int, Hand]]) -> Options:
    """The options worth looking at: of set-asides that leave the same dice, only the one with the most
    points."""
    most: dict[Hand, int] = {}
    for points, hand in options:
        most[hand] = max(points, most.get(hand, 0))
    return tuple((points, hand) for hand, points in most.items())


_Throw = tuple[int, list[tuple[int, list[float], list[float]]]]
"""The count of a throw; for each option its points in steps, and the values and chances to look up."""


def _mean(throws: list[_Throw], step: int, total: int, lost: float) -> tuple[float, float]:
    """The mean over all throws of the best option's value, and its chance; `lost` is a lost turn's value."""
    points, chance = lost * total, 0.0
    for count, options in throws:
        best, likely = lost, 0.0
        for more, values, chances in options:
            if (value := values[step + more]) > best:
                best, likely = value, chances[step + more]
        points += count * (best - lost)
        chance += count * likely
    return points / total, chance / total


@dataclass(frozen=True, slots=True)
class _Column:
    """One hand's values, by points in steps: of rolling, and of the better of rolling and banking."""

    rolled: list[float]
    rolled_chance: list[float]
    best: list[float]
    best_chance: list[float]


def survives(rolls: Mapping[Hand, Roll], hand: Hand) -> float:
    """The chance that one roll does not lose the turn, a forced second roll included."""
    lost = 0.0
    for count, options in rolls[hand].throws:
        forced = all(rolls[left].forced for _, left in options)
        lost += (
            count * min((1.0 - survives(rolls, left) for _, left in options), default=1.0) if forced else 0
        )
    return 1.0 - lost / rolls[hand].total


def find_combos(
    game: str, points: int, dice: int, table: Mapping[tuple[int, ...], int], *, in_hand: int = 6
) -> tuple[tuple[int, ...], ...]:
    """Combos, one of each roll, that bring a turn to so many points with so many of `in_hand` dice left.

    Once all are set aside they may be rolled again. Raises `Unreadable` where no combos do.
    """
    sizes = {(len(faces), worth): faces for faces, worth in sorted(table.items(), reverse=True)}
    found: dict[tuple[int, int], tuple[tuple[int, ...], ...]] = {(0, in_hand): ()}
    fresh = list(found)
    for had, left in fresh:
        for (size, worth), faces in sizes.items():
            then = (had + worth, left - size or in_hand)
            if size <= left and then[0] <= points and then not in found:
                found[then] = (*found[had, left], faces)
                fresh.append(then)
    if (points, dice) not in found:
        raise Unreadable(
            phrase_count(
                "No game of {game} comes to {points} points with one die to be rolled.",
                "No game of {game} comes to {points} points with {number} dice to be rolled.",
                dice,
                game=game,
                points=points,
                number=number(dice),
            )
        )
    return found[points, dice]


class ReachTable:
    """The best chance to bring so many points in one turn; grows as it is asked."""

    def __init__(self, rolls: Mapping[Hand, Roll]) -> None:
        """`rolls` has every hand that can come."""
        self._rolls = rolls
        self._order = sorted(rolls, key=lambda hand: not rolls[hand].forced)
        self._chances: dict[Hand, list[float]] = {hand: [1.0] for hand in rolls}

    def rolled(self, missing: int, hand: Hand) -> float:
        """The chance to bring at least so many points more, this hand being rolled now."""
        if missing <= 0:
            return survives(self._rolls, hand)
        steps = -(-missing // STEP)
        while len(self._chances[hand]) <= steps:
            self._grow()
        return self._chances[hand][steps]

    def best(self, missing: int, hand: Hand) -> float:
        """The same where the turn may also end now."""
        return 1.0 if missing <= 0 else self.rolled(missing, hand)

    def _grow(self) -> None:
        """One step of points more for every hand."""
        step = len(self._chances[self._order[-1]])
        for hand in self._order:
            roll = self._rolls[hand]
            likely = 0.0
            for count, options in roll.throws:
                found = (self._chances[left][max(step - more // STEP, 0)] for more, left in options)
                likely += count * max(found, default=0.0)
            self._chances[hand].append(likely / roll.total)


class TurnTable:
    """Every value of a turn, built once."""

    def __init__(
        self, rolls: Mapping[Hand, Roll], needed: int = 0, loss: int = 0, room: int | None = None
    ) -> None:
        """`rolls` has every hand that can come; `needed` is the least that may be banked.

        A lost turn costs `loss` points. With `room` no turn may bring more than so many, and just so many may
        always be banked; `rolls` then needs every set-aside, not only the best for the dice that it leaves.
        """
        self._rolls = rolls
        self._needed = max(needed, STEP)
        self._lost, self._room = 0.0 - loss, room
        self._safe = self._safe_gains()
        self.cap = max(self._cap(), self._needed) if room is None else room
        self._columns = {hand: self._empty(hand) for hand in rolls}
        self._fill()

    def rolled(self, points: int, hand: Hand) -> Value:
        """Rolling this hand with so many points in the turn, and then the best."""
        if points > self.cap:
            lost = self.fails(hand)
            kept = (1 - lost) * points + self._gain(hand, self._safe)
            return Value(kept + lost * self._lost, 1 - lost)
        column = self._columns[hand]
        return Value(column.rolled[points // STEP], column.rolled_chance[points // STEP])

    def banked(self, points: int) -> Value:
        """Banking so many points; nothing where that is not allowed."""
        return Value(float(points), 1.0) if points >= self._needed or points == self._room else NOTHING

    def best(self, points: int, hand: Hand) -> Value:
        """The better of banking and rolling; of equals banking."""
        if points > self.cap:
            return Value(points + self._safe[hand], 1.0)
        column = self._columns[hand]
        return Value(column.best[points // STEP], column.best_chance[points // STEP])

    def _empty(self, hand: Hand) -> _Column:
        """A column up to the cap to be filled, and from there on what is certain."""
        most = max(more for roll in self._rolls.values() for _, options in roll.throws for more, _ in options)
        size, beyond = self.cap // STEP + 1, most // STEP
        if self._room is not None:
            barred = [self._lost] * beyond
            return _Column([0.0] * size, [0.0] * size, [0.0] * size + barred, [0.0] * (size + beyond))
        certain = [(size + step) * STEP + self._safe[hand] for step in range(beyond)]
        return _Column([0.0] * size, [0.0] * size, [0.0] * size + certain, [0.0] * size + [1.0] * beyond)

    def _fill(self) -> None:
        """From the cap down. Hands that must be rolled come first: others look them up at the same points."""
        order = sorted(self._rolls, key=lambda hand: not self._rolls[hand].forced)
        throws = {hand: self._lookups(hand) for hand in order}
        for step in range(self.cap // STEP, -1, -1):
            for hand in order:
                points, chance = _mean(throws[hand], step, self._rolls[hand].total, self._lost)
                column = self._columns[hand]
                column.rolled[step], column.rolled_chance[step] = points, chance
                may_bank = step * STEP >= self._needed or step * STEP == self._room
                if may_bank and step * STEP >= points and not self._rolls[hand].forced:
                    points, chance = float(step * STEP), 1.0
                column.best[step], column.best_chance[step] = points, chance

    def _lookups(self, hand: Hand) -> list[_Throw]:
        return [
            (
                count,
                [
                    (more // STEP, self._columns[left].best, self._columns[left].best_chance)
                    for more, left in options
                ],
            )
            for count, options in self._rolls[hand].throws
            if options
        ]

    def fails(self, hand: Hand) -> float:
        """The chance that rolling this hand loses the turn, a forced second roll included."""
        return 1.0 - survives(self._rolls, hand)

    def _safe_gains(self) -> dict[Hand, float]:
        """For each hand what is to be gained without any risk: 0 where a roll can lose the turn."""
        gains: dict[Hand, float] = dict.fromkeys(self._rolls, 0.0)
        certain = [hand for hand, roll in self._rolls.items() if not roll.forced and not self.fails(hand)]
        moved = 1.0
        while moved > SETTLED:
            before = dict(gains)
            for hand in certain:
                gains[hand] = self._gain(hand, gains)
            moved = max((abs(gains[hand] - before[hand]) for hand in certain), default=0.0)
        return gains

    def _gain(self, hand: Hand, gains: Mapping[Hand, float]) -> float:
        """The expected points of one roll, where it scores, with what is then to be gained without risk."""
        roll = self._rolls[hand]
        found = 0.0
        for count, options in roll.throws:
            found += count * max((more + self._then(left, gains) for more, left in options), default=0.0)
        return found / roll.total

    def _then(self, hand: Hand, gains: Mapping[Hand, float]) -> float:
        return self._gain(hand, gains) if self._rolls[hand].forced else gains[hand]

    def _cap(self) -> int:
        """The points from which no roll that can lose the turn is worth it."""
        risky = [(hand, lost) for hand in self._rolls if (lost := self.fails(hand))]
        least = max((self._gain(hand, self._safe) / lost for hand, lost in risky), default=0.0)
        return (int(least) // STEP + 1) * STEP

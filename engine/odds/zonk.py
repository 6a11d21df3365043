"""The odds of ZONK: counted casts, and each turn played best by expected points.

A hand is so many D6 and so many D4. Casts are counted by the faces they show, the D6's and the D4's apart.
The solver is `engine.odds.turns`; a table belongs to the dice of a hot cast, Serpent's Stare, what counts
as three pairs, and Final Chance. Held cards are told as "played now, and no other later"; without that they
stay in the hand. A turn is played for its points; in a round's last, the chance of the quota is told, too.

Up to `MOST` dice are worked out, those of a rift among them: with more, the kinds of casts are too many to
answer at the table.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations_with_replacement, product
from math import factorial, prod

from engine.dice import FACES, Die, DieKind
from engine.events import Cache, GameEvent, Play, Pocket, Rolled, Stop
from engine.odds import turns
from engine.odds.advice import Advice, best_first
from engine.odds.turns import (
    NOTHING,
    Options,
    ReachTable,
    Roll,
    TurnTable,
    Value,
    best_options,
    find_combos,
)
from engine.wording import phrase
from engine.zonk import Modifiers, ZonkPosition, legal_pocketings
from engine.zonk.combos import PLAIN, Values, combo_table, scores, values_of
from engine.zonk.state import DICE, QUOTAS, TURNS, Kinds, Slot, kinds_named, kinds_of, sorted_dice

MOST = 8
TABLES = 16
KINDS = 16_384
"""How many kinds of casts are kept: of up to eight dice there are 3,002."""

Hand = tuple[int, int, bool]
"""D6, D4, and whether it is the last die cast a second time (rule 9d)."""


def sides(kind: DieKind) -> tuple[int, ...]:
    """The faces of a D6 or D4."""
    return tuple(value for value in FACES[kind] if isinstance(value, int))


def ways(values: Values) -> int:
    """How many throws show these faces, in any order."""
    return factorial(len(values)) // prod(map(factorial, Counter(values).values()))


@cache
def throws(d6: int, d4: int) -> tuple[tuple[int, Values, Values], ...]:
    """Every cast by the sorted faces of its D6 and of its D4, with the count of throws that show them."""
    large = [(ways(values), values) for values in combinations_with_replacement(sides("pip"), d6)]
    small = [(ways(values), values) for values in combinations_with_replacement(sides("d4"), d4)]
    return tuple((many * more, faces, others) for (many, faces), (more, others) in product(large, small))


@lru_cache(TABLES)
def _harmless(modifiers: Modifiers) -> tuple[Values, ...]:
    """Every set of faces without a combo, a die more at a time: no die makes a combo go away."""
    found: list[Values] = [()]
    for values in found:
        longer = ((*values, face) for face in range(values[-1] if values else 1, 7))
        found += [each for each in longer if not scores(each, modifiers)]
    return tuple(found)


def zonk_chance(d6: int, d4: int = 0, modifiers: Modifiers = PLAIN) -> Fraction:
    """The chance that a cast of so many D6 and D4 has no combo; for any number of dice."""
    lost = 0
    for values in _harmless(modifiers):
        if len(values) == d6 + d4:
            lost += sum(ways(large) * ways(small) for large, small in _dealt(values, d4))
    return Fraction(lost, 6**d6 * 4**d4)


def _dealt(values: Values, d4: int) -> Iterator[tuple[Values, Values]]:
    """The faces divided between the D6 and so many D4, each way once."""
    counted = sorted(Counter(values).items())
    for taken in product(*(range(count + 1 if face <= 4 else 1) for face, count in counted)):
        if sum(taken) == d4:
            small = tuple(face for (face, _), count in zip(counted, taken, strict=True) for _ in range(count))
            left = Counter(values) - Counter(small)
            yield tuple(sorted(left.elements())), small


def dice_of(large: Values, small: Values) -> tuple[Die, ...]:
    """The faces as dice."""
    return (*(Die("pip", value) for value in large), *(Die("d4", value) for value in small))


def counts(values: Values) -> tuple[int, ...]:
    """How many dice show each face of a D6."""
    return tuple(values.count(face) for face in sides("pip"))


@lru_cache(KINDS)
def worths(values: Values, modifiers: Modifiers) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """Every pocketing of these faces: its points, and how many dice of each face it takes."""
    found = legal_pocketings(dice_of(values, ()), modifiers)
    return tuple((each.points, counts(values_of(each.dice))) for each in found)


def options_of(large: Values, small: Values, hot: Kinds, modifiers: Modifiers) -> Options:
    """What a cast may be pocketed for, and the dice then in the hand: those of a hot cast after the last.

    A D4 counts like a D6, so a pocketing may take any number of D4s from those it needs to those there are.
    """
    d6s, d4s = counts(large), counts(small)

    def list_options() -> Iterator[tuple[int, Hand]]:
        for points, taken in worths(tuple(sorted(large + small)), modifiers):
            least = sum(max(take - d6, 0) for take, d6 in zip(taken, d6s, strict=True))
            most = sum(min(take, d4) for take, d4 in zip(taken, d4s, strict=True))
            for d4 in range(least, most + 1):
                left = len(large) - sum(taken) + d4, len(small) - d4
                yield points, (*(left if any(left) else hot), False)

    return best_options(list_options())


def roll_of(hand: Hand, hot: Kinds, modifiers: Modifiers, *, chance: bool) -> Roll:
    """One cast of a hand, for the solver; `chance` is whether Final Chance is in force."""
    d6, d4, again = hand
    counted: Counter[Options] = Counter()
    for count, large, small in throws(d6, d4):
        options = options_of(large, small, hot, modifiers)
        if chance and d6 + d4 == 1 and not again:
            options = (*options, (0, (d6, d4, True)))
        counted[options] += count
    return Roll(tuple((count, options) for options, count in counted.items()), forced=again)


@lru_cache(TABLES)
def rolls(hot: Kinds, modifiers: Modifiers, *, chance: bool) -> dict[turns.Hand, Roll]:
    """The casts of every hand that can come in a turn whose hot casts have these D6 and D4."""
    hands: list[Hand] = [
        (d6, d4, False) for d6, d4 in product(range(hot[0] + 1), range(hot[1] + 1)) if d6 + d4
    ]
    if chance:
        hands += [(d6, d4, True) for d6, d4, _ in hands if d6 + d4 == 1]
    return {hand: roll_of(hand, hot, modifiers, chance=chance) for hand in hands}


@lru_cache(TABLES)
def turn_table(hot: Kinds, modifiers: Modifiers = PLAIN, *, chance: bool = False) -> TurnTable:
    """The values of every such turn; the first of a kind takes a moment."""
    return TurnTable(rolls(hot, modifiers, chance=chance))


@lru_cache(TABLES)
def reach_table(hot: Kinds, modifiers: Modifiers = PLAIN, *, chance: bool = False) -> ReachTable:
    """The chances to bring so many points in one such turn."""
    return ReachTable(rolls(hot, modifiers, chance=chance))


def quota_left(position: ZonkPosition) -> int | None:
    """What a round's last turn must bring for its quota; None in other turns, and when it is met."""
    rounds, turn = divmod(position.seat.turns, TURNS)
    missing = QUOTAS[rounds] - position.counted(position.active, rounds)
    return missing if turn == TURNS - 1 and missing > 0 else None


@dataclass(frozen=True, slots=True)
class Prospect:
    """What a way to go on is worth by points, and the best chance of the goal, which may ask for another."""

    value: Value
    goal: float = 0.0


NO_PROSPECT = Prospect(NOTHING)


def best_of(found: Sequence[Prospect]) -> Prospect:
    """The best by points, and the best by the goal."""
    value = max((each.value for each in found), key=lambda value: value.points, default=NOTHING)
    return Prospect(value, max((each.goal for each in found), default=0.0))


def mean_of(found: Sequence[Prospect]) -> Prospect:
    """The mean of equally likely prospects."""
    points, chance, goal = (
        sum(values) / len(found)
        for values in zip(*((each.value.points, each.value.chance, each.goal) for each in found), strict=True)
    )
    return Prospect(Value(points, chance), goal)


@dataclass(frozen=True, slots=True)
class ZonkTurn:
    """The odds of one position of a turn; `goal` is what the turn must bring, 0 where it must nothing."""

    position: ZonkPosition
    goal: int

    @property
    def table(self) -> TurnTable:
        """The values that belong to the dice, modifiers and combos of the turn."""
        return turn_table(hot_hand(self.position), self.position.rules, chance=self.final_chance)

    @property
    def reach(self) -> ReachTable:
        """The chances that belong to them."""
        return reach_table(hot_hand(self.position), self.position.rules, chance=self.final_chance)

    @property
    def final_chance(self) -> bool:
        """Whether Final Chance is in force."""
        return "chance" in self.position.seat.modifiers

    @property
    def hand(self) -> Hand:
        """The dice in the hand: those that lie there, or those of a hot cast."""
        lying = kinds_of(self.position.cast) or (0, 0)
        return (*(lying if any(lying) else self.position.dice), False)

    @property
    def lone(self) -> Hand:
        """The last die, cast a second time (rule 9d)."""
        return (*self.hand[:2], True)

    def then(self, event: GameEvent) -> "ZonkTurn":
        """After an event; a rift adds a die, so the tables may be others."""
        return ZonkTurn(self.position.after(event), self.goal)

    def cast(self, hand: Hand) -> Prospect:
        """Cast these dice."""
        points = self.position.running
        goal = self.reach.rolled(self.goal - points, hand) if self.goal else 0.0
        return Prospect(self.table.rolled(points, hand), goal)

    def cache(self, points: int) -> Prospect:
        """Cache so many points."""
        return Prospect(self.table.banked(points), float(points >= self.goal))

    def pocket_some(self) -> Prospect:
        """Some of this cast is pocketed: cache or recast."""
        return best_of([self.cache(self.position.running), self.cast(self.hand)])

    def pocketed(self) -> list[Prospect]:
        """Every pocketing of what lies there."""
        return [self.then(event).pocket_some() for event in pockets(self.position)]

    def without_cards(self, active: int) -> Prospect:
        """The turn from here on, without playing any card; nothing when it is over."""
        position = self.position
        if position.active != active or not position.slots:
            return NO_PROSPECT
        if kind := position.fated:
            thrown = [Rolled(dice=(Die(kind, face),)) for face in sides(kind)]
            return mean_of([self.then(roll).without_cards(active) for roll in thrown])
        found = self.pocketed()
        found += [self.pocket_some()] if position.phase == "choose" else []
        found += [self.cast(self.lone)] if position.lone else []
        return best_of(found)

    def advice(
        self, words: str, prospect: Prospect, event: GameEvent | None = None, risk: float = 0.0
    ) -> Advice:
        """One choice in the common shape."""
        return Advice(
            player=self.position.name,
            words=words,
            points=prospect.value.points,
            chance=prospect.value.chance,
            risk=risk,
            goal=prospect.goal if self.goal else None,
            event=event,
        )

    def casting(self, hand: Hand) -> Advice:
        """Cast these dice."""
        dice = kinds_named(hand[:2])
        words = phrase("cast {dice} again", dice=dice) if hand[2] else phrase("cast {dice}", dice=dice)
        return self.advice(words, self.cast(hand), risk=self.table.fails(hand))

    def pocketing(self, event: Pocket, words: str) -> Advice:
        """Pocket just this and recast the others; CACHE takes all that scores, and is told apart."""
        after = self.then(event)
        then = phrase("cast {dice}", dice=kinds_named(after.hand[:2]))
        told = phrase("pocket {combos}, then {then}", combos=words, then=then)
        return self.advice(told, after.cast(after.hand), event, self.table.fails(after.hand))


def pockets(position: ZonkPosition) -> tuple[Pocket, ...]:
    """Every pocketing of what lies there."""
    return tuple(Pocket(combos=each.combos) for each in position.pocketings)


def hot_hand(position: ZonkPosition) -> Kinds:
    """The dice of the turn's next hot cast, those of Hot Hot Hot! among them."""
    d6, d4 = position.dice
    return (d6, d4) if position.slots else (d6 - position.seat.hot + position.hot_dice, d4)


def zonk_advice(position: ZonkPosition) -> tuple[Advice, ...]:
    """Every legal choice of a position; none while cards are drawn, or with more than `MOST` dice."""
    phase = position.phase
    if phase in {"draw", "ended"} or sum(hot_hand(position)) > MOST or not counts_as_printed(position):
        return ()
    turn = ZonkTurn(position, quota_left(position) or 0)
    if phase == "cast":
        return (turn.casting((*position.dice, False)),)
    found = _choices(turn)
    if phase == "choose":
        found.append(turn.casting(turn.hand))
    if phase in {"pocket", "choose"}:
        points = _cached(position)
        found.append(turn.advice(phrase("cache {points}", points=points), turn.cache(points), Cache()))
    if phase == "rescue":
        found.append(turn.advice(phrase("take the zonk"), NO_PROSPECT, Stop()))
    if position.lone:
        found.append(turn.casting(turn.lone))
    if phase == "fate":
        found.append(turn.advice(phrase("cast the die again"), turn.without_cards(position.active)))
    return best_first(found)


def cast_or_cache(start: ZonkPosition, points: int, dice: int) -> tuple[Advice, ...]:
    """Cast so many D6 with so many points in the pockets, or cache; without cards, the best first.

    Raises `Refused` where no turn from `start` comes to that.
    """
    find_combos("ZONK", points, dice, combo_table(start.rules))
    player, hand = start.name, (dice, 0, False)
    table = turn_table((DICE, 0), start.rules)
    rolled, banked = table.rolled(points, hand), table.banked(points)
    cast = Advice(
        player=player,
        words=phrase("cast {dice}", dice=kinds_named((dice, 0))),
        points=rolled.points,
        chance=rolled.chance,
        risk=table.fails(hand),
    )
    cache = Advice(
        player=player,
        words=phrase("cache {points}", points=points),
        points=banked.points,
        chance=banked.chance,
    )
    return best_first([cast, cache] if points else [cast])


def zonk_turn_at(start: ZonkPosition, points: int, cast: tuple[Die, ...]) -> ZonkPosition | None:
    """The turn that begins at `start`, with so many points in earlier pockets and this cast of D6.

    None where nothing scores. Which combos made the points does not matter for the odds. Raises `Refused`
    where no turn comes to that.
    """
    combos = find_combos("ZONK", points, len(cast), combo_table(start.rules))
    after = replace(start, slots=(*map(Slot, combos), Slot()), cast=sorted_dice(cast))
    return after if after.pocketings else None


def counts_as_printed(position: ZonkPosition) -> bool:
    """Whether the tables know how dice are recast here: they do not with `aura=cast` or `hot-cast=six`."""
    agreed, plain = position.agreed, sum(hot_hand(position)) == DICE
    return plain or (agreed.aura, agreed.hot_cast) == ("set", "all")


def _choices(turn: ZonkTurn) -> list[Advice]:
    """What the view offers besides buttons: pocketings and cards."""
    found = []
    for choice in turn.position.view().choices:
        match choice.event:
            case Pocket():
                found.append(turn.pocketing(choice.event, choice.words))
            case Play() if sum(hot_hand(turn.then(choice.event).position)) <= MOST:
                prospect = turn.then(choice.event).without_cards(turn.position.active)
                found.append(turn.advice(choice.words, prospect, choice.event))
            case _:
                pass
    return found


def _cached(position: ZonkPosition) -> int:
    """What CACHE would bring: the pockets, and all that still scores (rule 7a)."""
    return position.running + max([0, *(each.points for each in position.pocketings)])

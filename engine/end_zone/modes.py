"""The modes of End Zone: score card, Fast Play and 3's, First of 500, Solo Play, and the roll-offs.

A margin is a column of points: a player's, or a team's where partners share one. It goes by the seat of its
first player. A lap is one turn for every margin that takes part in it; the first of `lap` is rolling.

The official score card
50   Everybody takes the lines of the card downwards, line by line in the rolling order: 14 rolls of one
     die, two rolls of two dice, one roll of three dice, one die at a time. The most points win; ties by
     rule 7.
51   Bonus: with 100 points or more after roll 7, 50 more. 51a: with 250 or more after roll 14, the 50
     counted, 100 more. All points of the margin count, minus points too.
52   Extra rolls of one die, each once a game: for a 2 in the 2 zone, a 5 in the 5 zone, a 1 in the 10
     zone and a 2 in the 20 zone. 52a: any die of any roll wins one, where it lies when its roll is
     scored, an extra roll's too. The printed number counts, doubled or not.
52b  They are taken at the end of the game, one each time round, from the top of the card.
53   The game ends when all rolls are taken.

Fast Play, 3's and 3's Sets
30   Fast Play: each player rolls three dice, one at a time. The highest total wins; ties by rule 7.
30a  Then it is played again with the loser of the last game rolling first, as in 40a.
40   3's: Fast Play games until a side has won three.
40a  After a game the loser, the lowest total, goes first; the others follow as they did in it, going round:
     after A, B and C with B the loser, B, C and A. Of several losers the one who went first in it. The
     winner of a tie is no loser.
41   3's Sets: games of 3's until a side has won five, which is a set.
41a  Option `sets`: so many sets must be won; unless told, one.

First of 500
60   Each turn is three dice, one at a time; totals add up from turn to turn.
60a  The highest die goes first here, the others follow downwards; ties roll again.
61   Whoever first has 500 or more (option `goal`: any number) is challenged: each other player gets one
     turn to beat or tie that score. 61a: in shuffle play of several who reach it together, the highest
     total, and of equals the first in the rolling order.
62   Whoever does stays in; all others are out. When nobody does, the challenged score wins.
62a  The highest score is the one now challenged: everybody else still in gets one turn, and so on.
61b  Option `challenge`: with `score` it is that score which has to be beaten or tied, whatever minus points
     the leader gets meanwhile, and rolls go on round the table from whoever rolled last; with `leader` the
     leader's points as they stand, and each challenge begins behind the leader.
63   A tie for the highest score after a challenge is rolled off at once (rule 7).

Solo Play
20   One player rolls three dice, one at a time, adds them up, and tries to beat that total from the
     other end.
20a  While each total beats the one before, the run goes on. The same total does not beat it.
20b  The run ends at the first that does not; then start again. A covered dot ends it with a win.

Roll-offs: one die each, until it is clear who comes first: for the order (rule 2) and on ties (rule 7).

Sides stand in groups, the best group first; within a group nobody is ahead yet. A group that must still be
decided rolls one die each, is parted by what they show, and rolls again where they tie.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from engine.end_zone.agreed import EndZoneAgreement
from engine.end_zone.landing import Lying
from engine.wording import phrase

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


LINES = 17
EXTRAS = {2: 2, 5: 5, 10: 1, 20: 2}
"""Rule 52: the zone of each extra roll, and the number that wins it there."""
BONUSES = {7: (100, 50), 14: (250, 100)}
"""Rules 51, 51a: the points to have after that roll, and the bonus."""


def _dice(lap: int) -> int:
    if lap in {15, 16}:
        return 2
    return 3 if lap == LINES else 1


def _shared(agreed: EndZoneAgreement) -> bool:
    return agreed.teams == "shared"


def _score_card(agreed: EndZoneAgreement, game: Game, margin: int, dice: Scored) -> tuple[Game, str]:  # noqa: ARG001 - a Kind's
    """The line's points, then the bonus of that line, then the extra rolls it won."""
    news, extras = [], game.extras[margin]
    if game.lap_no > LINES:
        extras = extras.replace("x", "o", 1)
    game = with_points(game, margin, sum(score for _, score in dice))
    need, bonus = BONUSES.get(game.lap_no, (0, 0))
    if bonus and game.points[margin] >= need:
        game = with_points(game, margin, bonus)
        news.append(
            phrase(
                "{points} after roll {line}: {bonus} bonus points.",
                points=need,
                line=game.lap_no,
                bonus=bonus,
            )
        )
    for place, (zone, value) in enumerate(EXTRAS.items()):
        if extras[place] == "-" and any(_wins(die, zone, value) for die, _ in dice):
            extras = f"{extras[:place]}x{extras[place + 1 :]}"
            news.append(phrase("A {face} in the {zone} zone: extra roll {zone}.", face=value, zone=zone))
    every = (*game.extras[:margin], extras, *game.extras[margin + 1 :])
    return replace(game, extras=every), " ".join(news)


def _wins(die: Lying, zone: int, value: int) -> bool:
    return not die.state and (die.zone, die.value) == (zone, value)


def _play_on_card(agreed: EndZoneAgreement, game: Game) -> Game | tuple[int, ...]:
    if game.lap:
        return game
    everybody = margins(agreed, CARD, game.order)
    lap = everybody if game.lap_no < LINES else tuple(seat for seat in everybody if "x" in game.extras[seat])
    return replace(game, lap_no=game.lap_no + 1, lap=lap) if lap else best_sides(agreed, game)


CARD = Kind(dice=_dice, scored=_score_card, onward=_play_on_card, one_margin=_shared, lines=True)


def _three(lap: int) -> int:  # noqa: ARG001 - a Kind's
    return 3


def _play_on_fast(agreed: EndZoneAgreement, game: Game) -> Game | tuple[int, ...]:
    return game if game.lap else best_sides(agreed, game)


def _own(agreed: EndZoneAgreement) -> bool:  # noqa: ARG001 - a Kind's
    return False


FAST = Kind(dice=_three, scored=plain_turn, onward=_play_on_fast, one_margin=_own)

Tally = tuple[tuple[int, ...], ...]
"""Each level's wins by side: games, and for 3's Sets also 3's and sets."""


def levels(agreed: EndZoneAgreement, unit: str) -> tuple[int, ...]:
    """How many wins each level asks for."""
    match unit:
        case "threes":
            return (3,)
        case "threes-sets":
            return (3, 5, agreed.sets)
        case _:
            return (1,)


def tallied(agreed: EndZoneAgreement, unit: str, tally: Tally, side: int) -> tuple[Tally, bool]:
    """The wins after a game, and whether the side has won the match (rules 40, 41)."""
    targets, found = levels(agreed, unit), list(tally)
    for level, target in enumerate(targets):
        wins = found[level]
        found[level] = (*wins[:side], wins[side] + 1, *wins[side + 1 :])
        if found[level][side] < target:
            return tuple(found), False
        if level < len(targets) - 1:
            found[level] = (0,) * len(wins)
    return tuple(found), True


def fresh_tally(agreed: EndZoneAgreement, unit: str) -> Tally:
    """No wins yet."""
    return ((0,) * len(agreed.sides),) * len(levels(agreed, unit))


def loser_first(agreed: EndZoneAgreement, game: Game, winner: int) -> tuple[int, ...]:
    """The rolling order of the next game (rule 40a)."""
    losers = [side for side in game.order if side != winner]
    loser = min(losers, key=lambda side: total(agreed, game, side))
    return (loser, *behind(game.order, loser))


def _is_one_game(agreed: EndZoneAgreement) -> bool:  # noqa: ARG001 - a Kind's
    return True


def _play_on_five_hundred(agreed: EndZoneAgreement, game: Game) -> Game | tuple[int, ...]:
    if game.high is None and max(game.points[seat] for seat in game.still) >= agreed.goal:
        return _challenged(agreed, game, game.still)
    if game.lap:
        return game
    if game.high is None:
        return replace(game, lap_no=game.lap_no + 1, lap=game.still)
    best = max(standing(game, seat) for seat in game.still)
    level = [seat for seat in _in_order(agreed, game, game.still) if standing(game, seat) == best]
    if len(level) > 1 or level[0] == game.high:
        return tuple(agreed.side_of(seat) for seat in level)
    target = standing(game, game.high)
    return _challenged(agreed, game, tuple(seat for seat in game.still if standing(game, seat) >= target))


def standing(game: Game, margin: int) -> int:
    """What a margin counts for in a challenge: the challenged one with the score that began it (rule 61b)."""
    return game.points[margin] if margin != game.high or game.at is None else game.at


def _in_order(agreed: EndZoneAgreement, game: Game, some: tuple[int, ...]) -> tuple[int, ...]:
    """These margins in the rolling order."""
    return tuple(sorted(some, key=lambda seat: game.order.index(agreed.side_of(seat))))


def _challenged(agreed: EndZoneAgreement, game: Game, still: tuple[int, ...]) -> Game:
    """The highest of those still in is challenged by the others (rules 61, 62a)."""
    ranked = _in_order(agreed, game, still)
    high = max(ranked, key=lambda seat: (game.points[seat], -ranked.index(seat)))
    after = replace(game, lap_no=game.lap_no + 1, lap=behind(ranked, high), still=ranked, high=high)
    if not agreed.keeps_score:
        return after
    rolling = tuple(seat for seat in _next_round(agreed, game, high) if seat in still)
    late = set(game.lap) if game.high is None else set(game.late) ^ {game.high}
    return replace(
        after,
        lap=tuple(seat for seat in rolling if seat != high),
        still=rolling,
        at=game.points[high],
        late=tuple(seat for seat in ranked if seat in late) if agreed.teams != "no" else (),
    )


def _next_round(agreed: EndZoneAgreement, game: Game, high: int) -> tuple[int, ...]:
    """The margins as they come round from here, whoever rolled last being the last of them."""
    if game.high is None:
        # The one who reached the goal has just rolled, but in shuffle play everybody has.
        return game.still if agreed.shuffle != "no" else (*behind(game.still, high), high)
    last = [seat for seat in game.still if seat != game.high][-1]
    return (*behind(game.still, last), last)


FIVE_HUNDRED = Kind(
    dice=_three, scored=plain_turn, onward=_play_on_five_hundred, one_margin=_is_one_game, highest_first=True
)


def _score_solo(agreed: EndZoneAgreement, game: Game, margin: int, dice: Scored) -> tuple[Game, str]:  # noqa: ARG001 - a Kind's
    """`points` is the total to beat; nobody is left in `still` when it was not beaten."""
    new, before = sum(score for _, score in dice), game.points[margin]
    if game.lap_no == 1:
        return replace(game, points=(new,)), phrase("The total to beat is {points}.", points=new)
    if new > before:
        return replace(game, points=(new,)), phrase("{points} beats {before}.", points=new, before=before)
    return replace(game, still=()), phrase("{points} does not beat {before}.", points=new, before=before)


def _play_on_solo(agreed: EndZoneAgreement, game: Game) -> Game | tuple[int, ...]:  # noqa: ARG001 - a Kind's
    return replace(game, lap_no=game.lap_no + 1, lap=game.still) if game.still else game.order


SOLO = Kind(dice=_three, scored=_score_solo, onward=_play_on_solo, one_margin=_own)

Need = Literal["order", "best", "two"]
"""What must be clear: everybody's place; the first place; the first two (King, rule 70)."""


@dataclass(frozen=True, slots=True)
class RollOff:
    """A roll-off that is not decided yet."""

    groups: tuple[tuple[int, ...], ...]
    shown: tuple[int, ...] = ()
    """What the first of the rolling group have rolled so far."""

    def rolling(self, need: Need) -> int | None:
        """The place of the group that rolls; None when all is clear."""
        if need == "best":
            places = [0]
        elif need == "two":
            places = [0, 1] if len(self.groups[0]) == 1 else [0]
        else:
            places = list(range(len(self.groups)))
        return next((place for place in places if len(self.groups[place]) > 1), None)

    def next_side(self, need: Need) -> int | None:
        """Who rolls now."""
        place = self.rolling(need)
        return None if place is None else self.groups[place][len(self.shown)]

    def after(self, value: int, need: Need, *, highest: bool) -> "RollOff":
        """The roll-off after the next die; `highest`: high dice come first."""
        place = self.rolling(need)
        if place is None:
            return self
        group, shown = self.groups[place], (*self.shown, value)
        if len(shown) < len(group):
            return RollOff(self.groups, shown)
        return RollOff((*self.groups[:place], *_parted(group, shown, highest), *self.groups[place + 1 :]))


def _parted(group: tuple[int, ...], shown: tuple[int, ...], highest: bool) -> tuple[tuple[int, ...], ...]:
    """The group by what each rolled; who rolled the same stay together, in their order."""
    values = sorted(set(shown), reverse=highest)
    rolls = list(zip(group, shown, strict=True))
    return tuple(tuple(side for side, die in rolls if die == value) for value in values)

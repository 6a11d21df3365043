"""The odds of Zoinx, in exact fractions. Rule numbers are those of `engine.zoinx`.

A roll of four dice, two dots and four squares on each, shows k dots in C(4, k) * 2^k * 4^(4-k) of 1,296
throws; with none it is a zoinx. A turn is a walk upwards in dots that a zoinx ends, and stopping is worth
bet plus dots. From the highest bet on, one roll more gains 4/3 dots on average and loses all with 16/81: as
soon as stopping is worth 27/4 more than a zoinx, no further roll can pay, and it only gets worse from
there. So the best moment to stop is found exactly by going backwards from that point; nothing is cut off.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from itertools import count
from math import comb

from engine.events import Bet, Stop
from engine.odds.advice import Advice, best_first
from engine.wording import phrase, phrase_count
from engine.zoinx import BETS, ZoinxPosition, active_points, opponent_points

DICE = 4
THROW = tuple(Fraction(comb(DICE, dots) * 2**dots * 4 ** (DICE - dots), 6**DICE) for dots in range(DICE + 1))
"""The chance of 0, 1, 2, 3, 4 dots in one roll."""
ZOINX = THROW[0]
KEPT = 4096
"""How many answers are kept: a turn needs some dozens."""
ENOUGH = 7
"""With so many dots, and more than every bet, stopping is worth 27/4 more than a zoinx: never roll on."""


@cache
def reach(dots: int, have: int = 0) -> Fraction:
    """The chance to reach so many dots before a zoinx, with `have` gathered already."""
    if have >= dots:
        return Fraction(1)
    return sum((chance * reach(dots, have + more) for more, chance in enumerate(THROW) if more), Fraction(0))


@dataclass(frozen=True, slots=True)
class ZoinxTurn:
    """The active player's turn under open bets, seen by one player. Seats count from 0."""

    bets: tuple[int, ...]
    active: int
    scores: tuple[int, ...]

    def gains(self, dots: int, *, zoinx: bool) -> tuple[int, ...]:
        """Everybody's points when the turn ends so (rules 6, 7)."""
        return tuple(
            (active_points if seat == self.active else opponent_points)(bet, dots, zoinx=zoinx)
            for seat, bet in enumerate(self.bets)
        )

    def lead(self, seat: int, dots: int, *, zoinx: bool) -> int:
        """How far the player then is ahead of the best other; below 0 behind."""
        after = [score + gain for score, gain in zip(self.scores, self.gains(dots, zoinx=zoinx), strict=True)]
        return after[seat] - max(after[:seat] + after[seat + 1 :])


@dataclass(frozen=True, slots=True)
class Worth:
    """What the rest of a turn is worth, played by the active player for points or for the lead."""

    stops: bool
    """Whether the best is to stop here."""
    points: tuple[Fraction, ...]
    """Everybody's expected points, by seat."""
    chances: tuple[Fraction, ...]
    """Everybody's chance of any points."""
    lead: Fraction
    """The active player's expected lead."""


@lru_cache(KEPT)
def stopped(turn: ZoinxTurn, dots: int, *, zoinx: bool = False) -> Worth:
    """A turn that is over."""
    gains = turn.gains(dots, zoinx=zoinx)
    return Worth(
        stops=True,
        points=tuple(map(Fraction, gains)),
        chances=tuple(Fraction(gain > 0) for gain in gains),
        lead=Fraction(turn.lead(turn.active, dots, zoinx=zoinx)),
    )


@lru_cache(KEPT)
def rolled(turn: ZoinxTurn, dots: int, *, for_lead: bool = False) -> Worth:
    """One roll now, and then the best."""
    after = [
        stopped(turn, dots, zoinx=True) if not more else best(turn, dots + more, for_lead=for_lead)
        for more in range(DICE + 1)
    ]

    def mean(values: Sequence[Fraction]) -> Fraction:
        return sum((chance * value for chance, value in zip(THROW, values, strict=True)), Fraction(0))

    seats = range(len(turn.bets))
    return Worth(
        stops=False,
        points=tuple(mean([worth.points[seat] for worth in after]) for seat in seats),
        chances=tuple(mean([worth.chances[seat] for worth in after]) for seat in seats),
        lead=mean([worth.lead for worth in after]),
    )


@lru_cache(KEPT)
def best(turn: ZoinxTurn, dots: int, *, for_lead: bool = False) -> Worth:
    """The better of stopping, where it is allowed (rule 4b), and rolling."""
    if dots >= ENOUGH and dots > max(turn.bets):
        return stopped(turn, dots)
    roll = rolled(turn, dots, for_lead=for_lead)
    if dots < turn.bets[turn.active]:
        return roll
    stop = stopped(turn, dots)
    if for_lead:
        return stop if stop.lead >= roll.lead else roll
    return stop if stop.points[turn.active] >= roll.points[turn.active] else roll


def bet_worth(turn: ZoinxTurn, seat: int, bet: int) -> Worth:
    """The turn before its first roll, with this bet at that seat; the active player plays for points."""
    bets = (*turn.bets[:seat], bet, *turn.bets[seat + 1 :])
    return best(ZoinxTurn(bets, turn.active, turn.scores), 0)


def stop_from(turn: ZoinxTurn, dots: int) -> int:
    """The fewest dots, from those gathered on, at which it is best by points to stop."""
    return next(each for each in count(max(dots, turn.bets[turn.active])) if best(turn, each).stops)


def bets_by_points(turn: ZoinxTurn, seat: int) -> tuple[tuple[int, Fraction], ...]:
    """Every bet of that seat against the other bets of `turn`, with its expected points, the best first."""
    found = [(bet, bet_worth(turn, seat, bet).points[seat]) for bet in allowed_bets(turn, seat)]
    return tuple(sorted(found, key=lambda each: -each[1]))


def bets_by_lead(turn: ZoinxTurn, seat: int) -> tuple[tuple[int, Fraction], ...]:
    """The same by expected lead over the best other; the active player, too, then plays for the lead."""
    found = []
    for bet in allowed_bets(turn, seat):
        bets = (*turn.bets[:seat], bet, *turn.bets[seat + 1 :])
        found.append((bet, expected_lead(ZoinxTurn(bets, turn.active, turn.scores), seat)))
    return tuple(sorted(found, key=lambda each: -each[1]))


@lru_cache(KEPT)
def expected_lead(turn: ZoinxTurn, seat: int, dots: int = 0) -> Fraction:
    """That player's expected lead over the best other, when the active player plays for the own lead."""
    if best(turn, dots, for_lead=True).stops:
        return Fraction(turn.lead(seat, dots, zoinx=False))
    lost = ZOINX * turn.lead(seat, dots, zoinx=True)
    return lost + sum(THROW[more] * expected_lead(turn, seat, dots + more) for more in range(1, DICE + 1))


def allowed_bets(turn: ZoinxTurn, seat: int) -> tuple[int, ...]:
    """The bets of rule 3; without the 0 for the active player (rule 3a)."""
    return BETS[1:] if seat == turn.active else BETS


@cache
def usual_bet() -> int:
    """The active player's best bet by points, whatever the others bet."""
    return bets_by_points(ZoinxTurn((2, 0), 0, (0, 0)), 0)[0][0]


def zoinx_advice(position: ZoinxPosition) -> tuple[Advice, ...]:
    """Every legal choice of a position.

    Secret bets are not looked at: while bets are made, opponents are told their odds as if the active player
    had made the `usual_bet`, and no lead is told.
    """
    match position.phase:
        case "bet":
            return tuple(
                each
                for seat, bet in enumerate(position.bets)
                if bet is None
                for each in _bet_advice(position, seat)
            )
        case "roll":
            return _roll_advice(position)
        case "ended":
            return ()


def _bet_advice(position: ZoinxPosition, seat: int) -> tuple[Advice, ...]:
    name = position.players[seat]
    mine = 0 if seat == position.active else 1
    pair = ZoinxTurn((usual_bet(), 0), 0, (0, 0))
    found = []
    for bet in allowed_bets(pair, mine):
        worth = bet_worth(pair, mine, bet)
        own = ZoinxTurn((bet, 0), 0, (0, 0))
        found.append(
            Advice(
                player=name,
                words=phrase("bet {bet}", bet=bet),
                points=float(worth.points[mine]),
                chance=float(worth.chances[mine]),
                hint="" if mine else _stop_hint(stop_from(own, 0)),
                event=Bet(player=name, dots=bet),
            )
        )
    return best_first(found)


def _stop_hint(dots: int) -> str:
    return phrase_count("stop from {count} dot on", "stop from {count} dots on", dots)


def _roll_advice(position: ZoinxPosition) -> tuple[Advice, ...]:
    turn = ZoinxTurn(tuple(bet or 0 for bet in position.bets), position.active, position.scores)
    name, seat, dots = position.players[position.active], position.active, position.dots
    roll, until = rolled(turn, dots), stop_from(turn, dots)
    found = [
        Advice(
            player=name,
            words=phrase("roll again") if dots else phrase("roll"),
            points=float(roll.points[seat]),
            chance=float(roll.chances[seat]),
            risk=float(ZOINX),
            lead=float(rolled(turn, dots, for_lead=True).lead),
            hint=_stop_hint(until) if until > dots else "",
        )
    ]
    if position.may_stop:
        stop = stopped(turn, dots)
        found.append(
            Advice(
                player=name,
                words=phrase_count("stop at {count} dot", "stop at {count} dots", dots),
                points=float(stop.points[seat]),
                chance=float(stop.chances[seat]),
                lead=float(stop.lead),
                event=Stop(),
            )
        )
    return best_first(found)

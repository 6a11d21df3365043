"""Double elimination: nobody meets the same player again earlier than unavoidable."""

import random
from collections.abc import Iterator, Sequence
from itertools import permutations, product

import pytest

from engine.tournament import Tournament, matches

NAMES = tuple(f"P{number}" for number in range(1, 65))
EARLIEST = {2: 2, 3: 3, 4: 4, 5: 5, 6: 7}
"""By the number of the winners' rounds, k: the losers' round before which no order can keep two from meeting
again. Up to 16 places all orders are tried below. Beyond: of eight neighbours, the losers of the winners'
rounds 1, 2 and 3 go to the two halves of the losers' bracket, so two of these three lots share a half, and a
half is down to one match in the losers' round 2k - 5."""
Source = tuple[int, int]
"""Who lost a match of the winners' bracket: its round from 1, and its place in that round."""


def earliest_rematch(rounds: int, orders: Sequence[Sequence[int]]) -> int:
    """The first losers' round in which two may meet again. `orders`: who drops where, for rounds 2, 3, ...

    A model of its own: which losers can stand at each place of the losers' bracket.
    """
    places: list[list[Source]] = [[(1, 2 * place), (1, 2 * place + 1)] for place in range(2 ** (rounds - 2))]
    number = 1
    for dropping, order in enumerate(orders, 2):
        number += 1
        pairs = [(before, [(dropping, place)]) for before, place in zip(places, order, strict=True)]
        if any(may_have_met(*pair) for pair in pairs):
            return number
        places = [before + after for before, after in pairs]
        if len(places) == 1:
            break
        number += 1
        pairs = list(zip(places[::2], places[1::2], strict=True))
        if any(may_have_met(*pair) for pair in pairs):
            return number
        places = [one + other for one, other in pairs]
    return number + 1


def may_have_met(one: Sequence[Source], other: Sequence[Source]) -> bool:
    """Whether the winner of one's match may be who lost the other's, or the other way round."""
    return any(
        a[0] != b[0] and min(a, b)[1] >> abs(a[0] - b[0]) == max(a, b)[1] for a, b in product(one, other)
    )


@pytest.mark.parametrize("rounds", [2, 3, 4])
def test_no_order_of_up_to_16_keeps_two_apart_for_longer(rounds: int) -> None:
    orders = product(*(permutations(range(2 ** (rounds - each))) for each in range(2, rounds + 1)))
    assert max(earliest_rematch(rounds, each) for each in orders) == EARLIEST[rounds]


def rematches(count: int, chance: random.Random) -> Iterator[tuple[int, int]]:
    """A tournament by chance: each losers' round in which two meet again, and how many rounds later that is.

    Counted are the rounds of who dropped out last, the one of the second meeting among them.
    """
    tournament = Tournament("double", NAMES[:count])
    strength = {name: chance.random() for name in tournament.players}
    upsets = chance.choice((0.0, 0.1, 0.5))
    winners: dict[int, str] = {}
    while ready := [each for each in matches(tournament, winners) if each.ready]:
        for each in ready:
            better, worse = sorted(each.players, key=strength.__getitem__, reverse=True)
            winners[each.number] = worse if chance.random() < upsets else better
    met: dict[frozenset[str], int] = {}
    dropped: dict[str, int] = {}
    for each in matches(tournament, winners):
        both = frozenset(each.players)
        if each.bracket == "winners":
            met[both] = each.round
            dropped[next(iter(both - {each.winner}))] = each.round
        elif each.bracket == "losers" and both in met:
            last = max(dropped[name] for name in both)
            yield each.round, last - met[both] + each.round - (2 * last - 2) + 1


@pytest.mark.parametrize("count", range(4, 65))
def test_nobody_meets_again_earlier_than_unavoidable(count: int) -> None:
    rounds = (count - 1).bit_length()
    for seed in range(6):
        for losers_round, later in rematches(count, random.Random(f"{count} {seed}")):
            assert losers_round >= EARLIEST[rounds]
            # The loser of the winners' last round enters the losers' last one, whomever they met before.
            assert later >= 3 or losers_round == 2 * rounds - 2

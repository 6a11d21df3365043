"""The odds of Zoinx, against plain enumeration: every throw, every climb, every way to stop."""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations, product

import pytest

from engine.events import Stop
from engine.odds import advice
from engine.odds.zoinx import (
    THROW,
    ZOINX,
    ZoinxTurn,
    best,
    bet_worth,
    bets_by_lead,
    bets_by_points,
    expected_lead,
    reach,
    rolled,
    stopped,
    usual_bet,
)
from engine.rulebooks import rulebook
from engine.zoinx import ZoinxPosition
from tests.engine.say import Table


def position(table: Table) -> ZoinxPosition:
    """Its position, known to be Zoinx."""
    found = table.history.position
    assert isinstance(found, ZoinxPosition)
    return found


def test_a_roll_shows_its_dots_as_all_1296_throws_do() -> None:
    counted = Counter(sum(faces) for faces in product((1, 1, 0, 0, 0, 0), repeat=4))
    assert tuple(Fraction(counted[dots], 1296) for dots in range(5)) == THROW
    assert Fraction(16, 81) == ZOINX


@pytest.mark.parametrize("dots", range(9))
def test_the_chance_to_reach_dots_is_that_of_all_climbs(dots: int) -> None:
    """Every climb of rolls of 1 to 4 dots that is below until its last roll, one by one."""
    found = Fraction(not dots)
    for length in range(1, dots + 1):
        for climb in product(range(1, 5), repeat=length):
            if sum(climb[:-1]) < dots <= sum(climb):
                chance = Fraction(1)
                for more in climb:
                    chance *= THROW[more]
                found += chance
    assert reach(dots) == found


def test_the_chance_to_reach_dots_counts_those_gathered() -> None:
    assert reach(6, 6) == reach(6, 9) == reach(0) == 1
    assert reach(7, 3) == reach(4)
    assert reach(1) == 1 - ZOINX


def best_stopping(bet: int, dots: int, worth: Callable[[int, bool], int]) -> Fraction:
    """The most that the end is worth on average, over every way to choose the dots at which to stop.

    The dots from the bet to the highest bet and beyond are chosen freely; above them the player stops.
    """
    free = range(bet, max(bet + 5, 11))

    def mean(stops: frozenset[int], dots: int) -> Fraction:
        if dots in stops or dots > free[-1]:
            return Fraction(worth(dots, False))
        after = [Fraction(worth(dots, True)), *(mean(stops, dots + more) for more in range(1, 5))]
        return sum((chance * value for chance, value in zip(THROW, after, strict=True)), Fraction(0))

    sets = (frozenset(chosen) for size in range(len(free) + 1) for chosen in combinations(free, size))
    return max(mean(stops, dots) for stops in sets)


@pytest.mark.parametrize("bet", [4, 6, 8, 10])
def test_no_way_to_stop_brings_more_points_than_the_best(bet: int) -> None:
    turn = ZoinxTurn((bet, 0), 0, (0, 0))
    worth = lambda dots, zoinx: turn.gains(dots, zoinx=zoinx)[0]  # noqa: E731
    for dots in range(bet - 1, bet + 5):
        assert best(turn, dots).points[0] == best_stopping(bet, dots, worth)


@pytest.mark.long
@pytest.mark.parametrize(
    ("bets", "scores"),
    [
        ((4, 10, 0), (0, 0, 0)),
        ((6, 8, 8), (12, 25, 20)),
        ((4, 6, 0), (29, 5, 28)),
        ((8, 0, 0), (3, 40, 39)),
        ((2, 4, 2), (9, 9, 9)),
    ],
)
def test_no_way_to_stop_brings_more_lead_than_the_best(
    bets: tuple[int, ...], scores: tuple[int, ...]
) -> None:
    turn = ZoinxTurn(bets, 0, scores)
    worth = lambda dots, zoinx: turn.lead(0, dots, zoinx=zoinx)  # noqa: E731
    for dots in range(bets[0] - 1, bets[0] + 5):
        found = best(turn, dots, for_lead=True).lead
        assert found == expected_lead(turn, 0, dots) == best_stopping(bets[0], dots, worth)


def test_points_do_not_depend_on_what_the_others_bet_and_the_lead_does() -> None:
    few, many = ZoinxTurn((4, 0, 2), 0, (0, 0, 0)), ZoinxTurn((4, 10, 10), 0, (0, 0, 0))
    assert best(few, 0).points[0] == best(many, 0).points[0]
    assert best(few, 0, for_lead=True).lead != best(many, 0, for_lead=True).lead


def test_the_best_moment_to_stop() -> None:
    """Exactly the bet pays only the bet: one dot more pays twice as much, so the best rolls on there."""
    for bet in (2, 4, 6, 8, 10):
        turn = ZoinxTurn((bet, 0), 0, (0, 0))
        stops = [best(turn, dots).stops for dots in range(bet, bet + 8)]
        assert stops == [False, bet > 2, bet > 2, True, True, True, True, True]


def test_the_best_bets_against_given_bets() -> None:
    turn = ZoinxTurn((0, 4, 0), 0, (10, 20, 0))
    points = bets_by_points(turn, 0)
    assert [bet for bet, _ in points] == [8, 6, 10, 4, 2]
    assert points[0][1] == best(ZoinxTurn((8, 4, 0), 0, (10, 20, 0)), 0).points[0]
    lead = bets_by_lead(turn, 0)
    assert {bet for bet, _ in lead} == {2, 4, 6, 8, 10}
    assert lead[0][1] == max(
        expected_lead(ZoinxTurn((bet, 4, 0), 0, (10, 20, 0)), 0) for bet in (2, 4, 6, 8, 10)
    )
    other = bets_by_points(ZoinxTurn((8, 0, 0), 0, (0, 0, 0)), 1)
    assert dict(other)[8] == 8 * reach(8)
    assert dict(other)[10] < 10 * reach(10)  # the active player may stop below 10
    assert dict(other)[0] == 5 * (1 - best(ZoinxTurn((8, 0, 0), 0, (0, 0, 0)), 0).chances[0])


def test_the_active_player_s_chances_are_those_of_the_end_of_the_turn() -> None:
    turn = ZoinxTurn((6, 2, 0), 0, (0, 0, 0))
    worth = best(turn, 0)
    assert worth.chances[2] == 1 - worth.chances[0]  # either points or a zoinx
    assert worth.chances[1] == reach(2)
    assert stopped(turn, 7).points == tuple(map(Fraction, (13, 2, 0)))
    assert rolled(turn, 6).points[0] == sum(THROW[more] * (12 + more) for more in range(1, 5))


def test_advice_while_rolling_names_every_choice_with_its_worth() -> None:
    table = Table("zoinx", "Ann Zoe")
    table.say("Ann bets 0, Zoe bets 4, rolls 3")
    (roll,) = advice(position(table))
    assert (roll.player, roll.words, roll.event) == ("Zoe", "roll again", None)
    assert roll.risk == pytest.approx(16 / 81)
    table.say("rolls 1")
    roll, stop = advice(position(table))
    assert (roll.words, stop.words, stop.event) == ("roll again", "stop at 4 dots", Stop())
    assert (stop.points, stop.chance, stop.risk, stop.lead) == (4, 1, 0, 4)
    assert roll.points == pytest.approx(float(sum(THROW[more] * (8 + more) for more in range(1, 5))))
    table.say("rolls 4")
    assert [each.words for each in advice(position(table))] == ["stop at 8 dots", "roll again"]
    table.say("stops")
    assert {each.player for each in advice(position(table))} == {"Ann", "Zoe"}


def test_advice_before_the_roll_names_every_bet_that_may_be_made() -> None:
    table = Table("zoinx", "Ann Zoe")
    found = advice(position(table))
    assert {(each.player, each.words) for each in found} == {
        (choice.player, f"bet {bet}") for choice in table.view.allowed for bet in choice.choices
    }
    zoe = [each for each in found if each.player == "Zoe"]
    assert zoe[0].words == f"bet {usual_bet()}" == "bet 8"
    assert zoe[0].points == pytest.approx(float(bet_worth(ZoinxTurn((8, 0), 0, (0, 0)), 0, 8).points[0]))
    assert all(position(table).after(each.event) for each in found if each.event)


def test_advice_looks_at_no_secret_bet() -> None:
    one, two = Table("zoinx", "Ann Bob Zoe"), Table("zoinx", "Ann Bob Zoe")
    one.say("Zoe bets 2, Bob bets 10")
    two.say("Zoe bets 10, Bob bets 0")
    assert advice(position(one)) == advice(position(two)) != ()


def test_no_advice_after_the_end_and_none_where_no_odds_are_known() -> None:
    over = rulebook("zoinx").parse(
        "zoinx edition=gamewright ties=shared last=opponents first=Ann turn=2 final=1 dots=0 "
        "Ann:40@1:- Bob:5@1:-"
    )
    assert advice(over) == ()
    assert advice(rulebook("tray").start(("Ann",), {})) == ()

"""The odds of Ten Thousand, against all throws one by one and against the figures that are in print."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product

import pytest

from engine.events import Cache, Pocket
from engine.odds import advice, why_no_advice
from engine.odds.ten_thousand import farkle_chance, reach_table, roll_of, throws, turn_table
from engine.odds.turns import TurnTable
from engine.rulebooks import rulebook
from engine.ten_thousand import Combos, Keep, TenThousandPosition, legal_keeps
from engine.ten_thousand.agreed import EDITIONS
from tests.engine.say import Table

CLASSIC = EDITIONS["classic"].combos
PRINTED = {
    1: Fraction(2, 3),
    2: Fraction(4, 9),
    3: Fraction(5, 18),
    4: Fraction(17, 108),
    5: Fraction(25, 324),
    6: Fraction(5, 216),  # 2.31 %
}


@pytest.mark.parametrize("dice", PRINTED)
def test_the_printed_farkle_chances(dice: int) -> None:
    assert farkle_chance(dice, CLASSIC) == PRINTED[dice]


@pytest.mark.parametrize("dice", PRINTED)
def test_farkles_are_the_throws_without_1_5_three_of_a_kind_or_three_pairs(dice: int) -> None:
    lost = 0
    for throw in product(range(1, 7), repeat=dice):
        counts = [throw.count(face) for face in range(1, 7)]
        lost += not (counts[0] or counts[4] or max(counts) >= 3 or counts.count(2) == 3)
    assert farkle_chance(dice, CLASSIC) == Fraction(lost, 6**dice)


NO_PAIRS = Fraction(5, 162)  # 3.09 %


@pytest.mark.parametrize(
    ("combos", "six"),
    [
        (Combos(straight=0), PRINTED[6]),
        (Combos(four_and_pair=0), PRINTED[6]),
        (Combos(two_threes=2500), PRINTED[6]),
        (Combos(low_straight=500, high_straight=750), PRINTED[6]),
        (Combos(kinds="fixed", three_ones=300), PRINTED[6]),
        (Combos(three_pairs=0), NO_PAIRS),
        (EDITIONS["plain"].combos, NO_PAIRS),
    ],
)
def test_only_three_pairs_change_the_chance_and_only_for_six_dice(combos: Combos, six: Fraction) -> None:
    assert farkle_chance(6, combos) == six
    assert all(farkle_chance(dice, combos) == PRINTED[dice] for dice in range(1, 6))


def test_the_kinds_of_throws_stand_for_all_throws() -> None:
    for dice in range(1, 7):
        assert sum(count for count, _ in throws(dice)) == 6**dice == roll_of(dice, CLASSIC).total
    assert len(throws(6)) == 462


def options(throw: tuple[int, ...], combos: Combos) -> Iterator[tuple[int, int]]:
    """Points and dice left of every set-aside."""
    for keep in legal_keeps(throw, combos):
        yield keep.points, len(throw) - len(keep.dice) or 6


@pytest.mark.long
@pytest.mark.parametrize("needed", [50, 750])
@pytest.mark.parametrize(("points", "dice"), [(0, 6), (300, 3), (350, 1), (1000, 4), (700, 2), (17_950, 5)])
def test_a_roll_is_worth_the_mean_of_all_throws_each_played_best(points: int, dice: int, needed: int) -> None:
    table = turn_table(CLASSIC, needed)
    worth = chance = 0.0
    for throw in product(range(1, 7), repeat=dice):
        after = [table.best(points + more, left) for more, left in options(throw, CLASSIC)]
        best = max(after, key=lambda value: value.points, default=None)
        worth += best.points if best else 0
        chance += best.chance if best else 0
    assert table.rolled(points, dice).points == pytest.approx(worth / 6**dice, abs=1e-6)
    assert table.rolled(points, dice).chance == pytest.approx(chance / 6**dice, abs=1e-9)


@pytest.mark.parametrize("dice", range(1, 7))
def test_the_best_is_to_bank_or_to_roll_whichever_is_worth_more(dice: int) -> None:
    table = turn_table(CLASSIC, 750)
    for points in range(0, 5000, 50):
        rolled = table.rolled(points, dice).points
        assert table.best(points, dice).points == (max(points, rolled) if points >= 750 else rolled)


@pytest.mark.long
def test_near_the_cap_the_table_is_the_exact_value_in_fractions() -> None:
    """From the cap on a player banks; some steps below it every throw is played out."""
    combos = EDITIONS["plain"].combos
    table = turn_table(combos, 50)

    @cache
    def best(points: int, dice: int) -> Fraction:
        if points >= table.cap:
            return Fraction(points)
        worths = (
            max((best(points + more, left) for more, left in options(throw, combos)), default=Fraction(0))
            for throw in product(range(1, 7), repeat=dice)
        )
        return max(Fraction(points), sum(worths, start=Fraction(0)) / Fraction(6**dice))

    for dice in (1, 2, 3, 6):
        assert table.best(table.cap - 100, dice).points == pytest.approx(float(best(table.cap - 100, dice)))


class HigherCap(TurnTable):
    """The same turn, worked out from far beyond the cap."""

    def _cap(self) -> int:
        return super()._cap() + 5000


@pytest.mark.parametrize("edition", EDITIONS)
def test_nothing_is_cut_off_at_the_cap(edition: str) -> None:
    combos, needed = EDITIONS[edition].combos, max(EDITIONS[edition].opening, 50)
    table = turn_table(combos, needed)
    higher = HigherCap({dice: roll_of(dice, combos) for dice in range(1, 7)}, needed)
    assert higher.cap == table.cap + 5000
    for dice in range(1, 7):
        assert table.best(table.cap, dice).points == table.cap
        for points in (0, 350, 1000, table.cap - 50, table.cap, table.cap + 300):
            assert table.best(points, dice).points == pytest.approx(
                higher.best(points, dice).points, abs=1e-6
            )
            assert table.rolled(points, dice).points == pytest.approx(
                higher.rolled(points, dice).points, abs=1e-6
            )


def test_from_how_many_points_to_bank() -> None:
    table = turn_table(CLASSIC, 50)
    bank = {
        dice: next(points for points in range(50, 20_000, 50) if table.best(points, dice).points == points)
        for dice in range(1, 7)
    }
    assert bank == {1: 350, 2: 250, 3: 450, 4: 1050, 5: 3100, 6: 18_000}
    assert table.rolled(0, 6).points == pytest.approx(590.6608, abs=1e-4)


# Advice at the table.


def position(table: Table) -> TenThousandPosition:
    """Its position, known to be Ten Thousand."""
    found = table.history.position
    assert isinstance(found, TenThousandPosition)
    return found


def opened() -> Table:
    """Ann and Bob both have 1,000."""
    table = Table("ten-thousand", "Ann Bob", first="named")
    table.say("throws 1 1 1 2 3 4, banks, throws 1 1 1 2 3 4, banks")
    return table


def test_before_the_first_roll_advice_tells_what_a_turn_is_worth() -> None:
    (roll,) = advice(position(opened()))
    assert (roll.player, roll.words, roll.event) == ("Ann", "roll six dice", None)
    assert roll.points == pytest.approx(590.6608, abs=1e-4)
    assert roll.risk == pytest.approx(5 / 216)
    (first,) = advice(position(Table("ten-thousand", "Ann Bob", first="named")))
    assert first.points == pytest.approx(524.0706, abs=1e-4)


def test_bank_or_roll() -> None:
    table = opened()
    table.say("throws 6 6 6 2 3 4, keeps 6 6 6, throws 1 5 4, keeps 1 + 5")
    bank, roll = advice(position(table))
    assert (bank.words, bank.points, bank.chance, bank.risk, bank.event) == ("bank 750", 750, 1, 0, Cache())
    assert (roll.words, roll.event) == ("roll one die", None)
    assert roll.risk == pytest.approx(2 / 3)
    # A 1 or a 5 makes hot dice: all six are then rolled with 850 or 800 points.
    worth = (turn_table(CLASSIC, 50).best(850, 6).points + turn_table(CLASSIC, 50).best(800, 6).points) / 6
    assert roll.points == pytest.approx(worth)


def test_of_two_5s_one_may_better_stay_in_the_hand() -> None:
    """Five dice fail less often than four: 50 points fewer are the better start."""
    table = opened()
    table.say("throws 5 5 2 3 4 6")
    found = advice(position(table))
    assert found[0].words == "set aside a 5, then roll five dice"
    assert found[0].event == Pocket(combos=table.view.choices[1].event.combos)  # type: ignore[union-attr]
    assert {each.words for each in found} == {
        "set aside a 5, then roll five dice",
        "set aside two 5s, then roll four dice",
        "bank 100",
    }


def test_below_the_opening_nothing_is_banked() -> None:
    table = Table("ten-thousand", "Ann Bob", first="named")
    table.say("throws 6 6 6 5 2 3")
    assert all("bank" not in each.words for each in advice(position(table)))
    table = Table("ten-thousand", "Ann Bob", first="named", below="nothing")
    table.say("throws 6 6 6 5 2 3")
    assert advice(position(table))[-1].words == "bank 650"
    assert advice(position(table))[-1].points == 0


def test_the_chance_to_bring_points_in_one_turn_is_that_of_every_throw_played_for_them() -> None:
    reach = reach_table(CLASSIC)
    for missing, dice in [(50, 1), (500, 3), (1000, 2), (2000, 4), (3000, 5)]:
        likely = 0.0
        for throw in product(range(1, 7), repeat=dice):
            likely += max(
                (reach.best(missing - more, left) for more, left in options(throw, CLASSIC)), default=0
            )
        assert reach.rolled(missing, dice) == pytest.approx(likely / 6**dice)
    assert reach.rolled(50, 6) == pytest.approx(1 - 5 / 216)
    assert reach.rolled(0, 1) == reach.rolled(-300, 1) == pytest.approx(1 / 3)
    assert reach.best(0, 1) == 1
    assert reach.rolled(1500, 6) > reach.rolled(2000, 6) > reach.rolled(10_000, 6) > 0


def last_turn(**options: str) -> Table:
    """Ann has 2,000 and has begun the last round; Bob has 1,000."""
    table = Table("ten-thousand", "Ann Bob", first="named", target="2000", **options)
    table.say("throws 1 1 1 2 3 4, banks, throws 1 1 1 2 3 4, banks, throws 1 1 1 2 3 4, banks")
    return table


def test_in_the_last_turn_the_chance_to_win_is_told() -> None:
    table = last_turn()
    (roll,) = advice(position(table))
    assert roll.goal == pytest.approx(reach_table(CLASSIC).rolled(1050, 6))
    (roll,) = advice(position(last_turn(ties="shared")))
    assert roll.goal == pytest.approx(reach_table(CLASSIC).rolled(1000, 6))
    table.say("throws 6 6 6 1 5 4")
    found = {each.words: each for each in advice(position(table))}
    assert found["bank 750"].goal == 0
    whole = next(each for words, each in found.items() if words.startswith("set aside three 6s, a 1 and a 5"))
    assert whole.goal == pytest.approx(reach_table(CLASSIC).rolled(300, 1))
    table.say("keeps 6 6 6 + 1 + 5, throws 1, keeps 1")
    assert [each.goal for each in advice(position(table)) if each.event == Cache()] == [0]
    table.say("throws 2 2 2 3 4 6, keeps 2 2 2")
    bank, roll = sorted(advice(position(table)), key=lambda each: each.goal or 0, reverse=True)
    assert (bank.words, bank.goal) == ("bank 1,050", 1)
    assert roll.goal == pytest.approx(1 - 5 / 18)


def test_a_last_turn_must_also_bring_what_may_be_banked() -> None:
    line = Table("ten-thousand", "Ann Bob", first="named", target="3000", minimum="1500").line
    line = line.replace("turn=0 final=-", "turn=3 final=3").replace(
        "Ann:0@0 Bob:0@0", "Ann:3000@3 Bob:2950@2"
    )
    (roll,) = advice(rulebook("ten-thousand").parse(line))
    assert roll.goal == pytest.approx(reach_table(CLASSIC).rolled(1500, 6))


def test_before_the_last_turn_no_goal_is_told() -> None:
    table = Table("ten-thousand", "Ann Bob Cat", first="named", target="1000")
    table.say("throws 1 1 1 2 3 4, banks")
    assert [each.goal for each in advice(position(table))] == [None]
    table.say("throws 2 2 3 3 4 6")
    assert [each.goal for each in advice(position(table))] == [
        pytest.approx(reach_table(CLASSIC).rolled(1050, 6))
    ]


def test_nothing_to_choose_in_the_roll_off_and_after_the_end() -> None:
    assert advice(position(Table("ten-thousand", "Ann Bob"))) == ()
    table = Table("ten-thousand", "Ann Bob", first="named", last="none", target="1000")
    table.say("throws 1 1 1 2 3 4, banks")
    assert advice(position(table)) == ()


# House rules.


@pytest.mark.parametrize(("points", "dice"), [(0, 3), (150, 2), (250, 1), (300, 3)])
def test_where_the_target_is_reached_exactly_no_turn_brings_more(points: int, dice: int) -> None:
    """Rule 9c, every throw played out in fractions: 300 points are missing, and banks need 200."""
    combos, room = Combos(dice=3), 300
    table = TurnTable({count: roll_of(count, combos, every=True) for count in range(1, 4)}, 200, 0, room)

    @cache
    def rolled(points: int, dice: int) -> Fraction:
        worths = (
            max(
                (best(points + keep.points, dice - len(keep.dice) or 3) for keep in fitting(throw, points)),
                default=Fraction(0),
            )
            for throw in product(range(1, 7), repeat=dice)
        )
        return sum(worths, start=Fraction(0)) / Fraction(6**dice)

    def fitting(throw: tuple[int, ...], points: int) -> Iterator[Keep]:
        return (keep for keep in legal_keeps(throw, combos) if points + keep.points <= room)

    def best(points: int, dice: int) -> Fraction:
        banked = Fraction(points if points >= 200 else 0)
        return max(banked, rolled(points, dice))

    assert table.rolled(points, dice).points == pytest.approx(float(rolled(points, dice)))
    assert table.best(points, dice).points == pytest.approx(float(best(points, dice)))


@pytest.mark.long
@pytest.mark.parametrize(("points", "dice"), [(0, 6), (300, 3), (20_000, 2)])
def test_a_third_farkle_costs_what_was_agreed(points: int, dice: int) -> None:
    """Rule 6a: each throw is played best, and one without points costs 500."""
    table = turn_table(CLASSIC, 50, 500)
    worth = 0.0
    for throw in product(range(1, 7), repeat=dice):
        after = [table.best(points + more, left).points for more, left in options(throw, CLASSIC)]
        worth += max(after, default=-500)
    assert table.rolled(points, dice).points == pytest.approx(worth / 6**dice, abs=1e-6)
    assert table.rolled(points, dice).points < turn_table(CLASSIC, 50).rolled(points, dice).points


def test_a_third_farkle_costs_no_more_than_there_is() -> None:
    line = Table("ten-thousand", "Ann Bob", first="named", **{"three-farkles": "1000"}).line
    line = line.replace("turn=0", "turn=6").replace("Ann:0@0 Bob:0@0", "farkles=2,0 Ann:750@1 Bob:0@0")
    (roll,) = advice(rulebook("ten-thousand").parse(line))
    assert roll.points == pytest.approx(turn_table(CLASSIC, 50, 750).rolled(0, 6).points)


def test_points_may_be_taken_over_or_a_turn_begun() -> None:
    """Rule 8d."""
    table = Table("ten-thousand", "Ann Bob", first="named", opening="0", piggyback="yes")
    table.say("throws 1 1 1 5 3 4, banks")
    found = {each.words: each for each in advice(position(table))}
    assert set(found) == {"take over 1,050 and roll two dice", "roll six dice"}
    taken = found["take over 1,050 and roll two dice"]
    assert taken.points == turn_table(CLASSIC, 50).rolled(1050, 2).points
    assert taken.risk == pytest.approx(4 / 9)
    assert taken.event == table.view.choices[0].event
    table.history.take(table.view.choices[0].event)
    (roll,) = advice(position(table))
    assert (roll.words, roll.points) == ("roll two dice", taken.points)


def test_the_single_roll_of_the_last_round_is_banked_as_it_lies() -> None:
    """Rule 9b."""
    table = Table(
        "ten-thousand", "Ann Bob", first="named", opening="0", last="one-roll", target="1000", dice="5"
    )
    table.say("throws 1 1 1 2 3, banks")
    combos = position(table).agreed.combos
    (roll,) = advice(position(table))
    most = [
        max((keep.points for keep in legal_keeps(throw, combos)), default=0)
        for throw in product(range(1, 7), repeat=5)
    ]
    assert roll.points == pytest.approx(sum(most) / 6**5)
    assert roll.risk == pytest.approx(most.count(0) / 6**5)
    assert roll.goal == pytest.approx(sum(points > 1000 for points in most) / 6**5)


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"hot-dice": "must"}, "Where hot dice must be rolled again, no odds are known"),
        ({"exact": "yes", "target": "30000"}, "odds are known from 20000 missing points down."),
    ],
)
def test_where_no_odds_are_known_a_sentence_says_why(options: dict[str, str], why: str) -> None:
    start = rulebook("ten-thousand").start(("Ann", "Bob"), {"first": "named", **options})
    assert advice(start) == ()
    assert why in why_no_advice(start)


def test_five_dice_fail_as_often_and_have_straights_of_their_own() -> None:
    """Rule 3a."""
    combos = rulebook("ten-thousand").start(("Ann",), {"dice": "5"}).agreed.combos  # type: ignore[attr-defined]
    assert [farkle_chance(dice, combos) for dice in range(1, 6)] == [PRINTED[dice] for dice in range(1, 6)]
    assert turn_table(combos, 50).rolled(0, 5).points > turn_table(Combos(dice=5), 50).rolled(0, 5).points

"""The odds of ZONK, against all casts one by one, with D4s, more dice, Serpent's Stare and Final Chance."""

from fractions import Fraction
from itertools import product

import pytest

from engine.dice import Die
from engine.events import Cache, Play, Rolled, Stop
from engine.odds import advice
from engine.odds.zonk import Hand, dice_of, reach_table, throws, turn_table, zonk_chance
from engine.zonk import Modifiers, ZonkPosition, legal_pocketings
from tests.engine.say import Table
from tests.tiers import short_rows

PLAIN, STARE = Modifiers(), Modifiers(stare=True)
PRINTED = [
    Fraction(2, 3),
    Fraction(4, 9),
    Fraction(5, 18),
    Fraction(17, 108),
    Fraction(25, 324),
    Fraction(5, 216),
]


@pytest.mark.parametrize("dice", range(1, 7))
def test_the_chance_of_a_zonk_is_that_of_a_farkle(dice: int) -> None:
    assert zonk_chance(dice) == PRINTED[dice - 1]


def casts(d6: int, d4: int) -> list[tuple[Die, ...]]:
    """Every cast, one by one."""
    return [
        dice_of(large, small)
        for large in product(range(1, 7), repeat=d6)
        for small in product(range(1, 5), repeat=d4)
    ]


@pytest.mark.parametrize(
    ("d6", "d4"),
    short_rows([(1, 0), (0, 1), (1, 1), (2, 2), (0, 4), (3, 2), (5, 1), (0, 6), (4, 2)], 6),
)
@pytest.mark.parametrize("modifiers", [PLAIN, STARE, Modifiers(pairs="different")])
def test_the_chance_of_a_zonk_is_that_of_all_casts(d6: int, d4: int, modifiers: Modifiers) -> None:
    found = casts(d6, d4)
    lost = sum(not legal_pocketings(cast, modifiers) for cast in found)
    assert zonk_chance(d6, d4, modifiers) == Fraction(lost, len(found))


def test_seven_dice_never_zonk_and_a_d4_zonks_more_than_a_d6() -> None:
    assert zonk_chance(7) == zonk_chance(6, 1) == zonk_chance(9, 3) == 0
    assert zonk_chance(0, 1) == Fraction(3, 4) > zonk_chance(1)


def test_the_kinds_of_casts_stand_for_all_casts() -> None:
    for d6, d4 in [(6, 0), (5, 1), (2, 3), (0, 2)]:
        assert sum(count for count, _, _ in throws(d6, d4)) == 6**d6 * 4**d4


@pytest.mark.long
@pytest.mark.parametrize(
    ("hot", "hand", "points", "modifiers"),
    [
        ((6, 0), (6, 0), 0, PLAIN),
        ((6, 0), (3, 0), 400, PLAIN),
        ((6, 0), (1, 0), 250, STARE),
        ((6, 0), (2, 0), 100, STARE),
        ((5, 1), (4, 1), 0, PLAIN),
        ((4, 2), (1, 2), 300, PLAIN),
        ((7, 0), (5, 0), 3000, PLAIN),
    ],
)
def test_a_cast_is_worth_the_mean_of_all_casts_each_played_best(
    hot: tuple[int, int], hand: tuple[int, int], points: int, modifiers: Modifiers
) -> None:
    table = turn_table(hot, modifiers)
    worth = chance = 0.0
    found = casts(*hand)
    for cast in found:
        best = 0.0, 0.0
        for pocketing in legal_pocketings(cast, modifiers):
            d4 = hand[1] - sum(die.kind == "d4" for die in pocketing.dice)
            d6 = hand[0] + hand[1] - len(pocketing.dice) - d4
            left = (d6, d4, False) if d6 + d4 else (*hot, False)
            value = table.best(points + pocketing.points, left)
            best = max(best, (value.points, value.chance))
        worth, chance = worth + best[0], chance + best[1]
    assert table.rolled(points, (*hand, False)).points == pytest.approx(worth / len(found), abs=1e-6)
    assert table.rolled(points, (*hand, False)).chance == pytest.approx(chance / len(found), abs=1e-9)


def test_final_chance_casts_the_last_die_again_where_that_is_worth_more() -> None:
    table = turn_table((6, 0), PLAIN, chance=True)
    one, again = (1, 0, False), (1, 0, True)
    assert table.fails(again) == pytest.approx(2 / 3)
    assert table.fails(one) == pytest.approx(4 / 9)
    second = table.rolled(600, again).points
    after = [table.best(600 + more, (6, 0, False)).points for more in (100, 50)]
    assert second == pytest.approx(sum(after) / 6)
    assert table.rolled(600, one).points == pytest.approx(sum([*after, *[second] * 4]) / 6)
    assert turn_table((6, 0)).rolled(600, one).points == pytest.approx(second, rel=0.05)


@pytest.mark.long
def test_extra_dice_and_stare_are_worth_points_and_a_d4_costs_some() -> None:
    def turn(hot: tuple[int, int], modifiers: Modifiers = PLAIN) -> float:
        hand: Hand = (*hot, False)
        return turn_table(hot, modifiers).rolled(0, hand).points

    assert turn((6, 0)) == pytest.approx(557.9721, abs=1e-4)
    assert turn((7, 0)) > turn((6, 1)) > turn((6, 0), STARE) > turn((6, 0)) > turn((5, 1))


# Advice at the table.


def position(table: Table) -> ZonkPosition:
    """Its position, known to be ZONK."""
    found = table.history.position
    assert isinstance(found, ZonkPosition)
    return found


def zonk(*cards: str) -> Table:
    """Ann has cached a 1,000 and drawn these cards, in pairs."""
    table = Table("zonk", "Ann", deck="hand" if cards else "none")
    for pair in zip(cards[::2], cards[1::2], strict=True):
        table.say("casts 1 1 1 2 3 4, caches")
        table.say(", ".join(f"draws {card}" for card in pair))
    return table


def test_a_turn_before_its_first_cast() -> None:
    (cast,) = advice(position(zonk()))
    assert (cast.player, cast.event) == ("Ann", None)
    assert cast.words.startswith("cast ")
    assert cast.points == pytest.approx(557.9721, abs=1e-4)
    assert cast.risk == pytest.approx(5 / 216)


def test_pocketing_is_told_with_what_follows_best() -> None:
    table = zonk()
    table.say("casts 1 1 3 6 5 5")
    found = advice(position(table))
    offered = {choice.event for choice in table.view.choices}
    assert {each.event for each in found} == offered | {Cache()}
    assert all(position(table).after(each.event) for each in found if each.event)
    assert [each.points for each in found] == sorted((each.points for each in found), reverse=True)
    cache = next(each for each in found if each.event == Cache())
    assert (cache.points, cache.chance) == (300, 1)


def test_recast_or_cache() -> None:
    table = zonk()
    table.say("casts 1 1 1 2 3 4, pockets 1 1 1")
    found = advice(position(table))
    assert (found[0].words, found[0].points, found[0].event) == ("cache 1,000", 1000, Cache())
    (recast,) = [each for each in found if each.event is None]
    assert recast.risk == pytest.approx(5 / 18)
    assert recast.points == pytest.approx(turn_table((6, 0)).rolled(1000, (3, 0, False)).points)


@pytest.mark.long
def test_modifiers_in_force_change_the_odds() -> None:
    plain, stare = zonk(), zonk("Serpent's Stare", "Hot Hot Hot!")
    assert advice(position(stare))[0].points > advice(position(plain))[0].points + 80
    potion = advice(position(zonk("Potion of Shrinking", "Potion of Shrinking")))[0]
    assert potion.risk == pytest.approx(float(zonk_chance(4, 2)))


def test_hot_hot_hot_counts_from_the_first_hot_cast() -> None:
    """The turn begins with six dice, and seven are cast after all six are pocketed."""
    (cast,) = advice(position(zonk("Hot Hot Hot!", "Shadow Wizard's Money")))
    assert cast.risk == pytest.approx(5 / 216)
    assert cast.points == pytest.approx(turn_table((7, 0)).rolled(0, (6, 0, False)).points)


def test_a_held_card_is_told_as_played_now() -> None:
    table = zonk("Chaos Swap", "Dictate Fate")
    table.say("casts 2 2 3 3 4 6")
    found = {each.words: each for each in advice(position(table))}
    assert {type(each.event).__name__ for each in found.values()} == {"Play", "Stop"}
    assert next(each for each in found.values() if each.event == Stop()).points == 0
    for each in found.values():
        if not isinstance(each.event, Play):
            continue
        after = position(table).after(each.event)
        then = [other.points for other in advice(after) if not isinstance(other.event, Play)]
        assert each.points == pytest.approx(max(then))
    assert len([words for words in found if words.startswith("Chaos Swap")]) == 4  # the 2, 3, 4 and 6


def test_dictate_fate_is_worth_the_mean_of_six_faces() -> None:
    table = zonk("Dictate Fate", "Hot Hot Hot!")
    table.say("casts 2 2 3 3 4 6, plays Dictate Fate on 6")
    (cast,) = advice(position(table))
    worth = 0.0
    for face in range(1, 7):
        thrown = position(table).after(Rolled(dice=(Die("pip", face),)))
        worth += max((each.points for each in advice(thrown)), default=0.0) if thrown.slots else 0.0
    assert cast.points == pytest.approx(worth / 6)


def test_money_doubles_a_pocket_in_the_odds() -> None:
    table = zonk("Shadow Wizard's Money", "Dimensional Rift")
    table.say("casts 6 6 6 2 3 4, pockets 6 6 6")
    found = advice(position(table))
    money = next(each for each in found if "Money" in each.words)
    assert money.points >= 1200
    assert (
        money.points > max(each.points for each in found if "Money" not in each.words and each != money) - 1
    )


def test_in_a_round_s_last_turn_the_chance_of_the_quota_is_told() -> None:
    table = zonk()
    table.say("casts 6 6 6 2 3 4, caches")
    assert advice(position(table))[0].goal is None
    table.say("casts 2 2 3 3 4 6")
    (cast,) = advice(position(table))
    reach = reach_table((6, 0))
    assert cast.goal == pytest.approx(reach.rolled(400, (6, 0, False)))
    table.say("casts 2 2 2 3 4 6, pockets 2 2 2")
    found = {each.words: each for each in advice(position(table))}
    assert found["cache 200"].goal == 0
    (recast,) = [each for each in found.values() if each.event is None]
    assert recast.goal == pytest.approx(reach.rolled(200, (3, 0, False)))
    assert reach.rolled(200, (3, 0, False)) > reach.rolled(400, (3, 0, False)) > 0
    table.say("casts 1 1 3, pockets 1 + 1")
    assert {each.words: each.goal for each in advice(position(table))}["cache 400"] == 1


def test_a_quota_that_is_met_is_no_goal_any_more() -> None:
    table = zonk()
    table.say("casts 1 1 1 2 3 4, caches, casts 2 2 3 3 4 6")
    assert advice(position(table))[0].goal is None


@pytest.mark.long
def test_the_chance_of_points_is_that_of_all_casts_played_for_them() -> None:
    reach = reach_table((4, 2))
    for missing, hand in [(300, (2, 1)), (1000, (3, 2)), (50, (0, 2))]:
        likely = 0.0
        for cast in casts(*hand):
            best = 0.0
            for pocketing in legal_pocketings(cast):
                d4 = hand[1] - sum(die.kind == "d4" for die in pocketing.dice)
                d6 = sum(hand) - len(pocketing.dice) - d4
                best = max(
                    best,
                    reach.best(missing - pocketing.points, (d6, d4, False) if d6 + d4 else (4, 2, False)),
                )
            likely += best
        assert reach.rolled(missing, (*hand, False)) == pytest.approx(likely / len(casts(*hand)))


def test_final_chance_counts_for_the_quota() -> None:
    reach = reach_table((6, 0), PLAIN, chance=True)
    assert reach.rolled(50, (1, 0, True)) == pytest.approx(1 / 3)
    assert [reach.rolled(missing, (1, 0, False)) for missing in (0, 50)] == pytest.approx([5 / 9] * 2)


@pytest.mark.long
def test_no_advice_while_cards_are_drawn_and_with_too_many_dice() -> None:
    table = zonk("Magic Aura", "Magic Aura")
    assert len(advice(position(table))) == 1
    table.say("casts 1 1 1 2 3 4 6 6, caches")
    assert advice(position(table)) == ()
    table.say("draws Hot Hot Hot!, draws Hot Hot Hot!")
    assert advice(position(table)) == ()

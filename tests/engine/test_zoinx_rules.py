"""Zoinx, rules 1 to 7 of engine/zoinx.py: the turn. Every printed example is a row by its rule."""

import pytest

from engine.refusal import AgainstTheRules, Refused
from tests.engine.say import Table

GW, GF = "gamewright", "game-factory"
EDITIONS = [GW, GF]


def turn(edition: str, bets: str, rolls: str) -> str:
    """The scores after a first turn of the first named, whose name is nearest to Z where that matters."""
    players = " ".join(bet.split()[0] for bet in bets.split(", "))
    table = Table("zoinx", players, edition=edition)
    assert table.view.active == players.split()[0]
    table.say(", ".join(f"{name} bets {dots}" for name, dots in (bet.split() for bet in bets.split(", "))))
    table.say(rolls)
    return table.scores


EXAMPLES = {
    "6 Gamewright: bet 4, stopped at 4": (GW, "You 4, Carol 10", "rolls 4, stops", "You 4, Carol 0"),
    "6 Gamewright: bet 6, rolled 8": (GW, "You 6, Carol 10", "rolls 4, rolls 4, stops", "You 14, Carol 0"),
    "7a 7b Gamewright: five dots, then a zoinx": (
        GW,
        "You 8, Noah 4, Carol 6, Nathan 0",
        "rolls 4, rolls 1, zoinx",
        "You 0, Noah 4, Carol 0, Nathan 5",
    ),
    "7 Gamewright: bet 6, rolled 8": (GW, "Zoe 2, You 6", "rolls 4, rolls 4, stops", "Zoe 10, You 6"),
    "7 Gamewright: bet 8, stopped at 6": (GW, "Zoe 2, You 8", "rolls 4, rolls 2, stops", "Zoe 8, You 0"),
    "6 Game Factory: bet 4, rolled 4": (GF, "Active 4, Mate 10", "rolls 4, stops", "Active 4, Mate 0"),
    "6 Game Factory: bet 6, rolled 8": (GF, "Eva 6, Mate 10", "rolls 4, rolls 4, stops", "Eva 14, Mate 0"),
    "7a Game Factory: bet 6, 8 and a zoinx": (
        GF,
        "Eva 10, Mate 6",
        "rolls 4, rolls 4, zoinx",
        "Eva 0, Mate 6",
    ),
    "7 Game Factory: bet 6, four dots": (GF, "Eva 4, Mate 6", "rolls 4, stops", "Eva 4, Mate 0"),
    "7b Game Factory: bet 0 (ruling 1), 8 and a zoinx": (
        GF,
        "Eva 10, Mate 0",
        "rolls 4, rolls 4, zoinx",
        "Eva 0, Mate 5",
    ),
    "7a 7b Game Factory: the scored round (ruling 1)": (
        GF,
        "Melanie 8, Barbara 4, Andreas 6, Rolf 0",
        "rolls 4, zoinx",
        "Melanie 0, Barbara 4, Andreas 0, Rolf 5",
    ),
}


@pytest.mark.parametrize("example", EXAMPLES)
def test_rule(example: str) -> None:
    edition, bets, rolls, scores = EXAMPLES[example]
    assert turn(edition, bets, rolls) == scores


@pytest.mark.parametrize("edition", EDITIONS)
def test_rule_7b_a_bet_of_0_scores_nothing_when_the_active_player_stops(edition: str) -> None:
    assert turn(edition, "Zoe 2, Bob 0", "rolls 2, stops") == "Zoe 2, Bob 0"


@pytest.mark.parametrize("edition", EDITIONS)
def test_rule_7b_a_bet_of_0_scores_5_on_a_first_roll_without_dots(edition: str) -> None:
    assert turn(edition, "Zoe 2, Bob 0, Cat 2", "zoinx") == "Zoe 0, Bob 5, Cat 0"


@pytest.mark.parametrize("edition", EDITIONS)
def test_rule_6_a_zoinx_after_passing_the_own_bet_still_scores_0(edition: str) -> None:
    assert turn(edition, "Zoe 2, Bob 2", "rolls 4, zoinx") == "Zoe 0, Bob 2"


def test_rule_6_one_dot_over_the_bet_is_bet_plus_all_dots() -> None:
    assert turn(GW, "Zoe 10, Bob 10", "rolls 4, rolls 4, rolls 3, stops") == "Zoe 21, Bob 10"


@pytest.mark.parametrize("players", ["Ann", "Ann Bob Cat Dan Eve"])
def test_rule_1_two_to_four_play(players: str) -> None:
    with pytest.raises(AgainstTheRules, match=r"Zoinx is for two to four players; (one|five) .*\(rule 1\)"):
        Table("zoinx", players)


def test_rule_1_turns_go_on_in_seating_order() -> None:
    table = Table("zoinx", "Ann Zoe Bob")
    order = []
    for _ in range(4):
        order.append(table.view.active)
        table.say("Ann bets 10, Zoe bets 10, Bob bets 10, zoinx")
    assert order == ["Zoe", "Bob", "Ann", "Zoe"]


def test_rule_1_a_stranger_cannot_bet() -> None:
    table = Table("zoinx", "Ann Bob")
    assert table.refused("Cat bets 4") == "Nobody at this table is called Cat; here sit Ann and Bob. (rule 1)"


FIRST_BY_NAME = [
    ("Ann Zoe Bob", "Zoe"),
    ("zoe Yves", "zoe"),
    ("Ann ann2 ", "Ann"),  # a digit is no letter: both read "ann", and Ann sits first
    ("Ann Anna", "Anna"),
    ("Oskar Ömer Otto", "Otto"),  # Ö reads as O
    ("Özil Oxana", "Özil"),
    ("Ørjan Orhan", "Ørjan"),
    ("Straßf Strassg", "Strassg"),
    ("42 Bo", "Bo"),
    ("Élise Elif", "Élise"),
    ("Łukasz Lukas", "Łukasz"),
]


@pytest.mark.parametrize(("players", "first"), FIRST_BY_NAME, ids=[row[0] for row in FIRST_BY_NAME])
def test_rule_2a_the_name_nearest_to_z_begins(players: str, first: str) -> None:
    assert Table("zoinx", players).view.active == first


def test_rule_2_the_youngest_begins_the_game_factory_edition() -> None:
    assert Table("zoinx", "Zoe Bob Ann", edition=GF, youngest="Ann").view.active == "Ann"


def test_rule_2_unless_told_the_first_named_begins_the_game_factory_edition() -> None:
    assert Table("zoinx", "Bob Zoe", edition=GF).view.active == "Bob"


def test_rule_2_youngest_must_be_at_the_table() -> None:
    with pytest.raises(Refused, match=r"Nobody at this table is called Cat"):
        Table("zoinx", "Bob Zoe", edition=GF, youngest="Cat")


def test_rule_2_the_gamewright_edition_asks_for_no_youngest() -> None:
    with pytest.raises(Refused, match=r"name nearest to Z begins.*\(rule 2\)"):
        Table("zoinx", "Bob Zoe", youngest="Bob")


@pytest.mark.parametrize("dots", [-2, 1, 3, 5, 7, 9, 11, 12])
def test_rule_3_the_bet_die_has_no_such_face(dots: int) -> None:
    table = Table("zoinx", "Ann Zoe")
    assert table.refused(f"Ann bets {dots}") == f"A bet is 0, 2, 4, 6, 8 or 10; got {dots}. (rule 3)"


def test_rule_3_nobody_rolls_or_stops_before_all_have_bet() -> None:
    table = Table("zoinx", "Ann Bob Zoe")
    table.say("Bob bets 4")
    assert table.refused("rolls 4") == "Ann and Zoe must lock a bet first. (rule 3)"
    assert table.refused("stops") == "Ann and Zoe must lock a bet first. (rule 3)"


def test_rule_3a_the_active_player_cannot_bet_0() -> None:
    table = Table("zoinx", "Ann Zoe")
    assert table.refused("Zoe bets 0") == "Zoe rolls this turn and cannot bet 0. (rule 3a)"
    table.say("Ann bets 0, Zoe bets 2, zoinx")
    assert table.refused("Ann bets 0") == "Ann rolls this turn and cannot bet 0. (rule 3a)"


def test_rule_3a_the_choices_shown_leave_out_the_0() -> None:
    table = Table("zoinx", "Ann Zoe")
    assert {choice.player: choice.choices for choice in table.view.allowed} == {
        "Ann": (0, 2, 4, 6, 8, 10),
        "Zoe": (2, 4, 6, 8, 10),
    }


def test_rule_3b_bets_are_shown_only_when_all_are_locked() -> None:
    table = Table("zoinx", "Ann Bob Zoe")
    assert table.say("Bob bets 8").bets == ("thinking", "locked", "thinking")
    assert table.say("Zoe bets 6").bets == ("thinking", "locked", "locked")
    assert table.say("Ann bets 0").bets == (0, 8, 6)
    assert table.view.news == "The bets: Ann 0, Bob 8, Zoe 6. Zoe rolls."


def test_rule_3b_a_locked_bet_stays_until_undo() -> None:
    table = Table("zoinx", "Ann Zoe")
    table.say("Ann bets 4")
    refusal = "Ann has locked a bet already. Only UNDO opens it again. (rule 3b)"
    assert table.refused("Ann bets 6") == table.refused("Ann bets 4") == refusal
    table.say("undo, Ann bets 6, Zoe bets 2")
    assert table.view.bets == (6, 2)


def test_rule_3b_no_bet_once_all_are_shown() -> None:
    table = Table("zoinx", "Ann Zoe")
    table.say("Ann bets 4, Zoe bets 2")
    assert table.refused("Ann bets 6") == "All bets are shown; Zoe is rolling. Bet again next turn. (rule 3b)"


@pytest.mark.parametrize(
    ("thrown", "told"),
    [
        ("throws 1 2 3 4", "four pip dice"),
        ("throws 6", "one pip die"),
        ("rolls 2 of 3", "three Zoinx dice"),
        ("rolls 0 of 3", "three Zoinx dice"),
        ("rolls 5 of 5", "five Zoinx dice"),
    ],
)
def test_rule_4_only_four_zoinx_dice_count(thrown: str, told: str) -> None:
    table = Table("zoinx", "Ann Zoe")
    table.say("Ann bets 4, Zoe bets 2")
    assert f"A roll is four Zoinx dice; this is {told}." in table.refused(thrown)


def test_rule_4a_below_the_bet_the_active_player_must_roll_again() -> None:
    table = Table("zoinx", "Ann Zoe")
    table.say("Ann bets 4, Zoe bets 6")
    assert table.refused("stops") == "Zoe bet 6 and has 0 dots: roll again. (rule 4a)"
    table.say("rolls 4, rolls 1")
    assert table.refused("stops") == "Zoe bet 6 and has 5 dots: roll again. (rule 4a)"
    assert table.may == "Zoe roll_done"


def test_rule_4b_at_the_bet_and_above_the_active_player_may_stop_or_roll() -> None:
    table = Table("zoinx", "Ann Zoe")
    table.say("Ann bets 4, Zoe bets 4, rolls 4")
    assert table.may == "Zoe roll_done, Zoe stop"
    table.say("rolls 1")
    assert table.may == "Zoe roll_done, Zoe stop"
    assert table.view.running == 5


def test_rule_5_a_zoinx_ends_the_turn_at_once() -> None:
    table = Table("zoinx", "Ann Zoe")
    view = table.say("Ann bets 4, Zoe bets 4, rolls 4, zoinx")
    assert (view.phase, view.active, view.banner, view.running) == ("bet", "Ann", "ZOINX", None)
    assert view.news == "ZOINX! Zoe loses the turn. Points: Ann 4."
    assert view.last_roll == ("square",) * 4


def test_the_view_waits_for_four_zoinx_dice_only_while_rolling() -> None:
    table = Table("zoinx", "Ann Zoe")
    assert table.view.wanted is None
    wanted = table.say("Ann bets 4, Zoe bets 4").wanted
    assert wanted is not None
    assert (wanted.kind, wanted.count) == ("zoinx", 4)


def test_each_roll_is_told_with_what_the_turn_has_and_what_is_missing() -> None:
    table = Table("zoinx", "Ann Bob", edition="game-factory")
    table.say("Ann bets 6, Bob bets 0")
    assert table.view.news == "The bets: Ann 6, Bob 0. Ann rolls."
    assert table.view.buttons == ("bet", "roll_done", "stop")
    assert table.say("rolls 1").news == "Ann rolls 1 dot. 5 to go to the bet of 6."
    assert table.say("rolls 2").news == "Ann rolls 2 dots more, 3 in all. 3 to go to the bet of 6."

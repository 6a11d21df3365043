"""ZONK, rules 1, 2, 8, 11 and 12 of engine/zonk: runs, quotas, the deck, several players, the end."""

from collections import Counter
from hashlib import sha256

import pytest

from engine.events import Draw
from engine.game import Ending
from engine.refusal import Refused, Unreadable
from engine.rulebooks import rulebook
from engine.zonk.state import CARDS, NAMES, shuffle
from tests.engine.say import Table
from tests.engine.zonk_table import dice, fact

ZONK = "casts 2 3 4 6 2 3"
HUNDRED = "casts 1 2 3 4 2 3, caches"
THOUSAND = "casts 1 1 1 2 3 4, caches"
RAINBOW = "casts 1 2 3 4 5 6, caches"


def told(table: Table, turns: str) -> None:
    """Turns in a row: z zonks, c caches 100, t 1,000, r 2,500; spaces are for the reader."""
    for turn in turns.replace(" ", ""):
        table.say({"z": ZONK, "c": HUNDRED, "t": THOUSAND, "r": RAINBOW}[turn])


def played(turns: str, players: str = "Ann", **options: str) -> Table:
    """A game without cards."""
    table = Table("zonk", players, deck="none", **options)
    told(table, turns)
    return table


def ending(table: Table) -> Ending:
    """The ending, which must have come."""
    found = table.view.ending
    assert found is not None
    assert table.view.news.endswith(found.cause)
    return found


def test_rule_2_three_rounds_of_three_turns() -> None:
    table = played("")
    seen = []
    for turn in "tzzrzzrct":
        seen.append((fact(table.view, "round", "Ann"), fact(table.view, "turn", "Ann")))
        told(table, turn)
    assert seen == [(str(lap), str(turn)) for lap in (1, 2, 3) for turn in (1, 2, 3)]
    assert ending(table) == Ending(
        winners=("Ann",), cause="Ann wins: all three quotas met, 7,100 points (rule 11)."
    )


def test_rule_2_the_quotas() -> None:
    table = played("")
    assert fact(table.view, "quota", "Ann") == "0 of 1,000"
    told(table, "t")
    assert fact(table.view, "quota", "Ann") == "1,000 of 1,000"
    told(table, "zz")
    assert fact(table.view, "quota", "Ann") == "0 of 2,000"
    told(table, "ttz")
    assert fact(table.view, "quota", "Ann") == "0 of 3,000"


def test_rule_2a_a_round_goes_on_after_its_quota_is_met() -> None:
    assert fact(played("r").view, "round", "Ann") == "1"
    assert played("rt").scores == "Ann 3500"


@pytest.mark.parametrize(
    ("turns", "lost"),
    [("ccc", 1), ("tzzttz", None), ("tzztcz", 2), ("tzzttzrcc", 3), ("tzzttzttt", None), ("zzz", 1)],
)
def test_rule_2c_a_missed_quota_ends_the_run(turns: str, lost: int | None) -> None:
    table = played(turns)
    if lost is None:
        assert table.view.ending is None or table.view.ending.winners
        return
    assert ending(table) == Ending(winners=(), cause=f"The run is lost: Ann in round {lost} (rule 11b).")
    assert (table.view.banner, table.view.active, table.view.allowed) == ("LOST", None, ())
    assert fact(table.view, "run", "Ann") == "lost"


def test_rule_2c_the_news_tell_what_was_missed() -> None:
    assert "Ann misses the quota of round 2: 1,100 of 2,000." in played("tzztcz").view.news
    assert "Ann meets the quota of round 1 with 1,100." in played("tcz").view.news
    assert "round 3 with 3,000 and has won the run." in played("tzzttzttt").view.news


def test_rule_2b_the_quota_over_the_run() -> None:
    assert ending(played("rzz zzz")).winners == ()
    table = played("rzz zzz", quota="run")
    assert table.view.ending is None
    assert fact(table.view, "quota", "Ann") == "2,500 of 3,000"
    table = played("rzz zzz ccc", quota="run")
    assert "Ann misses the quota of round 3: 2,800 of 3,000." in table.view.news
    assert ending(played("rzz zzz tzz", quota="run")).winners == ("Ann",)


def test_rule_12_nothing_counts_after_the_end_but_undo_goes_back() -> None:
    table = played("zzz")
    for words in (ZONK, "caches", "stops", "pockets 1", "draws Magic Aura", "plays Chaos Swap on 1"):
        assert table.refused(words) == "The game is over; nothing counts any more. (rule 12)"
    assert table.say("undo").phase == "cast"


# Several players


def test_rule_1_turns_in_seating_order_each_with_a_run() -> None:
    table = played("", "Ann Bob Cat")
    for name in ("Ann", "Bob", "Cat") * 2:
        assert table.view.active == name
        told(table, "t" if name == "Bob" else "c")
    assert table.scores == "Ann 200, Bob 2000, Cat 200"


def test_rule_1_one_to_eight() -> None:
    assert len(Table("zonk", "A B C D E F G H", deck="none").view.players) == 8
    with pytest.raises(Refused, match="ZONK is for one to eight players; nine players came"):
        Table("zonk", "A B C D E F G H I")
    with pytest.raises(Refused, match="no players came"):
        Table("zonk", "")


def test_rule_2c_the_others_go_on_without_the_lost() -> None:
    table = played("tct zcz zcz", "Ann Bob Cat")
    assert table.view.active == "Ann"
    assert fact(table.view, "run", "Bob") == "lost"
    told(table, "t")
    assert table.view.active == "Cat"
    told(table, "t")
    assert table.view.active == "Ann"


def test_rule_11_the_most_points_of_those_who_won_their_runs() -> None:
    table = played("tr zz zz rr zz zz rr tt ct", "Ann Bob")
    assert table.scores == "Ann 7100, Bob 9500"
    assert ending(table) == Ending(
        winners=("Bob",), cause="Bob wins: all three quotas met, 9,500 points (rule 11)."
    )
    assert table.view.banner == "Bob"


def test_rule_11_more_points_in_a_lost_run_do_not_win() -> None:
    table = played("rtrzrzctctczrtz", "Ann Bob")
    assert table.scores == "Ann 7800, Bob 6500"
    assert ending(table).winners == ("Bob",)


def test_rule_11_option_winner_all() -> None:
    table = played("trzzzzrrzzzzrrttct", "Ann Bob", winner="all")
    assert ending(table) == Ending(
        winners=("Ann", "Bob"),
        cause="Ann and Bob win: all three quotas met, 7,100 and 9,500 points (rule 11).",
    )
    assert table.view.banner == "SHARED"


def test_rule_11a_a_tie_is_shared() -> None:
    table = played("ttzzzzrrzzzzrrttzz", "Ann Bob")
    assert ending(table) == Ending(
        winners=("Ann", "Bob"), cause="Ann and Bob share the win with 7,000 points (rule 11a)."
    )


def test_rule_11b_nobody_wins_when_every_run_is_lost() -> None:
    table = played("tzzzzzzzz", "Ann Bob")
    assert ending(table) == Ending(
        winners=(), cause="Every run is lost: Ann in round 2 and Bob in round 1 (rule 11b)."
    )


# The deck


def test_rule_8_two_cards_at_the_end_of_each_turn_cached_or_zonked() -> None:
    for turn in (THOUSAND, ZONK):
        table = Table("zonk", "Ann")
        view = table.say(turn)
        assert (view.phase, view.allowed, view.wanted) == ("draw", (), None)
        assert view.news.endswith("Ann draws two cards.")
        view = table.say("draws Magic Aura")
        assert (view.phase, view.news) == ("draw", "Ann draws Magic Aura, in force from now on.")
        view = table.say("draws Chaos Swap")
        assert (view.phase, view.wanted) == ("cast", dice(7))
        assert view.news == "Ann draws Chaos Swap, to be held and played once. Ann casts seven dice."
        assert fact(view, "modifiers", "Ann") == "Magic Aura"
        assert fact(view, "items", "Ann") == "Chaos Swap"


def test_rule_8_nothing_else_before_the_cards_are_drawn() -> None:
    table = Table("zonk", "Ann")
    table.say(THOUSAND)
    for words in (ZONK, "caches", "stops", "pockets 1", "plays Chaos Swap on 1"):
        assert table.refused(words) == "Ann must draw a card first: say which it is. (rule 8)"
    assert table.refused("draws Ace of Spades").startswith("No card is called Ace of Spades; there are Magic")


def test_rule_8_the_choices_are_the_cards_that_can_be_left() -> None:
    table = Table("zonk", "Ann", copies="1")
    table.say(f"{THOUSAND}, draws Magic Aura")
    listed = [choice.event for choice in table.view.choices]
    assert listed == [Draw(card=name) for name in list(NAMES.values())[1:]]


@pytest.mark.parametrize(
    "said", ["Shadow Wizard's Money", "shadow wizards money", "MONEY", "Shadow Wizard’s Money"]
)
def test_rule_8d_a_card_by_any_writing_of_its_name(said: str) -> None:
    table = Table("zonk", "Ann")
    table.say(f"{THOUSAND}, draws {said}")
    assert fact(table.view, "items", "Ann") == "Shadow Wizard's Money"


def test_rule_8a_nobody_draws_at_the_end_of_a_run() -> None:
    table = Table("zonk", "Ann")
    table.say(
        f"{ZONK}, draws Hot Hot Hot!, draws Chaos Swap, {HUNDRED}, draws Final Chance, draws Chaos Swap"
    )
    assert table.say(HUNDRED).ending is not None


def test_rule_8b_an_empty_deck_gives_none() -> None:
    table = Table("zonk", "Ann Bob", copies="1")
    cards = iter(["tonic", "fate", "rift", "money", "swap", "stare", "chance", "hot", "aura", "potion"])
    for _ in range(5):
        table.say(f"{THOUSAND}, draws {next(cards)}, draws {next(cards)}")
    assert (table.view.active, table.view.phase) == ("Bob", "cast")
    view = table.say(THOUSAND)
    assert (view.active, view.phase) == ("Ann", "cast")


def test_rule_8c_no_more_copies_than_the_deck_has() -> None:
    table = Table("zonk", "Ann", copies="1")
    table.say(f"{THOUSAND}, draws Magic Aura")
    assert table.refused("draws Magic Aura") == "The only copy of Magic Aura left the deck before. (rule 8c)"
    table = Table("zonk", "Ann")
    table.say(f"{THOUSAND}, draws Chaos Swap, draws Chaos Swap, {THOUSAND}")
    assert table.refused("draws Chaos Swap") == "All 2 copies of Chaos Swap left the deck before. (rule 8c)"


def test_rule_8_one_deck_for_the_table_and_each_keeps_the_own_cards() -> None:
    table = Table("zonk", "Ann Bob")
    table.say(f"{THOUSAND}, draws Magic Aura, draws Chaos Swap")
    assert (table.view.active, table.view.wanted) == ("Bob", dice(6))
    table.say("casts 2 3 4 6 2 3, draws Magic Aura, draws Dictate Fate")
    assert table.view.wanted == dice(7)
    table.say("casts 6 2 3 4 3 2 1")
    assert table.refused("plays Dictate Fate on 6").endswith("Ann holds Chaos Swap. (rule 10)")
    table.say("undo, casts 1 1 1 2 3 4 6, caches")
    assert table.refused("draws Magic Aura").startswith("All 2 copies")


def test_rule_8d_without_a_deck_nobody_draws() -> None:
    table = played("t")
    assert table.view.phase == "cast"


def test_rule_8e_the_box_draws_from_the_top_of_its_deck() -> None:
    table = Table("zonk", "Ann", deck="box", seed="lucky", copies="2")
    top = shuffle("lucky", 2)
    view = table.say("casts 1 1 1 2 3 4, caches")
    assert view.phase == "cast"
    assert f"Ann draws {NAMES[top[0]]} and {NAMES[top[1]]}." in view.news
    drawn = {name for name in NAMES.values() if name in str(view.facts)}
    assert drawn == {NAMES[top[0]], NAMES[top[1]]}


@pytest.mark.parametrize("copies", [1, 2, 3, 4])
def test_rule_8e_the_shuffle_is_the_rule_s(copies: int) -> None:
    names = [f"Ö 7/{card}/{number}" for card in CARDS for number in range(1, copies + 1)]
    by_hand = sorted(names, key=lambda name: sha256(name.encode()).digest())
    assert [name.split("/")[-2] for name in by_hand] == list(shuffle("Ö 7", copies))
    assert Counter(shuffle("Ö 7", copies)) == dict.fromkeys(CARDS, copies)
    assert shuffle("Ö 7", copies) != shuffle("Ö 8", copies)


def test_rule_8e_a_seed_s_deck_stays_what_it_is() -> None:
    """Sorted by sha256sum in a shell; a game on the disk must find its deck again."""
    deck = "swap fate potion chance money stare tonic rift hot aura"
    assert " ".join(shuffle("lucky", 1)) == deck


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"seed": "lucky"}, "Only the box's own deck has a seed. Choose deck=box, or leave out the seed."),
        ({"deck": "box", "seed": "x" * 41}, "The seed is at most 40 characters that can be shown"),
        (
            {"deck": "box", "seed": "a\nb"},
            "The seed is at most 40 characters that can be shown; got 'a\\nb'.",
        ),
        ({"deck": "box", "seed": "\ud800"}, "The seed is at most 40 characters"),
        ({"copies": "5"}, "The option copies is 2, 1, 3 or 4; got 5."),
        ({"deck": "tarot"}, "The option deck is hand, box or none; got tarot."),
        ({"quotas": "run"}, "ZONK has no option called quotas"),
    ],
)
def test_wrong_options_are_told(options: dict[str, str], reason: str) -> None:
    with pytest.raises(Unreadable) as refusal:
        rulebook("zonk").start(("Ann",), options)
    assert reason in str(refusal.value)

"""Draws, byes, standings and corrections: every tournament ends with one winner, however its matches go."""

import random
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from typing import get_args

import pytest

from engine.refusal import Refused
from engine.tournament import (
    DRAW_VERSION,
    BracketMatch,
    FinalPlace,
    Tournament,
    TournamentFormat,
    champion,
    matches,
    rank,
    why_not,
)
from engine.tournament.bracket import NO_SCORES, Scores

NAMES = tuple(f"P{number}" for number in range(1, 65))
ELIMINATIONS: tuple[TournamentFormat, ...] = ("book", "single", "double")


def champion_of(
    tournament: Tournament,
    winners: dict[int, str],
    withdrawn: Collection[str] = (),
    scores: Scores = NO_SCORES,
) -> str:
    return champion(tournament, matches(tournament, winners, withdrawn, scores))


def places(
    tournament: Tournament,
    winners: dict[int, str],
    withdrawn: Collection[str] = (),
    scores: Scores = NO_SCORES,
) -> tuple[FinalPlace, ...]:
    return rank(tournament, matches(tournament, winners, withdrawn, scores))


def with_walkovers(
    tournament: Tournament, winners: dict[int, str], withdrawn: Collection[str] = ()
) -> dict[int, str]:
    """The winners, those among them who won because the other one withdrew (rule T6)."""
    made = matches(tournament, winners, withdrawn)
    return {**winners, **{each.number: each.winner for each in made if each.winner}}


def next_match(tournament: Tournament, winners: dict[int, str]) -> BracketMatch | None:
    return next((each for each in matches(tournament, winners) if each.ready), None)


def played(tournament: Tournament, chance: random.Random) -> dict[int, str]:
    """All matches played, each won by chance."""
    winners: dict[int, str] = {}
    while (match := next_match(tournament, winners)) is not None and len(winners) < 2500:
        assert refusal(tournament, winners, (), match.number, match.players[0]) == ""
        winners[match.number] = chance.choice(match.players)
    return winners


def refusal(
    tournament: Tournament, winners: dict[int, str], begun: Collection[int], number: int, winner: str
) -> str:
    """Why that match cannot have that winner."""
    before, after = matches(tournament, winners), matches(tournament, {**winners, number: winner})
    return why_not(before, after, begun, number, winner)


def losses(tournament: Tournament, winners: dict[int, str]) -> Counter[str]:
    """How often each has lost."""
    told = matches(tournament, winners)
    return Counter(name for each in told if each.winner for name in each.players if name != each.winner)


def favourites(tournament: Tournament) -> dict[int, str]:
    """The better seed wins each match."""
    winners: dict[int, str] = {}
    while (match := next_match(tournament, winners)) is not None:
        winners[match.number] = min(match.players, key=tournament.players.index)
    return winners


@pytest.mark.parametrize("kind", ELIMINATIONS)
@pytest.mark.parametrize("count", [2, 3, 5, 6, 7, 8, 13, 16, 33, 64])
def test_everybody_but_the_winner_loses_as_often_as_it_takes(kind: TournamentFormat, count: int) -> None:
    tournament = Tournament(kind, NAMES[:count])
    for seed in range(5):
        winners = played(tournament, random.Random(seed))
        won = champion_of(tournament, winners)
        lost = losses(tournament, winners)
        most = 2 if kind == "double" else 1
        assert won in tournament.players
        assert lost[won] < most
        assert all(lost[name] == most for name in tournament.players if name != won)
        assert [each.player for each in places(tournament, winners) if each.place == 1] == [won]


def test_the_book_has_the_odd_one_go_on_and_play_the_first_match_of_the_next_round() -> None:
    """Rules 90 and 90a, as `engine.end_zone` has them: five players."""
    tournament = Tournament("book", ("Ann", "Bob", "Cat", "Dan", "Eve"))
    first = [each.players for each in matches(tournament, {}) if each.ready]
    assert first == [("Ann", "Bob"), ("Cat", "Dan")]
    after = matches(tournament, {1: "Bob", 2: "Cat"})
    assert [(each.round, each.players) for each in after[2:]] == [(2, ("Eve", "Bob")), (3, ("Cat", ""))]
    assert after[3].sides[1].words == "the winner of match 3"


def test_the_best_seeds_have_the_byes_and_meet_in_the_last_match_alone() -> None:
    tournament = Tournament("single", NAMES[:6])
    first = [each.players for each in matches(tournament, {}) if each.round == 1]
    assert first == [("P4", "P5"), ("P3", "P6")]
    told = matches(tournament, favourites(tournament))
    assert told[-1].players == ("P1", "P2")
    assert sum("P1" in each.players for each in told) == 2
    assert [each.place for each in places(tournament, favourites(tournament))] == [1, 2, 3, 3, 5, 5]


def test_the_last_match_is_played_again_only_where_the_losers_side_wins_it() -> None:
    tournament = Tournament("double", NAMES[:8])
    winners = favourites(tournament)
    assert len(winners) == 14
    last = matches(tournament, winners)[-1]
    assert (last.bracket, last.players, last.winner) == ("final", ("P1", "P2"), "P1")
    again = winners | {14: "P2"}
    assert [each.bracket for each in matches(tournament, again)][-2:] == ["final", "final"]
    assert champion_of(tournament, again) == ""
    assert champion_of(tournament, again | {15: "P2"}) == "P2"


@pytest.mark.parametrize("count", [2, 3, 8, 9])
def test_in_a_round_robin_everybody_meets_everybody_once_and_nobody_twice_in_a_round(count: int) -> None:
    tournament = Tournament("round-robin", NAMES[:count])
    told = matches(tournament, {})
    assert len({frozenset(each.players) for each in told}) == len(told) == count * (count - 1) // 2
    for number in {each.round for each in told}:
        names = [name for each in told if each.round == number for name in each.players]
        assert len(names) == len(set(names))


@pytest.mark.parametrize("count", range(2, 17))
def test_a_round_robin_names_nobody_first_more_often_than_others(count: int) -> None:
    first = Counter(each.players[0] for each in matches(Tournament("round-robin", NAMES[:count]), {}))
    fair = {count // 2, count // 2 - 1} if count % 2 == 0 else {count // 2}
    assert {first[name] for name in NAMES[:count]} <= fair


def test_a_round_robin_follows_the_berger_tables() -> None:
    """FIDE's table for seven or eight players, rounds 1, 2 and 7."""
    told = matches(Tournament("round-robin", tuple("12345678")), {})
    rounds = {
        number: " ".join("-".join(each.players) for each in told if each.round == number)
        for number in (1, 2, 7)
    }
    assert rounds == {1: "1-8 2-7 3-6 4-5", 2: "8-5 6-4 7-3 1-2", 7: "4-8 5-3 6-2 7-1"}


def test_what_was_drawn_by_the_first_version_stays_as_it_was_drawn() -> None:
    """The matches of eight in version 1: results are stored by these numbers."""
    told = matches(Tournament("round-robin", tuple("12345678"), draw_version=1), {})
    assert [each.players for each in told[:5]] == [("1", "8"), ("2", "7"), ("3", "6"), ("4", "5"), ("1", "7")]
    assert Counter(each.players[0] for each in told)["1"] == 7
    old = Tournament("double", NAMES[:16], draw_version=1)
    later = [each for each in matches(old, favourites(old)) if each.bracket == "losers" and each.round == 4]
    assert [each.players for each in later] == [("P6", "P3"), ("P5", "P4")]


def test_among_equal_wins_those_against_one_another_decide() -> None:
    tournament = Tournament("round-robin", ("Ann", "Bea", "Cat", "Dan"))
    beats = {"Ann": "Bea Cat", "Bea": "Cat Dan", "Cat": "Dan", "Dan": "Ann"}
    winners = {
        each.number: next(name for name in each.players if set(each.players) & set(beats[name].split()))
        for each in matches(tournament, {})
    }
    assert [(each.place, each.player, each.wins) for each in places(tournament, winners)] == [
        (1, "Ann", 2),
        (2, "Bea", 2),
        (3, "Cat", 1),
        (4, "Dan", 1),
    ]
    assert champion_of(tournament, winners) == "Ann"


def test_the_king_stays_and_the_loser_goes_to_the_end_of_the_line() -> None:
    """Rules 71 and 80a, as `engine.end_zone` has them: the first match makes the King."""
    tournament = Tournament("king", ("Ann", "Bob", "Cat"), goal=2)
    winners: dict[int, str] = {}

    def line() -> Iterator[tuple[str, str]]:
        for winner in ("Ann", "Ann", "Bob", "Bob", "Bob"):
            match = next_match(tournament, winners)
            assert match is not None
            yield match.players
            winners[match.number] = winner

    assert list(line()) == [("Ann", "Bob"), ("Ann", "Cat"), ("Ann", "Bob"), ("Bob", "Cat"), ("Bob", "Ann")]
    assert next_match(tournament, winners) is None
    assert champion_of(tournament, winners) == "Bob"
    assert [(each.player, each.reigns) for each in places(tournament, winners)][:2] == [
        ("Bob", 2),
        ("Ann", 1),
    ]


def test_a_changed_winner_moves_on_unless_others_have_played_on_from_it() -> None:
    tournament = Tournament("single", ("Ann", "Bob", "Cat", "Dan"))
    winners = {1: "Ann", 2: "Bob"}
    assert [each.players for each in matches(tournament, {})][:2] == [("Ann", "Dan"), ("Bob", "Cat")]
    assert refusal(tournament, winners, (), 1, "Dan") == ""
    assert matches(tournament, winners | {1: "Dan"})[2].players == ("Dan", "Bob")
    assert refusal(tournament, winners, {3}, 1, "Dan") == (
        "Match 3 was begun by Ann and Bob, and with Dan in match 1 it would not be theirs. "
        "Take match 3 back first."
    )
    assert refusal(tournament, winners, {3}, 1, "Ann") == ""
    assert refusal(tournament, winners, {3}, 3, "Cat") == "Cat is not in match 3: it is Ann against Bob."
    assert "Nobody knows yet who plays match 3" in refusal(tournament, {1: "Ann"}, (), 3, "Ann")
    assert refusal(tournament, winners, (), 9, "Ann") == "There is no match 9."


@pytest.mark.parametrize(
    ("players", "goal", "why"),
    [
        (("Ann",), 0, "for 2 to 64 players"),
        (("Ann", "ann"), 0, "Two players are called"),
        (("Ann", " "), 0, "has a name"),
        (("Ann", "Bea"), 3, "King"),
    ],
)
def test_what_cannot_be_played_is_refused_in_a_sentence(
    players: tuple[str, ...], goal: int, why: str
) -> None:
    with pytest.raises(Refused, match=why):
        Tournament("single", players, goal)


def test_a_draw_of_a_newer_version_is_refused_in_a_sentence() -> None:
    with pytest.raises(Refused, match="drawn by a newer Callbox"):
        Tournament("single", ("Ann", "Bea"), draw_version=DRAW_VERSION + 1)


@pytest.mark.parametrize("kind", get_args(TournamentFormat))
def test_a_result_that_no_longer_fits_is_passed_over(kind: TournamentFormat) -> None:
    tournament = Tournament(kind, NAMES[:4])
    assert all(each.winner == "" for each in matches(tournament, {1: "somebody else"}))


@pytest.mark.parametrize("kind", get_args(TournamentFormat))
def test_who_meets_somebody_who_withdrew_goes_on_without_a_match(kind: TournamentFormat) -> None:
    tournament = Tournament(kind, NAMES[:5], 3 if kind == "king" else 0)
    first = matches(tournament, {})[0]
    gone = first.players[1]
    winners = with_walkovers(tournament, {}, {gone})
    assert winners[first.number] == first.players[0]
    assert gone not in winners.values()
    for each in matches(tournament, winners):
        assert not (each.ready and gone in each.players)


def test_a_match_of_two_who_withdrew_does_not_hold_up_the_bracket() -> None:
    tournament = Tournament("single", NAMES[:4])
    semi_finals = [each for each in matches(tournament, {}) if each.ready]
    both = semi_finals[0].players
    winners = with_walkovers(tournament, {semi_finals[1].number: semi_finals[1].players[0]}, both)
    assert champion_of(tournament, winners) == semi_finals[1].players[0]


def test_what_was_played_before_somebody_withdrew_stays() -> None:
    tournament = Tournament("round-robin", NAMES[:3])
    played_one = matches(tournament, {})[0]
    winners = with_walkovers(tournament, {played_one.number: played_one.players[1]}, {played_one.players[1]})
    assert winners[played_one.number] == played_one.players[1]
    later = [each for each in matches(tournament, winners) if played_one.players[1] in each.players][1:]
    assert [each.winner in each.players and each.winner != played_one.players[1] for each in later] == [True]


CYCLE = {"Ann": "Bea", "Bea": "Cat", "Cat": "Ann"}
"""Who beats whom among three: all have one win."""


def cycle(
    points: dict[str, int],
) -> tuple[Tournament, dict[int, str], dict[int, tuple[tuple[str, int], ...]]]:
    """A round robin of three in which all are equal by wins; each winner is ahead by so many points."""
    tournament = Tournament("round-robin", tuple(CYCLE))
    winners = dict[int, str]()
    scores = dict[int, tuple[tuple[str, int], ...]]()
    for each in matches(tournament, {}):
        one, other = each.players
        won, lost = (one, other) if CYCLE[one] == other else (other, one)
        winners[each.number], scores[each.number] = won, ((won, points[won]), (lost, 0))
    return tournament, winners, scores


def test_points_against_one_another_part_those_who_are_equal_by_wins() -> None:
    tournament, winners, scores = cycle({"Ann": 10, "Bea": 30, "Cat": 20})
    told = places(tournament, winners, scores=scores)
    assert [(each.place, each.player) for each in told] == [(1, "Bea"), (2, "Cat"), (3, "Ann")]
    assert champion_of(tournament, winners, scores=scores) == "Bea"
    assert len(matches(tournament, winners, scores=scores)) == 3


def test_equals_who_are_parted_by_points_are_compared_anew_by_their_own_match() -> None:
    """ITTF 3.7.5.3: once Cat is last, Ann and Bea come down to the match in which Ann beat Bea."""
    tournament, winners, scores = cycle({"Ann": 15, "Bea": 20, "Cat": 10})  # leads 5, 5, -10
    assert [each.player for each in places(tournament, winners, scores=scores)] == ["Ann", "Bea", "Cat"]


def test_who_still_shares_first_place_plays_for_it() -> None:
    tournament, winners, scores = cycle({"Ann": 10, "Bea": 10, "Cat": 10})
    told = matches(tournament, winners, scores=scores)
    assert champion_of(tournament, winners, scores=scores) == ""
    assert [each.place for each in places(tournament, winners, scores=scores)] == [1, 1, 1]
    assert [(each.number, each.bracket, each.players) for each in told[3:]] == [
        (4, "play-off", ("Bea", "Cat")),
        (5, "play-off", ("Ann", "")),
    ]
    winners |= {4: "Cat", 5: "Cat"}
    assert champion_of(tournament, winners, scores=scores) == "Cat"
    ranked = places(tournament, winners, scores=scores)
    assert [(each.place, each.player, each.wins) for each in ranked] == [
        (1, "Cat", 3),
        (2, "Ann", 1),
        (3, "Bea", 1),
    ]
    assert matches(tournament, {1: winners[1]}, scores=scores)[-1].bracket == ""


def test_no_play_off_comes_to_what_the_first_version_drew() -> None:
    _, winners, scores = cycle({"Ann": 10, "Bea": 30, "Cat": 20})
    old = Tournament("round-robin", tuple(CYCLE), draw_version=1)
    winners = {
        each.number: next(name for name in each.players if CYCLE[name] in each.players)
        for each in matches(old, {})
    }
    assert len(matches(old, winners, scores=scores)) == 3
    assert [each.place for each in places(old, winners, scores=scores)] == [1, 1, 1]


@pytest.mark.parametrize("kind", get_args(TournamentFormat))
def test_only_results_give_a_place(kind: TournamentFormat) -> None:
    tournament = Tournament(kind, NAMES[:4], 3 if kind == "king" else 0)
    assert {each.place for each in places(tournament, {})} == {0}
    first = matches(tournament, {})[0]
    won, lost = first.players
    found = {each.player: each.place for each in places(tournament, {first.number: won})}
    if kind == "round-robin":  # whoever waits may yet pass any of them
        assert set(found.values()) == {0}
        second = next(each for each in matches(tournament, {}) if not {won, lost} & {*each.players})
        both = {first.number: won, second.number: second.players[0]}
        assert [each.place for each in places(tournament, both)] == [1, 1, 3, 3]
        return
    assert found.pop(won) == 1
    assert found.pop(lost) > 1
    assert set(found.values()) == {0}


def count_calls(work: Callable[[], object]) -> int:
    """How many Python functions that calls."""
    found = 0

    def count(frame: object, event: str, argument: object) -> None:
        nonlocal found
        found += event == "call"

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(before)
    return found


@pytest.mark.parametrize("kind", get_args(TournamentFormat))
def test_withdrawals_and_standings_cost_as_much_as_there_are_matches(kind: TournamentFormat) -> None:
    """Twice the players: four times the matches of a round robin, twice those of the others."""

    def calls(count: int, look: Callable[[Tournament, dict[int, str], set[str]], object]) -> tuple[int, int]:
        tournament = Tournament(kind, NAMES[:count], count if kind == "king" else 0)
        gone = set(NAMES[: count // 16])
        made = matches(tournament, {}, gone)
        return count_calls(lambda: look(tournament, {}, gone)), len(made)

    for look in (with_walkovers, places, champion_of):
        few, some = calls(32, look)
        many, all_of_them = calls(64, look)
        assert many / few < 1.3 * max(2, all_of_them / some)


def test_every_event_by_chance_ends_with_just_one_winner() -> None:
    """All formats, with withdrawals, corrections and equal scores; play-offs come to an end."""
    play_offs = 0
    for seed in range(200):
        chance = random.Random(seed)
        kind = chance.choice(get_args(TournamentFormat))
        names = NAMES[: chance.randint(2, 16)]
        tournament = Tournament(kind, names, chance.randint(1, 3) if kind == "king" else 0)
        winners, scores, gone = dict[int, str](), dict[int, tuple[tuple[str, int], ...]](), set[str]()
        while ready := [each for each in matches(tournament, winners, gone, scores) if each.ready]:
            match = chance.choice(ready)
            winner = chance.choice(match.players)
            winners[match.number] = winner
            scores[match.number] = tuple((name, 1000 if name == winner else 900) for name in match.players)
            if chance.random() < 0.05 and len(names) - len(gone) > 2:
                gone.add(chance.choice([name for name in names if name not in gone]))
            if chance.random() < 0.1:
                number = chance.choice(list(winners))
                before = matches(tournament, winners, gone, scores)
                other = next(each for each in before if each.number == number).players
                changed = {**winners, number: chance.choice(other)}
                after = matches(tournament, changed, gone, scores)
                if not why_not(before, after, winners.keys(), number, changed[number]):
                    winners = changed
        won = champion_of(tournament, winners, gone, scores)
        assert won in names, (seed, kind, len(names))
        ranked = places(tournament, winners, gone, scores)
        assert [each.player for each in ranked if each.place == 1] == [won]
        play_offs += any(each.bracket == "play-off" for each in matches(tournament, winners, gone, scores))
    assert play_offs

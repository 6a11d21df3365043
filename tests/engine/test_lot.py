"""The draw by a number, and results that people sign off or decide."""

import hashlib

import pytest

from engine.refusal import Refused
from engine.tournament import Lot, TournamentAgreed, TournamentRecord, TournamentStep

FOUR = ("Ann", "Bob", "Cat", "Dan")
AT = "2026-11-20T12:00:00Z"


def drawn(lot: Lot | None = None) -> TournamentRecord:
    return TournamentRecord.draw(TournamentAgreed("Cup", "single", FOUR, "ten-thousand"), AT, lot=lot)


def sides(record: TournamentRecord) -> list[tuple[str, str]]:
    return [each.players for each in record.matches]


def test_who_knows_the_number_draws_the_same_whatever_the_order_of_the_list() -> None:
    by_hand = sorted(FOUR, key=lambda name: hashlib.sha256(b"4711 " + name.encode()).hexdigest())
    assert list(Lot(4711).order(FOUR)) == by_hand
    assert Lot(4711).order(FOUR[::-1]) == tuple(by_hand)
    assert len({Lot(number).order(FOUR) for number in range(1000)}) == 24


def test_seeds_keep_their_places_and_the_bracket_is_that_of_the_drawn_order() -> None:
    for number in range(50):
        order = Lot(number, seeds=2).order(FOUR)
        assert order[:2] == FOUR[:2]
        assert sides(drawn(Lot(number, 2)))[:2] == [(order[0], order[3]), (order[1], order[2])]
    assert sides(drawn())[:2] == [("Ann", "Dan"), ("Bob", "Cat")]
    with pytest.raises(Refused, match="5 seeds are more than 4 players"):
        drawn(Lot(1, seeds=5))


def with_game(record: TournamentRecord, winner: str) -> TournamentRecord:
    begun = record.after(TournamentStep("begun", AT, 1, 7))
    return begun.with_result(begun.result_step(7, (winner,), (("Ann", 100), ("Dan", 50)), AT))


def test_what_people_decide_stands_whatever_the_game_tells_later() -> None:
    record = with_game(drawn(), "Ann").rule(1, "Dan", (), "misread", AT, "Cleo")
    assert record.matches[0].winner == "Dan"
    assert record.so_far.ruled == {1: "misread"}
    again = record.with_result(record.result_step(7, ("Ann",), (("Ann", 200), ("Dan", 50)), AT))
    assert again is record
    taken = record.take_back(1, "a slip", AT, "Cleo")
    assert (taken.matches[0].winner, taken.so_far.ruled) == ("", {})


def test_a_match_is_decided_without_any_game_and_then_counts_as_begun() -> None:
    record = drawn().rule(1, "Dan", (("Ann", 1), ("Dan", 2)), "played on paper", AT, "Cleo")
    record = record.rule(2, "Bob", (), "played on paper", AT, "Cleo")
    final = record.rule(3, "Bob", (), "played on paper", AT, "Cleo")
    assert final.matches[2].players == ("Dan", "Bob")
    with pytest.raises(Refused, match="Take match 3 back first"):
        final.rule(1, "Ann", (), "misheard", AT, "Cleo")
    with pytest.raises(Refused, match="Take match 3 back first"):
        final.take_back(1, "misheard", AT, "Cleo")
    assert final.take_back(3, "a slip", AT, "Cleo").matches[2].winner == ""


@pytest.mark.parametrize(
    ("winner", "reason", "why"),
    [
        ("Dan", " ", "the reason is kept"),
        ("Bob", "misread", "Bob is not in match 1"),
    ],
)
def test_no_match_is_decided_without_a_reason_or_for_others(winner: str, reason: str, why: str) -> None:
    with pytest.raises(Refused, match=why):
        drawn().rule(1, winner, (), reason, AT, "Cleo")


def test_a_result_is_signed_once_and_another_one_anew() -> None:
    with pytest.raises(Refused, match="no result to sign off"):
        drawn().sign(1, AT, "Cleo")
    signed = with_game(drawn(), "Ann").sign(1, AT, "Cleo")
    assert signed.so_far.signed == {1: "Cleo"}
    with pytest.raises(Refused, match="Cleo has signed match 1 off already"):
        signed.sign(1, AT, "Eve")
    other = signed.with_result(signed.result_step(7, ("Dan",), (("Ann", 100), ("Dan", 150)), AT))
    assert other.so_far.signed == {}
    assert other.so_far.steps[1] == 4

"""Sealed letters: nobody but the box reads them, none counts twice, and all are equally long."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw

from device.people.sealed_requests import LENGTH_STEP, WINDOW, BadLetter, Envelope, Letter, ReplayGuard, Seal
from tests.device.people.page import sealed_for

SEAL = Seal()


def test_a_letter_is_opened_by_the_box_it_is_for() -> None:
    letter = SEAL.open(Envelope(**sealed_for(SEAL, "/bets", {"dots": 4})), "/bets")
    assert json.loads(bytes(letter.body)) == {"dots": 4}
    with pytest.raises(BadLetter, match="Reload the page"):
        Seal().open(Envelope(**sealed_for(SEAL, "/bets", {})), "/bets")


def test_a_letter_counts_where_it_was_sent_and_nowhere_else() -> None:
    with pytest.raises(BadLetter, match="sealed for /bets, and came to /games"):
        SEAL.open(Envelope(**sealed_for(SEAL, "/bets", {})), "/games")


def test_a_box_that_was_started_anew_keeps_its_key_and_takes_no_old_letter() -> None:
    again = Seal(SEAL.secret)
    assert again.public == SEAL.public
    with pytest.raises(BadLetter, match="restarted") as told:
        again.open(Envelope(**sealed_for(SEAL, "/bets", {})), "/bets")
    assert told.value.again


@given(key=st.text(max_size=60), nonce=st.text(max_size=40), sealed=st.text(max_size=80))
def test_whatever_is_no_letter_is_told_so(key: str, nonce: str, sealed: str) -> None:
    with pytest.raises(BadLetter):
        SEAL.open(Envelope(key, nonce, sealed), "/bets")


def test_a_key_that_opens_everything_is_refused() -> None:
    """A key of low order: what is sealed for it has a secret that anybody knows."""
    zero = "A" * 43 + "="
    with pytest.raises(BadLetter):
        SEAL.open(Envelope(zero, "A" * 32, "A" * 88), "/bets")


def test_a_changed_bit_is_no_letter() -> None:
    whole = sealed_for(SEAL, "/bets", {"dots": 4})
    first = "B" if whole["sealed"][0] == "A" else "A"
    with pytest.raises(BadLetter):
        SEAL.open(Envelope(**{**whole, "sealed": first + whole["sealed"][1:]}), "/bets")


def test_answers_have_one_length() -> None:
    key = sealed_for(SEAL, "/bets", {})["key"]
    lengths = {len(SEAL.close(key, b"x" * size).sealed) for size in range(1, LENGTH_STEP + 1)}
    assert len(lengths) == 1


def letter(count: int, seal: Seal = SEAL) -> Letter:
    return Letter(word=seal.word, count=count, path="/bets", body=Raw(b"{}"))


def accepts(guard: ReplayGuard, count: int, *, key: str = "ann", has_role: bool = True) -> bool:
    return guard.accept(key, letter(count), has_role=has_role)


def test_a_letter_of_a_page_with_a_role_counts_once() -> None:
    guard = ReplayGuard(SEAL)
    assert accepts(guard, 3, key="somebody", has_role=False)
    guard.remember("ann", 10)
    assert [accepts(guard, count) for count in (9, 10, 12, 11, 12, 11)] == [
        False,
        False,
        True,
        True,
        False,
        False,
    ]


def test_a_page_that_had_its_role_before_the_start_is_counted_from_its_first_letter() -> None:
    guard = ReplayGuard(SEAL)
    assert [accepts(guard, count) for count in (7, 7, 6, 6)] == [True, False, True, False]


def test_a_letter_of_a_page_that_gave_up_its_role_does_not_count_again() -> None:
    guard = ReplayGuard(SEAL)
    guard.remember("ann", 10)
    assert not accepts(guard, 10, has_role=False)


def test_no_number_of_further_pages_makes_an_old_letter_count_again() -> None:
    seal = Seal()
    guard = ReplayGuard(seal, limit=64)
    old = letter(5, seal)
    guard.remember("referee", 4)
    assert guard.accept("referee", old, has_role=True)
    for number in range(66):
        guard.remember(f"page {number}", 1)
    with pytest.raises(BadLetter) as refused:
        guard.accept("referee", old, has_role=True)
    assert refused.value.again, "the referee's own page seals it for the new word, and nobody else can"
    assert guard.accept("referee", letter(5, seal), has_role=True)


@given(st.permutations(range(1, WINDOW)))
def test_letters_may_overtake_one_another(order: list[int]) -> None:
    guard = ReplayGuard(SEAL)
    guard.remember("ann", 0)
    assert all(accepts(guard, count) for count in order)
    assert not any(accepts(guard, count) for count in order)


@given(st.lists(st.integers(0, 400), max_size=300))
def test_no_letter_counts_twice(sent: list[int]) -> None:
    guard = ReplayGuard(SEAL)
    taken = [count for count in sent if accepts(guard, count)]
    assert len(taken) == len(set(taken))

"""Sealed letters: nobody but the box reads them, none counts twice, and all are equally long."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.people.letters import LENGTH_STEP, WINDOW, BadLetter, Counts, Envelope, Seal
from tests.device.people.page import sealed_for

SEAL = Seal()


def test_a_letter_is_opened_by_the_box_it_is_for() -> None:
    letter = SEAL.open(Envelope(**sealed_for(SEAL, "/bets", {"dots": 4})), "/bets")
    assert json.loads(bytes(letter.body)) == {"dots": 4}
    with pytest.raises(BadLetter, match="Open the page anew"):
        Seal().open(Envelope(**sealed_for(SEAL, "/bets", {})), "/bets")


def test_a_letter_counts_where_it_was_sent_and_nowhere_else() -> None:
    with pytest.raises(BadLetter, match="sealed for /bets, and came to /games"):
        SEAL.open(Envelope(**sealed_for(SEAL, "/bets", {})), "/games")


def test_a_box_that_was_started_anew_keeps_its_key_and_takes_no_old_letter() -> None:
    again = Seal(SEAL.secret)
    assert again.public == SEAL.public
    with pytest.raises(BadLetter, match="started anew") as told:
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


def test_a_letter_of_a_known_page_counts_once() -> None:
    counts = Counts()
    assert counts.is_new("somebody", 3)
    counts.know("ann", 10)
    assert [counts.is_new("ann", count) for count in (9, 10, 12, 11, 12, 11)] == [
        False,
        False,
        True,
        True,
        False,
        False,
    ]


@given(st.permutations(range(1, WINDOW)))
def test_letters_may_overtake_one_another(order: list[int]) -> None:
    counts = Counts()
    counts.know("ann", 0)
    assert all(counts.is_new("ann", count) for count in order)
    assert not any(counts.is_new("ann", count) for count in order)


@given(st.lists(st.integers(0, 400), max_size=300))
def test_no_letter_counts_twice(sent: list[int]) -> None:
    counts = Counts()
    counts.know("ann", 0)
    taken = [count for count in sent if counts.is_new("ann", count)]
    assert len(taken) == len(set(taken))

"""Wrong PINs are counted, by address and altogether; the right one frees nobody of earlier wrong ones."""

from collections.abc import Iterable

import pytest

from device.people.login_throttle import (
    ADDRESSES,
    FIRST_TRIES,
    FROM_ALL,
    FROM_ALL_S,
    FROM_FIRST,
    FROM_ONE,
    FROM_ONE_S,
    Attempts,
    lock_words,
)

HERE, THERE = "192.168.1.20", "192.168.1.21"


def test_after_five_wrong_ones_an_address_waits_and_others_do_not() -> None:
    attempts = Attempts()
    for second in range(FROM_ONE):
        assert attempts.begin(HERE, float(second)) == 0
    assert attempts.begin(HERE, 10.0) == FROM_ONE_S - 10.0
    assert attempts.begin(THERE, 10.0) == 0
    assert attempts.begin(HERE, FROM_ONE_S) == 0, "the first wrong one is long enough ago"
    assert attempts.begin(HERE, FROM_ONE_S) > 0, "the second is not"


def test_whoever_is_told_to_wait_does_not_wait_longer_for_trying() -> None:
    attempts = Attempts()
    for _ in range(FROM_ONE):
        attempts.begin(HERE, 0.0)
    waits = [attempts.begin(HERE, now_s) for now_s in (1.0, 2.0, 3.0)]
    assert waits == [FROM_ONE_S - 1, FROM_ONE_S - 2, FROM_ONE_S - 3]


def wrong_from(attempts: Attempts, addresses: Iterable[str], tries: int, now_s: float = 0.0) -> list[float]:
    """Give wrong PINs from each address; returns how long the last try of each would have to wait."""
    return [[attempts.begin(address, now_s) for _ in range(tries)][-1] for address in addresses]


def test_who_was_wrong_before_has_twenty_an_hour_with_all_others_like_it() -> None:
    attempts = Attempts()
    waits = wrong_from(attempts, [f"192.168.1.{number}" for number in range(10)], FROM_ONE)
    assert [wait_s > 0 for wait_s in waits].count(True) == 10 - FROM_ALL // (FROM_ONE - FIRST_TRIES)
    assert attempts.begin("192.168.1.9", FROM_ONE_S) == FROM_ALL_S - FROM_ONE_S


def test_who_was_never_wrong_is_not_locked_out_by_those_who_were() -> None:
    attempts = Attempts()
    wrong_from(attempts, [f"192.168.1.{number}" for number in range(10)], 20)
    assert [attempts.begin(THERE, 1.0) for _ in range(FIRST_TRIES)] == [0] * FIRST_TRIES, "once mistyped"
    assert attempts.begin(THERE, 1.0) > 0


@pytest.mark.long
def test_all_tries_of_an_hour_have_a_bound_however_many_addresses_there_are() -> None:
    attempts = Attempts()
    begun = [
        attempts.begin(f"10.0.{number // 256}.{number % 256}", now_s)
        for now_s in (0.0, 1000.0, 3000.0)
        for number in range(2 * ADDRESSES)
        for _ in range(FROM_ONE)
    ]
    assert begun.count(0.0) == FROM_FIRST + FROM_ALL
    assert attempts.begin(THERE, FROM_ALL_S) == 0


def test_the_addresses_with_most_wrong_pins_are_named() -> None:
    attempts = Attempts()
    wrong_from(attempts, [HERE], 3)
    wrong_from(attempts, [THERE], 1)
    attempts.begin("192.168.1.9", 5.0)
    attempts.was_right("192.168.1.9", 5.0)
    assert list(attempts.failing()) == [HERE, THERE]


def test_many_tries_at_once_are_no_way_round() -> None:
    attempts = Attempts()
    begun = [attempts.begin(HERE, 0.0) for _ in range(100)]
    assert begun.count(0.0) == FROM_ONE


def test_a_right_pin_buys_no_more_guesses() -> None:
    attempts = Attempts()
    for second in range(FROM_ONE - 1):
        attempts.begin(HERE, float(second))
    assert attempts.begin(HERE, 8.0) == 0
    attempts.was_right(HERE, 8.0)
    assert attempts.begin(HERE, 9.0) == 0
    assert attempts.begin(HERE, 9.0) > 0


def test_the_wait_is_said_with_its_end_and_with_whose_doing_it_is() -> None:
    said = lock_words(200.0, "20:15", [HERE, THERE])
    assert "for 4 minutes, until 20:15 by the box's clock." in said
    assert said.endswith(f"Wrong PINs came from {HERE} and {THERE}.")
    assert "a minute" in lock_words(3.0, "20:15", [])

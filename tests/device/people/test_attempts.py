"""Wrong PINs are counted, by address and altogether; the right one frees nobody of earlier wrong ones."""

from device.people.attempts import ADDRESSES, FROM_ALL, FROM_ALL_S, FROM_ONE, FROM_ONE_S, Attempts, lock_words

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


def test_all_addresses_together_have_twenty_an_hour() -> None:
    attempts = Attempts()
    for number in range(FROM_ALL):
        assert attempts.begin(f"192.168.1.{number}", float(number)) == 0
    assert attempts.begin(THERE, 60.0) == FROM_ALL_S - 60.0
    assert attempts.begin(THERE, FROM_ALL_S) == 0


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


def test_addresses_are_forgotten_but_their_tries_count() -> None:
    attempts = Attempts()
    for number in range(FROM_ALL):
        attempts.begin(f"10.0.0.{number}", 0.0)
    for number in range(2 * ADDRESSES):
        assert attempts.begin(f"10.1.{number // 256}.{number % 256}", 1.0) > 0


def test_the_wait_is_said_with_its_end() -> None:
    said = lock_words(200.0, "20:15")
    assert "for 4 minutes, until 20:15 by the box's clock." in said
    assert "a minute" in lock_words(3.0, "20:15")

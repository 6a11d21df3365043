"""Secret bets by touch."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.panel.presses import Dial, PressKind, dial_after

ANY = (0, 2, 4, 6, 8, 10)
ACTIVE = (2, 4, 6, 8, 10)
kinds = st.lists(st.sampled_from(["short", "long"]), max_size=30)


def turned(times: int, choices: tuple[int, ...]) -> int | None:
    return dial_after(["short"] * times, choices).bet


def test_an_opponents_dial_rests_on_0_and_goes_round() -> None:
    assert [turned(times, ANY) for times in range(9)] == [0, 2, 4, 6, 8, 10, 0, 2, 4]


def test_the_active_players_dial_skips_the_0_she_may_not_bet() -> None:
    assert [turned(times, ACTIVE) for times in range(9)] == [None, 2, 4, 6, 8, 10, 2, 4, 6]


@given(st.integers(1, 5))
def test_up_to_five_presses_mean_the_same_for_everybody(times: int) -> None:
    assert turned(times, ANY) == turned(times, ACTIVE) == 2 * times


def test_a_long_press_locks_and_later_presses_do_nothing() -> None:
    dial = dial_after(["short", "short", "long"], ANY)
    assert (dial.bet, dial.locked) == (4, True)
    assert dial.after("short") == dial.after("long") == dial


def test_locking_without_a_press_bets_0_where_0_may_be_bet() -> None:
    assert (dial_after(["long"], ANY).bet, dial_after(["long"], ANY).locked) == (0, True)


def test_locking_without_a_press_does_nothing_where_0_may_not_be_bet() -> None:
    dial = dial_after(["long"], ACTIVE)
    assert (dial.bet, dial.locked) == (None, False)
    assert dial.after("short").after("long").locked


@given(kinds, st.sampled_from([ANY, ACTIVE]))
def test_folding_the_journal_is_pressing_one_by_one(
    pressed: list[PressKind], choices: tuple[int, ...]
) -> None:
    dial = Dial(choices)
    for kind in pressed:
        dial = dial.after(kind)
    assert dial == dial_after(pressed, choices)
    assert dial.bet is None or dial.bet in choices


@given(kinds, st.sampled_from([ANY, ACTIVE]))
def test_the_text_form_tells_no_bet(pressed: list[PressKind], choices: tuple[int, ...]) -> None:
    dial = dial_after(pressed, choices)
    texts = {repr(dial), str(dial), f"{dial}"}
    assert texts == {f"Dial(locked={dial.locked})"}


@pytest.mark.parametrize("choices", [(), (2, 0), (2, 2)])
def test_choices_that_cannot_be_counted_are_refused(choices: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="choices"):
        Dial(choices)

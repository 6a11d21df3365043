"""Dice that people move on the mat become the rulebook's events, or are refused with its reason."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.mat.books import BOOKS
from device.mat.set_aside import Seen, Verdict, judged, rearranged, unsettled
from engine.dice import Die
from engine.events import Cache, Event, Pocket, Rolled, Undo
from engine.history import History
from engine.rulebooks import rulebook

OPTIONS = {"zonk": {"deck": "none"}, "ten-thousand": {"first": "named", "opening": "0"}}
PLAYERS = {"zonk": ("Ann",), "ten-thousand": ("Ann", "Bob")}


def pips(*faces: int) -> tuple[Die, ...]:
    return tuple(Die("pip", face) for face in faces)


def pocket(*combos: tuple[int, ...]) -> Pocket:
    return Pocket(combos=tuple(pips(*combo) for combo in combos))


def game(name: str, *events: Event) -> History:
    history = History(rulebook(name).start(PLAYERS[name], OPTIONS[name]))
    for event in events:
        history.take(event)
    return history


def seen(free: tuple[int, ...], **aside: tuple[int, ...]) -> Seen:
    """Dice that lie free, and those in places: p1=(1, 5)."""
    return Seen(
        free=Counter(pips(*free)), aside={int(key[1:]): Counter(pips(*faces)) for key, faces in aside.items()}
    )


def verdict(name: str, history: History, there: Seen) -> Verdict:
    return judged(BOOKS[name], history.start, history.played, there)


def rolled(*faces: int) -> Rolled:
    return Rolled(dice=pips(*faces))


def test_dice_in_the_second_casts_pocket_are_the_second_casts_pocketing() -> None:
    history = game("zonk", rolled(1, 2, 3, 4, 6, 6), pocket((1,)), rolled(5, 5, 2, 3, 4))
    found = verdict("zonk", history, seen((2, 3, 4, 5), p1=(1,), p2=(5,)))
    assert found.events == (pocket((5,)),)
    history.take(found.events[0])
    assert "pockets=1/5" in history.position.line()
    assert verdict("zonk", history, seen((2, 3, 4, 5), p1=(1,), p2=(5,))) == Verdict()


def test_the_rest_may_be_in_a_hand_already() -> None:
    history = game("zonk", rolled(1, 2, 3, 4, 6, 6))
    assert verdict("zonk", history, seen((), p1=(1,))).events == (pocket((1,)),)


def test_three_of_a_kind_goes_in_as_one_combo() -> None:
    history = game("zonk", rolled(4, 4, 4, 1, 2, 3))
    found = verdict("zonk", history, seen((2, 3), p1=(4, 1, 4, 4)))
    assert sorted(len(combo) for combo in found.events[0].combos) == [1, 3]  # type: ignore[union-attr]


def test_what_is_in_no_combo_is_refused_with_the_rulebooks_reason() -> None:
    history = game("zonk", rolled(1, 2, 3, 4, 6, 6))
    found = verdict("zonk", history, seen((1, 3, 4, 6, 6), p1=(2,)))
    assert found == Verdict(refused="2 is no combo. (rule 4a)", at=1)


def test_dice_of_the_second_cast_in_pocket_1_are_refused() -> None:
    history = game("zonk", rolled(1, 2, 3, 4, 6, 6), pocket((1,)), rolled(5, 5, 2, 3, 4))
    found = verdict("zonk", history, seen((2, 3, 4, 5), p1=(1, 5)))
    assert found == Verdict(refused="This is cast 2: its dice go into pocket 2 (rule 4b).", at=1)


def test_zonk_dice_carried_one_by_one_make_the_combo_of_all() -> None:
    """A 1 scores alone; with the others it is a rainbow, so its own pocketing is taken back first."""
    history = game("zonk", rolled(1, 2, 3, 4, 5, 6))
    first = verdict("zonk", history, seen((2, 3, 4, 5, 6), p1=(1,)))
    assert first.events == (pocket((1,)),)
    history.take(first.events[0])
    for count in range(2, 6):
        free, there = tuple(range(count + 1, 7)), tuple(range(1, count + 1))
        step = verdict("zonk", history, seen(free, p1=there))
        assert step.refused or step.events
        for event in step.events:
            history.take(event)
    found = verdict("zonk", history, seen((), p1=(1, 2, 3, 4, 5, 6)))
    assert found.events[-1] == pocket((1, 2, 3, 4, 5, 6))
    assert set(found.events[:-1]) <= {Undo()}
    for event in found.events:
        history.take(event)
    assert history.position.view().running == 2500


def test_a_die_moved_back_is_an_undo() -> None:
    history = game("zonk", rolled(1, 2, 3, 4, 6, 6), pocket((1,)))
    assert verdict("zonk", history, seen((1, 2, 3, 4, 6, 6))).events == (Undo(),)


def test_one_of_two_moved_back_leaves_the_other() -> None:
    history = game("zonk", rolled(1, 5, 3, 4, 6, 6), pocket((1,), (5,)))
    assert verdict("zonk", history, seen((5, 3, 4, 6, 6), p1=(1,))).events == (Undo(), pocket((1,)))


def test_a_die_of_an_earlier_cast_stays_where_it_counts() -> None:
    history = game("zonk", rolled(1, 2, 3, 4, 6, 6), pocket((1,)), rolled(5, 5, 2, 3, 4))
    found = verdict("zonk", history, seen((5, 5, 2, 3, 4, 1)))
    assert "stay set aside" in found.refused
    assert not found.events


def test_dice_in_a_hand_say_nothing() -> None:
    history = game("zonk", rolled(1, 2, 3, 4, 6, 6), pocket((1,)))
    assert verdict("zonk", history, seen((2, 3, 4, 6, 6))) == Verdict()
    assert verdict("zonk", history, seen(())) == Verdict()


def test_another_throw_is_no_move() -> None:
    history = game("zonk", rolled(1, 2, 3, 4, 6, 6), pocket((1,)))
    assert verdict("zonk", history, seen((5, 5, 5, 2), p1=(1, 6))) == Verdict()


def test_a_hot_cast_begins_again_with_pocket_1() -> None:
    history = game("zonk", rolled(1, 2, 3, 4, 5, 6), pocket((1, 2, 3, 4, 5, 6)), rolled(1, 2, 3, 4, 6, 6))
    assert verdict("zonk", history, seen((2, 3, 4, 6, 6), p1=(1,))).events == (pocket((1,)),)


def test_ten_thousand_sets_aside_and_adds_to_it_before_the_next_roll() -> None:
    history = game("ten-thousand", rolled(1, 5, 2, 3, 4, 4))
    first = verdict("ten-thousand", history, seen((5, 2, 3, 4, 4), p1=(1,)))
    assert first.events == (pocket((1,)),)
    history.take(first.events[0])
    second = verdict("ten-thousand", history, seen((2, 3, 4, 4), p1=(1, 5)))
    assert second.events == (Undo(), pocket((1, 5)))
    for event in second.events:
        history.take(event)
    assert history.position.view().running == 150
    back = verdict("ten-thousand", history, seen((2, 3, 4, 4, 1, 5)))
    assert back.events == (Undo(),)


def test_ten_thousand_refuses_what_does_not_score() -> None:
    history = game("ten-thousand", rolled(1, 5, 2, 3, 4, 4))
    found = verdict("ten-thousand", history, seen((1, 5, 3, 4, 4), p1=(2,)))
    assert found.refused == "Not all of 2 score: leave the others in the hand. (rule 5)"


def test_ten_thousand_knows_what_lies_there_from_before() -> None:
    history = game("ten-thousand", rolled(1, 5, 2, 3, 4, 4), pocket((1,)), rolled(5, 5, 2, 3, 6))
    assert verdict("ten-thousand", history, seen((2, 3, 6, 5), p1=(1, 5))).events == (pocket((5,)),)
    history = game("ten-thousand", rolled(1, 5, 2, 3, 4, 4), rolled(5, 5, 2, 3, 6))
    assert verdict("ten-thousand", history, seen((2, 3, 6, 5), p1=(1, 5))).events == (pocket((5,)),)


def test_after_hot_dice_the_place_is_empty() -> None:
    history = game(
        "ten-thousand", rolled(1, 1, 1, 5, 5, 5), pocket((1, 1, 1), (5, 5, 5)), rolled(1, 2, 3, 4, 6, 6)
    )
    assert verdict("ten-thousand", history, seen((2, 3, 4, 6, 6), p1=(1,))).events == (pocket((1,)),)


def test_after_the_turn_nothing_is_said_of_the_old_dice() -> None:
    history = game("ten-thousand", rolled(1, 1, 1, 2, 3, 4), pocket((1, 1, 1)), Cache())
    assert verdict("ten-thousand", history, seen((2, 3, 4), p1=(1, 1, 1))) == Verdict()


def test_moved_dice_are_no_throw_and_thrown_dice_are() -> None:
    history = game("ten-thousand", rolled(1, 5, 2, 3, 4, 4), pocket((1,)))
    book = BOOKS["ten-thousand"]
    assert rearranged(book, history.start, history.played, seen((1, 5, 2, 3, 4, 4)))
    assert not rearranged(book, history.start, history.played, seen((5, 2, 3, 4, 4), p1=(1,)))
    assert not rearranged(book, history.start, history.played, seen((6, 2, 3, 4, 4), p1=(1,)))


def test_a_refused_die_is_still_in_the_way() -> None:
    history = game("ten-thousand", rolled(1, 5, 2, 3, 4, 4), pocket((1,)))
    book = BOOKS["ten-thousand"]
    assert unsettled(book, history.start, history.played, seen((5, 3, 4, 4), p1=(1, 2))) == 1
    assert unsettled(book, history.start, history.played, seen((5, 2, 3, 4, 4), p1=(1,))) == 0


@pytest.mark.parametrize("name", ["zonk", "ten-thousand"])
@given(
    faces=st.lists(st.integers(1, 6), min_size=6, max_size=6),
    taken=st.lists(st.booleans(), min_size=6, max_size=6),
)
def test_any_subset_is_taken_as_it_lies_or_refused(name: str, faces: list[int], taken: list[bool]) -> None:
    """Whatever six dice show and whichever are moved: the events lead to just that, or nothing changes."""
    history = game(name, rolled(*faces))
    if not history.position.view().choices:
        return
    aside = tuple(face for face, moved in zip(faces, taken, strict=True) if moved)
    free = tuple(face for face, moved in zip(faces, taken, strict=True) if not moved)
    found = verdict(name, history, seen(free, p1=aside))
    if not aside:
        assert found == Verdict()
        return
    assert bool(found.events) != bool(found.refused)
    for event in found.events:
        history.take(event)
    if found.events:
        dice = [die.value for event in found.events for combo in event.combos for die in combo]  # type: ignore[union-attr]
        assert Counter(dice) == Counter(aside)
        assert verdict(name, history, seen(free, p1=aside)) == Verdict()

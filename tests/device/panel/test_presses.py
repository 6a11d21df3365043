"""Debounce and long press: whole lists of edges in, whole lists of presses out."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.panel.presses import Press, Presses

DEBOUNCE_MS = 20
LONG_MS = 700
Edges = list[tuple[str, float]]


def presses_of(edges: Edges, until_ms: float = 1e9, button: str = "bet1") -> list[Press]:
    """All presses of these edges, with a tick at every due time up to `until_ms`."""
    presses = Presses(DEBOUNCE_MS, LONG_MS)
    found: list[Press] = []
    for level, time_ms in edges:
        while (due := presses.due_ms()) is not None and due < time_ms:
            found += presses.tick(due)
        found += presses.edge(button, level == "down", time_ms)
    while (due := presses.due_ms()) is not None and due <= until_ms:
        found += presses.tick(due)
    return found


def test_bounces_at_both_ends_make_one_short_press() -> None:
    edges: Edges = [("down", 0), ("up", 4), ("down", 7), ("up", 120), ("down", 122), ("up", 125)]
    assert presses_of(edges) == [Press("bet1", "short", 125 + DEBOUNCE_MS)]


def test_a_release_that_bounces_late_is_still_one_press() -> None:
    edges: Edges = [("down", 0), ("up", 100), ("down", 119), ("up", 121), ("down", 135), ("up", 136)]
    assert presses_of(edges) == [Press("bet1", "short", 156)]


def test_two_presses_are_two() -> None:
    edges: Edges = [("down", 0), ("up", 100), ("down", 200), ("up", 300)]
    assert presses_of(edges) == [Press("bet1", "short", 120), Press("bet1", "short", 320)]


def test_shorter_than_the_debounce_is_no_press() -> None:
    assert presses_of([("down", 0), ("up", 19)]) == []
    assert presses_of([("down", 0), ("up", 20)]) == [Press("bet1", "short", 40)]


def test_a_long_press_is_known_while_still_held() -> None:
    assert presses_of([("down", 0)], until_ms=699) == []
    assert presses_of([("down", 0)], until_ms=700) == [Press("bet1", "long", 700)]


def test_letting_go_of_a_long_press_says_nothing_more() -> None:
    assert presses_of([("down", 0), ("up", 5000)]) == [Press("bet1", "long", 700)]


def test_let_go_just_before_the_long_mark_is_short_even_if_it_settles_after_it() -> None:
    assert presses_of([("down", 0), ("up", 690)]) == [Press("bet1", "short", 710)]


def test_a_bounce_across_the_long_mark_is_long_once() -> None:
    edges: Edges = [("down", 0), ("up", 695), ("down", 705), ("up", 900)]
    assert presses_of(edges) == [Press("bet1", "long", 705)]


def test_a_long_press_counts_from_the_last_bounce() -> None:
    assert presses_of([("down", 0), ("up", 4), ("down", 7)]) == [Press("bet1", "long", 707)]


def test_lost_edges() -> None:
    assert presses_of([("down", 0), ("down", 100), ("up", 200)]) == [Press("bet1", "short", 220)]
    assert presses_of([("down", 0), ("up", 100), ("up", 110), ("up", 500)]) == [Press("bet1", "short", 130)]
    assert presses_of([("up", 0), ("up", 50)]) == []


def test_a_lost_edge_while_it_bounces_starts_the_debounce_again() -> None:
    assert presses_of([("down", 0), ("down", 15), ("up", 30)]) == []


def test_equal_times_and_a_clock_that_steps_back() -> None:
    assert presses_of([("down", 0), ("up", 0), ("down", 0), ("up", 100)]) == [Press("bet1", "short", 120)]
    assert presses_of([("down", 0), ("up", 0)]) == []
    assert presses_of([("down", 50), ("up", 200), ("down", 199), ("up", 198)]) == [
        Press("bet1", "short", 220)
    ]


def test_buttons_do_not_disturb_each_other() -> None:
    presses = Presses(DEBOUNCE_MS, LONG_MS)
    found = presses.edge("stop", True, 0) + presses.edge("undo", True, 10) + presses.edge("stop", False, 100)
    assert (found, sorted(presses.held())) == ([], ["stop", "undo"])
    assert presses.tick(2000) == [Press("stop", "short", 120), Press("undo", "long", 710)]
    assert sorted(presses.held()) == ["undo"]


def test_one_late_tick_finds_what_many_would_have_found() -> None:
    presses = Presses(DEBOUNCE_MS, LONG_MS)
    presses.edge("stop", True, 0)
    assert presses.edge("stop", False, 3000) == [Press("stop", "long", 700)]


def test_nothing_is_due_while_all_buttons_rest() -> None:
    presses = Presses(DEBOUNCE_MS, LONG_MS)
    assert presses.due_ms() is None
    presses.edge("stop", True, 5)
    assert presses.due_ms() == 25
    presses.tick(25)
    assert presses.due_ms() == 705
    presses.tick(705)
    assert presses.due_ms() is None


@pytest.mark.parametrize(("debounce_ms", "long_ms"), [(0, 700), (-1, 700), (20, 20), (50, 20)])
def test_impossible_times_are_refused(debounce_ms: float, long_ms: float) -> None:
    with pytest.raises(ValueError, match="below a long press"):
        Presses(debounce_ms, long_ms)


steps = st.lists(st.tuples(st.booleans(), st.integers(0, 900)), max_size=40)


def _timed(moves: list[tuple[bool, int]]) -> Edges:
    now, edges = 0, Edges()
    for down, gap_ms in moves:
        now += gap_ms
        edges.append(("down" if down else "up", now))
    return edges


@given(steps)
def test_presses_come_in_order_and_never_closer_than_a_hand_can(moves: list[tuple[bool, int]]) -> None:
    times = [press.time_ms for press in presses_of(_timed(moves))]
    assert all(later - earlier >= DEBOUNCE_MS for earlier, later in pairwise(times))


@given(steps, st.none() | st.integers(1, 400))
def test_when_the_ticks_come_changes_nothing(moves: list[tuple[bool, int]], every_ms: int | None) -> None:
    presses = Presses(DEBOUNCE_MS, LONG_MS)
    edges = _timed(moves)
    found: list[Press] = []
    before_ms = 0
    for level, time_ms in edges:
        for tick_ms in range(before_ms, int(time_ms), every_ms) if every_ms else ():
            found += presses.tick(tick_ms)
        found += presses.edge("bet1", level == "down", time_ms)
        before_ms = int(time_ms)
    assert found + presses.tick(1e9) == presses_of(edges)


@given(st.lists(st.tuples(st.integers(25, 3000), st.integers(25, 3000)), max_size=10), st.data())
def test_bounces_shorter_than_the_debounce_change_no_press(
    pushes: list[tuple[int, int]], data: st.DataObject
) -> None:
    clean, bouncing, now = Edges(), Edges(), 0
    for held_ms, rest_ms in pushes:
        for level, lasts_ms in (("down", held_ms), ("up", rest_ms)):
            clean.append((level, now))
            other = "up" if level == "down" else "down"
            # The bounce comes before the contact settles: the last edge is where the clean one is.
            for before_ms in sorted(data.draw(st.sets(st.integers(1, 2), max_size=2)), reverse=True):
                bouncing += [(level, now - before_ms), (other, now - before_ms + 0.5)]
            bouncing.append((level, now))
            now += lasts_ms
    assert presses_of(bouncing) == presses_of(clean)


@given(st.lists(st.tuples(st.integers(21, 3000), st.integers(21, 3000)), max_size=10))
def test_clean_pushes_are_counted_one_for_one(pushes: list[tuple[int, int]]) -> None:
    edges, now = Edges(), 0
    for held_ms, rest_ms in pushes:
        edges += [("down", now), ("up", now + held_ms)]
        now += held_ms + rest_ms
    kinds = [press.kind for press in presses_of(edges)]
    assert kinds == ["long" if held_ms >= LONG_MS else "short" for held_ms, _ in pushes]

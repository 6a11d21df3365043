"""What came to lie on the table and was not read is mentioned; what was read, or lay there, is not."""

from dataclasses import replace

import msgspec
import pytest

from tests.vision.watch.stage import Cube, Session, Stage
from tests.vision.watch.test_history import LYING, read
from vision.reading import Reading, UnsureDie
from vision.watch import find_unread

THROWN = (Cube(320, 120, 3, 30), Cube(520, 380, 6, 70))


def mentioned(
    after: tuple[Cube, ...], reading: Reading | None, lies: Reading, *, hand_held: bool = False
) -> tuple[UnsureDie, ...]:
    """What is mentioned of a table that had `LYING` on it, read as `reading`, and then `after`, read as
    `lies`."""
    session = Session()
    session.show(Stage(LYING), 600)
    since_ms = session.last.time_ms
    session.play(lambda part: Stage((*LYING[: 1 + (part < 0.5)], Cube(300 + 40 * part, 200, 2))), 500)
    session.show(Stage(after), 600)
    reel = session.last.reel
    assert reel is not None
    stretch = reel.cut(since_ms)
    assert stretch is not None
    return find_unread(replace(stretch, hand_held=hand_held), reading, lies)


@pytest.mark.parametrize("missed", [0, 1])
def test_a_die_that_nobody_read_is_mentioned_where_it_lies(missed: int) -> None:
    after = (*LYING, *THROWN)
    lies = read(tuple(cube for cube in after if cube is not THROWN[missed]))
    (told,) = mentioned(after, read(LYING), lies)
    assert told.center_px == pytest.approx((THROWN[missed].x, THROWN[missed].y), abs=8)
    assert told.reason == "of a die's size; take it away if it is none"


def test_nothing_is_mentioned_where_all_was_read_or_mentioned_or_taken_away() -> None:
    after = (LYING[0], *THROWN)
    assert mentioned(after, read(LYING), read(after)) == ()
    doubted = UnsureDie(center_px=(THROWN[1].x, THROWN[1].y), reason="cocked")
    assert mentioned(after, read(LYING), replace(read(after[:2]), unsure=(doubted,))) == ()


def test_of_two_d4_that_touch_the_one_that_nobody_read_is_mentioned() -> None:
    beside = Cube(THROWN[0].x + 28, THROWN[0].y, 4, 30)
    lies = read((*LYING, THROWN[0]))
    as_d4 = tuple(msgspec.structs.replace(die, kind="d4") for die in lies.dice)
    (told,) = mentioned((*LYING, THROWN[0], beside), read(LYING), replace(lies, dice=as_d4))
    assert told.center_px == pytest.approx((beside.x, beside.y), abs=10)


def test_what_is_much_smaller_or_larger_than_a_die_is_not_mentioned() -> None:
    crumb, book = Cube(320, 120, 1, 30, edge=4), Cube(320, 300, 5, 10, edge=110)
    after = (*LYING, crumb, book, THROWN[1])
    assert mentioned(after, read(LYING), read((*LYING, THROWN[1]))) == ()


def test_nothing_is_mentioned_where_nobody_knows_how_large_a_die_is_or_the_camera_moves() -> None:
    after, empty = (*LYING, *THROWN), read(())
    assert mentioned(after, empty, empty) == ()
    assert mentioned(after, read(LYING), read(LYING), hand_held=True) == ()

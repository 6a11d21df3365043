"""A die that another pushed was not thrown, and a throw that was seen only in part is asked about."""

from dataclasses import replace

import msgspec
import pytest

from device.rolls.counted import AwaitedRoll, CountedDice
from device.rolls.followed import FollowedDice, show_history
from engine.game import Wanted
from tests.vision.watch.stage import Session, Stage
from tests.vision.watch.test_history import LYING, pushing, read
from vision.watch import FollowedDie, LeftDie, Origin, PathPoint, ThrowHistory
from vision.watch.motion_blobs import REASON

ONE = AwaitedRoll(wanted=Wanted(kind="pip", count=1), cast=1)
AFTER = pushing(1.0)


def rolled(*, lost_ms: float = 0.0) -> tuple[Session, FollowedDice]:
    """A die has hit one of two that count no more; for a while no picture came."""
    session, ways = Session(), FollowedDice()
    session.show(Stage(LYING), 600)
    ways.begin(read(LYING), session.last)
    session.play(lambda part: Stage(pushing(part * 0.4 if lost_ms else part)), 900)
    begun_ms = session.time_ms + lost_ms
    for number in range(10):
        picture = replace(Stage(AFTER), seed=number).picture()
        session.looks.append(session.watch.see(picture, begun_ms + 50 * number))
    assert session.last.settled
    return session, ways


@pytest.mark.long
def test_a_die_that_another_pushed_counts_no_more_and_the_thrown_one_does() -> None:
    session, ways = rolled()
    counted, reading = CountedDice(), read(AFTER)
    counted.lay(read(LYING), "counted")
    assert len(counted.keep_thrown(reading).dice) == 2
    assert ways.flown(reading, session.last) == (reading.dice[0],)
    pushed = ways.pushed(reading, session.last)
    assert pushed == (reading.dice[1],)
    roll, doubt = counted.count(reading, ONE, pressed=True, pushed=pushed)
    assert (roll.dice, doubt) == ((reading.dice[0],), None)
    assert ways.doubt(session.last, pressed=True) is None


def test_a_throw_during_which_no_picture_came_is_asked_about() -> None:
    session, ways = rolled(lost_ms=4000)
    doubt = ways.doubt(session.last, pressed=True)
    assert doubt is not None
    assert doubt.text == (
        "For a moment no picture came while something moved, so this throw was not seen to its end. "
        "Throw again, or press again to count the dice as they lie."
    )
    assert ways.pushed(read(AFTER), session.last) == ()


def test_a_throw_whose_pictures_came_out_of_order_is_asked_about() -> None:
    session, ways = Session(), FollowedDice()
    session.show(Stage(LYING), 600)
    ways.begin(read(LYING), session.last)
    order = [*range(1, 9), 10, 9, *range(11, 29)]
    for number in order:
        picture = replace(Stage(pushing(min(1.0, number / 18))), seed=number).picture()
        look = session.watch.see(picture, 600.0 + 50 * number)
    assert look.settled
    doubt = ways.doubt(look, pressed=True)
    assert doubt is not None
    assert doubt.text.startswith(
        "The camera's clock went back, so this throw was not seen from its beginning."
    )


def test_nothing_is_told_before_the_dice_have_settled_or_without_a_rest_to_begin_with() -> None:
    session, ways = rolled()
    assert ways.trace(read(AFTER), replace(session.last, settled=False)) is None
    assert FollowedDice().trace(read(AFTER), session.last) is None
    assert FollowedDice().doubt(session.last, pressed=True) is None


@pytest.mark.parametrize(
    ("followed", "line"),
    [
        (
            {"origin": "pushed", "by": 0},
            "The die at the upper left of the picture was pushed by the red die.",
        ),
        ({"origin": "pushed"}, "The die at the upper left of the picture was pushed by another die."),
        ({"origin": "by_hand"}, "The die at the upper left of the picture was put there or moved by a hand."),
        (
            {"origin": "unknown"},
            "How the die at the upper left of the picture came to lie there was not seen.",
        ),
    ],
)
def test_each_die_that_was_not_thrown_is_told_in_a_sentence(followed: dict[str, object], line: str) -> None:
    reading = read((LYING[0], LYING[1], replace(LYING[1], x=500)))
    red = msgspec.structs.replace(reading.dice[0], color="red")
    reading = replace(reading, dice=(red, *reading.dice[1:]))
    dice = (
        FollowedDie(die=red, origin="thrown"),
        FollowedDie(die=reading.dice[1], **followed),  # type: ignore[arg-type]
        FollowedDie(die=reading.dice[2], origin="lay"),
    )
    left = (LeftDie(border="top", path=()),)
    shown = show_history(ThrowHistory(dice=dice, left=left), reading, 4)
    assert shown.reading == 4
    assert shown.lines == ("One die was thrown.", line), "a die that left is not told"


def test_several_dice_that_were_not_seen_are_told_in_one_sentence() -> None:
    reading = read((LYING[0], LYING[1], replace(LYING[1], x=500)))
    origins: tuple[Origin, ...] = ("unknown", "thrown", "unknown")
    dice = tuple(
        FollowedDie(die=die, origin=origin) for die, origin in zip(reading.dice, origins, strict=True)
    )
    assert show_history(ThrowHistory(dice=dice), reading, 4).lines == (
        "One die was thrown.",
        "How two of the dice came to lie there was not seen.",
    )


def test_a_lone_die_that_was_not_seen_is_named() -> None:
    reading = read(LYING[:1])
    history = ThrowHistory(dice=(FollowedDie(die=reading.dice[0], origin="unknown"),))
    assert show_history(history, reading, 4).lines == ("How the ivory die came to lie there was not seen.",)


def test_the_ways_of_dice_that_were_thrown_or_pushed_are_told_to_be_drawn() -> None:
    reading = read((LYING[0], LYING[1], replace(LYING[1], x=500)))
    path = tuple(PathPoint(time_ms=50.0 * step, at_px=(10.0 * step, 240.0)) for step in range(3))
    dice = (
        FollowedDie(die=reading.dice[0], origin="thrown", path=path),
        FollowedDie(die=reading.dice[1], origin="by_hand", path=path),
        FollowedDie(die=reading.dice[2], origin="lay"),
    )
    shown = show_history(ThrowHistory(dice=dice), reading, 4)
    assert (shown.width, shown.height) == (640, 480)
    assert [way.points for way in shown.ways] == [((0.0, 240.0), (10.0, 240.0), (20.0, 240.0))]


def test_a_die_that_no_reader_saw_is_unsure_once_it_lies_still() -> None:
    session, ways = rolled()
    seen = read(AFTER[1:])
    told = ways.with_unread(seen, session.last)
    assert told.dice == seen.dice
    assert [one.reason for one in told.unsure] == [REASON]
    assert ways.with_unread(read(AFTER), session.last) == read(AFTER)
    assert ways.with_unread(seen, replace(session.last, settled=False)) == seen

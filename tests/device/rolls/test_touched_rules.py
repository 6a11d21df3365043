"""What hands may do with dice at rest, and what they may not; readings and looks are given."""

from dataclasses import replace

import msgspec
import numpy as np
import pytest

from device.cameras import Frame
from device.rolls.counted import AwaitedRoll, CountedDice
from device.rolls.followed import THROWN_MS, RestedDice, ask_about
from engine.game import Wanted
from tests.vision.watch.test_throws import die, look, reading
from vision.reading import Reading, SeenDie
from vision.watch import find_touched

FRAME = Frame(picture=np.zeros((4, 4, 3), np.uint8), time_ms=0.0, name="given")
FOUR = [die(150 * place, 200, place) for place in range(1, 5)]
ELSEWHERE = [die(150 * place + 60, 500, 5 - place, 7 * place) for place in range(1, 5)]
TURNED = die(152, 203, 6, 60)
DUE = AwaitedRoll(wanted=Wanted(kind="pip", count=4), cast=4)
OPEN = AwaitedRoll(wanted=Wanted(kind="pip", count=None), cast=6, anywhere=True)
QUIET = look(2, 3000.0, tumbled_ms=THROWN_MS - 100)


def told(
    rested: Reading,
    now: Reading,
    due: AwaitedRoll = DUE,
    *,
    old: Reading | None = None,
    hand: bool = True,
    tumbled: bool = False,
) -> list[tuple[int | str, int | str]]:
    """What each die that is told showed at rest, and shows; `old`: dice that count no more."""
    counted, dice = CountedDice(), RestedDice()
    if old is not None:
        counted.lay(old, "counted")
    dice.set_rest(FRAME, rested, 1)
    if hand:
        dice.note_hand(replace(QUIET, state="hand"))
    after = replace(QUIET, tumbled_ms=THROWN_MS) if tumbled else QUIET
    return [(one.rested.value, one.now.value) for one in dice.find_touched(now, after, due, counted)]


def test_a_die_that_a_hand_turned_or_pushed_is_told() -> None:
    assert told(reading(*FOUR), reading(TURNED, *FOUR[1:])) == [(1, 6)]
    assert told(reading(*FOUR), reading(die(175, 200, 1), *FOUR[1:])) == [(1, 1)]


def test_without_a_hand_nothing_was_touched() -> None:
    assert told(reading(*FOUR), reading(TURNED, *FOUR[1:]), hand=False) == []


def test_another_throw_is_none() -> None:
    assert told(reading(*FOUR), reading(*ELSEWHERE)) == []


def test_where_the_number_is_wrong_hands_have_to_do_something() -> None:
    assert told(reading(*FOUR[:3]), reading(TURNED, *FOUR[1:])) == []
    assert told(reading(*FOUR, die(900, 200, 5)), reading(TURNED, *FOUR[1:])) == []


def test_a_leaning_die_may_be_straightened_and_no_other_one() -> None:
    rested = reading(*FOUR[1:], unsure=[(150, 200)])
    assert told(rested, reading(TURNED, *FOUR[1:])) == []
    assert told(rested, reading(TURNED, die(300, 200, 6), *FOUR[2:])) == [(2, 6)]


def test_dice_that_count_no_more_may_be_pushed_and_gathered_but_a_turned_one_is_no_throw() -> None:
    old = reading(*FOUR)
    assert told(old, reading(die(175, 200, 1), *FOUR[1:]), old=old) == []
    assert told(old, reading(die(600, 500, 6), *FOUR[1:]), old=old) == []
    assert told(old, reading(TURNED, *FOUR[1:]), old=old) == [(1, 6)]
    assert told(old, reading(TURNED, *FOUR[1:]), old=old, tumbled=True) == []


def test_a_thrown_die_may_come_to_lie_where_an_old_one_had_lain() -> None:
    old = reading(FOUR[3], *ELSEWHERE[:3])
    assert told(reading(*FOUR), reading(TURNED, *FOUR[1:]), old=old) == [(1, 6)]
    assert told(reading(*FOUR), reading(*FOUR[:3], die(602, 203, 1, 60)), old=old) == [(4, 1)]


def test_dice_left_lying_beside_the_throw_may_be_set_aside_after_it() -> None:
    """Ten Thousand: two of six lie where they lay, four were thrown, and then the two are put away."""
    old = [die(150 * place, 800, place) for place in (1, 5)]
    rested, away = reading(*old, *FOUR), [die(1000, 100 * place, place) for place in (1, 5)]
    assert told(rested, reading(*away, *FOUR), old=reading(*old, *ELSEWHERE)) == []
    assert told(rested, reading(*away, TURNED, *FOUR[1:]), old=reading(*old, *ELSEWHERE)) == [(1, 6)]


def test_where_dice_may_be_set_aside_anywhere_only_another_face_is_told() -> None:
    assert told(reading(*FOUR), reading(die(1000, 700, 1), *FOUR[1:]), OPEN) == []
    assert told(reading(*FOUR), reading(TURNED, *FOUR[1:]), OPEN) == [(1, 6)]


def test_a_die_thrown_alone_may_come_to_lie_where_it_lay() -> None:
    one = AwaitedRoll(wanted=Wanted(kind="pip", count=1), cast=6)
    assert told(reading(FOUR[0]), reading(TURNED), one) == [(1, 6)]
    assert told(reading(FOUR[0]), reading(TURNED), one, tumbled=True) == []


def test_touched_dice_are_held_against_the_first_rest_until_all_are_thrown() -> None:
    counted, dice = CountedDice(), RestedDice()
    for scene, (now, first) in enumerate(
        [
            (reading(*FOUR), FOUR),
            (reading(TURNED, *FOUR[1:]), FOUR),
            (reading(TURNED, die(330, 200, 2), *FOUR[2:]), FOUR),
            (reading(*ELSEWHERE), ELSEWHERE),
        ]
    ):
        dice.update(FRAME, look(scene, 1000.0), lambda now=now: now, DUE, counted)  # type: ignore[misc]
        dice.note_hand(replace(QUIET, state="hand"))
        assert dice.last is not None
        assert list(dice.last.reading.dice) == first


def test_each_arrangement_is_read_once() -> None:
    dice, count = RestedDice(), 0

    def read() -> Reading:
        nonlocal count
        count += 1
        return reading(*FOUR)

    for scene in (1, 1, 1, 2, 2):
        dice.update(FRAME, look(scene, 1000.0), read, DUE, CountedDice())
    assert count == 2


def colored(one: SeenDie, color: str) -> SeenDie:
    return msgspec.structs.replace(one, color=color)


@pytest.mark.parametrize(
    ("rested", "now", "text"),
    [
        (
            [colored(FOUR[0], "red"), *FOUR[1:]],
            [colored(TURNED, "red"), *FOUR[1:]],
            "The red die was touched after it came to rest: it showed the 1, and shows the 6 now.",
        ),
        (
            FOUR,
            [TURNED, *FOUR[1:]],
            "The die at the upper left of the picture was touched after it came to rest: it showed the 1, "
            "and shows the 6 now.",
        ),
        (
            FOUR,
            [*FOUR[:3], die(600, 225, 4)],
            "The die at the top of the picture was touched after it came to rest: it lies otherwise now.",
        ),
        (
            [colored(FOUR[0], "red"), colored(FOUR[1], "blue"), *FOUR[2:]],
            [colored(TURNED, "red"), colored(die(300, 230, 2), "blue"), *FOUR[2:]],
            "The red die and the blue die were touched after they came to rest.",
        ),
    ],
)
def test_the_sentence_names_the_die_by_its_colour_or_else_by_its_place(
    rested: list[SeenDie], now: list[SeenDie], text: str
) -> None:
    found = find_touched(reading(*rested), reading(*now), rested)
    asked = ask_about(found.touched, reading(*rested), pressed=True)
    assert asked.text == f"{text} Throw again, or press again to count the dice as they lie."
    by_itself = ask_about(found.touched, reading(*rested), pressed=False)
    assert by_itself.text.endswith("or press ROLL DONE to count the dice as they lie.")

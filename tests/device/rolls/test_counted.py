"""Which dice make the roll, and what is said of those that were not thrown for it; readings are given."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from device.journal.rows import AnswerNote, EventRow
from device.rolls.counted import READ_MS, AwaitedRoll, CountedDice, Uncounted
from engine.dice import Die
from engine.game import Wanted
from tests.device.table.test_still_table import Still
from tests.vision.watch.test_throws import die, reading
from vision.reading import Reading, UnsureDie

SIX = [die(150 * place, 200, place) for place in range(1, 7)]
ELSEWHERE = [die(150 * place + 60, 500, 7 - place, 7 * place) for place in range(1, 7)]
ANY, FOUR = Wanted(kind="pip", count=None), Wanted(kind="pip", count=4)


def judged(
    after: Reading, wanted: Wanted, cast: int | None = None, last: int = 0, *, pressed: bool = True
) -> tuple[int, str]:
    """How many dice make the roll after these six counted, and what is said."""
    counted = CountedDice()
    counted.lay(reading(*SIX), "counted")
    roll, doubt = counted.count(after, AwaitedRoll(wanted=wanted, cast=cast, last=last), pressed=pressed)
    return len(roll.dice), doubt.text if doubt else ""


def test_thrown_dice_make_a_roll() -> None:
    assert judged(reading(*ELSEWHERE[:4]), FOUR) == (4, "")


def test_a_nearly_sure_die_counts_where_as_many_were_thrown_as_are_due() -> None:
    """Beside old dice, too: these are no part of the throw."""
    sure, guess = ELSEWHERE[:3], die(660, 500, 3, confidence=0.7)
    faint = UnsureDie(center_px=guess.center_px, reason="faint", likely=guess)
    after = replace(reading(*SIX, *sure), unsure=(faint,))
    assert judged(after, FOUR, 6) == (4, "")
    five = Wanted(kind="pip", count=5)
    counted = CountedDice()
    roll, _ = counted.count(
        replace(reading(*sure), unsure=(faint,)), AwaitedRoll(wanted=five, cast=None), pressed=True
    )
    assert (len(roll.dice), len(roll.unsure)) == (3, 1), "one is missing: who knows what that is"


def test_dice_that_were_left_lying_are_those_set_aside() -> None:
    """Ten Thousand: two of six were kept where they lay, and the others thrown."""
    after = reading(*SIX[:2], *ELSEWHERE[:4])
    assert judged(after, FOUR, 6) == (4, "")
    assert judged(after, ANY, 6) == (4, "")


@pytest.mark.parametrize(
    ("after", "wanted", "text"),
    [
        (reading(*SIX), ANY, "These dice were counted already. Throw, or press again if you did."),
        (reading(SIX[0]), ANY, "This die was counted already. Throw, or press again if you did."),
        (
            reading(*SIX[:2], *ELSEWHERE[:3]),
            ANY,
            "Two of these five dice were counted already. Throw all of them, or press again if you did.",
        ),
        (
            reading(*SIX[:1], *ELSEWHERE[:3]),
            FOUR,
            "One of these four dice was counted already. Throw all of them, or press again if you did.",
        ),
    ],
)
def test_dice_that_were_not_thrown_are_told(after: Reading, wanted: Wanted, text: str) -> None:
    assert judged(after, wanted)[1] == text


def test_who_pressed_nothing_is_asked_to_press() -> None:
    text = judged(reading(*SIX[:2], *ELSEWHERE[:3]), ANY, pressed=False)[1]
    assert text.endswith("Throw all of them, or press ROLL DONE if you did.")


def test_one_that_came_to_lie_almost_as_an_old_one_lay_counts_if_it_was_seen_to_be_thrown() -> None:
    """By a sixth of its edge elsewhere, or turned by ten degrees; what lies just as it lay was not thrown."""
    counted = CountedDice()
    counted.lay(reading(*SIX), "counted")
    beside, turned = die(157, 200, 1), die(300, 200, 2, 20)
    after = reading(beside, turned, SIX[2], ELSEWHERE[3])
    assert counted.find_almost_old(after) == (beside, turned)
    due = AwaitedRoll(wanted=FOUR, cast=None)
    roll, doubt = counted.count(after, due, pressed=True, flown=(beside, turned))
    assert doubt is not None
    assert doubt.text.startswith("One of these four dice was counted already.")
    others = reading(beside, turned, *ELSEWHERE[2:4])
    assert counted.count(others, due, pressed=True)[1] is not None
    roll, doubt = counted.count(others, due, pressed=True, flown=(beside, turned))
    assert (roll.dice, doubt) == (others.dice, None)


def test_where_nothing_was_thrown_nothing_lies_almost_as_it_lay() -> None:
    counted = CountedDice()
    assert counted.find_almost_old(reading(*SIX)) == ()
    counted.lay(reading(*SIX), "counted")
    assert counted.find_almost_old(reading(die(157, 200, 1), *SIX[1:])) == ()


def test_too_few_thrown_dice_are_the_usual_trouble() -> None:
    assert judged(reading(*SIX[:1], *ELSEWHERE[:2]), FOUR) == (3, "")


@pytest.mark.parametrize(
    ("after", "text"),
    [
        (reading(*ELSEWHERE), ""),
        (
            reading(*ELSEWHERE[:4]),
            "I see four dice, and the last roll had five: one may lie on another, or out of the picture. "
            "Throw again, or press again if those are all.",
        ),
        (
            reading(ELSEWHERE[0]),
            "I see one die, and the last roll had five: one may lie on another, or out of the picture. "
            "Throw again, or press again if that is all.",
        ),
    ],
)
def test_fewer_dice_than_in_the_last_roll_are_asked_about(after: Reading, text: str) -> None:
    assert judged(after, ANY, last=5)[1] == text


def test_dice_that_lie_set_aside_are_not_missing() -> None:
    assert judged(reading(*SIX[:2], *ELSEWHERE[:4]), ANY, 6, last=6) == (4, "")
    assert "the last roll had six" in judged(reading(*SIX[:1], *ELSEWHERE[:4]), ANY, 6, last=6)[1]


FATED = AwaitedRoll(
    wanted=Wanted(kind="pip", count=1), cast=6, still=Counter(Die("pip", face) for face in (1, 2, 3, 5, 6))
)


@pytest.mark.parametrize(
    ("after", "faces"),
    [
        (reading(*SIX[:3], *SIX[4:], die(900, 700, 2)), [2]),
        (reading(*ELSEWHERE[:2], *ELSEWHERE[3:5], *SIX[:1], die(900, 700, 2)), [2]),
        (reading(*ELSEWHERE[:2], *ELSEWHERE[3:4], *SIX[1:2], *SIX[:1], die(900, 700, 5)), [5]),
    ],
    ids=["as they lay", "most were pushed", "it shows what another shows"],
)
def test_where_one_die_is_thrown_alone_the_others_may_lie_beside_it(after: Reading, faces: list[int]) -> None:
    """ZONK's Dictate Fate without a mat: five dice of the cast stay lying, and one is thrown."""
    counted = CountedDice()
    counted.lay(reading(*SIX), "counted")
    roll, doubt = counted.count(after, FATED, pressed=True)
    assert ([one.value for one in roll.dice], doubt) == (faces, None)


def test_a_die_that_stayed_where_it_lay_is_not_the_one_that_was_thrown_alone() -> None:
    counted = CountedDice()
    counted.lay(reading(*SIX), "counted")
    pushed = reading(*SIX[3:4], *ELSEWHERE[:3], *ELSEWHERE[4:])
    assert len(counted.count(pushed, FATED, pressed=True)[0].dice) == 6


def test_an_undo_makes_the_roll_new_again() -> None:
    counted = CountedDice()
    counted.lay(reading(*SIX), "lay there")
    counted.lay(reading(*ELSEWHERE), "counted", before=3)
    counted.lay(reading(*SIX[:1]), "counted", before=4)
    counted.back_to(3)

    due = AwaitedRoll(wanted=ANY, cast=None)

    def doubt(*dice: object) -> Uncounted | None:
        return counted.count(reading(*dice), due, pressed=True)[1]  # type: ignore[arg-type]

    assert doubt(*ELSEWHERE) is None
    again = doubt(*SIX)
    assert again is not None
    assert again.text.startswith("These dice lay there before.")


def test_only_a_press_after_the_question_answers_it_and_only_for_those_dice() -> None:
    counted = CountedDice()
    counted.note_question(reading(*SIX), 1000.0)
    assert not counted.take_answer(reading(*SIX), None)
    for dice, pressed_ms, answer in (
        (SIX, READ_MS, True),
        (SIX, READ_MS - 1, False),
        (ELSEWHERE, 5000.0, False),
    ):
        counted.note_question(reading(*SIX), 1000.0)
        assert counted.take_answer(reading(*dice), 1000.0 + pressed_ms) is answer
        assert not counted.take_answer(reading(*SIX), 9000.0), "one question, one answer"


@contextmanager
def still(folder: Path) -> Iterator[Still]:
    table = Still(folder, "ten-thousand", "none", "roll_done")
    yield table
    table.close()


def test_a_box_that_starts_again_asks_before_it_counts_what_it_finds(tmp_path: Path) -> None:
    """Dice that counted before the power went lie there yet, or others: the box cannot know."""
    with still(tmp_path) as first:
        first.frames(5, 50)
        assert first.table.snapshot.table.reading_id == 0
        game_id = first.table.snapshot.game_id
        assert game_id is not None
        first.press("roll_done")
        assert first.table.snapshot.message.text.startswith("These dice lay there before.")
        first.time_ms += 1000
        first.press("roll_done")
        line = first.table.snapshot.game and first.table.snapshot.game.line
    with still(tmp_path) as second:
        second.table.resume(game_id)
        second.frames(5, 50)
        second.press("roll_done")
        assert second.table.snapshot.message.text == (
            "These dice lay there before. Throw, or press again if you did."
        )
        assert second.table.snapshot.game
        assert second.table.snapshot.game.line == line
        rows = [entry.row for entry in second.journal.rows(game_id)]
        assert sum(isinstance(row, EventRow) for row in rows) == 1
        assert sum(isinstance(row, AnswerNote) for row in rows) == 1

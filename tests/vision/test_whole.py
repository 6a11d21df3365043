"""Nearly sure dice count where the whole throw is likely to be right, and only there."""

from dataclasses import replace

import msgspec
import numpy as np
import pytest

from tests.vision.watch.test_throws import die, reading
from vision.incremental_reader import TableReader
from vision.reader import Reader
from vision.reading import (
    NEARLY_SURE,
    SURE_OF_ALL,
    SURE_OF_AS_MANY,
    Reading,
    SeenDie,
    UnsureDie,
    judge_throw_confidence,
    leave_guesses_out,
)

SURE = [die(100, 200, 2), die(700, 200, 5)]


def throw(*nearly: SeenDie, stranger: bool = False) -> Reading:
    """Two sure dice and these nearly sure ones; a thing beside them that shows nothing."""
    unsure = tuple(UnsureDie(center_px=one.center_px, reason="faint", likely=one) for one in nearly)
    beside = (UnsureDie(center_px=(900, 700), reason="cocked"),) if stranger else ()
    return replace(reading(*SURE), unsure=(*unsure, *beside))


def nearly(confidence: float, x: float = 400) -> SeenDie:
    """A die between the others."""
    return die(x, 200, 4, confidence=confidence)


def test_a_nearly_sure_die_counts_beside_sure_ones() -> None:
    decided = judge_throw_confidence(throw(nearly(0.85)))
    assert [one.value for one in decided.dice] == [2, 4, 5], "left to right"
    assert decided.dice[1].confidence == 0.85
    assert decided.unsure == ()


@pytest.mark.parametrize(
    "asked",
    [
        throw(nearly(0.79)),
        throw(nearly(0.83), nearly(0.83, 500)),
        throw(nearly(0.85), stranger=True),
        reading(*SURE, unsure=[(400, 200)]),
        reading(*SURE),
    ],
    ids=["not sure enough", "together not sure enough", "something else is unsure", "no guess", "all sure"],
)
def test_else_the_reading_stands(asked: Reading) -> None:
    assert judge_throw_confidence(asked) is asked


@pytest.mark.parametrize(("confidence", "due", "read"), [(0.65, 3, 3), (0.65, 4, 2), (0.6, 3, 2)])
def test_as_many_as_are_waited_for_need_less(confidence: float, due: int, read: int) -> None:
    assert len(judge_throw_confidence(throw(nearly(confidence)), due).dice) == read


def test_just_sure_enough_together_is_enough() -> None:
    certain = replace(reading(*[msgspec.structs.replace(one, confidence=1.0) for one in SURE]))
    for due, chance in ((None, NEARLY_SURE), (3, SURE_OF_AS_MANY), (None, 0.79), (3, 0.59)):
        one = nearly(chance)
        asked = replace(certain, unsure=(UnsureDie(center_px=one.center_px, reason="faint", likely=one),))
        assert len(judge_throw_confidence(asked, due).dice) == (
            3 if chance in (NEARLY_SURE, SURE_OF_AS_MANY) else 2
        )
    pair = nearly(SURE_OF_ALL / NEARLY_SURE), nearly(NEARLY_SURE, 500)
    unsure = tuple(UnsureDie(center_px=one.center_px, reason="faint", likely=one) for one in pair)
    assert len(judge_throw_confidence(replace(certain, unsure=unsure)).dice) == 4


@pytest.mark.parametrize("opened", [Reader, TableReader])
def test_readers_decide_for_a_throw_as_a_whole(
    opened: type[Reader | TableReader], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Reader, "read_each", lambda *_: throw(nearly(0.85)))
    told = opened().read(np.full((960, 1280, 3), 90, np.uint8), "pip")
    assert [one.value for one in told.dice] == [2, 4, 5]


def test_people_are_told_no_guess() -> None:
    told = leave_guesses_out(throw(nearly(0.6), stranger=True).unsure)
    assert [one.reason for one in told] == ["faint", "cocked"]
    assert set(msgspec.to_builtins(told[0])) == {"center", "reason"}


def test_a_guess_goes_with_its_die_into_another_picture() -> None:
    (one,) = throw(nearly(0.6)).unsure
    moved = one.moved(lambda point: (point[0] + 5, point[1] - 5))
    assert moved.likely is not None
    assert moved.likely.center_px == moved.center_px == (405, 195)

"""What people type when they show the box their dice."""

import pytest

from device.lessons.lessons import Correction, NotUnderstood, teach
from engine.dice import DieKind, Face
from vision.learned.custom_dice import LessonDie
from vision.reading import Reading, SeenDie, UnsureDie


def reading(*seen: tuple[DieKind, Face, float], unsure: tuple[float, ...] = ()) -> Reading:
    return Reading(
        width_px=640,
        height_px=480,
        dice=tuple(
            SeenDie(
                kind=kind,
                value=value,
                confidence=0.99,
                color="red",
                center_px=(x, 50.0),
                corners_px=((x - 9, 41.0), (x + 9, 41.0), (x + 9, 59.0), (x - 9, 59.0)),
            )
            for kind, value, x in seen
        ),
        unsure=tuple(UnsureDie(center_px=(x, 50.0), reason="cocked") for x in unsure),
        elapsed_ms=1.0,
    )


THREE = reading(("pip", 5, 300.0), ("pip", 2, 100.0), unsure=(200.0,))


def answered(reading: Reading, kind: DieKind, line: str) -> tuple[LessonDie, ...]:
    correction = Correction(reading, kind)
    correction.answer(line)
    return correction.truth


def test_finds_stand_left_to_right_with_a_mark_for_what_was_not_read() -> None:
    assert Correction(THREE, "pip").read == ["2", "?", "5"]
    assert Correction(reading(("pip", 4, 9.0)), "d4").read == ["?"]


@pytest.mark.parametrize(
    ("line", "values"), [("2 6 5", [2, 6, 5]), ("2,6,1", [2, 6, 1]), ("2 - 5", [2, 5]), ("- - -", [])]
)
def test_a_line_says_what_each_shows(line: str, values: list[int]) -> None:
    assert [die.value for die in answered(THREE, "pip", line)] == values


def test_what_was_typed_keeps_its_place() -> None:
    (first, last) = answered(THREE, "pip", "1 - 5")
    assert (first.value, first.center_px) == (1, (100.0, 50.0))
    assert len(last.corners_px) == 4


def test_enter_alone_says_that_all_is_as_read() -> None:
    dice = answered(reading(("zoinx", "dot", 9.0), ("zoinx", "square", 5.0)), "zoinx", "")
    assert [die.value for die in dice] == ["square", "dot"]


@pytest.mark.parametrize(
    ("line", "says"),
    [("", "were not read"), ("2 6", "3 were found, and 2 typed"), ("2 7 5", "'7' is no face of such a die")],
)
def test_what_does_not_fit_is_said(line: str, says: str) -> None:
    with pytest.raises(NotUnderstood, match=says):
        answered(THREE, "pip", line)


def test_people_are_asked_until_it_fits() -> None:
    lines = iter(["", "9 9 9", "2 6 5"])
    said: list[str] = []
    dice = teach("a.jpg", THREE, "pip", lambda _: next(lines), said.append)
    assert [die.value for die in dice] == [2, 6, 5]
    assert len(said) == 2


def test_a_picture_may_be_passed_over() -> None:
    assert teach("a.jpg", THREE, "pip", lambda _: "leave", lambda _: None) == ()


def test_an_empty_picture_teaches_nothing() -> None:
    said: list[str] = []
    assert teach("a.jpg", reading(), "pip", lambda _: pytest.fail("nothing to ask"), said.append) == ()
    assert "no dice are seen" in said[0]

"""Each die of a picture is read, asked about, or passed over in silence: counted once each."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from msgspec import structs

from benchmarks.photographs import LabelledPicture, Lying
from benchmarks.reading import Accepted, read_all
from engine.dice import Die
from vision.reader import Reader
from vision.reading import Reading, SeenDie, UnsureDie


def lying(die: Die | None, x: float) -> Lying:
    """A die in a box of 20 pixels."""
    return Lying(die, None, (x - 10, 40, x + 10, 60))


def seen(value: int, x: float) -> SeenDie:
    corners = ((x - 9, 41.0), (x + 9, 41.0), (x + 9, 59.0), (x - 9, 59.0))
    return SeenDie(
        kind="pip", value=value, confidence=0.97, color="red", center_px=(x, 50.0), corners_px=corners
    )


def reading(dice: list[SeenDie], unsure: list[float]) -> Reading:
    doubts = tuple(UnsureDie(center_px=(x, 50.0), reason="half hidden") for x in unsure)
    return Reading(width_px=800, height_px=100, dice=tuple(dice), unsure=doubts, elapsed_ms=1.0)


def test_a_die_is_read_asked_about_or_passed_over() -> None:
    total = Accepted()
    dice = [lying(Die("pip", n), 100.0 * n) for n in (1, 2, 3, 4)] + [lying(None, 700.0)]
    total.add(dice, reading([seen(1, 103), seen(6, 198), seen(5, 701)], [312, 450]))
    assert (total.dice, total.right, total.wrong, total.asked, total.silent) == (4, 1, 1, 1, 1)
    assert (total.strangers, total.strangers_read) == (1, 1)
    assert (total.pictures, total.whole) == (1, 0)


def test_mentions_are_of_a_die_of_a_stranger_or_needless() -> None:
    total = Accepted()
    dice = [lying(Die("pip", 1), 100.0), lying(None, 300.0), lying(None, 500.0)]
    total.add(dice, reading([seen(1, 100)], [104, 297, 299, 700]))
    assert (total.asked, total.silent, total.needless) == (0, 0, 1), "of a die that was read: nobody asks"
    assert (total.strangers, total.strangers_read, total.strangers_asked) == (2, 0, 1), "one die, once"
    total.add([Lying(Die("pip", 2), None, None)], reading([seen(2, 9)], [300]))
    assert total.needless == 1, "nobody knows where the dice lie"


def test_where_boxes_overlap_a_reading_is_of_the_die_that_shows_it() -> None:
    total = Accepted()
    near = [Lying(Die("pip", n), None, (x - 10, 40, x + 10, 60)) for n, x in ((2, 100.0), (5, 108.0))]
    total.add(near, reading([seen(5, 105), seen(2, 106)], []))
    assert (total.right, total.wrong) == (2, 0)
    total.add(near, reading([seen(5, 105), seen(3, 106)], []))
    assert (total.right, total.wrong) == (3, 1)


def test_a_picture_is_wholly_right_where_all_dice_are_and_nothing_else_was_read() -> None:
    dice = [lying(Die("pip", n), 100.0 * n) for n in (1, 2)]
    total = Accepted()
    total.add(dice, reading([seen(1, 100), seen(2, 200)], []))
    assert (total.pictures, total.whole) == (1, 1)
    assert total.invented == 0
    total.add(dice, reading([seen(1, 100), seen(2, 200), seen(3, 300)], []))
    assert (total.pictures, total.whole, total.invented) == (2, 1, 1)


def test_a_die_that_is_burnt_out_may_be_read_rightly() -> None:
    for value, whole in ((4, 1), (3, 0)):
        total = Accepted()
        total.add(
            [lying(Die("pip", 1), 100)],
            reading([seen(1, 100), seen(value, 300)], []),
            [lying(Die("pip", 4), 300)],
        )
        assert (total.dice, total.right, total.whole, total.invented) == (1, 1, whole, 1 - whole)


def test_without_places_values_are_compared_and_doubts_stand_for_what_was_not_read() -> None:
    dice = [Lying(Die("pip", n), None, None) for n in (2, 2, 5, 6)]
    total = Accepted()
    total.add(dice, reading([seen(5, 9), seen(2, 50), seen(3, 90)], [300]))
    assert (total.right, total.wrong, total.asked, total.silent) == (2, 1, 1, 0)


def test_pictures_of_strangers_alone_are_not_among_those_wholly_right() -> None:
    total = Accepted()
    total.add([lying(None, 100)], reading([], []))
    assert (total.pictures, total.whole, total.strangers_read) == (0, 0, 0)


def test_a_game_that_knows_the_number_of_dice_asks_less(monkeypatch: pytest.MonkeyPatch) -> None:
    faint = UnsureDie(
        center_px=(200, 50.0), reason="faint", likely=structs.replace(seen(2, 200), confidence=0.65)
    )
    told = replace(reading([seen(1, 100)], []), unsure=(faint,))
    monkeypatch.setattr("benchmarks.photographs.load_sized", lambda _: SimpleNamespace(picture=None))
    monkeypatch.setattr(Reader, "read", lambda *_: told)
    shown = [LabelledPicture(Path("a.jpg"), "pip", (lying(Die("pip", 1), 100), lying(Die("pip", 2), 200)))]
    for counted, right in ((False, 1), (True, 2)):
        total = read_all(shown, Reader(), "a source", counted=counted)
        assert (total.right, total.asked) == (right, 2 - right)

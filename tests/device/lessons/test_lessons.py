"""Corrected readings are kept to learn from, only where the owner asked for it."""

from pathlib import Path

import msgspec
import pytest

from device.config import parse
from device.journal import Storage
from device.lessons.lessons import MOST, Lessons, LessonsBroken, keep_to_learn, place_dice
from engine.dice import Die
from vision.learned.custom_dice import LessonDie
from vision.reading import Reading, SeenDie, UnsureDie

JPEG = b"\xff\xd8 a picture \xff\xd9"


def seen(value: int, at: float) -> SeenDie:
    corners = ((at, 0.0), (at + 9, 0.0), (at + 9, 9.0), (at, 9.0))
    return SeenDie(
        kind="pip", value=value, confidence=0.9, color="red", center_px=(at + 4, 4.0), corners_px=corners
    )


def reading(*values: int, unsure: int = 0) -> Reading:
    return Reading(
        width_px=640,
        height_px=480,
        dice=tuple(seen(value, 20.0 * n) for n, value in enumerate(values)),
        unsure=tuple(UnsureDie(center_px=(300.0 + n, 9.0), reason="cocked") for n in range(unsure)),
        elapsed_ms=1.0,
    )


def meant(*values: int) -> tuple[Die, ...]:
    return tuple(Die("pip", value) for value in values)


def places(dice: tuple[LessonDie, ...]) -> list[tuple[int | str, float | None]]:
    return [(die.value, die.corners_px[0][0] if die.corners_px else None) for die in dice]


def test_one_wrong_die_is_known_by_what_is_left() -> None:
    assert places(place_dice(reading(1, 5, 3), meant(3, 1, 6))) == [(1, 0.0), (3, 40.0), (6, 20.0)]


def test_two_wrong_dice_that_should_show_the_same_are_known() -> None:
    assert places(place_dice(reading(1, 5, 3), meant(2, 2, 1))) == [(1, 0.0), (2, 20.0), (2, 40.0)]


def test_two_wrong_dice_that_show_different_numbers_have_no_place() -> None:
    assert places(place_dice(reading(1, 5, 3), meant(1, 6, 2))) == [(1, 0.0), (2, None), (6, None)]


def test_a_die_that_the_box_did_not_vouch_for_has_no_place() -> None:
    assert places(place_dice(reading(1, unsure=1), meant(1, 4))) == [(1, 0.0), (4, None)]


def test_lessons_are_kept_and_come_back_oldest_first(tmp_path: Path) -> None:
    lessons = Lessons(tmp_path / "lessons")
    assert lessons.all() == ()
    for name in ("game-1-1", "game-1-2"):
        lessons.keep(name, JPEG, place_dice(reading(1), meant(2)), "correction")
    first, second = lessons.all()
    assert first.picture.read_bytes() == JPEG
    assert (first.truth.image, second.truth.image) == ("game-1-1.jpg", "game-1-2.jpg")
    assert first.truth.dice[0].value == 2
    assert not list((tmp_path / "lessons").glob("*.part"))


def test_a_lesson_that_was_spoilt_is_passed_over(tmp_path: Path) -> None:
    lessons = Lessons(tmp_path)
    lessons.keep("good", JPEG, (), "learn")
    (tmp_path / "bad.json").write_bytes(b"\x80 no json")
    no_die = '{"image": "odd.jpg", "dice": [{"kind": "pip", "value": 7}], "source": "learn"}'
    (tmp_path / "odd.json").write_text(no_die)
    (tmp_path / "odd.jpg").write_bytes(JPEG)
    (tmp_path / "alone.json").write_text('{"image": "alone.jpg", "dice": [], "source": "learn"}')
    assert [lesson.truth.image for lesson in lessons.all()] == ["good.jpg"]


def test_the_oldest_make_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("device.lessons.lessons.MOST", 3)
    assert MOST > 3
    lessons = Lessons(tmp_path)
    for n in range(5):
        lessons.keep(f"lesson-{n}", JPEG, (), "learn")
    assert len(lessons.all()) == 3
    assert not (tmp_path / "lesson-0.jpg").exists()
    assert (tmp_path / "lesson-4.jpg").exists()


def test_lessons_can_be_given_away_and_forgotten(tmp_path: Path) -> None:
    lessons = Lessons(tmp_path / "lessons")
    lessons.keep("one", JPEG, place_dice(reading(1), meant(1)), "learn")
    assert lessons.export(tmp_path / "out") == 1
    (truth,) = msgspec.json.decode((tmp_path / "out" / "truth.json").read_bytes())
    corners = [[0, 0], [9, 0], [9, 9], [0, 9]]
    assert truth["dice"] == [{"kind": "pip", "value": 1, "center": [4, 4], "corners": corners}]
    assert (tmp_path / "out" / "one.jpg").read_bytes() == JPEG
    assert lessons.forget() == 1
    assert lessons.all() == ()


def test_a_folder_that_cannot_be_written_ends_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(LessonsBroken, match="the game goes on"):
        Lessons(tmp_path / "file" / "lessons").keep("one", JPEG, (), "learn")


def test_names_stay_in_the_folder(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="small letters"):
        Lessons(tmp_path).keep("../one", JPEG, (), "learn")


def test_a_correction_leaves_a_lesson_only_where_the_owner_asked_for_it(tmp_path: Path) -> None:
    assert parse("").learning.keep_corrections is False
    with Storage.open(tmp_path) as storage:
        picture = storage.keep_picture(7, 3, JPEG)
        assert keep_to_learn(storage, None, reading(1), picture, meant(2)) == ""
        lessons = Lessons(storage.lessons)
        assert lessons.all() == ()
        assert keep_to_learn(storage, lessons, reading(1), picture, meant(2)) == ""
        (lesson,) = lessons.all()
        assert lesson.truth.source == "correction"
        assert lesson.picture.read_bytes() == JPEG
        assert keep_to_learn(storage, lessons, reading(1), "7/9.jpg", meant(2)) == ""
        assert len(lessons.all()) == 1


def test_a_full_disk_is_said_and_no_more(tmp_path: Path) -> None:
    with Storage.open(tmp_path) as storage:
        picture = storage.keep_picture(7, 3, JPEG)
        storage.lessons.write_text("in the way")
        assert "the game goes on" in keep_to_learn(
            storage, Lessons(storage.lessons), reading(1), picture, meant(2)
        )

"""Looking only about places where dice are seen finds there what looking at the whole picture finds."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.arrays import Picture, Singles
from tests.vision.scenes import Drawn, Scene, draw
from tests.vision.test_join import looked
from vision.classic.marks import find_marks, pyramid
from vision.classic.reader import ClassicReader, windows
from vision.face_place import FacePlace
from vision.reader import settled
from vision.reading import DiceChoice, Reading, SeenDie

FACES = (1, 2, 3, 4, 5, 6)
CLASSIC = ClassicReader()


@pytest.fixture(scope="module")
def picture() -> Picture:
    """A row of dice."""
    dice = tuple(Drawn(face, 200 + 160 * i, 400 + 60 * (i % 2)) for i, face in enumerate(FACES))
    return draw(Scene(dice))


def place(x: float, y: float, half_px: float = 25.0) -> FacePlace:
    """An up-face there."""
    return FacePlace(np.array((x, y), np.float32), np.asarray(np.eye(2) * half_px, np.float32))


def away(points: Singles, x: float, y: float) -> Singles:
    """How far points are from one."""
    return np.asarray(np.hypot(*(points - (x, y)).T), np.float32)


@pytest.mark.parametrize("which", [(0,), (3,), (1, 5)])
def test_in_windows_the_same_marks_are_found_and_none_elsewhere(
    picture: Picture, which: tuple[int, ...]
) -> None:
    levels = pyramid(picture)
    dice = [(200 + 160 * i, 400 + 60 * (i % 2)) for i in which]
    found = find_marks(levels, windows([place(x, y) for x, y in dice])).xy
    every = find_marks(levels)
    pips = every.xy[every.contrast < -60]  # between pips there are light spots, of no consequence
    assert len(pips) >= sum(FACES)
    for x, y in dice:
        for mark in pips[away(pips, x, y) < 22]:
            assert away(found, *mark).min() < 0.3
    assert all(min(np.hypot(x - mark[0], y - mark[1]) for x, y in dice) < 50 for mark in found)


def test_faces_about_places_are_those_of_the_whole_picture(picture: Picture) -> None:
    whole = CLASSIC.read(picture)
    assert [die.value for die in whole.dice] == list(FACES)
    about = CLASSIC.read(picture, about=[place(*whole.dice[i].center_px) for i in (0, 2, 5)])
    assert [die.value for die in about.dice] == [1, 3, 6]
    for die, same in zip(about.dice, (whole.dice[i] for i in (0, 2, 5)), strict=True):
        assert die.center_px == pytest.approx(same.center_px, abs=0.5)
        corners = np.array(same.corners_px, np.float32)
        assert max(away(corners, *corner).min() for corner in die.corners_px) < 2
    assert about.unsure == ()


def test_about_no_place_nothing_is_read(picture: Picture) -> None:
    reading = CLASSIC.read(picture, about=[])
    assert (reading.dice, reading.unsure) == ((), ())


@given(
    x=st.floats(-300, 1600), y=st.floats(-300, 1300), half_px=st.one_of(st.floats(0, 60), st.floats(60, 5000))
)
def test_places_of_any_size_and_beyond_the_border_do_no_harm(
    picture: Picture, x: float, y: float, half_px: float
) -> None:
    reading = CLASSIC.read(picture, about=[place(x, y, half_px)])
    for die in reading.dice:
        assert np.hypot(die.center_px[0] - x, die.center_px[1] - y) <= half_px


@pytest.mark.parametrize(
    ("dice", "seen", "asked"),
    [
        ("auto", [("pip", 5, 0.98)], None),
        ("auto", [("pip", 5, 0.98), ("pip", 4, 0.5)], 1),
        ("auto", [("bet", 8, 0.5), ("pip", 4, 0.98)], None),
        ("auto", [("bet", 8, 0.5), ("pip", 4, 0.5)], 1),
        ("auto", [], "all"),
        ("pip", [("pip", 4, 0.5)], "all"),
        ("bet", [("bet", 8, 0.5)], None),
        ("pip", [("none", "none", 0.0)], "all"),
        ("auto", [("none", "none", 0.0)], "all"),
        ("pip", [("pip", 5, 0.98), ("none", "none", 0.0)], None),
    ],
)
def test_the_classical_reader_is_asked_where_it_can_help(
    dice: DiceChoice, seen: list[tuple[str, int | str, float]], asked: int | str | None
) -> None:
    questions: list[int | str] = []

    def classical(*, about: list[FacePlace] | None) -> Reading:
        questions.append("all" if about is None else len(about))
        return Reading(width_px=640, height_px=480, dice=(), unsure=(), elapsed_ms=0.0)

    faces = [looked(kind, value, sure, (100 + 90 * i, 100)) for i, (kind, value, sure) in enumerate(seen)]
    settled(faces, classical, dice)  # type: ignore[arg-type]
    assert questions == ([] if asked is None else [asked])


@pytest.mark.parametrize(("beside", "read"), [("zoinx", []), ("pip", [4])])
def test_a_doubtful_face_of_another_kind_than_all_the_sure_ones_stays_unsure(
    beside: str, read: list[int]
) -> None:
    corners = ((170, 80), (210, 80), (210, 120), (170, 120))
    four = SeenDie(
        kind="pip", value=4, confidence=0.99, color="ivory", center_px=(190, 100), corners_px=corners
    )
    second = Reading(width_px=640, height_px=480, dice=(four,), unsure=(), elapsed_ms=0.0)
    value = "dot" if beside == "zoinx" else 5
    faces = [looked(beside, value, 0.988, (100, 100)), looked("pip", 4, 0.5, (190, 100))]
    seen, unsure = settled(faces, lambda *, about: second, "auto")  # noqa: ARG005 - it is asked about one
    assert [die.value for die in seen] == [value, *read]
    assert [one.reason for one in unsure] == ([] if read else ["unlike the other dice, and not clear"])

"""Evidence shows what was called: the die on its footprint, the lines where they lie, the words that fit."""

from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.arrays import Picture
from tests.tiers import short_rows
from tests.vision.landing.lying import die_at, footprint, spread
from tests.vision.landing.stage import StagedDie, Table, calibrated, camera, photograph
from vision.landing import drafting
from vision.landing.call import Call, call_die, chances, dot_words, nearness, percent, worth_words
from vision.landing.evidence import (
    FOOTPRINT,
    SCENE_PX,
    WIDTH_PX,
    DrawnArea,
    circle,
    draw_evidence,
    view_from_above,
)

TABLE = calibrated(camera(1600, 1200, 0.8))
PLACE = (-97.4, 385.0, 20.0)


@pytest.fixture(scope="module")
def picture() -> Picture:
    """A die over a corner of the 5, 115 mm from the point below the camera."""
    x, y, yaw = PLACE
    staged = StagedDie(x_mm=x, y_mm=y, yaw_deg=yaw, value=6, ink=(0.55, 0.68, 0.75))
    return photograph(TABLE.view, Table(TABLE), [staged])


def colour(drawn: Picture, frame: DrawnArea, points_mm: object) -> Picture:
    """The colours (n, 3) at places of the table."""
    at = np.rint(frame.px(np.array(points_mm))).astype(int)
    return np.asarray(drawn[at[:, 1], at[:, 0]], np.uint8)


def test_a_frame_goes_from_the_table_to_the_drawing_and_back() -> None:
    frame = DrawnArea((12.0, 300.0), 20.0, 600, 400)
    places = frame.grid_mm(50)
    assert frame.mm(frame.px(places)) == pytest.approx(places)
    assert frame.px(np.array([12.0, 301.0]))[1] < frame.px(np.array([12.0, 300.0]))[1]  # +y is up


@pytest.mark.long
def test_the_table_is_seen_to_scale(picture: Picture) -> None:
    """The dot lies where it is, to a fraction of a pixel of the picture."""
    dot = TABLE.laid.dot
    assert dot is not None
    frame = DrawnArea((0.3, 259.6), 10.0, 200, 200)
    seen = view_from_above(picture, TABLE, (), frame).sum(axis=2)
    rows, columns = np.nonzero(seen < 310)
    middle = frame.mm(np.stack([columns, rows], axis=-1).astype(float)).mean(axis=0)
    assert middle == pytest.approx(dot.center_mm, abs=0.15)
    assert len(rows) / 100 == pytest.approx(np.pi * 4.5**2, rel=0.12)
    assert np.hypot(*(circle(dot) - dot.center_mm).T) == pytest.approx(np.full(120, 4.5))


@pytest.mark.long
def test_the_die_stands_on_its_footprint_and_what_it_hides_is_striped(picture: Picture) -> None:
    x, y, yaw = PLACE
    frame = DrawnArea((x, y), 20.0, 800, 800)
    drawn = view_from_above(picture, TABLE, (die_at(x, y, yaw),), frame).astype(int)
    smaller = (footprint(x, y, yaw) - (x, y)) * 0.86 + (x, y)
    body = colour(drawn.astype(np.uint8), frame, smaller).astype(int)
    assert body.min(axis=1).mean() > 100  # Ivory is light in every channel; green and yellow are not.
    away = np.array([x, y]) - TABLE.view.eye_mm[:2]
    away = 8.0 * np.sign(away) + 1.2 * away / np.hypot(*away)
    behind = colour(drawn.astype(np.uint8), frame, [(x, y) + away * share for share in (1.05, 1.1)])
    assert behind.astype(int).min(axis=1).max() < 130  # The zone's green, with stripes, and no ivory.
    plain = view_from_above(picture, TABLE, (), frame).astype(int)
    assert np.abs(plain - drawn).max(axis=2).mean() > 4  # Unless brought down, the die leans outwards.


def test_a_leaning_die_is_left_as_it_was_photographed(picture: Picture) -> None:
    x, y, yaw = PLACE
    frame = DrawnArea((x, y), 10.0, 300, 300)
    leaning = view_from_above(picture, TABLE, (die_at(x, y, yaw, pose="cocked"),), frame)
    assert np.array_equal(leaning, view_from_above(picture, TABLE, (), frame))


def test_a_die_that_was_rolled_for_its_number_has_no_zone_in_its_picture(picture: Picture) -> None:
    """Nothing of the call is written, so two calls look alike."""
    die = die_at(0.0, 200.0, value=4)
    far = call_die(die_at(100.0, 420.0, value=4), TABLE)
    first, second = (
        draw_evidence(picture, TABLE, die, made, number_alone=True) for made in (call_die(die, TABLE), far)
    )
    assert (first[SCENE_PX:] == second[SCENE_PX:]).all()
    assert first[SCENE_PX:].min() < 60


@pytest.mark.long
@pytest.mark.parametrize(
    ("x", "y", "yaw", "note"),
    short_rows(
        [
            (*PLACE, ""),  # Too close: under the glass.
            (0.0, 1205.0, 20.0, ""),  # Out of the picture: nothing breaks.
            (-60.0, 385.0, 20.0, "touches another die"),  # A reach drawn in place.
            (0.0, 230.0, 20.0, ""),  # No line anywhere near.
            (2.9, 260.5, 20.0, ""),  # The dot, nearly showing.
        ],
        2,
    ),
)
def test_every_landing_has_its_picture(picture: Picture, x: float, y: float, yaw: float, note: str) -> None:
    die = replace(die_at(x, y, yaw, covariance=spread(0.05, 0.05)), note=note)
    drawn = draw_evidence(
        picture, TABLE, die, call_die(die, TABLE), others=(die_at(0, 300),), title="a, die 1"
    )
    assert drawn.dtype == np.uint8
    assert drawn.shape[1:] == (WIDTH_PX, 3)
    assert drawn.shape[0] > SCENE_PX + 200
    scene = drawn[:SCENE_PX].astype(int)
    marked = np.abs(scene - FOOTPRINT).max(axis=2) < 12
    # Its whole way round, three pixels wide, at ten pixels to the millimetre or more.
    assert marked.sum() > 3 * 10 * 4 * 13
    assert drawn[SCENE_PX:].min() < 60  # Something is written.


@pytest.mark.parametrize(
    ("x", "y", "yaw"),
    [
        (-64.3, 29.0, 34.5),  # The length's best place is the best one of the 20, too,
        (34.6, 115.4, 49.7),  # and here of the 5.
        (-60.0, 230.0, 45.0),  # The arrow goes through the die from corner to corner.
        (110.0, 300.0, 10.0),
    ],
)
def test_words_hide_neither_the_die_nor_one_another(
    picture: Picture, monkeypatch: pytest.MonkeyPatch, x: float, y: float, yaw: float
) -> None:
    boxes = list[tuple[int, int, int, int]]()
    box = drafting.box

    def remember(drawn: Picture, area: tuple[int, int, int, int], *rest: Any, **more: Any) -> None:
        if drawn.shape[:2] == (SCENE_PX, WIDTH_PX):  # not the paper below it
            boxes.append(area)
        box(drawn, area, *rest, **more)

    monkeypatch.setattr(drafting, "box", remember)
    die = die_at(x, y, yaw, covariance=spread(0.05, 0.05))
    drawn = draw_evidence(picture, TABLE, die, call_die(die, TABLE))
    assert len(boxes) == 5, "the length, two numbers, the plan and the scale"
    hidden = np.zeros((SCENE_PX, WIDTH_PX), int)
    for left, top, width, height in boxes:
        hidden[top : top + height, left : left + width] += 1
    assert hidden.max() == 1
    outline = np.abs(drawn[:SCENE_PX].astype(int) - FOOTPRINT).max(axis=2) < 12
    outline[-360:, -280:] = False  # the plan shows it, too
    rows, columns = np.nonzero(outline)
    hull = cv2.convexHull(np.stack([columns, rows], axis=-1).astype(np.int32))
    inside = cv2.fillConvexPoly(np.zeros((SCENE_PX, WIDTH_PX), np.uint8), hull, 1)
    assert not (hidden * inside).any()


def called(x: float, y: float, yaw: float = 0.0) -> Call:
    """The call of a red 4."""
    return call_die(die_at(x, y, yaw), TABLE)


@pytest.mark.long
@pytest.mark.parametrize(
    ("x", "y", "words"),
    [
        (-96.0, 200, "It reaches 0.90 ± 0.15 mm over the line between 2 and 5."),
        (-98.0, 200, "It is 1.10 ± 0.15 mm short of the line between 2 and 5."),
        (0, 1200, "It clears the halfway line by 1.70 ± 0.15 mm."),
        (0, 1203, "It is not clear of the halfway line: 1.30 ± 0.15 mm are missing."),
        (159, 800, "It reaches 1.40 ± 0.15 mm over the side line."),
        (162, 300, "It is 1.60 ± 0.15 mm short of the sheet's edge."),
        (20, -7, "It reaches 1.00 ± 0.15 mm over the table's edge."),
        (0, 230, "The nearest line is far off: 9 cm to the line between 2 and 5."),
    ],
)
def test_the_words_say_how_it_lies(x: float, y: float, words: str) -> None:
    found = called(x, y)
    sure = f"{1.96 * found.near_sigma_mm:.2f}"
    assert nearness(found) == words.replace("0.15", sure)


def test_chances_are_never_rounded_up_to_certainty() -> None:
    assert [percent(part) for part in (1.0, 0.99995, 0.9997, 0.98, 0.5, 0.004, 0.0)] == [
        "over 99.99 %", "over 99.99 %", "99.97 %", "98 %", "50 %", "0.40 %", "under 0.01 %",
    ]  # fmt: skip
    assert chances(called(0, 230)) == "Chance of zone 5: over 99.99 %"
    told = chances(called(-96.93, 200))
    assert told.startswith("Chance of zone 2: ")
    assert ", of zone 5: " in told


def test_what_a_die_is_worth() -> None:
    assert worth_words(4, called(0, 30)) == "4 × 20 = 80"
    assert worth_words(None, called(0, 30)) == "Zone 20"


def test_the_dot_has_its_own_sentence_when_it_is_near() -> None:
    assert dot_words(called(0, 200).dot) == ""
    assert dot_words(called(1.0, 260).dot).startswith("The dot is covered, by 2.50 ± 0.")
    assert dot_words(called(8.0, 260).dot).startswith("The dot is to be seen: 4.50 ± 0.")
    assert dot_words(called(3.48, 260).dot).endswith("which is too close to call.")

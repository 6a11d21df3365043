"""Dice found in a small picture and read from a large one of the same view."""

from collections.abc import Iterator

import cv2
import numpy as np
import pytest

from calibration.arrays import Floats, Picture
from device.cameras import Frame
from device.simulator.end_zone.table import view_of
from device.simulator.lens import overhead
from device.simulator.table import DieOnTable, SimulatedTable
from tests.clock import Clock
from tests.tiers import short
from vision.face_place import FacePlace, place_of, sharper_of
from vision.learned.camera_prior import CameraPrior
from vision.learned.stance import Upright
from vision.reader import Reader
from vision.reading import DiceChoice, Window

READER = Reader()


def blank(width: int, height: int) -> Picture:
    return np.zeros((height, width, 3), np.uint8)


def thrown(
    kind: DiceChoice, seed: int, count: int = 5, act: str = "throw"
) -> tuple[Frame, tuple[DieOnTable, ...]]:
    """A frame with a sharp picture, of dice that were thrown, and the truth."""
    clock = Clock(0.0)
    table = SimulatedTable(seed, fps=1.0, clock=clock, wait=clock.wait)
    table.lay(kind, count)  # type: ignore[arg-type]
    frames: Iterator[Frame] = table.frames()
    next(frames)
    table.act(act)
    next(frames)
    while table.busy or not table.lying:
        next(frames)
    table.sharpen(True)
    return next(frames), table.lying


def middle(die: DieOnTable) -> Floats:
    """The middle of what is read: of a D4, of the face that it lies on."""
    corners = die.corners_px[1:] if die.die.kind == "d4" else die.corners_px
    found: Floats = np.array(corners, np.float64).mean(axis=0)
    return found


def test_a_place_goes_there_and_back() -> None:
    place = place_of(np.array(((10, 20), (30, 22), (28, 42), (8, 40)), np.float32))
    sharper = sharper_of(blank(1280, 960), blank(2028, 1520), (100, 50, 400, 300))
    assert sharper is not None
    there = sharper.there(place)
    x, y = sharper.scale
    assert there.corners() == pytest.approx((place.corners() + 0.5 + (100, 50)) * (x, y) - 0.5, abs=1e-3)
    assert sharper.back(there).corners() == pytest.approx(place.corners(), abs=1e-3)


def test_the_corner_of_a_picture_stays_its_corner() -> None:
    sharper = sharper_of(blank(640, 480), blank(1280, 960))
    assert sharper is not None
    frame = FacePlace(np.array((319.5, 239.5), np.float32), np.diag((320, 240)).astype(np.float32))
    grown = sharper.there(frame)
    assert grown.corners()[0] == pytest.approx((-0.5, -0.5))
    assert grown.corners()[2] == pytest.approx((1279.5, 959.5))


@pytest.mark.parametrize(("width", "height"), [(1280, 960), (640, 480), (2560, 1440), (1920, 1440 + 40)])
def test_what_is_no_larger_or_shaped_otherwise_is_no_sharper_view(width: int, height: int) -> None:
    assert sharper_of(blank(1280, 960), blank(width, height)) is None
    assert sharper_of(blank(1280, 960), None) is None


@pytest.mark.long
@pytest.mark.parametrize("seed", short(range(4)))
def test_d4_that_are_too_small_in_the_watched_picture_are_read_from_the_sharp_one(seed: int) -> None:
    frame, lying = thrown("d4", 60 + seed)
    watched = np.asarray(cv2.resize(frame.picture, (800, 600), interpolation=cv2.INTER_AREA), np.uint8)
    alone = READER.read(watched, "d4")
    assert alone.dice == ()
    assert {one.reason for one in alone.unsure} == {"too small in the picture"}
    both = READER.read(watched, "d4", frame.sharp)
    assert (both.width_px, both.height_px) == (800, 600), "places are still those of the watched picture"
    assert len(both.dice) == len(lying)
    for die in both.dice:
        places = [middle(one) * 800 / 1280 for one in lying]
        away = [float(np.hypot(*(place - die.center_px))) for place in places]
        assert die.die == lying[int(np.argmin(away))].die
        assert min(away) < 2.0


def test_a_window_is_read_from_the_whole_sharp_picture() -> None:
    frame, lying = thrown("d4", 61)
    one = lying[2]
    x, y = (round(part) for part in one.center_px)
    window: Window = (max(0, x - 90), max(0, y - 90), x + 90, y + 90)
    read = READER.read_each(frame.picture, "d4", frame.sharp, window).dice
    here = [die for die in read if np.hypot(*(middle(one) - np.add(die.center_px, window[:2]))) < 2.5]
    assert [die.die for die in here] == [one.die]


@pytest.mark.parametrize("kind", short(["pip", "zoinx", "bet"]))
def test_dice_that_are_read_anyway_are_read_from_it_too(kind: DiceChoice) -> None:
    frame, lying = thrown(kind, 71)
    reading = READER.read(frame.picture, kind, frame.sharp)
    assert sorted(str(die.value) for die in reading.dice) == sorted(str(one.die.value) for one in lying)
    for die in reading.dice:
        assert min(float(np.hypot(*(middle(one) - die.center_px))) for one in lying) < 3


def test_another_shape_is_left_aside() -> None:
    frame, _ = thrown("pip", 72)
    assert frame.sharp is not None
    squeezed = np.asarray(cv2.resize(frame.sharp, (2024, 1200)), np.uint8)
    assert READER.read(frame.picture, "pip", squeezed).dice == READER.read(frame.picture, "pip").dice


def test_a_calibration_made_at_the_watched_size_serves_the_sharp_one() -> None:
    said: list[str] = []
    frame, lying = thrown("bet", 73)
    bearings = CameraPrior(Upright(view=view_of(overhead(1280, 960))), said.append)
    reading = Reader(bearings=bearings).read(frame.picture, "bet", frame.sharp)
    assert sorted(str(die.value) for die in reading.dice) == sorted(str(one.die.value) for one in lying)
    assert said == [], "neither of another size nor moved"


@pytest.mark.long
@pytest.mark.parametrize("seed", range(6))
def test_a_leaning_d4_is_not_read(seed: int) -> None:
    frame, lying = thrown("d4", 80 + seed, act="cock")
    (leaning,) = [one for one in lying if one.how == "cocked"]
    reading = READER.read(frame.picture, "d4", frame.sharp)
    assert 1 < len(reading.dice) < len(lying), "those beside it may be doubted"
    assert all(np.hypot(*(np.array(leaning.center_px) - die.center_px)) > 20 for die in reading.dice)

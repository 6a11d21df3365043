"""Pictures of dice that were measured and read, and of a table that was calibrated: drawn with exact truth.

Landings and boards come from the landing benchmark's renderer, leaning dice from the simulated table.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from benchmarks.landing.calibrated import calibrated
from benchmarks.landing.camera import expose
from benchmarks.landing.cube import Cube, standing
from benchmarks.landing.dice import draw_skin, dress, set_dice
from benchmarks.landing.scenes import Kit, bare, kit, moved, true_calibration, unpack
from benchmarks.pictures.studio import Studio, unpacked
from benchmarks.simulation import hurried_table
from calibration.arrays import Floats, Picture
from calibration.table import TableCalibration
from vision.incremental_reader import TableReader
from vision.landing.call import call_die
from vision.landing.drafting import plate, stroke
from vision.landing.evidence import draw_evidence
from vision.landing.measure import Measurer
from vision.reading import Reading

CALLS, BOARDS = ("12mp", 6), ("1mp", 5)
"""Camera and table of the landings, and of the calibration."""
CLOSE_UP_PX = 620
"""How wide a close-up is in the guide."""
EDGE_MM, ROUNDING_MM = 16.0, 1.6
SEEN_MM = 14.0
"""Half of what is shown of a die as the camera sees it."""
WHITE, MAGENTA, YELLOW, CYAN, GREEN = (
    (255, 255, 255),
    (255, 0, 255),
    (0, 255, 255),
    (255, 255, 0),
    (0, 220, 0),
)
READ, DOUBTED, PLATE, PAPER = (90, 220, 80), (60, 165, 245), (30, 30, 30), (255, 255, 255)


@dataclass(frozen=True)
class Placed:
    """A die that is laid so far over a line of the 5, or short of it."""

    picture: str
    value: int
    yaw_deg: float
    near_mm: tuple[float, float]
    """Whereabouts: the line's point that is nearest to this."""
    facing: tuple[float, float]
    """Which way the zone lies into which it reaches."""
    over_mm: float
    """How far its outline is over the line; negative: short of it."""


LAID = (
    Placed("call-short", 6, 2.0, (60.0, 110.0), (0.0, -1.0), -0.42),
    Placed("call-certain", 6, 12.0, (-75.0, 210.0), (1.0, 0.0), 0.67),
    Placed("call-close", 3, 14.0, (-75.0, 300.0), (1.0, 0.0), -0.08),
)
ON_THE_DOT = (5, 35.0, (1.4, 0.6))
"""The die that covers the dot: its value, its yaw in degrees, how far its middle is off the dot's in mm."""


def make_calls(studio: Studio) -> None:
    """Four landings with their close-ups, and one of them as the camera sees it."""
    over = kit(*CALLS)
    cubes = [_laid(over, each) for each in LAID]
    value, yaw_deg, (right_mm, up_mm) = ON_THE_DOT
    x_mm, y_mm = over.layout.dot_mm
    cubes.append(standing((x_mm + right_mm, y_mm + up_mm, 0.0), EDGE_MM, ROUNDING_MM, yaw_deg))
    picture = _drawn(over, cubes, [*(each.value for each in LAID), value])
    calibration = true_calibration(over)
    seen = Measurer(calibration).measure(picture).dice
    for name, cube in zip((*(each.picture for each in LAID), "call-dot"), cubes, strict=True):
        die = min(seen, key=lambda one: float(np.hypot(*np.subtract(one.center_mm, cube.center_mm[:2]))))
        close_up = draw_evidence(picture, calibration, die, call_die(die, calibration))
        studio.keep(_as_wide(close_up, CLOSE_UP_PX), f"img/{name}.jpg")
    studio.keep(_as_seen(over, picture, cubes[0]), "img/call-camera.jpg")


def _drawn(over: Kit, cubes: Sequence[Cube], values: Sequence[int]) -> Picture:
    """The camera's picture of ivory dice on a kit's table: the benchmark keeps none of dice laid by hand."""
    rng = np.random.default_rng(over.seed)
    dice = tuple(dress(c, draw_skin("ivory", rng), v, rng) for c, v in zip(cubes, values, strict=True))
    light = bare(over.name, over.seed).copy()
    set_dice(light, over.setting, dice, over.seed)
    return unpacked(expose(light, over.sensor, over.seed))


def _laid(over: Kit, told: Placed) -> Cube:
    """The cube where it is told to lie."""
    line = next(area.outline_mm for area in over.layout.areas if area.value == 5)
    at = line[int(np.argmin(np.hypot(*(line - np.array(told.near_mm)).T)))]
    cube = standing((0.0, 0.0, 0.0), EDGE_MM, ROUNDING_MM, told.yaw_deg)
    facing = np.array(told.facing)
    middle = at - facing * float((cube.footprint() @ facing).max() - told.over_mm)
    return moved(cube, (float(middle[0]), float(middle[1])))


def _as_seen(over: Kit, picture: Picture, cube: Cube) -> Picture:
    """The piece of the camera's picture in which a die lies, turned as its close-up is."""
    x_mm, y_mm, _ = cube.center_mm
    corners = np.array([(-1, 1), (1, 1), (-1, -1)]) * SEEN_MM + (x_mm, y_mm)
    seen = over.camera.project(np.column_stack((corners, np.full(3, EDGE_MM)))).astype(np.float32)
    side = float(CLOSE_UP_PX - 1)
    there = np.array([(0, 0), (side, 0), (0, side)], np.float32)
    piece = cv2.warpAffine(
        picture, cv2.getAffineTransform(seen, there), (CLOSE_UP_PX, CLOSE_UP_PX), flags=cv2.INTER_CUBIC
    )
    return np.asarray(piece, np.uint8)


def _as_wide(picture: Picture, width_px: int) -> Picture:
    height = round(picture.shape[0] * width_px / picture.shape[1])
    return np.asarray(cv2.resize(picture, (width_px, height), interpolation=cv2.INTER_AREA), np.uint8)


def make_calibrating(studio: Studio) -> None:
    """The pictures that a builder takes of the board, and what is found with them."""
    over = kit(*BOARDS)
    held = [_as_wide(unpack(path), 360) for path in over.lens_views()[:6]]
    studio.keep(_grid(held, 3), "img/calibrating-held.jpg")
    flat = [_as_wide(unpack(path), 440) for path in over.flats()]
    studio.keep(_grid(flat, 2), "img/calibrating-flat.jpg")
    empty, found = unpack(over.empty()), calibrated(over)
    _draw_found(empty, found)
    studio.keep(_as_wide(empty, 1000), "img/calibrating-found.jpg")


def _grid(pictures: Sequence[Picture], columns: int) -> Picture:
    rows = [np.hstack(pictures[first : first + columns]) for first in range(0, len(pictures), columns)]
    return np.vstack(rows)


def _draw_found(picture: Picture, found: TableCalibration) -> None:
    """Zones white, tapes magenta, the table's edge yellow, landmarks crossed."""

    def project(points_mm: Sequence[tuple[float, float]]) -> Floats:
        return found.view.project(np.array([(x, y, 0.0) for x, y in points_mm]))

    laid = found.laid
    for tape in laid.tapes:
        stroke(picture, project((*tape.outer_mm, *tape.inner_mm[::-1])), MAGENTA, 2, closed=True)
    for zone in laid.zones:
        stroke(picture, project(zone.polygon_mm), WHITE, 2, closed=True)
    stroke(picture, project(laid.table_edge_mm), YELLOW, 2)
    for mark in found.landmarks:
        at = (round(mark.at_px[0]), round(mark.at_px[1]))
        cv2.drawMarker(
            picture, at, CYAN if mark.on == "sheet" else GREEN, cv2.MARKER_TILTED_CROSS, 11, 2, cv2.LINE_AA
        )


def make_reading(studio: Studio) -> None:
    """Five dice, one of which leans on another, with what the box says of each."""
    table = hurried_table(READING_SEED)
    table.lay("pip", 5)
    table.act("cock")
    frames = table.frames()
    next(frames)
    while table.busy or not table.lying:
        next(frames)
    picture = next(frames).picture.copy()
    table.close()
    reading = TableReader().read(picture, "pip")
    studio.keep(_annotate(picture, reading), "img/reading.jpg")


READING_SEED, AROUND_PX = 18, 110


def _annotate(picture: Picture, reading: Reading) -> Picture:
    """The part of the picture in which the dice lie, with each one's value and confidence."""
    spots = [*(die.center_px for die in reading.dice), *(die.center_px for die in reading.unsure)]
    left, top = (max(0, round(low)) for low in np.min(spots, axis=0) - AROUND_PX)
    right, bottom = (round(high) for high in np.max(spots, axis=0) + AROUND_PX)
    shown = picture[top:bottom, left:right].copy()
    for die in reading.dice:
        stroke(shown, np.array(die.corners_px) - (left, top), READ, 3, closed=True)
        x, y = np.subtract(die.center_px, (left, top + 62))
        plate(shown, f"{die.value}: {die.confidence:.3f}", (x, y), 20, fill=PLATE, color=PAPER)
    for doubt in reading.unsure:
        x, y = np.subtract(doubt.center_px, (left, top))
        cv2.circle(shown, (round(x), round(y)), 44, DOUBTED, 3, cv2.LINE_AA)
        plate(shown, doubt.reason, (x, y + 70), 20, fill=PLATE, color=DOUBTED)
    return shown

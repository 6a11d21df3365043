"""The ChArUco board, held before the lens or lying on the table, drawn as exact areas from its cells."""

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.landing.ground import Patch
from benchmarks.landing.layout import dense
from benchmarks.landing.optics import Camera, Optics
from benchmarks.landing.raster import Share, share
from calibration.arrays import Floats, Singles

PAPER = (0.84, 0.85, 0.85)
INK = (0.025, 0.025, 0.025)
CELL_PX = 3
"""The ideal bitmap's pixels to the side of a marker's cell; only their middles are looked at."""


@dataclass(frozen=True)
class Board:
    """A printed board; lengths in mm."""

    columns: int = 11
    rows: int = 8
    square_mm: float = 25.0
    marker_mm: float = 18.0
    margin_mm: float = 9.0

    @property
    def size_mm(self) -> tuple[float, float]:
        """Without its white margin."""
        return self.columns * self.square_mm, self.rows * self.square_mm

    @cached_property
    def black_mm(self) -> list[Floats]:
        """The outlines (4, 2) of all that is black, from the board's upper left corner, x right and y
        down.
        """
        dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_100)
        boxes, inset, marker = [], (self.square_mm - self.marker_mm) / 2, 0
        cell = self.marker_mm / 7
        for row in range(self.rows):
            for column in range(self.columns):
                x, y = column * self.square_mm, row * self.square_mm
                if (row + column) % 2 == 0:
                    boxes.append(_box(x, y, self.square_mm, self.square_mm))
                    continue
                bits = dictionary.generateImageMarker(marker, 7 * CELL_PX)[
                    CELL_PX // 2 :: CELL_PX, CELL_PX // 2 :: CELL_PX
                ]
                boxes += _runs(np.asarray(bits, np.uint8), x + inset, y + inset, cell)
                marker += 1
        return boxes

    @cached_property
    def paper_mm(self) -> Floats:
        """The sheet's outline (n, 2)."""
        wide, high = self.size_mm
        m = self.margin_mm
        return dense(np.array([[-m, -m], [wide + m, -m], [wide + m, high + m], [-m, high + m]]))


def flat_board(
    camera: Camera, board: Board, middle_mm: tuple[float, float], turn_deg: float
) -> tuple[Patch, ...]:
    """The board lying on the table with its middle at a place, as patches to be painted over what lies
    there.
    """
    a = np.deg2rad(turn_deg)
    half = np.array(board.size_mm) / 2

    def place(points: Floats) -> Floats:
        x, y = (points - half).T
        # Seen from above, the board's y runs towards the table's edge.
        spot = np.stack((x * np.cos(a) + y * np.sin(a), x * np.sin(a) - y * np.cos(a), 0 * x), axis=1)
        return np.asarray(spot + np.array([*middle_mm, 0.0]))

    return _drawn(board, lambda points: camera.project(place(points)), camera.optics)


def held_board(optics: Optics, board: Board, rng: np.random.Generator) -> Singles:
    """The board held somewhere before the lens, tilted, in front of a dim room: light (height, width, 3)."""
    camera = Camera(optics=optics, eye_mm=(0, 0, 0), axes=((1, 0, 0), (0, 1, 0), (0, 0, 1)))
    while True:
        turn, middle = _pose(optics, board, rng)
        half = np.array(board.size_mm) / 2

        def place(
            points: Floats, turn: Floats = turn, middle: Floats = middle, half: Floats = half
        ) -> Floats:
            return np.asarray(np.column_stack((points - half, np.zeros(len(points)))) @ turn.T + middle)

        rim = camera.project(place(board.paper_mm))
        if (rim > -0.02 * optics.width_px).all() and (
            rim < np.array([optics.width_px, optics.height_px]) * 1.02
        ).all():
            break
    picture = _room(optics, rng)
    for patch in _drawn(board, lambda points: camera.project(place(points)), optics):
        rows, columns = patch.share.window
        part = picture[rows, columns]
        part += patch.share.cover[..., None] * (
            np.array(patch.color, np.float32) * _sweep(part.shape, rng) - part
        )
    return picture


def _pose(optics: Optics, board: Board, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """A turn (3, 3) and the middle (3,) in the camera's frame: near, far, tilted, in every part of the
    picture.
    """
    wide = board.size_mm[0]
    far = optics.focal_px[0] * wide / (optics.width_px * rng.uniform(0.35, 0.75))
    tilt = rng.uniform(-40, 40, 2) * (rng.random(2) < 0.8)
    vector = np.deg2rad(np.array([tilt[0], tilt[1], 0.0]))
    spin = np.deg2rad(rng.uniform(-25, 25) + rng.choice([0, 0, 90, 180]))
    turn = cv2.Rodrigues(vector)[0] @ cv2.Rodrigues(np.array([0.0, 0.0, spin]))[0]
    spot = rng.uniform([0.15, 0.15], [0.85, 0.85]) * np.array([optics.width_px, optics.height_px])
    flat = (spot - np.array(optics.centre_px)) / np.array(optics.focal_px)
    return np.asarray(turn, np.float64), np.array([*flat, 1.0]) * far


def _drawn(board: Board, project, optics: Optics) -> tuple[Patch, ...]:  # type: ignore[no-untyped-def]
    """Paper and ink as shares of pixels."""
    paper = share([project(board.paper_mm)], optics.width_px, optics.height_px)
    ink = share([project(dense(box)) for box in board.black_mm], optics.width_px, optics.height_px)
    made: list[tuple[Share | None, tuple[float, float, float]]] = [(paper, PAPER), (ink, INK)]
    return tuple(Patch(cover, color) for cover, color in made if cover is not None)


def _room(optics: Optics, rng: np.random.Generator) -> Singles:
    """Something out of focus behind the board."""
    coarse = (rng.uniform(0.03, 0.3, (5, 7, 1)) * rng.uniform(0.8, 1.2, (5, 7, 3))).astype(np.float32)
    return np.asarray(cv2.resize(coarse, (optics.width_px, optics.height_px), interpolation=cv2.INTER_LINEAR))


def _sweep(shape: tuple[int, ...], rng: np.random.Generator) -> Singles:
    """Light that falls a little unevenly on the paper."""
    ends = rng.uniform(0.8, 1.0, (2, 2)).astype(np.float32)
    swept = cv2.resize(ends, (shape[1], shape[0]), interpolation=cv2.INTER_LINEAR)
    return np.asarray(swept[..., None], np.float32)


def _runs(bits: NDArray[np.uint8], left: float, top: float, cell: float) -> list[Floats]:
    """The black cells of a marker, neighbours in a row as one box."""
    boxes = []
    for row, line in enumerate(bits):
        edges = np.flatnonzero(np.diff(np.concatenate(([255], line, [255])).astype(int)))
        for first, last in zip(edges[::2], edges[1::2], strict=True):
            boxes.append(_box(left + first * cell, top + row * cell, (last - first) * cell, cell))
    return boxes


def _box(x: float, y: float, wide: float, high: float) -> Floats:
    return np.array([[x, y], [x + wide, y], [x + wide, y + high], [x, y + high]])

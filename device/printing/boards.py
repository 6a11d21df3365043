"""The ChArUco board as a drawing: square for square what OpenCV's board of that name is."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from calibration.board import Board
from device.printing.codes import BLACK, marker
from device.printing.shapes import Area, Drawing, Shape, box


def board_drawing(board: Board) -> Drawing:
    """The board without a margin, as it is meant to be: not as a printer stretched it."""
    board = replace(board, height_share=1.0)
    width, height = board.size_mm
    return Drawing(
        title=board.name,
        width_mm=width,
        height_mm=height,
        shapes=tuple(_squares(board)) + tuple(_markers(board)),
    )


def _squares(board: Board) -> Iterator[Shape]:
    """The black squares: those that hold no marker."""
    with_marker = {
        (int(x // board.square_mm), int(-y // board.square_mm)) for x, y in board.markers_mm.mean(axis=1)
    }
    _, height = board.size_mm
    size = board.square_mm
    for row in range(board.rows):
        for column in range(board.columns):
            if (column, row) not in with_marker:
                top = height - row * size
                yield Area(points_mm=box(column * size, top - size, (column + 1) * size, top), fill=BLACK)


def _markers(board: Board) -> Iterator[Shape]:
    _, height = board.size_mm
    numbers = np.asarray(board.drawn.getIds()).ravel()
    for number, corners in zip(numbers, board.markers_mm, strict=True):
        left, bottom = corners.min(axis=0)
        yield from marker(board.codes, int(number), (float(left), float(bottom) + height), board.marker_mm)

"""ArUco markers as polygons: black cells that print as sharp as the printer can."""

from collections.abc import Iterator

import numpy as np
from cv2 import aruco

from device.printing.shapes import Area, PointMm, Shape, box

BLACK = "#000000"


def marker(codes: aruco.Dictionary, number: int, corner_mm: PointMm, edge_mm: float) -> Iterator[Shape]:
    """One marker with its black border, upright; `corner_mm` is its lower left corner.

    Black cells of one row that touch are one rectangle, and rows overlap by a hair: no white slits in print.
    """
    cells = codes.markerSize + 2
    bits = np.asarray(codes.generateImageMarker(number, cells, borderBits=1)) == 0
    step = edge_mm / cells
    left, bottom = corner_mm
    for row in range(cells):
        top = bottom + edge_mm - row * step
        for start, end in _runs(bits[row]):
            hair = 0.01 if row + 1 < cells and bits[row + 1, start:end].all() else 0.0
            yield Area(
                points_mm=box(left + start * step, top - step - hair, left + end * step, top), fill=BLACK
            )


def _runs(row: np.ndarray) -> Iterator[tuple[int, int]]:
    """From and to of each run of black cells."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], row.astype(np.int8), [0]])))
    for start, end in edges.reshape(-1, 2):
        yield int(start), int(end)

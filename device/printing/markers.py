"""Markers to stick to a table: fixed points for the camera that no sheet can carry away."""

from collections.abc import Iterator

from cv2 import aruco

from device.printing.codes import marker
from device.printing.shapes import SOFT, Area, Drawing, Shape, Words, box
from engine.wording import phrase

EDGE_MM = 20.0
CELL_MM = 32.0
COUNT = 8
FIRST = 30
"""Their first number: cards have 0 to 9, a mat's corners 40 to 43."""


def markers_drawing() -> Drawing:
    """Eight markers with cutting lines, two rows of four."""
    return Drawing(
        title=phrase("Callbox table markers"),
        width_mm=4 * CELL_MM,
        height_mm=2 * CELL_MM,
        shapes=tuple(_cells()),
    )


def _cells() -> Iterator[Shape]:
    codes = aruco.getPredefinedDictionary(aruco.DICT_4X4_50)
    for n in range(COUNT):
        x, y = (n % 4) * CELL_MM, (1 - n // 4) * CELL_MM
        yield Area(points_mm=box(x, y, x + CELL_MM, y + CELL_MM), stroke=SOFT, dash_mm=1.5)
        spare = (CELL_MM - EDGE_MM) / 2
        yield from marker(codes, FIRST + n, (x + spare, y + spare), EDGE_MM)
        yield Words(text=str(FIRST + n), at_mm=(x + 1.5, y + 1.5), size_mm=1.6, color=SOFT)

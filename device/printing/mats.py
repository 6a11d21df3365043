"""Play mats as drawings: the places of a layout file and the corner tags that the camera finds."""

from collections.abc import Iterator

from cv2 import aruco

from device.printing.codes import marker
from device.printing.shapes import SOFT, Area, Drawing, Shape, Words, box, rounded
from vision.places import Layout, Region

TINTS: dict[str, str] = {
    "roll": "#eef3ee",
    "pocket": "#f6efdc",
    "aside": "#f6efdc",
    "cards": "#e9e6f5",
    "bet": "#ffffff",
    "end_zone": "#eef3ee",
}
"""Pale, without a pattern: dice of any colour must stand out."""
BET_INKS = {"red": "#b3261e", "blue": "#1c4fa0", "green": "#1f7a3a", "yellow": "#a77b00"}
CORNER_MM = 4.0


def mat_drawing(layout: Layout) -> Drawing:
    """The mat that a layout file describes."""
    mat = layout.mat
    shapes: list[Shape] = [Area(points_mm=box(0, 0, mat.width_mm, mat.height_mm), fill=mat.color)]
    for region in layout.region:
        shapes += _place(region)
    codes = aruco.getPredefinedDictionary(aruco.DICT_4X4_50)
    edge = layout.tags.edge_mm
    for tag in layout.tags.at:
        x, y = tag.center_mm
        quiet = edge * 2 / 3
        shapes.append(Area(points_mm=box(x - quiet, y - quiet, x + quiet, y + quiet), fill="#ffffff"))
        shapes += marker(codes, tag.id, (x - edge / 2, y - edge / 2), edge)
    return Drawing(
        title=layout.told_title, width_mm=mat.width_mm, height_mm=mat.height_mm, shapes=tuple(shapes)
    )


def _place(region: Region) -> Iterator[Shape]:
    ink = BET_INKS.get(region.color, SOFT)
    outline = tuple((float(x), float(y)) for x, y in region.outline_mm)
    if region.rect_mm is not None:
        outline = rounded(*region.rect_mm, CORNER_MM)
    yield Area(points_mm=outline, fill=TINTS[region.kind], stroke=ink, stroke_mm=0.5)
    left, top = min(x for x, _ in outline), max(y for _, y in outline)
    # Along the upper edge, where no die lies on it for long.
    yield Words(text=region.words, at_mm=(left + 4.0, top - 6.0), size_mm=2.8, color=ink)

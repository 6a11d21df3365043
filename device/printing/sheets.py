"""Draws what is printed to scale: boards, card tags, End Zone sheets, markers and mats, as shapes in mm."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from textwrap import wrap

import numpy as np
from cv2 import aruco

from calibration.board import Board
from calibration.description import TableDescription
from device.printing.shapes import SOFT, Area, Disc, Drawing, PointMm, Shape, Words, box, moved, rounded
from engine.wording import phrase, phrase_later
from engine.zonk import CARDS, ITEMS, NAMES, Card
from vision.places import CARD_MM, CARD_TAGS, TAG_CENTER_MM, TAG_MM, Layout, Region

# ArUco markers as polygons: black cells that print as sharp as the printer can.

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


# The ChArUco board as a drawing: square for square what OpenCV's board of that name is.


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


# ZONK's cards as a drawing: each with the small tag by which the camera knows it.

DOES: dict[Card, str] = {
    "aura": phrase_later("One D6 more in the set of dice."),
    "potion": phrase_later("A D4 takes a D6's place and counts like one in every combo."),
    "stare": phrase_later("Two 1s of one cast score 500."),
    "chance": phrase_later("A single die that is left and cast may be cast once more."),
    "hot": phrase_later("At the first hot cast of a round one D6 more joins until the round ends."),
    "tonic": phrase_later("A die goes into an earlier pocket where all dice then make combos."),
    "swap": phrase_later("Turn a die to its opposite face: 7 less its value."),
    "fate": phrase_later("Cast one die again, alone. The rest lies still."),
    "rift": phrase_later("Turn an even die to its half; one D6 more joins showing the same."),
    "money": phrase_later("One pocket of this turn counts double."),
}
"""Reminders, shorter than the rules; rules 9a to 10e of `engine.zonk` say it all."""
GAP_MM = 4.0
PER_ROW = 3


def cards_drawings(copies: int) -> tuple[Drawing, ...]:
    """All ten cards, `copies` of each, nine to a sheet."""
    deck = [card for card in CARDS for _ in range(copies)]
    per_sheet = PER_ROW * 3
    return tuple(_sheet(deck[start : start + per_sheet]) for start in range(0, len(deck), per_sheet))


def _sheet(cards: Sequence[Card]) -> Drawing:
    width, height = CARD_MM
    shapes: list[Shape] = []
    for n, card in enumerate(cards):
        column, row = n % PER_ROW, n // PER_ROW
        at = column * (width + GAP_MM / 2), (2 - row) * (height + GAP_MM / 2)
        shapes += moved(tuple(card_shapes(card)), at)
    return Drawing(
        title=phrase("ZONK cards"),
        width_mm=PER_ROW * width + GAP_MM,
        height_mm=3 * height + GAP_MM,
        shapes=tuple(shapes),
    )


def card_shapes(card: Card) -> Iterator[Shape]:
    """One card, its lower left corner at the origin."""
    width, height = CARD_MM
    ink = "#5b3fa0" if card in ITEMS else "#0f6b5c"
    yield Area(points_mm=rounded(0, 0, width, height, 3.0), fill="#fdfcf8", stroke=SOFT)
    yield Area(points_mm=box(0, 22, width, 25), fill=ink)
    (x, y), codes = TAG_CENTER_MM, aruco.getPredefinedDictionary(aruco.DICT_4X4_50)
    yield from marker(codes, CARD_TAGS[card], (x - TAG_MM / 2, y - TAG_MM / 2), TAG_MM)
    kind = phrase("item") if card in ITEMS else phrase("modifier")
    yield Words(text=kind, at_mm=(width - 4, height - 8), size_mm=2.6, color=ink, align="right")
    for n, line in enumerate(wrap(NAMES[card], 16)):
        yield Words(text=line, at_mm=(5, 46 - 7 * n), size_mm=4.2, color=ink, bold=True)
    for n, line in enumerate(wrap(phrase(DOES[card]), 34)):
        yield Words(text=line, at_mm=(5, 15 - 5 * n), size_mm=2.4)


# An End Zone sheet as a drawing, for people who make their own table.


def end_zone_drawing(told: TableDescription) -> Drawing:
    """The sheet that a description plans: the table's edge at the bottom."""
    sheet = told.end_zone
    half = sheet.width_mm / 2

    def placed(points_mm: Sequence[PointMm]) -> tuple[PointMm, ...]:
        return tuple((x + half, y) for x, y in points_mm)

    shapes: list[Shape] = [Area(points_mm=placed(zone.polygon_mm), fill=zone.color) for zone in sheet.zone]
    if sheet.dot is not None:
        dot = sheet.dot
        shapes.append(
            Disc(center_mm=(dot.x_mm + half, dot.y_mm), radius_mm=dot.diameter_mm / 2, fill=dot.color)
        )
    shapes += _numbers(told)
    return Drawing(
        title=told.table.name, width_mm=sheet.width_mm, height_mm=sheet.depth_mm, shapes=tuple(shapes)
    )


def _numbers(told: TableDescription) -> Iterator[Shape]:
    """Each zone's multiplier, small, in the lower part of where its upright middle shows."""
    half = told.end_zone.width_mm / 2
    zones = told.end_zone.zone
    for n, zone in enumerate(zones):
        xs, ys = zip(*zone.polygon_mm, strict=True)
        middle = (min(xs) + max(xs)) / 2
        free = [(min(ys), max(ys))]
        for later in zones[n + 1 :]:
            free = [rest for part in free for rest in _uncovered(part, later.polygon_mm, middle)]
        bottom, top = max(free, key=lambda part: part[1] - part[0], default=(0.0, 0.0))
        size = min(9.0, (top - bottom) * 0.3)
        if size > 2.0:
            yield Words(
                text=str(zone.value),
                at_mm=(middle + half, bottom + min(12.0, (top - bottom - size) / 2)),
                size_mm=size,
                color="#ffffff",
                align="middle",
                bold=True,
            )


def _uncovered(part: PointMm, polygon: Sequence[PointMm], middle: float) -> Iterator[PointMm]:
    """What is left of a stretch of the upright line at x = `middle` beside a later zone's bounding box."""
    xs, ys = zip(*polygon, strict=True)
    low, high = (min(ys), max(ys)) if min(xs) < middle < max(xs) else (part[1], part[1])
    for bottom, top in ((part[0], min(part[1], low)), (max(part[0], high), part[1])):
        if top > bottom:
            yield bottom, top


# Markers to stick to a table: fixed points for the camera that no sheet can carry away.

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


# Play mats as drawings: the places of a layout file and the corner tags that the camera finds.

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
        shapes += _draw_region(region)
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


def _draw_region(region: Region) -> Iterator[Shape]:
    ink = BET_INKS.get(region.color, SOFT)
    outline = tuple((float(x), float(y)) for x, y in region.outline_mm)
    if region.rect_mm is not None:
        outline = rounded(*region.rect_mm, CORNER_MM)
    yield Area(points_mm=outline, fill=TINTS[region.kind], stroke=ink, stroke_mm=0.5)
    left, top = min(x for x, _ in outline), max(y for _, y in outline)
    # Along the upper edge, where no die lies on it for long.
    yield Words(text=region.words, at_mm=(left + 4.0, top - 6.0), size_mm=2.8, color=ink)

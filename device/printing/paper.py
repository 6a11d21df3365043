"""From a drawing to sheets of paper: one page where it fits, several with crop marks where it does not.

Every page carries a check ruler: a printer that shrinks by two per cent spoils a calibration board, and
nobody sees it without measuring.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from device.printing.shapes import INK, SOFT, Drawing, PointMm, Rule, Shape, Words, moved
from engine.wording import phrase, phrase_later, told_number
from engine.words import either

PAPERS: dict[str, tuple[float, float]] = {
    "A4": (210.0, 297.0),
    "A3": (297.0, 420.0),
    "letter": (215.9, 279.4),
    "tabloid": (279.4, 431.8),
}
MARGIN_MM = 10.0
"""Room for the ruler on one side; printers leave some 4 mm of the edge white."""
EDGE_MM = 5.0
OVERLAP_MM = 10.0
"""What neighbouring pages of a large drawing share, to be glued."""
RULER_MM = 100
CHECK = phrase_later("This ruler is 100.0 mm long. If not: print at actual size (100 %).")

FITS = phrase_later(
    "{drawing} is {size} and would need {pages} pages of {paper}; glued pages are not flat enough to "
    "calibrate with. It fits on {papers}, or use --paper none at a print shop."
)
TOO_LARGE = phrase_later(
    "{drawing} is {size} and would need {pages} pages of {paper}; glued pages are not flat enough to "
    "calibrate with. Take smaller squares, or use --paper none at a print shop."
)


class PaperError(ValueError):
    """It does not fit; the message says what does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One sheet of paper."""

    width_mm: float
    height_mm: float
    window_mm: tuple[float, float, float, float]
    """Left, bottom, right, top: the drawing shows only here."""
    shapes: tuple[Shape, ...]
    """The drawing's shapes, where they come to lie on the page."""
    marks: tuple[Shape, ...]
    """Ruler, crop marks and notes, outside the window."""


def pages(drawing: Drawing, paper: str) -> tuple[Page, ...]:
    """The drawing on paper of that name, turned as fits; "none" makes the page as large as it needs to be.

    Raises `PaperError` for an unknown name.
    """
    if paper == "none":
        return (_whole(drawing, (drawing.width_mm + 2 * MARGIN_MM, drawing.height_mm + 2 * MARGIN_MM)),)
    if paper not in PAPERS:
        raise PaperError(
            phrase(
                "There is no paper called {paper}. Known are {known} and none.",
                paper=repr(paper),
                known=", ".join(PAPERS),
            )
        )
    short, long = PAPERS[paper]
    for size in ((short, long), (long, short)):
        if _fits(drawing, size):
            return (_whole(drawing, size),)
    return tuple(
        _tiles(drawing, min(((short, long), (long, short)), key=lambda size: math.prod(_grid(drawing, size))))
    )


def one_page(drawing: Drawing, paper: str) -> tuple[Page, ...]:
    """As `pages`, for what must not be glued together; raises `PaperError` when one page is too small."""
    made = pages(drawing, paper)
    if len(made) > 1:
        fitting = [name for name in PAPERS if len(pages(drawing, name)) == 1]
        raise PaperError(
            phrase(
                FITS if fitting else TOO_LARGE,
                drawing=drawing.title,
                size=f"{told_number(drawing.width_mm, 'g')} x {told_number(drawing.height_mm, 'g')} mm",
                pages=len(made),
                paper=paper,
                papers=either(fitting),
            )
        )
    return made


def _fits(drawing: Drawing, size: PointMm) -> bool:
    """Whether it fits with the printer's edge all round and room for the ruler along one side."""
    spare = (size[0] - drawing.width_mm, size[1] - drawing.height_mm)
    return min(spare) >= 2 * EDGE_MM - 0.01 and max(spare) >= 2 * MARGIN_MM


def _whole(drawing: Drawing, size: PointMm) -> Page:
    left, bottom = (size[0] - drawing.width_mm) / 2, (size[1] - drawing.height_mm) / 2
    window = (left, bottom, left + drawing.width_mm, bottom + drawing.height_mm)
    return Page(
        width_mm=size[0],
        height_mm=size[1],
        window_mm=window,
        shapes=tuple(moved(drawing.shapes, (left, bottom))),
        marks=tuple(_ruler(below=bottom >= MARGIN_MM, title=drawing.title)),
    )


def _grid(drawing: Drawing, size: PointMm) -> tuple[int, int]:
    """Columns and rows of pages."""
    columns, rows = (
        max(1, math.ceil((whole - OVERLAP_MM) / (side - 2 * MARGIN_MM - OVERLAP_MM)))
        for whole, side in zip((drawing.width_mm, drawing.height_mm), size, strict=True)
    )
    return columns, rows


def _tiles(drawing: Drawing, size: PointMm) -> Iterator[Page]:
    columns, rows = _grid(drawing, size)
    wide, high = (side - 2 * MARGIN_MM for side in size)
    for row in range(rows):
        for column in range(columns):
            x, y = column * (wide - OVERLAP_MM), row * (high - OVERLAP_MM)
            right = min(x + wide, drawing.width_mm) - x + MARGIN_MM
            top = min(y + high, drawing.height_mm) - y + MARGIN_MM
            window = (MARGIN_MM, MARGIN_MM, right, top)
            title = phrase(
                "{drawing}: column {column} of {columns} from the left, row {row} of {rows} from below",
                drawing=drawing.title,
                column=column + 1,
                columns=columns,
                row=row + 1,
                rows=rows,
            )
            yield Page(
                width_mm=size[0],
                height_mm=size[1],
                window_mm=window,
                shapes=tuple(moved(drawing.shapes, (MARGIN_MM - x, MARGIN_MM - y))),
                marks=(
                    *_ruler(below=True, title=title),
                    *_crop(window, column > 0, row > 0),
                ),
            )


def _ruler(*, below: bool, title: str) -> Iterator[Shape]:
    """A 100 mm ruler with what to do about it: along the lower edge, or up the left one."""
    start = 2 * MARGIN_MM

    def at(along: float, off: float) -> PointMm:
        return (along, EDGE_MM + off) if below else (EDGE_MM + 4.5 - off, along)

    turn = 0.0 if below else 90.0
    for mm in range(RULER_MM + 1):
        tick = 3.0 if mm % 10 == 0 else 2.2 if mm % 5 == 0 else 1.4
        yield Rule(from_mm=at(start + mm, 4.5), to_mm=at(start + mm, 4.5 - tick), width_mm=0.12)
    for mm in range(0, RULER_MM, 10):
        yield Words(text=str(mm), at_mm=at(start + mm + 0.5, 0.6), size_mm=1.3, turn_deg=turn)
    yield Words(text=phrase(CHECK), at_mm=at(start + RULER_MM + 4, 2.6), size_mm=1.5, turn_deg=turn)
    yield Words(text=title, at_mm=at(start + RULER_MM + 4, 0.2), size_mm=1.3, color=SOFT, turn_deg=turn)


def _crop(window: tuple[float, float, float, float], glued_left: bool, glued_below: bool) -> Iterator[Shape]:
    """Crop marks at the window's corners, and which edges lie over a neighbour."""
    left, bottom, right, top = window
    for x in (left, right):
        for y, away in ((bottom, -1), (top, 1)):
            yield Rule(from_mm=(x, y + away * 1.0), to_mm=(x, y + away * 4.0), color=INK)
    for y in (bottom, top):
        for x, away in ((left, -1), (right, 1)):
            yield Rule(from_mm=(x + away * 1.0, y), to_mm=(x + away * 4.0, y), color=INK)
    if glued_left:
        text = phrase(
            "glue this edge over its left neighbour: {overlap_mm:g} mm overlap", overlap_mm=OVERLAP_MM
        )
        yield Words(text=text, at_mm=(left - 2, bottom + 30), size_mm=1.6, color=SOFT, turn_deg=90.0)
    if glued_below:
        text = phrase(
            "glue this edge over its lower neighbour: {overlap_mm:g} mm overlap", overlap_mm=OVERLAP_MM
        )
        yield Words(text=text, at_mm=(right, bottom - 2.4), size_mm=1.6, color=SOFT, align="right")

"""A report as a PDF on A4, from the same blocks as the page."""

import io
from collections.abc import Iterable, Iterator
from html import escape
from typing import Any

from reportlab.lib.colors import HexColor
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFError, TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    CondPageBreak,
    Flowable,
    KeepTogether,
    Paragraph,
    SimpleDocTemplate,
    Spacer,
    Table,
    TableStyle,
)

from device.printing import draw_shape
from device.printing.shapes import INK, SOFT, Drawing
from device.reports.blocks import Block, Figure, Grid, Heading, Sentence, ThrowSteps

MARGIN_MM = 16.0
WIDTH_MM = 210.0 - 2 * MARGIN_MM
TALLEST_MM = 180.0
LEAST_TABLE_MM = 45.0
"""A table begins on a new page where less than that is left."""
DEJAVU = "/usr/share/fonts/truetype/dejavu/DejaVuSans"
TYPES = ((f"{DEJAVU}.ttf", f"{DEJAVU}-Bold.ttf"), ("Vera.ttf", "VeraBd.ttf"))
"""Regular and bold; the first that is there. The second comes with reportlab, without Cyrillic letters."""
NAMES = ("Report", "Report-Bold")
_SIZES = {1: 18.0, 2: 13.0, 3: 10.5}


def make_pdf(title: str, blocks: Iterable[Block]) -> bytes:
    """The report's pages; the same blocks always make the same bytes on one machine."""
    _set_type()
    held = io.BytesIO()
    paper = SimpleDocTemplate(
        held,
        pagesize=A4,
        title=title,
        creator="Callbox",
        invariant=1,
        leftMargin=MARGIN_MM * mm,
        rightMargin=MARGIN_MM * mm,
        topMargin=MARGIN_MM * mm,
        bottomMargin=MARGIN_MM * mm,
    )
    paper.build(list(_flow(blocks)), onFirstPage=_number, onLaterPages=_number)
    return held.getvalue()


def _set_type() -> None:
    """Makes the type known to reportlab, once: its own built-in one has no letters beyond Western ones."""
    if NAMES[0] in pdfmetrics.getRegisteredFontNames():
        return
    for files in TYPES:
        try:
            made = [TTFont(name, file) for name, file in zip(NAMES, files, strict=True)]
        except TTFError:
            continue
        for font in made:
            pdfmetrics.registerFont(font)
        pdfmetrics.registerFontFamily(NAMES[0], normal=NAMES[0], bold=NAMES[1], italic=NAMES[0])
        return


def _flow(blocks: Iterable[Block]) -> Iterator[Flowable]:
    """The blocks as reportlab lays them out; a heading stays with what follows it."""
    held: list[Flowable] = []
    for block in blocks:
        match block:
            case Heading(text=text, level=level):
                held.append(Paragraph(escape(text), _style(_SIZES[level], bold=True)))
                continue
            case Sentence(text=text, quiet=quiet):
                style = _style(8.0 if quiet else 9.5, quiet=quiet)
                yield KeepTogether([*held, Paragraph(escape(text), style)])
            case Figure(drawing=drawing, words=words):
                caption = Paragraph(escape(words), _style(8.0, quiet=True))
                yield KeepTogether([*held, _Drawn(drawing), Spacer(1, 1 * mm), caption])
            case ThrowSteps():  # pictures are for the page: the table of throws says the same on paper
                continue
            case Grid():
                caption = Paragraph(escape(block.caption), _style(8.0, quiet=True))
                yield CondPageBreak(LEAST_TABLE_MM * mm)
                yield from (*held, caption, _table(block))
        yield Spacer(1, 2 * mm)
        held = []
    yield from held


def _style(size: float, *, bold: bool = False, quiet: bool = False) -> ParagraphStyle:
    return ParagraphStyle(
        "told",
        fontName=NAMES[bold],
        fontSize=size,
        leading=size * 1.3,
        textColor=HexColor(SOFT if quiet else INK),
        spaceBefore=size * 0.6 if bold else 0,
        spaceAfter=size * 0.3,
        splitLongWords=1,
    )


def _table(grid: Grid) -> Table:
    size = 8.0 if len(grid.head) < 7 else 7.0
    cells: list[list[Any]] = [
        [Paragraph(f"<b>{escape(text)}</b>", _aligned(grid, column, size)) for column, text in enumerate(row)]
        if number == 0
        else [Paragraph(escape(text), _aligned(grid, column, size)) for column, text in enumerate(row)]
        for number, row in enumerate((grid.head, *grid.rows))
    ]
    lines = [
        ("LINEBELOW", (0, 0), (-1, 0), 0.6, HexColor(SOFT)),
        ("LINEBELOW", (0, 1), (-1, -1), 0.25, HexColor("#d9d9d4")),
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ("TOPPADDING", (0, 0), (-1, -1), 1.5),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 1.5),
    ]
    return Table(cells, colWidths=_widths(grid, size), repeatRows=1, hAlign="LEFT", style=TableStyle(lines))


def _aligned(grid: Grid, column: int, size: float) -> ParagraphStyle:
    style = _style(size)
    style.alignment = 2 if column in grid.numbers else 0
    style.spaceAfter = 0
    return style


def _widths(grid: Grid, size: float) -> list[float]:
    """Each column as wide as what stands in it, in points; the widest ones less where that is too much."""
    rows = (grid.head, *grid.rows[:200])
    wanted = [
        min(90 * mm, max(pdfmetrics.stringWidth(row[column], NAMES[1], size) for row in rows) + 14)
        for column in range(len(grid.head))
    ]
    room = WIDTH_MM * mm
    for left, width in zip(range(len(wanted), 0, -1), sorted(wanted), strict=True):
        if width * left > room:
            return [min(each, room / left) for each in wanted]
        room -= width
    return wanted


class _Drawn(Flowable):  # type: ignore[misc] # reportlab tells no types
    """A drawing that reportlab lays out among the rest, as wide as the page where it is larger."""

    def __init__(self, drawing: Drawing) -> None:
        super().__init__()
        self._drawing = drawing
        self._scale = min(1.0, WIDTH_MM / drawing.width_mm, TALLEST_MM / drawing.height_mm)

    def wrap(self, *_room: float) -> tuple[float, float]:
        """Its size in points."""
        return self._drawing.width_mm * self._scale * mm, self._drawing.height_mm * self._scale * mm

    def draw(self) -> None:
        """Draws it with its lower left corner at the origin."""
        self.canv.scale(self._scale, self._scale)
        for shape in self._drawing.shapes:
            draw_shape(self.canv, shape, NAMES)


def _number(canvas: Canvas, paper: SimpleDocTemplate) -> None:
    """The page's number."""
    canvas.saveState()
    canvas.setFont(NAMES[0], 8)
    canvas.setFillColor(HexColor(SOFT))
    canvas.drawRightString(A4[0] - MARGIN_MM * mm, 8 * mm, str(paper.page))
    canvas.restoreState()

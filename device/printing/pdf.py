"""Pages as a PDF, by reportlab; reports (`device.reports`) draw their pictures with it, too."""

from collections.abc import Sequence
from pathlib import Path

from reportlab.lib.colors import HexColor
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from device.printing.paper import Page
from device.printing.shapes import Area, Disc, Rule, Shape, Words

CAPITALS = 0.718
"""A capital's height by the size of Helvetica's type."""
TYPES = ("Helvetica", "Helvetica-Bold")


def write_pdf(made: Sequence[Page], title: str, path: Path) -> None:
    """Write the pages to `path`; the same pages always make the same bytes. Raises OSError."""
    canvas = Canvas(str(path), invariant=1, pageCompression=1)
    canvas.setTitle(title)
    canvas.setCreator("Callbox")
    for page in made:
        canvas.setPageSize((page.width_mm * mm, page.height_mm * mm))
        canvas.saveState()
        window = canvas.beginPath()
        left, bottom, right, top = page.window_mm
        window.rect(left * mm, bottom * mm, (right - left) * mm, (top - bottom) * mm)
        canvas.clipPath(window, stroke=0, fill=0)
        for shape in page.shapes:
            draw_shape(canvas, shape)
        canvas.restoreState()
        for shape in page.marks:
            draw_shape(canvas, shape)
        canvas.showPage()
    canvas.save()


def draw_shape(canvas: Canvas, shape: Shape, types: tuple[str, str] = TYPES) -> None:
    """Draw one shape where it stands, in mm from the canvas's origin; `types` names regular and bold type."""
    match shape:
        case Area():
            _pen(canvas, shape.fill, shape.stroke, shape.stroke_mm)
            canvas.setDash([shape.dash_mm * mm] if shape.dash_mm else [])
            path = canvas.beginPath()
            path.moveTo(*(at * mm for at in shape.points_mm[0]))
            for point in shape.points_mm[1:]:
                path.lineTo(*(at * mm for at in point))
            path.close()
            canvas.drawPath(path, stroke=int(bool(shape.stroke)), fill=int(bool(shape.fill)))
        case Disc():
            _pen(canvas, shape.fill, shape.stroke, shape.stroke_mm)
            x, y = (at * mm for at in shape.center_mm)
            canvas.circle(
                x, y, shape.radius_mm * mm, stroke=int(bool(shape.stroke)), fill=int(bool(shape.fill))
            )
        case Rule():
            _pen(canvas, "", shape.color, shape.width_mm)
            canvas.line(*(at * mm for at in (*shape.from_mm, *shape.to_mm)))
        case Words():
            _write(canvas, shape, types)


def _pen(canvas: Canvas, fill: str, stroke: str, width_mm: float) -> None:
    if fill:
        canvas.setFillColor(HexColor(fill))
    if stroke:
        canvas.setStrokeColor(HexColor(stroke))
        canvas.setLineWidth(width_mm * mm)


def _write(canvas: Canvas, words: Words, types: tuple[str, str]) -> None:
    canvas.saveState()
    canvas.translate(*(at * mm for at in words.at_mm))
    canvas.rotate(words.turn_deg)
    canvas.setFillColor(HexColor(words.color))
    canvas.setFont(types[words.bold], words.size_mm / CAPITALS * mm)
    put = {"left": canvas.drawString, "middle": canvas.drawCentredString, "right": canvas.drawRightString}
    put[words.align](0, 0, words.text)
    canvas.restoreState()

"""A drawing as SVG inside a page: in attributes alone, for the console's pages allow no style in them."""

from html import escape

from device.printing.shapes import Area, Disc, Drawing, Rule, Shape, Words

CAPITALS = 0.73
"""A capital's height by the size of the page's type."""
_ANCHORS = {"left": "start", "middle": "middle", "right": "end"}


def svg(drawing: Drawing, words: str) -> str:
    """The drawing; `words` say what it shows to who does not see it."""
    size = f"{_mm(drawing.width_mm)} {_mm(drawing.height_mm)}"
    shapes = "".join(_shape(shape, drawing.height_mm) for shape in drawing.shapes)
    return f'<svg viewBox="0 0 {size}" role="img" aria-label="{escape(words)}">{shapes}</svg>'


def _shape(shape: Shape, height_mm: float) -> str:
    """One shape; the page's y runs down."""
    match shape:
        case Area(points_mm=points):
            corners = " ".join(f"{_mm(x)},{_mm(height_mm - y)}" for x, y in points)
            dash = f' stroke-dasharray="{_mm(shape.dash_mm)}"' if shape.dash_mm else ""
            return f'<polygon points="{corners}"{_paint(shape)}{dash}/>'
        case Disc(center_mm=(x, y)):
            at = f'cx="{_mm(x)}" cy="{_mm(height_mm - y)}" r="{_mm(shape.radius_mm)}"'
            return f"<circle {at}{_paint(shape)}/>"
        case Rule(from_mm=(x1, y1), to_mm=(x2, y2)):
            ends = f'x1="{_mm(x1)}" y1="{_mm(height_mm - y1)}" x2="{_mm(x2)}" y2="{_mm(height_mm - y2)}"'
            return f'<line {ends} stroke="{shape.color}" stroke-width="{_mm(shape.width_mm)}"/>'
        case Words():
            return _words(shape, height_mm)


def _paint(shape: Area | Disc) -> str:
    stroke = f' stroke="{shape.stroke}" stroke-width="{_mm(shape.stroke_mm)}"' if shape.stroke else ""
    return f' fill="{shape.fill or "none"}"{stroke}'


def _words(words: Words, height_mm: float) -> str:
    x, y = words.at_mm[0], height_mm - words.at_mm[1]
    turn = f' transform="rotate({-words.turn_deg:g} {_mm(x)} {_mm(y)})"' if words.turn_deg else ""
    bold = ' font-weight="700"' if words.bold else ""
    look = f'font-size="{_mm(words.size_mm / CAPITALS)}" fill="{words.color}"{bold}'
    anchor = f'text-anchor="{_ANCHORS[words.align]}"'
    return f'<text x="{_mm(x)}" y="{_mm(y)}" {look} {anchor}{turn}>{escape(words.text)}</text>'


def _mm(length: float) -> str:
    return f"{round(length, 2):g}"

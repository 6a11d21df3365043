"""A report as a page of the web: one file without script, in light and dark, that also prints well."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from html import escape
from importlib.resources import files

from device.printing.shapes import Area, Disc, Drawing, Rule, Shape, Words
from device.reports.blocks import Block, Figure, Grid, Heading, Sentence, ThrowStep, ThrowSteps
from engine.wording import phrase, spoken_language

# A drawing as SVG inside a page: in attributes alone, for the console's pages allow no style in them.

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


CSS = (files("device.reports") / "report.css").read_text(encoding="utf-8")

ICON = "static/icon.svg"


@dataclass(frozen=True, slots=True, kw_only=True)
class Addresses:
    """Where a page finds what it names."""

    root: str = ""
    """How the console's own address is reached from the page: "" or "../"."""
    picture: Callable[[str], str] = "pictures/{}".format
    """Where a kept picture is, by its name; "" for one that is not to be had."""

    def link(self, to: str) -> str:
        """Where a link leads: within the page, or below the console's address."""
        return to if to.startswith("#") else self.root + to


HERE = Addresses()


def page(
    title: str, blocks: Iterable[Block], *, style: str = "", nav: str = "", addresses: Addresses = HERE
) -> str:
    """The whole page. `style`: where its style sheet is; without one it brings its own along.

    `nav` is markup that goes before the report.
    """
    icon = f'<link rel="icon" href="{addresses.link(ICON)}" type="image/svg+xml">'
    sheet = f'<link rel="stylesheet" href="{addresses.link(style)}">\n{icon}'
    look = sheet if style else f"<style>\n{CSS}</style>"
    body = "\n".join(part for block in blocks for part in _block(block, addresses))
    return f"""<!doctype html>
<html lang="{spoken_language()}">
<head>
<meta charset="utf-8">
<title>{escape(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
{look}
</head>
<body>
{nav}
<main>
{body}
</main>
</body>
</html>
"""


def _block(block: Block, addresses: Addresses) -> Iterator[str]:
    match block:
        case Heading(text=text, level=level):
            yield f"<h{level}>{escape(text)}</h{level}>"
        case Sentence(text=text, quiet=quiet):
            yield f"<p{' class=quiet' if quiet else ''}>{escape(text)}</p>"
        case Figure(drawing=drawing, words=words, seen=seen):
            # By its form alone: a page of the console may carry no width of its own.
            form = "tall" if drawing.height_mm > drawing.width_mm * 0.7 else "wide"
            form = "small" if drawing.width_mm < 100 else form
            told = f"<figcaption>{escape(words)}</figcaption>"
            drawn = svg(drawing, seen or words)
            yield f'<figure class="{form}"><div tabindex="0">{drawn}</div>{told}</figure>'
        case Grid(folded=True, caption=caption):
            yield f"<details><summary>{escape(caption)}</summary>"
            yield from _grid(block, addresses)
            yield "</details>"
        case Grid():
            yield from _grid(block, addresses)
        case ThrowSteps():
            yield from _steps(block, addresses)


def _steps(steps: ThrowSteps, addresses: Addresses) -> Iterator[str]:
    """One step is to be seen at a time: the one that the address names, and without a name the first."""
    yield f'<ol class="steps" aria-label="{escape(steps.caption)}">'
    for number, step in enumerate(steps.steps, 1):
        yield f'<li class="step" id="throw-{number}">'
        yield _walk(number, len(steps.steps))
        gain = f" <b>{escape(step.gain)}</b>" if step.gain else ""
        yield f"<h2>{escape(step.title)}{gain}</h2><p>{escape(step.after)}</p>"
        yield _picture(step, addresses)
        yield "</li>"
    yield "</ol>"


def _walk(number: int, last: int) -> str:
    """Where to step to. What leads nowhere keeps its place, so that no button moves from under a finger."""
    of = escape(phrase("Throw {number} of {last}", number=number, last=last))
    parts = []
    for to, words in ((number - 1, phrase("Earlier")), (number + 1, phrase("Later"))):
        there = f' href="#throw-{to}"' if 1 <= to <= last else ""
        parts.append(f"<a{there}>{escape(words)}</a>")
    return f'<p class="walk">{parts[0]} <span>{of}</span> {parts[1]}</p>'


def _picture(step: ThrowStep, addresses: Addresses) -> str:
    where = addresses.picture(step.picture) if step.picture else ""
    if not where:
        none = phrase("No picture is kept of this throw.")
        return f"<p class=quiet>{escape(none)}</p>"
    alt = escape(phrase("The table after this throw: {throw}", throw=step.title))
    picture = f'<img src="{where}" alt="{alt}" loading="lazy">'
    if not step.film:
        return picture
    film = addresses.link(f"films/{step.film}.mp4")
    words = escape(phrase("The film of this throw"))
    return f'{picture}<video src="{film}" aria-label="{words}" controls muted preload="none"></video>'


def _grid(grid: Grid, addresses: Addresses) -> Iterator[str]:
    caption = escape(grid.caption)
    yield f'<div class="table" role="region" aria-label="{caption}" tabindex="0"><table>'
    yield f"<caption>{caption}</caption>"
    head = "".join(
        f'<th scope="col"{_side(grid, column)}>{escape(text)}</th>' for column, text in enumerate(grid.head)
    )
    yield f"<thead><tr>{head}</tr></thead><tbody>"
    for number, row in enumerate(grid.rows):
        cells = [escape(text) for text in row]
        if grid.links:
            cells[0] = f'<a href="{escape(addresses.link(grid.links[number]))}">{cells[0]}</a>'
        told = "".join(f"<td{_side(grid, column)}>{text}</td>" for column, text in enumerate(cells))
        yield f"<tr>{told}</tr>"
    yield "</tbody></table></div>"


def _side(grid: Grid, column: int) -> str:
    return " class=number" if column in grid.numbers else ""

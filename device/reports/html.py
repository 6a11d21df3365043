"""A report as a page of the web: one file without script, in light and dark, that also prints well."""

from collections.abc import Iterable, Iterator
from html import escape
from importlib.resources import files

from device.reports.blocks import Block, Figure, Grid, Heading, Sentence
from device.reports.svg import svg
from engine.wording import spoken_language

CSS = (files("device.reports") / "report.css").read_text(encoding="utf-8")

ICON = '<link rel="icon" href="static/icon.svg" type="image/svg+xml">'


def page(title: str, blocks: Iterable[Block], *, style: str = "", nav: str = "") -> str:
    """The whole page. `style`: where its style sheet is; without one it brings its own along.

    `nav` is markup that goes before the report.
    """
    look = f'<link rel="stylesheet" href="{style}">\n{ICON}' if style else f"<style>\n{CSS}</style>"
    body = "\n".join(part for block in blocks for part in _block(block))
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


def _block(block: Block) -> Iterator[str]:
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
        case Grid():
            yield from _grid(block)


def _grid(grid: Grid) -> Iterator[str]:
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
            cells[0] = f'<a href="{escape(grid.links[number])}">{cells[0]}</a>'
        told = "".join(f"<td{_side(grid, column)}>{text}</td>" for column, text in enumerate(cells))
        yield f"<tr>{told}</tr>"
    yield "</tbody></table></div>"


def _side(grid: Grid, column: int) -> str:
    return " class=number" if column in grid.numbers else ""

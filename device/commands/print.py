"""`callbox print ...`: boards, sheets, mats, cards, markers and the drill template to scale, as PDF."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar, get_args

import click

from calibration.board import EXAMPLE, Board
from calibration.description import DescriptionError, load_description
from calibration.trouble import CalibrationError
from device.commands.common import PATH, config_option, fail, words_of_unwritten
from device.config import ConfigError, load
from device.printing import (
    PAPERS,
    Lamps,
    Page,
    PaperError,
    board_drawing,
    button_plate,
    cards_drawings,
    end_zone_drawing,
    legend,
    markers_drawing,
    mat_drawing,
    one_page,
    pages,
    plate_drawing,
    write_pdf,
)
from engine.wording import phrase, phrase_count, phrase_later
from vision.places import LayoutError, list_packaged, load_layout, load_packaged

_Command = TypeVar("_Command", bound=Callable[..., object])


def _paper(default: str) -> Callable[[_Command], _Command]:
    return click.option(
        "--paper",
        type=click.Choice([*PAPERS, "none"], case_sensitive=False),
        default=default,
        show_default=True,
        help=phrase_later("none: a page as large as it needs to be, for a print shop."),
    )


_output = click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=PATH,
    help=phrase_later(
        "The PDF to write; without it callbox-mat-zonk.pdf, callbox-board.pdf and so on, in this folder."
    ),
)


@click.group()
def command() -> None:
    """Print what the camera needs, to scale: at actual size (100 %); then measure the ruler on the page."""


@command.command()
@click.option(
    "--board",
    "spec",
    default=EXAMPLE,
    show_default=True,
    metavar="SPEC",
    help=phrase_later("As for `callbox calibrate`."),
)
@_paper("A4")
@_output
def board(spec: str, paper: str, output: Path | None) -> None:
    """The ChArUco board for `callbox calibrate`. Glue it to something flat and stiff: glass, aluminium."""
    try:
        made = one_page(board_drawing(Board.parse(spec)), paper)
    except (CalibrationError, PaperError) as error:
        fail(str(error), 2)
    _write(made, phrase("Callbox calibration board {spec}", spec=spec), output, "board")


@command.command()
@click.option(
    "--table",
    required=True,
    metavar="FILE",
    type=PATH,
    help=phrase_later("The table's description."),
)
@_paper("A4")
@_output
def sheet(table: Path, paper: str, output: Path | None) -> None:
    """The End Zone sheet that a table's description plans, over several pages where it must be."""
    try:
        told = load_description(table)
        made = pages(end_zone_drawing(told), paper)
    except (DescriptionError, PaperError) as error:
        fail(str(error), 2)
    _write(made, phrase("End Zone: {name}", name=told.table.name), output, "sheet")


@command.command()
@click.argument("name", metavar="|".join(list_packaged()))
@_paper("A3")
@_output
def mat(name: str, paper: str, output: Path | None) -> None:
    """A play mat: tray, pockets, bet places. NAME is one of the mats above or a layout file of your own."""
    try:
        layout = load_layout(Path(name)) if name.endswith(".toml") else load_packaged(name)
        made = pages(mat_drawing(layout), paper)
    except (LayoutError, PaperError) as error:
        fail(str(error), 2)
    _write(made, layout.title, output, f"mat-{Path(name).stem}")


@command.command()
@click.option(
    "--copies",
    type=click.IntRange(1, 10),
    default=1,
    show_default=True,
    help=phrase_later("Of each of the ten cards."),
)
@_paper("A4")
@_output
def cards(copies: int, paper: str, output: Path | None) -> None:
    """ZONK's ten cards, each with the small tag by which the camera knows it."""
    try:
        made = tuple(page for drawing in cards_drawings(copies) for page in pages(drawing, paper))
    except PaperError as error:
        fail(str(error), 2)
    _write(made, phrase("ZONK cards"), output, "cards")


@command.command()
@_paper("A4")
@_output
def markers(paper: str, output: Path | None) -> None:
    """Markers to stick to a table, so that a bumped camera is noticed at once."""
    try:
        made = one_page(markers_drawing(), paper)
    except PaperError as error:
        fail(str(error), 2)
    _write(made, phrase("Callbox table markers"), output, "markers")


@command.command()
@config_option
@click.option(
    "--hole",
    "hole_mm",
    type=float,
    default=24.0,
    show_default=True,
    help=phrase_later("A button's hole, in mm."),
)
@click.option(
    "--lamps",
    type=click.Choice(get_args(Lamps)),
    default="beside",
    show_default=True,
    help=phrase_later("Lamps with holes of their own above the buttons, or inside the buttons."),
)
@_paper("A4")
@_output
def plate(config_path: Path | None, hole_mm: float, lamps: Lamps, paper: str, output: Path | None) -> None:
    """The drill template of the button plate: what your settings say is fitted, and four screws."""
    try:
        made = button_plate(load(config_path).panel, hole_mm, lamps)
        sheets = pages(plate_drawing(made), paper)
    except (ConfigError, PaperError) as error:
        fail(str(error), 2)
    _write(sheets, phrase("Callbox button plate"), output, "plate")
    click.echo(phrase("Drills: {holes}.", holes=legend(made.holes)), err=True)


def _write(made: tuple[Page, ...], title: str, asked: Path | None, name: str) -> None:
    output = asked or Path(f"callbox-{name}.pdf")
    try:
        write_pdf(made, title, output)
    except OSError as error:
        fail(words_of_unwritten(output, error), 2)
    sheets = phrase_count("1 page", "{count} pages", len(made))
    click.echo(
        phrase(
            "{output}: {sheets}. Print at actual size (100 %), then measure the ruler.",
            output=output,
            sheets=sheets,
        ),
        err=True,
    )

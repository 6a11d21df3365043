"""Drawings: what is printed, how a box is wired and lit, and the figures that benchmarks plot."""

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from playwright.sync_api import Page as BrowserPage

from benchmarks.fit import bins, crossed, plot
from benchmarks.fit_examples import everything
from benchmarks.pictures.studio import NotHere, Studio
from benchmarks.set_up import set_up
from calibration.board import EXAMPLE, Board
from calibration.description import load_description
from device.config import parse
from device.printing import (
    Page,
    board_drawing,
    cards_drawings,
    end_zone_drawing,
    mat_drawing,
    pages,
)
from device.printing.shapes import Drawing
from device.reports.html import svg
from models.files import MEASURING
from models.training.photos import PHOTOS
from models.training.store import scenes_folder
from vision.places import load_packaged

DOCS = Path(__file__).parents[2] / "docs"
SETUP_PX = 500
"""How high the pictures of the set-up are at least."""
MM_PX = 1.33
"""How large a millimetre of printed paper is shown."""
DESK = (
    "display: flex; gap: 14px; margin: 7px; align-items: flex-start; background: #a39d96;"
    "font-family: 'DejaVu Sans Condensed', Helvetica, sans-serif"
)
"""Sheets on a desk, in a type about as wide as the printed one."""


def make_lighting(studio: Studio) -> None:
    """Where a lamp mirrors, from the geometry in docs/lighting_drawing.py."""
    studio.keep_text(_loaded("lighting_drawing").drawing(), "lighting.svg")


def make_wiring(studio: Studio) -> None:
    """What hangs on which pin, from the settings."""
    wiring = _loaded("wiring_drawing")
    studio.keep_text(wiring.drawing(parse("")), "wiring.svg")
    studio.keep_text(wiring.off_drawing(parse("")), "wiring-off.svg")


def _loaded(name: str) -> Any:
    """A program of `docs/`, which is no package."""
    spec = importlib.util.spec_from_file_location(name, DOCS / f"{name}.py")
    if spec is None or spec.loader is None:
        raise NotHere(f"docs/{name}.py is not there.")
    module: ModuleType = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def make_printing(studio: Studio) -> None:
    """A board, cards, a mat and a page of a sheet, as they come out of the printer."""
    described = load_description(DESCRIBED)
    sheets = [
        pages(board_drawing(Board.parse(EXAMPLE)), "A4")[0],
        pages(cards_drawings(1)[0], "A4")[0],
        pages(mat_drawing(load_packaged("zonk")), "A3")[0],
        pages(end_zone_drawing(described), "A4")[0],
    ]
    shown = "".join(map(_sheet, sheets))
    page = studio.scratch / "sheets.html"
    page.write_text(f'<body style="{DESK}">{shown}</body>', encoding="utf-8")
    wide = sum(round(sheet.width_mm * MM_PX) + 14 for sheet in sheets)
    high = round(max(sheet.height_mm for sheet in sheets) * MM_PX) + 14
    with studio.page(page.as_uri(), (wide, high)) as seen:
        studio.keep_shot(seen, "img/printing.png")


DESCRIBED = Path(__file__).parents[1] / "landing" / "table.toml"


def _sheet(page: Page) -> str:
    """One sheet of paper as a drawing; what lies outside of its window is not printed."""
    left, bottom, right, top = page.window_mm
    clip = f"inset({page.height_mm - top}px {page.width_mm - right}px {bottom}px {left}px)"
    layers = [
        svg(_layer(page, page.shapes), "").replace(
            "<svg ", f'<svg style="position:absolute;clip-path:{clip}" '
        )
    ]
    layers.append(svg(_layer(page, page.marks), "").replace("<svg ", '<svg style="position:absolute" '))
    size = f"width:{page.width_mm}px;height:{page.height_mm}px"
    look = f"position:relative;flex:none;background:white;zoom:{MM_PX};{size}"
    return f'<div style="{look}">{"".join(layers)}</div>'


def _layer(page: Page, shapes: Any) -> Drawing:
    return Drawing(width_mm=page.width_mm, height_mm=page.height_mm, shapes=shapes, title="")


def make_setup(studio: Studio) -> None:
    """Steps of the set-up in the browser."""

    def shoot(page: BrowserPage, name: str) -> None:
        foot = page.locator("#step").bounding_box()
        height = max(SETUP_PX, round(foot["y"] + foot["height"]) + 15) if foot else SETUP_PX
        studio.keep_shot(page, f"img/{name}", {"x": 0, "y": 0, "width": 1280, "height": height})

    with studio.page("about:blank", (1280, 800)) as page:
        data = studio.scratch / "new-box"
        data.mkdir()
        set_up(page, data, shoot)


def make_reliability(studio: Studio) -> None:
    """The share of readings that is right by the confidence told, judged on photographs and drawn scenes."""
    for needed in (PHOTOS, scenes_folder(), MEASURING):
        if not needed.exists():
            raise NotHere(f"It is judged on {needed.name}, which is not here (docs/reading-study.md).")
    examples = everything()
    right = np.array([one.right for one in examples])
    studio.keep_text(plot(bins(crossed(examples), right)), "img/reliability.svg")

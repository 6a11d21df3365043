"""Sheets to print to scale: calibration boards, End Zone sheets, mats, cards, markers, a drill template."""

from device.printing.paper import PAPERS, Page, PaperError, one_page, pages
from device.printing.pdf import draw_shape, write_pdf
from device.printing.plate import Lamps, button_plate, legend, plate_drawing
from device.printing.sheets import (
    board_drawing,
    cards_drawings,
    end_zone_drawing,
    markers_drawing,
    mat_drawing,
)

__all__ = [
    "PAPERS",
    "Lamps",
    "Page",
    "PaperError",
    "board_drawing",
    "button_plate",
    "cards_drawings",
    "draw_shape",
    "end_zone_drawing",
    "legend",
    "markers_drawing",
    "mat_drawing",
    "one_page",
    "pages",
    "plate_drawing",
    "shapes",
    "write_pdf",
]

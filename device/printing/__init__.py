"""Sheets to print to scale: calibration boards, End Zone sheets, play mats, cards and markers."""

from device.printing.boards import board_drawing
from device.printing.cards import cards_drawings
from device.printing.end_zones import end_zone_drawing
from device.printing.markers import markers_drawing
from device.printing.mats import mat_drawing
from device.printing.paper import PAPERS, Page, PaperError, one_page, pages
from device.printing.pdf import write_pdf

__all__ = [
    "PAPERS",
    "Page",
    "PaperError",
    "board_drawing",
    "cards_drawings",
    "end_zone_drawing",
    "markers_drawing",
    "mat_drawing",
    "one_page",
    "pages",
    "write_pdf",
]

"""A first description of a table that nobody described, right to a mm or two: by it lines are found."""

from dataclasses import dataclass

import numpy as np

from calibration.arrays import Picture
from calibration.description import EndZone, Surface, TableDescription, Tape
from calibration.fit.own.found_sheet import FoundSheet, choose_sheet
from calibration.fit.own.outlines import ZoneOutline, zone_outlines
from calibration.fit.own.regions import Regions, find_regions
from calibration.fit.own.surroundings import Surroundings, find_surroundings
from calibration.fit.own.unclear import SheetUnclear
from calibration.fit.own.zones import find_dot, numbered, painted_zones
from calibration.fit.sheet import laid_flat
from calibration.view import View

STEP_MM = 1.0
"""The side of a pixel of the flat picture."""
MOST_ZONES = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstGuess:
    """What a table seems to be."""

    description: TableDescription
    numbered: bool
    """Whether its zones lie like those of the known sheet, and have their numbers."""
    around: Surroundings


def first_description(empty: Picture, view: View, known: TableDescription) -> FirstGuess:
    """The table in the empty picture; what is not seen of it is as on a known one.

    Raises `SheetUnclear` where no sheet can be told, or something lies on it.
    """
    regions = find_regions(laid_flat(empty, view, STEP_MM))
    sheet, outlines = _sheet(regions, view)
    zones, sure = numbered(painted_zones(regions, sheet, outlines), sheet, known)
    around = find_surroundings(regions, sheet)
    half = sheet.width_mm / 2
    sides = around.side_lines_x_mm
    description = TableDescription(
        table=Surface(
            name="End Zone, measured from the sheet",
            halfway_y_mm=around.halfway_y_mm or max(known.table.halfway_y_mm, sheet.depth_mm + 100.0),
            surface_width_mm=around.surface_mm or max(known.table.surface_width_mm, sheet.width_mm),
        ),
        end_zone=EndZone(
            width_mm=sheet.width_mm, depth_mm=sheet.depth_mm, zone=zones, dot=find_dot(regions, sheet)
        ),
        tape=Tape(
            width_mm=around.tape_mm or known.tape.width_mm,
            side_lines_x_mm=sides or (-half, half),
            color=around.tape_color or known.tape.color,
        ),
        dice=known.dice,
    )
    return FirstGuess(description=description, numbered=sure, around=around)


def _sheet(regions: Regions, view: View) -> tuple[FoundSheet, tuple[ZoneOutline, ...]]:
    """The sheet with its zones' outlines; a refusal says where in the picture."""
    try:
        sheet, outlines = zone_outlines(regions, choose_sheet(regions))
        if len(outlines) > MOST_ZONES:
            raise SheetUnclear("none")
    except SheetUnclear as unclear:
        flat = unclear.around_mm
        if len(flat):
            seen = view.project(np.column_stack([flat, np.zeros(len(flat))]))
            unclear.around_px = tuple((round(float(x), 1), round(float(y), 1)) for x, y in seen)
        raise
    return sheet, outlines

"""Describes and calibrates a table that nobody described, with its sigmas.

A first description comes of the picture's colours. By it the table is calibrated, which follows each line to
a few hundredths of a pixel and refuses what is covered; the description is put right by what was found, and
once more, so that nothing of the first guess is left in it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from msgspec.structs import replace as replace_struct

from calibration.arrays import Floats, Picture
from calibration.board import Board
from calibration.description import EndZone, Surface, TableDescription, Tape
from calibration.fit.board_seen import BoardSeen
from calibration.fit.own.found_sheet import FoundSheet, Regions, SheetUnclear, choose_sheet, find_regions
from calibration.fit.own.surroundings import Settled, Surroundings, find_surroundings, settled
from calibration.fit.own.zones import ZoneOutline, find_dot, numbered, painted_zones, zone_outlines
from calibration.fit.plan_lines import PlanLine, is_back, sheet_lines
from calibration.fit.plane import BEND_MM, fit_plane
from calibration.fit.refusals import check_sharp, check_size
from calibration.fit.sheet import laid_flat
from calibration.fit.table import Feature, TableFound, calibrate_table
from calibration.trouble import CalibrationError
from calibration.view import CameraCalibration, View
from engine.wording import phrase

# A first description of a table that nobody described, right to a mm or two: by it lines are found.

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


ROUNDS = 2
EDGE = "the table's edge"
DOT_BIAS_PX = 0.25
"""How far the dot's rim may be off all round: its blur is known to so much."""
ROOMY_MM, BESIDE_MM = 100.0, 45.0
"""The shortest line with room for a number, and how far from the dot its number stands."""
What = Literal[
    "sheet_width", "sheet_depth", "line_from_edge", "line_from_middle", "dot_across", "dot_from_edge",
    "dot_from_middle", "tape_width", "left_line", "right_line", "halfway_line", "table_width",
]  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class TableFigure:
    """One length of the table, mm."""

    what: What
    mm: float
    """A line's or the dot's: from the table's edge, or right of the middle."""
    sigma_mm: float | None
    """One standard deviation; None where it was not seen and is as on the known table."""
    known_mm: float | None
    """The same on the known table; None where that has no such line."""
    side: str = ""
    """A line's side of its zone: "front", "back", "left side" or "right side"; else ""."""
    zone: int = 0
    """The number of the zone that a line belongs to; else 0."""
    points_px: tuple[tuple[float, float], ...] = ()
    """Where it is drawn in the picture; empty where it is not."""
    label_px: tuple[float, float] | None = None
    """Where there is room for its number beside it; None where there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnTable:
    """A table as it was measured."""

    description: TableDescription
    numbered: bool
    """Whether the zones lie like those of the known table. Else their numbers are a guess, and people say
    them."""
    figures: tuple[TableFigure, ...]
    found: TableFound
    """The calibration by this very description."""


def measure_own_table(
    camera: CameraCalibration,
    board: Board,
    flats: Sequence[tuple[BoardSeen, Picture]],
    empty: Picture,
    known: TableDescription,
    *,
    step: Callable[[], object] = lambda: None,
) -> OwnTable:
    """The table in the empty picture, described; `known` has the numbers of the zones and what is not seen.

    Raises `CalibrationError` with cause and cure.
    """
    if not flats:
        raise CalibrationError(
            phrase("No picture shows the board lying on the table; give one or more with --flat.")
        )
    check_size(camera, empty, phrase("The empty picture"))
    check_sharp(empty)
    plane = fit_plane(camera, [seen for seen, _ in flats], board)
    trial = first_description(empty, plane.view, known)
    step()
    plan = trial.description
    for _ in range(ROUNDS):
        found = calibrate_table(camera, plan, board, flats, empty)
        if not any(each.measured and each.name == EDGE for each in found.features):
            raise SheetUnclear("edge")  # what was taken for the back may be the front, or a zone's
        plan = settled(plan, found, trial.around).description
        step()
    found = calibrate_table(camera, plan, board, flats, empty)
    step()
    made = settled(plan, found, trial.around)
    return OwnTable(
        description=plan,
        numbered=trial.numbered,
        figures=_figures(made, plan, found, trial, known),
        found=found,
    )


def renumbered(own: OwnTable, values: Sequence[int]) -> OwnTable:
    """The same table, its zones counting so much, in the description's order: people have said so."""
    zones = own.description.end_zone.zone
    new = {zone.value: value for zone, value in zip(zones, values, strict=True)}
    sheet = replace_struct(
        own.description.end_zone, zone=tuple(replace_struct(zone, value=new[zone.value]) for zone in zones)
    )
    description = replace_struct(own.description, end_zone=sheet)
    table = own.found.table
    laid = replace(table.laid, zones=tuple(replace(z, value=new[z.value]) for z in table.laid.zones))
    found = replace(own.found, table=replace(table, planned=description, laid=laid))
    figures = tuple(replace(each, zone=new.get(each.zone, 0)) for each in own.figures)
    return OwnTable(description=description, numbered=True, figures=figures, found=found)


def _figures(
    made: Settled, plan: TableDescription, found: TableFound, trial: FirstGuess, known: TableDescription
) -> tuple[TableFigure, ...]:
    features = {each.name: each for each in found.features}
    return (
        *_sheet_figures(plan, found, features, known),
        *_line_figures(made, plan, found, features, known if trial.numbered else None),
        *_dot_figures(made, plan, found, known),
        *_around_figures(plan, found, trial, known),
    )


def _sure(found: TableFound, feature: Feature | None, x: float, y: float) -> float:
    """How sure a line's place is, with what is unsure of the camera there."""
    line = feature.sigma_mm if feature is not None and feature.sigma_mm is not None else None
    own = found.table.laid.sigma_mm if line is None else line
    return float(np.hypot(own, found.table.sigma_at(x, y)))


def _sheet_figures(
    plan: TableDescription, found: TableFound, features: dict[str, Feature], known: TableDescription
) -> list[TableFigure]:
    sheet, half = plan.end_zone, plan.end_zone.width_mm / 2
    value = sheet.zone[0].value
    sides = [_sure(found, features.get(f"{side} of the {value} zone"), x, sheet.depth_mm / 2)
             for side, x in (("left side", -half), ("right side", half))]  # fmt: skip
    front = _sure(found, features.get(f"front of the {value} zone"), 0.0, sheet.depth_mm)
    return [
        TableFigure(
            what="sheet_width",
            mm=sheet.width_mm,
            sigma_mm=float(np.hypot(sides[0], sides[1])),
            known_mm=known.end_zone.width_mm,
        ),
        TableFigure(what="sheet_depth", mm=sheet.depth_mm, sigma_mm=front, known_mm=known.end_zone.depth_mm),
    ]


def _line_figures(
    made: Settled,
    plan: TableDescription,
    found: TableFound,
    features: dict[str, Feature],
    known: TableDescription | None,
) -> list[TableFigure]:
    """The zones' lines that run along or across the sheet, its rim left out."""
    there = {line.name: line for line in sheet_lines(known)} if known is not None else {}
    told = []
    for line in sheet_lines(plan):
        axis = _level(line)
        if axis is None or is_back(line) or _on_rim(line, plan):
            continue
        feature = features.get(line.name)
        ends = line.at(np.array([0.0, line.length_mm]))
        middle = ends.mean(axis=0).tolist()
        other = there.get(line.name)
        side, _, zone = line.name.partition(" of the ")
        roomy = line.length_mm >= ROOMY_MM
        told.append(
            TableFigure(
                what="line_from_middle" if axis == 0 else "line_from_edge",
                mm=float(line.start_mm[axis]),
                sigma_mm=_sure(found, feature, *middle) if feature and feature.measured else None,
                known_mm=float(other.start_mm[axis]) if other is not None and _level(other) == axis else None,
                side=side,
                zone=int(zone.removesuffix(" zone")),
                points_px=_drawn(made, found, ends),
                label_px=_drawn(made, found, ends[:1] + 0.88 * (ends[1:] - ends[:1]))[0] if roomy else None,
            )
        )
    return told


def _level(line: PlanLine) -> int | None:
    """0: x is the same all along it; 1: y is; None: it slants."""
    return next((axis for axis in (0, 1) if abs(line.way[axis]) < 1e-6), None)


def _on_rim(line: PlanLine, plan: TableDescription) -> bool:
    x, y = line.start_mm.tolist()
    sheet = plan.end_zone
    upright = _level(line) == 0
    off = abs(x) - sheet.width_mm / 2 if upright else y - sheet.depth_mm
    return bool(abs(off) < 0.05)


def _dot_figures(
    made: Settled, plan: TableDescription, found: TableFound, known: TableDescription
) -> list[TableFigure]:
    dot, laid, other = plan.end_zone.dot, found.table.laid.dot, known.end_zone.dot
    if dot is None or laid is None:
        return []
    px_per_mm = found.table.view.scale_px_per_mm(*laid.center_mm)
    across = float(np.hypot(2 * DOT_BIAS_PX / px_per_mm, laid.sigma_mm))
    # A sheet that is laid with a bend is described as straight: where its middle is, is so unsure.
    place = float(np.linalg.norm([laid.sigma_mm, found.table.sigma_at(*laid.center_mm), BEND_MM]))
    turn = np.linspace(0.0, 2 * np.pi, 24, endpoint=False)
    rim = np.array([dot.x_mm, dot.y_mm]) + dot.diameter_mm / 2 * np.stack(
        [np.cos(turn), np.sin(turn)], axis=1
    )
    return [
        TableFigure(
            what="dot_across",
            mm=dot.diameter_mm,
            sigma_mm=across,
            known_mm=other.diameter_mm if other else None,
            points_px=_drawn(made, found, rim),
            label_px=_drawn(made, found, np.array([[dot.x_mm, dot.y_mm - BESIDE_MM]]))[0],
        ),
        TableFigure(
            what="dot_from_edge", mm=dot.y_mm, sigma_mm=place, known_mm=other.y_mm if other else None
        ),
        TableFigure(
            what="dot_from_middle", mm=dot.x_mm, sigma_mm=place, known_mm=other.x_mm if other else None
        ),
    ]


def _around_figures(
    plan: TableDescription, found: TableFound, trial: FirstGuess, known: TableDescription
) -> list[TableFigure]:
    """Tapes and the table's width, each sure or not seen."""
    around, tape, deep = trial.around, plan.tape, plan.end_zone.depth_mm
    features = {each.name: each for each in found.features}
    sure = {name: _sure(found, feature, 0.0, deep) for name, feature in features.items() if feature.measured}
    left, right = (sure.get(f"outer edge of the {side} tape") for side in ("left", "right"))
    inner = sure.get("inner edge of the left tape")
    halfway = sure.get("near edge of the halfway tape") if around.halfway_y_mm is not None else None
    sides = [sure.get(f"the table's {side} edge") for side in ("left", "right")]
    whole = None if None in sides else float(np.hypot(sides[0] or 0.0, sides[1] or 0.0))
    wide = float(np.hypot(left, inner)) if left is not None and inner is not None else None
    lines = tape.side_lines_x_mm
    return [
        TableFigure(what="tape_width", mm=tape.width_mm, sigma_mm=wide, known_mm=known.tape.width_mm),
        TableFigure(what="left_line", mm=lines[0], sigma_mm=left, known_mm=known.tape.side_lines_x_mm[0]),
        TableFigure(what="right_line", mm=lines[1], sigma_mm=right, known_mm=known.tape.side_lines_x_mm[1]),
        TableFigure(
            what="halfway_line",
            mm=plan.table.halfway_y_mm,
            sigma_mm=halfway,
            known_mm=known.table.halfway_y_mm,
        ),
        TableFigure(
            what="table_width",
            mm=plan.table.surface_width_mm,
            sigma_mm=whole,
            known_mm=known.table.surface_width_mm,
        ),
    ]


def _drawn(made: Settled, found: TableFound, points: Floats) -> tuple[tuple[float, float], ...]:
    """Points (n, 2) of the description, in the picture."""
    flat = made.on_table(points)
    pixels = found.table.view.project(np.column_stack([flat, np.zeros(len(flat))]))
    return tuple((round(float(x), 1), round(float(y), 1)) for x, y in pixels)

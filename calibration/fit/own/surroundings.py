"""Finds what lies round the sheet, and corrects a description by measured lines.

The median of many rows (or columns) is one profile of colour, in which specks and grain have cancelled out; a
tape is a pair of steps there with the same table on both sides.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import msgspec
import numpy as np

from calibration.arrays import Bools, Floats, Singles
from calibration.description import PointMm, TableDescription
from calibration.fit.own.found_sheet import FoundSheet, Regions
from calibration.fit.sheet import PlanPose
from calibration.fit.table import TableFound
from calibration.table import Laid, LaidTape

TAPE_MM = (6.0, 60.0)
"""How wide a tape may be."""
ASIDE_MM = 45.0
"""How far from the sheet's sides the outer edge of a side tape may lie."""
LEAST_STEP_LAB = 4.0
OVER_MM = 250.0
"""The stretch before the sheet in which the side tapes are looked for."""
STEP_OVER_MM = 3.0
"""A step of colour is told over this length: the camera blurs it."""
ASKEW_MM = 25.0
"""By how much the table may reach further out on one side of the sheet than on the other."""
FURTHEST_MM = 2500.0
FEWEST_ROWS = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """Lengths in mm in the sheet's own frame; None where something was not seen."""

    side_lines_x_mm: tuple[float, float] | None
    tape_mm: float | None
    tape_color: str
    """"" where no tape was seen."""
    halfway_y_mm: float | None
    surface_mm: float | None


@dataclass(frozen=True, slots=True, eq=False)
class _Upright:
    """The picture turned so that the sheet stands upright, a pixel a mm: column 0 is x = `left_mm`."""

    lab: Singles
    codes: Singles
    seen: Bools
    left_mm: float
    back_mm: float

    def across(self, low_mm: float, high_mm: float) -> tuple[Floats, Floats]:
        """The profile along x of the rows from y = `low_mm` to `high_mm`: places (n,) and colours (n, 3)."""
        rows = slice(max(0, round(low_mm - self.back_mm)), max(0, round(high_mm - self.back_mm)))
        return _profile(self.lab[rows], self.seen[rows], self.left_mm)

    def along(self, low_mm: float, high_mm: float) -> tuple[Floats, Floats]:
        """The same along y, of the columns from x = `low_mm` to `high_mm`."""
        columns = slice(max(0, round(low_mm - self.left_mm)), max(0, round(high_mm - self.left_mm)))
        lab, seen = self.lab[:, columns].transpose(1, 0, 2), self.seen[:, columns].T
        return _profile(lab, seen, self.back_mm)


@dataclass(frozen=True, slots=True)
class _Tape:
    low_mm: float
    high_mm: float
    clear: float

    @property
    def width_mm(self) -> float:
        return self.high_mm - self.low_mm


def find_surroundings(regions: Regions, sheet: FoundSheet) -> Surroundings:
    """Tapes and edges round a sheet."""
    upright = _upright(regions, sheet)
    half, deep = sheet.width_mm / 2, sheet.depth_mm
    places, colors = upright.across(deep + 12.0, deep + OVER_MM)
    left = _tape(places, colors, (-half - ASIDE_MM, -half + ASIDE_MM + TAPE_MM[1]), -half, outer_low=True)
    right = _tape(places, colors, (half - ASIDE_MM - TAPE_MM[1], half + ASIDE_MM), half, outer_low=False)
    width = (left.width_mm + right.width_mm) / 2 if left and right else None
    return Surroundings(
        side_lines_x_mm=(left.low_mm, right.high_mm) if left and right else None,
        tape_mm=width,
        tape_color=_color_of(upright, left, deep) if left else "",
        halfway_y_mm=_halfway(upright, sheet, width),
        surface_mm=_surface(upright, sheet),
    )


def _upright(regions: Regions, sheet: FoundSheet) -> _Upright:
    flat = regions.flat
    high, wide = flat.seen.shape
    rim = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float64)
    corners = sheet.own(regions.places(rim))
    low = np.maximum(np.floor(corners.min(axis=0)), -FURTHEST_MM)
    top = np.minimum(np.ceil(corners.max(axis=0)), FURTHEST_MM)
    size = (int(top[0] - low[0]), int(top[1] - low[1]))
    # From a pixel of the upright picture to the flat one's.
    axes = np.column_stack([sheet.right, sheet.forward]) / flat.step_mm
    start = (sheet.origin_mm + low[0] * sheet.right + low[1] * sheet.forward - flat.origin) / flat.step_mm
    way = np.column_stack([axes, start])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    lab, codes = (
        np.asarray(cv2.warpAffine(each, way, size, flags=flags), np.float32)
        for each in (regions.lab, flat.picture)
    )
    seen = cv2.warpAffine(
        flat.seen.astype(np.uint8), way, size, flags=cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP
    )
    return _Upright(lab, codes, seen.astype(bool), float(low[0]), float(low[1]))


def _profile(lab: Singles, seen: Bools, start_mm: float) -> tuple[Floats, Floats]:
    """The median colour (n, 3) of each column that enough rows see, and the columns' places (n,)."""
    if len(lab) < FEWEST_ROWS:
        return np.empty(0), np.empty((0, 3))
    enough = np.count_nonzero(seen, axis=0) >= FEWEST_ROWS
    masked = np.where(seen[:, enough, None], lab[:, enough], np.nan)
    return (np.flatnonzero(enough) + start_mm).astype(np.float64), np.nanmedian(masked, axis=0).astype(
        np.float64
    )


def _steps(places: Floats, colors: Floats) -> tuple[Floats, Floats]:
    """Where the profile's colour changes most (n,), in order, and by how much (n,)."""
    if len(places) < 8:
        return np.empty(0), np.empty(0)
    reach = round(STEP_OVER_MM)
    size = np.zeros(len(places))
    size[reach:-reach] = np.linalg.norm(colors[2 * reach :] - colors[: -2 * reach], axis=1)
    inner = (
        np.flatnonzero((size[1:-1] >= size[:-2]) & (size[1:-1] > size[2:]) & (size[1:-1] > LEAST_STEP_LAB))
        + 1
    )
    a, b, c = size[inner - 1], size[inner], size[inner + 1]
    shift = 0.5 * (a - c) / np.minimum(a - 2 * b + c, -1e-9)
    return places[inner] + np.clip(shift, -0.5, 0.5), b


def _tape(
    places: Floats, colors: Floats, between: tuple[float, float], near_mm: float, *, outer_low: bool | None
) -> _Tape | None:
    """The clearest tape in a stretch of the profile, with its outer edge rather near a place."""
    at, size = _steps(places, colors)
    best: tuple[float, _Tape] | None = None
    for i, low in enumerate(at):
        for j in range(i + 1, len(at)):
            wide = at[j] - low
            if not (between[0] <= low and at[j] <= between[1] and TAPE_MM[0] <= wide <= TAPE_MM[1]):
                continue
            beside = [np.interp(place, places, range(len(places))) for place in (low - 6, at[j] + 6)]
            table = [colors[int(np.clip(round(each), 0, len(colors) - 1))] for each in beside]
            clear = float(min(size[i], size[j]) - np.linalg.norm(table[0] - table[1]))
            outer = low if outer_low else at[j]
            score = clear - (0.0 if outer_low is None else 0.3 * abs(outer - near_mm))
            if clear > LEAST_STEP_LAB and (best is None or score > best[0]):
                best = (score, _Tape(float(low), float(at[j]), clear))
    return None if best is None else best[1]


def _halfway(upright: _Upright, sheet: FoundSheet, width_mm: float | None) -> float | None:
    """The middle of the halfway tape, as wide as the side tapes are."""
    if width_mm is None:
        return None
    half, deep = sheet.width_mm / 2, sheet.depth_mm
    places, colors = upright.along(-0.6 * half, 0.6 * half)
    held = places > deep + 40.0
    at, size = _steps(places[held], colors[held])
    best: tuple[float, float] | None = None
    for i, low in enumerate(at):
        for j in range(i + 1, len(at)):
            if abs(at[j] - low - width_mm) < 4.0:
                clear = float(min(size[i], size[j]))
                if best is None or clear > best[0]:
                    best = (clear, float(low + at[j]) / 2)
    return None if best is None else best[1]


def _surface(upright: _Upright, sheet: FoundSheet) -> float | None:
    """How wide the table is: the clearest steps of colour on both sides of the sheet, about as far out."""
    half = sheet.width_mm / 2
    places, colors = upright.across(10.0, sheet.depth_mm)
    at, size = _steps(places, colors)
    left = [(-place, step) for place, step in zip(at, size, strict=True) if place < -half - 15]
    right = [(place, step) for place, step in zip(at, size, strict=True) if place > half + 15]
    best: tuple[float, float] | None = None
    for one, one_step in left:
        for other, other_step in right:
            clear = float(min(one_step, other_step))
            if abs(one - other) < ASKEW_MM and (best is None or clear > best[0]):
                best = (clear, float(one + other))
    return None if best is None else best[1]


def _color_of(upright: _Upright, tape: _Tape, deep_mm: float) -> str:
    rows = slice(round(deep_mm + 12.0 - upright.back_mm), round(deep_mm + OVER_MM - upright.back_mm))
    columns = slice(round(tape.low_mm + 2 - upright.left_mm), round(tape.high_mm - 1 - upright.left_mm))
    some = upright.codes[rows, columns].reshape(-1, 3)
    b, g, r = (int(np.clip(round(float(v)), 0, 255)) for v in np.median(some, axis=0))
    return f"#{r:02x}{g:02x}{b:02x}"


# Puts a description right by where its lines were found.

ONE_LINE_MM = 0.06
"""Corners of a description that are no further apart along an axis lie on one line."""
CORNER_MM = 12.0
"""How far a corner may be found from where the description has it."""
PLACES = 2
"""Decimals of a mm that a measured description has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """A description that fits, and how the sheet lies on the table."""

    description: TableDescription
    placed: PlanPose
    """Puts the description's places on the table: a sheet is laid a little askew and aside."""

    def on_table(self, points: Floats) -> Floats:
        """Points (n, 2) of the sheet, in the table's frame."""
        return self.placed.put(points)


def settled(plan: TableDescription, found: TableFound, around: Surroundings) -> Settled:
    """The plan with each line where it was found, straight and level as sheets are printed."""
    laid = found.table.laid
    planned, seen = _corners(plan, laid)
    turn = _turn(planned, seen)
    upright = seen @ PlanPose(0.0, 0.0, turn).matrix
    moved = np.column_stack([_levelled(planned[:, axis], upright[:, axis]) for axis in (0, 1)])
    middle = float(moved[:, 0].min() + moved[:, 0].max()) / 2
    moved -= (middle, 0.0)
    back = planned[:, 1] < ONE_LINE_MM
    moved[back, 1] = 0.0
    sheet = plan.end_zone
    zones, start = [], 0
    for zone in sheet.zone:
        corners = moved[start : start + len(zone.polygon_mm)]
        zones.append(msgspec.structs.replace(zone, polygon_mm=_points(corners)))
        start += len(zone.polygon_mm)
    aside, ahead = PlanPose(0.0, 0.0, turn).turned(np.array([[middle, 0.0]]))[0].tolist()
    placed = PlanPose(aside, ahead, turn)
    dot = sheet.dot
    if dot is not None and laid.dot is not None:
        x, y = (np.array(laid.dot.center_mm) @ PlanPose(0.0, 0.0, turn).matrix).tolist()
        dot = msgspec.structs.replace(
            dot,
            x_mm=round(x - middle, PLACES),
            y_mm=round(y, PLACES),
            diameter_mm=round(laid.dot.diameter_mm, PLACES),
        )
    rim = np.concatenate([np.array(zone.polygon_mm) for zone in zones])
    described = msgspec.structs.replace(
        plan,
        end_zone=msgspec.structs.replace(
            sheet,
            width_mm=round(float(np.ptp(rim[:, 0])), PLACES),
            depth_mm=round(float(rim[:, 1].max()), PLACES),
            zone=tuple(zones),
            dot=dot,
        ),
    )
    return Settled(description=_around(described, found, around), placed=placed)


def _corners(plan: TableDescription, laid: Laid) -> tuple[Floats, Floats]:
    """Each corner (n, 2) of each zone of the plan, and where it was found."""
    planned, seen = [], []
    for zone, other in zip(plan.end_zone.zone, laid.zones, strict=True):
        outline = np.array(other.polygon_mm)
        for corner in np.array(zone.polygon_mm):
            apart = np.linalg.norm(outline - corner, axis=1)
            planned.append(corner)
            seen.append(outline[np.argmin(apart)] if apart.min() < CORNER_MM else corner)
    return np.array(planned), np.array(seen)


def _turn(planned: Floats, seen: Floats) -> float:
    """By what angle the sheet is turned on the table, radians (least squares over its corners)."""
    here, there = planned - planned.mean(axis=0), seen - seen.mean(axis=0)
    turned = float(np.sum(here[:, 0] * there[:, 1] - here[:, 1] * there[:, 0]))
    return float(np.arctan2(turned, np.sum(here * there)))


def _levelled(planned: Floats, seen: Floats) -> Floats:
    """Places along one axis (n,): what lies on one line in the plan, on one line where it was found."""
    order = np.argsort(planned, kind="stable")
    cuts = np.flatnonzero(np.diff(planned[order]) > ONE_LINE_MM) + 1
    found = np.empty(len(planned))
    for group in np.split(order, cuts):
        found[group] = np.round(np.mean(seen[group]), PLACES)
    return found


def _points(corners: Floats) -> tuple[PointMm, ...]:
    return tuple((round(float(x), PLACES), round(float(y), PLACES)) for x, y in corners)


def _around(plan: TableDescription, found: TableFound, around: Surroundings) -> TableDescription:
    """Tapes and table's width as they were found; what was not seen stays."""
    measured = {each.name: each for each in found.features if each.measured}
    tapes = {tape.name: tape for tape in found.table.laid.tapes}
    left, right = plan.tape.side_lines_x_mm
    if "outer edge of the left tape" in measured:
        left = _mean(tapes["left"].outer_mm, 0)
    if "outer edge of the right tape" in measured:
        right = _mean(tapes["right"].outer_mm, 0)
    both = [
        tapes[side]
        for side in ("left", "right")
        if all(f"{edge} edge of the {side} tape" in measured for edge in ("outer", "inner"))
    ]  # fmt: skip
    width = float(np.mean([_width(tape) for tape in both])) if both else plan.tape.width_mm
    halfway = plan.table.halfway_y_mm
    if around.halfway_y_mm is not None and "near edge of the halfway tape" in measured:
        halfway = _mean(tapes["halfway"].inner_mm, 1) + width / 2
    surface = plan.table.surface_width_mm
    sides = [measured.get(f"the table's {side} edge") for side in ("left", "right")]
    if all(sides):
        # Off to the left is positive for both.
        off = [side.off_plan_mm or 0.0 for side in sides if side is not None]
        surface += off[0] - off[1]
    return msgspec.structs.replace(
        plan,
        table=msgspec.structs.replace(
            plan.table,
            halfway_y_mm=round(halfway, PLACES),
            surface_width_mm=round(surface, PLACES),
        ),
        tape=msgspec.structs.replace(
            plan.tape,
            width_mm=round(width, PLACES),
            side_lines_x_mm=(round(left, PLACES), round(right, PLACES)),
        ),
    )


def _mean(points: Sequence[PointMm], axis: int) -> float:
    return float(np.mean([point[axis] for point in points]))


def _width(tape: LaidTape) -> float:
    return abs(_mean(tape.outer_mm, 0) - _mean(tape.inner_mm, 0))

"""Calibrates a table: fits plane, sheet, lines, frame, landmarks and sigmas."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Floats, Picture
from calibration.board import Board
from calibration.description import TableDescription
from calibration.fit.board_seen import BoardSeen
from calibration.fit.layout import (
    COLOUR_BIAS_PX,
    DotFound,
    SheetFit,
    TableFrame,
    find_frame,
    fit_sheet,
    in_frame,
    lay_out,
    line_sigma_mm,
    measure_dot,
    residuals_mm,
    within,
)
from calibration.fit.lines import Measured, measure_line
from calibration.fit.plan_lines import PlanLine, inside, is_back, line_words, sheet_lines, tape_lines
from calibration.fit.plane import PlaneFound, fit_plane, place_moves, steadied
from calibration.fit.refusals import check_scale, check_sharp, check_size, check_still, check_uncovered
from calibration.fit.sheet import PlanPose, find_sheet
from calibration.table import Laid, Landmark, PlaceSigmas, TableCalibration, place_terms
from calibration.trouble import CalibrationError
from calibration.view import CameraCalibration, View
from engine.wording import phrase, phrase_later

# How sure a point's place on the table is, given what is unsure of lens, plane and table's edges.

FRAME_BIAS_PX = 0.02
"""How far the camera's own habits shift the table's edge, as one standard deviation: measured on drawn tables
as what their edges' noise and the plane leave unexplained. Of the two long edges, half of that shifts their
middle."""


def place_sigmas_mm(plane: PlaneFound, view: View, frame: TableFrame, plan: TableDescription) -> PlaceSigmas:
    """One standard deviation of points' places in the table's frame along each axis, mm, all over sheet and
    field.

    The covariance of lens and pose is carried to the plane. The frame is tied to the table's edge, so a
    motion that moves the edge along with the point does not count; the error of the edge itself is added.
    """
    half = plan.table.surface_width_mm / 2
    aside = max(abs(x) for x in plan.tape.side_lines_x_mm)
    x = np.linspace(-aside, aside, 5)
    y = np.linspace(0.0, plan.table.halfway_y_mm, 13)
    grid = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2).astype(np.float64)
    px = view.project(np.column_stack([grid, np.zeros(len(grid))]))
    size = np.array([view.lens.width_px, view.lens.height_px])
    grid = grid[np.all((px > 0) & (px < size), axis=1)]
    ends = np.array([[-half, 0.0], [half, 0.0]])
    moves = place_moves(plane, frame.placed.put(np.concatenate([grid, ends])))
    moves = np.asarray(np.einsum("ij,njk->nik", frame.placed.matrix.T, moves), np.float64)
    own, left, right = moves[:-2], moves[-2], moves[-1]
    turn = (right[1] - left[1]) / (2 * half)
    own[:, 0] -= (left[0] + right[0]) / 2 - turn[None, :] * grid[:, 1:]
    own[:, 1] -= (left[1] + right[1]) / 2 + turn[None, :] * grid[:, :1]
    spreads = np.einsum("nij,jk,nik->n", own, plane.covariance, own) / 2 + _edge_variance(view, frame)
    curve, *_ = np.linalg.lstsq(place_terms(grid), np.sqrt(spreads), rcond=None)
    return PlaceSigmas(
        mean_mm=float(np.sqrt(np.mean(spreads))),
        least_mm=float(np.sqrt(np.min(spreads))),
        curve=tuple(float(part) for part in curve),
    )


def _edge_variance(view: View, frame: TableFrame) -> float:
    """The mean variance along both axes of the edges that the frame is tied to, mm²."""
    scale = view.scale_px_per_mm(0.0, 0.0)
    unseen = (FRAME_BIAS_PX / scale) ** 2
    along = unseen if frame.edge is None else _variance(frame.edge, scale)
    across = sum(_variance(side, scale) for side in frame.sides) / 4 if frame.sides else unseen / 2
    return (along + across) / 2


def _variance(edge: Measured, px_per_mm: float) -> float:
    """The variance of one of the table's edges as a whole, across it, mm²: one that shows by colour alone is
    shifted by more."""
    bias_px = np.hypot(FRAME_BIAS_PX, COLOUR_BIAS_PX * edge.by_colour)
    return float(edge.sigma_mm**2 + (bias_px / px_per_mm) ** 2)


# Finds the landmarks that are looked for again in every measured frame.
#
# They are corners of sheet, tapes and table, the dot, marks in the table's own surface, and printed markers.

PATCH_MM = 14.0
SMALLEST_PATCH_PX, LARGEST_PATCH_PX = 17, 49
CLEAREST_PX = 0.05
"""One standard deviation of where a good patch is found again, along each axis."""
WEAKEST = 12.0
"""The least change of a patch along the direction in which it changes less: RMS slope, in tenths of a grey
level a pixel."""
MOST_SPOTS = 10
"""The most marks in the table's own surface that are used."""
SPOTS_APART_MM = 90.0
MARKERS = cv2.aruco.DICT_4X4_50
"""The dictionary of the printed markers that a builder may stick on the table."""

Holder = Literal["table", "sheet"]


@dataclass(frozen=True, slots=True)
class _Candidate:
    name: str
    at_mm: tuple[float, float]
    on: Holder


def find_landmarks(
    picture: Picture, view: View, laid: Laid, corners_mm: Sequence[tuple[float, float]]
) -> tuple[Landmark, ...]:
    """Every landmark that the empty picture shows clearly. `corners_mm`: the table's own corners, where
    seen."""
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
    named = [*_sheet(laid), *_tapes(laid)]
    named += [_Candidate(f"table's corner {i + 1}", at, "table") for i, at in enumerate(corners_mm)]
    named += _markers(grey, view)
    found: list[Landmark] = []
    for candidate in [*named, *_spots(grey, view, laid)]:
        mark = _cut(grey, view, candidate)
        near = [_apart(mark, other) < 6.0 for other in found] if mark else []
        if mark is not None and not any(near):
            found.append(mark)
    return tuple(found)


def _apart(one: Landmark, other: Landmark) -> float:
    return float(np.hypot(one.at_mm[0] - other.at_mm[0], one.at_mm[1] - other.at_mm[1]))


def _sheet(laid: Laid) -> list[_Candidate]:
    """The zones' corners and the dot."""
    made = [
        _Candidate(f"corner {i + 1} of the {zone.value} zone", corner, "sheet")
        for zone in laid.zones
        for i, corner in enumerate(_corners(np.array(zone.polygon_mm)))
    ]
    if laid.dot is not None:
        made.append(_Candidate("dot", laid.dot.center_mm, "sheet"))
    return made


def _corners(outline: Floats) -> list[tuple[float, float]]:
    """The points of an outline at which it turns by more than 25 degrees."""
    back, ahead = outline - np.roll(outline, 1, axis=0), np.roll(outline, -1, axis=0) - outline
    turn = np.arctan2(back[:, 0] * ahead[:, 1] - back[:, 1] * ahead[:, 0], np.sum(back * ahead, axis=1))
    return [(float(x), float(y)) for x, y in outline[np.abs(turn) > np.radians(25)]]


def _tapes(laid: Laid) -> list[_Candidate]:
    return [
        _Candidate(f"{word} end of the {tape.name} tape's {side} edge", edge[k], "table")
        for tape in laid.tapes
        for side, edge in (("outer", tape.outer_mm), ("inner", tape.inner_mm))
        for word, k in (("near", 0), ("far", -1))
    ]


def _markers(grey: NDArray[np.uint8], view: View) -> list[_Candidate]:
    """The corners of printed markers."""
    marks, ids, _ = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(MARKERS)).detectMarkers(grey)
    made = []
    for corners, number in zip(marks, np.asarray(ids).ravel() if len(marks) else [], strict=True):
        for i, (x, y) in enumerate(view.on_plane(np.asarray(corners, np.float64).reshape(-1, 2))):
            made.append(_Candidate(f"corner {i + 1} of marker {number}", (float(x), float(y)), "table"))
    return made


def _spots(grey: NDArray[np.uint8], view: View, laid: Laid) -> list[_Candidate]:
    """The strongest marks in the table's own surface, well spread: knots, grain, veins."""
    shrink = max(1, round(view.scale_px_per_mm(0.0, 200.0)))
    small = cv2.resize(grey, None, fx=1 / shrink, fy=1 / shrink, interpolation=cv2.INTER_AREA)
    columns, rows = (np.arange(0, n, 8) for n in small.shape[::-1])
    grid = np.stack(np.meshgrid(columns, rows), axis=-1).reshape(-1, 2)
    place = view.on_plane((grid + 0.5) * shrink - 0.5)
    edge = np.array(laid.table_edge_mm)
    low_x, high_x = edge[:, 0].min() + 15, edge[:, 0].max() - 15
    free = (place[:, 1] > 15) & (place[:, 0] > low_x) & (place[:, 0] < high_x)
    for zone in laid.zones:
        outline = np.array(zone.polygon_mm)
        middle = outline.mean(axis=0)
        free &= ~inside(place, middle + (outline - middle) * 1.1)
    for tape in laid.tapes:
        strip = np.concatenate([tape.outer_mm, tape.inner_mm[::-1]])
        middle = strip.mean(axis=0)
        away = np.abs(place - middle) - (np.ptp(strip, axis=0) / 2 + 10)
        free &= np.any(away > 0, axis=1)
    mask = free.reshape(len(rows), len(columns)).astype(np.uint8) * 255
    mask = cv2.resize(mask, small.shape[::-1], interpolation=cv2.INTER_NEAREST)
    apart = max(3.0, SPOTS_APART_MM * view.scale_px_per_mm(0.0, 200.0) / shrink)
    corners: Any = cv2.goodFeaturesToTrack(small, MOST_SPOTS, 0.1, apart, mask=mask, blockSize=9)
    if corners is None:
        return []
    at = view.on_plane((np.asarray(corners, np.float64).reshape(-1, 2) + 0.5) * shrink - 0.5)
    return [
        _Candidate(f"mark {i + 1} in the table", (float(x), float(y)), "table") for i, (x, y) in enumerate(at)
    ]


def _cut(grey: NDArray[np.uint8], view: View, candidate: _Candidate) -> Landmark | None:
    """The landmark with its patch; None where the picture does not hold it, or shows nothing clear there."""
    x, y = view.project(np.array([[*candidate.at_mm, 0.0]]))[0]
    side = float(
        np.clip(PATCH_MM * view.scale_px_per_mm(*candidate.at_mm), SMALLEST_PATCH_PX, LARGEST_PATCH_PX)
    )
    half = int(side) // 2
    column, row = round(x), round(y)
    height, width = grey.shape
    if not (half < column < width - half - 1 and half < row < height - half - 1):
        return None
    patch = grey[row - half : row + half + 1, column - half : column + half + 1]
    soft = patch.astype(np.float32)
    across, down = (cv2.Sobel(soft, cv2.CV_32F, *d, ksize=3) / 8 for d in ((1, 0), (0, 1)))
    tensor = np.array([
        [np.mean(across * across), np.mean(across * down)], [np.mean(across * down), np.mean(down * down)]
    ])  # fmt: skip
    if 10 * np.sqrt(max(float(np.linalg.eigvalsh(tensor)[0]), 0.0)) < WEAKEST:
        return None
    return Landmark(
        name=candidate.name,
        at_mm=candidate.at_mm,
        at_px=(float(x), float(y)),
        sigma_px=CLEAREST_PX,
        patch=patch.tobytes(),
        patch_side=2 * half + 1,
        on=candidate.on,
    )


SHEET_REACH_MM, TAPE_REACH_MM = 5.0, 8.0
FEWEST_LANDMARKS = 8
ENOUGH_BOARDS = 3
"""With fewer flat boards the sheet helps to say how the camera hangs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Feature:
    """One line of the table, or the dot, and how well it is known."""

    name: str
    measured: bool
    """False: its place was taken from the plan or from the sheet's fit, because it was not seen."""
    residual_mm: float | None = None
    """How far single edges lie off the curve through them, root mean square."""
    off_plan_mm: float | None = None
    """How far its middle lies from where the plan has it, across the line, in the table's frame."""
    bend_mm: float | None = None
    sigma_mm: float | None = None
    """One standard deviation of its place across it: its edges' noise, and what shifts all of them alike."""
    share: float | None = None
    """The share of it that was seen, of what lies in the picture."""
    bridged_mm: tuple[tuple[float, float, float], ...] = ()
    """Where it was not to be measured and was taken from the rest of it: x, y of the middle, and for how
    long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableFound:
    """A calibrated table, and what it rests on."""

    table: TableCalibration
    features: tuple[Feature, ...]
    boards_mm: tuple[float, ...]
    """How far each flat board's corners lie off the plane's fit, root mean square."""
    sheet_scale: float
    notes: tuple[str, ...]


def calibrate_table(
    camera: CameraCalibration,
    plan: TableDescription,
    board: Board,
    flats: Sequence[tuple[BoardSeen, Picture]],
    empty: Picture,
    *,
    thickness_mm: float = 0.0,
    step: Callable[[], object] = lambda: None,
) -> TableFound:
    """Calibrate one camera over one End Zone, from boards lying on the table and the empty table.

    `thickness_mm` is the board's; `step` is called to show progress. Raises `CalibrationError` with a cure.
    """
    plane = _fit_plane(camera, board, flats, empty, thickness_mm)
    step()
    placed = find_sheet(empty, plane.view, plan).placed
    step()
    seen = _measure_empty(empty, plane, plan, placed, flats)
    step()
    dot = _dot(empty, seen.plane.view, plan, seen.fit)
    step()
    laid = lay_out(plan, seen.frame, seen.lines, dot, seen.fit)
    view = in_frame(seen.plane.view, seen.frame.placed)
    landmarks = find_landmarks(empty, view, laid, _table_corners(seen.frame))
    features = _features(plan, seen.lines, dot, seen.frame)
    missing = _what_is_missing(plan, seen, len(flats), len(landmarks))
    notes = (*seen.notes, *_bridge_notes(features), *seen.frame.notes, *missing)
    sure = place_sigmas_mm(seen.plane, view, seen.frame, plan)
    table = TableCalibration(
        view=view, planned=plan, laid=laid, landmarks=landmarks, sigma_mm=sure.mean_mm, by_place=sure,
        notes=notes,
    )  # fmt: skip
    return TableFound(
        table=table, features=features, boards_mm=seen.plane.rms_mm, sheet_scale=seen.fit.scale, notes=notes
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _LinesSeen:
    """The lines of the table in the empty picture, and the plane as they bear it out."""

    plane: PlaneFound
    lines: tuple[Measured, ...]
    frame: TableFrame
    fit: SheetFit
    notes: tuple[str, ...]


def _measure_empty(
    empty: Picture,
    plane: PlaneFound,
    plan: TableDescription,
    placed: PlanPose,
    flats: Sequence[tuple[BoardSeen, Picture]],
) -> _LinesSeen:
    """Follow the lines; where few boards lay on the table, the sheet's size steadies the plane, and again."""
    lines, unseen, frame = _follow(empty, plane.view, plan, placed)
    notes = check_still(flats, plane, plan, (*lines, *([frame.edge] if frame.edge else [])))
    if len(flats) < ENOUGH_BOARDS:
        check_scale(fit_sheet(lines))
        plane = steadied(plane, plan, lines)
        lines, unseen, frame = _follow(empty, plane.view, plan, placed)
    check_uncovered(plan, frame, lines, unseen)
    fit = check_scale(fit_sheet(lines))
    return _LinesSeen(plane=plane, lines=tuple(lines), frame=frame, fit=fit, notes=notes)


def _fit_plane(
    camera: CameraCalibration,
    board: Board,
    flats: Sequence[tuple[BoardSeen, Picture]],
    empty: Picture,
    thickness_mm: float,
) -> PlaneFound:
    """The table's plane. Raises `CalibrationError` for pictures that nothing can be measured in."""
    if not flats:
        raise CalibrationError(
            phrase("No picture shows the board lying on the table; give one or more with --flat.")
        )
    check_size(camera, empty, phrase("The empty picture"))
    check_sharp(empty)
    return fit_plane(camera, [seen for seen, _ in flats], board, thickness_mm)


def _follow(
    picture: Picture, view: View, plan: TableDescription, placed: PlanPose
) -> tuple[tuple[Measured, ...], tuple[PlanLine, ...], TableFrame]:
    """The lines that are seen, the sheet's lines that are not, and the frame that the table's edges make.

    Where the table's back edge is seen, it stands in the frame and not among the lines.
    """
    lines, unseen = _measure(picture, view, plan, placed)
    frame = find_frame(picture, view, plan, placed, lines)
    if frame.edge is not None:
        lines = tuple(line for line in lines if not is_back(line.plan))
    return lines, unseen, frame


def _measure(
    picture: Picture, view: View, plan: TableDescription, placed: PlanPose
) -> tuple[tuple[Measured, ...], tuple[PlanLine, ...]]:
    """Every line of sheet and tapes that is seen, and the sheet's lines that are not."""
    found, unseen = [], []
    for line in (*sheet_lines(plan), *tape_lines(plan)):
        reach = SHEET_REACH_MM if line.group == "sheet" else TAPE_REACH_MM
        seen = measure_line(picture, view, line, placed, reach)
        if seen is not None and seen.share > 0.4:
            found.append(seen)
        elif line.group == "sheet":
            unseen.append(line)
    if sum(line.plan.group == "sheet" for line in found) < 3:
        raise CalibrationError(
            phrase(
                "Too few of the sheet's lines can be followed. Take everything off the sheet, avoid "
                "glare, and take the empty picture again."
            )
        )
    return tuple(found), tuple(unseen)


def _dot(picture: Picture, view: View, plan: TableDescription, fit: SheetFit) -> DotFound | None:
    """The dot, where the plan has one. Raises `CalibrationError` when it is hidden."""
    dot = plan.end_zone.dot
    if dot is None:
        return None
    near = fit.put(np.array([[dot.x_mm, dot.y_mm]]))[0]
    found = measure_dot(picture, view, near, dot.diameter_mm)
    if found is None:
        raise CalibrationError(
            phrase(
                "The dot is not seen where the description has it. Take everything off the sheet, "
                "avoid glare on the dot, or correct its place in the table description."
            )
        )
    return found


def _table_corners(frame: TableFrame) -> list[tuple[float, float]]:
    """Where the table's edge meets its side edges, in the table's frame; empty where it was not seen."""
    if frame.edge is None:
        return []
    back = np.array([0.0])
    return [(float(within(frame.placed, side.at(back))[0, 0]), 0.0) for side in frame.sides]


def _what_is_missing(plan: TableDescription, seen: _LinesSeen, boards: int, landmarks: int) -> list[str]:
    """Notes for the builder on what was taken from the plan, and on what would make it better."""
    names = {line.plan.name for line in seen.lines}
    edge = seen.frame.edge is not None
    lost = [
        line.name
        for line in (*sheet_lines(plan), *tape_lines(plan))
        if line.name not in names and not (edge and is_back(line))
    ]
    notes = (
        [phrase("Not seen, and taken from the plan: {lost}.", lost=", ".join(map(line_words, lost)))]
        if lost
        else []
    )
    if boards < ENOUGH_BOARDS:
        notes.append(
            phrase(
                "Fewer than three flat boards leave doubt at the far corners, though the sheet's "
                "shape helps; four, one a corner, are best."
            )
        )
    if landmarks < FEWEST_LANDMARKS:
        notes.append(
            phrase(
                "Only {landmarks} landmarks are clear enough to notice a bumped camera by; 8 are wanted.",
                landmarks=landmarks,
            )
        )
    if abs(seen.fit.scale - 1) > 0.002:
        notes.append(
            phrase(
                "By the board the sheet is {scale:+.2f} % larger than planned.",
                scale=100 * (seen.fit.scale - 1),
            )
        )
    return notes


def _bridged(line: Measured, frame: TableFrame) -> tuple[tuple[float, float, float], ...]:
    """The stretches of a line that were taken from the rest of it: x, y of the middle and length, mm."""
    found = []
    for start, end in sorted((*line.gaps_mm, *line.burnt_mm)):
        x, y = within(frame.placed, line.at(np.array([(start + end) / 2])))[0].tolist()
        found.append((x, y, end - start))
    return tuple(found)


def _bridge_notes(features: Sequence[Feature]) -> list[str]:
    """One note for the builder on the sheet's and the tapes' bridged stretches; none where all was seen."""
    told = [
        phrase(
            "{name} for {length:.0f} mm near x = {x:.0f}, y = {y:.0f} mm",
            name=line_words(feature.name),
            length=length,
            x=x,
            y=y,
        )
        for feature in features
        for x, y, length in feature.bridged_mm
    ]
    if not told:
        return []
    return [
        phrase("Covered or burnt out, and taken from the rest of the line: {told}.", told="; ".join(told))
    ]


def _features(
    plan: TableDescription, lines: Sequence[Measured], dot: DotFound | None, frame: TableFrame
) -> tuple[Feature, ...]:
    """What `calibrate table` prints of each line."""
    table = [*([frame.edge] if frame.edge else []), *frame.sides]
    told = residuals_mm([*lines, *table], frame)
    seen = {line.plan.name: line for line in (*lines, *table)}
    made = [
        Feature(
            name=name,
            measured=True,
            residual_mm=r,
            off_plan_mm=off,
            bend_mm=bend,
            sigma_mm=line_sigma_mm([seen[name]]),
            share=seen[name].share,
            bridged_mm=_bridged(seen[name], frame),
        )
        for name, (r, off, bend) in told.items()
    ]
    every = (*sheet_lines(plan), *tape_lines(plan))
    made += [Feature(name=line.name, measured=False) for line in every if line.name not in told]
    if dot is not None and plan.end_zone.dot is not None:
        there = within(frame.placed, dot.center_mm[None])[0]
        off = float(np.hypot(there[0] - plan.end_zone.dot.x_mm, there[1] - plan.end_zone.dot.y_mm))
        made.append(
            Feature(
                name=phrase_later("the dot"),
                measured=True,
                residual_mm=dot.noise_mm,
                off_plan_mm=off,
                share=dot.share,
            )
        )
    return tuple(made)

"""From pictures to `table.json`: fits plane, sheet, lines and frame; refuses what cannot be trusted."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from calibration.arrays import Picture
from calibration.board import Board
from calibration.camera import CameraCalibration
from calibration.description import TableDescription
from calibration.fit.board_seen import BoardSeen
from calibration.fit.certainty import place_sigmas_mm
from calibration.fit.dot import DotFound, measure_dot
from calibration.fit.frame import TableFrame, find_frame, in_frame, within
from calibration.fit.landmarks import find_landmarks
from calibration.fit.layout import SheetFit, fit_sheet, lay_out, line_sigma_mm, residuals_mm
from calibration.fit.lines import Measured, measure_line
from calibration.fit.plan_lines import PlanLine, is_back, line_words, sheet_lines, tape_lines
from calibration.fit.plane import PlaneFound, fit_plane
from calibration.fit.refusals import check_scale, check_sharp, check_size, check_still, check_uncovered
from calibration.fit.second_ruler import steadied
from calibration.fit.sheet import PlanPose, find_sheet
from calibration.table import TableCalibration
from calibration.trouble import CalibrationError
from calibration.view import View
from engine.wording import phrase, phrase_later

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
    seen = _look(empty, plane, plan, placed, flats)
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


def _look(
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

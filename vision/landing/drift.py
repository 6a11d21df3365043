"""Checks in every measured picture whether camera and sheet still are where they were calibrated.

How it works. Round each landmark the calibration keeps a small grey patch. It is looked for near its old
place (normalised correlation), then slid to a hundredth of a pixel (least squares over shift, gain and bias,
as Lucas and Kanade do it). A landmark under a die or a hand does not look like its patch and is left out. The
shifts of the others are explained by the simplest of three stories that fits them: nothing moved, the camera
moved (its pose is fitted again), or the sheet slipped on a table that did not move. If none fits, nothing may
be called.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import cv2
import numpy as np

from calibration.arrays import Floats, Picture
from calibration.description import PointMm
from calibration.table import Laid, Landmark, TableCalibration
from calibration.view import View
from engine.wording import phrase, phrase_later, told_number

NOTICED_MM = 0.15
"""The movement from which drift is reported and corrected; less is within what a calibration states."""
REACH_MM = 6.0
"""How far from its old place a landmark is looked for; if it is farther, somebody moved the camera for
good."""
ALIKE = 0.85
"""The correlation from which a place is taken for the landmark."""
FEWEST = 5
"""The fewest landmarks that can confirm a camera's pose."""
NOISE_PX = 0.06
"""The error of matching a patch in a sharp picture, one sigma."""
SPREAD = 3.0
"""How many standard deviations a landmark may be off a story and still fit it."""
HALF_HIDDEN = 0.2
"""The share of landmarks that may contradict a story, for they may be half hidden. With more, the story is
wrong."""

Cause = Literal["", "camera", "sheet", "unknown"]
BUMPED = phrase_later(
    "The camera was bumped: by {moved_mm} mm on the table. It was taken into account; calibrate again when "
    "you can."
)
SLIPPED = phrase_later(
    "The sheet has slipped: by {moved_mm} mm on the table. It was taken into account; calibrate again when "
    "you can."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Drift:
    """What became of the landmarks in one picture."""

    ok: bool
    """Whether landings may be called: with the calibration as it is, or with `corrected`."""
    cause: Cause
    """What moved."""
    moved_mm: float
    """The largest shift of a landmark on the table, under the story that fits."""
    seen: int
    of: int
    reason: str
    """A sentence for people; empty when nothing moved."""
    corrected: TableCalibration | None = None
    """The calibration to measure this picture with; None when the old one holds or nothing may be called. The
    next picture is checked against the old one again: small movements must not add up unnoticed."""


@dataclass(frozen=True, slots=True)
class _FoundLandmark:
    """A landmark that was found again."""

    landmark: Landmark
    shift_px: Floats
    """How far it is from where it was seen at calibration (2,)."""
    sigma_px: float


def check_drift(picture: Picture, calibration: TableCalibration) -> Drift:
    """Whether the table in `picture` (h, w, 3, of the calibration's size) lies where it was calibrated.

    Only small windows round the landmarks are read. Raises ValueError when the picture has another size.
    """
    lens = calibration.view.lens
    if picture.shape[:2] != (lens.height_px, lens.width_px):
        raise ValueError(
            f"the picture is {picture.shape[1]} x {picture.shape[0]}, the calibration is for"
            f" {lens.width_px} x {lens.height_px}"
        )
    asked = [mark for mark in calibration.landmarks if mark.patch_side]
    found = [each for mark in asked if (each := _find(picture, calibration.view, mark)) is not None]
    if len(found) < FEWEST:
        return _too_few(len(found), len(asked))
    return _explain(found, len(asked), calibration)


def _too_few(seen: int, of: int) -> Drift:
    reason = phrase(
        "Only {seen} of {of} fixed points of the table can be seen where they were, and {fewest} are needed. "
        "Clear sheet and tapes, or calibrate the table again if the camera was moved.",
        seen=seen,
        of=of,
        fewest=FEWEST,
    )
    return Drift(ok=False, cause="unknown", moved_mm=math.nan, seen=seen, of=of, reason=reason)


def _explain(found: Sequence[_FoundLandmark], of: int, calibration: TableCalibration) -> Drift:
    """The simplest story that explains the shifts."""
    view = calibration.view
    if _fits(found, np.zeros((len(found), 2))) and _moved_mm(found, view) < NOTICED_MM:
        moved = _moved_mm(found, view)
        return Drift(ok=True, cause="", moved_mm=moved, seen=len(found), of=of, reason="")
    on_table = [each for each in found if each.landmark.on == "table"]
    on_sheet = [each for each in found if each.landmark.on == "sheet"]
    if len(on_table) >= 3 and len(on_sheet) >= 3 and _fits(on_table, np.zeros((len(on_table), 2))):
        slipped = _slipped(on_sheet, view)
        if slipped is not None:
            turn, kept = slipped
            moved = max(
                float(np.hypot(*(turn.of(np.array([m.landmark.at_mm]))[0] - m.landmark.at_mm))) for m in kept
            )
            corrected = replace(calibration, laid=turn.laid(calibration.laid))
            return _tell("sheet", moved, len(found), of, corrected)
    bumped = _bumped(found, view)
    if bumped is None:
        reason = phrase(
            "The fixed points of the table do not agree with one another: sheet or tapes moved by themselves."
            " Calibrate the table again."
        )
        moved = _moved_mm(found, view)
        return Drift(ok=False, cause="unknown", moved_mm=moved, seen=len(found), of=of, reason=reason)
    marks = np.array([(*each.landmark.at_mm, 0.0) for each in found])
    back = view.on_plane(bumped.project(marks))
    moved = float(np.hypot(*(back - marks[:, :2]).T).max())
    return _tell("camera", moved, len(found), of, replace(calibration, view=bumped))


def _tell(cause: Cause, moved_mm: float, seen: int, of: int, corrected: TableCalibration) -> Drift:
    """A movement that is understood: a small one is corrected in silence, a larger one is also reported."""
    if moved_mm < NOTICED_MM:
        return Drift(ok=True, cause="", moved_mm=moved_mm, seen=seen, of=of, reason="", corrected=corrected)
    told = BUMPED if cause == "camera" else SLIPPED
    reason = phrase(told, moved_mm=told_number(moved_mm, ".1f"))
    return Drift(
        ok=True, cause=cause, moved_mm=moved_mm, seen=seen, of=of, reason=reason, corrected=corrected
    )


# -- finding a landmark again -------------------------------------------------------------------------------


def _find(picture: Picture, view: View, mark: Landmark) -> _FoundLandmark | None:
    """The landmark near its old place; None when it is hidden, out of the picture or changed."""
    patch = np.frombuffer(mark.patch, np.uint8).reshape(mark.patch_side, mark.patch_side)
    half = mark.patch_side // 2
    reach = max(3, round(REACH_MM * view.scale_px_per_mm(*mark.at_mm)))
    x, y = (round(at) for at in mark.at_px)
    height, width = picture.shape[:2]
    left, top = max(x - half - reach, 0), max(y - half - reach, 0)
    right, bottom = min(x + half + reach + 1, width), min(y + half + reach + 1, height)
    if right - left <= mark.patch_side or bottom - top <= mark.patch_side:
        return None
    window = np.asarray(cv2.cvtColor(picture[top:bottom, left:right], cv2.COLOR_BGR2GRAY), np.uint8)
    scores = cv2.matchTemplate(window, patch, cv2.TM_CCOEFF_NORMED)
    _, best, _, (column, row) = cv2.minMaxLoc(scores)
    if not best >= ALIKE:
        return None
    fine = _slide(window, patch, float(column), float(row))
    if fine is None:
        return None
    column_px, row_px, sigma = fine
    shift = np.array([left + column_px - (x - half), top + row_px - (y - half)])
    return _FoundLandmark(mark, shift, math.hypot(NOISE_PX, sigma))


def _slide(window: Picture, patch: Picture, column: float, row: float) -> tuple[float, float, float] | None:
    """The patch's place in the window and one standard deviation of it, in px; None if it does not settle."""
    wanted = patch.astype(np.float32)
    across = cv2.Sobel(wanted, cv2.CV_32F, 1, 0, ksize=3, scale=1 / 8)
    down = cv2.Sobel(wanted, cv2.CV_32F, 0, 1, ksize=3, scale=1 / 8)
    slopes = np.stack(
        [across.ravel(), down.ravel(), wanted.ravel(), np.ones(wanted.size, np.float32)], axis=1
    )
    inverse = np.linalg.pinv(slopes.T.astype(np.float64) @ slopes)
    centre = (patch.shape[0] - 1) / 2
    source = window.astype(np.float32)
    start = column, row
    for _ in range(12):
        seen = cv2.getRectSubPix(source, patch.shape[::-1], (column + centre, row + centre)).ravel()
        # The patch as it must be changed to look like what is seen: slid, and brighter or darker.
        step = inverse @ (slopes.T @ (seen - slopes[:, 2]))
        column, row = column - step[0], row - step[1]
        if math.hypot(column - start[0], row - start[1]) > 2.0:
            return None
        if math.hypot(step[0], step[1]) < 0.003:
            break
    left_over = (seen - slopes[:, 2]) - slopes @ step
    # Neighbouring pixels share blur and demosaicing: a quarter of them count as independent.
    spread = float(left_over @ left_over) / max(len(left_over) - 4, 1) * 4.0
    return column, row, math.sqrt(max(spread * float(inverse[0, 0] + inverse[1, 1]) / 2, 0.0))


# -- the stories ---------------------------------------------------------------------------------------------


def _fits(found: Sequence[_FoundLandmark], shifts_px: Floats) -> bool:
    """Whether nearly all landmarks lie where a story puts them."""
    off = np.array([np.hypot(*(each.shift_px - shift)) for each, shift in zip(found, shifts_px, strict=True)])
    limits = np.array([SPREAD * math.hypot(each.sigma_px, each.landmark.sigma_px) for each in found])
    return int((off > limits).sum()) <= HALF_HIDDEN * len(found)


def _moved_mm(found: Sequence[_FoundLandmark], view: View) -> float:
    """The median of the landmarks' shifts, on the table: half hidden ones do not spoil it."""
    was = np.array([each.landmark.at_px for each in found])
    now = was + np.array([each.shift_px for each in found])
    return float(np.median(np.hypot(*(view.on_plane(now) - view.on_plane(was)).T)))


def _bumped(found: Sequence[_FoundLandmark], view: View) -> View | None:
    """The view after the camera was bumped; None when no pose explains what is seen."""
    kept = list(found)
    while len(kept) >= max(FEWEST, math.ceil((1 - HALF_HIDDEN) * len(found))):
        marks = np.array([(*each.landmark.at_mm, 0.0) for each in kept])
        # The calibration's own residuals stay out of it: only the shifts move the pose.
        seen = view.project(marks) + np.array([each.shift_px for each in kept])
        rotation, translation = cv2.solvePnPRefineLM(
            marks,
            seen,
            view.lens.matrix,
            np.array(view.lens.distortion, np.float64),
            np.array(view.rotation, np.float64).reshape(3, 1),
            np.array(view.translation_mm, np.float64).reshape(3, 1),
        )
        about_x, about_y, about_z = np.ravel(rotation).tolist()
        x_mm, y_mm, z_mm = np.ravel(translation).tolist()
        pose = View(lens=view.lens, rotation=(about_x, about_y, about_z), translation_mm=(x_mm, y_mm, z_mm))
        off = np.hypot(*(pose.project(marks) - seen).T)
        limits = np.array([SPREAD * math.hypot(each.sigma_px, each.landmark.sigma_px) for each in kept])
        worst = int(np.argmax(off / limits))
        if off[worst] <= limits[worst]:
            return pose
        del kept[worst]
    return None


@dataclass(frozen=True, slots=True)
class _Turn:
    """A rigid motion on the table: a turn about the origin, then a shift."""

    turn: Floats
    shift_mm: Floats

    def of(self, points_mm: Floats) -> Floats:
        """Points (n, 2) after the motion."""
        found: Floats = points_mm @ self.turn.T + self.shift_mm
        return found

    def laid(self, laid: Laid) -> Laid:
        """Zones and dot after the motion; tapes and the table's edge stay."""
        zones = tuple(replace(zone, polygon_mm=self._points(zone.polygon_mm)) for zone in laid.zones)
        dot = laid.dot and replace(laid.dot, center_mm=self._points((laid.dot.center_mm,))[0])
        return replace(laid, zones=zones, dot=dot)

    def _points(self, points_mm: tuple[PointMm, ...]) -> tuple[PointMm, ...]:
        return tuple((float(x), float(y)) for x, y in self.of(np.array(points_mm)))


def _slipped(found: Sequence[_FoundLandmark], view: View) -> tuple[_Turn, Sequence[_FoundLandmark]] | None:
    """How the sheet slid, and the landmarks that say so; None when it did not move as one piece."""
    kept = list(found)
    while len(kept) >= max(3, math.ceil((1 - HALF_HIDDEN) * len(found))):
        was = np.array([each.landmark.at_mm for each in kept])
        before = np.array([each.landmark.at_px for each in kept])
        now = was + view.on_plane(before + [each.shift_px for each in kept]) - view.on_plane(before)
        turn = _rigid(was, now)
        scale = np.array([view.scale_px_per_mm(*each.landmark.at_mm) for each in kept])
        off_px = np.hypot(*(turn.of(was) - now).T) * scale
        limits = np.array([SPREAD * math.hypot(each.sigma_px, each.landmark.sigma_px) for each in kept])
        worst = int(np.argmax(off_px / limits))
        if off_px[worst] <= limits[worst]:
            return turn, kept
        del kept[worst]
    return None


def _rigid(was: Floats, now: Floats) -> _Turn:
    """The turn and shift that best take points (n, 2) to others (least squares; Kabsch 1976)."""
    from_mean, to_mean = was.mean(axis=0), now.mean(axis=0)
    left, _, right = np.linalg.svd((was - from_mean).T @ (now - to_mean))
    handed = np.diag([1.0, float(np.sign(np.linalg.det(left @ right)))])
    turn = (left @ handed @ right).T
    return _Turn(turn, to_mean - turn @ from_mean)

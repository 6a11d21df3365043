"""Refuses what cannot be trusted: light, focus, a moved camera, a bad fit."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Bools, Floats, Picture
from calibration.description import TableDescription
from calibration.fit.board_seen import BoardSeen, blur_anywhere
from calibration.fit.bundle import spread, trust
from calibration.fit.edges import crossings, profiles
from calibration.fit.layout import SheetFit, TableFrame, within
from calibration.fit.lines import COARSE_PX, Measured
from calibration.fit.plan_lines import PlanLine, inside, is_back, line_words, sheet_lines
from calibration.fit.plane import PlaneFound
from calibration.fit.sheet import PlanPose, find_sheet
from calibration.trouble import CalibrationError
from calibration.view import CameraCalibration, View
from engine.wording import phrase, phrase_later

# How bright, how glaring and how sharp a picture is.

BURNT_GREY = 250
"""From here on a pixel tells nothing any more."""


@dataclass(frozen=True, slots=True)
class Brightness:
    """How bright a picture is."""

    mean_grey: float
    """0 to 255, over all pixels and colours."""
    burnt_share: float
    """The share of its pixels of which one colour is burnt out."""


@dataclass(frozen=True, slots=True)
class BurntSpot:
    """The largest burnt spot of a picture: most often a lamp that mirrors. All in shares of the picture."""

    area: float
    across: float
    """Where its middle lies: 0 is the left edge."""
    down: float
    """The same from the top edge."""


def light_of(picture: Picture) -> Brightness:
    """How bright a picture (height x width x 3) is."""
    return Brightness(float(picture.mean()), float(np.mean(_burnt(picture))))


def burnt_spot(picture: Picture) -> BurntSpot | None:
    """The largest burnt spot of a picture (height x width x 3); single pixels are none."""
    burnt = cv2.morphologyEx(_burnt(picture).astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    _, _, boxes, middles = cv2.connectedComponentsWithStats(burnt)
    areas = boxes[1:, cv2.CC_STAT_AREA]
    if not len(areas):
        return None
    height, width = picture.shape[:2]
    largest = int(areas.argmax())
    x, y = middles[1 + largest]
    return BurntSpot(float(areas[largest]) / (width * height), float(x) / width, float(y) / height)


def blur_of(picture: Picture) -> float:
    """The blur of the sharpest edges of a picture (height x width x 3), see `blur_anywhere`."""
    return blur_anywhere(np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8))


def _burnt(picture: Picture) -> Bools:
    return np.asarray(picture.max(axis=2) >= BURNT_GREY)


# Did the camera move between the flat pictures and the empty one? Whatever lies still must be where it was.
#
# Sheet, tapes and table edge, measured in the empty picture, are looked for in each flat picture beside the
# board. If they are shifted there, the camera or the sheet has moved: either way the plane no longer holds.

NOTICED_MM = 0.15
"""The least shift that matters."""
REACH_MM = 5.0
BOARD_MARGIN_MM = 30.0
"""The margin kept round the board, for its paper and its shadow."""
FEWEST_EDGES = 40


@dataclass(frozen=True, slots=True)
class Shift:
    """How far sheet, tapes and edge seem to have moved in one flat picture."""

    moved_mm: float
    sigma_mm: float
    seen: float
    """The share of the edges found beside the board that agree with this shift, 0 to 1."""

    @property
    def moved(self) -> bool:
        """Whether the shift is more than noise and more than matters."""
        return self.moved_mm > NOTICED_MM + 3 * self.sigma_mm


def shift_between(flat: Picture, view: View, lines: Sequence[Measured], board_mm: Floats) -> Shift | None:
    """How far things moved from the empty picture to this flat one, whose board lies at `board_mm` (4, 2).

    None when too little of what was measured is visible beside the board to tell.
    """
    middle = board_mm.mean(axis=0)
    away = board_mm - middle
    around = middle + away * (1 + BOARD_MARGIN_MM / np.linalg.norm(away, axis=1, keepdims=True))
    normals, offsets, points, asked = [], [], [], 0
    for line in lines:
        along = line.plan.seen_at_mm
        along = along[(along >= line.span_mm[0]) & (along <= line.span_mm[1])]
        at = line.at(along)
        free = ~inside(at, around)
        if np.count_nonzero(free) < 5:
            continue
        across = np.repeat(line.placed.turned(line.plan.normal[None]), np.count_nonzero(free), axis=0)
        seen = profiles(flat, view, at[free], across, REACH_MM, fine_px=COARSE_PX)
        edge = crossings(seen)
        there = seen.inside & (edge.strength > 0.5 * line.contrast)
        asked += int(np.count_nonzero(seen.inside))
        normals.append(across[there])
        offsets.append(edge.offset_mm[there])
        points.append(at[free][there])
    if asked < FEWEST_EDGES or sum(len(o) for o in offsets) < FEWEST_EDGES:
        return None
    return _shift(np.concatenate(points), np.concatenate(normals), np.concatenate(offsets), asked)


def _shift(points: Floats, normals: Floats, offsets: Floats, asked: int) -> Shift | None:
    """Shift and turn of everything, fitted robustly; of the shift, the largest at any of the points (n, 2).
    None when too few edges agree."""
    middle = points.mean(axis=0)
    arm = points - middle
    lever = arm[:, 0] * normals[:, 1] - arm[:, 1] * normals[:, 0]
    a = np.column_stack([normals, lever])
    step, weight = np.zeros(3), np.ones(len(a))
    for _ in range(15):
        step = np.asarray(np.linalg.lstsq(a * weight[:, None], offsets * weight, rcond=None)[0], np.float64)
        left = offsets - a @ step
        weight = trust(left[:, None], max(spread(left), 0.02)) ** 2
    close: NDArray[np.bool_] = np.abs(left) < max(3 * spread(left), 0.15)
    if np.count_nonzero(close) < max(FEWEST_EDGES, 0.3 * asked):
        return None
    normal = a[close].T @ a[close]
    if np.linalg.eigvalsh(normal[:2, :2])[0] < 5:
        return None
    sigma = float(np.sqrt(np.trace(np.linalg.inv(normal)[:2, :2]))) * max(spread(left[close]), 0.02)
    each = step[:2] + step[2] * np.column_stack([-arm[:, 1], arm[:, 0]])
    return Shift(float(np.linalg.norm(each, axis=1).max()), sigma, float(np.mean(close)))


MOST_SCALE = 0.008
"""By what share a sheet may be larger or smaller than planned before the board or the description is
wrong."""
FAINT = 0.05
"""Contrast of light on a scale of 0 to 1; a line with less may be missing only because its two colours are so
alike."""
MOST_BLUR_PX = 3.0
"""The most blur (one sigma) that the empty picture's sharpest edges may have; sharp pictures have about 1."""
MOST_UNSEEN = 0.15
"""The share of the sheet's lines, by length, that may be too faint before it counts as covered."""
OTHER_SIZE = phrase_later(
    "{what} is {width} x {height}, and the lens was calibrated at {width_px} x {height_px}. Take all "
    "pictures at one size, the one that is played with."
)
TURNED = phrase_later(
    "{what} is {width} x {height}, and the lens was calibrated at {width_px} x {height_px}. It is "
    "turned: take all pictures the same way up. Take all pictures at one size, the one that is played with."
)
MOVED = phrase_later(
    "The camera or the sheet moved by {moved_mm:.1f} mm between {picture} and the empty picture. Fix the "
    "camera, and take the flat pictures and the empty one again without touching it."
)
MOVED_FAR = phrase_later(
    "The camera or the sheet moved far between {picture} and the empty picture. Fix the camera, and take "
    "the flat pictures and the empty one again without touching it."
)
COVERED = phrase_later(
    "The sheet is partly covered: {name} is missing for {length:.0f} mm near x = {x:.0f}, y = {y:.0f} "
    "mm. Take everything off the sheet, avoid glare, and take the empty picture again."
)
FAINTLY_COVERED = phrase_later(
    "The sheet is partly covered, or hardly to be told from what lies beside it: {name} is missing for "
    "{length:.0f} mm near x = {x:.0f}, y = {y:.0f} mm. Take everything off the sheet, avoid glare, and "
    "take the empty picture again."
)


def check_size(camera: CameraCalibration, picture: Picture, what: str) -> None:
    """Raises `CalibrationError` when a picture is not of the size that the lens was calibrated for."""
    height, width = picture.shape[:2]
    lens = camera.lens
    if (width, height) != (lens.width_px, lens.height_px):
        raise CalibrationError(
            phrase(
                TURNED if width == lens.height_px else OTHER_SIZE,
                what=what,
                width=width,
                height=height,
                width_px=lens.width_px,
                height_px=lens.height_px,
            )
        )


def check_sharp(picture: Picture) -> None:
    """Raises `CalibrationError` when the empty picture is out of focus."""
    blur = blur_of(picture)
    if blur > MOST_BLUR_PX:
        raise CalibrationError(
            phrase(
                "The empty picture is blurred: its sharpest edges are {blur:.0f} px wide. Focus, "
                "hold the camera still, add light, and take it again.",
                blur=2.5 * blur,
            )
        )


def check_scale(fit: SheetFit) -> SheetFit:
    """The fit as it is; raises `CalibrationError` where its sheet is not as large as described."""
    if abs(fit.scale - 1) > MOST_SCALE:
        raise CalibrationError(
            phrase(
                "By the board the sheet is {scale:+.1f} % larger than described. Measure a square of "
                "the board and the sheet with a ruler, and correct --board, --board-thickness or the "
                "table description.",
                scale=100 * (fit.scale - 1),
            )
        )
    return fit


def check_still(
    flats: Sequence[tuple[BoardSeen, Picture]],
    plane: PlaneFound,
    plan: TableDescription,
    lines: Sequence[Measured],
) -> tuple[str, ...]:
    """Check that what lies still is in the flat pictures where it is in the empty one; returns notes on
    doubts. Raises `CalibrationError` where something moved."""
    doubtful = []
    for (seen, picture), board in zip(flats, plane.outlines_mm, strict=True):
        shift = shift_between(picture, plane.view, lines, board)
        if shift is None:
            mirrored = np.ascontiguousarray(picture[:, ::-1])
            if shift_between(mirrored, plane.view, lines, board) is not None:
                raise CalibrationError(
                    phrase(
                        "{picture} and the empty picture are mirror images of each other, or one is upside "
                        "down. Turn mirroring and turning off, and take all pictures again.",
                        picture=seen.picture,
                    )
                )
            if _sheet_elsewhere(picture, plane.view, plan, lines[0].placed):
                raise CalibrationError(phrase(MOVED_FAR, picture=seen.picture))
            doubtful.append(seen.picture)
        elif shift.moved:
            raise CalibrationError(phrase(MOVED, picture=seen.picture, moved_mm=shift.moved_mm))
    if doubtful:
        names = ", ".join(doubtful)
        return (
            phrase(
                "Too little is seen beside the board to tell whether the camera moved: {names}.", names=names
            ),
        )
    return ()


def _sheet_elsewhere(picture: Picture, view: View, plan: TableDescription, here: PlanPose) -> bool:
    """Whether the sheet is in the picture, but in another place."""
    try:
        there = find_sheet(picture, view, plan).placed
    except CalibrationError:
        return False
    turned = abs((there.turn_rad - here.turn_rad + np.pi) % (2 * np.pi) - np.pi)
    return bool(turned > 0.01 or np.hypot(there.x_mm - here.x_mm, there.y_mm - here.y_mm) > 3.0)


def check_uncovered(
    plan: TableDescription, frame: TableFrame, lines: Sequence[Measured], unseen: Sequence[PlanLine]
) -> None:
    """Raises `CalibrationError` where so much lies on the sheet's lines that the rest does not bridge it."""
    for line in lines:
        wide = [gap for gap in line.gaps_mm if not line.bridges(gap)]
        if line.plan.group == "sheet" and wide:
            start, end = max(wide, key=lambda gap: gap[1] - gap[0])
            x, y = within(frame.placed, line.at(np.array([(start + end) / 2])))[0]
            raise CalibrationError(
                phrase(
                    FAINTLY_COVERED if line.contrast < FAINT else COVERED,
                    name=line_words(line.plan.name),
                    length=end - start,
                    x=x,
                    y=y,
                )
            )
    hidden = [line for line in unseen if not is_back(line)]
    whole = sum(line.length_mm for line in sheet_lines(plan))
    if sum(line.length_mm for line in hidden) > MOST_UNSEEN * whole:
        names = ", ".join(line_words(line.name) for line in hidden)
        raise CalibrationError(
            phrase(
                "The sheet is partly covered or its colours are too faint: {names} cannot be "
                "followed. Take everything off the sheet, light it evenly, and take the empty "
                "picture again.",
                names=names,
            )
        )

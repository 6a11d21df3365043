"""Checks what cannot be trusted: each refusal names the cause and what to do."""

from collections.abc import Sequence

import numpy as np

from calibration.arrays import Picture
from calibration.camera import CameraCalibration
from calibration.description import TableDescription
from calibration.fit.board_seen import BoardSeen
from calibration.fit.frame import TableFrame, within
from calibration.fit.layout import SheetFit
from calibration.fit.light import blur_of
from calibration.fit.lines import Measured
from calibration.fit.moved import shift_between
from calibration.fit.plan_lines import PlanLine, is_back, line_words, sheet_lines
from calibration.fit.plane import PlaneFound
from calibration.fit.sheet import PlanPose, find_sheet
from calibration.trouble import CalibrationError
from calibration.view import View
from engine.wording import phrase, phrase_later

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

"""The End Zone's calibration: of these cameras' pictures, how old, how sure. Loads numpy and OpenCV."""

from pathlib import Path

from calibration.ends import Ends, load_ends
from calibration.files import load_table
from calibration.table import TableCalibration
from calibration.trouble import CalibrationError
from device.config import CameraConfig, Config, is_live
from device.doctor.machine import Finding, Machine, fail, ok, warn
from engine.wording import phrase, phrase_later
from vision.landing.drift import FEWEST

OLD_DAYS = 180.0
"""Wood works through the seasons, and sheets creep."""
UNSURE_MM = 0.15
"""One standard deviation of places and lines together: with more, one landing in ten is too close to call."""
AGAIN = phrase_later("calibrate the table again: docs/calibrating.md, from step 3")


def check_landing_files(machine: Machine, config: Config, files: list[Path]) -> Finding:
    """What is to be said of the near end's file, or of both."""
    try:
        made = [load_table(file) for file in files]
        ends = load_ends(files[0], files[1]) if len(files) == 2 else None
    except CalibrationError as error:
        return fail(str(error), phrase(AGAIN))
    return _unusable(config, files, made) or _sure(machine, files, made, ends)


def _unusable(config: Config, files: list[Path], made: list[TableCalibration]) -> Finding | None:
    """Why landings would all be refused with these files."""
    for file, one in zip(files, made, strict=True):
        if trouble := _size_trouble(config.camera, one):
            lens = one.view.lens
            fix = phrase(
                "set camera.width_px = {width_px} and camera.height_px = {height_px}, or {again}",
                width_px=lens.width_px,
                height_px=lens.height_px,
                again=phrase(AGAIN),
            )
            return fail(f"{file} {trouble}.", fix)
        if len(one.landmarks) < FEWEST:
            text = phrase(
                "{file} knows {count} fixed points of the table, and {fewest} are needed.",
                file=file,
                count=len(one.landmarks),
                fewest=FEWEST,
            )
            return fail(
                text,
                phrase(
                    "stick markers to the table (callbox print markers), then {again}", again=phrase(AGAIN)
                ),
            )
    return None


def _size_trouble(camera: CameraConfig, one: TableCalibration) -> str:
    """How its pictures differ from the camera's; "" when they do not, or for films, which have their own."""
    lens = one.view.lens
    asked, there = (camera.width_px, camera.height_px), (lens.width_px, lens.height_px)
    if not is_live(camera.spec) or asked == there:
        return ""
    return phrase(
        "was made from pictures of {width} x {height}, and the camera gives {asked_width} x {asked_height}",
        width=there[0],
        height=there[1],
        asked_width=asked[0],
        asked_height=asked[1],
    )


def _sure(machine: Machine, files: list[Path], made: list[TableCalibration], ends: Ends | None) -> Finding:
    """How old it is, and how sure."""
    ages = [machine.age_days(file) for file in files]
    days = max((age for age in ages if age is not None), default=0.0)
    place, line = max(one.sigma_mm for one in made), max(one.laid.sigma_mm for one in made)
    who = phrase("Both End Zones are") if ends else phrase("The End Zone is")
    text = phrase(
        "{who} calibrated, {days:.0f} days ago; places are sure to {place:.3f} mm, lines to "
        "{line:.3f} mm (one standard deviation).",
        who=who,
        days=days,
        place=place,
        line=line,
    )
    if ends and ends.apart_mm is None:
        text += phrase(
            " The halfway line is not in both pictures: the ends are as far apart as the plan says."
        )
    if days > OLD_DAYS:
        return warn(text, phrase("it is old: {again}", again=phrase(AGAIN)))
    if max(place, line) > UNSURE_MM:
        return warn(
            text, phrase("use larger pictures and four flat boards, and {again}", again=phrase(AGAIN))
        )
    return ok(text)

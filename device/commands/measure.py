"""`callbox measure`: where dice lie on a calibrated table and what they are worth, a line for a picture."""

import math
import sys
import time
from collections import Counter
from functools import partial
from pathlib import Path

import click
import cv2
import msgspec

from calibration.arrays import Picture
from calibration.files import load_table
from calibration.trouble import CalibrationError
from device.commands.common import PATH, threads_option
from device.commands.picture_lines import ErrorLine, image_name, tell_all
from engine.wording import phrase, phrase_later
from vision.landing import THRESHOLD, CalledDie, DotCall, Pose, Sight, Sureness
from vision.landing.call import length_words, percent
from vision.landing.detector import LandingDetector
from vision.landing.drift import Drift
from vision.landing.evidence import draw_evidence
from vision.landing.field import FieldError, field_of
from vision.pictures import load_sized

Point = tuple[float, float]
UNREAD = phrase_later("its place is measured, its up-face was not read")


class DotLine(msgspec.Struct, frozen=True):
    """Whether the die covers the dot."""

    covered: bool
    margin_mm: float
    probability: float
    call: Sureness
    sigma_mm: float


class DieLine(msgspec.Struct, frozen=True, kw_only=True):
    """One die of the contract's line; what the contract does not name stands last."""

    value: int | None
    confidence: float
    center_mm: Point
    yaw_deg: float
    edge_mm: float
    footprint_mm: tuple[Point, ...]
    sigma_mm: float
    zone: int
    score: int | None
    call: Sureness
    probability: float
    protrusion_mm: float
    gap_mm: float | None
    nearest_line: str
    dot: DotLine | None
    nearest_mm: float
    nearest_sigma_mm: float
    by_zone: dict[str, float]
    ways_out: str
    color: str
    pose: Pose
    note: str
    center: Point
    corners: tuple[Point, ...]
    evidence: str | None


class UnsureLine(msgspec.Struct, frozen=True):
    """One place that is not vouched for; with what was measured of it, where anything was."""

    center: Point
    center_mm: Point | None
    reason: str
    measured: DieLine | None = None


class DriftLine(msgspec.Struct, frozen=True):
    """What moved since the calibration, and was taken into account."""

    cause: str
    moved_mm: float
    reason: str


class MeasureLine(msgspec.Struct, frozen=True):
    """The contract's line for a picture that was measured."""

    image: str
    elapsed_ms: float
    dice: tuple[DieLine, ...]
    unsure: tuple[UnsureLine, ...]
    drift: DriftLine


class Evidence:
    """Close-ups in a folder, a PNG for each die."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._taken: Counter[str] = Counter()

    def keep(self, path: Path, picture: Picture, sight: Sight) -> list[str | None]:
        """The names of the files that were written, die by die. Raises `OSError`."""
        if self._folder is None:
            return [None] * len(sight.dice)
        self._taken[path.stem] += 1
        again = self._taken[path.stem]  # Pictures of the same name, from other folders.
        stem = path.stem if again == 1 else f"{path.stem}-{again}"
        return [self._measure_die(self._folder / f"{stem}-die{at + 1}.png", picture, sight, at)
                for at in range(len(sight.dice))]  # fmt: skip

    def _measure_die(self, path: Path, picture: Picture, sight: Sight, at: int) -> str:
        called = sight.dice[at]
        others = [other.die for other in sight.dice if other is not called]
        drawn = draw_evidence(
            picture,
            sight.calibration,
            called.die,
            called.call,
            others=others,
            title=image_name(Path(path.stem)),
        )
        _, data = cv2.imencode(".png", drawn)
        path.write_bytes(data.tobytes())
        return image_name(path)


@click.command()
@click.argument("pictures", metavar="PICTURE...", nargs=-1, required=True, type=PATH)
@click.option(
    "--calibration",
    "table",
    metavar="table.json",
    required=True,
    type=PATH,
    help=phrase_later("Made by `callbox calibrate table`, from this camera where it hangs."),
)
@click.option(
    "--evidence",
    "folder",
    metavar="DIR",
    type=click.Path(path_type=Path, file_okay=False),
    help=phrase_later("Write a close-up of each landing into this folder, as PNG."),
)
@click.option(
    "--threshold",
    type=click.FloatRange(0.5, 1.0),
    default=THRESHOLD,
    show_default=True,
    help=phrase_later("Calls less likely than this are too close."),
)
@click.option("--json", "as_json", is_flag=True, help=phrase_later("One JSON object a line."))
@threads_option
def command(
    pictures: tuple[Path, ...],
    table: Path,
    folder: Path | None,
    threshold: float,
    as_json: bool,
    threads: int,
) -> None:
    """Measure the dice in each PICTURE of a calibrated table: place, zone, score, and how sure that is.

    Lengths are millimetres in the table frame. A die that cannot be measured or read is called unsure.

    Exit status: 0 all measured, 1 some could not be, 2 wrong use.
    """
    if math.isnan(threshold):  # Which no range keeps out.
        raise click.BadParameter(phrase("it is a chance from 0.5 to 1."), param_hint="--threshold")
    if folder is not None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise click.BadParameter(f"{folder}: {error.strerror}.", param_hint="--evidence") from error
    detector = open_detector(table, threads, threshold)
    line_of = detector if isinstance(detector, str) else partial(measure_picture, detector, Evidence(folder))
    well = tell_all(pictures, line_of, None if as_json else plain)
    sys.exit(0 if well else 1)


def open_detector(table: Path, threads: int, threshold: float) -> LandingDetector | str:
    """What measures; or why nothing can be measured, which every picture's line then says."""
    try:
        calibration = load_table(table)
        field_of(calibration.laid)
    except (CalibrationError, FieldError) as error:
        return str(error)
    return LandingDetector(calibration, threads, threshold)


def measure_picture(detector: LandingDetector, evidence: Evidence, path: Path) -> MeasureLine | ErrorLine:
    """The line for one picture; raises what `tell_all` tells."""
    name, begun = image_name(path), time.perf_counter()
    loaded = load_sized(path)
    sight = detector.look(loaded.picture)
    # A picture that is far too large was reduced when it was loaded: its own size is asked for, too.
    refused = detector.why_not(loaded.width, loaded.height) or sight.blind
    if refused or sight.drift is None:
        return ErrorLine(name, refused)
    elapsed_ms = (time.perf_counter() - begun) * 1000
    try:
        files = evidence.keep(path, loaded.picture, sight)
    except OSError as error:
        return ErrorLine(
            name,
            phrase(
                "the evidence cannot be written: {strerror}; make room or name another folder",
                strerror=error.strerror,
            ),
        )
    return _line(name, elapsed_ms, sight, sight.drift, files)


def _line(name: str, elapsed_ms: float, sight: Sight, drift: Drift, files: list[str | None]) -> MeasureLine:
    dice = [(each.die, _die(each, file)) for each, file in zip(sight.dice, files, strict=True)]
    unread = (
        UnsureLine(line.center, line.center_mm, UNREAD, line) for die, line in dice if die.value is None
    )
    unmeasured = (
        UnsureLine(_round(place.center_px, 2), place.center_mm and _round(place.center_mm), place.reason)
        for place in sight.unmeasured
    )
    return MeasureLine(
        image=name,
        elapsed_ms=round(elapsed_ms, 2),
        dice=tuple(line for die, line in dice if die.value is not None),
        unsure=(*unread, *unmeasured),
        drift=DriftLine(drift.cause, round(drift.moved_mm, 3), drift.reason),
    )


def _die(called: CalledDie, file: str | None) -> DieLine:
    die, call = called.die, called.call
    return DieLine(
        value=die.value,
        confidence=round(die.confidence, 6),
        center_mm=_round(die.center_mm),
        yaw_deg=round(die.yaw_deg, 4),
        edge_mm=round(die.edge_mm, 4),
        footprint_mm=tuple(_round(point) for point in die.footprint_mm),
        sigma_mm=round(die.sigma_mm, 4),
        zone=call.zone,
        score=call.score,
        call=call.call,
        probability=round(call.probability, 6),
        protrusion_mm=round(call.protrusion_mm, 4),
        gap_mm=None if call.gap_mm is None else round(call.gap_mm, 4),
        nearest_line=call.nearest_line,
        dot=None if call.dot is None else _dot(call.dot),
        nearest_mm=round(call.near.mm, 4),
        nearest_sigma_mm=round(call.near_sigma_mm, 4),
        by_zone={str(zone): round(part, 6) for zone, part in call.by_zone},
        ways_out=call.ways_out,
        color=die.color,
        pose=die.pose,
        note=die.note,
        center=_round(die.center_px, 2),
        corners=tuple(_round(corner, 2) for corner in die.corners_px),
        evidence=file,
    )


def _dot(dot: DotCall) -> DotLine:
    return DotLine(
        covered=dot.covered,
        margin_mm=round(dot.margin_mm, 4),
        probability=round(dot.probability, 6),
        call=dot.call,
        sigma_mm=round(dot.sigma_mm, 4),
    )


def _round(point: Point, digits: int = 4) -> Point:
    return round(point[0], digits), round(point[1], digits)


def plain(line: MeasureLine | ErrorLine) -> str:
    """The lines for people: the picture, then each die with its call and the line that decides."""
    if isinstance(line, ErrorLine):
        return f"{line.image}: {line.error}"
    told = [line.image if not line.drift.reason else f"{line.image}: {line.drift.reason}"]
    told += [f"  {_describe_die(die)}" for die in line.dice]
    for place in line.unsure:
        x, y = place.center
        lies = f"; {_describe_die(place.measured)}" if place.measured else ""
        told.append(
            phrase(
                "  unsure at {x:.0f}, {y:.0f}: {reason}{lies}",
                x=x,
                y=y,
                reason=phrase(place.reason),
                lies=lies,
            )
        )
    return "\n".join(told if len(told) > 1 else [phrase("{told}: no dice", told=told[0])])


def _describe_die(die: DieLine) -> str:
    """ "6 × 5 = 30 (red): certain, over 99.99 %; 1.42 ± 0.10 mm over 2|5"."""
    worth = (
        phrase("zone {zone}", zone=die.zone)
        if die.value is None
        else f"{die.value} × {die.zone} = {die.score}"
    )
    sure = phrase("certain") if die.call == "certain" else phrase("too close to call")
    side = phrase("over") if die.nearest_mm > 0 else phrase("short of")
    length = length_words(die.nearest_mm, die.nearest_sigma_mm)
    parts = [f"{sure}, {percent(die.probability)}", f"{length} {side} {die.nearest_line}"]
    if die.dot and (die.dot.covered or die.dot.call == "too_close"):
        seen = phrase("the dot is covered") if die.dot.covered else phrase("the dot is to be seen")
        close = "" if die.dot.call == "certain" else phrase(", which is too close to call")
        parts.append(f"{seen} ({length_words(die.dot.margin_mm, die.dot.sigma_mm)}{close})")
    parts += [each for each in ("leaning" if die.pose == "cocked" else "", die.note) if each]
    return f"{worth} ({die.color}): {'; '.join(parts)}"

"""`callbox calibrate`: the camera's lock and lens, the table under it, and both ends of a table."""

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from math import degrees
from pathlib import Path
from typing import NoReturn, TypeVar

import click
import cv2
import msgspec
import numpy as np
from tqdm import tqdm

from calibration.arrays import Picture
from calibration.board import EXAMPLE, FORM, Board
from calibration.description import CLASSIC, DescriptionError, load_description
from calibration.ends import Ends, load_ends
from calibration.files import load_camera, save_camera, save_lock, save_table
from calibration.fit import (
    FEWEST_PICTURES,
    BoardSeen,
    Brightness,
    Feature,
    LensFound,
    TableFound,
    calibrate_table,
    check_size,
    find_board,
    fit_lens,
    light_of,
)
from calibration.lock import CameraLock, distance_words
from calibration.trouble import CalibrationError, Doubt
from calibration.view import CameraCalibration
from device.cameras import CameraLost, Frame
from device.cameras.locking import usb_controls_of
from device.commands.common import PATH, camera_option, config_option
from device.commands.opening import open_as_set
from device.commands.picture_lines import TOO_LARGE, ErrorLine, image_name
from device.config import CameraConfig, ConfigError, load
from device.setup import DARK_GREY, MOST_BURNT
from device.setup.camera_lock import (
    ALIKE_GREY,
    HALF_WAVE_US,
    LockOverrides,
    find_lock,
    load_lock_for,
    parse_controls,
)
from engine.wording import phrase, phrase_later
from vision.pictures import PictureError, load_sized


class FailedLine(msgspec.Struct, frozen=True):
    """Why there is no calibration."""

    error: str


_Command = TypeVar("_Command", bound=Callable[..., object])


def print_line(line: msgspec.Struct) -> None:
    """A line on standard output."""
    click.echo(msgspec.json.encode(line).decode())


def end_in_failure(error: str) -> NoReturn:
    """Say why, to programs and to people, and end."""
    print_line(FailedLine(error))
    click.echo(error, err=True)
    sys.exit(1)


def _output_option(words: str) -> Callable[[_Command], _Command]:
    return click.option("-o", "--output", metavar="FILE", type=PATH, required=True, help=words)


# `callbox calibrate describe`: the description of a table, to be changed where yours differs.


@click.command("describe")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=PATH,
    default="table.toml",
    show_default=True,
    help=phrase_later("Where to write it; an existing file is left as it is."),
)
def describe(output: Path) -> None:
    """Write the description of the classic End Zone table, and change what differs on yours."""
    try:
        with output.open("x", encoding="utf-8") as file:
            file.write(CLASSIC.read_text(encoding="utf-8"))
    except FileExistsError:
        raise click.UsageError(
            phrase("{output} exists and is kept. Name another file with -o.", output=output)
        ) from None
    except OSError as error:
        raise click.UsageError(
            phrase("{output} cannot be written: {strerror}.", output=output, strerror=error.strerror)
        ) from None
    click.echo(
        phrase(
            "{output}: the classic sheet. Open it in an editor and change what differs on your table.",
            output=output,
        )
    )


# `callbox calibrate ends`: do the calibrations of two End Zones make one table?


class EndsLine(msgspec.Struct, frozen=True):
    """How the two ends lie to one another."""

    near: str
    far: str
    apart_mm: float | None
    """How far the two cameras disagree at the halfway line; null where one of them does not see it."""
    length_mm: float
    """From edge to edge of the table, along its middle."""
    askew_deg: float
    """How far the far end is turned against the near one, beside the half circle."""
    aside_mm: float
    """How far the far end's middle lies to the right of the near one's, seen from the near end."""


@click.command("ends")
@click.argument("near", metavar="NEAR.json", type=PATH)
@click.argument("far", metavar="FAR.json", type=PATH)
def ends(near: Path, far: Path) -> None:
    """Check whether two End Zones, each calibrated under its own camera, are the two ends of one table.

    Prints one JSON object. Exit status: 0 they are, 1 they are not, 2 wrong use.
    """
    try:
        made = load_ends(near, far)
    except CalibrationError as error:
        end_in_failure(str(error))
    line = ends_line(made, near, far)
    print_line(line)
    apart = (
        phrase("the halfway line is not in both pictures, so the plan says how far they are apart")
        if line.apart_mm is None
        else phrase("at the halfway line the two cameras agree to {apart_mm:.2f} mm", apart_mm=line.apart_mm)
    )
    click.echo(
        phrase(
            "Two ends of one table, {length_mm:.1f} mm long; {told}.", length_mm=line.length_mm, told=apart
        ),
        err=True,
    )


def ends_line(made: Ends, near: Path, far: Path) -> EndsLine:
    """What is said of two ends that fit."""
    aside, length = made.turn.shift_mm
    askew = (degrees(made.turn.angle_rad) % 360) - 180
    return EndsLine(
        near=str(near),
        far=str(far),
        apart_mm=None if made.apart_mm is None else round(made.apart_mm, 3),
        length_mm=round(length, 2),
        askew_deg=round(askew, 3),
        aside_mm=round(aside, 2),
    )


# `callbox calibrate lock`: what the camera is locked to.


class LockLine(msgspec.Struct, frozen=True):
    """What the camera is locked to, and the picture that this gives."""

    lock: str
    exposure_ms: float
    gain: float
    red_gain: float
    blue_gain: float
    focus_dioptre: float | None
    sensor: str
    controls: dict[str, int]
    """A USB camera's, in steps of its own; empty for a Pi's, and then the numbers above count."""
    elsewhere: str
    """The same for rpicam-still or v4l2-ctl, with which the calibration's pictures may be taken."""
    mean_grey: float
    burnt_share: float
    notes: tuple[str, ...]


@click.command("lock")
@camera_option
@config_option
@click.option(
    "--exposure-ms", type=click.FloatRange(0.1, 200), help=phrase_later("Instead of what the camera finds.")
)
@click.option("--gain", type=click.FloatRange(1, 64), help=phrase_later("Instead of what the camera finds."))
@click.option(
    "--white-balance",
    type=(click.FloatRange(0.1, 32), click.FloatRange(0.1, 32)),
    metavar="RED BLUE",
    help=phrase_later("Both gains, instead of what the camera finds."),
)
@click.option(
    "--focus-cm", type=click.FloatRange(5, 1000), help=phrase_later("What is sharp, for a lens with a motor.")
)
@click.option(
    "--control", "controls", multiple=True, metavar="NAME=NUMBER", help=phrase_later("Of a USB camera.")
)
@click.option(
    "--mains", type=click.Choice(list(HALF_WAVE_US)), default="50", help=phrase_later("Lamps' mains in Hz.")
)
@_output_option(phrase_later("Where to write lock.json."))
def lock(  # noqa: PLR0913, PLR0917 - one argument for each option
    spec: str | None,
    config_path: Path | None,
    exposure_ms: float | None,
    gain: float | None,
    white_balance: tuple[float, float] | None,
    focus_cm: float | None,
    controls: tuple[str, ...],
    mains: str,
    output: Path,
) -> None:
    """Let the camera find exposure, gain, white balance and focus, and write them down to be kept.

    Do it in the light that you play in, with the bare table in the picture. Prints one JSON object. Exit
    status: 0 the camera keeps to it, 1 it does not, 2 wrong use.
    """
    try:
        at = load(config_path).camera
        given = LockOverrides(exposure_ms, gain, white_balance, focus_cm, parse_controls(controls))
        found = find_lock(partial(_frames, at, spec or at.spec), given, HALF_WAVE_US[mains])
        save_lock(found.lock, output)
    except ConfigError as error:
        raise click.UsageError(str(error)) from None
    except (CameraLost, CalibrationError) as error:
        end_in_failure(str(error))
    line = lock_line(found.lock, found.picture, output, found.alone)
    print_line(line)
    _tell_lock(line)


def _frames(at: CameraConfig, spec: str, wanted: CameraLock | None) -> Iterator[Frame]:
    """The camera's frames, locked or finding everything by itself; raises `CameraLost`."""
    camera = open_as_set(at, spec, wanted, find_focus=wanted is None)
    with closing(camera):
        frames = camera.frames()
        try:
            yield from frames
        finally:
            frames.close()  # type: ignore[attr-defined]


def lock_line(wanted: CameraLock, picture: Picture, output: Path, alone: Picture | None = None) -> LockLine:
    """What is said of the lock and of the picture that it gives; `alone` is the one that the camera gave by
    itself."""
    light = light_of(picture)
    return LockLine(
        lock=str(output),
        exposure_ms=round(wanted.exposure_us / 1000, 3),
        gain=round(wanted.gain, 3),
        red_gain=round(wanted.red_gain, 3),
        blue_gain=round(wanted.blue_gain, 3),
        focus_dioptre=wanted.focus_dioptre,
        sensor=wanted.sensor,
        controls=dict(wanted.controls),
        elsewhere=_elsewhere(wanted),
        mean_grey=round(light.mean_grey, 1),
        burnt_share=round(light.burnt_share, 4),
        notes=tuple(_notes(wanted, light, alone)),
    )


def _notes(wanted: CameraLock, light: Brightness, alone: Picture | None) -> list[str]:
    mean, burnt = light.mean_grey, light.burnt_share
    notes = []
    if burnt > MOST_BURNT:
        notes.append(
            phrase(
                "{burnt:.0f} % of the picture is burnt out: dim the light, or a shorter --exposure-ms",
                burnt=100 * burnt,
            )
        )
    if mean < DARK_GREY:
        notes.append(
            phrase(
                "the picture is dark (mean grey {mean:.0f} of 255): more light, or a larger --gain", mean=mean
            )
        )
    if alone is not None and not 1 / ALIKE_GREY < (1 + mean) / (1 + float(alone.mean())) < ALIKE_GREY:
        notes.append(
            phrase(
                "the picture's mean grey is {mean:.0f}, and was {alone:.0f} when the camera set "
                "itself: choose with --exposure-ms, and --control for its gain",
                mean=mean,
                alone=alone.mean(),
            )
        )
    if wanted.gain > 8:
        notes.append(phrase("a gain of {gain:.1f} makes noise: more light is better", gain=wanted.gain))
    return notes


def _elsewhere(wanted: CameraLock) -> str:
    """A lock for other programs: v4l2-ctl, or the rpicam ones (raspberrypi.com, rpicam_options_common)."""
    if wanted.controls:
        pairs = ",".join(f"{name}={value}" for name, value in usb_controls_of(wanted).items())
        return f"v4l2-ctl --set-ctrl {pairs}"
    focus = wanted.focus_dioptre
    lens = "" if focus is None else f" --autofocus-mode manual --lens-position {focus:.3f}"
    return (
        f"rpicam-still --shutter {wanted.exposure_us:.0f} --gain {wanted.gain:.3f} "
        f"--awbgains {wanted.red_gain:.3f},{wanted.blue_gain:.3f}{lens}"
    )


def _tell_lock(line: LockLine) -> None:
    focus = (
        ""
        if line.focus_dioptre is None
        else phrase(", sharp at {focus_dioptre}", focus_dioptre=distance_words(line.focus_dioptre))
    )
    set_to = phrase(
        "{exposure_ms:g} ms, gain {gain:g}, white balance {red_gain:g} and {blue_gain:g}{focus}",
        exposure_ms=line.exposure_ms,
        gain=line.gain,
        red_gain=line.red_gain,
        blue_gain=line.blue_gain,
        focus=focus,
    )
    if line.controls:
        set_to = ", ".join(f"{name} {value}" for name, value in line.controls.items())
    click.echo(phrase("{lock}: {set_to}. The camera keeps to it.", lock=line.lock, set_to=set_to), err=True)
    click.echo(phrase("  For pictures taken otherwise: {elsewhere}", elsewhere=line.elsewhere), err=True)
    _tell_refused({}, line.notes)


# What `callbox calibrate camera` and `table` tell: JSON lines for programs, and sentences for people.


class PictureLine(msgspec.Struct, frozen=True):
    """A picture that was used."""

    image: str
    used: bool
    corners: int
    blur_px: float


class CameraLine(msgspec.Struct, frozen=True):
    """The lens."""

    calibration: str
    rms_px: float
    used: int
    refused: int
    width: int
    height: int
    focal_px: tuple[float, float]
    centre_px: tuple[float, float]
    distortion: dict[str, float]
    notes: tuple[str, ...]


class FeatureLine(msgspec.Struct, frozen=True):
    """One line of the table, or the dot."""

    feature: str
    measured: bool
    residual_mm: float | None
    off_plan_mm: float | None
    bend_mm: float | None
    seen: float | None
    bridged_mm: tuple[tuple[float, float, float], ...]


class TableLine(msgspec.Struct, frozen=True):
    """The table."""

    calibration: str
    sigma_mm: float
    line_sigma_mm: float
    boards_mm: tuple[float, ...]
    sheet_scale: float
    landmarks: int
    notes: tuple[str, ...]


def tell_pictures(pictures: Sequence[Path], seen: Sequence[BoardSeen], refused: dict[str, str]) -> None:
    """A line for each picture of which anything can be said, in the order in which they were given."""
    used = {s.picture: s for s in seen}
    for name in map(image_name, pictures):
        if name in refused:
            print_line(ErrorLine(name, refused[name]))
        elif name in used:
            print_line(PictureLine(name, True, len(used[name].ids), round(used[name].blur_px, 2)))


def tell_lens(
    pictures: Sequence[Path],
    seen: Sequence[BoardSeen],
    refused: dict[str, str],
    found: LensFound,
    output: Path,
) -> None:
    """A line for each picture and for the lens, and how well it is known."""
    tell_pictures(pictures, seen, refused)
    lens = found.camera.lens
    terms = dict(zip(("k1", "k2", "p1", "p2", "k3"), lens.distortion, strict=True))
    print_line(
        CameraLine(
            calibration=str(output),
            rms_px=round(found.camera.rms_px, 4),
            used=found.camera.pictures_used,
            refused=len(refused),
            width=lens.width_px,
            height=lens.height_px,
            focal_px=lens.focal_px,
            centre_px=lens.centre_px,
            distortion={term: terms[term] for term in found.terms},
            notes=found.notes,
        )
    )
    click.echo(
        phrase(
            "{output}: corners fit to {rms_px:.3f} px (RMS), {pictures_used} pictures used, {count} refused.",
            output=output,
            rms_px=found.camera.rms_px,
            pictures_used=found.camera.pictures_used,
            count=len(refused),
        ),
        err=True,
    )
    _tell_refused(refused, found.notes)


def tell_table(
    flats: Sequence[Path], seen: Sequence[BoardSeen], refused: dict[str, str], found: TableFound, output: Path
) -> None:
    """A line for each picture, for each line of the table and for the whole, and how sure places are."""
    tell_pictures(flats, seen, refused)
    for feature in found.features:
        print_line(_feature_line(feature))
    made = found.table
    print_line(
        TableLine(
            calibration=str(output),
            sigma_mm=round(made.sigma_mm, 4),
            line_sigma_mm=round(made.laid.sigma_mm, 4),
            boards_mm=tuple(round(each, 4) for each in found.boards_mm),
            sheet_scale=round(found.sheet_scale, 6),
            landmarks=len(made.landmarks),
            notes=found.notes,
        )
    )
    click.echo(
        phrase(
            "{output}: places are sure to {sigma_mm:.3f} mm, lines to {lines_mm:.3f} mm (one "
            "standard deviation); {count} landmarks.",
            output=output,
            sigma_mm=made.sigma_mm,
            lines_mm=made.laid.sigma_mm,
            count=len(made.landmarks),
        ),
        err=True,
    )
    _tell_refused(refused, found.notes)


def _tell_refused(refused: dict[str, str], notes: Sequence[str]) -> None:
    """Say to people which pictures were refused and why, and what could be better."""
    for text in (*(f"{name}: {reason}" for name, reason in refused.items()), *notes):
        click.echo(f"  {text}", err=True)


def _feature_line(feature: Feature) -> FeatureLine:
    def short(value: float | None, places: int = 4) -> float | None:
        return None if value is None else round(value, places)

    return FeatureLine(
        feature=feature.name,
        measured=feature.measured,
        residual_mm=short(feature.residual_mm),
        off_plan_mm=short(feature.off_plan_mm, 3),
        bend_mm=short(feature.bend_mm, 3),
        seen=short(feature.share, 3),
        bridged_mm=tuple((round(x, 1), round(y, 1), round(mm, 1)) for x, y, mm in feature.bridged_mm),
    )


FIT_STEPS = 5
"""How often the fits of lens and table say that they are further on."""


class BoardParam(click.ParamType[Board]):
    """What `--board` takes."""

    name = "board"

    def convert(self, value: str | Board, param: click.Parameter | None, ctx: click.Context | None) -> Board:
        """The board that the text names."""
        if isinstance(value, Board):
            return value
        try:
            return Board.parse(value)
        except CalibrationError as error:
            self.fail(str(error), param, ctx)


board_option = click.option(
    "--board", type=BoardParam(), metavar=FORM, required=True, help=f"E.g. {EXAMPLE}."
)

lock_option = click.option(
    "--lock",
    "lock_path",
    metavar="FILE",
    type=PATH,
    help=phrase_later("The lock.json that the pictures were taken with."),
)


@click.group()
def command() -> None:
    """Calibrate a camera's lens, then the table under it, or both ends. docs/calibrating.md shows how."""
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)


command.add_command(describe)
command.add_command(ends)
command.add_command(lock)


@command.command()
@click.argument("pictures", metavar="PICTURE...", nargs=-1, required=True, type=PATH)
@board_option
@lock_option
@_output_option(phrase_later("Where to write camera.json."))
def camera(pictures: tuple[Path, ...], board: Board, lock_path: Path | None, output: Path) -> None:
    """Find the lens from PICTUREs of a ChArUco board held before the camera, 16 or more.

    Prints one JSON object a line: each picture, then the lens. Exit status: 0 all pictures used, 1 some or
    all refused, 2 wrong use.
    """
    seen: list[BoardSeen] = []
    refused: dict[str, str] = {}
    with _progress(len(pictures) + FIT_STEPS) as bar:
        for path in pictures:
            try:
                seen.append(_load_board(path, board)[0])
            except (PictureError, Doubt) as error:
                refused[image_name(path)] = str(error)
            bar.update()
        _refuse_odd_sizes(seen, refused)
        try:
            found = fit_lens(seen, board, bar.update)
            save_camera(replace(found.camera, lock=load_lock_for(lock_path)), output)
        except CalibrationError as error:
            tell_pictures(pictures, seen, refused)
            end_in_failure(f"{error}{_mostly(refused, len(seen))}")
    tell_lens(pictures, seen, refused | found.refused, found, output)
    sys.exit(1 if refused or found.refused else 0)


@command.command()
@click.option(
    "--camera", "camera_path", metavar="FILE", type=PATH, required=True, help=phrase_later("The camera.json.")
)
@click.option(
    "--table",
    "table_path",
    metavar="FILE",
    type=PATH,
    required=True,
    help=phrase_later("The table description."),
)
@board_option
@click.option(
    "--board-thickness",
    metavar="MM",
    type=click.FloatRange(0, 50),
    default=0.0,
    help=phrase_later("If it is not a thin sheet."),
)
@click.option(
    "--flat",
    metavar="PICTURE",
    multiple=True,
    required=True,
    type=PATH,
    help=phrase_later("The board lying flat."),
)
@click.argument("more", metavar="[MORE FLAT PICTURES]", nargs=-1, type=PATH)
@click.option(
    "--empty",
    metavar="PICTURE",
    type=PATH,
    required=True,
    help=phrase_later("The table without board or dice."),
)
@click.option(
    "--end",
    type=click.Choice(["near", "far"]),
    default=None,
    help=phrase_later("Which end, where each has a camera."),
)
@lock_option
@_output_option(phrase_later("Where to write table.json."))
def table(  # noqa: PLR0913, PLR0917 - one argument for each option
    camera_path: Path,
    table_path: Path,
    board: Board,
    board_thickness: float,
    flat: tuple[Path, ...],
    more: tuple[Path, ...],
    empty: Path,
    end: str | None,
    lock_path: Path | None,
    output: Path,
) -> None:
    """Find the table's plane and where sheet, tapes and dot really lie on it.

    --flat may be given several times; four boards, one near each corner, are best. Prints one JSON object
    a line: each flat picture, each line of the table with its residual in mm, then the table. Exit status: 0
    all well, 1 something refused, 2 wrong use.
    """
    flats, refused = (*flat, *more), dict[str, str]()
    with _progress(len(flats) + 1 + FIT_STEPS) as bar:
        try:
            lens, plan = load_camera(camera_path), load_description(table_path)
            kept = load_lock_for(lock_path, lens.lock)
            boards = _flat_boards(flats, board, lens, refused, bar)
            bare = _load(empty)
            bar.update()
            if not boards:
                raise CalibrationError(phrase("None of the flat pictures shows the board as it must."))
            found = calibrate_table(
                lens, plan, board, boards, bare, thickness_mm=board_thickness, step=bar.update
            )
            save_table(replace(found.table, end=end or "", lock=kept), output)
        except PictureError as error:
            tell_pictures(flats, [], refused)
            end_in_failure(f"{image_name(empty)}: {error}")
        except (CalibrationError, DescriptionError) as error:
            tell_pictures(flats, [], refused)
            end_in_failure(str(error))
    tell_table(flats, [seen for seen, _ in boards], refused, found, output)
    sys.exit(1 if refused else 0)


def _progress(total: int) -> "tqdm[None]":
    """A bar on standard error, for who waits at a terminal."""
    return tqdm(total=total, unit="step", file=sys.stderr, disable=not sys.stderr.isatty(), leave=False)


def _load(path: Path) -> Picture:
    """A whole picture at its own size. Raises `PictureError`."""
    loaded = load_sized(path)
    if loaded.shrink != 1:
        raise PictureError(
            phrase(
                "{width} x {height} pixels are more than can be calibrated; take smaller ones",
                width=loaded.width,
                height=loaded.height,
            )
        )
    return loaded.picture


def _load_board(path: Path, board: Board) -> tuple[BoardSeen, Picture]:
    """The board in a picture. Raises `PictureError` or `Doubt`."""
    picture = _load(path)
    try:
        grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
        return find_board(grey, board, image_name(path)), picture
    except (cv2.error, MemoryError) as error:
        raise PictureError(TOO_LARGE) from error


def _flat_boards(
    flats: Sequence[Path], board: Board, lens: CameraCalibration, refused: dict[str, str], bar: "tqdm[None]"
) -> list[tuple[BoardSeen, Picture]]:
    """The boards that lie flat; `refused` gets the pictures that do not show one."""
    found = []
    for path in flats:
        try:
            seen, picture = _load_board(path, board)
            check_size(lens, picture, image_name(path))
            found.append((seen, picture))
        except (PictureError, Doubt) as error:
            refused[image_name(path)] = str(error)
        bar.update()
    return found


def _refuse_odd_sizes(seen: list[BoardSeen], refused: dict[str, str]) -> None:
    """Keeps the pictures of the commonest size; the others are of another camera, or cropped."""
    if not seen:
        return
    (common, _), *_ = Counter((s.width_px, s.height_px) for s in seen).most_common(1)
    for odd in [s for s in seen if (s.width_px, s.height_px) != common]:
        turned = (odd.height_px, odd.width_px) == common
        cure = (
            phrase("take all the same way up") if turned else phrase("take all with one camera at one size")
        )
        refused[odd.picture] = phrase(
            "it is {width_px} x {height_px}, and most are {wide} x {high}; {cure}",
            width_px=odd.width_px,
            height_px=odd.height_px,
            wide=common[0],
            high=common[1],
            cure=cure,
        )
        seen.remove(odd)


def _mostly(refused: dict[str, str], used: int) -> str:
    """The commonest reason, where the pictures' own refusals are why there are too few."""
    if used >= FEWEST_PICTURES or not refused:
        return ""
    (reason, count), *_ = Counter(refused.values()).most_common(1)
    return phrase(" Of the refused, {count}: {reason}.", count=count, reason=reason)

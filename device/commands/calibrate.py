"""`callbox calibrate camera` and `callbox calibrate table`: the two files that measuring needs."""

import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from math import degrees
from pathlib import Path

import click
import cv2
import msgspec
import numpy as np
from tqdm import tqdm

from calibration.arrays import Picture
from calibration.board import EXAMPLE, FORM, Board
from calibration.description import CLASSIC, DescriptionError, load_description
from calibration.ends import Ends, load_ends
from calibration.files import load_camera, save_camera, save_table
from calibration.fit import (
    FEWEST_PICTURES,
    BoardSeen,
    Feature,
    LensFound,
    TableFound,
    calibrate_table,
    check_size,
    find_board,
    fit_lens,
)
from calibration.trouble import CalibrationError, Doubt
from calibration.view import CameraCalibration
from device.commands.calibrate_lock import fail, lock, lock_of, say
from device.commands.picture_lines import TOO_LARGE, ErrorLine, image_name
from engine.wording import phrase, phrase_later
from vision.pictures import PictureError, load_sized

PATH = click.Path(path_type=Path)

# `callbox calibrate describe`: the description of a table, to be changed where yours differs.


@click.command("describe")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=click.Path(path_type=Path),
    default="table.toml",
    show_default=True,
    help=phrase_later("Where it is written; a file that is there is left as it is."),
)
def describe(output: Path) -> None:
    """Write the description of the classic End Zone table, and change what differs on yours."""
    try:
        with output.open("x", encoding="utf-8") as file:
            file.write(CLASSIC.read_text(encoding="utf-8"))
    except FileExistsError:
        raise click.UsageError(
            phrase("{output} is there already, and is kept. Name another file with -o.", output=output)
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
    """Look whether two End Zones, each calibrated under its own camera, are the two ends of one table.

    Prints one JSON object. Exit status: 0 they are, 1 they are not, 2 wrong use.
    """
    try:
        made = load_ends(near, far)
    except CalibrationError as error:
        fail(str(error))
    line = line_of(made, near, far)
    say(line)
    told = (
        phrase("the halfway line is not in both pictures, so the plan says how far they are apart")
        if line.apart_mm is None
        else phrase("at the halfway line the two cameras agree to {apart_mm:.2f} mm", apart_mm=line.apart_mm)
    )
    click.echo(
        phrase(
            "Two ends of one table, {length_mm:.1f} mm long; {told}.", length_mm=line.length_mm, told=told
        ),
        err=True,
    )


def line_of(made: Ends, near: Path, far: Path) -> EndsLine:
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


# What `callbox calibrate` tells: JSON lines for programs, and sentences for people.
"""How often the fits of lens and table say that they are further on."""


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
            say(ErrorLine(name, refused[name]))
        elif name in used:
            say(PictureLine(name, True, len(used[name].ids), round(used[name].blur_px, 2)))


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
    say(
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
    for name, reason in refused.items():
        click.echo(f"  {name}: {reason}", err=True)
    for note in found.notes:
        click.echo(f"  {note}", err=True)


def tell_table(
    flats: Sequence[Path], seen: Sequence[BoardSeen], refused: dict[str, str], found: TableFound, output: Path
) -> None:
    """A line for each picture, for each line of the table and for the whole, and how sure places are."""
    tell_pictures(flats, seen, refused)
    for feature in found.features:
        say(_feature_line(feature))
    made = found.table
    say(
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
    for name, reason in refused.items():
        click.echo(f"  {name}: {reason}", err=True)
    for note in found.notes:
        click.echo(f"  {note}", err=True)


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
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=PATH,
    required=True,
    help=phrase_later("Where to write camera.json."),
)
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
                seen.append(_look(path, board)[0])
            except (PictureError, Doubt) as error:
                refused[image_name(path)] = str(error)
            bar.update()
        _refuse_odd_sizes(seen, refused)
        try:
            found = fit_lens(seen, board, bar.update)
            save_camera(replace(found.camera, lock=lock_of(lock_path)), output)
        except CalibrationError as error:
            tell_pictures(pictures, seen, refused)
            fail(f"{error}{_mostly(refused, len(seen))}")
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
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=PATH,
    required=True,
    help=phrase_later("Where to write table.json."),
)
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
            kept = lock_of(lock_path, lens.lock)
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
            fail(f"{image_name(empty)}: {error}")
        except (CalibrationError, DescriptionError) as error:
            tell_pictures(flats, [], refused)
            fail(str(error))
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


def _look(path: Path, board: Board) -> tuple[BoardSeen, Picture]:
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
            seen, picture = _look(path, board)
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

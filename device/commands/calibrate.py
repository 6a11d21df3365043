"""`callbox calibrate camera` and `callbox calibrate table`: the two files that measuring needs."""

import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click
import cv2
import numpy as np
from tqdm import tqdm

from calibration.arrays import Picture
from calibration.board import EXAMPLE, FORM, Board
from calibration.description import DescriptionError, load_description
from calibration.files import load_camera, save_camera, save_table
from calibration.fit import (
    FEWEST_PICTURES,
    BoardSeen,
    calibrate_table,
    check_size,
    find_board,
    fit_lens,
)
from calibration.trouble import CalibrationError, Doubt
from calibration.view import CameraCalibration
from device.commands.calibrate_describe import describe
from device.commands.calibrate_ends import ends
from device.commands.calibrate_lines import fail
from device.commands.calibrate_lock import lock, lock_of
from device.commands.calibrate_told import tell_lens, tell_pictures, tell_table
from device.commands.picture_lines import TOO_LARGE, image_name
from engine.wording import phrase, phrase_later
from vision.pictures import PictureError, load_sized

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


PATH = click.Path(path_type=Path)
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

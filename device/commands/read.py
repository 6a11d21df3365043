"""`callbox read`: the up-faces of the dice in pictures, a line for each picture."""

import sys
import time
from functools import partial
from pathlib import Path
from typing import get_args

import click
import msgspec

from calibration.files import load_table
from calibration.trouble import CalibrationError
from device.commands.common import PATH, threads_option
from device.commands.picture_lines import ErrorLine, image_name, tell_all
from engine.wording import phrase, phrase_later
from vision.learned.camera_prior import CameraPrior
from vision.learned.stance import Upright
from vision.pictures import Loaded, load_sized
from vision.reader import Reader
from vision.reading import DiceChoice, Point, Reading, SeenDie, UnsureDie, leave_guesses_out


class ReadLine(msgspec.Struct, frozen=True):
    """The contract's line for a picture that was read."""

    image: str
    width: int
    height: int
    elapsed_ms: float
    dice: tuple[SeenDie, ...]
    unsure: tuple[UnsureDie, ...]


@click.command()
@click.argument("pictures", metavar="PICTURE...", nargs=-1, required=True, type=PATH)
@click.option(
    "--dice",
    type=click.Choice(get_args(DiceChoice)),
    default="auto",
    show_default=True,
    help=phrase_later("The dice to expect."),
)
@click.option(
    "--calibration",
    "table",
    metavar="table.json",
    type=PATH,
    help=phrase_later(
        "Made by `callbox calibrate table`, from this camera where it hangs: tells leaning dice better."
    ),
)
@click.option("--json", "as_json", is_flag=True, help=phrase_later("One JSON object a line."))
@threads_option
def command(
    pictures: tuple[Path, ...], dice: DiceChoice, table: Path | None, as_json: bool, threads: int
) -> None:
    """Read the dice in each PICTURE (JPEG, PNG, WebP, BMP or TIFF), any size; no calibration is needed.

    A die that cannot be read with confidence is called unsure, never guessed. Coordinates are pixels of
    the picture turned as its EXIF orientation asks.

    Exit status: 0 all read, 1 some could not be, 2 wrong use.
    """
    reader = open_reader(table, threads)
    line_of = reader if isinstance(reader, str) else partial(read_picture, reader, dice)
    well = tell_all(pictures, line_of, None if as_json else plain)
    sys.exit(0 if well else 1)


def open_reader(table: Path | None, threads: int) -> Reader | str:
    """What reads; or why the calibration is of no use, which every picture's line then says."""
    if table is None:
        return Reader(threads=threads)
    try:
        upright = Upright.of(load_table(table))
    except CalibrationError as error:
        return str(error)
    return Reader(threads=threads, bearings=CameraPrior(upright, partial(click.echo, err=True)))


def read_picture(reader: Reader, dice: DiceChoice, path: Path) -> ReadLine | ErrorLine:
    """The line for one picture; raises what `tell_all` tells."""
    begun = time.perf_counter()
    loaded = load_sized(path)
    reading = reader.read(loaded.picture, dice)
    return _line(image_name(path), loaded, reading, (time.perf_counter() - begun) * 1000)


def _line(name: str, loaded: Loaded, reading: Reading, elapsed_ms: float) -> ReadLine:
    def given(point: Point) -> Point:
        """From the decoded picture's pixels to the given one's."""
        x, y = ((part + 0.5) * loaded.shrink - 0.5 for part in point)
        return (round(x, 2), round(y, 2))

    return ReadLine(
        image=name,
        width=loaded.width,
        height=loaded.height,
        elapsed_ms=round(elapsed_ms, 2),
        dice=tuple(die.moved(given) for die in reading.dice),
        unsure=tuple(place.moved(given) for place in leave_guesses_out(reading.unsure)),
    )


def plain(line: ReadLine | ErrorLine) -> str:
    """The line for people: `a.jpg: 5 (ivory), 3 (ivory); unsure at 312, 96: cocked`."""
    if isinstance(line, ErrorLine):
        return f"{line.image}: {line.error}"
    dice = ", ".join(f"{die.value} ({die.color})" for die in line.dice) or phrase("no dice read")
    unsure = "".join(
        phrase(
            "; unsure at {center_px:.0f}, {center_px_2:.0f}: {reason}",
            center_px=p.center_px[0],
            center_px_2=p.center_px[1],
            reason=p.words(),
        )
        for p in line.unsure
    )
    return f"{line.image}: {dice}{unsure}"

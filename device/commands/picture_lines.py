"""What the commands share that take pictures and answer with a line for each: names, progress, errors."""

import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

import click
import cv2
import msgspec
from tqdm import tqdm

from engine.wording import phrase, phrase_later
from models.files import ModelError
from vision.pictures import PictureError


class ErrorLine(msgspec.Struct, frozen=True):
    """The contract's line for a picture that nothing could be said of."""

    image: str
    error: str


Line = TypeVar("Line")

TOO_LARGE = phrase_later("the picture is too large for this machine's memory; make it smaller first")


def image_name(path: Path) -> str:
    """A picture's name as it was given; bytes that are no text become a mark."""
    return os.fsencode(path).decode("utf-8", "replace")


def tell_all(
    pictures: tuple[Path, ...],
    line_of: Callable[[Path], Line | ErrorLine] | str,
    plain: Callable[[Line | ErrorLine], str] | None,
) -> bool:
    """Print a line for each picture, as JSON unless `plain` makes it a text. Whether all went well.

    `line_of` makes the line, or is the sentence that says why none can be made of any picture. Who waits for
    many pictures at a terminal gets a progress bar on standard error.
    """
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    hidden = len(pictures) < 8 or not sys.stderr.isatty()
    bar: Iterable[Path] = tqdm(pictures, unit="picture", disable=hidden, file=sys.stderr)
    well = True
    for path in bar:
        line = _line_of(path, line_of)
        well &= not isinstance(line, ErrorLine)
        text = plain(line) if plain else msgspec.json.encode(line).decode()
        with tqdm.external_write_mode(file=sys.stdout):
            click.echo(text)
    return well


def _line_of(path: Path, line_of: Callable[[Path], Line | ErrorLine] | str) -> Line | ErrorLine:
    if isinstance(line_of, str):
        return ErrorLine(image_name(path), line_of)
    try:
        return line_of(path)
    except (PictureError, ModelError) as error:
        return ErrorLine(image_name(path), str(error))
    except (cv2.error, MemoryError):
        return ErrorLine(image_name(path), phrase(TOO_LARGE))

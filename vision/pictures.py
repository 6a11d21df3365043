"""Loads pictures from files, and says in a sentence why one cannot be loaded; packs them for the journal.

The header is read before the pixels: a picture of unreasonable size is refused before any memory is taken for
it, and a file that was cut short is refused although the decoder would fill the rest with grey. A picture is
turned the way its EXIF orientation says, as every viewer shows it; coordinates refer to the turned picture.
Pillow does not serve here: it finds a file cut short only by decoding it, and reserves 2 GB just to open a
huge WebP.
"""

import struct
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Picture
from engine.wording import phrase, phrase_later

MOST_FILE_BYTES = 200_000_000
MOST_PIXELS = 64_000_000
"""The largest picture that is decoded whole: 192 MB of pixels."""
MOST_PIXELS_REDUCED = 500_000_000
"""The largest sequential JPEG: it can be decoded at an eighth of its size without being held whole."""
WHOLE_PIXELS = 32_000_000
"""A JPEG with more pixels is decoded at a half, quarter or eighth of its size."""
_REDUCED = {2: cv2.IMREAD_REDUCED_COLOR_2, 4: cv2.IMREAD_REDUCED_COLOR_4, 8: cv2.IMREAD_REDUCED_COLOR_8}

_UNDECODED = phrase_later(
    "the picture is damaged, or of a kind that is not decoded (a TIFF of 32 bits, say); "
    "take or copy it again, or save it as JPEG or PNG"
)


class PictureError(Exception):
    """The file is no picture that can be read. `str(error)` says why and what to do, in a sentence."""


@dataclass(frozen=True, slots=True, eq=False)
class Loaded:
    """A decoded picture."""

    picture: Picture
    shrink: int
    """1, or 2, 4 or 8 where a huge JPEG was decoded at that fraction of its size."""
    width: int
    """Columns of the picture as given, after the turn that EXIF asks for."""
    height: int


@dataclass(frozen=True, slots=True)
class Header:
    """What the header of a picture's file says."""

    form: str
    width: int
    height: int
    whole: bool
    """False when the file ends before the picture does."""
    sequential: bool = False
    """True for a JPEG that is decoded line by line, holding no more than a few lines."""


def load(path: Path) -> Picture:
    """The picture in a file: height x width x 3, blue green red, 8 bit. Raises `PictureError`.

    A JPEG above `WHOLE_PIXELS` comes reduced; `load_sized` says by how much.
    """
    return load_sized(path).picture


def load_sized(path: Path) -> Loaded:
    """The picture in a file, with its true size. Raises `PictureError`."""
    data = _bytes(path)
    header = _checked(data)
    pixels = header.width * header.height
    shrink = 1
    while header.sequential and pixels / shrink**2 > WHOLE_PIXELS:
        shrink *= 2
    flag = _REDUCED.get(shrink, cv2.IMREAD_COLOR)
    if shrink == 1 and pixels <= WHOLE_PIXELS:
        flag |= cv2.IMREAD_ANYDEPTH
    try:
        picture = cv2.imdecode(np.frombuffer(data, np.uint8), flag)
    except (cv2.error, MemoryError) as error:
        raise PictureError(phrase(_UNDECODED)) from error
    if picture is None or picture.size == 0 or picture.dtype not in (np.uint8, np.uint16):
        raise PictureError(phrase(_UNDECODED))
    found = _in_8_bit(picture)
    height, width = found.shape[:2]
    turned = (height > width) != (header.height > header.width)
    size = (header.height, header.width) if turned else (header.width, header.height)
    return Loaded(found, shrink, *size)


def _in_8_bit(picture: NDArray[Any]) -> Picture:
    """A picture of 8 or 16 bits as one of 8.

    Cameras of 10 and 12 bits store their numbers unscaled in files of 16 bits, where the brightest white is
    then 1,023 or 4,095: shown as 16 bits, such a picture is all but black. A true picture of 16 bits without
    any brighter point is black to people too, so nothing is lost by taking it for one of these.
    """
    if picture.dtype == np.uint8:
        return np.asarray(picture, np.uint8)
    brightest = int(picture.max())
    bits = next(bits for bits in (10, 12, 16) if brightest < 1 << bits)
    return np.asarray(picture >> (bits - 8), np.uint8)


def jpeg_of(picture: Picture, quality: int = 85) -> bytes:
    """A picture as the bytes of a JPEG file."""
    done, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise PictureError(phrase("the picture could not be packed as JPEG"))
    return data.tobytes()


def _bytes(path: Path) -> bytes:
    try:
        if path.is_dir():
            raise PictureError(phrase("this is a folder; name the pictures in it, for example FOLDER/*.jpg"))
        if not path.exists():
            raise PictureError(phrase("there is no such file; check the name"))
        if not path.is_file():
            raise PictureError(phrase("this is no ordinary file; give a picture file"))
        size = path.stat().st_size
        if size > MOST_FILE_BYTES:
            raise PictureError(
                phrase(
                    "the file has {size:.0f} MB; at most {most:.0f} MB are read",
                    size=size / 1e6,
                    most=MOST_FILE_BYTES / 1e6,
                )
            )
        data = path.read_bytes()
    except PermissionError as error:
        raise PictureError(phrase("the file may not be read; change its permissions")) from error
    except (OSError, ValueError) as error:
        raise PictureError(
            phrase("the file cannot be read: {error}", error=getattr(error, "strerror", None) or error)
        ) from error
    if not data:
        raise PictureError(phrase("the file is empty; take or copy the picture again"))
    return data


def _checked(data: bytes) -> Header:
    """The header of a picture that may be decoded. Raises `PictureError` for any other."""
    try:
        header = next((h for reader in _HEADERS if (h := reader(data)) is not None), None)
    except (struct.error, IndexError, ValueError) as error:
        raise PictureError(
            phrase("the picture is cut short within its first bytes; take or copy it again")
        ) from error
    if header is None:
        raise PictureError(phrase("this is no picture; JPEG, PNG, WebP, BMP and TIFF can be read"))
    if header.width < 1 or header.height < 1:
        raise PictureError(phrase("the picture says it has no size; it is damaged, take or copy it again"))
    most = MOST_PIXELS_REDUCED if header.sequential else MOST_PIXELS
    if header.width * header.height > most:
        raise PictureError(
            phrase(
                "the picture says it is {width} x {height}; of a {form} like this at most {most} "
                "million pixels are read, so make it smaller first",
                width=header.width,
                height=header.height,
                form=header.form,
                most=most // 1_000_000,
            )
        )
    if not header.whole:
        raise PictureError(
            phrase("the {form} is cut short: its end is missing; take or copy it again", form=header.form)
        )
    return header


def _jpeg(data: bytes) -> Header | None:
    """A JPEG's header: walks the segments up to the first scan; an end marker must follow. None for anything
    else."""
    if data[:3] != b"\xff\xd8\xff":
        return None
    at, size, sequential = 2, (0, 0), False
    while at + 4 <= len(data):
        if data[at] != 0xFF:
            at += 1  # padding between segments
            continue
        marker = data[at + 1]
        if marker == 0xFF:
            at += 1
            continue
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack_from(">HH", data, at + 5)
            size, sequential = (width, height), marker in (0xC0, 0xC1)
        if marker == 0xDA:
            # In the scans a marker is never an accident (0xFF is stuffed), so this is the true end.
            return Header("JPEG", *size, data.find(b"\xff\xd9", at) >= 0, sequential)
        at += (
            2 if 0xD0 <= marker <= 0xD8 or marker == 1 else 2 + int(struct.unpack_from(">H", data, at + 2)[0])
        )
    return Header("JPEG", *(size if all(size) else (1, 1)), whole=False)


def _png(data: bytes) -> Header | None:
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        return None
    width, height = struct.unpack_from(">II", data, 16)
    return Header("PNG", width, height, data.rfind(b"IEND") > 0)


def _webp(data: bytes) -> Header | None:
    if data[:4] != b"RIFF" or data[8:12] != b"WEBP":
        return None
    whole = int(struct.unpack_from("<I", data, 4)[0]) + 8 <= len(data)
    match data[12:16]:
        case b"VP8X":
            width = 1 + int.from_bytes(data[24:27], "little")
            height = 1 + int.from_bytes(data[27:30], "little")
        case b"VP8L":
            bits = int(struct.unpack_from("<I", data, 21)[0])
            width, height = 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
        case _:
            width, height = (int(n) & 0x3FFF for n in struct.unpack_from("<HH", data, 26))
    return Header("WebP", width, height, whole)


def _bmp(data: bytes) -> Header | None:
    if data[:2] != b"BM":
        return None
    start, _, width, height = struct.unpack_from("<IIii", data, 10)
    bits = int(struct.unpack_from("<H", data, 28)[0])
    packed = int(struct.unpack_from("<I", data, 30)[0])
    needed = start + (abs(width) * bits + 31) // 32 * 4 * abs(height)
    return Header("BMP", abs(width), abs(height), bool(packed) or needed <= len(data))


def _tiff(data: bytes) -> Header | None:
    order = {b"II*\0": "<", b"MM\0*": ">"}.get(data[:4])
    if order is None:
        return None
    at = int(struct.unpack_from(order + "I", data, 4)[0])
    if at + 2 > len(data):
        return Header("TIFF", 1, 1, whole=False)
    told: dict[int, tuple[int, ...]] = {}
    for entry in range(int(struct.unpack_from(order + "H", data, at)[0])):
        place = at + 2 + 12 * entry
        tag = int(struct.unpack_from(order + "H", data, place)[0])
        if tag in (_WIDTH, _HEIGHT, *_BEGINS, *_LENGTHS):
            told[tag] = _tiff_numbers(data, order, place + 2)
    begins = [number for tag in _BEGINS for number in told.get(tag, ())]
    lengths = [number for tag in _LENGTHS for number in told.get(tag, ())]
    whole = all(begin + length <= len(data) for begin, length in zip(begins, lengths, strict=False))
    width, height = (max(told.get(tag, (0,)), default=0) for tag in (_WIDTH, _HEIGHT))
    return Header("TIFF", width, height, whole)


_WIDTH, _HEIGHT, _BEGINS, _LENGTHS = 256, 257, (273, 324), (279, 325)
"""Numbers of TIFF tags: width, height, where its strips or tiles begin, and how many bytes each has."""


def _tiff_numbers(data: bytes, order: str, at: int) -> tuple[int, ...]:
    """The whole numbers of a TIFF's entry: in the entry itself where they fit, else where it points to."""
    kind, count = struct.unpack_from(order + "HI", data, at)
    letter, size = ("H", 2) if kind == 3 else ("I", 4)
    begin = at + 6 if count * size <= 4 else int(struct.unpack_from(order + "I", data, at + 6)[0])
    return struct.unpack_from(f"{order}{count}{letter}", data, begin)


_HEADERS: tuple[Callable[[bytes], Header | None], ...] = (_jpeg, _png, _webp, _bmp, _tiff)

"""Loads pictures from files, and says in a sentence why one cannot be loaded; packs them for the journal.

The header is read before the pixels: a picture of unreasonable size is refused before any memory is taken for
it, and a file that was cut short is refused although the decoder would fill the rest with grey. A picture is
turned the way its EXIF orientation says, as every viewer shows it; coordinates refer to the turned picture.
Pillow does not serve here: it finds a file cut short only by decoding it, and reserves 2 GB just to open a
huge WebP.

A damaged file is refused where its format lets damage be found:
- PNG: each chunk has a checksum.
- JPEG: libjpeg warns of codes that do not exist, of data that ends before the picture, and of data left over
  after it. OpenCV hides these warnings, so `simplejpeg` decodes (the same pixels by the same library).
- WebP: libwebp refuses data that ends before the picture. Whether data is left over after it, it does not
  say: but then the picture decodes without its last bytes, too.
- BMP and TIFF have neither codes nor sums: only a hole is found, a run of zero or of all-one bytes over the
  end of a row, between rows that have none.
- In JPEG, WebP and BMP whole sectors of 512 bytes that are zero or all one are lost ones.
What changes pixels and leaves all that as it is cannot be found: a flipped bit in a BMP, or in the height of
one wave of a JPEG.
"""

import re
import struct
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import simplejpeg
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
_DAMAGED = phrase_later("the {form} is damaged: parts of it are missing or changed; take or copy it again")
_JPEG_DAMAGE = ("corrupt", "premature", "inconsistent", "invalid", "bogus")
"""In libjpeg's warnings and errors of damaged data; its others are of kinds that it does not decode."""
_CUT_BYTES = 32
"""What is left over after a damaged WebP's picture is nearly always more, and an encoder leaves at most 3."""
_SECTOR_BYTES = 512
"""The smallest piece that disks and cards lose."""
_FLAT_SECTOR = re.compile(rb"\x00{512,}|\xff{512,}")
_HOLE_PX = 171
"""The shortest hole that is looked for: a sector."""
_BACKGROUND = 128
"""The grey that is seen through transparent pixels."""


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
    sound: bool = True
    """False when the file says by itself that it is damaged: a checksum is wrong."""
    transparent: bool = False
    """True when pixels may be transparent."""
    orientation: int = 1
    """How the picture is to be turned, as EXIF counts it: 1 to 8."""


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
    try:
        found = _decoded(data, header, shrink)
    except (cv2.error, MemoryError) as error:
        raise PictureError(phrase(_UNDECODED)) from error
    height, width = found.shape[:2]
    turned = (height > width) != (header.height > header.width)
    size = (header.height, header.width) if turned else (header.width, header.height)
    return Loaded(found, shrink, *size)


def _decoded(data: bytes, header: Header, shrink: int) -> Picture:
    """The picture, turned as it is to be seen. Raises `PictureError`."""
    if header.form == "JPEG" and (found := _decoded_jpeg(data, header, shrink)) is not None:
        return _turned(found, header.orientation)
    flag = _REDUCED.get(shrink, cv2.IMREAD_COLOR)
    if shrink == 1 and header.width * header.height <= WHOLE_PIXELS:
        flag |= cv2.IMREAD_ANYDEPTH
    flag = cv2.IMREAD_UNCHANGED if header.transparent else flag
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), flag)
    if picture is None or picture.size == 0 or picture.dtype not in (np.uint8, np.uint16):
        raise PictureError(phrase(_UNDECODED))
    if header.form == "WebP" and _is_damaged_webp(data):
        raise PictureError(phrase(_DAMAGED, form=header.form))
    if header.form in ("BMP", "TIFF") and _has_hole(picture[::-1] if header.form == "BMP" else picture):
        raise PictureError(phrase(_DAMAGED, form=header.form))
    if not header.transparent:
        return _in_8_bit(picture)
    if picture.ndim == 2:  # a palette or a grey whose transparent value no pixel has
        picture = np.dstack([picture] * 3)
    return _turned(_over_background(picture), header.orientation)


def _decoded_jpeg(data: bytes, header: Header, shrink: int) -> Picture | None:
    """A JPEG's picture, not yet turned; None for one of four inks, which only OpenCV turns into colors."""
    least = {"min_height": -(-header.height // shrink), "min_width": -(-header.width // shrink)}
    for colors in ("BGR", "CMYK"):
        try:
            picture = simplejpeg.decode_jpeg(data, colors, **least)
        except ValueError as error:
            if any(word in str(error).lower() for word in _JPEG_DAMAGE):
                raise PictureError(phrase(_DAMAGED, form="JPEG")) from error
        else:
            return np.asarray(picture, np.uint8) if colors == "BGR" else None
    raise PictureError(phrase(_UNDECODED))


def _has_lost_sectors(data: bytes, begin: int, end: int, row_bytes: int = 0) -> bool:
    """Whether whole sectors of a file are zero, or all one, between `begin` and `end`, and not a byte more.

    A drawn picture can have such runs, too; but one that begins and ends where sectors do comes once in
    262,144. Where `row_bytes` is given, there must be next to none of that value as far before and behind.
    """
    for run in _FLAT_SECTOR.finditer(data, begin, end):
        at, after = run.span()
        around = data[max(begin, at - row_bytes) : at] + data[after : min(end, after + row_bytes)]
        ends = after % _SECTOR_BYTES == 0 or after == end
        if at % _SECTOR_BYTES == 0 and ends and around.count(run[0][:1]) <= 0.02 * len(around):
            return True
    return False


def _is_damaged_webp(data: bytes) -> bool:
    """Whether sectors are lost, or the picture decodes without its last bytes: then others belong there."""
    at = 12
    while at + 8 <= len(data):
        name, size = data[at : at + 4], int(struct.unpack_from("<I", data, at + 4)[0])
        if name in (b"VP8 ", b"VP8L"):
            if _has_lost_sectors(data, at + 8, at + 8 + size):
                return True
            less = data[at + 8 : at + 8 + max(0, size - _CUT_BYTES) // 2 * 2]
            alone = b"WEBP" + name + struct.pack("<I", len(less)) + less
            short = np.frombuffer(b"RIFF" + struct.pack("<I", len(alone)) + alone, np.uint8)
            return len(less) > 0 and cv2.imdecode(short, cv2.IMREAD_COLOR) is not None
        at += 8 + size + size % 2
    return False


def _has_hole(picture: NDArray[Any]) -> bool:
    """Whether pixels in the order of the file are all zero, or all one, from the midst of a row to that of
    another, and none in the rows before and behind: things that are really so dark or bright end in no such
    steps."""
    width = picture.shape[1]
    for value in (0, np.iinfo(picture.dtype).max):
        flat = (picture == value).reshape(len(picture), width, -1).all(axis=2).ravel()
        edges = np.flatnonzero(np.diff(flat, prepend=False, append=False))
        for begin, end in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
            wraps = begin // width != (end - 1) // width
            whole_rows = begin % width == 0 and end % width == 0
            if end - begin >= _HOLE_PX and wraps and not whole_rows:
                around = np.concatenate([flat[max(0, begin - width) : begin], flat[end : end + width]])
                if len(around) and around.mean() < 0.02:
                    return True
    return False


def _over_background(picture: NDArray[Any]) -> Picture:
    """A picture with transparency (height x width x 4) as it looks over plain grey; one without as it is."""
    colors = _in_8_bit(picture[..., :3])
    if picture.shape[2] < 4:
        return colors
    opaque = picture[..., 3:].astype(np.float32) / np.iinfo(picture.dtype).max
    return np.asarray(np.rint(colors * opaque + _BACKGROUND * (1 - opaque)), np.uint8)


def _turned(picture: Picture, orientation: int) -> Picture:
    """The picture turned and mirrored as EXIF's orientation asks."""
    if orientation in (5, 6, 7, 8):
        picture = np.swapaxes(picture, 0, 1)
    if orientation in (2, 3, 6, 7):
        picture = picture[:, ::-1]
    if orientation in (3, 4, 7, 8):
        picture = picture[::-1]
    return np.ascontiguousarray(picture)


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
        raise PictureError(_why_no_picture(data))
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
    if not header.sound:
        raise PictureError(phrase(_DAMAGED, form=header.form))
    return header


def _why_no_picture(data: bytes) -> str:
    """What a file that cannot be read is, and what to do: by its content, whatever its name."""
    brands = (
        {data[at : at + 4] for at in (8, *range(16, min(len(data), data[3]), 4))}
        if data[:3] == b"\0\0\0" and data[4:8] == b"ftyp"
        else set[bytes]()
    ) - {b""}
    if brands & {b"avif", b"avis"}:
        return phrase("this is an AVIF picture, which cannot be read; save or share it as JPEG")
    if brands & {b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1"}:
        return phrase(
            "this is an HEIC picture, which cannot be read; share it as JPEG, and set the phone to take "
            "JPEG: on an iPhone Settings > Camera > Formats > Most Compatible, on others turn off HEIC or "
            "high-efficiency pictures in the camera's settings"
        )
    if brands:
        return phrase("this is a film; `callbox play --camera FILM` reads the throws in one")
    return phrase("this is no picture; JPEG, PNG, WebP, BMP and TIFF can be read")


def _jpeg(data: bytes) -> Header | None:
    """A JPEG's header: walks the segments up to the first scan; an end marker must follow. None for anything
    else."""
    if data[:3] != b"\xff\xd8\xff":
        return None
    at, size, sequential, orientation = 2, (0, 0), False, 1
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
            end = data.find(b"\xff\xd9", at)
            sound = end < 0 or not _has_lost_sectors(data, at, end)
            return Header("JPEG", *size, end >= 0, sequential, sound=sound, orientation=orientation)
        if marker == 0xE1 and data[at + 4 : at + 10] == b"Exif\0\0":
            orientation = _orientation(data[at + 10 :])
        at += (
            2 if 0xD0 <= marker <= 0xD8 or marker == 1 else 2 + int(struct.unpack_from(">H", data, at + 2)[0])
        )
    return Header("JPEG", *(size if all(size) else (1, 1)), whole=False)


def _png(data: bytes) -> Header | None:
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        return None
    width, height = struct.unpack_from(">II", data, 16)
    at, name, sound, transparent, orientation = 8, b"", True, data[25] in (4, 6), 1
    while name != b"IEND" and at + 12 <= len(data):
        size, name = int(struct.unpack_from(">I", data, at)[0]), data[at + 4 : at + 8]
        end = at + 8 + size
        if end + 4 > len(data):
            break
        critical = not name[0] & 0x20  # others hold no pixels: programs that change them may forget the sum
        sound &= not critical or zlib.crc32(data[at + 4 : end]) == struct.unpack_from(">I", data, end)[0]
        transparent |= name == b"tRNS"
        orientation = _orientation(data[at + 8 : end]) if name == b"eXIf" else orientation
        at = end + 4
    whole = name == b"IEND" and at <= len(data)
    if not whole and data.rfind(b"IEND") > 0:  # the end is there, and the way to it is lost
        whole, sound = True, False
    return Header("PNG", width, height, whole, sound=sound, transparent=transparent, orientation=orientation)


def _webp(data: bytes) -> Header | None:
    if data[:4] != b"RIFF" or data[8:12] != b"WEBP":
        return None
    whole = int(struct.unpack_from("<I", data, 4)[0]) + 8 <= len(data)
    transparent, orientation = False, 1
    match data[12:16]:
        case b"VP8X":
            width = 1 + int.from_bytes(data[24:27], "little")
            height = 1 + int.from_bytes(data[27:30], "little")
            transparent = bool(data[20] & 0x10)
            exif = data.rfind(b"EXIF") if data[20] & 0x08 else -1
            orientation = _orientation(data[exif + 8 :].removeprefix(b"Exif\0\0")) if exif > 0 else 1
        case b"VP8L":
            bits = int(struct.unpack_from("<I", data, 21)[0])
            width, height = 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
            transparent = bool(bits >> 28 & 1)
        case _:
            width, height = (int(n) & 0x3FFF for n in struct.unpack_from("<HH", data, 26))
    return Header("WebP", width, height, whole, transparent=transparent, orientation=orientation)


def _bmp(data: bytes) -> Header | None:
    if data[:2] != b"BM":
        return None
    start, _, width, height = struct.unpack_from("<IIii", data, 10)
    bits = int(struct.unpack_from("<H", data, 28)[0])
    packed = int(struct.unpack_from("<I", data, 30)[0])
    row_bytes = (abs(width) * bits + 31) // 32 * 4
    needed = start + row_bytes * abs(height)
    sound = bool(packed) or bits < 24 or not _has_lost_sectors(data, start, needed, row_bytes)
    return Header("BMP", abs(width), abs(height), bool(packed) or needed <= len(data), sound=sound)


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


_WIDTH, _HEIGHT, _ORIENTATION, _BEGINS, _LENGTHS = 256, 257, 274, (273, 324), (279, 325)
"""Numbers of TIFF tags: width, height, how it is turned, where its strips or tiles begin, and how many bytes
each has."""


def _orientation(data: bytes) -> int:
    """The orientation in the EXIF data that begins here, a small TIFF; 1, upright, where it says nothing."""
    try:
        order = {b"II*\0": "<", b"MM\0*": ">"}[data[:4]]
        at = int(struct.unpack_from(order + "I", data, 4)[0])
        for entry in range(int(struct.unpack_from(order + "H", data, at)[0])):
            place = at + 2 + 12 * entry
            if struct.unpack_from(order + "H", data, place)[0] == _ORIENTATION:
                (turn,) = _tiff_numbers(data, order, place + 2)
                return turn if 1 <= turn <= 8 else 1
    except (KeyError, ValueError, struct.error):  # damaged notes are no reason not to read the picture
        pass
    return 1


def _tiff_numbers(data: bytes, order: str, at: int) -> tuple[int, ...]:
    """The whole numbers of a TIFF's entry: in the entry itself where they fit, else where it points to."""
    kind, count = struct.unpack_from(order + "HI", data, at)
    letter, size = ("H", 2) if kind == 3 else ("I", 4)
    begin = at + 6 if count * size <= 4 else int(struct.unpack_from(order + "I", data, at + 6)[0])
    return struct.unpack_from(f"{order}{count}{letter}", data, begin)


_HEADERS: tuple[Callable[[bytes], Header | None], ...] = (_jpeg, _png, _webp, _bmp, _tiff)

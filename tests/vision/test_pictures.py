"""Every bad file becomes a sentence, every good one a picture."""

import struct
import zlib
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from PIL import Image, ImageOps

from vision.pictures import PictureError, jpeg_of, load, load_sized


@pytest.fixture(scope="module")
def picture() -> np.ndarray:
    """Something to store."""
    y, x = np.mgrid[0:90, 0:160]
    return np.dstack((x, y * 2, x + y)).astype(np.uint8)


def chunk(name: bytes, data: bytes) -> bytes:
    """A chunk of a PNG."""
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def png(width: int, height: int) -> bytes:
    """A small PNG file that says it is huge."""
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(b"\0" * 1000)) + chunk(b"IEND", b"")


@pytest.mark.parametrize("ending", ["jpg", "png", "webp", "bmp", "tif"])
def test_each_format_is_read(tmp_path: Path, picture: np.ndarray, ending: str) -> None:
    path = tmp_path / f"a.{ending}"
    cv2.imwrite(str(path), picture)
    found = load(path)
    assert found.shape == (90, 160, 3)
    assert np.abs(found.astype(int) - picture).mean() < 8


def test_16_bit_grey_and_alpha_become_three_channels_of_8_bit(tmp_path: Path, picture: np.ndarray) -> None:
    cv2.imwrite(str(tmp_path / "deep.png"), picture.astype(np.uint16) * 257)
    cv2.imwrite(str(tmp_path / "grey.png"), picture[..., 0])
    cv2.imwrite(str(tmp_path / "alpha.png"), np.dstack((picture, picture[..., :1])))
    for name in ("deep.png", "grey.png", "alpha.png"):
        found = load(tmp_path / name)
        assert found.shape == (90, 160, 3)
        assert found.dtype == np.uint8


@pytest.mark.parametrize("ending", ["png", "tif"])
@pytest.mark.parametrize("bits", [10, 12, 16])
def test_a_deep_picture_is_as_bright_as_its_camera_meant_it(
    tmp_path: Path, picture: np.ndarray, bits: int, ending: str
) -> None:
    """Numbers of 10 and 12 bits stand as they are in a file of 16."""
    path = tmp_path / f"deep.{ending}"
    cv2.imwrite(str(path), picture.astype(np.uint16) << (bits - 8))
    assert np.array_equal(load(path), picture)


def test_a_black_picture_of_16_bits_stays_black(tmp_path: Path) -> None:
    path = tmp_path / "black.png"
    cv2.imwrite(str(path), np.zeros((20, 30, 3), np.uint16))
    assert not load(path).any()


@pytest.mark.parametrize("ending", ["jpg", "png", "webp", "bmp"])
def test_a_file_cut_short_is_refused(tmp_path: Path, picture: np.ndarray, ending: str) -> None:
    path = tmp_path / f"a.{ending}"
    cv2.imwrite(str(path), picture)
    data = path.read_bytes()
    for share in (0.3, 0.6, 0.95):
        path.write_bytes(data[: int(len(data) * share)])
        with pytest.raises(PictureError, match="cut short"):
            load(path)


@pytest.mark.parametrize("compression", [None, "tiff_lzw"])
def test_a_tiff_cut_short_is_refused_wherever_its_table_stands(
    tmp_path: Path, picture: np.ndarray, compression: str | None
) -> None:
    """Uncompressed, Pillow writes the table of contents first: the file looks well, and half the picture is
    missing."""
    path = tmp_path / "a.tif"
    Image.fromarray(picture).save(path, compression=compression)
    data = path.read_bytes()
    assert load(path).shape == (90, 160, 3)
    for share in (0.02, 0.3, 0.98):
        path.write_bytes(data[: int(len(data) * share)])
        with pytest.raises(PictureError, match="cut short"):
            load(path)


def test_a_tiff_of_floating_numbers_is_told_to_be_of_another_kind(
    tmp_path: Path, picture: np.ndarray
) -> None:
    path = tmp_path / "a.tif"
    cv2.imwrite(str(path), picture.astype(np.float32) / 255)
    with pytest.raises(PictureError, match=r"of a kind that is not decoded .* save it as JPEG or PNG"):
        load(path)


def test_each_unreadable_file_says_why(tmp_path: Path) -> None:
    (tmp_path / "empty.jpg").touch()
    (tmp_path / "text.jpg").write_text("dear dice")
    (tmp_path / "damaged.png").write_bytes(png(1000, 1000))
    (tmp_path / "none.png").write_bytes(png(0, 5))
    cases = {
        "missing.jpg": "no such file",
        ".": "a folder",
        "empty.jpg": "is empty",
        "text.jpg": "no picture",
        "damaged.png": "damaged",
        "none.png": "no size",
    }
    for name, words in cases.items():
        with pytest.raises(PictureError, match=words):
            load(tmp_path / name)


def test_a_bomb_is_refused_by_its_header(tmp_path: Path) -> None:
    path = tmp_path / "bomb.png"
    path.write_bytes(png(100_000, 100_000))
    with pytest.raises(PictureError, match="100000 x 100000; of a PNG like this at most 64 million"):
        load(path)


def test_a_huge_jpeg_comes_reduced_with_its_true_size(tmp_path: Path) -> None:
    path = tmp_path / "wide.jpg"
    cv2.imwrite(str(path), np.full((1700, 20000, 3), 120, np.uint8))
    loaded = load_sized(path)
    assert (loaded.width, loaded.height, loaded.shrink) == (20000, 1700, 2)
    assert loaded.picture.shape == (850, 10000, 3)


def test_exif_turns_the_picture(tmp_path: Path, picture: np.ndarray) -> None:
    data = jpeg_of(picture)
    tiff = b"II*\0" + struct.pack("<IHHHIHHI", 8, 1, 0x0112, 3, 1, 6, 0, 0)
    segment = b"\xff\xe1" + struct.pack(">H", len(tiff) + 8) + b"Exif\0\0" + tiff
    path = tmp_path / "turned.jpg"
    path.write_bytes(data[:2] + segment + data[2:])
    loaded = load_sized(path)
    assert loaded.picture.shape == (160, 90, 3)
    assert (loaded.width, loaded.height) == (90, 160)


def test_a_packed_picture_can_be_loaded(tmp_path: Path, picture: np.ndarray) -> None:
    path = tmp_path / "packed.jpg"
    path.write_bytes(jpeg_of(picture, quality=95))
    assert np.abs(load(path).astype(int) - picture).mean() < 4


@pytest.mark.parametrize("progressive", [False, True])
def test_a_cmyk_jpeg_has_the_colors_of_its_picture(
    tmp_path: Path, picture: np.ndarray, *, progressive: bool
) -> None:
    """Printers' files: four inks instead of three lights."""
    path = tmp_path / "print.jpg"
    inks = Image.fromarray(np.ascontiguousarray(picture[..., ::-1])).convert("CMYK")
    inks.save(path, quality=95, progressive=progressive)
    found = load(path)
    assert found.shape == (90, 160, 3)
    assert np.abs(found.astype(int) - picture).mean() < 8
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.raises(PictureError, match="cut short"):
        load(path)


@pytest.fixture(scope="module")
def scene() -> np.ndarray:
    """A picture with as much in it as a photograph has, and nothing black or white."""
    noise = np.random.default_rng(3).integers(40, 200, (60, 80, 3), dtype=np.uint8)
    return np.asarray(cv2.resize(noise, (640, 480), interpolation=cv2.INTER_CUBIC).clip(30, 220), np.uint8)


def save(path: Path, picture: np.ndarray, **options: Any) -> bytearray:
    """Write a picture with Pillow; returns the file's bytes."""
    Image.fromarray(np.ascontiguousarray(picture[..., ::-1])).save(path, **options)
    return bytearray(path.read_bytes())


KINDS: dict[str, tuple[str, dict[str, Any]]] = {
    "jpeg": ("a.jpg", {"quality": 90}),
    "progressive": ("a.jpg", {"quality": 90, "progressive": True}),
    "optimized": ("a.jpg", {"quality": 75, "optimize": True, "subsampling": 0}),
    "png": ("a.png", {}),
    "webp": ("a.webp", {"quality": 80}),
    "lossless": ("a.webp", {"lossless": True}),
    "bmp": ("a.bmp", {}),
    "tiff": ("a.tif", {}),
}


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("begin", "end"), [(0.3, 0.999), (0.6, 0.999), (0.41, 0.48)])
def test_a_file_with_a_hole_is_refused(
    tmp_path: Path, scene: np.ndarray, kind: str, begin: float, end: float
) -> None:
    """A card that was pulled out too early, a block that could not be copied: its bytes are zero."""
    name, options = KINDS[kind]
    data = save(tmp_path / name, scene, **options)
    assert load(tmp_path / name).shape == (480, 640, 3)
    first, last = int(begin * len(data)), int(end * len(data))
    data[first:last] = bytes(last - first)
    (tmp_path / name).write_bytes(data)
    with pytest.raises(PictureError, match=r"is damaged.*copy it again|cut short"):
        load(tmp_path / name)


def test_a_changed_byte_of_a_png_is_found_by_its_checksum(tmp_path: Path, scene: np.ndarray) -> None:
    data = save(tmp_path / "a.png", scene, compress_level=0)
    data[len(data) // 2] ^= 1
    (tmp_path / "a.png").write_bytes(data)
    with pytest.raises(PictureError, match="the PNG is damaged"):
        load(tmp_path / "a.png")


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("value", [0, 128, 255])
def test_a_drawn_picture_with_large_plain_parts_is_whole(
    tmp_path: Path, scene: np.ndarray, kind: str, value: int
) -> None:
    """Black bars, a white page, a slanting black edge: none of these is a hole."""
    name, options = KINDS[kind]
    for number in range(3):
        drawn = scene.copy()
        if number == 0:
            drawn[:100], drawn[-90:] = value, value
        elif number == 1:
            drawn[:] = value
        else:
            cv2.fillPoly(drawn, [np.array([(0, 0), (640, 0), (640, 300), (0, 120)])], (value,) * 3)
        save(tmp_path / name, drawn, **options)
        assert load(tmp_path / name).shape == (480, 640, 3)


@pytest.mark.parametrize("kind", ["png", "lossless"])
def test_transparent_pixels_are_not_read(tmp_path: Path, scene: np.ndarray, kind: str) -> None:
    """Below them lies what the picture's maker took out; half transparent ones are mixed with grey."""
    name, options = KINDS[kind]
    alpha = np.full((480, 640), 255, np.uint8)
    alpha[:200], alpha[200:240] = 0, 51
    rgba = np.dstack((scene[..., ::-1], alpha))
    Image.fromarray(rgba).save(tmp_path / name, exact=True, **options)
    found = load(tmp_path / name)
    assert (found[:200] == 128).all()
    assert np.abs(found[200:240] - (0.2 * scene[200:240] + 0.8 * 128)).max() <= 1
    assert np.array_equal(found[240:], scene[240:])


@pytest.mark.long
@pytest.mark.parametrize("turn", range(1, 9))
@pytest.mark.parametrize("name", ["a.jpg", "a.png", "a.webp"])
def test_every_exif_turn_is_that_of_other_programs(
    tmp_path: Path, scene: np.ndarray, name: str, turn: int
) -> None:
    exif = Image.Exif()
    exif[0x0112] = turn
    rgba = np.dstack((scene[..., ::-1], np.full((480, 640), 255, np.uint8)))
    stored = Image.fromarray(rgba[..., :3] if name == "a.jpg" else rgba)
    stored.save(tmp_path / name, exif=exif, lossless=True)
    with Image.open(tmp_path / name) as opened:
        upright = np.asarray(ImageOps.exif_transpose(opened).convert("RGB"))[..., ::-1]
    found = load_sized(tmp_path / name)
    assert (found.width, found.height) == upright.shape[1::-1]
    assert np.abs(found.picture.astype(int) - upright).max() <= (3 if name == "a.jpg" else 0)


def test_a_phones_file_is_named_by_its_content_with_what_to_set(tmp_path: Path) -> None:
    def file(*brands: bytes) -> bytes:
        box = b"ftyp" + brands[0] + bytes(4) + b"".join(brands)
        return struct.pack(">I", len(box) + 4) + box + bytes(400)

    kinds = {
        file(b"heic", b"mif1", b"heic"): r"HEIC picture.*Settings > Camera > Formats > Most Compatible",
        file(b"mif1", b"heic"): r"HEIC picture.*share it as JPEG",
        file(b"avif", b"mif1"): r"AVIF picture.*share it as JPEG",
        file(b"isom", b"mp41"): r"a film; .callbox play --camera FILM",
        b"\0\0\0\x0cftyp": "no picture",
    }
    for data, words in kinds.items():
        (tmp_path / "IMG_0001.JPG").write_bytes(data)
        with pytest.raises(PictureError, match=words):
            load(tmp_path / "IMG_0001.JPG")

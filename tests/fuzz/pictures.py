"""Damages the files of drawn pictures and reads them: is the damage refused, or is the reading the same?

Outcomes: `refused` in a sentence; `same reading`; `reported`: the same dice, but for some that are called
unsure; `FAULT`: another reading without a word. What cannot be found stands apart where it changed the
reading, as `unseen: FORMAT DAMAGE`: flipped bits in a format without checksums (all but PNG).
"""

import tempfile
from collections.abc import Iterator
from functools import cache
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from PIL import Image

from calibration.arrays import Picture
from tests.fuzz.targets import FAULT
from tests.vision.scenes import BLUE, INK_LIGHT, RED, WHITE, Drawn, Scene, draw
from vision.pictures import PictureError, load
from vision.reader import Reader
from vision.reading import Reading

CASES = 2000
FORMATS: dict[str, dict[str, Any]] = {
    "JPEG": {"format": "JPEG", "quality": 90},
    "progressive JPEG": {"format": "JPEG", "quality": 85, "progressive": True},
    "PNG": {"format": "PNG", "compress_level": 1},
    "WebP": {"format": "WEBP", "quality": 85, "method": 2},
    "lossless WebP": {"format": "WEBP", "lossless": True, "method": 0},
    "BMP": {"format": "BMP"},
}
DAMAGES = ("cut", "tail", "block", "small block", "flip", "flips", "junk")
UNSEEN = ("flip", "flips")
"""What a format without checksums cannot show."""
SECTOR = 512
COLORS = (((215, 232, 240), (28, 26, 26)), (RED, WHITE), (BLUE, INK_LIGHT))


def fuzz(cases: int, seed: int) -> Iterator[str]:
    """Yield the outcome of each damaged file."""
    chance = Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(cases):
            kind, damage = chance.choice(list(FORMATS)), chance.choice(DAMAGES)
            number = chance.randrange(4)
            whole, truth = _whole(number, kind)
            data = _damaged(whole, damage, chance)
            path = Path(folder) / "a.jpg"
            path.write_bytes(data)
            outcome = _outcome(path, truth)
            if outcome == FAULT:
                unseen = damage in UNSEEN and kind != "PNG"
                outcome = (
                    f"unseen: {kind} {damage}" if unseen else f"{FAULT}: picture {number} {kind} {damage}"
                )
            yield outcome


def _outcome(path: Path, truth: Reading) -> str:
    try:
        reading = _reader().read(load(path))
    except PictureError:
        return "refused"
    dice, expected = _dice(reading), _dice(truth)
    if dice == expected:
        return "same reading"
    lost = len(expected) - len(dice)
    return "reported" if dice <= expected and len(reading.unsure) >= lost else FAULT


def _dice(reading: Reading) -> set[tuple[int, int, str]]:
    """The dice by place, in steps larger than a reading's noise, and value."""
    return {
        (round(die.center_px[0] / 40), round(die.center_px[1] / 40), str(die.value)) for die in reading.dice
    }


@cache
def _reader() -> Reader:
    return Reader()


@cache
def _whole(number: int, kind: str) -> tuple[bytes, Reading]:
    """A drawn picture's file, and what is read in it."""
    packed = BytesIO()
    Image.fromarray(_drawn(number)[..., ::-1].copy()).save(packed, **FORMATS[kind])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "whole"
        path.write_bytes(packed.getvalue())
        return packed.getvalue(), _reader().read(load(path))


@cache
def _drawn(number: int) -> Picture:
    """Five dice on felt."""
    chance = Random(100 + number)
    places = chance.sample([(x, y) for x in range(100, 620, 120) for y in range(100, 400, 120)], 5)
    dice = tuple(
        Drawn(chance.randint(1, 6), x, y, yaw_deg=chance.uniform(0, 90), body=body, ink=ink)
        for (x, y), (body, ink) in zip(places, chance.choices(COLORS, k=5), strict=True)
    )
    return draw(Scene(dice, width=700, height=480, seed=number))


def _damaged(whole: bytes, damage: str, chance: Random) -> bytes:
    data, size = bytearray(whole), len(whole)
    match damage:
        case "cut":
            return whole[: chance.randrange(size)]
        case "tail":  # never written, but for the last bytes at times
            begin = chance.randrange(size // 10, size) // SECTOR * SECTOR
            end = size - chance.choice((0, 2, 12))
            data[begin:end] = bytes(max(0, end - begin))
        case "block" | "small block":
            long = 4096 if damage == "block" else SECTOR
            begin = chance.randrange(size) // SECTOR * SECTOR
            data[begin : begin + long] = chance.choice((b"\0", b"\xff")) * len(data[begin : begin + long])
        case "flip" | "flips":
            for _ in range(1 if damage == "flip" else chance.randint(2, 200)):
                data[chance.randrange(size)] ^= 1 << chance.randrange(8)
        case _:  # the beginning of a picture, and anything after it
            head = chance.randrange(200)
            data[head:] = np.random.default_rng(chance.randrange(2**31)).bytes(chance.randrange(5000))
    return bytes(data)

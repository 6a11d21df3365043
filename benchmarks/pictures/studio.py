"""Where a picture is made: a folder for its files, another for what it needs on the way, and a Chromium."""

import shutil
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Self

import cv2
import numpy as np
from playwright.sync_api import Browser, FloatRect, Page, sync_playwright

from calibration.arrays import Picture
from tests.device.conftest import ARGUMENTS, NAMES
from tests.waiting import PATIENCE_S

QUALITY = 78
"""That of JPEG files, of 100."""
PHONE_PX = (390, 844)


class NotHere(Exception):
    """What a picture is made of, or with, is not on this machine; in a sentence."""


def find_chromium() -> str | None:
    """The Chromium of this machine; None where there is none."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Studio:
    """`files` is where a maker puts its pictures, under their names below `docs/`."""

    def __init__(self, files: Path, scratch: Path) -> None:
        self.files = files
        self.scratch = scratch
        """An empty folder for boxes and what they keep."""
        self._open = ExitStack()
        self._chromium: Browser | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._open.close()

    @property
    def chromium(self) -> Browser:
        """A headless Chromium, started when it is first asked for; raises `NotHere`."""
        if self._chromium is None:
            if (found := find_chromium()) is None:
                raise NotHere("There is no Chromium; on Debian: apt install chromium.")
            kind = self._open.enter_context(sync_playwright()).chromium
            self._chromium = kind.launch(executable_path=found, args=ARGUMENTS, timeout=1000 * PATIENCE_S)
            self._open.callback(self._chromium.close)
        return self._chromium

    @contextmanager
    def page(self, address: str, size_px: tuple[int, int]) -> Iterator[Page]:
        """A browser's window of its own that shows that address."""
        width, height = size_px
        context = self.chromium.new_context(
            viewport={"width": width, "height": height}, locale="en-GB", timezone_id="UTC"
        )
        context.set_default_timeout(1000 * PATIENCE_S)
        page = context.new_page()
        page.goto(address)
        yield page
        context.close()

    def keep_shot(self, page: Page, name: str, clip: FloatRect | None = None) -> None:
        """What a page shows, or a part of it, as the picture of that name."""
        self.keep(shot_of(page, clip), name)

    def keep(self, picture: Picture, name: str) -> None:
        """A picture, BGR (height, width, 3), as the file of that name."""
        path = self.path(name)
        how = {".jpg": [cv2.IMWRITE_JPEG_QUALITY, QUALITY], ".png": [cv2.IMWRITE_PNG_COMPRESSION, 9]}
        if not cv2.imwrite(str(path), picture, how[path.suffix]):
            raise OSError(f"{path} cannot be written")

    def keep_text(self, text: str, name: str) -> None:
        """A drawing (SVG) as the file of that name."""
        self.path(name).write_text(text, encoding="utf-8")

    def path(self, name: str) -> Path:
        """Where the file of that name is to be written."""
        path = self.files / name
        path.parent.mkdir(parents=True, exist_ok=True)
        return path


def shot_of(page: Page, clip: FloatRect | None = None) -> Picture:
    """What a page shows, or a part of it, once nothing on it moves any more."""
    return unpacked(page.screenshot(clip=clip, animations="disabled"))


def unpacked(data: bytes) -> Picture:
    """An encoded picture as BGR (height, width, 3)."""
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    if picture is None:
        raise ValueError("that is no picture")
    return np.asarray(picture, np.uint8)


def beside(pictures: Sequence[Picture], width_px: int, gap_px: int = 14) -> Picture:
    """Pictures side by side on white, made so much smaller that all together are so wide."""
    height = min(len(picture) for picture in pictures)
    gap = np.full((height, gap_px, 3), 255, np.uint8)
    row = np.hstack([part for picture in pictures for part in (picture[:height], gap)][:-1])
    smaller = cv2.resize(
        row, (width_px, round(height * width_px / row.shape[1])), interpolation=cv2.INTER_AREA
    )
    return np.asarray(smaller, np.uint8)

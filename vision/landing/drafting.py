"""Draws on evidence: lines with their uncertainty, arrows, scale bars, labels.

Colours are blue, green, red. Everything is anti-aliased and placed to a sixteenth of a pixel.
"""

from collections.abc import Sequence
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Floats, Picture
from engine.wording import told_number

Color = tuple[int, int, int]

INK: Color = (38, 30, 24)
PAPER: Color = (250, 250, 250)
GREY: Color = (120, 112, 106)
_FINE = 4
_ONE = 1 << _FINE


@cache
def _face() -> cv2.FontFace:
    return cv2.FontFace("sans")


def _fixed(points_px: Floats) -> NDArray[np.int32]:
    return np.rint(np.asarray(points_px) * _ONE).astype(np.int32)


def text(picture: Picture, words: str, at_px: tuple[float, float], size: int, color: Color = INK, *,
         weight: int = 400) -> None:  # fmt: skip
    """Write one line of text; `at_px` is its left end, at the foot of the letters."""
    place = round(at_px[0]), round(at_px[1])
    cv2.putText(picture, words, place, color, _face(), size, weight)


def text_width(words: str, size: int, weight: int = 400) -> int:
    """How wide a line of text comes out, in px."""
    box = cv2.getTextSize((0, 0), words, (0, 0), _face(), size, weight)
    return int(box[2])


def wrap(words: str, size: int, width_px: int, weight: int = 400) -> list[str]:
    """Words broken into lines that are no wider than `width_px`."""
    lines: list[str] = []
    for word in words.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, size, weight) <= width_px:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def plate_size(words: str, size: int, weight: int = 600) -> tuple[int, int]:
    """How wide and high the plate under these words is, in px."""
    return text_width(words, size, weight) + size, round(size * 1.6)


def plate(picture: Picture, words: str, middle_px: tuple[float, float], size: int, *, fill: Color = PAPER,
          color: Color = INK, weight: int = 600) -> None:  # fmt: skip
    """Words on a small filled plate about a place, kept wholly within the picture."""
    width, height = plate_size(words, size, weight)
    left = min(max(round(middle_px[0] - width / 2), 6), picture.shape[1] - width - 6)
    top = min(max(round(middle_px[1] - height / 2), 6), picture.shape[0] - height - 6)
    box(picture, (left, top, width, height), fill, radius=round(size * 0.4))
    text(picture, words, (left + size / 2, top + height - size * 0.45), size, color, weight=weight)


def box(picture: Picture, area: tuple[int, int, int, int], fill: Color, *, radius: int) -> None:
    """A filled box (left, top, width, height) with round corners."""
    left, top, width, height = area
    radius = min(radius, width // 2, height // 2)
    turn = np.linspace(0, np.pi / 2, 16)
    arc = radius * (1 - np.stack([np.cos(turn), np.sin(turn)], axis=-1))
    size = np.array([width - 1, height - 1])
    corners = [arc, (arc * (-1, 1) + (size[0], 0))[::-1], size - arc, (arc * (1, -1) + (0, size[1]))[::-1]]
    cv2.fillConvexPoly(
        picture, _fixed(np.concatenate(corners) + np.array([left, top])), fill, cv2.LINE_AA, _FINE
    )


def stroke(picture: Picture, points_px: Floats, color: Color, width: int, *, closed: bool = False,
           casing: Color | None = None) -> None:  # fmt: skip
    """A line through points (n, 2); with `casing` it gets a thin edge in that colour, to show on any
    ground."""
    line = [_fixed(points_px)]
    if casing is not None:
        cv2.polylines(picture, line, closed, casing, width + 3, cv2.LINE_AA, _FINE)
    cv2.polylines(picture, line, closed, color, width, cv2.LINE_AA, _FINE)


def band(picture: Picture, pieces_px: Sequence[Floats], half_px: float, color: Color, share: float) -> None:
    """A translucent band round pieces of line (2, 2): where these may lie."""
    mask = np.zeros(picture.shape[:2], np.uint8)
    for begin, end in pieces_px:
        step = end - begin
        away = half_px * np.array([-step[1], step[0]]) / max(float(np.hypot(*step)), 1e-9)
        around = np.stack([begin + away, end + away, end - away, begin - away])
        cv2.fillConvexPoly(mask, _fixed(around), 255, cv2.LINE_AA, _FINE)
    blend(picture, mask.astype(np.float32) * (share / 255), color)


def blend(picture: Picture, share: NDArray[np.float32], color: Color) -> None:
    """Mix a colour into a picture; `share` (h, w) is how much of it, 0 to 1."""
    rows, columns = np.nonzero(share)
    part = share[rows, columns, None]
    picture[rows, columns] = np.rint((1 - part) * picture[rows, columns] + part * np.array(color)).astype(
        np.uint8
    )


def dimension(picture: Picture, from_px: Floats, to_px: Floats, color: Color = INK) -> None:
    """A dimension arrow between two points; its heads point inwards from outside where there is no room
    between."""
    way = to_px - from_px
    length = float(np.hypot(*way))
    if length < 1e-6:
        return
    along = way / length
    across = np.array([-along[1], along[0]])
    head = 16.0
    for tip in (from_px, to_px):
        stroke(picture, np.stack([tip - 15 * across, tip + 15 * across]), color, 2, casing=PAPER)
    inward = length > 2.6 * head
    tails = (to_px, from_px) if inward else (from_px - 46 * along, to_px + 46 * along)
    for tip, tail in zip((from_px, to_px), tails, strict=True):
        stroke(picture, np.stack([tail, tip]), color, 3, casing=PAPER)
    for tip, sign in ((from_px, 1.0 if inward else -1.0), (to_px, -1.0 if inward else 1.0)):
        back = tip + sign * head * along
        wing = np.stack([tip, back + 0.38 * head * across, back - 0.38 * head * across])
        cv2.fillConvexPoly(picture, _fixed(wing), color, cv2.LINE_AA, _FINE)


def scale_bar(picture: Picture, at_px: tuple[int, int], mm: float, px_per_mm: float) -> None:
    """A bar that is `mm` long; `at_px` is its left foot."""
    left, foot = at_px
    length = round(mm * px_per_mm)
    words = f"{told_number(mm, 'g')} mm"
    room = max(length, text_width(words, 26, 500)) + 28
    box(picture, (left - 14, foot - 56, room, 70), PAPER, radius=10)
    left += (room - 28 - length) // 2
    ends = np.array(
        [[left, foot - 12], [left, foot], [left + length, foot], [left + length, foot - 12]], float
    )
    stroke(picture, ends, INK, 3)
    text(picture, words, (left + length / 2 - text_width(words, 26, 500) / 2, foot - 16), 26, weight=500)


# Where words find room on a drawn scene: they hide nothing that is to be seen, and no other words.

AROUND_PX = 400
"""Half of the widest words, at the least: beyond the scene there is no room for any."""


class LabelLayout:
    """What of a scene may not be hidden, in its pixels."""

    def __init__(self, width_px: int, height_px: int) -> None:
        self._taken: Picture = np.ones((height_px + 2 * AROUND_PX, width_px + 2 * AROUND_PX), np.uint8)
        self._taken[AROUND_PX:-AROUND_PX, AROUND_PX:-AROUND_PX] = 0

    def take(self, outline_px: Floats, edge_px: int = 0) -> None:
        """What lies within this convex outline (n, 2), and so far around it, is to be seen from now on."""
        outline = np.rint(outline_px + AROUND_PX).astype(np.int32)
        cv2.fillConvexPoly(self._taken, outline, 1)
        cv2.polylines(self._taken, [outline], True, 1, 2 * edge_px + 1)

    def take_box(self, middle_px: Floats, size_px: tuple[float, float]) -> None:
        """The same of a box (width, height) about its middle (2,)."""
        half = np.array(size_px) / 2
        self.take(middle_px + half * [[-1, -1], [1, -1], [1, 1], [-1, 1]])

    def hidden_px(self, middles_px: Floats, size_px: tuple[float, float]) -> Floats:
        """How many pixels of it a box (width, height) would hide about each of these middles (n, 2): (n,)."""
        sums = cv2.integral(self._taken)
        half = np.array(size_px) / 2
        most = np.array(self._taken.shape[::-1])
        left, top = np.clip(np.rint(middles_px - half + AROUND_PX), 0, most).astype(int).T
        right, bottom = np.clip(np.rint(middles_px + half + AROUND_PX), 0, most).astype(int).T
        hidden: Floats = (
            sums[bottom, right] - sums[top, right] - sums[bottom, left] + sums[top, left]
        ).astype(float)
        return hidden

"""Where an up-face lies in a picture, its colour, and a sharper picture of it.

A far camera sees a square up-face as a parallelogram: centre + axes (x, y), with x and y from -1 to 1. The
reader and the landings describe places in this form.
"""

import colorsys
from dataclasses import dataclass

import numpy as np

from calibration.arrays import Picture, Singles
from engine.dice import Die
from engine.wording import phrase, phrase_later
from vision.reading import Point, SeenDie, UnsureDie, Window

# A die's colour in a plain word.

_HUES = ((14, "red"), (38, "orange"), (70, "yellow"), (165, "green"), (200, "turquoise"), (262, "blue"),
         (300, "purple"), (340, "pink"), (361, "red"))  # fmt: skip


COLORS = (
    phrase_later("black"),
    phrase_later("blue"),
    phrase_later("brown"),
    phrase_later("green"),
    phrase_later("grey"),
    phrase_later("ivory"),
    phrase_later("orange"),
    phrase_later("pink"),
    phrase_later("purple"),
    phrase_later("red"),
    phrase_later("turquoise"),
    phrase_later("white"),
    phrase_later("yellow"),
)
"""All the words. Dice are known by them, in English; `told_color` tells them to people."""


def told_color(word: str) -> str:
    """One of the words in the language of the house: "red"; any other as it is."""
    return phrase(word) if word in COLORS else word


def color_word(bgr: Singles) -> str:
    """The word for a colour (blue, green, red from 0 to 255), as somebody at the table would say it."""
    blue, green, red = (float(np.clip(part, 0, 255)) / 255 for part in bgr)
    hue, saturation, value = colorsys.rgb_to_hsv(red, green, blue)
    degrees = hue * 360
    if value < 0.22:
        return "black"
    if saturation < 0.09:
        return "white" if value > 0.62 else "grey"
    if saturation < 0.42 and 15 <= degrees <= 75:
        return "ivory" if value > 0.5 else "brown"
    if 14 <= degrees < 45 and value < 0.55:
        return "brown"
    return next(word for end, word in _HUES if degrees < end)


D4_HALF = 0.52
"""The half edge of a D4's `FacePlace`, divided by the distance of its corners from its middle. Its numbers
stand near the tip or at the middles of its edges, so a cut that leaves the corners out shows them larger."""


@dataclass(frozen=True, slots=True, eq=False)
class FacePlace:
    """A parallelogram in a picture: the place of an up-face."""

    center: Singles
    """The middle: x, y in pixels."""
    axes: Singles
    """2 x 2: the columns lead from the middle to the middles of two neighbouring sides, in pixels."""

    @property
    def half_px(self) -> float:
        """Half the edge of a square with the same area, in pixels."""
        # Of so small a matrix, numpy's determinant takes 30 times as long.
        (a, b), (c, d) = self.axes.tolist()
        return float(abs(a * d - b * c) ** 0.5)

    def widened(self, factor: float) -> "FacePlace":
        """The same place with a face `factor` times as large about the same middle."""
        return FacePlace(self.center, np.asarray(self.axes * factor, np.float32))

    def scaled(self, x: float, y: float) -> "FacePlace":
        """The same place in a picture with x times as many columns and y times as many rows."""
        factors = np.array((x, y), np.float64)
        # Pixel centres have whole coordinates, so the picture begins half a pixel before the first one.
        center = (self.center + 0.5) * factors - 0.5
        return FacePlace(np.asarray(center, np.float32), np.asarray(factors[:, None] * self.axes, np.float32))

    def shifted(self, x: float, y: float) -> "FacePlace":
        """The same place, x pixels further right and y further down."""
        return FacePlace(np.asarray(self.center + np.array((x, y)), np.float32), self.axes)

    def corners(self) -> Singles:
        """4 x 2, in order round the face."""
        steps = np.array(((-1, -1), (1, -1), (1, 1), (-1, 1)), np.float32)
        return np.asarray(self.center + steps @ self.axes.T, np.float32)

    def triangle(self) -> Singles:
        """3 x 2: the corners of a D4 whose place this is."""
        angle = np.arange(3) * (2 * np.pi / 3)
        steps = np.column_stack((np.cos(angle), np.sin(angle))) / D4_HALF
        return np.asarray(self.center + steps @ self.axes.T, np.float32)


def place_of(corners: Singles) -> FacePlace:
    """The place of a face with these corners in order: four of a square, or three of a D4's triangle.

    Raises ValueError for another number of corners.
    """
    points = np.asarray(corners, np.float64)
    if len(points) not in (3, 4):
        raise ValueError(f"an up-face has three or four corners; got {len(points)}")
    center = points.mean(axis=0)
    arms = points - center
    if len(points) == 3:
        if arms[0, 0] * arms[1, 1] - arms[0, 1] * arms[1, 0] < 0:
            arms = arms[::-1]
        ideal = np.array([(np.cos(t), np.sin(t)) for t in (0, 2 * np.pi / 3, 4 * np.pi / 3)])
        axes = (2 / 3) * arms.T @ ideal * D4_HALF
    else:
        axes = np.column_stack((arms[1] + arms[2] - arms[0] - arms[3], arms[2] + arms[3] - arms[0] - arms[1]))
        axes /= 4
        if np.linalg.det(axes) < 0:
            axes[:, 1] *= -1
    return FacePlace(np.asarray(center, np.float32), np.asarray(axes, np.float32))


def vouch_for(die: Die, place: FacePlace, confidence: float, body: Singles) -> SeenDie:
    """The die as read at a place; `body` is its colour, blue, green, red."""
    corners = place.triangle() if die.kind == "d4" else place.corners()
    return SeenDie(
        kind=die.kind,
        value=die.value,
        confidence=round(confidence, 4),
        color=color_word(body),
        center_px=_point(place.center),
        corners_px=tuple(_point(corner) for corner in corners),
    )


def leave_unsure(center: Singles, reason: str, likely: SeenDie | None = None) -> UnsureDie:
    """What is, or may be, a die with its middle there, and is not read, or not surely enough for itself."""
    return UnsureDie(center_px=_point(center), reason=reason, likely=likely)


def _point(xy: Singles) -> Point:
    return (round(float(xy[0]), 2), round(float(xy[1]), 2))


# The same view in more pixels: dice are found in the picture that is watched, and cut from the sharper one.
#
# A camera can give a small picture often and a large one at need. What is small on the large one (a D4's
# numbers, a small die's pips) is lost on the other. So each place that was found in the small picture is
# taken to the large one, looked at there, and the answer is given in pixels of the small picture, like
# everything else that is known of the table.

SAME_SHAPE = 0.01
"""How much the ratio of sides may differ between two pictures of one view."""


@dataclass(frozen=True, slots=True, eq=False)
class Sharper:
    """A sharper picture of the whole view, and where the picture that was searched lies in it."""

    picture: Picture
    """Height x width x 3, blue green red: the camera's whole view."""
    scale: tuple[float, float]
    """Its pixels to a pixel of the watched picture, along and down."""
    begin: tuple[int, int] = (0, 0)
    """The column and row of the watched picture at which the part that was searched begins."""

    def there(self, place: FacePlace) -> FacePlace:
        """A place of the part that was searched, in the sharper picture."""
        return place.shifted(*self.begin).scaled(*self.scale)

    def back(self, place: FacePlace) -> FacePlace:
        """A place of the sharper picture, in the part that was searched."""
        (x, y), (left, top) = self.scale, self.begin
        return place.scaled(1 / x, 1 / y).shifted(-left, -top)


def sharper_of(watched: Picture, sharp: Picture | None, window: Window | None = None) -> Sharper | None:
    """The sharper picture for a watched one, or for a window of it; None where there is none, or where it has
    another shape or no more pixels, and so is not the same view made sharper."""
    if sharp is None:
        return None
    (height, width), (rows, columns) = watched.shape[:2], sharp.shape[:2]
    scale = columns / width, rows / height
    if min(scale) <= 1 or abs(scale[0] / scale[1] - 1) > SAME_SHAPE:
        return None
    return Sharper(sharp, scale, window[:2] if window else (0, 0))

"""The same view in more pixels: dice are found in the picture that is watched, and cut from the sharper one.

A camera can give a small picture often and a large one at need. What is small on the large one (a D4's
numbers, a small die's pips) is lost on the other. So each place that was found in the small picture is taken
to the large one, looked at there, and the answer is given in pixels of the small picture, like everything
else that is known of the table.
"""

from dataclasses import dataclass

from calibration.arrays import Picture
from vision.place import Place
from vision.reading import Window

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

    def there(self, place: Place) -> Place:
        """A place of the part that was searched, in the sharper picture."""
        return place.shifted(*self.begin).scaled(*self.scale)

    def back(self, place: Place) -> Place:
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

"""How sure places on the table are: most under the camera and between the boards, least far from both."""

from dataclasses import dataclass

import numpy as np

from calibration.arrays import Floats

PLACE_TERMS = 6
_UNIT_MM = 100.0


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceSigmas:
    """One standard deviation of a point's place in the table's frame, along each axis, mm, from what is
    unsure of camera, plane and the table's edges."""

    mean_mm: float
    """The root mean square over sheet and field."""
    least_mm: float
    """Where it is least."""
    curve: tuple[float, ...]
    """Coefficients of `place_terms` that follow it over the table."""

    def at(self, x_mm: float, y_mm: float) -> float:
        """The standard deviation at a place, mm."""
        found = float((place_terms(np.array([[x_mm, y_mm]])) @ np.array(self.curve))[0])
        return max(found, self.least_mm)


def place_terms(points_mm: Floats) -> Floats:
    """The terms (n, 6) of a second-degree curve over the table, at points (n, 2)."""
    x, y = (points_mm / _UNIT_MM).T
    found: Floats = np.column_stack([np.ones(len(x)), x, y, x * x, x * y, y * y])
    return found

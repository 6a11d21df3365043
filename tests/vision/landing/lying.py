"""Dice that lie where a test says, as if they had been measured there; and a referee with a ruler.

The referee knows nothing of the code under test: on the classic sheet, which is all rectangles, a zone is
touched when what is left of the die between its four lines has an area.
"""

import numpy as np

from calibration.arrays import Floats
from vision.measured import MeasuredDie, Pose

Covariance = tuple[tuple[float, float, float, float], ...]

SHEET = {
    20: (-44.45, 44.45, 0.0, 63.5),
    10: (-152.4, 152.4, 0.0, 88.9),
    5: (-88.9, 88.9, 88.9, 381.0),
    2: (-152.4, 152.4, 0.0, 457.2),
}
"""Left, right, back, front."""
IN_PLAY = (-152.4, 152.4, 457.2, 1209.7)


def footprint(x_mm: float, y_mm: float, yaw_deg: float = 0.0, edge_mm: float = 16.0) -> Floats:
    """The outline (48, 2) of a die with rounded corners, counter-clockwise."""
    radius = 1.6
    inner = edge_mm / 2 - radius
    parts = []
    for turn, corner in enumerate(((1, 1), (-1, 1), (-1, -1), (1, -1))):
        angles = np.pi / 2 * (turn + np.linspace(0, 1, 12))
        arc = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
        parts.append(inner * np.array(corner) + radius * arc)
    cos, sin = np.cos(np.radians(yaw_deg)), np.sin(np.radians(yaw_deg))
    turned: Floats = np.concatenate(parts) @ np.array([[cos, sin], [-sin, cos]]) + (x_mm, y_mm)
    return turned


def spread(
    x_mm: float = 0.05, y_mm: float = 0.05, yaw_rad: float = 0.004, edge_mm: float = 0.04, tied: float = 0.0
) -> Covariance:
    """A covariance with these standard deviations; x and y are correlated by `tied`."""
    matrix = np.diag(np.square([x_mm, y_mm, yaw_rad, edge_mm]))
    matrix[0, 1] = matrix[1, 0] = tied * x_mm * y_mm
    a, b, c, d = (tuple(row) for row in matrix.tolist())
    return (a, b, c, d)


def die_at(
    x_mm: float,
    y_mm: float,
    yaw_deg: float = 0.0,
    edge_mm: float = 16.0,
    *,
    value: int | None = 4,
    covariance: Covariance | None = None,
    pose: Pose = "flat",
) -> MeasuredDie:
    """A measured die."""
    return MeasuredDie(
        value=value,
        confidence=0.999,
        color="red",
        center_mm=(x_mm, y_mm),
        yaw_deg=yaw_deg % 90,
        edge_mm=edge_mm,
        footprint_mm=tuple((x, y) for x, y in footprint(x_mm, y_mm, yaw_deg, edge_mm).tolist()),
        covariance=covariance or spread(),
        sigma_mm=0.06,
        pose=pose,
        center_px=(100.0, 100.0),
        corners_px=((92.0, 92.0), (108.0, 92.0), (108.0, 108.0), (92.0, 108.0)),
    )


def by_ruler(outline: Floats) -> int:
    """The highest zone of the classic sheet that an outline touches."""
    for value, box in SHEET.items():
        if _left(outline, box) > 1e-9:
            return value
    past = outline[:, 1].max() < IN_PLAY[3]
    return 1 if past and _left(outline, IN_PLAY) > 1e-9 else 0


def _left(outline: Floats, box: tuple[float, float, float, float]) -> float:
    """The area of what is left of an outline between four lines (Sutherland and Hodgman 1974)."""
    left, right, back, front = box
    for axis, sign, limit in ((0, 1, left), (0, -1, right), (1, 1, back), (1, -1, front)):
        kept = []
        for here, there in zip(outline, np.roll(outline, -1, axis=0), strict=True):
            at, to = sign * (here[axis] - limit), sign * (there[axis] - limit)
            if at >= 0:
                kept.append(here)
            if at * to < 0:
                kept.append(here + at / (at - to) * (there - here))
        if len(kept) < 3:
            return 0.0
        outline = np.array(kept)
    x, y = outline.T
    return float(abs(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2)

"""The board that is held before the simulated camera, so that a lens can be calibrated without a real one.

It is drawn as the lens sees it, two rays a pixel each way. A pose takes a tenth of a second to draw, and is
then laid into every picture as it is.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import cos, radians, sin
from typing import Literal

import cv2
import numpy as np

from calibration.arrays import Picture, Reals, Singles
from calibration.board import EXAMPLE, Board
from device.simulator.lens import SimulatedLens

Holding = Literal["nothing", "held", "flat"]
POSE_MS = 2000.0
"""How long the board is held still, after which it is held otherwise."""
MARGIN_MM = 10.0
PX_PER_SQUARE = 100
RAYS = 2
WHITE, BLACK = 225.0, 28.0
"""Paper and ink, as picture values."""


@dataclass(frozen=True, slots=True)
class BoardPose:
    """Where the board is, as the camera sees the table: told in shares of the picture."""

    across: float
    """A share of the picture's width, from its middle: -0.5 to 0.5."""
    down: float
    height_mm: float
    lean_deg: float
    """Its right side away from the camera."""
    tip_deg: float
    """Its lower side away from the camera."""
    turn_deg: float


HELD = (
    BoardPose(0.0, 0.0, 420, 0, 0, 0),
    BoardPose(-0.26, -0.22, 380, 24, 16, 4),
    BoardPose(0.26, -0.22, 380, -24, 16, -6),
    BoardPose(-0.26, 0.22, 380, 24, -16, -3),
    BoardPose(0.26, 0.22, 380, -24, -16, 5),
    BoardPose(0.0, 0.0, 450, 32, 0, 8),
    BoardPose(0.0, 0.0, 450, -32, 0, -8),
    BoardPose(0.0, 0.0, 450, 0, 32, 12),
    BoardPose(0.0, 0.0, 450, 0, -32, -12),
    BoardPose(-0.33, -0.3, 200, -20, -14, 0),
    BoardPose(0.33, -0.3, 200, 20, -14, 9),
    BoardPose(-0.33, 0.3, 200, -20, 14, -9),
    BoardPose(0.33, 0.3, 200, 20, 14, 3),
    BoardPose(0.0, -0.3, 300, 10, 26, 90),
    BoardPose(0.0, 0.3, 300, -10, -26, 88),
    BoardPose(0.05, -0.03, 540, 14, -12, 20),
)
"""How it is held, one pose after the other."""
FLAT = tuple(BoardPose(x, y, 0, 0, 0, turn) for x, y, turn in (
    (-0.27, -0.2, 3), (0.27, -0.2, -5), (-0.27, 0.2, 8), (0.27, 0.2, -2)))  # fmt: skip
"""Where it is laid down, one place after the other."""
POSES: dict[Holding, Sequence[BoardPose]] = {"nothing": (), "held": HELD, "flat": FLAT}


@dataclass(frozen=True, slots=True, eq=False)
class DrawnBoard:
    """The board as one pose shows it: a piece of the picture, and how much of it is board."""

    left_px: int
    top_px: int
    paper: Reals
    """(rows, columns, 1), picture values."""
    cover: Reals
    """(rows, columns, 1), 0 to 1."""

    def laid_over(self, picture: Picture) -> Picture:
        """A picture with the board in it."""
        rows, columns = self.cover.shape[:2]
        box = np.s_[self.top_px : self.top_px + rows, self.left_px : self.left_px + columns]
        found = picture.copy()
        found[box] = (found[box] * (1 - self.cover) + self.paper * self.cover + 0.5).astype(np.uint8)
        return found


def shown_at(holding: Holding, since_ms: float) -> BoardPose | None:
    """How the board is held so long after it was taken up; None where there is none."""
    poses = POSES[holding]
    return poses[int(max(since_ms, 0) // POSE_MS) % len(poses)] if poses else None


@lru_cache(maxsize=24)  # all poses of one table: a busy machine has no time to draw them anew
def drawn(pose: BoardPose, lens: SimulatedLens) -> DrawnBoard:
    """The board in that pose, as the lens sees it."""
    board = Board.parse(EXAMPLE)
    middle, axes = _placed(pose, lens)
    wide, high = (each / 2 + MARGIN_MM for each in board.size_mm)
    corners = np.array([(x, y) for x in (-wide, 0, wide) for y in (-high, 0, high)]) @ axes[:2] + middle
    px = lens.project(corners.astype(np.float32))
    left, top = np.maximum(np.floor(px.min(axis=0)).astype(int) - 2, 0)
    right, bottom = np.minimum(np.ceil(px.max(axis=0)).astype(int) + 3, (lens.width_px, lens.height_px))
    rows, columns = max(int(bottom - top), 0), max(int(right - left), 0)
    fine = (np.arange(max(rows, columns) * RAYS, dtype=np.float32) + 0.5) / RAYS - 0.5
    x_px, y_px = np.meshgrid(fine[: columns * RAYS] + left, fine[: rows * RAYS] + top)
    ways = lens.rays(x_px.ravel(), y_px.ravel()).astype(np.float64)
    far = (middle - lens.eye_mm) @ axes[2] / (axes[2] @ ways)
    x_mm, y_mm = axes[:2] @ (ways * far + (lens.eye_mm - middle)[:, None])
    paper = _sheet(board)
    scale = PX_PER_SQUARE / board.square_mm
    u = (x_mm + wide) * scale - 0.5
    v = (high - y_mm) * scale - 0.5
    shape = (rows * RAYS, columns * RAYS)
    to_u, to_v = (each.reshape(shape).astype(np.float32) for each in (u, v))
    seen = cv2.remap(paper, to_u, to_v, cv2.INTER_LINEAR)
    there = ((abs(x_mm) < wide) & (abs(y_mm) < high)).reshape(shape).astype(np.float32)
    size = (columns, rows)
    # Light, and not picture values, is what a pixel adds up; their squares are close to it.
    light = cv2.resize(seen * seen * there, size, interpolation=cv2.INTER_AREA)
    cover = cv2.GaussianBlur(cv2.resize(there, size, interpolation=cv2.INTER_AREA), (0, 0), 0.5)
    light = cv2.GaussianBlur(light, (0, 0), 0.5)
    return DrawnBoard(
        int(left), int(top), np.sqrt(light / np.maximum(cover, 1e-3))[..., None], cover[..., None]
    )


def _placed(pose: BoardPose, lens: SimulatedLens) -> tuple[Reals, Reals]:
    """The board's middle (3,) and its three axes (3, 3) as rows, in the table's frame."""
    x_px = lens.middle_px[0] + pose.across * lens.width_px
    y_px = lens.middle_px[1] + pose.down * lens.height_px
    flat = lens.on_plane(np.array([x_px]), np.array([y_px]), pose.height_mm)[0]
    middle = np.array([float(flat[0]), float(flat[1]), pose.height_mm])
    right, up = lens.turn[0].astype(np.float64), -lens.turn[1].astype(np.float64)
    if pose.height_mm == 0:  # it lies on the table
        right[2] = up[2] = 0
    right /= np.linalg.norm(right)
    normal = np.cross(right, up)
    normal /= np.linalg.norm(normal)
    base = np.stack([right, np.cross(normal, right), normal])
    turns = [_turn(2, pose.turn_deg), _turn(1, pose.lean_deg), _turn(0, -pose.tip_deg)]
    return middle, turns[0] @ turns[1] @ turns[2] @ base


def _turn(axis: int, angle_deg: float) -> Reals:
    c, s = cos(radians(angle_deg)), sin(radians(angle_deg))
    i, j = ((1, 2), (2, 0), (0, 1))[axis]
    made = np.eye(3)
    made[i, i] = made[j, j] = c
    made[i, j], made[j, i] = s, -s
    return made


@lru_cache(maxsize=2)
def _sheet(board: Board) -> Singles:
    """The paper with the board printed on it."""
    ink = np.asarray(board.picture(PX_PER_SQUARE), np.float32) / 255
    margin = round(MARGIN_MM / board.square_mm * PX_PER_SQUARE)
    paper = np.pad(ink, margin, constant_values=1.0)
    found: Singles = (BLACK + (WHITE - BLACK) * cv2.GaussianBlur(paper, (0, 0), 1.0)).astype(np.float32)
    return found

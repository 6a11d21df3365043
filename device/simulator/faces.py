"""What stands on the faces of the simulated dice, drawn as tiles: one painter a kind of die.

A tile is `TILE_PX` square with three channels: how much ink covers a place (0 to 1), and how the surface
leans there along the face's two axes (a pip is a hollow). A new kind of die is a new painter in `PAINTERS`.
"""

from collections.abc import Callable

import cv2
import numpy as np

from device.simulator.lens import Floats
from engine.dice import DieKind, Face

TILE_PX = 96

# Where pips sit, in halves of the face from its middle.
_SPOTS: dict[Face, tuple[tuple[float, float], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}
PIP_PITCH = 0.5
PIP_RADIUS = 0.185
DOT_RADIUS = 0.50
SQUARE_HALF = 0.46


def tile(kind: DieKind, face: Face) -> Floats:
    """The tile of a face, (TILE_PX, TILE_PX, 3)."""
    return PAINTERS[kind](face)


def _grid() -> tuple[Floats, Floats]:
    line = (np.arange(TILE_PX, dtype=np.float32) + 0.5) / TILE_PX * 2 - 1
    u, v = np.meshgrid(line, line)
    return u, v


def _inked(inside: Floats) -> Floats:
    """From a signed distance (face halves, positive inside) to ink with an edge one tile pixel soft."""
    found: Floats = np.clip(inside * (TILE_PX / 2) + 0.5, 0, 1)
    return found


def _pips(face: Face) -> Floats:
    u, v = _grid()
    found = np.zeros((TILE_PX, TILE_PX, 3), np.float32)
    for spot_u, spot_v in _SPOTS[face]:
        du, dv = u - spot_u * PIP_PITCH, v - spot_v * PIP_PITCH
        ink = _inked(PIP_RADIUS - np.hypot(du, dv))
        # In a hollow the surface leans towards the middle, the more the further out.
        hollow = -0.75 / PIP_RADIUS * ink
        found += np.stack([ink, hollow * du, hollow * dv], axis=-1)
    return found


def _zoinx(face: Face) -> Floats:
    u, v = _grid()
    if face == "dot":
        inside = DOT_RADIUS - np.hypot(u, v)
    else:
        # A box with corners hardly rounded, as a print has.
        du, dv = np.abs(u) - (SQUARE_HALF - 0.05), np.abs(v) - (SQUARE_HALF - 0.05)
        inside = 0.05 - np.hypot(np.maximum(du, 0), np.maximum(dv, 0)) - np.minimum(np.maximum(du, dv), 0)
    flat = np.zeros_like(u)
    return np.stack([_inked(inside), flat, flat], axis=-1)


def _numeral(size: float) -> Callable[[Face], Floats]:
    """A painter of numerals, so high in faces. A tile's rows run up the face, a picture's down."""

    def paint(face: Face) -> Floats:
        fine = 4
        drawn = np.zeros((TILE_PX * fine, TILE_PX * fine), np.uint8)
        # This font strikes its 0 through; dice have an open one, as its capital O is.
        text, thick = str(face).replace("0", "O"), round(0.06 * size * TILE_PX * fine)
        scale = cv2.getFontScaleFromHeight(cv2.FONT_HERSHEY_SIMPLEX, round(size * TILE_PX * fine), thick)
        (wide, high), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, thick)
        place = (drawn.shape[1] - wide) // 2, (drawn.shape[0] + high) // 2
        cv2.putText(drawn, text, place, cv2.FONT_HERSHEY_SIMPLEX, scale, 255, thick, cv2.LINE_AA)
        small = cv2.resize(drawn, (TILE_PX, TILE_PX), interpolation=cv2.INTER_AREA)
        ink = np.flipud(small).astype(np.float32) / 255
        return np.stack([ink, np.zeros_like(ink), np.zeros_like(ink)], axis=-1)

    return paint


PAINTERS: dict[DieKind, Callable[[Face], Floats]] = {
    "pip": _pips,
    "zoinx": _zoinx,
    "bet": _numeral(0.52),
    "d4": _numeral(0.80),
}

"""A die as its maker drew it: body, faces and marks, all laid into a strip of face textures."""

from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np

from calibration.arrays import Singles
from models.painting.marks import Mark
from models.painting.materials import Stuff
from models.painting.shapes import Frames, Rests
from models.painting.solids import Body

Kind = Literal["pip", "zoinx", "bet", "d4", "foreign"]
Value = int | str | None
ROW = 512


@dataclass(frozen=True, slots=True, eq=False)
class Design:
    """A kind of die with its look. The strip holds one square of ``size`` texels a face, from the top."""

    kind: Kind
    made: Stuff
    body: Body
    frames: Frames
    values: tuple[Value, ...]
    """What each way to lie shows."""
    rests: Rests
    size: int
    color: Singles
    """The strip as light."""
    relief: Singles
    """The strip's slopes to the right and upwards, its marks' mask, its polish: x 4."""


def lay_out(marks: list[Mark]) -> tuple[Singles, Singles]:
    """The strip's mask (0 to 1) and how deep its marks sink (in edges): one square a face, from the top."""
    return np.concatenate([mark.mask for mark in marks]), np.concatenate([mark.dent for mark in marks])


def relief(mask: Singles, dent: Singles, dull: float, ripple: Singles | None = None) -> Singles:
    """The strip's relief. ``dull``: the share of its gloss that the surface loses under a mark; ``ripple``:
    slopes of a surface that is not quite flat."""
    steep = np.float32(mask.shape[1] / 8)
    smooth = cv2.blur(dent, (3, 3))
    right, up = cv2.Sobel(smooth, cv2.CV_32F, 1, 0) * steep, -cv2.Sobel(smooth, cv2.CV_32F, 0, 1) * steep
    if ripple is not None:
        right, up = right + ripple, up - ripple
    polish = np.ones(mask.shape, np.float32) - np.float32(dull) * mask
    return np.asarray(cv2.merge([right, up, mask, polish]), np.float32)


def look_up(strips: tuple[Singles, ...], design: Design, face: int, local: Singles) -> list[Singles]:
    """Each strip's values (channels x n) where points of the body's frame (3 x n) lie on one face."""
    frames, size = design.frames, design.size
    offset = local - frames.middle[face][:, None]
    scale = np.float32(size / frames.edge_mm)
    half = np.float32(size / 2 - 0.5)
    x = np.clip((frames.right[face] @ offset) * scale + half, 0, size - 1)
    y = np.clip(half - (frames.up[face] @ offset) * scale, 0, size - 1) + np.float32(face * size)
    rows = -(-x.size // ROW)  # cv2.remap takes no list longer than 32,767
    maps = np.zeros((2, rows * ROW), np.float32)
    maps[0, : x.size], maps[1, : x.size] = x, y
    across, down = maps.reshape(2, rows, ROW)
    seen = [cv2.remap(strip, across, down, cv2.INTER_LINEAR) for strip in strips]
    return [np.ascontiguousarray(one.reshape(rows * ROW, -1)[: x.size].T, np.float32) for one in seen]

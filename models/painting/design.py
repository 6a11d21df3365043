"""A die as its maker drew it: body, faces and marks, all laid into a strip of face textures."""

from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np

from calibration.arrays import Ints, Singles
from models.painting.marks import Mark
from models.painting.materials import Stuff
from models.painting.shapes import Frames, Rests
from models.painting.solids import Body, Hit, dot

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
    frames = design.frames
    offset = local - frames.middle[face][:, None]
    return _texels(strips, design, face, frames.right[face] @ offset, frames.up[face] @ offset)


def skin(design: Design, hit: Hit) -> tuple[Singles, Singles, Singles]:
    """Colour as light, relief and unit normal (3, 4 and 3 x n) where rays have met the body on any face."""
    right, up = design.frames.right[hit.face].T, design.frames.up[hit.face].T
    # A face's middle lies straight above the body's.
    across, along = dot(right, hit.point), dot(up, hit.point)
    color, relief = _texels((design.color, design.relief), design, hit.face, across, along)
    normal = hit.normal + right * relief[0] + up * relief[1]
    normal /= np.sqrt(dot(normal, normal))
    return color, relief, normal


def _texels(
    strips: tuple[Singles, ...], design: Design, face: int | Ints, across_mm: Singles, along_mm: Singles
) -> list[Singles]:
    """Each strip's values (channels x n) so far to the right and upwards from the middle of a face."""
    size = design.size
    scale, half = np.float32(size / design.frames.edge_mm), np.float32(size / 2 - 0.5)
    rows = -(-across_mm.size // ROW)  # cv2.remap takes no list longer than 32,767
    maps = np.zeros((2, rows * ROW), np.float32)
    maps[0, : across_mm.size] = np.clip(across_mm * scale + half, 0, size - 1)
    down = np.clip(half - along_mm * scale, 0, size - 1) + np.asarray(face * size, np.float32)
    maps[1, : across_mm.size] = down
    columns, lines = maps.reshape(2, rows, ROW)
    seen = [cv2.remap(strip, columns, lines, cv2.INTER_LINEAR) for strip in strips]
    return [np.ascontiguousarray(one.reshape(rows * ROW, -1)[: across_mm.size].T, np.float32) for one in seen]

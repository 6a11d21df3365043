"""A die as its maker drew it: body, faces, marks, all baked into a strip of face textures."""

from dataclasses import dataclass

import cv2
import numpy as np

from models.scenes.chance import Chance, between, blend, clouds, lit, maybe
from models.scenes.colors import ink_for, light_of
from models.scenes.marks import Mark, pip_style, pips
from models.scenes.materials import Stuff, coat, stuff
from models.scenes.solids import Body, cube
from models.scenes.truth import Floats, Kind

Value = int | str | None


@dataclass(frozen=True, slots=True, eq=False)
class Frames:
    """How faces lie on a body: each has a middle, a u and a v axis (k x 3), and an edge (all in mm)."""

    middle: Floats
    right: Floats
    up: Floats
    edge_mm: float


@dataclass(frozen=True, slots=True, eq=False)
class Rests:
    """The ways in which a body can lie, k of them."""

    turns: Floats
    """k x 3 x 3: from the body's frame to the table's."""
    corners_mm: Floats
    """k x 3 x m: the up-face's corners (for a D4, those it lies on) in the body's frame."""
    tops_mm: Floats
    """k x 3: the up-face's middle."""
    up: tuple[tuple[int, ...], ...]
    """The faces that count as the up-face."""


@dataclass(frozen=True, slots=True, eq=False)
class Solid:
    """A body with its faces and its ways to lie."""

    body: Body
    frames: Frames
    rests: Rests


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
    color: Floats
    """The strip as light."""
    relief: Floats
    """The strip's slopes to the right and upwards, its marks' mask, its polish: x 4."""


def cube_frames(edge_mm: float) -> Frames:
    """The faces +x -x +y -y +z -z, each seen from outside with its own right and up."""
    right = np.array(((0, 1, 0), (0, -1, 0), (-1, 0, 0), (1, 0, 0), (1, 0, 0), (-1, 0, 0)), np.float32)
    up = np.array(((0, 0, 1), (0, 0, 1), (0, 0, 1), (0, 0, 1), (0, 1, 0), (0, 1, 0)), np.float32)
    return Frames(np.cross(right, up).astype(np.float32) * np.float32(edge_mm / 2), right, up, edge_mm)


def cube_rests(frames: Frames) -> Rests:
    """A cube lies six ways."""
    normal = np.cross(frames.right, frames.up)
    turns = np.stack((frames.right, frames.up, normal), axis=1)
    half = frames.edge_mm / 2
    signs = np.array(((-1, 1), (1, 1), (1, -1), (-1, -1)), np.float32) * half
    corners = (frames.middle[:, :, None] + frames.right[:, :, None] * signs[:, 0]
               + frames.up[:, :, None] * signs[:, 1])  # fmt: skip
    return Rests(
        turns.astype(np.float32), corners.astype(np.float32), frames.middle, tuple((k,) for k in range(6))
    )


def cube_body(chance: Chance, edge_mm: float) -> Body:
    """From a razor-edged casino die to one that is nearly a ball."""
    if maybe(chance, 0.35):
        return cube(edge_mm, 0.0, between(chance, 1.22, 1.6))
    return cube(edge_mm, 0.012 if maybe(chance, 0.15) else between(chance, 0.03, 0.24))


def cube_solid(chance: Chance, edge_mm: float) -> Solid:
    """Any die's cube."""
    frames = cube_frames(edge_mm)
    return Solid(cube_body(chance, edge_mm), frames, cube_rests(frames))


def texels(edge_px: float) -> int:
    """How fine a face is drawn for its size in the picture."""
    return int(np.clip(round(1.6 * edge_px), 32, 176))


def pip_design(chance: Chance, edge_mm: float, size: int) -> Design:
    """A die with one to six pips; opposite faces sum to seven, either way round."""
    style = pip_style(chance)
    pairs = [[1, 6], [2, 5], [3, 4]]
    chance.shuffle(pairs)
    values = [value for pair in pairs for value in (pair if maybe(chance, 0.5) else pair[::-1])]
    marks = [pips(style, value, size, maybe(chance, 0.5)) for value in values]
    return bake(chance, "pip", stuff(chance), cube_solid(chance, edge_mm), tuple(values), marks)


def bake(chance: Chance, kind: Kind, made: Stuff, solid: Solid, values: tuple[Value, ...],
         marks: list[Mark]) -> Design:  # fmt: skip
    """Paints body and marks into the strip, worn as chance will have it."""
    size = marks[0].mask.shape[0]
    shape = (size * len(marks), size)
    mask = np.concatenate([mark.mask for mark in marks])
    dent = np.concatenate([mark.dent for mark in marks])
    color = coat(chance, made, shape, size)
    ink = light_of(ink_for(chance, made.color))
    plain = [ink if mark.color is None else light_of(mark.color) for mark in marks]
    inks = np.concatenate([np.broadcast_to(one, (size, size, 3)) for one in plain])
    if maybe(chance, 0.2):  # worn paint
        bare = clouds(chance, shape, size * between(chance, 0.08, 0.3), 3)
        mask = np.asarray(
            mask * np.clip(1.2 + between(chance, 0.3, 1.2) - np.abs(bare) * 1.2, 0.25, 1), np.float32
        )
    if maybe(chance, 0.25):  # dirt in the dents, or pips that let the body show
        mask = mask * np.float32(between(chance, 0.75, 1.0))
    color = blend(color, inks, mask)
    color = lit(color, 1 - between(chance, 0.0, 0.35) * np.clip(dent * 20, 0, 1))
    steep = np.float32(size / 8)
    smooth = cv2.blur(dent, (3, 3))
    right, up = cv2.Sobel(smooth, cv2.CV_32F, 1, 0) * steep, -cv2.Sobel(smooth, cv2.CV_32F, 0, 1) * steep
    ripple = np.zeros(shape, np.float32)
    if maybe(chance, 0.35):  # tumbled plastic is never quite flat
        ripple = clouds(chance, shape, size * between(chance, 0.1, 0.6), 2) * np.float32(
            between(chance, 0, 0.04)
        )
    polish = np.ones(shape, np.float32) - np.float32(between(chance, -0.3, 0.8)) * mask
    relief = np.asarray(cv2.merge([right + ripple, up - ripple, mask, polish]), np.float32)
    return Design(kind, made, solid.body, solid.frames, values, solid.rests, size, color, relief)

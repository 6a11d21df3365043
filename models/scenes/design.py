"""A die as its maker drew it: body, faces, marks, all baked into a strip of face textures."""

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.arrays import Singles
from models.scenes.chance import Chance, between, blend, clouds, lit, maybe
from models.scenes.colors import ink_for, light_of
from models.scenes.marks import Mark
from models.scenes.materials import Stuff, coat
from models.scenes.shapes import Frames, Rests, Solid
from models.scenes.solids import Body
from models.scenes.truth import Kind

Value = int | str | None


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

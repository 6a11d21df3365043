"""Bakes a die's design: body and marks laid into its strip, worn as chance will have it."""

import numpy as np

from models.painting.design import Design, Kind, Value, lay_out, relief
from models.painting.light import blend, light_of, lit
from models.painting.marks import Mark
from models.painting.materials import Stuff
from models.painting.shapes import Solid
from models.scenes.chance import Chance, between, clouds, maybe
from models.scenes.colors import ink_for
from models.scenes.materials import coat


def bake(chance: Chance, kind: Kind, made: Stuff, solid: Solid, values: tuple[Value, ...],
         marks: list[Mark]) -> Design:  # fmt: skip
    """Paints body and marks into the strip, worn as chance will have it."""
    size = marks[0].mask.shape[0]
    shape = (size * len(marks), size)
    mask, dent = lay_out(marks)
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
    ripple = np.zeros(shape, np.float32)
    if maybe(chance, 0.35):  # tumbled plastic is never quite flat
        ripple = clouds(chance, shape, size * between(chance, 0.1, 0.6), 2) * np.float32(
            between(chance, 0, 0.04)
        )
    slopes = relief(mask, dent, between(chance, -0.3, 0.8), ripple)
    return Design(kind, made, solid.body, solid.frames, values, solid.rests, size, color, slopes)

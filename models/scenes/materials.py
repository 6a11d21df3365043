"""What a maker makes dice of, as chance has it: the stuff, and how it colours a body."""

import numpy as np

from calibration.arrays import Singles
from models.painting.light import blend, light_of, lit
from models.painting.materials import BODIES, Stuff
from models.scenes.chance import Chance, between, clouds, maybe, noise, scaled
from models.scenes.colors import any_color, body_color, pick, vary

STUFFS = ("plain", "pearl", "marbled", "speckled", "wood", "glass", "gem", "metal")
STUFF_SHARES = (0.5, 0.06, 0.13, 0.05, 0.06, 0.12, 0.04, 0.04)


def stuff(chance: Chance, words: tuple[str, ...] = tuple(BODIES), names: tuple[str, ...] = STUFFS) -> Stuff:
    """A material, in one of these colours."""
    shares = np.array([STUFF_SHARES[STUFFS.index(name)] for name in names])
    name = str(chance.choice(names, p=shares / shares.sum()))
    if name == "wood" and {"brown", "ivory"} & set(words) and maybe(chance, 0.7):
        words = tuple(word for word in words if word in ("brown", "ivory"))
    if name == "metal" and {"grey", "yellow", "brown", "black"} & set(words):
        words = tuple(word for word in words if word in ("grey", "yellow", "brown", "black"))
    word, color = body_color(chance, words)
    strength = between(chance, 0.25, 1.0)
    stranger = (
        any_color(chance, (0.2, 0.9), (0.1, 0.95)) if maybe(chance, 0.35) else pick(chance, BODIES[word])
    )
    other = tuple(a + (b - a) * strength for a, b in zip(color, vary(chance, stranger, 0.25), strict=True))
    matt = maybe(chance, 0.3)
    rough = between(chance, 0.35, 0.8) if matt else scaled(chance, 0.03, 0.3)
    glass = {"glass": between(chance, 0.4, 0.9), "gem": between(chance, 0.5, 0.95), "pearl": 0.15}.get(
        name, 0.0
    )
    metal = between(chance, 0.6, 1.0) if name == "metal" else 0.0
    gloss = 0.5 if metal else between(chance, 0.02, 0.08) * (0.5 if name == "wood" else 1.0)
    return Stuff(name, word, color, (other[0], other[1], other[2]), gloss, rough, metal, glass)


def coat(chance: Chance, made: Stuff, shape: tuple[int, int], size: int) -> Singles:
    """The body's colour as light over a strip of faces (``shape`` texels, faces ``size`` wide), x 3."""
    base, other = light_of(made.color), light_of(made.other)
    share: Singles
    if made.name == "marbled":
        warp = clouds(chance, shape, size * scaled(chance, 0.25, 0.9), 3)
        share = np.asarray(0.5 + 0.5 * np.sin(warp * between(chance, 1.0, 4.5)), np.float32)
        share = np.asarray(share ** between(chance, 0.7, 2.5), np.float32)
    elif made.name == "speckled":
        dots = noise(chance, shape, max(size * scaled(chance, 0.02, 0.07), 1.0))
        share = np.asarray(np.clip((dots - between(chance, 0.6, 1.5)) * 4, 0, 1), np.float32)
    elif made.name == "wood":
        grain = noise(chance, shape, size * 0.8, size * scaled(chance, 0.02, 0.08))
        share = np.asarray(np.clip(0.3 + 0.3 * grain, 0, 1) * 0.6, np.float32)
    elif made.name in ("pearl", "gem", "metal"):
        share = np.asarray(np.clip(0.3 + 0.25 * clouds(chance, shape, size * 0.5, 4), 0, 1), np.float32)
    else:
        share = np.zeros(shape, np.float32)
    out = blend(base, other, share)
    if maybe(chance, 0.4):  # handled, faded, dusty
        out = lit(out, 1 + between(chance, 0.02, 0.12) * clouds(chance, shape, size * 0.3, 3))
    return np.asarray(np.clip(out, 0.004, 0.98), np.float32)

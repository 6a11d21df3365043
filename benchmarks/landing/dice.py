"""What dice look like: six faces with pips, painted or sunk, on bodies of ivory, plastic, wood and clear
resin.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.landing.cube import Cube
from calibration.arrays import Floats

Color = tuple[float, float, float]
KINDS = ("ivory", "red", "black", "white", "wooden", "translucent")
PIPS: dict[int, tuple[tuple[float, float], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Skin:
    """What a die is made of; reflectances blue first."""

    kind: str
    body: Color
    pip: Color
    gloss: float
    clear: float
    """How much light passes through it: 0 for all but translucent dice."""
    sunk: float
    """How deep the pips are, as the slope of their rims; 0 is painted."""
    pip_radius: float
    """As a share of the edge."""
    pip_step: float
    """From the middle of a face to its outer pips, as a share of the edge."""
    grain: float
    """How strongly wood shows its rings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Die:
    """A body and what is painted on it."""

    cube: Cube
    skin: Skin
    value: int
    """Its up-face."""
    faces: tuple[int, int, int, int, int, int]
    """The values on +x, -x, +y, -y, +z, -z of the cube's own axes."""
    turned: tuple[bool, bool, bool, bool, bool, bool]
    """Which faces have their pips a quarter turn further."""


def draw_skin(kind: str, rng: np.random.Generator) -> Skin:
    """One die of a kind; no two are quite alike."""
    bodies: dict[str, tuple[Color, Color]] = {
        "ivory": ((0.50, 0.68, 0.76), (0.02, 0.02, 0.02)),
        "red": ((0.03, 0.03, 0.42), (0.85, 0.86, 0.86)),
        "black": ((0.022, 0.020, 0.020), (0.80, 0.82, 0.82)),
        "white": ((0.82, 0.82, 0.82), (0.02, 0.02, 0.02)),
        "wooden": ((0.17, 0.33, 0.52), (0.02, 0.025, 0.035)),
        "translucent": [
            ((0.05, 0.04, 0.45), (0.85, 0.86, 0.86)),
            ((0.42, 0.10, 0.04), (0.85, 0.86, 0.86)),
            ((0.12, 0.36, 0.05), (0.85, 0.86, 0.86)),
        ][int(rng.integers(3))],
    }
    body, pip = (np.array(c) for c in bodies[kind])
    body = np.clip(body * rng.uniform(0.85, 1.12) * rng.uniform(0.95, 1.05, 3), 0.01, 0.88)
    matt = kind == "wooden"
    return Skin(
        kind=kind,
        body=(float(body[0]), float(body[1]), float(body[2])),
        pip=(float(pip[0]), float(pip[1]), float(pip[2])),
        gloss=float(rng.uniform(0.0, 0.15) if matt else rng.uniform(0.3, 1.0)),
        clear=float(rng.uniform(0.35, 0.65)) if kind == "translucent" else 0.0,
        sunk=float(rng.uniform(0.3, 0.8)) if rng.random() < 0.6 else 0.0,
        pip_radius=float(rng.uniform(0.085, 0.115)),
        pip_step=float(rng.uniform(0.24, 0.275)),
        grain=float(rng.uniform(0.1, 0.25)) if matt else 0.0,
    )


def dress(cube: Cube, skin: Skin, value: int, rng: np.random.Generator) -> Die:
    """A die with a value up; opposite faces add up to seven, left- or right-handed."""
    others = [v for v in range(1, 7) if v not in (value, 7 - value)]
    side = int(rng.choice(others))
    front = int(rng.choice([v for v in others if v not in (side, 7 - side)]))
    flags = rng.random(6) < 0.5
    a, b, c, d, e, f = (bool(v) for v in flags)
    return Die(
        cube=cube,
        skin=skin,
        value=value,
        faces=(side, 7 - side, front, 7 - front, value, 7 - value),
        turned=(a, b, c, d, e, f),
    )


def surface(die: Die, local: Floats, normals: Floats) -> tuple[Floats, Floats, Floats]:
    """Reflectance (n, 3), normals (n, 3) with the pips' hollows, and gloss (n, 1), in the cube's own
    frame.
    """
    skin = die.skin
    color = np.broadcast_to(np.array(skin.body), local.shape).copy()
    if skin.grain > 0:
        rings = np.sin(local[:, 0] * 2.1 + np.sin(local[:, 2] * 0.35) * 1.5 + local[:, 1] * 0.12)
        color *= (1 + skin.grain * rings)[:, None]
    bent = normals.copy()
    gloss = np.full((len(local), 1), skin.gloss)
    axis = np.abs(normals).argmax(axis=1)
    positive = np.take_along_axis(normals, axis[:, None], 1)[:, 0] > 0
    for face in range(6):
        on = np.flatnonzero((axis == face // 2) & (positive == (face % 2 == 0)))
        if len(on):
            _pip_face(die, face, local[on], on, (color, bent))
    inked = np.abs(color - np.array(skin.pip)).sum(axis=1) < 1e-9
    gloss[inked] *= 0.4
    return color, bent, gloss


def _pip_face(die: Die, face: int, local: Floats, on: NDArray[np.intp], out: tuple[Floats, Floats]) -> None:
    """The pips of one face: colour, and normals that lean towards the middle of a hollow."""
    color, bent = out
    skin, edge = die.skin, die.cube.edge_mm
    u_axis, v_axis = ((1, 2), (0, 2), (0, 1))[face // 2]
    u, v = local[:, u_axis] / edge, local[:, v_axis] / edge
    for a, b in PIPS[die.faces[face]]:
        if die.turned[face]:
            a, b = -b, a  # noqa: PLW2901 - the same pip, seen a quarter turn further
        du, dv = u - a * skin.pip_step, v - b * skin.pip_step
        out_by = np.sqrt(du * du + dv * dv) / skin.pip_radius
        hit = out_by < 1
        color[on[hit]] = skin.pip
        if skin.sunk > 0:
            bent[on[hit], u_axis] -= skin.sunk * (du / skin.pip_radius)[hit]
            bent[on[hit], v_axis] -= skin.sunk * (dv / skin.pip_radius)[hit]
    bent[on] /= np.linalg.norm(bent[on], axis=1, keepdims=True)

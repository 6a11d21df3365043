"""Draws dice on a table as an overhead camera sees them, with known faces.

Cubes in perspective with side faces, rounded corners, soft shadow, shading and sensor noise. Written apart
from the simulated table on purpose: two renderers hide fewer mistakes than one.
"""

from dataclasses import dataclass, field
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Picture, Singles

Color = tuple[int, int, int]

SPOTS: dict[int, tuple[tuple[float, float], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}
SIDE_FACES = {
    1: (2, 3, 5, 4),
    2: (1, 3, 6, 4),
    3: (1, 2, 6, 5),
    4: (1, 5, 6, 2),
    5: (1, 4, 6, 3),
    6: (2, 4, 5, 3),
}
IVORY: Color = (215, 232, 240)
WHITE: Color = (245, 245, 245)
BLACK: Color = (35, 32, 30)
RED: Color = (40, 35, 190)
BLUE: Color = (170, 80, 30)
GREEN: Color = (60, 130, 30)
YELLOW: Color = (40, 205, 235)
INK_DARK: Color = (28, 26, 26)
INK_LIGHT: Color = (240, 242, 240)
FELT: Color = (58, 92, 34)
TILE = 160


@dataclass(frozen=True)
class Drawn:
    """One die to draw: the middle of its up-face and its edge, in pixels."""

    face: int | str
    x: float
    y: float
    edge: float = 50.0
    yaw_deg: float = 20.0
    body: Color = IVORY
    ink: Color = INK_DARK


@dataclass(frozen=True)
class Scene:
    """A table with dice on it."""

    dice: tuple[Drawn, ...]
    width: int = 1280
    height: int = 960
    table: Color = FELT
    grain: float = 6.0
    noise: float = 3.0
    light: tuple[float, float] = (0.12, -0.08)
    """How the light falls off to the right and downwards, by half the picture."""
    depth: float = 18.0
    """The camera's height above the up-faces, in edges of fifty pixels."""
    blur: float = 0.8
    seed: int = 1
    extras: tuple[str, ...] = field(default=())


def tile(face: int | str, body: Color, ink: Color) -> Picture:
    """A face as a square picture."""
    out = np.full((TILE * 4, TILE * 4, 3), body, np.uint8)
    half = TILE * 2
    match face:
        case "dot":
            cv2.circle(out, (half, half), int(half * 0.5), ink, -1)
        case "square":
            reach = int(half * 0.46)
            cv2.rectangle(out, (half - reach, half - reach), (half + reach, half + reach), ink, -1)
        case int():
            for u, v in SPOTS[face]:
                at = (int(half * (1 + 0.5 * u)), int(half * (1 + 0.5 * v)))
                cv2.circle(out, at, int(half * 0.19), ink, -1)
        case _:
            pass  # a blank face
    return np.asarray(cv2.resize(out, (TILE, TILE), interpolation=cv2.INTER_AREA), np.uint8)


def draw(scene: Scene) -> Picture:
    """The picture of a scene."""
    out = np.full((scene.height, scene.width, 3), scene.table, np.float32)
    grain, noise = _chance(scene.seed, scene.width, scene.height, scene.grain, scene.noise)
    if scene.grain:
        out += grain[..., None]
    for die in scene.dice:
        _shadow(out, die)
    middle = np.array((scene.width / 2, scene.height / 2))
    for die in sorted(scene.dice, key=lambda d: -float(np.hypot(d.x - middle[0], d.y - middle[1]))):
        _die(out, die, middle, scene.depth * 50.0)
    out *= _falling(scene.width, scene.height, scene.light)
    if scene.blur:
        out = np.asarray(cv2.GaussianBlur(out, (0, 0), scene.blur), np.float32)
    out += noise
    return np.asarray(np.clip(out, 0, 255, out=out), np.uint8)


@lru_cache(maxsize=2)
def _chance(seed: int, width: int, height: int, grain: float, noise: float) -> tuple[Singles, Singles]:
    """The table's grain (H x W) and the sensor's noise (H x W x 3); most scenes have the same."""
    rng = np.random.default_rng(seed)
    coarse = rng.normal(0, grain, (height // 2 + 1, width // 2 + 1)) if grain else np.zeros((1, 1))
    grains = cv2.resize(coarse.astype(np.float32), (width, height))
    return np.asarray(grains, np.float32), rng.normal(0, noise, (height, width, 3)).astype(np.float32)


@lru_cache(maxsize=2)
def _falling(width: int, height: int, light: tuple[float, float]) -> Singles:
    """How much light falls on each pixel (H x W x 1)."""
    y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j]
    return np.asarray((1 + light[0] * x + light[1] * y)[..., None], np.float32)


def _square(die: Drawn) -> NDArray[np.float64]:
    angle = np.deg2rad(die.yaw_deg)
    along = np.array((np.cos(angle), np.sin(angle))) * die.edge / 2
    across = np.array((-along[1], along[0]))
    center = np.array((die.x, die.y))
    return np.array([center + a * along + b * across for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))])


def _shadow(out: NDArray[np.float32], die: Drawn) -> None:
    corners = _square(die) + np.array((0.18, 0.22)) * die.edge
    sigma = max(1.0, die.edge * 0.12)
    room = np.ceil(4 * sigma) + 3  # as far as the blur reaches; the rest of the picture stays as it is
    left, top = np.maximum(corners.min(axis=0) - room, 0).astype(int)
    right, low = np.maximum(corners.max(axis=0) + room, 0).astype(int)
    part = out[top:low, left:right]
    if not part.size:
        return
    mask = np.zeros(part.shape[:2], np.float32)
    cv2.fillPoly(mask, [np.rint(corners).astype(np.int32) - np.array((left, top), np.int32)], 1.0)
    mask = np.asarray(cv2.GaussianBlur(mask, (0, 0), sigma), np.float32)
    part *= (1 - 0.45 * mask)[..., None]


def _die(out: NDArray[np.float32], die: Drawn, middle: NDArray[np.float64], camera: float) -> None:
    """Side faces that the camera sees, then the up-face with rounded corners."""
    top = _square(die)
    foot = middle + (top - middle) * camera / (camera + die.edge)
    sides = SIDE_FACES[die.face] if isinstance(die.face, int) else ("square", "square", "dot", "square")
    angle = np.deg2rad(die.yaw_deg)
    for i in range(4):
        j = (i + 1) % 4
        normal = (top[i] + top[j]) / 2 - top.mean(axis=0)
        if normal @ ((top[i] + top[j]) / 2 - middle) >= 0:  # turned away from the camera
            continue
        shade = 0.68 + 0.14 * np.cos(angle + i * np.pi / 2)
        _paste(out, np.array([top[i], top[j], foot[j], foot[i]]), sides[i], die, shade, 0.0)
    _paste(out, top, die.face, die, 1.0, 0.14)


def _paste(
    out: NDArray[np.float32],
    quad: NDArray[np.float64],
    face: int | str,
    die: Drawn,
    shade: float,
    rounding: float,
) -> None:
    size = float(TILE)
    source = np.array([(0, 0), (size, 0), (size, size), (0, size)], np.float32)
    move = cv2.getPerspectiveTransform(source, quad.astype(np.float32))
    alpha = np.zeros((TILE, TILE), np.float32)
    reach = int(rounding * TILE)
    cv2.rectangle(alpha, (reach, 0), (TILE - reach, TILE), 1.0, -1)
    cv2.rectangle(alpha, (0, reach), (TILE, TILE - reach), 1.0, -1)
    for x in (reach, TILE - reach):
        for y in (reach, TILE - reach):
            cv2.circle(alpha, (x, y), reach, 1.0, -1)
    low = np.floor(quad.min(axis=0)).astype(int) - 2
    high = np.ceil(quad.max(axis=0)).astype(int) + 3
    low, high = np.maximum(low, 0), np.minimum(high, (out.shape[1], out.shape[0]))
    if np.any(high <= low):
        return
    shift = np.array(((1, 0, -low[0]), (0, 1, -low[1]), (0, 0, 1)), np.float64) @ move
    box = (int(high[0] - low[0]), int(high[1] - low[1]))
    drawn = cv2.warpPerspective(tile(face, die.body, die.ink), shift, box, flags=cv2.INTER_AREA).astype(
        np.float32
    )
    cover = cv2.warpPerspective(alpha, shift, box, flags=cv2.INTER_LINEAR)[..., None]
    part = out[low[1] : high[1], low[0] : high[0]]
    part[:] = part * (1 - cover) + drawn * shade * cover

"""Draws moving scenes for the watch: a flat table, dice, hands, light and noise, 640x480 at any moment.

Simpler than the simulated table, and able to do what a good table never does: lamps from the side, gloves of
the felt's own grey, blinking lights, dice that rock.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Picture
from vision.watch.watch import FrameState, Watch

Light = NDArray[np.float32] | float
WIDTH, HEIGHT = 640, 480
SPOTS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}


@dataclass(frozen=True)
class Cube:
    """A die seen from above."""

    x: float
    y: float
    value: int = 5
    turn_deg: float = 20.0
    edge: float = 26.0
    color: tuple[int, int, int] = (200, 225, 230)


@dataclass(frozen=True)
class Arm:
    """An arm from the lower border with its fingertips at (x, y)."""

    x: float
    y: float
    width: float = 90.0
    color: tuple[int, int, int] = (120, 150, 205)


@dataclass(frozen=True)
class Stage:
    """What lies on the table at one moment."""

    cubes: tuple[Cube, ...] = ()
    arm: Arm | None = None
    light: Light = 1.0
    noise: float = 2.0
    felt: tuple[int, int, int] = (60, 110, 40)
    lamp_on: bool | None = None
    """A small light at the picture's left edge."""
    shift: tuple[int, int] = (0, 0)
    seed: int = field(default=0, compare=False)

    def picture(self) -> Picture:
        """The camera's picture; the noise is the seed's."""
        lit = _painted(replace(self, light=1.0)).astype(np.float32)
        lit *= self.light[..., None] if isinstance(self.light, np.ndarray) else np.float32(self.light)
        down, right = np.random.default_rng(self.seed).integers(0, 400, 2)
        grain = _noise()[down : down + HEIGHT, right : right + WIDTH]
        return np.clip(cv2.scaleAdd(grain, self.noise, lit), 0, 255).astype(np.uint8)


@lru_cache(1)
def _painted(stage: Stage) -> Picture:
    """Without light and noise: a stage that is shown for a while is painted once."""
    image = _felt(stage.felt).copy()
    for cube in stage.cubes:
        _draw_cube(image, cube)
    if stage.lamp_on is not None:
        cv2.circle(image, (14, 200), 6, (60, 60, 255) if stage.lamp_on else (20, 20, 60), -1, cv2.LINE_AA)
    if stage.arm is not None:
        _draw_arm(image, stage.arm)
    if stage.shift != (0, 0):
        matrix = np.array([[1, 0, stage.shift[0]], [0, 1, stage.shift[1]]], np.float64)
        shifted = cv2.warpAffine(image, matrix, (WIDTH, HEIGHT), borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(shifted, np.uint8)
    return image


@cache
def _noise() -> NDArray[np.float32]:
    """One large sheet of sensor noise; every frame gets another piece of it."""
    return np.random.default_rng(7).standard_normal((HEIGHT + 400, WIDTH + 400, 3), np.float32)


@cache
def _felt(color: tuple[int, int, int]) -> Picture:
    grain = np.random.default_rng(99).normal(0, 10, (HEIGHT // 2, WIDTH // 2))
    texture = cv2.resize(cv2.GaussianBlur(grain, (0, 0), 1.2), (WIDTH, HEIGHT))
    return np.clip(np.full((HEIGHT, WIDTH, 3), color) + texture[..., None], 0, 255).astype(np.uint8)


def _draw_cube(image: Picture, cube: Cube) -> None:
    box = cv2.boxPoints(((cube.x + 3, cube.y + 3), (cube.edge + 6, cube.edge + 6), cube.turn_deg))
    shade = image.copy()
    cv2.fillPoly(shade, [np.round(box * 16).astype(np.int32)], (30, 55, 20), cv2.LINE_AA, 4)
    cv2.addWeighted(shade, 0.6, image, 0.4, 0, dst=image)
    box = cv2.boxPoints(((cube.x, cube.y), (cube.edge, cube.edge), cube.turn_deg))
    cv2.fillPoly(image, [np.round(box * 16).astype(np.int32)], cube.color, cv2.LINE_AA, 4)
    angle = np.deg2rad(cube.turn_deg)
    rotation = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    for spot in SPOTS[cube.value]:
        x, y = rotation @ (np.array(spot) * cube.edge * 0.27) + (cube.x, cube.y)
        center = (round(x * 16), round(y * 16))
        cv2.circle(image, center, round(cube.edge * 1.6), (25, 25, 25), -1, cv2.LINE_AA, 4)


def _draw_arm(image: Picture, arm: Arm) -> None:
    half = arm.width / 2
    outline = [(arm.x - half, HEIGHT + 5), (arm.x - half * 0.8, arm.y + half), (arm.x - half * 0.4, arm.y)]
    outline += [(arm.x + half * 0.4, arm.y), (arm.x + half * 0.8, arm.y + half), (arm.x + half, HEIGHT + 5)]
    cv2.fillPoly(image, [np.round(np.array(outline) * 16).astype(np.int32)], arm.color, cv2.LINE_AA, 4)


def gradient(left: float, right: float) -> NDArray[np.float32]:
    """Light from the side."""
    return np.tile(np.linspace(left, right, WIDTH, dtype=np.float32), (HEIGHT, 1))


def soft_shadow(center_x: float, depth: float = 0.4, width: float = 150.0) -> NDArray[np.float32]:
    """The shadow of somebody standing between lamp and table."""
    across = 1 - depth * np.exp(-0.5 * ((np.arange(WIDTH) - center_x) / width) ** 2)
    return np.tile(across.astype(np.float32), (HEIGHT, 1))


@dataclass
class Session:
    """Shows stages to a watch, one frame after the other, and keeps its looks."""

    watch: Watch = field(default_factory=Watch)
    fps: float = 20.0
    looks: list[FrameState] = field(default_factory=list)

    @property
    def time_ms(self) -> float:
        """When the next frame is due."""
        return 1000.0 + len(self.looks) * 1000.0 / self.fps

    @property
    def last(self) -> FrameState:
        """The newest look."""
        return self.looks[-1]

    def show(self, stage: Stage, span_ms: float) -> list[FrameState]:
        """The same stage for a while, with fresh noise."""
        return self.play(lambda _: stage, span_ms)

    def play(self, stage_at: Callable[[float], Stage], span_ms: float) -> list[FrameState]:
        """Stages by how far the span has gone, 0 to 1."""
        count = max(1, round(span_ms * self.fps / 1000))
        return [self.frame(stage_at((i + 1) / count)) for i in range(count)]

    def frame(self, stage: Stage) -> FrameState:
        """One frame."""
        self.looks.append(self.watch.see(replace(stage, seed=len(self.looks)).picture(), self.time_ms))
        return self.last


def states(looks: Iterable[FrameState]) -> set[str]:
    """All states among some looks."""
    return {look.state for look in looks}

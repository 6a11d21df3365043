"""The lamp over the table and the light of the room: how bright a place is, and what dice take from it."""

from dataclasses import dataclass

import numpy as np

from benchmarks.landing.cube import Cube, blocked
from calibration.arrays import Floats

LAMP_SAMPLES = 7
SKY_SAMPLES = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Light:
    """A square lamp and an even sky; both as irradiance on the table at its middle."""

    lamp_mm: tuple[float, float, float]
    half_size_mm: float
    lamp: tuple[float, float, float]
    """Blue, green, red."""
    sky: tuple[float, float, float]

    def lamp_at(self, points_mm: Floats, normals: Floats) -> Floats:
        """Unshadowed irradiance (n, 1) of the lamp, 1 straight below it: the cosine law over the squared
        distance.
        """
        towards = np.array(self.lamp_mm) - points_mm
        distance = np.linalg.norm(towards, axis=1, keepdims=True)
        cosine = np.clip(np.sum(towards * normals, axis=1, keepdims=True) / distance, 0, None)
        # The lamp shines downwards, so its own face is seen slanted too.
        return np.asarray(cosine * (towards[:, 2:] / distance) * (self.lamp_mm[2] / distance) ** 2)

    def places(self, rng: np.random.Generator, count: int) -> Floats:
        """Points (count * count, 3) spread over the lamp, one in each of its squares."""
        cells = np.stack(np.meshgrid(np.arange(count), np.arange(count)), -1).reshape(-1, 2)
        spread = ((cells + rng.random((count * count, 2))) / count * 2 - 1) * self.half_size_mm
        return np.asarray(np.column_stack((spread, np.zeros(len(spread)))) + np.array(self.lamp_mm))


@dataclass(frozen=True, slots=True, kw_only=True)
class Shading:
    """How light behaves at a die, as far as it has to be settled: no table has quite the same."""

    depth: float = 1.0
    """The power of the share of light that dice leave to the table: above 1 their shadows are deeper."""
    soft_mm: float = 0.6
    """How much softer all shadows on the table are made, one sigma."""
    sideways: float = 0.5
    """How much of the room's light falls on what faces sideways; on what faces upwards it is 1."""
    foot_mm: float = 5.0
    """The height of a die's foot, to which less light comes."""
    foot_room: float = 0.45
    foot_table: float = 0.65
    """How much less at the very bottom: of the room's light, and of what the table throws back."""
    grazing: float = 0.5
    """How much a die's skin mirrors more where it is seen at a slant."""
    shine_wide: float = 1.0
    shine_bright: float = 1.0
    """The lamp's mirror image on the skin, beside what is usual."""


USUAL_SHADING = Shading()


def sky_directions(rng: np.random.Generator, count: int) -> Floats:
    """Directions (count, 3) over the upper half, denser towards the zenith as the cosine law wants."""
    order = (np.arange(count) + rng.random()) / count
    angle = np.arange(count) * 2.399963 + rng.random() * 6.28
    out = np.sqrt(order)
    return np.stack((out * np.cos(angle), out * np.sin(angle), np.sqrt(1 - order)), axis=1)


def open_to_lamp(points_mm: Floats, cubes: tuple[Cube, ...], places_mm: Floats, through: Floats) -> Floats:
    """The share (n, 3) of the lamp's light, by colour, that reaches points of the table past the dice.

    `through` (dice, 3) is what each die lets pass.
    """
    passed = np.zeros((len(points_mm), 3))
    for place in places_mm:
        towards = place - points_mm
        reach = np.ones((len(points_mm), 3))
        for cube, clear in zip(cubes, through, strict=True):
            reach[blocked(cube, points_mm, towards)] *= clear
        passed += reach
    return np.asarray(passed / len(places_mm))


def open_to_sky(points_mm: Floats, cubes: tuple[Cube, ...], directions: Floats) -> Floats:
    """The share (n, 1) of the sky's light that reaches points of the table past the dice."""
    passed = np.zeros(len(points_mm))
    for direction in directions:
        towards = np.broadcast_to(direction * 200.0, points_mm.shape)
        shut = np.zeros(len(points_mm), bool)
        for cube in cubes:
            shut |= blocked(cube, points_mm, towards)
        passed += ~shut
    return np.asarray(passed[:, None] / len(directions))

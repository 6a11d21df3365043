"""The landing painter's camera: optics, exact shares of pixels, sensor and light.

A true perspective with Brown-Conrady distortion, inverted by Newton's method; written apart from
`calibration.view` and from OpenCV's projection on purpose: two cameras hide fewer mistakes than one. How much
of each pixel a polygon covers is an area and not a count of samples: each side is cut where it crosses the
borders of pixels, and a piece inside one pixel adds its area.
"""

import math
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.landing.cube import Cube, blocked
from calibration.arrays import Floats, Picture, Singles

NEWTON_ROUNDS = 6
MAP_STEP_PX = 8


@dataclass(frozen=True, kw_only=True)
class Optics:
    """What the glass and the sensor do: D. C. Brown's radial and tangential terms on a pinhole."""

    width_px: int
    height_px: int
    focal_px: tuple[float, float]
    centre_px: tuple[float, float]
    k: tuple[float, float, float]
    p: tuple[float, float]

    def bend(self, flat: Floats) -> Floats:
        """Where the ray through (x, y, 1) really falls on the plane one unit deep; (n, 2) to (n, 2)."""
        x, y = flat[:, 0], flat[:, 1]
        r2 = x * x + y * y
        radial = 1 + r2 * (self.k[0] + r2 * (self.k[1] + r2 * self.k[2]))
        p1, p2 = self.p
        return np.stack(
            (
                x * radial + 2 * p1 * x * y + p2 * (r2 + 2 * x * x),
                y * radial + p1 * (r2 + 2 * y * y) + 2 * p2 * x * y,
            ),
            axis=1,
        )

    def unbend(self, bent: Floats) -> Floats:
        """The inverse of `bend`, to the last bits of a double."""
        p1, p2 = self.p
        k1, k2, k3 = self.k
        flat = bent.copy()
        for _ in range(NEWTON_ROUNDS):
            x, y = flat[:, 0], flat[:, 1]
            r2 = x * x + y * y
            radial = 1 + r2 * (k1 + r2 * (k2 + r2 * k3))
            slope = 2 * (k1 + r2 * (2 * k2 + r2 * 3 * k3))
            xx = radial + x * x * slope + 2 * p1 * y + 6 * p2 * x
            xy = x * y * slope + 2 * p1 * x + 2 * p2 * y
            yy = radial + y * y * slope + 6 * p1 * y + 2 * p2 * x
            off = self.bend(flat) - bent
            whole = xx * yy - xy * xy
            flat = flat - np.stack(
                ((yy * off[:, 0] - xy * off[:, 1]) / whole, (xx * off[:, 1] - xy * off[:, 0]) / whole), axis=1
            )
        return flat


@dataclass(frozen=True, kw_only=True)
class Camera:
    """Optics that hang over the table."""

    optics: Optics
    eye_mm: tuple[float, float, float]
    axes: tuple[tuple[float, float, float], ...]
    """Right, down and ahead, as unit vectors of the table frame."""

    @cached_property
    def turn(self) -> Floats:
        """The axes as a matrix (3, 3): it takes the table's directions to the camera's."""
        return np.array(self.axes)

    def project(self, points_mm: Floats) -> Floats:
        """Pixels (n, 2) of points (n, 3) of the table frame."""
        seen = (np.asarray(points_mm, np.float64) - np.array(self.eye_mm)) @ self.turn.T
        bent = self.optics.bend(seen[:, :2] / seen[:, 2:])
        return np.asarray(bent * np.array(self.optics.focal_px) + np.array(self.optics.centre_px))

    def look(self, points_px: Floats) -> Floats:
        """Unit directions (n, 3) of the table frame in which pixels (n, 2) look."""
        flat = self._flat(np.asarray(points_px, np.float64))
        rays = np.column_stack((flat, np.ones(len(flat)))) @ self.turn
        return np.asarray(rays / np.linalg.norm(rays, axis=1, keepdims=True))

    def ground(self, points_px: Floats) -> Floats:
        """The points (n, 2) of the plane z = 0 that pixels (n, 2) see."""
        rays = self.look(points_px)
        eye = np.array(self.eye_mm)
        return np.asarray(eye[:2] - rays[:, :2] * (eye[2] / rays[:, 2:]))

    def ground_map(self, first_row: int, last_row: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """x and y in mm, (rows, width) each, that the pixels of some rows see.

        Exact at every eighth pixel and straight in between, which leaves less than 0.002 px.
        """
        wide = self.optics.width_px
        columns = np.arange(-MAP_STEP_PX, wide + 2 * MAP_STEP_PX, MAP_STEP_PX, dtype=np.float64)
        rows = np.arange(first_row - MAP_STEP_PX, last_row + 2 * MAP_STEP_PX, MAP_STEP_PX, dtype=np.float64)
        grid = np.stack(np.meshgrid(columns, rows), axis=-1).reshape(-1, 2)
        known = self.ground(grid).reshape(len(rows), len(columns), 2).astype(np.float32)
        at_y = (np.arange(first_row, last_row) - rows[0]) / MAP_STEP_PX
        at_x = (np.arange(wide) - columns[0]) / MAP_STEP_PX
        y0, x0 = at_y.astype(int), at_x.astype(int)
        wy = (at_y - y0).astype(np.float32)[:, None, None]
        wx = (at_x - x0).astype(np.float32)[None, :]
        lines = known[y0] * (1 - wy) + known[y0 + 1] * wy
        x, y = (lines[:, x0, i] * (1 - wx) + lines[:, x0 + 1, i] * wx for i in range(2))
        return x, y

    def _flat(self, points_px: Floats) -> Floats:
        optics = self.optics
        return optics.unbend((points_px - np.array(optics.centre_px)) / np.array(optics.focal_px))


def hang(
    optics: Optics, aim_mm: tuple[float, float], up_mm: float, tilt_deg: tuple[float, float], roll_deg: float
) -> Camera:
    """A camera `up_mm` above the table whose axis meets it at `aim_mm`.

    Tilted about x and then y, and turned about its axis; at roll 0 the picture's top is the halfway line's
    side.
    """
    a, b, c = (math.radians(v) for v in (*tilt_deg, roll_deg))
    about_x = np.array([[1, 0, 0], [0, math.cos(a), -math.sin(a)], [0, math.sin(a), math.cos(a)]])
    about_y = np.array([[math.cos(b), 0, math.sin(b)], [0, 1, 0], [-math.sin(b), 0, math.cos(b)]])
    roll = np.array([[math.cos(c), -math.sin(c), 0], [math.sin(c), math.cos(c), 0], [0, 0, 1]])
    upright = np.array([[1.0, 0, 0], [0, -1, 0], [0, 0, -1]])
    turn = roll @ upright @ (about_y @ about_x).T
    ahead = turn[2]
    eye = (aim_mm[0] + ahead[0] / ahead[2] * up_mm, aim_mm[1] + ahead[1] / ahead[2] * up_mm, up_mm)
    axes = tuple((float(row[0]), float(row[1]), float(row[2])) for row in turn)
    return Camera(optics=optics, eye_mm=(float(eye[0]), float(eye[1]), float(eye[2])), axes=axes)


@dataclass(frozen=True, slots=True)
class Share:
    """How much of each pixel of a window is covered."""

    left: int
    top: int
    cover: NDArray[np.float32]
    """(rows, columns), 0 to 1."""

    @property
    def window(self) -> tuple[slice, slice]:
        """The rows and columns of the picture that it speaks of."""
        high, wide = self.cover.shape
        return slice(self.top, self.top + high), slice(self.left, self.left + wide)


def share(outlines: list[Floats], width: int, height: int) -> Share | None:
    """The part of each pixel inside the outlines (each (n, 2) pixels, closed, not crossing); None when out
    of sight.

    Outlines that do not overlap add up; one that runs the other way round inside another is a hole.
    """
    starts = np.concatenate(outlines) + 0.5
    ends = np.concatenate([np.roll(line, -1, axis=0) for line in outlines]) + 0.5
    left = max(0, int(np.floor(starts[:, 0].min())))
    right = min(width, int(np.ceil(starts[:, 0].max())) + 1)
    top = max(0, int(np.floor(starts[:, 1].min())))
    bottom = min(height, int(np.ceil(starts[:, 1].max())) + 1)
    if left >= right or top >= bottom:
        return None
    origin = np.array([left, top], np.float64)
    total = _accumulate(starts - origin, ends - origin, right - left, bottom - top)
    cover = np.abs(np.cumsum(total, axis=1)[:, : right - left])
    return Share(left, top, np.clip(cover, 0, 1).astype(np.float32))


def _accumulate(starts: Floats, ends: Floats, wide: int, high: int) -> Floats:
    """Signed heights and trapezoids, (high, wide + 1), still to be summed along the rows."""
    starts, ends = _pieces(starts, ends)
    heights = ends[:, 1] - starts[:, 1]
    middle = (starts + ends) / 2
    rows = np.floor(middle[:, 1]).astype(np.int64)
    across = np.clip(middle[:, 0], 0, None)
    inside = (rows >= 0) & (rows < high) & (across < wide)
    rows, across, heights = rows[inside], across[inside], heights[inside]
    columns = np.floor(across).astype(np.int64)
    beyond = across - columns
    cells = rows * (wide + 1) + columns
    size = high * (wide + 1)
    total = (
        np.bincount(cells, heights * (1 - beyond), size)
        + np.bincount(cells + 1, heights * beyond, size)[:size]
    )
    return np.asarray(total.reshape(high, wide + 1))


def _pieces(starts: Floats, ends: Floats) -> tuple[Floats, Floats]:
    """The sides cut at the borders of pixels, so that each piece lies in one."""
    owner, along = [np.arange(len(starts))], [np.zeros(len(starts))]
    for axis in range(2):
        first, last = starts[:, axis], ends[:, axis]
        low, high = np.minimum(first, last), np.maximum(first, last)
        from_, count = np.floor(low) + 1, np.maximum(0, np.ceil(high) - 1 - np.floor(low)).astype(np.int64)
        which = np.repeat(np.arange(len(starts)), count)
        step = np.arange(len(which)) - np.repeat(np.cumsum(count) - count, count)
        border = from_[which] + step
        owner.append(which)
        along.append((border - first[which]) / (last[which] - first[which]))
    who, when = np.concatenate(owner), np.clip(np.concatenate(along), 0, 1)
    order = np.lexsort((when, who))
    who, when = who[order], when[order]
    later = np.append(when[1:], 1.0)
    later[np.append(who[1:] != who[:-1], True)] = 1.0
    span = ends[who] - starts[who]
    return starts[who] + span * when[:, None], starts[who] + span * later[:, None]


WHITE_BALANCE = np.array([1.55, 1.0, 1.75], np.float32)
"""What blue, green and red are multiplied with: silicon sees green best."""
TOP = 16383.0
"""Raw steps; the spread of a step is far below the read noise."""
BLACK = 300.0
"""The step of no light: noise goes below it, and is not cut off there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sensor:
    """One camera's habits. Blur and sharpening are Gaussian, sigma in px."""

    blur_px: float
    electrons: float
    """How many fill a green pixel to white."""
    read_noise: float
    """Electrons."""
    mosaic: bool = True
    sharpen: float = 0.0
    sharpen_px: float = 1.0
    smooth: bool = False
    """Whether the firmware takes out noise with a small median of the raw colours' differences."""
    contrast: float = 0.0
    """How much of an S the tone curve is; 0 is plain sRGB."""
    exposure: float = 0.8
    """Where white paper under the lamp lies between black and white."""
    quality: int = 95


def expose(light: Singles, sensor: Sensor, seed: int) -> bytes:
    """The JPEG file of a scene in linear light (height, width, 3); the same seed gives the same noise."""
    done, packed = cv2.imencode(
        ".jpg", develop(light, sensor, seed), [cv2.IMWRITE_JPEG_QUALITY, sensor.quality]
    )
    if not done:
        raise ValueError("OpenCV could not write a JPEG of this scene")
    return bytes(packed)


def develop(light: Singles, sensor: Sensor, seed: int) -> Picture:
    """The picture before it is packed."""
    rng = np.random.Generator(np.random.SFC64(seed))
    seen = cv2.GaussianBlur(light, (0, 0), sensor.blur_px) if sensor.blur_px > 0 else light.copy()
    seen = np.asarray(seen * (sensor.exposure / WHITE_BALANCE), np.float32)
    if sensor.mosaic:
        colors = _demosaiced(_noisy(_filtered(seen), sensor, rng))
    else:
        colors = np.stack([_noisy(np.ascontiguousarray(seen[..., i]), sensor, rng) for i in range(3)], axis=2)
    colors = np.asarray((colors - np.float32(BLACK)) * (WHITE_BALANCE / (TOP - BLACK)), np.float32)
    if sensor.smooth:
        colors = _calmer(colors)
    picture = _toned(colors, sensor)
    if sensor.sharpen > 0:
        soft = cv2.GaussianBlur(picture, (0, 0), sensor.sharpen_px)
        return np.asarray(cv2.addWeighted(picture, 1 + sensor.sharpen, soft, -sensor.sharpen, 0), np.uint8)
    return picture


def _filtered(seen: Singles) -> Singles:
    """Each pixel behind its colour filter: red at the top left, then green, blue at the bottom right."""
    raw = np.ascontiguousarray(seen[..., 1])
    raw[::2, ::2] = seen[::2, ::2, 2]
    raw[1::2, 1::2] = seen[1::2, 1::2, 0]
    return raw


def _noisy(raw: Singles, sensor: Sensor, rng: np.random.Generator) -> NDArray[np.uint16]:
    """Photon noise as a Gaussian of the same spread (thousands of electrons), read noise, steps."""
    electrons = np.maximum(raw, 0) * sensor.electrons
    noise = rng.standard_normal(raw.shape, np.float32)
    noise *= np.sqrt(electrons + sensor.read_noise**2)
    steps = (electrons + noise) * np.float32((TOP - BLACK) / sensor.electrons) + np.float32(BLACK)
    return np.clip(np.rint(steps), 0, TOP).astype(np.uint16)


def _demosaiced(raw: NDArray[np.uint16]) -> Singles:
    colors = cv2.demosaicing(raw, cv2.COLOR_BayerRGGB2BGR_EA)
    return np.asarray(colors, np.float32)


def _calmer(colors: Singles) -> Singles:
    """Colour noise taken out as firmware does: the colour differences are blurred, the green is kept."""
    green = colors[..., 1]
    calm = colors.copy()
    for i in (0, 2):
        calm[..., i] = green + cv2.medianBlur(np.ascontiguousarray(colors[..., i] - green), 3)
    return calm


def _toned(colors: Singles, sensor: Sensor) -> Picture:
    """sRGB's curve with a little more contrast, through a table."""
    level = np.arange(4096, dtype=np.float64) / 4095
    curve = np.where(level <= 0.0031308, level * 12.92, 1.055 * level ** (1 / 2.4) - 0.055)
    s = curve * curve * (3 - 2 * curve)
    table = np.rint(255 * ((1 - sensor.contrast) * curve + sensor.contrast * s)).astype(np.uint8)
    return np.asarray(table[np.clip(colors * 4095, 0, 4095).astype(np.int16)])


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

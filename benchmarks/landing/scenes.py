"""Thrown dice with known truth: landings spread evenly, landings a hair from a line or the dot, heaps and
edges.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from benchmarks.landing.cube import Cube, distance, standing
from benchmarks.landing.dice import KINDS, Die, draw_skin, dress
from benchmarks.landing.kit import Kit, bare, kept, kit
from benchmarks.landing.render import set_dice
from benchmarks.landing.sensor import Sensor, expose
from benchmarks.landing.truth import Landing, judge, reach
from calibration.arrays import Floats, Picture

STYLES = ("even", "near", "dot", "crowd", "edge")
TABLES = 8
"""Tables (kits) that scenes are spread over: two lenses, each over four tops."""
FREE_MM = 29.0
"""Between the middles of dice that were not meant to touch."""
LEAN_DEG = (4.0, 40.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class DieTruth:
    """One die as it really lies."""

    die: Die
    footprint: Floats
    """Its vertical projection (n, 2), counter-clockwise, in mm."""
    cocked: bool
    touching: bool
    landing: Landing

    @property
    def value(self) -> int:
        """Its up-face."""
        return self.die.value

    @property
    def kind(self) -> str:
        """What it is made of."""
        return self.die.skin.kind

    @property
    def center_mm(self) -> tuple[float, float]:
        """The middle of the projection."""
        x, y, _ = self.die.cube.center_mm
        return x, y

    @property
    def edge_mm(self) -> float:
        """Its edge."""
        return self.die.cube.edge_mm

    @property
    def yaw_deg(self) -> float:
        """0 up to 90."""
        x, y, _ = self.die.cube.turn[0]
        return math.degrees(math.atan2(y, x)) % 90.0


@dataclass(frozen=True, kw_only=True)
class Scene:
    """One picture of dice at rest."""

    seed: int
    style: str
    kit: Kit
    dice: tuple[DieTruth, ...]

    @property
    def path(self) -> Path:
        """The JPEG file; drawn when first asked for."""
        return kept(f"{self.kit.name}-scene-{self.style}-{self.seed:05d}.jpg", self._drawn)

    @property
    def picture(self) -> Picture:
        """The file, unpacked: BGR (height, width, 3)."""
        return unpack(self.path)

    def _drawn(self) -> bytes:
        light = bare(self.kit.name, self.kit.seed).copy()
        set_dice(light, self.kit.setting, tuple(d.die for d in self.dice), self.seed)
        return expose(light, sensor_of(self.kit, self.seed), self.seed + 7_000_000)


def unpack(path: Path) -> Picture:
    """A JPEG file's picture: BGR (height, width, 3)."""
    return np.asarray(cv2.imdecode(np.frombuffer(path.read_bytes(), np.uint8), cv2.IMREAD_COLOR), np.uint8)


def sensor_of(over: Kit, seed: int) -> Sensor:
    """The kit's sensor, exposed a little otherwise in each picture."""
    rng = np.random.default_rng([seed, 9])
    return replace(over.sensor, exposure=over.sensor.exposure * float(rng.uniform(0.94, 1.06)))


def truth_of(over: Kit, die: Die, *, touching: bool) -> DieTruth:
    """What is true of a die that lies on the kit's table."""
    footprint = die.cube.footprint()
    return DieTruth(
        die=die,
        footprint=footprint,
        cocked=abs(die.cube.turn[2][2]) < 0.9999,
        touching=touching,
        landing=judge(over.layout, footprint),
    )


def scene(seed: int, camera: str, style: str = "even", table: int | None = None) -> Scene:
    """The scene of a seed under a camera ("12mp", "3mp", "1mp"); its table is that of `seed % TABLES`
    unless named.
    """
    over = kit(camera, seed % TABLES if table is None else table)
    rng = np.random.default_rng([seed, STYLES.index(style), 77])
    makers: dict[str, Callable[[Kit, np.random.Generator], list[Cube]]] = {
        "even": _even,
        "near": _near,
        "dot": _dot,
        "crowd": _crowd,
        "edge": _edge,
    }
    cubes = [on_tape(over, cube) for cube in makers[style](over, rng) if in_sight(over, cube)]
    dice = [dress(c, draw_skin(str(rng.choice(KINDS)), rng), int(rng.integers(1, 7)), rng) for c in cubes]
    truths = tuple(
        truth_of(
            over, die, touching=any(gap(die.cube, other.cube) < 0.3 for other in dice if other is not die)
        )
        for die in dice
    )
    return Scene(seed=seed, style=style, kit=over, dice=truths)


def on_tape(over: Kit, cube: Cube) -> Cube:
    """The cube as high as what it stands on: a tape, when it reaches over one."""
    if any(reach(cube.footprint(), strip.outline_mm) > 0 for strip in over.layout.strips):
        x, y, z = cube.center_mm
        return replace(cube, center_mm=(x, y, z + over.layout.tape_mm))
    return cube


def lines_of(over: Kit) -> list[Floats]:
    """The lines by which a landing is called (n, 2): the zones' outlines and the side tapes' outer edges."""
    lines = [area.outline_mm for area in over.layout.areas]
    return lines + [strip.outer_mm for strip in over.layout.strips if strip.name != "halfway"]


def _body(rng: np.random.Generator, at: tuple[float, float], lean: Floats | None = None) -> Cube:
    edge, radius = float(rng.uniform(15.8, 16.2)), float(rng.uniform(1.35, 1.85))
    return standing((at[0], at[1], 0.0), edge, radius, float(rng.uniform(0, 90)), lean)


def _even(over: Kit, rng: np.random.Generator) -> list[Cube]:
    """One to six dice anywhere on the sheet or within 60 mm of it."""
    cubes: list[Cube] = []
    for _ in range(int(rng.integers(1, 7))):
        _put(cubes, lambda: _body(rng, (float(rng.uniform(-212, 212)), float(rng.uniform(3, 517)))), over)
    return cubes


def _near(over: Kit, rng: np.random.Generator) -> list[Cube]:
    """Dice whose nearest point is within a millimetre of a line, on either side."""
    lines = lines_of(over)

    def once() -> Cube:
        line = lines[int(rng.integers(len(lines)))]
        i = int(rng.integers(1, len(line) - 1))
        side = line[i + 1] - line[i - 1]
        facing = np.array([side[1], -side[0]]) / np.linalg.norm(side) * rng.choice([-1, 1])
        cube = _body(rng, (0.0, 0.0))
        reach = float((cube.footprint() @ facing).max())
        at = line[i] - facing * (reach + rng.uniform(-1, 1))
        return moved(cube, (float(at[0]), float(at[1])))

    cubes: list[Cube] = []
    for _ in range(4):
        _put(cubes, once, over)
    return cubes


def _dot(over: Kit, rng: np.random.Generator) -> list[Cube]:
    """One die that just covers the dot or just does not, and some others."""
    cube = _body(rng, (0.0, 0.0))
    a = float(rng.uniform(0, 2 * math.pi))
    facing = np.array([math.cos(a), math.sin(a)])
    reach = float((cube.footprint() @ facing).max())
    off = max(0.0, reach - over.layout.dot_diameter_mm / 2 + float(rng.uniform(-1.2, 1.2)))
    at = np.array(over.layout.dot_mm) - facing * off
    cubes = [moved(cube, (float(at[0]), float(at[1])))]
    for _ in range(int(rng.integers(0, 3))):
        _put(cubes, lambda: _body(rng, (float(rng.uniform(-200, 200)), float(rng.uniform(3, 500)))), over)
    return cubes


def _crowd(over: Kit, rng: np.random.Generator) -> list[Cube]:
    """Pairs that touch, some of them with one die leaning on the other."""
    cubes: list[Cube] = []
    for _ in range(3):
        before = len(cubes)
        _put(cubes, lambda: _body(rng, (float(rng.uniform(-170, 170)), float(rng.uniform(40, 470)))), over)
        if len(cubes) == before:
            continue
        lean = draw_lean(rng) if rng.random() < 0.5 else None
        friend = against(cubes[-1], _body(rng, (0.0, 0.0), lean), float(rng.uniform(0, 2 * math.pi)))
        if all(apart(friend, other) > FREE_MM for other in cubes[:-1]):
            cubes.append(friend)
    return cubes


def _edge(over: Kit, rng: np.random.Generator) -> list[Cube]:
    """Dice half over the table's edge, half on the tapes, half off the sheet."""
    left, right = (s.outer_mm for s in over.layout.strips if s.name != "halfway")
    half = over.layout.half_width_mm

    def once() -> Cube:
        choice = int(rng.integers(4))
        if choice == 0:
            return _body(rng, (float(rng.uniform(-200, 200)), float(rng.uniform(1, 9))))
        if choice == 1:
            tape = left if rng.random() < 0.5 else right
            spot = tape[int(rng.integers(len(tape) // 3))]
            return _body(rng, (float(spot[0] + rng.uniform(-26, 26)), float(spot[1])))
        if choice == 2:
            return _body(
                rng, (float(rng.choice([-1, 1]) * (half - rng.uniform(1, 9))), float(rng.uniform(20, 500)))
            )
        return _body(rng, (float(rng.uniform(-160, 160)), float(457 + rng.uniform(-10, 10))))

    cubes: list[Cube] = []
    for _ in range(4):
        _put(cubes, once, over)
    return cubes


def _put(cubes: list[Cube], draw: Callable[[], Cube], over: Kit) -> None:
    """Add a drawn cube that has room and is in sight; after some tries, none."""
    for _ in range(30):
        cube = draw()
        on_table = cube.center_mm[1] > 0.5 and abs(cube.center_mm[0]) < over.layout.half_width_mm
        if on_table and in_sight(over, cube) and all(apart(cube, other) > FREE_MM for other in cubes):
            cubes.append(cube)
            return


def in_sight(over: Kit, cube: Cube) -> bool:
    x, y, z = cube.center_mm
    around = np.array([[x + dx, y + dy, z] for dx in (-16, 16) for dy in (-16, 16)])
    seen = over.camera.project(around)
    optics = over.camera.optics
    return bool((seen > 8).all() and (seen < np.array([optics.width_px, optics.height_px]) - 8).all())


def draw_lean(rng: np.random.Generator) -> Floats:
    """A tilt (3, 3) about one of the lower edges or, less often, about any level axis."""
    tilt = math.radians(float(rng.uniform(*LEAN_DEG)))
    about = (
        float(rng.choice([0, 1, 2, 3])) * math.pi / 2
        if rng.random() < 0.7
        else float(rng.uniform(0, 2 * math.pi))
    )
    axis = np.array([math.cos(about), math.sin(about), 0.0]) * tilt
    return np.asarray(cv2.Rodrigues(axis)[0], np.float64)


def moved(cube: Cube, at: tuple[float, float]) -> Cube:
    return replace(cube, center_mm=(at[0], at[1], cube.center_mm[2]))


def against(still: Cube, other: Cube, angle: float) -> Cube:
    """The other cube pushed along a direction until it touches."""
    x, y, _ = still.center_mm
    near, far = 8.0, 40.0
    for _ in range(30):
        middle = (near + far) / 2
        tried = moved(other, (x + middle * math.cos(angle), y + middle * math.sin(angle)))
        near, far = (middle, far) if gap(still, tried) < 0.02 else (near, middle)
    return moved(other, (x + far * math.cos(angle), y + far * math.sin(angle)))


def gap(one: Cube, other: Cube) -> float:
    """About how far two cubes are apart, from points along their inner edges; negative when they overlap."""
    if apart(one, other) > 2 * FREE_MM:
        return FREE_MM
    return min(_gap_from(one, other), _gap_from(other, one))


def _gap_from(one: Cube, other: Cube) -> float:
    corners = one.inner_mm
    pairs = [(i, i | 1 << k) for i in range(8) for k in range(3) if not i >> k & 1]
    shares = np.linspace(0, 1, 25)[:, None]
    points = np.concatenate([corners[i] * (1 - shares) + corners[j] * shares for i, j in pairs])
    return float(distance(other, other.local(points)).min()) - one.radius_mm


def apart(one: Cube, other: Cube) -> float:
    return float(np.hypot(*(np.array(one.center_mm[:2]) - np.array(other.center_mm[:2]))))

"""Scenes with their truth: cameras over tables, the pictures that calibrate them, and thrown dice.

A kit is one camera over one laid table: sixteen board views for its lens, four boards lying flat, the empty
table. The true call of a footprint is by geometry alone. `true_calibration` is what a perfect calibration
would have given. Pictures are kept in the cache folder.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.landing.cache import benchmark_folder, hash_files, keep_file
from benchmarks.landing.camera import Camera, Light, Optics, Sensor, expose, hang
from benchmarks.landing.cube import Cube, distance, standing
from benchmarks.landing.dice import KINDS, Die, draw_skin, dress, set_dice
from benchmarks.landing.table import (
    SURFACES,
    Board,
    Layout,
    Setting,
    description,
    draw_slips,
    flat_board,
    held_board,
    lay,
    make_surface,
    paint,
    patches_of,
)
from calibration.arrays import Floats, Picture, Singles
from calibration.description import PointMm
from calibration.table import Laid, LaidDot, LaidTape, LaidZone, TableCalibration
from calibration.view import Lens, View

LENS_VIEWS = 16
BOARD = Board()
FLAT_PLACES_MM = ((-215.0, 140.0), (215.0, 150.0), (-210.0, 560.0), (215.0, 545.0))
TABLES_PER_LENS = len(SURFACES)
JUDGES = ("__init__", "cache", "calibrated", "measured", "run")
"""What no picture depends on; all other source here makes another cache."""


@dataclass(frozen=True, slots=True)
class Preset:
    """A camera's picture size and about how much of the table a pixel sees."""

    width_px: int
    height_px: int
    mm_per_px: float
    electrons: float


PRESETS = {
    "12mp": Preset(4056, 3040, 0.30, 5000.0),
    "3mp": Preset(2028, 1520, 0.60, 16000.0),
    "1mp": Preset(1280, 960, 0.95, 16000.0),
}


@dataclass(frozen=True, kw_only=True)
class Kit:
    """One camera over one table, with the truth about both."""

    name: str
    surface: str
    setting: Setting
    layout: Layout
    sensor: Sensor
    """As the camera is set over this table."""
    lens_sensor: Sensor
    """As it was set when the lens was calibrated."""
    lens_seed: int
    seed: int
    board: Board = BOARD

    @property
    def camera(self) -> Camera:
        """The true camera."""
        return self.setting.camera

    def lens_views(self) -> tuple[Path, ...]:
        """The held board, sixteen times; made when first asked for."""
        return tuple(
            cache_file(f"{self.name}-lens{self.lens_seed}-{i:02d}.jpg", partial(self._held, i))
            for i in range(LENS_VIEWS)
        )

    def flats(self) -> tuple[Path, ...]:
        """The board lying on the table at four places."""
        return tuple(
            cache_file(f"{self.name}-table{self.seed}-flat{i}.jpg", partial(self._flat, i))
            for i in range(len(FLAT_PLACES_MM))
        )

    def empty(self) -> Path:
        """The table as it is played on, without dice."""
        return cache_file(
            f"{self.name}-table{self.seed}-empty.jpg",
            lambda: expose(bare(self.name, self.seed), self.sensor, self.seed * 100 + 60),
        )

    def _held(self, i: int) -> bytes:
        rng = np.random.default_rng([self.lens_seed, i, 3])
        light = held_board(self.camera.optics, self.board, rng)
        return expose(light, self.lens_sensor, self.lens_seed * 100 + i)

    def _flat(self, i: int) -> bytes:
        rng = np.random.default_rng([self.seed, i, 4])
        place = np.array(FLAT_PLACES_MM[i]) + rng.uniform(-15, 15, 2)
        patches, top = patches_of(self.layout, self.camera)
        middle = (float(place[0]), float(place[1]))
        lying = flat_board(self.camera, self.board, middle, float(rng.uniform(-8, 8)))
        light = paint(self.setting, (*patches, *lying), top)
        return expose(light, self.sensor, self.seed * 100 + 50 + i)


@lru_cache(maxsize=32)
def kit(name: str, seed: int) -> Kit:
    """The camera `name` ("12mp", "3mp", "1mp") over the table of a seed; four seeds in a row share a lens."""
    preset, plan = PRESETS[name], description()
    lens_seed = seed // TABLES_PER_LENS
    rng = np.random.default_rng([seed, sorted(PRESETS).index(name), 1])
    lens_rng = np.random.default_rng([lens_seed, sorted(PRESETS).index(name), 2])
    up_mm = float(lens_rng.uniform(900, 1200))
    optics = _glass(preset, up_mm, lens_rng)
    sideways = bool(rng.random() < 0.5)
    roll = float(rng.choice([90, 270] if sideways else [0, 180])) + float(rng.uniform(-2, 2))
    aim = (float(rng.uniform(-25, 25)), float(rng.uniform(430, 500) if sideways else rng.uniform(340, 390)))
    tilt = tuple(float(v) for v in rng.uniform(-4, 4, 2))
    kind = SURFACES[seed % len(SURFACES)]
    light = _lamp(rng)
    setting = Setting(
        camera=hang(optics, aim, up_mm * float(rng.uniform(0.97, 1.03)), (tilt[0], tilt[1]), roll),
        light=light,
        surface=make_surface(kind, seed, preset.mm_per_px),
        grain_deg=float(rng.choice([0, 90])) + float(rng.uniform(-3, 3)),
        floor=_three(rng.uniform(0.02, 0.12, 3)),
        half_width_mm=plan.table.surface_width_mm / 2,
        fall_off=float(rng.uniform(0.1, 0.3)),
    )
    return Kit(
        name=name,
        surface=kind,
        setting=setting,
        layout=lay(plan, draw_slips(rng)),
        sensor=_habits(preset, rng),
        lens_sensor=_habits(preset, lens_rng),
        lens_seed=lens_seed,
        seed=seed,
    )


@lru_cache(maxsize=1)
def bare(name: str, seed: int) -> Singles:
    """The light of a kit's empty table; the last one asked for is kept, and must not be written to."""
    made = kit(name, seed)
    light = paint(made.setting, *patches_of(made.layout, made.camera))
    light.setflags(write=False)
    return light


SOURCE = hash_files(path for path in Path(__file__).parent.glob("*.*") if path.stem not in JUDGES)
"""As it was when it was loaded: a long run keeps to the folder of the source that it runs."""


def cache_folder() -> Path:
    """Where pictures are kept; one folder for each state of the renderer's source."""
    return benchmark_folder("landing") / SOURCE


def cache_file(name: str, make: Callable[[], bytes]) -> Path:
    """The cached file of that name, made now if it is not there; a half-written one never counts."""
    return keep_file(cache_folder() / name, make)


def _three(values: NDArray[np.float64]) -> tuple[float, float, float]:
    a, b, c = (float(v) for v in values)
    return a, b, c


def _lamp(rng: np.random.Generator) -> Light:
    tint = rng.uniform([0.86, 1, 0.92], [1.0, 1, 1.1])
    share = rng.uniform(0.5, 0.75)
    return Light(
        lamp_mm=(
            float(rng.uniform(-500, 500)),
            float(rng.uniform(-200, 900)),
            float(rng.uniform(1000, 1700)),
        ),
        half_size_mm=float(rng.uniform(40, 160)),
        lamp=_three(tint * share),
        sky=_three(tint[::-1] * (1 - share)),
    )


def _glass(preset: Preset, up_mm: float, rng: np.random.Generator) -> Optics:
    focal = up_mm / (preset.mm_per_px * float(rng.uniform(0.97, 1.03)))
    return Optics(
        width_px=preset.width_px,
        height_px=preset.height_px,
        focal_px=(focal, focal * float(rng.uniform(0.999, 1.001))),
        centre_px=(
            preset.width_px * float(rng.uniform(0.49, 0.51)),
            preset.height_px * float(rng.uniform(0.49, 0.51)),
        ),
        k=_three(rng.uniform([-0.12, -0.04, -0.02], [0.06, 0.06, 0.02])),
        p=(float(rng.uniform(-6e-4, 6e-4)), float(rng.uniform(-6e-4, 6e-4))),
    )


def _habits(preset: Preset, rng: np.random.Generator) -> Sensor:
    return Sensor(
        blur_px=float(rng.uniform(0.5, 0.95)),
        electrons=preset.electrons * float(rng.uniform(0.7, 1.3)),
        read_noise=float(rng.uniform(2, 5)),
        sharpen=float(rng.choice([0.0, 0.0, 0.3, 0.6])),
        sharpen_px=float(rng.uniform(0.8, 1.4)),
        smooth=bool(rng.random() < 0.5),
        contrast=float(rng.uniform(0, 0.3)),
        exposure=float(rng.uniform(0.62, 0.9)),
        quality=int(rng.choice([88, 92, 95])),
    )


FINE_MM = 0.1
"""Between the points of a footprint's outline that are tried."""
CLEAR_MM = 4.0
"""How far from every line a die must be for its depth or gap to be taken from its outline alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Landing:
    """The true call of one footprint."""

    zone: int
    protrusion_mm: float
    """How deep it reaches into its zone; 0 out of play."""
    gap_mm: float | None
    """How far it is from the next better zone."""
    slack_mm: float
    """How far lines or die would have to move before the call changed."""
    dot_margin_mm: float
    """Positive: covered, by at least this; negative: the largest uncovered depth."""
    reaches: tuple[tuple[int, float], ...]
    """For each zone, and 1 for the field of play, how far it reaches into it; minus the gap if not."""


def judge(layout: Layout, footprint: Floats) -> Landing:
    """The call of a footprint (n, 2), convex and counter-clockwise, on this table."""
    outline = _finer(footprint)
    regions = [(area.value, area.outline_mm) for area in layout.areas]
    regions.append((1, in_play(layout)))
    regions.sort(key=lambda region: -region[0])
    halfway = next(strip for strip in layout.strips if strip.name == "halfway").inner_mm
    short = float(np.max(outline[:, 1] - np.interp(outline[:, 0], halfway[:, 0], halfway[:, 1])))
    depths = [(value, reach(outline, region)) for value, region in regions]
    called = next(
        ((value, depth) for value, depth in depths if depth > 0 and (value > 1 or short < 0)), (0, 0.0)
    )
    better = [(value, depth) for value, depth in depths if value > called[0]]
    slack = [-depth for _, depth in better] + ([called[1]] if called[0] else []) + [abs(short)]
    return Landing(
        zone=called[0],
        protrusion_mm=called[1],
        gap_mm=-better[-1][1] if better else None,
        slack_mm=min(slack),
        reaches=tuple(depths),
        dot_margin_mm=float(_inside(np.array([layout.dot_mm]), footprint)[0]) - layout.dot_diameter_mm / 2,
    )


def in_play(layout: Layout) -> Floats:
    """The field (n, 2) between the sheet's front and the halfway tape, side tapes included."""
    strips = {strip.name: strip for strip in layout.strips}
    return np.concatenate((strips["left"].outer_mm[::-1], strips["right"].outer_mm))


def reach(outline: Floats, region: Floats) -> float:
    """How deep the deepest point of a convex outline (n, 2) lies in a region (m, 2); negative: the gap
    between them.
    """
    middle = outline.mean(axis=0)
    size = float(np.linalg.norm(outline - middle, axis=1).max())
    away = float(_inside(middle[None], region)[0])
    if abs(away) > size + CLEAR_MM:
        # Well inside or well off: the outline's own corners say enough.
        return max(away, float(_inside(outline[:: len(outline) // 64 + 1], region).max()))
    filled = [outline[::10] * share + middle * (1 - share) for share in np.linspace(0, 0.9, 10)]
    depths = _inside(np.concatenate((outline, *filled)), region)
    if depths.max() > 0:
        return float(depths.max())
    # The region may still poke into the die between the points that were tried.
    poking = _inside(region, outline)
    if poking.max() > 0:
        return float(poking.max())
    return float(max(_inside(outline, region).max(), poking.max()))


def _inside(points: Floats, region: Floats) -> Floats:
    """Distance (n,) of points from a region's outline, positive inside it."""
    sides = np.roll(region, -1, axis=0) - region
    y, (ay, by) = points[:, 1:], (region[:, 1], (region + sides)[:, 1])
    crosses = (ay > y) != (by > y)
    at = region[:, 0] + (y - ay) / np.where(sides[:, 1] == 0, 1.0, sides[:, 1]) * sides[:, 0]
    within = np.count_nonzero(crosses & (at > points[:, :1]), axis=1) % 2 == 1
    nearest = _nearest(points, region, sides)
    return np.where(within, nearest, -nearest)


def _nearest(points: Floats, starts: Floats, sides: Floats) -> Floats:
    """Distance (n,) of points from the nearest of some sides; sides that cannot be the nearest are left
    out first.
    """
    middle = points.mean(axis=0)
    spread = float(np.linalg.norm(points - middle, axis=1).max())
    away = np.linalg.norm(starts - middle, axis=1)
    near = away - np.linalg.norm(sides, axis=1) <= away.min() + 2 * spread
    starts, sides = starts[near], sides[near]
    off = points[:, None, :] - starts[None]
    share = np.clip(
        np.einsum("ijk,jk->ij", off, sides) / np.maximum(np.sum(sides * sides, axis=1), 1e-18), 0, 1
    )
    away_xy = off - share[..., None] * sides
    return np.asarray(np.sqrt(np.einsum("ijk,ijk->ij", away_xy, away_xy).min(axis=1)))


def _finer(outline: Floats) -> Floats:
    """The outline with a point every tenth of a millimetre."""
    sides = np.roll(outline, -1, axis=0) - outline
    made = []
    for start, side in zip(outline, sides, strict=True):
        count = max(1, int(np.ceil(np.hypot(*side) / FINE_MM)))
        made.append(start + side * (np.arange(count) / count)[:, None])
    return np.concatenate(made)


def apart_mm(true: Floats, measured: Floats) -> float:
    """The largest distance between two outlines (n, 2) and (m, 2), either way round (Hausdorff's)."""
    return float(
        max(np.abs(_inside(_finer(true), measured)).max(), np.abs(_inside(_finer(measured), true)).max())
    )


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
    visible: float = 1.0
    """The share of its outline's inside that nothing covers and that lies in the picture."""

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
        return cache_file(f"{self.kit.name}-scene-{self.style}-{self.seed:05d}.jpg", self._drawn)

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


STRAIGHT_MM = 0.001
"""A true line may run so far beside its own points."""


def true_view(kit: Kit) -> View:
    """The camera as it really is."""
    optics, camera = kit.camera.optics, kit.camera
    vector = cv2.Rodrigues(camera.turn)[0].ravel()
    move = -camera.turn @ np.array(camera.eye_mm)
    return View(
        lens=Lens(
            width_px=optics.width_px,
            height_px=optics.height_px,
            focal_px=optics.focal_px,
            centre_px=optics.centre_px,
            distortion=(optics.k[0], optics.k[1], optics.p[0], optics.p[1], optics.k[2]),
        ),
        rotation=(float(vector[0]), float(vector[1]), float(vector[2])),
        translation_mm=(float(move[0]), float(move[1]), float(move[2])),
    )


def true_calibration(kit: Kit) -> TableCalibration:
    """Camera and lines as they really are, without landmarks."""
    layout = kit.layout
    half = layout.half_width_mm
    laid = Laid(
        zones=tuple(
            LaidZone(value=a.value, polygon_mm=_points(a.outline_mm, closed=True)) for a in layout.areas
        ),
        dot=LaidDot(center_mm=layout.dot_mm, diameter_mm=layout.dot_diameter_mm, sigma_mm=0.002),
        tapes=tuple(
            LaidTape(name=name, outer_mm=_points(strip.outer_mm), inner_mm=_points(strip.inner_mm))
            for name in ("left", "right", "halfway")
            for strip in layout.strips
            if strip.name == name
        ),
        table_edge_mm=((-half, 0.0), (half, 0.0)),
        sigma_mm=0.002,
    )
    return TableCalibration(
        view=true_view(kit), planned=description(), laid=laid, landmarks=(), sigma_mm=0.002
    )


def _points(line: np.ndarray, *, closed: bool = False) -> tuple[PointMm, ...]:
    """A line without the points that it does not need: a call weighs each of its pieces."""
    kept = cv2.approxPolyDP(line.astype(np.float32).reshape(-1, 1, 2), STRAIGHT_MM, closed).reshape(-1, 2)
    return tuple((float(x), float(y)) for x, y in kept)

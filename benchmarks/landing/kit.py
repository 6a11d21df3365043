"""Cameras over tables, and the pictures that a builder would take of each to calibrate it.

A kit is one camera over one laid table: sixteen board views for its lens, four boards lying flat, the empty
table. Files are
kept in the cache and made only once for a state of the renderer, so that long runs can be broken off and go
on.
"""

import hashlib
import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.landing.boards import Board, flat_board, held_board
from benchmarks.landing.ground import Setting, paint, patches_of
from benchmarks.landing.layout import Layout, description, draw_slips, lay
from benchmarks.landing.light import Light
from benchmarks.landing.optics import Camera, Optics, hang
from benchmarks.landing.sensor import Sensor, expose
from benchmarks.landing.surfaces import SURFACES, make_surface
from calibration.arrays import Singles

LENS_VIEWS = 16
BOARD = Board()
FLAT_PLACES_MM = ((-215.0, 140.0), (215.0, 150.0), (-210.0, 560.0), (215.0, 545.0))
TABLES_PER_LENS = len(SURFACES)
JUDGES = ("__init__", "bridge", "truth")
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
            kept(f"{self.name}-lens{self.lens_seed}-{i:02d}.jpg", partial(self._held, i))
            for i in range(LENS_VIEWS)
        )

    def flats(self) -> tuple[Path, ...]:
        """The board lying on the table at four places."""
        return tuple(
            kept(f"{self.name}-table{self.seed}-flat{i}.jpg", partial(self._flat, i))
            for i in range(len(FLAT_PLACES_MM))
        )

    def empty(self) -> Path:
        """The table as it is played on, without dice."""
        return kept(
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


def _source() -> str:
    """A name for the state of the renderer's source."""
    source = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.*")):
        if path.stem not in JUDGES:
            source.update(path.read_bytes())
    return source.hexdigest()[:12]


SOURCE = _source()
"""As it was when it was loaded: a long run keeps to the folder of the source that it runs."""


def cache_folder() -> Path:
    """Where pictures are kept; one folder for each state of the renderer's source."""
    root = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
    return root / "callbox" / "landing" / SOURCE


def kept(name: str, make: Callable[[], bytes]) -> Path:
    """The cached file of that name, made now if it is not there; a half-written one never counts."""
    path = cache_folder() / name
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        begun = path.with_suffix(f".{os.getpid()}.part")
        begun.write_bytes(make())
        begun.replace(path)
    return path


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

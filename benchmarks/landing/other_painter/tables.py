"""The second painter's tables by their seeds: each with its own camera, calibration pictures and throws.

Pictures are kept beside each other as for any owner: `calib/`, `board_flat*.jpg`, `empty.jpg`, `shots/`,
`table.toml` and `truth.json`.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from pathlib import Path

import cv2
import numpy as np

from benchmarks.landing.cache import benchmark_folder, hash_files, keep_file
from benchmarks.landing.other_painter.board import hold_board, lay_board
from benchmarks.landing.other_painter.grounds import GROUNDS, make_ground
from benchmarks.landing.other_painter.lens import BentLens, HungCamera, hang_camera
from benchmarks.landing.other_painter.light import draw_lighting
from benchmarks.landing.other_painter.sensor import (
    MARGIN_PX,
    Habits,
    Window,
    develop,
    draw_habits,
    pack,
    through_glass,
)
from benchmarks.landing.other_painter.sheet import LaidTable, draw_laying, draw_plan, reflectance
from benchmarks.landing.other_painter.studio import Studio, floor_and_print
from benchmarks.landing.other_painter.throws import STYLES, Toss, toss, truths_of
from benchmarks.landing.scenes import DieTruth
from benchmarks.landing.table import Layout
from calibration.arrays import Floats, Picture, Singles
from calibration.description import TableDescription, text_of

LENS_VIEWS, FLATS, THROWS = 12, 5, len(STYLES)
JUDGES = ("__init__", "judging")
"""What no picture depends on."""


SOURCE = hash_files(path for path in Path(__file__).parent.glob("*.py") if path.stem not in JUDGES)


def folder() -> Path:
    """Where pictures and outcomes are kept; one folder for each state of the painter."""
    return benchmark_folder("landing-other") / SOURCE


@dataclass(frozen=True, kw_only=True, eq=False)
class OtherTable:
    """One table of the second painter under its camera."""

    seed: int
    surface: str
    coarse: bool
    laid: LaidTable
    studio: Studio
    habits: Habits

    @property
    def name(self) -> str:
        """The sort of camera."""
        return "2mp" if self.coarse else "4mp"

    @property
    def mm_per_px(self) -> float:
        """About how much of the table a pixel in the middle sees."""
        return float(self.studio.camera.eye_mm[2] / self.studio.camera.lens.focal_px)

    @cached_property
    def layout(self) -> Layout:
        """How it was really laid."""
        return self.laid.layout

    @property
    def plan(self) -> TableDescription:
        """As an owner would describe it."""
        return self.laid.plan

    @property
    def folder(self) -> Path:
        """Where its pictures are kept."""
        return folder() / f"{self.seed:04d}-{self.surface}"

    def lens_views(self) -> tuple[Path, ...]:
        """The board held before the lens; drawn when first asked for, like all pictures here."""
        draws = [partial(hold_board, self._lens, self.seed * 1000 + i) for i in range(LENS_VIEWS)]
        return tuple(self._keep_picture(f"calib/{i:02d}.jpg", draw, 100 + i) for i, draw in enumerate(draws))

    def flats(self) -> tuple[Path, ...]:
        """The board lying on the table: near its four corners and in the middle."""
        names = ["board_flat.jpg", *(f"board_flat_{i}.jpg" for i in range(1, FLATS))]
        return tuple(self._keep_picture(name, partial(self._lay, i), 200 + i) for i, name in enumerate(names))

    def empty(self) -> Path:
        """The table without dice."""
        return self._keep_picture("empty.jpg", lambda: self.studio.empty, 300)

    def description(self) -> Path:
        """`table.toml`."""
        path = self.folder / "table.toml"
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(
                text_of(self.plan, ["Drawn by the benchmark's second painter."]), encoding="utf-8"
            )
        return path

    @property
    def _lens(self) -> BentLens:
        return self.studio.camera.lens

    def _lay(self, i: int) -> Singles:
        rng = np.random.default_rng([self.seed, i, 56])
        half = self.plan.table.surface_width_mm / 2
        far = self.plan.table.halfway_y_mm
        side, along = ((-1, 0.14), (1, 0.14), (-1, 0.84), (1, 0.84), (0, 0.5))[i]
        x, y = side * (half - 110) + rng.uniform(-20, 20), far * along + rng.uniform(-15, 25) + 40 * (i < 2)
        turn = rng.uniform(-0.3, 0.3) + (np.pi / 2 if side else 0.0)
        return lay_board(self.studio, (float(x), float(y)), float(turn), self.seed * 1000 + 200 + i)

    def _keep_picture(self, name: str, draw: Callable[[], Singles], shot: int) -> Path:
        size = self.studio.size

        def make() -> bytes:
            seen = through_glass(draw(), self.habits, (0, 0, *size), size)
            return self._shoot(seen, shot)

        return keep_file(self.folder / name, make)

    def _shoot(self, seen: Singles, shot: int) -> bytes:
        rng = np.random.default_rng([self.seed, shot, 57])
        exposure = 1.0 if shot < 1000 else float(rng.uniform(0.96, 1.04))
        return pack(develop(seen, self.habits, rng, exposure), self.habits)

    @cached_property
    def _empty_seen(self) -> Singles:
        return through_glass(self.studio.empty, self.habits, (0, 0, *self.studio.size), self.studio.size)

    def draw_throw(self, tossed: Toss, number: int) -> bytes:
        """The JPEG file of a throw: the empty table, and drawn anew where things lie."""
        light, seen = self.studio.empty.copy(), self._empty_seen.copy()
        wide, high = self.studio.size
        for left, top, right, bottom in self.studio.with_things(tossed.things, light):
            x0, y0 = max(0, left - MARGIN_PX), max(0, top - MARGIN_PX)
            x1, y1 = min(wide, right + MARGIN_PX), min(high, bottom + MARGIN_PX)
            outer: Window = (max(0, x0 - 8), max(0, y0 - 8), min(wide, x1 + 8), min(high, y1 + 8))
            part = through_glass(
                light[outer[1] : outer[3], outer[0] : outer[2]], self.habits, outer, (wide, high)
            )
            seen[y0:y1, x0:x1] = part[y0 - outer[1] : y1 - outer[1], x0 - outer[0] : x1 - outer[0]]
        return self._shoot(seen, 1000 + number)


@dataclass(frozen=True, kw_only=True, eq=False)
class Throw:
    """One picture of dice at rest on such a table."""

    seed: int
    style: str
    kit: OtherTable
    dice: tuple[DieTruth, ...]
    tossed: Toss

    @property
    def path(self) -> Path:
        """The JPEG file; drawn when first asked for."""
        number = self.seed % 100
        return keep_file(
            self.kit.folder / f"shots/{number:03d}.jpg", lambda: self.kit.draw_throw(self.tossed, number)
        )

    @property
    def picture(self) -> Picture:
        """The file, unpacked: BGR (h, w, 3)."""
        packed = np.frombuffer(self.path.read_bytes(), np.uint8)
        return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)


@lru_cache(maxsize=1)
def other_table(seed: int) -> OtherTable:
    """The table of a seed: grounds in turn, each under a fine camera one time and a coarse one the next."""
    rng = np.random.default_rng([seed, 58])
    surface, coarse = GROUNDS[seed % len(GROUNDS)], bool((seed + seed // len(GROUNDS)) % 2)
    mm_per_px = float(rng.uniform(0.55, 0.63) if coarse else rng.uniform(0.295, 0.325))
    size = (1640, 1232) if coarse else (2304, 1728)
    up_mm = float(rng.uniform(850, 1100) if coarse else rng.uniform(800, 1000))
    edge_mm = round(float(np.random.default_rng([seed, 61]).uniform(12, 19)), 1)
    trial = np.array([0.25, 0.25, 0.25])
    state = rng.bit_generator.state
    plan = draw_plan(rng, f"{surface} {seed}", trial, edge_mm=edge_mm, small=not coarse)
    middle = plan.table.halfway_y_mm / 2 + 8
    camera = _hang(rng, size, up_mm, mm_per_px, middle)
    low, high = _seen_mm(camera)
    ground = make_ground(surface, np.random.default_rng([seed, 59]), low, high, mm_per_px * 0.9)
    # The colours are chosen for the ground; sizes stay as they were drawn.
    rng.bit_generator.state = state
    plan = draw_plan(
        rng, f"{surface} {seed}", ground.tints.mean(axis=(0, 1)), edge_mm=edge_mm, small=not coarse
    )
    rng = np.random.default_rng([seed, 60])
    laid = LaidTable(plan=plan, laying=draw_laying(rng))
    studio = Studio(
        camera=camera,
        lighting=draw_lighting(rng, (0.0, middle), up_mm),
        ground=ground,
        laid=laid,
        tints=floor_and_print(_faded(plan, rng), rng.uniform(0.01, 0.09) * rng.uniform(0.7, 1.3, 3)),
        print_mirrors=float(rng.choice([0.0, 0.02, 0.035])),
        print_rough=float(rng.uniform(0.06, 0.2)),
        seed=seed,
    )
    return OtherTable(
        seed=seed,
        surface=surface,
        coarse=coarse,
        laid=laid,
        studio=studio,
        habits=draw_habits(rng, coarse=coarse),
    )


def _faded(plan: TableDescription, rng: np.random.Generator) -> list[Floats]:
    """Reflectances of tape, dot and zones as they really came out."""
    dot = plan.end_zone.dot
    assert dot is not None
    names = [plan.tape.color, dot.color, *(zone.color for zone in plan.end_zone.zone)]
    return [np.clip(reflectance(name) * rng.uniform(0.85, 1.12) + 0.006, 0, 0.9) for name in names]


def _hang(
    rng: np.random.Generator, size: tuple[int, int], up_mm: float, mm_per_px: float, middle_mm: float
) -> HungCamera:
    wide, high = size
    lens = BentLens(
        width_px=wide,
        height_px=high,
        focal_px=up_mm / mm_per_px,
        centre_px=(wide * float(rng.uniform(0.488, 0.512)), high * float(rng.uniform(0.488, 0.512))),
        bend=float(rng.uniform(0.78, 1.04)),
        askew=(float(rng.uniform(-0.002, 0.002)), float(rng.uniform(-0.002, 0.002))),
        aspect=float(rng.uniform(0.9992, 1.0008)),
    )
    side = float(rng.choice([90, 270]))
    angles = np.array([*rng.uniform(-2.5, 2.5, 2), side + rng.uniform(-2.5, 2.5)])
    return hang_camera(
        lens, (float(rng.uniform(-10, 10)), middle_mm + float(rng.uniform(-6, 6))), up_mm, angles
    )


def _seen_mm(camera: HungCamera) -> tuple[Floats, Floats]:
    """The least and greatest x, y that the picture shows, and a little more."""
    wide, high = camera.lens.width_px, camera.lens.height_px
    share = np.linspace(0, 1, 30)
    rim = np.concatenate(
        [np.stack((share * wide, np.full(30, y)), 1) for y in (0, high)]
        + [np.stack((np.full(30, x), share * high), 1) for x in (0, wide)]
    )
    seen = camera.meet_table(rim)
    return np.asarray(seen.min(axis=0) - 5), np.asarray(seen.max(axis=0) + 5)


def throw(table: OtherTable, number: int) -> Throw:
    """A throw on a table by its number."""
    style, seed = STYLES[number % len(STYLES)], table.seed * 100 + number
    tossed = toss(table.studio, table.layout, style, seed)
    return Throw(seed=seed, style=style, kit=table, dice=truths_of(tossed), tossed=tossed)


def write_truth(table: OtherTable, throws: list[Throw]) -> None:
    """`truth.json` beside the pictures, in the words of `callbox measure`."""
    camera = table.studio.camera
    truth = {
        "table": table.surface,
        "seed": table.seed,
        "mm_per_px": round(table.mm_per_px, 4),
        "camera_centre_mm": camera.eye_mm.tolist(),
        "shots": [
            {
                "image": f"shots/{each.path.name}",
                "style": each.style,
                "dice": [_true_line(die) for die in each.dice],
            }
            for each in throws
        ],
    }
    (table.folder / "truth.json").write_text(json.dumps(truth, indent=1), encoding="utf-8")


def _true_line(die: DieTruth) -> dict[str, object]:
    x, y = die.center_mm
    return {
        "value": die.value,
        "color": die.kind,
        "center_mm": [round(x, 4), round(y, 4)],
        "yaw_deg": round(die.yaw_deg, 4),
        "edge_mm": round(die.edge_mm, 4),
        "corner_radius_mm": round(die.die.cube.radius_mm, 4),
        "cocked": die.cocked,
        "touching": die.touching,
        "visible": round(die.visible, 3),
        "footprint_mm": np.round(die.footprint, 3).tolist(),
        "zone": die.landing.zone,
        "score": die.landing.zone * die.value,
        "protrusion_mm": round(die.landing.protrusion_mm, 4),
        "gap_mm": None if die.landing.gap_mm is None else round(die.landing.gap_mm, 4),
        "dot": {"covered": die.landing.dot_margin_mm >= 0, "margin_mm": round(die.landing.dot_margin_mm, 4)},
    }

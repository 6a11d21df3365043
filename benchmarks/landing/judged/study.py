"""What each source of error adds to a landing's place: `python -m benchmarks.landing.judged.study`.

A perfect camera over a perfect table sees dice of the nominal size in even light; then one source is switched
on at a time, and in the end all of them. The calibration's share needs no picture: it is how far the found
camera puts points of a die beside the true ones. The limit is what the noise alone would allow the best
possible method (Cramer and Rao), from how strongly the rendered picture changes as a die moves.
"""

import argparse
import json
import math
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path

import cv2
import numpy as np
from tqdm import tqdm

from benchmarks.landing.bridge import true_calibration, true_view
from benchmarks.landing.cube import Cube, standing
from benchmarks.landing.dice import KINDS, Die, draw_skin, dress
from benchmarks.landing.ground import Setting, paint, patches_of
from benchmarks.landing.judged.calibrated import calibrated
from benchmarks.landing.kit import PRESETS, Kit, kept, kit
from benchmarks.landing.render import set_dice
from benchmarks.landing.sensor import Sensor, develop, expose
from benchmarks.landing.truth import apart_mm
from calibration.arrays import Floats, Picture, Singles
from calibration.view import View
from vision.landing.measure import Measurer

TABLES = (0,)
GRID_MM = ([-185.0, -95.0, 0.0, 95.0, 185.0], [45.0, 160.0, 340.0, 490.0])
TAPE_MM = 0.13
CALIBRATION = "lens and plane (16 + 4 board views)"
LIMIT = "limit: photon noise alone (one sigma of a side)"
SHIFT_MM = 0.25
"""How far a die is moved to see how the picture changes."""


@dataclass(frozen=True, kw_only=True)
class Source:
    """One thing that goes wrong, or all of them."""

    name: str
    edge_mm: float = 0.0
    """How far edges lie from the nominal, at most."""
    radius_mm: float = 0.0
    lamp: bool = False
    gloss: bool = False
    raised_mm: float = 0.0
    sensor: Sensor


IDEAL = Sensor(blur_px=0.45, electrons=1e8, read_noise=0.0, mosaic=False, quality=0)
"""Quality 0 stands for no JPEG at all."""


def sources(electrons: float) -> tuple[Source, ...]:
    """Each source on its own, the ideal first and all together last."""
    noisy = replace(IDEAL, electrons=electrons, read_noise=3.5)
    worst = replace(noisy, blur_px=0.85, mosaic=True, smooth=True, sharpen=0.4, contrast=0.15, quality=90)
    return (
        Source(name="none: the fit itself", sensor=IDEAL),
        Source(name="blur of the lens (0.85 px)", sensor=replace(IDEAL, blur_px=0.85)),
        Source(name="photon and read noise", sensor=noisy),
        Source(name="colour filters (Bayer)", sensor=replace(IDEAL, mosaic=True, smooth=True)),
        Source(name="sharpening and tone curve", sensor=replace(IDEAL, sharpen=0.4, contrast=0.15)),
        Source(name="JPEG (quality 90)", sensor=replace(IDEAL, quality=90)),
        Source(name="die size unknown (15.8 to 16.2 mm)", sensor=IDEAL, edge_mm=0.2),
        Source(name="rounding unknown (1.35 to 1.85 mm)", sensor=IDEAL, radius_mm=0.25),
        Source(name="shadow of a lamp", sensor=IDEAL, lamp=True),
        Source(name="gloss on edges", sensor=IDEAL, lamp=True, gloss=True),
        Source(name="standing on tape (0.13 mm)", sensor=IDEAL, raised_mm=TAPE_MM),
        Source(
            name="all of these, without tape",
            sensor=worst,
            edge_mm=0.2,
            radius_mm=0.25,
            lamp=True,
            gloss=True,
            raised_mm=0.0,
        ),
    )


@dataclass(frozen=True, kw_only=True)
class Row:
    """What one source does with one camera."""

    source: str
    camera: str
    mean_mm: float
    p95_mm: float
    dice: int
    of: int


def main(path: Path) -> None:
    """Measure every source with every camera and print the table; rows go into a JSON file as they come.

    Rows that the file already has are taken as they are: a study that was broken off goes on.
    """
    cv2.setNumThreads(1)
    rows = [Row(**row) for row in json.loads(path.read_text(encoding="utf-8"))] if path.exists() else []
    done = {(row.source, row.camera) for row in rows}
    jobs: list[tuple[str, str, Callable[[], Row]]] = []
    for camera in PRESETS:
        kinds = sources(PRESETS[camera].electrons)
        jobs += [(source.name, camera, partial(_imaged, camera, source)) for source in kinds]
        jobs += [
            (CALIBRATION, camera, partial(_calibration, camera)),
            (LIMIT, camera, partial(_limit, camera)),
        ]
    for name, camera, measure in tqdm(jobs, desc="sources of error"):
        if (name, camera) not in done:
            rows.append(measure())
            path.write_text(json.dumps([vars(row) for row in rows], indent=1) + "\n", encoding="utf-8")
    print(table(rows))


def table(rows: list[Row]) -> str:
    """The rows as a table of Markdown: mean and 95th percentile of the outline's error in mm."""
    lines = ["| source | " + " | ".join(PRESETS) + " |", "|---|" + "---|" * len(PRESETS)]
    for source in dict.fromkeys(row.source for row in rows):
        cells = []
        for camera in PRESETS:
            row = next(r for r in rows if r.source == source and r.camera == camera)
            digits = 3 if row.mean_mm >= 0.01 else 4
            cells.append(f"{row.mean_mm:.{digits}f} ({row.p95_mm:.{digits}f})")
        lines.append(f"| {source} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _imaged(camera: str, source: Source) -> Row:
    """Dice all over the sheet, seen with one source of error, measured with the true calibration."""
    off: list[float] = []
    count = 0
    for seed in TABLES:
        over = kit(camera, seed)
        dice = _dice(source, seed)
        picture = _picture(over, source)
        found = list(Measurer(true_calibration(over), threads=1).measure(picture).dice)
        count += len(dice)
        for die in dice:
            near = min(found, key=lambda f: math.dist(f.center_mm, die.cube.center_mm[:2]), default=None)
            if near is not None and math.dist(near.center_mm, die.cube.center_mm[:2]) < 8:
                off.append(apart_mm(die.cube.footprint(), np.array(near.footprint_mm)))
    p95 = float(np.percentile(off, 95)) if off else math.nan
    mean = float(np.mean(off)) if off else math.nan
    return Row(source=source.name, camera=camera, mean_mm=mean, p95_mm=p95, dice=len(off), of=count)


def _dice(source: Source, seed: int) -> tuple[Die, ...]:
    """A die at each place of the grid: the same places, yaws and skins for every source."""
    rng = np.random.default_rng([seed, 5])
    dice = []
    for i, x in enumerate(GRID_MM[0]):
        for j, y in enumerate(GRID_MM[1]):
            at = (x + float(rng.uniform(-6, 6)), y + float(rng.uniform(-6, 6)))
            yaw, size, corner = (float(v) for v in rng.uniform([0, -1, -1], [90, 1, 1]))
            skin = draw_skin(KINDS[(i * len(GRID_MM[1]) + j) % len(KINDS)], rng)
            if not source.gloss:
                skin = replace(skin, gloss=0.0)
            edge, radius = 16.0 + size * source.edge_mm, 1.6 + corner * source.radius_mm
            cube = standing((*at, source.raised_mm), edge, radius, yaw)
            dice.append(dress(cube, skin, int(rng.integers(1, 7)), rng))
    return tuple(dice)


def _setting(over: Kit, source: Source) -> Setting:
    """The kit's own, with a lamp or with even light from everywhere, and with or without sheen."""
    light, surface = over.setting.light, over.setting.surface
    if not source.lamp:
        both = np.array(light.lamp) + np.array(light.sky)
        light = replace(light, lamp=(0.0, 0.0, 0.0), sky=(float(both[0]), float(both[1]), float(both[2])))
    return replace(
        over.setting, light=light, surface=surface if source.gloss else replace(surface, gloss=0.0)
    )


@lru_cache(maxsize=1)
def _light(camera: str, seed: int, scene: Source) -> Singles:
    """The scene before the sensor; neighbouring sources that differ in the sensor alone share it."""
    over = kit(camera, seed)
    setting = _setting(over, scene)
    light = paint(setting, *patches_of(over.layout, over.camera))
    set_dice(light, setting, _dice(scene, seed), seed)
    return light


def _picture(over: Kit, source: Source) -> Picture:
    sensor = replace(source.sensor, exposure=0.8)
    word = "".join(c for c in source.name if c.isalnum())

    def make() -> bytes:
        light, seed = _light(over.name, over.seed, replace(source, name="", sensor=IDEAL)), over.seed
        if sensor.quality:
            return expose(light, sensor, seed)
        done, packed = cv2.imencode(".png", develop(light, sensor, seed), [cv2.IMWRITE_PNG_COMPRESSION, 1])
        if not done:
            raise ValueError("OpenCV could not write a PNG of this scene")
        return bytes(packed)

    path = kept(f"{over.name}-study-{word}-{over.seed}.img", make)
    return np.asarray(cv2.imdecode(np.frombuffer(path.read_bytes(), np.uint8), cv2.IMREAD_COLOR), np.uint8)


def _calibration(camera: str) -> Row:
    """How far the found camera puts a die's points (its foot and its top) beside the true ones."""
    off: list[float] = []
    for seed in TABLES:
        over = kit(camera, seed)
        off += _beside(true_view(over), calibrated(over).view)
    return _row(CALIBRATION, camera, off)


def _beside(true: View, found: View) -> list[float]:
    places = np.array([[x, y] for x in GRID_MM[0] for y in GRID_MM[1]])
    off = []
    for z in (0.0, 16.0):
        pixels = true.project(np.column_stack((places, np.full(len(places), z))))
        off.append(np.linalg.norm(found.on_plane(pixels, z) - places, axis=1))
    return [float(v) for v in np.mean(off, axis=0)]


def _row(source: str, camera: str, off: list[float]) -> Row:
    p95 = float(np.percentile(off, 95))
    return Row(
        source=source, camera=camera, mean_mm=float(np.mean(off)), p95_mm=p95, dice=len(off), of=len(off)
    )


def _limit(camera: str) -> Row:
    """The least error of an outline's side that photon noise allows, by the bound of Cramer and Rao."""
    over = kit(camera, TABLES[0])
    source = sources(PRESETS[camera].electrons)[-1]
    moves: tuple[Callable[[Cube, float], Cube], ...] = (
        lambda c, d: replace(c, center_mm=(c.center_mm[0] + d, c.center_mm[1], c.center_mm[2])),
        lambda c, d: replace(c, center_mm=(c.center_mm[0], c.center_mm[1] + d, c.center_mm[2])),
        lambda c, d: replace(c, edge_mm=c.edge_mm + d, center_mm=(*c.center_mm[:2], c.center_mm[2] + d / 2)),
    )
    off = []
    empty = paint(over.setting, *patches_of(over.layout, over.camera))
    for die in _dice(source, TABLES[0])[::4]:
        window = _window(over, die)
        sides = []
        for move in moves:
            pair = [
                _patch(over, replace(die, cube=move(die.cube, d)), empty, window)
                for d in (-SHIFT_MM, SHIFT_MM)
            ]
            sides.append((pair[1] - pair[0]) / (2 * SHIFT_MM))
        level = _patch(over, die, empty, window) * 0.8
        sensor = source.sensor
        spread = (
            np.sqrt(np.maximum(level, 0) * sensor.electrons + sensor.read_noise**2) / sensor.electrons / 0.8
        )
        slopes = np.array([(side / spread).ravel() for side in sides])
        bound = np.linalg.inv(slopes @ slopes.T)
        # A side of the outline is off by the centre's error along its normal and by half the edge's.
        off.append(math.sqrt(bound[0, 0] + bound[2, 2] / 4))
    return _row(LIMIT, camera, off)


def _window(over: Kit, die: Die) -> tuple[slice, slice]:
    x, y = over.camera.project(np.array([die.cube.center_mm]))[0]
    half = round(16 / PRESETS[over.name].mm_per_px)
    left, top = max(0, round(x) - half), max(0, round(y) - half)
    return slice(top, round(y) + half), slice(left, round(x) + half)


def _patch(over: Kit, die: Die, empty: Singles, window: tuple[slice, slice]) -> Floats:
    """One die's surroundings without noise, as the green pixels of the filter see them: half of all."""
    light = empty.copy()
    set_dice(light, over.setting, (die,), 3)
    seen = cv2.GaussianBlur(light[window][..., 1], (0, 0), 0.85)
    return np.asarray(seen, np.float64) * math.sqrt(0.5)


if __name__ == "__main__":
    asked = argparse.ArgumentParser(prog="python -m benchmarks.landing.judged.study")
    asked.add_argument("figures", type=Path, help="JSON file for the figures, also read by the plot")
    main(asked.parse_args(sys.argv[1:]).figures)

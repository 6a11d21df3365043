"""How exact a calibration is: drawn tables, calibrated from their pictures and compared with the truth.

    python -m benchmarks tables [--own|--stone] [--camera 3mp] [--count 8] [--boards 4]

Tops of any brightness and texture, sheets and tapes of any colours (in every second table all are equally
bright, so that lines show by colour alone), glare, crumbs. Camera, light and sensor are those of a kit of the
landing benchmark, and so is what people do not quite get right when they lay sheet and tapes.

`--own`: sheets of chance sizes that nobody described, cut like the classic one and laid a little askew; says
how far each figure is off what it states. Four flat boards each.

`--stone`: the dice of another painter's stone table (../shared/tables/stone), calibrated from flat boards and
measured: centres, outlines, roundings. No figure of Callbox was chosen by them, but how far the network of
corners is believed (models/corner.md).
"""

import argparse
import json
import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np
from tqdm import tqdm

from benchmarks.landing.calibrated import BOARD, camera_of
from benchmarks.landing.camera import Light, expose, share
from benchmarks.landing.scenes import (
    FLAT_PLACES_MM,
    Kit,
    apart_mm,
    cache_file,
    kit,
    true_calibration,
    true_view,
)
from benchmarks.landing.table import (
    Layout,
    Patch,
    Surface,
    circle,
    description,
    draw_slips,
    flat_board,
    lay,
    linear,
    paint,
    patches_of,
)
from calibration.arrays import Floats, Picture, Singles
from calibration.description import CLASSIC, Dot, PointMm, TableDescription, Zone, load_description
from calibration.fit import (
    BoardSeen,
    OwnTable,
    TableFigure,
    TableFound,
    calibrate_table,
    find_board,
    fit_lens,
    measure_own_table,
    renumbered,
)
from calibration.table import Laid, TableCalibration
from calibration.trouble import CalibrationError
from vision.landing.detector import LandingDetector

MISCHIEF = ("none", "glare", "crumbs")
LUMINANCE = np.array([0.0722, 0.7152, 0.2126])
"""What blue, green and red light add to brightness (IEC 61966-2-1)."""
IN_PLAIN_VIEW = 15.0
"""The least difference of two colours that meet, in CIE L*a*b*: people tell 2 apart."""
EQUAL = 0.06
"""Two luminances that differ by no larger share count as equally bright."""
GLOSS = (0.3, 0.5)
"""How much of the mirrored lamp sheet and tapes show; the top shows all of it."""

Spot = tuple[float, float, float]
"""x, y and radius, mm."""


@dataclass(frozen=True, kw_only=True)
class DrawnTable:
    """One camera over one such table, with the truth about both."""

    kit: Kit
    plan: TableDescription
    seed: int
    mischief: str
    equal: bool
    """Whether what meets is equally bright."""
    glints_mm: tuple[Spot, ...] = ()
    """Where the lamp mirrors in the top: the radius is one sigma."""
    crumbs_mm: tuple[Spot, ...] = ()
    shape: str = ""
    """The sheet's own, where it is not the benchmark's."""

    def empty(self) -> Path:
        """The picture of the empty table; made when first asked for."""
        return cache_file(self._file("empty"), partial(self._draw_board, (), 60))

    def flats(self) -> tuple[Path, ...]:
        """The board lying on the table at four places."""
        places = range(len(FLAT_PLACES_MM))
        return tuple(cache_file(self._file(f"flat{i}"), partial(self._flat, i)) for i in places)

    def _file(self, what: str) -> str:
        return f"{self.kit.name}-colours{self.seed}-{self.mischief}{self.shape}-{what}.jpg"

    def _flat(self, i: int) -> bytes:
        rng = np.random.default_rng([self.seed, i, 14])
        x, y = np.array(FLAT_PLACES_MM[i]) + rng.uniform(-15, 15, 2)
        camera, turn = self.kit.camera, float(rng.uniform(-8, 8))
        return self._draw_board(flat_board(camera, self.kit.board, (float(x), float(y)), turn), 50 + i)

    def _draw_board(self, board: tuple[Patch, ...], shot: int) -> bytes:
        patches, top = patches_of(self.kit.layout, self.kit.camera)
        crumbs = () if board else self._crumbs()
        light = paint(self.kit.setting, (*patches, *crumbs, *board), top)
        if self.glints_mm:
            dull = tuple(replace(patch, color=(0.0, 0.0, 0.0)) for patch in (*crumbs, *board))
            light += self._glare(dull)
        return expose(light, self.kit.sensor, self.seed * 100 + shot)

    def _crumbs(self) -> tuple[Patch, ...]:
        rng = np.random.default_rng([self.seed, 15])
        optics, made = self.kit.camera.optics, []
        for x, y, radius in self.crumbs_mm:
            rim = circle((x, y), 2 * radius, 24)
            rim += (rim - (x, y)) * rng.uniform(-0.25, 0.25, (24, 1))
            at = self.kit.camera.project(np.column_stack((rim, np.zeros(24))))
            cover = share([at], optics.width_px, optics.height_px)
            level = float(rng.choice([0.02, 0.3, 0.8]))
            if cover is not None:
                made.append(Patch(cover, (0.7 * level, 0.9 * level, level)))
        return tuple(made)

    def _glare(self, dull: tuple[Patch, ...]) -> Singles:
        """The lamp's mirror image as light (height, width, 3), weaker where the sheet lies."""
        setting = self.kit.setting
        even = Light(lamp_mm=(0, 0, 1000), half_size_mm=1, lamp=(0, 0, 0), sky=(1, 1, 1))
        shiny = replace(setting, light=even, surface=_even(1.0), floor=(0.0, 0.0, 0.0), fall_off=0.0)
        sheet, tape = GLOSS
        layout = self.kit.layout
        glossy = replace(
            layout,
            areas=tuple(replace(area, color=(sheet,) * 3) for area in layout.areas),
            dot_color=(sheet,) * 3,
            tape_color=(tape,) * 3,
        )
        patches, table = patches_of(glossy, setting.camera)
        gloss = paint(shiny, (*patches, *dull), table)
        optics, every = setting.camera.optics, 8
        x, y = (np.arange(0, n + every, every) for n in (optics.width_px, optics.height_px))
        spots = setting.camera.ground(np.stack(np.meshgrid(x, y), -1).reshape(-1, 2).astype(np.float64))
        lobe = sum(
            np.exp(-0.5 * np.sum((spots - (gx, gy)) ** 2, axis=1) / size**2)
            for gx, gy, size in self.glints_mm
        )
        coarse = np.asarray(lobe, np.float32).reshape(len(y), len(x))
        wide = cv2.warpAffine(
            coarse, np.array([[every, 0.0, 0.0], [0.0, every, 0.0]]), (optics.width_px, optics.height_px)
        )
        return np.asarray(gloss * wide[..., None] * 1.6, np.float32)


def drawn_table(camera: str, seed: int, mischief: str, plan: TableDescription | None = None) -> DrawnTable:
    """The table of a seed under the camera "12mp", "3mp" or "1mp"; `plan`: with another sheet."""
    base, rng = kit(camera, seed), np.random.default_rng([seed, 13])
    equal = seed % 2 == 1
    ground = np.mean(base.setting.surface.tile, axis=(0, 1)).astype(np.float64)
    tone = float(np.exp(rng.uniform(np.log(0.04), np.log(0.55)))) / float(ground @ LUMINANCE)
    tile = np.clip(base.setting.surface.tile * tone, 0.004, 0.9).astype(np.float32)
    plan = _coloured(plan or description(), ground * tone, rng, equal=equal)
    layout = lay(plan, replace(draw_slips(rng), fading=()))
    setting = replace(base.setting, surface=Surface(tile, base.setting.surface.gloss))
    return DrawnTable(
        kit=replace(base, layout=layout, setting=setting),
        plan=plan,
        seed=seed,
        mischief=mischief,
        equal=equal,
        shape="" if plan.end_zone.width_mm == description().end_zone.width_mm else "-own",
        glints_mm=_on_lines(layout, rng, 2, (35.0, 90.0)) if mischief == "glare" else (),
        crumbs_mm=_on_lines(layout, rng, 7, (2.0, 11.0)) if mischief == "crumbs" else (),
    )


def _even(level: float) -> Surface:
    return Surface(np.full((1024, 1024, 3), level, np.float32), 0.0)


def _on_lines(
    layout: Layout, rng: np.random.Generator, count: int, size: tuple[float, float]
) -> tuple[Spot, ...]:
    """Places on or beside the sheet's lines."""
    made = []
    for _ in range(count):
        outline = layout.areas[int(rng.integers(len(layout.areas)))].outline_mm
        x, y = outline[int(rng.integers(len(outline)))] + rng.normal(0, 2.0, 2)
        made.append((float(x), float(y), float(rng.uniform(*size))))
    return tuple(made)


def _coloured(
    plan: TableDescription, ground: Floats, rng: np.random.Generator, *, equal: bool
) -> TableDescription:
    """The plan with other colours, in plain view of those that they meet."""
    sheet = plan.end_zone
    beside = [ground]
    zones = []
    for zone in sheet.zone:
        color = _beside(beside, rng, equal=equal)
        beside.append(_reflects(color))
        zones.append(msgspec.structs.replace(zone, color=color))
    dot = (
        msgspec.structs.replace(sheet.dot, color=_beside(beside[-1:], rng, equal=False))
        if sheet.dot
        else None
    )
    return msgspec.structs.replace(
        plan,
        end_zone=msgspec.structs.replace(sheet, zone=tuple(zones), dot=dot),
        tape=msgspec.structs.replace(plan.tape, color=_beside(beside[:2], rng, equal=equal)),
    )


def _reflects(color: str) -> Floats:
    """An sRGB colour as reflectances (3,), blue first."""
    return np.array(linear(color))


def _beside(others: list[Floats], rng: np.random.Generator, *, equal: bool) -> str:
    """A colour that is in plain view of all the others (each (3,), blue first); `equal`: as bright as the
    first of them."""
    aim = float(others[0] @ LUMINANCE)
    while True:
        reflects = rng.uniform(0.03, 1.0, 3) ** 2
        reflects *= (aim if equal else float(rng.uniform(0.03, 0.8))) / float(reflects @ LUMINANCE)
        if reflects.max() > 0.85 or reflects.min() < 0.005:
            continue
        lab = [_lab(color) for color in (reflects, *others)]
        if all(math.dist(lab[0], other) > IN_PLAIN_VIEW for other in lab[1:]):
            return _hex(reflects)


def _lab(reflects: Floats) -> tuple[float, float, float]:
    """CIE L*a*b* of reflectances (3,), blue first."""
    a, b, c = cv2.cvtColor(np.asarray(reflects, np.float32)[None, None], cv2.COLOR_LBGR2Lab)[0, 0].tolist()
    return a, b, c


def _hex(reflects: Floats) -> str:
    code = np.where(reflects <= 0.0031308, reflects * 12.92, 1.055 * reflects ** (1 / 2.4) - 0.055)
    b, g, r = (round(255 * float(v)) for v in code)
    return f"#{r:02x}{g:02x}{b:02x}"


EVERY_MM = 4.0
"""The distance between the places at which a line is compared."""
CLEAR_MM = 3.0
"""What is left out at the ends of a line: corners are rounded by the camera."""


@dataclass(frozen=True, kw_only=True)
class TableOutcome:
    """What came of one table; lengths in mm."""

    table: DrawnTable
    refused: str = ""
    frame_mm: Floats = field(default_factory=lambda: np.empty((0, 2)))
    """How far points of sheet and field (n, 2) are off in the table's frame. None where the table's own edges
    are not in the picture: there the sheet is the frame."""
    lines_mm: Floats = field(default_factory=lambda: np.empty(0))
    """How far the lines found lie off the true ones (n,), across them, as the camera sees both."""
    sigma_mm: float = 0.0
    line_sigma_mm: float = 0.0
    unseen: int = 0
    bridged: int = 0


def calibrate_and_compare(table: DrawnTable, boards: int = 4) -> TableOutcome:
    """The table, calibrated from its pictures and compared with the truth."""
    flats = [(find_board(grey_of(p), BOARD, "flat"), p) for p in map(picture_of, table.flats()[:boards])]
    try:
        found = calibrate_table(camera_of(table.kit), table.plan, BOARD, flats, picture_of(table.empty()))
    except CalibrationError as error:
        return TableOutcome(table=table, refused=str(error))
    made = found.table
    return TableOutcome(
        table=table,
        frame_mm=np.empty((0, 2)) if _by_the_sheet(found) else frame_errors_mm(table, made),
        lines_mm=line_errors_mm(table, made),
        sigma_mm=made.sigma_mm,
        line_sigma_mm=made.laid.sigma_mm,
        unseen=sum(not feature.measured for feature in found.features),
        bridged=sum(len(feature.bridged_mm) for feature in found.features),
    )


def _by_the_sheet(found: TableFound) -> bool:
    """Whether sheet and tapes had to fix the frame."""
    return any("x = 0 is the middle of sheet" in note or "is y = 0" in note for note in found.notes)


def frame_errors_mm(table: DrawnTable, found: TableCalibration) -> Floats:
    """Points of sheet and field (n, 2): where the calibration has them, less where they are."""
    across, deep = table.plan.end_zone.width_mm / 2, table.plan.end_zone.depth_mm + 150
    grid = np.stack(np.meshgrid(np.linspace(-across, across, 7), np.linspace(0, deep, 12)), -1).reshape(-1, 2)
    return _as_found(table, found, grid) - grid


def line_errors_mm(table: DrawnTable, found: TableCalibration) -> Floats:
    """How far lines of sheet and tapes lie off the true ones, at places along them (n,)."""
    true = true_calibration(table.kit).laid
    pairs = [*_outlines(true, found.laid)]
    errors = []
    for real, made in pairs:
        errors.append(_apart(_as_found(table, found, _in_picture(table, _along(real))), made))
    return np.concatenate(errors)


def _in_picture(table: DrawnTable, points: Floats) -> Floats:
    """Those of the points (n, 2) that the camera sees."""
    view = true_view(table.kit)
    pixels = view.project(np.column_stack((points, np.zeros(len(points)))))
    size = np.array([view.lens.width_px, view.lens.height_px])
    return points[np.all((pixels > 4) & (pixels < size - 5), axis=1)]


def _as_found(table: DrawnTable, found: TableCalibration, points: Floats) -> Floats:
    """Where the calibration has what really lies at these points (n, 2)."""
    pixels = true_view(table.kit).project(np.column_stack((points, np.zeros(len(points)))))
    return found.view.on_plane(pixels)


def _outlines(true: Laid, found: Laid) -> list[tuple[Floats, Floats]]:
    """Each true line (n, 2), and what was found of it (m, 2)."""
    made = [
        (side, np.array([*other.polygon_mm, other.polygon_mm[0]]))
        for one, other in zip(true.zones, found.zones, strict=True)
        for side in _sides(np.array(one.polygon_mm))
    ]
    for one_tape, other_tape in zip(true.tapes, found.tapes, strict=True):
        if one_tape.name != "halfway":
            made.append((np.array(one_tape.outer_mm), np.array(other_tape.outer_mm)))
            made.append((np.array(one_tape.inner_mm), np.array(other_tape.inner_mm)))
    return made


def _sides(outline: Floats) -> list[Floats]:
    """A closed outline (n, 2), cut where it turns by more than 25 degrees."""
    back, ahead = outline - np.roll(outline, 1, axis=0), np.roll(outline, -1, axis=0) - outline
    turn = np.arctan2(back[:, 0] * ahead[:, 1] - back[:, 1] * ahead[:, 0], np.sum(back * ahead, axis=1))
    corners = np.flatnonzero(np.abs(turn) > np.radians(25))
    closed = np.concatenate((outline[corners[0] :], outline[: corners[0] + 1]))
    ends = [*(corners - corners[0]), len(outline)]
    return [closed[a : b + 1] for a, b in pairwise(ends)]


def _along(line: Floats) -> Floats:
    """Places (n, 2) along a line, clear of its ends."""
    far = np.concatenate(([0.0], np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))))
    at = np.arange(CLEAR_MM, max(far[-1] - CLEAR_MM, CLEAR_MM + 0.1), EVERY_MM)
    return np.stack([np.interp(at, far, line[:, k]) for k in (0, 1)], axis=1)


def _apart(points: Floats, line: Floats) -> Floats:
    """How far points (n, 2) lie off a line (m, 2), as lengths (n,)."""
    start, way = line[:-1], np.diff(line, axis=0)
    size = np.maximum(np.sum(way * way, axis=1), 1e-12)
    share = np.clip(np.einsum("nmk,mk->nm", points[:, None] - start[None], way) / size, 0, 1)
    foot = start[None] + share[..., None] * way[None]
    found: Floats = np.linalg.norm(points[:, None] - foot, axis=2).min(axis=1)
    return found


def picture_of(path: Path) -> Picture:
    """A kept picture."""
    return np.asarray(cv2.imread(str(path), cv2.IMREAD_COLOR), np.uint8)


def grey_of(picture: Picture) -> Picture:
    """The same without colours."""
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)


LEGEND = """\
equal: sheet, tapes and top are equally bright, and lines show by colour alone. In mm: lines, how far the
lines found lie off the true ones as the camera sees both (RMS, 99th percentile, largest); frame, how far
points are off in the table's frame (mean, largest); held, the share of stated 95 % intervals that hold the
truth, of lines and of points.\
"""
HEAD = (
    f"{'':>16} {'tables':>6} {'calib.':>6} {'bridged':>7} {'lines':>6} {'p99':>6} {'max':>6} {'frame':>6}"
    f" {'max':>6} {'held':>5} {'held':>5}"
)
WITHIN = 1.959964


def print_tables(options: argparse.Namespace) -> None:
    """Draw, calibrate and print, one kind of mischief after the other."""
    wanted = [(mischief, seed) for mischief in MISCHIEF for seed in range(options.count)]
    done = [
        calibrate_and_compare(drawn_table(options.camera, seed, mischief), options.boards)
        for mischief, seed in tqdm(wanted, desc=options.camera)
    ]
    print(f"{options.camera}, {options.boards} flat boards\n{LEGEND}\n{HEAD}")
    for mischief in MISCHIEF:
        for equal in (False, True):
            some = [one for one in done if (one.table.mischief, one.table.equal) == (mischief, equal)]
            _tell(f"{mischief}{', equal' if equal else ''}", some)
    for one in done:
        if one.refused:
            print(f"{one.table.mischief} {one.table.seed}: {one.refused}")


def _tell(name: str, some: Sequence[TableOutcome]) -> None:
    """One row."""
    made = [one for one in some if not one.refused]
    print(f"{name:>16} {len(some):6d} {len(made):6d}", end="")
    if made:
        lines = np.concatenate([one.lines_mm for one in made])
        frame = np.concatenate([np.linalg.norm(one.frame_mm, axis=1) for one in made])
        held = np.concatenate([one.lines_mm < WITHIN * one.line_sigma_mm for one in made])
        points = np.concatenate([(np.abs(one.frame_mm) < WITHIN * one.sigma_mm).ravel() for one in made])
        print(
            f" {sum(one.bridged for one in made):7d} {np.sqrt(np.mean(lines**2)):6.3f}"
            f" {np.percentile(lines, 99):6.3f} {lines.max():6.3f} {frame.mean():6.3f} {frame.max():6.3f}"
            f" {np.mean(held):5.0%} {np.mean(points):5.0%}",
            end="",
        )
    print()


RIM_MM = 6.0
"""All of a side of the sheet lies within this across, however it is turned."""
NEAR_MM = 3.0
"""A side of a sheet that lies askew is told within this; its ends are left out by as much."""
GROUPS = {
    "line_from_edge": "zone lines",
    "line_from_middle": "zone lines",
    "dot_across": "dot, across",
    "dot_from_edge": "dot, place",
    "dot_from_middle": "dot, place",
}


def print_own(options: argparse.Namespace) -> None:
    """Draw, measure and print."""
    off: dict[str, list[tuple[float, float]]] = defaultdict(list)
    refused: list[str] = []
    asked_for = 0
    for seed in tqdm(range(options.count), desc=options.camera):
        table = drawn_table(options.camera, seed, "none", own_sheet(seed))
        try:
            own = measured(table)
        except CalibrationError as error:
            refused.append(f"{seed}: {error}")
            continue
        asked_for += not own.numbered
        for name, mm, sigma in errors(table, as_people_say(own, table)):
            off[name].append((mm, sigma))
    print(
        f"{options.camera}: {options.count - len(refused)} of {options.count} tables measured; lengths in mm"
    )
    print(f"the zones of {asked_for} lie so unlike the classic ones that people are asked for their numbers")
    print(f"{'':>14} {'figures':>7} {'RMS':>6} {'max':>6} {'stated':>6} {'held':>5}")
    for name, pairs in off.items():
        mm, sigma = np.array(pairs).T
        held = np.mean(np.abs(mm) < WITHIN * sigma)
        print(
            f"{name:>14} {len(mm):7d} {np.sqrt(np.mean(mm**2)):6.3f} {np.abs(mm).max():6.3f}"
            f" {np.sqrt(np.mean(sigma**2)):6.3f} {held:5.0%}"
        )
    print("stated: one standard deviation; held: the share of stated 95 % intervals that hold the truth")
    for line in refused:
        print(line)


def own_sheet(seed: int) -> TableDescription:
    """A sheet of chance sizes, cut like the classic one."""
    rng = np.random.default_rng([seed, 77])
    base = description()
    width, depth = float(rng.uniform(250, 360)), float(rng.uniform(380, 480))
    band, half = float(rng.uniform(65, 110)), width / 2
    field = (float(rng.uniform(0.45, 0.7)) * half, band, depth - float(rng.uniform(50, 90)))
    box = (float(rng.uniform(0.2, 0.4)) * half, float(rng.uniform(0.5, 0.8)) * band)
    corners = {
        2: _rectangle(half, 0.0, depth),
        10: _rectangle(half, 0.0, band),
        5: _rectangle(*field),
        20: _rectangle(box[0], 0.0, box[1]),
    }
    zones = tuple(Zone(value=value, color="#808080", polygon_mm=corners[value]) for value in corners)
    dot = Dot(x_mm=float(rng.uniform(-20, 20)), y_mm=float(rng.uniform(180, 270)),
              diameter_mm=float(rng.uniform(8, 20)))  # fmt: skip
    return msgspec.structs.replace(
        base,
        end_zone=msgspec.structs.replace(base.end_zone, width_mm=width, depth_mm=depth, zone=zones, dot=dot),
        tape=msgspec.structs.replace(
            base.tape, width_mm=float(rng.uniform(12, 30)), side_lines_x_mm=(-half, half)
        ),
    )


def _rectangle(half: float, low: float, high: float) -> tuple[PointMm, ...]:
    return ((-half, low), (half, low), (half, high), (-half, high))


def measured(table: DrawnTable) -> OwnTable:
    """The table from its pictures, as the set-up measures it. Raises `CalibrationError`."""
    flats = [(find_board(grey_of(p), BOARD, "flat"), p) for p in map(picture_of, table.flats())]
    empty = picture_of(table.empty())
    return measure_own_table(camera_of(table.kit), BOARD, flats, empty, load_description(CLASSIC))


def as_people_say(own: OwnTable, table: DrawnTable) -> OwnTable:
    """The table with the true numbers of its zones: those of the planned zones that lie most alike."""

    def box(zone: Zone) -> Floats:
        corners = np.array(zone.polygon_mm)
        return np.concatenate([corners.min(axis=0), corners.max(axis=0)])

    planned = table.plan.end_zone.zone
    apart = [[float(np.abs(box(one) - box(other)).sum()) for other in planned]
             for one in own.description.end_zone.zone]  # fmt: skip
    return renumbered(own, [planned[int(np.argmin(row))].value for row in apart])


def errors(table: DrawnTable, own: OwnTable) -> list[tuple[str, float, float]]:
    """For each figure of zone lines and dot: its group, how far it is off, one standard deviation as stated.

    What lies askew on the table is described level, so a figure is compared with the middle of the true line.
    """
    return [
        (GROUPS[figure.what], figure.mm - _true(table, figure), figure.sigma_mm)
        for figure in own.figures
        if figure.what in GROUPS and figure.sigma_mm is not None
    ]


def _true(table: DrawnTable, figure: TableFigure) -> float:
    """The same length on the table as it was laid; places right of the middle count from the sheet's."""
    laid, dot = true_calibration(table.kit).laid, table.plan.end_zone.dot
    assert dot is not None
    sheet = np.array(laid.zones[0].polygon_mm)
    rims = [sheet[np.abs(sheet[:, 0] - end) < RIM_MM] for end in (sheet[:, 0].min(), sheet[:, 0].max())]
    slants = [np.polyfit(rim[:, 1], rim[:, 0], 1)[0] for rim in rims]
    angle = -float(np.arctan(np.mean(slants)))
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    middle = float(((_side(sheet, "left side") + _side(sheet, "right side")) / 2 @ turn)[0])
    if figure.what == "dot_across":
        return dot.diameter_mm
    if figure.what.startswith("dot"):
        assert laid.dot is not None
        x, y = (np.array(laid.dot.center_mm) @ turn).tolist()
        return float(y if figure.what == "dot_from_edge" else x - middle)
    zone = next(zone for zone in laid.zones if zone.value == figure.zone)
    place = _side(np.array(zone.polygon_mm), figure.side) @ turn
    return float(place[1]) if figure.what == "line_from_edge" else float(place[0]) - middle


def _side(outline: Floats, side: str) -> Floats:
    """The middle (2,) of one side of a nearly level rectangle's outline (n, 2)."""
    axis, sign = {"front": (1, 1), "back": (1, -1), "right side": (0, 1), "left side": (0, -1)}[side]
    ends = np.roll(outline, -1, axis=0)
    share = np.linspace(0.0, 1.0, 200)[:, None, None]
    points = (outline + share * (ends - outline)).reshape(-1, 2)
    along = sign * points[:, axis]
    near = points[along > along.max() - NEAR_MM]
    low, high = near[:, 1 - axis].min(), near[:, 1 - axis].max()
    clear = (near[:, 1 - axis] > low + NEAR_MM) & (near[:, 1 - axis] < high - NEAR_MM)
    found: Floats = near[clear].mean(axis=0)
    return found


STONE = Path(__file__).parents[2] / "shared" / "tables" / "stone"


@dataclass(frozen=True)
class Off:
    """How far off a die was measured, mm, and whether the 95 % intervals held the truth."""

    centre_mm: float
    outline_mm: float
    rounding_mm: float
    """Measured less true."""
    held_centre: tuple[bool, bool]
    held_outline: bool


def find_board_in(path: Path) -> BoardSeen:
    """The board in one of its pictures."""
    return find_board(np.asarray(cv2.imread(str(path), cv2.IMREAD_GRAYSCALE), np.uint8), BOARD, path.name)


def calibrated_stone(boards: int) -> TableFound:
    """The table, from its pictures with so many flat boards. Raises CalibrationError."""
    camera = fit_lens([find_board_in(path) for path in sorted((STONE / "calib").iterdir())], BOARD).camera
    flats = [
        (find_board_in(path), picture_of(path)) for path in sorted(STONE.glob("board_flat*.jpg"))[:boards]
    ]
    plan = load_description(STONE / "table.toml")
    return calibrate_table(camera, plan, BOARD, flats, picture_of(STONE / "empty.jpg"))


def stone_dice(found: TableFound) -> Iterator[Off | None]:
    """Each die that lies flat, as measured; None where it was not."""
    eye = LandingDetector(found.table)
    truth: dict[str, Any] = json.loads((STONE / "truth.json").read_text(encoding="utf-8"))
    for shot in truth["shots"]:
        sight = eye.look(picture_of(STONE / shot["image"]))
        for true in (one for one in shot["dice"] if not one["cocked"]):
            x, y = true["center_mm"]
            here = (each.die for each in sight.dice)
            die = next((one for one in here if math.dist(one.center_mm, (x, y)) < true["edge_mm"] / 2), None)
            if die is None:
                yield None
                continue
            off = np.array(die.center_mm) - (x, y)
            apart = apart_mm(np.array(true["footprint_mm"]), np.array(die.footprint_mm))
            sigma = np.sqrt(np.diag(np.array(die.covariance)))[:2]
            yield Off(
                centre_mm=float(np.hypot(*off)),
                outline_mm=apart,
                rounding_mm=die.rounding_mm - true["corner_radius_mm"],
                held_centre=tuple((np.abs(off) < WITHIN * sigma).tolist()),
                held_outline=apart <= WITHIN * die.sigma_mm,
            )


def print_stone(options: argparse.Namespace) -> None:
    """Print the figures."""
    if not STONE.exists():
        print(f"There are no pictures in {STONE}: nothing is measured.")
        return
    every = list(stone_dice(calibrated_stone(options.boards)))
    met = [one for one in every if one is not None]
    centre, outline = np.array([one.centre_mm for one in met]), np.array([one.outline_mm for one in met])
    rounding = np.array([one.rounding_mm for one in met])
    print(f"{options.boards} flat boards; {len(met)} of {len(every)} flat dice measured; mm")
    print(f"centre: mean {centre.mean():.3f}, 99th percentile {np.percentile(centre, 99):.3f}")
    print(f"outline: mean {outline.mean():.3f}, 99th percentile {np.percentile(outline, 99):.3f}")
    print(f"rounding: off by {math.sqrt(np.mean(rounding**2)):.3f} (root mean square)")
    held = np.mean([one.held_centre for one in met])
    print(f"95 % intervals: held {held:.0%} of centres' coordinates, ", end="")
    print(f"{np.mean([one.held_outline for one in met]):.0%} of outlines")


def main(words: Sequence[str] = ()) -> None:
    """Print the table that is asked for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks tables")
    way = parser.add_mutually_exclusive_group()
    way.add_argument("--own", action="store_true", help="tables that nobody described")
    way.add_argument("--stone", action="store_true", help="another painter's stone table")
    parser.add_argument("--camera", choices=("12mp", "3mp", "1mp"), default="3mp")
    parser.add_argument("--count", type=int, default=8, help="tables, of each kind")
    parser.add_argument("--boards", type=int, default=4, choices=(1, 2, 3, 4, 5), help="flat boards")
    options = parser.parse_args(words)
    cv2.setNumThreads(1)
    (print_own if options.own else print_stone if options.stone else print_tables)(options)

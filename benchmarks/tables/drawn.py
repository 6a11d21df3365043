"""Tables that calibrating has to cope with: tops of any brightness and texture, sheets and tapes of any
colours (in every second table all are equally bright, so that lines show by colour alone), glare, crumbs.

Camera, light and sensor are those of a kit of the landing benchmark, and so is what people do not quite get
right when they lay sheet and tapes.
"""

import math
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import cv2
import msgspec
import numpy as np

from benchmarks.landing.boards import flat_board
from benchmarks.landing.ground import Patch, paint, patches_of
from benchmarks.landing.kit import FLAT_PLACES_MM, Kit, kept, kit
from benchmarks.landing.layout import Layout, circle, description, draw_slips, lay, linear
from benchmarks.landing.light import Light
from benchmarks.landing.raster import share
from benchmarks.landing.sensor import expose
from benchmarks.landing.surfaces import Surface
from calibration.arrays import Floats, Singles
from calibration.description import TableDescription

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
        return kept(self._file("empty"), partial(self._seen, (), 60))

    def flats(self) -> tuple[Path, ...]:
        """The board lying on the table at four places."""
        places = range(len(FLAT_PLACES_MM))
        return tuple(kept(self._file(f"flat{i}"), partial(self._flat, i)) for i in places)

    def _file(self, what: str) -> str:
        return f"{self.kit.name}-colours{self.seed}-{self.mischief}{self.shape}-{what}.jpg"

    def _flat(self, i: int) -> bytes:
        rng = np.random.default_rng([self.seed, i, 14])
        x, y = np.array(FLAT_PLACES_MM[i]) + rng.uniform(-15, 15, 2)
        camera, turn = self.kit.camera, float(rng.uniform(-8, 8))
        return self._seen(flat_board(camera, self.kit.board, (float(x), float(y)), turn), 50 + i)

    def _seen(self, board: tuple[Patch, ...], shot: int) -> bytes:
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

"""The second painter: light of the empty table, of boards on it, and of dice thrown on it, by casting rays.

The empty table is cast once. A throw changes only its neighbourhood: one ray a pixel there, sixteen where
neighbours differ, with soft shadows from flat lamps and mirror images in what shines.
"""

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.landing.other_painter.grounds import Ground
from benchmarks.landing.other_painter.lens import HungCamera
from benchmarks.landing.other_painter.light import FEW, Hidden, Lighting
from benchmarks.landing.other_painter.sensor import MARGIN_PX, Window
from benchmarks.landing.other_painter.shapes import facing, march, nearest_hit
from benchmarks.landing.other_painter.sheet import FLOOR, TAPE, TOP, LaidTable
from benchmarks.landing.other_painter.things import Thing
from calibration.arrays import Floats, Singles

FINE = 4
"""Rays along each side of a pixel where neighbours differ."""
UNLIKE = 0.03
LIGHT_STEP_PX = 8
FAR_MM = 90.0
"""Things further apart do not shade each other."""
UP = np.array([[0.0, 0.0, 1.0]])
ROWS = 128


def pixels_of(window: Window) -> Floats:
    """The middles (n, 2) of a window's pixels, row by row."""
    left, top, right, bottom = window
    x, y = np.meshgrid(np.arange(left, right), np.arange(top, bottom))
    return np.stack((x.ravel(), y.ravel()), axis=1).astype(np.float64)


def spread(points_px: Floats, rng: np.random.Generator, side: int = FINE) -> Floats:
    """Places (n, side * side, 2) all over pixels (n, 2): one in each small square."""
    steps = (np.arange(side) + 0.5) / side - 0.5
    grid = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    shake = rng.uniform(-0.5 / side, 0.5 / side, (len(points_px), side * side, 2))
    return np.asarray(points_px[:, None] + grid + shake)


def edges_of(differs: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Pixels beside those that differ, and they themselves."""
    return cv2.dilate(differs.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0


def unlike(values: NDArray[np.generic], least: float = 0.5) -> NDArray[np.bool_]:
    """Where a map (h, w) differs from its right or lower neighbour."""
    found = np.zeros(values.shape, bool)
    numbers = values.astype(np.float32)
    found[:, :-1] |= np.abs(np.diff(numbers, axis=1)) > least
    found[:-1] |= np.abs(np.diff(numbers, axis=0)) > least
    return found


@dataclass(frozen=True, kw_only=True, eq=False)
class Studio:
    """A camera over a lit table."""

    camera: HungCamera
    lighting: Lighting
    ground: Ground
    laid: LaidTable
    tints: Floats
    """Reflectances (n, 3) by what lies at a place; those of the top come from the ground."""
    print_mirrors: float
    """How much sheet and tapes mirror."""
    print_rough: float
    seed: int

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in px."""
        return self.camera.lens.width_px, self.camera.lens.height_px

    @cached_property
    def flat(self) -> tuple[Singles, Singles]:
        """Reflectances (h, w, 3), and the shares (h, w, 2) of pixels that are bare top and printed."""
        wide, high = self.size
        tints, shares = np.empty((high, wide, 3), np.float32), np.empty((high, wide, 2), np.float32)
        codes = np.empty((high, wide), np.uint8)
        for top in range(0, high, ROWS):
            window = (0, top, wide, min(high, top + ROWS))
            spots = self.camera.reach_table(self.camera.look_in(window))
            part = self.laid.code_at(spots)
            tints[top : top + ROWS] = self._tints_at(spots, part).reshape(-1, wide, 3)
            codes[top : top + ROWS] = part.reshape(-1, wide)
        shares[..., 0], shares[..., 1] = codes == TOP, codes >= TAPE
        rows, columns = np.nonzero(edges_of(unlike(codes)))
        rng = np.random.default_rng([self.seed, 51])
        places = spread(np.stack((columns, rows), axis=1).astype(np.float64), rng)
        spots = self.camera.meet_table(places.reshape(-1, 2))
        fine = self.laid.code_at(spots)
        tints[rows, columns] = self._tints_at(spots, fine).reshape(-1, FINE * FINE, 3).mean(axis=1)
        shares[rows, columns, 0] = (fine == TOP).reshape(-1, FINE * FINE).mean(axis=1)
        shares[rows, columns, 1] = (fine >= TAPE).reshape(-1, FINE * FINE).mean(axis=1)
        return tints, shares

    def _tints_at(self, spots: Floats, codes: NDArray[np.uint8]) -> Singles:
        tints = self.tints[codes].astype(np.float32)
        bare = codes == TOP
        tints[bare] = self.ground.tint_at(spots[bare])
        return tints

    @cached_property
    def empty(self) -> Singles:
        """Light (h, w, 3) of the empty table: 1 for white paper in its middle."""
        wide, high = self.size
        rows, columns = high // LIGHT_STEP_PX + 2, wide // LIGHT_STEP_PX + 2
        x, y = np.meshgrid(np.arange(columns) * LIGHT_STEP_PX, np.arange(rows) * LIGHT_STEP_PX)
        spots = self.camera.meet_table(np.stack((x.ravel(), y.ravel()), 1).astype(np.float64))
        white = (
            self.lighting.direct(np.column_stack((spots, np.zeros(len(spots)))), UP) + self.lighting.ceiling
        )
        across, down = np.meshgrid(*(np.arange(n, dtype=np.float32) / LIGHT_STEP_PX for n in (wide, high)))
        lit = cv2.remap(white.reshape(rows, columns, 3).astype(np.float32), across, down, cv2.INTER_LINEAR)
        light = lit * self.flat[0]
        for top in range(0, high, ROWS):
            window = (0, top, wide, min(high, top + ROWS))
            light[top : top + ROWS] += self._shine(window, [])
        light.setflags(write=False)
        return np.asarray(light)

    def _shine(self, window: Window, things: list[Thing]) -> Singles:
        """What a window's flat things mirror (h, w, 3)."""
        left, top, right, bottom = window
        shares = self.flat[1][top:bottom, left:right]
        total = np.zeros((bottom - top, right - left, 3), np.float32)
        ways = self.camera.look_in(window).reshape(bottom - top, right - left, 3)
        for i, (mirrors, rough) in enumerate(
            ((self.ground.mirrors, self.ground.rough), (self.print_mirrors, self.print_rough))
        ):
            rows, columns = np.nonzero(shares[..., i] > 0)
            if mirrors > 0 and len(rows):
                towards = ways[rows, columns]
                share = mirrors + (1 - mirrors) * (1 + towards[:, 2:]) ** 5
                seen = self._mirror_image(towards, rough, things) * share
                image = np.zeros_like(total)
                image[rows, columns] = seen
                if things and rough > 0.01:
                    cv2.GaussianBlur(image, (0, 0), min(8.0, rough * 12 / self._mm_per_px), image)
                total += image * shares[..., i : i + 1]
        return total

    @property
    def _mm_per_px(self) -> float:
        return float(self.camera.eye_mm[2] / self.camera.lens.focal_px)

    def _mirror_image(self, down: Floats, rough: float, things: list[Thing]) -> Floats:
        starts = np.column_stack((self.camera.reach_table(down), np.zeros(len(down))))
        towards = down * [1, 1, -1]
        seen = self.lighting.mirrored(starts, towards, rough)
        if things:
            met, which = nearest_hit([thing.solid for thing in things], starts, towards)
            hit = np.flatnonzero(which >= 0)
            points = starts[hit] + towards[hit] * met[hit, None]
            seen[hit] = self.shade(things, points, towards[hit], which[hit])
        return np.asarray(seen)

    def with_things(self, things: list[Thing], light: Singles) -> list[Window]:
        """Put things on the table in its light (h, w, 3), which is changed; the windows that were."""
        rng = np.random.default_rng([self.seed, 52])
        windows = _joined([(self.window_of(thing), [thing]) for thing in things])
        for window, inside in windows:
            near = [t for t in things if t in inside or any(_apart(t, one) < FAR_MM for one in inside)]
            left, top, right, bottom = window
            part = self._shaded_ground(window, near)
            self._cast(window, near, part, rng)
            light[top:bottom, left:right] = part
        return [window for window, _ in windows]

    def window_of(self, thing: Thing) -> Window:
        """The part of the picture that a thing changes: itself, its shadows, its mirror image."""
        middle, radius = thing.solid.bound
        corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * radius
        around = middle + corners
        around[:, 2] = np.maximum(around[:, 2], 0.0)
        spots = [around, around * [1, 1, -1], around * [1, 1, 0] + corners * [1.2, 1.2, 0]]
        for panel in self.lighting.panels:
            for lamp in panel.points((2, 2)):
                high = np.minimum(around[:, 2:], lamp[2] * 0.6)
                cast = (around - lamp)[:, :2] * (high / (lamp[2] - high))
                length = np.linalg.norm(cast, axis=1, keepdims=True)
                cast *= np.minimum(1, 90 / np.maximum(length, 1))
                spots.append(np.column_stack((around[:, :2] + cast, np.zeros(8))))
        seen = self.camera.project(np.concatenate(spots))
        low, high_px = np.floor(seen.min(axis=0)) - 6, np.ceil(seen.max(axis=0)) + 6
        wide, high = self.size
        left, top = max(0, int(low[0])), max(0, int(low[1]))
        return left, top, max(left, min(wide, int(high_px[0]))), max(top, min(high, int(high_px[1])))

    def _shaded_ground(self, window: Window, things: list[Thing]) -> Singles:
        """The table's light in a window (h, w, 3), with what things keep from it and mirror in it."""
        left, top, right, bottom = window
        wide, high = right - left, bottom - top
        step = max(1, round(0.6 / self._mm_per_px), int(np.sqrt(wide * high / 40_000)))
        columns, rows = -(-wide // step) + 1, -(-high // step) + 1
        x, y = np.meshgrid(left + np.arange(columns) * step, top + np.arange(rows) * step)
        spots = self.camera.meet_table(np.stack((x.ravel(), y.ravel()), 1).astype(np.float64))
        points = np.column_stack((spots, np.zeros(len(spots))))
        hidden = Hidden([t.solid for t in things], [t.skin.clear * 0.8 for t in things])
        white = (
            self.lighting.direct(points, UP, hidden)
            + self.lighting.ceiling * hidden.open_sky(points)[:, None]
        )
        across, down = np.meshgrid(*(np.arange(n, dtype=np.float32) / step for n in (wide, high)))
        lit = cv2.remap(
            white.reshape(rows, columns, 3).astype(np.float32),
            across,
            down,
            cv2.INTER_LINEAR,
        )
        lit = cv2.GaussianBlur(lit, (0, 0), 0.5 * step)
        return np.asarray(lit * self.flat[0][top:bottom, left:right] + self._shine(window, things))

    def _cast(self, window: Window, things: list[Thing], part: Singles, rng: np.random.Generator) -> None:
        """Cast rays at things in a window's light (h, w, 3), which is changed."""
        left, top, right, bottom = window
        colours, which = self.look(things, self.camera.look_in(window))
        which_map = which.reshape(bottom - top, right - left)
        shown = part.reshape(-1, 3)
        hit = which >= 0
        shown[hit] = colours[hit]
        bright = np.log(np.maximum(part.mean(axis=2), 0.004))
        differs = unlike(which_map) | (unlike(bright, UNLIKE * 3) & (which_map >= 0))
        rows, columns = np.nonzero(edges_of(differs))
        ground = self._ground_behind(part, which_map, rows, columns)
        chosen = np.stack((columns + left, rows + top), axis=1).astype(np.float64)
        colours, which = self.look(things, self.camera.look_along(spread(chosen, rng).reshape(-1, 2)))
        colours = np.where((which >= 0)[:, None], colours, np.repeat(ground, FINE * FINE, axis=0))
        part[rows, columns] = colours.reshape(-1, FINE * FINE, 3).mean(axis=1)

    @staticmethod
    def _ground_behind(
        part: Singles, which: NDArray[np.int64], rows: NDArray[np.int64], columns: NDArray[np.int64]
    ) -> Singles:
        """The ground's light (n, 3) beside things: the middle of the bare pixels round a pixel."""
        bare = (which < 0).astype(np.float32)
        total = cv2.blur(part * bare[..., None], (5, 5))
        count = cv2.blur(bare, (5, 5))
        mean = total / np.maximum(count, 1e-3)[..., None]
        own = np.where((which < 0)[..., None], part, mean)
        return np.asarray(own[rows, columns])

    def look(self, things: list[Thing], towards: Floats) -> tuple[Singles, NDArray[np.int64]]:
        """Light (n, 3) of things along rays from the camera, and which these are; -1 for the ground."""
        met, which = nearest_hit([t.solid for t in things], self.camera.eye_mm[None], towards)
        colours = np.zeros((len(towards), 3), np.float32)
        hit = np.flatnonzero(which >= 0)
        points = self.camera.eye_mm + towards[hit] * met[hit, None]
        colours[hit] = self.shade(things, points, towards[hit], which[hit])
        return colours, which

    def shade(
        self, things: list[Thing], points: Floats, towards: Floats, which: NDArray[np.int64]
    ) -> Singles:
        """Light (n, 3) that points of things throw back along rays towards them."""
        shown = np.zeros((len(points), 3), np.float32)
        for i in np.unique(which):
            here = np.flatnonzero(which == i)
            others = [t for j, t in enumerate(things) if j != i and _apart(t, things[i]) < FAR_MM]
            shown[here] = self._shade_one(things[i], others, points[here], towards[here])
        return shown

    def _shade_one(self, thing: Thing, others: list[Thing], points: Floats, towards: Floats) -> Singles:
        skin = thing.skin
        plain = facing(thing.solid, points)
        tints, normals = skin.dress(points, plain)
        hidden = Hidden([t.solid for t in others], [t.skin.clear for t in others], FEW)
        direct = self.lighting.direct(points, normals, hidden)
        up = normals[:, 2:]
        open_up = 0.5 + 0.5 * np.clip(points[:, 2:] / 9.0, 0, 1)
        below = self.glow_at(points[:, :2] + 5 * plain[:, :2])
        room = self.lighting.ceiling * (0.5 + 0.5 * up) * np.where(up > 0.9, 1, open_up)
        white = direct + room + below * (0.5 - 0.5 * up) * 0.8 * open_up
        shown = tints * white
        if skin.clear:
            through = self.glow_at(points[:, :2] + towards[:, :2] * points[:, 2:] * 0.7)
            tinted = np.sqrt(tints) * (0.75 * through + 0.3 * direct + 0.1 * room)
            shown = (1 - skin.clear) * shown + skin.clear * tinted
        cosine = -np.sum(towards * plain, axis=1, keepdims=True)
        mirrored = towards + 2 * cosine * plain
        share = skin.mirrors + (1 - skin.mirrors) * np.clip(1 - cosine, 0, 1) ** 5 * (
            1 - min(1, skin.rough * 2)
        )
        sky = self.lighting.mirrored(points, mirrored, skin.rough)
        image = np.where(mirrored[:, 2:] > 0.02, sky, below)
        for other in others:
            image[np.isfinite(march(other.solid, points, mirrored, 24))] *= 0.25
        return np.asarray(shown * (1 - share) + image * share, np.float32)

    def glow_at(self, spots: Floats) -> Floats:
        """The empty table's light (n, 3) at places (n, 2), without its glare."""
        seen = self.camera.project(np.column_stack((spots, np.zeros(len(spots)))))
        wide, high = self.size
        x = np.clip(np.rint(seen[:, 0]), 0, wide - 1).astype(int)
        y = np.clip(np.rint(seen[:, 1]), 0, high - 1).astype(int)
        return np.asarray(np.minimum(self.empty[y, x], 0.9), np.float64)


def floor_and_print(plan_tints: list[Floats], floor: Floats) -> Floats:
    """Reflectances (n, 3) by code: floor, top (nothing yet), then tape, dot and zones."""
    table = np.zeros((2 + len(plan_tints), 3))
    table[FLOOR] = floor
    table[2:] = plan_tints
    return table


def _apart(one: Thing, other: Thing) -> float:
    (a, r), (b, s) = one.solid.bound, other.solid.bound
    return float(np.linalg.norm(a - b)) - r - s


def _joined(parts: list[tuple[Window, list[Thing]]]) -> list[tuple[Window, list[Thing]]]:
    """Windows that overlap as one."""
    left = [part for part in parts if part[0][0] < part[0][2] and part[0][1] < part[0][3]]
    done: list[tuple[Window, list[Thing]]] = []
    while left:
        window, things = left.pop()
        other = next((part for part in left if _overlap(part[0], window)), None)
        if other is None:
            done.append((window, things))
            continue
        left.remove(other)
        a, b = window, other[0]
        left.append(((min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3])), things + other[1]))
    return done


def _overlap(a: Window, b: Window) -> bool:
    return (
        a[0] < b[2] + MARGIN_PX
        and b[0] < a[2] + MARGIN_PX
        and a[1] < b[3] + MARGIN_PX
        and b[1] < a[3] + MARGIN_PX
    )

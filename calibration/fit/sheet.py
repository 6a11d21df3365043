"""Finds roughly where the sheet lies in the empty picture: anywhere, turned any way, its colours faded.

The camera and the plane are known, so the picture can be laid out flat at its true size, and the plan only
has to be shifted and turned on it. Its lines are compared with the picture's by direction alone (each
gradient counts as a unit arrow of doubled angle, so that neither colours nor which side is brighter matter),
for all shifts at once by Fourier transform. The best few places are then fitted line by line.
"""

from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Floats, Picture, Singles
from calibration.description import TableDescription
from calibration.fit.bundle import trust
from calibration.fit.plan_lines import PlanLine, sheet_lines, sheet_paint
from calibration.trouble import CalibrationError
from calibration.view import View
from engine.wording import phrase

COARSE_MM, FINE_MM = 5.0, 2.0
"""The side of a pixel of the flat picture: for the search, and for the fit."""
TURN_STEP_DEG = 3.0
CANDIDATES = 12
FURTHEST_MM = 2500.0
"""How far from the point below the camera things are still looked at."""
ENOUGH = 0.6
"""The share of the sheet's lines that must be found for it to be the sheet."""
FAINTEST = 1.5
"""The weakest slope that counts as an edge, in grey levels a pixel of the flat picture."""
CERTAIN = 0.95
"""When this share of the lines is found, no other place is tried."""


@dataclass(frozen=True, slots=True)
class PlanPose:
    """A pose of the plan in the plane: turned about its origin, then shifted."""

    x_mm: float
    y_mm: float
    turn_rad: float

    @property
    def matrix(self) -> Floats:
        """The turn as a 2 x 2 matrix."""
        c, s = np.cos(self.turn_rad), np.sin(self.turn_rad)
        return np.array([[c, -s], [s, c]])

    def put(self, points: Floats) -> Floats:
        """Points (n, 2) of the plan, on the plane."""
        found: Floats = points @ self.matrix.T + (self.x_mm, self.y_mm)
        return found

    def turned(self, vectors: Floats) -> Floats:
        """Directions (n, 2) of the plan, on the plane."""
        found: Floats = vectors @ self.matrix.T
        return found


@dataclass(frozen=True, slots=True, eq=False)
class Flat:
    """The picture laid out flat, as if seen from straight above."""

    picture: Singles
    """Colours (h, w, 3)."""
    seen: NDArray[np.bool_]
    """Where the camera saw something (h, w)."""
    origin: Floats
    step_mm: float
    slope: tuple[Singles, Singles]
    """The gradient (h, w) along x and y, in grey levels a pixel, of the colour that changes most there."""


@dataclass(frozen=True, slots=True)
class SheetPlace:
    """A place where the sheet may lie."""

    placed: PlanPose
    support: float
    """The share of its lines that are found where they should be, 0 to 1; less where a zone is not of one
    colour."""
    in_picture: float
    """The share of its lines that lies within the picture, 0 to 1."""


def find_sheet(picture: Picture, view: View, plan: TableDescription) -> SheetPlace:
    """Where the plan's sheet lies on the plane z = 0 of `view`.

    Raises `CalibrationError` when there is no such sheet in the picture, or not enough of it.
    """
    lines = sheet_lines(plan)
    coarse = laid_flat(picture, view, COARSE_MM)
    fine = laid_flat(picture, view, FINE_MM)
    best = SheetPlace(PlanPose(0, 0, 0), 0.0, 0.0)
    for start in _search(coarse, lines):
        place = _fitted(fine, start, lines, plan)
        best = max(best, place, key=lambda one: one.support)
        if best.support > CERTAIN:
            break
    if best.support < ENOUGH:
        raise CalibrationError(
            phrase(
                "No sheet like that of the table description is seen in the empty picture: at best "
                "{support:.0f} % of its lines fit. Take the picture with the whole sheet in view, "
                "nothing on it, and give the --table of this sheet and the --board that was printed.",
                support=100 * best.support,
            )
        )
    if best.in_picture < 0.9:
        raise CalibrationError(
            phrase(
                "Only {in_picture:.0f} % of the sheet's lines are in the picture. Move the camera so "
                "that it sees the whole sheet, and calibrate again.",
                in_picture=100 * best.in_picture,
            )
        )
    return best


def laid_flat(picture: Picture, view: View, step_mm: float) -> Flat:
    """The plane seen from straight above, `step_mm` a pixel."""
    height, width = picture.shape[:2]
    t = np.linspace(0, 1, 30)[:, None]
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height], [0, 0]], np.float64) - 0.5
    rim = np.concatenate([a + t * (b - a) for a, b in pairwise(corners)])
    ahead = view.rays(rim)[:, 2] < 0
    foot = view.eye_mm[:2]
    ground = view.on_plane(rim[ahead]) if ahead.any() else foot[None, :]
    away = ground - foot
    far = np.maximum(np.linalg.norm(away, axis=1, keepdims=True) / FURTHEST_MM, 1.0)
    ground = foot + away / far
    low, high = ground.min(axis=0), ground.max(axis=0)
    columns, rows = (int(n) + 1 for n in (high - low) / step_mm)
    shrink = int(max(1, np.floor(step_mm * view.scale_px_per_mm(*ground.mean(axis=0)))))
    small = cv2.resize(
        picture, (max(1, width // shrink), max(1, height // shrink)), interpolation=cv2.INTER_AREA
    )
    at = _seen_from(view, low, step_mm, (rows, columns))
    seen = np.all((at > 2) & (at < np.array([width, height]) - 3), axis=2)
    spots = ((at + 0.5) / (width / small.shape[1], height / small.shape[0]) - 0.5).astype(np.float32)
    flat = cv2.remap(small, spots[..., 0], spots[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    inner = cv2.erode(seen.astype(np.uint8), np.ones((5, 5), np.uint8)).astype(bool)
    level = np.asarray(flat, np.float32)
    return Flat(level, inner, low, step_mm, _gradient(level, inner))


def _seen_from(view: View, low: Floats, step_mm: float, size: tuple[int, int]) -> Floats:
    """The pixels (rows, columns, 2) that see the grid's places: exact at every eighth place, interpolated
    between (to 0.01 px)."""
    (rows, columns), every = size, 8
    nodes = [(np.arange(-1, -(-n // every) + 1) + 0.5) * every - 0.5 for n in (columns, rows)]
    grid = np.stack(np.meshgrid(*nodes), axis=-1).reshape(-1, 2) * step_mm + low
    at = view.project(np.column_stack([grid, np.zeros(len(grid))])).reshape(len(nodes[1]), len(nodes[0]), 2)
    wide = cv2.resize(at, None, fx=every, fy=every, interpolation=cv2.INTER_LINEAR)
    return np.asarray(wide[every : every + rows, every : every + columns], np.float64)


def _gradient(picture: Singles, seen: NDArray[np.bool_]) -> tuple[Singles, Singles]:
    soft = cv2.GaussianBlur(picture, (0, 0), 1.0)
    gx, gy = (cv2.Sobel(soft, cv2.CV_32F, *d, ksize=3) / 8 for d in ((1, 0), (0, 1)))
    most = np.argmax(gx**2 + gy**2, axis=2)[..., None]
    x, y = (np.take_along_axis(g, most, axis=2)[..., 0] * seen for g in (gx, gy))
    return x.astype(np.float32), y.astype(np.float32)


def _search(flat: Flat, lines: tuple[PlanLine, ...]) -> list[PlanPose]:
    """The likeliest poses of the plan, best first."""
    gx, gy = flat.slope
    size = np.hypot(gx, gy)
    # Beyond a few grey levels an edge is an edge: a faded zone counts as much as white tape on slate.
    weight = np.minimum(size / 3.0, 1.0) / np.maximum(size**2, 1e-6)
    rows, columns = size.shape
    points, arrows = _arrows(lines)
    middle = points.mean(axis=0)
    reach = int(np.ceil(np.linalg.norm(points - middle, axis=1).max() / flat.step_mm))
    high, wide = (cv2.getOptimalDFTSize(n + 2 * reach) for n in (rows, columns))
    field = np.zeros((high, wide, 2), np.float32)
    field[:rows, :columns, 0] = (gx**2 - gy**2) * weight
    field[:rows, :columns, 1] = 2 * gx * gy * weight
    spectrum = cv2.dft(field, flags=cv2.DFT_COMPLEX_OUTPUT)
    found: list[tuple[float, PlanPose]] = []
    for turn in np.radians(np.arange(0, 360, TURN_STEP_DEG)):
        placed = PlanPose(0.0, 0.0, float(turn))
        stamp = _stamp(placed.put(points - middle) / flat.step_mm, arrows * np.exp(2j * turn), (high, wide))
        product = cv2.mulSpectrums(spectrum, cv2.dft(stamp, flags=cv2.DFT_COMPLEX_OUTPUT), 0, conjB=True)
        back = cv2.dft(product, flags=cv2.DFT_INVERSE | cv2.DFT_COMPLEX_OUTPUT | cv2.DFT_SCALE)
        score = cv2.extractChannel(back, 0)
        for _ in range(2):
            _, value, _, (column, row) = cv2.minMaxLoc(score)
            shift = np.array([(column + reach) % wide - reach, (row + reach) % high - reach])
            x, y = shift * flat.step_mm + flat.origin - placed.turned(middle)
            found.append((value, PlanPose(float(x), float(y), float(turn))))
            cv2.circle(score, (column, row), 6, -1e9, -1)
    found.sort(key=lambda pair: -pair[0])
    kept: list[PlanPose] = []
    for _, place in found:
        if all(_apart(place, other) for other in kept):
            kept.append(place)
    return kept[:CANDIDATES]


def _apart(one: PlanPose, other: PlanPose) -> bool:
    turn = abs((one.turn_rad - other.turn_rad + np.pi) % (2 * np.pi) - np.pi)
    return bool(turn > np.radians(8) or np.hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm) > 40)


def _arrows(lines: tuple[PlanLine, ...]) -> tuple[Floats, NDArray[np.complex128]]:
    """The plan's lines as points (n, 2), and the unit arrows of their normals with doubled angles (n,)."""
    points = np.concatenate([line.at(line.seen_at_mm) for line in lines])
    arrows = np.concatenate([
        np.full(len(line.seen_at_mm), complex(*line.normal) ** 2) for line in lines
    ])  # fmt: skip
    return points, arrows


def _stamp(at: Floats, arrows: NDArray[np.complex128], size: tuple[int, int]) -> Singles:
    """The arrows drawn into a field (h, w, 2) that wraps round, blurred a little so that an error of a pixel
    is forgiven."""
    high, wide = size
    spots = np.rint(at).astype(int)
    field = np.zeros((high, wide, 2), np.float32)
    np.add.at(field, (spots[:, 1] % high, spots[:, 0] % wide), np.stack([arrows.real, arrows.imag], axis=1))
    return np.asarray(cv2.GaussianBlur(field, (5, 5), 1.2, borderType=cv2.BORDER_REFLECT), np.float32)


def _fitted(flat: Flat, start: PlanPose, lines: tuple[PlanLine, ...], plan: TableDescription) -> SheetPlace:
    """The pose fitted to the edges near its lines, and how many of these are there."""
    points = np.concatenate([line.at(line.seen_at_mm[::3]) for line in lines])
    normals = np.concatenate(
        [np.repeat(line.normal[None], len(line.seen_at_mm[::3]), axis=0) for line in lines]
    )
    placed = start
    offset, strength, there = np.empty(0), np.empty(0), np.empty(0, bool)
    for reach in (14.0, 8.0, 5.0, 4.0, 4.0):
        offset, strength, there = _nearest_edges(flat, placed.put(points), placed.turned(normals), reach)
        use = there & (strength > FAINTEST)
        if np.count_nonzero(use) < 20:
            return SheetPlace(placed, 0.0, 0.0)
        placed = _nudged(placed, points, normals, offset, use)
    close = there & (np.abs(offset) < 1.5 * flat.step_mm) & (strength > FAINTEST)
    support = np.count_nonzero(close) / np.count_nonzero(there)
    return SheetPlace(placed, support * _sameness(flat, placed, plan), np.count_nonzero(there) / len(there))


def _nearest_edges(
    flat: Flat, points: Floats, normals: Floats, reach: float
) -> tuple[Floats, Floats, NDArray[np.bool_]]:
    """The strongest change of light along each normal (n, 2) within `reach` mm: its offset in mm, its size,
    and whether the point is in view."""
    offsets = np.arange(-reach, reach + 0.1, flat.step_mm / 2)
    at = (points[:, None, :] + normals[:, None, :] * offsets[None, :, None] - flat.origin) / flat.step_mm
    spots = at.astype(np.float32)
    x, y = (cv2.remap(g, spots[..., 0], spots[..., 1], cv2.INTER_LINEAR) for g in flat.slope)
    response = np.abs(x * normals[:, :1] + y * normals[:, 1:])
    best = np.argmax(response, axis=1)
    seen = cv2.remap(flat.seen.astype(np.uint8), spots[..., 0], spots[..., 1], cv2.INTER_NEAREST)
    middle = seen[:, len(offsets) // 2].astype(bool)
    return offsets[best], response[np.arange(len(best)), best].astype(np.float64), middle


def _nudged(
    placed: PlanPose, points: Floats, normals: Floats, offset: Floats, use: NDArray[np.bool_]
) -> PlanPose:
    """One robust least-squares step of shift and turn towards the edges."""
    arm = placed.turned(points)
    across = placed.turned(normals)
    lever = arm[:, 0] * across[:, 1] - arm[:, 1] * across[:, 0]
    a = np.column_stack([across, lever])[use]
    b = offset[use]
    step = np.zeros(3)
    for _ in range(6):
        left = (b - a @ step)[:, None]
        w = trust(left, max(0.7, 1.4826 * float(np.median(np.abs(left)))))
        step = np.asarray(np.linalg.lstsq(a * w[:, None], b * w, rcond=None)[0], np.float64)
    x, y, turn = step.tolist()
    return PlanPose(placed.x_mm + x, placed.y_mm + y, placed.turn_rad + turn)


def _sameness(flat: Flat, placed: PlanPose, plan: TableDescription) -> float:
    """1 when colours change where zones meet; down to 0.5 when they change as much within zones, as they do
    in a wrong place.

    Neighbouring places are compared, so that a lamp that mirrors in a part of the sheet is no other colour.
    """
    deep, half = plan.end_zone.depth_mm, plan.end_zone.width_mm / 2
    grid = np.stack(np.meshgrid(np.arange(-half + 4, half, 8.0), np.arange(4, deep, 8.0)), axis=-1)
    zone = sheet_paint(plan, grid.reshape(-1, 2)).reshape(grid.shape[:2])
    at = (placed.put(grid.reshape(-1, 2)).reshape(grid.shape) - flat.origin) / flat.step_mm
    spots = at.astype(np.float32)
    light = cv2.remap(flat.picture, spots[..., 0], spots[..., 1], cv2.INTER_LINEAR)
    change = [np.abs(np.diff(light, axis=axis)).sum(axis=2).ravel() for axis in (0, 1)]
    meet = [(np.diff(zone, axis=axis) != 0).ravel() for axis in (0, 1)]
    changes, borders = np.concatenate(change), np.concatenate(meet)
    if not borders.any():
        return 1.0
    within, across = float(np.mean(changes[~borders])), float(np.mean(changes[borders]))
    return float(np.clip(1.25 - within / max(across, 1e-6), 0.5, 1.0))

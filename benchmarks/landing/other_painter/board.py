"""The ChArUco board before the second painter's camera: held in the hand, or flat on the table."""

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.landing.other_painter.lens import BentLens, rays_of_pixels
from benchmarks.landing.other_painter.sensor import Window
from benchmarks.landing.other_painter.studio import Studio, edges_of, spread, unlike
from calibration.arrays import Floats, Singles

COLUMNS, ROWS, SQUARE_MM, MARKER_MM, RIM_MM = 11, 8, 25.0, 18.0, 8.0
CELLS = 7
PAPER, INK = 0.80, 0.03
AWAY = 2
MAP_MM, MAP_RIM_MM = 0.1, 12.0


@lru_cache(maxsize=1)
def _bits() -> NDArray[np.uint8]:
    """The markers' cells (n, 7, 7), 1 for white, in the order of the board's white squares."""
    names = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_100)
    count = ROWS * COLUMNS // 2
    return np.array([names.generateImageMarker(i, CELLS) > 0 for i in range(count)], np.uint8)


def colour_at(points: Floats) -> NDArray[np.uint8]:
    """1 for paper, 0 for ink, AWAY beside the board, at places (n, 2) mm from its upper left corner."""
    x, y = points[:, 0], points[:, 1]
    column, row = np.floor(x / SQUARE_MM).astype(int), np.floor(y / SQUARE_MM).astype(int)
    inside = (column >= 0) & (column < COLUMNS) & (row >= 0) & (row < ROWS)
    paper = (
        (x > -RIM_MM) & (y > -RIM_MM) & (x < COLUMNS * SQUARE_MM + RIM_MM) & (y < ROWS * SQUARE_MM + RIM_MM)
    )
    found = np.where(paper, 1, AWAY).astype(np.uint8)
    found[inside & ((column + row) % 2 == 0)] = 0
    marked = np.flatnonzero(inside & ((column + row) % 2 == 1))
    number = (row[marked] * COLUMNS + column[marked]) // 2
    cell = MARKER_MM / CELLS
    i = np.floor((x[marked] % SQUARE_MM - (SQUARE_MM - MARKER_MM) / 2) / cell).astype(int)
    j = np.floor((y[marked] % SQUARE_MM - (SQUARE_MM - MARKER_MM) / 2) / cell).astype(int)
    on = (i >= 0) & (i < CELLS) & (j >= 0) & (j < CELLS)
    found[marked[on]] = _bits()[number[on], j[on], i[on]]
    return found


@lru_cache(maxsize=1)
def _map() -> NDArray[np.uint8]:
    """`colour_at` on a fine grid, from `-MAP_RIM_MM` on: near enough but for edges."""
    high, wide = (int((n * SQUARE_MM + 2 * MAP_RIM_MM) / MAP_MM) for n in (ROWS, COLUMNS))
    x, y = np.meshgrid(np.arange(wide), np.arange(high))
    points = (np.stack((x.ravel(), y.ravel()), axis=1).astype(np.float64) + 0.5) * MAP_MM - MAP_RIM_MM
    return colour_at(points).reshape(high, wide)


def _rough_codes(lens: BentLens, turn: Floats, middle_mm: Floats, window: Window) -> NDArray[np.uint8]:
    """`colour_at` for each pixel of a window (h, w), edges a little off."""
    left, top, right, bottom = window
    rays = rays_of_pixels(lens)[top:bottom, left:right].reshape(-1, 3)
    aims = np.column_stack((turn[:, :2] * (middle_mm @ turn[:, 2]), turn[:, 2])).astype(np.float32)
    across, down, away = (rays @ aims).T
    half = np.array([COLUMNS, ROWS]) * SQUARE_MM / 2 - middle_mm @ turn[:, :2] + MAP_RIM_MM
    found = _map()
    high, wide = found.shape
    x = np.clip((across / away + np.float32(half[0])) * np.float32(1 / MAP_MM), 0, wide - 1).astype(np.int32)
    y = np.clip((down / away + np.float32(half[1])) * np.float32(1 / MAP_MM), 0, high - 1).astype(np.int32)
    return np.asarray(found[y, x].reshape(bottom - top, right - left), np.uint8)


def draw_board(
    lens: BentLens, turn: Floats, middle_mm: Floats, light: Singles, white: Singles, seed: int
) -> None:
    """Put the board in light (h, w, 3), which is changed; `turn` (3, 3) and `middle_mm` (3,) place its middle
    in the camera's frame, `white` is the light on it."""
    half = np.array([COLUMNS, ROWS]) * SQUARE_MM / 2

    def meet_board(pixels: Floats) -> Floats:
        rays = lens.rays(pixels)
        facing = turn[:, 2]
        reach = (middle_mm @ facing) / (rays @ facing)
        return np.asarray((rays * reach[:, None] - middle_mm) @ turn[:, :2] + half)

    rim = np.array(
        [
            [x, y, 0.0]
            for x in (-half[0] - RIM_MM, half[0] + RIM_MM)
            for y in (-half[1] - RIM_MM, half[1] + RIM_MM)
        ]
    )
    seen = lens.spots(rim @ turn.T + middle_mm)
    low = np.maximum(np.floor(seen.min(axis=0)) - 30, 0).astype(int)
    high = np.minimum(np.ceil(seen.max(axis=0)) + 30, [lens.width_px, lens.height_px]).astype(int)
    window: Window = (int(low[0]), int(low[1]), int(high[0]), int(high[1]))
    codes = _rough_codes(lens, turn, middle_mm, window)
    rows, columns = np.nonzero(edges_of(unlike(codes)))
    pixels = np.stack((columns, rows), 1) + low.astype(np.float64)
    fine = spread(pixels, np.random.default_rng([seed, 53]), 3)
    codes_fine = colour_at(meet_board(fine.reshape(-1, 2))).reshape(len(rows), -1)
    ink = (codes == 0).astype(np.float32)
    cover = (codes != AWAY).astype(np.float32)
    ink[rows, columns], cover[rows, columns] = (codes_fine == 0).mean(1), (codes_fine != AWAY).mean(1)
    part = light[window[1] : window[3], window[0] : window[2]]
    lit = white[window[1] : window[3], window[0] : window[2]]
    shown = (cover - ink) * PAPER + ink * INK
    part *= (1 - cover)[..., None]
    part += shown[..., None] * lit


def lay_board(studio: Studio, middle_mm: tuple[float, float], turn_rad: float, seed: int) -> Singles:
    """The light (h, w, 3) of the table with the board lying flat on it."""
    light = studio.empty.copy()
    c, s = np.cos(turn_rad), np.sin(turn_rad)
    # Seen from above its y runs downwards.
    turn = studio.camera.turn @ np.array([[c, s, 0], [s, -c, 0], [0, 0, -1]])
    middle = studio.camera.turn @ (np.array([*middle_mm, 0.0]) - studio.camera.eye_mm)
    there = np.array([[*middle_mm, 0.0]])
    up = np.array([[0.0, 0.0, 1.0]])
    white = (studio.lighting.direct(there, up) + studio.lighting.ceiling).astype(np.float32)
    wide, high = studio.size
    draw_board(studio.camera.lens, turn, middle, light, np.broadcast_to(white, (high, wide, 3)), seed)
    return light


def hold_board(lens: BentLens, seed: int) -> Singles:
    """The light (h, w, 3) of the board held somewhere before the lens in a dim room."""
    rng = np.random.default_rng([seed, 54])
    size = np.array([lens.width_px, lens.height_px])
    room = rng.uniform(0.03, 0.3, (6, 8, 3)).astype(np.float32)
    size_px = (lens.width_px, lens.height_px)
    light = np.asarray(cv2.resize(room, size_px, interpolation=cv2.INTER_LINEAR), np.float32)
    half = np.array([COLUMNS, ROWS]) * SQUARE_MM / 2 + RIM_MM
    corners = np.array([[x, y, 0.0] for x in (-half[0], half[0]) for y in (-half[1], half[1])])
    while True:
        a, b = rng.uniform(-0.62, 0.62, 2)
        c = rng.uniform(-0.4, 0.4) + rng.choice([0, np.pi / 2, np.pi])
        lean = np.array([[1, 0, 0], [0, np.cos(a), -np.sin(a)], [0, np.sin(a), np.cos(a)]])
        lean = lean @ np.array([[np.cos(b), 0, np.sin(b)], [0, 1, 0], [-np.sin(b), 0, np.cos(b)]])
        turn = lean @ np.array([[np.cos(c), -np.sin(c), 0], [np.sin(c), np.cos(c), 0], [0, 0, 1]])
        far = lens.focal_px * COLUMNS * SQUARE_MM / (lens.width_px * rng.uniform(0.4, 0.85))
        spot = (rng.uniform(0.12, 0.88, 2) * size)[None]
        middle = lens.rays(spot)[0] * far
        seen = lens.spots(corners @ turn.T + middle)
        if (seen > -0.01 * size).all() and (seen < 1.01 * size).all():
            break
    corners_lit = rng.uniform(0.7, 1.0, (2, 2, 1)).astype(np.float32).repeat(3, axis=2)
    sweep = np.asarray(cv2.resize(corners_lit, size_px), np.float32)
    draw_board(lens, turn, middle, light, sweep, seed)
    return light

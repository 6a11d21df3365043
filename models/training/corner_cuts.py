"""What the network of corners learns from: corners of dice that were measured, and what is true of the dice.

Each die is cut out five times: once as it was fitted, and four times a little beside that, from a picture
that was spoilt as other cameras and lights would have it.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from calibration.arrays import Picture, Singles
from calibration.view import View
from models.files import CACHE
from models.training.corner_scenes import DrawnLanding, landings
from models.training.parts import joined, kept_part
from vision.landing.corners import CornerCuts, cut_corners
from vision.landing.cube import flat_cube, yaw_of
from vision.landing.measure import Measurer

FOLDER = CACHE / "corners"
AGAIN = 4
SAME_MM = 9.0
"""A die that is measured within this of a true one is that die."""
REACH_MM = 19.0
"""How far round its middle a die's picture is spoilt."""
FARTHEST_MM = 0.6
"""A die whose edge is off by more is no flat die of that size."""


@dataclass(frozen=True, slots=True, eq=False)
class LearntCorners:
    """N dice as the network is shown them, and what is true of each."""

    cuts: Picture
    """N x 4 x 32 x 32 x 6."""
    known: Singles
    """N x 4 x 8."""
    roundings: Singles
    steps: Singles
    """How much wider each is than it was fitted, mm (N)."""

    def __len__(self) -> int:
        """How many."""
        return len(self.roundings)


def corners_of(tables: Sequence[int], per_table: int, *, plain: bool = False) -> LearntCorners:
    """The dice of so many landings on each of the tables of these seeds.

    They are drawn, measured and kept where that was not yet done. With `plain` each die is cut out once, of a
    picture as the benchmark draws it.
    """
    FOLDER.mkdir(parents=True, exist_ok=True)
    every = tqdm(tables, desc="corners", mininterval=5)
    parts = [
        kept_part(
            FOLDER / f"{seed}-{per_table}.npz", LearntCorners, partial(_cut, seed, per_table, plain=plain)
        )
        for seed in every
    ]
    return joined(LearntCorners, parts)


def _cut(seed: int, per_table: int, *, plain: bool) -> LearntCorners:
    chance = np.random.default_rng([seed, 55])
    every = landings(seed, per_table, plain=plain)
    rows = [row for landed in every for row in _rows(landed, 0 if plain else AGAIN, chance)]
    return LearntCorners(
        np.array([cut.cuts for cut, _, _ in rows], np.uint8).reshape(-1, 4, 32, 32, 6),
        np.array([cut.known for cut, _, _ in rows], np.float32).reshape(-1, 4, 8),
        np.array([rounding for _, rounding, _ in rows], np.float32),
        np.array([step for _, _, step in rows], np.float32),
    )


def _rows(
    landed: DrawnLanding, again: int, chance: np.random.Generator
) -> Iterator[tuple[CornerCuts, float, float]]:
    """Each die of a landing that was measured where it lies, cut out once and so often again.

    With each come its rounding and how much wider it is than the cut takes it for.
    """
    placed, _ = Measurer(landed.calibration).fitted(landed.picture)
    for one in placed:
        x, y = (float(part) for part in one.cube.center_mm[:2])
        near = [die for die in landed.dice if math.dist((x, y), die.center_mm[:2]) < SAME_MM]
        if one.pose != "flat" or not near:
            continue
        for turn in range(1 + again):
            picture, view = seen_round(landed, x, y)
            fit = beside(one.fit, chance) if turn else one.fit
            cut = cut_corners(spoilt(picture, chance) if turn else picture, view, fit)
            step = near[0].edge_mm - fit.cube.edge_mm
            if cut is not None and abs(step) < FARTHEST_MM:
                yield cut, near[0].radius_mm, step


def seen_round(landed: DrawnLanding, x_mm: float, y_mm: float) -> tuple[Picture, View]:
    """The picture round a place of the table, and its view."""
    view = landed.calibration.view
    reach = int(REACH_MM * view.scale_px_per_mm(x_mm, y_mm, 8.0))
    x, y = (int(part) for part in view.project(np.array([[x_mm, y_mm, 8.0]]))[0])
    left, top = max(0, x - reach), max(0, y - reach)
    picture = np.ascontiguousarray(landed.picture[top : y + reach, left : x + reach])
    lens = view.lens
    centre = lens.centre_px[0] - left, lens.centre_px[1] - top
    height, width = picture.shape[:2]
    return picture, replace(view, lens=replace(lens, width_px=width, height_px=height, centre_px=centre))


def beside(fit: Any, chance: np.random.Generator) -> Any:
    """A fit to a die, a little off."""
    cube = fit.cube
    x, y = cube.center_mm[:2] + chance.normal(0, 0.03, 2)
    moved = flat_cube(
        float(x),
        float(y),
        yaw_of(cube) + chance.normal(0, 0.005),
        cube.edge_mm + chance.normal(0, 0.05),
        max(0.3, cube.radius_mm + chance.normal(0, 0.15)),
    )
    return replace(fit, cube=moved, rim_px=fit.rim_px + chance.normal(0, 0.03))


def spoilt(picture: Picture, chance: np.random.Generator) -> Picture:
    """A picture (h, w, 3) as another camera in another light might have taken it."""
    seen: Singles = np.asarray(picture / np.float32(255), np.float32)
    if chance.random() < 0.6:
        seen = _otherwise_lit(seen, chance)
    if chance.random() < 0.5:
        away = chance.normal(0, 0.25, 2)
        for channel, side in ((0, -1), (2, 1)):
            moved = np.array([[1, 0, side * away[0]], [0, 1, side * away[1]]], np.float32)
            plane = np.ascontiguousarray(seen[..., channel])
            seen[..., channel] = cv2.warpAffine(
                plane, moved, plane.shape[::-1], borderMode=cv2.BORDER_REPLICATE
            )
    if chance.random() < 0.5:
        seen = np.asarray(cv2.GaussianBlur(seen, (0, 0), chance.uniform(0.3, 0.9)), np.float32)
    if chance.random() < 0.5:
        soft = np.asarray(cv2.GaussianBlur(seen, (0, 0), chance.uniform(0.8, 1.6)), np.float32)
        seen = seen + np.float32(chance.uniform(0.1, 1.0)) * (seen - soft)
    seen = seen + chance.standard_normal(seen.shape, np.float32) * np.float32(chance.uniform(0, 0.012))
    shown = np.clip(seen * 255, 0, 255).astype(np.uint8)
    if chance.random() < 0.5:
        _, packed = cv2.imencode(".jpg", shown, [cv2.IMWRITE_JPEG_QUALITY, int(chance.integers(80, 97))])
        shown = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
    return shown


def _otherwise_lit(seen: Singles, chance: np.random.Generator) -> Singles:
    """Light that falls off to one side, a veil, what is bright spread over its neighbours, or burnt out."""
    light = seen ** (1 / 0.45)
    rows, columns = np.mgrid[: seen.shape[0], : seen.shape[1]]
    angle = chance.uniform(0, 2 * math.pi)
    ramp = (columns * math.cos(angle) + rows * math.sin(angle)) / seen.shape[1]
    light = light * (1 + chance.uniform(-0.5, 0.5) * ramp)[..., None] + chance.uniform(0, 0.06)
    if chance.random() < 0.5:
        glow = cv2.GaussianBlur(np.maximum(light - 0.5, 0), (0, 0), chance.uniform(1.5, 4))
        light = light + glow * chance.uniform(0, 0.5)
    if chance.random() < 0.3:
        light = light * chance.uniform(1, 1.5)
    return np.asarray(np.clip(light, 0, 1) ** 0.45, np.float32)


def batch(
    dice: LearntCorners, rows: NDArray[np.intp], chance: np.random.Generator
) -> tuple[Singles, Singles, Singles, Singles]:
    """These dice as the network will see them, in any colours and mirrored (4 N x 6 x 32 x 32), what the fit
    knew of each corner (4 N x 8), their roundings (N) and steps (N)."""
    cuts, known = recoloured(dice.cuts[rows], chance), dice.known[rows].copy()
    mirrored = chance.random(len(rows)) < 0.5
    cuts[mirrored] = cuts[mirrored].transpose(0, 1, 3, 2, 4)
    known[mirrored] = known[mirrored][:, :, [1, 0, *range(2, known.shape[2])]]
    known += chance.normal(0, 0.02, known.shape).astype(np.float32)
    shown = np.ascontiguousarray(cuts.transpose(0, 1, 4, 2, 3).reshape(-1, 6, *cuts.shape[2:4]))
    return shown, known.reshape(-1, known.shape[2]), dice.roundings[rows], dice.steps[rows]


def recoloured(cuts: Picture, chance: np.random.Generator) -> Singles:
    """Cuts (N x 4 x h x w x 6) in other tones and colours, some noise, and at times one is blank."""
    count, levels = len(cuts), np.clip(np.arange(256) / 255, 1e-4, 1)
    shown = np.empty(cuts.shape, np.float32)
    for k in range(count):
        curve = levels ** np.exp(chance.normal(0, 0.2))
        for channel in range(3):
            table = (curve * np.exp(chance.normal(0, 0.12))).astype(np.float32)
            shown[k, ..., channel::3] = table[cuts[k, ..., channel::3]]
    shown *= np.exp(chance.normal(0, 0.15, (count, 1, 1, 1, 1))).astype(np.float32)
    mixes = [
        np.eye(3)[chance.permutation(3) if chance.random() < 0.5 else np.arange(3)] for _ in range(count)
    ]
    mixing = np.array(mixes) + chance.normal(0, 0.12, (count, 3, 3)) * (chance.random((count, 1, 1)) < 0.5)
    mixing /= np.abs(mixing).sum(axis=2, keepdims=True) + 1e-3
    split = shown.reshape(*shown.shape[:4], 2, 3)
    shown = np.einsum("nabcdk,njk->nabcdj", split, mixing.astype(np.float32), optimize=True)
    shown = shown.reshape(cuts.shape)
    noise = chance.uniform(0, 0.012, (count, 1, 1, 1, 1)).astype(np.float32)
    shown += chance.standard_normal(shown.shape, np.float32) * noise
    for blank in np.flatnonzero(chance.random(count) < 0.25):
        corner, first = int(chance.integers(4)), 3 * int(chance.integers(2))
        shown[blank, corner, ..., first : first + 3] = shown[blank, corner, ..., first : first + 3].mean()
    return np.asarray(np.clip(shown, 0, 1) * 255, np.float32)

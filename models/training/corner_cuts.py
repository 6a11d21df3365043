"""What the network of corners learns from: corners of dice that were measured, and what is true of the dice.

Each die is cut out five times: once as it was fitted, and four times a little beside that, from a picture
that was spoilt as other cameras and lights would have it.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from calibration.arrays import Picture, Singles
from models.files import CACHE
from models.scenes.chance import Chance
from models.training.corner_scenes import DrawnLanding, landings, recoloured, seen_round, spoilt
from models.training.store import joined, kept_part
from vision.landing.cube import flat_cube, yaw_of
from vision.landing.measure import Measurer
from vision.landing.shape_refinement import CornerCuts, cut_corners

FOLDER = CACHE / "corners"
AGAIN = 4
SAME_MM = 9.0
"""A die that is measured within this of a true one is that die."""
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
    every = landings(seed, per_table, plain=plain, shaded=True)
    rows = [row for landed in every for row in _rows(landed, 0 if plain else AGAIN, chance)]
    return LearntCorners(
        np.array([cut.cuts for cut, _, _ in rows], np.uint8).reshape(-1, 4, 32, 32, 6),
        np.array([cut.known for cut, _, _ in rows], np.float32).reshape(-1, 4, 8),
        np.array([rounding for _, rounding, _ in rows], np.float32),
        np.array([step for _, _, step in rows], np.float32),
    )


def _rows(landed: DrawnLanding, again: int, chance: Chance) -> Iterator[tuple[CornerCuts, float, float]]:
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


def beside(fit: Any, chance: Chance) -> Any:
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


def corner_batch(
    dice: LearntCorners, rows: NDArray[np.intp], chance: Chance
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

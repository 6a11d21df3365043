"""Makes what the network of claims learns from: dice of wide scenes, and claims of where they are.

A claim says that a die lies somewhere and how it stands. Where a camera is known, the die that it would see
is known too; the network is shown both and tells whether they are the same. Most claims are made up while it
learns: the truth, a little off as a fit is; the truth with another foot, as that of a die that leans and is
taken for a flat one; and claims beside dice, or on what is none. Some of the dice lie on End Zones, as our
own painter draws them.
"""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from calibration.arrays import Floats, Picture, Singles
from calibration.view import View
from models.files import CACHE
from models.scenes.chance import Chance
from models.training.corner_scenes import UPRIGHT, DrawnLanding, landings
from models.training.store import joined, kept_part
from models.training.targets import turn_by
from vision.face_place import FacePlace, place_of
from vision.landing.cube import Cube, flat_cube, up_axis, yaw_of
from vision.landing.faces import up_face
from vision.learned.contract import (
    CLAIM_REACH,
    CLAIM_SIDE_PX,
    CUBES,
    CUT_REACH,
    cut_out,
    drawn_claim,
)

WIDE_PX, WIDE_UNIT_PX = 100, 12.3
"""The side of a kept cut, which has room to claim a die elsewhere, and half an edge in it; pixels."""
UNIT_PX = CLAIM_SIDE_PX / 2 / CLAIM_REACH
"""Half an edge in what the network sees, pixels."""
LEAST_HALF_PX = 8.0
"""The least half edge of dice that are asked about."""
SHOWN_FROM = 0.6
"""The share of a die that must show for anything to be asked about it."""
AS_CLAIMED, OTHERWISE, NO_DIE = range(3)
PER_SCENE = 4
LEAST_FLAT = 3
"""From so many flat dice of a scene it is told how another would stand there."""
ONE_SIZE = 0.03
"""How far flat dice of one size may seem to differ."""


@dataclass(frozen=True, slots=True, eq=False)
class ClaimCuts:
    """N dice, or things that are none, and how a flat die would look in their place."""

    pictures: Picture
    """Wide cuts (N x 100 x 100 x 3), the up-face upright in the middle."""
    steps: Singles
    """From foot to up-face (N x 2), in half edges of the face and along its axes."""
    flat_axes: Singles
    """How the up-face of a flat die would be stretched (N x 2 x 2); not a number where nobody knows."""
    flat_steps: Singles
    """And how it would stand (N x 2)."""
    dice: NDArray[np.bool_]
    """Which of them are dice (N)."""
    leans: NDArray[np.bool_]
    """Which of these do not stand flat on the table (N)."""

    def __len__(self) -> int:
        """How many."""
        return len(self.steps)


def claims_of_shard(path: Path) -> ClaimCuts:
    """The dice and things of a shard of wide scenes (`models.training.wide_scenes`)."""
    truths: list[dict[str, Any]] = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    rows: list[tuple[Any, ...]] = []
    with np.load(path.with_suffix(".jpgs")) as packed:
        for number, truth in enumerate(truths):
            picture = cv2.imdecode(packed[f"{number:02d}"], cv2.IMREAD_COLOR)
            chance = np.random.default_rng((int(path.stem), number))
            rows += _of_scene(np.asarray(picture, np.uint8), truth, chance)
    return _put_together(rows)


def _put_together(rows: Sequence[tuple[Any, ...]]) -> ClaimCuts:
    pictures, steps, axes, flat_steps, dice, leans = zip(*rows, strict=True) if rows else [()] * 6
    return ClaimCuts(
        np.array(pictures, np.uint8).reshape(-1, WIDE_PX, WIDE_PX, 3),
        np.array(steps, np.float32).reshape(-1, 2),
        np.array(axes, np.float32).reshape(-1, 2, 2),
        np.array(flat_steps, np.float32).reshape(-1, 2),
        np.array(dice, np.bool_),
        np.array(leans, np.bool_),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Lying:
    """A die, or a thing that is none, where it lies in a scene."""

    place: FacePlace
    step: Floats
    is_die: bool
    leans: bool


def _of_scene(picture: Picture, truth: dict[str, Any], chance: Chance) -> list[tuple[Any, ...]]:
    dice = [die for die in truth["dice"] if die["kind"] in CUBES and die["visible"] >= SHOWN_FROM]
    places = [place_of(np.array(die["corners"], np.float32)) for die in dice]
    steps = [np.array(die["step"], np.float64) for die in dice]
    flat = [i for i, die in enumerate(dice) if die["pose"] == "flat"]
    stood = _Standing.of([places[i] for i in flat], [steps[i] for i in flat])
    every = [
        _Lying(place, step, True, die["pose"] in ("cocked", "stacked"))
        for place, step, die in zip(places, steps, dice, strict=True)
        if die["pose"] != "cut"
    ]
    for thing in truth["things"]:
        place = place_of(np.array(thing["corners"], np.float32))
        way = float(chance.uniform(0, 2 * np.pi))
        step = place.half_px * float(chance.uniform(0.1, 1.6)) * np.array((math.cos(way), math.sin(way)))
        every.append(_Lying(place, step, False, False))
    every = [each for each in every if each.place.half_px >= LEAST_HALF_PX]
    chosen = chance.permutation(len(every))[: 2 * PER_SCENE]
    leaning_first = sorted(chosen, key=lambda i: not every[i].leans)[:PER_SCENE]
    return [_row(picture, every[i], stood) for i in leaning_first]


def _row(picture: Picture, one: _Lying, stood: "_Standing | None") -> tuple[Any, ...]:
    """What `ClaimCuts` has of it, in its order."""
    inverse = np.linalg.inv(one.place.axes.astype(np.float64))
    axes, flat_step = np.full((2, 2), np.nan), np.full(2, np.nan)
    if stood is not None:
        axes, foot = stood.at(one.place)
        axes, flat_step = inverse @ axes, inverse @ foot
    return _wide(picture, one.place), inverse @ one.step, axes, flat_step, one.is_die, one.leans


def _wide(picture: Picture, place: FacePlace) -> Picture:
    return cut_out(picture, place.widened(WIDE_PX / 2 / WIDE_UNIT_PX / CUT_REACH), side=WIDE_PX)


@dataclass(frozen=True, slots=True, eq=False)
class _Standing:
    """How flat dice stand all over a scene, told by some of them."""

    centers: Floats
    shapes: Floats
    """The square of each one's axes, by its area (N x 2 x 2)."""
    halves: Floats
    steps: Floats
    """In half edges (N x 2)."""

    @staticmethod
    def of(places: Sequence[FacePlace], steps: Sequence[Floats]) -> "_Standing | None":
        if len(places) < LEAST_FLAT:
            return None
        axes = np.array([place.axes for place in places], np.float64)
        halves = np.array([place.half_px for place in places], np.float64)
        shapes = axes @ axes.transpose(0, 2, 1) / halves[:, None, None] ** 2
        centers = np.array([place.center for place in places], np.float64)
        return _Standing(centers, shapes, halves, np.array(steps) / halves[:, None])

    def at(self, place: FacePlace) -> tuple[Floats, Floats]:
        """The axes of a flat die's up-face in that place, turned like it, and its step, in pixels."""
        away = np.hypot(*(self.centers - place.center).T)
        weight = 1 / (away + 20.0) ** 2
        weight = np.where(away < 1, 0, weight) if (away >= 1).any() else weight
        weight /= weight.sum()
        shape = np.tensordot(weight, self.shapes, 1)
        half = float(weight @ self.halves)
        if float(np.std(np.log(self.halves))) > ONE_SIZE:
            half = place.half_px
        root = np.linalg.cholesky(shape)
        # The turn that brings this shape nearest to the face's own axes (Kabsch, 1976).
        left, _, right = np.linalg.svd(root.T @ place.axes)
        turn = left @ np.diag((1.0, np.sign(np.linalg.det(left @ right)))) @ right
        return half * root @ turn, half * self._step_at(place.center)

    def _step_at(self, center: Singles) -> Floats:
        """Steps change evenly across a picture."""
        spread = np.column_stack((np.ones(len(self.centers)), (self.centers - center) / 300))
        found = np.linalg.solve(
            spread.T @ spread + np.diag((0, 0.05, 0.05)), spread.T @ (self.steps - self.steps.mean(axis=0))
        )
        return np.asarray(found[0] + self.steps.mean(axis=0))


def claim_cuts(folder: Path, first: int, shards: int) -> ClaimCuts:
    """What the shards of a folder show; kept beside them."""
    paths = [folder / f"{number:04d}.json" for number in range(first, first + shards)]
    parts = [
        kept_part(path.with_suffix(".claims"), ClaimCuts, partial(claims_of_shard, path))
        for path in tqdm([path for path in paths if path.is_file()], desc="dice to be claimed")
    ]
    return joined(ClaimCuts, parts)


LANDED = CACHE / "claims"


def landed_cuts(tables: Sequence[int], per_table: int) -> ClaimCuts:
    """The dice of so many landings, in most of which one leans, on each of the tables of these seeds; drawn
    where they are not kept."""
    LANDED.mkdir(parents=True, exist_ok=True)
    parts = [
        kept_part(LANDED / f"{seed}-{per_table}.npz", ClaimCuts, partial(_of_table, seed, per_table))
        for seed in tqdm(tables, desc="tables")
    ]
    return joined(ClaimCuts, parts)


def _of_table(seed: int, per_table: int) -> ClaimCuts:
    every = landings(seed, per_table, shaded=True, leaning=True)
    rows = [
        _landed_row(landed, Cube(np.array(die.center_mm), np.array(die.turn), die.edge_mm, die.radius_mm))
        for landed in every
        for die in landed.dice
    ]
    return _put_together(rows)


def _landed_row(landed: DrawnLanding, die: Cube) -> tuple[Any, ...]:
    """What `ClaimCuts` has of a die that landed, in its order."""
    view = landed.calibration.view
    place, step = _pictured(view, die)
    x, y = (float(part) for part in view.on_plane(place.center[None].astype(np.float64), die.edge_mm)[0])
    flat, flat_step = _pictured(view, flat_cube(x, y, yaw_of(die), die.edge_mm, die.radius_mm))
    inverse = np.linalg.inv(place.axes.astype(np.float64))
    leans = float(np.abs(die.turn[2]).max()) < UPRIGHT
    return _wide(landed.picture, place), inverse @ step, inverse @ flat.axes, inverse @ flat_step, True, leans


def _pictured(view: View, die: Cube) -> tuple[FacePlace, Singles]:
    """Where the up-face of a die is seen, and the step to it from its foot, pixels."""
    top = up_face(die)
    place, foot = (
        place_of(view.project(corners).astype(np.float32))
        for corners in (top, top - up_axis(die) * die.edge_mm)
    )
    return place, place.center - foot.center


SHARES = 0.42, 0.28
"""The shares of a batch that are claimed as they are, and as if they stood otherwise; of the rest no die
lies where it is claimed."""
LEAST_OFF = 0.17
"""By how much, in half edges, another foot is off at least: what leans by some five degrees."""
BESIDE, MOST_BESIDE = 0.12, 1.4
"""How far beside its place a face is claimed to be, at least and at most."""
TAKEN_FOR_FLAT = 0.6
"""The share of leaning dice that are taken for flat ones, where it is known how these would look."""


@dataclass(frozen=True, slots=True, eq=False)
class Claims:
    """N claims and what is true of them."""

    shown: Picture
    """N x 6 x 48 x 48."""
    steps: Singles
    """From foot to up-face, as claimed (N x 2), in half edges of the claimed face and along its axes."""
    truth: NDArray[np.int64]
    """Indices into `vision.learned.contract.CLAIMS` (N)."""
    true_steps: Singles
    """How the die there stands (N x 2); not a number where there is none."""


def claim_batch(cuts: ClaimCuts, rows: NDArray[np.intp], chance: Chance) -> Claims:
    """A claim about each of these."""
    shown = np.empty((len(rows), 6, CLAIM_SIDE_PX, CLAIM_SIDE_PX), np.uint8)
    steps, true_steps = np.empty((2, len(rows), 2), np.float32)
    truth = np.empty(len(rows), np.int64)
    for i, row in enumerate(rows):
        claim = _claimed(cuts, int(row), chance)
        claim = replace(claim, linear=claim.linear @ _any_side(chance))
        shown[i] = _draw_claim(np.asarray(cuts.pictures[row]), claim, chance).transpose(2, 0, 1)
        steps[i], truth[i] = np.linalg.solve(claim.linear, claim.step), claim.truth
        true_steps[i] = np.nan
        if claim.truth != NO_DIE:
            true_steps[i] = np.linalg.solve(claim.linear, cuts.steps[row])
    return Claims(shown, steps, truth, true_steps)


def _any_side(chance: Chance) -> Floats:
    """A turn by quarters, at times mirrored."""
    turn = turn_by(int(chance.integers(4)) * np.pi / 2)
    if chance.random() < 0.5:
        turn[:, 0] *= -1
    return np.asarray(turn)


@dataclass(frozen=True, slots=True, eq=False)
class _Claim:
    """A claim about what lies in a kept cut."""

    linear: Floats
    """The axes of the up-face (2 x 2), and `shift` (2), where its middle lies; in half edges of the true
    one."""
    shift: Floats
    step: Floats
    truth: int


def _claimed(cuts: ClaimCuts, row: int, chance: Chance) -> _Claim:
    """A claim about one of these."""
    near = _Claim(
        linear=turn_by(float(chance.normal(0, 0.015))) * math.exp(float(chance.normal(0, 0.012)))
        + chance.normal(0, 0.008, (2, 2)),
        shift=chance.normal(0, 0.025, 2),
        step=cuts.steps[row] * math.exp(float(chance.normal(0, 0.02))) + chance.normal(0, 0.02, 2),
        truth=AS_CLAIMED,
    )
    if not cuts.dice[row]:
        size = math.exp(float(chance.normal(0, 0.1)))
        beside = near.shift + chance.normal(0, 0.1, 2)
        return replace(near, linear=near.linear * size, shift=beside, truth=NO_DIE)
    if cuts.leans[row] and np.isfinite(cuts.flat_steps[row]).all() and chance.random() < TAKEN_FOR_FLAT:
        step = cuts.flat_steps[row] + chance.normal(0, 0.02, 2)
        return replace(near, linear=near.linear @ cuts.flat_axes[row], step=step, truth=OTHERWISE)
    draw = float(chance.random())
    if draw < SHARES[0]:
        return near
    way = chance.normal(0, 1, 2)
    way /= np.hypot(*way)
    if draw < sum(SHARES):
        step = near.step + way * float(LEAST_OFF + chance.exponential(0.25))
        return replace(near, step=step, truth=OTHERWISE)
    return _elsewhere(near, way, chance)


def _elsewhere(near: _Claim, way: Floats, chance: Chance) -> _Claim:
    """A claim beside a die, of another size or turned."""
    how = int(chance.integers(4))
    if how == 0:
        return replace(near, linear=near.linear @ turn_by(float(chance.uniform(0.14, 1.43))), truth=NO_DIE)
    if how == 1:
        size = math.exp(float(chance.choice((-1, 1)) * chance.uniform(0.12, 0.5)))
        return replace(near, linear=near.linear * size, truth=NO_DIE)
    far = way * (BESIDE + float(chance.exponential(0.3 if how == 2 else 0.9)))
    return replace(near, shift=np.clip(far, -MOST_BESIDE, MOST_BESIDE), truth=NO_DIE)


def _draw_claim(wide: Picture, claim: _Claim, chance: Chance) -> Picture:
    """A claim in a kept cut (48 x 48 x 6)."""
    middle, half = (WIDE_PX - 1) / 2, (CLAIM_SIDE_PX - 1) / 2
    finer = claim.linear * (WIDE_UNIT_PX / UNIT_PX)
    matrix = np.column_stack((finer, middle + claim.shift * WIDE_UNIT_PX - finer @ (half, half)))
    seen = cv2.warpAffine(
        wide,
        matrix,
        (CLAIM_SIDE_PX, CLAIM_SIDE_PX),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float64)
    foot = square * math.exp(float(chance.normal(-0.02, 0.02))) - np.linalg.solve(claim.linear, claim.step)
    return np.concatenate((seen, drawn_claim(np.stack((square, foot)).astype(np.float32))), axis=2)

"""What the networks answer about a die, and how answers become places.

An up-face seen by a far camera is a square, turned and a little stretched: centre + M (x, y) with x and y
from -1 to 1, where M are the axes of its `vision.face_place.FacePlace`. By the polar decomposition M = S Q:
S, symmetric, holds size and stretch, and Q is a turn. A square looks the same after a quarter turn, so the
turn t is given as the cosine and sine of 4 t. These change smoothly when the die is turned, which lets a
network learn them. A D4 is a triangle: its turn is given by 3 t, and its S makes the cut hold what is printed
on it.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Picture, Singles
from engine.dice import Die
from vision.face_place import FacePlace

DICE: tuple[Die, ...] = (
    *(Die("pip", value) for value in (1, 2, 3, 4, 5, 6)),
    Die("zoinx", "dot"),
    Die("zoinx", "square"),
    *(Die("bet", value) for value in (0, 2, 4, 6, 8, 10)),
    *(Die("d4", value) for value in (1, 2, 3, 4)),
)
"""The dice that the networks tell apart, in the order of their answers."""
CLASSES: tuple[tuple[str, int | str], ...] = (
    *((die.kind, die.value) for die in DICE),
    ("foreign", "die"),
    ("none", "none"),
)
"""What a cut may show: one of the dice, a die of no known kind, or no up-face at all."""
FOREIGN, NONE = len(CLASSES) - 2, len(CLASSES) - 1
IS_D4 = np.array([kind == "d4" for kind, _ in CLASSES])
"""Which of CLASSES are a D4's."""
POSES = ("flat", "cocked", "stacked", "hidden", "cut")
"""How a die may lie; only a flat one counts."""
CUT_SIDE_PX = 48
CUT_REACH = 1.5
"""How far a cut reaches from the middle, in half edges: a side face or a neighbour shows at its border."""
STANCE_SIDE_PX = 48
STANCE_REACH = 2.6
"""The same for the cut that shows how a die stands. Even seen at forty degrees, a die's foot lies within
it."""
CLAIM_SIDE_PX, CLAIM_REACH = 48, 2.6
"""The side of the cut that shows a claimed die, and how far it reaches from its up-face's middle, in half
edges."""
CLAIMS = ("claimed", "otherwise", "none")
"""What may be where a die is claimed: that die, a die that stands otherwise, or no die."""
CUBES = ("pip", "zoinx", "bet")
"""The kinds of six-sided dice: for these the networks tell how they stand."""
MOVES = 9
"""The numbers that say how a face lies in its cut: x and y of its middle in half edges of the cut's place,
the five of `encode_place`, and for a D4 the cosine and sine of three times its turn."""


def encode_place(place: FacePlace, fold: int = 4) -> Singles:
    """Five numbers (5,): log half edge, stretch along and across, cosine and sine of `fold` times the
    turn."""
    (a, b), (c, d) = place.axes.tolist()
    half = math.sqrt(max(a * d - b * c, 1e-6))
    turn = math.atan2(c - b, a + d)  # of the nearest rotation; the rest of the axes is symmetric
    cosine, sine = math.cos(turn), math.sin(turn)
    along, across = (a * cosine - b * sine - c * sine - d * cosine) / 2 / half, (a * sine + b * cosine) / half
    return np.array((math.log(half), along, across, math.cos(fold * turn), math.sin(fold * turn)), np.float32)


def decode_places(centers: Singles, numbers: Singles, fold: int = 4) -> list[FacePlace]:
    """The places of N x 2 centres and N x 5 numbers as `encode_place` makes them."""
    out = []
    for center, (log_half, along, across, cosine, sine) in zip(centers, numbers.tolist(), strict=True):
        # On so few numbers, numpy would take ten times as long.
        angle = math.atan2(sine, cosine) / fold
        c, s = math.cos(angle), math.sin(angle)
        half = math.exp(min(max(log_half, -2.0), 8.0))
        # This mean keeps the area: (mean + along)(mean - along) - across^2 = 1.
        mean = math.sqrt(1 + along * along + across * across)
        xx, xy, yy = half * (mean + along), half * across, half * (mean - along)
        axes = np.array(((xx * c + xy * s, xy * c - xx * s), (xy * c + yy * s, yy * c - xy * s)), np.float32)
        out.append(FacePlace(np.asarray(center, np.float32), axes))
    return out


def move_place(place: FacePlace, moves: Singles, *, triangle: bool = False) -> FacePlace:
    """The place of a face that lies in the cut of `place` as the face reader's nine numbers (`MOVES`) say."""
    numbers = moves[2:7].copy()
    if triangle:
        numbers[3:5] = moves[7:9]
    (inside,) = decode_places(moves[None, :2], numbers[None], fold=3 if triangle else 4)
    center = place.center + place.axes @ inside.center
    return FacePlace(np.asarray(center, np.float32), np.asarray(place.axes @ inside.axes, np.float32))


def cut_out(picture: Picture, place: FacePlace, turn: float = 0.0, side: int = CUT_SIDE_PX) -> Picture:
    """The face and its border set upright, turned by `turn` radians: `side` x `side` x 3.

    What lies beyond the picture's border is grey. A large face is averaged over its pixels; none are skipped.
    """
    step = 2 * CUT_REACH / side
    cosine, sine = np.cos(turn), np.sin(turn)
    axes = place.axes.astype(np.float64) @ np.array(((cosine, -sine), (sine, cosine))) * step
    finer = min(8, max(1, int(np.ceil(place.half_px * step / 1.5))))
    count = side * finer
    matrix = np.empty((2, 3))
    matrix[:, :2] = axes / finer
    matrix[:, 2] = place.center - matrix[:, :2] @ np.array(((count - 1) / 2,) * 2)
    cut = cv2.warpAffine(
        picture,
        matrix,
        (count, count),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=(127, 127, 127),
    )
    if finer > 1:
        cut = cv2.resize(cut, (side, side), interpolation=cv2.INTER_AREA)
    return np.asarray(cut, np.uint8)


def stance_cut(picture: Picture, place: FacePlace, side: int = STANCE_SIDE_PX) -> Picture:
    """The face with more of its surroundings, to see how its die stands: `side` x `side` x 3."""
    wider = place.widened(STANCE_REACH / CUT_REACH)
    return cut_out(picture, wider, side=side)


def claim_cut(picture: Picture, top: FacePlace, foot: FacePlace) -> tuple[Picture, Singles]:
    """A claimed die in a picture: `CLAIM_SIDE_PX` square x 6, what is seen there (blue green red) and, drawn
    over it, the claim: its up-face, its foot, and all of its body (0 or 255 each); and the step from foot to
    up-face (2,), in half edges of the up-face and along its axes."""
    seen = cut_out(picture, top.widened(CLAIM_REACH / CUT_REACH), side=CLAIM_SIDE_PX)
    into = np.linalg.inv(top.axes)
    inside = (np.stack((top.corners(), foot.corners())) - top.center) @ into.T
    return np.concatenate((seen, drawn_claim(inside)), axis=2), into @ (top.center - foot.center)


def drawn_claim(corners: Singles) -> Picture:
    """Up-face, foot and body of a claim (`CLAIM_SIDE_PX` square x 3), from the corners of its up-face and of
    its foot (2 x 4 x 2), in half edges of the cut."""
    points = (corners / CLAIM_REACH + 1) * (CLAIM_SIDE_PX / 2) - 0.5
    fixed = np.rint(points * 16).astype(np.int32)
    out = np.zeros((3, CLAIM_SIDE_PX, CLAIM_SIDE_PX), np.uint8)
    body = cv2.convexHull(fixed.reshape(-1, 1, 2))
    for plane, shape in zip(out, (*fixed, body), strict=True):
        cv2.fillConvexPoly(plane, shape, 255, cv2.LINE_AA, 4)
    return np.ascontiguousarray(out.transpose(1, 2, 0))


# What the network of corners is shown and what it tells (`vision.landing.shape_refinement` cuts them out).

CORNERS = 4
"""The corners of a die that are shown together."""
CORNER_PX = 32
CORNER_FEATURES = 8
"""The numbers that go with each corner."""
USUAL_EDGE_MM = 16.0
"""How wide the dice were meant to be that it learnt from."""
CORNER_OUTPUTS = 2
"""What it tells of each die: its rounding, and one sigma of that, in mm."""


# What the network of edges is shown and what it tells (`vision.landing.shape_refinement` cuts strips out).

SIDES = 4
"""The sides of a die that are shown together."""
ACROSS, ALONG = 64, 6
"""How many colours a strip has across the side, and how many along it."""
SIDE_FEATURES = 5
"""The numbers that go with each side."""
SIDE_OUTPUTS = 6
"""What it tells of each die, mm: how much longer its edge is than it was taken for, how far its middle lies
aside along the normals of its first and its second side, and one sigma of each of the three."""


# Turns the finder's answer into places: where the heat is highest, and the size and turn it gives there.

PLACE_PX = 4
"""The finder answers for every fourth pixel in both directions."""
MOST = 400
"""The most peaks that are looked at."""
APART = 1.05
"""Places nearer than this, in half edges of the larger, are of one die; touching dice are at least 1.6
apart."""


@dataclass(frozen=True, slots=True, eq=False)
class Peak:
    """Something that may be a die."""

    place: FacePlace
    heat: float
    """The network's own chance that a die's middle is here, 0 to 1."""


def find_peaks(told: Singles, least: float) -> list[Peak]:
    """The peaks of one answer (8 x h x w) whose heat is at least `least`, hottest first, in pixels of the
    picture that was looked at."""
    rows, columns = _highest(told[0], least)
    numbers = told[:, rows, columns].T
    at = np.column_stack((columns, rows)) + np.clip(numbers[:, 1:3], -3, 3)
    centers = np.asarray((at + 0.5) * PLACE_PX - 0.5, np.float32)
    heats = 1 / (1 + np.exp(-np.clip(numbers[:, 0], -30, 30)))
    found = decode_places(centers, numbers[:, 3:8])
    return [Peak(place, heat) for place, heat in zip(found, heats.tolist(), strict=True)]


def _highest(logits: Singles, least: float) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Rows and columns where the heat is at least `least` and higher than all round, hottest first."""
    logits = np.ascontiguousarray(logits)
    highest = cv2.dilate(logits, np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero((logits >= highest) & (logits >= np.log(least / (1 - least))))
    order = np.argsort(-logits[rows, columns], kind="stable")[:MOST]
    return rows[order], columns[order]


def drop_doubles(found: list[Peak]) -> list[Peak]:
    """Each die once, hottest first: of peaks too near to be two dice, the hottest."""
    ordered = sorted(found, key=lambda p: -p.heat)
    return [ordered[i] for i in keep_apart([peak.place for peak in ordered], APART)]


def keep_apart(ordered: Sequence[FacePlace], least: float) -> list[int]:
    """The indices of places to keep, from the first on, so that no two are nearer than `least` half edges of
    the larger.

    The order of `ordered` decides which one stays.
    """
    centers = np.array([place.center for place in ordered], np.float32).reshape(-1, 2)
    halves = np.array([place.half_px for place in ordered], np.float32)
    kept: list[int] = []
    for i in range(len(ordered)):
        away = np.hypot(centers[kept, 0] - centers[i, 0], centers[kept, 1] - centers[i, 1])
        if (away > least * np.maximum(halves[kept], halves[i])).all():
            kept.append(i)
    return kept


def scale_peak(peak: Peak, factor: float) -> Peak:
    """The same peak in a picture `factor` times as large."""
    if factor == 1:
        return peak
    return Peak(peak.place.scaled(factor, factor), peak.heat)

"""What the networks answer about a die, and the geometry between a face in the picture and its upright cut.

An up-face seen by a far camera is a square, turned and a little stretched: centre + M (x, y) with x and y
from -1 to 1, where M are the axes of its `vision.place.Place`. By the polar decomposition M = S Q: S,
symmetric, holds size and stretch, and Q is a turn. A square looks the same after a quarter turn, so the turn
t is given as the cosine and sine of 4 t. These change smoothly when the die is turned, which lets a network
learn them. A D4 is a triangle: its turn is given by 3 t, and its S makes the cut hold what is printed on it.
"""

import math

import cv2
import numpy as np

from calibration.arrays import Picture, Singles
from engine.dice import Die
from vision.place import Place

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
CUBES = ("pip", "zoinx", "bet")
"""The kinds of six-sided dice: for these the networks tell how they stand."""
MOVES = 9
"""The numbers that say how a face lies in its cut: x and y of its middle in half edges of the cut's place,
the five of `encode_place`, and for a D4 the cosine and sine of three times its turn."""


def encode_place(place: Place, fold: int = 4) -> Singles:
    """Five numbers (5,): log half edge, stretch along and across, cosine and sine of `fold` times the
    turn."""
    (a, b), (c, d) = place.axes.tolist()
    half = math.sqrt(max(a * d - b * c, 1e-6))
    turn = math.atan2(c - b, a + d)  # of the nearest rotation; the rest of the axes is symmetric
    cosine, sine = math.cos(turn), math.sin(turn)
    along, across = (a * cosine - b * sine - c * sine - d * cosine) / 2 / half, (a * sine + b * cosine) / half
    return np.array((math.log(half), along, across, math.cos(fold * turn), math.sin(fold * turn)), np.float32)


def decode_places(centers: Singles, numbers: Singles, fold: int = 4) -> list[Place]:
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
        out.append(Place(np.asarray(center, np.float32), axes))
    return out


def move_place(place: Place, moves: Singles, *, triangle: bool = False) -> Place:
    """The place of a face that lies in the cut of `place` as the face reader's nine numbers (`MOVES`) say."""
    numbers = moves[2:7].copy()
    if triangle:
        numbers[3:5] = moves[7:9]
    (inside,) = decode_places(moves[None, :2], numbers[None], fold=3 if triangle else 4)
    center = place.center + place.axes @ inside.center
    return Place(np.asarray(center, np.float32), np.asarray(place.axes @ inside.axes, np.float32))


def cut_out(picture: Picture, place: Place, turn: float = 0.0, side: int = CUT_SIDE_PX) -> Picture:
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


def stance_cut(picture: Picture, place: Place, side: int = STANCE_SIDE_PX) -> Picture:
    """The face with more of its surroundings, to see how its die stands: `side` x `side` x 3."""
    wider = place.widened(STANCE_REACH / CUT_REACH)
    return cut_out(picture, wider, side=side)

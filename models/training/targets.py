"""Makes what the finder learns from: altered windows of pictures, with truth."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import ArrayLike

from calibration.arrays import Floats, Picture, Singles
from models.scenes.chance import Chance
from vision.face_place import FacePlace, place_of
from vision.learned.contract import encode_place

# Changes pictures for training: other light, other colours, other focus, other noise.


def recolor(picture: Picture, chance: Chance, strength: float = 1.0) -> Picture:
    """The picture with another exposure, white balance, contrast and saturation; at times channels change
    places."""
    gains = np.exp(chance.normal(0, 0.12 * strength, 3) + chance.normal(0, 0.22 * strength))
    gamma = float(np.exp(chance.normal(0, 0.2 * strength)))
    levels = np.linspace(0, 1, 256)[:, None] ** gamma * gains
    lift = chance.normal(0, 0.03 * strength)
    table = np.clip((levels + lift) * 255, 0, 255).astype(np.uint8)
    out = np.asarray(cv2.LUT(np.ascontiguousarray(picture), table[None]), np.uint8)
    if chance.random() < 0.25 * strength:
        out = out[..., chance.permutation(3)]
    if chance.random() < 0.25 * strength:
        grey = cv2.cvtColor(np.ascontiguousarray(out), cv2.COLOR_BGR2GRAY)[..., None]
        share = chance.uniform(0.3, 1.0)
        out = np.asarray(share * grey + (1 - share) * out, np.uint8)
    return np.ascontiguousarray(out)


def invert(picture: Picture, chance: Chance) -> Picture:
    """At times the picture as a negative: what is dark on light becomes light on dark."""
    return np.asarray(255 - picture, np.uint8) if chance.random() < 0.2 else picture


def wear_out(picture: Picture, chance: Chance, strength: float = 1.0) -> Picture:
    """The picture a little out of focus, noisy, or sharpened too much, as cameras deliver it."""
    draw = chance.random()
    if draw < 0.2 * strength:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), chance.uniform(0.4, 1.3 * strength)), np.uint8)
    elif draw > 0.9:
        soft = cv2.GaussianBlur(picture, (0, 0), 1.2)
        picture = np.asarray(cv2.addWeighted(picture, 1.8, soft, -0.8, 0), np.uint8)
    if chance.random() < 0.3 * strength:
        grain = chance.standard_normal(picture.shape, np.float32)
        grain *= np.float32(chance.uniform(1, 9 * strength))
        picture = np.asarray(np.clip(picture + grain, 0, 255), np.uint8)
    return picture


def add_glare(picture: Picture, chance: Chance) -> Picture:
    """The picture with a light or a shadow across it, with a soft or a hard edge."""
    if chance.random() > 0.25:
        return picture
    height, width = picture.shape[:2]
    angle, edge = chance.uniform(0, 2 * np.pi), np.exp(chance.uniform(np.log(1.0), np.log(width)))
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    along = (x - chance.uniform(0, width)) * np.cos(angle) + (y - chance.uniform(0, height)) * np.sin(angle)
    factor = 1 + chance.uniform(-0.6, 0.5) / (1 + np.exp(-np.clip(along / edge * 4, -30, 30)))
    return np.asarray(np.clip(picture * factor[..., None], 0, 255), np.uint8)


# Turns in the plane, by which pictures are shown askew.


def turn_by(angle: ArrayLike) -> Floats:
    """The matrix (2 x 2) that turns by an angle, radians; for N angles one each (N x 2 x 2)."""
    cosine, sine = np.cos(angle), np.sin(angle)
    return np.stack((cosine, -sine, sine, cosine), axis=-1).reshape(*np.shape(angle), 2, 2)


WINDOW_PX = 192
PLACE_PX = 4
"""The finder answers for every fourth pixel in both directions."""
MIDDLE = 0.72
"""How far from a die's middle, in places, the heat is still full: a middle between two places would share
the heat between them otherwise, and how hot it is would tell where it lies and not how likely it is a die."""
HARD = 0.4
"""The share of windows that are shown in hard light."""
STAYS_UPRIGHT = 0.8
"""The share of the windows of an upright picture that are upright, too: from the side, what lies higher in
the picture is the up-face and not the front of its die, but a camera may be turned."""
FOUND_FROM = 0.35
"""The share of a die that must be visible; whether one seen less is found is not asked."""


@dataclass(frozen=True, slots=True, eq=False)
class Target:
    """One die for the finder to find."""

    place: FacePlace
    fold: int
    """How many turns of a full circle look the same: 4 for a square, 3 for a triangle, 0 where the turn is
    not known."""
    sized: bool = True
    """Whether its size is known."""
    counts: bool = True
    """False: it is not asked whether it is found."""


@dataclass(frozen=True, slots=True, eq=False)
class Sampled:
    """A picture with the dice in it."""

    picture: Picture
    dice: Sequence[Target]
    upright: bool = False
    """Whether the camera was held so that what rises from the table points up, if it is not right above."""


Sample = Callable[[Chance], Sampled]
"""Draws one picture."""


def lying_of(corners: Singles, visible: float) -> Target:
    """The target for an up-face with these corners: three, four, or the outline of a rounder die."""
    fold = len(corners) if len(corners) in (3, 4) else 0
    if fold:
        place = place_of(corners)
    else:
        center = corners.mean(axis=0)
        half = 0.8 * float(np.sqrt(cv2.contourArea(corners.reshape(-1, 1, 2)) / np.pi))
        place = FacePlace(np.asarray(center, np.float32), np.asarray(np.eye(2) * half, np.float32))
    return Target(place, fold, counts=visible >= FOUND_FROM)


def windows(sample: Sample, count: int, chance: Chance) -> tuple[Picture, Singles]:
    """`count` windows (N x 3 x 192 x 192) and their truth (N x 11 x 48 x 48).

    The truth has heat, weight of heat, offset x and y, log half edge, stretch (2), turn (2), and the weights
    of size and of turn.
    """
    pictures = np.empty((count, 3, WINDOW_PX, WINDOW_PX), np.uint8)
    side = WINDOW_PX // PLACE_PX
    truth = np.zeros((count, 11, side, side), np.float32)
    for i in range(count):
        sampled = sample(chance)
        picture, matrix = sampled.picture, _view(sampled, chance)
        window = cv2.warpAffine(
            picture if np.sqrt(abs(np.linalg.det(matrix[:, :2]))) > 0.75 else cv2.blur(picture, (2, 2)),
            matrix,
            (WINDOW_PX, WINDOW_PX),
            flags=cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_CONSTANT,
            borderValue=(127, 127, 127),
        )
        pictures[i] = _in_other_light(np.asarray(window, np.uint8), chance).transpose(2, 0, 1)
        _write(truth[i], [_moved(die, matrix) for die in sampled.dice])
    return pictures, truth


def _in_other_light(window: Picture, chance: Chance) -> Picture:
    """The window in another light and focus; for a share of them, much harder than a table has."""
    if chance.random() > HARD:
        return wear_out(add_glare(recolor(window, chance), chance), chance)
    lit = add_glare(recolor(invert(window, chance), chance, 1.8), chance)
    return wear_out(lit, chance, 1.8)


def _view(sampled: Sampled, chance: Chance) -> Singles:
    """A random map from the picture to the window (2 x 3): another scale, a quarter turn, at times mirrored.
    What is upright mostly stays so."""
    height, width = sampled.picture.shape[:2]
    dice = sampled.dice
    halves = [die.place.half_px for die in dice] or [20.0]
    most = min(1.6, 50 / max(halves))
    least = min(most, max(0.6, 6.0 / min(halves)))
    scale = float(np.exp(chance.uniform(np.log(least), np.log(most))))
    stays = sampled.upright and chance.random() < STAYS_UPRIGHT
    quarter = 0.0 if stays else chance.integers(4) * (np.pi / 2)
    turn = scale * turn_by(quarter)
    if chance.random() < 0.5:
        turn[:, 0] *= -1
    # Mostly round a die, so that most windows have something to show.
    if len(dice) and chance.random() < 0.75:
        about = dice[int(chance.integers(len(dice)))].place.center.astype(np.float64)
    else:
        about = chance.uniform(0, 1, 2) * (width, height)
    shift = chance.uniform(0.1, 0.9, 2) * WINDOW_PX - turn @ about
    if chance.random() < 0.9:  # otherwise the picture's border may be visible
        reach = turn * (width, height)
        low, high = np.minimum(reach, 0).sum(axis=1), np.maximum(reach, 0).sum(axis=1)
        ends = WINDOW_PX - high, -low
        shift = np.clip(shift, np.minimum(*ends), np.maximum(*ends))
    return np.column_stack((turn, shift))


def _moved(die: Target, matrix: Singles) -> Target:
    """The die as the window shows it."""
    turn = matrix[:, :2]
    axes = turn @ die.place.axes
    if np.linalg.det(axes) < 0:
        axes = axes[:, ::-1] if die.fold != 3 else axes * (1, -1)
    center = turn @ die.place.center + matrix[:, 2]
    place = FacePlace(np.asarray(center, np.float32), np.asarray(axes, np.float32))
    return Target(place, die.fold, die.sized, die.counts)


def _write(truth: Singles, dice: Sequence[Target]) -> None:
    """Write dice into the truth: heat falls off round each middle, and the numbers stand where it is high."""
    side = truth.shape[-1]
    truth[1] = 1
    grid_y, grid_x = np.mgrid[0:side, 0:side].astype(np.float32)
    for die in dice:
        at = (die.place.center + 0.5) / PLACE_PX - 0.5
        half = die.place.half_px / PLACE_PX
        if not (-half < at[0] < side - 1 + half and -half < at[1] < side - 1 + half):
            continue
        away_x, away_y = at[0] - grid_x, at[1] - grid_y
        near = away_x**2 + away_y**2
        inside = (at >= -0.5).all() and (at < side - 0.5).all()
        if not (die.counts and inside):
            truth[1][near < (1.1 * half) ** 2] = 0
            continue
        sigma = max(0.55, 0.24 * half)
        heat = np.exp(-near / (2 * sigma**2))
        heat[near <= MIDDLE**2] = 1
        heat[tuple(np.clip(np.rint(at[::-1]), 0, side - 1).astype(int))] = 1
        np.maximum(truth[0], heat, out=truth[0])
        spot = (near <= max(1.5, 0.35 * half) ** 2) & (heat >= truth[0] - 1e-6)
        numbers = encode_place(die.place, die.fold or 4)
        truth[2][spot], truth[3][spot] = away_x[spot], away_y[spot]
        for i, number in enumerate(numbers):
            truth[4 + i][spot] = number
        truth[9][spot] = float(die.sized)
        truth[10][spot] = float(die.sized and die.fold > 0)
    truth[1][truth[0] == 1] = 1

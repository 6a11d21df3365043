"""Dice trays: a floor, a rim about it, and the table outside."""

import cv2
import numpy as np

from calibration.arrays import Singles
from models.painting.light import blend, light_of, lit
from models.scenes.chance import Chance, between, clouds, maybe, scaled
from models.scenes.colors import any_color
from models.scenes.surfaces import Canvas, TableTop, painted


def tray(chance: Chance, canvas: Canvas) -> TableTop:
    """A tray so large that two or three sides are in view, or all of them, or none."""
    floor, outside = painted(chance, canvas), painted(chance, canvas)
    depth = _inside(chance, canvas)
    rim = canvas.edge_px * scaled(chance, 0.12, 1.3)
    wall = (
        light_of(any_color(chance, (0, 0.7), (0.05, 1)))
        if maybe(chance, 0.6)
        else floor.color.mean(axis=(0, 1))
    )
    band = np.clip((depth + rim) / rim, 0, 1)
    turned = np.asarray(
        0.45 + 0.55 * np.sin(np.pi * band) + 0.06 * clouds(chance, canvas.shape, 40, 2), np.float32
    )
    color = blend(outside.color, lit(np.asarray(wall, np.float32), turned), np.clip(depth + rim + 0.5, 0, 1))
    if maybe(chance, 0.35):
        color = _studs(chance, color, depth, rim)
    hollow = 1 - between(chance, 0.1, 0.6) * np.exp(
        -np.maximum(depth, 0) / (canvas.edge_px * between(chance, 0.15, 1))
    )
    inner = lit(floor.color, np.asarray(hollow, np.float32))
    return TableTop(blend(color, inner, np.clip(depth + 0.5, 0, 1)), floor.gloss, floor.rough)


def _inside(chance: Chance, canvas: Canvas) -> Singles:
    """How far each pixel lies inside the tray's floor; negative outside."""
    height, width = canvas.shape
    half = np.array((width, height)) * chance.uniform(0.28, 0.75, 2)
    middle = np.array((width, height)) * chance.uniform(0.3, 0.7, 2)
    rows, columns = np.mgrid[:height, :width].astype(np.float32)
    x, y = np.abs(columns - np.float32(middle[0])), np.abs(rows - np.float32(middle[1]))
    if maybe(chance, 0.25):
        return np.asarray(half.min() - np.hypot(x, y), np.float32)
    corner = half.min() * between(chance, 0.02, 0.5)
    beyond_x, beyond_y = x - np.float32(half[0] - corner), y - np.float32(half[1] - corner)
    if maybe(chance, 0.2):  # eight corners
        gap = np.maximum(np.maximum(beyond_x, beyond_y), (beyond_x + beyond_y) * np.float32(0.7071)) - corner
        return np.asarray(-gap, np.float32)
    out = np.hypot(np.maximum(beyond_x, 0), np.maximum(beyond_y, 0))
    return np.asarray(corner - out - np.minimum(np.maximum(beyond_x, beyond_y), 0), np.float32)


def _studs(chance: Chance, color: Singles, depth: Singles, rim: float) -> Singles:
    """Press studs, magnets or screws along the rim: round, and as dark as pips."""
    mask = np.zeros(depth.shape, np.uint8)
    along = np.argwhere(np.abs(depth + rim / 2) < 1)
    for number in chance.integers(0, len(along), 6) if len(along) else ():
        row, column = along[int(number)]
        cv2.circle(
            mask, (int(column), int(row)), max(2, int(rim * between(chance, 0.15, 0.4))), 255, -1, cv2.LINE_AA
        )
    return blend(
        color,
        light_of(any_color(chance, (0, 0.4), (0.05, 0.9))),
        np.asarray(mask, np.float32) / np.float32(255),
    )

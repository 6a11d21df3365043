"""Drawn dice as other cameras and lights would have them, for the networks of corners and of edges.

A piece of a landing's picture is taken round each die, and spoilt before the die is cut out of it; what was
cut out is recoloured for each batch anew.
"""

import math
from dataclasses import replace

import cv2
import numpy as np

from calibration.arrays import Picture, Singles
from calibration.view import View
from models.scenes.chance import Chance
from models.training.corner_scenes import DrawnLanding

REACH_MM = 19.0
"""How far the picture that is taken round a die reaches from its middle."""


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


def spoilt(picture: Picture, chance: Chance) -> Picture:
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


def _otherwise_lit(seen: Singles, chance: Chance) -> Singles:
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


def recoloured(cuts: Picture, chance: Chance) -> Singles:
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

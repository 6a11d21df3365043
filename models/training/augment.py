"""Changes pictures for training: other light, other colours, other focus, other noise."""

import cv2
import numpy as np

from calibration.arrays import Picture
from models.scenes.chance import Chance


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

"""From light on the sensor to a JPEG file: the lens' blur, electrons, colour filters, what a camera's
firmware does.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Picture, Singles

WHITE_BALANCE = np.array([1.55, 1.0, 1.75], np.float32)
"""What blue, green and red are multiplied with: silicon sees green best."""
TOP = 16383.0
"""Raw steps; the spread of a step is far below the read noise."""
BLACK = 300.0
"""The step of no light: noise goes below it, and is not cut off there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sensor:
    """One camera's habits. Blur and sharpening are Gaussian, sigma in px."""

    blur_px: float
    electrons: float
    """How many fill a green pixel to white."""
    read_noise: float
    """Electrons."""
    mosaic: bool = True
    sharpen: float = 0.0
    sharpen_px: float = 1.0
    smooth: bool = False
    """Whether the firmware takes out noise with a small median of the raw colours' differences."""
    contrast: float = 0.0
    """How much of an S the tone curve is; 0 is plain sRGB."""
    exposure: float = 0.8
    """Where white paper under the lamp lies between black and white."""
    quality: int = 95


def expose(light: Singles, sensor: Sensor, seed: int) -> bytes:
    """The JPEG file of a scene in linear light (height, width, 3); the same seed gives the same noise."""
    done, packed = cv2.imencode(
        ".jpg", develop(light, sensor, seed), [cv2.IMWRITE_JPEG_QUALITY, sensor.quality]
    )
    if not done:
        raise ValueError("OpenCV could not write a JPEG of this scene")
    return bytes(packed)


def develop(light: Singles, sensor: Sensor, seed: int) -> Picture:
    """The picture before it is packed."""
    rng = np.random.Generator(np.random.SFC64(seed))
    seen = cv2.GaussianBlur(light, (0, 0), sensor.blur_px) if sensor.blur_px > 0 else light.copy()
    seen = np.asarray(seen * (sensor.exposure / WHITE_BALANCE), np.float32)
    if sensor.mosaic:
        colors = _demosaiced(_noisy(_filtered(seen), sensor, rng))
    else:
        colors = np.stack([_noisy(np.ascontiguousarray(seen[..., i]), sensor, rng) for i in range(3)], axis=2)
    colors = np.asarray((colors - np.float32(BLACK)) * (WHITE_BALANCE / (TOP - BLACK)), np.float32)
    if sensor.smooth:
        colors = _calmer(colors)
    picture = _toned(colors, sensor)
    if sensor.sharpen > 0:
        soft = cv2.GaussianBlur(picture, (0, 0), sensor.sharpen_px)
        return np.asarray(cv2.addWeighted(picture, 1 + sensor.sharpen, soft, -sensor.sharpen, 0), np.uint8)
    return picture


def _filtered(seen: Singles) -> Singles:
    """Each pixel behind its colour filter: red at the top left, then green, blue at the bottom right."""
    raw = np.ascontiguousarray(seen[..., 1])
    raw[::2, ::2] = seen[::2, ::2, 2]
    raw[1::2, 1::2] = seen[1::2, 1::2, 0]
    return raw


def _noisy(raw: Singles, sensor: Sensor, rng: np.random.Generator) -> NDArray[np.uint16]:
    """Photon noise as a Gaussian of the same spread (thousands of electrons), read noise, steps."""
    electrons = np.maximum(raw, 0) * sensor.electrons
    noise = rng.standard_normal(raw.shape, np.float32)
    noise *= np.sqrt(electrons + sensor.read_noise**2)
    steps = (electrons + noise) * np.float32((TOP - BLACK) / sensor.electrons) + np.float32(BLACK)
    return np.clip(np.rint(steps), 0, TOP).astype(np.uint16)


def _demosaiced(raw: NDArray[np.uint16]) -> Singles:
    colors = cv2.demosaicing(raw, cv2.COLOR_BayerRGGB2BGR_EA)
    return np.asarray(colors, np.float32)


def _calmer(colors: Singles) -> Singles:
    """Colour noise taken out as firmware does: the colour differences are blurred, the green is kept."""
    green = colors[..., 1]
    calm = colors.copy()
    for i in (0, 2):
        calm[..., i] = green + cv2.medianBlur(np.ascontiguousarray(colors[..., i] - green), 3)
    return calm


def _toned(colors: Singles, sensor: Sensor) -> Picture:
    """sRGB's curve with a little more contrast, through a table."""
    level = np.arange(4096, dtype=np.float64) / 4095
    curve = np.where(level <= 0.0031308, level * 12.92, 1.055 * level ** (1 / 2.4) - 0.055)
    s = curve * curve * (3 - 2 * curve)
    table = np.rint(255 * ((1 - sensor.contrast) * curve + sensor.contrast * s)).astype(np.uint8)
    return np.asarray(table[np.clip(colors * 4095, 0, 4095).astype(np.int16)])

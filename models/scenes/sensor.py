"""From light to a picture file: lens blur, exposure, noise, colour filter, tone, sharpening, JPEG."""

import cv2
import numpy as np

from calibration.arrays import Picture, Singles
from models.scenes.chance import Chance, between, grains, maybe, scaled

COARSE_FROM_PX = 52
"""Dice from this edge on are drawn with one ray a pixel: the lens's blur smooths their edges well enough."""


def expose(chance: Chance, light: Singles, edge_px: float, dim: float = 1.0) -> Picture:
    """The picture that some camera makes of the light (height x width x 3); ``dim``: how bright, by what it
    would choose itself."""
    light = np.maximum(_blur(chance, light, edge_px), 0)
    metered = float(cv2.mean(cv2.transform(light, np.array(((0.11, 0.59, 0.3),), np.float32)))[0])
    gain = scaled(chance, 0.14, 0.5) / max(metered, 1e-4)
    if maybe(chance, 0.12):
        gain *= scaled(chance, 0.1, 0.5) if maybe(chance, 0.6) else scaled(chance, 1.5, 3.0)
    brightest = float(np.percentile(light[::8, ::8], 99))
    if maybe(chance, 0.75):  # most cameras keep most of what is bright
        gain = min(gain, between(chance, 0.75, 1.6) / max(brightest, 1e-4))
    gain *= dim
    cast = np.exp(chance.normal(0, 0.08, 3) * (1.0 if maybe(chance, 0.88) else 2.5)).astype(np.float32)
    light = np.asarray(cv2.transform(light, np.diag(cast * np.float32(gain))), np.float32)
    picture = _tone(chance, _noise(chance, light))
    return _store(chance, _crisp(chance, picture))


def vignetted(chance: Chance, light: Singles) -> Singles:
    """The light as a lens passes it that is darker towards the corners, and perhaps off its middle."""
    height, width = light.shape[:2]
    rows, columns = np.mgrid[:height, :width].astype(np.float32)
    x, y = columns / width - between(chance, 0.35, 0.65), rows / height - between(chance, 0.35, 0.65)
    share = 1 - between(chance, 0.2, 0.95) * np.clip((x * x + y * y) * 2, 0, 1)
    return np.asarray(light * share[..., None], np.float32)


def _blur(chance: Chance, light: Singles, edge_px: float) -> Singles:
    most = min((0.05 if maybe(chance, 0.4) else 0.03) * edge_px, 3.0)
    sigma = scaled(chance, 0.3 if edge_px < COARSE_FROM_PX else 0.6, max(most, 0.7))
    out = cv2.GaussianBlur(light, (0, 0), sigma)
    if maybe(chance, 0.12):  # a moved camera
        length = max(int(between(chance, 0.03, 0.12) * edge_px), 1) + 2
        kernel = np.zeros((length, length), np.float32)
        turn, half = between(chance, 0, np.pi), (length - 1) / 2
        ends = [
            (round(half + sign * half * np.cos(turn)), round(half + sign * half * np.sin(turn)))
            for sign in (-1, 1)
        ]
        cv2.line(kernel, ends[0], ends[1], 1.0)
        out = cv2.filter2D(out, -1, kernel / kernel.sum())
    return np.asarray(out, np.float32)


def _noise(chance: Chance, light: Singles) -> Singles:
    """Shot and read noise, on the colour filter's mosaic where there is one."""
    shot = 0.3 * scaled(chance, 0.0003, 0.014) if maybe(chance, 0.8) else 0.0
    read = scaled(chance, 0.0004, 0.012) ** 2
    if maybe(chance, 0.55):
        mosaic = np.empty(light.shape[:2], np.float32)
        for row, column, channel in ((0, 0, 0), (0, 1, 1), (1, 0, 1), (1, 1, 2)):
            mosaic[row::2, column::2] = light[row::2, column::2, channel]
        mosaic += grains(chance, mosaic.shape) * np.sqrt(np.float32(shot) * mosaic + np.float32(read))
        raw = np.clip(mosaic * 16000 + 1000, 0, 65535).astype(np.uint16)
        seen = cv2.demosaicing(raw, cv2.COLOR_BayerRG2BGR)
        return np.asarray((seen.astype(np.float32) - 1000) * np.float32(1 / 16000), np.float32)
    grain = grains(chance, light.shape)
    if maybe(chance, 0.5):
        grain = np.asarray(
            cv2.GaussianBlur(grain, (3, 3), between(chance, 0.4, 0.9)) * np.float32(1.6), np.float32
        )
    return np.asarray(light + grain * np.sqrt(np.float32(shot) * light + np.float32(read)), np.float32)


def _tone(chance: Chance, light: Singles) -> Singles:
    """The camera's colours and tone curve; 0 to 255."""
    grey = np.full((3, 3), 1 / 3, np.float32)
    strength = np.float32(between(chance, 0.65, 1.5))
    light = np.asarray(
        cv2.transform(light, grey + (np.eye(3, dtype=np.float32) - grey) * strength), np.float32
    )
    shoulder = between(chance, 0.0, 0.6)
    steps = np.linspace(0, 4, 1 << 14, dtype=np.float32)
    steps = steps * (1 + shoulder * steps / 2) / (1 + shoulder * steps)
    seen = np.clip(steps, 0, 1) ** np.float32(1 / between(chance, 1.8, 2.6))
    bend = between(chance, -0.05, 0.8)
    seen = seen + bend * (seen * seen * (3 - 2 * seen) - seen)
    lift = between(chance, 0, 0.08) if maybe(chance, 0.2) else 0.0
    curve = np.asarray((lift + (1 - lift) * seen) * 255, np.float32)
    return np.asarray(np.take(curve, np.clip(light * 4095, 0, 16383).astype(np.uint16)), np.float32)


def _crisp(chance: Chance, picture: Singles) -> Picture:
    if maybe(chance, 0.25):  # a picture that was larger or smaller before
        height, width = picture.shape[:2]
        by = scaled(chance, 0.55, 1.6)
        ways = (cv2.INTER_LINEAR, cv2.INTER_CUBIC, cv2.INTER_AREA, cv2.INTER_NEAREST)
        way = ways[int(chance.choice(4, p=(0.4, 0.3, 0.25, 0.05)))]
        other = cv2.resize(
            picture, (max(1, round(width * by)), max(1, round(height * by))), interpolation=way
        )
        picture = np.asarray(cv2.resize(other, (width, height), interpolation=cv2.INTER_LINEAR), np.float32)
    if maybe(chance, 0.5):
        soft = cv2.GaussianBlur(picture, (0, 0), between(chance, 0.6, 2.0))
        picture = picture + np.float32(between(chance, 0.2, 1.6)) * (picture - soft)
    if maybe(chance, 0.15):
        clean = np.clip(picture, 0, 255).astype(np.uint8)
        return np.asarray(cv2.bilateralFilter(clean, 5, between(chance, 10, 40), 2), np.uint8)
    return np.asarray(np.clip(picture + 0.5, 0, 255), np.uint8)


def _store(chance: Chance, picture: Picture) -> Picture:
    if maybe(chance, 0.15):
        return picture
    quality = int(chance.integers(40, 99))
    done, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise ValueError("The drawn picture could not be packed as a JPEG; OpenCV was built without it.")
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)

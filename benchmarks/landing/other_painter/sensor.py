"""The second painter's picture: what glass, sensor and firmware make of light, up to the JPEG file."""

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.arrays import Picture, Singles

Window = tuple[int, int, int, int]
"""Left, top, right, bottom in px; the last two are beyond it."""
MARGIN_PX = 14


@dataclass(frozen=True, slots=True, kw_only=True)
class Habits:
    """One camera's."""

    blur_px: float
    colour_shift: float
    """By which share red is larger and blue smaller about the picture's middle."""
    fall_off: float
    """How much light is lost in the corners."""
    full_well: float
    """Electrons at white."""
    read_noise: float
    balance_error: tuple[float, float]
    """Blue's and red's."""
    exposure: float
    shoulder: float
    """How early bright things are pressed together."""
    sharpen: float
    calm_px: float
    """How far the firmware blurs colour noise."""
    quality: int


def draw_habits(rng: np.random.Generator, *, coarse: bool) -> Habits:
    """A camera's habits; binned pixels (`coarse`) hold more light."""
    return Habits(
        blur_px=float(rng.uniform(0.5, 0.95)),
        colour_shift=float(rng.uniform(-1.5e-4, 1.5e-4)),
        fall_off=float(rng.uniform(0.15, 0.55)),
        full_well=float(rng.uniform(3000, 6000)) * (3 if coarse else 1),
        read_noise=float(rng.uniform(2, 6)),
        balance_error=(float(rng.uniform(0.88, 1.08)), float(rng.uniform(0.94, 1.12))),
        exposure=float(rng.uniform(0.5, 0.85)),
        shoulder=float(rng.uniform(0.0, 0.5)),
        sharpen=float(rng.choice([0.0, 0.4, 0.8, 1.1])),
        calm_px=float(rng.choice([0.0, 1.0, 1.8])),
        quality=int(rng.choice([86, 90, 93, 96])),
    )


def through_glass(light: Singles, habits: Habits, window: Window, size: tuple[int, int]) -> Singles:
    """Light of a window of a picture (width, height) as it falls on the sensor: blurred, colours shifted,
    darker towards the corners."""
    left, top, right, bottom = window
    seen = cv2.GaussianBlur(light, (0, 0), habits.blur_px)
    middle = (size[0] / 2 - 0.5 - left, size[1] / 2 - 0.5 - top)
    for channel, sign in ((0, -1), (2, 1)):
        scale = 1 / (1 + sign * habits.colour_shift)
        back = np.array([[scale, 0, middle[0] * (1 - scale)], [0, scale, middle[1] * (1 - scale)]])
        seen[..., channel] = cv2.warpAffine(
            np.ascontiguousarray(seen[..., channel]),
            back,
            (right - left, bottom - top),
            flags=cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        )
    x = (np.arange(left, right, dtype=np.float32) - (size[0] / 2 - 0.5)) / (size[0] / 2)
    y = (np.arange(top, bottom, dtype=np.float32) - (size[1] / 2 - 0.5)) / (size[0] / 2)
    out = x[None] ** 2 + y[:, None] ** 2
    corner = 1 + (size[1] / size[0]) ** 2
    fall = 1 / (1 + out * np.float32((1 / (1 - habits.fall_off) - 1) / corner))
    return np.asarray(np.maximum(seen, 0) * fall[..., None], np.float32)


SENSITIVE = np.array([0.55, 1.0, 0.62], np.float32)
"""How much of blue, green and red light silicon behind its filters turns into electrons."""


def develop(seen: Singles, habits: Habits, rng: np.random.Generator, exposure: float = 1.0) -> Picture:
    """The picture (h, w, 3) of light on the sensor: mosaic, noise, firmware."""
    high, wide = seen.shape[:2]
    gain = np.float32(habits.exposure * exposure)
    raw = np.empty((high, wide), np.float32)
    for row, column, channel in ((0, 0, 0), (0, 1, 1), (1, 0, 1), (1, 1, 2)):
        raw[row::2, column::2] = seen[row::2, column::2, channel] * (gain * SENSITIVE[channel])
    raw = np.minimum(raw, 1.1) * np.float32(habits.full_well)
    noise = rng.standard_normal(raw.shape, np.float32)
    raw += noise * np.sqrt(raw + np.float32(habits.read_noise**2))
    colours = _demosaiced(np.minimum(raw / np.float32(habits.full_well), 1.0))
    error = np.array([habits.balance_error[0], 1.0, habits.balance_error[1]], np.float32)
    return _finished(colours * (error / SENSITIVE), habits)


CROSS = (
    np.array([[0, 0, -1, 0, 0], [0, 0, 2, 0, 0], [-1, 2, 4, 2, -1], [0, 0, 2, 0, 0], [0, 0, -1, 0, 0]]) / 8
)
ALONG = np.array(
    [[0, 0, 0.5, 0, 0], [0, -1, 0, -1, 0], [-1, 4, 5, 4, -1], [0, -1, 0, -1, 0], [0, 0, 0.5, 0, 0]]
)
ALONG = ALONG / 8
OPPOSITE = np.array(
    [[0, 0, -1.5, 0, 0], [0, 2, 0, 2, 0], [-1.5, 0, 6, 0, -1.5], [0, 2, 0, 2, 0], [0, 0, -1.5, 0, 0]]
)
OPPOSITE = OPPOSITE / 8


def _demosaiced(raw: Singles) -> Singles:
    """All three colours (h, w, 3) of a mosaic with blue first (Malvar, He and Cutler 2004)."""
    cross, along, down, opposite = (
        cv2.filter2D(raw, -1, kernel.astype(np.float32), borderType=cv2.BORDER_REFLECT_101)
        for kernel in (CROSS, ALONG, ALONG.T, OPPOSITE)
    )
    blue, green, red = raw.copy(), raw.copy(), raw.copy()
    green[::2, ::2], green[1::2, 1::2] = cross[::2, ::2], cross[1::2, 1::2]
    for colour, first, second in ((blue, along, down), (red, down, along)):
        colour[::2, 1::2], colour[1::2, ::2] = first[::2, 1::2], second[1::2, ::2]
    blue[1::2, 1::2], red[::2, ::2] = opposite[1::2, 1::2], opposite[::2, ::2]
    return np.stack((blue, green, red), axis=2)


def _finished(colours: Singles, habits: Habits) -> Picture:
    """Clipped, calmed, toned, sharpened."""
    level = np.linspace(0, 1, 4096)
    pressed = level * (1 + habits.shoulder) / (1 + habits.shoulder * level)
    curve = np.where(pressed <= 0.0031308, pressed * 12.92, 1.055 * pressed ** (1 / 2.4) - 0.055)
    steps = np.rint(255 * curve).astype(np.uint8)
    picture: Picture = steps[(np.clip(colours, 0, 1) * 4095 + 0.5).astype(np.int16)]
    if habits.calm_px:
        luma = cv2.cvtColor(picture, cv2.COLOR_BGR2YCrCb)
        luma[..., 1:] = cv2.GaussianBlur(luma[..., 1:], (0, 0), habits.calm_px)
        picture = np.asarray(cv2.cvtColor(luma, cv2.COLOR_YCrCb2BGR), np.uint8)
    if habits.sharpen:
        soft = cv2.GaussianBlur(picture, (0, 0), 1.1)
        picture = np.asarray(cv2.addWeighted(picture, 1 + habits.sharpen, soft, -habits.sharpen, 0), np.uint8)
    return picture


def pack(picture: Picture, habits: Habits) -> bytes:
    """The JPEG file."""
    done, packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, habits.quality])
    if not done:
        raise ValueError("OpenCV could not write a JPEG of this picture")
    return bytes(packed)

"""Hands: between the dice and the camera, reaching in from the picture's border."""

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.arrays import Singles
from models.painting.light import Color, blend, light_of, lit
from models.scenes.camera import Camera
from models.scenes.chance import Chance, between, clouds, maybe
from models.scenes.colors import any_color, pick, vary
from models.scenes.lamps import SceneLights

SKINS: tuple[Color, ...] = (
    (110, 135, 190),
    (140, 170, 220),
    (90, 115, 170),
    (60, 85, 135),
    (40, 55, 95),
    (160, 185, 232),
)
Bone = tuple[Singles, Singles, float]
"""From one point to another (pixels), and how thick."""


@dataclass(frozen=True, slots=True, eq=False)
class Over:
    """Something between the dice and the camera."""

    cover: Singles
    """h x w, 0 to 1."""
    color: Singles
    """As light under the scene's own lamps, h x w x 3."""
    shadow: Singles
    """How much light it keeps from what is below, h x w."""


def lay_over(light: Singles, over: Over) -> Singles:
    """The light that reaches the camera past it."""
    return blend(lit(light, 1 - over.shadow), over.color, over.cover)


def hand(
    chance: Chance, camera: Camera, lights: SceneLights, goal_px: tuple[float, float], edge_px: float
) -> Over:
    """A hand whose fingers end about ``goal_px``."""
    full, small = (camera.width_px, camera.height_px), (camera.height_px // 2, camera.width_px // 2)
    thick = edge_px * between(chance, 0.35, 0.7)
    bones, sleeve = _bones(chance, full, np.asarray(goal_px, np.float32), thick)
    depth, cuff = _depth(bones, small), _depth(sleeve, small)
    shade = _shade(np.maximum(depth, cuff), lights, thick)
    skin = light_of(vary(chance, pick(chance, SKINS), 0.15))
    cloth = light_of(any_color(chance, (0, 0.8), (0.05, 0.9)))
    tint = blend(np.broadcast_to(skin, (*small, 3)), cloth, np.asarray(cuff > depth, np.float32))
    blotched = shade * (1 + 0.1 * clouds(chance, small, thick, 3))
    color = np.asarray(cv2.resize(lit(tint, np.asarray(blotched, np.float32)), full), np.float32)
    cover = np.asarray(np.clip(cv2.resize(np.maximum(depth, cuff), full) / 2 + 0.5, 0, 1), np.float32)
    lamp = lights.lamps[0].place_mm
    lift = np.clip(lamp[:2] / lamp[2], -2, 2) * edge_px * between(chance, 0.2, 1.5)
    move = np.array(((1, 0, -lift[0]), (0, 1, lift[1])), np.float32)
    soft = cv2.GaussianBlur(cv2.warpAffine(cover, move, full), (0, 0), between(chance, 0.1, 0.6) * thick)
    return Over(cover, color, np.asarray(soft * np.float32(between(chance, 0.3, 0.8)), np.float32))


def _bones(
    chance: Chance, full: tuple[int, int], goal: Singles, thick: float
) -> tuple[list[Bone], list[Bone]]:
    """The hand's bones, and the sleeve's."""
    way = between(chance, 0, 2 * np.pi)
    back = np.array((np.cos(way), np.sin(way)), np.float32)
    side = np.array((-back[1], back[0]))
    knuckles = goal + back * thick * between(chance, 2.5, 5)
    palm = knuckles + back * thick * 3.2
    bones: list[Bone] = [(knuckles + back * thick * 1.6, palm, 2.4 * thick)]
    count = int(chance.integers(1, 5))
    for finger in range(4):
        base = np.asarray(knuckles + side * thick * 1.35 * (finger - 1.5), np.float32)
        reach = 1.0 if finger < count else between(chance, 0.1, 0.4)  # the others are bent back
        tip = np.asarray(base + (goal + side * thick * 0.9 * (finger - 1.5) - base) * reach, np.float32)
        middle = np.asarray((base + tip) / 2 + side * thick * between(chance, -0.4, 0.4), np.float32)
        bones += [(base, middle, 0.75 * thick), (middle, tip, 0.65 * thick)]
    sign = -1 if maybe(chance, 0.5) else 1
    thumb = np.asarray(palm + side * sign * thick * 2.6 - back * thick, np.float32)
    bones += [
        (palm, thumb, 0.95 * thick),
        (thumb, thumb - back * thick * between(chance, 1.5, 3), 0.75 * thick),
    ]
    out = palm + back * 2.0 * max(full)
    wrist = palm + back * thick * between(chance, 2, 6)
    bones.append((palm, out, 1.7 * thick))
    return bones, [(wrist, out, 2.3 * thick)] if maybe(chance, 0.6) else []


def _depth(bones: list[Bone], small: tuple[int, int]) -> Singles:
    """How deep each second pixel lies under the outline of the bones' flesh (negative outside)."""
    rows, columns = np.mgrid[: small[0], : small[1]].astype(np.float32) * np.float32(2)
    out = np.full(small, -1e6, np.float32)
    for start, end, thick in bones:
        along = end - start
        length = float(along @ along) + 1e-6
        x, y = columns - start[0], rows - start[1]
        share = np.clip((x * along[0] + y * along[1]) / length, 0, 1)
        away = np.sqrt((x - share * along[0]) ** 2 + (y - share * along[1]) ** 2)
        np.maximum(out, np.float32(thick) - away, out=out)
    return out


def _shade(depth: Singles, lights: SceneLights, thick: float) -> Singles:
    """Light on flesh that is as round as its outline is near."""
    rise = np.sqrt(np.clip(1 - (1 - np.clip(depth / thick, 0, 1)) ** 2, 0, 1)) * thick
    rise = cv2.GaussianBlur(np.asarray(rise, np.float32), (0, 0), max(thick * 0.1, 0.8))
    right, down = cv2.Sobel(rise, cv2.CV_32F, 1, 0) / 16, cv2.Sobel(rise, cv2.CV_32F, 0, 1) / 16
    facing = 1 / np.sqrt(right * right + down * down + 1)
    shade = float(lights.room[1]) * (0.4 + 0.6 * facing)
    for lamp in lights.lamps:
        way = lamp.place_mm / np.linalg.norm(lamp.place_mm)
        shade = shade + np.clip((-right * way[0] + down * way[1] + way[2]) * facing, 0, 1) * lamp.light[1]
    return np.asarray(shade, np.float32)

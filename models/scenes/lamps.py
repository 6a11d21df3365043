"""Light: lamps with size and colour, the light of the room, and what glossy things mirror."""

from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.arrays import Singles
from models.painting.materials import light_of
from models.scenes.chance import Chance, between, maybe, scaled
from models.scenes.styles import any_color


@dataclass(frozen=True, slots=True, eq=False)
class Lamp:
    """A round lamp; its light on the table's middle is ``light`` (blue, green, red)."""

    place_mm: Singles
    radius_mm: float
    light: Singles


@dataclass(frozen=True, slots=True, eq=False)
class BrightPatch:
    """Something bright that is mirrored: a lamp, a window, a white ceiling's patch."""

    way: Singles
    """Unit direction from the table's middle."""
    spread: float
    """Sine of its half-width."""
    soft: float
    light: Singles


@dataclass(frozen=True, slots=True, eq=False)
class SceneLights:
    """All light of a scene."""

    lamps: tuple[Lamp, ...]
    room: Singles
    """Light from everywhere."""
    panels: tuple[BrightPatch, ...]
    hush: Singles | None
    """Height x width: the share of the lamps' light that somebody standing in it lets through."""


def light_up(chance: Chance, view_mm: float, size_px: tuple[int, int]) -> SceneLights:
    """Some room's light over a table of which ``view_mm`` are seen."""
    tint = _tint(chance, 0.12)
    room = between(chance, 0.08, 0.5) if maybe(chance, 0.6) else between(chance, 0.5, 1.2)
    count = int(chance.choice((1, 2, 3), p=(0.6, 0.28, 0.12)))
    lamps = tuple(_lamp(chance, view_mm) for _ in range(count))
    panels = [BrightPatch(lamp.place_mm / np.float32(np.linalg.norm(lamp.place_mm)),
                    max(lamp.radius_mm / float(np.linalg.norm(lamp.place_mm)), 0.04), 0.02,
                    lamp.light * np.float32(scaled(chance, 4, 50))) for lamp in lamps]  # fmt: skip
    for _ in range(int(chance.integers(0, 4))):
        way = _direction(chance, between(chance, 10, 90))
        panels.append(BrightPatch(way, between(chance, 0.1, 0.7), between(chance, 0.01, 0.4),
                            tint * np.float32(scaled(chance, 0.4, 7))))  # fmt: skip
    hush = _hush(chance, size_px) if maybe(chance, 0.22) else None
    return SceneLights(lamps, tint * np.float32(room), tuple(panels), hush)


KELVIN = np.array((2000.0, 3000.0, 4000.0, 5000.0, 6500.0, 9000.0))
GLOW: Singles = np.array(
    ((0.01, 0.25, 1), (0.15, 0.46, 1), (0.37, 0.64, 1), (0.62, 0.78, 1), (1, 0.98, 1), (1, 0.74, 0.64)),
    np.float32,
)
"""The light of glowing bodies of these temperatures, blue, green, red (after M. Charity's table)."""


def any_tint(chance: Chance) -> Singles:
    """The colour of a lamp: from 2,000 to 9,000 K, as far as a camera leaves it so, or green, violet, any."""
    if maybe(chance, 0.25):
        hue = light_of(any_color(chance, (0.2, 0.95), (0.9, 1)))
        return np.asarray(np.maximum(hue, 0.02), np.float32)
    kelvin = scaled(chance, 2000, 9000)
    glow = np.array([np.interp(kelvin, KELVIN, GLOW[:, part]) for part in range(3)])
    return np.asarray(glow ** between(chance, 0.1, 1.0), np.float32)


def recolored(chance: Chance, lights: SceneLights) -> SceneLights:
    """The same lamps in other colours: all in one, or each and the room in its own."""
    common, mixed = any_tint(chance), maybe(chance, 0.4)
    lamps = tuple(
        replace(lamp, light=lamp.light * (any_tint(chance) if mixed else common)) for lamp in lights.lamps
    )
    panels = tuple(replace(panel, light=panel.light * common) for panel in lights.panels)
    room = lights.room * (any_tint(chance) if mixed else common)
    return replace(lights, lamps=lamps, panels=panels, room=np.asarray(room, np.float32))


def _tint(chance: Chance, by: float) -> Singles:
    warm = between(chance, -by, by)
    return np.array((1 - warm, 1 + between(chance, -by, by) * 0.3, 1 + warm), np.float32)


def _direction(chance: Chance, elevation_deg: float) -> Singles:
    turn, rise = between(chance, 0, 2 * np.pi), np.deg2rad(elevation_deg)
    flat = np.cos(rise)
    return np.array((flat * np.cos(turn), flat * np.sin(turn), np.sin(rise)), np.float32)


def _lamp(chance: Chance, view_mm: float) -> Lamp:
    distance = view_mm * scaled(chance, 1.0, 8.0)
    elevation = between(chance, 22, 60) if maybe(chance, 0.35) else between(chance, 50, 88)
    radius = distance * (scaled(chance, 0.004, 0.03) if maybe(chance, 0.45) else scaled(chance, 0.03, 0.4))
    way = _direction(chance, elevation)
    return Lamp(
        way * np.float32(distance), radius, _tint(chance, 0.2) * np.float32(between(chance, 0.3, 1.0))
    )


def _hush(chance: Chance, size_px: tuple[int, int]) -> Singles:
    """The shadow of somebody who stands in the light: a soft-edged patch from the picture's border."""
    width, height = size_px
    mask = np.zeros((height // 2, width // 2), np.uint8)
    reach = max(mask.shape)
    corner = np.array((chance.integers(0, 2) * mask.shape[1], chance.integers(0, 2) * mask.shape[0]), float)
    around = corner + chance.normal(0, 0.45 * reach, (int(chance.integers(3, 7)), 2))
    cv2.fillConvexPoly(mask, cv2.convexHull(around.astype(np.int32)), 255)
    soft = reach * scaled(chance, 0.004, 0.08)
    blurred = cv2.GaussianBlur(mask, (0, 0), soft)
    full = cv2.resize(blurred, size_px, interpolation=cv2.INTER_LINEAR)
    return np.asarray(1 - np.float32(between(chance, 0.5, 1.0) / 255) * full, np.float32)


def mirrored(lights: SceneLights, ways: Singles, rough: float) -> Singles:
    """What a surface of that roughness mirrors in unit directions (3 x n): light, 3 x n."""
    up = np.clip(ways[2], 0, 1)
    out = (lights.room * np.float32(0.35))[:, None] * (0.3 + 0.7 * up)
    for panel in lights.panels:
        soft = panel.soft + rough
        near = panel.way @ ways
        away = np.sqrt(np.maximum(1 - near * near, 0))
        away = np.where(near > 0, away, np.float32(2))
        share = np.clip(0.5 + (panel.spread - away) / (2 * soft), 0, 1)
        weaker = min(1.0, (panel.spread / (panel.spread + 0.5 * rough)) ** 2)
        out += panel.light[:, None] * (share * share * (3 - 2 * share) * np.float32(weaker))
    return np.asarray(out, np.float32)

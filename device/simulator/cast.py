"""One die cast into pixels: rays through the picture, met by its body (`models.painting.solids`).

Its light is the simulator's own, and plainer than a drawn scene's: a frame of moving dice has some
milliseconds. Colours are in the picture's own scale 0 to 255, blue green red; light is reckoned in linear
light.
"""

from dataclasses import dataclass
from math import ceil

import cv2
import numpy as np

from calibration.arrays import Reals, Singles
from device.simulator.designs import design
from device.simulator.dice import Pose, SimulatedDie, corners_mm
from device.simulator.lens import SimulatedLens
from engine.dice import Face
from models.painting import solids
from models.painting.design import Design, skin
from models.painting.materials import pictured


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MainLight:
    """The main light, round and above the table, and how much of all light comes from it."""

    place_mm: Reals
    radius_mm: float
    share: float


def lamp() -> MainLight:
    """The lamp over the table: to the left of it, at the back."""
    return MainLight(place_mm=np.array([-380.0, 430.0, 1000.0], np.float32), radius_mm=75.0, share=0.58)


@dataclass(frozen=True, slots=True, eq=False)
class Sprite:
    """A piece of picture: colour weighted with its cover (h, w, 3), and the cover (h, w, 1), 0 to 1."""

    x_px: int
    y_px: int
    color: Reals
    cover: Reals


@dataclass(frozen=True, slots=True)
class PixelBox:
    """A rectangle of pixels; x1 and y1 are the first outside."""

    x0: int
    y0: int
    x1: int
    y1: int

    @classmethod
    def around(cls, points_px: Reals, margin_px: int, lens: SimulatedLens) -> "PixelBox":
        """The pixels round all points, as far as they are in the picture; may be empty."""
        low = np.floor(points_px.reshape(-1, 2).min(axis=0)).astype(int) - margin_px
        high = np.ceil(points_px.reshape(-1, 2).max(axis=0)).astype(int) + margin_px + 1
        x0, x1 = (int(np.clip(x, 0, lens.width_px)) for x in (low[0], high[0]))
        y0, y1 = (int(np.clip(y, 0, lens.height_px)) for y in (low[1], high[1]))
        return cls(x0, y0, x1, y1)

    @property
    def empty(self) -> bool:
        """Whether no pixel of the picture is in it."""
        return self.x1 <= self.x0 or self.y1 <= self.y0

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.y1 - self.y0, self.x1 - self.x0


def cast(
    lens: SimulatedLens,
    light: MainLight,
    body: SimulatedDie,
    pose: Pose,
    faces: tuple[Face, ...],
    step_px: float,
    box: PixelBox,
) -> Reals:
    """The die as the camera sees it, one ray every `step_px`: colour weighted with cover, and cover.

    (rows / step, columns / step, 4), from `box`'s first corner on; `faces` are drawn on it.
    """
    rows, columns = (ceil(size / step_px) for size in box.shape)
    x = np.arange(columns, dtype=np.float32) * step_px + (box.x0 + step_px / 2 - 0.5)
    y = np.arange(rows, dtype=np.float32) * step_px + (box.y0 + step_px / 2 - 0.5)
    made = design(body.kind, body.color, faces, body.edge_mm, body.fillet_mm, body.hollow)
    origin = np.asarray((lens.eye_mm - pose.center_mm) @ pose.turn, np.float32)
    ahead = np.asarray(pose.turn.T @ lens.ray_grid(x, y), np.float32)
    hit = solids.cast(made.body, origin, ahead, grazing=True)
    found = np.zeros((rows * columns, 4), np.float32)
    if hit.index.size:
        found[hit.index, :3] = _shade(lens, light, pose, made, hit).T
        found[hit.index, 3] = 1
    return found.reshape(rows, columns, 4)


def cast_finely(
    lens: SimulatedLens,
    light: MainLight,
    body: SimulatedDie,
    pose: Pose,
    faces: tuple[Face, ...],
    rays: int,
    box: PixelBox,
) -> Reals:
    """The same with `rays` x `rays` rays a pixel, one value a pixel (rows, columns, 4)."""
    fine = cast(lens, light, body, pose, faces, 1 / rays, box)
    rows, columns = box.shape
    pixels = cv2.resize(fine, (columns, rows), interpolation=cv2.INTER_AREA)
    # No lens draws a pixel sharp.
    return cv2.GaussianBlur(pixels, (3, 3), 0.6).astype(np.float32, copy=False)


def _shade(lens: SimulatedLens, light: MainLight, pose: Pose, made: Design, hit: solids.Hit) -> Singles:
    """Picture values (3, N) where rays have met a die."""
    color, relief, normal = skin(made, hit)
    to_lamp = light.place_mm - pose.center_mm
    to_lamp = to_lamp / np.linalg.norm(to_lamp)
    to_eye = lens.eye_mm - pose.center_mm
    between = to_lamp + to_eye / np.linalg.norm(to_eye)
    between = between / np.linalg.norm(between)
    up, diffuse, shine = np.stack([pose.turn[2], to_lamp @ pose.turn, between @ pose.turn]) @ normal
    height = pose.turn[2] @ hit.point + pose.center_mm[2]
    near_felt = np.clip(0.5 + height / 14, 0, 1)  # low on the die the felt takes half of the sky away
    sky = (1 - light.share) * (0.62 + 0.38 * up) * near_felt
    light_there = sky + light.share * 1.12 * np.maximum(diffuse, 0)
    # Blinn's highlight, as sharp as a surface of that roughness has it (Walter and others, 2007).
    power = 2 / made.made.rough**2 - 2
    gloss = np.maximum(shine, 0) ** power * (made.made.gloss * (power + 8) / 8 * light.share) * relief[3]
    return pictured(np.asarray(color * light_there + gloss, np.float32))


def shadow_outlines(
    lens: SimulatedLens, light: MainLight, body: SimulatedDie, pose: Pose, samples: int
) -> list[Reals]:
    """Outlines in pixels of the die's shadow on the felt, one for each of `samples` points of the lamp."""
    turn = np.arange(samples, dtype=np.float32) * 2.399963
    radius = light.radius_mm * np.sqrt((np.arange(samples, dtype=np.float32) + 0.5) / samples)
    places = light.place_mm + np.stack(
        [radius * np.cos(turn), radius * np.sin(turn), np.zeros_like(turn)], axis=1
    )
    corners = corners_mm(body, pose, 0.96)[None]
    places = places[:, None]
    fall = places[..., 2:] / (places[..., 2:] - corners[..., 2:])
    ground = places + (corners - places) * fall
    ground[..., 2] = 0
    return [
        cv2.convexHull(outline)[:, 0].astype(np.float32)
        for outline in lens.project(ground.astype(np.float32))
    ]


def footprint(lens: SimulatedLens, body: SimulatedDie, pose: Pose) -> Reals:
    """The outline in pixels of the die's upright projection on the felt."""
    corners = corners_mm(body, pose, 0.98)
    corners[:, 2] = 0
    return cv2.convexHull(lens.project(corners))[:, 0].astype(np.float32)


def visible_px(lens: SimulatedLens, body: SimulatedDie, pose: Pose, margin_px: int = 2) -> PixelBox:
    """The pixels that may show the die."""
    return PixelBox.around(lens.project(corners_mm(body, pose)), margin_px, lens)

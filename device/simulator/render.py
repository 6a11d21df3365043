"""Paints the simulated table's pictures: what the camera sees of a scene, with blur, light and noise.

A still table is painted once and then only relit and noised. A die that lies is cast once, finely; a die
that moves is cast anew, coarsely, at several moments of the exposure, and their mean is its blur.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random

import cv2
import numpy as np

from calibration.arrays import Picture, Reals
from device.simulator.cast import (
    PixelBox,
    Sprite,
    cast,
    cast_finely,
    footprint,
    shadow_outlines,
    visible_px,
)
from device.simulator.dice import Pose, SimulatedDie
from device.simulator.ground import Backdrop, Daylight, enlarged
from device.simulator.hand import lay_over
from device.simulator.mat import lay_paper
from device.simulator.motion import Motion
from device.simulator.truth import BoundsMm
from device.simulator.world import SeenWorld
from engine.dice import Face
from models.painting.materials import GAMMA

EXPOSURE_MS = 12.0
LIGHT_STEP_MS = 100.0
"""The light is followed in steps of this length; each is far below the noise."""
NOISE_SIGMA = 2.2
NOISE_ROOM_PX = 96
STILL_RAYS, SHARP_RAYS, STILL_LAMPS = 3, 2, 24
BLUR_STEP_PX, MOST_MOMENTS, MOVING_LAMPS = 5.0, 7, 3


@dataclass(frozen=True, slots=True, eq=False)
class Cast:
    """A die as painted: its shadow (factors on the ground) and itself."""

    shadow: Sprite
    body: Sprite
    far_mm: float
    """From the eye; what is farther is painted first."""


_NO_SHADOW = Sprite(0, 0, np.ones((0, 0, 1), np.float32), np.ones((0, 0, 1), np.float32))

Drawn = Mapping[int, tuple[Face, ...]]
"""The faces to draw on a body, by its number, where they are not its own."""


class Renderer:
    """Paints one camera's pictures. Keeps what can be used again; not safe to share between threads."""

    def __init__(self, stage: Backdrop, rng: Random, beside: "Renderer | None" = None) -> None:
        """Weather and noise come from `rng`, or are those of another eye `beside` it."""
        self.lens, self._lamp, self._ground = stage.lens, stage.lamp, stage.ground
        width_px, height_px = stage.lens.width_px, stage.lens.height_px
        self._stage, self._rng = stage, rng
        self._daylight: Daylight = beside._daylight if beside else Daylight.of(rng)
        self._noise: tuple[Picture, Picture] = beside._noise if beside else sensor_noise(width_px, height_px)
        self._rays = SHARP_RAYS if beside else STILL_RAYS
        self._kept: dict[tuple[int, int, tuple[Face, ...]], tuple[Pose, Cast]] = {}
        self._clean: tuple[object, Picture] | None = None

    def sharper(self, width_px: int, height_px: int) -> "Renderer":
        """An eye in the same place that sees the same table in more pixels.

        Only the dice are painted finer: the ground is this one's, enlarged, and the noise is laid out again
        and again.
        """
        return Renderer(enlarged(self._stage, width_px, height_px), Random(0), self)

    def picture(self, scene: SeenWorld, drawn: Drawn) -> Picture:
        """The scene as the camera sees it at its time."""
        return with_noise(self.clean(scene, drawn), self._noise, self._rng)

    def clean(self, scene: SeenWorld, drawn: Drawn) -> Picture:
        """The scene without noise."""
        step = int(scene.time_ms // LIGHT_STEP_MS)
        weights = self._daylight.weights(step * LIGHT_STEP_MS)
        hand = scene.hand.pose(scene.time_ms) if scene.hand else None
        casts, still = self._casts(scene, drawn)
        papers = [one for one in scene.papers if one.from_ms <= scene.time_ms < one.until_ms]
        key = (step, tuple(id(cast) for cast in casts), tuple(papers))
        if still and not hand and self._clean and self._clean[0] == key:
            return self._clean[1]
        picture = self._ground.lit(weights)
        for paper in papers:
            lay_paper(picture, self.lens, paper, self._ground, weights)
        for one in casts:
            _darken(picture, one.shadow)
        for one in sorted(casts, key=lambda one: -one.far_mm):
            middle = one.body.x_px + one.body.cover.shape[1] / 2, one.body.y_px + one.body.cover.shape[0] / 2
            _cover(picture, one.body, self._ground.gain(weights, *middle))
        if hand and scene.hand:
            before = scene.hand.pose(scene.time_ms - EXPOSURE_MS) or hand
            places = np.array([[hand.x_mm, hand.y_mm, 40], [before.x_mm, before.y_mm, 40]], np.float32)
            now, then = self.lens.project(places)
            lay_over(picture, self.lens, self._lamp, hand, now - then, self._ground.gain(weights, *now))
        if still and not hand:
            self._clean = key, picture
        return picture

    def _casts(self, scene: SeenWorld, drawn: Drawn) -> tuple[list[Cast], bool]:
        """All dice as painted, and whether all lie still."""
        casts, kept, still = [], {}, True
        for body, motion in scene.items:
            now, before = motion.pose(scene.time_ms), motion.pose(scene.time_ms - EXPOSURE_MS)
            faces = drawn.get(body.number, body.faces)
            if now is None or visible_px(self.lens, body, now).empty:
                continue
            if now is before:
                key = (body.number, id(now), faces)
                kept[key] = self._kept.get(key) or (now, self._lying(body, now, faces))
                casts.append(kept[key][1])
            elif moving := self._moving(body, motion, scene, before or now, now, faces):
                still = False
                casts.append(moving)
        self._kept = kept
        return casts, still

    def _lying(self, body: SimulatedDie, pose: Pose, faces: tuple[Face, ...]) -> Cast:
        box = visible_px(self.lens, body, pose)
        pixels = cast_finely(self.lens, self._lamp, body, pose, faces, self._rays, box)
        return self._cast(body, [pose], box, pixels, STILL_LAMPS)

    def _moving(
        self,
        body: SimulatedDie,
        motion: Motion,
        scene: SeenWorld,
        before: Pose,
        now: Pose,
        faces: tuple[Face, ...],
    ) -> Cast | None:
        """The die's mean over the exposure; None while it is out of sight."""
        moments = self._moments(body, before, now)
        times = scene.time_ms - EXPOSURE_MS * (np.arange(moments) + 0.5) / moments
        poses = [pose for pose in (motion.pose(float(time)) for time in times) if pose]
        boxes = [visible_px(self.lens, body, pose) for pose in poses]
        seen = [
            (pose, box)
            for pose, box in zip(poses, boxes, strict=True)
            if not (box.empty or _is_hidden(pose, self.lens.eye_mm, scene.bounds_mm))
        ]
        if not seen:
            return None
        # What is smeared over many pixels needs no ray in each.
        step = 1 if moments < 4 else 2
        whole = PixelBox(
            min(box.x0 for _, box in seen), min(box.y0 for _, box in seen),
            max(box.x1 for _, box in seen), max(box.y1 for _, box in seen),
        )  # fmt: skip
        rows, columns = (size // step + 2 for size in whole.shape)
        total = np.zeros((rows, columns, 4), np.float32)
        for pose, box in seen:
            x, y = (box.x0 - whole.x0) // step, (box.y0 - whole.y0) // step
            aligned = PixelBox(whole.x0 + x * step, whole.y0 + y * step, box.x1, box.y1)
            pixels = cast(self.lens, self._lamp, body, pose, faces, step, aligned)
            total[y : y + pixels.shape[0], x : x + pixels.shape[1]] += pixels
        total /= len(poses)
        smooth = cv2.resize(total, (columns * step, rows * step), interpolation=cv2.INTER_LINEAR)
        pixels = smooth[: whole.shape[0], : whole.shape[1]].astype(np.float32, copy=False)
        return self._cast(body, [pose for pose, _ in seen], whole, pixels, MOVING_LAMPS)

    def _moments(self, body: SimulatedDie, before: Pose, now: Pose) -> int:
        """How many moments of the exposure show the blur without steps."""
        ends = self.lens.project(np.array([before.center_mm, now.center_mm]))
        turned = float(np.abs(now.turn - before.turn).max()) * body.edge_mm / 2
        way_px = float(np.hypot(*(ends[1] - ends[0]))) + turned * self.lens.scale_px_per_mm(0)
        return int(np.clip(np.ceil(way_px / BLUR_STEP_PX), 1, MOST_MOMENTS))

    def _cast(
        self, body: SimulatedDie, poses: Sequence[Pose], box: PixelBox, pixels: Reals, lamps: int
    ) -> Cast:
        """The die with its shadow; what has fallen below the table casts none on it."""
        sprite = Sprite(box.x0, box.y0, pixels[..., :3], pixels[..., 3:])
        far_mm = float(np.linalg.norm(self.lens.eye_mm - poses[0].center_mm))
        above = [pose for pose in poses if pose.center_mm[2] > 0]
        return Cast(self._shadow(body, above, lamps) if above else _NO_SHADOW, sprite, far_mm)

    def _shadow(self, body: SimulatedDie, poses: Sequence[Pose], lamps: int) -> Sprite:
        """Factors on the ground's picture values where the die takes the lamp's or the sky's light away."""
        outlines = [
            line for pose in poses for line in shadow_outlines(self.lens, self._lamp, body, pose, lamps)
        ]
        feet = [footprint(self.lens, body, pose) for pose in poses]
        soft_px = self.lens.scale_px_per_mm(0)
        box = PixelBox.around(np.concatenate([*outlines, *feet]), int(4 * soft_px), self.lens)
        hidden = _filled(box, outlines)
        if len(poses) > 1 or lamps < STILL_LAMPS:
            hidden = cv2.GaussianBlur(hidden, (0, 0), 0.6 * soft_px).astype(np.float32, copy=False)
        above_mm = float(np.mean([pose.center_mm[2] for pose in poses])) - body.edge_mm / 2
        contact = cv2.GaussianBlur(_filled(box, feet), (0, 0), 1.6 * soft_px) * (
            0.42 / (1 + max(above_mm, 0) / 7)
        )
        factor = ((1 - self._lamp.share * hidden) ** (1 / GAMMA) * (1 - contact)).astype(np.float32)
        return Sprite(box.x0, box.y0, factor[..., None], factor[..., None])


def _is_hidden(pose: Pose, eye_mm: Reals, bounds_mm: BoundsMm | None) -> bool:
    """Whether a die has fallen so that the table, which ends at `bounds_mm`, is before it."""
    high_mm = float(pose.center_mm[2])
    if bounds_mm is None or high_mm >= 0:
        return False
    part = float(eye_mm[2]) / (float(eye_mm[2]) - high_mm)
    x, y = (float(eye + part * (at - eye)) for eye, at in zip(eye_mm[:2], pose.center_mm[:2], strict=True))
    return bounds_mm[0] < x < bounds_mm[2] and bounds_mm[1] < y < bounds_mm[3]


def _filled(box: PixelBox, outlines: Sequence[Reals]) -> Reals:
    """The mean (0 to 1) of filled outlines."""
    total = np.zeros(box.shape, np.float32)
    if box.empty:
        return np.zeros((1, 1), np.float32)
    mask = np.zeros(box.shape, np.uint8)
    for outline in outlines:
        mask[:] = 0
        corners = np.round((outline - (box.x0, box.y0)) * 16).astype(np.int32)
        cv2.fillConvexPoly(mask, corners, 255, cv2.LINE_AA, 4)
        cv2.accumulate(mask, total)
    return total / np.float32(255 * len(outlines))


def _piece(picture: Picture, sprite: Sprite) -> Picture:
    rows, columns = sprite.cover.shape[:2]
    return picture[sprite.y_px : sprite.y_px + rows, sprite.x_px : sprite.x_px + columns]


def _darken(picture: Picture, sprite: Sprite) -> None:
    piece = _piece(picture, sprite)
    if piece.size:
        piece[:] = piece * sprite.color + 0.5


def _cover(picture: Picture, sprite: Sprite, gain: Reals) -> None:
    piece = _piece(picture, sprite)
    if piece.size:
        piece[:] = np.clip(piece * (1 - sprite.cover) + sprite.color * gain + 0.5, 0, 255)


def with_noise(clean: Picture, noise: Sequence[Picture], rng: Random) -> Picture:
    """A picture with a sensor's noise, as in `sensor_noise`, another part of it each time; where that is
    smaller, it is laid side by side."""
    noisy = np.empty_like(clean)
    left, top = rng.randrange(NOISE_ROOM_PX), rng.randrange(NOISE_ROOM_PX)
    noise = [part[top:, left:] for part in noise]
    rows, columns = noise[0].shape[:2]
    for y in range(0, clean.shape[0], rows):
        for x in range(0, clean.shape[1], columns):
            piece, into = clean[y : y + rows, x : x + columns], noisy[y : y + rows, x : x + columns]
            brighter, darker = (part[: piece.shape[0], : piece.shape[1]] for part in noise)
            cv2.add(piece, brighter, dst=into)
            cv2.subtract(into, darker, dst=into)
    return noisy


@lru_cache(maxsize=4)
def sensor_noise(width_px: int, height_px: int) -> tuple[Picture, Picture]:
    """A sensor's noise, larger than the picture: what it adds and what it takes. Made once for each size.

    Each frame uses another part. Neighbouring pixels share some of it, as in a picture made from a mosaic of
    colour filters. One strength for all brightnesses: encoded for the eye, shot noise is about that.
    """
    noise = np.random.default_rng(40)  # the same sensor in every game
    size = height_px + NOISE_ROOM_PX, width_px + NOISE_ROOM_PX, 3
    raw = cv2.GaussianBlur(noise.standard_normal(size, dtype=np.float32), (3, 3), 0.55)
    raw = raw * np.float32(NOISE_SIGMA / raw.std())
    return np.clip(raw + 0.5, 0, 255).astype(np.uint8), np.clip(0.5 - raw, 0, 255).astype(np.uint8)

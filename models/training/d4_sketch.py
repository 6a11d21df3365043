"""Sketches D4 over pieces of drawn scenes: much faster than a scene, to learn many kinds of numbers from.

A sketch has the scenes' cameras, dice and sensors, but none of their reflections, bumps and cast shadows: its
three faces are warped flat onto a ground and shaded each as a whole. What a D4 looks like in a room is learnt
from the scenes.
"""

from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.arrays import Picture, Singles
from models.painting.design import Design
from models.scenes.chance import Chance, between, maybe, scaled
from models.scenes.layout import Camera, LaidDie, about, contrast, hang, lay, spot
from models.scenes.makers import d4_design
from models.scenes.sensor import expose
from models.training.store import HEIGHT_PX, WIDTH_PX
from vision.learned.d4_contract import CLASSES, edge_px, inside
from vision.place import Place, place_of

EDGE_PX = (46.0, 120.0)
FARTHEST_TIP = 2.55
"""The farthest from the middle that a tip may be seen, in half edges: that of a D4 seen more from the side is
outside its cut."""
STEEPER_DEG = (0.0, 68.0)
"""How far from the vertical half of the sketched D4 are seen; from farther down, most tips are outside their
cuts."""
FINE = 2
"""A sketch is painted this many times finer and then reduced."""
LEAST_CONTRAST = 14.0
"""The least difference of number and body in grey levels: with less nobody could read it, and the sketch is
left out."""
PER_DESIGN = 5
"""How many dice are sketched of one design: making a design takes longer than sketching it."""


@dataclass(frozen=True, slots=True, eq=False)
class Sketch:
    """One sketched D4, and what is true of it."""

    picture: Picture
    place: Place
    value: int
    """Index into `vision.learned.d4_contract.CLASSES`."""
    tip: Singles
    """Where its tip lies (2,), pixels."""


def sketches(chance: Chance, ground: Picture) -> list[Sketch]:
    """D4 of one design, each over a piece of that picture."""
    edge_mm, edge = between(chance, 8, 22), scaled(chance, *EDGE_PX)
    design = d4_design(chance, edge_mm, int(1.5 * edge))
    found = [_sketch(chance, design, edge, ground) for _ in range(PER_DESIGN)]
    return [one for one in found if one is not None]


def _sketch(chance: Chance, design: Design, edge: float, ground: Picture) -> Sketch | None:
    camera = hang(chance, (WIDTH_PX, HEIGHT_PX), design.frames.edge_mm / 1.35, edge)
    die = lay(chance, design, spot(chance, camera, edge))
    base_mm = die.to_world(design.rests.corners_mm[die.rest])
    if maybe(chance, 0.5):
        camera = _aslant(chance, camera, base_mm.mean(axis=1))
    camera, side = _close(camera, camera.project(base_mm.T))
    light = _painted(chance, camera, die, _piece(chance, ground, side))
    place = place_of(camera.project(base_mm.T))
    seen = expose(chance, light, edge_px(place))
    if contrast(seen, camera, die) < LEAST_CONTRAST:
        return None
    tip = camera.project(die.to_world(design.rests.tops_mm[die.rest][:, None]).T)[0]
    if np.hypot(*inside(place, tip)) > FARTHEST_TIP:
        return None
    return Sketch(seen, place, CLASSES.index(design.values[die.rest]), tip)


def _aslant(chance: Chance, camera: Camera, about_mm: Singles) -> Camera:
    """The camera carried down round a point of the table, so that it looks there more from the side; what it
    sees there stays as large."""
    sight = camera.eye_mm.astype(np.float64) - about_mm
    sideways = float(np.hypot(*sight[:2]))
    axis = np.array((-sight[1], sight[0], 0.0) if sideways > 1e-3 * sight[2] else (1.0, 0.0, 0.0), np.float32)
    turn = about(axis, np.deg2rad(between(chance, *STEEPER_DEG)) - np.arctan2(sideways, sight[2]))
    eye = about_mm + turn @ sight
    return replace(
        camera,
        eye_mm=np.asarray(eye, np.float32),
        turn=np.asarray(camera.turn @ turn.T, np.float32),
    )


def _close(camera: Camera, corners: Singles) -> tuple[Camera, int]:
    """The camera whose picture is a square round these corners, cut from the given camera's, and that
    square's side."""
    side = 2 * int(1.1 * float(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).max()))
    x, y = np.array(camera.middle_px) - np.rint(corners.mean(axis=0)) + side // 2
    return replace(camera, width_px=side, height_px=side, middle_px=(float(x), float(y))), side


def _piece(chance: Chance, ground: Picture, side: int) -> Singles:
    """A random square piece of a picture, as light."""
    height, width = ground.shape[:2]
    wide = min(int(side * scaled(chance, 0.5, 2.0)), height, width)
    x, y = int(chance.integers(width - wide + 1)), int(chance.integers(height - wide + 1))
    piece = cv2.resize(np.ascontiguousarray(ground[y : y + wide, x : x + wide]), (side, side))
    return np.asarray((piece.astype(np.float32) / 255) ** 2.2, np.float32)


def _painted(chance: Chance, camera: Camera, die: LaidDie, ground: Singles) -> Singles:
    """The ground (a square of light) with the die painted on it."""
    side, body = len(ground), die.design.body
    sun = np.array((*chance.normal(0, 0.8, 2), 1.0))
    sun /= np.linalg.norm(sun)
    room, lamp = between(chance, 0.25, 0.8), between(chance, 0.3, 1.0)
    outline = _pixels(camera, die.hull_mm())
    shaded = _shaded(chance, ground, np.asarray(outline / FINE, np.float32))
    fine = np.asarray(cv2.resize(shaded, (side * FINE, side * FINE)), np.float32)
    plain = die.design.color[: die.design.size : 4, ::4].mean(axis=(0, 1)) * (room + lamp * sun[2])
    hull = np.rint(cv2.convexHull(outline)).astype(np.int32)
    cv2.fillConvexPoly(fine, hull, [float(part) for part in plain])
    for face in range(4):
        normal = die.turn @ body.normals[face]
        middle = die.to_world(die.design.frames.middle[face][:, None])[:, 0]
        if face == die.rest or float(normal @ (camera.eye_mm - middle)) <= 0:
            continue
        bright = room * (0.5 + 0.5 * float(normal[2])) + lamp * max(float(normal @ sun), 0.03)
        glare = between(chance, 0, 0.5) if maybe(chance, 0.15) else 0.0
        _lay_face(fine, camera, die, face, (bright, glare))
    return np.asarray(cv2.resize(fine, (side, side), interpolation=cv2.INTER_AREA), np.float32)


def _lay_face(fine: Singles, camera: Camera, die: LaidDie, face: int, lit: tuple[float, float]) -> None:
    """Warp one face of the die's design to where it is seen, as bright as `lit` and under its glare."""
    frames, size, body = die.design.frames, die.design.size, die.design.body
    on_face = np.abs(body.normals[face] @ body.hull_mm - body.reach_mm[face]) < 1e-3 * body.half_mm
    polygon = cv2.convexHull(_pixels(camera, die.hull_mm()[:, on_face]))[:, 0]
    signs = np.array(((-1, 1), (1, 1), (1, -1), (-1, -1)), np.float32) * np.float32(frames.edge_mm / 2)
    square = np.outer(frames.right[face], signs[:, 0]) + np.outer(frames.up[face], signs[:, 1])
    to = _pixels(camera, die.to_world(np.asarray(frames.middle[face][:, None] + square, np.float32)))
    have = np.array(((0, 0), (size, 0), (size, size), (0, size)), np.float32) - np.float32(0.5)
    left, top = np.maximum(np.floor(polygon.min(axis=0)).astype(int) - 1, 0)
    right, bottom = np.ceil(polygon.max(axis=0)).astype(int) + 2
    part = fine[top:bottom, left:right]
    if not part.size:
        return
    matrix = cv2.getPerspectiveTransform(have, np.asarray(to - (left, top), np.float32))
    strip = np.ascontiguousarray(die.design.color[face * size : (face + 1) * size])
    warped = cv2.warpPerspective(strip, matrix, part.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)
    mask = np.zeros(part.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.rint(polygon - (left, top)).astype(np.int32), 255)
    bright, glare = lit
    part[mask > 0] = (warped * np.float32(bright * (1 - glare)) + np.float32(0.4 * glare))[mask > 0]


def _shaded(chance: Chance, ground: Singles, outline: Singles) -> Singles:
    """The ground with a soft shadow on one side of the die."""
    reach = float(np.ptp(outline, axis=0).max())
    mask = np.zeros(ground.shape[:2], np.float32)
    hull = cv2.convexHull(np.asarray(outline + chance.normal(0, 0.12, 2) * reach, np.float32))
    cv2.fillConvexPoly(mask, np.rint(hull).astype(np.int32), 1.0)
    soft = cv2.GaussianBlur(mask, (0, 0), between(chance, 0.02, 0.1) * reach)
    return np.asarray(ground * (1 - np.float32(between(chance, 0, 0.7)) * soft)[..., None], np.float32)


def _pixels(camera: Camera, points_mm: Singles) -> Singles:
    """Where points of the world (3 x n) lie in the fine painting (n x 2), pixels."""
    return np.asarray((camera.project(points_mm.T) + 0.5) * FINE - 0.5, np.float32)

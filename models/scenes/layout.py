"""Where dice lie before which camera, and what is true of them."""

from dataclasses import dataclass, replace
from typing import Literal

import cv2
import numpy as np

from calibration.arrays import Picture, Singles
from models.painting.camera import MildBend, Pinhole
from models.painting.design import Design, Kind, grid
from models.scenes.chance import Chance, between, maybe

# Hangs the camera of a drawn scene: how high, how askew, with which lens.

Camera = Pinhole[MildBend]

View = Literal["above", "aslant", "low"]
"""How a camera looks at the table: down steeply; from above or from the side; or from its rim."""
MOST_TILT_DEG = 50.0
"""With more, the lower corners of the widest lens would look over the horizon."""
LOW_DEG = (35.0, 65.0)
"""How far a low camera is tilted, if its lens does not see the horizon then."""
BELOW_HORIZON_DEG = 4.0
"""How far below the horizon a low camera's farthest corner looks at the least."""
UPRIGHT, ROLLED = np.pi / 2, 0.15
"""The heading with which what rises from the table points up in the picture; and by how much, in radians, a
camera's differs that looks from the side: people hold cameras upright, and set them so. Without that, nobody
could tell an up-face from the front of its die. Seen from above there is no upright."""


def hang(chance: Chance, size_px: tuple[int, int], edge_mm: float, edge_px: float, view: View = "above"
         ) -> Camera:  # fmt: skip
    """A camera over the table's origin that shows an edge of ``edge_mm`` there about ``edge_px`` long."""
    width, height = size_px
    focal = max(width, height) * between(chance, 0.75, 1.3)
    shift = (0.0, 0.0)
    if maybe(chance, 0.35):  # cut from a larger picture, or scaled up from a smaller one
        focal *= between(chance, 1.0, 2.2)
        room = 0.45 * (focal - 0.7 * max(width, height)) / focal
        shift = (between(chance, -room, room) * focal, between(chance, -room, room) * focal)
    focal = max(focal, 5.0 * edge_px)  # nobody holds a camera nearer than five edges
    if view == "aslant":
        tilt = np.deg2rad(between(chance, 0, MOST_TILT_DEG))
    elif view == "low":
        corner = np.hypot(width / 2 + abs(shift[0]), height / 2 + abs(shift[1]))
        most = 90 - BELOW_HORIZON_DEG - np.rad2deg(np.arctan(corner / focal))
        tilt = np.deg2rad(between(chance, LOW_DEG[0], max(min(LOW_DEG[1], float(most)), LOW_DEG[0])))
    else:
        tilt = np.deg2rad(0.0 if maybe(chance, 0.15) else min(abs(float(chance.normal(0, 9))), 25.0))
    anyhow = view == "above"
    heading = between(chance, 0, 2 * np.pi) if anyhow else UPRIGHT + float(chance.normal(0, ROLLED))
    gaze = np.array((np.sin(tilt) * np.cos(heading), np.sin(tilt) * np.sin(heading), -np.cos(tilt)))
    right = np.cross(gaze, (0.0, 1.0, 0.0))
    right /= np.linalg.norm(right)
    axes = np.stack((right, np.cross(gaze, right), gaze))
    middle = ((width - 1) / 2 + shift[0], (height - 1) / 2 + shift[1])
    distance = focal * edge_mm / edge_px
    across = np.array((-shift[0] / focal, -shift[1] / focal))
    aim = gaze + across @ axes[:2]  # the origin stands in the picture's middle
    return Camera(width, height, focal, middle, MildBend(between(chance, -0.06, 0.12)),
                  np.asarray(-aim * distance, np.float32), np.asarray(axes, np.float32))  # fmt: skip


# What a drawn scene shows, and what is true of it.

Pose = Literal["flat", "cocked", "stacked", "hidden", "cut"]

KINDS: tuple[Kind, ...] = ("pip", "zoinx", "bet", "d4", "foreign")
VALUES: dict[Kind, tuple[int | str | None, ...]] = {
    "pip": (1, 2, 3, 4, 5, 6),
    "zoinx": ("dot", "square"),
    "bet": (0, 2, 4, 6, 8, 10),
    "d4": (1, 2, 3, 4),
    "foreign": (None,),
}
"""What a die of each kind can show."""


@dataclass(frozen=True, slots=True, eq=False)
class SceneDie:
    """One die of a scene. Pixels are the picture's; the middle of the first one is (0, 0)."""

    kind: Kind
    value: int | str | None
    """What the up-face shows, also where it is cocked or hidden; None for a foreign die."""
    corners_px: Singles
    """Clockwise round the up-face as pictured, where its edges would meet if sharp: 4 x 2 for a cube;
    for a D4 3 x 2, the corners of the face that it lies on; for rounder dice their outline."""
    center_px: tuple[float, float]
    """The middle of the up-face; for a D4 its upper tip."""
    box_px: tuple[float, float, float, float]
    """Left, top, width, height of the whole die as far as it is in the picture, hidden parts counted in."""
    color: str
    """The body's colour in a plain word."""
    pose: Pose
    """Cocked and stacked dice say so; "cut" is an up-face that leaves the picture; "hidden" is one with
    more than a seventh covered by something else, or with marks lost in glare, dark or blur."""
    visible: float
    """The share of the up-face (of a D4: of the whole die) that the picture shows."""
    step_px: tuple[float, float]
    """How the line is pictured that leads from the middle of the die's other side up to ``center_px``: the
    vertical there for a flat die, another for one that leans."""
    contrast: float = 255.0
    """By how many grey levels its marks stand out from its body."""


@dataclass(frozen=True, slots=True, eq=False)
class SceneThing:
    """A place of a scene that could be taken for a die's up-face and is none."""

    name: str
    """domino (one half of it), token, chip, tile, brick, pawn, coin, card, print, or thing."""
    corners_px: Singles
    """Clockwise round it as pictured, 4 x 2."""
    visible: float
    """The share of it that the picture shows."""


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """A picture with all that is true of its dice. Those of which less than a tenth shows are left out."""

    picture: Picture
    """Blue, green, red; height x width x 3."""
    dice: tuple[SceneDie, ...]
    things: tuple[SceneThing, ...] = ()
    """What could be taken for dice; told in wide scenes only."""


@dataclass(frozen=True, slots=True, eq=False)
class LaidDie:
    """A die on the table."""

    design: Design
    rest: int
    """Which of the design's ways to lie."""
    turn: Singles
    """3 x 3, from the body's frame to the table's."""
    place_mm: Singles
    pose: Pose = "flat"

    def hull_mm(self) -> Singles:
        """Points whose hull is the die, 3 x m, in the world."""
        return np.asarray(self.turn @ self.design.body.hull_mm + self.place_mm[:, None], np.float32)

    def to_world(self, points_mm: Singles) -> Singles:
        """Points of the body's frame (3 x n) in the world."""
        return np.asarray(self.turn @ points_mm + self.place_mm[:, None], np.float32)


def about(axis: Singles, angle: float) -> Singles:
    """A turn about an axis (Rodrigues)."""
    matrix, _ = cv2.Rodrigues(np.asarray(axis / np.linalg.norm(axis) * angle, np.float64))
    return np.asarray(matrix, np.float32)


def place_die(chance: Chance, design: Design, spot_mm: tuple[float, float]) -> LaidDie:
    """A die at rest, flat, each of its values as likely."""
    shown = sorted(set(map(str, design.values)))
    value = shown[int(chance.integers(len(shown)))]
    ways = [way for way, other in enumerate(design.values) if str(other) == value]
    rest = ways[int(chance.integers(len(ways)))]
    yaw = about(np.array((0, 0, 1.0), np.float32), between(chance, 0, 2 * np.pi))
    turn = np.asarray(yaw @ design.rests.turns[rest], np.float32)
    return _down(LaidDie(design, rest, turn, np.array((*spot_mm, 0.0), np.float32)))


def _down(die: LaidDie, floor_mm: float = 0.0) -> LaidDie:
    """The die lowered or raised until it just stands on the floor."""
    low = float(die.hull_mm()[2].min())
    return replace(die, place_mm=die.place_mm + np.array((0, 0, floor_mm - low), np.float32))


def footprint(die: LaidDie) -> Singles:
    """The die's vertical projection on the table, m x 2."""
    return np.asarray(cv2.convexHull(np.ascontiguousarray(die.hull_mm()[:2].T))[:, 0], np.float32)


def apart(one: Singles, other: Singles) -> bool:
    """Whether two convex polygons (m x 2) leave each other alone: some edge of one divides them."""
    for first, second in ((one, other), (other, one)):
        edges = np.roll(first, -1, axis=0) - first
        normals = np.stack((edges[:, 1], -edges[:, 0]))
        mine, theirs = first @ normals, second @ normals
        if bool(((mine.max(axis=0) <= theirs.min(axis=0)) | (mine.min(axis=0) >= theirs.max(axis=0))).any()):
            return True
    return False


def free(die: LaidDie, taken: list[Singles]) -> bool:
    """Whether none of these footprints is in the die's way."""
    mine = footprint(die)
    return all(apart(mine, other) for other in taken)


def against(chance: Chance, die: LaidDie, other: LaidDie) -> LaidDie:
    """The die pushed against another from a random side until they touch."""
    return _pushed(chance, die, other, between(chance, 0, 2 * np.pi), 0.0)


def in_row(chance: Chance, die: LaidDie, other: LaidDie) -> LaidDie:
    """The die set beside another, both six-sided and flat, side against side, as people line dice up."""
    edge_mm = other.design.frames.edge_mm
    wry = 0.0 if maybe(chance, 0.6) else float(chance.normal(0, np.deg2rad(3)))
    turned = about(np.array((0, 0, 1.0), np.float32), _measure_turn_rad(other) - _measure_turn_rad(die) + wry)
    aside = 0.5 if maybe(chance, 0.2) else 0.06
    way = _measure_turn_rad(other) + np.pi / 2 * int(chance.integers(4))
    parallel = replace(die, turn=np.asarray(turned @ die.turn, np.float32))
    return _pushed(chance, parallel, other, way, between(chance, -aside, aside) * edge_mm)


def _measure_turn_rad(die: LaidDie) -> float:
    """Which way a side of the up-face runs on the table, radians."""
    corners = die.to_world(die.design.rests.corners_mm[die.rest])
    return float(np.arctan2(corners[1, 1] - corners[1, 0], corners[0, 1] - corners[0, 0]))


def _pushed(chance: Chance, die: LaidDie, other: LaidDie, way: float, aside_mm: float) -> LaidDie:
    """The die moved to the other's middle and so far aside, and from there that way (radians) until they
    touch, or nearly so."""
    step = np.array((np.cos(way), np.sin(way), 0.0), np.float32)
    wall = footprint(other)
    start = np.array((other.place_mm[0], other.place_mm[1], die.place_mm[2]), np.float32)
    start += np.array((-step[1], step[0], 0.0), np.float32) * np.float32(aside_mm)
    mine = footprint(replace(die, place_mm=start))
    low, high = 0.0, 3.5 * (die.design.frames.edge_mm + other.design.frames.edge_mm)
    for _ in range(10):
        middle = (low + high) / 2
        if apart(mine + step[:2] * np.float32(middle), wall):
            high = middle
        else:
            low = middle
    gap = 0.0 if maybe(chance, 0.6) else between(chance, 0, 0.12) * die.design.frames.edge_mm
    return replace(die, place_mm=start + step * np.float32(high + gap))


def lean(chance: Chance, die: LaidDie) -> LaidDie:
    """The die cocked: tipped so that it stands on an edge or a corner."""
    way = between(chance, 0, 2 * np.pi)
    axis = np.array((np.cos(way), np.sin(way), 0.0), np.float32)
    tip = about(axis, np.deg2rad(between(chance, 12, 40)))
    return _down(replace(die, turn=np.asarray(tip @ die.turn, np.float32), pose="cocked"))


def on_top(chance: Chance, die: LaidDie, other: LaidDie) -> LaidDie:
    """The die set on another one's top."""
    reach = 0.42 * other.design.frames.edge_mm
    aside = np.array((between(chance, -reach, reach), between(chance, -reach, reach), 0), np.float32)
    moved = replace(die, place_mm=np.asarray(other.place_mm + aside, np.float32), pose="stacked")
    return _down(moved, float(other.hull_mm()[2].max()))


def spot(chance: Chance, camera: Camera, margin_px: float) -> tuple[float, float]:
    """A place on the table in view; a negative margin reaches beyond the picture's border."""
    x = between(chance, margin_px, max(camera.width_px - margin_px, margin_px + 1))
    y = between(chance, margin_px, max(camera.height_px - margin_px, margin_px + 1))
    at = camera.on_plane(np.array((x,), np.float32), np.array((y,), np.float32))
    return float(at[0, 0]), float(at[0, 1])


@dataclass(frozen=True, slots=True)
class Habits:
    """How often, in a scene, a die touches another, leans, stands on another, or lies at the border."""

    touching: float
    leaning: float
    stacked: float
    border: float
    in_row: float = 0.0
    """Beside another, side against side."""


def habits(chance: Chance) -> Habits:
    """One scene's habits: mostly tidy, sometimes a heap."""
    return Habits(between(chance, 0, 0.3) if maybe(chance, 0.7) else between(chance, 0.4, 1.0),
                  0.0 if maybe(chance, 0.75) else between(chance, 0.1, 0.5),
                  0.0 if maybe(chance, 0.88) else between(chance, 0.1, 0.4),
                  0.0 if maybe(chance, 0.7) else between(chance, 0.1, 0.5))  # fmt: skip


def throw(chance: Chance, camera: Camera, designs: list[Design], manner: tuple[Habits, float],
          blocked: list[Singles]) -> list[LaidDie]:  # fmt: skip
    """The designs' dice on the table, one for each entry, as far as there is room.

    ``manner``: the scene's habits and the dice's edge in pixels; ``blocked``: footprints (mm) to keep off.
    """
    placed: list[LaidDie] = []
    taken: list[Singles] = []
    for design in designs:
        for _ in range(12):
            die = _try(chance, camera, design, (placed, [*taken, *blocked]), manner)
            if die is not None:
                placed.append(die)
                taken.append(footprint(die))
                break
    return placed


def _try(chance: Chance, camera: Camera, design: Design, before: tuple[list[LaidDie], list[Singles]],
         manner: tuple[Habits, float]) -> LaidDie | None:  # fmt: skip
    (placed, taken), (habit, edge_px) = before, manner
    margin = -0.45 * edge_px if maybe(chance, habit.border) else 0.95 * edge_px
    die = place_die(chance, design, spot(chance, camera, margin))
    ground = [number for number, other in enumerate(placed) if other.pose != "stacked"]
    if ground and maybe(chance, habit.stacked):
        below = ground[int(chance.integers(len(ground)))]
        if placed[below].pose != "flat" or placed[below].design.kind == "d4":
            return None
        die = on_top(chance, die, placed[below])
        return die if free(die, taken[:below] + taken[below + 1 :]) else None
    if maybe(chance, habit.leaning):
        die = lean(chance, die)
    beside = [placed[number] for number in ground if _may_line_up(placed[number])]
    if habit.in_row and beside and _may_line_up(die) and maybe(chance, habit.in_row):
        die = in_row(chance, die, beside[int(chance.integers(len(beside)))])
    elif ground and (die.pose == "cocked" or maybe(chance, habit.touching)):
        die = against(chance, die, placed[ground[int(chance.integers(len(ground)))]])
    return die if free(die, taken) else None


def _may_line_up(die: LaidDie) -> bool:
    """Whether it lies flat and is surely six-sided."""
    return die.pose == "flat" and die.design.kind not in ("d4", "foreign")


# Whether a die can be read at all in the finished picture.

SIDE = 28
"""The up-face is looked at in so many steps each way."""


def contrast(picture: Picture, camera: Camera, die: LaidDie) -> float:
    """How far the up-face's marks stand out from its body: grey levels in the clearest channel.

    Half of what shakes the body's own colour is taken off: weaker marks cannot be told from it. A D4 is
    judged by the clearest of its faces.
    """
    design = die.design
    best = 0.0
    for face in design.rests.up[die.rest]:
        strip = design.relief[face * design.size : (face + 1) * design.size, :, 2]
        if strip.max() > 0:
            best = max(best, _face(picture, camera, die, face, strip))
    return best


def _face(picture: Picture, camera: Camera, die: LaidDie, face: int, strip: Singles) -> float:
    frames = die.design.frames
    mask = cv2.resize(np.ascontiguousarray(strip), (SIDE, SIDE), interpolation=cv2.INTER_AREA).ravel()
    u, v = grid(SIDE)
    steps = np.outer(frames.right[face], u.ravel()) + np.outer(frames.up[face], v.ravel())
    points = frames.middle[face][:, None] + steps * np.float32(frames.edge_mm)
    at = camera.project(die.to_world(np.asarray(points, np.float32)).T).T.reshape(2, SIDE, SIDE)
    x, y = (
        np.ascontiguousarray(part) for part in at
    )  # one map of two channels is read wrongly by OpenCV 5.0
    seen = cv2.remap(picture, x, y, cv2.INTER_LINEAR).reshape(-1, 3).astype(np.float32)
    middle = (np.maximum(np.abs(u), np.abs(v)) < 0.4).ravel()
    marks, body = seen[middle & (mask > 0.6 * mask.max())], seen[middle & (mask < 0.1 * mask.max())]
    if not len(marks) or not len(body):
        return 0.0
    gap = np.abs(marks.mean(axis=0) - body.mean(axis=0))
    shaken = np.minimum(marks.std(axis=0), body.std(axis=0))
    return float(np.maximum(gap - 0.5 * shaken, 0).max())

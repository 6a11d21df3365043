"""Where dice lie, and how."""

from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.arrays import Singles
from models.painting.design import Design
from models.scenes.camera import Camera
from models.scenes.chance import Chance, between, maybe
from models.scenes.truth import Pose


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


def lay(chance: Chance, design: Design, spot_mm: tuple[float, float]) -> LaidDie:
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
    die = lay(chance, design, spot(chance, camera, margin))
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

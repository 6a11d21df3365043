"""Makes what the D4 network learns from: large cuts of D4, drawn and sketched.

Scenes of D4 alone are drawn for it, of seeds whose dice are large (the size is the first thing that a scene
draws, so it is known before anything is painted). Only the cuts are kept, forty scenes to a shard; a shard is
written under another name first, so that one cut short is drawn again. What else lies on tables comes from
the scenes that are kept anyway (`models.training.store`).
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import count, islice
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from calibration.arrays import Floats, Picture, Singles
from models.files import CACHE
from models.painting.design import Design
from models.scenes import View, dice_edge_px, draw
from models.scenes.chance import Chance, between, maybe, scaled
from models.scenes.layout import Camera, LaidDie, about, contrast, hang, place_die, spot
from models.scenes.makers import d4_design
from models.scenes.sensor import expose
from models.training.cuts import LEGIBLE, NOT_ASKED
from models.training.store import (
    HEIGHT_PX,
    HELD_OUT,
    WIDTH_PX,
    Store,
    Truth,
    draw_side_by_side,
    joined,
    keep_part,
    painters_hand,
    read_part,
)
from models.training.targets import lying_of, turn_by
from vision.face_place import FacePlace, place_of
from vision.learned.contract import POSES
from vision.learned.d4_contract import (
    CLASSES,
    CORNERS,
    CUT_PX,
    POINTS,
    REACH,
    UNIT_PX,
    cut_of,
    edge_px,
    frame_of,
    inside,
)

# Sketches D4 over pieces of drawn scenes: much faster than a scene, to learn many kinds of numbers from.
#
# A sketch has the scenes' cameras, dice and sensors, but none of their reflections, bumps and cast shadows:
# its three faces are warped flat onto a ground and shaded each as a whole. What a D4 looks like in a room is
# learnt from the scenes.

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
    place: FacePlace
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
    die = place_die(chance, design, spot(chance, camera, edge))
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


WIDE_PX = 176
"""The side of a kept cut, pixels: it leaves room to turn and to shift."""
SCENES = 40
"""Scenes in a shard."""
SKETCHED_DESIGNS = 100
FIRST_SEED = 500_000
VIEWS: tuple[View, ...] = ("above", "aslant", "low", "aslant")
"""From where a camera sees the scenes, by the remainder of their seeds: from the table's rim, too."""
LEAST_SCENE_PX = 44.0
"""Scenes whose D4 have shorter edges than this are not drawn."""
LEAST_EDGE_PX = 46.0
"""D4 with shorter edges are left out: learning from them would be guessing."""
LEAST_HALF_PX = 12.0
"""The least half edge of other dice that are asked about."""
NONE = CLASSES.index(None)
NO_POINTS = np.zeros((POINTS // 2, 2), np.float32)
BY_A_FACE = 0.3
"""How often a D4 whose nearest face looks nearly as large as its base is shown as if that face were its base:
so it is found where a camera looks at a slant."""
AS_LARGE = 0.8
"""The least share of the base's area, as pictured, that such a face has."""


@dataclass(frozen=True, slots=True, eq=False)
class D4Cuts:
    """N wide cuts, with what is true of them."""

    pictures: Picture
    """Wide cuts (N x 176 x 176 x 3)."""
    classes: NDArray[np.int64]
    """Indices into `vision.learned.d4_contract.CLASSES`; -1: not asked."""
    poses: NDArray[np.int64]
    """Indices into POSES; -1: not asked."""
    points: Singles
    """Where the three corners and the upper tip lie (N x 4 x 2), in half edges; 0 where there are none."""

    def __len__(self) -> int:
        """How many."""
        return len(self.classes)


def large_seeds(first: int, least_px: float, size_px: tuple[int, int]) -> Iterator[int]:
    """Seeds from `first` on whose scenes of D4 alone have edges of at least `least_px`."""
    return (seed for seed in count(first) if dice_edge_px(seed, *size_px, ("d4",)) >= least_px)


def cuts_folder() -> Path:
    """The folder of the cuts that the present code makes."""
    drawn = (WIDE_PX, REACH / CUT_PX, SCENES, FIRST_SEED, VIEWS, LEAST_SCENE_PX, STEEPER_DEG)
    code = hashlib.sha256(repr(drawn).encode())
    code.update(painters_hand())
    return CACHE / "d4" / code.hexdigest()[:12]


def draw_cuts(folder: Path, shards: int, processes: int = 1) -> None:
    """Draw the scenes of so many shards and keep their D4, where that was not done yet."""
    draw_side_by_side(draw_shard, shards_of_cuts(folder, shards), processes, "D4, by forty scenes")


def shards_of_cuts(folder: Path, shards: int) -> list[tuple[Path, list[int]]]:
    """The files of so many shards, with the seeds of the scenes of each."""
    seeds = large_seeds(FIRST_SEED, LEAST_SCENE_PX, (WIDTH_PX, HEIGHT_PX))
    return [(folder / f"{number:04d}.npz", list(islice(seeds, SCENES))) for number in range(shards)]


def draw_shard(job: tuple[Path, list[int]]) -> None:
    """Draw these scenes and keep their D4 in that file."""
    path, seeds = job
    keep_part(path, joined(D4Cuts, [_of_seed(seed) for seed in seeds]))


def sketch_cuts(folder: Path, shards: int, scenes: Path, processes: int = 1) -> None:
    """The same with sketches over pieces of the scenes that are kept in a folder, a hundred designs to a
    shard."""
    every = shards_of_sketches(folder, shards, scenes)
    draw_side_by_side(sketch_shard, every, processes, "sketched D4, by hundred designs")


def shards_of_sketches(folder: Path, shards: int, scenes: Path) -> list[tuple[Path, tuple[int, Path]]]:
    """The files of so many shards of sketches, with the number of each and the folder of the scenes."""
    return [(folder / f"sketched-{number:04d}.npz", (number, scenes)) for number in range(shards)]


def sketch_shard(job: tuple[Path, tuple[int, Path]]) -> None:
    """Sketch the designs of that number over scenes of that folder, and keep them in that file."""
    path, (number, scenes) = job
    keep_part(path, _sketched(np.random.default_rng((FIRST_SEED, number)), _grounds(scenes)))


@lru_cache(maxsize=1)
def _grounds(scenes: Path) -> Store:
    """The kept scenes, opened once in each process."""
    return Store(scenes, 0, HELD_OUT)


def kept_cuts(folder: Path, shards: int, prefix: str = "") -> D4Cuts:
    """The cuts of the first `shards` shards that are there. Raises FileNotFoundError where none is."""
    every = (folder / f"{prefix}{number:04d}.npz" for number in range(shards))
    parts = [read_part(path, D4Cuts) for path in every if path.is_file()]
    if not parts:
        raise FileNotFoundError(f"no D4 are kept in {folder}; run `python -m models.training.train d4`")
    return joined(D4Cuts, parts)


def _sketched(chance: Chance, store: Store) -> D4Cuts:
    flat = POSES.index("flat")
    return _stacked(
        [
            (_wide(one.picture, one.place), one.value, flat, points_of(one.place, one.tip))
            for _ in range(SKETCHED_DESIGNS)
            for one in sketches(chance, store.picture(int(chance.integers(len(store)))))
        ]
    )


def _of_seed(seed: int) -> D4Cuts:
    scene = draw(seed, WIDTH_PX, HEIGHT_PX, kinds=("d4",), view=VIEWS[seed % len(VIEWS)])
    dice = [
        (
            Truth(
                die.kind,
                die.value,
                die.corners_px,
                die.pose,
                die.visible,
                np.array(die.step_px, np.float32),
            ),
            np.array(die.center_px, np.float32),
        )
        for die in scene.dice
    ]
    return cuts_of(scene.picture, dice, np.random.default_rng(seed))


def cuts_of(picture: Picture, dice: Sequence[tuple[Truth, Singles]], chance: Chance) -> D4Cuts:
    """The large D4 of a scene (each given with the place of its tip, pixels), and one cut that shows none."""
    rows: list[tuple[Picture, int, int, Singles]] = []
    places = [lying_of(die.corners, die.visible).place for die, _ in dice]
    for (die, tip), place in zip(dice, places, strict=True):
        if die.visible < 0.2 or edge_px(place) < LEAST_EDGE_PX:
            continue
        points = points_of(place, tip)
        if np.hypot(*points[3]) <= FARTHEST_TIP:
            value = CLASSES.index(die.value) if die.visible >= LEGIBLE else NOT_ASKED
            rows.append((_wide(picture, place), value, POSES.index(die.pose), points))
    away = _elsewhere(picture, places, chance)
    if away is not None:
        rows.append((_wide(picture, away), NONE, NOT_ASKED, NO_POINTS))
    return _stacked(rows)


def points_of(place: FacePlace, tip: Singles) -> Singles:
    """Where corners and tip (given in pixels) of a D4 at that place lie in its cut: 4 x 2, half edges."""
    return inside(place, np.vstack((place.triangle(), tip)))


def others_of(store: Store, chance: Chance, share: float) -> D4Cuts:
    """Dice of other kinds in all scenes of a store, where they are large and plain enough to be asked about:
    every foreign one, and `share` of the known kinds."""
    rows: list[tuple[Picture, int, int, Singles]] = []
    for i in tqdm(range(len(store)), desc="what is no D4", mininterval=5):
        for die in store.truths[i]:
            if die.kind == "d4" or (die.kind != "foreign" and chance.random() > share):
                continue
            place = lying_of(die.corners, die.visible).place
            if place.half_px < LEAST_HALF_PX or die.visible < LEGIBLE:
                continue
            place = _askew(place.center, place.half_px * float(np.exp(chance.normal(-0.25, 0.25))), chance)
            rows.append((_wide(store.picture(i), place), NONE, NOT_ASKED, NO_POINTS))
    return _stacked(rows)


def d4_batch(cuts: D4Cuts, rows: NDArray[np.intp], chance: Chance) -> tuple[Picture, Singles, Singles]:
    """These cuts, each askew (N x 3 x 128 x 128); where corners and tip lie (N x 8); and which of these
    numbers are known (N x 8)."""
    out = np.empty((len(rows), 3, CUT_PX, CUT_PX), np.uint8)
    points, known = np.zeros((len(rows), POINTS), np.float32), np.zeros((len(rows), POINTS), np.float32)
    for i, row in enumerate(rows):
        is_d4 = cuts.classes[row] != NONE
        linear, shift = _turned(chance, bool(is_d4))
        if is_d4 and chance.random() < BY_A_FACE:
            linear, shift = _by_a_face(cuts.points[row], linear, shift)
        cut = cv2.warpAffine(
            np.ascontiguousarray(cuts.pictures[row]),
            np.column_stack((linear, _middle(WIDE_PX) + shift * UNIT_PX - linear @ _middle(CUT_PX))),
            (CUT_PX, CUT_PX),
            flags=cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        )
        out[i] = cut.transpose(2, 0, 1)
        if is_d4:
            lie = (cuts.points[row] - shift) @ np.linalg.inv(linear).T
            points[i], known[i] = _in_order(lie).ravel(), 1
    return out, points, known


def _in_order(points: Floats) -> Floats:
    """Corners and tip (4 x 2) with that corner first which lies most to the right of the others."""
    corners, away = points[:3], points[:3] - points[:3].mean(axis=0)
    third = max(range(3), key=lambda k: float((np.roll(away, -k, axis=0) * CORNERS).sum()))
    return np.vstack((np.roll(corners, -third, axis=0), points[3]))


def _by_a_face(points: Singles, linear: Floats, shift: Floats) -> tuple[Floats, Floats]:
    """The map from the cut to the die, given from the base, as if the largest face that is seen of it were
    the base; the same where none is nearly as large."""
    corners, tip = points[:3], points[3]
    faces = [np.stack((corners[k], corners[(k + 1) % 3], tip)) for k in range(3)]
    largest = max(faces, key=_area)
    if _area(largest) < AS_LARGE * _area(corners):
        return linear, shift
    frame = frame_of(place_of(np.asarray(largest, np.float32)))
    return frame.axes @ linear, frame.center + frame.axes @ shift


def _area(corners: Singles) -> float:
    """Twice the area of a triangle (3 x 2), negative where its corners go round the other way."""
    one, other = corners[1] - corners[0], corners[2] - corners[0]
    return float(one[0] * other[1] - one[1] * other[0])


def _middle(side: int) -> NDArray[np.float64]:
    return np.array(((side - 1) / 2,) * 2)


def _turned(chance: Chance, is_d4: bool) -> tuple[Floats, Floats]:
    """A random map from the cut to the upright die, in half edges, as far off as a reader's places are; a D4
    may be turned by thirds of a circle."""
    much = chance.random() < 0.4
    angle = int(chance.integers(3)) * 2 * np.pi / 3 + chance.normal(0, 0.16 if much else 0.05)
    if not is_d4:
        angle = chance.uniform(0, 2 * np.pi)
    wide = 0.14 if much else 0.04
    stretch = np.eye(2) * np.exp(chance.normal(0, wide)) + chance.normal(0, 0.3 * wide, (2, 2))
    return turn_by(angle) @ stretch, chance.normal(0, 1.5 * wide, 2)


def _wide(picture: Picture, place: FacePlace) -> Picture:
    return cut_of(picture, place, side=WIDE_PX)


def _elsewhere(picture: Picture, places: Sequence[FacePlace], chance: Chance) -> FacePlace | None:
    """A place beside the dice or between them, of a die's size; None where none was found."""
    height, width = picture.shape[:2]
    for _ in range(4):
        if places and chance.random() < 0.6:
            about = places[int(chance.integers(len(places)))]
            angle = chance.uniform(0, 2 * np.pi)
            center = about.center + chance.uniform(1.5, 3.0) * about.half_px * np.array(
                (np.cos(angle), np.sin(angle))
            )
        else:
            center = chance.uniform(0, 1, 2) * (width, height)
        half = float(np.exp(chance.uniform(np.log(16), np.log(40))))
        if all(np.hypot(*(center - place.center)) > 1.4 * place.half_px for place in places):
            return _askew(center, half, chance)
    return None


def _askew(center: Singles | NDArray[np.float64], half_px: float, chance: Chance) -> FacePlace:
    turn = turn_by(chance.uniform(0, 2 * np.pi))
    return FacePlace(np.asarray(center, np.float32), np.asarray(half_px * turn, np.float32))


def _stacked(rows: Sequence[tuple[Picture, int, int, Singles]]) -> D4Cuts:
    return D4Cuts(
        np.array([row[0] for row in rows], np.uint8).reshape(-1, WIDE_PX, WIDE_PX, 3),
        np.array([row[1] for row in rows], np.int64),
        np.array([row[2] for row in rows], np.int64),
        np.array([row[3] for row in rows], np.float32).reshape(-1, POINTS // 2, 2),
    )

"""Examples that the classical reader's confidence is fitted on: faces that its checks measured, right or
wrong.

They come from photographs that may be trained on (`TRAINED`; no other source has a part in the fit), drawn
scenes, throws of the simulated table, and drawn coins and letters, which are no dice.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from benchmarks.photographs import sources
from benchmarks.simulation import at_rest, hurried_table
from calibration.arrays import Picture
from device.simulator.designs import COLORS
from models.training.photos import PHOTOS, PhotoTruth
from tests.vision import scenes
from vision.classic.check import Numbers, Proposal, check_lones, check_patterns
from vision.classic.marks import find_marks, pyramid
from vision.classic.pips import find_patterns
from vision.pictures import load

TRAINED = {"nell_byler": 4, "damiantab": 2, "jamiekee_lime": 1}
"""Sources of photographs, and every how many-th picture."""
MOST_PATTERNS = 120
MOST_LONE = 80
DRAWN = 40
"""Drawn scenes of each kind, from the generator's seed `DRAWN_SEED`."""
DRAWN_SEED = 99
THROWS = {"zoinx": 32, "pip": 24}
"""Throws of the simulated table by kind, with the seeds `FIRST_THROW`, `FIRST_THROW` + 1, ..."""
FIRST_THROW = 50
FOREIGN = 30
"""Pictures of coins and letters, from the generator's seed `FOREIGN_SEED`."""
FOREIGN_SEED = 3
BODIES = (
    (scenes.IVORY, scenes.INK_DARK),
    (scenes.WHITE, scenes.INK_DARK),
    (scenes.BLACK, scenes.INK_LIGHT),
    (scenes.RED, scenes.INK_LIGHT),
    (scenes.BLUE, scenes.INK_LIGHT),
    (scenes.GREEN, scenes.INK_LIGHT),
    (scenes.YELLOW, scenes.INK_DARK),
    (scenes.WHITE, scenes.RED),
    (scenes.BLACK, scenes.RED),
)
TABLES: tuple[scenes.Color, ...] = (
    scenes.FELT,
    (70, 110, 150),
    (230, 230, 230),
    (90, 30, 30),
    (40, 40, 40),
    (120, 120, 125),
)


@dataclass
class MeasuredFace:
    """A face that was measured, and whether it is there."""

    source: str
    picture: str
    value: int | str
    numbers: Numbers
    right: bool


def measured(picture: Picture) -> list[Proposal]:
    """All faces that the checks can measure, however unlikely."""
    levels = pyramid(picture)
    marks = find_marks(levels)
    found = check_patterns(levels, marks, find_patterns(marks).take(slice(MOST_PATTERNS)))
    found += check_lones(levels, marks, np.arange(min(len(marks), MOST_LONE)))
    return [proposal for proposal in found if proposal is not None]


def photographs() -> Iterator[MeasuredFace]:
    """From the sources that may be trained on, a part of their pictures."""
    for source, truths in sources():
        for truth in truths[:: TRAINED[source]] if source in TRAINED else ():
            faces = measured(load(PHOTOS / source / truth["image"]))
            label = _by_box if truth["truth"] == "boxes" else _by_value
            for face, right in zip(faces, label(truth, faces), strict=True):
                if right is not None:
                    yield MeasuredFace(source, truth["image"], face.die.value, face.numbers, right)


def _by_box(truth: PhotoTruth, faces: list[Proposal]) -> list[bool | None]:
    """Right is the value at its place, with a size that an up-face in that box can have."""

    def right(face: Proposal) -> bool:
        for die in truth["dice"]:
            x, y, width, height = die["box"] or (0.0, 0.0, 0.0, 0.0)
            inside = x <= face.place.center[0] <= x + width and y <= face.place.center[1] <= y + height
            if inside and die["value"] == face.die.value and 0.12 < face.edge_px**2 / (width * height) < 1.3:
                return face.die.kind == "pip"
        return False

    return [right(face) for face in faces]


def _by_value(truth: PhotoTruth, faces: list[Proposal]) -> list[bool | None]:
    """By values alone: the clearest faces of each value are right; of further ones nothing is said."""
    out: list[bool | None] = [False] * len(faces)
    for value, count in Counter(die["value"] for die in truth["dice"]).items():
        alike = [i for i, face in enumerate(faces) if face.die.kind == "pip" and face.die.value == value]
        alike.sort(key=lambda i: _unclear(faces[i].numbers))
        for place, i in enumerate(alike):
            out[i] = True if place < count else (None if value == 1 else False)
    return out


def _unclear(numbers: Numbers) -> float:
    return 2 * numbers.get("misfit", 0.0) - numbers["radius"] - numbers["share"]


def drawn() -> Iterator[MeasuredFace]:
    """Drawn scenes with known faces."""
    rng = np.random.default_rng(DRAWN_SEED)
    for kind in ("pip", "zoinx"):
        for number in range(DRAWN):
            scene = _scene(rng, kind)
            for face in measured(scenes.draw(scene)):
                near = [d for d in scene.dice if _away(face, (d.x, d.y)) < 0.2 * d.edge]
                right = any(
                    d.face == face.die.value and 0.5 < face.edge_px**2 / d.edge**2 < 1.7 for d in near
                )
                yield MeasuredFace(f"drawn {kind}", str(number), face.die.value, face.numbers, right)


def _away(face: Proposal, place: tuple[float, float]) -> float:
    return float(np.hypot(face.place.center[0] - place[0], face.place.center[1] - place[1]))


def _scene(rng: np.random.Generator, kind: str) -> scenes.Scene:
    """One to eight dice, a third of them touching another one."""
    wanted, edge = int(rng.integers(1, 9)), float(rng.uniform(38, 62))
    table = TABLES[rng.integers(len(TABLES))]
    dice: list[scenes.Drawn] = []
    while len(dice) < wanted:
        x, y, yaw, apart = float(rng.uniform(60, 1220)), float(rng.uniform(60, 900)), rng.uniform(0, 90), 1.6
        if dice and rng.random() < 0.35:
            yaw, apart = dice[-1].yaw_deg, 1.05
            turn = np.deg2rad(yaw + 90 * rng.integers(4))
            x, y = dice[-1].x + np.cos(turn) * edge * 1.06, dice[-1].y + np.sin(turn) * edge * 1.06
        body, ink = BODIES[rng.integers(len(BODIES))]
        inside = 60 < x < 1220 and 60 < y < 900
        free = all(np.hypot(die.x - x, die.y - y) >= apart * edge for die in dice)
        if not inside or not free or max(abs(a - b) for a, b in zip(body, table, strict=True)) < 60:
            continue
        face = int(rng.integers(1, 7)) if kind == "pip" else str(rng.choice(["dot", "square"]))
        dice.append(scenes.Drawn(face, float(x), float(y), edge, float(yaw), body, ink))
    return scenes.Scene(
        tuple(dice),
        table=table,
        grain=float(rng.uniform(0, 10)),
        noise=float(rng.uniform(0, 6)),
        blur=float(rng.uniform(0.5, 1.4)),
        light=(float(rng.uniform(-0.3, 0.3)), float(rng.uniform(-0.3, 0.3))),
        seed=int(rng.integers(1_000_000)),
        depth=float(rng.uniform(14, 24)),
    )


def tabled() -> Iterator[MeasuredFace]:
    """Throws of the simulated table."""
    colors = list(COLORS)
    for kind, count in THROWS.items():
        for number in range(count):
            table = hurried_table(FIRST_THROW + number)
            pair = (colors[number % len(colors)], colors[number // 3 % len(colors)])
            table.lay("zoinx" if kind == "zoinx" else "pip", 4 if kind == "zoinx" else 2 + number % 7, pair)
            table.act("throw")
            picture, lying = at_rest(table)
            for face in measured(picture):
                near = [d for d in lying if _away(face, d.center_px) < 9]
                right = bool(near) and near[0].die.value == face.die.value and 700 < face.edge_px**2 < 4200
                yield MeasuredFace(f"table {kind}", str(number), face.die.value, face.numbers, right)
            table.close()


def foreign() -> Iterator[MeasuredFace]:
    """Coins and letters: nothing that is measured in them is a face."""
    rng = np.random.default_rng(FOREIGN_SEED)

    def color() -> tuple[int, int, int]:
        return (int(rng.integers(255)), int(rng.integers(255)), int(rng.integers(255)))

    for number in range(FOREIGN):
        grain, noise = float(rng.uniform(0, 10)), float(rng.uniform(0, 5))
        picture = scenes.draw(scenes.Scene((), table=color(), grain=grain, noise=noise, seed=number))
        for i in range(14):
            at = (70 + 175 * (i % 7) + int(rng.integers(-20, 20)), 250 + 400 * (i // 7))
            radius = int(rng.integers(12, 60))
            cv2.circle(picture, at, radius, color(), -1, cv2.LINE_AA)
            cv2.circle(picture, at, max(2, int(radius * rng.uniform(0.12, 0.8))), color(), -1, cv2.LINE_AA)
        for i in range(6):
            text, size = f"abode 806 o.O:i QPqp {int(rng.integers(1_000_000))}", float(rng.uniform(0.4, 1.6))
            font, bold = int(rng.integers(4)), int(rng.integers(1, 5))
            cv2.putText(picture, text, (30, 60 + 22 * i), font, size, color(), bold, cv2.LINE_AA)
        blurred = np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.7), np.uint8)
        for face in measured(blurred):
            yield MeasuredFace("no dice", str(number), face.die.value, face.numbers, right=False)

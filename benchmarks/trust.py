"""Fits the confidence curves of `vision/classic/check.py` anew and prints how well they hold.

`python -m benchmarks.trust` prints; `python -m benchmarks.trust --write` puts the curves into the file.
Examples are all faces that the checks measure, sure or not, labelled right or wrong:

- photographs that may be trained on (`TRAINED`; no other source has a part in the fit),
- drawn scenes and throws of the simulated table, by the seeds below,
- drawn coins and letters, which are no dice.

A logistic curve for each group of faces is fitted by penalised maximum likelihood. Each number may only help
or only harm (`SIGNS`); one that would go the other way is left out. The reliability table comes from two-fold
cross-validation with folds by picture; the curves themselves are then fitted on everything.
"""

import argparse
import itertools
import sys
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

import vision.classic.check
from benchmarks.photos import TRAINED, sources
from calibration.arrays import Floats, Picture
from device.simulator.designs import COLORS
from device.simulator.table import SimulatedTable
from models.training.photos import PHOTOS, PhotoTruth
from tests.vision import scenes
from vision.classic.check import Numbers, Proposal, check_lones, check_patterns, group_of, shape
from vision.classic.marks import find_marks, pyramid
from vision.classic.pips import find_patterns
from vision.pictures import load

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
SIGNS = {"share": 1, "straight": 1, "step": 1, "contrast": 1, "radius": 1, "aspect": 1, "plain": 1}
SIGNS |= dict.fromkeys(("early", "corner", "rough", "uneven", "mottled", "misfit", "ghost"), -1)
SIGNS |= dict.fromkeys(("extra", "half", "size"), -1)
"""1 where more of a number makes a face likelier, -1 where it makes it less likely."""
RIDGE = 0.4
EDGES = (0.0, 0.35, 0.8, 0.9, 0.95, 0.99, 1.01)
"""Bounds of the bins of the reliability table."""


@dataclass
class Example:
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


def photographs() -> Iterator[Example]:
    """From the sources that may be trained on, a part of their pictures."""
    for source, truths in sources():
        for truth in truths[:: TRAINED[source]] if source in TRAINED else ():
            faces = measured(load(PHOTOS / source / truth["image"]))
            label = _by_box if truth["truth"] == "boxes" else _by_value
            for face, right in zip(faces, label(truth, faces), strict=True):
                if right is not None:
                    yield Example(source, truth["image"], face.die.value, face.numbers, right)


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


def drawn() -> Iterator[Example]:
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
                yield Example(f"drawn {kind}", str(number), face.die.value, face.numbers, right)


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


class Clock:
    """Time that passes only when somebody waits."""

    def __init__(self) -> None:
        """It is 0 ms."""
        self._now_ms = 0.0

    def __call__(self) -> float:
        """Milliseconds."""
        return self._now_ms

    def wait(self, span_ms: float) -> None:
        """Let time pass."""
        self._now_ms += span_ms


def still(table: SimulatedTable) -> Picture:
    """The first picture after the hand has gone and all dice lie."""
    frames = table.frames()
    next(frames)
    while table.busy or not table.lying:
        next(frames)
    return next(frames).picture


def tabled() -> Iterator[Example]:
    """Throws of the simulated table."""
    colors = list(COLORS)
    for kind, count in THROWS.items():
        for number in range(count):
            clock = Clock()
            table = SimulatedTable(FIRST_THROW + number, clock=clock, wait=clock.wait, fps=0.25)
            pair = (colors[number % len(colors)], colors[number // 3 % len(colors)])
            table.lay("zoinx" if kind == "zoinx" else "pip", 4 if kind == "zoinx" else 2 + number % 7, pair)
            table.act("throw")
            for face in measured(still(table)):
                near = [d for d in table.lying if _away(face, d.center_px) < 9]
                right = bool(near) and near[0].die.value == face.die.value and 700 < face.edge_px**2 < 4200
                yield Example(f"table {kind}", str(number), face.die.value, face.numbers, right)
            table.close()


def foreign() -> Iterator[Example]:
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
            yield Example("no dice", str(number), face.die.value, face.numbers, right=False)


@dataclass(frozen=True)
class Fitted:
    """A group's curve, with what cross-validation says of it."""

    bias: float
    weights: dict[str, float]
    held_out: Floats
    """The confidence of each example, from the curve fitted on the other half of the pictures."""
    right: Floats


def fitted(group: str, examples: list[Example]) -> Fitted:
    """The curve of one group."""
    right = np.array([example.right for example in examples], np.float64)
    names = [name for name in SIGNS if all(name in example.numbers for example in examples)]
    raw = np.array([[shape(group, name, e.numbers[name]) for name in names] for e in examples])
    varies = raw.std(axis=0) > 1e-6
    names, raw = [name for name, good in zip(names, varies, strict=True) if good], raw[:, varies]
    mean, spread = raw.mean(axis=0), raw.std(axis=0)
    table = np.hstack([np.ones((len(raw), 1)), (raw - mean) / spread])
    signs = np.array([0, *(SIGNS[name] for name in names)])
    if group != "one":
        for _ in range(3):
            _relabel(examples, right, table @ _solve(table, right, signs))
    fold = np.array([zlib.crc32(f"{e.source} {e.picture}".encode()) % 2 for e in examples])
    held_out = np.zeros(len(right))
    for one in (0, 1):
        part = fold == one
        held_out[part] = _frequency(table[part] @ _solve(table[~part], right[~part], signs))
    solved = _solve(table, right, signs)
    bias = float(solved[0] - (solved[1:] * mean / spread).sum())
    weights = {name: float(w / s) for name, w, s in zip(names, solved[1:], spread, strict=True) if w}
    return Fitted(bias, dict(sorted(weights.items())), held_out, right)


def _relabel(examples: list[Example], right: Floats, total: Floats) -> None:
    """Where only values are known, the curve so far decides which faces of one value are meant."""
    same: defaultdict[tuple[str, str, int | str], list[int]] = defaultdict(list)
    for i, example in enumerate(examples):
        if example.source in ("damiantab", "jamiekee_lime"):
            same[example.source, example.picture, example.value].append(i)
    for places in same.values():
        count = int(right[places].sum())
        places.sort(key=lambda i: -total[i])
        right[places] = 0.0
        right[places[:count]] = 1.0


def _solve(table: Floats, right: Floats, signs: Floats) -> Floats:
    """Weights by Newton's method; a column whose weight has the wrong sign is left out."""
    use = np.ones(table.shape[1], np.bool_)
    while True:
        weights = np.zeros(table.shape[1])
        weights[use] = _newton(table[:, use], right)
        bad = weights * signs < 0
        if not bad.any():
            return weights
        use &= ~bad


def _newton(table: Floats, right: Floats) -> Floats:
    weights, penalty = np.zeros(table.shape[1]), np.full(table.shape[1], RIDGE)
    penalty[0] = 0
    for _ in range(40):
        chance = _frequency(table @ weights)
        curvature = chance * (1 - chance) + 1e-6
        slope = table.T @ (right - chance) - penalty * weights
        weights += np.linalg.solve(table.T @ (table * curvature[:, None]) + np.diag(penalty), slope)
    return weights


def _frequency(total: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-np.clip(total, -30, 30))), np.float64)


def as_code(curves: dict[str, Fitted]) -> str:
    """The curves as they stand in vision/classic/check.py."""
    lines = ["CURVES = {"]
    for group, curve in curves.items():
        lines += [f'    "{group}": Curve(', f"        {curve.bias:.3f},", "        {"]
        lines += [f'            "{name}": {weight:.3f},' for name, weight in curve.weights.items()]
        lines += ["        },", "    ),"]
    return "\n".join([*lines, "}\n"])


def reliability(curves: dict[str, Fitted]) -> str:
    """How often faces given a confidence are right."""
    held_out = np.concatenate([curve.held_out for curve in curves.values()])
    right = np.concatenate([curve.right for curve in curves.values()])
    lines = [f"{'confidence':<16}{'faces':>8}{'right':>8}{'right %':>9}"]
    for low, high in itertools.pairwise(EDGES):
        part = (held_out >= low) & (held_out < high)
        count, good = int(part.sum()), int(right[part].sum())
        span = f"{low:.2f} to {min(high, 1):.2f}"
        lines.append(f"{span:<16}{count:>8}{good:>8}{100 * good / max(count, 1):>9.1f}")
    return "\n".join(lines)


def main() -> None:
    """Print, and write where asked."""
    parser = argparse.ArgumentParser(description="Fit the confidence curves anew.")
    parser.add_argument("--write", action="store_true", help="put the curves into vision/classic/check.py")
    write = parser.parse_args().write
    if not PHOTOS.is_dir():
        sys.exit(f"no photographs at {PHOTOS}: the curves need them")
    cv2.setNumThreads(1)
    examples = [e for part in (photographs(), drawn(), tabled(), foreign()) for e in part]
    for source, count in Counter(e.source for e in examples).items():
        right = sum(e.right for e in examples if e.source == source)
        print(f"{source:<16}{count:>6} examples, {right} right")
    groups = {
        group: [e for e in examples if group_of(e.value) == group] for group in vision.classic.check.CURVES
    }
    curves = {group: fitted(group, part) for group, part in groups.items()}
    print(reliability(curves), as_code(curves), sep="\n\n")
    if write:
        path = Path(vision.classic.check.__file__)
        text = path.read_text(encoding="utf-8")
        begin = text.index("CURVES = {")
        end = text.index("\n}\n", begin) + len("\n}\n")
        path.write_text(text[:begin] + as_code(curves) + text[end:], encoding="utf-8")


if __name__ == "__main__":
    main()

"""Fits the confidence curves of the reader anew, and prints how well they hold.

    python -m benchmarks fit [learned|d4] [--write]

`--write` puts the curves into `vision/learned/confidence.py` (the picture: `docs/img/reliability.svg`) or
`vision/learned/d4.py`. The examples are those of `benchmarks.fit_examples`.

A logistic curve is fitted by penalised maximum likelihood. Each number may only help or only harm; one that
would go the other way is left out. Reliability comes from two-fold cross-validation with folds by picture;
the curves themselves are then fitted on everything. One curve tells whether kind and value are right, the
other whether the die lies flat; a face counts as right when both hold."""

import argparse
import re
import zlib
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

import vision.learned.confidence
import vision.learned.d4
from benchmarks.fit_examples import (
    FITTED,
    MEASURED,
    Example,
    d4_at_table,
    d4_drawn,
    d4_kept,
    everything,
    thinned,
)
from calibration.arrays import Floats
from vision.learned.confidence import MOST

HARMS = ("small", "off", "rivalled", "askew", "leans")
SIGNS = {"margin": 1, "chance": 1, "flat": 1, "heat": 1} | dict.fromkeys(HARMS, -1)
"""1 where more of a number may only help, -1 where it may only harm."""
LOOKED_AT = {
    "read": ("margin", "chance", "heat", "small", "off", "rivalled", "flat"),
    "flat": ("flat", "leans", "askew", "rivalled"),
}
"""What each curve may look at: how the face reads, how the die lies."""
D4_LOOKED_AT = {
    "read": ("margin", "chance", "heat", "small", "off", "flat"),
    "flat": ("flat", "off", "leans"),
}
RIDGE = 0.5
EDGES = (0.0, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 1.01)
D4_EDGES = (0.0, 0.5, 0.9, 0.95, 0.975, 0.985, 1.01)
"""Bounds of the bins of the reliability tables."""
SEEN_COUNTS = 4.0
"""A face of a photograph or of the table counts so many times: drawn scenes are harder, on purpose."""
PLOT = Path(__file__).parents[1] / "docs" / "img" / "reliability.svg"

Curve = tuple[float, dict[str, float]]
"""Bias and weights."""
Curves = dict[str, Curve]


def fitted(examples: Sequence[Example], looked_at: Mapping[str, Sequence[str]] = LOOKED_AT) -> Curves:
    """The two curves of greatest penalised likelihood."""
    lying = [one for one in examples if one.flat is not None]
    shown = [one for one in examples if one.read is not None]
    return {
        "read": _curve(shown, [bool(one.read) for one in shown], looked_at["read"]),
        "flat": _curve(lying, [bool(one.flat) for one in lying], looked_at["flat"]),
    }


def _curve(examples: Sequence[Example], holds: Sequence[bool], looked_at: Sequence[str]) -> Curve:
    """Bias and weights; of what would go against its sign, the worst is left out first."""
    names = list(looked_at)
    counts = np.array([1.0 if one.origin == "drawn" else SEEN_COUNTS for one in examples])
    while True:
        table = np.array([[1.0, *(one.seen[name] for name in names)] for one in examples])
        weights = _newton(table, np.array(holds, np.float64), counts, RIDGE)
        wrong = [name for name, w in zip(names, weights[1:], strict=True) if w * SIGNS[name] < 0]
        if not wrong:
            return float(weights[0]), {n: float(w) for n, w in zip(names, weights[1:], strict=True)}
        names.remove(max(wrong, key=lambda name: abs(weights[1 + names.index(name)])))


def _newton(table: Floats, right: Floats, counts: Floats, ridge: float) -> Floats:
    """The weights (n,) of greatest penalised likelihood for rows (m, n), each counted so many times (m,)."""
    weights, penalty = np.zeros(table.shape[1]), np.full(table.shape[1], ridge)
    penalty[0] = 0
    for _ in range(40):
        chance = _frequency(table @ weights)
        curvature = counts * (chance * (1 - chance) + 1e-6)
        slope = table.T @ (counts * (right - chance)) - penalty * weights
        weights += np.linalg.solve(table.T @ (table * curvature[:, None]) + np.diag(penalty), slope)
    return weights


def _frequency(total: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-np.clip(total, -30, 30))), np.float64)


def predicted(examples: Sequence[Example], curves: Curves) -> Floats:
    """The confidence of each example."""
    chances = np.ones(len(examples))
    for bias, weights in curves.values():
        total = np.array([bias + sum(w * one.seen[n] for n, w in weights.items()) for one in examples])
        chances *= _frequency(total)
    return np.minimum(MOST, chances)


def crossed(examples: Sequence[Example]) -> Floats:
    """Each example's confidence from the half of the pictures that it is not in."""
    fold = np.array([zlib.crc32(f"{one.origin}/{one.picture}".encode()) % 2 for one in examples])
    out = np.zeros(len(examples))
    for half in (0, 1):
        curves = fitted([one for one, f in zip(examples, fold, strict=True) if f != half])
        here = [int(i) for i in np.nonzero(fold == half)[0]]
        out[here] = predicted([examples[i] for i in here], curves)
    return out


def write(curves: Curves, path: Path) -> None:
    """Put the curves into the module that uses them."""
    listed = ""
    for name, (bias, weights) in curves.items():
        each = "".join(f'            "{number}": {weight:.4f},\n' for number, weight in weights.items())
        listed += f'    "{name}": (\n        {bias:.4f},\n        {{\n{each}        }},\n    ),\n'
    told = re.compile(r"(CURVES: .*? = \{\n).*?(\n\}\n)", re.DOTALL)
    text = told.sub(lambda found: found[1] + listed.rstrip("\n") + found[2], path.read_text(encoding="utf-8"))
    path.write_text(text, encoding="utf-8")


def bins(
    chances: Floats, right: NDArray[np.bool_], edges: Sequence[float] = EDGES
) -> list[tuple[float, float, int]]:
    """For each part between those edges that is not empty: mean confidence, share right, count."""
    out = []
    for low, high in pairwise(edges):
        here = (chances >= low) & (chances < high)
        if here.any():
            out.append((float(chances[here].mean()), float(right[here].mean()), int(here.sum())))
    return out


def plot(rows: Sequence[tuple[float, float, int]]) -> str:
    """A reliability diagram as SVG: told on the right, true upwards, area by count."""
    side, edge = 360, 46
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side + 2 * edge} {side + 2 * edge}" '
        'font-family="sans-serif" font-size="13">',
        f'<rect width="{side + 2 * edge}" height="{side + 2 * edge}" fill="white"/>',
        f'<path d="M{edge} {edge + side}L{edge + side} {edge}" stroke="#999" stroke-dasharray="4 4"/>',
        f'<path d="M{edge} {edge}V{edge + side}H{edge + side}" fill="none" stroke="#333"/>',
        f'<text x="{edge + side / 2}" y="{edge + side + 34}" text-anchor="middle">confidence told</text>',
        f'<text x="14" y="{edge + side / 2}" text-anchor="middle" '
        f'transform="rotate(-90 14 {edge + side / 2})">share right</text>',
    ]
    for tick in (0, 0.25, 0.5, 0.75, 1):
        at = edge + side * tick
        parts.append(f'<text x="{at}" y="{edge + side + 17}" text-anchor="middle">{tick:g}</text>')
        parts.append(f'<text x="{edge - 6}" y="{2 * edge + side - at + 4}" text-anchor="end">{tick:g}</text>')
    for told, true, count in rows:
        x, y = edge + side * told, edge + side * (1 - true)
        parts.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{2 + count**0.5 / 6:.1f}" '
            'fill="#27638a" fill-opacity="0.7"/>'
        )
    return "\n".join([*parts, "</svg>", ""])


def table_of(rows: Sequence[tuple[float, float, int]]) -> str:
    """The bins as a table."""
    lines = [f"{'given':>7} {'right':>7} {'faces':>6}"]
    return "\n".join([*lines, *(f"{given:7.4f} {right:7.4f} {count:6d}" for given, right, count in rows)])


def fit_learned(*, write_too: bool) -> None:
    """Fit, print, and keep curves and picture."""
    examples = everything()
    right = np.array([one.right for one in examples])
    chances = crossed(examples)
    drawn = np.array([one.origin == "drawn" for one in examples])
    for name, here in (("all", drawn | ~drawn), ("photographs and table", ~drawn), ("drawn", drawn)):
        print(f"{name}\n{table_of(bins(chances[here], right[here]))}")
    for origin in sorted({one.origin for one in examples}):
        here = np.array([one.origin == origin for one in examples])
        sure = here & (chances >= 0.9)
        share = f"{right[sure].mean():.4f}" if sure.any() else "-"
        print(f"{origin}: {here.sum()} faces, {sure.sum()} at 0.9 or more, of these right {share}")
    curves = fitted(examples)
    print(curves)
    if write_too:
        write(curves, Path(str(vision.learned.confidence.__file__)))
        PLOT.write_text(plot(bins(chances, right)), encoding="utf-8")


def fit_d4(*, write_too: bool) -> None:
    """Fit, print, measure, and keep the curves."""
    examples = [*thinned([*d4_drawn(FITTED), *d4_kept()]), *d4_at_table()]
    curves = fitted(examples, D4_LOOKED_AT)
    print(f"fitted on {len(examples)} D4, {sum(one.right for one in examples)} of them read right: {curves}")
    others = thinned(list(d4_drawn(MEASURED)))
    for name, some in (("these", examples), ("scenes that nothing was fitted on", others)):
        right = np.array([one.right for one in some])
        print(f"{name}\n{table_of(bins(predicted(some, curves), right, D4_EDGES))}")
    if write_too:
        write(curves, Path(str(vision.learned.d4.__file__)))


FITS: dict[str, Callable[..., None]] = {"learned": fit_learned, "d4": fit_d4}


def main(words: Sequence[str] = ()) -> None:
    """Fit what is asked for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks fit")
    parser.add_argument("reader", nargs="?", choices=FITS, default="learned")
    parser.add_argument("--write", action="store_true", help="keep the curves")
    options = parser.parse_args(words)
    cv2.setNumThreads(1)
    FITS[options.reader](write_too=options.write)

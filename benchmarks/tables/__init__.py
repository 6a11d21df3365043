"""The calibration benchmark: drawn tables of any colours, with glare and crumbs, calibrated and compared with
the truth.

    python -m benchmarks tables [--camera 3mp] [--count 12] [--boards 4]
"""

import argparse
import sys
from collections.abc import Sequence

import cv2
import numpy as np
from tqdm import tqdm

from benchmarks.tables.drawn import MISCHIEF, drawn_table
from benchmarks.tables.judged import Judged, judged

LEGEND = """\
equal: sheet, tapes and top are equally bright, and lines show by colour alone. In mm: lines, how far the
lines found lie off the true ones as the camera sees both (RMS, 99th percentile, largest); frame, how far
points are off in the table's frame (mean, largest); held, the share of stated 95 % intervals that hold the
truth, of lines and of points.\
"""
HEAD = (
    f"{'':>16} {'tables':>6} {'calib.':>6} {'bridged':>7} {'lines':>6} {'p99':>6} {'max':>6} {'frame':>6}"
    f" {'max':>6} {'held':>5} {'held':>5}"
)
WITHIN = 1.959964


def main() -> None:
    """Draw, calibrate and print, one kind of mischief after the other."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks tables")
    parser.add_argument("names", nargs="*", help=argparse.SUPPRESS)
    parser.add_argument("--camera", choices=("12mp", "3mp", "1mp"), default="3mp")
    parser.add_argument("--count", type=int, default=8, help="tables of each kind")
    parser.add_argument("--boards", type=int, default=4, choices=(1, 2, 3, 4), help="flat boards")
    asked = parser.parse_args(sys.argv[1:])
    cv2.setNumThreads(1)
    wanted = [(mischief, seed) for mischief in MISCHIEF for seed in range(asked.count)]
    done = [
        judged(drawn_table(asked.camera, seed, mischief), asked.boards)
        for mischief, seed in tqdm(wanted, desc=asked.camera)
    ]
    print(f"{asked.camera}, {asked.boards} flat boards\n{LEGEND}\n{HEAD}")
    for mischief in MISCHIEF:
        for equal in (False, True):
            some = [one for one in done if (one.table.mischief, one.table.equal) == (mischief, equal)]
            _tell(f"{mischief}{', equal' if equal else ''}", some)
    for one in done:
        if one.refused:
            print(f"{one.table.mischief} {one.table.seed}: {one.refused}")


def _tell(name: str, some: Sequence[Judged]) -> None:
    """One row."""
    made = [one for one in some if not one.refused]
    print(f"{name:>16} {len(some):6d} {len(made):6d}", end="")
    if made:
        lines = np.concatenate([one.lines_mm for one in made])
        frame = np.concatenate([np.linalg.norm(one.frame_mm, axis=1) for one in made])
        held = np.concatenate([one.lines_mm < WITHIN * one.line_sigma_mm for one in made])
        points = np.concatenate([(np.abs(one.frame_mm) < WITHIN * one.sigma_mm).ravel() for one in made])
        print(
            f" {sum(one.bridged for one in made):7d} {np.sqrt(np.mean(lines**2)):6.3f}"
            f" {np.percentile(lines, 99):6.3f} {lines.max():6.3f} {frame.mean():6.3f} {frame.max():6.3f}"
            f" {np.mean(held):5.0%} {np.mean(points):5.0%}",
            end="",
        )
    print()

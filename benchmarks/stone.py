"""How exactly the dice of another painter's stone table are measured: centres, outlines, roundings.

`python -m benchmarks stone` calibrates it from five flat boards and measures what was thrown, in the
photographs of `../shared/tables/stone`; it says so where these are not there. For measuring only: no figure
of Callbox was chosen by them, but how far the network of corners is believed (models/corner.md).
"""

import argparse
import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from benchmarks.landing.judged.calibrated import BOARD
from benchmarks.landing.truth import apart_mm
from benchmarks.tables import WITHIN
from benchmarks.tables.judged import picture_of
from calibration.description import load_description
from calibration.fit import BoardSeen, TableFound, calibrate_table, find_board, fit_lens
from vision.landing.detector import LandingDetector

STONE = Path(__file__).parents[2] / "shared" / "tables" / "stone"


@dataclass(frozen=True)
class Off:
    """How far off a die was measured, mm, and whether the 95 % intervals held the truth."""

    centre_mm: float
    outline_mm: float
    rounding_mm: float
    """Measured less true."""
    held_centre: tuple[bool, bool]
    held_outline: bool


def seen(path: Path) -> BoardSeen:
    """The board in one of its pictures."""
    return find_board(np.asarray(cv2.imread(str(path), cv2.IMREAD_GRAYSCALE), np.uint8), BOARD, path.name)


def calibrated(boards: int) -> TableFound:
    """The table, from its pictures with so many flat boards. Raises CalibrationError."""
    camera = fit_lens([seen(path) for path in sorted((STONE / "calib").iterdir())], BOARD).camera
    flats = [(seen(path), picture_of(path)) for path in sorted(STONE.glob("board_flat*.jpg"))[:boards]]
    plan = load_description(STONE / "table.toml")
    return calibrate_table(camera, plan, BOARD, flats, picture_of(STONE / "empty.jpg"))


def dice(found: TableFound) -> Iterator[Off | None]:
    """Each die that lies flat, as measured; None where it was not."""
    eye = LandingDetector(found.table)
    truth: dict[str, Any] = json.loads((STONE / "truth.json").read_text(encoding="utf-8"))
    for shot in truth["shots"]:
        sight = eye.look(picture_of(STONE / shot["image"]))
        for true in (one for one in shot["dice"] if not one["cocked"]):
            x, y = true["center_mm"]
            here = (each.die for each in sight.dice)
            die = next((one for one in here if math.dist(one.center_mm, (x, y)) < true["edge_mm"] / 2), None)
            if die is None:
                yield None
                continue
            off = np.array(die.center_mm) - (x, y)
            apart = apart_mm(np.array(true["footprint_mm"]), np.array(die.footprint_mm))
            sigma = np.sqrt(np.diag(np.array(die.covariance)))[:2]
            yield Off(
                centre_mm=float(np.hypot(*off)),
                outline_mm=apart,
                rounding_mm=die.rounding_mm - true["corner_radius_mm"],
                held_centre=tuple((np.abs(off) < WITHIN * sigma).tolist()),
                held_outline=apart <= WITHIN * die.sigma_mm,
            )


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description="Measures another painter's stone table.")
    parser.add_argument("--boards", type=int, default=5, help="so many flat boards to calibrate from")
    boards = parser.parse_known_args()[0].boards
    if not STONE.exists():
        print(f"There are no pictures in {STONE}: nothing is measured.")
        return
    every = list(dice(calibrated(boards)))
    met = [one for one in every if one is not None]
    centre, outline = np.array([one.centre_mm for one in met]), np.array([one.outline_mm for one in met])
    rounding = np.array([one.rounding_mm for one in met])
    print(f"{boards} flat boards; {len(met)} of {len(every)} flat dice measured; mm")
    print(f"centre: mean {centre.mean():.3f}, 99th percentile {np.percentile(centre, 99):.3f}")
    print(f"outline: mean {outline.mean():.3f}, 99th percentile {np.percentile(outline, 99):.3f}")
    print(f"rounding: off by {math.sqrt(np.mean(rounding**2)):.3f} (root mean square)")
    held = np.mean([one.held_centre for one in met])
    print(f"95 % intervals: held {held:.0%} of centres' coordinates, ", end="")
    print(f"{np.mean([one.held_outline for one in met]):.0%} of outlines")


if __name__ == "__main__":
    main()

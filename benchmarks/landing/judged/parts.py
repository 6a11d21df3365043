"""What today's errors hang on: landings of dice of which nothing is known, by their colour and rounding.

`python -m benchmarks.landing.judged.parts COUNT picture.svg` measures so many landings near a line at 12
megapixels, where that was not yet done, prints the table and draws it.
"""

import sys
from pathlib import Path

import numpy as np

from benchmarks.landing.judged.close_ups import judge_close_ups
from benchmarks.landing.judged.harness import Outcome
from benchmarks.landing.judged.plot import drawing
from benchmarks.landing.judged.study import Row

CAMERA = "12mp"
LOW_MM = 0.05
TITLE = "How far the outline of an unknown die is off, 12 megapixels"
COLOURS = {
    "white": "white",
    "ivory": "ivory",
    "black": "black",
    "wooden": "wood",
    "red": "red",
    "any colour": "any colour at all",
    "translucent": "clear resin",
}


def parts_of(outcomes: list[Outcome], camera: str = CAMERA) -> list[Row]:
    """The errors of all measured dice, and of those of each colour and rounding."""
    met = [o for o in outcomes if o.fate == "measured" and not o.cocked]
    groups = {"all of them": met}
    for kind, words in COLOURS.items():
        groups[f"colour: {words}"] = [o for o in met if o.kind == kind]
    for low in (0.5, 1.0, 1.5, 2.0, 2.5):
        some = [o for o in met if low <= o.true_rounding_mm < low + 0.5]
        groups[f"corners rounded by {low} to {low + 0.5} mm"] = some
    rows = []
    for source, some in groups.items():
        off = [o.outline_mm for o in some]
        if off:
            mean, p95 = float(np.mean(off)), float(np.percentile(off, 95))
            rows.append(
                Row(source=source, camera=camera, mean_mm=mean, p95_mm=p95, dice=len(off), of=len(met))
            )
    return rows


if __name__ == "__main__":
    rows = parts_of(judge_close_ups(CAMERA, "line", int(sys.argv[1])))
    for row in rows:
        print(f"{row.source:32} {row.dice:6d} {row.mean_mm:6.3f} {row.p95_mm:6.3f}")
    Path(sys.argv[2]).write_text(drawing(rows, TITLE, LOW_MM), encoding="utf-8")

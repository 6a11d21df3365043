"""Measures drawn tables that nobody described, and says how far each figure is off what it states.

    python -m benchmarks own_tables [--camera 3mp] [--count 12]

Sheets of chance sizes, cut like the classic one, in chance colours on tops of any texture, laid a little
askew; every second one is as bright as the top, so that its lines show by colour alone. Four flat boards
each.
"""

import argparse
import sys
from collections import defaultdict

import cv2
import msgspec
import numpy as np
from tqdm import tqdm

from benchmarks.landing.bridge import true_calibration
from benchmarks.landing.judged.calibrated import BOARD, camera_of
from benchmarks.landing.layout import description
from benchmarks.tables.drawn import DrawnTable, drawn_table
from benchmarks.tables.judged import grey_of, picture_of
from calibration.arrays import Floats
from calibration.description import CLASSIC, Dot, PointMm, TableDescription, Zone, load_description
from calibration.fit import OwnTable, TableFigure, find_board, measure_own_table, renumbered
from calibration.trouble import CalibrationError

WITHIN = 1.959964
RIM_MM = 6.0
"""All of a side of the sheet lies within this across, however it is turned."""
NEAR_MM = 3.0
"""A side of a sheet that lies askew is told within this; its ends are left out by as much."""
GROUPS = {
    "line_from_edge": "zone lines",
    "line_from_middle": "zone lines",
    "dot_across": "dot, across",
    "dot_from_edge": "dot, place",
    "dot_from_middle": "dot, place",
}


def main() -> None:
    """Draw, measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks own_tables")
    parser.add_argument("names", nargs="*", help=argparse.SUPPRESS)
    parser.add_argument("--camera", choices=("12mp", "3mp", "1mp"), default="3mp")
    parser.add_argument("--count", type=int, default=12, help="tables")
    asked = parser.parse_args(sys.argv[1:])
    cv2.setNumThreads(1)
    off: dict[str, list[tuple[float, float]]] = defaultdict(list)
    refused: list[str] = []
    asked_for = 0
    for seed in tqdm(range(asked.count), desc=asked.camera):
        table = drawn_table(asked.camera, seed, "none", own_sheet(seed))
        try:
            own = measured(table)
        except CalibrationError as error:
            refused.append(f"{seed}: {error}")
            continue
        asked_for += not own.numbered
        for name, mm, sigma in errors(table, as_people_say(own, table)):
            off[name].append((mm, sigma))
    print(f"{asked.camera}: {asked.count - len(refused)} of {asked.count} tables measured; lengths in mm")
    print(f"the zones of {asked_for} lie so unlike the classic ones that people are asked for their numbers")
    print(f"{'':>14} {'figures':>7} {'RMS':>6} {'max':>6} {'stated':>6} {'held':>5}")
    for name, pairs in off.items():
        mm, sigma = np.array(pairs).T
        held = np.mean(np.abs(mm) < WITHIN * sigma)
        print(
            f"{name:>14} {len(mm):7d} {np.sqrt(np.mean(mm**2)):6.3f} {np.abs(mm).max():6.3f}"
            f" {np.sqrt(np.mean(sigma**2)):6.3f} {held:5.0%}"
        )
    print("stated: one standard deviation; held: the share of stated 95 % intervals that hold the truth")
    for line in refused:
        print(line)


def own_sheet(seed: int) -> TableDescription:
    """A sheet of chance sizes, cut like the classic one."""
    rng = np.random.default_rng([seed, 77])
    base = description()
    width, depth = float(rng.uniform(250, 360)), float(rng.uniform(380, 480))
    band, half = float(rng.uniform(65, 110)), width / 2
    field = (float(rng.uniform(0.45, 0.7)) * half, band, depth - float(rng.uniform(50, 90)))
    box = (float(rng.uniform(0.2, 0.4)) * half, float(rng.uniform(0.5, 0.8)) * band)
    corners = {
        2: _rectangle(half, 0.0, depth),
        10: _rectangle(half, 0.0, band),
        5: _rectangle(*field),
        20: _rectangle(box[0], 0.0, box[1]),
    }
    zones = tuple(Zone(value=value, color="#808080", polygon_mm=corners[value]) for value in corners)
    dot = Dot(x_mm=float(rng.uniform(-20, 20)), y_mm=float(rng.uniform(180, 270)),
              diameter_mm=float(rng.uniform(8, 20)))  # fmt: skip
    return msgspec.structs.replace(
        base,
        end_zone=msgspec.structs.replace(base.end_zone, width_mm=width, depth_mm=depth, zone=zones, dot=dot),
        tape=msgspec.structs.replace(
            base.tape, width_mm=float(rng.uniform(12, 30)), side_lines_x_mm=(-half, half)
        ),
    )


def _rectangle(half: float, low: float, high: float) -> tuple[PointMm, ...]:
    return ((-half, low), (half, low), (half, high), (-half, high))


def measured(table: DrawnTable) -> OwnTable:
    """The table from its pictures, as the set-up measures it. Raises `CalibrationError`."""
    flats = [(find_board(grey_of(p), BOARD, "flat"), p) for p in map(picture_of, table.flats())]
    empty = picture_of(table.empty())
    return measure_own_table(camera_of(table.kit), BOARD, flats, empty, load_description(CLASSIC))


def as_people_say(own: OwnTable, table: DrawnTable) -> OwnTable:
    """The table with the true numbers of its zones: those of the planned zones that lie most alike."""

    def box(zone: Zone) -> Floats:
        corners = np.array(zone.polygon_mm)
        return np.concatenate([corners.min(axis=0), corners.max(axis=0)])

    planned = table.plan.end_zone.zone
    apart = [[float(np.abs(box(one) - box(other)).sum()) for other in planned]
             for one in own.description.end_zone.zone]  # fmt: skip
    return renumbered(own, [planned[int(np.argmin(row))].value for row in apart])


def errors(table: DrawnTable, own: OwnTable) -> list[tuple[str, float, float]]:
    """For each figure of zone lines and dot: its group, how far it is off, one standard deviation as stated.

    What lies askew on the table is described level, so a figure is compared with the middle of the true line.
    """
    return [
        (GROUPS[figure.what], figure.mm - _true(table, figure), figure.sigma_mm)
        for figure in own.figures
        if figure.what in GROUPS and figure.sigma_mm is not None
    ]


def _true(table: DrawnTable, figure: TableFigure) -> float:
    """The same length on the table as it was laid; places right of the middle count from the sheet's."""
    laid, dot = true_calibration(table.kit).laid, table.plan.end_zone.dot
    assert dot is not None
    sheet = np.array(laid.zones[0].polygon_mm)
    rims = [sheet[np.abs(sheet[:, 0] - end) < RIM_MM] for end in (sheet[:, 0].min(), sheet[:, 0].max())]
    slants = [np.polyfit(rim[:, 1], rim[:, 0], 1)[0] for rim in rims]
    angle = -float(np.arctan(np.mean(slants)))
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    middle = float(((_side(sheet, "left side") + _side(sheet, "right side")) / 2 @ turn)[0])
    if figure.what == "dot_across":
        return dot.diameter_mm
    if figure.what.startswith("dot"):
        assert laid.dot is not None
        x, y = (np.array(laid.dot.center_mm) @ turn).tolist()
        return float(y if figure.what == "dot_from_edge" else x - middle)
    zone = next(zone for zone in laid.zones if zone.value == figure.zone)
    place = _side(np.array(zone.polygon_mm), figure.side) @ turn
    return float(place[1]) if figure.what == "line_from_edge" else float(place[0]) - middle


def _side(outline: Floats, side: str) -> Floats:
    """The middle (2,) of one side of a nearly level rectangle's outline (n, 2)."""
    axis, sign = {"front": (1, 1), "back": (1, -1), "right side": (0, 1), "left side": (0, -1)}[side]
    ends = np.roll(outline, -1, axis=0)
    share = np.linspace(0.0, 1.0, 200)[:, None, None]
    points = (outline + share * (ends - outline)).reshape(-1, 2)
    along = sign * points[:, axis]
    near = points[along > along.max() - NEAR_MM]
    low, high = near[:, 1 - axis].min(), near[:, 1 - axis].max()
    clear = (near[:, 1 - axis] > low + NEAR_MM) & (near[:, 1 - axis] < high - NEAR_MM)
    found: Floats = near[clear].mean(axis=0)
    return found

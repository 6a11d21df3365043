"""Runs `python -m benchmarks landings --painter other`: calibrates and measures the second painter's tables.

Each table goes through what an owner does: lens and table are calibrated from their pictures alone, then
every throw is measured. Outcomes are kept beside the pictures for a state of the source: a run goes on where
it was broken off.
"""

import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import msgspec
import numpy as np
from tqdm import tqdm

from benchmarks.landing.cache import hash_files
from benchmarks.landing.calibrated import BOARD, find_board_in, load_picture, source_of_calibration
from benchmarks.landing.measured import (
    Cost,
    LandingOutcome,
    Outcome,
    eye_of,
    load_outcomes,
    measure_scene,
    state,
    tell_tables,
)
from benchmarks.landing.other_painter.tables import (
    THROWS,
    OtherTable,
    Throw,
    folder,
    other_table,
    throw,
    write_truth,
)
from benchmarks.landing.scenes import DieTruth
from benchmarks.landing.table import Layout
from calibration.arrays import Floats
from calibration.description import load_description
from calibration.files import load_table, save_table
from calibration.fit import calibrate_table, fit_lens
from calibration.table import TableCalibration
from calibration.trouble import CalibrationError, Doubt

WHOLE = 0.85
"""A die of which less is seen is not asked to be measured."""
TILE_PX, TILE_MM, ACROSS = 230, 44.0, 6


def calibrated_table(table: OtherTable) -> TableCalibration:
    """The table's calibration from its pictures, as `callbox calibrate` finds it.

    Raises `CalibrationError`.
    """
    path = table.folder / f"table-{source_of_calibration()}.json"
    if not path.exists():
        seen = []
        for view in table.lens_views():
            try:
                seen.append(find_board_in(view))
            except Doubt:
                # The command leaves such a picture out too.
                continue
        lens = fit_lens(seen, BOARD).camera
        flats = [(find_board_in(view), load_picture(view)) for view in table.flats()]
        plan = load_description(table.description())
        save_table(calibrate_table(lens, plan, BOARD, flats, load_picture(table.empty())).table, path)
    return load_table(path)


def measure_tables(seeds: Sequence[int]) -> tuple[list[Outcome], list[Cost], dict[int, str]]:
    """What came of every die on the tables of some seeds, what each picture cost, and the tables that could
    not be calibrated, with the reason."""
    path = folder() / f"outcomes-{state()}-{hash_files([Path(__file__)])}.jsonl"
    known, refused = load_outcomes(path), dict[int, str]()
    for seed in tqdm(seeds, desc="the second painter's tables"):
        wanted = [f"{seed}-{number}" for number in range(THROWS)]
        if all(name in known for name in wanted):
            continue
        table = other_table(seed)
        try:
            calibration = calibrated_table(table)
        except (CalibrationError, Doubt) as error:
            refused[seed] = str(error)
            continue
        with path.open("ab") as file:
            for name, came in _measured(table, calibration, known):
                known[name] = came
                file.write(msgspec.json.encode((name, came)) + b"\n")
                file.flush()
    kept = [
        known[name] for seed in seeds for number in range(THROWS) if (name := f"{seed}-{number}") in known
    ]
    return [outcome for line in kept for outcome in line.outcomes], [line.cost for line in kept], refused


def _measured(
    table: OtherTable, calibration: TableCalibration, known: dict[str, LandingOutcome]
) -> Iterator[tuple[str, LandingOutcome]]:
    eye, frame = eye_of(calibration), found_frame(table, calibration)
    throws = [throw(table, number) for number in range(THROWS)]
    write_truth(table, throws)
    for each in throws:
        name = f"{table.seed}-{each.seed % 100}"
        if name not in known:
            yield name, measure_scene(frame.move(each), eye)


@dataclass(frozen=True, slots=True, kw_only=True)
class MovedKit:
    """A table in the frame that was found."""

    name: str
    surface: str
    seed: int
    layout: Layout


@dataclass(frozen=True, slots=True, kw_only=True)
class MovedThrow:
    """A throw in the frame that was found."""

    seed: int
    style: str
    kit: MovedKit
    dice: tuple[DieTruth, ...]
    path: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundFrame:
    """Where a calibration put the table's frame.

    Where the table's edges are not to be told its origin rests on the sheet, and no call hangs on that: what
    is true is moved along, as one rigid piece, before it is compared.
    """

    turn: Floats
    """(2, 2), and `shift_mm` (2,) after it."""
    shift_mm: Floats

    def put(self, points: Floats) -> Floats:
        """True places (n, 2) in that frame."""
        return np.asarray(points @ self.turn.T + self.shift_mm)

    def move(self, each: Throw) -> MovedThrow:
        """A throw with all that is true of it in that frame."""
        layout = each.kit.layout
        x, y = self.put(np.array([layout.dot_mm]))[0]
        there = replace(
            layout,
            areas=tuple(replace(area, outline_mm=self.put(area.outline_mm)) for area in layout.areas),
            strips=tuple(
                replace(strip, outer_mm=self.put(strip.outer_mm), inner_mm=self.put(strip.inner_mm))
                for strip in layout.strips
            ),
            dot_mm=(float(x), float(y)),
        )
        kit = MovedKit(name=each.kit.name, surface=each.kit.surface, seed=each.kit.seed, layout=there)
        dice = tuple(self._move_die(die) for die in each.dice)
        return MovedThrow(seed=each.seed, style=each.style, kit=kit, dice=dice, path=each.path)

    def _move_die(self, true: DieTruth) -> DieTruth:
        cube = true.die.cube
        x, y = self.put(np.array([cube.center_mm[:2]]))[0]
        axes = np.array(cube.turn)
        axes[:, :2] = axes[:, :2] @ self.turn.T
        rows = tuple((float(a), float(b), float(c)) for a, b, c in axes)
        middle = (float(x), float(y), cube.center_mm[2])
        moved = replace(cube, center_mm=middle, turn=(rows[0], rows[1], rows[2]))
        return replace(true, die=replace(true.die, cube=moved), footprint=self.put(true.footprint))


def found_frame(table: OtherTable, calibration: TableCalibration) -> FoundFrame:
    """The calibration's frame: the rigid move that fits the playing field best, as its own lens sees it."""
    half = table.plan.end_zone.width_mm / 2
    x, y = np.meshgrid(np.linspace(-half, half, 9), np.linspace(5, table.plan.table.halfway_y_mm, 13))
    true = np.stack((x.ravel(), y.ravel()), axis=1)
    pixels = table.studio.camera.project(np.column_stack((true, np.zeros(len(true)))))
    found = np.asarray(calibration.view.on_plane(pixels))[:, :2]
    a, b = true - true.mean(axis=0), found - found.mean(axis=0)
    angle = np.arctan2(np.sum(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]), np.sum(a * b))
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return FoundFrame(turn=turn, shift_mm=found.mean(axis=0) - turn @ true.mean(axis=0))


def run_other(count: int, first: int, sheet: Path | None) -> None:
    """Draw, calibrate, measure and print `count` tables; `sheet` gets the dice that went wrong."""
    cv2.setNumThreads(1)
    outcomes, costs, refused = measure_tables(range(first, first + count))
    whole = [o for o in outcomes if o.visible >= WHOLE]
    print(f"\n{count} tables of the second painter, {len(costs)} pictures; dice seen whole:")
    kinds: dict[str, Callable[[Outcome], str]] = {
        "table": lambda o: f"{o.seed // 100:03d} {o.surface} {o.camera}",
        "ground": lambda o: f"{o.surface} {o.camera}",
        "style": lambda o: o.style,
        "die": lambda o: o.kind.removeprefix("clear-"),
        "value": lambda o: str(o.true_value),
        "zone": lambda o: f"in {o.true_zone}",
        "edge": lambda o: "clear" if o.kind.startswith("clear-") else "solid",
    }
    tell_tables(whole, costs, kinds)
    hidden = [o for o in outcomes if o.visible < WHOLE]
    wrong = sum(o.certain and o.zone != o.true_zone for o in hidden)
    measured = sum(o.fate == "measured" for o in hidden)
    print(
        f"\nHalf hidden or cut by the border: {len(hidden)}, of them measured {measured}, certain and wrong"
        f" {wrong}"
    )
    for seed, why in refused.items():
        print(f"Table {seed} could not be calibrated: {why}")
    if sheet is not None:
        draw_sheet([o for o in whole if _is_odd(o)], sheet)


def _is_odd(o: Outcome) -> bool:
    """Whether a die is to be looked at: flat and not measured, certain and wrong, or of the wrong pose."""
    if o.fate == "false":
        return o.certain
    if o.fate != "measured":
        return not o.cocked
    return (o.certain and o.zone != o.true_zone) or o.cocked == o.note.startswith("flat")


def draw_sheet(outcomes: Sequence[Outcome], path: Path) -> None:
    """Write one PNG with a piece of the picture for each of some dice and what came of it."""
    tiles = []
    for o in sorted(outcomes, key=lambda o: (o.fate, o.seed)):
        table = other_table(o.seed // 100)
        picture = throw(table, o.seed % 100).picture
        x, y = table.studio.camera.project(np.array([[*o.place_mm, 6.0]]))[0]
        half = round(TILE_MM / 2 / table.mm_per_px)
        padded = cv2.copyMakeBorder(picture, half, half, half, half, cv2.BORDER_CONSTANT)
        piece = padded[round(y) : round(y) + 2 * half, round(x) : round(x) + 2 * half]
        tile = np.zeros((TILE_PX + 66, TILE_PX, 3), np.uint8)
        tile[:TILE_PX] = cv2.resize(piece, (TILE_PX, TILE_PX), interpolation=cv2.INTER_CUBIC)
        for i, line in enumerate(textwrap.wrap(_caption(o), 38)[:4]):
            place = (3, TILE_PX + 14 + 15 * i)
            cv2.putText(tile, line, place, cv2.FONT_HERSHEY_SIMPLEX, 0.36, (255, 255, 255), 1, cv2.LINE_AA)
        tiles.append(tile)
    if not tiles:
        print("No die to be looked at: no sheet.")
        return
    tiles += [np.zeros_like(tiles[0])] * (-len(tiles) % ACROSS)
    rows = [np.hstack(tiles[i : i + ACROSS]) for i in range(0, len(tiles), ACROSS)]
    path.write_bytes(cv2.imencode(".png", np.vstack(rows))[1].tobytes())
    print(f"{len(outcomes)} dice to be looked at: {path}")


def _caption(o: Outcome) -> str:
    where = f"{o.seed // 100}:{o.seed % 100} {o.style} {o.kind}{' LEANING' * o.cocked}"
    if o.fate == "false":
        return f"{where}; no die here, called {o.value}x{o.zone} and certain; {o.note}"
    where += f" {o.true_value}x{o.true_zone}"
    if o.fate != "measured":
        return f"{where}; {o.fate}: {o.reason}"
    sure = "certain" if o.certain else "too close"
    return f"{where}; {o.value}x{o.zone} {sure}, off {o.centre_mm:.2f}; {o.note}"

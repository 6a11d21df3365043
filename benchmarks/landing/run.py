"""Runs of `python -m benchmarks landings`: whole tables, close-ups of unknown dice, an owner's dice, full
tables.

Outcomes are kept beside the pictures, one line a landing, for a state of the source: a run that was broken
off goes on."""

import math
import multiprocessing
import resource
import time
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import cv2
import msgspec
import numpy as np
from tqdm import tqdm

from benchmarks.landing.calibrated import calibrated
from benchmarks.landing.close_up import OF_A_SET, PER_TABLE, SET_DICE, STYLES, CloseUp, close_up, strange_kit
from benchmarks.landing.cube import Cube, standing
from benchmarks.landing.dice import KINDS, draw_skin, dress
from benchmarks.landing.measured import (
    Outcome,
    Run,
    measure_all,
    outcomes_of,
    state,
    tell,
    tell_close_ups,
    tell_full,
    tell_learnt,
)
from benchmarks.landing.scenes import (
    PRESETS,
    TABLES,
    Kit,
    Scene,
    against,
    apart,
    cache_folder,
    draw_lean,
    gap,
    in_sight,
    kit,
    on_tape,
    scene,
    true_calibration,
    truth_of,
)
from calibration.arrays import Floats
from calibration.description import Dice
from calibration.table import TableCalibration
from vision.landing import MeasuredDie
from vision.landing.call import call_die
from vision.landing.measure import Measurer
from vision.landing.shapes import KeptShape, LearntShapes, tint_of
from vision.measured import Measurement


class SceneOutcome(msgspec.Struct, frozen=True):
    """One line of the file of outcomes."""

    number: int
    outcomes: list[Outcome]


def judge_close_ups(camera: str, style: str, count: int) -> list[Outcome]:
    """What came of the dice of the first `count` landings of a style; drawn and measured where they were
    not yet."""
    path = cache_folder() / f"closeups-{camera}-{style}-{state()}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    known = {
        each.number: each.outcomes for each in _read_outcomes(path.read_bytes() if path.exists() else b"")
    }
    with path.open("ab") as file:
        for number in tqdm(range(count), desc=f"{camera}, {style}"):
            if number not in known:
                known[number] = _measured(close_up(number, camera, style))
                file.write(msgspec.json.encode(SceneOutcome(number, known[number])) + b"\n")
    return [outcome for number in range(count) for outcome in known[number]]


def _read_outcomes(lines: bytes) -> list[SceneOutcome]:
    """Outcomes that an earlier run left; a line cut short by a power cut is measured again."""
    kept = []
    for line in lines.splitlines():
        try:
            kept.append(msgspec.json.decode(line, type=SceneOutcome))
        except (msgspec.DecodeError, msgspec.ValidationError):
            continue
    return kept


def _measured(each: CloseUp) -> list[Outcome]:
    calibration = windowed(each)
    found = Measurer(calibration).measure(each.picture)
    pairs = [(die, call_die(die, calibration)) for die in found.dice]
    return list(outcomes_of(each.scene, pairs, found.unsure))


def windowed(each: CloseUp) -> TableCalibration:
    """The true calibration of a close-up's table, for its piece of the picture."""
    whole = _calibration(each.scene.kit.name, each.scene.kit.seed)
    left, top, right, bottom = each.window_px
    lens = whole.view.lens
    centre = (lens.centre_px[0] - left, lens.centre_px[1] - top)
    piece = replace(lens, width_px=right - left, height_px=bottom - top, centre_px=centre)
    return replace(whole, view=replace(whole.view, lens=piece))


@lru_cache(maxsize=2)
def _calibration(camera: str, seed: int) -> TableCalibration:
    return true_calibration(strange_kit(camera, seed))


LESSONS = 5
"""How often each die of a set lands before it is judged."""


class SeenSet(msgspec.Struct, frozen=True):
    """One line of the file: a landing as it was measured, and the tints of its dice."""

    number: int
    found: Measurement
    tints: tuple[tuple[float, ...], ...]


def judge_learnt(camera: str, count: int, *, calliper: bool) -> tuple[list[Outcome], list[Outcome]]:
    """What came of the dice of the first `count` landings, those that teach left out: measured as strangers,
    and as dice whose shapes are learnt, by somebody with a calliper or without. Drawn and measured where they
    were not yet."""
    strange: list[Outcome] = []
    learnt: list[Outcome] = []
    known: tuple[KeptShape, ...] = ()
    for seen in _measured_sets(camera, count):
        each = close_up(seen.number, camera, OF_A_SET)
        at = seen.number % PER_TABLE
        lesson = at < LESSONS * SET_DICE
        # A calliper has hundredths.
        edge_mm = round(each.scene.dice[0].edge_mm, 2) if calliper and lesson else None
        shapes = LearntShapes(Dice(), known if at else (), edge_mm=edge_mm)
        improved = shapes.improve(seen.found.dice, [np.array(tint) for tint in seen.tints])
        known = shapes.shapes
        if not lesson:
            strange += _judged_set(each, seen.found.dice, seen.found)
            learnt += _judged_set(each, improved, seen.found)
    return strange, learnt


def _judged_set(each: CloseUp, dice: Sequence[MeasuredDie], found: Measurement) -> list[Outcome]:
    calibration = windowed(each)
    return list(outcomes_of(each.scene, [(die, call_die(die, calibration)) for die in dice], found.unsure))


def _measured_sets(camera: str, count: int) -> list[SeenSet]:
    path = cache_folder() / f"set-{camera}-{state()}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = path.read_bytes().splitlines() if path.exists() else []
    # A line cut short by a power cut is measured again.
    kept = [msgspec.json.decode(line, type=SeenSet) for line in lines if line.endswith(b"]}")]
    known = {seen.number: seen for seen in kept}
    with path.open("ab") as file:
        for number in tqdm(range(count), desc=f"{camera}, {OF_A_SET}"):
            if number not in known:
                each = close_up(number, camera, OF_A_SET)
                picture = each.picture
                found = Measurer(windowed(each)).measure(picture)
                tints = tuple(tuple(tint_of(picture, die).tolist()) for die in found.dice)
                known[number] = SeenSet(number, found, tints)
                file.write(msgspec.json.encode(known[number]) + b"\n")
    return [known[number] for number in range(count)]


DICE, PAIRS, LEANING = 20, 4, 2
"""How many dice lie there, how many of them beside another that they touch, how many of those lean."""
FREE_MM = 30.0
"""From middle to middle of dice that do not touch."""


def full_table(seed: int, camera: str) -> Scene:
    """The scene of a seed: the table is that of `seed % TABLES`."""
    over, rng = kit(camera, seed % TABLES), np.random.default_rng([seed, 20])
    cubes = [on_tape(over, cube) for cube in _thrown(over, rng)]
    dice = [dress(c, draw_skin(str(rng.choice(KINDS)), rng), int(rng.integers(1, 7)), rng) for c in cubes]
    truths = tuple(truth_of(over, die, touching=i < 2 * PAIRS) for i, die in enumerate(dice))
    return Scene(seed=seed, style="full", kit=over, dice=truths)


def judge_full_tables(camera: str, count: int) -> tuple[list[Outcome], list[float]]:
    """What came of the dice of the first `count` full tables, and the processor time of each picture in s,
    unpacking included, with the true calibration."""
    outcomes: list[Outcome] = []
    took_s = []
    for seed in range(count):
        each = full_table(seed, camera)
        calibration = true_calibration(each.kit)
        measurer = Measurer(calibration)
        packed = np.frombuffer(each.path.read_bytes(), np.uint8)
        begun = time.process_time()
        picture = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
        found = measurer.measure(picture)
        pairs = [(die, call_die(die, calibration)) for die in found.dice]
        took_s.append(time.process_time() - begun)
        outcomes += outcomes_of(each, pairs, found.unsure)
    return outcomes, took_s


def _thrown(over: Kit, rng: np.random.Generator) -> list[Cube]:
    """The pairs first, then the dice that lie alone."""
    cubes: list[Cube] = []
    while len(cubes) < DICE:
        paired = len(cubes) < 2 * PAIRS
        new = [_body(rng, (float(rng.uniform(-205, 205)), float(rng.uniform(25, 500))))]
        if paired:
            lean = draw_lean(rng) if len(cubes) < 2 * LEANING else None
            new.append(against(new[0], _body(rng, (0.0, 0.0), lean), float(rng.uniform(0, 2 * math.pi))))
            if gap(*new) > 0.3:
                continue
        free = all(apart(one, other) > FREE_MM for one in new for other in cubes)
        if free and all(in_sight(over, one) for one in new):
            cubes += new
    return cubes


def _body(rng: np.random.Generator, at: tuple[float, float], lean: Floats | None = None) -> Cube:
    edge, rounding = (float(part) for part in rng.uniform([15.8, 0.5], [16.2, 3.0]))
    return standing((*at, 0.0), edge, rounding, float(rng.uniform(0, 90)), lean)


QUICK = {"even": 4, "near": 1, "dot": 1, "crowd": 1, "edge": 1}
FULL = {"even": 12, "near": 6, "dot": 3, "crowd": 3, "edge": 3}
"""Scenes of each style over each table."""
RUN_TABLES = (0, 1, 2, 3)


def run(camera: str | None, *, quick: bool, true: bool) -> None:
    """Draw, calibrate, measure and print."""
    cv2.setNumThreads(1)
    for name in [camera] if camera else list(PRESETS):
        asked = Run(
            camera=name,
            counts=QUICK if quick else FULL,
            tables=RUN_TABLES,
            calibrate=true_calibration if true else calibrated,
            calibrated="true" if true else "found",
        )
        outcomes, costs = measure_all(asked)
        preset = PRESETS[name]
        size = f"{preset.width_px}x{preset.height_px}, about {preset.mm_per_px} mm to a pixel"
        print(f"\n{name} ({size}), {len(costs)} pictures, calibration {asked.calibrated}")
        tell(outcomes, costs)
        print(f"Memory at most while measuring a picture: {_memory_mib(name):.0f} MiB, Python and all\n")


def run_close_ups(camera: str | None, count: int) -> None:
    """Draw, measure and print `count` landings of each style of dice of which nothing is known."""
    cv2.setNumThreads(1)
    for name in [camera] if camera else list(PRESETS):
        print(f"\n{name}: dice of unknown rounding, colours and light, {count} landings of each style")
        tell_close_ups([each for style in STYLES for each in judge_close_ups(name, style, count)])


def run_learnt(camera: str | None, count: int) -> None:
    """Draw, measure and print `count` landings of owners' dice, as strangers and as learnt ones."""
    cv2.setNumThreads(1)
    for name in [camera] if camera else list(PRESETS):
        print(f"\n{name}: dice of owners' sets, judged after {LESSONS} landings of each")
        strange, learnt = judge_learnt(name, count, calliper=False)
        _, by_calliper = judge_learnt(name, count, calliper=True)
        tell_learnt({"as strangers": strange, "learnt": learnt, "and by calliper": by_calliper})


def run_full(camera: str | None, count: int) -> None:
    """Draw, measure and print `count` tables with twenty dice."""
    cv2.setNumThreads(1)
    for name in [camera] if camera else list(PRESETS):
        print(f"\n{name}: twenty dice on a table, {count} pictures")
        tell_full(*judge_full_tables(name, count))


def _memory_mib(camera: str) -> float:
    """The most memory that a process takes that only unpacks and measures one picture."""
    scene(0, camera).path.exists()
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(_peak, (camera,))


def _peak(camera: str) -> float:
    cv2.setNumThreads(1)
    each = scene(0, camera)
    Measurer(true_calibration(each.kit), threads=1).measure(np.ascontiguousarray(each.picture))
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

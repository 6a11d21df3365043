"""`python -m benchmarks landing`: one camera after the other, with the calibration that a builder would
have made.
"""

import multiprocessing
import resource

import cv2
import numpy as np

from benchmarks.landing.bridge import true_calibration
from benchmarks.landing.close_up import STYLES
from benchmarks.landing.judged.calibrated import calibrated
from benchmarks.landing.judged.close_ups import judge_close_ups
from benchmarks.landing.judged.figures import tell, tell_close_ups, tell_full, tell_learnt
from benchmarks.landing.judged.full_table import judge_full_tables
from benchmarks.landing.judged.harness import Run, measure_all
from benchmarks.landing.judged.learnt import LESSONS, judge_learnt
from benchmarks.landing.kit import PRESETS
from benchmarks.landing.scenes import scene
from vision.landing.measure import Measurer

QUICK = {"even": 4, "near": 1, "dot": 1, "crowd": 1, "edge": 1}
FULL = {"even": 12, "near": 6, "dot": 3, "crowd": 3, "edge": 3}
"""Scenes of each style over each table."""
TABLES = (0, 1, 2, 3)


def run(camera: str | None, *, quick: bool, true: bool) -> None:
    """Draw, calibrate, measure and print."""
    cv2.setNumThreads(1)
    for name in [camera] if camera else list(PRESETS):
        asked = Run(
            camera=name,
            counts=QUICK if quick else FULL,
            tables=TABLES,
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

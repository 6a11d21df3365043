"""The landing benchmark: tables and thrown dice drawn with exact truth, calibrated, measured and called.

`scenes.scene(seed, camera, style)` is a picture with its truth, `kit.kit(camera, seed)` a camera over a laid
table with the pictures that calibrate it, `bridge.true_calibration(kit)` the calibration a perfect one would
have given. `python -m benchmarks landing [--quick] [--camera 12mp] [--true]` prints the figures,
`--unknown COUNT` those of dice of which nothing is known (`close_up.close_up(number, camera, style)`),
`--learnt COUNT` those of an owner's dice before and after their shapes are learnt, `--full COUNT` those of
tables with twenty dice.
"""

import argparse
import sys


def main() -> None:
    """Measure and print, one camera after the other; without being asked for by name, only the quick part."""
    # Loaded here: what draws the pictures must not wait for what measures them.
    from benchmarks.landing.judged.command import run, run_close_ups, run_full, run_learnt  # noqa: PLC0415

    parser = argparse.ArgumentParser(prog="python -m benchmarks landing")
    parser.add_argument("names", nargs="*", help=argparse.SUPPRESS)
    parser.add_argument("--quick", action="store_true", help="some thirty scenes with each camera")
    parser.add_argument("--camera", choices=("12mp", "3mp", "1mp"), help="one camera only")
    parser.add_argument(
        "--true", action="store_true", help="measure with the true calibration, to judge the fit alone"
    )
    parser.add_argument(
        "--unknown",
        type=int,
        metavar="COUNT",
        help="so many landings of dice of unknown shape, of each style",
    )
    parser.add_argument(
        "--learnt", type=int, metavar="COUNT", help="so many landings of dice whose shapes are learnt"
    )
    parser.add_argument("--full", type=int, metavar="COUNT", help="so many tables with twenty dice each")
    asked = parser.parse_args(sys.argv[1:])
    if asked.unknown:
        run_close_ups(asked.camera, asked.unknown)
        return
    if asked.learnt:
        run_learnt(asked.camera, asked.learnt)
        return
    if asked.full:
        run_full(asked.camera, asked.full)
        return
    run(asked.camera, quick=asked.quick or "landing" not in asked.names, true=asked.true)

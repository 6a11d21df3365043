"""The landing benchmark: tables and thrown dice drawn with exact truth, calibrated, measured and called.

    python -m benchmarks landings [--quick] [--camera 12mp] [--true]

`--unknown COUNT` measures dice of which nothing is known, `--learnt COUNT` an owner's dice before and after
their shapes are learnt, `--full COUNT` tables with twenty dice. `--painter other --tables COUNT` runs whole
tables of a second painter through the product, calibration and all, each under its own camera.

What draws: `scenes.scene(seed, camera, style)` is a picture with its truth, `scenes.kit(camera, seed)` a
camera over a laid table with the pictures that calibrate it, `close_up.close_up(number, camera, style)` a
piece of one. The painter shares no code with what it measures, and none with the painter that networks learn
from."""

import argparse
from collections.abc import Sequence
from pathlib import Path


def main(words: Sequence[str] = ()) -> None:
    """Measure and print, one camera after the other."""
    # Loaded here: what draws the pictures must not wait for what measures them.
    from benchmarks.landing.other_painter.judging import run_other  # noqa: PLC0415
    from benchmarks.landing.run import run, run_close_ups, run_full, run_learnt  # noqa: PLC0415

    parser = argparse.ArgumentParser(prog="python -m benchmarks landings")
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
    parser.add_argument("--painter", choices=("own", "other"), default="own", help="who draws; see --tables")
    parser.add_argument("--tables", type=int, default=12, help="so many tables of the other painter")
    parser.add_argument("--first", type=int, default=0, metavar="SEED", help="the first of these tables")
    parser.add_argument("--sheet", type=Path, metavar="FILE", help="a PNG of the other painter's lost dice")
    options = parser.parse_args(words)
    if options.painter == "other":
        run_other(options.tables, options.first, options.sheet)
        return
    if options.unknown:
        run_close_ups(options.camera, options.unknown)
        return
    if options.learnt:
        run_learnt(options.camera, options.learnt)
        return
    if options.full:
        run_full(options.camera, options.full)
        return
    run(options.camera, quick=options.quick, true=options.true)

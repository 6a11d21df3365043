"""The command: see `tests.soak`."""

import argparse
import sys
from pathlib import Path

from tests.soak.run import SoakAsked, soak
from tests.soak.verdict import verdict


def main() -> int:
    """Play, and tell what came of it; 0 when all was well."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak")
    parser.add_argument("--throws", type=int, default=20_000)
    parser.add_argument("--drawn", type=int, default=30, help="different throws of the same dice")
    parser.add_argument("--viewers", type=int, default=2, help="pages that look on")
    parser.add_argument("--films", action="store_true", help="film the throws, too")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, help="where the box has its data: on a disk")
    parser.add_argument("--pool", type=Path, help="where drawn throws are kept for another time")
    parser.add_argument("--figures", type=Path, help="a file that gets the figures, a line of JSON each time")
    soaked = soak(SoakAsked(**vars(parser.parse_args())))
    told = verdict(soaked.tally, soaked.gauges)
    print("\n".join(told.lines))
    return 0 if told.well else 1


if __name__ == "__main__":
    sys.exit(main())

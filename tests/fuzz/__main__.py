"""Runs fuzz targets and prints their outcomes: see `tests.fuzz`."""

import argparse
import sys
from collections import Counter

from tqdm import tqdm

from tests.fuzz.targets import FAULT, TARGETS, load_target


def run_target(name: str, cases: int | None, seed: int) -> int:
    """Run one target, print its tally and each fault, and return the number of faults."""
    target = load_target(name)
    count = target.CASES if cases is None else cases
    outcomes: Counter[str] = Counter()
    for outcome in tqdm(target.fuzz(count, seed), total=count, desc=name, unit="case"):
        if outcome.startswith(FAULT):
            tqdm.write(outcome)
        outcomes[outcome if not outcome.startswith(FAULT) else FAULT] += 1
    tally = ", ".join(f"{number} {outcome}" for outcome, number in outcomes.most_common())
    print(f"{name}: {sum(outcomes.values())} cases, seed {seed}: {tally}")
    return outcomes[FAULT]


def main() -> int:
    """Run the named targets, or all; 0 when no case ended in a fault."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help=f"any of {', '.join(TARGETS)}; all when left out"
    )
    parser.add_argument("--cases", type=int, help="cases of each target, instead of its own number")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    if unknown := set(args.names) - set(TARGETS):
        parser.error(f"there is no target {', '.join(sorted(unknown))}")
    faults = sum([run_target(name, args.cases, args.seed) for name in args.names or TARGETS])
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

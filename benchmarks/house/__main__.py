"""`python -m benchmarks.house [--trace] [--mypy] [--tests]`: the house in figures, beside those of before."""

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.house.checks import CheckFailed
from benchmarks.house.dice import die_types
from benchmarks.house.figures import before, listed, markdown, of_checks, of_source, of_tests, of_ways, table
from benchmarks.house.tree import Tree


def main(words: Sequence[str] | None = None) -> int:
    """Print what was asked for; 1 when a tool could not be run."""
    given = _parser().parse_args(words)
    root: Path = given.root.resolve()
    tree = Tree.read(root)
    if given.types:
        for die in die_types(tree):
            print(f"{'painted' if die.painted else 'page':8} {die.module}.{die.name}: {die.why}")
        return 0
    figures, lists = of_source(tree), listed(tree) if given.verbose else {}
    try:
        if given.trace:
            passed, files = of_ways(root)
            figures |= passed
            lists |= {f"files that a {kind} passes": names for kind, names in files.items()} if lists else {}
        if given.mypy:
            figures |= of_checks(root)
        if given.tests:
            figures |= of_tests(root)
    except (CheckFailed, subprocess.CalledProcessError) as error:
        print(error, file=sys.stderr)
        return 1
    if given.json:
        print(json.dumps(figures, indent=2))
    elif given.markdown:
        print(markdown(figures, before(), given.markdown))
    else:
        print(table(figures, before()))
    for title, lines in lists.items():
        print(f"\n{title}:", *lines, sep="\n  ")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.house", description=__doc__)
    parser.add_argument("--root", type=Path, default=Path(__file__).parents[2], help="another source tree")
    parser.add_argument(
        "--trace", action="store_true", help="throw, and count what a throw passes (a minute)"
    )
    parser.add_argument("--mypy", action="store_true", help="count mypy's errors")
    parser.add_argument("--tests", action="store_true", help="time make test")
    parser.add_argument("--types", action="store_true", help="only list the types that mean a die")
    parser.add_argument("--json", action="store_true", help="as JSON")
    parser.add_argument(
        "--markdown", metavar="NAME", help="as the table of docs/house.md, NAME over the last column"
    )
    parser.add_argument("-v", "--verbose", action="store_true", help="list what stands behind the figures")
    return parser


if __name__ == "__main__":
    sys.exit(main())

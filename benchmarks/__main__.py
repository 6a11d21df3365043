"""`python -m benchmarks [NAME...] [--OPTION...]`: run those named, or all; `--list` says what they do."""

import ast
import importlib
import importlib.util
import sys
from itertools import takewhile
from pathlib import Path

from benchmarks import MODULES


def main(names: list[str]) -> int:
    """Run them in order; 2 for an unknown name."""
    present = [name for name in MODULES if importlib.util.find_spec(f"benchmarks.{name}")]
    unknown = [name for name in names if name not in present]
    if unknown:
        print(f"no benchmark is called {', '.join(unknown)}; there are {', '.join(present)}", file=sys.stderr)
        return 2
    for name in names or present:
        print(f"== {name}", flush=True)
        importlib.import_module(f"benchmarks.{name}").main()
        print(flush=True)
    return 0


def print_list() -> None:
    """Print each benchmark's name and what it measures, without running any."""
    for name in MODULES:
        found = importlib.util.find_spec(f"benchmarks.{name}")
        source = Path(found.origin).read_text("utf-8") if found and found.origin else ""
        first, _, _ = (ast.get_docstring(ast.parse(source)) or "").partition("\n\n")
        print(f"{name:12}{' '.join(first.split())}")


if __name__ == "__main__":
    if sys.argv[1:] in (["--help"], ["--list"]):
        print_list()
    else:
        sys.exit(main(list(takewhile(lambda word: not word.startswith("-"), sys.argv[1:]))))

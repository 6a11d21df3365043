"""`python -m benchmarks [NAME...] [--OPTION...]`: run those named, or all; options are theirs."""

import importlib
import importlib.util
import sys
from itertools import takewhile

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


if __name__ == "__main__":
    sys.exit(main(list(takewhile(lambda word: not word.startswith("-"), sys.argv[1:]))))

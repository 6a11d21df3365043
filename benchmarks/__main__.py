"""`python -m benchmarks NAME [OPTION...]`: runs one of the benchmarks; `all` runs those of `make bench`."""

import argparse
import importlib
import sys
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A module with `main(words)`, and what people decide by its figures."""

    module: str
    decides: str
    words: Sequence[str] = ()
    """The options with which `all` runs it."""
    in_all: bool = True


BENCHMARKS = {
    "read": Benchmark("reading", "how far the reader is to be trusted, and where dice are lost"),
    "fit": Benchmark("fit", "how sure a reading is: fits the confidence anew", in_all=False),
    "throws": Benchmark("throws", "whether each throw of every game counts once and as it lies"),
    "touched": Benchmark("touched", "whether dice that a hand touched after the roll are noticed"),
    "history": Benchmark("history", "whether the box knows where each die came from"),
    "acts": Benchmark("acts", "whether fouls, slides and dice off the End Zone table are noticed"),
    "landings": Benchmark(
        "landing", "how exact a landing is, and whether a certain call is ever wrong", ("--quick",)
    ),
    "tables": Benchmark("calibrating", "how exact a calibration is, on tables of any colour and shape"),
    "speed": Benchmark("speed", "what reading, watching, filming and the rules cost"),
    "latency": Benchmark("latency", "how long from dice at rest to the lit score, and the load at rest"),
    "memory": Benchmark("memory", "how much memory a box needs"),
    "functions": Benchmark("functions", "how much code a roll, a landing and a bet pass"),
    "pages": Benchmark("pages", "how heavy each page is, and how soon it shows something"),
    "set_up": Benchmark("set_up", "how long each step of the set-up takes"),
    "crowd": Benchmark("crowd", "how many phones a box stands, hostile ones among them"),
    "secret_bets": Benchmark("secret_bets", "whether anything that is sent gives a secret bet away"),
    "hall": Benchmark("hall", "how many tables the desk of a hall can hear"),
}


def main(words: Sequence[str]) -> int:
    """Run the benchmark that is named; the words after it are its own options."""
    names = "\n".join(f"  {name:<12} {each.decides}" for name, each in BENCHMARKS.items())
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description=f"{__doc__}\n\n{names}\n\n`python -m benchmarks NAME --help` has the options of each.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("name", choices=(*BENCHMARKS, "all"), metavar="NAME")
    parser.add_argument("options", nargs=argparse.REMAINDER, metavar="OPTION")
    options = parser.parse_args(words)
    if options.name != "all":
        _run(options.name, options.options)
        return 0
    for name, each in BENCHMARKS.items():
        if each.in_all:
            print(f"== {name}", flush=True)
            _run(name, each.words)
            print(flush=True)
    return 0


def _run(name: str, words: Sequence[str]) -> None:
    importlib.import_module(f"benchmarks.{BENCHMARKS[name].module}").main(words)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""All figures of the house by name, and the rows in which people read them."""

import json
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from benchmarks.house.arrows import doors_of, module_circles, plan_of, silent_packages, wrong_way
from benchmarks.house.checks import mypy_errors, test_seconds
from benchmarks.house.dice import die_types
from benchmarks.house.names import (
    array_aliases,
    classes_defined_twice,
    dangling_texts,
    long_files,
    long_functions,
    twice,
)
from benchmarks.house.tree import ROOMS, Tree

Figures = Mapping[str, int]

BEFORE = Path(__file__).with_name("before.json")
BEFORE_NAME = "0.1.0 (d629341)"
PASSED = Path(__file__).with_name("passed.py")
UNKNOWN = "-"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One line of the table: what it counts, and the figures in it."""

    words: str
    keys: tuple[str, ...]

    def cell(self, figures: Figures) -> str:
        """The figures, or dashes for those that were not taken."""
        return " / ".join(str(figures.get(key, UNKNOWN)) for key in self.keys)


PLAN = ("modules", "loose", "rooms", "arrows", "back_up", "floors")
ROWS = (
    *(
        Row(
            words=f"{room}: modules / loose ones / rooms / arrows / arrows back up / floors",
            keys=tuple(f"{room}.{name}" for name in PLAN),
        )
        for room in ROOMS
    ),
    Row(words="imports between these five that run up", keys=("wrong_way",)),
    Row(words="circles of modules", keys=("circles",)),
    Row(words="vision is entered at / of them beside its doors", keys=("vision.entered", "vision.unoffered")),
    Row(words="modules of all five entered beside their doors", keys=("unoffered",)),
    Row(words="packages / of them with nothing offered", keys=("packages", "packages.silent")),
    Row(words="types that mean a die: from pixels to page / all", keys=("die_types.page", "die_types")),
    Row(words="class names that stand in two or more modules", keys=("classes.twice",)),
    Row(words="Floats / Picture defined so often", keys=("aliases.Floats", "aliases.Picture")),
    Row(words="names of array types / their definitions", keys=("aliases", "aliases.definitions")),
    Row(words='texts that begin "Of" or "So": product / around it', keys=("dangling", "dangling.around")),
    Row(words="functions over 40 lines / files over 400", keys=("functions.long", "files.long")),
    Row(words="a roll passes: functions / files", keys=("roll.functions", "roll.files")),
    Row(words="a landing passes: functions / files", keys=("landing.functions", "landing.files")),
    Row(words="mypy errors: product / tests and benchmarks", keys=("mypy", "mypy.around")),
    Row(words="seconds of make test", keys=("test_s",)),
)


def of_source(tree: Tree) -> dict[str, int]:
    """What can be counted without running anything."""
    found: dict[str, int] = {}
    for room in ROOMS:
        plan = plan_of(tree, room)
        values = (plan.modules, len(plan.loose), plan.rooms, plan.arrows, plan.back_up, plan.floors)
        found.update({f"{room}.{name}": value for name, value in zip(PLAN, values, strict=True)})
    doors, dice, aliases = doors_of(tree, "vision"), die_types(tree), array_aliases(tree)
    inside = list(tree.of_rooms())
    around = [module for module in tree.modules.values() if module.top not in ROOMS]
    return found | {
        "wrong_way": len(wrong_way(tree)),
        "circles": len(module_circles(tree)),
        "vision.entered": len(doors.entered),
        "vision.unoffered": len(doors.unoffered),
        "unoffered": sum(len(doors_of(tree, room).unoffered) for room in ROOMS),
        "packages": sum(module.is_package for module in inside),
        "packages.silent": len(silent_packages(tree)),
        "die_types": len(dice),
        "die_types.page": sum(not die.painted for die in dice),
        "classes.twice": len(classes_defined_twice(tree)),
        "aliases": len(aliases),
        "aliases.definitions": sum(map(len, aliases.values())),
        "aliases.Floats": len(aliases.get("Floats", ())),
        "aliases.Picture": len(aliases.get("Picture", ())),
        "dangling": sum(len(dangling_texts(module)) for module in inside),
        "dangling.around": sum(len(dangling_texts(module)) for module in around),
        "functions.long": sum(len(long_functions(module)) for module in tree.modules.values()),
        "files.long": len(long_files(tree)),
    }


def of_ways(root: Path) -> tuple[dict[str, int], dict[str, list[str]]]:
    """What a roll and a landing pass (benchmarks/house/passed.py), and their files in order.

    Raises `subprocess.CalledProcessError` when the box could not play.
    """
    told = subprocess.run(
        [sys.executable, PASSED, root], stdout=subprocess.PIPE, text=True, check=True
    ).stdout
    ways = json.loads(told.splitlines()[-1])
    found: dict[str, int] = {}
    for kind, way in ways.items():
        found |= {f"{kind}.functions": way["functions"], f"{kind}.files": len(way["files"])}
    return found, {kind: way["files"] for kind, way in ways.items()}


def of_checks(root: Path) -> dict[str, int]:
    """What mypy says; raises `CheckFailed`."""
    product, around = mypy_errors(root)
    return {"mypy": product, "mypy.around": around}


def of_tests(root: Path) -> dict[str, int]:
    """How long the tests take; raises `CheckFailed`."""
    return {"test_s": round(test_seconds(root))}


def before() -> dict[str, int]:
    """The figures of `BEFORE_NAME`."""
    found: dict[str, int] = json.loads(BEFORE.read_text(encoding="utf-8"))
    return found


def listed(tree: Tree) -> dict[str, list[str]]:
    """What stands behind the figures, for people who want to see it."""
    twice_defined = classes_defined_twice(tree)
    doors = doors_of(tree, "vision")
    return {
        "imports that run up": [f"{start} -> {end}" for start, end in wrong_way(tree)],
        "circles of modules": [", ".join(sorted(circle)) for circle in module_circles(tree)],
        "rooms that import each other": [
            ", ".join(sorted(circle)) for room in ROOMS for circle in plan_of(tree, room).circles
        ],
        "vision is entered at": [
            name + (" (beside its door)" if name in doors.unoffered else "") for name in sorted(doors.entered)
        ],
        "packages that offer nothing": silent_packages(tree),
        "classes in two or more modules": [_defined(name, at) for name, at in twice_defined.items()],
        "array types defined twice": [_defined(name, at) for name, at in twice(array_aliases(tree)).items()],
        'texts that begin "Of" or "So"': [
            text for module in tree.modules.values() for text in dangling_texts(module)
        ],
        "functions over 40 lines": [
            text for module in tree.modules.values() for text in long_functions(module)
        ],
        "files over 400 lines": long_files(tree),
    }


def _defined(name: str, places: tuple[str, ...]) -> str:
    return f"{name} x{len(places)}: {', '.join(places)}"


def table(now: Figures, then: Figures) -> str:
    """Both sets of figures side by side, for a terminal."""
    cells = [(row.words, row.cell(then), row.cell(now)) for row in ROWS]
    head = ("", BEFORE_NAME, "now")
    widths = [max(len(line[column]) for line in (head, *cells)) for column in range(3)]
    return "\n".join(
        "   ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)).rstrip()
        for line in (head, *cells)
    )


def markdown(now: Figures, then: Figures, name: str) -> str:
    """The same as the table of docs/house.md; `name` heads the column of now."""
    lines = [f"| | {BEFORE_NAME} | {name} |", "|---|---|---|"]
    lines += [f"| {row.words} | {row.cell(then)} | {row.cell(now)} |" for row in ROWS]
    return "\n".join(lines)


def rows_of(text: str) -> dict[str, str]:
    """From a page with such a table: what each row counts, and its first figures."""
    return dict(re.findall(r"^\| ([^|]+?) \| ([^|]+?) \|", text, re.MULTILINE))

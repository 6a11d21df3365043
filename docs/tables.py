"""Rewrites the tables of the guides that are made from code: `python docs/tables.py`.

A table stands between `<!-- table: NAME -->` and `<!-- end -->`. tests/test_docs.py fails where one is
out of date.
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PLACE = re.compile(r"(<!-- table: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)
ROOMS = ("engine", "calibration", "vision", "models", "device")
PAINTERS = ("models/", "device/simulator/")
"""Painters and training have dice of their own."""


def first_sentence(node: ast.Module | ast.ClassDef) -> str:
    """The first sentence of a docstring, without its full stop."""
    text = " ".join((ast.get_docstring(node) or "").split("\n\n")[0].split())
    return re.split(r"(?<=[a-z0-9)`\"])\. ", text)[0].rstrip(".").replace("|", "\\|")


def rooms() -> str:
    """The folders of `device/` with the first sentence of their docstrings."""
    rows = ["| In `device/` | What happens there |", "|---|---|"]
    for door in sorted((ROOT / "device").glob("*/__init__.py")):
        told = first_sentence(ast.parse(door.read_text(encoding="utf-8")))
        rows.append(f"| `{door.parent.name}/` | {told} |")
    return "\n".join(rows)


def dice() -> str:
    """The classes whose name has Die in it, from the pixels to the page."""
    rows = ["| Type | Where | What it is |", "|---|---|---|"]
    for path in (path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py"))):
        where = path.relative_to(ROOT).as_posix()
        if not where.startswith(PAINTERS):
            rows += [
                f"| `{node.name}` | [{where}](../{where}) | {first_sentence(node)} |"
                for node in ast.parse(path.read_text(encoding="utf-8")).body
                if isinstance(node, ast.ClassDef)
                and re.search(r"Die(?![a-z])", node.name)
                and node.name[0] != "_"
            ]
    return "\n".join(rows)


def benchmarks() -> str:
    """The subcommands of `python -m benchmarks`, and what each decides."""
    sys.path.insert(0, str(ROOT))
    from benchmarks.__main__ import BENCHMARKS  # noqa: PLC0415 - found from the root only

    rows = ["| `python -m benchmarks ...` | What it decides |", "|---|---|"]
    return "\n".join([*rows, *(f"| `{name}` | {each.decides} |" for name, each in BENCHMARKS.items())])


TABLES = {"rooms": rooms, "dice": dice, "benchmarks": benchmarks}


def rewritten() -> Iterator[tuple[Path, str]]:
    """Each guide with such a table, and its text as it should be."""
    for path in sorted((ROOT / "docs").glob("*.md")):
        text = path.read_text(encoding="utf-8")
        if PLACE.search(text):
            yield path, PLACE.sub(lambda found: f"{found[1]}{TABLES[found[2]]()}\n{found[3]}", text)


if __name__ == "__main__":
    for guide, text in rewritten():
        guide.write_text(text, encoding="utf-8")

"""Change one thing in the source at a time, and see whether a test fails.

    python -m tests.mutate engine/zonk vision/decide.py --count 40 --seed 1

Each change is made in a copy of the tree, where the tests that belong to its file (TESTS) then run. What came
of it stands in build/mutants.jsonl: broken off, the next call goes on. `--again` tries survivors anew.
"""

import ast
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import click

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "build" / "mutants.jsonl"
GAMES = tuple(
    f"tests/engine/test_{name}.py" for name in ("recordings", "written_games", "pads", "manual", "games")
)
TESTS = {
    "engine/zonk": ("tests/engine/test_zonk_*.py", *GAMES),
    "engine/ten_thousand": ("tests/engine/test_ten_thousand_*.py", *GAMES),
    "engine/end_zone": ("tests/engine/test_end_zone_*.py", *GAMES),
    "engine/zoinx": ("tests/engine/test_zoinx_*.py", *GAMES),
    "engine/pig": ("tests/engine/test_pig.py", *GAMES),
    "vision/decide": ("tests/vision/test_decide.py",),
    "vision/reading": ("tests/vision/test_whole.py", "tests/vision/test_decide.py"),
    "vision/learned/confidence": ("tests/vision/learned/test_[rs]*.py", "tests/vision/test_decide.py"),
    "vision/learned": ("tests/vision/learned",),
    "device/journal": (
        "tests/device/journal",
        "tests/device/games/test_s*.py",
        "tests/device/venue",
        "tests/device/hall/test_ingest.py",
    ),
    "device/people": ("tests/device/people", "tests/device/console/test_who_may.py"),
    "device/requests": ("tests/device/console/test_who_may.py", "tests/device/console/test_routes.py"),
    "device/console": ("tests/device/console/test_who_may.py", "tests/device/console/test_guard.py"),
}
"""The tests of a file, by how its path begins: those that run first are the likeliest to fail."""
CPU_S = 200
"""A changed loop may never end; then the change counts as found."""
NO_SOURCE = (".git", ".venv*", "build", "__pycache__", ".*_cache")
NO_CODE = {"annotation", "returns", "decorator_list", "bases", "type_params", "slice"}
PAIRS = (
    (ast.Lt, ast.LtE), (ast.Gt, ast.GtE), (ast.Eq, ast.NotEq), (ast.Is, ast.IsNot), (ast.In, ast.NotIn),
    (ast.And, ast.Or), (ast.Add, ast.Sub), (ast.Mult, ast.Div), (ast.FloorDiv, ast.Mod),
    (ast.BitOr, ast.BitAnd),
)  # fmt: skip
SWAPS = dict(PAIRS) | {after: before for before, after in PAIRS}


class Mutant(NamedTuple):
    """A change of a file: the number of it among all of that file, and how it reads."""

    path: str
    number: int
    line: int
    change: str


def instead(node: ast.AST) -> list[ast.AST]:
    """What may stand in the place of a node."""
    new: list[ast.AST] = [SWAPS[type(node)]()] if type(node) in SWAPS else []
    match node:
        case ast.Constant(value=bool(value)):
            new = [ast.Constant(not value)]
        case ast.Constant(value=int(value) | float(value)):
            new = [ast.Constant(value + 1), ast.Constant(value - 1)]
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            new = [operand]
        case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
            new = [ast.Return(ast.Constant(None))]
        case ast.Tuple(elts=[_, _, *_], ctx=ast.Load()) | ast.List(elts=[_, _, *_], ctx=ast.Load()):
            new = [type(node)(some, ast.Load()) for some in (node.elts[:-1], node.elts[1:])]
        case ast.Expr(value=ast.Call()) | ast.Raise() | ast.AugAssign():
            new = [ast.Pass()]
        case _:
            pass
    return new


def places(node: ast.AST) -> Iterator[tuple[ast.AST, str, int | None]]:
    """Where code stands below a node: in which field of what, and as the how manieth of a list there."""
    if isinstance(node, ast.JoinedStr):
        return
    for field, value in ast.iter_fields(node):
        if field in NO_CODE or (field == "keywords" and isinstance(node, ast.ClassDef)):
            continue
        for index, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if isinstance(child, ast.AST):
                yield node, field, index
                yield from places(child)


def changes(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """The line and the words of each change, which stands in the tree until the next one is asked for."""
    for node, field, index in list(places(tree)):
        row = getattr(node, field)
        old = row if index is None else row[index]

        def put(code: ast.AST, at: tuple[ast.AST, str, int | None] = (node, field, index)) -> str:
            holder, name, place = at
            if place is None:
                setattr(holder, name, code)
            else:
                getattr(holder, name)[place] = code
            return ast.unparse(code if isinstance(code, ast.stmt) else holder).partition("\n")[0]

        before = put(old)
        for new in instead(old):
            yield getattr(old, "lineno", getattr(node, "lineno", 0)), f"{before} -> {put(new)}"
        put(old)


def mutants(path: str) -> list[Mutant]:
    """All changes of a file."""
    tree = ast.parse((ROOT / path).read_text())
    return [Mutant(path, number, line, words) for number, (line, words) in enumerate(changes(tree))]


def mutated(mutant: Mutant) -> str:
    """The file with this change."""
    tree = ast.parse((ROOT / mutant.path).read_text())
    next(islice(changes(tree), mutant.number, None))
    return ast.unparse(ast.fix_missing_locations(tree))


def fails(tree: Path, path: str) -> bool:
    """Whether a test of this file fails in a tree."""
    prefix = max((start for start in TESTS if path.startswith(start)), key=len)
    tests = [test for pattern in TESTS[prefix] for test in sorted(tree.glob(pattern))]
    options = ["-x", "-q", "-m", "not long", "--hypothesis-profile", "brief", "-p", "no:cacheprovider"]
    ran = subprocess.run(
        ["prlimit", f"--cpu={CPU_S}", sys.executable, "-m", "pytest", *options, *tests],
        cwd=tree,
        env=os.environ | {"PYTHONDONTWRITEBYTECODE": ""},
        capture_output=True,
        check=False,
    )
    return ran.returncode != 0


def is_found(tree: Path, mutant: Mutant, time: int) -> bool:
    """Whether a test fails with this change, which is taken back afterwards."""
    file = tree / mutant.path
    before = file.read_text()
    file.write_text(mutated(mutant))
    os.utime(file, (time, time))  # what Python compiled of it before is of another time
    found = fails(tree, mutant.path)
    file.write_text(before)
    return found


def outcomes() -> dict[str, bool]:
    """Which of the changes that were tried were found."""
    rows = RESULTS.read_text().splitlines() if RESULTS.exists() else []
    return {row["mutant"]: row["found"] for row in map(json.loads, rows)}


@click.command
@click.argument("paths", nargs=-1)
@click.option("--count", default=40, help="How many changes are tried of each path.")
@click.option("--seed", default=1)
@click.option("--again", is_flag=True, help="Try once more what survived.")
def main(paths: tuple[str, ...], count: int, seed: int, again: bool) -> None:
    """Try changes of PATHS (else of all that TESTS names), and name those that no test notices."""
    RESULTS.parent.mkdir(exist_ok=True)
    known, survivors, tried = outcomes(), list[str](), 0
    product = sorted(
        str(file.relative_to(ROOT))
        for top in ("engine", "vision", "device")
        for file in (ROOT / top).rglob("*.py")
    )
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(shutil.copytree(ROOT, Path(folder) / "tree", ignore=shutil.ignore_patterns(*NO_SOURCE)))
        for path in paths or TESTS:
            files = [file for file in product if file.startswith(path)]
            every = [mutant for file in files for mutant in mutants(file)]
            assert not fails(tree, path), f"the tests of {path} fail without any change"
            for mutant in random.Random(seed).sample(every, min(count, len(every))):
                key, tried = f"{mutant.path}:{mutant.line}: {mutant.change} (#{mutant.number})", tried + 1
                if key not in known or (again and not known[key]):
                    known[key] = is_found(tree, mutant, tried)
                    with RESULTS.open("a") as out:
                        out.write(json.dumps({"mutant": key, "found": known[key]}) + "\n")
                if not known[key]:
                    survivors.append(key)
                    click.echo(f"survived  {key}")
    click.echo(f"{tried - len(survivors)} of {tried} found")


if __name__ == "__main__":
    main()

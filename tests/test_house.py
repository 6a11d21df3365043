"""The house keeps its shape: a room is entered by its door, and nowhere else.

A package's `__init__` says in `__all__` what it offers: names, or modules of its own. Whoever stands outside
imports those; the tests of a room may look inside it.
"""

import ast
import gc
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from tests.mutate import TESTS

ROOT = Path(__file__).parents[1]
ROOMS = ("device", "vision", "engine", "calibration", "models")
LONGEST_FUNCTION = 40
TOOL = "device.languages.gather"
"""A developer's tool beside the product, which looks into many rooms and is imported by none."""
NOBODY_ENTERS = {"device", "device.commands"}
"""The command line starts the first; the second's modules are loaded by the name of a command."""
PAINTERS = ("models.painting", "models.scenes", "device.simulator")
APART = [
    ROOT / "benchmarks" / "landing",
    ROOT / "tests" / "calibration" / "stage.py",
    ROOT / "tests" / "vision" / "scenes.py",
    ROOT / "tests" / "vision" / "landing" / "stage.py",
]
"""Other painters, which share nothing with those: a mistake in what painters share shows in none of their
pictures."""
PACKAGES = {
    ".".join(door.parent.relative_to(ROOT).parts): door
    for room in ROOMS
    for door in (ROOT / room).rglob("__init__.py")
}


@dataclass(frozen=True)
class Entry:
    """One name imported from a module."""

    source: Path
    line: int
    module: str
    name: str

    @property
    def way(self) -> list[str]:
        """The steps from the room to what is imported."""
        return [*self.module.split("."), self.name]


def offered(package: str) -> set[str]:
    """What a package's `__all__` names."""
    for node in ast.parse(PACKAGES[package].read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__":
            return set(ast.literal_eval(node.value))
    return set()


def entries(path: Path) -> Iterator[Entry]:
    """All that a file imports from the rooms."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] in ROOMS:
            for alias in node.names:
                yield Entry(path, node.lineno, node.module, alias.name)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                module, _, name = alias.name.rpartition(".")
                if alias.name.split(".")[0] in ROOMS:
                    yield Entry(path, node.lineno, module or name, name)


def by_the_wall(entry: Entry, home: str) -> str:
    """The first package on the way that does not offer what is taken from it; "" when all do."""
    way = entry.way
    for steps in range(1, len(way)):
        package = ".".join(way[:steps])
        if package not in PACKAGES or f"{home}.".startswith(f"{package}."):
            continue
        if package not in NOBODY_ENTERS and way[steps] not in offered(package):
            return package
    return ""


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_is_entered_by_its_door(room: str) -> None:
    broken = []
    for path in sorted((ROOT / room).rglob("*.py")):
        home = ".".join(path.relative_to(ROOT).parent.parts)
        for entry in entries(path):
            if package := by_the_wall(entry, home):
                where = f"{path.relative_to(ROOT)}:{entry.line}"
                broken.append(
                    f"{where} takes {entry.name} out of {entry.module}; {package} does not offer it"
                )
    assert broken == []


@pytest.mark.parametrize("package", sorted(set(PACKAGES) - NOBODY_ENTERS))
def test_a_door_says_what_it_offers(package: str) -> None:
    door = PACKAGES[package]
    tree = ast.parse(door.read_text(encoding="utf-8"))
    names = offered(package)
    assert ast.get_docstring(tree), f"{package} does not say what it is for"
    assert names, f"{package} offers nothing: give its __init__ an __all__"
    bound: set[str] = set()
    for node in tree.body:
        match node:
            case ast.ImportFrom(names=taken):
                bound |= {alias.asname or alias.name for alias in taken}
            case ast.Assign() | ast.AnnAssign():
                bound |= {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                bound.add(name)
            case _:
                pass
    inside = {path.stem for path in door.parent.glob("*.py")}
    inside |= {path.parent.name for path in door.parent.glob("*/__init__.py")}
    assert names <= bound | inside, f"{package} offers what it does not have"


def test_a_way_through_the_wall_is_seen() -> None:
    inner = Entry(ROOT / "device" / "box.py", 1, "vision.landing.edges", "Edges")
    assert by_the_wall(inner, "device") == "vision.landing"
    assert by_the_wall(inner, "vision.landing") == ""


def test_nobody_above_the_wire_speaks_of_the_simulator() -> None:
    """Imports are a contract in pyproject.toml; here also those by name, and the words of comments."""
    below = ROOT / "device" / "simulator"
    know = {ROOT / "device" / "box.py", ROOT / "device" / "commands" / "opening.py"}
    heard = {
        path
        for path in (ROOT / "device").rglob("*.py")
        if below not in path.parents and "device.simulator" in path.read_text(encoding="utf-8")
    }
    assert heard == know


@pytest.mark.parametrize("apart", APART, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_painters_of_benchmarks_and_tests_stay_apart(apart: Path) -> None:
    paths = sorted(apart.rglob("*.py")) if apart.is_dir() else [apart]
    assert paths
    lent = [
        f"{path.relative_to(ROOT)}:{entry.line}"
        for path in paths
        for entry in entries(path)
        if f"{entry.module}.{entry.name}.".startswith(tuple(f"{painter}." for painter in PAINTERS))
    ]
    assert lent == []


Source = dict[str, list[ast.AST]]
READ = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef, ast.Import, ast.ImportFrom, ast.Call, ast.Expr)
"""What the checks below look at."""


def nodes(text: str) -> list[ast.AST]:
    """What a module's text has of it, in any order."""
    return [node for node in ast.walk(ast.parse(text)) if isinstance(node, READ)]


@pytest.fixture(scope="module")
def source() -> Source:
    """Every module of the rooms, benchmarks and tests, by its dotted name."""
    gc.disable()  # else it looks through a million nodes again and again
    read = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): nodes(
            path.read_text(encoding="utf-8")
        )
        for top in (*ROOMS, "benchmarks", "tests")
        for path in sorted((ROOT / top).rglob("*.py"))
    }
    gc.enable()
    return read


def in_rooms(module: str) -> bool:
    """Whether a module is part of the product."""
    return module.partition(".")[0] in ROOMS


def test_no_class_name_stands_for_two_things(source: Source) -> None:
    counted = Counter(
        node.name
        for module, found in source.items()
        if in_rooms(module)
        for node in found
        if isinstance(node, ast.ClassDef)
    )
    assert [name for name, count in counted.items() if count > 1] == []


def test_every_text_names_what_it_speaks_of(source: Source) -> None:
    """A docstring that begins with "Of" or "So" cannot be understood alone."""
    dangling = [
        f"{module}:{node.lineno}"
        for module, found in source.items()
        for node in found
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and str(node.value.value).startswith(("Of ", "So "))
    ]
    assert dangling == []


DIALECT = set(
    "told said kept seen shown looked judged called asked known made one each what who way place".split()  # noqa: SIM905
)
"""Words that name nothing by themselves: told what, by whom?"""


def test_no_function_or_type_has_a_name_that_says_nothing(source: Source) -> None:
    """A function or method is a verb with its object, a type a noun; none is one of these words alone."""
    bare = [
        f"{module}.{node.name}"
        for module, found in source.items()
        if not module.startswith("tests")
        for node in found
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        and node.name.strip("_").lower() in DIALECT
    ]
    assert bare == []


def test_functions_are_short(source: Source) -> None:
    """A function of more than 40 lines hides two things behind one name."""
    long = [
        f"{module}.{node.name}"
        for module, found in source.items()
        for node in found
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or 0) - node.lineno >= LONGEST_FUNCTION
    ]
    assert long == []


def imported(found: list[ast.AST]) -> Iterator[str]:
    """The dotted names that a module imports anywhere in it, also by `import_module("...")`."""
    for node in found:
        match node:
            case ast.ImportFrom(module=str(base), level=0):
                yield from (f"{base}.{alias.name}" for alias in node.names)
            case ast.Import():
                yield from (alias.name for alias in node.names)
            case ast.Call(args=[ast.Constant(value=str(name)), *_]):
                if ast.unparse(node.func).endswith("import_module"):
                    yield name
            case _:
                pass


def circle_in(source: Source, room: str) -> list[str]:
    """Folders and loose modules of a room that import each other in a circle; [] where none do."""
    arrows: dict[str, set[str]] = {}
    for module, found in source.items():
        if module.startswith(f"{room}.") and not module.startswith(TOOL):
            part = ".".join(module.split(".")[:2])
            ends = {".".join(name.split(".")[:2]) for name in imported(found) if name.startswith(f"{room}.")}
            arrows.setdefault(part, set()).update(ends - {part})
    try:
        TopologicalSorter(arrows).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


@pytest.mark.parametrize("room", ROOMS)
def test_no_arrow_between_rooms_runs_back_up(source: Source, room: str) -> None:
    assert circle_in(source, room) == []


def test_a_circle_is_found() -> None:
    inner = "import importlib\ndef f():\n    importlib.import_module('device.match')\n"
    made = {"device.match": "from device.panel import lamps", "device.panel.pins": inner, "engine.a": ""}
    source = {module: nodes(text) for module, text in made.items()}
    assert set(circle_in(source, "device")) == {"device.match", "device.panel"}
    assert circle_in(source, "engine") == []


def test_the_rooms_that_are_tried_with_mutants_and_their_tests_are_there() -> None:
    gone = [
        path for room, tests in TESTS.items() for path in (f"{room}*", *tests) if not list(ROOT.glob(path))
    ]
    assert gone == []

"""The figures of the house, counted on made-up source trees that can be counted by hand."""

import json
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

from benchmarks.house.__main__ import main
from benchmarks.house.arrows import (
    back_up,
    circles,
    doors_of,
    module_circles,
    plan_of,
    silent_packages,
    wrong_way,
)
from benchmarks.house.checks import mypy_errors
from benchmarks.house.dice import die_types
from benchmarks.house.figures import BEFORE_NAME, ROWS, before, of_source, rows_of, table
from benchmarks.house.names import (
    array_aliases,
    classes_defined_twice,
    dangling_texts,
    long_files,
    long_functions,
)
from benchmarks.house.tree import Name, Tree

ROOT = Path(__file__).parents[2]

Built = Callable[[dict[str, str]], Tree]


@pytest.fixture
def built(tmp_path: Path) -> Built:
    """Writes files, each folder a package, and reads the tree."""

    def build(files: dict[str, str]) -> Tree:
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            for folder in (path.parent, *path.parent.parents):
                if folder == tmp_path:
                    break
                if not (folder / "__init__.py").exists():
                    (folder / "__init__.py").write_text('"""A room."""\n')
            path.write_text(dedent(text))
        return Tree.read(tmp_path)

    return build


def test_a_package_one_level_down_is_one_room_and_arrows_count_once(built: Built) -> None:
    tree = built(
        {
            "device/table.py": """
                from device.match import A, B
                from device.match import C
                import device.panel.lamps
                """,
            "device/match.py": "from device.panel import lamps\n",
            "device/panel/lamps.py": "from . import pins\n",
            "device/panel/pins.py": "",
        }
    )
    plan = plan_of(tree, "device")
    assert plan.modules == 6
    assert plan.loose == ("device.match", "device.table")
    assert (plan.rooms, plan.arrows, plan.back_up, plan.floors) == (3, 3, 0, 3)


def test_imports_inside_functions_and_by_name_as_text_are_arrows_too(built: Built) -> None:
    tree = built(
        {
            "device/a.py": "def f():\n    from device import b\n",
            "device/b.py": "import importlib\n\ndef f():\n    importlib.import_module('device.c')\n",
            "device/c.py": "",
        }
    )
    assert plan_of(tree, "device").arrows == 2
    assert plan_of(tree, "device").floors == 3


def test_rooms_in_a_circle_stand_on_one_floor_and_one_arrow_runs_back_up(built: Built) -> None:
    tree = built(
        {
            "device/top.py": "import device.loop.run\n",
            "device/loop/run.py": "import device.match\n",
            "device/loop/beat.py": "",
            "device/match.py": "import device.loop.beat\n",
        }
    )
    plan = plan_of(tree, "device")
    assert (plan.rooms, plan.arrows, plan.back_up, plan.floors) == (3, 3, 1, 2)
    assert plan.circles == (frozenset({"device.loop", "device.match"}),)
    assert module_circles(tree) == []


def test_the_best_order_of_a_circle_is_found() -> None:
    arrows = {
        "a": frozenset("bcd"),
        "b": frozenset("cda"),
        "c": frozenset("da"),
        "d": frozenset("a"),
        "e": frozenset("a"),
    }
    assert circles(arrows) == [frozenset("abcd")]
    assert back_up(frozenset("abcd"), arrows) == 3


def test_modules_that_import_each_other_are_a_circle(built: Built) -> None:
    tree = built(
        {"engine/a.py": "import engine.b", "engine/b.py": "import engine.c", "engine/c.py": "import engine.a"}
    )
    assert module_circles(tree) == [frozenset({"engine.a", "engine.b", "engine.c"})]


def test_imports_that_run_up_are_told(built: Built) -> None:
    tree = built(
        {
            "engine/a.py": "import vision.b\n",
            "vision/b.py": "import calibration.c\nimport models.d\n",
            "calibration/c.py": "import device.e\n",
            "models/d.py": "import calibration.c\nimport vision.b\n",
            "models/training/f.py": "import vision.b\n",
            "device/e.py": "import engine.a\n",
        }
    )
    assert sorted(wrong_way(tree)) == [
        ("calibration.c", "device.e"),
        ("engine.a", "vision.b"),
        ("models.d", "vision.b"),
    ]


def test_a_door_is_what_an_init_offers(built: Built) -> None:
    tree = built(
        {
            "vision/__init__.py": "__all__ = ['reader']\n",
            "vision/reader.py": "",
            "vision/marks.py": "",
            "vision/watch/__init__.py": "from vision.watch.look import Look\n",
            "vision/watch/look.py": "class Look: ...\n",
            "vision/places/regions.py": "",
            "device/a.py": "from vision import reader\nfrom vision.watch import Look\n",
            "device/b.py": """
                import vision.marks
                from vision.places import tags
                from vision.watch.look import Look
                """,
        }
    )
    doors = doors_of(tree, "vision")
    assert doors.entered == {
        "vision.reader",
        "vision.watch",
        "vision.marks",
        "vision.places.regions",
        "vision.watch.look",
    }
    # `vision.watch` offers the class Look, and nobody the module look.
    assert doors.unoffered == {"vision.marks", "vision.places.regions", "vision.watch.look"}
    assert silent_packages(tree) == ["device", "vision.places"]


DICE = """
    from dataclasses import dataclass
    from typing import Protocol
    from engine.events import Die, DieKind
    from engine import events

    class SeenDie:
        kind: str
        confidence: float

    class Proposal:
        value: int
        center_px: tuple[float, float]

    class Find:
        sort: DieKind
        corners: tuple[float, ...]

    class Pose:
        center_mm: float
        turn: float

    class Followed:
        die: events.Die
        fate: str

    class Judged:
        followed: Followed
        why: str

    class ReadsDie(Protocol):
        value: int
        center: int

    class Table:
        dice: tuple[SeenDie, ...]
        number: int

    class Maybe:
        die: SeenDie | None
        number: int

    class Case:
        picture: Picture
        die: SeenDie

    class Marks:
        value: int
        center: float

    class Camera:
        focal_px: float
        place: float
        turn: float

    class _Die:
        value: int
        center: int

    class DieSorter:
        def sort(self): ...

    class Player:
        value: int
        name: str
"""


def test_a_type_means_a_die_by_its_name_its_fields_or_what_it_holds(built: Built) -> None:
    events = """
        class Die:
            kind: DieKind
            value: int

        class Rolled:
            value: int
            zone: int

        class DieRuled:
            value: int

        class Undo:
            value: int
            zone: int

        Ruling = DieRuled | Undo
        Event = Rolled | Ruling
        """
    painted = "class Body:\n    value: int\n    edge_mm: float\n"
    tree = built({"vision/a.py": DICE, "engine/events.py": events, "device/cameras/table_dice.py": painted})
    found = {die.name: die for die in die_types(tree)}
    assert {name: die.why[0] for name, die in found.items()} == {
        "Die": "1",
        "SeenDie": "1",
        "Proposal": "2",
        "Find": "2",
        "Body": "2",
        "Pose": "3",
        "Followed": "4",
        "Judged": "4",
    }
    assert [name for name, die in found.items() if die.painted] == ["Body"]


def test_names_are_followed_through_doors(built: Built) -> None:
    tree = built(
        {
            "engine/__init__.py": "from engine.events import Die as Cube\n",
            "engine/events.py": "class Die: ...\n",
            "device/a.py": "from engine import Cube\nfrom engine import events as told\n",
        }
    )
    here = tree.modules["device.a"]
    assert tree.class_of(here, "Cube") == Name(module="engine.events", name="Die")
    assert tree.class_of(here, "told.Die") == Name(module="engine.events", name="Die")
    assert tree.class_of(here, "Other") is None


def test_what_is_defined_twice(built: Built) -> None:
    tree = built(
        {
            "vision/a.py": """
                Floats = NDArray[np.float64]
                Picture = np.ndarray
                class Placed: ...
                class One: ...
                """,
            "vision/b.py": """
                Floats: TypeAlias = NDArray[np.float32]
                TABLE = {1: np.ndarray}
                class Placed: ...
                """,
            "tests/c.py": "Floats = NDArray[np.float32]\nclass One: ...\n",
        }
    )
    assert classes_defined_twice(tree) == {"Placed": ("vision.a", "vision.b")}
    assert array_aliases(tree) == {"Floats": ("vision.a", "vision.b"), "Picture": ("vision.a",)}


def test_texts_that_dangle_and_what_is_too_long(built: Built) -> None:
    long = "def f():\n" + "    x = 1\n" * 40
    short = "def g():\n" + "    x = 1\n" * 39
    texts = '"""Of the step."""\nA = 1\n"""So far it goes."""\nB = "Of course"\n"""Often."""\n' + long + short
    tree = built({"vision/a.py": texts, "vision/b.py": "x = 1\n" * 401, "vision/c.py": "x = 1\n" * 400})
    module = tree.modules["vision.a"]
    assert dangling_texts(module) == ["a.py:1 Of the step.", "a.py:3 So far it goes."]
    assert long_functions(module) == ["vision.a.f (41)"]
    assert long_files(tree) == ["vision.b (401)"]


def test_the_table_has_both_sets_and_dashes_for_what_was_not_taken(built: Built) -> None:
    now = of_source(built({"device/a.py": "import device.b\n", "device/b.py": ""}))
    lines = table(now, {"device.modules": 9}).splitlines()
    assert lines[0].split() == [*BEFORE_NAME.split(), "now"]
    assert lines[1].endswith("3 / 2 / 2 / 1 / 0 / 2")
    assert "9 / - / - / - / - / -" in lines[1]
    assert lines[-1].split()[-2:] == ["-", "-"]


def test_the_page_has_the_figures_of_before() -> None:
    page = rows_of((ROOT / "docs" / "house.md").read_text(encoding="utf-8"))
    assert {row.words: row.cell(before()) for row in ROWS}.items() <= page.items()


def test_every_figure_that_is_counted_is_shown(built: Built) -> None:
    shown = {key for row in ROWS for key in row.keys}
    assert of_source(built({})).keys() | before().keys() == shown


def test_it_prints_json_markdown_and_types(built: Built, capsys: pytest.CaptureFixture[str]) -> None:
    root = str(built({"engine/events.py": "class Die:\n    value: int\n"}).root)
    assert main(["--root", root, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["die_types"] == 1
    assert main(["--root", root, "--types"]) == 0
    assert capsys.readouterr().out == "page     engine.events.Die: 1 its name\n"
    assert main(["--root", root, "--markdown", "0.2.0"]) == 0
    assert rows_of(capsys.readouterr().out)["seconds of make test"] == "104"


@pytest.mark.long
def test_errors_of_types_are_counted_apart(built: Built) -> None:
    root = built({"engine/a.py": "x: int = ''\n", "tests/b.py": "y: int = ''\nz: str = 1\n"}).root
    (root / "pyproject.toml").write_text('[tool.mypy]\npackages = ["engine"]\n')
    assert mypy_errors(root) == (1, 2)

"""Which types mean "a die", by a rule that goes by names and fields alone.

The rule. A class means a die when it is a record (it has annotated fields, and is no protocol, no exception
and no message, see below), is not private to its file (`_Seen`), and one of these holds:

1. Its name has the word Die, Face or Cube in it: `SeenDie`, `DieLine`, `Cube`.
2. It says what one die shows (`SHOWS`, `KINDS`) and where that is (`WHERE`): a value at a centre.
3. It says where one body is and how it is turned (`WHERE` and `TURNED`): a die's pose without its face.
4. It holds one such record (a field of just that type) and says more about it: `Followed`, `Judged`. Then it
   is one more way to say "a die, and ...".

Not counted: under 2 and 3, names that end in s (arrays over many dice) and cameras (`CAMERA`); records that
hold a whole picture (they are about the picture); records that may hold a die, or hold a list of them (they
are about the table); and messages, that is members of a named union of `MESSAGES` or more: an event is not a
die, it tells of one. Docstrings play no part, so that better words alone cannot change the figure.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from benchmarks.house.tree import Module, Name, Tree

NAMED = frozenset({"Die", "Face", "Cube"})
SHOWS = frozenset({"value", "up", "faces", "read", "reading"})
"""Fields that say what a die shows."""
KINDS = frozenset({"DieKind"})
"""A field of one of these types says which die it is, and counts as saying what it shows."""
WHERE = re.compile(
    r"(center|centre|corners|footprint|at|place|pose|body|position)(_(mm|px))?|edge_mm|zone|place"
)
"""Fields that say where one die is, or how large."""
TURNED = frozenset({"turn", "axes", "yaw_deg", "corners_px"})
PICTURES = frozenset({"Picture", "Image", "Frame"})
CAMERA = frozenset({"focal_px", "lens"})
MESSAGES = 3
NO_RECORDS = ("Protocol", "Exception", "Error", "Enum", "Module", "Refused")
"""Bases whose classes hold no data of a die; the last part of the base's name."""

SIMULATED = ("device.simulator", "models.scenes", "models.training")
"""Rooms whose dice are painted, thrown by a simulated hand, or learnt from."""
SIMULATED_ONCE = (
    *(f"device.cameras.{start}" for start in ("table", "end_zone", "mat_")),
    *(f"models.{name}" for name in ("augment", "cuts", "d4_", "export", "fit", "labels", "nets", "photos")),
    *(f"models.{name}" for name in ("quantize", "store", "targets", "train")),
)
"""Where those stood up to 0.1.0: the beginnings of their modules' names."""


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class DieType:
    """A type that means a die."""

    module: str
    name: str
    why: str
    """Which of the rule's sentences it falls under."""

    @property
    def painted(self) -> bool:
        """Whether it belongs to the painters, the simulator or the training, not to the way to the page."""
        return f"{self.module}.".startswith(
            tuple(f"{room}." for room in SIMULATED)
        ) or self.module.startswith(SIMULATED_ONCE)


def die_types(tree: Tree) -> list[DieType]:
    """All of them, in order of their modules."""
    records = dict(_records(tree))
    found: dict[Name, str] = {}
    for name, fields in records.items():
        if why := _by_itself(name.name, fields):
            found[name] = why
    # Who holds a holder means a die too: so until nothing new is found.
    while more := dict(_holders(tree, records, found)):
        found.update(more)
    return sorted(DieType(module=name.module, name=name.name, why=why) for name, why in found.items())


def _records(tree: Tree) -> Iterator[tuple[Name, dict[str, ast.expr]]]:
    messages = _messages(tree)
    for module in tree.of_rooms():
        for node in module.classes.values():
            name = Name(module=module.name, name=node.name)
            bases = [ast.unparse(base).rpartition(".")[2] for base in node.bases]
            fields = {
                each.target.id: each.annotation
                for each in node.body
                if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)
            }
            if not fields or node.name.startswith("_") or name in messages:
                continue
            if not any(base.endswith(NO_RECORDS) for base in bases):
                yield name, fields


def _by_itself(name: str, fields: dict[str, ast.expr]) -> str:
    """Under which sentence of the rule it falls for its own name and fields; "" for none."""
    if any(_words(annotation) & PICTURES for annotation in fields.values()):
        return ""
    if NAMED & set(re.findall(r"[A-Z][a-z0-9]*", name)):
        return "1 its name"
    if name.endswith("s") or CAMERA & fields.keys():
        return ""
    shows = SHOWS & fields.keys() or any(_words(annotation) & KINDS for annotation in fields.values())
    where = [field for field in fields if WHERE.fullmatch(field)]
    if shows and where:
        return "2 what it shows and where"
    if where and TURNED & (fields.keys() - set(where)):
        return "3 where it is and how it is turned"
    return ""


def _holders(
    tree: Tree, records: dict[Name, dict[str, ast.expr]], known: dict[Name, str]
) -> Iterator[tuple[Name, str]]:
    for name, fields in records.items():
        if name in known or len(fields) < 2 or any(_words(each) & PICTURES for each in fields.values()):
            continue
        module = tree.modules[name.module]
        for annotation in fields.values():
            held = _held(annotation)
            if held and tree.class_of(module, held) in known:
                yield name, f"4 holds one {held}"
                break


def _held(annotation: ast.expr) -> str:
    """The one type that an annotation names; "" for a list, a table or a choice of types."""
    return ast.unparse(annotation) if isinstance(annotation, ast.Name | ast.Attribute) else ""


def _words(annotation: ast.expr) -> set[str]:
    """All names in an annotation."""
    return set(re.findall(r"\w+", ast.unparse(annotation)))


def _messages(tree: Tree) -> set[Name]:
    """The members of every union of so many classes that a module gives a name."""
    found: set[Name] = set()
    for module in tree.of_rooms():
        unions = _unions(module)
        for union in unions.values():
            members = _members(tree, module, union, unions)
            if len(members) >= MESSAGES:
                found |= members
    return found


def _unions(module: Module) -> dict[str, ast.BinOp]:
    """A module's named unions: `Event = GameEvent | Undo`."""
    return {
        target.id: node.value
        for node in module.tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.BinOp)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name)
    }


def _members(tree: Tree, module: Module, union: ast.expr, unions: dict[str, ast.BinOp]) -> set[Name]:
    """The classes of a union, and of the module's other unions that it names."""
    if isinstance(union, ast.BinOp):
        return _members(tree, module, union.left, unions) | _members(tree, module, union.right, unions)
    text = ast.unparse(union)
    if text in unions:
        return _members(tree, module, unions[text], unions)
    name = tree.class_of(module, text) if isinstance(union, ast.Name | ast.Attribute) else None
    return {name} if name else set()

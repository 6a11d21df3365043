"""Names that stand for several things, texts that cannot be understood alone, and what is too long."""

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping

from benchmarks.house.tree import Module, Tree

ARRAYS = ("NDArray", "ndarray")
"""What the value of an array alias has in it."""
DANGLING = ("Of ", "So ")
"""A text that begins so says something about a thing that it does not name."""
LONGEST_FUNCTION = 40
LONGEST_FILE = 400

Places = Mapping[str, tuple[str, ...]]
"""From a name to the modules that define it, each once for each definition."""


def classes_defined_twice(tree: Tree) -> Places:
    """Class names of the product that stand in two or more modules."""
    found = defaultdict(list)
    for module in tree.of_rooms():
        for name in module.classes:
            found[name].append(module.name)
    return _twice(found)


def array_aliases(tree: Tree) -> Places:
    """Every name of the product for a type of array, as in `Floats = NDArray[np.float64]`."""
    found = defaultdict(list)
    for module in tree.of_rooms():
        for name in _aliases(module):
            found[name].append(module.name)
    return {name: tuple(places) for name, places in sorted(found.items())}


def _aliases(module: Module) -> Iterator[str]:
    for node in module.tree.body:
        if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None:
            continue
        target = node.targets[0] if isinstance(node, ast.Assign) else node.target
        words = {each.id for each in ast.walk(node.value) if isinstance(each, ast.Name)}
        words |= {each.attr for each in ast.walk(node.value) if isinstance(each, ast.Attribute)}
        # A table of arrays has them in its value as well, but behind a call or a brace.
        is_type = isinstance(node.value, ast.Subscript | ast.BinOp | ast.Attribute | ast.Name)
        if isinstance(target, ast.Name) and is_type and words & set(ARRAYS):
            yield target.id


def twice(places: Places) -> Places:
    """Those that are defined more than once."""
    return _twice(places)


def _twice(places: Mapping[str, list[str]] | Places) -> Places:
    return {name: tuple(where) for name, where in sorted(places.items()) if len(where) > 1}


def dangling_texts(module: Module) -> list[str]:
    """Where docstrings, and texts under a field or constant, begin with "Of" or "So"."""
    return [
        f"{module.path.name}:{node.lineno} {node.value.value.split(chr(10))[0]}"
        for node in module.nodes
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
        and node.value.value.startswith(DANGLING)
    ]


def long_functions(module: Module) -> list[str]:
    """Functions of more than 40 lines, from `def` to the last one."""
    return [
        f"{module.name}.{node.name} ({lines})"
        for node in module.nodes
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (lines := (node.end_lineno or node.lineno) - node.lineno + 1) > LONGEST_FUNCTION
    ]


def long_files(tree: Tree) -> list[str]:
    """Files of more than 400 lines."""
    return [f"{each.name} ({each.lines})" for each in tree.modules.values() if each.lines > LONGEST_FILE]

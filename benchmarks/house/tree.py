"""The modules of a source tree: parsed, with what each one imports and which name means which class."""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

ROOMS = ("device", "vision", "engine", "calibration", "models")
"""The packages of the product."""
AROUND = ("tests", "benchmarks")
"""The code around it."""
MOST_HOPS = 8
"""A name is followed through at most so many imports before it is given up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Name:
    """A name as its module knows it: which module it comes from, and what it is called there."""

    module: str
    name: str


@dataclass(eq=False)
class Module:
    """One source file."""

    name: str
    """Dotted: "device.table"; a package has its `__init__.py`'s contents."""
    path: Path
    tree: ast.Module
    lines: int
    is_package: bool

    @property
    def top(self) -> str:
        """The room it stands in, or "tests", or "benchmarks"."""
        return self.name.partition(".")[0]

    @cached_property
    def classes(self) -> dict[str, ast.ClassDef]:
        """Its classes by name, those inside others too."""
        return {node.name: node for node in self.nodes if isinstance(node, ast.ClassDef)}

    @cached_property
    def nodes(self) -> list[ast.AST]:
        """All nodes of its tree."""
        return list(ast.walk(self.tree))

    @cached_property
    def taken(self) -> list[ast.ImportFrom]:
        """Its `from ... import` statements, wherever they stand."""
        return [node for node in self.nodes if isinstance(node, ast.ImportFrom)]

    @cached_property
    def offers(self) -> frozenset[str]:
        """The names in `__all__`; where there is no `__all__`, whatever it imports or defines."""
        bound: set[str] = set()
        for node in self.tree.body:
            if isinstance(node, ast.Assign | ast.AnnAssign):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                names = [target.id for target in targets if isinstance(target, ast.Name)]
                if "__all__" in names and node.value is not None:
                    return frozenset(ast.literal_eval(node.value))
                bound.update(names)
            elif isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                bound.add(node.name)
            elif isinstance(node, ast.ImportFrom | ast.Import):
                bound.update((each.asname or each.name).partition(".")[0] for each in node.names)
        return frozenset(bound)

    def base_of(self, node: ast.ImportFrom) -> str:
        """The module that a `from ... import` names, also where it counts dots."""
        if not node.level:
            return node.module or ""
        parts = self.name.split(".")
        kept = parts[: len(parts) - node.level + (1 if self.is_package else 0)]
        return ".".join([*kept, *([node.module] if node.module else [])])


@dataclass(eq=False)
class Tree:
    """All modules of a source tree, by dotted name."""

    root: Path
    modules: dict[str, Module] = field(default_factory=dict)
    _imports: dict[str, frozenset[str]] = field(default_factory=dict)

    @classmethod
    def read(cls, root: Path, tops: Sequence[str] = (*ROOMS, *AROUND)) -> "Tree":
        """Parse every file of the rooms, the tests and the benchmarks, or of some; raises SyntaxError."""
        tree = cls(root)
        for top in tops:
            for path in sorted((root / top).rglob("*.py")):
                parts = path.relative_to(root).with_suffix("").parts
                is_package = parts[-1] == "__init__"
                name = ".".join(parts[:-1] if is_package else parts)
                text = path.read_text(encoding="utf-8")
                tree.modules[name] = Module(name, path, ast.parse(text), len(text.splitlines()), is_package)
        return tree

    def of_rooms(self) -> Iterator[Module]:
        """The product's modules."""
        return (module for module in self.modules.values() if module.top in ROOMS)

    def imports(self, module: Module) -> frozenset[str]:
        """The modules of this tree that one imports, by a statement anywhere in it or by name as text."""
        if module.name not in self._imports:
            named = frozenset(self._named(module))
            self._imports[module.name] = (named & self.modules.keys()) - {module.name}
        return self._imports[module.name]

    def _named(self, module: Module) -> Iterator[str]:
        for node in module.nodes:
            match node:
                case ast.Import():
                    yield from (each.name for each in node.names)
                case ast.ImportFrom():
                    base = module.base_of(node)
                    for each in node.names:
                        inner = f"{base}.{each.name}"
                        yield inner if inner in self.modules else base
                case ast.Call(args=[ast.Constant(value=str(name)), *_]):
                    if ast.unparse(node.func).endswith("import_module"):
                        yield name
                case _:
                    pass

    def class_of(self, module: Module, name: str) -> Name | None:
        """The class that a name means in a module, followed through imports; None for anything else."""
        here = module
        for _ in range(MOST_HOPS):
            if name in here.classes:
                return Name(module=here.name, name=name)
            step = self._imported(here, name)
            if step is None:
                return None
            here, name = self.modules[step.module], step.name
        return None

    def _imported(self, module: Module, name: str) -> Name | None:
        """From where a module imports a name; "a.B" is asked of the module that `a` means."""
        outer, _, inner = name.rpartition(".")
        for node in module.taken:
            base = module.base_of(node)
            for each in node.names:
                known = each.asname or each.name
                if outer and known == outer and f"{base}.{each.name}" in self.modules:
                    return Name(module=f"{base}.{each.name}", name=inner)
                if known == name and base in self.modules:
                    return Name(module=base, name=each.name)
        return None

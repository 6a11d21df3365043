"""The fuzz targets by name: every other module of this package."""

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Protocol, cast

FAULT = "FAULT"
"""How an outcome begins that must not be."""

TARGETS = tuple(
    sorted(
        path.stem
        for path in Path(__file__).parent.glob("*.py")
        if path.stem not in {"__init__", "__main__", "targets"} and not path.stem.startswith("test_")
    )
)


class Target(Protocol):
    """What a module has to offer to be fuzzed."""

    CASES: int

    def fuzz(self, cases: int, seed: int) -> Iterator[str]:
        """Yield one outcome for each of `cases` cases, always the same ones for the same seed."""
        ...


def load_target(name: str) -> Target:
    """Import the target of that name."""
    return cast("Target", import_module(f"tests.fuzz.{name}"))

"""What a network learns from, made part by part: each part is kept, and made only where it is not yet."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

import numpy as np
from numpy.typing import NDArray

Part = TypeVar("Part")
"""A dataclass all of whose fields are arrays."""


def kept_part(path: Path, kind: type[Part], make: Callable[[], Part]) -> Part:
    """The part of that kind in a file (.npz); made now where there is none."""
    if not path.exists():
        keep_part(path, make())
    return read_part(path, kind)


def keep_part(path: Path, part: Part) -> None:
    """Write a part to a file (.npz)."""
    with written_whole(path) as file:
        np.savez(file, **{name: getattr(part, name) for name in _names(type(part))})


def read_part(path: Path, kind: type[Part]) -> Part:
    """The part of that kind in a file. Raises FileNotFoundError where there is none."""
    with np.load(path) as file:
        return kind(*(file[name] for name in _names(kind)))


@contextmanager
def written_whole(path: Path) -> Iterator[BinaryIO]:
    """A file to write to, which gets its name when it is whole: one half written never counts."""
    part = path.with_suffix(".part")
    with part.open("wb") as file:
        yield file
    part.replace(path)


def joined(kind: type[Part], parts: Sequence[Part]) -> Part:
    """All parts of a kind as one."""
    return kind(*(np.concatenate([getattr(part, name) for part in parts]) for name in _names(kind)))


def rows_of(part: Part, rows: NDArray[Any]) -> Part:
    """What a part has in these rows."""
    return type(part)(*(getattr(part, name)[rows] for name in _names(type(part))))


def _names(kind: type[Part]) -> list[str]:
    return [each.name for each in fields(kind)]  # type: ignore[arg-type]

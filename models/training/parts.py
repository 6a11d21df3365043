"""What a network learns from, made part by part: each part is kept, and made only where it is not yet."""

from collections.abc import Callable, Sequence
from dataclasses import fields
from pathlib import Path
from typing import TypeVar

import numpy as np

Part = TypeVar("Part")
"""A dataclass all of whose fields are arrays."""


def kept_part(path: Path, kind: type[Part], make: Callable[[], Part]) -> Part:
    """The part of that kind in a file (.npz); made now where there is none. One half written never counts."""
    names = _names(kind)
    if not path.exists():
        made = make()
        part = path.with_suffix(".part.npz")
        np.savez(part, **{name: getattr(made, name) for name in names})
        part.replace(path)
    with np.load(path) as file:
        return kind(*(file[name] for name in names))


def joined(kind: type[Part], parts: Sequence[Part]) -> Part:
    """All parts of a kind as one."""
    return kind(*(np.concatenate([getattr(part, name) for part in parts]) for name in _names(kind)))


def _names(kind: type[Part]) -> list[str]:
    return [each.name for each in fields(kind)]  # type: ignore[arg-type]

"""The folder in which drawn pictures and measured outcomes are kept, and names for what they depend on."""

import hashlib
import os
from collections.abc import Callable, Iterable
from pathlib import Path


def benchmark_folder(name: str) -> Path:
    """Where a benchmark keeps what it has drawn or measured."""
    root = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
    return root / "callbox" / name


def hash_files(paths: Iterable[Path]) -> str:
    """A name for the content of these files: twelve hexadecimal digits, the same in any order."""
    content = hashlib.sha256()
    for path in sorted(paths):
        content.update(path.read_bytes())
    return content.hexdigest()[:12]


def keep_file(path: Path, make: Callable[[], bytes]) -> Path:
    """The file, made now if it is not there; a half-written one never counts."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        begun = path.with_suffix(f".{os.getpid()}.part")
        begun.write_bytes(make())
        begun.replace(path)
    return path

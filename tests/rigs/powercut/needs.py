"""What the virtual machine needs to run the writer: said by the writer itself.

Plays a few steps here, and looks at what came in with them: modules of the project, and packages that others
made. So nothing is forgotten when a module moves, nor when the journal begins to need another one.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import packages_distributions, version
from pathlib import Path
from types import ModuleType

HERE = Path(__file__).parent
REPOSITORY = HERE.parents[2]
STEPS = 5
"""Enough for a picture, too."""


@dataclass(frozen=True)
class Needs:
    """All that is needed beside Python."""

    modules: tuple[str, ...]
    """Files of the project, from its root."""
    packages: tuple[str, ...]
    """As pip takes them: "apsw==3.51.3.0"."""


def ask_writer() -> Needs:
    """What the writer needs; raises `CalledProcessError` where it does not run."""
    with tempfile.TemporaryDirectory() as folder:
        said = subprocess.run(
            [sys.executable, "-m", "tests.rigs.powercut.needs"],
            check=True,
            capture_output=True,
            text=True,
            cwd=REPOSITORY,
            env={**os.environ, "CRASH": folder},
        )
    found = json.loads(said.stdout.splitlines()[-1])
    return Needs(modules=tuple(found["modules"]), packages=tuple(found["packages"]))


def play() -> dict[str, list[str]]:
    """Play, and tell what came in."""
    before = set(sys.modules)
    acknowledge = ModuleType("ack")
    acknowledge.ack = lambda _step: None  # type: ignore[attr-defined]  # the rig's own writes to its disk
    sys.modules["ack"] = acknowledge
    from tests.rigs.powercut import writer  # noqa: PLC0415 - only now, to see what it brings

    writer.main("FULL", STEPS)
    new = sorted(set(sys.modules) - before)
    rooms = {path.parent.name for path in REPOSITORY.glob("*/__init__.py")} - {"tests"}
    makers = packages_distributions()
    others = {name.partition(".")[0] for name in new} - rooms
    packages = {maker for name in others for maker in makers.get(name, [])}
    return {
        "modules": [path.relative_to(REPOSITORY).as_posix() for path in files(new, rooms)],
        "packages": sorted(f"{package}=={version(package)}" for package in packages),
    }


def files(names: list[str], rooms: set[str]) -> Iterator[Path]:
    """The files of those modules that are the project's own."""
    for name in names:
        if name.partition(".")[0] in rooms and (path := sys.modules[name].__file__):
            yield Path(path)


if __name__ == "__main__":
    print(json.dumps(play()))

"""Compares a release's folder with its MANIFEST, both ways: what was signed is there, and nothing else is.

    python3 -IB check_files.py [--installed] FOLDER

Run by the installer that a box has already, never by one out of FOLDER, and by the system's own Python with
the standard library alone. Prints the names of what differs, one a line, and ends with status 1.
`--installed`: what the installer itself made in the folder is passed over. A name that sha256sum writes
otherwise than it is (with a backslash or a control character) is no release's.
"""

import hashlib
import os
import re
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

BESIDE = frozenset({"MANIFEST", "MANIFEST.sig"})
"""Files that the list does not have: itself, and its signature."""
WHEELHOUSE = "wheelhouse"
"""Packages, each of which requirements.lock has the hash of."""
MADE = re.compile(r"(\.venv|callbox\.egg-info|device/languages/compiled)/|\.whole$|(.*/)?__pycache__/")
"""What the installer makes in a release's folder on the box."""
MOST_SHOWN = 5
LINE = re.compile(r"([0-9a-f]{64}) [ *]([^\\\x00-\x1f\x7f]+)")


def read_list(folder: Path) -> dict[str, str]:
    """The hash of each file that MANIFEST names; raises ValueError for a line that is none."""
    found: dict[str, str] = {}
    for line in (folder / "MANIFEST").read_text(encoding="utf-8").split("\n")[:-1]:
        match = LINE.fullmatch(line)
        if match is None or match[2] in found:
            raise ValueError(ascii(line[:80]))
        found[match[2]] = match[1]
    return found


def walk(folder: Path, below: str = "") -> Iterator[tuple[str, os.stat_result]]:
    """All that lies in a folder but folders, by its name there."""
    with os.scandir(folder / below) as entries:
        for entry in sorted(entries, key=lambda each: each.name):
            name = f"{below}/{entry.name}" if below else entry.name
            found = entry.stat(follow_symlinks=False)
            if stat.S_ISDIR(found.st_mode):
                yield from walk(folder, name)
            else:
                yield name, found


def differences(folder: Path, installed: bool) -> list[str]:
    """The names of what is not as it was signed."""
    found = [each for each in walk(folder) if not (installed and MADE.match(each[0]))]
    if strange := [name for name, each in found if not stat.S_ISREG(each.st_mode)]:
        return strange
    listed = read_list(folder)
    changed = []
    for name, _ in found:
        if name in BESIDE or name.startswith(f"{WHEELHOUSE}/"):
            continue
        hash_was = listed.pop(name, "")
        if hashlib.sha256((folder / name).read_bytes()).hexdigest() != hash_was:
            changed.append(name)
    return sorted([*changed, *listed])


def main(arguments: list[str]) -> int:
    """0 where all is as it was signed."""
    folder, installed = Path(arguments[-1]), arguments[0] == "--installed"
    try:
        found = differences(folder, installed)
    except (OSError, ValueError) as error:
        found = [f"MANIFEST ({error})"]
    for name in found[:MOST_SHOWN]:
        print(name if name.isascii() and name.isprintable() and "\\" not in name else ascii(name))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

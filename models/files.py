"""The networks' files: where they lie, and that they are whole when they are loaded.

`SHA256SUMS.txt` beside them has the hash of each (`sha256sum -c` reads it, too). A network elsewhere, which
serves for measuring only, is not listed there and is loaded as it is.
"""

import hashlib
from pathlib import Path

FOLDER = Path(__file__).parent
FINDER = FOLDER / "finder.onnx"
FACES = FOLDER / "faces.onnx"
STANCE = FOLDER / "stance.onnx"
D4 = FOLDER / "d4.onnx"
CORNER = FOLDER / "corner.onnx"
EDGE = FOLDER / "edge.onnx"
CLAIM = FOLDER / "claim.onnx"
SUMS = FOLDER / "SHA256SUMS.txt"
MEASURING = FOLDER.parent / "benchmarks" / "networks"
"""Networks that learnt without some sources of photographs, to be measured on these; no box has them."""
CACHE = Path.home() / ".cache" / "callbox" / "models"
"""Drawn scenes and checkpoints; not part of the project."""
COURSES = CACHE / "courses"
"""Checkpoints."""


class ModelError(Exception):
    """A network's file is missing or broken; the text says which and what to do."""


def load_network(path: Path) -> bytes:
    """A network's file as it lies on the disk. Raises ModelError where it is missing, or is one of ours and
    not as we made it: a damaged network still runs, and reads wrong dice.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise ModelError(
            f"{path.name} is missing from the models folder; install Callbox again or run `make models`"
        ) from None
    except OSError as error:
        raise ModelError(f"{path.name} cannot be read ({error.strerror}); install Callbox again") from error
    if path.parent == FOLDER and _listed().get(path.name) != hashlib.sha256(data).hexdigest():
        raise ModelError(f"{path.name} is damaged: it is not the file that was made; install Callbox again")
    return data


def sign_network(path: Path) -> str:
    """Put a network of ours on the list as it is now; returns its hash."""
    sums = {**_listed(), path.name: hashlib.sha256(path.read_bytes()).hexdigest()}
    lines = [f"{digest}  {name}\n" for name, digest in sorted(sums.items())]
    SUMS.write_text("".join(lines), encoding="utf-8")
    return sums[path.name]


def _listed() -> dict[str, str]:
    """The hashes by file name; none where the list is missing, so that nothing of ours passes."""
    if not SUMS.is_file():
        return {}
    rows = (line.split() for line in SUMS.read_text(encoding="utf-8", errors="replace").splitlines())
    return {row[1]: row[0] for row in rows if len(row) == 2}

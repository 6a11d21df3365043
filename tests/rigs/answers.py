"""Runs under either processor: what finder and face reader answer to given numbers, and what
`callbox read` tells.

python tests/rigs/answers.py FOLDER PICTURE...

Reads FOLDER/asked.npz and writes FOLDER/PROCESSOR.npz; the command's own lines go to standard output.
"""

import platform
import sys
from pathlib import Path

import numpy as np

from device.cli import main as callbox
from vision.learned.networks import Networks

FACES_ANSWER = ("classes", "poses", "embeddings", "moves")


def main(folder: Path, pictures: list[str]) -> None:
    """Ask the networks, then the command."""
    with np.load(folder / "asked.npz") as asked:
        picture, cuts = asked["picture"], asked["cuts"]
    networks = Networks()
    answers = dict(zip(FACES_ANSWER, networks.read(cuts), strict=True))
    answers["heat"] = networks.find(picture)
    np.savez(folder / f"{platform.machine()}.npz", allow_pickle=False, **answers)
    sys.argv = ["callbox", "read", "--json", *pictures]
    callbox()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])

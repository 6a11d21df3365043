"""`python -m benchmarks.pictures [NAME...]`: remakes the pictures of README and docs, or those named."""

import sys

import cv2
from tqdm import tqdm

from benchmarks.pictures.makers import MAKERS, make_round


def main(names: list[str]) -> int:
    """Make them; 2 for an unknown name."""
    if unknown := [name for name in names if name not in MAKERS]:
        known = ", ".join(MAKERS)
        print(f"No maker of pictures is called {', '.join(unknown)}. There are {known}.", file=sys.stderr)
        return 2
    cv2.setNumThreads(1)
    for told in make_round(names):
        tqdm.write(told)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

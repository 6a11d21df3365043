"""A public detector beside our readers: taught with the same drawn scenes, measured on the same photographs.

    python -m benchmarks.public_detector write FOLDER       writes the drawn scenes as a YOLO data set
    python -m benchmarks.public_detector measure FILE.onnx  tells how a detector reads the photographs

The training between the two is the detector's own business and happens outside of the project
(docs/reading-others.md). Every kind and value of a flat die is a class of its own; dice that lie otherwise,
and strangers, are background, as they may not be read. A detector's file takes one square picture, RGB from
0 to 1, and gives 1 x (4 + classes) x N: the box's middle and size in its own pixels, and a chance for each
class. So do the YOLO versions from 8 to 12 when they are exported without their own last sieve.
"""

import argparse
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from tqdm import tqdm

from benchmarks.photos import HEAD, THREADS, Score, sources
from calibration.arrays import Picture, Singles
from models.files import ModelError
from models.training.photos import PHOTOS, PhotoTruth
from models.training.store import HELD_OUT, Store, scenes_folder
from models.training.store import Truth as DrawnDie
from vision.learned.contract import DICE
from vision.learned.networks import session
from vision.pictures import load_sized
from vision.reading import Reading, SeenDie, UnsureDie

NAMES = [(die.kind, die.value) for die in DICE]
"""A detector's classes in order."""
SURE, LEAST = 0.5, 0.25
"""From the first on a find is read; from the second on, where such detectors begin to show one, unsure."""
OVERLAP = 0.5
"""When two boxes share more than this part of what they cover together, the worse one goes."""
GREY = (114, 114, 114)
QUALITY = 95


def labels(dice: list[DrawnDie], width_px: int, height_px: int) -> Iterator[str]:
    """A line for each flat die that is to be read: class, and the middle and size of the upright box round
    its up-face's corners, in shares of the picture."""
    size = np.array((width_px, height_px), np.float32)
    for die in dice:
        name = (die.kind, die.value)
        if die.pose == "flat" and name in NAMES:
            corners = np.clip((die.corners + 0.5) / size, 0, 1)
            low, high = corners.min(axis=0), corners.max(axis=0)
            box = np.concatenate(((low + high) / 2, high - low))
            yield f"{NAMES.index(name)} {' '.join(f'{number:.6f}' for number in box)}"


def write(folder: Path, store: Store, part: str) -> int:
    """Write scenes and labels of one part (train or val) of the data set; how many. What is there stays."""
    for name in ("images", "labels"):
        (folder / name / part).mkdir(parents=True, exist_ok=True)
    for number in tqdm(range(len(store)), desc=part, leave=False):
        told, shown = (folder / name / part / f"{number:05d}" for name in ("labels", "images"))
        if told.with_suffix(".txt").is_file():
            continue
        picture = store.picture(number)
        cv2.imwrite(str(shown.with_suffix(".jpg")), picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        height, width = picture.shape[:2]
        lines = labels(store.truths[number], width, height)
        told.with_suffix(".txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return len(store)


def describe(folder: Path) -> None:
    """Write the data set's own description. JSON is YAML too."""
    told = {
        "path": str(folder.resolve()),
        "train": "images/train",
        "val": "images/val",
        "names": {i: f"{kind}-{value}" for i, (kind, value) in enumerate(NAMES)},
    }
    (folder / "data.yaml").write_text(json.dumps(told, indent=1), encoding="utf-8")


@dataclass(frozen=True, slots=True)
class Fitted:
    """How a picture was fitted into the detector's square."""

    scale: float
    left_px: int
    top_px: int


def fitted(picture: Picture, side_px: int) -> tuple[Picture, Fitted]:
    """The picture in the middle of a square of that side, grey where it does not reach."""
    height, width = picture.shape[:2]
    scale = side_px / max(height, width)
    columns, rows = max(1, round(width * scale)), max(1, round(height * scale))
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    small = cv2.resize(picture, (columns, rows), interpolation=way)
    left, top = (side_px - columns) // 2, (side_px - rows) // 2
    out = np.empty((side_px, side_px, 3), np.uint8)
    out[:] = GREY
    out[top : top + rows, left : left + columns] = small
    return out, Fitted(scale, left, top)


def dice_of(answer: Singles, fit: Fitted) -> tuple[tuple[SeenDie, ...], tuple[UnsureDie, ...]]:
    """What a detector's answer, (4 + classes) x N, says of the picture before it was fitted."""
    chances = answer[4:]
    best, surest = chances.argmax(axis=0), chances.max(axis=0)
    rows = np.flatnonzero(surest >= LEAST)
    boxes = answer[:4, rows].T.astype(np.float64)
    boxes[:, :2] -= boxes[:, 2:] / 2
    kept = cv2.dnn.NMSBoxes(boxes.tolist(), surest[rows].tolist(), LEAST, OVERLAP) if len(rows) else ()
    seen, unsure = [], []
    for i in kept:
        left, top, width, height = (boxes[i] - (fit.left_px, fit.top_px, 0, 0)) / fit.scale
        corners = [(left, top), (left + width, top), (left + width, top + height), (left, top + height)]
        points = tuple((float(x) - 0.5, float(y) - 0.5) for x, y in corners)
        center = (float(left + width / 2) - 0.5, float(top + height / 2) - 0.5)
        chance = float(surest[rows[i]])
        kind, value = NAMES[int(best[rows[i]])]
        if chance < SURE:
            unsure.append(UnsureDie(center_px=center, reason="its face does not show clearly"))
            continue
        seen.append(
            SeenDie(kind=kind, value=value, confidence=chance, color="", center_px=center, corners_px=points)
        )
    return tuple(sorted(seen, key=lambda die: die.center_px)), tuple(unsure)


class Detector:
    """A detector's file."""

    def __init__(self, path: Path) -> None:
        """Raises ModelError for a file that cannot be run, ValueError for one of other inputs or classes."""
        self._session = session(path, THREADS)
        (asked,) = self._session.get_inputs()
        answers = self._session.get_outputs()[0].shape
        if answers[1] != 4 + len(NAMES) or not isinstance(asked.shape[2], int):
            raise ValueError(
                f"{path.name} gives {answers} for {asked.shape}: a detector of {len(NAMES)} classes with a"
                f" fixed size is needed, which gives 1 x {4 + len(NAMES)} x N"
            )
        self._name, self._side_px = asked.name, asked.shape[2]

    def read(self, picture: Picture) -> Reading:
        """What it reads in a picture."""
        begun = time.perf_counter()
        square, fit = fitted(picture, self._side_px)
        given = np.ascontiguousarray(square[..., ::-1].transpose(2, 0, 1)[None], np.float32) / np.float32(255)
        dice, unsure = dice_of(self._session.run(None, {self._name: given})[0][0], fit)
        height, width = picture.shape[:2]
        elapsed_ms = (time.perf_counter() - begun) * 1000
        return Reading(width_px=width, height_px=height, dice=dice, unsure=unsure, elapsed_ms=elapsed_ms)


def measure(detector: Detector, source: str, truths: list[PhotoTruth]) -> Score:
    """Its score on a source."""
    total = Score()
    for truth in tqdm(truths, desc=source, leave=False):
        total.add(detector.read(load_sized(PHOTOS / source / truth["image"]).picture), truth)
    return total


def main() -> None:
    """Write or measure."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.public_detector")
    parser.add_argument("task", choices=("write", "measure"))
    parser.add_argument("path", type=Path, help="the data set's folder, or the detector's ONNX file")
    parser.add_argument("--shards", type=int, default=HELD_OUT, help="hundreds of scenes to write")
    asked = parser.parse_args()
    if asked.task == "write":
        scenes = scenes_folder()
        count = write(asked.path, Store(scenes, 0, min(asked.shards, HELD_OUT)), "train")
        held = write(asked.path, Store(scenes, HELD_OUT, 1), "val")
        describe(asked.path)
        print(f"{count} scenes to learn from and {held} to look at meanwhile, in {asked.path}")
        return
    if not PHOTOS.is_dir():
        print(f"no photographs at {PHOTOS}: nothing to read")
        return
    try:
        detector = Detector(asked.path)
    except (ModelError, ValueError) as error:
        raise SystemExit(str(error)) from error
    print(HEAD)
    for source, truths in sources():
        print(f"{source:<16}{'detector':<11}{measure(detector, source, truths).line()}", flush=True)


if __name__ == "__main__":
    main()

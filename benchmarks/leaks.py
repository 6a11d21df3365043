"""Where dice are lost between the picture and the answer, source by source: not found, read as something
else, or not believed.

The networks alone read, the kind being told. "found" is the share of dice at whose place something was found
and read; "right" the share of those that were read right; "sure" the share of those read right that were told
0.9 and more; "wrong" are dice read wrong and told 0.9 and more, and their share of all. "in place" is the
share that the face reader reads right when it is shown where each die lies: the middle of its box, or its
up-face where that is known; "and sure" the share of these that would be told 0.9 and more if the finder had
no doubt. "strangers" are dice of other kinds that were read as one of ours and told 0.9 and more, and
how many there were.

Of a picture with values and no places, faces are given to values, the surest first. A D4's place says too
little for "in place". Photographs that networks learnt from are read by networks that did not, as in
`benchmarks.photos`. `--finder` and `--faces` name networks to measure in place of the project's.
"""

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from tqdm import tqdm

from benchmarks.photos import THREADS, sources, unseen
from calibration.arrays import Picture
from engine.dice import FACES, Die, DieKind
from models import files
from models.training.photos import PHOTOS, PhotoTruth
from vision.learned.contract import DICE
from vision.learned.faces import read_at
from vision.learned.networks import Networks
from vision.learned.reader import JudgedFace, LearnedReader, confidence, look_for_kind
from vision.pictures import load_sized
from vision.place import D4_HALF, Place, place_of
from vision.reading import DiceChoice, Point

PAINTED = PHOTOS.parent / "painted"
PAINTED_KINDS: dict[str, DieKind] = {"zoinx": "zoinx", "pip": "pip", "bets": "bet", "d4": "d4"}
"""The folders of pictures by another painter, and what lies in them."""
BURNT_OUT = 0.5
"""An up-face of which more than this share is burnt out cannot be read, and is not asked for."""
SURE = 0.9
UP_FACE = 0.42
"""Half an up-face's edge by the longer side of the whole die's upright box, about."""
NEAR = 0.6
"""Half edges that a find may be off the middle of an up-face whose place is known."""


Box = tuple[float, float, float, float]
"""Left, top, right, bottom, in pixels."""


@dataclass(frozen=True, slots=True, eq=False)
class Lying:
    """One die of a picture, and where it lies."""

    die: Die | None
    """None: a stranger's."""
    place: Place | None
    """None: not known."""
    box: Box | None
    """A find whose middle lies here is of this die; None: not known."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A picture's file and what lies in it."""

    path: Path
    kind: DiceChoice
    dice: tuple[Lying, ...]
    burnt_out: tuple[Lying, ...] = ()
    """Dice that nobody is asked to read."""


@dataclass(slots=True)
class Leaks:
    """What became of the dice of a source."""

    dice: int = 0
    found: int = 0
    right: int = 0
    sure: int = 0
    wrong: int = 0
    placed: int = 0
    right_in_place: int = 0
    sure_in_place: int = 0
    strangers: int = 0
    strangers_read: int = 0

    def line(self) -> str:
        """For the table."""
        return (
            f"{self.dice:>6}{percent(self.found, self.dice):>8}{percent(self.right, self.found):>8}"
            f"{percent(self.sure, self.right):>8}{self.wrong:>6}{percent(self.wrong, self.dice):>7}"
            f"{percent(self.right_in_place, self.placed):>10}"
            f"{percent(self.sure_in_place, self.right_in_place):>10}"
            f"{f'{self.strangers_read} of {self.strangers}' if self.strangers else '-':>12}"
        )


HEAD = (
    f"{'source':<20}{'dice':>6}{'found':>8}{'right':>8}{'sure':>8}{'wrong':>6}{'of all':>7}{'in place':>10}"
    f"{'and sure':>10}{'strangers':>12}"
)


def percent(part: int, whole: int) -> str:
    """The share for a table."""
    return f"{100 * part / whole:.1f}" if whole else "-"


def photographs(source: str, truths: Sequence[PhotoTruth]) -> list[Shown]:
    """The pictures of a source with their dice."""
    return [
        Shown(PHOTOS / source / truth["image"], _kind(truth), tuple(_lying(truth["dice"])))
        for truth in truths
    ]


def _kind(truth: PhotoTruth) -> DiceChoice:
    """The kind that a player would name; where only strangers lie, any."""
    kinds: list[DieKind] = [kind for kind in FACES if any(die["kind"] == kind for die in truth["dice"])]
    return kinds[0] if kinds else "auto"


def _lying(dice: Sequence[Any]) -> Iterator[Lying]:
    for die in dice:
        known = Die(die["kind"], die["value"]) if die["kind"] in FACES else None
        if die["box"] is None:
            yield Lying(known, None, None)
            continue
        x, y, width, height = die["box"]
        middle = np.array((x + width / 2, y + height / 2), np.float32)
        axes = np.asarray(np.eye(2) * UP_FACE * max(width, height), np.float32)
        place = Place(middle, axes) if die["kind"] != "d4" else None
        yield Lying(known, place, (x, y, x + width, y + height))


def painted(folder: str) -> list[Shown]:
    """The pictures of another painter's folder with their dice; none where they are not there."""
    listed = PAINTED / folder / "truth.json"
    if not listed.is_file():
        return []
    kind = PAINTED_KINDS[folder]
    out = []
    for truth in json.loads(listed.read_text(encoding="utf-8")):
        dice: tuple[list[Lying], list[Lying]] = [], []
        for die in truth["dice"]:
            dice[die.get("clipped_fraction", 0.0) > BURNT_OUT].append(_painted_die(kind, die))
        legible, burnt_out = dice
        out.append(Shown(PAINTED / folder / truth["image"], kind, tuple(legible), tuple(burnt_out)))
    return out


def _painted_die(kind: DieKind, die: dict[str, Any]) -> Lying:
    place = place_of(np.array(die["corners"], np.float32))
    x, y = place.center.tolist()
    reach = NEAR * place.half_px / (D4_HALF if kind == "d4" else 1.0)
    box = (x - reach, y - reach, x + reach, y + reach)
    return Lying(Die(kind, die["value"]), place if kind != "d4" else None, box)


def leaks_of(shown: Sequence[Shown], networks: Networks, name: str) -> Leaks:
    """What becomes of the dice of these pictures."""
    reader, total = LearnedReader(networks), Leaks()
    for one in tqdm(shown, desc=name, leave=False):
        picture = load_sized(one.path).picture
        count(total, one.dice, reader.look(picture, one.kind))
        count_in_place(total, one, picture, networks)
    return total


def count(total: Leaks, dice: Sequence[Lying], looked: Sequence[JudgedFace]) -> None:
    """Add what was found of a picture's dice. Each find is of one die at most, the surest first; of dice
    whose places are not known, what has the right value comes first, and what is left is found and wrong."""
    left = sorted((one for one in looked if not one.face.is_none), key=lambda one: -one.confidence)
    ours = [lying for lying in dice if lying.die is not None]
    strangers = [lying for lying in dice if lying.die is None]
    total.dice += len(ours)
    total.strangers += len(strangers)
    astray = []
    for lying in (*ours, *strangers):
        here = next((one for one in left if _fits(one, lying)), None)
        if here is not None:
            left.remove(here)
            _add(total, lying.die, here)
        elif lying.box is None:
            astray.append(lying.die)
    for die, one in zip(astray, left, strict=False):
        _add(total, die, one)


def _fits(one: JudgedFace, lying: Lying) -> bool:
    """Whether a find may be of this die."""
    if lying.box is None:
        return one.die is not None and one.die == lying.die
    x, y = one.face.place.center.tolist()
    return is_in(lying.box, (x, y))


def is_in(box: Box, at: Point, beside: float = 0.0) -> bool:
    """Whether a point lies in a box, or outside it by at most so many of its longer sides."""
    left, top, right, bottom = box
    rim = beside * max(right - left, bottom - top)
    return left - rim <= at[0] <= right + rim and top - rim <= at[1] <= bottom + rim


def _add(total: Leaks, die: Die | None, one: JudgedFace) -> None:
    sure = one.die is not None and one.confidence >= SURE
    if die is None:
        total.strangers_read += sure
        return
    total.found += 1
    if one.die == die:
        total.right += 1
        total.sure += sure
    else:
        total.wrong += sure


def count_in_place(total: Leaks, shown: Shown, picture: Picture, networks: Networks) -> None:
    """Add what the face reader says of this picture's dice where it is told their places."""
    asked = [(one.die, one.place) for one in shown.dice if one.die is not None and one.place is not None]
    faces = read_at(picture, [place for _, place in asked], networks)
    total.placed += len(asked)
    for (die, _), face in zip(asked, faces, strict=True):
        seen = look_for_kind(face, shown.kind)
        if DICE[int(seen.chances[: len(DICE)].argmax())] == die:
            total.right_in_place += 1
            total.sure_in_place += seen.die == die and confidence(seen) >= SURE


def every_source(some: Sequence[str]) -> Iterator[tuple[str, list[Shown]]]:
    """All sources that are there, or those named; painted ones are called painted/FOLDER."""
    for source, truths in sources():
        if not some or source in some:
            yield source, photographs(source, truths)
    for folder in PAINTED_KINDS:
        shown = painted(folder) if not some or f"painted/{folder}" in some else []
        if shown:
            yield f"painted/{folder}", shown


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks leaks")
    parser.add_argument("--sources", nargs="+", default=[], metavar="SOURCE")
    parser.add_argument("--finder", type=Path, help="a finder in place of the project's, for all sources")
    parser.add_argument("--faces", type=Path, help="a face reader in place of the project's, for all sources")
    parser.add_argument("--first", type=int, help="only so many pictures of each source")
    asked = parser.parse_known_args()[0]
    cv2.setNumThreads(1)
    given = asked.finder or asked.faces
    project = Networks(finder=asked.finder or files.FINDER, faces=asked.faces or files.FACES, threads=THREADS)
    print(HEAD)
    for source, shown in every_source(asked.sources):
        networks = project if given else unseen(source)
        mark = "*" if networks is None else ""
        leaks = leaks_of(shown[: asked.first], networks or project, source)
        print(f"{source + mark:<20}{leaks.line()}", flush=True)
    if not given:
        print("* the networks learnt from these pictures")


if __name__ == "__main__":
    main()

"""Measures landings of an owner's dice, as strangers and with what earlier landings told of their shapes.

What was measured is kept beside the pictures, one line a landing, for a state of the source: a run that was
broken off goes on.
"""

from collections.abc import Sequence

import msgspec
import numpy as np
from tqdm import tqdm

from benchmarks.landing.close_up import OF_A_SET, PER_TABLE, SET_DICE, CloseUp, close_up
from benchmarks.landing.judged.close_ups import windowed
from benchmarks.landing.judged.harness import Outcome, outcomes_of, state
from benchmarks.landing.kit import cache_folder
from calibration.description import Dice
from vision.landing.call import call_die
from vision.landing.measure import Measurer
from vision.landing.measured import MeasuredDie, Measurement
from vision.landing.shapes import KeptShape, LearntShapes, tint_of

LESSONS = 5
"""How often each die of a set lands before it is judged."""


class Seen(msgspec.Struct, frozen=True):
    """One line of the file: a landing as it was measured, and the tints of its dice."""

    number: int
    found: Measurement
    tints: tuple[tuple[float, ...], ...]


def judge_learnt(camera: str, count: int, *, calliper: bool) -> tuple[list[Outcome], list[Outcome]]:
    """What came of the dice of the first `count` landings, those that teach left out: measured as strangers,
    and as dice whose shapes are learnt, by somebody with a calliper or without. Drawn and measured where they
    were not yet."""
    strange: list[Outcome] = []
    learnt: list[Outcome] = []
    known: tuple[KeptShape, ...] = ()
    for seen in _measured(camera, count):
        each = close_up(seen.number, camera, OF_A_SET)
        at = seen.number % PER_TABLE
        lesson = at < LESSONS * SET_DICE
        # A calliper has hundredths.
        edge_mm = round(each.scene.dice[0].edge_mm, 2) if calliper and lesson else None
        shapes = LearntShapes(Dice(), known if at else (), edge_mm=edge_mm)
        improved = shapes.improve(seen.found.dice, [np.array(tint) for tint in seen.tints])
        known = shapes.kept
        if not lesson:
            strange += _judged(each, seen.found.dice, seen.found)
            learnt += _judged(each, improved, seen.found)
    return strange, learnt


def _judged(each: CloseUp, dice: Sequence[MeasuredDie], found: Measurement) -> list[Outcome]:
    calibration = windowed(each)
    return list(outcomes_of(each.scene, [(die, call_die(die, calibration)) for die in dice], found.unsure))


def _measured(camera: str, count: int) -> list[Seen]:
    path = cache_folder() / f"set-{camera}-{state()}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = path.read_bytes().splitlines() if path.exists() else []
    # A line cut short by a power cut is measured again.
    kept = [msgspec.json.decode(line, type=Seen) for line in lines if line.endswith(b"]}")]
    known = {seen.number: seen for seen in kept}
    with path.open("ab") as file:
        for number in tqdm(range(count), desc=f"{camera}, {OF_A_SET}"):
            if number not in known:
                each = close_up(number, camera, OF_A_SET)
                picture = each.picture
                found = Measurer(windowed(each)).measure(picture)
                tints = tuple(tuple(tint_of(picture, die).tolist()) for die in found.dice)
                known[number] = Seen(number, found, tints)
                file.write(msgspec.json.encode(known[number]) + b"\n")
    return [known[number] for number in range(count)]

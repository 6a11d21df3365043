"""Measures and calls close-ups of dice of which the box knows nothing: is a call that is said to be certain
ever wrong?

Outcomes are kept beside the pictures, one line a landing, for a state of the source: a run that was broken
off goes on.
"""

from dataclasses import replace
from functools import lru_cache

import msgspec
from tqdm import tqdm

from benchmarks.landing.bridge import true_calibration
from benchmarks.landing.close_up import CloseUp, close_up, strange_kit
from benchmarks.landing.judged.harness import Outcome, outcomes_of, state
from benchmarks.landing.kit import cache_folder
from calibration.table import TableCalibration
from vision.landing.call import call_die
from vision.landing.measure import Measurer


class Judged(msgspec.Struct, frozen=True):
    """One line of the file of outcomes."""

    number: int
    outcomes: list[Outcome]


def judge_close_ups(camera: str, style: str, count: int) -> list[Outcome]:
    """What came of the dice of the first `count` landings of a style; drawn and measured where they were
    not yet."""
    path = cache_folder() / f"closeups-{camera}-{style}-{state()}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    known = {each.number: each.outcomes for each in _kept(path.read_bytes() if path.exists() else b"")}
    with path.open("ab") as file:
        for number in tqdm(range(count), desc=f"{camera}, {style}"):
            if number not in known:
                known[number] = _measured(close_up(number, camera, style))
                file.write(msgspec.json.encode(Judged(number, known[number])) + b"\n")
    return [outcome for number in range(count) for outcome in known[number]]


def _kept(lines: bytes) -> list[Judged]:
    """Outcomes that an earlier run left; a line cut short by a power cut is measured again."""
    kept = []
    for line in lines.splitlines():
        try:
            kept.append(msgspec.json.decode(line, type=Judged))
        except (msgspec.DecodeError, msgspec.ValidationError):
            continue
    return kept


def _measured(each: CloseUp) -> list[Outcome]:
    calibration = windowed(each)
    found = Measurer(calibration).measure(each.picture)
    pairs = [(die, call_die(die, calibration)) for die in found.dice]
    return list(outcomes_of(each.scene, pairs, found.unsure))


def windowed(each: CloseUp) -> TableCalibration:
    """The true calibration of a close-up's table, for its piece of the picture."""
    whole = _calibration(each.scene.kit.name, each.scene.kit.seed)
    left, top, right, bottom = each.window_px
    lens = whole.view.lens
    centre = (lens.centre_px[0] - left, lens.centre_px[1] - top)
    piece = replace(lens, width_px=right - left, height_px=bottom - top, centre_px=centre)
    return replace(whole, view=replace(whole.view, lens=piece))


@lru_cache(maxsize=2)
def _calibration(camera: str, seed: int) -> TableCalibration:
    return true_calibration(strange_kit(camera, seed))

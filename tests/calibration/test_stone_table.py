"""Another painter's stone table: sheet and stone are equally bright, and a lamp mirrors beside the sheet.

For measuring only: no figure of Callbox was chosen by these pictures.
"""

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.arrays import Picture
from calibration.board import Board
from calibration.description import load_description
from calibration.fit import BoardSeen, TableFound, calibrate_table, find_board, fit_lens
from vision.landing.eye import Eye

STONE = Path(__file__).parents[3] / "shared" / "tables" / "stone"
BOARD = Board.parse("charuco:11x8:25:18:DICT_5X5_100")

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(
        not STONE.exists(), reason="the stone table is not beside this checkout, in ../shared/tables/stone"
    ),
]


@dataclass(frozen=True)
class Off:
    """How far a die's centre was measured from where it lies, mm, and whether the intervals held it."""

    mm: float
    held: tuple[bool, bool]


def picture(path: Path) -> Picture:
    return np.asarray(cv2.imread(str(path), cv2.IMREAD_COLOR), np.uint8)


def seen(path: Path) -> BoardSeen:
    return find_board(np.asarray(cv2.imread(str(path), cv2.IMREAD_GRAYSCALE), np.uint8), BOARD, path.name)


def calibrated(boards: int) -> TableFound:
    """The table, from its pictures with so many flat boards."""
    camera = fit_lens([seen(path) for path in sorted((STONE / "calib").iterdir())], BOARD).camera
    flats = [(seen(path), picture(path)) for path in sorted(STONE.glob("board_flat*.jpg"))[:boards]]
    plan = load_description(STONE / "table.toml")
    return calibrate_table(camera, plan, BOARD, flats, picture(STONE / "empty.jpg"))


@pytest.fixture(scope="module")
def found() -> TableFound:
    """From all five boards."""
    return calibrated(boards=5)


def dice(found: TableFound) -> Iterator[Off | None]:
    """Each die that lies flat, as measured; None where it was not."""
    eye = Eye(found.table)
    truth: dict[str, Any] = json.loads((STONE / "truth.json").read_text())
    for shot in truth["shots"]:
        sight = eye.look(picture(STONE / shot["image"]))
        for true in shot["dice"]:
            if true["cocked"]:
                continue
            x, y = true["center_mm"]
            near = [
                each.die for each in sight.dice if math.dist(each.die.center_mm, (x, y)) < true["edge_mm"] / 2
            ]
            if not near:
                yield None
                continue
            off = np.array(near[0].center_mm) - (x, y)
            sigma = np.sqrt(np.diag(np.array(near[0].covariance)))[:2]
            yield Off(float(np.hypot(*off)), tuple((np.abs(off) < 1.96 * sigma).tolist()))


def test_one_flat_board_does_with_the_sheet_as_second_ruler() -> None:
    """The plan is true there, so the sheet's lines lie on it as far as the camera's place is right."""
    found = calibrated(boards=1)
    off = [feature.off_plan_mm for feature in found.features if feature.off_plan_mm is not None]
    assert max(map(abs, off)) < 0.15
    assert found.table.sigma_mm < 0.2


def test_its_lines_are_found_where_they_lie(found: TableFound) -> None:
    """There the sheet lies just as planned."""
    off = {feature.name: feature.off_plan_mm for feature in found.features if feature.measured}
    assert max(abs(mm) for mm in off.values() if mm is not None) < 0.12
    assert "front of the 3 zone" in off
    assert any("front of the 3 zone for" in note and "burnt out" in note for note in found.notes)


def test_its_dice_are_measured_as_on_any_table(found: TableFound) -> None:
    """To 0.10 mm on average, as wanted of any table, and 0.30 for 99 of 100. Of 38 dice 34 are measured: the
    test whether dice rest on their faces leaves one to people that did, and three are not seen clearly."""
    every = list(dice(found))
    measured = [each for each in every if each is not None]
    assert len(measured) >= 0.87 * len(every)
    assert np.mean([each.mm for each in measured]) < 0.1
    assert np.percentile([each.mm for each in measured], 99) < 0.3
    assert np.mean([each.held for each in measured]) > 0.85

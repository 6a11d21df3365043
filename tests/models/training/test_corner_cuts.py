"""What the network of corners learns from shows what its truth says."""

import math

import numpy as np
import pytest

from models.training import corner_cuts
from models.training.corner_cuts import LearntCorners, corner_batch, corners_of
from models.training.corner_scenes import LEFT_OUT, POINT_MM, landings

TABLE, STONE = 60_000, 20_001
"""The seeds of a table that is drawn, and of one that is left out."""


def some(count: int) -> LearntCorners:
    """Dice whose cuts are brighter along their rows."""
    ramp = np.broadcast_to(np.arange(32, dtype=np.uint8)[:, None, None] * 7, (32, 32, 6))
    cuts = np.broadcast_to(ramp, (count, 4, 32, 32, 6)).copy()
    known = np.tile(np.arange(8, dtype=np.float32), (count, 4, 1))
    truth = np.linspace(0.5, 3, count, dtype=np.float32)
    return LearntCorners(cuts, known, truth, np.asarray(truth / 10, np.float32))


@pytest.mark.long
def test_a_landing_is_drawn_where_it_is_true() -> None:
    (landed,) = landings(TABLE, 1, plain=True)
    (die,) = landed.dice
    x, y = landed.calibration.view.project(np.array([[*die.center_mm[:2], die.edge_mm]]))[0]
    assert 0 < x < landed.picture.shape[1]
    assert 0 < y < landed.picture.shape[0]
    assert math.hypot(x - landed.picture.shape[1] / 2, y - landed.picture.shape[0] / 2) < 40


def test_stone_tables_are_kept_for_testing() -> None:
    assert list(landings(STONE, 1)) == []
    assert (LEFT_OUT, POINT_MM) == ("stone", 30.0)


@pytest.mark.long
def test_each_die_is_cut_out_again_and_again_and_kept(
    tmp_path: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(corner_cuts, "FOLDER", tmp_path)
    made = corners_of([TABLE], 1, plain=True)
    assert len(made) == 1
    assert 0.5 <= made.roundings[0] <= 3.0
    assert abs(made.steps[0]) < 0.3
    monkeypatch.setattr(corner_cuts, "landings", lambda *_args, **_named: pytest.fail("drawn again"))
    again = corners_of([TABLE], 1, plain=True)
    assert np.array_equal(again.cuts, made.cuts)
    assert again.steps.tolist() == made.steps.tolist()


def test_a_mirrored_corner_has_its_sides_and_slants_exchanged() -> None:
    dice = some(60)
    cuts, known, roundings, steps = corner_batch(dice, np.arange(60), np.random.default_rng(3))
    assert cuts.shape == (240, 6, 32, 32)
    assert np.array_equal(roundings, dice.roundings)
    assert np.array_equal(steps, dice.steps)
    along = np.abs(cuts[..., 24:, :].mean(axis=(1, 2, 3)) - cuts[..., :8, :].mean(axis=(1, 2, 3)))
    across = np.abs(cuts[..., 24:].mean(axis=(1, 2, 3)) - cuts[..., :8].mean(axis=(1, 2, 3)))
    mirrored = known[:, 0] > known[:, 1]
    assert 60 < mirrored.sum() < 180
    assert (across[mirrored] > along[mirrored]).all()
    assert (across[~mirrored] < along[~mirrored]).all()

"""What the network of edges learns from shows what its truth says."""

from pathlib import Path

import numpy as np
import pytest

from models.training import edge_cuts
from models.training.edge_cuts import LearntStrips, strip_batch, strips_of

TABLE = 60_000
"""The seed of a table."""


def some(count: int) -> LearntStrips:
    """Dice whose sides are brighter along themselves."""
    ramp = np.broadcast_to(np.arange(6, dtype=np.uint8)[None, :, None] * 40, (64, 6, 6))
    strips = np.broadcast_to(ramp, (count, 4, 64, 6, 6)).copy()
    known = np.tile(np.arange(5, dtype=np.float32), (count, 4, 1))
    steps = np.linspace(-0.2, 0.2, count, dtype=np.float32)
    rounding, aside = np.full(count, 1.6, np.float32), np.zeros((count, 2), np.float32)
    return LearntStrips(strips, known, steps, rounding, aside)


@pytest.mark.long
def test_each_die_is_cut_out_again_and_again_and_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(edge_cuts, "FOLDER", tmp_path)
    made = strips_of([TABLE], 1)
    assert len(made) == 6
    assert len(set(made.steps.tolist())) == 6
    assert np.abs(made.steps).max() < 0.8
    assert len(set(made.roundings.tolist())) == 1
    assert 0.005 < np.abs(made.asides).max() < 0.5
    monkeypatch.setattr(edge_cuts, "landings", lambda *_args, **_named: pytest.fail("drawn again"))
    again = strips_of([TABLE], 1)
    assert np.array_equal(again.strips, made.strips)
    assert again.steps.tolist() == made.steps.tolist()


def test_a_mirrored_side_runs_the_other_way_and_is_seen_so() -> None:
    strips, known, steps, *_ = strip_batch(some(60), np.arange(60), np.random.default_rng(3))
    assert strips.shape == (240, 6, 64, 6)
    assert np.array_equal(steps, some(60).steps)
    first, last = (strips[..., at].mean(axis=(1, 2)) for at in (0, -1))
    mirrored = known[:, 1] < 0
    assert 60 < mirrored.sum() < 180
    assert (first[mirrored] > last[mirrored]).all()
    assert (first[~mirrored] < last[~mirrored]).all()

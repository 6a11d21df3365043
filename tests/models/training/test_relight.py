"""Strips in other light show their edges where these were."""

import numpy as np

from models.training.edge_cuts import relit

COUNT, EDGE = 200, 40


def bright_inside(count: int) -> np.ndarray:
    """Sides that are bright up to one place and dark from there on."""
    strips = np.full((count, 4, 64, 6, 6), 200, np.float32)
    strips[:, :, EDGE:] = 40
    return strips


def test_light_changes_across_a_side_and_edges_stay_where_they_were() -> None:
    shown = relit(bright_inside(COUNT), np.random.default_rng(4))
    assert shown.shape == (COUNT, 4, 64, 6, 6)
    assert shown.dtype == np.float32
    assert shown.min() >= 0
    assert shown.max() <= 255
    light = np.log(shown + 8).mean(axis=(3, 4))
    steepest = np.argmin(np.diff(light, axis=2), axis=2) + 1
    assert (np.abs(steepest - EDGE) <= 1).mean() > 0.97
    within = shown[:, :, : EDGE - 10].mean(axis=(3, 4))
    assert (np.ptp(within, axis=2) > 20).mean() > 0.5


def test_the_same_chance_gives_the_same_light_and_another_one_another() -> None:
    strips = bright_inside(3)
    one, again, other = (relit(strips, np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert np.array_equal(one, again)
    assert not np.array_equal(one, other)
    assert np.array_equal(strips, bright_inside(3))

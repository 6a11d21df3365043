"""Drawn scenes: the same by seed, and what is written down is what the picture shows."""

import numpy as np
import pytest

from models.scenes import draw


def test_a_seed_draws_the_same_scene_again() -> None:
    first, again, other = draw(7, 160, 120), draw(7, 160, 120), draw(8, 160, 120)
    assert np.array_equal(first.picture, again.picture)
    assert [die.box_px for die in first.dice] == [die.box_px for die in again.dice]
    assert not np.array_equal(first.picture, other.picture)


@pytest.mark.parametrize("kinds", [("pips",), ()])
def test_unknown_kinds_are_refused(kinds: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="choose among pip, zoinx, bet, d4, foreign"):
        draw(1, kinds=kinds)


def test_a_picture_too_small_is_refused() -> None:
    with pytest.raises(ValueError, match="too small"):
        draw(1, 16, 16)

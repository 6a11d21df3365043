"""What is learnt from is kept whole, or not at all."""

from pathlib import Path

import numpy as np
import pytest

from models.training.stance import Stances
from models.training.store import joined, kept_part, rows_of, written_whole


def some(*steps: float) -> Stances:
    count = len(steps)
    return Stances(
        np.zeros((count, 60, 60, 3), np.uint8),
        np.array(steps, np.float32)[:, None] * np.ones(2, np.float32),
        np.zeros(count, np.bool_),
    )


def test_a_part_is_made_once_and_read_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "one.npz"
    made = kept_part(path, Stances, lambda: some(0.25, 0.5))
    again = kept_part(path, Stances, lambda: pytest.fail("made again"))
    assert made.steps.tolist() == again.steps.tolist() == some(0.25, 0.5).steps.tolist()
    assert [each.name for each in tmp_path.iterdir()] == ["one.npz"]


def broken_off(path: Path) -> None:
    with written_whole(path) as file:
        file.write(b"half")
        raise KeyboardInterrupt


def test_a_file_half_written_does_not_count(tmp_path: Path) -> None:
    path = tmp_path / "one.npy"
    with pytest.raises(KeyboardInterrupt):
        broken_off(path)
    assert not path.exists()


def test_parts_are_joined_and_rows_picked() -> None:
    both = joined(Stances, [some(1, 2), some(3)])
    assert both.steps[:, 0].tolist() == [1, 2, 3]
    assert rows_of(both, np.array([False, True, True])).steps[:, 0].tolist() == [2, 3]

"""A box in a process of its own is shown painted throws, and what it needs is told."""

import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest

from benchmarks.memory import FPS, paint, watch


@pytest.mark.long
def test_a_box_reads_the_painted_throws_and_its_memory_is_told(tmp_path: Path) -> None:
    pictures = paint(tmp_path, throws=2, seed=11)
    assert pictures == len(list(tmp_path.glob("*.jpg"))) > 2 * FPS
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as aside:
        told = aside.submit(watch, tmp_path).result()
    assert told.readings <= 2, "a busy machine may leave some out"
    assert told.peak_mb >= told.end_mb > told.files_mb > 10

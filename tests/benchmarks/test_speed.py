"""The stopwatch counts what it says, and a detector runs in its own size."""

from itertools import count

import numpy as np
import pytest

import vision.learned.reader
from benchmarks.speed import PARTS, SEEDS, WAYS, Times, decoding, fits, measured, timed_parts
from calibration.arrays import Picture
from models.scenes import Scene, SceneDie
from tests.vision.scenes import Drawn, draw
from tests.vision.scenes import Scene as PipScene


@pytest.fixture(scope="module")
def picture() -> Picture:
    """Two dice in a small picture."""
    return draw(PipScene((Drawn(5, 100, 100), Drawn(2, 220, 130)), width=320, height=240))


def die(edge_px: float) -> SceneDie:
    """A die of that size."""
    corners = np.array(((0, 0), (1, 0), (1, 1), (0, 1)), np.float32) * np.float32(edge_px)
    return SceneDie("pip", 1, corners, (0, 0), (0, 0, edge_px, edge_px), "red", "flat", 1.0, (0, 0))


def test_a_scene_fits_with_eight_dice_of_the_size_asked_for() -> None:
    nothing = np.zeros((1, 1, 3), np.uint8)
    assert fits(Scene(nothing, (die(50),) * 8))
    assert not fits(Scene(nothing, (die(50),) * 7))
    assert not fits(Scene(nothing, (die(28),) * 8))
    assert not fits(Scene(nothing, (die(72),) * 8))


def test_nothing_that_is_learnt_from_is_read() -> None:
    assert min(seed for seeds in SEEDS.values() for seed in seeds) >= 90_000
    assert len({len(seeds) for seeds in SEEDS.values()}) == 1, "every kind counts alike"


def test_the_stopwatch_counts_each_part_and_leaves_nothing_behind(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    name = next(name for name, part in PARTS.items() if part == "finding")
    monkeypatch.setattr(vision.learned.reader, name, before := lambda: "peaks")
    ticks = count()
    with timed_parts(clock=lambda: next(ticks)) as spent:
        assert getattr(vision.learned.reader, name)() == "peaks"
        assert getattr(vision.learned.reader, name)() == "peaks"
        assert spent == {"finding": 2000.0}
    assert getattr(vision.learned.reader, name) is before


def test_decoding_is_timed_apart(picture: Picture) -> None:
    took = decoding(picture, rounds=3)
    assert list(took) == ["JPEG", "PNG"]
    assert min(took.values()) > 0


def test_every_way_is_timed_and_split(picture: Picture) -> None:
    times = measured([("pip", picture)], rounds=2)
    assert set(times) == {(way, kind) for way in WAYS for kind in ("pip", "all")}
    one = times["read", "all"]
    for total, finding, faces in zip(one.total_ms, *one.parts_ms.values(), strict=True):
        assert 0 < finding < total
        assert 0 < faces < total - finding


def test_the_line_tells_medians_of_the_whole_and_of_its_parts() -> None:
    times = Times([10.0, 30.0, 20.0], [9.0, 8.0, 7.0], {"finding": [4.0, 5.0, 6.0], "faces": [1.0, 2.0, 3.0]})
    assert times.line("read", "pip").split() == [
        "read",
        "pip",
        "20.0",
        "28.0",
        "10.0",
        "8.0",
        "5.0",
        "2.0",
        "11.0",
    ]

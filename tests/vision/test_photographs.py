"""The reader on other people's photographs, where they lie beside the checkout."""

import pytest

from benchmarks.photographs import CONFIDENT, right_ones
from models.training.photos import PHOTOS, PhotoTruth, label_rightly
from tests.tiers import short
from vision.pictures import load
from vision.reader import Reader
from vision.reading import Reading

pytestmark = pytest.mark.skipif(
    not PHOTOS.is_dir(), reason=f"the photographs are not there: {PHOTOS} (a sibling of the checkout)"
)

FLOORS = {
    "chrisaholt_blue": (1, 2),
    "damiantab": (8, 20),
    "nell_byler": (25, 30),
    "piotrowy": (1, 4),
    "ryan_red": (1, 13),
    "sciman101": (1, 9),
    "tomek": (3, 22),
}
"""Source: every how many-th picture is read here, and the dice that must at least be read right in them."""


def truths(source: str) -> list[PhotoTruth]:
    """What lies in the pictures of a source."""
    return label_rightly(PHOTOS / source / "truth.json")


def read(source: str, truth: PhotoTruth) -> Reading:
    """One picture of a source."""
    return Reader(threads=1).read(load(PHOTOS / source / truth["image"]))


@pytest.mark.parametrize("frame", short(["010", "048", "080", "113", "155", "191"], 2))
def test_the_filmed_throws_at_rest_are_wholly_right(frame: str) -> None:
    (truth,) = [t for t in truths("wetzler_video") if t["image"] == f"frame_{frame}.jpg"]
    reading = read("wetzler_video", truth)
    assert sorted(int(die.value) for die in reading.dice) == sorted(die["value"] for die in truth["dice"])
    assert reading.unsure == ()


@pytest.mark.long
@pytest.mark.parametrize("source", short(FLOORS, 2))
def test_enough_is_read_and_nothing_is_surely_wrong(source: str) -> None:
    step, floor = FLOORS[source]
    right = 0
    for truth in truths(source)[::step]:
        reading = read(source, truth)
        good = right_ones(reading, truth)
        right += good.count(True)
        wrong = [d for ok, d in zip(good, reading.dice, strict=True) if not ok and d.confidence >= CONFIDENT]
        assert wrong == [], truth["image"]
    assert right >= floor

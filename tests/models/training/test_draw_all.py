"""What networks learn from is drawn sort beside sort, so that they can begin soon."""

import sys
from collections.abc import Iterator
from pathlib import Path

import cv2
import pytest

torch = pytest.importorskip(
    "torch", reason="torch is needed only to make networks (requirements-models.lock)"
)

from models.training import d4_cuts, draw_all, faces_course, photos, real, store  # noqa: E402
from models.training.d4_course import batches_of_kept_d4  # noqa: E402
from models.training.draw_all import Job, draw_one, main, side_by_side, sorts  # noqa: E402
from models.training.faces_course import kept_folder, load_kept  # noqa: E402
from models.training.store import LEANING, SPECIAL, Store, scenes_folder  # noqa: E402

FEW = (
    (store, "SHARD", 4),
    (store, "PROBES", 1),
    (d4_cuts, "SCENES", 4),
    (d4_cuts, "SKETCHED_DESIGNS", 2),
    (draw_all, "D4_SHARDS", 8),
)


@pytest.fixture(autouse=True)
def _few(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A cache folder of its own, shards of a few scenes, and no photographs."""
    for module, name, value in FEW:
        monkeypatch.setattr(module, name, value)
    for module in (store, d4_cuts, faces_course, real):
        monkeypatch.setattr(module, "CACHE", tmp_path)
    monkeypatch.setattr(photos, "PHOTOS", tmp_path / "photos")
    threads, painting = torch.get_num_threads(), cv2.getNumThreads()
    yield
    torch.set_num_threads(threads)
    cv2.setNumThreads(painting)


def test_each_sort_has_its_share_from_the_first_shard_on() -> None:
    both: list[list[Job]] = [
        [(Path(f"{sort}{n}"), (draw_one, n)) for n in range(count)] for sort, count in (("a", 2), ("b", 4))
    ]
    assert [str(path) for path, _ in side_by_side(both)] == ["a0", "b0", "b1", "a1", "b2", "b3"]


def test_after_the_first_shards_all_networks_can_begin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["draw_all", "--first", "--threads", "1"])
    main()
    scenes = [Store(scenes_folder(), first, 1) for first in (0, LEANING, *(first for first, _ in SPECIAL))]
    assert [len(each) for each in scenes] == [4] * len(scenes)
    assert load_kept(kept_folder() / "0000") is not None
    assert callable(batches_of_kept_d4(scenes[0], 8))
    drawn = [path for path, _ in side_by_side(sorts())[: len(sorts())] if path.exists()]
    assert len(drawn) == len(sorts()) - 1, "all but what there is no photograph of"

"""Making the networks ends in a sentence where something is missing or asked for wrongly."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

torch = pytest.importorskip(
    "torch", reason="torch is needed only to make networks (requirements-models.lock)"
)

from models.training import faces_course, store, train  # noqa: E402 - torch first, as above


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """The command with these words, beside a cache folder in which nothing is kept."""
    for module in (store, faces_course):
        monkeypatch.setattr(module, "CACHE", tmp_path)
    monkeypatch.setattr(store, "PROBES", 1)
    for name in ("render", "make_corner", "make_edge"):
        monkeypatch.setattr(train, name, lambda *_given: pytest.fail("drawn"))

    def run(words: str) -> None:
        monkeypatch.setattr(sys, "argv", ["train", *words.split()])
        train.main()

    threads, painting = torch.get_num_threads(), cv2.getNumThreads()
    yield run
    torch.set_num_threads(threads)
    cv2.setNumThreads(painting)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("corner --threads 0", "argument --threads: 0 is no whole number from 1 on"),
        ("scenes --shards -1", "argument --shards: -1 is no whole number from 1 on"),
        ("d4 --d4-more-steps 9 many", "argument --d4-more-steps: many is no whole number from 1 on"),
    ],
)
def test_what_makes_no_course_is_told(
    words: str, told: str, command: Callable[[str], None], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        command(words)
    assert capsys.readouterr().err.endswith(f"error: {told}\n")


@pytest.mark.parametrize("stage", ["cuts", "finder", "d4", "stance", "upper"])
def test_what_learns_from_scenes_says_that_there_are_none(stage: str, command: Callable[[str], None]) -> None:
    with pytest.raises(SystemExit, match=r"^no scenes of shards 0000 to 0899 in .*train scenes\)$"):
        command(stage)


@pytest.mark.parametrize("stage", ["corner", "edge"])
def test_what_learns_from_landings_asks_for_no_scenes(
    stage: str, command: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[int] = []
    monkeypatch.setattr(train, f"make_{stage}", made.append)
    command(f"{stage} --{stage}-steps 7")
    assert made == [7]


def test_without_cut_faces_a_reader_says_how_to_cut_them(command: Callable[[str], None]) -> None:
    for shard in (0, *(first for first, _ in store.SPECIAL)):
        path = store.scenes_folder() / f"{shard:04d}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("[[]]")
        np.save(path.with_suffix(".npy"), np.zeros((1, 2, 2, 3), np.uint8))
    with pytest.raises(SystemExit, match=r"^no faces of scenes are kept in .*train cuts\)$"):
        command("base")

"""Wide scenes are drawn shard by shard, and one that was cut short is drawn anew."""

import json
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from models.scenes import draw
from models.training import wide_scenes
from models.training.store import KINDS
from models.training.wide_scenes import FIRST, VIEWS, main

FEW = 4


@pytest.fixture(name="folder")
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where scenes of a few seeds to a shard are drawn, in small."""
    for name, value in (("SHARD", FEW), ("WIDTH_PX", 160), ("HEIGHT_PX", 120)):
        monkeypatch.setattr(wide_scenes, name, value)
    monkeypatch.setattr(sys, "argv", ["wide_scenes", "--folder", str(tmp_path), "--shards", "2"])
    return tmp_path


def test_a_shard_has_pictures_with_what_is_true_of_them(folder: Path) -> None:
    main()
    shard = folder / "scenes" / f"{FIRST}.json"
    truths = json.loads(shard.read_text(encoding="utf-8"))
    with np.load(shard.with_suffix(".jpgs")) as packed:
        pictures = [cv2.imdecode(packed[f"{place:02d}"], cv2.IMREAD_COLOR) for place in range(FEW)]
    picture = np.asarray(pictures[0], np.uint8)
    seed = FIRST * FEW
    kinds, view = KINDS[seed % len(KINDS)], VIEWS[seed % len(VIEWS)]
    first = draw(seed, 160, 120, kinds=kinds, view=view, wide=True)
    assert np.abs(picture.astype(int) - first.picture).mean() < 4
    assert [die["value"] for die in truths[0]["dice"]] == [die.value for die in first.dice]
    assert [thing["name"] for thing in truths[0]["things"]] == [thing.name for thing in first.things]


def test_a_shard_that_was_cut_short_is_drawn_anew_and_others_are_left(folder: Path) -> None:
    main()
    scenes = folder / "scenes"
    whole, short = scenes / f"{FIRST}.json", scenes / f"{FIRST + 1}.json"
    truth = short.read_text(encoding="utf-8")
    whole.write_text("[]", encoding="utf-8")
    short.unlink()
    main()
    assert (whole.read_text(encoding="utf-8"), short.read_text(encoding="utf-8")) == ("[]", truth)
    assert sorted(path.suffix for path in scenes.iterdir()) == [".jpgs", ".jpgs", ".json", ".json"]


@pytest.mark.parametrize("words", ["--shards 0", "--shards 901", "--threads 0"])
def test_what_makes_no_shard_is_told(
    words: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", [*sys.argv, *words.split()])
    with pytest.raises(SystemExit, match="2"):
        main()
    assert f"argument {words.split(maxsplit=1)[0]}:" in capsys.readouterr().err
    assert not (folder / "scenes").exists()

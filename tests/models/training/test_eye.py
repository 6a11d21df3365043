"""What the eye learns from: cuts with their truth, batches of them, and how answers are measured."""

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")

import torch

from models.scenes import draw
from models.training.eye import (
    CUBE,
    DOMINO,
    FACES,
    NO_DIE,
    WIDE_PX,
    EyeCuts,
    cuts_of_scene,
    keep_cuts,
    load_cuts,
)
from models.training.eye_course import (
    LEFT_OUT,
    Larder,
    accepted,
    eye_loss,
    figures,
    labels_of,
    pack_photos,
    unpack_photos,
)
from models.training.nets import EyeNet
from models.training.photos import MORE_SOURCES, SOURCES
from models.training.store import joined
from vision.learned.contract import CUBES, DICE


@pytest.fixture(scope="module")
def cuts() -> EyeCuts:
    chance = np.random.default_rng(1)
    kinds = ("pip", "zoinx", "bet", "d4", "foreign")
    scenes = [draw(seed, 320, 240, kinds=(kinds[seed % 5],), wide=True) for seed in range(60, 75)]
    return joined(EyeCuts, [cuts_of_scene(scene, chance) for scene in scenes])


@pytest.fixture
def folder(tmp_path: Path, cuts: EyeCuts) -> Path:
    (tmp_path / "scenes").mkdir()
    (tmp_path / "photos").mkdir()
    keep_cuts(tmp_path / "scenes" / "2000", cuts)
    (tmp_path / "scenes" / "2000.json").write_text("[]", encoding="utf-8")
    keep_cuts(tmp_path / "photos" / "rune55_trays", cuts)
    return tmp_path


def test_faces_stand_in_the_order_of_all_dice() -> None:
    assert tuple((die.kind, die.value) for die in DICE[: len(FACES)]) == FACES
    assert {kind for kind, _ in FACES} == set(CUBES)


def test_cuts_of_a_scene_know_dice_and_what_is_none(cuts: EyeCuts) -> None:
    assert cuts.pictures.shape[1:] == (WIDE_PX, WIDE_PX, 3)
    assert {CUBE, DOMINO, NO_DIE} <= set(cuts.whats.tolist())
    assert (cuts.faces[cuts.whats != CUBE] == -1).all()
    assert np.isfinite(cuts.steps[cuts.whats == CUBE]).all()
    assert {"pip", "zoinx", "bet"} <= set(labels_of(cuts))


def test_kept_cuts_are_read_as_they_were(tmp_path: Path, cuts: EyeCuts) -> None:
    keep_cuts(tmp_path / "some", cuts)
    again = load_cuts(tmp_path / "some")
    assert again is not None
    assert (again.pictures == cuts.pictures).all()
    assert (again.faces == cuts.faces).all()
    assert load_cuts(tmp_path / "others") is None


def test_packed_cuts_look_the_same(folder: Path, tmp_path: Path, cuts: EyeCuts) -> None:
    pack_photos(folder, tmp_path / "pack")
    unpack_photos(tmp_path / "again", tmp_path / "pack")
    again = load_cuts(tmp_path / "again" / "photos" / "rune55_trays")
    assert again is not None
    assert (again.whats == cuts.whats).all()
    assert np.abs(again.pictures.astype(int) - cuts.pictures).mean() < 6
    assert (tmp_path / "pack").stat().st_size < cuts.pictures.nbytes / 4


def test_a_batch_has_real_and_drawn_cuts_and_can_be_learnt_from(folder: Path) -> None:
    larder = Larder(folder, (), 32)
    batch = larder.draw(np.random.default_rng(3))
    again = larder.draw(np.random.default_rng(3))
    assert len(batch[0]) == 32
    assert all(
        np.array_equal(one, other, equal_nan=one.dtype.kind == "f")
        for one, other in zip(batch, again, strict=True)
    )
    torch.manual_seed(1)
    net = EyeNet()
    loss = eye_loss(net, *(torch.from_numpy(np.asarray(part)) for part in batch))
    loss.backward()
    assert torch.isfinite(loss)
    assert all(torch.isfinite(weight.grad).all() for weight in net.parameters() if weight.grad is not None)


def test_a_source_that_is_left_out_is_not_learnt_from(folder: Path) -> None:
    assert any(name.startswith("real") for name in Larder(folder, ())._groups)
    assert not any(name.startswith("real") for name in Larder(folder, ("rune55_trays",))._groups)


def test_each_source_is_left_out_by_one_course() -> None:
    assert sorted((*LEFT_OUT["upper"], *LEFT_OUT["lower"])) == sorted((*SOURCES, *MORE_SOURCES))


def test_figures_name_every_kind(cuts: EyeCuts) -> None:
    told = figures(EyeNet().eval(), cuts)
    assert all(word in told for word in ("pip", "zoinx", "bet", "domino as cube", "none as cube"))


def test_what_can_be_accepted_ends_before_the_first_wrong_one() -> None:
    right = np.array((True, True, False, True))
    assert accepted(right, np.array((0.9, 0.8, 0.7, 0.6))) == "50 / 50"
    assert accepted(right, np.array((0.9, 0.8, 0.1, 0.6))) == "75 / 75"

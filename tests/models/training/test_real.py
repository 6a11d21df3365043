"""Real dice are cut out where the networks find what their boxes are said to hold."""

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip(
    "torch", reason="torch is needed only to make networks (requirements-models.lock)"
)

from models.scenes import SceneDie, draw  # noqa: E402
from models.training import real  # noqa: E402
from models.training.cuts import WIDE_PX, Faces, class_of  # noqa: E402
from models.training.photos import Photo  # noqa: E402
from models.training.real import faces_of, lying_in  # noqa: E402
from vision.learned.contract import NONE, POSES  # noqa: E402
from vision.learned.networks import Networks  # noqa: E402

SCENE_SEED = 96_017
"""A drawn scene of eight plain pip dice, which nothing learns from."""
FLAT = POSES.index("flat")


@pytest.fixture(autouse=True)
def _finds_kept_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(real, "CACHE", tmp_path)


def cut(values: list[int | None], kinds: tuple[str, ...], *, boxed: bool = True) -> Faces:
    """The faces of a drawn scene that is given for a photograph with these dice."""
    scene = draw(SCENE_SEED, 1280, 960, kinds=("pip",))
    boxes = np.array([_box(die) for die in scene.dice], np.float32) if boxed else None
    photo = Photo("nowhere", "scene.png", scene.picture, kinds, tuple(values), boxes)
    return faces_of(photo, Networks(), np.random.default_rng(1))


def _box(die: SceneDie) -> tuple[float, float, float, float]:
    (left, top), (right, bottom) = die.corners_px.min(axis=0) - 4, die.corners_px.max(axis=0) + 4
    return left, top, right - left, bottom - top


def dice_shown() -> list[int]:
    scene = draw(SCENE_SEED, 1280, 960, kinds=("pip",))
    return [int(str(die.value)) for die in scene.dice]


def test_dice_that_read_as_their_boxes_say_have_places() -> None:
    values = dice_shown()
    faces = cut(list(values), ("pip",) * len(values))
    dice = faces.classes != NONE
    assert faces.classes[dice].tolist() == [class_of("pip", value) for value in values]
    assert faces.placed[dice].mean() > 0.6
    assert (faces.poses[faces.placed & dice] == FLAT).all()
    assert (faces.poses[~faces.placed] == -1).all()
    assert faces.pictures.shape[1:] == (WIDE_PX, WIDE_PX, 3)
    assert (~dice).any(), "places beside the dice are none"


def test_what_the_networks_see_is_looked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    values, kinds = dice_shown(), ("pip",) * len(dice_shown())
    first = cut(list(values), kinds)
    monkeypatch.setattr(real, "found_in", lambda *_: pytest.fail("looked for again"))
    again = cut(list(values), kinds)
    assert np.array_equal(again.pictures, first.pictures)
    assert np.array_equal(again.placed, first.placed)


def test_a_die_that_reads_otherwise_is_asked_for_its_value_alone() -> None:
    values = [value % 6 + 1 for value in dice_shown()]
    faces = cut(list(values), ("pip",) * len(values))
    dice = faces.classes != NONE
    assert faces.classes[dice].tolist() == [class_of("pip", value) for value in values]
    assert faces.placed[dice].mean() < 0.3


def test_strangers_have_no_places() -> None:
    count = len(dice_shown())
    faces = cut([None] * count, ("foreign",) * count)
    assert not faces.placed.any()
    assert (faces.classes == class_of("foreign", None)).sum() == count
    assert len(cut([None] * count, ("foreign",) * count, boxed=False)) == 0


def test_the_finder_is_told_of_every_die_and_the_size_of_those_that_read_as_their_boxes_say() -> None:
    values = dice_shown()
    scene = draw(SCENE_SEED, 1280, 960, kinds=("pip",))
    boxes = np.array([_box(die) for die in scene.dice], np.float32)
    kinds = ("pip",) * len(values)
    told = lying_in(Photo("nowhere", "scene.png", scene.picture, kinds, tuple(values), boxes), Networks())
    assert told is not None
    assert len(told.lying) == len(values)
    sized = [die.sized for die in told.lying]
    assert np.mean(sized) > 0.6
    for die, true in zip(told.lying, scene.dice, strict=True):
        assert np.hypot(*(die.place.center - np.array(true.center_px))) < 0.5 * die.place.half_px
        assert die.counts

    wrong = tuple(value % 6 + 1 for value in values)
    aslant = Photo("epanemu_dice3", "scene.png", scene.picture, kinds, wrong, boxes)
    doubtful = lying_in(aslant, Networks())
    assert doubtful is not None
    assert not any(die.counts for die in doubtful.lying if not die.sized), "its place is a guess: not asked"


def test_of_a_photograph_of_strangers_without_boxes_nothing_is_told() -> None:
    scene = draw(SCENE_SEED, 1280, 960, kinds=("pip",))
    count = len(scene.dice)
    photo = Photo("nowhere", "scene.png", scene.picture, ("foreign",) * count, (None,) * count, None)
    assert lying_in(photo, Networks()) is None

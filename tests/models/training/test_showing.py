"""Faces that are shown in hard light and odd shapes stay what they are, where they are told to be."""

import numpy as np
import pytest

torch = pytest.importorskip(
    "torch", reason="torch is needed only to make networks (requirements-models.lock)"
)

from calibration.arrays import Picture  # noqa: E402
from models.training.augmentation import places_told, shapes, show  # noqa: E402
from models.training.cuts import NOT_ASKED, UNIT_PX, WIDE_PX, Faces, class_of  # noqa: E402
from models.training.faces_course import draw_from, groups_of  # noqa: E402
from models.training.store import joined  # noqa: E402
from vision.face_place import FacePlace  # noqa: E402
from vision.learned.contract import CUT_SIDE_PX, NONE, move_place  # noqa: E402

CHANCE = 17
MIDDLE = np.array(((CUT_SIDE_PX - 1) / 2,) * 2, np.float32)
UPRIGHT = FacePlace(MIDDLE, np.asarray(np.eye(2) * UNIT_PX, np.float32))


def wide_square() -> Picture:
    """A wide cut with a light face in its middle."""
    wide = np.full((WIDE_PX, WIDE_PX, 3), 60, np.uint8)
    edge = round(WIDE_PX / 2 - UNIT_PX)
    wide[edge:-edge, edge:-edge] = 190
    return wide


def faces(count: int, shows: int, *, placed: bool = True) -> Faces:
    """That many light faces."""
    pose = np.full(count, 0 if shows != NONE else NOT_ASKED)
    return Faces(np.stack([wide_square()] * count), np.full(count, shows), pose, np.full(count, placed))


def test_a_face_lies_in_its_cut_where_it_is_told_to_lie() -> None:
    count, chance = 80, np.random.default_rng(CHANCE)
    linear, shift = shapes(["bet"] * count, chance)
    moves = places_told((linear, shift), ["bet"] * count, np.ones(count, bool))
    wide = torch.from_numpy(np.stack([wide_square()] * count))
    cuts = show(wide, torch.from_numpy(linear), torch.from_numpy(shift), CHANCE).numpy()
    clear = 0
    for cut, move in zip(cuts.mean(axis=1), moves, strict=True):
        place = move_place(UPRIGHT, move[:9])
        ways = np.array(((1, 0), (-1, 0), (0, 1), (0, -1)))
        inside, outside = (cut[tuple(_pixels(place, step * ways))] for step in (0.6, 1.3))
        clear += bool(abs(inside.mean() - outside.mean()) > 1.5 * max(inside.std(), 3))
    assert clear > 0.8 * count


def _pixels(place: FacePlace, steps: np.ndarray) -> np.ndarray:
    x, y = np.clip(np.rint(steps @ place.axes.T + place.center), 0, CUT_SIDE_PX - 1).astype(int).T
    return np.stack((y, x))


def test_the_light_changes_and_whole_levels_come_out() -> None:
    wide = torch.from_numpy(np.stack([wide_square()] * 40))
    upright = torch.from_numpy(np.tile(np.eye(2), (40, 1, 1)))
    cuts = show(wide, upright, torch.zeros(40, 2), 3)
    assert cuts.shape == (40, 3, CUT_SIDE_PX, CUT_SIDE_PX)
    assert (cuts == cuts.round()).all()
    assert 0 <= float(cuts.min()) < float(cuts.max()) <= 255
    darker = (cuts[:, :, 20:28, 20:28].mean((1, 2, 3)) < cuts[:, :, :4, :4].mean((1, 2, 3))).float().mean()
    assert 0.1 < float(darker) < 0.5, "a quarter of them are negatives"
    again = show(wide, upright, torch.zeros(40, 2), 3)
    assert torch.equal(cuts, again)


def test_digits_are_never_mirrored_and_pips_are_half_of_the_time() -> None:
    chance = np.random.default_rng(CHANCE)
    for kind, share in (("bet", 0.0), ("d4", 0.0), ("foreign", 0.0), ("pip", 0.5), ("zoinx", 0.5)):
        linear, _ = shapes([kind] * 400, chance)
        assert (np.linalg.det(linear) < 0).mean() == pytest.approx(share, abs=0.1)


def test_what_has_no_known_place_is_not_asked_for_it() -> None:
    linear, shift = shapes(["pip", "none"], np.random.default_rng(CHANCE))
    told = places_told((linear, shift), ["pip", "none"], np.array((False, True)))
    assert not told.any()


def test_a_batch_holds_every_group_by_its_share() -> None:
    drawn = joined(Faces, [faces(9, class_of("pip", 3)), faces(5, NONE), faces(4, class_of("bet", 8))])
    real = {"some": faces(6, class_of("pip", 5), placed=False), "other": faces(2, class_of("foreign", None))}
    groups = groups_of(drawn, faces(3, NONE), real)
    assert sum(len(rows) for _, rows, _ in groups) == 29
    wide, shaped, told, seed, classes, poses = draw_from(groups, 64)(np.random.default_rng(CHANCE))
    assert (wide.shape, shaped.shape) == ((64, WIDE_PX, WIDE_PX, 3), (64, 2, 3))
    assert seed.shape == ()
    assert set(classes) == {
        class_of("pip", 3),
        class_of("pip", 5),
        class_of("bet", 8),
        NONE,
        class_of("foreign", None),
    }
    real_pips = classes == class_of("pip", 5)
    assert 20 < real_pips.sum() < 40
    assert not told[real_pips].any()
    assert (poses[classes == NONE] == NOT_ASKED).all()

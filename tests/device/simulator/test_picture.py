"""The simulated table's pictures: geometry, faces, light and noise are what they say."""

from random import Random
from typing import get_args

import cv2
import numpy as np
import pytest

from device.simulator import hand
from device.simulator.cast import PixelBox, cast, cast_finely, footprint, lamp, visible_px
from device.simulator.designs import COLORS, marks
from device.simulator.dice import (
    FACES_ON,
    SIDES,
    Pose,
    SimulatedDie,
    corners_mm,
    side_up,
    top_corners_mm,
    yawed,
)
from device.simulator.ground import Daylight, tray
from device.simulator.hand import Shape
from device.simulator.lens import overhead
from device.simulator.motion import HandAt, HandWay, LyingStill, Tumble
from device.simulator.render import NOISE_SIGMA, Renderer
from device.simulator.throw import flat_pose
from device.simulator.world import SeenWorld
from tests.tiers import short

LENS = overhead(1280, 960)
DIE = SimulatedDie(number=1, kind="pip", color="ivory", faces=FACES_ON["pip"])
PLACES = ((0.0, 0.0), (140.0, 90.0), (-140.0, 90.0), (140.0, -90.0), (-140.0, -90.0))


def picture(poses: list[Pose], body: SimulatedDie = DIE, time_ms: float = 0.0, seed: int = 1) -> np.ndarray:
    """Dice at rest, without noise."""
    scene = SeenWorld(time_ms, tuple((body, LyingStill(pose)) for pose in poses), None)
    return Renderer(tray(1280, 960), Random(seed)).clean(scene, {}).astype(np.float32)


def test_points_project_as_opencvs_camera_model_says() -> None:
    points = np.random.default_rng(1).uniform((-200, -150, 0), (200, 150, 60), (50, 3)).astype(np.float32)
    matrix = np.array([[LENS.focal_px, 0, 639.5], [0, LENS.focal_px, 479.5], [0, 0, 1]])
    turn, _ = cv2.Rodrigues(LENS.turn.astype(np.float64))
    shift = -LENS.turn.astype(np.float64) @ LENS.eye_mm
    there, _ = cv2.projectPoints(points, turn, shift, matrix, np.array([LENS.bend.k1, LENS.bend.k2, 0, 0]))
    assert LENS.project(points) == pytest.approx(there.reshape(-1, 2), abs=0.02)


def test_rays_go_back_to_where_points_came_from() -> None:
    points = np.random.default_rng(2).uniform(-150, 150, (50, 2)).astype(np.float32)
    for height in (0.0, 18.0):
        seen = LENS.project(np.column_stack([points, np.full(50, height, np.float32)]))
        assert LENS.on_plane(seen[:, 0], seen[:, 1], height) == pytest.approx(points, abs=0.02)


def test_a_ray_grid_is_as_good_as_single_rays() -> None:
    for x0, y0 in ((0, 0), (600, 450), (1180, 860)):
        x, y = np.arange(x0, x0 + 90, dtype=np.float32), np.arange(y0, y0 + 90, dtype=np.float32)
        exact = LENS.rays(*np.meshgrid(x, y)).reshape(3, -1)
        assert np.abs(LENS.ray_grid(x, y) - exact).max() * LENS.focal_px < 0.12


def test_a_16_mm_die_is_40_to_55_pixels() -> None:
    for x, y in PLACES:
        corners = LENS.project(top_corners_mm(DIE, flat_pose(DIE, x, y, 0.3, 4)))
        sides = np.hypot(*(corners - np.roll(corners, 1, axis=0)).T)
        assert np.all((sides > 40) & (sides < 55))


def test_the_lens_bends_straight_lines() -> None:
    ends = LENS.project(np.array([[-200, 150, 0], [0, 150, 0], [200, 150, 0]], np.float32))
    middle = (ends[0] + ends[2]) / 2
    assert np.hypot(*(ends[1] - middle)) > 1.5


@pytest.mark.parametrize(("x", "y"), PLACES[1:])
def test_side_faces_show_towards_the_middle_of_the_picture(x: float, y: float) -> None:
    pose = flat_pose(DIE, x, y, 0.2, 4)
    box = visible_px(LENS, DIE, pose)
    cover = cast_finely(LENS, lamp(), DIE, pose, DIE.faces, 2, box)[..., 3]
    rows, columns = np.nonzero(cover > 0.5)
    seen = np.array([columns.mean() + box.x0, rows.mean() + box.y0])
    top = LENS.project(top_corners_mm(DIE, pose)).mean(axis=0)
    foot = LENS.project(np.array([[x, y, 0]], np.float32))[0]
    outward = foot - LENS.project(LENS.eye_mm * np.array([[1, 1, 0]], np.float32))[0]
    outward /= np.hypot(*outward)
    assert (top - foot) @ outward > 1.5  # the top leans outward
    assert (top - seen) @ outward > 0.8  # and what is seen beyond it lies inward


@pytest.mark.parametrize("seed", short(range(4)))
def test_the_die_fills_its_projected_outline(seed: int) -> None:
    turn, _ = np.linalg.qr(np.random.default_rng(seed).normal(size=(3, 3)))
    if np.linalg.det(turn) < 0:
        turn[:, 0] *= -1
    pose = Pose(np.array([60, -40, 20], np.float32), turn.astype(np.float32))
    box = visible_px(LENS, DIE, pose)
    cover = cast_finely(LENS, lamp(), DIE, pose, DIE.faces, 2, box)[..., 3]
    outline = cv2.convexHull(LENS.project(corners_mm(DIE, pose)) - np.array([box.x0, box.y0], np.float32))
    full = cv2.fillConvexPoly(np.zeros(box.shape, np.uint8), np.round(outline).astype(np.int32), 1)
    assert cover[full == 0].sum() < 0.02 * cover.sum()
    assert 0.88 < cover.sum() / full.sum() < 1.01  # the corners are round


def test_coarse_and_fine_rays_show_the_same_die() -> None:
    pose = flat_pose(DIE, 90, 40, 0.7, 2)
    box = visible_px(LENS, DIE, pose)
    one = cast(LENS, lamp(), DIE, pose, DIE.faces, 1, box)
    fine = cast_finely(LENS, lamp(), DIE, pose, DIE.faces, 3, box)
    assert abs(one[..., 3].sum() / fine[..., 3].sum() - 1) < 0.01
    assert np.abs(one - fine).mean() < 4
    coarse = cast(LENS, lamp(), DIE, pose, DIE.faces, 2, box)
    assert abs(4 * coarse[..., 3].sum() / fine[..., 3].sum() - 1) < 0.03


def up_face(image: np.ndarray, body: SimulatedDie, pose: Pose, size: int = 120) -> np.ndarray:
    """The up-face brought square, grey."""
    corners = LENS.project(top_corners_mm(body, pose)).astype(np.float32)
    square = np.array([[0, 0], [size, 0], [size, size], [0, size]], np.float32)
    flat = cv2.warpPerspective(image, cv2.getPerspectiveTransform(corners, square), (size, size))
    return cv2.cvtColor(flat.astype(np.uint8), cv2.COLOR_BGR2GRAY)


def blobs(face: np.ndarray) -> int:
    """Dark blobs well inside a light face."""
    inner = face[12:-12, 12:-12]
    dark = (inner < (float(inner.min()) + float(inner.max())) / 2).astype(np.uint8)
    count, _, stats, _ = cv2.connectedComponentsWithStats(dark)
    return sum(1 for index in range(1, count) if stats[index, cv2.CC_STAT_AREA] > 60)


@pytest.mark.parametrize("side", short(range(6)))
def test_the_pips_drawn_up_are_the_face_that_is_up(side: int) -> None:
    poses = [flat_pose(DIE, x, y, 0.3 + x, side) for x, y in PLACES]
    image = picture(poses)
    for pose in poses:
        assert pose.upward == side
        assert blobs(up_face(image, DIE, pose)) == FACES_ON["pip"][side]


@pytest.mark.parametrize("side", short(range(6)))
def test_a_zoinx_die_shows_its_dot_or_its_square(side: int) -> None:
    die = SimulatedDie(number=1, kind="zoinx", color="ivory", faces=FACES_ON["zoinx"])
    poses = [flat_pose(die, x, y, 0.5 + y, side) for x, y in PLACES]
    image = picture(poses, die)
    for pose in poses:
        face = up_face(image, die, pose)
        # A square reaches 0.40 out both ways; a dot, 0.50 round the middle, does not.
        corners = [int(face[60 + 24 * v, 60 + 24 * u]) for u in (-1, 1) for v in (-1, 1)]
        assert face[60, 60] < 90
        assert (max(corners) < 110) == (FACES_ON["zoinx"][side] == "square")
        assert (min(corners) > 150) == (FACES_ON["zoinx"][side] == "dot")


def test_a_zoinx_die_has_two_dots_and_four_squares_and_pip_sides_add_up_to_seven() -> None:
    assert sorted(map(str, FACES_ON["zoinx"])) == ["dot"] * 2 + ["square"] * 4
    pips = [face for face in FACES_ON["pip"] if isinstance(face, int)]
    assert [a + b for a, b in zip(pips[::2], pips[1::2], strict=True)] == [7, 7, 7]
    assert len(SIDES) == 6


@pytest.mark.parametrize("face", FACES_ON["pip"])
def test_a_tile_has_as_much_ink_as_its_face_has_pips(face: int) -> None:
    (ink,) = (mark.mask for mark in marks("pip", (face,)))
    assert ink.mean() == pytest.approx(face * np.pi * 0.185**2 / 4, rel=0.02)
    assert max(ink[0].max(), ink[-1].max(), ink[:, 0].max(), ink[:, -1].max()) == 0


@pytest.mark.parametrize("color", COLORS)
def test_every_colour_has_ink_that_can_be_seen(color: str) -> None:
    die = SimulatedDie(number=1, kind="pip", color=color, faces=FACES_ON["pip"])
    pose = flat_pose(die, 0, 0, 0.2, 4)  # a one: its pip is in the middle
    face = up_face(picture([pose], die), die, pose).astype(int)
    assert abs(face[60, 60] - face[25, 60]) > 60


def test_a_die_throws_a_shadow_away_from_the_lamp() -> None:
    pose = flat_pose(DIE, 0, 0, 0.0, 4)
    with_die, without = picture([pose]), picture([])
    for side, dark in ((1, True), (-1, False)):
        x, y = LENS.project(np.array([[side * 11, side * -11, 0]], np.float32))[0].astype(int)
        ratio = with_die[y - 2 : y + 3, x - 2 : x + 3].mean() / without[y - 2 : y + 3, x - 2 : x + 3].mean()
        assert (ratio < 0.75) == dark
        assert (ratio > 0.85) != dark


def test_nothing_far_from_the_dice_changes() -> None:
    changed = np.abs(picture([flat_pose(DIE, 0, 0, 0.0, 4)]) - picture([])).max(axis=2) > 0
    rows, columns = np.nonzero(changed)
    assert rows.min() > 400
    assert rows.max() < 600
    assert columns.min() > 550
    assert columns.max() < 750


def test_a_moving_die_is_smeared_along_its_way() -> None:
    end = flat_pose(DIE, 60, 40, 0.3, 4)
    from_mm = np.array([-120, -60], np.float32)
    motion = Tumble(body=DIE, start_ms=0, end_ms=500, end=end, from_mm=from_mm, spin_rad=1, hop_mm=0)
    renderer = Renderer(tray(1280, 960), Random(1))
    casts, still = renderer._casts(SeenWorld(250, ((DIE, motion),), None), {})
    assert not still
    cover = casts[0].body.cover
    partly = ((cover > 0.02) & (cover < 0.98)).sum()
    resting, _ = renderer._casts(SeenWorld(900, ((DIE, motion),), None), {})
    sharp = resting[0].body.cover
    assert partly > 3 * ((sharp > 0.02) & (sharp < 0.98)).sum()
    assert cover.sum() == pytest.approx(sharp.sum(), rel=0.5)


def test_the_upper_die_is_painted_over_the_lower() -> None:
    low, high = flat_pose(DIE, 80, 0, 0, 4), flat_pose(DIE, 80, 0, 0, 5, floor_mm=16)
    for poses in ([low, high], [high, low]):
        assert blobs(up_face(picture(poses), DIE, high)) == 6


def test_the_hand_hides_what_lies_under_it() -> None:
    pose = flat_pose(DIE, 0, -60, 0, 5)
    way = HandWay((HandAt(0, 0, -20, 0, "open"), HandAt(1000, 0, -20, 0, "open")))
    renderer = Renderer(tray(1280, 960), Random(1))
    bare = renderer.clean(SeenWorld(500, ((DIE, LyingStill(pose)),), None), {}).astype(int)
    covered = renderer.clean(SeenWorld(500, ((DIE, LyingStill(pose)),), way), {}).astype(int)
    x, y = LENS.project(np.array([[0, -60, 30]], np.float32))[0].astype(int)
    patch = covered[y - 10 : y + 10, x - 10 : x + 10]
    assert np.abs(patch - bare[y - 10 : y + 10, x - 10 : x + 10]).mean() > 20
    assert patch[..., 2].mean() > patch[..., 0].mean() + 40  # skin is red
    assert np.array_equal(covered[:200], bare[:200])


def test_noise_is_as_strong_as_it_says_and_new_in_each_frame() -> None:
    renderer = Renderer(tray(1280, 960), Random(1))
    frames = [
        renderer.picture(SeenWorld(10.0 * index, (), None), {}).astype(np.float32) for index in range(3)
    ]
    for a, b in ((0, 1), (1, 2)):
        difference = frames[a] - frames[b]
        assert difference.std() / 2**0.5 == pytest.approx(NOISE_SIGMA, rel=0.12)
        assert abs(difference.mean()) < 0.05
    assert abs((frames[0] - picture([])).mean()) < 0.1


def test_light_changes_slowly_but_it_changes() -> None:
    daylight = Daylight.of(Random(4))
    levels = np.array([sum(daylight.weights(time_ms)) for time_ms in range(0, 120_000, 100)])
    sides = np.array([daylight.weights(time_ms)[0] for time_ms in range(0, 120_000, 100)])
    assert np.ptp(levels) > 0.06
    assert np.ptp(sides) > 0.3
    assert np.abs(np.diff(levels)).max() < 0.003  # a tenth of a second: less than half a step of 150
    assert 0.85 < levels.min() < levels.max() < 1.05
    base = tray(320, 240).ground
    bright, dim = (base.lit((share, 0.9 - share)).astype(int) for share in (0.2, 0.7))
    assert abs(int(bright[:, :60].sum()) - int(dim[:, :60].sum())) > 60 * 240 * 3


def test_the_ground_has_a_tray_with_texture_on_a_table() -> None:
    bare = picture([])
    felt, table = bare[300:700, 300:900], bare[890:950, 300:900]
    assert felt[..., 1].mean() > felt[..., 2].mean() + 30  # green
    assert table[..., 2].mean() > table[..., 0].mean() + 30  # brown
    assert 1.5 < felt[..., 1].std() < 12
    assert 3 < table[..., 2].std() < 30


def test_a_die_half_out_of_the_picture_does_no_harm() -> None:
    for x, y in ((215, 0), (0, 160), (-215, -160), (900, 0)):
        pose = flat_pose(DIE, x, y, 0.4, 3, floor_mm=5)
        assert picture([pose]).shape == (960, 1280, 3)


def test_where_no_ray_meets_the_die_nothing_is_painted() -> None:
    pose = flat_pose(DIE, 0, 0, 0.4, 3)
    beside = PixelBox(20, 30, 28, 36)
    assert not cast(LENS, lamp(), DIE, pose, DIE.faces, 1, beside).any()


def test_an_empty_box_has_no_pixels() -> None:
    away = PixelBox.around(np.array([[-50, -50], [-20, -20]], np.float32), 2, LENS)
    assert away.empty
    assert len(footprint(LENS, DIE, Pose(np.array([0, 0, 8], np.float32), yawed(0.1) @ side_up(4)))) == 4


@pytest.mark.long
@pytest.mark.parametrize("shape", get_args(Shape))
def test_what_a_limb_cannot_reach_is_left_out_and_the_hand_looks_the_same(
    shape: Shape, monkeypatch: pytest.MonkeyPatch
) -> None:
    everywhere = slice(None), slice(None)
    color, cover = hand.draw_hand(shape)
    monkeypatch.setattr(hand, "_around", lambda *_: everywhere)
    whole_color, whole_cover = hand.draw_hand.__wrapped__(shape)
    assert np.array_equal(cover, whole_cover)
    assert np.array_equal(color, whole_color)

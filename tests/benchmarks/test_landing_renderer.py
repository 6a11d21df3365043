"""The benchmark's renderer is what everything else is judged by, so it is judged first."""

import numpy as np
import pytest

from benchmarks.landing.camera import Camera, Light, Optics, Sensor, develop, expose, hang, share
from benchmarks.landing.cube import Cube, distance, meet, standing
from benchmarks.landing.dice import KINDS, draw_skin, dress, outline_share, set_dice
from benchmarks.landing.scenes import Kit, apart_mm, judge, reach, true_view
from benchmarks.landing.table import (
    Setting,
    Slips,
    Surface,
    circle,
    description,
    draw_slips,
    lay,
    paint,
    patches_of,
)
from calibration.arrays import Floats


@pytest.fixture(scope="module")
def camera() -> Camera:
    """A small picture of the sheet's front half."""
    optics = Optics(
        width_px=480,
        height_px=360,
        focal_px=(1500.0, 1501.0),
        centre_px=(236.0, 182.5),
        k=(-0.12, 0.05, 0.01),
        p=(5e-4, -4e-4),
    )
    return hang(optics, (10.0, 330.0), 950.0, (3.0, -2.5), 88.0)


@pytest.fixture(scope="module")
def setting(camera: Camera) -> Setting:
    """A plain grey top under one lamp."""
    return Setting(
        camera=camera,
        light=Light(lamp_mm=(200, 100, 1200), half_size_mm=80, lamp=(0.6,) * 3, sky=(0.4,) * 3),
        surface=Surface(np.full((1024, 1024, 3), 0.2, np.float32), 0.3),
        grain_deg=0.0,
        floor=(0.05, 0.05, 0.05),
        half_width_mm=381.0,
        fall_off=0.2,
    )


def _leaning() -> Cube:
    lean = np.array([[1, 0, 0], [0, np.cos(0.4), -np.sin(0.4)], [0, np.sin(0.4), np.cos(0.4)]])
    return standing((20.0, 340.0, 0.0), 16.1, 1.7, 33.0, lean)


def _skin_points(cube: Cube) -> Floats:
    """Points of the cube's skin, by nothing but its inner corners: the spheres that span it."""
    u, v = np.meshgrid(np.linspace(0, np.pi, 40), np.linspace(0, 2 * np.pi, 80))
    ball = np.stack((np.sin(u) * np.cos(v), np.sin(u) * np.sin(v), np.cos(u)), -1).reshape(-1, 3)
    return np.concatenate([corner + cube.radius_mm * ball for corner in cube.inner_mm])


def test_a_share_is_an_area_at_any_angle() -> None:
    rng = np.random.default_rng(3)
    for _ in range(40):
        corners = rng.uniform(2, 38, (3, 2))
        (ax, ay), (bx, by), (cx, cy) = corners
        area = abs((bx - ax) * (cy - ay) - (cx - ax) * (by - ay)) / 2
        covered = share([corners], 40, 40)
        assert covered is not None
        assert covered.cover.sum(dtype=np.float64) == pytest.approx(area, abs=1e-4)
        rows, columns = np.mgrid[covered.window]
        middle = [(covered.cover * at).sum(dtype=np.float64) / area for at in (columns, rows)]
        if area > 20:
            assert middle == pytest.approx(corners.mean(axis=0).tolist(), abs=0.06)


def test_a_share_at_the_picture_s_rim_is_cut_there() -> None:
    covered = share([np.array([[-20.0, -20.0], [5.2, -20.0], [5.2, 7.75], [-20.0, 7.75]])], 30, 30)
    assert covered is not None
    assert covered.cover.sum(dtype=np.float64) == pytest.approx(5.7 * 8.25, abs=1e-4)


def test_the_lens_can_be_undone_and_agrees_with_opencv_s(camera: Camera, setting: Setting) -> None:
    points = np.column_stack(
        (np.random.default_rng(1).uniform([-120, 230], [120, 430], (300, 2)), np.zeros(300))
    )
    pixels = camera.project(points)
    assert np.abs(camera.ground(pixels) - points[:, :2]).max() < 1e-8
    high = points + np.array([0, 0, 16.0])
    kit = _kit(setting)
    assert np.abs(true_view(kit).project(high) - camera.project(high)).max() < 1e-6
    x, y = camera.ground_map(100, 200)
    exact = camera.ground(np.array([[333.0, 157.0]]))[0]
    assert [x[57, 333], y[57, 333]] == pytest.approx(exact.tolist(), abs=1e-3)


def _kit(setting: Setting) -> Kit:
    sensor = Sensor(blur_px=0.6, electrons=5000, read_noise=3)
    return Kit(
        name="small",
        surface="plain",
        setting=setting,
        layout=lay(description(), Slips()),
        sensor=sensor,
        lens_sensor=sensor,
        lens_seed=0,
        seed=0,
    )


@pytest.mark.parametrize("cube", [standing((0.0, 300.0, 0.0), 16.0, 1.6, 27.0), _leaning()])
def test_a_footprint_is_the_body_s_projection(cube: Cube) -> None:
    points, outline = _skin_points(cube)[:, :2], cube.footprint()
    angles = np.linspace(0, 2 * np.pi, 200)
    towards = np.stack((np.cos(angles), np.sin(angles)))
    assert np.abs((points @ towards).max(axis=0) - (outline @ towards).max(axis=0)).max() < 0.006
    assert cube.lowest_mm == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("cube", [standing((30.0, 300.0, 0.0), 16.0, 1.6, 0.0), _leaning()])
def test_a_die_s_outline_in_the_picture_is_unbiased(cube: Cube, setting: Setting) -> None:
    rng = np.random.default_rng(0)
    die = dress(cube, draw_skin("red", rng), 3, rng)
    drawn = outline_share(setting, die, 5)
    assert drawn is not None
    seen = setting.camera.project(_skin_points(cube))
    exact = share([_hull(seen)], 480, 360)
    assert exact is not None
    areas, middles = [], []
    for part in (drawn, exact):
        rows, columns = np.mgrid[part.window]
        area = part.cover.sum(dtype=np.float64)
        areas.append(area)
        middles.append([(part.cover * at).sum(dtype=np.float64) / area for at in (columns, rows)])
    # A hundredth of a pixel all round this outline of some hundred pixels would be one square pixel.
    assert areas[0] == pytest.approx(areas[1], abs=1.0)
    assert middles[0] == pytest.approx(middles[1], abs=0.01)


def _hull(points: Floats) -> Floats:
    """By support in many directions: slow and simple."""
    angles = np.linspace(0, 2 * np.pi, 700, endpoint=False)
    most = (points @ np.stack((np.cos(angles), np.sin(angles)))).argmax(axis=0)
    kept = [most[0]]
    for i in most:
        if i != kept[-1]:
            kept.append(i)
    return points[kept]


def test_rays_meet_the_skin() -> None:
    cube = _leaning()
    rng = np.random.default_rng(2)
    eye = np.array([100.0, 200.0, 900.0])
    rays = np.array(cube.center_mm) + rng.uniform(-9, 9, (500, 3)) - eye
    rays /= np.linalg.norm(rays, axis=1, keepdims=True)
    far = meet(cube, eye, rays)
    met = np.isfinite(far)
    assert 100 < met.sum() < 500
    assert np.abs(distance(cube, cube.local(eye + rays[met] * far[met, None]))).max() < 1e-3


def test_a_line_s_place_in_the_picture_is_its_place_on_the_table(setting: Setting) -> None:
    # The sheet's front edge, by the light lost along columns of the picture: dark below, bright above.
    layout = lay(description(), Slips(turn_deg=0.4))
    light = paint(setting, *patches_of(layout, setting.camera))
    line = next(a for a in layout.areas if a.value == 5).outline_mm
    front = line[np.abs(line[:, 1] - line[:, 1].max()) < 1.5]
    middle = front[len(front) // 2]
    (px, py) = setting.camera.project(np.array([[middle[0], middle[1], 0.0]]))[0]
    profile = light[round(py) - 8 : round(py) + 9, round(px) - 6 : round(px) + 7, 2].astype(np.float64)
    ends = profile[:, :3].mean(axis=1), profile[:, -3:].mean(axis=1)
    shares = (profile - ends[1][:, None]) / (ends[0] - ends[1])[:, None]
    crossing = round(px) - 6.5 + shares.sum(axis=1)
    rows = np.arange(round(py) - 8, round(py) + 9)
    slope, at = np.polyfit(rows - py, crossing, 1)
    assert abs(slope) < 0.2
    assert at == pytest.approx(px, abs=0.02)


def test_dice_and_noise_come_from_the_seed(setting: Setting) -> None:
    layout = lay(description(), draw_slips(np.random.default_rng(4)))
    empty = paint(setting, *patches_of(layout, setting.camera))

    def once(seed: int) -> bytes:
        light = empty.copy()
        rng = np.random.default_rng(seed)
        cubes = [standing((-30.0 + 25 * i, 330.0, 0.0), 16.0, 1.6, 20.0 * i) for i in range(2)]
        dice = tuple(dress(c, draw_skin(KINDS[i], rng), i + 1, rng) for i, c in enumerate(cubes))
        set_dice(light, setting, dice, seed)
        return expose(light, Sensor(blur_px=0.7, electrons=5000, read_noise=3, sharpen=0.3), seed)

    assert once(1) == once(1)
    assert once(1) != once(2)


def test_noise_is_that_of_photons() -> None:
    sensor = Sensor(blur_px=0, electrons=4000, read_noise=0, mosaic=False, exposure=1.0)
    flat = np.full((200, 200, 3), 0.5, np.float32)
    green = develop(flat, sensor, 1)[..., 1].astype(np.float64)
    # Half of 4000 electrons, through sRGB's slope at one half, 0.6586.
    assert green.std() == pytest.approx(255 * 0.6586 * np.sqrt(0.5 / 4000), rel=0.05)


def test_the_referee_s_calls_on_the_planned_table() -> None:
    layout = lay(description(), Slips())

    def zone(x: float, y: float) -> int:
        return judge(layout, standing((x, y, 0.0), 16.0, 1.6, 0.0).footprint()).zone

    assert [zone(0, 30), zone(0, 71.4), zone(0, 71.6), zone(0, 200), zone(130, 250)] == [20, 20, 10, 5, 2]
    assert [zone(0, 465.3), zone(0, 465.1), zone(160.3, 300), zone(160.5, 600), zone(160.3, 600)] == [
        1,
        2,
        2,
        0,
        1,
    ]
    assert [zone(0, 1201.5), zone(0, 1202.5)] == [1, 0]
    close = judge(layout, standing((0.0, 71.4, 0.0), 16.0, 1.6, 0.0).footprint())
    assert close.protrusion_mm == pytest.approx(0.1, abs=1e-6)
    beside = judge(layout, standing((0.0, 71.7, 0.0), 16.0, 1.6, 0.0).footprint())
    assert beside.gap_mm == pytest.approx(0.2, abs=1e-6)
    upon_the_dot = judge(layout, standing((1.0, 260.0, 0.0), 16.0, 1.6, 0.0).footprint())
    assert upon_the_dot.dot_margin_mm == pytest.approx(2.5)


def test_outlines_apart() -> None:
    near, far = circle((0, 0), 10.0), circle((0.3, 0.4), 10.0)
    assert apart_mm(near, far) == pytest.approx(0.5, abs=0.01)
    assert reach(near, circle((0, 0), 40.0)) == pytest.approx(20.0, abs=0.05)

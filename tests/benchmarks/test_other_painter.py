"""The second painter's pictures show what its truth says, and come out the same again."""

import ast
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from benchmarks.landing.other_painter import board
from benchmarks.landing.other_painter.board import colour_at, lay_board
from benchmarks.landing.other_painter.grounds import GROUNDS, Ground, make_ground
from benchmarks.landing.other_painter.lens import BentLens, HungCamera, hang_camera
from benchmarks.landing.other_painter.light import Lighting, Panel
from benchmarks.landing.other_painter.sensor import draw_habits
from benchmarks.landing.other_painter.shapes import Box, gap_between, march
from benchmarks.landing.other_painter.sheet import DOT, ZONES, LaidTable, Laying, draw_plan, reflectance
from benchmarks.landing.other_painter.studio import Studio, floor_and_print
from benchmarks.landing.other_painter.tables import OtherTable, throw
from benchmarks.landing.other_painter.things import Thing, draw_die
from benchmarks.landing.other_painter.throws import STYLES, leaning, toss, truths_of, turn_about
from benchmarks.landing.scenes import reach
from calibration.arrays import Floats, Singles

SIZE = (480, 360)
UP = np.array([0.0, 0.0, 1.0])


@pytest.fixture(scope="module")
def camera() -> HungCamera:
    lens = BentLens(width_px=SIZE[0], height_px=SIZE[1], focal_px=480.0, centre_px=(236.0, 183.0), bend=0.8,
                    askew=(0.002, -0.001), aspect=1.001)  # fmt: skip
    return hang_camera(lens, (0.0, 270.0), 800.0, np.array([2.0, -1.0, 91.0]))


@pytest.fixture(scope="module")
def studio(camera: HungCamera) -> Studio:
    plan = draw_plan(np.random.default_rng(3), "test", np.full(3, 0.3), edge_mm=16.0, small=True)
    laying = Laying(shift_mm=(1.0, 1.5), turn_rad=0.004, stretch=(4e-4, -4e-4), bulge_mm=(0.3, -0.3))
    dot = plan.end_zone.dot
    assert dot is not None
    tints = [plan.tape.color, dot.color, *(zone.color for zone in plan.end_zone.zone)]
    lamp = Panel(middle_mm=np.array([300.0, 100.0, 1300.0]), along_mm=np.array([60.0, 0, 0]),
                 across_mm=np.array([0, 60.0, 0]), radiance=np.full(3, 60.0))  # fmt: skip
    return Studio(
        camera=camera,
        lighting=Lighting(panels=(lamp,), ceiling=np.full(3, 0.3)),
        ground=Ground(np.full((4, 4, 3), 0.3, np.float32), (0.0, 0.0), 1.0, 0.04, 0.01),
        laid=LaidTable(plan=plan, laying=laying),
        tints=floor_and_print([reflectance(tint) for tint in tints], np.full(3, 0.03)),
        print_mirrors=0.0,
        print_rough=0.1,
        seed=3,
    )


def test_pixels_and_rays_are_each_others_inverse(camera: HungCamera) -> None:
    spots = np.random.default_rng(0).uniform([0, 0], SIZE, (200, 2))
    on_table = np.column_stack((camera.meet_table(spots), np.zeros(200)))
    assert np.abs(camera.project(on_table) - spots).max() < 1e-8


def test_opencv_s_lens_fits_this_one_to_a_fiftieth_of_a_pixel() -> None:
    lens = BentLens(width_px=2304, height_px=1728, focal_px=2700.0, centre_px=(1160.0, 850.0), bend=0.78,
                    askew=(0.002, -0.002), aspect=1.0008)  # fmt: skip
    rng, flat = np.random.default_rng(1), np.mgrid[0:12, 0:9].reshape(2, -1).T * 25.0
    boards, seen = [], []
    for _ in range(12):
        turn = turn_about(np.array([0.8, 0.6, 0.0]), rng.uniform(-0.6, 0.6)) @ turn_about(
            UP, rng.uniform(0, 6)
        )
        points = np.column_stack((flat - flat.mean(axis=0), np.zeros(len(flat))))
        spots = lens.spots(points @ turn.T + [*rng.uniform(-90, 90, 2), rng.uniform(350, 600)])
        inside = ((spots > 0) & (spots < [2304, 1728])).all(axis=1)
        boards.append(points[inside].astype(np.float32))
        seen.append(spots[inside].astype(np.float32))
    rms = cv2.calibrateCamera(boards, seen, (2304, 1728), np.eye(3), np.zeros(5))[0]
    assert rms < 0.02


def test_what_lies_at_a_place_agrees_with_the_outlines_that_judge(studio: Studio) -> None:
    spots = np.random.default_rng(1).uniform([-140, 2], [140, 390], (4000, 2))
    codes, layout = studio.laid.code_at(spots), studio.laid.layout
    for spot, code in list(zip(spots, codes, strict=True))[:250]:
        depths = [
            reach(spot + 0.01 * np.array([[-1, -1], [1, -1], [0, 1]]), a.outline_mm) for a in layout.areas
        ]
        inside = [i for i, depth in enumerate(depths) if depth > 0.05]
        if code >= ZONES and min(abs(depth) for depth in depths) > 0.05:
            assert code - ZONES == max(inside)
    assert studio.laid.code_at(np.array([layout.dot_mm]))[0] == DOT


def put_down(studio: Studio, box: Box) -> tuple[Singles, Floats]:
    """The light of the table with one red die on it, and how much each pixel changed."""
    light = studio.empty.copy()
    die = draw_die(np.random.default_rng(2), box, "red")
    skin = replace(die.look, body=np.array([0.02, 0.02, 5.0]), ink=np.array([0.02, 0.02, 5.0]), clear=0.0)
    studio.with_things([Thing(box, replace(die, look=skin))], light)
    return light, np.asarray((light - studio.empty)[..., 2], np.float64)


def test_a_die_s_outline_is_where_its_colour_ends(studio: Studio) -> None:
    flat = Box(middle_mm=np.array([20.0, 250.0, 9.0]), axes=turn_about(UP, 0.4), half_mm=np.full(3, 9.0),
               rounding_mm=1.0)  # fmt: skip
    for box in (flat, leaning(flat, np.array([1.0, 0.0]), 25.0, np.random.default_rng(4))):
        _, change = put_down(studio, box)
        rows, columns = np.nonzero(change > 0.5)
        rays = studio.camera.look_along(np.stack((columns, rows), 1).astype(np.float64))
        met = np.isfinite(march(box, studio.camera.eye_mm[None], rays))
        assert met.mean() > 0.93  # all but the rim
        corners = studio.camera.project(box.inner_mm * 0.98 + box.middle_mm * 0.02)
        shown = cv2.dilate((change > 0.3).astype(np.uint8), np.ones((3, 3), np.uint8))
        assert all(shown[round(y), round(x)] for x, y in corners if np.isfinite(x))


def test_a_footprint_is_the_shadow_straight_below() -> None:
    flat = Box(middle_mm=np.array([3.0, 4.0, 9.0]), axes=np.eye(3), half_mm=np.full(3, 7.0), rounding_mm=2.0)
    box = leaning(flat, np.array([0.6, 0.8]), 31.0, np.random.default_rng(6))
    outline = box.footprint()
    middle = outline.mean(axis=0)
    for factor, hits in ((0.985, True), (1.015, False)):
        starts = np.column_stack((middle + (outline - middle) * factor, np.full(len(outline), 60.0)))
        met = march(box, starts, np.broadcast_to(-UP, starts.shape))
        assert (np.isfinite(met) == hits).all()


@pytest.mark.parametrize("style", sorted(set(STYLES)))
def test_dice_rest_on_what_they_should(studio: Studio, style: str) -> None:
    made = toss(studio, studio.laid.layout, style, 7)
    truths = truths_of(made)
    for i, die in enumerate(made.dice):
        assert die.box.lowest_mm > -0.01
        assert all(gap_between(die.box, other.box) > -0.06 for other in made.dice[:i])
    assert any(true.cocked for true in truths) == (style.startswith("lean") or style == "stack")
    assert [true.value for true in truths] == [die.value for die in made.dice]


def test_a_board_on_the_table_has_its_colours_where_it_lies(studio: Studio) -> None:
    light = lay_board(studio, (0.0, 250.0), 0.2, 1)
    spots = np.array([[12.5, 12.5], [37.5, 1.5], [262.5, 187.5], [137.5, 87.5]])
    codes = colour_at(spots)
    half, c, s = np.array([137.5, 100.0]), np.cos(0.2), np.sin(0.2)
    off = (spots - half) * [1, -1]
    there = np.stack(
        (off[:, 0] * c - off[:, 1] * s, off[:, 0] * s + off[:, 1] * c + 250, np.zeros(4)), axis=1
    )
    for (x, y), code in zip(studio.camera.project(there), codes, strict=True):
        assert (light[round(y), round(x)].mean() > 0.3) == bool(code)


def test_a_seed_gives_the_same_picture_twice(studio: Studio) -> None:
    pictures = []
    for _ in range(2):
        again = replace(studio, seed=5)
        table = OtherTable(seed=5, surface="glass", coarse=True, laid=again.laid, studio=again,
                           habits=draw_habits(np.random.default_rng(1), coarse=True))  # fmt: skip
        made = throw(table, 4)
        pictures.append(table.draw_throw(made.tossed, 4))
    assert pictures[0] == pictures[1]


@pytest.mark.parametrize("kind", GROUNDS)
def test_a_ground_is_the_same_again_and_not_plain(kind: str) -> None:
    low, high = np.array([0.0, 0.0]), np.array([60.0, 40.0])
    one, other = (make_ground(kind, np.random.default_rng(8), low, high, 0.5) for _ in range(2))
    assert (one.tints == other.tints).all()
    assert one.tints.std() > 1e-4


LENT = {
    "cache": {"benchmark_folder", "hash_files", "keep_file"},
    "cube": {"Cube"},
    "dice": {"Die", "Skin"},
    "scenes": {"DieTruth", "judge"},
    "table": {"Area", "Layout", "Strip"},
}
"""Where files are kept, and the words of truth that the measuring side reads; from `measured` and
`calibrated` anything may come."""


def test_the_second_painter_shares_no_light_lens_or_die_with_the_first() -> None:
    home = Path(board.__file__).parent
    for path in home.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("benchmarks."):
                module = node.module.removeprefix("benchmarks.landing.")
                names = {alias.name for alias in node.names}
                if not module.startswith("other_painter") and module not in {"measured", "calibrated"}:
                    assert names <= LENT[module], f"{path.name} takes {names} from {module}"

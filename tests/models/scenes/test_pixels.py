"""The truth and the pixels of a clean scene agree: edges, pips, covered dice, and rays."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.arrays import Picture, Singles
from models.painting.camera import MildBend
from models.painting.design import LARGEST_ONE, Design, PipStyle, pips
from models.painting.materials import BODIES as BODIES_BY_WORD
from models.painting.materials import Stuff
from models.painting.solids import Solid, cube, cube_frames, cube_rests
from models.scenes.clutter import hand
from models.scenes.lamps import Lamp, SceneLights
from models.scenes.layout import Camera, LaidDie, against, apart, contrast, footprint, lean, on_top, place_die
from models.scenes.makers import bet_design, d4_design, zoinx_design
from models.scenes.render import Stage, render, trace, under
from models.scenes.styles import bake, pip_style
from models.scenes.surfaces import TableTop
from vision.face_place import color_word

EDGE_MM = 16.0
STYLE = PipStyle(radius=0.1, spread=0.25, narrow=1.0, one=1.0, red_one=False, depth=0.0, form="disc")
MATT = Stuff("plain", "black", (25, 25, 25), (25, 25, 25), gloss=0.0, rough=1.0, metal=0.0, glass=0.0)
LIGHTS = SceneLights(
    (Lamp(np.array((0, 0, 900), np.float32), 5.0, np.full(3, 0.5, np.float32)),),
    np.full(3, 0.4, np.float32),
    (),
    None,
)


def camera(across_mm: float = 0.0) -> Camera:
    """Straight down from 400 mm; a 16 mm edge is 40 pixels."""
    axes = np.array(((1, 0, 0), (0, -1, 0), (0, 0, -1)), np.float32)
    return Camera(
        160, 120, 1000.0, (79.5, 59.5), MildBend(0.0), np.array((across_mm, 0, 400), np.float32), axes
    )


def sharp_design(seed: int = 1) -> Design:
    """Black, razor-edged, with white pips; it never wears."""
    chance = np.random.default_rng(seed)
    frames = cube_frames(EDGE_MM)
    solid = Solid(cube(EDGE_MM, 0.0), frames, cube_rests(frames))
    marks = [replace(pips(STYLE, value, 64, False), color=(250, 250, 250)) for value in (1, 6, 2, 5, 3, 4)]
    return bake(chance, "pip", MATT, solid, (1, 6, 2, 5, 3, 4), marks)


def pictured(dice: list[LaidDie], view: Camera) -> Picture:
    surface = TableTop(np.full((120, 160, 3), 0.7, np.float32), 0.0, 1.0)
    light = render(
        np.random.default_rng(0), Stage(view, surface, LIGHTS, dice, 40.0), trace(view, dice, 2), 2
    )
    return np.asarray(np.clip(light, 0, 1) ** (1 / 2.2) * 255, np.uint8)


def up_corners(die: LaidDie, view: Camera) -> Singles:
    return view.project(die.to_world(die.design.rests.corners_mm[die.rest]).T)


@pytest.mark.parametrize("seed", range(6))
def test_the_pips_of_the_up_face_are_as_many_as_told(seed: int) -> None:
    view, die = camera(), place_die(np.random.default_rng(seed), sharp_design(), (3.0, -2.0))
    square = np.array(((0, 0), (95, 0), (95, 95), (0, 95)), np.float32)
    flat = cv2.warpPerspective(
        pictured([die], view), cv2.getPerspectiveTransform(up_corners(die, view), square), (96, 96)
    )
    bright = (cv2.cvtColor(flat[6:90, 6:90], cv2.COLOR_BGR2GRAY) > 150).astype(np.uint8)
    assert cv2.connectedComponents(bright)[0] - 1 == die.design.values[die.rest]


def test_every_value_comes_up() -> None:
    chance, design = np.random.default_rng(5), sharp_design()
    assert {design.values[place_die(chance, design, (0, 0)).rest] for _ in range(60)} == {1, 2, 3, 4, 5, 6}


@pytest.mark.parametrize("across_mm", [0.0, 25.0])
def test_the_corners_lie_where_the_sharp_edges_are_seen(across_mm: float) -> None:
    view = camera(across_mm)
    die = place_die(np.random.default_rng(2), sharp_design(), (across_mm + 4.0, 3.0))
    grey = cv2.cvtColor(pictured([die], view), cv2.COLOR_BGR2GRAY).astype(float)
    corners = up_corners(die, view)
    middle = corners.mean(axis=0)
    for one, other in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        for share in (0.15, 0.85):  # where no pip lies
            point = one + (other - one) * share
            inwards = (middle - point) / np.linalg.norm(middle - point)
            inner, outer = (point + inwards * way for way in (2.0, -2.0))
            inside, outside = (grey[round(at[1]), round(at[0])] for at in (inner, outer))
            assert inside < 70
            if across_mm == 0:  # seen from right above, the table begins there
                assert outside > inside + 30


def test_a_die_is_as_large_as_the_camera_says() -> None:
    view, die = camera(), place_die(np.random.default_rng(3), sharp_design(), (0.0, 0.0))
    corners = up_corners(die, view)
    assert np.linalg.norm(corners[1] - corners[0]) == pytest.approx(
        1000 * EDGE_MM / (400 - EDGE_MM), abs=0.01
    )


def test_marks_stand_out_or_do_not() -> None:
    view, die = camera(), place_die(np.random.default_rng(2), sharp_design(), (0.0, 0.0))
    clear = pictured([die], view)
    assert contrast(clear, view, die) > 100
    assert contrast(np.full_like(clear, 255), view, die) == 0


def test_what_lies_under_something_is_not_seen() -> None:
    view, die = camera(), place_die(np.random.default_rng(2), sharp_design(), (0.0, 0.0))
    one = trace(view, [die], 2)[0]
    assert one is not None
    assert one.seen.all()
    cover = np.zeros((120, 160), np.float32)
    cover[:, 80:] = 1
    half = under(one, cover, 2)
    assert half is not None
    assert half.seen.mean() == pytest.approx(0.5, abs=0.05)


def test_of_two_dice_the_upper_is_seen() -> None:
    view, design = camera(), sharp_design()
    low = place_die(np.random.default_rng(1), design, (0.0, 0.0))
    high = replace(low, place_mm=low.place_mm + np.array((0, 0, EDGE_MM), np.float32))
    below, above = trace(view, [low, high], 2)
    assert below is not None
    assert above is not None
    assert above.seen.all()
    assert not below.seen.any()


def test_a_die_throws_its_shadow_away_from_the_lamp() -> None:
    view, die = camera(), place_die(np.random.default_rng(2), sharp_design(), (0.0, 0.0))
    lamp = Lamp(np.array((-600, 0, 600), np.float32), 1.0, np.full(3, 1.0, np.float32))
    surface = TableTop(np.full((120, 160, 3), 0.7, np.float32), 0.0, 1.0)
    lights = SceneLights((lamp,), np.full(3, 0.1, np.float32), (), None)
    light = render(
        np.random.default_rng(0), Stage(view, surface, lights, [die], 40.0), trace(view, [die], 2), 2
    )
    assert light[60, 120].mean() < 0.5 * light[60, 40].mean()


def test_a_hand_covers_what_it_reaches_for() -> None:
    over = hand(np.random.default_rng(4), camera(), LIGHTS, (80.0, 60.0), 30.0)
    assert over.cover[55:66, 75:86].max() > 0.9
    assert over.cover.min() == 0


@pytest.mark.parametrize("seed", range(12))
def test_a_d4_shows_one_number_on_all_three_faces(seed: int) -> None:
    design = d4_design(np.random.default_rng(seed), 18.0, 96)
    for rest in range(4):
        tip = design.rests.tops_mm[rest]
        first, *others = (_upright(design, face, tip) for face in range(4) if face != rest)
        stranger = _upright(design, rest, design.rests.tops_mm[(rest + 1) % 4])
        alike = []
        for rows in (slice(14, 44), slice(54, 78)):  # below the tip, or above the lower edge
            same = max(float(np.abs(first[rows] - other[rows]).mean()) for other in others)
            alike.append(same < 0.6 * float(np.abs(first[rows] - stranger[rows]).mean()))
        assert any(alike)


def _upright(design: Design, face: int, tip: Singles) -> Singles:
    """A D4 face's marks about its upright line, a corner turned up."""
    frames, size = design.frames, design.size
    x, y = float(tip @ frames.right[face]), float(tip @ frames.up[face])
    strip = design.relief[face * size : (face + 1) * size, :, 2]
    turn = cv2.getRotationMatrix2D(((size - 1) / 2,) * 2, -float(np.degrees(np.arctan2(-x, y))), 1.0)
    return np.asarray(cv2.warpAffine(strip, turn, (size, size))[:, 34:62], np.float32)


def test_a_zoinx_die_has_two_dots_and_four_squares() -> None:
    design = zoinx_design(np.random.default_rng(1), 16.0, 48)
    assert sorted(map(str, design.values)) == ["dot", "dot", "square", "square", "square", "square"]


def test_a_betting_die_has_every_bet_once() -> None:
    design = bet_design(np.random.default_rng(1), 16.0, 48)
    assert sorted(map(int, map(str, design.values))) == [0, 2, 4, 6, 8, 10]


def test_dice_on_the_table_stand_on_it() -> None:
    die = place_die(np.random.default_rng(1), d4_design(np.random.default_rng(1), 18.0, 48), (0.0, 0.0))
    assert float(die.hull_mm()[2].min()) == pytest.approx(0.0, abs=1e-4)


def test_a_cocked_die_stands_tipped_on_the_table() -> None:
    chance, design = np.random.default_rng(1), sharp_design()
    for _ in range(20):
        die = lean(chance, place_die(chance, design, (0.0, 0.0)))
        up = die.turn @ design.body.normals[die.design.rests.up[die.rest][0]]
        assert die.pose == "cocked"
        assert np.cos(np.deg2rad(41)) < up[2] < np.cos(np.deg2rad(11))
        assert float(die.hull_mm()[2].min()) == pytest.approx(0.0, abs=1e-4)


def test_a_stacked_die_stands_on_the_lower_one() -> None:
    chance, design = np.random.default_rng(1), sharp_design()
    low = place_die(chance, design, (5.0, 5.0))
    high = on_top(chance, place_die(chance, design, (0.0, 0.0)), low)
    assert high.pose == "stacked"
    assert float(high.hull_mm()[2].min()) == pytest.approx(EDGE_MM, abs=1e-3)
    assert not apart(footprint(high), footprint(low))


def test_dice_pushed_together_touch_and_no_more() -> None:
    chance, design = np.random.default_rng(1), sharp_design()
    other = place_die(chance, design, (5.0, 5.0))
    for _ in range(20):
        die = against(chance, place_die(chance, design, (0.0, 0.0)), other)
        nearer = replace(die, place_mm=die.place_mm + 0.25 * (other.place_mm - die.place_mm))
        assert apart(footprint(die), footprint(other))
        assert not apart(footprint(nearer), footprint(other))


def test_footprints_apart_or_not() -> None:
    design = sharp_design()
    one = place_die(np.random.default_rng(1), design, (0.0, 0.0))
    near, far = (replace(one, place_mm=one.place_mm + np.array((mm, 0, 0), np.float32)) for mm in (10, 30))
    assert not apart(footprint(one), footprint(near))
    assert apart(footprint(one), footprint(far))


def test_a_lone_pip_is_smaller_than_any_zoinx_dot() -> None:
    chance = np.random.default_rng(1)
    styles = [pip_style(chance) for _ in range(300)]
    assert max(style.radius * style.one for style in styles) <= LARGEST_ONE + 1e-9
    dots = [zoinx_design(np.random.default_rng(seed), 16.0, 48) for seed in range(12)]
    for design in dots:
        face = design.values.index("dot")
        width = np.flatnonzero(design.relief[face * 48 : (face + 1) * 48, :, 2].max(axis=0) > 0.3)
        assert (width.max() - width.min() + 1) / 48 > 2 * LARGEST_ONE


@pytest.mark.parametrize("word", BODIES_BY_WORD)
def test_bodies_are_called_as_the_reader_calls_them(word: str) -> None:
    assert {color_word(np.array(color, np.float32)) for color in BODIES_BY_WORD[word]} == {word}

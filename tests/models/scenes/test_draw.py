"""Drawn scenes: the same by seed, and what is written down is what the picture shows."""

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from models.scenes import VALUES, Kind, Scene, View, draw
from models.scenes.__main__ import main
from vision.face_place import place_of
from vision.learned.contract import encode_place


@pytest.fixture(scope="module")
def scenes() -> Iterator[list[Scene]]:
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    yield [draw(seed, 160, 120) for seed in range(30)]
    cv2.setNumThreads(threads)


@pytest.mark.long
def test_a_seed_draws_the_same_scene_again(scenes: list[Scene]) -> None:
    again = draw(7, 160, 120)
    assert np.array_equal(scenes[7].picture, again.picture)
    assert [die.box_px for die in scenes[7].dice] == [die.box_px for die in again.dice]
    assert not np.array_equal(scenes[7].picture, scenes[8].picture)


@pytest.mark.long
def test_what_is_told_of_a_die_makes_sense(scenes: list[Scene]) -> None:
    assert sum(len(scene.dice) for scene in scenes) > 40
    for scene in scenes:
        assert scene.picture.shape == (120, 160, 3)
        assert scene.picture.dtype == np.uint8
        for die in scene.dice:
            assert die.value in VALUES[die.kind]
            assert die.corners_px.shape == ((3, 2) if die.kind == "d4" else (4, 2))
            assert 0 <= die.visible <= 1
            assert die.visible > 0.99 or die.pose != "flat" or die.visible >= 0.86 * 0.995
            left, top, width, height = die.box_px
            assert -0.5 <= left <= left + width <= 159.5
            assert -0.5 <= top <= top + height <= 119.5


def test_corners_go_clockwise_round_the_middle(scenes: list[Scene]) -> None:
    for die in (die for scene in scenes for die in scene.dice if die.pose == "flat"):
        following = np.roll(die.corners_px, -1, axis=0)
        area = float(
            (die.corners_px[:, 0] * following[:, 1] - following[:, 0] * die.corners_px[:, 1]).sum() / 2
        )
        assert area > 0
        if die.kind != "d4":
            assert cv2.pointPolygonTest(die.corners_px, die.center_px, False) > 0


@pytest.mark.parametrize("seed", [17, 66, 122, 224])
def test_flat_dice_stand_as_one_camera_sees_them_and_those_that_lean_otherwise(seed: int) -> None:
    dice = draw(seed, 160, 120, kinds=("pip", "bet"), leaning=0.4).dice
    places = [place_of(die.corners_px) for die in dice]
    steps = [np.array(die.step_px) / (2 * place.half_px) for die, place in zip(dice, places, strict=True)]
    fields = [np.array(((place.center[0], 1, 0), (place.center[1], 0, 1))) for place in places]
    leans = np.array([die.pose == "cocked" for die in dice])
    upright = np.flatnonzero(~leans)
    rows, told = (np.concatenate([every[i] for i in upright]) for every in (fields, steps))
    camera, *_ = np.linalg.lstsq(rows, told)
    off = np.array([np.hypot(*(step - field @ camera)) for step, field in zip(steps, fields, strict=True)])
    assert len(upright) >= 3
    assert leans.any()
    assert off[~leans].max() < 0.05
    assert off[leans].min() > 0.1


def test_dice_of_several_kinds_lie_there_and_most_lie_flat(scenes: list[Scene]) -> None:
    dice = [die for scene in scenes for die in scene.dice]
    assert len({die.kind for die in dice}) >= 3
    flat = sum(die.pose == "flat" for die in dice)
    assert 0.6 * len(dice) < flat < len(dice)


@pytest.mark.parametrize("kind", VALUES)
def test_only_the_kind_asked_for_lies_there(kind: Kind) -> None:
    dice = [die for seed in range(3) for die in draw(seed, 160, 120, kinds=(kind,)).dice]
    assert dice
    assert {die.kind for die in dice} == {kind}


@pytest.mark.parametrize("kinds", [("pips",), ()])
def test_unknown_kinds_are_refused(kinds: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="choose among pip, zoinx, bet, d4, foreign"):
        draw(1, kinds=kinds)


def test_a_picture_too_small_is_refused() -> None:
    with pytest.raises(ValueError, match="too small"):
        draw(1, 16, 16)


def test_the_command_draws_a_sheet(tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.png"
    result = CliRunner().invoke(main, ["--seed", "3", "--count", "1", "-o", str(sheet)])
    assert result.exit_code == 0
    assert np.asarray(cv2.imread(str(sheet))).shape == (480, 640, 3)


def test_the_command_says_where_it_cannot_write(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["--count", "1", "-o", str(tmp_path / "missing" / "sheet.png")])
    assert result.exit_code == 1
    assert "a folder that exists" in result.output


@pytest.mark.long
def test_seen_aslant_dice_show_more_of_their_sides() -> None:
    def stretch(view: View) -> float:
        dice = [
            die
            for seed in range(24)
            for die in draw(seed, 160, 120, kinds=("pip",), view=view).dice
            if die.pose == "flat"
        ]
        ratios = [np.linalg.svd(place_of(die.corners_px).axes, compute_uv=False) for die in dice]
        return float(np.mean([large / small for large, small in ratios]))

    assert stretch("low") > 1.4 > stretch("aslant") > 1.15 > stretch("above")


@pytest.mark.long
def test_seen_low_what_rises_from_the_table_points_up_in_the_picture() -> None:
    steps = [die.step_px for seed in range(12) for die in draw(seed, 160, 120, view="low").dice]
    flat = np.array(steps, np.float32)
    assert len(flat) > 20
    assert float((flat[:, 1] < 0).mean()) > 0.9


@pytest.mark.long
def test_dice_in_rows_stand_side_against_side() -> None:
    def parallel(in_rows: bool) -> float:
        """The share of flat dice with another one of their size beside them, and turned as that is."""
        beside = together = 0
        for seed in range(20):
            scene = draw(seed, 320, 240, kinds=("pip",), in_rows=in_rows)
            places = [place_of(die.corners_px) for die in scene.dice if die.pose == "flat"]
            for one in places:
                away = [np.hypot(*(one.center - other.center)) / one.half_px for other in places]
                nearest = places[int(np.argsort(away)[1])] if len(places) > 1 else one
                if nearest is not one and sorted(away)[1] < 2.4:
                    together += 1
                    turns = [encode_place(each)[3:] for each in (one, nearest)]
                    beside += float(turns[0] @ turns[1]) > 0.9
        return beside / together

    assert parallel(in_rows=True) > 0.7
    assert parallel(in_rows=False) < 0.5

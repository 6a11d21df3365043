"""The reader on drawn scenes whose faces are known, and on pictures that hold no dice."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.tiers import short, short_rows
from tests.vision.scenes import (
    BLACK,
    BLUE,
    FELT,
    GREEN,
    INK_DARK,
    INK_LIGHT,
    IVORY,
    RED,
    WHITE,
    YELLOW,
    Color,
    Drawn,
    Scene,
    draw,
)
from vision.reader import Reader
from vision.reading import Reading

READER = Reader(threads=1)
WOOD: Color = (90, 130, 165)
PAPER: Color = (228, 230, 230)
NO_DICE = ("empty felt", "coins", "text", "checked cloth", "noise", "black", "one pixel", "a line")


def values(reading: Reading) -> list[int | str]:
    """The faces, left to right."""
    return [die.value for die in reading.dice]


def row(faces: list[int | str], **look: object) -> tuple[Drawn, ...]:
    """Dice side by side, each turned a little further."""
    return tuple(
        Drawn(face, 300.0 + 130 * i, 420.0 + 35 * (i % 3), yaw_deg=7.0 + 13 * i, **look)  # type: ignore[arg-type]
        for i, face in enumerate(faces)
    )


@pytest.mark.parametrize("edge", short([50.0, 40.0, 62.0]))
@pytest.mark.parametrize(
    ("body", "ink", "table"),
    short_rows(
        [
            (IVORY, INK_DARK, FELT),
            (BLACK, INK_LIGHT, PAPER),
            (WHITE, INK_DARK, WOOD),
            (RED, INK_LIGHT, FELT),
            (BLUE, INK_LIGHT, WOOD),
            (GREEN, INK_LIGHT, PAPER),
            (YELLOW, INK_DARK, FELT),
        ],
        2,
    ),
    ids=["ivory", "black", "white", "red", "blue", "green", "yellow"],
)
def test_all_six_pip_faces_are_read(edge: float, body: Color, ink: Color, table: Color) -> None:
    reading = READER.read(draw(Scene(row([1, 2, 3, 4, 5, 6], edge=edge, body=body, ink=ink), table=table)))
    assert values(reading) == [1, 2, 3, 4, 5, 6]
    assert {die.kind for die in reading.dice} == {"pip"}
    assert reading.unsure == ()


@pytest.mark.parametrize("edge", short([52.0, 40.0, 62.0]))
@pytest.mark.parametrize(
    ("body", "ink"),
    short_rows([(IVORY, INK_DARK), (RED, INK_LIGHT), (WHITE, RED), (YELLOW, INK_DARK)], 2),
)
def test_zoinx_faces_are_read(edge: float, body: Color, ink: Color) -> None:
    reading = READER.read(draw(Scene(row(["dot", "square", "square", "dot"], edge=edge, body=body, ink=ink))))
    assert values(reading) == ["dot", "square", "square", "dot"]
    assert {die.kind for die in reading.dice} == {"zoinx"}
    assert reading.unsure == ()


@pytest.mark.parametrize("yaw_deg", short(range(0, 90, 15), 3))
def test_any_turn_reads_the_same(yaw_deg: int) -> None:
    dice = tuple(Drawn(face, 300.0 + 150 * i, 500, yaw_deg=yaw_deg) for i, face in enumerate([6, 2, 3, 1]))
    assert values(READER.read(draw(Scene(dice)))) == [6, 2, 3, 1]


@pytest.mark.parametrize("scale", short([0.75, 2.5, 1.0, 1.5], 2))
def test_any_picture_size_reads_the_same(scale: float) -> None:
    picture = draw(Scene(row([1, 2, 3, 4, 5, 6], edge=56.0)))
    size = (int(1280 * scale), int(960 * scale))
    resized = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
    assert values(READER.read(resized)) == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize(("left", "right"), short_rows([(2, 2), (4, 1), (3, 6), (1, 1), (5, 4)], 2))
@pytest.mark.parametrize("yaw_deg", short([30.0, 0.0]))
def test_touching_dice_are_two_dice(left: int, right: int, yaw_deg: float) -> None:
    angle = np.deg2rad(yaw_deg)
    other = (600 + 53 * np.cos(angle), 480 + 53 * np.sin(angle))
    pair = (Drawn(left, 600, 480, yaw_deg=yaw_deg), Drawn(right, *other, yaw_deg=yaw_deg))
    reading = READER.read(draw(Scene(pair)))
    if (left, right, yaw_deg) == (1, 1, 30.0):  # of two ones that touch aslant one is left to people
        assert (values(reading), len(reading.unsure)) == ([1], 1)
    else:
        assert sorted(map(int, values(reading))) == sorted([left, right])


def test_corners_go_round_the_up_face() -> None:
    reading = READER.read(draw(Scene((Drawn(5, 640, 480, edge=50, yaw_deg=25),))))
    (die,) = reading.dice
    assert die.center_px == pytest.approx((640, 480), abs=1.5)
    corners = np.array(die.corners_px, np.float32)
    assert cv2.contourArea(corners) == pytest.approx(2500, rel=0.15)
    assert cv2.isContourConvex(corners)
    angle = np.deg2rad(25)
    true = 640 + 25 * (np.cos(angle) - np.sin(angle)), 480 + 25 * (np.sin(angle) + np.cos(angle))
    assert min(np.hypot(*(corners - true).T)) < 5


@pytest.mark.long
def test_the_kind_asked_for_is_the_only_kind_read() -> None:
    pips = draw(Scene(row([1, 4, 6])))
    assert values(READER.read(pips, "pip")) == [1, 4, 6]
    assert READER.read(pips, "zoinx").dice == ()
    symbols = draw(Scene(row(["dot", "square"])))
    assert READER.read(symbols, "pip").dice == ()
    assert values(READER.read(symbols, "zoinx")) == ["dot", "square"]


def test_the_color_is_a_plain_word() -> None:
    dice = tuple(
        Drawn(5, 250.0 + 150 * i, 480, body=body, ink=ink)
        for i, (body, ink) in enumerate(
            [(WHITE, RED), (BLACK, INK_LIGHT), (RED, INK_LIGHT), (BLUE, INK_LIGHT)]
        )
    )
    reading = READER.read(draw(Scene(dice, light=(0, 0))))
    assert [die.color for die in reading.dice] == ["white", "black", "red", "blue"]


@pytest.fixture(scope="module")
def no_dice() -> dict[str, NDArray[np.uint8]]:
    """Pictures without any dice."""
    rng = np.random.default_rng(7)
    felt = draw(Scene((), grain=10))
    coins = felt.copy()
    for i, radius in enumerate((22, 28, 35, 48)):
        cv2.circle(coins, (200 + 240 * i, 480), radius, (90, 160, 190), -1, cv2.LINE_AA)
        cv2.circle(coins, (200 + 240 * i, 480), radius // 2, (60, 120, 150), -1, cv2.LINE_AA)
    text = np.full((960, 1280, 3), 235, np.uint8)
    for i in range(20):
        words = "The oo.: dice. 8 is no die, 0 nor o:"
        cv2.putText(
            text, words, (40, 60 + 44 * i), cv2.FONT_HERSHEY_SIMPLEX, 1.0, (30, 30, 30), 2, cv2.LINE_AA
        )
    stripes = np.full((960, 1280, 3), 90, np.uint8)
    stripes[::24] = stripes[:, ::24] = 200
    pictures = (
        felt,
        coins,
        text,
        stripes,
        rng.integers(0, 256, (960, 1280, 3), np.uint8),
        np.zeros((960, 1280, 3), np.uint8),
        np.zeros((1, 1, 3), np.uint8),
        np.full((1, 2000, 3), 128, np.uint8),
    )
    return dict(zip(NO_DICE, pictures, strict=True))


@pytest.mark.parametrize("name", NO_DICE)
def test_what_is_no_die_is_not_read(no_dice: dict[str, NDArray[np.uint8]], name: str) -> None:
    assert READER.read(no_dice[name]).dice == ()


def test_an_empty_felt_has_nothing_unsure(no_dice: dict[str, NDArray[np.uint8]]) -> None:
    assert READER.read(no_dice["empty felt"]).unsure == ()


def test_a_wrong_count_of_pips_is_not_guessed() -> None:
    picture = draw(Scene((Drawn(4, 640, 480, edge=60, yaw_deg=0),), noise=0, grain=0))
    cv2.circle(picture, (640, 465), 6, INK_DARK, -1, cv2.LINE_AA)  # a fifth pip where no face has one
    assert READER.read(picture).dice == ()


def test_a_reader_needs_a_thread() -> None:
    with pytest.raises(ValueError, match="one thread or more; got 0"):
        Reader(threads=0)


def test_a_symbol_like_the_others_without_a_face_is_not_read() -> None:
    picture = draw(Scene(row(["dot", "square", "dot"], edge=52.0)))
    stray = (900, 700)
    cv2.ellipse(picture, (stray, (46, 70), 30), IVORY, -1, cv2.LINE_AA)  # a leaning die is no square
    cv2.circle(picture, stray, 12, INK_DARK, -1, cv2.LINE_AA)
    assert values(READER.read(picture, "zoinx")) == ["dot", "square", "dot"]


@pytest.mark.parametrize("upright", [False, True])
def test_a_panorama_is_read_part_by_part(*, upright: bool) -> None:
    # Beyond these places the camera sees sides as large as up-faces.
    dice = tuple(Drawn(face, 760.0 + 560 * i, 170.0 + 60 * (i % 2)) for i, face in enumerate([6, 2, 3, 5]))
    picture = draw(Scene(dice, width=3200, height=400))
    if upright:
        picture = np.asarray(cv2.rotate(picture, cv2.ROTATE_90_CLOCKWISE), np.uint8)
    reading = READER.read(picture)
    read = sorted(reading.dice, key=lambda die: die.center_px[1 if upright else 0])
    assert [die.value for die in read] == [6, 2, 3, 5]

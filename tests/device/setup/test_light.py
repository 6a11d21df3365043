"""What is said of a picture is true of it: drawn ones, blurred, dark, glaring, burnt out or good."""

import cv2
import numpy as np
import pytest

from calibration.arrays import Picture
from device.setup.first_steps import edge_px, hints_of
from tests.device.console.drawn import drawn_table


def table() -> Picture:
    """Dice on felt, sharp and evenly lit."""
    jpeg = np.frombuffer(drawn_table((1, 2, 3, 4, 5)), np.uint8)
    found = cv2.imdecode(jpeg, cv2.IMREAD_COLOR)
    assert found is not None
    return np.asarray(found, np.uint8)


def lit(by: float, picture: Picture) -> Picture:
    return np.asarray(np.clip(picture * by, 0, 255), np.uint8)


def verdicts(picture: Picture) -> dict[str, str]:
    return {each.name: each.verdict for each in hints_of(picture)}


def test_a_good_picture_is_called_good() -> None:
    assert verdicts(table()) == {"light": "ok", "glare": "ok", "sharpness": "ok"}


@pytest.mark.parametrize("sigma_px", [2.5, 4.0])
def test_a_blurred_picture_is_called_blurred(sigma_px: float) -> None:
    assert verdicts(np.asarray(cv2.GaussianBlur(table(), (0, 0), sigma_px), np.uint8))["sharpness"] == "fail"


def test_edges_are_told_as_wide_as_they_are_while_sharp_and_as_wider_when_not() -> None:
    stripes = np.kron(np.arange(10) % 2, np.ones((720, 90)))[..., None] * (1, 1, 1)
    drawn = np.asarray(60 + 120 * stripes, np.uint8)
    told_px = [edge_px(np.asarray(cv2.GaussianBlur(drawn, (0, 0), by), np.uint8)) for by in (1.5, 2.5, 4.0)]
    assert told_px[0] == pytest.approx(2.5 * 1.5, rel=0.1)
    assert told_px[0] < told_px[1] < told_px[2]


def test_a_dark_picture_is_called_dark_and_not_blurred() -> None:
    said = verdicts(lit(0.2, table()))
    assert said["light"] == "fail"
    assert said["sharpness"] != "fail"
    assert verdicts(lit(0.72, table()))["light"] == "warn"


def test_a_picture_that_is_burnt_out_is_called_too_bright() -> None:
    said = verdicts(lit(4.0, table()))
    assert said["light"] == "fail"


@pytest.mark.parametrize(
    ("place_px", "words"),
    [((150, 120), "at the top left"), ((640, 480), "in the middle"), ((1150, 850), "at the bottom right")],
)
def test_a_lamp_that_mirrors_is_told_with_its_place(place_px: tuple[int, int], words: str) -> None:
    picture = table()
    cv2.circle(picture, place_px, 30, (255, 255, 255), -1, cv2.LINE_AA)
    light, glare, _ = hints_of(picture)
    assert (light.verdict, glare.verdict) == ("ok", "warn")
    assert f"mirrors {words}:" in glare.text


def test_burnt_specks_are_no_lamp() -> None:
    picture = table()
    for x in range(100, 1200, 50):
        cv2.circle(picture, (x, 900), 3, (255, 255, 255), -1)
    assert verdicts(picture)["glare"] == "ok"


def test_bare_cloth_is_not_called_sharp() -> None:
    assert verdicts(np.full((480, 640, 3), 120, np.uint8)) == {
        "light": "ok",
        "glare": "ok",
        "sharpness": "warn",
    }

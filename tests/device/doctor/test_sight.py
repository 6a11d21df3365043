"""The doctor looks at the running box's picture: is it sharp, and were camera or sheet moved?"""

import cv2
import numpy as np
import pytest

from calibration.arrays import Picture
from calibration.files import save_table
from device.console import ConsoleServer, make_app
from device.doctor.machine import Finding, Machine
from tests.device.console.fake_box import FakeBox
from tests.device.doctor.test_doctor import Fake, findings, set_to
from tests.vision.landing.test_drift import bumped, calibrated, hung, shot
from vision.pictures import jpeg_of


def seeing(picture: Picture, settings: str = "") -> dict[str, Finding]:
    """What is found where the running box sees that."""
    return findings(Fake(jpeg=jpeg_of(picture, quality=90)), set_to(settings))


@pytest.fixture(scope="module")
def still() -> Picture:
    return shot(view=hung())


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> str:
    file = tmp_path_factory.mktemp("calibrated") / "table.json"
    save_table(calibrated(), file)
    return f'[landing]\ncalibration = "{file}"\n'


@pytest.mark.long
def test_a_sharp_picture_is_well_and_a_soft_one_is_told_with_what_to_turn(still: Picture) -> None:
    assert seeing(still)["sharpness"].verdict == "ok"
    soft = seeing(np.asarray(cv2.GaussianBlur(still, (0, 0), 4.0), np.uint8))["sharpness"]
    assert soft.verdict == "warn"
    assert "px wide" in soft.text
    assert "turn the lens until" in soft.fix


def test_a_picture_without_an_edge_is_neither_sharp_nor_soft() -> None:
    found = seeing(np.full((96, 128, 3), 120, np.uint8))["sharpness"]
    assert found.verdict == "not here"
    assert "lay a die there" in found.text


@pytest.mark.long
def test_without_a_running_box_there_is_nothing_to_look_at(settings: str) -> None:
    found = findings(Fake(), set_to(settings))
    for name in ("sharpness", "drift"):
        assert found[name].verdict == "not here"
        assert "ask again while it plays" in found[name].text


@pytest.mark.long
def test_a_table_where_it_was_calibrated_is_well_and_so_is_the_near_half_of_two(
    still: Picture, settings: str
) -> None:
    found = seeing(still, settings)["drift"]
    assert found.verdict == "ok"
    assert "lie where they were calibrated" in found.text
    assert seeing(np.vstack([still, np.zeros_like(still)]), settings)["drift"] == found


@pytest.mark.long
def test_a_camera_that_was_pushed_is_told_as_long_as_it_can_be_reckoned_with(settings: str) -> None:
    found = seeing(shot(view=bumped((1.5, 0.0, 0.0))), settings)["drift"]
    assert found.verdict == "warn"
    assert "camera" in found.text
    assert "calibrate table" in found.fix


@pytest.mark.long
def test_a_picture_without_the_landmarks_is_told_with_what_to_clear(still: Picture, settings: str) -> None:
    found = seeing(np.full_like(still, 90), settings)["drift"]
    assert found.verdict == "warn"
    assert "clear the table" in found.fix


@pytest.mark.long
def test_a_picture_of_another_size_and_a_file_that_is_gone_are_told(still: Picture, settings: str) -> None:
    assert "another size" in seeing(still[:, ::2], settings)["drift"].text
    gone = seeing(still, '[landing]\ncalibration = "/nowhere/table.json"\n')["drift"]
    assert (gone.verdict, "cannot be read" in gone.text) == ("fail", True)


@pytest.mark.long
def test_nothing_can_drift_where_nothing_is_calibrated(still: Picture) -> None:
    assert seeing(still)["drift"].verdict == "not here"


def test_the_real_machine_asks_the_console_for_its_picture() -> None:
    server = ConsoleServer(make_app(FakeBox()), "127.0.0.1", 0)
    server.start()
    try:
        assert Machine().picture("127.0.0.1", server.port)[:2] == b"\xff\xd8"
        everywhere = "0.0.0.0"  # noqa: S104 - what a console listens on, not where it is asked
        assert Machine().picture(everywhere, server.port)[:2] == b"\xff\xd8"
    finally:
        server.stop()
    assert Machine().picture("127.0.0.1", server.port) == b""

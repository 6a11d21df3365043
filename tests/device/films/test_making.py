"""The encoder: a film that the film camera plays, ending with the picture that was read, in its colours."""

import sys
from pathlib import Path

import numpy as np
import pytest

from calibration.arrays import Picture
from device.cameras import Frame
from device.cameras.film import Film
from device.films import filming
from device.films.filming import FilmPicture, halved, make_film
from device.films.shelf import FilmNotKept
from vision.pictures import jpeg_of


def patches(step: int, width: int = 320, height: int = 240) -> Picture:
    """Six colours, in an order that each step changes."""
    colors = [(30, 30, 200), (30, 160, 30), (190, 60, 30), (240, 240, 240), (20, 20, 20), (40, 200, 220)]
    picture = np.zeros((height, width, 3), np.uint8)
    for place in range(6):
        row, column = divmod(place, 3)
        area = picture[
            row * height // 2 : (row + 1) * height // 2, column * width // 3 : (column + 1) * width // 3
        ]
        area[:] = colors[(place + step) % 6]
    return picture


def shots(count: int) -> tuple[FilmPicture, ...]:
    return tuple(
        FilmPicture(time_ms=50.0 * number, jpeg=jpeg_of(halved(patches(number)))) for number in range(count)
    )


def played(film: bytes, folder: Path) -> list[Frame]:
    path = folder / "film.mp4"
    path.write_bytes(film)
    return list(Film(path).frames())


def apart(one: Picture, other: Picture) -> float:
    """How far two pictures' colours lie apart at the median."""
    return float(np.median(np.abs(one.astype(int) - other.astype(int)).max(axis=2)))


def test_a_film_shows_every_shot_and_ends_with_the_picture_that_was_read(tmp_path: Path) -> None:
    frames = played(make_film(shots(7), jpeg_of(patches(7))), tmp_path)
    assert len(frames) == 7 + 30
    assert [frame.time_ms for frame in frames[:3]] == [0, 50, 100]
    for number, frame in enumerate(frames):
        assert frame.picture.shape == (240, 320, 3)
        assert apart(frame.picture, patches(min(number, 7))) <= 6
        assert apart(frame.picture, patches(min(number, 7) + 1)) > 50


def test_a_film_of_a_box_says_that_its_camera_was_mounted(tmp_path: Path) -> None:
    path = tmp_path / "film.mp4"
    assert not Film(path).mounted
    path.write_bytes(make_film(shots(3), jpeg_of(patches(3))))
    assert Film(path).mounted
    path.write_bytes(b"another film")
    assert not Film(path).mounted


@pytest.mark.long
@pytest.mark.parametrize(("width", "height"), [(1280, 960), (640, 481), (321, 240)])
def test_light_and_colour_are_those_of_the_camera(tmp_path: Path, width: int, height: int) -> None:
    """In small pictures and in large ones, which players take for others where a film does not say."""
    last = played(make_film(shots(3), jpeg_of(patches(3, width, height))), tmp_path)[-1].picture
    assert last.shape[:2] == (height & ~1, width & ~1)
    assert apart(last, patches(3, width, height)[: height & ~1, : width & ~1]) <= 6


def test_pictures_that_cannot_be_read_make_no_film_but_a_sentence() -> None:
    with pytest.raises(FilmNotKept, match=r"no film: the encoder fails \(the encoder refuses the pictures"):
        make_film(shots(3), b"no jpeg")


def test_an_encoder_that_does_not_run_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = tmp_path / "maker.py"
    broken.write_text("import libcodec_that_is_not_there")
    monkeypatch.setattr(filming, "MAKER", broken)
    with pytest.raises(FilmNotKept, match="No module named 'libcodec_that_is_not_there'"):
        make_film(shots(3), jpeg_of(patches(3)))
    monkeypatch.setattr(sys, "executable", str(tmp_path / "no python"))
    with pytest.raises(FilmNotKept, match="the encoder does not run"):
        make_film(shots(3), jpeg_of(patches(3)))


def test_an_encoder_that_hangs_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hangs = tmp_path / "maker.py"
    hangs.write_text("import threading; threading.Event().wait()")
    monkeypatch.setattr(filming, "MAKER", hangs)
    monkeypatch.setattr(filming, "PATIENCE_S", 0.2)
    with pytest.raises(FilmNotKept, match="timed out"):
        make_film(shots(3), jpeg_of(patches(3)))

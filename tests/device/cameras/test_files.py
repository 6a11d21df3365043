"""Films and folders as cameras, and the word after --camera."""

import math
import re
import struct
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import cv2
import numpy as np
import pytest

from device.cameras.film import Film
from device.cameras.folder import Folder
from device.cameras.frames import CameraLost
from device.commands.opening import open_camera

REAL_FILM = Path(__file__).parents[4] / "shared/photos/wetzler_video/dice_video_1.mp4"


class FakeTime:
    """A clock that only moves when somebody waits."""

    def __init__(self) -> None:
        self.now_ms = 5000.0
        self.waits: list[float] = []

    def clock(self) -> float:
        return self.now_ms

    def wait(self, ms: float) -> None:
        self.waits.append(ms)
        self.now_ms += ms


def grey(level: int) -> np.ndarray:
    return np.full((48, 64, 3), level, np.uint8)


@pytest.fixture
def small_film(tmp_path: Path) -> Path:
    path = tmp_path / "dice.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 25, (64, 48))
    if not writer.isOpened():
        pytest.skip("this OpenCV cannot write Motion JPEG")
    for level in range(0, 200, 20):
        writer.write(grey(level))
    writer.release()
    return path


def test_a_film_gives_each_frame_once_with_its_own_times(small_film: Path) -> None:
    frames = list(Film(small_film).frames())
    assert [frame.time_ms for frame in frames] == pytest.approx([40.0 * index for index in range(10)])
    assert [frame.name for frame in frames] == [f"dice.avi frame {index}" for index in range(10)]
    assert [round(float(frame.picture.mean())) for frame in frames] == pytest.approx(range(0, 200, 20), abs=3)
    assert frames[0].picture.shape == (48, 64, 3)
    assert not Film(small_film).live


def test_a_paced_film_waits_for_each_frames_time(small_film: Path) -> None:
    time = FakeTime()
    frames = list(Film(small_film, paced=True, clock=time.clock, wait=time.wait).frames())
    assert time.waits == pytest.approx([40.0] * 9)
    assert time.now_ms - 5000 == pytest.approx(frames[-1].time_ms)


def test_an_unpaced_film_never_waits(small_film: Path) -> None:
    time = FakeTime()
    assert len(list(Film(small_film, clock=time.clock, wait=time.wait).frames())) == 10
    assert time.waits == []


def test_closing_ends_a_film_and_a_folder(small_film: Path, tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), grey(9))
    for camera in (Film(small_film), Folder(tmp_path)):
        frames = camera.frames()
        next(frames)
        camera.close()
        camera.close()
        assert list(frames) == []


def write_film(path: Path, times: list[int], *, codec: str = "mpeg4", fps: int = 25) -> None:
    """Write a film of `fps` by its word, whose frames get lighter by 10 each and are shown at `times`, ms."""
    with av.open(str(path), "w") as film:
        stream: Any = film.add_stream(codec, rate=fps)
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        stream.codec_context.time_base = Fraction(1, 1000)
        for index, ticked in enumerate(times):
            frame = av.VideoFrame.from_ndarray(grey(10 * index), format="bgr24")
            frame.pts, frame.time_base = ticked, Fraction(1, 1000)
            film.mux(stream.encode(frame))
        film.mux(stream.encode())


@pytest.mark.parametrize("name", ["browser.webm", "phone.mkv", "phone.mp4"])
def test_a_film_of_variable_rate_has_its_frames_own_times(tmp_path: Path, name: str) -> None:
    """A browser's recorder writes frames when they come, and a clock of 1000 ticks a second as the speed."""
    times = [0, 33, 61, 110, 133, 700, 742, 800]
    write_film(tmp_path / name, times, codec="libvpx" if name.endswith("webm") else "mpeg4")
    frames = list(Film(tmp_path / name).frames())
    assert [frame.time_ms for frame in frames] == pytest.approx(times)


def test_times_of_a_film_always_go_up(tmp_path: Path) -> None:
    """Two recordings that were joined begin anew in the midst; some recorders write a time twice."""

    class Stamped(Film):
        def _decoded(self, film: Any) -> Iterator[Any]:
            for frame, pts in zip(
                super()._decoded(film), [100, 200, 200, 240, None, 0, 40, 900], strict=True
            ):
                frame.pts = pts
                yield frame

    path = tmp_path / "joined.mkv"
    write_film(path, [40 * index for index in range(8)])
    times = [frame.time_ms for frame in Stamped(path).frames()]
    assert times == pytest.approx([0, 100, 140, 180, 220, 260, 300, 800])


def test_a_film_without_times_or_speed_is_taken_for_thirty_and_says_so(tmp_path: Path) -> None:
    class Timeless(Film):
        def _decoded(self, film: Any) -> Iterator[Any]:
            for frame in super()._decoded(film):
                frame.pts = None
                yield frame

    path, notes = tmp_path / "timeless.webm", list[str]()
    write_film(path, [0, 1, 2, 3, 4, 5], codec="libvpx", fps=1000)
    frames = list(Timeless(path, note=notes.append).frames())
    assert [frame.time_ms for frame in frames] == pytest.approx([1000 / 30 * index for index in range(6)])
    assert "does not say how fast it runs" in notes[0]
    assert len(notes) == 1


@pytest.mark.parametrize(
    ("quarters", "matrix"), [(1, (0, -1, 1, 0)), (2, (-1, 0, 0, -1)), (3, (0, 1, -1, 0))]
)
def test_a_film_is_turned_as_players_turn_it(
    tmp_path: Path, quarters: int, matrix: tuple[int, int, int, int]
) -> None:
    """A phone held upright writes lying frames, and in the track's header how to turn them."""
    path = tmp_path / "upright.mp4"
    with av.open(str(path), "w") as film:
        stream: Any = film.add_stream("mpeg4", rate=25)
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        picture = grey(20)
        picture[:16, :16] = 220
        film.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="bgr24")))
        film.mux(stream.encode())
    data = bytearray(path.read_bytes())
    a, b, c, d = (each << 16 for each in matrix)
    struct.pack_into(">9i", data, data.index(b"tkhd") + 44, a, b, 0, c, d, 0, 0, 0, 1 << 30)
    path.write_bytes(data)
    (frame,) = Film(path).frames()
    assert frame.picture.shape == ((48, 64, 3) if quarters == 2 else (64, 48, 3))
    corner = np.unravel_index(int(cv2.blur(frame.picture[..., 1], (9, 9)).argmax()), frame.picture.shape[:2])
    turned = np.unravel_index(
        int(cv2.blur(np.rot90(picture, quarters)[..., 1].copy(), (9, 9)).argmax()), frame.picture.shape[:2]
    )
    assert np.hypot(corner[0] - turned[0], corner[1] - turned[1]) < 12


def test_damaged_parts_of_a_film_are_left_out_and_noted(small_film: Path) -> None:
    data, notes = bytearray(small_film.read_bytes()), list[str]()
    picture = data.index(b"\xff\xd8", len(data) // 2)
    data[picture : picture + 200] = bytes(200)
    small_film.write_bytes(data)
    assert 7 <= len(list(Film(small_film, note=notes.append).frames())) < 10
    assert re.search(r"dice\.avi is damaged in \d places, .* Copy the film again", notes[0])


def test_a_broken_film_says_so(tmp_path: Path) -> None:
    broken = tmp_path / "broken.mp4"
    broken.write_bytes(b"no film at all" * 99)
    with pytest.raises(CameraLost, match=r"broken\.mp4 cannot be played.*Copy it again"):
        next(Film(broken).frames())
    with pytest.raises(CameraLost, match="There is no film"):
        next(Film(tmp_path / "gone.mp4").frames())


def test_a_film_without_a_frame_says_so(tmp_path: Path, small_film: Path) -> None:
    head = tmp_path / "head.avi"
    head.write_bytes(small_film.read_bytes()[:4000])
    with pytest.raises(CameraLost, match=r"head\.avi (holds no picture|cannot be played)"):
        next(Film(head).frames())


def test_a_folder_shows_its_pictures_in_the_order_of_names(tmp_path: Path) -> None:
    for name, level in (("b.png", 20), ("a.png", 10), ("c.jpg", 30)):
        cv2.imwrite(str(tmp_path / name), grey(level))
    (tmp_path / "notes.txt").write_text("not a picture")
    frames = list(Folder(tmp_path, hold_ms=300, fps=10).frames())
    assert [frame.name for frame in frames] == ["a.png"] * 3 + ["b.png"] * 3 + ["c.jpg"] * 3
    assert [frame.time_ms for frame in frames] == pytest.approx([100.0 * index for index in range(9)])
    assert [int(frame.picture[0, 0, 0]) for frame in frames[::3]] == pytest.approx([10, 20, 30], abs=2)


def test_a_paced_folder_waits(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), grey(10))
    time = FakeTime()
    assert (
        len(
            list(Folder(tmp_path, hold_ms=300, fps=10, paced=True, clock=time.clock, wait=time.wait).frames())
        )
        == 3
    )
    assert time.waits == pytest.approx([100.0, 100.0])


def test_a_broken_picture_is_said_and_skipped(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "b.png"), grey(10))
    (tmp_path / "a.jpg").write_bytes(b"\xff\xd8\xff\xe0 cut")
    (tmp_path / "c.png").write_bytes(b"")
    heard: list[str] = []
    camera = Folder(tmp_path, hold_ms=100, fps=10, note=heard.append)
    assert [frame.name for frame in camera.frames()] == ["b.png"]
    assert heard == camera.notes
    assert [text.split()[0] for text in heard] == ["a.jpg", "c.png"]


def test_a_folder_with_nothing_readable_says_so(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_bytes(b"broken")
    with pytest.raises(CameraLost, match=r"No picture in .* can be read.*a\.jpg was skipped"):
        list(Folder(tmp_path).frames())
    with pytest.raises(CameraLost, match="cannot be opened"):
        list(Folder(tmp_path / "gone").frames())


@pytest.mark.parametrize(("hold_ms", "fps"), [(0, 10), (100, 0), (100, -1), (math.nan, 10)])
def test_a_folder_refuses_impossible_figures(tmp_path: Path, hold_ms: float, fps: float) -> None:
    with pytest.raises(ValueError, match="more than 0"):
        Folder(tmp_path, hold_ms=hold_ms, fps=fps)


def test_the_word_opens_films_folders_and_pictures(small_film: Path, tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), grey(10))
    assert isinstance(open_camera(str(small_film)), Film)
    assert isinstance(open_camera(str(tmp_path)), Folder)
    one = open_camera(str(tmp_path / "a.png"), paced=False)
    assert {frame.name for frame in one.frames()} == {"a.png"}


def test_a_wrong_word_names_cause_and_fix(tmp_path: Path) -> None:
    (tmp_path / "rules.txt").write_text("1. Roll.")
    (tmp_path / "empty").mkdir()
    wrong = {
        str(tmp_path / "gone"): "There is no camera, film or folder.*Give a film file",
        str(tmp_path / "rules.txt"): r"rules\.txt is neither a film .* nor a picture",
        str(tmp_path / "empty"): r"There is no picture in .*empty\. Put",
        "picamera2:x": "names no camera.*picamera2:0",
        "picamera2:": "names no camera",
        "x" * 5000: "There is no camera",
        "a\0b": "There is no camera",
        "": "There is no camera",
    }
    for spec, sentence in wrong.items():
        with pytest.raises(CameraLost, match=sentence):
            open_camera(spec)


def test_the_real_film_has_all_its_frames() -> None:
    if not REAL_FILM.exists():
        pytest.skip("the shared film of real dice is not beside this checkout")
    frames = list(Film(REAL_FILM).frames())
    assert len(frames) == 197
    assert frames[-1].time_ms == pytest.approx(196 * 1000 / 30)
    assert frames[0].picture.shape == (486, 720, 3)

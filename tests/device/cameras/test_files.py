"""Films and folders as cameras, and the word after --camera."""

import math
from pathlib import Path

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


def test_a_film_that_does_not_say_its_speed_is_taken_for_thirty(
    small_film: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Silent:
        def get(self, _: int) -> float:
            return math.nan

    film = Film(small_film)
    assert film._fps(Silent()) == 30.0  # type: ignore[arg-type]
    assert "does not say how fast it runs" in film.notes[0]


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

"""Filming: what is a throw has a film, what is none has not, and nothing ever waits for one."""

from collections.abc import Callable
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from device.cameras import Frame
from device.films import filming
from device.films.filming import FILMS_WAITING, FRAMES_WAITING, MOST_SHOTS, TOO_BUSY, Filming, FilmPicture
from device.films.shelf import FilmNotKept, Shelf
from device.match.throw_detector import AcceptedReading
from device.shown.snapshot import FilmsShown
from tests.waiting import eventually
from vision.reading import Reading
from vision.watch import FrameState

PICTURE = np.full((96, 128, 3), 90, np.uint8)
Job = Callable[[], None]


class Told(Executor):
    """An executor whose jobs wait until they are told to be done."""

    def __init__(self, *_given: object) -> None:
        self.jobs: list[tuple[Future[Any], Job]] = []

    @property
    def waiting(self) -> int:
        return len(self.jobs)

    def submit(self, fn: Callable[..., Any], /, *_args: Any, **_kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self.jobs.append((future, fn))
        return future

    def work(self) -> None:
        while self.jobs:
            future, job = self.jobs.pop(0)
            job()
            future.set_result(None)


class Crew:
    """Filming, with its films in a folder; what was made of what, and what was told."""

    def __init__(self, folder: Path) -> None:
        self.made: list[tuple[int, bytes]] = []
        self.told: list[str] = []
        self.pictures: dict[str, bytes] = {}
        self.trouble = ""
        self.time_ms = 0.0
        self.filming = Filming(
            Shelf(folder, 10), self.pictures.get, lambda call: call(), self.told.append, self.make
        )
        self.filming.begin(None)
        assert self.shown == FilmsShown()

    @property
    def shown(self) -> FilmsShown:
        return self.filming.show(1)

    def make(self, shots: tuple[FilmPicture, ...], rest: bytes) -> bytes:
        if self.trouble:
            raise FilmNotKept(self.trouble)
        self.made.append((len(shots), rest))
        return b"a film"

    def see(self, count: int, *, step_ms: float = 50.0, packed: bool = True) -> None:
        """That many frames in which something moves."""
        for _ in range(count):
            self._look(self.time_ms + step_ms, 0.0, packed=packed)

    def rest(self, scene: int, *, tumbled_ms: float = 0.0) -> None:
        """All comes to rest, for as long as people look."""
        for still_ms in (50.0, 100.0, 150.0, 500.0):
            self._look(self.time_ms + 50.0, still_ms, scene=scene, tumbled_ms=tumbled_ms)

    def _look(
        self, time_ms: float, still_ms: float, *, scene: int = 1, tumbled_ms: float = 0.0, packed: bool = True
    ) -> None:
        self.time_ms = time_ms
        look = FrameState(
            time_ms=time_ms,
            state="still" if still_ms else "moving",
            still_since_ms=time_ms - still_ms,
            settled=still_ms > 95,
            scene=scene,
            hand_before_scene=False,
            tumbled_ms=tumbled_ms,
            hand_since_scene=False,
            trouble="",
        )
        self.filming.record(Frame(picture=PICTURE, time_ms=time_ms, name="f"), look)
        if packed:
            self.pack()

    def read(self, number: int) -> AcceptedReading:
        self.pictures[f"1/{number}.jpg"] = b"picture %d" % number
        reading = Reading(width_px=128, height_px=96, dice=(), unsure=(), elapsed_ms=1.0)
        taken = AcceptedReading(number=number, reading=reading, picture=f"1/{number}.jpg")
        self.filming.follow(1, taken)
        return taken

    def pack(self) -> None:
        if isinstance(self.filming._packing, Told):
            self.filming._packing.work()

    def work(self) -> None:
        self.pack()
        assert isinstance(self.filming._making, Told)
        self.filming._making.work()


@pytest.fixture
def crew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Crew:
    monkeypatch.setattr(filming, "ThreadPoolExecutor", Told)
    return Crew(tmp_path)


def test_a_throw_has_a_film_that_ends_with_the_picture_that_was_read(crew: Crew) -> None:
    crew.see(8)
    crew.rest(1)
    crew.read(1)
    crew.work()
    assert crew.made == [(8, b"picture 1")]
    assert crew.shown == FilmsShown((1,))
    assert crew.filming.path(1, 1) is not None


def test_a_reading_without_a_throw_has_none(crew: Crew) -> None:
    """ROLL DONE a second time; and the same reading, which is followed with every frame."""
    crew.see(8)
    taken = crew.read(1)
    crew.rest(1)
    crew.filming.follow(1, taken)
    crew.read(2)
    crew.work()
    assert [rest for _, rest in crew.made] == [b"picture 1"]
    assert crew.shown == FilmsShown((1,))


def test_what_moved_before_a_game_is_in_no_film_of_it(crew: Crew) -> None:
    crew.see(8)
    crew.work()
    crew.filming.begin(None)
    crew.see(4)
    crew.read(1)
    crew.work()
    assert crew.made == [(4, b"picture 1")]


def test_a_film_begins_with_its_throw(crew: Crew) -> None:
    """What was taken up, nudged or waved over before it is left out, whether that changed anything or not."""
    crew.see(8)
    crew.rest(2, tumbled_ms=100)
    crew.see(2)
    crew.rest(2, tumbled_ms=100)
    crew.see(7)
    crew.rest(3, tumbled_ms=500)
    crew.read(1)
    crew.work()
    assert crew.made == [(7, b"picture 1")]


def test_a_nudge_after_the_throw_is_in_its_film(crew: Crew) -> None:
    crew.see(7)
    crew.rest(2, tumbled_ms=500)
    crew.see(2)
    crew.rest(3, tumbled_ms=0)
    crew.see(1)
    crew.rest(3, tumbled_ms=0)
    crew.read(1)
    crew.work()
    assert crew.made == [(10, b"picture 1")]


def test_more_pictures_a_second_than_a_film_has_are_not_packed(crew: Crew) -> None:
    crew.see(60, step_ms=1000 / 60)
    crew.read(1)
    crew.work()
    assert crew.made == [(20, b"picture 1")]


def test_the_shown_films_are_the_very_same_while_nothing_changes(crew: Crew) -> None:
    before = crew.shown
    crew.see(8)
    assert crew.shown is before
    crew.read(1)
    crew.work()
    assert crew.shown is not before
    assert crew.shown is crew.shown


def test_where_packing_falls_behind_the_film_is_dropped_with_a_line_in_the_log(crew: Crew) -> None:
    crew.see(FRAMES_WAITING + 40, packed=False)
    assert isinstance(crew.filming._packing, Told)
    assert crew.filming._packing.waiting <= FRAMES_WAITING + 1
    crew.read(1)
    crew.work()
    assert (crew.made, crew.told, crew.shown) == ([], [TOO_BUSY], FilmsShown())
    crew.see(8)
    crew.read(2)
    crew.work()
    assert (crew.made, crew.told) == ([(8, b"picture 2")], [TOO_BUSY])


def test_where_making_falls_behind_films_are_dropped_and_memory_is_not(crew: Crew) -> None:
    for number in range(1, 8):
        crew.see(8)
        crew.read(number)
        crew.pack()
        assert isinstance(crew.filming._making, Told)
        assert crew.filming._making.waiting <= FILMS_WAITING
    crew.work()
    assert [rest for _, rest in crew.made] == [b"picture 1", b"picture 2"]
    assert crew.told == [TOO_BUSY] * 5


def test_a_film_holds_no_more_than_the_last_seconds(crew: Crew) -> None:
    crew.see(2 * MOST_SHOTS)
    crew.read(1)
    crew.work()
    assert crew.made == [(MOST_SHOTS, b"picture 1")]


@pytest.mark.parametrize("picture", ["kept", "not kept"])
def test_a_throw_without_a_film_says_why_until_the_next(crew: Crew, picture: str) -> None:
    crew.trouble = "The film of this throw is not kept (No space left on device); the game goes on."
    crew.see(8)
    crew.read(1)
    if picture == "not kept":
        crew.pictures.clear()
        crew.trouble = "This throw has no film: the picture with which it ends was not kept."
    crew.work()
    assert crew.shown == FilmsShown((), crew.trouble)
    assert crew.told == [crew.trouble]
    crew.trouble = ""
    crew.see(8)
    crew.read(2)
    crew.work()
    assert crew.shown == FilmsShown((2,))


def test_a_mistake_in_a_film_ends_no_game(tmp_path: Path) -> None:
    """With the real threads: the table's goes on, and the next throw has a film."""
    crew = Crew(tmp_path)

    def mistake(_shots: tuple[FilmPicture, ...], rest: bytes) -> bytes:
        if rest == b"picture 1":
            raise ZeroDivisionError("a mistake")
        return b"a film"

    crew.filming._make = mistake
    for number in (1, 2):
        for _ in range(8):
            crew.see(1)
            crew.filming._packing.submit(int).result()
        crew.read(number)
    eventually(lambda: crew.shown.kept == (2,), "the second film")
    assert crew.told == ["A film is left out, by a mistake of our own: ZeroDivisionError('a mistake')."]
    crew.filming.close()
    crew.filming.close()
    crew.see(8)
    crew.read(3)
    assert crew.shown.kept == (2,)

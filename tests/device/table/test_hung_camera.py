"""A camera's thread that hangs: it is said, and a fresh one takes its place."""

import threading
from collections.abc import Iterator

import numpy as np
import pytest

from device.cameras import Frame
from device.commands.opening import Shape, open_camera
from device.table.feed import HANGS, LEFT_S, RETRY_S, SILENT_S, Feed, Inbox, Lost
from tests.waiting import eventually


class Hanging:
    """A live camera that hangs after each picture until the test lets it go, and counts when told to."""

    live = True

    def __init__(self, turns: int | None = 0) -> None:
        self.turns = turns
        self.let_go = threading.Event()
        self.begun = 0

    def frames(self) -> Iterator[Frame]:
        self.begun += 1
        mine = self.begun
        yield Frame(picture=np.zeros((1, 1, 3), np.uint8), time_ms=0.0, name=f"first of {mine}")
        self.let_go.wait()
        yield Frame(picture=np.zeros((1, 1, 3), np.uint8), time_ms=0.0, name=f"second of {mine}")

    def sharpen(self, on: bool) -> None:
        """Never asked."""

    def close(self) -> None:
        self.let_go.set()


class Listed(Inbox):
    """An inbox that lists the frames that were left in it."""

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []

    def put_frame(self, frame: Frame, *, wait: bool) -> None:
        self.names.append(frame.name)
        super().put_frame(frame, wait=wait)


class Table:
    """What comes to the table."""

    def __init__(self) -> None:
        self.inbox = Listed()
        self.told: list[str] = []
        self.news = Lost(lost=self.told.append, over=lambda: None)

    def take(self) -> str:
        """The next frame's name; whatever is said before it is heard."""
        while not isinstance(found := self.inbox.next(60), Frame):
            assert found is not None
            found()
        return found.name

    def hear(self) -> None:
        """Hear what was said up to now."""
        while self.inbox.calls_wait:
            self.take_call()

    def take_call(self) -> None:
        call = self.inbox.next(0)
        assert callable(call)
        call()


@pytest.fixture
def table() -> Table:
    return Table()


def test_a_thread_that_hangs_is_said_within_two_seconds_and_replaced_within_five(table: Table) -> None:
    camera = Hanging()
    feed = Feed(camera, table.inbox, table.news)
    feed.start()
    assert table.take() == "first of 1"
    for now_s in (0.0, SILENT_S):
        feed.check_thread(now_s)
        assert not table.inbox.calls_wait
    for now_s in (SILENT_S + 0.1, SILENT_S + 0.2, LEFT_S):
        feed.check_thread(now_s)
    table.hear()
    assert table.told == [HANGS], "once"
    assert (SILENT_S < 2.0, LEFT_S < 5.0, RETRY_S < SILENT_S) == (True, True, True)
    feed.check_thread(LEFT_S + 0.1)
    assert table.take() == "first of 2"
    feed.stop()


def test_what_a_thread_that_was_left_behind_brings_is_not_taken(table: Table) -> None:
    camera = Hanging()
    feed = Feed(camera, table.inbox, table.news, retry_s=60.0)
    feed.start()
    assert table.take() == "first of 1"
    old = feed._thread
    feed.check_thread(0.0)
    feed.check_thread(LEFT_S + 0.1)
    assert table.take() == "first of 2"
    camera.let_go.set()
    old.join()
    eventually(lambda: len(table.inbox.names) == 3, "the newest one's second frame")
    assert table.inbox.names == ["first of 1", "first of 2", "second of 2"]
    assert feed.frames == 3
    feed.stop()


def test_a_camera_that_waits_does_not_hang(table: Table) -> None:
    camera = Hanging()
    feed = Feed(camera, table.inbox, table.news)
    feed.start()
    table.take()
    for second in range(60):
        camera.turns = second
        feed.check_thread(float(second))
    table.hear()
    assert (table.told, camera.begun) == ([], 1)
    feed.stop()


def test_a_camera_that_cannot_tell_is_left_alone(table: Table) -> None:
    camera = Hanging(turns=None)
    feed = Feed(camera, table.inbox, table.news)
    feed.start()
    table.take()
    for second in range(60):
        feed.check_thread(float(second))
    table.hear()
    assert (table.told, camera.begun, feed.tells) == ([], 1, False)
    feed.stop()


def test_the_settings_say_when_a_pi_s_camera_counts_as_lost() -> None:
    camera = open_camera("picamera2:0", shape=Shape(no_picture_ms=700))
    assert camera.stall_ms == 700  # type: ignore[attr-defined]

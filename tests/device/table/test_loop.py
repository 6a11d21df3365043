"""The loop between threads: order, answers, and an own mistake that is not hidden."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from functools import partial
from typing import cast

import numpy as np
import pytest

from calibration.arrays import Picture
from device.cameras import Frame
from device.panel import Press, Presses
from device.shown.snapshot import Snapshot
from device.table import Table
from device.table.feed import Feed, Inbox, Lost
from device.table.loop import Listeners, Loop

NOTHING: Picture = np.zeros((1, 1, 3), np.uint8)


class FakeTable:
    """Takes what the loop brings."""

    def __init__(self) -> None:
        self.seen: list[object] = []
        self.saw = threading.Event()

    def handle_frame(self, frame: Frame) -> None:
        self.seen.append(frame)
        self.saw.set()
        raise RuntimeError("a mistake of our own")

    def tick(self, _time_ms: float) -> None:
        pass

    def due_ms(self) -> float | None:
        return None


@pytest.fixture
def looped() -> tuple[FakeTable, Inbox, Loop]:
    table, inbox = FakeTable(), Inbox()
    return table, inbox, Loop(cast("Table", table), inbox, lambda: 0.0)


def test_requests_are_done_in_order_and_answered(looped: tuple[FakeTable, Inbox, Loop]) -> None:
    _, _, loop = looped
    loop.start()
    assert [loop.ask(partial(pow, n, 2)) for n in range(5)] == [0, 1, 4, 9, 16]
    loop.stop()


def test_what_a_request_raises_reaches_whoever_asked(looped: tuple[FakeTable, Inbox, Loop]) -> None:
    _, _, loop = looped
    loop.start()

    def fail() -> None:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        loop.ask(fail)
    assert loop.ask(lambda: "still there") == "still there"
    loop.stop()


def test_a_request_whose_turn_does_not_come_is_not_done_later(
    looped: tuple[FakeTable, Inbox, Loop],
) -> None:
    """Whoever was told to try again must not find it done twice."""
    _, _, loop = looped
    done: list[str] = []
    with pytest.raises(TimeoutError):
        loop.ask(lambda: done.append("too late"), patience_s=0)
    loop.start()
    loop.ask(lambda: done.append("in time"))
    loop.stop()
    assert done == ["in time"]


def test_a_request_that_has_begun_is_waited_for(
    looped: tuple[FakeTable, Inbox, Loop], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, inbox, loop = looped
    begun, out_of_patience = threading.Event(), threading.Event()

    class Watched(Future[str]):
        def cancel(self) -> bool:
            cancelled = super().cancel()
            out_of_patience.set()
            return cancelled

    def request() -> str:
        begun.set()
        assert out_of_patience.wait(60)
        return "done"

    def begin(call: Callable[[], None]) -> None:
        threading.Thread(target=call, daemon=True).start()
        assert begun.wait(60)

    monkeypatch.setattr("device.table.loop.Future", Watched)
    monkeypatch.setattr(inbox, "put", begin)
    assert loop.ask(request, patience_s=0) == "done"


def test_a_mistake_of_our_own_ends_the_loop_and_is_kept(looped: tuple[FakeTable, Inbox, Loop]) -> None:
    table, inbox, loop = looped
    loop.start()
    inbox.put_frame(Frame(picture=NOTHING, time_ms=0.0, name="x"), wait=False)
    assert table.saw.wait(60)
    loop.stop()
    assert len(table.seen) == 1
    assert isinstance(loop.failed, RuntimeError)


class SlowTable:
    """Hears of a quick press while it is busy with a frame."""

    def __init__(self, inbox: Inbox) -> None:
        self.inbox = inbox
        self.presses = Presses(debounce_ms=20, long_press_ms=700)
        self.heard: list[Press] = []
        self.clock_ms = 0.0
        self.done = threading.Event()

    def handle_frame(self, _frame: Frame) -> None:
        self.clock_ms = 5000.0
        self.inbox.put(lambda: self.heard.extend(self.presses.edge("bet1", True, 1000.0)))
        self.inbox.put(lambda: self.heard.extend(self.presses.edge("bet1", False, 1060.0)))

    def tick(self, time_ms: float) -> None:
        self.heard.extend(self.presses.tick(time_ms))
        if time_ms >= 5000.0:
            self.done.set()

    def due_ms(self) -> float | None:
        return None


def test_a_quick_press_while_a_frame_is_read_is_one_short_press() -> None:
    inbox = Inbox()
    table = SlowTable(inbox)
    loop = Loop(cast("Table", table), inbox, lambda: table.clock_ms)
    inbox.put_frame(Frame(picture=cast("object", None), time_ms=0.0, name="x"), wait=False)  # type: ignore[arg-type]
    loop.start()
    assert table.done.wait(60)
    loop.stop()
    assert [(press.button, press.kind) for press in table.heard] == [("bet1", "short")]


def test_a_loop_that_never_started_stops(looped: tuple[FakeTable, Inbox, Loop]) -> None:
    looped[2].stop()


def test_a_listener_leaves_alone_and_twice() -> None:
    listeners = Listeners()
    heard: list[Snapshot] = []
    leave = listeners.add(heard.append)
    listeners.add(heard.append)
    leave()
    leave()
    listeners.tell(Snapshot(number=3))
    assert [snapshot.number for snapshot in heard] == [3]


def test_a_live_camera_leaves_only_its_newest_frame() -> None:
    inbox = Inbox()
    frames = [Frame(picture=NOTHING, time_ms=float(n), name=str(n)) for n in range(3)]
    for frame in frames:
        inbox.put_frame(frame, wait=False)
    inbox.put(lambda: None)
    assert callable(inbox.next(0))
    assert inbox.next(0) is frames[2]
    assert inbox.next(0) is None


class BrokenCamera:
    """Fails in a way that nobody foresaw, then works."""

    live = True

    def __init__(self) -> None:
        self.opened = 0
        self.closed = threading.Event()

    def frames(self) -> Iterator[Frame]:
        self.opened += 1
        if self.opened == 1:
            raise OSError("bus error")
        yield Frame(picture=NOTHING, time_ms=1.0, name="well again")
        self.closed.wait(60)

    def sharpen(self, on: bool) -> None:
        """Never asked."""

    def close(self) -> None:
        self.closed.set()


def test_whatever_a_camera_throws_is_said_and_tried_again() -> None:
    inbox = Inbox()
    told: list[str] = []
    feed = Feed(BrokenCamera(), inbox, Lost(lost=told.append, over=lambda: None), retry_s=0.0)
    feed.start()
    found: list[object] = []
    while not any(isinstance(each, Frame) for each in found):
        found.append(inbox.next(60))
        if callable(found[-1]):
            found[-1]()
    feed.stop()
    assert "bus error" in told[0]

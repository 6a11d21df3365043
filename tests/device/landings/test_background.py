"""Close-ups are drawn in another thread, and what comes of it is done in the table's."""

import queue
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from device.landings import draw_later


def test_a_drawing_is_made_in_the_executor_and_named_in_the_tables_thread() -> None:
    posted: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
    drawn_in: list[str] = []
    names: list[str] = []

    def draw() -> str:
        drawn_in.append(threading.current_thread().name)
        return "landing-1.png"

    with ThreadPoolExecutor(max_workers=1, thread_name_prefix="close-ups") as executor:
        draw_later(executor, posted.put)(draw, names.append)
        job = posted.get()
    assert (drawn_in, names) == (["close-ups_0"], [])
    job()
    assert names == ["landing-1.png"]


def test_a_drawing_that_fails_fails_in_the_tables_thread_and_the_next_is_made() -> None:
    posted: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
    names: list[str] = []

    def fail() -> str:
        raise OSError("the card is full")

    with ThreadPoolExecutor(max_workers=1) as executor:
        later = draw_later(executor, posted.put)
        later(fail, names.append)
        later(lambda: "landing-2.png", names.append)
        broken, whole = posted.get(), posted.get()
    with pytest.raises(OSError, match="the card is full"):
        broken()
    whole()
    assert names == ["landing-2.png"]

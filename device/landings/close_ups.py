"""Close-ups are drawn beside the table's thread: half a second's drawing holds up no score and no press."""

import queue
import threading
from collections.abc import Callable
from functools import partial

Make = Callable[[], str]
"""Draws a close-up, keeps it, and returns the name under which it is durable."""
Done = Callable[[str], None]
Later = Callable[[Make, Done], None]
"""Has a close-up made some time soon, and says its name in the table's own thread."""


def at_once(make: Make, done: Done) -> None:
    """Without another thread."""
    done(make())


class CloseUps:
    """One thread that draws close-ups, one after the other. `close` waits until all are drawn."""

    def __init__(self, post: Callable[[Callable[[], None]], None]) -> None:
        """`post` has something done in the table's thread."""
        self._post = post
        self._jobs: queue.SimpleQueue[tuple[Make, Done] | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None

    def __call__(self, make: Make, done: Done) -> None:
        """A job for the thread, which starts with the first."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._draw, name="close-ups", daemon=True)
            self._thread.start()
        self._jobs.put((make, done))

    def close(self) -> None:
        """Finish what was asked for, and end. May be called twice."""
        if self._thread is not None:
            self._jobs.put(None)
            self._thread.join()
            self._thread = None

    def _draw(self) -> None:
        while (job := self._jobs.get()) is not None:
            make, done = job
            try:
                name = make()
            except Exception as error:  # noqa: BLE001 - it belongs to the table's thread, which ends the box
                self._post(_raising(error))
                continue
            self._post(partial(done, name))


def _raising(error: Exception) -> Callable[[], None]:
    def again() -> None:
        raise error

    return again

"""Runs what takes a while beside the table's thread: searches in past frames, drawing close-ups."""

from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

Make = Callable[[], str]
"""Draws a close-up, keeps it, and returns the name under which it is durable."""
Done = Callable[[str], None]
Later = Callable[[Make, Done], None]
"""Has a close-up made some time soon, and says its name in the table's own thread."""


class InlineExecutor(Executor):
    """Runs each job at once in the caller's thread, for tests and benchmarks that need no other."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Run it; what it raises is raised by the future's `result`."""
        future: Future[T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:  # noqa: BLE001 - as every executor does
            future.set_exception(error)
        return future


def draw_later(executor: Executor, post: Callable[[Callable[[], None]], None]) -> Later:
    """Draw in that executor; `post` has the rest done in the table's thread, a drawing's failure included."""

    def submit(make: Make, done: Done) -> None:
        executor.submit(make).add_done_callback(lambda drawn: post(lambda: done(drawn.result())))

    return submit


def draw_now(make: Make, done: Done) -> None:
    """Draw in the caller's thread."""
    done(make())

"""What takes a while is sought beside the table's thread, while that waits for the dice to lie still."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Generic, Protocol, TypeVar

Found = TypeVar("Found")
Answer_co = TypeVar("Answer_co", covariant=True)


class Sought(Protocol[Answer_co]):
    """An answer that will be there."""

    def done(self) -> bool:
        """Whether it is there."""
        ...

    def result(self) -> Answer_co:
        """The answer, waited for; what went wrong is raised here."""
        ...


class Beside(Protocol):
    """Has something sought."""

    def __call__(self, seek: Callable[[], Found], /) -> Sought[Found]:
        """Begin to seek, or wait until somebody asks."""
        ...


class WhenAsked(Generic[Found]):
    """Sought by whoever asks, without another thread."""

    def __init__(self, seek: Callable[[], Found], /) -> None:
        """Nothing is sought yet."""
        self._seek = seek

    def done(self) -> bool:
        """Who asks has the answer at once."""
        return True

    def result(self) -> Found:
        """Seek now."""
        return self._seek()


class Seekers:
    """One thread that seeks, one thing after the other; it starts with the first."""

    def __init__(self) -> None:
        """Nothing is sought yet."""
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="seekers")

    def __call__(self, seek: Callable[[], Found], /) -> Sought[Found]:
        """Begin, when what was asked for before is found."""
        return self._thread.submit(seek)

    def close(self) -> None:
        """Leave out what has not begun, and end. May be called twice."""
        self._thread.shutdown(cancel_futures=True)

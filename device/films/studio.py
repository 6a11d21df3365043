"""Work that may wait, beside the table's thread: one thread of low priority, one job after the other."""

import os
import threading
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue

from engine.wording import phrase

NICENESS = 5

Work = Callable[[], None]


class Studio:
    """One thread, which starts with the first job. A job that fails is told of, and the next one comes."""

    def __init__(self, name: str, tell: Callable[[str], None]) -> None:
        """`tell` gets a sentence, in that thread."""
        self._name = name
        self._tell = tell
        self._jobs: SimpleQueue[Work | None] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._ended = False

    @property
    def waiting(self) -> int:
        """How many jobs wait."""
        return self._jobs.qsize()

    def put(self, job: Work) -> None:
        """Do `job` some time soon; after the end, never."""
        if self._ended:
            return
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name=self._name, daemon=True)
            self._thread.start()
        self._jobs.put(job)

    def end(self, patience_s: float | None = None) -> None:
        """Finish the job in hand, drop the others, and end. A job that takes longer than that is left."""
        self._ended = True
        if self._thread is not None:
            self._jobs.put(None)
            self._thread.join(patience_s)

    def _work(self) -> None:
        with suppress(OSError):  # on Linux each thread has a priority of its own
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
        while (job := self._jobs.get()) is not None:
            if self._ended:
                continue
            try:
                job()
            except Exception as error:  # noqa: BLE001 - no film is worth a game, whatever is wrong with it
                self._tell(phrase("A film is left out, by a mistake of our own: {error!r}.", error=error))

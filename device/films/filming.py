"""Films every throw, beside the table's thread: neither a score nor a press ever waits for a film.

How it works. The table brings each frame when it has been looked at. One in which something moves is packed
by a thread of low priority, as a JPEG of half the size; the newest of them are kept (`strip`). When the table
has taken a reading, these are its throw: another thread has them made into a film that ends with the very
picture that was read (`making`), and puts it on the disk (`shelf`).

Nothing here waits for anything. A frame that finds too many others before it is not packed, and its throw has
no film then; the same goes for a film. That is said in the log.

Why half the size, and all the pictures: to see a die roll or slide takes many pictures rather than sharp
ones (motion blurs them anyway), and half the size takes under half of the processor's time. What has to be
sharp is the picture at rest, which is there in full.
"""

import os
import struct
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from threading import Semaphore

import cv2
import numpy as np

from calibration.arrays import Picture
from device.cameras import Frame
from device.films.shelf import FilmNotKept, Shelf
from device.match.throw_detector import AcceptedReading
from device.shown.snapshot import FilmsShown
from engine.wording import phrase, phrase_later
from vision.pictures import jpeg_of
from vision.watch import FrameState

# The last moments in which something moved, as packed pictures: what a film is made of.
#
# Only motion is kept. While nothing moves there is nothing to see again, and nothing to pay for; so the
# seconds in which a hand rests or people talk are left out. And when dice came to rest that had tumbled
# without a hand, that was a throw: what moved before it, such as a hand that took up the dice of the last
# one, is let go. So a film begins with its throw, and played to a box as a camera (`device.cameras.film`) it
# is that throw.

MOST_SHOTS = 120
"""Six seconds of motion at 20 pictures a second."""
MOST_BYTES = 12_000_000
"""Twice what `MOST_SHOTS` of a table with a pattern take."""
MOST_RATE = 20
"""Pictures a second: no more are kept, however many a camera brings."""
LEAST_GAP_MS = 900.0 / MOST_RATE
"""With room for a picture that comes a little early."""
FEWEST_SHOTS = 3
"""With fewer, nothing was thrown: a lamp, or one bad picture."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FilmPicture:
    """One picture of something that moves."""

    time_ms: float
    jpeg: bytes


class Strip:
    """Keeps the newest shots: never more than `MOST_SHOTS`, and never more than `MOST_BYTES`."""

    def __init__(self) -> None:
        self._shots: deque[FilmPicture] = deque(maxlen=MOST_SHOTS)
        self._bytes = 0
        self._before = 0
        """How many of the shots are from before the last rest."""

    @property
    def size(self) -> int:
        """How many bytes of pictures are kept."""
        return self._bytes

    def add(self, shot: FilmPicture) -> None:
        """Keep a shot, and let the oldest go where there is no more room."""
        if len(self._shots) == MOST_SHOTS:
            self._drop()
        self._shots.append(shot)
        self._bytes += len(shot.jpeg)
        while self._bytes > MOST_BYTES:
            self._drop()

    def rest(self, *, thrown: bool) -> None:
        """All came to rest, after a throw or not; a throw lets go what was before it."""
        if thrown:
            for _ in range(self._before):
                self._drop()
        self._before = len(self._shots)

    def cut(self) -> tuple[FilmPicture, ...]:
        """The shots, oldest first; afterwards there are none."""
        shots = tuple(self._shots)
        self._shots.clear()
        self._bytes = self._before = 0
        return shots

    def _drop(self) -> None:
        self._bytes -= len(self._shots.popleft().jpeg)
        self._before = max(0, self._before - 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """How a film is made of shots."""

    rate: int
    """Pictures a second."""
    counts: tuple[int, ...]
    """How many pictures of the film each shot fills."""
    rest: int
    """The same for the picture at rest, with which it ends."""


REST_S = 1.5
"""How long the film stays on the dice at rest: long enough to look, and for a box to read them."""
LEAST_REST = 8
"""The same in pictures: a box sees from three that all is still, and may read five."""
LONGEST_GAP = 2
"""A longer gap between shots, in pictures, is time in which nothing moved: it is left out."""


def cut_of(shots: tuple[FilmPicture, ...]) -> Cut:
    """The film of shots, one or more, at the speed at which they came; at most `MOST_RATE`."""
    gaps_ms = [later.time_ms - shot.time_ms for shot, later in pairwise(shots)]
    usual_ms = sorted(gaps_ms)[len(gaps_ms) // 2] if gaps_ms else 0.0
    rate = min(MOST_RATE, max(1, round(1000 / usual_ms))) if usual_ms > 0 else MOST_RATE
    lengths = [round(gap_ms * rate / 1000) for gap_ms in gaps_ms]
    counts = [length if 1 <= length <= LONGEST_GAP else 1 for length in lengths]
    return Cut(rate=rate, counts=(*counts, 1), rest=max(LEAST_REST, round(REST_S * rate)))


# From the shots of a throw to its film: starts `maker.py`, which is a process of its own.

MAKER = Path(__file__).with_name("maker.py")
"""Never imported: it loads the encoder."""
HEADER = struct.Struct(">HI")
"""As `maker.py` has it."""
PATIENCE_S = 60.0
"""An encoder that takes longer hangs. It needs about one second."""


def make_film(shots: tuple[FilmPicture, ...], rest: bytes) -> bytes:
    """The film (MP4) of shots, one or more, and of the picture at rest (JPEG); raises `FilmNotKept`."""
    cut = cut_of(shots)
    jpegs = (*(shot.jpeg for shot in shots), rest)
    counted = zip(jpegs, (*cut.counts, cut.rest), strict=True)
    pictures = b"".join(HEADER.pack(count, len(jpeg)) + jpeg for jpeg, count in counted)
    # Isolated: neither a file beside it nor PYTHONPATH comes before the packages of this Python.
    # In a session of its own: Ctrl-C at the terminal is for the box, which then waits for the film.
    command = [sys.executable, "-I", str(MAKER), str(cut.rate)]
    try:
        made = subprocess.run(  # noqa: S603 - our own file
            command,
            input=pictures,
            capture_output=True,
            timeout=PATIENCE_S,
            check=False,
            start_new_session=True,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise FilmNotKept(
            phrase("This throw has no film: the encoder does not run ({error}).", error=error)
        ) from error
    if made.returncode != 0:
        said = made.stderr.decode("utf-8", "replace").strip().splitlines()
        why = said[-1] if said else phrase("it ended with status {status}", status=made.returncode)
        raise FilmNotKept(phrase("This throw has no film: the encoder fails ({why}).", why=why))
    return made.stdout


NICENESS = 5
TUMBLED_MS = 200.0
"""Things that moved for so long without a hand were thrown; a nudge or a die that topples takes less."""
FRAMES_WAITING = 16
"""How many frames may wait to be packed: most of a second, 60 MB."""
FILMS_WAITING = 2
"""How many films may wait to be made: the two throws before the newest."""
END_S = 5.0
"""How long the film in hand is waited for when the box ends."""
TOO_BUSY = phrase_later("The film of a throw is left out: the box was too busy with other things.")

MakeFilm = Callable[[tuple[FilmPicture, ...], bytes], bytes]
"""Shots and the picture at rest (JPEG) to a film; raises `FilmNotKept`."""


def _give_way() -> None:
    """Lower the priority of this thread: on Linux each has one of its own."""
    with suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)


class Filming:
    """The camera crew of one table. Not for several threads, but for `path`: the table is the only caller."""

    def __init__(
        self,
        shelf: Shelf,
        picture: Callable[[str], bytes | None],
        post: Callable[[Callable[[], None]], None],
        tell: Callable[[str], None],
        make: MakeFilm = make_film,
    ) -> None:
        """`picture` gives a kept picture by its name; `post` has something done in the table's thread; `tell`
        gets a line for the log, from any thread."""
        self._shelf = shelf
        self._picture = picture
        self._post = post
        self._tell = tell
        self._make = make
        self._strip = Strip()
        self._packing = ThreadPoolExecutor(1, "film pictures", _give_way)
        self._making = ThreadPoolExecutor(1, "films", _give_way)
        self._frames = Semaphore(FRAMES_WAITING)
        """How many more frames may wait to be packed."""
        self._films = Semaphore(FILMS_WAITING)
        self._newest: deque[Future[None]] = deque(maxlen=FILMS_WAITING + 1)
        """Those that wait to be made, or are made, among them."""
        self._last_ms = 0.0
        self._settled, self._scene = False, 0
        self._behind = False
        """Frames of this throw were left out."""
        self._taken: AcceptedReading | None = None
        self._shown: tuple[int, FilmsShown] | None = None

    def begin(self, taken: AcceptedReading | None) -> None:
        """A game begins or goes on; what was filmed before is of no throw. `taken`: its last reading."""
        self._taken, self._behind = taken, False
        self._submit(self._packing, self._drop)

    def record(self, frame: Frame, look: FrameState) -> None:
        """A new frame, and what the watch says of it."""
        if look.settled and not self._settled:
            thrown = look.scene != self._scene and look.tumbled_ms >= TUMBLED_MS
            self._submit(self._packing, partial(self._strip.rest, thrown=thrown))
            self._scene = look.scene
        self._settled = look.settled
        since_ms = frame.time_ms - self._last_ms
        if look.still_since_ms < look.time_ms or 0 <= since_ms < LEAST_GAP_MS:
            return  # nothing moves, or too little time has passed
        self._last_ms = frame.time_ms
        self._behind = self._behind or not self._frames.acquire(blocking=False)
        if not self._behind:
            self._submit(self._packing, partial(self._pack, frame))

    def follow(self, game_id: int, taken: AcceptedReading | None) -> None:
        """The game's last reading: if it is a new one, a throw has ended."""
        if taken is None or taken is self._taken:
            return
        self._taken = taken
        left_out, self._behind = self._behind, False
        self._submit(self._packing, self._drop if left_out else partial(self._cut, game_id, taken))
        if left_out:
            self._tell(phrase(TOO_BUSY))

    def show(self, game_id: int) -> FilmsShown:
        """The films of a game; the very same while nothing has changed."""
        if self._shown is None or self._shown[0] != game_id:
            self._shown = game_id, FilmsShown(self._shelf.list_readings(game_id))
        return self._shown[1]

    def path(self, game_id: int, reading: int) -> Path | None:
        """Where the film of a reading lies; None when there is none."""
        return self._shelf.path(game_id, reading)

    def close(self) -> None:
        """Finish the film in hand, if that does not take too long. May be called twice."""
        self._packing.shutdown(cancel_futures=True)
        self._making.shutdown(wait=False, cancel_futures=True)
        wait(self._newest, END_S)

    def _submit(self, executor: Executor, job: Callable[[], None]) -> None:
        """Have that done some time soon; after the end, never."""
        with suppress(RuntimeError):
            future = executor.submit(job)
            future.add_done_callback(self._report)
            if executor is self._making:
                self._newest.append(future)

    def _report(self, future: Future[None]) -> None:
        """Tell of a mistake of our own: no film is worth a game, whatever is wrong with it."""
        error = None if future.cancelled() else future.exception()
        if error is not None:
            self._tell(phrase("A film is left out, by a mistake of our own: {error!r}.", error=error))

    # In the other threads

    def _pack(self, frame: Frame) -> None:
        self._frames.release()
        self._strip.add(FilmPicture(time_ms=frame.time_ms, jpeg=jpeg_of(halved(frame.whole))))

    def _drop(self) -> None:
        self._strip.cut()

    def _cut(self, game_id: int, taken: AcceptedReading) -> None:
        shots = self._strip.cut()
        if len(shots) < FEWEST_SHOTS:
            return
        if self._films.acquire(blocking=False):
            self._submit(self._making, partial(self._make_film, game_id, taken, shots))
        else:
            self._tell(phrase(TOO_BUSY))

    def _make_film(self, game_id: int, taken: AcceptedReading, shots: tuple[FilmPicture, ...]) -> None:
        self._films.release()
        trouble = ""
        try:
            rest = self._picture(taken.picture)
            if rest is None:
                raise FilmNotKept(
                    phrase("This throw has no film: the picture with which it ends was not kept.")
                )
            self._shelf.keep(game_id, taken.number, self._make(shots, rest))
        except FilmNotKept as error:
            trouble = str(error)
            self._tell(trouble)
        self._post(partial(self._show, game_id, trouble))

    def _show(self, game_id: int, trouble: str) -> None:
        """In the table's thread: the films of that game are others now."""
        if self._shown is not None and self._shown[0] == game_id:
            self._shown = game_id, FilmsShown(self._shelf.list_readings(game_id), trouble)


def halved(picture: Picture) -> Picture:
    """The picture (height x width x 3) in half the size."""
    size = max(1, picture.shape[1] // 2), max(1, picture.shape[0] // 2)
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)

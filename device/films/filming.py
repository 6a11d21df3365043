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

import struct
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import cv2
import numpy as np

from calibration.arrays import Picture
from device.cameras import Frame
from device.films.shelf import FilmNotKept, Shelf
from device.films.strip import FEWEST_SHOTS, LEAST_GAP_MS, FilmPicture, Strip, cut_of
from device.films.studio import Studio
from device.match.throw_detector import AcceptedReading
from device.shown.snapshot import FilmsShown
from engine.wording import phrase, phrase_later
from vision.pictures import jpeg_of
from vision.watch import FrameState

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
        self._packing = Studio("film pictures", tell)
        self._making = Studio("films", tell)
        self._last_ms = 0.0
        self._settled, self._scene = False, 0
        self._behind = False
        """Frames of this throw were left out."""
        self._taken: AcceptedReading | None = None
        self._shown: tuple[int, FilmsShown] | None = None

    def begin(self, taken: AcceptedReading | None) -> None:
        """A game begins or goes on; what was filmed before is of no throw. `taken`: its last reading."""
        self._taken, self._behind = taken, False
        self._packing.put(self._drop)

    def see(self, frame: Frame, look: FrameState) -> None:
        """A new frame, and what the watch says of it."""
        if look.settled and not self._settled:
            thrown = look.scene != self._scene and look.tumbled_ms >= TUMBLED_MS
            self._packing.put(partial(self._strip.rest, thrown=thrown))
            self._scene = look.scene
        self._settled = look.settled
        since_ms = frame.time_ms - self._last_ms
        if look.still_since_ms < look.time_ms or 0 <= since_ms < LEAST_GAP_MS:
            return  # nothing moves, or too little time has passed
        self._last_ms = frame.time_ms
        if self._packing.waiting >= FRAMES_WAITING:
            self._behind = True
        if not self._behind:
            self._packing.put(partial(self._pack, frame))

    def follow(self, game_id: int, taken: AcceptedReading | None) -> None:
        """The game's last reading: if it is a new one, a throw has ended."""
        if taken is None or taken is self._taken:
            return
        self._taken = taken
        left_out, self._behind = self._behind, False
        self._packing.put(self._drop if left_out else partial(self._cut, game_id, taken))
        if left_out:
            self._tell(phrase(TOO_BUSY))

    def shown(self, game_id: int) -> FilmsShown:
        """The films of a game; the very same while nothing has changed."""
        if self._shown is None or self._shown[0] != game_id:
            self._shown = game_id, FilmsShown(self._shelf.kept(game_id))
        return self._shown[1]

    def path(self, game_id: int, reading: int) -> Path | None:
        """Where the film of a reading lies; None when there is none."""
        return self._shelf.path(game_id, reading)

    def close(self) -> None:
        """Finish the film in hand, if that does not take too long. May be called twice."""
        self._packing.end()
        self._making.end(END_S)

    # In the other threads

    def _pack(self, frame: Frame) -> None:
        self._strip.add(FilmPicture(time_ms=frame.time_ms, jpeg=jpeg_of(halved(frame.whole))))

    def _drop(self) -> None:
        self._strip.cut()

    def _cut(self, game_id: int, taken: AcceptedReading) -> None:
        shots = self._strip.cut()
        if len(shots) < FEWEST_SHOTS:
            return
        if self._making.waiting >= FILMS_WAITING:
            self._tell(phrase(TOO_BUSY))
        else:
            self._making.put(partial(self._film, game_id, taken, shots))

    def _film(self, game_id: int, taken: AcceptedReading, shots: tuple[FilmPicture, ...]) -> None:
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
            self._shown = game_id, FilmsShown(self._shelf.kept(game_id), trouble)


def halved(picture: Picture) -> Picture:
    """The picture (height x width x 3) in half the size."""
    size = max(1, picture.shape[1] // 2), max(1, picture.shape[0] // 2)
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)

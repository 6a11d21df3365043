"""The last moments in which something moved, as packed pictures: what a film is made of.

Only motion is kept. While nothing moves there is nothing to see again, and nothing to pay for; so the seconds
in which a hand rests or people talk are left out. And when dice came to rest that had tumbled without a hand,
that was a throw: what moved before it, such as a hand that took up the dice of the last one, is let go. So a
film begins with its throw, and played to a box as a camera (`device.cameras.film`) it is that throw.
"""

from collections import deque
from dataclasses import dataclass
from itertools import pairwise

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

"""Reads the dice on a table under a fixed camera: only what changed, and with both readers.

The classical reader reads flat dice that the networks doubt beside a leaning one, and the networks read what
the classical reader cannot. A throw is read once, so there is time for both; docs/reading-study.md has the
figures.
"""

from calibration.arrays import Picture
from vision.learned.bearings import Bearings, EarlierDice
from vision.learned.networks import Networks
from vision.learned.reader import Adapts
from vision.reader import Reader
from vision.reading import DiceChoice, Reading
from vision.remember import Remembering
from vision.whole import decide_whole


class TableReader:
    """The reader that a box uses."""

    def __init__(
        self,
        threads: int = 1,
        known: Adapts | None = None,
        bearings: Bearings | None = None,
        *,
        mounted: bool = True,
    ) -> None:
        """`known` is what was learnt of the owner's dice; `bearings` hold a calibrated camera's view.

        A camera that is not `mounted` is held in a hand: one picture tells nothing of the next.
        Raises ValueError for fewer than one thread, ModelError where a network is missing or unfit.
        """
        networks = Networks(threads=threads).tried()
        earlier = EarlierDice() if mounted else None
        self._remembering = Remembering(
            Reader(threads, networks, known, careful=True, bearings=bearings, earlier=earlier).read_each
        )

    def read(self, picture: Picture, dice: DiceChoice = "auto", sharp: Picture | None = None) -> Reading:
        """What lies in the camera's next picture (height x width x 3, blue green red); `sharp` is the same
        view in more pixels, where there is one."""
        return decide_whole(self._remembering.read(picture, dice, sharp))

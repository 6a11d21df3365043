"""A camera that was shoved shows the table from elsewhere, which passes for a hand at first."""

from device.cameras import Frame
from device.landings.sight import SeesLandings
from vision.watch import Look

SHOVED_MS = 3000.0
"""What covers the picture for so long without moving is perhaps no hand: it is the table, from elsewhere."""


class DoubtedHand:
    """Asks the eye, once for each hand that does not move, whether the camera was shoved."""

    def __init__(self, eye: SeesLandings) -> None:
        self._eye = eye
        self._asked, self._since_ms = False, 0.0
        """Whether it was asked already about the hand that has kept still since then."""
        self.doubt = ""
        """Why a hand that does not move may be none, in a sentence for people; "" when nothing says so."""

    def see(self, frame: Frame, look: Look) -> None:
        """A new frame, and what the watch says of it."""
        if look.state != "hand" or look.still_since_ms != self._since_ms:
            self.doubt = ""
        elif not self._asked and look.time_ms - look.still_since_ms >= SHOVED_MS:
            self._asked, self.doubt = True, self._eye.shoved(frame.picture, frame.far)
        if look.still_since_ms != self._since_ms:
            self._asked, self._since_ms = False, look.still_since_ms

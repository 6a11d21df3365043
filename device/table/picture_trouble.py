"""Says what is wrong with pictures, and why no throw was read from a film."""

from device.landings import AT_END, ENDS, EndsLook
from engine.wording import phrase, phrase_later
from vision.watch import FrameState

SHORT_MS = 500.0
"""In a film that is shorter than this no throw is seen: dice roll for longer."""

FEW_SETTLED = 10
"""Dice that lie still in more frames than this are read, if a throw is due."""


class FilmSummary:
    """Counts what the looks at a film's frames said."""

    def __init__(self) -> None:
        """No frame was seen yet."""
        self._frames = self._hands = self._settled = self._black = 0
        self._first_ms = self._last_ms = self._longest_still_ms = 0.0

    def add(self, look: FrameState) -> None:
        """Count one frame."""
        if not self._frames:
            self._first_ms = look.time_ms
        self._frames += 1
        self._last_ms = look.time_ms
        self._hands += look.state == "hand"
        self._settled += look.settled
        self._black += look.trouble == "black"
        if look.state == "still":
            self._longest_still_ms = max(self._longest_still_ms, look.time_ms - look.still_since_ms)

    @property
    def why_nothing_was_read(self) -> str:
        """Cause and fix in a sentence or two; "" when no frame came, or when the cause lies elsewhere."""
        if not self._frames or self._black == self._frames or self._settled > FEW_SETTLED:
            return ""
        span_ms = self._last_ms - self._first_ms
        if span_ms < SHORT_MS:
            why = phrase(
                "No throw was read: the film is too short ({frames} frames in {seconds:.2f} s).",
                frames=self._frames,
                seconds=span_ms / 1000,
            )
        elif self._settled:
            why = phrase(
                "No throw was read: the dice lay still in only {frames} frames.", frames=self._settled
            )
        elif self._hands > self._frames // 2:
            why = phrase("No throw was read: a hand stayed in the picture.")
        else:
            why = phrase(
                "No throw was read: nothing lay still for longer than {seconds:.2f} s.",
                seconds=self._longest_still_ms / 1000,
            )
        fix = phrase("Keep the camera still, and film until the dice have lain still for a second.")
        return f"{why} {fix}"


# What a look at the table says, in words.

TROUBLES = {
    "black": phrase_later("The picture is black. Take the cap off the lens, or switch the light on."),
    "over-exposed": phrase_later("The picture is far too bright. Dim the light, or shade the camera."),
    "frozen": phrase_later(
        "The picture has frozen to the last grain. If it stays so, plug the camera in again."
    ),
}
"""What to do about each `vision.watch.compare`."""


def trouble_of(look: FrameState | None) -> str:
    """What is wrong with the picture, and what to do; "" when nothing is."""
    if isinstance(look, EndsLook):
        told = [(end, trouble_of(look.of(end))) for end in ENDS]
        return " ".join(phrase(AT_END[end], text=text) for end, text in told if text)
    return phrase(TROUBLES[look.trouble]) if look and look.trouble in TROUBLES else ""

"""What a look at the table says, in words."""

from device.landings import AT_END, ENDS, EndsLook
from engine.wording import phrase, phrase_later
from vision.watch import FrameState

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

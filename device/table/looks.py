"""What a look at the table says, in words."""

from device.landings import ENDS, EndsLook
from vision.watch import Look

TROUBLES = {
    "black": "The picture is black. Take the cap off the lens, or switch the light on.",
    "over-exposed": "The picture is far too bright. Dim the light, or shade the camera.",
    "frozen": "The picture has frozen to the last grain. If it stays so, plug the camera in again.",
}
"""What to do about each `vision.watch.trouble`."""


def trouble_of(look: Look | None) -> str:
    """What is wrong with the picture, and what to do; "" when nothing is."""
    if isinstance(look, EndsLook):
        told = [(end, trouble_of(look.of(end))) for end in ENDS]
        return " ".join(f"At the {end} end: {text}" for end, text in told if text)
    return TROUBLES.get(look.trouble, "") if look else ""

"""Whether the box's voice can be heard."""

import pytest

from device.doctor.machine import Ran, Verdict
from tests.device.doctor.test_doctor import PI_COMMANDS, PI_TEXTS, Fake, findings, set_to

SPEAKS = set_to('[voice]\nspeaks = "espeak-ng"\naccent = "en-us"\n')
CARD = {"/proc/asound/cards": " 0 [vc4hdmi0 ]: vc4-hdmi - vc4-hdmi-0\n   vc4-hdmi-0\n"}
GROUPS = {"callbox": {"video", "gpio", "spi", "audio"}}


def machine(
    status: int | None = 0, cards: dict[str, str] = CARD, members: dict[str, set[str]] = GROUPS
) -> Fake:
    """A Pi on which espeak-ng ends with this status; None: it is not there."""
    spoken = {} if status is None else {"espeak-ng -q -v en-us": Ran(status, "")}
    return Fake(commands=PI_COMMANDS | spoken, texts=PI_TEXTS | cards, members=members)


@pytest.mark.parametrize(
    ("there", "verdict", "says"),
    [
        (machine(), "ok", "espeak-ng speaks en-us by vc4-hdmi - vc4-hdmi-0."),
        (machine(None), "warn", "there is no espeak-ng"),
        (machine(1), "warn", "espeak-ng has no voice en-us"),
        (machine(cards={}), "warn", "no sound card"),
        (
            machine(members={"callbox": {"video", "gpio", "spi"}}),
            "warn",
            "may not use the sound card",
        ),
    ],
)
def test_a_voice_that_cannot_be_heard_is_told_with_its_cure(there: Fake, verdict: Verdict, says: str) -> None:
    found = findings(there, SPEAKS)["voice"]
    assert (found.verdict, says in found.text) == (verdict, True), found
    assert bool(found.fix) == (verdict == "warn")

"""Whether the box's voice, where the settings ask for one, can be heard."""

from device.config import VoiceConfig
from device.doctor.finding import CheckedBox, Finding, absent, ok, warn
from device.doctor.probe import Probe
from device.voice import PROGRAM, accent_of
from engine.wording import phrase

CARDS = "/proc/asound/cards"


def voice(probe: Probe, box: CheckedBox) -> Finding:
    """The program that speaks is there, knows its voice, and there is something to be heard by."""
    if box.config is None:
        return absent("voice", phrase("Not looked at, for the settings cannot be read."))
    if box.config.voice.speaks == "none":
        return absent("voice", phrase("The settings ask for none; a page may speak all the same."))
    return _speaks(probe, box.config.voice) or _is_heard(probe, box.user, box.config.voice)


def _speaks(probe: Probe, told: VoiceConfig) -> Finding | None:
    """What is wrong with the program; None when nothing is."""
    ran = probe.run([PROGRAM, "-q", "-v", accent_of(told), "callbox"])
    if ran is None:
        return warn(
            "voice",
            phrase("Calls are not said: there is no {program}.", program=PROGRAM),
            f"sudo apt install {PROGRAM}",
        )
    if ran.status != 0:
        text = phrase(
            "Calls are not said: {program} has no voice {told}.", program=PROGRAM, told=accent_of(told)
        )
        return warn(
            "voice",
            text,
            phrase("{program} --voices=en lists them; name one as voice.accent", program=PROGRAM),
        )
    return None


def _is_heard(probe: Probe, user: str, told: VoiceConfig) -> Finding:
    """Whether there is a sound card, and whether who runs the box may use it."""
    cards = [line.strip() for line in (probe.text(CARDS) or "").splitlines() if "]:" in line]
    if not cards:
        text = phrase("Calls are said, and nothing is there to hear them by: the system has no sound card.")
        return warn("voice", text, phrase('plug a USB or HDMI loudspeaker in, or set voice.speaks = "none"'))
    has = probe.groups(user)
    if has is not None and "audio" not in has and user != "root":
        return warn(
            "voice",
            phrase("{user} may not use the sound card.", user=user),
            phrase("sudo usermod -aG audio {user}", user=user),
        )
    return ok(
        "voice",
        phrase(
            "{program} speaks {told} by {value}.",
            program=PROGRAM,
            told=accent_of(told),
            value=cards[0].partition(": ")[2],
        ),
    )

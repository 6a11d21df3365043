"""The states of a first boot (systemd/first-boot.sh): what lamps, board, page and doctor make of them."""

from collections.abc import Mapping
from typing import Any

from device.config import parse
from device.panel import chip_messages, digits
from engine.wording import phrase, phrase_later

STATE = "/var/lib/callbox-first-boot/state"
DONE = "done"
STEPS: Mapping[str, tuple[str, str]] = {
    "step 1": ("StEP 1-5", phrase_later("Step 1 of 5: the card is being checked.")),
    "step 2": ("StEP 2-5", phrase_later("Step 2 of 5: the box looks for its network.")),
    "step 3": ("StEP 3-5", phrase_later("Step 3 of 5: the system's packages are being installed.")),
    "step 4": ("StEP 4-5", phrase_later("Step 4 of 5: Callbox is being installed. That takes some minutes.")),
    "step 5": ("StEP 5-5", phrase_later("Step 5 of 5: Callbox starts. Load this page again in a minute.")),
    "ap": (
        "10.42.0.1",
        phrase_later(
            "The Wi-Fi of the card does not let the box in. Enter its name and password once more; after 15 "
            "minutes the box tries the old ones again."
        ),
    ),
    "fault 1": ("CArd 1", phrase_later("Fault 1: the card is damaged, or full. Write it again.")),
    "fault 2": (
        "nEt 2",
        phrase_later(
            "Fault 2: no network, and not all packages are on the card. The box goes on trying: look at "
            "Wi-Fi or cable."
        ),
    ),
    "fault 3": (
        "SYS 3",
        phrase_later(
            "Fault 3: the system's packages cannot be had. The box goes on trying: look at the network."
        ),
    ),
    "fault 4": (
        "PAC 4",
        phrase_later(
            "Fault 4: Callbox's packages cannot be had, or there is no room on the card. The box goes on "
            "trying."
        ),
    ),
    "fault 5": (
        "StArt 5",
        phrase_later("Fault 5: Callbox is installed and not well. The box goes on trying."),
    ),
}
"""By state: what the board shows; what page and doctor say. docs/builder.md has the faults."""


def signs(settings: str, language: str) -> dict[str, Any]:
    """What lamps, board and page show in each state, for a program that has no library yet."""
    config = parse(settings)
    board, panel = config.scoreboard, config.panel
    dark = ((0,) * 8,) * (board.modules - 1)
    return {
        "language": language,
        "port": config.console.port,
        "spi": f"/dev/spidev{board.spi_port}.{board.spi_device}" if board.kind == "max7219" else None,
        "lamps": list(panel.lamps.fitted().values()),
        "status": list(panel.status.fitted().values()),
        "lit": int(panel.lamps_lit == "high"),
        "form": {
            "name": phrase("The Wi-Fi's name"),
            "password": phrase("Its password"),
            "save": phrase("Save"),
        },
        "states": {
            state: {
                "sign": sign,
                "text": phrase(text),
                "board": chip_messages(
                    ((*digits(sign), *(0,) * 8)[:8], *dark),
                    board.brightness,
                    mirrored=board.digit_0 == "right",
                ),
            }
            for state, (sign, text) in STEPS.items()
        },
    }

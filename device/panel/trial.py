"""What is lit while lamps and scoreboard are tried, in the set-up and by `callbox panel`."""

from dataclasses import dataclass
from typing import Literal

from device.panel.displays import DIGITS, Rows
from device.panel.segments import ALL, BLANK, digits
from device.panel.status import Status

PrimaryColour = Literal["red", "green", "blue"]
STATUS_TRIED: tuple[tuple[PrimaryColour, Status], ...] = (
    ("red", "trouble"),
    ("green", "ready"),
    ("blue", "starting"),
)
"""Each colour of the status lamp, and what it shows in that colour."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """What is to be lit, whatever the game would show."""

    lamps: tuple[str, ...] = ()
    """These lamps, and no others."""
    status: Status | None = None
    """What the status lamp shows, without blinking; None: what it would show anyway."""
    rows: Rows = ()
    """The scoreboard; () leaves it dark."""
    brightness: int | None = None
    """How bright the scoreboard is, 0 to 15; None: as it is set."""
    mirrored: bool | None = None
    """Whether digit 0 is on the right of a module; None: as it is set."""


def every_segment(rows: int) -> Rows:
    """Every segment and point of that many rows lit."""
    return ((ALL,) * DIGITS,) * rows


def dark(rows: int) -> Rows:
    """A dark scoreboard of that many rows."""
    return ((BLANK,) * DIGITS,) * rows


def counted(rows: int) -> Rows:
    """Rows that tell themselves apart, and left from right: "1-345678", below it "2-345678"."""
    return tuple(digits(f"{row}-345678") for row in range(1, rows + 1))

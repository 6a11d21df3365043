"""End Zone at the table: from measured dice at rest to landings that count, or to questions."""

from device.landings.beside import Beside, Seekers, WhenAsked
from device.landings.close_ups import CloseUps, Later
from device.landings.ends import AT_END
from device.landings.match import LandingMatch
from device.landings.sight import SeesLandings
from device.landings.umpire import LandingUmpire
from device.landings.watching import ENDS, EndsLook, Watching

__all__ = [
    "AT_END",
    "ENDS",
    "Beside",
    "CloseUps",
    "EndsLook",
    "LandingMatch",
    "LandingUmpire",
    "Later",
    "Seekers",
    "SeesLandings",
    "Watching",
    "WhenAsked",
    "past",
]

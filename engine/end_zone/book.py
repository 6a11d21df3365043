"""End Zone's rulebook: how a game starts, and how its position lines are read."""

from collections.abc import Mapping

from engine.end_zone import guide
from engine.end_zone.agreed import OPTIONS, SEATS, TITLE, YOUNGER, agree_on
from engine.end_zone.flow import first_state
from engine.end_zone.line import read
from engine.end_zone.position import LANDING, EndZonePosition
from engine.game import OptionWords, Wanted


class EndZoneRulebook:
    """All modes of End Zone."""

    name = "end-zone"
    title = TITLE
    seats = SEATS
    dice: Wanted = LANDING
    options: Mapping[str, tuple[str, ...]] = OPTIONS
    option_words: Mapping[str, OptionWords] = guide.OPTION_WORDS
    younger: Mapping[str, str] = YOUNGER
    mat = None

    risk = ""

    def explain(self, agreed: Mapping[str, str]) -> tuple[str, ...]:
        """The rules in short."""
        return guide.explain(agreed)

    def complete(self, options: Mapping[str, str], chance: str) -> Mapping[str, str]:  # noqa: ARG002
        """A covered dot waits for somebody who looks (rule 6a): from above a camera is never sure of it."""
        return {**options, "dot": "confirmed"}

    def start(self, players: tuple[str, ...], options: Mapping[str, str]) -> EndZonePosition:
        """The first position; raises `Refused` for wrong players or options."""
        return first_state(EndZonePosition, agree_on(players, options))

    def parse(self, line: str) -> EndZonePosition:
        """The position of a line; raises `Unreadable` for one that cannot be."""
        return read(line, EndZonePosition)

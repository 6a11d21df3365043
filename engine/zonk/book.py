"""ZONK as a rulebook: its seats, options, dice and mat."""

from collections.abc import Mapping

from engine.game import SEED, MatRules, OptionWords, Wanted
from engine.seating import agree_on_options, seat_players
from engine.wording import phrase
from engine.zonk import guide
from engine.zonk.game import ZonkPosition
from engine.zonk.line import WORDS, agreement, read
from engine.zonk.mat import Cards, Pockets
from engine.zonk.state import (
    DICE,
    SEATS,
    YOUNGER,
    Seat,
)


class ZonkRulebook:
    """ZONK, playtest rules version 2."""

    name = "zonk"
    title = "ZONK"
    seats = SEATS
    dice = Wanted(kind="pip", count=DICE, more=(Wanted(kind="d4", count=1),))
    options: Mapping[str, tuple[str, ...]] = {**WORDS, SEED: ()}
    option_words: Mapping[str, OptionWords] = guide.OPTION_WORDS
    younger: Mapping[str, str] = YOUNGER
    mat = MatRules(dice=Pockets(), cards=Cards())

    @property
    def risk(self) -> str:
        """A cast without a combo."""
        return phrase("Zonk next")

    def explain(self, agreed: Mapping[str, str]) -> tuple[str, ...]:
        """The rules in short."""
        return guide.explain(agreed)

    def complete(self, options: Mapping[str, str], chance: str) -> Mapping[str, str]:
        """A deck that the box deals, and that nobody named, is shuffled by chance (rule 8e)."""
        if options.get("deck") != "box" or options.get(SEED):
            return options
        return {**options, SEED: chance}

    def start(self, players: tuple[str, ...], options: Mapping[str, str]) -> ZonkPosition:
        """The first position; raises `Refused` for wrong players or options."""
        names = seat_players(players, self.seats, self.title, "1")
        chosen = agreement(agree_on_options(self.options, options, self.title))
        return ZonkPosition(agreed=chosen, players=names, seats=(Seat(),) * len(names))

    def parse(self, line: str) -> ZonkPosition:
        """The position of a line; raises `Unreadable` for one that cannot be."""
        return read(line, ZonkPosition)

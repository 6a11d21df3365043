"""ZONK as a rulebook: its seats, options and dice."""

from collections.abc import Mapping

from engine.game import Wanted
from engine.seating import agree_on_options, seat_players
from engine.zonk.game import ZonkPosition
from engine.zonk.line import agreement, read
from engine.zonk.state import COPIES, DECKS, DICE, PAIRS, QUOTA_RULES, SEATS, SWAPS, WINNERS, ZONKS, Seat


class ZonkRulebook:
    """ZONK, playtest rules version 2."""

    name = "zonk"
    title = "ZONK"
    seats = SEATS
    dice = Wanted(kind="pip", count=DICE, more=(Wanted(kind="d4", count=1),))
    options: Mapping[str, tuple[str, ...]] = {
        "quota": QUOTA_RULES,
        "winner": WINNERS,
        "pairs": PAIRS,
        "swap": SWAPS,
        "zonk": ZONKS,
        "copies": COPIES,
        "deck": DECKS,
        "seed": (),
    }

    def start(self, players: tuple[str, ...], options: Mapping[str, str]) -> ZonkPosition:
        """The first position; raises `Refused` for wrong players or options."""
        names = seat_players(players, self.seats, self.title, "1")
        chosen = agreement(agree_on_options(self.options, options, self.title))
        return ZonkPosition(agreed=chosen, players=names, seats=(Seat(),) * len(names))

    def parse(self, line: str) -> ZonkPosition:
        """The position of a line; raises `Unreadable` for one that cannot be."""
        return read(line, ZonkPosition)

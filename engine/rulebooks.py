"""Every rulebook by its name. A new one is one line here."""

from collections.abc import Mapping

from engine.end_zone import EndZoneRulebook
from engine.game import Rulebook
from engine.pig import PigRulebook
from engine.refusal import Unreadable
from engine.ten_thousand import TenThousandRulebook
from engine.tray import TrayRulebook
from engine.wording import phrase
from engine.words import plain, together
from engine.zoinx import ZoinxRulebook
from engine.zonk import ZonkRulebook

RULEBOOKS: Mapping[str, Rulebook] = {
    book.name: book
    for book in (
        ZoinxRulebook(),
        ZonkRulebook(),
        TenThousandRulebook(),
        EndZoneRulebook(),
        PigRulebook(),
        TrayRulebook(),
    )
}
"""In the order in which they are offered."""


def rulebook(name: str) -> Rulebook:
    """The rulebook of that name; raises `Unreadable`."""
    if name not in RULEBOOKS:
        raise Unreadable(
            phrase(
                "There is no game called {name}; there are {games}.",
                name=plain(name),
                games=together(list(RULEBOOKS)),
            )
        )
    return RULEBOOKS[name]

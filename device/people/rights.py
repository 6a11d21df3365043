"""Who may do what, as one table, and the sentence for whoever may not.

Buttons on the box itself are not in it: they belong to whoever sits at the table.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Literal

from device.people.who import Office, Role, TableKind, Who

Deed = Literal["knock", "bet", "play", "hand", "judge", "lead", "seat", "setup"]
"""Say who you are; lock a bet; take your turn; move the simulated table's dice; correct, take back and rule;
start and end games; hand out seats and take them back; set up the box."""

EVERYBODY: tuple[Role, ...] = ("viewer", "table", "player", "referee", "host")
WHO_MAY: Mapping[TableKind, Mapping[Deed, tuple[Role, ...]]] = {
    "family": {
        "knock": EVERYBODY,
        "bet": ("table",),
        "play": ("table",),
        "hand": ("table",),
        "judge": ("table",),
        "lead": ("table",),
        "seat": ("table",),
        "setup": ("table",),
    },
    "club": {
        "knock": EVERYBODY,
        "bet": ("player",),
        "play": ("player", "host"),
        "hand": ("player", "host"),
        "judge": ("host",),
        "lead": ("host",),
        "seat": ("host",),
        "setup": ("host",),
    },
    "tournament": {
        "knock": EVERYBODY,
        "bet": ("player",),
        "play": ("player", "referee"),
        "hand": ("player", "referee"),
        "judge": ("referee",),
        "lead": ("referee",),
        "seat": ("referee", "host"),
        "setup": ("host",),
    },
}
OFFICES: Mapping[TableKind, tuple[Office, ...]] = {
    "family": (),
    "club": ("host",),
    "tournament": ("referee", "host"),
}
"""Who signs in with a PIN; the first one leads, and gives the console's sign-in button its name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """Something that somebody asks for."""

    deed: Deed
    words: str
    """What it is, after "may": "correct a throw"."""
    players: Collection[str] = ()
    """Who may do it now, if a player does: whose turn it is, or for whom the bet is."""


def why_not(act: Act, kind: TableKind, who: Who) -> str:
    """Why somebody may not do that at such a table, with the way to it; "" where they may."""
    may = WHO_MAY[kind][act.deed]
    if who.role in may and (who.role != "player" or not _of_one(act) or who.name in act.players):
        return ""
    if act.deed in ("judge", "lead", "seat", "setup"):
        return f"Only the {may[0]} may {act.words} here. Open {OFFICES[kind][0].title()} and give the PIN."
    if act.deed == "bet":
        return _not_your_bet(act, who)
    leader = OFFICES[kind][0]
    if who.role == "player":
        return f"It is not your turn: only {_either(act.players)} or the {leader} may {act.words} now."
    return f"You are watching: only players and the {leader} may {act.words}. Scan the code of your seat."


def _of_one(act: Act) -> bool:
    """Whether not every player may do it, but those it is for."""
    return act.deed in ("bet", "play") and bool(act.players)


def _not_your_bet(act: Act, who: Who) -> str:
    name = _either(act.players) or "a player"
    if who.role == "player":
        return f"This is the page of {who.name}. {name} bets on a page of their own, or on the box."
    return f"Only {name} may bet for {name} here. Scan the code of that seat, or bet on the box."


def _either(names: Collection[str]) -> str:
    return " or ".join(names)

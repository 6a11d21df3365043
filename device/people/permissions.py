"""Who may do what, as one table, and the sentence for whoever may not.

Buttons on the box itself are not in it: they belong to whoever sits at the table.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Literal

from device.people.actor import Actor, Office, Role, TableKind
from engine.wording import phrase, phrase_later

Permission = Literal["knock", "bet", "play", "hand", "judge", "lead", "rematch", "seat", "setup", "answer"]
"""Say who you are; lock a bet; take your turn; move the simulated table's dice; correct, take back and rule;
start and end games; play the game that is over once more; hand out seats and take them back; set up the
box; answer for a hall's desk, as the box's own uplink does."""

EVERYBODY: tuple[Role, ...] = ("viewer", "table", "player", "referee", "host")
WHO_MAY: Mapping[TableKind, Mapping[Permission, tuple[Role, ...]]] = {
    "family": {
        "knock": EVERYBODY,
        "bet": ("table",),
        "play": ("table",),
        "hand": ("table",),
        "judge": ("table",),
        "lead": ("table",),
        "rematch": ("table",),
        "seat": ("table",),
        "setup": ("table",),
        "answer": ("desk",),
    },
    "club": {
        "knock": EVERYBODY,
        "bet": ("player",),
        "play": ("player", "host"),
        "hand": ("player", "host"),
        "judge": ("host",),
        "lead": ("host",),
        "rematch": ("player", "host"),
        "seat": ("host",),
        "setup": ("host",),
        "answer": ("desk",),
    },
    "tournament": {
        "knock": EVERYBODY,
        "bet": ("player",),
        "play": ("player", "referee"),
        "hand": ("player", "referee"),
        "judge": ("referee",),
        "lead": ("referee",),
        "rematch": ("player", "referee"),
        "seat": ("referee", "host"),
        "setup": ("host",),
        "answer": ("desk",),
    },
}
OFFICES: Mapping[TableKind, tuple[Office, ...]] = {
    "family": (),
    "club": ("host",),
    "tournament": ("referee", "host"),
}
"""Who signs in with a PIN; the first one leads, and gives the console's sign-in button its name."""
ONLY: Mapping[tuple[Role, Office], str] = {
    ("host", "host"): phrase_later("Only the host may {do} here. Open Host and give the PIN."),
    ("host", "referee"): phrase_later(
        "Only the host may {do} here. Open Referee, choose Host and give the PIN."
    ),
    ("referee", "referee"): phrase_later("Only the referee may {do} here. Open Referee and give the PIN."),
}
"""By who may, and the name of the sign-in button."""
ONLY_UPLINK = phrase_later("Only this box's own teller answers here.")
NOT_YOUR_TURN: Mapping[Office, str] = {
    "host": phrase_later("It is not your turn: only {players} or the host may {do} now."),
    "referee": phrase_later("It is not your turn: only {players} or the referee may {do} now."),
}
YOU_ARE_WATCHING: Mapping[Office, str] = {
    "host": phrase_later("You are watching: only players and the host may {do}. Scan the code of your seat."),
    "referee": phrase_later(
        "You are watching: only players and the referee may {do}. Scan the code of your seat."
    ),
}
"""By who leads there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """Something that somebody asks for."""

    permission: Permission
    words: str
    """What it is, after "may": "correct a throw", as the catalogue has it."""
    players: Collection[str] = ()
    """Who may do it now, if a player does: whose turn it is, or for whom the bet is."""


def why_not(act: Act, kind: TableKind, who: Actor) -> str:
    """Why somebody may not do that at such a table, with the way to it; "" where they may."""
    may, do = WHO_MAY[kind][act.permission], phrase(act.words)
    if who.role in may and (who.role != "player" or not _of_one(act) or who.name in act.players):
        return ""
    if act.permission == "answer":
        return phrase(ONLY_UPLINK)
    if act.permission in ("judge", "lead", "seat", "setup"):
        return phrase(ONLY[may[0], OFFICES[kind][0]], do=do)
    if act.permission == "bet":
        return _not_your_bet(act, who)
    told = NOT_YOUR_TURN if who.role == "player" else YOU_ARE_WATCHING
    return phrase(told[OFFICES[kind][0]], players=_either(act.players), do=do)


def _of_one(act: Act) -> bool:
    """Whether not every player may do it, but those it is for."""
    return act.permission in ("bet", "play", "rematch") and bool(act.players)


def _not_your_bet(act: Act, who: Actor) -> str:
    name = _either(act.players) or phrase("a player")
    if who.role == "player":
        return phrase(
            "This is the page of {owner}. {player} bets on a page of their own, or on the box.",
            owner=who.name,
            player=name,
        )
    return phrase(
        "Only {player} may bet for {player} here. Scan the code of that seat, or bet on the box.", player=name
    )


def _either(names: Collection[str]) -> str:
    return phrase(" or ").join(names)

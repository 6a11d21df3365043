"""How the result of a game stands with the referee, by the rows of its journal and by nothing else.

At a tournament a result counts once it is signed off. No rulebook knows of that: a game is over by its rules,
and what people then say to its result is theirs. A family signs nothing, so its journals have no such rows.
"""

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct

from device.journal.records import Entry
from device.journal.rows import Row, SignOffNote
from engine.wording import phrase
from engine.words import capital


class SignOff(Struct, frozen=True):
    """Whether a result counts."""

    standing: Literal["", "waits", "signed", "opened"] = ""
    """Nobody asks for a sign-off; it waits for one; it has one; it had one and was opened again."""
    by: str = ""
    """Who signed it off or opened it, in words: "the referee Cleo"."""
    at: str = ""
    """When, ISO in UTC."""
    reason: str = ""
    """Why it was opened again."""

    @property
    def waits(self) -> bool:
        """Whether somebody has to sign before the result counts."""
        return self.standing in ("waits", "opened")

    @property
    def closed(self) -> str:
        """Why nothing of the game can be changed; "" while it can."""
        if self.standing != "signed":
            return ""
        told = phrase(
            "{who} has signed this result off. Open it again first, with a reason.",
            who=self.by or phrase("the referee"),
        )
        return capital(told)


UNASKED = SignOff()
"""As it is at a table at which nobody signs."""


def signed_after(before: SignOff, row: Row, at: str) -> SignOff:
    """How it stands after a row that was written `at` (ISO in UTC)."""
    match row:
        case SignOffNote(what="asked"):
            return SignOff("waits")
        case SignOffNote(what="signed", by=by):
            return SignOff("signed", by, at)
        case SignOffNote(what="opened", by=by, text=reason):
            return SignOff("opened", by, at, reason)
        case _:
            return before


def sign_off_of(entries: Iterable[Entry]) -> SignOff:
    """How the result of a whole game stands."""
    found = UNASKED
    for entry in entries:
        found = signed_after(found, entry.row, entry.at)
    return found

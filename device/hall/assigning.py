"""Which match is played at which table: matches in their order, each at the first free table that takes it.

Pure: what is open and what is free in, who goes where out.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class OpenMatch:
    """A match that may be played now, and that nobody was called for yet."""

    number: int
    players: tuple[str, str]
    not_at: frozenset[str] = frozenset()
    """Tables that do not take it, by their identities."""


@dataclass(frozen=True, slots=True)
class TableNow:
    """A table of the hall as it is now."""

    id: str
    name: str
    free: bool
    """Whether its box is there and well, and no game is going on."""
    online: bool = True


@dataclass(frozen=True, slots=True)
class Assigned:
    """A match and its table."""

    match: OpenMatch
    table: TableNow


def assign(
    matches: Sequence[OpenMatch], tables: Sequence[TableNow], busy: Collection[str] = ()
) -> tuple[Assigned, ...]:
    """Who goes where. `busy`: players who are called or play already; nobody is called to two tables.

    No free table is left over while a match could be played at it.
    """
    left = sorted((each for each in tables if each.free), key=lambda each: by_number(each.name))
    taken = {name.casefold() for name in busy}
    found = []
    for match in sorted(matches, key=lambda each: each.number):
        players = {name.casefold() for name in match.players}
        table = next((each for each in left if each.id not in match.not_at), None)
        if table is None or players & taken:
            continue
        left.remove(table)
        taken |= players
        found.append(Assigned(match, table))
    return tuple(found)


def by_number(name: str) -> str:
    """A key by which Table 2 stands before Table 10."""
    return re.sub(r"\d+", lambda digits: digits[0].zfill(8), name.casefold())

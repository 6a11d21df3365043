"""A hall's tournament as pages and papers show it: who is called where, the bracket with its tables."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import msgspec
from msgspec import Struct

from device.hall.calls import CallStanding, HallCall
from device.tournaments.book import TournamentBook
from device.tournaments.shown import MatchShown, TournamentShown, show_tournament
from engine.wording import phrase
from engine.words import together

# Which match is played at which table: matches in their order, each at the first free table that takes it.
#
# Pure: what is open and what is free in, who goes where out.


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


class CallLine(Struct, frozen=True):
    """Players are called to a table, or play there."""

    match: int
    table: str
    players: tuple[str, ...]
    text: str
    """ "Table 4: Ann, Bea"."""
    standing: CallStanding
    heard: bool
    """Whether the table's box holds the call."""


class HallCupShown(Struct, frozen=True):
    """All of it."""

    changes: int = 0
    """Counts what pages have to ask for anew; 0 where none was drawn."""
    tournament: TournamentShown = TournamentShown()
    calls: tuple[CallLine, ...] = ()
    """Those that stand, by table."""
    remarks: tuple[str, ...] = ()
    """What the organiser should know, a sentence each."""

    def as_before(self, other: Self) -> Self:
        """The same with the other's count: to see whether anything differs."""
        return msgspec.structs.replace(self, changes=other.changes)

    def as_after(self, other: Self) -> Self:
        """The same, one change later."""
        return msgspec.structs.replace(self, changes=other.changes + 1)


def show_cup(
    book: TournamentBook,
    calls: Sequence[HallCall],
    names: Mapping[str, str],
    online: Collection[str],
    heard: Collection[str],
    remarks: Mapping[int, str],
) -> HallCupShown:
    """A tournament with its calls. `names`: of tables, by box. `heard`: calls that their box holds.

    `remarks`: by the number of the call.
    """
    assert book.kept is not None  # noqa: S101 - who shows one has one
    shown = show_tournament(book.kept, book.number)
    last = {each.number: each for each in calls}
    stands = {each.match: each for each in reversed(calls) if each.stands}
    matches = tuple(_with_table(each, last, stands, names) for each in shown.matches)
    standing = sorted((each for each in calls if each.stands), key=lambda each: by_number(names[each.box]))
    return HallCupShown(
        tournament=msgspec.structs.replace(shown, matches=matches),
        calls=tuple(
            CallLine(
                each.match,
                names[each.box],
                each.players,
                phrase("{table}: {players}", table=names[each.box], players=", ".join(each.players)),
                each.standing,
                each.id in heard,
            )
            for each in standing
        ),
        remarks=tuple(_remarks(matches, calls, names, online, remarks)),
    )


def _with_table(
    match: MatchShown,
    last: Mapping[int, HallCall],
    stands: Mapping[int, HallCall],
    names: Mapping[str, str],
) -> MatchShown:
    """A match with its table, and its game as that table's journal counts. `stands`: by match."""
    call, now = last.get(match.game_id), stands.get(match.number)
    if match.state == "begun" and (now is None or now.standing == "called"):
        return msgspec.structs.replace(match, state="ready", game_id=0)
    if call is None or match.state not in ("played", "begun", "undecided"):
        return match
    return msgspec.structs.replace(match, table=names[call.box], game_id=call.game)


def _remarks(
    matches: Sequence[MatchShown],
    calls: Sequence[HallCall],
    names: Mapping[str, str],
    online: Collection[str],
    remarks: Mapping[int, str],
) -> list[str]:
    found = []
    open_ones = {each.number for each in matches if each.state in ("ready", "undecided")}
    for call in calls:
        table = names[call.box]
        late = call.standing == "back" and call.match not in open_ones
        if call.number in remarks and call.standing != "refused" and not late:
            found.append(f"{table}: {remarks[call.number]}")
        elif call.standing == "begun" and call.box not in online:
            found.append(
                phrase(
                    "Match {number} is played at {table}, which is not connected. Its result comes once it "
                    "is, or move the match to another table.",
                    number=call.match,
                    table=table,
                )
            )
        elif call.standing == "refused" and call.match in open_ones:
            found.append(
                phrase(
                    "{table} does not take match {number} ({players}): {why}",
                    table=table,
                    number=call.match,
                    players=together(call.players),
                    why=call.why,
                )
            )
    return found

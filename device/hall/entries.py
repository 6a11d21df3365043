"""Who has entered for the next tournament, and what is to be drawn: kept at the desk until it is.

Whoever saves the list says which one they had before them, so that of two organisers none overwrites what the
other has entered.
"""

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence

import msgspec
from msgspec import Struct

from device.hall.ledger import Ledger
from device.hall.organiser import Organiser
from engine.refusal import Refused
from engine.tournament import Lot, TournamentAgreed, TournamentFormat
from engine.wording import phrase

LONGEST_NAME = 40
MOST_LINES = 64
NUMBERED = re.compile(r"^\d{1,3}[.):]\s+")
"""A list is often pasted with its numbers."""
_TABLES = """
CREATE TABLE IF NOT EXISTS cup_entries (
    version INTEGER PRIMARY KEY AUTOINCREMENT, by TEXT NOT NULL, kept TEXT NOT NULL
) STRICT;
"""


class Entries(Struct, frozen=True):
    """What is to be drawn."""

    title: str = ""
    kind: TournamentFormat = "single"
    game: str = "end-zone"
    options: Mapping[str, str] = {}
    goal: int = 0
    players: tuple[str, ...] = ()
    seeds: int = 0
    """The first ones named, as many as this, keep their places; the others are drawn by chance."""
    number: int | None = None
    """By which they are drawn; None for one that the desk makes by chance."""
    tables: tuple[str, ...] = ()
    """Where it is played; none for all."""


class EntriesKept(Struct, frozen=True):
    """The list as it is kept."""

    version: int = 0
    """0 where none was saved yet."""
    by: str = ""
    entries: Entries = Entries()


class EntryBook:
    """The list in the desk's ledger. Its methods raise `LedgerBroken`."""

    def __init__(self, ledger: Ledger) -> None:
        """Makes its table where it is not there."""
        self._ledger = ledger
        ledger.prepare(_TABLES)

    def newest(self) -> EntriesKept:
        """The list that was saved last."""
        found = self._ledger.find("SELECT version, by, kept FROM cup_entries ORDER BY version DESC LIMIT 1")
        if not found:
            return EntriesKept()
        version, by, kept = found[0]
        return EntriesKept(version, by, msgspec.json.decode(kept, type=Entries))

    def save(self, entries: Entries, seen: int, by: str) -> EntriesKept:
        """Keep a list in the place of version `seen`; raises `Refused` where another took that place."""
        with self._ledger.transaction():
            _check_version(self.newest(), seen)
            kept = msgspec.json.encode(entries).decode()
            self._ledger.put("INSERT INTO cup_entries(by, kept) VALUES (?, ?)", by, kept)
            return self.newest()

    def draw(self, seen: int, organiser: Organiser, chance: Callable[[], int]) -> TournamentAgreed:
        """Draw what stands in version `seen`, by its number or by one of chance; raises `Refused`."""
        newest = self.newest()
        _check_version(newest, seen)
        entries = newest.entries
        agreed = TournamentAgreed(
            entries.title, entries.kind, entries.players, entries.game, entries.options, entries.goal
        )
        lot = None
        if entries.seeds < len(entries.players):
            lot = Lot(chance() if entries.number is None else entries.number, entries.seeds)
        organiser.draw(agreed, entries.tables, lot)
        return agreed


def _check_version(newest: EntriesKept, seen: int) -> None:
    if newest.version != seen:
        raise Refused(
            phrase(
                "{who} has changed the list meanwhile. Nothing was overwritten: copy what you entered, load "
                "the new list, and add it there.",
                who=newest.by,
            )
        )


def read_players(text: str) -> tuple[str, ...]:
    """Names as somebody pastes them, one a line, with or without numbers; raises `Refused`."""
    lines = [" ".join(unicodedata.normalize("NFC", line).split()) for line in text.splitlines()]
    names = [NUMBERED.sub("", line) for line in lines if line]
    if len(names) > MOST_LINES:
        raise Refused(
            phrase(
                "These are {count} names: a tournament has at most {most}.", count=len(names), most=MOST_LINES
            )
        )
    for name in names:
        if len(name) > LONGEST_NAME or not name.isprintable():
            raise Refused(
                phrase(
                    "This is no name of at most {most} letters: {name}. Write one name a line.",
                    most=LONGEST_NAME,
                    name=name[: 2 * LONGEST_NAME],
                )
            )
    _check_twice(names)
    return tuple(names)


def _check_twice(names: Sequence[str]) -> None:
    known = set[str]()
    for name in names:
        if name.casefold() in known:
            raise Refused(
                phrase("Two players are called {twice}. Give one of them another name.", twice=name)
            )
        known.add(name.casefold())

"""What the desk keeps of a tournament over several tables: the draw with its steps, and who is called where.

All of it stands in the desk's ledger. A call is a row that is never deleted; to the tournament's book its
number is what a game's number is at a box.
"""

import secrets
from collections.abc import Sequence
from typing import Any, Literal

import msgspec
from msgspec import Struct

from device.decode import Undecodable, decode_json
from device.hall.ledger import Ledger
from device.tournaments.book import TournamentBook
from device.tournaments.called import CallTold, MatchCall
from device.tournaments.steps import KeptTournament
from engine.refusal import Refused
from engine.wording import phrase

CallStanding = Literal["called", "begun", "over", "refused", "back"]
"""Nobody has begun it; it is played; it has a result; the table refused it; the desk took it back."""
_TABLES = """
CREATE TABLE IF NOT EXISTS cups (
    number INTEGER PRIMARY KEY, kept TEXT NOT NULL, tables TEXT NOT NULL DEFAULT '[]',
    held TEXT NOT NULL DEFAULT '[]'
) STRICT;
CREATE TABLE IF NOT EXISTS calls (
    number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, cup INTEGER NOT NULL,
    match INTEGER NOT NULL, box TEXT NOT NULL, players TEXT NOT NULL, at TEXT NOT NULL,
    standing TEXT NOT NULL, game INTEGER NOT NULL DEFAULT 0, after INTEGER NOT NULL DEFAULT 0,
    why TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE TABLE IF NOT EXISTS told_calls (
    box TEXT PRIMARY KEY, number INTEGER NOT NULL DEFAULT 0, call TEXT NOT NULL DEFAULT '',
    heard INTEGER NOT NULL DEFAULT 0
) STRICT;
"""


class HallCall(Struct, frozen=True):
    """Players were called to a table."""

    number: int
    id: str
    """Made by chance; the game that is begun for it carries it."""
    match: int
    box: str
    players: tuple[str, ...]
    standing: CallStanding
    game: int = 0
    """The game at that box; 0 for none yet."""
    after: int = 0
    """Its game has a higher number than this."""
    why: str = ""
    """Why it was refused or taken back."""

    @property
    def stands(self) -> bool:
        """Whether its table is kept for it."""
        return self.standing in ("called", "begun")


class ToTell(Struct, frozen=True):
    """What one box is to be told, and how much of it the box holds."""

    box: str
    told: CallTold
    heard: int

    @property
    def due(self) -> bool:
        """Whether the box does not hold it yet."""
        return self.heard < self.told.number


class CallBook:
    """The tables of the ledger. What writes is called inside `Ledger.kept`."""

    def __init__(self, ledger: Ledger) -> None:
        """Makes its tables in the ledger where they are not there; raises `LedgerBroken`."""
        self._ledger = ledger
        ledger.prepare(_TABLES)

    # As a shelf of tournaments

    def newest(self) -> int:
        """The newest tournament's number; 0 where none was drawn."""
        return int(self._ledger.find("SELECT coalesce(max(number), 0) FROM cups")[0][0])

    def read(self, number: int) -> KeptTournament:
        """One of them; raises `Refused`."""
        found = self._ledger.find("SELECT kept FROM cups WHERE number = ?", number)
        try:
            return msgspec.json.decode(found[0][0], type=KeptTournament)
        except (IndexError, msgspec.MsgspecError) as error:
            raise Refused(phrase("The tournament cannot be read: {error}.", error=error)) from error

    def write(self, number: int, kept: KeptTournament) -> None:
        """Keep it."""
        said = "INSERT INTO cups(number, kept) VALUES (?, ?) ON CONFLICT DO UPDATE SET kept = excluded.kept"
        self._ledger.put(said, number, msgspec.json.encode(kept).decode())

    def book(self) -> TournamentBook:
        """The newest tournament, read anew."""
        return TournamentBook(self, lambda _: None)

    def tables(self, cup: int) -> tuple[str, ...]:
        """The names of the tables at which it is played; none for all."""
        found = self._ledger.find("SELECT tables FROM cups WHERE number = ?", cup)
        return tuple(msgspec.json.decode(found[0][0], type=list[str])) if found else ()

    def keep_tables(self, cup: int, names: Sequence[str]) -> None:
        """It is played at these alone."""
        self._ledger.put("UPDATE cups SET tables = ? WHERE number = ?", _json(names), cup)

    def held(self, cup: int) -> tuple[int, ...]:
        """Matches for which nobody is called until the organiser does."""
        found = self._ledger.find("SELECT held FROM cups WHERE number = ?", cup)
        return tuple(msgspec.json.decode(found[0][0], type=list[int])) if found else ()

    def hold(self, cup: int, matches: Sequence[int]) -> None:
        """These, and no others."""
        self._ledger.put("UPDATE cups SET held = ? WHERE number = ?", _json(sorted(set(matches))), cup)

    # Calls

    def calls(self, cup: int) -> list[HallCall]:
        """All of a tournament, the oldest first."""
        found = self._ledger.find(
            """SELECT number, id, match, box, players, standing, game, after, why FROM calls
               WHERE cup = ? ORDER BY number""",
            cup,
        )
        return [
            HallCall(number, call_id, match, box, tuple(msgspec.json.decode(players)), *rest)
            for number, call_id, match, box, players, *rest in found
        ]

    def call(self, cup: int, match: int, box: str, players: Sequence[str], at: str) -> None:
        """Call players to a table; `at` is the wall clock, ISO in UTC."""
        after = max(self._ledger.held(box), default=0)
        self._ledger.put(
            """INSERT INTO calls(id, cup, match, box, players, at, standing, after)
               VALUES (?, ?, ?, ?, ?, ?, 'called', ?)""",
            *(secrets.token_hex(8), cup, match, box, _json(players), at, after),
        )

    def stand(self, call: HallCall, standing: CallStanding, *, game: int = 0, why: str = "") -> None:
        """That is how it stands from now on."""
        said = "UPDATE calls SET standing = ?, game = ?, why = ? WHERE number = ?"
        self._ledger.put(said, standing, game or call.game, why or call.why, call.number)

    def game_of(self, call: HallCall) -> int:
        """The newest game of its box that carries it; 0 where the desk holds none."""
        found = self._ledger.find(
            """SELECT game, body FROM entries WHERE box = ? AND game > ? AND seq <= 4 AND kind = 'note'
               ORDER BY game DESC""",
            *(call.box, call.after),
        )
        carry = (game for game, body in found if _carries(body, call.id))
        return next(carry, 0)

    # What boxes are told

    def renumber(self, calls: Sequence[HallCall]) -> None:
        """Each box is to be told the call that stands for it, or that none does, under a new number."""
        stands = {each.box: each.id for each in calls if each.stands}
        known = dict(self._ledger.find("SELECT box, call FROM told_calls"))
        for box in {*stands, *known}:
            call = stands.get(box, "")
            if known.get(box, "") != call:
                self._ledger.put(
                    """INSERT INTO told_calls(box, number, call) VALUES (?, 1, ?)
                       ON CONFLICT DO UPDATE SET number = number + 1, call = excluded.call""",
                    *(box, call),
                )

    def to_tell(self, kept: KeptTournament | None, calls: Sequence[HallCall]) -> list[ToTell]:
        """What each box is to be told."""
        known = {each.id: each for each in calls}
        found = []
        for box, number, call_id, heard in self._ledger.find(
            "SELECT box, number, call, heard FROM told_calls"
        ):
            call = known.get(call_id)
            said = None
            if call is not None and kept is not None:
                agreed = kept.agreed
                said = MatchCall(
                    call.id, agreed.title, call.match, agreed.game, call.players, dict(agreed.options)
                )
            found.append(ToTell(box, CallTold(number, said), heard))
        return found

    def heard(self, box: str, number: int) -> None:
        """A box holds what it was told up to that number.

        One that holds more than was told has met this desk before its ledger was lost: it is told anew.
        """
        self._ledger.put("UPDATE told_calls SET heard = ? WHERE box = ? AND number >= ?", number, box, number)
        self._ledger.put(
            "UPDATE told_calls SET number = ?, heard = 0 WHERE box = ? AND number < ?",
            *(number + 1, box, number),
        )

    def refused(self, box: str, call_id: str, why: str) -> None:
        """A table does not take a call; one that is begun or taken back stays so."""
        self._ledger.put(
            "UPDATE calls SET standing = 'refused', why = ? WHERE id = ? AND box = ? AND standing = 'called'",
            *(why, call_id, box),
        )


def _json(what: Sequence[object]) -> str:
    return msgspec.json.encode(list(what)).decode()


def _carries(body: str, call_id: str) -> bool:
    try:
        said = decode_json(body, dict[str, Any])
    except Undecodable:  # of a desk that looked less closely
        return False
    return said.get("said") == "call" and said.get("call") == call_id

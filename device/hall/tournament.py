"""A tournament goes on over the tables of a hall: players are called, games are followed, results flow in.

How it works. Whatever happens is a row of some box's journal, an answer of a table or a word of the
organiser; each is in the ledger before `advance` goes through them all, in one write, and comes to what is to
be so now. So it does not matter in which order things come, how often, or when the desk was killed.

A game counts for a match only by the call that it carries from its first row on, and only if it came from the
box that was called, with the game and the players for whom it was.
"""

import re
import secrets
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

import msgspec
from msgspec import Struct

from device.call_slip import CurrentCall, MatchCall, SignedResult
from device.decode import Undecodable, decode_json
from device.hall.ledger import Ledger, LedgerBroken, read_game
from device.journal.outbox import HeldGame
from device.journal.records import GameRecord, SignOff
from device.reports.gathering import LeftOut
from device.tournaments import MatchView, TournamentBook, TournamentView, utc_text, view_tournament
from engine.refusal import Refused
from engine.tournament import BracketMatch, TournamentRecord
from engine.wording import phrase
from engine.words import together

# What the desk keeps of a tournament over several tables: the draw with its steps, and who is called where.
#
# All of it stands in the desk's ledger. A call is a row that is never deleted; to the tournament's book its
# number is what a game's number is at a box.

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
    told: CurrentCall
    heard: int

    @property
    def due(self) -> bool:
        """Whether the box does not hold it yet."""
        return self.heard < self.told.number


Signed = Mapping[str, tuple[SignedResult, ...]]
"""What was signed off at the desk and still waits at its table, by box."""


class CallBook:
    """The tables of the ledger. What writes is called inside `Ledger.transaction`."""

    def __init__(self, ledger: Ledger) -> None:
        """Makes its tables in the ledger where they are not there; raises `LedgerBroken`."""
        self._ledger = ledger
        ledger.prepare(_TABLES)

    # As a `TournamentStore`

    def newest(self) -> int:
        """The newest tournament's number; 0 where none was drawn."""
        return int(self._ledger.find("SELECT coalesce(max(number), 0) FROM cups")[0][0])

    def read(self, number: int) -> TournamentRecord:
        """One of them; raises `Refused`."""
        found = self._ledger.find("SELECT kept FROM cups WHERE number = ?", number)
        try:
            return msgspec.json.decode(found[0][0], type=TournamentRecord)
        except (IndexError, msgspec.MsgspecError) as error:
            raise Refused(phrase("The tournament cannot be read: {error}.", error=error)) from error

    def write(self, number: int, record: TournamentRecord) -> None:
        """Keep it."""
        said = "INSERT INTO cups(number, kept) VALUES (?, ?) ON CONFLICT DO UPDATE SET kept = excluded.kept"
        self._ledger.put(said, number, msgspec.json.encode(record).decode())

    def book(self, by: str = "") -> TournamentBook:
        """The newest tournament, read anew. `by`: whose doing is what changes it."""
        return TournamentBook(self, lambda _: None, by=lambda: by)

    def tables(self, cup: int) -> tuple[str, ...]:
        """The names of the tables at which it is played; none for all."""
        found = self._ledger.find("SELECT tables FROM cups WHERE number = ?", cup)
        return tuple(msgspec.json.decode(found[0][0], type=list[str])) if found else ()

    def set_tables(self, cup: int, names: Sequence[str]) -> None:
        """Have it played at these alone."""
        self._ledger.put("UPDATE cups SET tables = ? WHERE number = ?", _json(names), cup)

    def held(self, cup: int) -> tuple[int, ...]:
        """Matches for which nobody is called until the organiser does."""
        found = self._ledger.find("SELECT held FROM cups WHERE number = ?", cup)
        return tuple(msgspec.json.decode(found[0][0], type=list[int])) if found else ()

    def set_held(self, cup: int, matches: Collection[int]) -> None:
        """Have nobody called for these matches, and for all others."""
        self._ledger.put("UPDATE cups SET held = ? WHERE number = ?", _json(sorted(matches)), cup)

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

    def set_standing(self, call: HallCall, standing: CallStanding, *, game: int = 0, why: str = "") -> None:
        """Note how a call stands from now on."""
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

    def renumber(self, calls: Sequence[HallCall], signed: Signed) -> None:
        """What changed of that each box is to be told under a new number."""
        stands = {each.box: each.id for each in calls if each.stands}
        known = dict(self._ledger.find("SELECT box, call FROM told_calls"))
        for box in {*stands, *known, *signed}:
            now = " ".join([stands.get(box, ""), *(each.call for each in signed.get(box, ()))])
            if known.get(box, "") != now:
                self._ledger.put(
                    """INSERT INTO told_calls(box, number, call) VALUES (?, 1, ?)
                       ON CONFLICT DO UPDATE SET number = number + 1, call = excluded.call""",
                    *(box, now),
                )

    def to_tell(
        self, record: TournamentRecord | None, calls: Sequence[HallCall], signed: Signed
    ) -> list[ToTell]:
        """What each box is to be told."""
        stands = {each.box: each for each in calls if each.stands}
        found = []
        for box, number, heard in self._ledger.find("SELECT box, number, heard FROM told_calls"):
            call = stands.get(box)
            said = None
            if call is not None and record is not None:
                agreed = record.agreed
                said = MatchCall(
                    call.id, agreed.title, call.match, agreed.game, call.players, dict(agreed.options)
                )
            found.append(ToTell(box, CurrentCall(number, said, signed=signed.get(box, ())), heard))
        return found

    def confirm(self, box: str, number: int) -> None:
        """Note that a box holds what it was told up to that number.

        One that holds more than was told has met this desk before its ledger was lost: it is told anew.
        """
        self._ledger.put("UPDATE told_calls SET heard = ? WHERE box = ? AND number >= ?", number, box, number)
        self._ledger.put(
            "UPDATE told_calls SET number = ?, heard = 0 WHERE box = ? AND number < ?",
            *(number + 1, box, number),
        )

    def refuse(self, box: str, call_id: str, why: str) -> None:
        """Note that a table does not take a call; one that is begun or taken back stays so."""
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


# Which match is played at which table: matches in their order, each at the first free table that takes it.


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


def assign(
    matches: Sequence[OpenMatch], tables: Sequence[TableNow], busy: Collection[str] = ()
) -> list[tuple[OpenMatch, TableNow]]:
    """Give matches their tables, in the order of both.

    `busy`: players who are called or play already; nobody is called to two tables.

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
        found.append((match, table))
    return found


def by_number(name: str) -> str:
    """A key by which Table 2 stands before Table 10."""
    return re.sub(r"\d+", lambda digits: digits[0].zfill(8), name.casefold())


# A hall's tournament as pages and papers show it: who is called where, the bracket with its tables.


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


class HallTournamentView(Struct, frozen=True):
    """All that pages and papers show of a hall's tournament."""

    changes: int = 0
    """Counts what pages have to ask for anew; 0 where none was drawn."""
    tournament: TournamentView = TournamentView()
    calls: tuple[CallLine, ...] = ()
    """Those that stand, by table."""
    remarks: tuple[str, ...] = ()
    """What the organiser should know, a sentence each."""
    held: tuple[int, ...] = ()
    """Matches for which nobody is called until the organiser does."""


@dataclass(frozen=True, slots=True)
class GameResult:
    """What the game of a call came to."""

    winners: tuple[str, ...]
    scores: tuple[tuple[str, int], ...]
    sign_off: SignOff
    """How it stands at its table."""

    @property
    def waits(self) -> bool:
        """Whether its table waits for a sign-off."""
        return self.sign_off.waits


def read_result(ledger: Ledger, call: HallCall, record: GameRecord) -> GameResult | LeftOut:
    """Play the game of a call again; `record` is its game's."""
    game = read_game(ledger, call.box, record)
    if isinstance(game, LeftOut):
        return game
    winners = game.ending.winners if game.ending else ()
    return GameResult(winners, tuple(zip(record.players, game.scores, strict=True)), game.sign_off)


def one_winner(winners: Sequence[str]) -> str:
    """Who has won alone; "" where several share the win, or nobody has."""
    return winners[0] if len(winners) == 1 else ""


def view_hall_tournament(
    book: TournamentBook,
    calls: Sequence[HallCall],
    names: Mapping[str, str],
    online: Collection[str],
    heard: Collection[str],
    remarks: Mapping[int, str],
    changes: int = 0,
) -> HallTournamentView:
    """A tournament with its calls. `names`: of tables, by box. `heard`: calls that their box holds.

    `remarks`: by the number of the call.
    """
    assert book.record is not None  # noqa: S101 - who shows one has one
    shown = view_tournament(book.record, book.number)
    last = {each.number: each for each in calls}
    stands = {each.match: each for each in reversed(calls) if each.stands}
    matches = tuple(_with_table(each, last, stands, names) for each in shown.matches)
    standing = sorted((each for each in calls if each.stands), key=lambda each: by_number(names[each.box]))
    return HallTournamentView(
        changes,
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


def _with_result(match: MatchView, result: GameResult | None) -> MatchView:
    """A match with what its game came to, where that waits for a sign-off."""
    winner = one_winner(result.winners) if result else ""
    if result is None or not winner:
        return match
    points = dict(result.scores)
    one, other = (points.get(side) for side in match.sides)
    return msgspec.structs.replace(match, points=(one, other), unsigned=winner)


def _with_table(
    match: MatchView,
    last: Mapping[int, HallCall],
    stands: Mapping[int, HallCall],
    names: Mapping[str, str],
) -> MatchView:
    """A match with its table, and its game as that table's journal counts. `stands`: by match."""
    call, now = last.get(match.game_id), stands.get(match.number)
    if match.state == "begun" and (now is None or now.standing == "called"):
        return msgspec.structs.replace(match, state="ready", game_id=0)
    if call is None or match.state not in ("played", "begun", "undecided"):
        return match
    return msgspec.structs.replace(match, table=names[call.box], game_id=call.game)


def _remarks(
    matches: Sequence[MatchView],
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


AGAIN_S = 10.0
"""How often a box is told what it has not answered."""


class HallTournament:
    """The newest tournament of a desk. One thread calls `advance`; what pages see is asked from any."""

    def __init__(
        self,
        ledger: Ledger,
        tables: Callable[[], Sequence[TableNow]],
        say: Callable[[str, CurrentCall], bool],
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """`tables`: as they are now. `say` tells a box something; False where that cannot be now."""
        self._ledger, self._tables, self._say, self._now = ledger, tables, say, now
        self.calls = CallBook(ledger)
        self._followed: dict[int, tuple[HeldGame, int]] = {}
        """How much of each call's game was looked at, and how many steps its match had."""
        self._remarks: dict[int, str] = {}
        """What is to be said of a call, in a sentence."""
        self._unsigned: dict[int, GameResult] = {}
        """What the games of calls came to that wait for a sign-off, by the call's number."""
        self._to_sign: dict[int, SignedResult] = {}
        """Those that were signed off here and still wait at their table."""
        self._said: dict[str, tuple[int, float]] = {}
        """Which number each box was told last, and when."""
        self.view = HallTournamentView()
        """As pages show it."""

    def advance(self, now_s: float) -> None:
        """Go through what is new, and tell boxes what is due. Raises `LedgerBroken`; then nothing changed."""
        if not self.calls.newest():
            return
        tables = self._tables()
        try:
            with self._ledger.transaction():
                book = self.calls.book()
                calls = self._settle(book, tables)
                to_tell = self.calls.to_tell(book.record, calls, self._signed(calls))
        except LedgerBroken:
            self._followed.clear()
            raise
        self._show(book, calls, tables)
        online = {each.id for each in tables if each.online}
        for each in to_tell:
            number, said_s = self._said.get(each.box, (0, float("-inf")))
            anew = number != each.told.number or now_s >= said_s + AGAIN_S
            if each.due and anew and each.box in online and self._say(each.box, each.told):
                self._said[each.box] = each.told.number, now_s

    def _settle(self, book: TournamentBook, tables: Sequence[TableNow]) -> list[HallCall]:
        cup = book.number
        if book.record is not None and not book.record.closed:
            for call in self.calls.calls(cup):
                self._follow(book, call)
            self._take_back_what_changed(book, tables)
            self._assign(book, tables)
        calls = self.calls.calls(cup)
        self.calls.renumber(calls, self._signed(calls))
        return calls

    def _signed(self, calls: Sequence[HallCall]) -> Signed:
        """What boxes are told to sign off."""
        found: dict[str, tuple[SignedResult, ...]] = {}
        for each in calls:
            if each.number in self._to_sign:
                found[each.box] = *found.get(each.box, ()), self._to_sign[each.number]
        return found

    # What was played

    def _follow(self, book: TournamentBook, call: HallCall) -> None:
        """What has become of a call, by the rows that are held."""
        if call.standing == "refused" or (call.standing == "over" and not book.match_of(call.number)):
            self._to_sign.pop(call.number, None)
            return
        game = self.calls.game_of(call)
        if not game:
            return
        seen = self._ledger.held(call.box)[game], book.going.so_far.steps.get(call.match, 0)
        if self._followed.get(call.number) == seen and call.standing != "called":
            return
        self._followed[call.number] = seen
        self._unsigned.pop(call.number, None)
        self._to_sign.pop(call.number, None)
        record = next(each for each in self._ledger.records(call.box) if each.id == game)
        if not self._is_meant(book, call, record.game, record.players):
            return
        if call.standing == "called":
            book.begin(call.match, call.number)
        if call.standing == "called" or call.game != game:
            self.calls.set_standing(call, "begun", game=game)
        if record.ended is not None and book.match_of(call.number) == call.match:
            self._result(book, call, record)

    def _is_meant(self, book: TournamentBook, call: HallCall, game: str, players: tuple[str, ...]) -> bool:
        """Whether that game is what the call was for; if not, it is said why it does not count."""
        if call.standing == "back":
            self._remarks[call.number] = phrase(
                "Match {number} was begun although the call was taken back. It does not count there.",
                number=call.match,
            )
            return False
        if game != book.going.agreed.game or set(players) != set(call.players):
            self._remarks[call.number] = phrase(
                "The game that was begun for match {number} is another one, or others play it. It does not "
                "count.",
                number=call.match,
            )
            return False
        return True

    def _result(self, book: TournamentBook, call: HallCall, record: GameRecord) -> None:
        """What the game came to, once it counts."""
        self._remarks.pop(call.number, None)
        result = read_result(self._ledger, call, record)
        if isinstance(result, LeftOut):
            self._remarks[call.number] = result.why
            return
        if result.waits and not _is_signed(book, call.match, result):
            self._unsigned[call.number] = result
            self._remarks[call.number] = phrase(
                "The result of match {number} waits for the referee's sign-off.", number=call.match
            )
            return
        if result.sign_off.standing == "waits" and (by := _signed_by(book, call.match, result)):
            self._to_sign[call.number] = SignedResult(call.id, record.id, result.scores, by)
        book.trouble = ""
        book.follow(call.number, result.winners, result.scores)
        if book.trouble:
            self._remarks[call.number] = book.trouble
            self._followed.pop(call.number, None)  # once the organiser has made room it flows in
        self.calls.set_standing(call, "over", game=record.id)

    # Who is called where

    def _take_back_what_changed(self, book: TournamentBook, tables: Sequence[TableNow]) -> None:
        """Calls for which there is no reason any more: the bracket has changed, or the box was revoked."""
        ready = {each.number: each.players for each in _ready(book)}
        there = {each.id for each in tables}
        for call in self.calls.calls(book.number):
            if call.standing == "called" and (ready.get(call.match) != call.players or call.box not in there):
                self.calls.set_standing(call, "back")

    def _assign(self, book: TournamentBook, tables: Sequence[TableNow]) -> None:
        """Call players for each match that may be played, as far as tables are free."""
        calls = self.calls.calls(book.number)
        standing = [each for each in calls if each.stands]
        held = {*self.calls.held(book.number), *(each.match for each in standing)}
        taken = {each.box for each in standing}
        named = {name.casefold() for name in self.calls.tables(book.number)}
        refused = refusing(calls)
        waiting = [
            OpenMatch(each.number, each.players, refused.get(each.number, frozenset()))
            for each in _ready(book)
            if each.number not in held
        ]
        free = [
            each for each in tables if each.id not in taken and (not named or each.name.casefold() in named)
        ]
        busy = [name for each in standing for name in each.players]
        at = utc_text(self._now())
        for match, table in assign(waiting, free, busy):
            self.calls.call(book.number, match.number, table.id, match.players, at)

    # What is shown

    def _show(self, book: TournamentBook, calls: Sequence[HallCall], tables: Sequence[TableNow]) -> None:
        if book.record is None:
            return
        names = {each.id: each.name for each in self._ledger.boxes()}
        online = frozenset(each.id for each in tables if each.online)
        heard = frozenset(
            each.told.call.id
            for each in self.calls.to_tell(book.record, calls, self._signed(calls))
            if not each.due and each.told.call is not None
        )
        before = self.view.changes
        made = view_hall_tournament(book, calls, names, online, heard, self._remarks, before)
        unsigned = {each.match: self._unsigned.get(each.number) for each in calls if each.stands}
        matches = tuple(_with_result(each, unsigned.get(each.number)) for each in made.tournament.matches)
        made = msgspec.structs.replace(
            made,
            tournament=msgspec.structs.replace(made.tournament, matches=matches),
            held=self.calls.held(book.number),
        )
        if made != self.view:
            self.view = msgspec.structs.replace(made, changes=before + 1)


def _is_signed(book: TournamentBook, match: int, result: GameResult) -> bool:
    """Whether the organiser has signed that very result off, or people decided the match."""
    return match in book.going.so_far.ruled or bool(_signed_by(book, match, result))


def _signed_by(book: TournamentBook, match: int, result: GameResult) -> str:
    """Who has signed that very result off at the desk; "" for nobody."""
    so_far = book.going.so_far
    known = so_far.winners.get(match), so_far.scores.get(match)
    same = known == (one_winner(result.winners), result.scores)
    return so_far.signed.get(match, "") if same else ""


def refusing(calls: Sequence[HallCall]) -> dict[int, frozenset[str]]:
    """By match, the tables that refused it since it was last called by hand or taken back."""
    found: dict[int, frozenset[str]] = {}
    for each in calls:
        if each.standing == "back":
            found[each.match] = frozenset()
        elif each.standing == "refused":
            found[each.match] = found.get(each.match, frozenset()) | {each.box}
    return found


def _ready(book: TournamentBook) -> list[BracketMatch]:
    """The matches that may be played now."""
    return [each for each in book.going.matches if each.ready]

"""The tournament of a box or of a hall's desk: its view for pages and papers, its book, its files.

What it is by its rules the engine says (`engine.tournament`). It is stored before anything of it is shown.
"""

import csv
import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, Protocol

import msgspec
from msgspec import Struct

from calibration.durable import sync_folder, write_whole
from device.journal.export import cell
from device.reports.blocks import Block, Grid, Heading, Sentence
from engine.refusal import Refused
from engine.tournament import (
    FORMATS,
    NONE,
    BracketMatch,
    FinalPlace,
    Lot,
    MatchesSoFar,
    TournamentAgreed,
    TournamentRecord,
    TournamentStep,
    champion,
    rank,
    tie_break_words,
)
from engine.wording import phrase, phrase_count, phrase_later, told_number

KNOCKOUTS = ("book", "single")
LADDERS = (*KNOCKOUTS, "double")
MatchState = Literal["waits", "ready", "begun", "undecided", "played"]
ROUNDS = {
    "": phrase_later("Round {number}"),
    "winners": phrase_later("Winners, round {number}"),
    "losers": phrase_later("Losers, round {number}"),
    "play-off": phrase_later("Play-off, round {number}"),
}
LAST_ROUNDS = (phrase_later("Final"), phrase_later("Semi-finals"), phrase_later("Quarter-finals"))
"""The rounds of a single elimination, from the last one back."""
FINALS = (LAST_ROUNDS[0], phrase_later("Second final"))
"""The finals of a double elimination; the second where the winner of the losers has won the first."""


class MatchView(Struct, frozen=True):
    """One match."""

    number: int
    group: str
    """The column in which it stands: "Round 2", "Semi-finals", "Losers, round 1"."""
    lower: bool
    """Whether it is played by those who have lost once."""
    sides: tuple[str, str]
    """Players, or "the winner of match 3"."""
    known: tuple[bool, bool]
    """Which of them are players."""
    points: tuple[int | None, int | None]
    """None where nothing is known."""
    winner: str
    state: MatchState
    game_id: int = 0
    table: str = ""
    """Where it is or was played, at a hall's desk; "" at a box."""
    steps: int = 0
    """How many steps it has had: whoever saw fewer has seen another match."""
    signed: str = ""
    """Who has signed its result off at a hall's desk."""
    ruled: str = ""
    """Why people decided it; "" where its game did."""
    unsigned: str = ""
    """Who has won its game, which waits for a sign-off and does not count yet."""


class TournamentView(Struct, frozen=True):
    """All of it."""

    number: int = 0
    """0 where none was drawn."""
    changes: int = 0
    title: str = ""
    kind: str = ""
    """ "Double elimination"."""
    ladder: bool = False
    """Whether who loses is out, sooner or later: then its rounds stand side by side."""
    game: str = ""
    matches: tuple[MatchView, ...] = ()
    standings: tuple[FinalPlace, ...] = ()
    champion: str = ""
    """ "" while it goes on."""
    next: int = 0
    """The match to be played now; 0 for none."""
    closed: bool = False
    tie_breaks: str = ""
    """How ties are broken, in a sentence or more; "" where there are none."""
    chance: str = ""
    """By which number it was drawn, in a sentence; "" where nothing was left to chance."""
    withdrawn: tuple[str, ...] = ()
    """Players who play no more."""
    trouble: str = ""


def view_tournament(
    record: TournamentRecord, number: int, changes: int = 0, trouble: str = ""
) -> TournamentView:
    """A tournament for pages and papers."""
    agreed, so_far = record.agreed, record.so_far
    rounds = max((each.round for each in record.matches), default=0) if agreed.kind in KNOCKOUTS else 0
    matches = tuple(_view_match(each, so_far, rounds) for each in record.matches)
    ready = [each.number for each in matches if each.state in ("begun", "ready", "undecided")]
    return TournamentView(
        number=number,
        changes=changes,
        title=agreed.title,
        kind=phrase(FORMATS[agreed.kind]),
        ladder=agreed.kind in LADDERS,
        game=agreed.game,
        matches=matches,
        standings=rank(record.drawn, record.matches),
        champion=champion(record.drawn, record.matches),
        next=0 if record.closed or not ready else ready[0],
        closed=record.closed,
        tie_breaks=tie_break_words(agreed.kind, record.draw_version),
        chance=_chance_words(record.lot),
        withdrawn=tuple(each for each in agreed.players if each in so_far.withdrawn),
        trouble=trouble,
    )


def _chance_words(lot: Lot | None) -> str:
    if lot is None:
        return ""
    if not lot.seeds:
        return phrase("Drawn by number {number}.", number=lot.number)
    return phrase_count(
        "Drawn by number {number}; the first player named is seeded.",
        "Drawn by number {number}; the first {count} players named are seeded.",
        lot.seeds,
        number=lot.number,
    )


def _round_words(match: BracketMatch, rounds: int) -> str:
    """What players call a match's round. `rounds`: of a single elimination; 0 for other formats."""
    if match.bracket == "final":
        return phrase(FINALS[match.round - 1])
    if 0 <= rounds - match.round < len(LAST_ROUNDS):
        return phrase(LAST_ROUNDS[rounds - match.round])
    return phrase(ROUNDS[match.bracket], number=match.round)


def _view_match(match: BracketMatch, so_far: MatchesSoFar, rounds: int) -> MatchView:
    points = dict(so_far.scores.get(match.number, ()))
    state: MatchState = "played" if match.winner else "ready" if match.ready else "waits"
    if not match.winner and match.number in so_far.undecided:
        state = "undecided"
    elif not match.winner and match.number in so_far.games:
        state = "begun"
    one, other = match.sides
    return MatchView(
        number=match.number,
        group=_round_words(match, rounds),
        lower=match.bracket == "losers",
        sides=(one.words, other.words),
        known=(bool(one.player), bool(other.player)),
        points=(points.get(one.player), points.get(other.player)),
        winner=match.winner,
        state=state,
        game_id=so_far.games.get(match.number, 0),
        steps=so_far.steps.get(match.number, 0),
        signed=so_far.signed.get(match.number, ""),
        ruled=so_far.ruled.get(match.number, ""),
    )


# A tournament for spreadsheets, other programs and the wall: CSV, JSON, and what a paper says.

COLUMNS = ("match", "group", "player", "against", "points", "won", "state", "game_id")


def tournament_csv(shown: TournamentView) -> str:
    """A line for each player of each match, for a spreadsheet: UTF-8 with its mark."""
    text = io.StringIO()
    text.write("\ufeff")
    writer = csv.writer(text, lineterminator="\r\n")
    tables = any(each.table for each in shown.matches)
    writer.writerow([*COLUMNS, "table"] if tables else COLUMNS)
    for each in shown.matches:
        for side in (0, 1):
            player, against = each.sides[side], each.sides[1 - side]
            points = each.points[side]
            row = (
                each.number,
                each.group,
                player,
                against,
                points,
                each.winner == player,
                each.state,
                each.game_id,
            )
            writer.writerow([cell(value) for value in ((*row, each.table) if tables else row)])
    return text.getvalue()


def tournament_json(shown: TournamentView) -> Iterator[str]:
    """JSON objects, one a line: each `match`, then each `standing`."""
    for match in shown.matches:
        yield json.dumps({"kind": "match", **msgspec.to_builtins(match)}, ensure_ascii=False)
    for place in shown.standings:
        yield json.dumps({"kind": "standing", **msgspec.to_builtins(place)}, ensure_ascii=False)


STATES: Mapping[MatchState, str] = {
    "played": phrase_later("played"),
    "begun": phrase_later("begun"),
    "ready": phrase_later("ready"),
    "undecided": phrase_later("undecided"),
    "waits": phrase_later("waits"),
}


def tournament_blocks(shown: TournamentView) -> Iterator[Block]:
    """The bracket and the standings, to be pinned up."""
    yield Heading(text=shown.title, level=1)
    kind = phrase("{kind}, {count} players.", kind=shown.kind, count=len(shown.standings))
    won = phrase("{player} has won.", player=shown.champion) if shown.champion else ""
    yield Sentence(text=" ".join(each for each in (kind, shown.chance, won) if each))
    tables = any(each.table for each in shown.matches)
    head = (phrase("No."), phrase("Round"), phrase("Match"), phrase("Points"), phrase("Won by"))
    yield Grid(
        caption=phrase("The matches"),
        head=(*head, phrase("Table")) if tables else head,
        rows=tuple(
            (
                str(each.number),
                each.group,
                " - ".join(each.sides),
                points_words(each),
                each.winner or phrase(STATES[each.state]),
                *((each.table,) if tables else ()),
            )
            for each in shown.matches
        ),
        numbers=frozenset({0}),
    )
    yield Heading(text=phrase("Standings"))
    if shown.tie_breaks:
        yield Sentence(text=shown.tie_breaks)
    yield Grid(
        caption=phrase("Who came where so far"),
        head=(phrase("Place"), phrase("Player"), phrase("Matches"), phrase("Wins")),
        rows=tuple(
            (place_words(each), each.player, str(each.played), str(each.wins)) for each in shown.standings
        ),
        numbers=frozenset({0, 2, 3}),
    )


def place_words(row: FinalPlace) -> str:
    """ "3"; a dash for a player without a result yet."""
    return str(row.place) if row.place else "–"


def points_words(match: MatchView) -> str:
    """ "135 : 98"; "" where nobody knows them."""
    one, other = match.points
    return "" if one is None or other is None else f"{told_number(one, ',')} : {told_number(other, ',')}"


# The book, and where it is stored.


def utc_text(moment: datetime) -> str:
    """A wall clock's time, ISO in UTC to the millisecond."""
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


class TournamentStore(Protocol):
    """Where tournaments are stored, by their numbers from 1 on."""

    def newest(self) -> int:
        """The newest one's number; 0 where there is none."""
        ...

    def read(self, number: int) -> TournamentRecord:
        """One of them; raises `Refused`."""
        ...

    def write(self, number: int, record: TournamentRecord) -> None:
        """Durable when it returns; raises `Refused`, and then nothing has changed."""
        ...


class TournamentBook:
    """The tournament of the evening, and what is shown of it. Not for several threads.

    Whatever changes it raises `Refused`, and then nothing has changed.
    """

    def __init__(
        self,
        store: TournamentStore | None = None,
        tell: Callable[[str], None] = print,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        by: Callable[[], str] = str,
    ) -> None:
        """`store`: None stores nothing. `tell`: where trouble with what is stored is told. `by`: whose doing
        it is now, in words."""
        self._store, self._now, self._by = store, now, by
        self.number = 0
        """Its number; 0 where none was drawn yet."""
        self.record: TournamentRecord | None = None
        """The newest tournament, also when it is over."""
        self.changes = 0
        """Counts what pages have to ask for anew; 0 where there is nothing."""
        self.trouble = ""
        """Why the last result did not flow in; "" where it did."""
        self._view = TournamentView()
        self._load(tell)

    def view(self) -> TournamentView:
        """The newest tournament; made once until something changes."""
        if self._view.changes != self.changes:
            self._view = (
                TournamentView(changes=self.changes)
                if self.record is None
                else view_tournament(self.record, self.number, self.changes, self.trouble)
            )
        return self._view

    def match_words(self, game_id: int | None) -> str:
        """Which match that game is: "Match 3 of Autumn Cup"; "" for none."""
        number, record = self.match_of(game_id), self.record
        if not number or record is None:
            return ""
        return phrase("Match {number} of {title}", number=number, title=record.agreed.title)

    def match_of(self, game_id: int | None) -> int:
        """Which match of a tournament that goes on that game is; 0 for none."""
        if self.record is None or self.record.closed or game_id is None:
            return 0
        return self.record.so_far.matches_by_game.get(game_id, 0)

    def game_of(self, number: int) -> int | None:
        """The game in which that match was begun last; None for none."""
        so_far = self.going.so_far
        return None if number in so_far.undecided else so_far.games.get(number)

    @property
    def going(self) -> TournamentRecord:
        """The tournament that goes on; raises `Refused` where there is none."""
        if self.record is None or self.record.closed:
            raise Refused(phrase(NONE))
        return self.record

    def draw(self, agreed: TournamentAgreed, lot: Lot | None = None) -> None:
        """Draw a new tournament; `lot`: where chance says who stands where."""
        if self.record is not None and not self.record.closed:
            raise Refused(phrase("{title} goes on. Close it first.", title=self.record.agreed.title))
        self._write(self.number + 1, TournamentRecord.draw(agreed, self._at(), self._by(), lot))

    def match_to_begin(self, number: int) -> BracketMatch:
        """A match that may be played now; raises `Refused` with the reason why not."""
        return self.going.match_to_begin(number)

    def begin(self, number: int, game_id: int) -> None:
        """Have that match played in this game."""
        step = TournamentStep("begun", self._at(), number, game_id, by=self._by())
        self._change(self.going.after(step))

    def why_not(self, game_id: int, winners: Sequence[str], scores: Sequence[tuple[str, int]]) -> str:
        """Why a game's result cannot flow in, in a sentence; "" where it can, or is no match's."""
        if not self.match_of(game_id):
            return ""
        return self.going.why_not(self.going.result_step(game_id, winners, scores, self._at()))

    def add_result(
        self, game_id: int, winners: Sequence[str], scores: Sequence[tuple[str, int]], by: str = ""
    ) -> None:
        """A game is over, and its result counts."""
        if self.match_of(game_id):
            step = self.going.result_step(game_id, winners, scores, self._at(), by)
            self._change(self.going.with_result(step))

    def follow(self, game_id: int, winners: Sequence[str], scores: Sequence[tuple[str, int]]) -> None:
        """The same where nobody signs results off: what does not flow in is told in `trouble`."""
        try:
            self.add_result(game_id, winners, scores)
        except Refused as refused:
            if self.trouble != str(refused):
                self.trouble = str(refused)
                self.changes += 1

    def rule(self, number: int, winner: str, scores: Sequence[tuple[str, int]], reason: str) -> None:
        """Have people decide a match, whatever its game says."""
        self._change(self.going.rule(number, winner, scores, reason, self._at(), self._by()))

    def sign(self, number: int) -> None:
        """Sign a match's result off."""
        self._change(self.going.sign(number, self._at(), self._by()))

    def take_back(self, number: int, reason: str) -> None:
        """Have a match not count, and be played again."""
        self._change(self.going.take_back(number, reason, self._at(), self._by()))

    def withdraw(self, player: str, reason: str) -> None:
        """Have a player play no more: whoever would have met them goes on."""
        self._change(self.going.withdraw(player, reason, self._at(), self._by()))

    def bring_back(self, player: str) -> None:
        """Have a player who withdrew play again, where nobody has played on from it."""
        self._change(self.going.bring_back(player, self._at(), self._by()))

    def close(self) -> None:
        """End it; another may be drawn."""
        self._change(self.going.after(TournamentStep("closed", self._at(), by=self._by())))

    def _at(self) -> str:
        return utc_text(self._now())

    def _change(self, record: TournamentRecord) -> None:
        if record is not self.record:
            self._write(self.number, record)

    def _write(self, number: int, record: TournamentRecord) -> None:
        """Durable first, then known."""
        if self._store is not None:
            self._store.write(number, record)
        self.number, self.record, self.trouble = number, record, ""
        self.changes += 1

    def _load(self, tell: Callable[[str], None]) -> None:
        if self._store is None or not (newest := self._store.newest()):
            return
        self.number = newest
        try:
            self.record = self._store.read(newest)
            self.record.drawn  # noqa: B018 - what cannot be played is told now
            self.changes = 1
        except Refused as refused:
            self.record = None
            tell(str(refused))


class TournamentFiles:
    """A box's `TournamentStore`: `tournaments/1.json`, `2.json`, ... of its data folder.

    Each write replaces a file by one that is on the disk (`calibration.durable`), so a power cut leaves the
    one before or the one after.
    """

    def __init__(self, data: Path) -> None:
        """`data`: the data folder; the folder of tournaments is made with the first one."""
        self.folder = data / "tournaments"

    def numbers(self) -> list[int]:
        """The tournaments that are stored, the oldest first."""
        return sorted(int(path.stem) for path in self.folder.glob("*.json") if path.stem.isdigit())

    def newest(self) -> int:
        """The newest one's number; 0 where there is none."""
        return max(self.numbers(), default=0)

    def read(self, number: int) -> TournamentRecord:
        """One of them; raises `Refused`, in a sentence."""
        path = self.folder / f"{number}.json"
        try:
            return msgspec.json.decode(path.read_bytes(), type=TournamentRecord)
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise Refused(
                phrase(
                    "The tournament in {path} cannot be read ({error}). Put a copy back, or move it away.",
                    path=path,
                    error=error,
                )
            ) from error

    def write(self, number: int, record: TournamentRecord) -> None:
        """Replace it by this; raises `Refused`, and then nothing has changed."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            write_whole(self.folder / f"{number}.json", msgspec.json.encode(record))
            sync_folder(self.folder)
            sync_folder(self.folder.parent)
        except OSError as error:
            raise Refused(
                phrase(
                    "The tournament cannot be kept in {folder} ({strerror}). Make room on the disk, or "
                    "fix the folder's permissions.",
                    folder=self.folder,
                    strerror=error.strerror,
                )
            ) from error

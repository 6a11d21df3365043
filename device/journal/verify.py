"""Whether a journal is as it was written, row by row, and what of it is whole.

Three things are held against the file: SQLite's own structure, the chain of hashes (`device.journal.chain`)
and the mark beside it (`device.journal.chain`). Text is looked at as bytes, for damaged text is none. Nothing
is written, neither here nor by opening: a damaged journal stays as it was found.
"""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any

import apsw

from device.journal.chain import (
    START,
    HighWaterMark,
    file_sum,
    link,
    mark_path,
    missing_since,
    read_mark,
    refuse_empty,
)
from device.journal.reader import opening, read_only
from device.journal.schema import (
    BUSY_WAIT_MS,
    GAMES,
    ROWS,
    TABLES,
    is_empty,
    require_ours,
    tables_of_today,
)
from engine.wording import phrase, phrase_count
from engine.words import together

Row = tuple[Any, ...]
_GAMES = GAMES.replace("game,", "CAST(game AS BLOB),").replace(" FROM", ", hash, end_hash FROM")
_ROWS = ROWS.replace(" FROM", ", hash FROM").replace(
    "at, steady_ms, kind, body", "CAST(at AS BLOB), steady_ms, CAST(kind AS BLOB), CAST(body AS BLOB)"
)
for _text in ("players", "options", "begun", "ended", "cause"):
    _GAMES = _GAMES.replace(f" {_text},", f" CAST({_text} AS BLOB),")


@dataclass(frozen=True, slots=True)
class WholeGame:
    """What of a game is as it was written."""

    game: Row
    """As `schema.GAMES` has it, texts as bytes."""
    rows: int
    """How many rows from the first on."""
    complete: bool
    """Whether that is all of it."""


@dataclass(slots=True)
class JournalVerdict:
    """What was found."""

    damages: list[str] = field(default_factory=list)
    """Each is a sentence without its full stop; none: every row and game is as it was written."""
    remarks: list[str] = field(default_factory=list)
    """What else is to be said, and does not touch what games tell."""
    games: list[WholeGame] = field(default_factory=list)
    """What is whole, oldest first; a game whose own line is damaged is not among them."""
    rows: int = 0
    """How many rows are whole."""

    @property
    def whole(self) -> str:
        """What is whole, in words."""
        broken = [
            phrase("the first {rows} rows of game {game_id}", rows=each.rows, game_id=each.game[0])
            for each in self.games
            if not each.complete
        ]
        complete = len(self.games) - len(broken)
        return together([phrase_count("{count} game", "{count} games", complete), *broken])


def verify(path: Path) -> JournalVerdict:
    """Look through the journal at `path` and its mark.

    Raises `JournalDamaged` where the file is no journal of a known form, `JournalBroken` where it cannot be
    looked at at all (there is none, or its rights forbid it).
    """
    verdict = JournalVerdict()
    mark, trouble = read_mark(mark_path(path))
    if trouble:
        verdict.remarks.append(phrase("of the mark {mark} {trouble}", mark=mark_path(path), trouble=trouble))
    if mark is not None:
        refuse_empty(path, mark, empty=not (path.exists() and path.stat().st_size))
    with opening(path, writing=False), closing(read_only(path)) as connection:
        connection.set_busy_timeout(BUSY_WAIT_MS)
        if mark is not None:
            refuse_empty(path, mark, empty=is_empty(connection))
        require_ours(connection, path)
        _check_structure(connection, verdict)
        if connection.pragma("user_version") == 1:
            verdict.remarks.append(
                phrase("it is of the first form: Callbox adds its hashes when it is opened to play")
            )
            return verdict
        try:
            _check_games(connection, verdict)
            if mark is not None:
                _check_mark(connection, mark, verdict)
        except apsw.Error as error:
            verdict.damages.append(phrase("its games cannot be read ({error})", error=error))
    if mark is not None:
        _check_file(path, mark, verdict)
    return verdict


def _check_structure(connection: apsw.Connection, verdict: JournalVerdict) -> None:
    try:
        found = [str(line) for (line,) in connection.execute("PRAGMA integrity_check(1)")]
    except (apsw.Error, UnicodeDecodeError) as error:
        found = [str(error)]
    if found != ["ok"]:
        verdict.damages.append(
            phrase("the file does not hang together ({found})", found=" ".join(found[0].split()))
        )
    if connection.pragma("user_version") == 1:
        return
    try:
        tables = set(connection.execute(TABLES))
    except (apsw.Error, UnicodeDecodeError):
        tables = set()
    if tables != set(tables_of_today().items()):
        verdict.damages.append(phrase("its tables are not those that Callbox made"))


def _check_games(connection: apsw.Connection, verdict: JournalVerdict) -> None:
    before = START
    known = set()
    for game in connection.execute(_GAMES):
        known.add(game[0])
        head = game[8] if isinstance(game[8], bytes) else b""
        sound = _linked(before, game[:6], head)
        if not sound:
            verdict.damages.append(
                phrase(
                    "the line of game {game_id} was changed, or a game before it is missing", game_id=game[0]
                )
            )
        ending = (game[6] is None and game[9] is None) or _linked(head, game[6:8], game[9])
        if not ending:
            verdict.damages.append(phrase("the ending of game {game_id} was changed", game_id=game[0]))
            game = (*game[:6], None, b"", *game[8:])  # noqa: PLW2901 - what is not as written does not count
        rows, complete = _whole_rows(connection, game[0], head, verdict)
        verdict.rows += rows
        if sound:
            verdict.games.append(WholeGame(game[:8], rows, complete and ending))
        before = head
    strangers = connection.execute("SELECT DISTINCT game_id FROM entries").fetchall()
    for (game_id,) in strangers:
        if game_id not in known:
            verdict.damages.append(
                phrase("there are rows of a game {game_id}, and no such game", game_id=game_id)
            )


def _whole_rows(
    connection: apsw.Connection, game_id: int, head: bytes, verdict: JournalVerdict
) -> tuple[int, bool]:
    """How many rows there are up to the first that is not as written; and whether these are all."""
    rows = 0
    try:
        for row in connection.execute(_ROWS, (game_id,)):
            if row[1] != rows + 1 or not _linked(head, row[:6], row[6]):
                verdict.damages.append(
                    phrase(
                        "row {row} of game {game_id} was changed, or is missing",
                        row=rows + 1,
                        game_id=game_id,
                    )
                )
                return rows, False
            rows += 1
            head = row[6]
    except apsw.Error as error:
        verdict.damages.append(
            phrase(
                "row {row} of game {game_id} cannot be read ({error})",
                row=rows + 1,
                game_id=game_id,
                error=error,
            )
        )
        return rows, False
    return rows, True


def read_whole(path: Path, verdict: JournalVerdict) -> Iterator[tuple[Row, list[Row]]]:
    """Each whole game of the journal at `path`, with its whole rows, as `Journal.adopt` takes them.

    Raises `JournalBroken`.
    """
    with opening(path, writing=False), closing(read_only(path)) as connection:
        for each in verdict.games:
            rows = list(islice(connection.execute(_ROWS, (each.game[0],)), each.rows))
            yield _as_text(each.game), [_as_text(row[:6]) for row in rows]


def _as_text(row: Row) -> Row:
    return tuple(each.decode("utf-8", "surrogatepass") if isinstance(each, bytes) else each for each in row)


def _linked(before: bytes, fields: Row, found: object) -> bool:
    """Whether a hash is that of these fields; damage may have put anything in their place."""
    try:
        return link(before, *fields) == found
    except (TypeError, AttributeError):
        return False


def _check_mark(connection: apsw.Connection, mark: HighWaterMark, verdict: JournalVerdict) -> None:
    """Whether all is there that was written when the mark was."""
    missing = list(missing_since(connection, mark))
    verdict.damages.extend(missing)
    if missing:
        verdict.games = [
            replace(each, complete=each.complete and each.game[0] != mark.game) for each in verdict.games
        ]


def _check_file(path: Path, mark: HighWaterMark, verdict: JournalVerdict) -> None:
    """Whether the file is, byte by byte, what it was when its box ended."""
    wal = path.with_name(f"{path.name}-wal")
    settled = not wal.exists() or wal.stat().st_size == 0
    if mark.file and settled and file_sum(path) != mark.file and not verdict.damages:
        verdict.remarks.append(
            phrase(
                "the file is not byte by byte what it was when its box ended: a bit was lost where "
                "nothing stands, or another program has written to it"
            )
        )

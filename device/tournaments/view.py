"""A tournament as pages show it: its matches with who is in them, what came of them, and the standings."""

import csv
import io
import json
from collections.abc import Iterator, Mapping
from typing import Literal

import msgspec
from msgspec import Struct

from device.journal.export import cell
from device.reports.blocks import Block, Grid, Heading, Sentence
from engine.tournament import (
    FORMATS,
    BracketMatch,
    FinalPlace,
    MatchesSoFar,
    TournamentRecord,
    champion,
    rank,
    tie_break_words,
)
from engine.wording import phrase, phrase_later, told_number

LADDERS = ("book", "single", "double")
MatchState = Literal["waits", "ready", "begun", "undecided", "played"]
ROUNDS = {
    "": phrase_later("Round {number}"),
    "winners": phrase_later("Winners, round {number}"),
    "losers": phrase_later("Losers, round {number}"),
    "final": phrase_later("Final, round {number}"),
    "play-off": phrase_later("Play-off, round {number}"),
}


class MatchView(Struct, frozen=True):
    """One match."""

    number: int
    group: str
    """The column in which it stands: "Round 2", "Losers, round 1"."""
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
    trouble: str = ""


def view_tournament(
    record: TournamentRecord, number: int, changes: int = 0, trouble: str = ""
) -> TournamentView:
    """A tournament for pages and papers."""
    agreed, so_far = record.agreed, record.so_far
    matches = tuple(_view_match(each, so_far) for each in record.matches)
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
        trouble=trouble,
    )


def _view_match(match: BracketMatch, so_far: MatchesSoFar) -> MatchView:
    points = dict(so_far.scores.get(match.number, ()))
    state: MatchState = "played" if match.winner else "ready" if match.ready else "waits"
    if not match.winner and match.number in so_far.undecided:
        state = "undecided"
    elif not match.winner and match.number in so_far.games:
        state = "begun"
    one, other = match.sides
    return MatchView(
        number=match.number,
        group=phrase(ROUNDS[match.bracket], number=match.round),
        lower=match.bracket == "losers",
        sides=(one.words, other.words),
        known=(bool(one.player), bool(other.player)),
        points=(points.get(one.player), points.get(other.player)),
        winner=match.winner,
        state=state,
        game_id=so_far.games.get(match.number, 0),
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
    yield Sentence(text=f"{kind} {won}".rstrip())
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

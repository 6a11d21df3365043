"""A tournament for spreadsheets, other programs and the wall: CSV, JSON, and what a paper says."""

import csv
import io
import json
from collections.abc import Iterator, Mapping

import msgspec

from device.journal.export import cell
from device.reports.blocks import Block, Grid, Heading, Sentence
from device.tournaments.shown import MatchShown, MatchState, PlaceOfPlayer, TournamentShown
from engine.wording import phrase, phrase_later, told_number

COLUMNS = ("match", "group", "player", "against", "points", "won", "state", "game_id")


def tournament_csv(shown: TournamentShown) -> str:
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


def tournament_json(shown: TournamentShown) -> Iterator[str]:
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


def tell_tournament(shown: TournamentShown) -> Iterator[Block]:
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


def place_words(row: PlaceOfPlayer) -> str:
    """ "3"; a dash for a player without a result yet."""
    return str(row.place) if row.place else "–"


def points_words(match: MatchShown) -> str:
    """ "135 : 98"; "" where nobody knows them."""
    one, other = match.points
    return "" if one is None or other is None else f"{told_number(one, ',')} : {told_number(other, ',')}"

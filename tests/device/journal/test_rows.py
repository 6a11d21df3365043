"""Rows as messages: each comes back as it was written, and nothing that stands on a disk is a surprise."""

import json
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, get_args

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from device.cli import callbox
from device.journal import Journal, JournalError, Moment, RowNotUnderstood
from device.journal.journal import JournalBroken
from device.journal.rows import (
    NOTES,
    AnswerNote,
    ByNote,
    CallNote,
    CloseUpNote,
    CorrectionNote,
    Course,
    CourseNote,
    DiceReading,
    EventRow,
    KeptDie,
    KeptSight,
    LandingReading,
    Note,
    Option,
    OtherNote,
    PlacesNote,
    PressRow,
    Question,
    QuestionKind,
    ReadDie,
    RefusedNote,
    Row,
    RowKind,
    SignOffNote,
    UnknownRow,
    kind_of,
    read_row,
    write_body,
)
from device.landings import LandingMatch
from device.match import Match
from device.people.actor import Role
from engine.dice import FACES
from tests.engine.wild import ANY_EVENT

NOON = Moment(datetime(2026, 11, 20, 12, 0, tzinfo=UTC), 1000.0)
NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
PAIRS = st.tuples(NUMBERS, NUMBERS)
TEXTS = st.text(st.characters(), max_size=20)
ENDS = st.sampled_from(["", "near", "far"])
READ_DICE = st.sampled_from([(kind, face) for kind, faces in FACES.items() for face in faces]).flatmap(
    lambda die: st.builds(
        ReadDie, kind=st.just(die[0]), value=st.just(die[1]), confidence=NUMBERS, color=TEXTS
    )
)
KEPT_DICE = st.builds(
    KeptDie,
    value=st.none() | st.integers(1, 6),
    confidence=NUMBERS,
    color=TEXTS,
    center_mm=PAIRS,
    yaw_deg=NUMBERS,
    edge_mm=NUMBERS,
    footprint_mm=st.just(()),
    covariance=st.lists(st.tuples(*[NUMBERS] * 4), max_size=4).map(tuple),
    sigma_mm=NUMBERS,
    pose=st.sampled_from(["flat", "cocked"]),
    center_px=PAIRS,
    corners_px=st.lists(PAIRS, max_size=4).map(tuple),
    rounding_mm=NUMBERS,
    rounding_sigma_mm=NUMBERS,
    rounding_with=st.tuples(*[NUMBERS] * 4),
    may_lean=st.booleans(),
    note=TEXTS,
    kind=st.just("pip"),
    zone=st.sampled_from([0, 1, 2, 5, 10, 20]),
    call=st.sampled_from(["certain", "too_close"]),
    probability=NUMBERS,
    nearest_line=TEXTS,
    to_line_mm=NUMBERS,
    dot=NUMBERS,
    end=ENDS,
    aim=ENDS,
    place=st.integers(0, 9),
    counted=st.booleans(),
)
SIGHTS = st.builds(
    KeptSight,
    picture=TEXTS,
    number=st.integers(0, 999),
    dice=st.lists(KEPT_DICE, max_size=2).map(tuple),
    unsure=st.lists(TEXTS, max_size=2).map(tuple),
    elapsed_ms=NUMBERS,
    moved=TEXTS,
)
OPTIONS = st.builds(
    Option,
    words=TEXTS,
    events=st.lists(ANY_EVENT, max_size=2).map(tuple),
    key=st.sampled_from(["", "cache", "stop"]),
    die=st.integers(0, 6),
)
QUESTIONS = st.builds(
    Question,
    kind=st.sampled_from(get_args(QuestionKind)),
    text=TEXTS,
    options=st.lists(OPTIONS, max_size=3).map(tuple),
)
JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)
BODIES = st.dictionaries(TEXTS, JSON_VALUES, max_size=4)
ROWS: dict[type[Row], st.SearchStrategy[Row]] = {
    EventRow: st.builds(EventRow, ANY_EVENT),
    PressRow: st.builds(PressRow, TEXTS, st.sampled_from(["short", "long"])),
    DiceReading: st.builds(
        DiceReading,
        picture=TEXTS,
        dice=st.lists(READ_DICE, max_size=3).map(tuple),
        unsure=st.lists(TEXTS, max_size=2).map(tuple),
        elapsed_ms=NUMBERS,
        asks=TEXTS,
    ),
    LandingReading: st.builds(
        LandingReading, sight=SIGHTS, question=st.none() | QUESTIONS, decides=st.booleans()
    ),
    RefusedNote: st.builds(RefusedNote, TEXTS),
    CorrectionNote: st.builds(CorrectionNote, TEXTS),
    PlacesNote: st.builds(PlacesNote, TEXTS),
    AnswerNote: st.builds(AnswerNote, TEXTS),
    CloseUpNote: st.builds(CloseUpNote, TEXTS),
    ByNote: st.builds(ByNote, st.sampled_from(get_args(Role)), TEXTS),
    CourseNote: st.builds(
        CourseNote, st.sampled_from(get_args(Course)), st.lists(st.integers(-999, 99_999)).map(tuple)
    ),
    SignOffNote: st.builds(SignOffNote, st.sampled_from(["asked", "signed", "opened"]), TEXTS, TEXTS),
    CallNote: st.builds(CallNote, TEXTS, TEXTS, st.integers(0, 999)),
    OtherNote: st.builds(OtherNote, BODIES),
    UnknownRow: st.builds(UnknownRow, st.sampled_from(["event", "press"]), BODIES, st.just("")),
}
ANY_ROW = st.one_of(*ROWS.values())
KINDS = st.sampled_from(get_args(RowKind))
JUNK = st.one_of(
    st.tuples(KINDS, BODIES),
    # Rows as they are, with one key lost or with something else under it.
    st.builds(
        lambda row, value, way: (kind_of(row), changed(json.loads(json.dumps(write_body(row))), value, way)),
        ANY_ROW,
        st.none() | JSON_VALUES,
        st.lists(st.integers(0, 30), min_size=1, max_size=4),
    ),
)
with_a_folder = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


def changed(told: Any, value: object, way: list[int]) -> Any:
    """The same with another value somewhere inside, or without what stands there (None)."""
    if not isinstance(told, dict | list) or not told:
        return told
    keys = list(told) if isinstance(told, dict) else list(range(len(told)))
    key = keys[way[0] % len(keys)]
    inner = changed(told[key], value, way[1:]) if way[1:] else value
    if isinstance(told, list):
        return [inner if at == key else each for at, each in enumerate(told)]
    return {
        name: inner if name == key else each
        for name, each in told.items()
        if name != key or inner is not None
    }


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal.open(tmp_path / "journal.db") as opened:
        yield opened


def test_every_message_is_looked_at() -> None:
    assert set(get_args(Row)) == set(ROWS)
    assert set(get_args(Note)) == {*NOTES.values(), OtherNote}


@pytest.mark.parametrize("message", ROWS, ids=lambda message: message.__name__)
@given(data=st.data())
def test_a_message_is_the_same_after_the_disk(message: type[Row], data: st.DataObject) -> None:
    row = data.draw(ROWS[message])
    body = json.loads(json.dumps(write_body(row)))
    again = read_row(kind_of(row), body)
    if isinstance(row, UnknownRow):
        assert isinstance(again, UnknownRow)
        assert (again.kind, again.body) == (row.kind, row.body)
        assert again.why
    else:
        assert again == row


@with_a_folder
@given(
    players=st.lists(TEXTS, max_size=4),
    calls=st.lists(st.lists(ANY_ROW, max_size=4), max_size=4),
    steady_ms=NUMBERS,
    utc=st.datetimes(
        min_value=datetime(1971, 1, 1),  # noqa: DTZ001 - hypothesis adds the zone
        timezones=st.just(UTC),
    ),
)
def test_any_row_comes_back_unchanged(
    journal: Journal, players: list[str], calls: list[list[Row]], steady_ms: float, utc: datetime
) -> None:
    at = Moment(utc, steady_ms)
    game = journal.begin("zoinx", players, {}, at)
    for rows in calls:
        journal.append(game, rows, at)
    wanted = [row for rows in calls for row in rows]
    found = journal.rows(game)
    assert journal.game(game).players == tuple(players)
    assert journal.game(game).rows == len(wanted)
    assert [entry.seq for entry in found] == list(range(1, len(wanted) + 1))
    assert [(entry.kind, json.dumps(entry.body)) for entry in found] == [
        (kind_of(row), json.dumps(write_body(row))) for row in wanted
    ]
    assert all((entry.at, entry.steady_ms) == (at.iso, steady_ms) for entry in found)


@given(junk=JUNK)
def test_whatever_stands_there_is_a_row(junk: tuple[RowKind, dict[str, Any]]) -> None:
    kind, body = junk
    row = read_row(kind, body)
    assert kind_of(row) == kind
    if isinstance(row, UnknownRow):
        assert row.body == body
        assert row.why


@with_a_folder
@given(
    game=st.sampled_from(["zoinx", "end-zone"]),
    junk=st.lists(JUNK, min_size=1, max_size=3),
    over=st.booleans(),
)
def test_a_game_with_such_rows_is_gone_on_with_or_refused_in_words(
    journal: Journal, game: str, junk: list[tuple[RowKind, dict[str, Any]]], over: bool
) -> None:
    number = journal.begin(game, ["Ann", "Bea"], {}, NOON)
    journal.append(number, [UnknownRow(kind, body, "") for kind, body in junk], NOON)
    if over:
        journal.end(number, "put away", NOON)
    with suppress(JournalError):
        (LandingMatch if game == "end-zone" else Match).resume(journal, number)
    folder = str(journal.path.parent)
    for look in (["show", str(number)], ["export", str(number)], ["export", str(number), "--format", "csv"]):
        result = CliRunner().invoke(callbox, [*look, "--data", folder])
        assert (result.exit_code, result.exception) == (0, None), result.output


def test_a_row_that_is_not_understood_is_named_with_what_is_wrong(journal: Journal) -> None:
    game = journal.begin("zoinx", ["Ann", "Bea"], {}, NOON)
    journal.append(game, [PressRow("bet1", "short"), UnknownRow("press", {"button": "bet1"}, "")], NOON)
    with pytest.raises(RowNotUnderstood) as refused:
        Match.resume(journal, game)
    assert str(refused.value) == (
        "row 2 of game 1 is not understood: Object missing required field `kind`. If a newer Callbox wrote "
        "it, install that one to go on. callbox show 1 shows the game."
    )


def test_an_event_against_the_rules_is_named(journal: Journal) -> None:
    game = journal.begin("zoinx", ["Ann", "Bea"], {}, NOON)
    journal.append(game, [read_row("event", {"event": "stop"})], NOON)
    with pytest.raises(RowNotUnderstood, match="row 1 of game 1 is not understood: "):
        Match.resume(journal, game)


def test_what_a_newer_callbox_wrote_beside_is_kept_and_stops_nobody(journal: Journal) -> None:
    game = journal.begin("zoinx", ["Ann", "Bea"], {}, NOON)
    newer: list[UnknownRow | OtherNote] = [
        UnknownRow("press", {"button": "bet1", "kind": "short", "force_n": 3.5}, ""),
        OtherNote({"said": "applause", "loudness_db": 61}),
    ]
    journal.append(game, newer, NOON)
    assert Match.resume(journal, game).message.text.startswith("Going on")
    found = journal.rows(game)
    assert [entry.row for entry in found] == [PressRow("bet1", "short"), newer[1]]
    assert [entry.body for entry in found] == [row.body for row in newer]
    journal.end(game, "put away", NOON)
    exported = CliRunner().invoke(callbox, ["export", str(game), "--data", str(journal.path.parent)]).output
    assert [json.loads(line)["body"] for line in exported.splitlines()[1:3]] == [row.body for row in newer]


def test_a_landing_of_an_older_box_has_no_number() -> None:
    row = read_row("reading", {"picture": "1/1.jpg", "dice": [], "unsure": [], "moved": "", "asks": ""})
    assert row == LandingReading(sight=KeptSight(picture="1/1.jpg", dice=()))


def test_what_is_no_json_is_said_to_be_damage(journal: Journal) -> None:
    """SQLite's own check lets more pass for JSON than JSON is."""
    game = journal.begin("zoinx", ["Ann", "Bea"], {}, NOON)
    journal._db.execute("INSERT INTO entries VALUES (?, 1, '', 0, 'note', '{said: 1}', x'00')", (game,))
    with pytest.raises(JournalBroken, match=r"row 1 of game 1 in .* cannot be read: "):
        journal.rows(game)

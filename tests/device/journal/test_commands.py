"""`callbox games`, `show` and `export`: what is kept, in words and for programs, and no secret in it."""

import csv
import io
import json
import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import get_args

import pytest
from click.testing import CliRunner, Result

from device.cli import callbox
from device.commands.games import BOX_FOLDER, FORMATS
from device.journal.journal import Entry, GameRecord, Journal, Moment
from device.journal.replay import replay
from device.journal.rows import DiceReading, OtherNote, PressRow, ReadDie, RefusedNote, Row, RowKind, read_row
from device.journal.schema import APPLICATION_ID, VERSION
from device.journal.storage import PICTURES_CAP_MB
from device.journal.words import plain
from engine.recording import retell
from engine.rulebooks import rulebook
from engine.scoring import score

NOON = Moment(datetime(2026, 11, 20, 12, 0, tzinfo=UTC), 1000.0)
DOTS = ["dot", "dot", "dot", "square"]
ZOINX = ["square", "square", "square", "square"]
LOOKS = [
    ["games"],
    ["show", "1"],
    *(["export", "1", "--format", form] for form in ("jsonl", "csv", "events", "recording")),
]
Call = Callable[..., Result]


@pytest.fixture(autouse=True)
def utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    import time  # noqa: PLC0415 - only the zone is set here, no clock is read

    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal.open(tmp_path / "journal.db") as opened:
        yield opened


@pytest.fixture
def call(tmp_path: Path) -> Call:
    def run(*arguments: str) -> Result:
        return CliRunner().invoke(callbox, [*arguments, "--data", str(tmp_path)])

    return run


def event(word: str, **keys: object) -> Row:
    return read_row("event", {"event": word, **keys})


def bet(player: str, dots: int, *, touched: bool = True) -> list[Row]:
    """A bet made at its button: one press for each two dots, and a long one."""
    button = {"Ann": "bet1", "Bob": "bet2", "=Eve": "bet3"}[player]
    presses = [PressRow(button, "short")] * (dots // 2 + 1)
    locked = [PressRow(button, "long")]
    return [*(presses + locked if touched else []), event("bet", player=player, dots=dots)]


def begun(journal: Journal, *rows: Row) -> int:
    game = journal.begin("zoinx", ["Ann", "Bob", "=Eve"], {"edition": "game-factory"}, NOON)
    journal.append(game, rows, NOON)
    return game


FIRST_TURN = [
    *bet("Ann", 4),
    *bet("Bob", 2),
    *bet("=Eve", 6),
    PressRow("roll_done", "short"),
    DiceReading(
        picture="1/1.jpg",
        dice=(ReadDie(kind="zoinx", value="dot", confidence=0.99),),
        unsure=("cocked",),
        asks="I see one Zoinx die, and expect four.",
    ),
    event("rolled", dice=DOTS),
    event("corrected", dice=["dot", "dot", "dot", "dot"], reason="one hid"),
    event("stop"),
]


def test_games_lists_them_with_state_and_position(journal: Journal, call: Call) -> None:
    assert "No game has been played yet." in call("games").output
    begun(journal, *FIRST_TURN)
    tray = journal.begin("tray", ["Ann"], {}, NOON)
    journal.append(tray, [event("rolled", dice=[3, 5])], NOON, ended="put away")
    journal.begin("pachisi", ["Ann", "Bob"], {}, NOON)
    result = call("games")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "    1  2026-11-20 12:00:00  zoinx (edition=game-factory)  Ann, Bob and =Eve  going on"
    assert lines[1].startswith("       zoinx edition=game-factory ")
    assert " Ann:4@1:- " in lines[1]
    assert lines[2] == "    2  2026-11-20 12:00:00  tray  Ann  ended: put away"
    assert lines[3].startswith("       tray ")
    assert " Ann:8" in lines[3]
    assert "There is no game called pachisi" in lines[5]
    newest = call("games", "--newest", "1")
    assert [line for line in newest.stdout.splitlines() if not line.startswith("  " * 3)] == [
        "    3  2026-11-20 12:00:00  pachisi  Ann and Bob  going on"
    ]
    assert "2 older games are not listed" in newest.stderr
    assert call("games", "--newest", "1", "--all").stdout == result.stdout


def test_show_tells_the_game_event_by_event(journal: Journal, call: Call) -> None:
    game = begun(journal, *FIRST_TURN, event("undo"), RefusedNote("Not yet."))
    journal.append(game, [event("stop")], NOON, ended="Ann has won")
    result = call("show", str(game))
    assert result.exit_code == 0
    told = [line[28:] for line in result.stdout.splitlines()[3:] if line[5:7] == "  " and line[7:9] == "20"]
    assert told[:4] == ["press: bet1 short"] * 3 + ["press: bet1 long"]
    assert told[4] == "Ann bets 4"
    assert told[-9:] == [
        "press: roll_done short",
        "reading: zoinx dot, unsure (cocked) (picture 1/1.jpg)",
        "rolled dot, dot, dot and square [corrected]",
        "corrected to dot, dot, dot and dot (one hid)",
        "STOP [undone]",
        "UNDO",
        "note: refused: Not yet.",
        "STOP",
        "the end: Ann has won",
    ]
    position = rulebook("zoinx").start(("Ann", "Bob", "=Eve"), {"edition": "game-factory"})
    assert result.stdout.splitlines()[2].strip() == position.line()
    assert sum(" zoinx edition=" in line for line in result.stdout.splitlines()) == 1 + 8


def test_json_lines_are_the_game_and_its_events_play_again(journal: Journal, call: Call) -> None:
    game = begun(journal, *FIRST_TURN)
    lines = [json.loads(line) for line in call("export", str(game)).stdout.splitlines()]
    head, rows = lines[0], lines[1:]
    assert (head["kind"], head["game"], head["players"]) == ("game", "zoinx", ["Ann", "Bob", "=Eve"])
    stored = journal.rows(game)
    assert [(row["seq"], row["kind"], row["body"]) for row in rows] == [
        (entry.seq, entry.kind, entry.body) for entry in stored
    ]
    start = rulebook(head["game"]).start(tuple(head["players"]), head["options"])
    events = [json.dumps(row["body"]).encode() for row in rows if row["kind"] == "event"]
    answers = list(score(start, iter(events)))
    assert all(taken for _, taken in answers)
    assert json.loads(answers[-1][0])["line"] == rows[-1]["position"]
    bare = call("export", str(game), "--format", "events").stdout.splitlines()
    assert [json.loads(line) for line in bare] == [json.loads(line) for line in events]


def test_an_ending_has_a_line_of_its_own(journal: Journal, call: Call) -> None:
    game = begun(journal, *bet("Ann", 4))
    journal.end(game, "put away", NOON)
    last = json.loads(call("export", str(game)).stdout.splitlines()[-1])
    assert last == {"kind": "end", "at": NOON.iso, "cause": "put away"}


def test_a_recording_is_one_that_the_tests_can_replay(journal: Journal, call: Call) -> None:
    game = begun(journal, *FIRST_TURN)
    text = call("export", str(game), "--format", "recording").stdout
    assert retell(text) == text
    assert text.count("\n= ") == 7


def test_the_spreadsheet_opens_and_holds_no_formula(journal: Journal, call: Call, tmp_path: Path) -> None:
    evil = OtherNote({"button": "+1", "picture": "-1", "player": "@x", "event": "\t=1", "dots": -3})
    game = begun(journal, *FIRST_TURN, evil)
    journal.end(game, "put away", NOON)
    out = tmp_path / "game.csv"
    result = call("export", str(game), "--format", "csv", "-o", str(out))
    assert (result.exit_code, result.stdout) == (0, "")
    content = out.read_bytes()
    assert content.startswith(b"\xef\xbb\xbfgame,seq,at,")
    assert content.count(b"\r\n") == content.count(b"\n") == len(journal.rows(game)) + 1
    rows = list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline="")))
    assert [int(row["seq"]) for row in rows] == [entry.seq for entry in journal.rows(game)]
    assert [row["player"] for row in rows if row["event"] == "bet"] == ["Ann", "Bob", "'=Eve"]
    assert {key: rows[-1][key] for key in ("button", "picture", "player", "event", "dots")} == {
        "button": "'+1",
        "picture": "'-1",
        "player": "'@x",
        "event": "'\t=1",
        "dots": "-3",
    }
    assert json.loads(rows[-1]["body"]) == evil.body
    assert call("export", str(game), "--format", "csv").stdout_bytes == content


SECRETS: dict[str, Callable[[int, int], list[Row]]] = {
    "one locked": lambda dots, _: [*FIRST_TURN, *bet("Bob", dots)],
    "two locked": lambda dots, again: [*FIRST_TURN, *bet("Bob", dots), *bet("=Eve", again)],
    "only touched": lambda dots, _: [*FIRST_TURN, *bet("Bob", dots)[:-2]],
    "from a phone": lambda dots, _: [*FIRST_TURN, *bet("Bob", dots, touched=False)],
    "first turn": lambda dots, _: bet("Ann", dots),
    "made again": lambda dots, again: [*FIRST_TURN, *bet("Bob", dots), event("undo"), *bet("Bob", again)],
    "broken off": lambda dots, _: [
        *FIRST_TURN,
        *bet("Bob", dots),
        RefusedNote(f"Bob has bet {dots}."),
        event("undo"),
        event("undo"),
        event("rolled", dice=DOTS),
        event("stop"),
    ],
    "broken off and begun again": lambda dots, again: [
        *FIRST_TURN,
        *bet("Bob", dots),
        *[event("undo")] * 5,  # back before Eve's bet in the first turn
        *bet("=Eve", 6),
        event("rolled", dice=ZOINX),
        *bet("Bob", again),
    ],
}


@pytest.mark.parametrize("case", SECRETS)
def test_what_is_shown_is_the_same_whatever_the_secret_bets_are(case: str, tmp_path: Path) -> None:
    shown = set()
    for dots, again in ((2, 10), (10, 2), (4, 4)):
        folder = tmp_path / f"{dots}-{again}"
        folder.mkdir()
        with Journal.open(folder / "journal.db") as journal:
            begun(journal, *SECRETS[case](dots, again))
        results = [CliRunner().invoke(callbox, [*look, "--data", str(folder)]) for look in LOOKS]
        assert [result.exit_code for result in results] == [0] * len(LOOKS)
        shown.add(tuple(result.output for result in results))
    assert len(shown) == 1


@pytest.mark.parametrize("how", ["revealed", "ended"])
def test_after_the_reveal_or_the_end_everything_is_shown(how: str, journal: Journal, call: Call) -> None:
    rows = [*FIRST_TURN, *bet("Bob", 4), event("undo"), *bet("Bob", 10)]
    game = begun(journal, *rows, *(bet("Ann", 8) + bet("=Eve", 0) if how == "revealed" else []))
    hidden = call("show", str(game)).stdout
    if how == "ended":
        assert "Bob bets" not in hidden.split("STOP")[1]
        assert "Bob: a bet is locked" in hidden
        journal.end(game, "put away", NOON)
    shown = call("show", str(game)).stdout.split("STOP")[1]
    assert "Bob bets 4 [undone]" in shown
    assert "Bob bets 10" in shown
    assert shown.count("press: bet2 short") == 3 + 6
    lines = [json.loads(line) for line in call("export", str(game)).stdout.splitlines()]
    assert [line["seq"] for line in lines if "seq" in line] == list(range(1, journal.game(game).rows + 1))


def test_the_seed_of_a_deck_is_told_only_after_the_end(journal: Journal, call: Call, tmp_path: Path) -> None:
    """Two games that differ in nothing but cards which nobody has drawn yet look alike."""
    rolled = event("rolled", dice=[1, 2, 3, 4, 6, 6])
    for seed in ("lucky seven", "unlucky 13"):
        game = journal.begin("zonk", ["Ann", "Bob"], {"deck": "box", "seed": seed}, NOON)
        journal.append(game, [rolled], NOON)
    for look in LOOKS[1:]:
        first, second = (call(look[0], str(game), *look[2:]) for game in (1, 2))
        assert first.exit_code == second.exit_code == ("recording" in look)
        assert re.sub(r"[Gg]ame 1|\"id\": 1|^1,", "", first.output, flags=re.M) == re.sub(
            r"[Gg]ame 2|\"id\": 2|^2,", "", second.output, flags=re.M
        )
    assert "seed=?" in call("show", "1").stdout
    assert json.loads(call("export", "1").stdout.splitlines()[0])["options"] == {"deck": "box", "seed": "?"}
    assert "seed of the box's deck is withheld" in call("export", "1").stderr
    assert "lucky" not in call("games").output
    for game in (1, 2):
        journal.end(game, "put away", NOON)
    assert "seed=lucky seven" in call("games").stdout
    assert json.loads(call("export", "1").stdout.splitlines()[0])["options"]["seed"] == "lucky seven"
    assert retell(call("export", "1", "--format", "recording").stdout).count("seed=lucky%20seven") == 3


def test_a_withheld_bet_is_told_without_its_number(journal: Journal, call: Call) -> None:
    game = begun(journal, *FIRST_TURN, *bet("Bob", 8))
    result = call("export", str(game))
    last = json.loads(result.stdout.splitlines()[-1])
    assert (last["kind"], last["seq"], last["body"]["player"]) == ("withheld", None, "Bob")
    assert " Bob:2@1:? " in last["position"]
    assert "Bets that are still secret are withheld." in result.stderr


def test_a_game_without_its_rulebook_keeps_its_secrets(journal: Journal, call: Call) -> None:
    game = journal.begin("pachisi", ["Ann", "Bob"], {}, NOON)
    journal.append(game, [*bet("Ann", 8), event("stop")], NOON)
    shown = call("show", str(game))
    assert shown.exit_code == 0
    assert "no game called pachisi" in shown.stdout
    assert "Ann: a bet is locked" in shown.stdout
    assert "bets 8" not in shown.stdout
    assert "bet1" not in shown.stdout
    assert call("export", str(game), "--format", "recording").exit_code == 1
    journal.end(game, "put away", NOON)
    assert "Ann bets 8" in call("show", str(game)).stdout


def test_an_event_that_cannot_be_played_again_is_told_and_changes_nothing() -> None:
    record = GameRecord(
        id=1,
        game="tray",
        players=("Ann",),
        options={},
        begun=NOON.iso,
        begun_steady_ms=0.0,
        ended=None,
        cause="",
        rows=3,
    )
    bodies: list[dict[str, object]] = [
        {"event": "rolled", "dice": [2]},
        {"event": "somersault"},
        {"event": "rolled", "dice": [3]},
    ]
    entries = [
        Entry(seq=seq, at=NOON.iso, steady_ms=0.0, kind="event", body=body, row=read_row("event", body))
        for seq, body in enumerate(bodies, start=1)
    ]
    game = replay(record, entries)
    assert ["somersault" in step.trouble for step in game.steps] == [False, True, False]
    assert game.steps[1].line == game.steps[0].line
    assert [step.standing for step in game.steps] == ["counts", None, "counts"]
    assert " Ann:5" in game.line


def test_a_name_cannot_drive_the_terminal() -> None:
    assert plain("Zoë\x1b[2J\n\ud800\x9b") == r"Zoë\x1b[2J\n\ud800\x9b"


def test_the_manual_names_what_there_is() -> None:
    manual = (Path(__file__).parents[3] / "docs" / "journal.md").read_text(encoding="utf-8")
    for kind in (*get_args(RowKind), "withheld"):
        assert f"| `{kind}` |" in manual
    for form in FORMATS:
        assert form == "jsonl" or f"--format {form}" in manual
    assert f"`application_id` {APPLICATION_ID:#X}, `user_version` {VERSION}".replace("0X", "0x") in manual
    assert f"pass {PICTURES_CAP_MB} MB" in manual
    assert str(BOX_FOLDER) in manual


def test_what_is_asked_wrongly_gets_a_sentence(call: Call, tmp_path: Path) -> None:
    missing = call("games")
    assert (missing.exit_code, missing.stdout) == (1, "")
    assert "there is no journal at" in missing.stderr
    Journal.open(tmp_path / "journal.db").close()
    unknown = call("show", "7")
    assert (unknown.exit_code, unknown.stdout) == (1, "")
    assert "callbox show: There is no game 7 in" in unknown.stderr
    for wrong in ("x", "0", str(2**63)):
        assert call("show", wrong).exit_code == 2
    with Journal.open(tmp_path / "journal.db") as journal:
        begun(journal)
    unwritable = call("export", "1", "-o", str(tmp_path))
    assert unwritable.exit_code == 1
    assert "cannot be written" in unwritable.stderr


def test_a_data_folder_that_may_not_be_looked_into_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path, **_named: object) -> bool:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setenv("CALLBOX_DATA", str(tmp_path))
    monkeypatch.setattr(Path, "exists", refuse)
    for command in ("games", "verify"):
        result = CliRunner().invoke(callbox, [command])
        assert (result.exit_code, type(result.exception)) == (1, SystemExit)
        assert "cannot be opened" in result.output

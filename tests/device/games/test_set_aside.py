"""A game or a journal that cannot be opened: the box stays there, says so, and offers the ways on."""

import json
import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from urllib.request import urlopen

import apsw
import pytest

from device.box import Box
from device.journal import Journal, Moment
from device.journal.rows import EventRow, PressRow, Row, UnknownRow
from device.panel import digits
from device.requests import RestoreGame, StartGame
from device.shown.snapshot import AsideShown
from engine.events import Bet
from tests.device.test_play_troubles import box_process
from tests.playing import Playing, playing, simulated

NOON = Moment(datetime(2026, 11, 20, 12, 0, tzinfo=UTC), 1000.0)
PLAYERS = ("Ann", "Bea")
BEFORE: tuple[Row, ...] = (
    PressRow("bet1", "short"),
    EventRow(Bet(player="Ann", dots=2)),
    EventRow(Bet(player="Bea", dots=4)),
)


def journal_with(
    folder: Path, *rows: Row, game: str = "zoinx", options: dict[str, str] | None = None
) -> Path:
    """A journal with one unfinished game; returns its file."""
    folder.mkdir(exist_ok=True)
    path = folder / "journal.db"
    with Journal.open(path) as journal:
        journal.append(journal.begin(game, PLAYERS, options or {}, NOON), rows, NOON)
    return path


def go_on(player: Playing, game_id: int = 1) -> AsideShown:
    """The box goes on with its unfinished game, as at each start; what it then has set aside."""
    player.box.loop.ask(lambda: player.box.table.go_on(game_id))
    aside = player.now.aside
    assert aside is not None
    return aside


def asked(player: Playing, path: str) -> bytes:
    """What the console answers."""
    with urlopen(f"{player.box.console.address}{path}") as answer:  # noqa: S310 - our own console
        found: bytes = answer.read()
    return found


def test_an_event_of_a_newer_callbox_leaves_console_and_board_up(tmp_path: Path) -> None:
    journal_with(tmp_path, *BEFORE, UnknownRow("event", {"event": "yodel", "player": "Ann"}, ""))
    with playing(tmp_path, simulated(seed=1)) as player:
        aside = go_on(player)
        shown = json.loads(asked(player, "state"))
        assert shown["stage"] == "lobby"
        assert "Row 4 of game 1 is not understood" in shown["aside"]["text"]
        assert shown["message"]["text"] == f"E 12: {aside.text}"
        assert shown["message"]["tone"] == "alarm"
        assert tuple(shown["segments"][0])[:4] == digits("E 12")
        assert aside.way == "Resume from the 3 rows before it"
        lines = asked(player, "aside.jsonl").decode().splitlines()
        assert [json.loads(line)["kind"] for line in lines] == ["game", "press", "event", "event", "event"]


@pytest.mark.long
def test_what_is_whole_of_such_a_game_is_gone_on_with(tmp_path: Path) -> None:
    journal_with(tmp_path, *BEFORE, UnknownRow("event", {"event": "yodel"}, ""))
    with playing(tmp_path, simulated(seed=1)) as player:
        go_on(player)
        assert player.box.api.request(RestoreGame()).ok
        assert player.now.aside is None
        assert player.now.game is not None
        assert player.now.game.bets == (2, 4)
        assert player.now.game_id == 2
        journal = player.box.journal
        assert [entry.row for entry in journal.rows(2)] == list(BEFORE)
        assert len(journal.rows(1)) == 4, "the game that was set aside stays as it is"
        assert not player.box.api.request(RestoreGame()).ok
    with playing(tmp_path, simulated(seed=1)) as player:
        assert player.box.journal.unfinished() == 2


def test_a_game_that_was_set_aside_tells_no_secret_bet(tmp_path: Path) -> None:
    secret = (EventRow(Bet(player="Ann", dots=8)), UnknownRow("event", {"event": "yodel"}, ""))
    journal_with(tmp_path, *secret)
    with playing(tmp_path, simulated(seed=1)) as player:
        go_on(player)
        assert b'"dots"' not in asked(player, "aside.jsonl")
        assert player.box.api.request(RestoreGame()).ok
        assert player.box.journal.game(1).ended is None, "what has ended is told with all its bets"


@pytest.mark.parametrize(
    ("game", "options"), [("zoinx", {"edition": "third"}), ("zoinx", {"wind": "north"}), ("chess", {})]
)
def test_unknown_options_and_games_are_set_aside_and_another_game_begins(
    tmp_path: Path, game: str, options: dict[str, str]
) -> None:
    journal_with(tmp_path, game=game, options=options)
    with playing(tmp_path, simulated(seed=1)) as player:
        aside = go_on(player)
        assert aside.way == ""
        assert not player.box.api.request(RestoreGame()).ok
        player.press("stop")
        assert player.now.message.text.startswith("E 12: ")
        assert player.box.api.request(StartGame("zoinx", PLAYERS, {})).ok
        assert player.now.aside is None
        assert (player.now.stage, player.now.game_id) == ("playing", 2)


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:5000])


def scribble(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[4096:6000] = b"\xaa" * 1904
    path.write_bytes(content)


def overwrite(path: Path) -> None:
    path.write_bytes(b"this is no journal at all, but somebody's shopping list\n" * 40)


def date_ahead(path: Path) -> None:
    connection = apsw.Connection(str(path))
    connection.pragma("user_version", 99)
    connection.close()


@pytest.mark.long
@pytest.mark.parametrize("spoil", [cut, scribble, overwrite, date_ahead])
def test_a_journal_that_cannot_be_opened_is_put_aside_unchanged(
    tmp_path: Path, spoil: Callable[[Path], None]
) -> None:
    path = journal_with(tmp_path, *BEFORE)
    (tmp_path / "pictures" / "7").mkdir(parents=True)
    spoil(path)
    spoilt = path.read_bytes()
    with playing(tmp_path, simulated(seed=1)) as player:
        aside = player.now.aside
        assert aside is not None
        assert aside.game_id is None
        assert str(tmp_path / "aside" / "1" / "journal.db") in aside.text
        assert "Traceback" not in aside.text
        shown = json.loads(asked(player, "state"))
        assert shown["message"]["text"] == f"E 12: {aside.text}"
        assert player.box.api.export_aside() is None
        assert player.box.api.request(StartGame("zoinx", PLAYERS, {})).ok
        assert player.now.game_id == 8, "the pictures of game 7 stay those of game 7"
    assert (tmp_path / "aside" / "1" / "journal.db").read_bytes() == spoilt
    with playing(tmp_path, simulated(seed=1)) as player:
        assert player.now.aside is None
        assert player.box.journal.unfinished() == 8


def test_a_second_journal_that_is_put_aside_does_not_touch_the_first(tmp_path: Path) -> None:
    for number in ("1", "2"):
        path = journal_with(tmp_path, *BEFORE)
        overwrite(path)
        with playing(tmp_path, simulated(seed=1)):
            assert (tmp_path / "aside" / number / "journal.db").exists()
        path.unlink()
        for rest in tmp_path.glob("journal.db-*"):
            rest.unlink()
    shutil.rmtree(tmp_path / "aside")


def test_a_mistake_of_our_own_in_a_game_is_set_aside_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal_with(tmp_path, *BEFORE)

    def wrong(*_given: object) -> None:
        raise ZeroDivisionError("division by zero")

    with playing(tmp_path, simulated(seed=1)) as player:
        monkeypatch.setattr("device.games.games.Games.resume", wrong)
        aside = go_on(player)
        assert "ZeroDivisionError" in aside.text
        assert player.box.api.request(StartGame("zoinx", PLAYERS, {})).ok


@pytest.mark.long
@pytest.mark.parametrize("spoil", [cut, date_ahead])
def test_the_program_itself_serves_its_console_on_a_broken_journal(
    tmp_path: Path, spoil: Callable[[Path], None]
) -> None:
    spoil(journal_with(tmp_path, *BEFORE))
    with box_process(tmp_path) as (process, address):
        with urlopen(f"{address}state") as answer:  # noqa: S310 - our own console
            shown = json.loads(answer.read())
        assert shown["aside"]["text"]
        assert process.poll() is None


def test_a_game_is_gone_on_with_where_nothing_is_wrong(tmp_path: Path) -> None:
    journal_with(tmp_path, *BEFORE)
    with playing(tmp_path, simulated(seed=1)) as player:
        box: Box = player.box
        box.loop.ask(lambda: box.table.go_on(1))
        assert player.now.aside is None
        assert player.now.game_id == 1

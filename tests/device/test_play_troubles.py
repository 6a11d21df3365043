"""What goes wrong at a real table: the box says cause and fix, loses nothing, and is well again by itself."""

import json
import os
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner

import vision.incremental_reader
from device.cli import callbox
from device.journal.journal import JournalFull
from device.journal.storage import FolderTaken
from device.panel import Display, DisplayLost
from device.requests import StartGame
from device.simulator.table import Trouble
from device.table.feed import Feed
from tests.playing import playing, simulated
from tests.waiting import eventually
from vision.learned.networks import Networks

PLAY = [sys.executable, "-m", "device", "play"]


@pytest.mark.long
@pytest.mark.parametrize(
    ("trouble", "words"),
    [("black", "lens"), ("frozen", "frozen"), ("unplugged", "plug")],
)
def test_a_camera_in_trouble_is_said_and_heals(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trouble: Trouble, words: str
) -> None:
    monkeypatch.setattr("device.box.Feed", partial(Feed, retry_s=0.05))
    with playing(tmp_path, simulated(seed=1)) as player:
        player.box.api.request(StartGame("tray", (), {}))
        player.until(lambda shown: shown.table.state == "still", "a still table")
        player.table.suffer(trouble)
        shown = player.until(lambda shown: shown.camera.text, "the trouble")
        assert words in shown.camera.text.lower()
        assert shown.camera.tone == "alarm"
        player.table.suffer("none")
        player.until(lambda shown: not shown.camera.text, "a healed camera")
        player.roll()
        assert player.now.game is not None
        assert player.now.game.running is not None


@pytest.mark.long
def test_roll_done_under_a_hand_waits_and_then_reads(tmp_path: Path) -> None:
    with playing(tmp_path, simulated(seed=2)) as player:
        player.box.api.request(StartGame("tray", (), {}))
        player.throw()
        player.hand.act("hand")
        player.until(lambda shown: shown.table.state == "hand", "a hand")
        player.press("roll_done")
        shown = player.until(lambda shown: "hand is in the picture" in shown.message.text, "that it waits")
        assert shown.table.reading_id == 0
        shown = player.until(lambda shown: shown.table.reading_id == 1, "a reading once the hand is gone")
        assert not player.table.busy or shown.table.state == "still"


def test_a_full_disk_is_said_and_the_next_press_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with playing(tmp_path, simulated(seed=3)) as player:
        player.box.api.request(StartGame("zoinx", ("Ann", "Bea"), {}))
        before = player.now.game and player.now.game.line

        def full(*_args: object, **_kwargs: object) -> int:
            raise JournalFull("the disk with the journal is full. Make room on it.")

        with monkeypatch.context() as broken:
            broken.setattr(player.box.journal, "append", full)
            player.press("bet1")
            player.press("bet1", long=True)
            shown = player.until(lambda shown: shown.message.tone == "alarm", "the alarm")
            assert "full" in shown.message.text
            assert (shown.game and shown.game.line) == before
        player.bet("Ann", 4)
        assert player.now.game is not None
        assert player.now.game.bets == ("locked", "thinking")


def test_a_scoreboard_that_is_plugged_in_later_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_args: object, **_kwargs: object) -> Display:
        raise DisplayLost("The scoreboard cannot be reached.")

    monkeypatch.setattr("device.panel.displays.open_display", missing)
    with playing(tmp_path, simulated(seed=3)) as player:
        player.box.api.request(StartGame("tray", (), {}))
        assert player.told == ["The scoreboard cannot be reached."]
        monkeypatch.undo()
        player.until(lambda _: len(player.told) > 1, "the scoreboard is tried again")
        assert player.told[1:] == ["The scoreboard is back."]


def test_a_second_box_on_the_same_journal_is_refused(tmp_path: Path) -> None:
    taken = pytest.raises(FolderTaken, match=str(os.getpid()))
    with playing(tmp_path, simulated(seed=4)), taken, playing(tmp_path, simulated(seed=4)):
        pass


def test_secret_bets_are_in_nothing_that_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two games that differ in one secret bet alone look the same until the reveal: to the last byte."""
    seen = []
    for dots in (2, 8):
        with playing(tmp_path / str(dots), simulated(seed=4)) as player:
            player.box.api.request(StartGame("zoinx", ("Ann", "Bea", "Zoe"), {}))
            for _ in range(dots // 2):
                player.press("bet1")
            player.press("bet1", long=True)
            player.until(lambda shown: shown.game and shown.game.bets[0] == "locked", "Ann's bet")
            seen.append({(shown.message.text, str(shown.game), str(shown.ask)) for shown in player.snapshots})
    assert seen[0] == seen[1]
    assert capsys.readouterr().out == ""


@contextmanager
def box_process(folder: Path, *arguments: str) -> Iterator[tuple["subprocess.Popen[str]", str]]:
    """A real `callbox play` and its console's address; killed at the end if it still runs."""
    command = [
        *PLAY,
        *arguments,
        "--camera",
        "table",
        "--port",
        "0",
        "--host",
        "127.0.0.1",
        "--data",
        str(folder),
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            address = next(line.split()[1] for line in process.stdout if line.startswith("Console: "))
            yield process, address
        finally:
            process.kill()


def ask(address: str, path: str, body: object = None) -> dict[str, object]:
    data = None if body is None else json.dumps(body).encode()
    headers = {"Content-Type": "application/json", "Origin": address.rstrip("/")}
    with urllib.request.urlopen(urllib.request.Request(address + path, data, headers)) as answer:  # noqa: S310
        found: dict[str, object] = json.loads(answer.read())
    return found


def agrees(address: str, path: str, body: object) -> bool:
    return ask(address, path, body)["ok"] is True


@pytest.mark.long
def test_a_box_that_is_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    game = ("zoinx", "--players", "Ann,Bea")
    with box_process(tmp_path, *game) as (process, address):
        for player, dots in (("Ann", 6), ("Bea", 4)):
            bet = {"player": player, "dots": dots}
            eventually(partial(agrees, address, "bets", bet), f"{player}'s bet")  # it may be busy
        before = ask(address, "state")["game"]
        process.send_signal(signal.SIGKILL)
    with box_process(tmp_path, *game) as (_, address):
        after = ask(address, "state")
    assert isinstance(before, dict)
    assert isinstance(after["game"], dict)
    assert after["game"]["line"] == before["line"]
    assert after["game"]["bets"] == [6, 4]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["chess"], "no game called chess"),
        (["end-zone", "--players", "Ann,Bea", "--camera", "docs/img"], "callbox calibrate"),
        (["zoinx", "--players", "Ann"], "two to four"),
        (["zoinx", "--players", "A,B,C,D,E"], "two to four"),
        (["zoinx", "--players", "Ann,ann"], "Ann"),
        (["zoinx", "--players", "Ann,Bea", "--option", "edition=third"], "edition"),
        (["zoinx", "--players", "Ann,Bea", "--option", "edition"], "KEY=VALUE"),
        (["zoinx", "--players", "Ann,Bea", "--camera", "/no/such.mp4"], "/no/such.mp4"),
        (["zoinx", "--players", "Ann,Bea", "--config", "/no/such.toml", "--camera", "table"], "such.toml"),
        (["tray", "--camera", "table", "--data", "/proc/nothing"], "/proc/nothing"),
    ],
    ids=["game", "landings", "one", "five", "twice", "option", "no value", "camera", "config", "folder"],
)
def test_wrong_use_ends_in_a_sentence(tmp_path: Path, arguments: Sequence[str], words: str) -> None:
    data = [] if "--data" in arguments else ["--data", str(tmp_path)]
    found = CliRunner().invoke(callbox, ["play", *arguments, *data])
    assert isinstance(found.exception, SystemExit)
    assert found.exit_code == 2
    assert words.lower() in found.output.lower()


def test_a_missing_network_is_told_before_anybody_throws(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    missing = partial(Networks, faces=tmp_path / "faces.onnx")
    monkeypatch.setattr(vision.incremental_reader, "Networks", missing)
    found = CliRunner().invoke(callbox, ["play", "tray", "--camera", "table", "--data", str(tmp_path)])
    assert isinstance(found.exception, SystemExit)
    assert "faces.onnx is missing from the models folder; install Callbox again" in found.output


@pytest.mark.long
def test_a_taken_port_names_the_fix(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        arguments = [
            "tray",
            "--camera",
            "table",
            "--host",
            "127.0.0.1",
            "--port",
            str(taken.getsockname()[1]),
        ]
        found = subprocess.run(
            [*PLAY, *arguments, "--data", str(tmp_path)], capture_output=True, text=True, check=False
        )
    said = found.stdout + found.stderr
    assert found.returncode == 2
    assert "--port" in said
    assert "Traceback" not in said

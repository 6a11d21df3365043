"""`callbox game` does with the running box's game what the console does."""

from pathlib import Path
from urllib.parse import urlsplit

import pytest
from click.testing import CliRunner, Result

from device.cli import callbox
from tests.device.games.test_evening import earlier_games
from tests.playing import Playing, playing, simulated


def game(player: Playing, *words: str, answer: str = "") -> Result:
    port = str(urlsplit(player.box.console.address).port)
    return CliRunner().invoke(callbox, ["game", *words, "--host", "127.0.0.1", "--port", port], input=answer)


@pytest.mark.long
def test_a_running_game_is_paused_saved_resumed_and_abandoned(tmp_path: Path) -> None:
    earlier_games(tmp_path)
    with playing(tmp_path, simulated(seed=1)) as player:
        assert "No game is at the table" in game(player, "pause").output
        assert "callbox games lists them" in game(player, "resume").output
        assert game(player, "resume", "3").exit_code == 0
        assert game(player, "pause").output == "The game is paused.\n"
        assert player.now.paused
        assert game(player, "resume").exit_code == 0
        assert game(player, "save").exit_code == 0
        assert player.now.stage == "lobby"
        assert game(player, "resume", "3").exit_code == 0
        assert game(player, "abandon", answer="n\n").exit_code == 1
        assert player.now.stage == "playing"
        assert game(player, "abandon", answer="y\n").exit_code == 0
        assert player.box.journal.game(3).cause == "abandoned"
        assert "Game 3 is over" in game(player, "resume", "3").output


def test_a_box_that_does_not_run_is_said_so() -> None:
    ended = CliRunner().invoke(callbox, ["game", "pause", "--host", "127.0.0.1", "--port", "9"])
    assert ended.exit_code == 1
    assert "no box answers" in ended.output

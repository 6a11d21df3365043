"""`callbox tournament` does with the running box what the console does, and writes what is kept."""

from pathlib import Path
from urllib.parse import urlsplit

from click.testing import CliRunner, Result

from device.cli import callbox
from tests.playing import Playing, playing, simulated


def run(*words: str) -> Result:
    return CliRunner().invoke(callbox, ["tournament", *words])


def ask(player: Playing, *words: str) -> Result:
    port = str(urlsplit(player.box.console.address).port)
    return run(*words, "--host", "127.0.0.1", "--port", port)


def test_a_tournament_is_drawn_begun_taken_back_told_and_ended(tmp_path: Path) -> None:
    folder = ("--data", str(tmp_path))
    assert "no tournament was drawn yet" in run("show", *folder).output
    with playing(tmp_path, simulated(seed=1)) as player:
        wrong = ask(player, "draw", "Cup", "Ann", "Bob", "--game", "chess")
        assert (wrong.exit_code, "chess" in wrong.output) == (1, True)
        rules = ("--game", "ten-thousand", "--option", "first=named")
        assert ask(player, "draw", "Cup", "Ann", "Bob", "Cat", *rules).exit_code == 0
        assert "waits for the winner of match 1" in ask(player, "begin", "2").output
        assert ask(player, "begin", "1").output == "Match 1 is at the table.\n"
        assert player.now.game is not None
        assert player.now.game.players == ("Bob", "Cat")
        assert ask(player, "take-back", "1", "a slip").exit_code == 0
        told = run("show", *folder).output.splitlines()
        assert told[1] == "   1  Semi-finals: Bob - Cat  ready"
        assert told[2] == "   2  Final: Ann - the winner of match 1  waits"
        assert ask(player, "close").exit_code == 0
        drawn = ask(player, "draw", "League", "Ann", "Bob", "Cat", "--kind", "round-robin", *rules)
        assert "Who still shares first place plays for it" in drawn.output
        told = run("show", *folder).output.splitlines()
        assert "Who still shares first place plays for it" in told[4]
        assert told[5] == "   –. Ann, 0 of 0 won"
    assert "play-off for first" in " ".join(run("draw", "--help").output.split())
    paper = tmp_path / "cup.pdf"
    assert run("show", "1", "-o", str(paper), *folder).exit_code == 0
    assert paper.read_bytes().startswith(b"%PDF")
    assert run("show", "--format", "csv", *folder).output.startswith("\ufeffmatch,")
    assert "there is no tournament 9" in run("show", "9", *folder).output
    assert "no box answers" in run("close", "--host", "127.0.0.1", "--port", "9").output

"""At a tournament a result counts once the referee has signed it off, and is opened again with a reason."""

import csv
import io
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner

from device.cli import callbox
from device.journal import Journal, Moment
from device.journal.replay import replay
from device.journal.rows import EventRow, SignOffNote
from device.journal.words import tell_game
from device.people.actor import Actor
from device.requests import ReopenResult, SignOffResult, StartGame
from engine.dice import Die
from engine.events import Rolled
from tests.playing import Playing, playing, simulated

NOON = Moment(datetime(2026, 11, 20, 12, 0, tzinfo=UTC), 1000.0)
REFEREE = Actor("referee", "Cleo")
ROLL = EventRow(Rolled(dice=tuple(Die("pip", value) for value in (1, 1, 1, 2, 3, 3))))
WAITS = "The result waits for the referee's sign-off."


def nearly_over(folder: Path) -> None:
    """Game 1: Ann has rolled all that she needs, and only has to set it aside."""
    with Journal.open(folder / "journal.db") as journal:
        agreed = {"first": "named", "target": "1000", "last": "none"}
        journal.append(journal.begin("ten-thousand", ("Ann", "Bea"), agreed, NOON), [ROLL], NOON)


@contextmanager
def ended(folder: Path) -> Iterator[Playing]:
    """A tournament's box whose game has just come to its end."""
    nearly_over(folder)
    with playing(folder, simulated(seed=1), kind="tournament") as player:
        player.box.loop.ask(lambda: player.box.table.go_on(1))
        finish(player)
        yield player


def finish(player: Playing) -> None:
    """Ann sets aside what she needs, and wins."""
    player.press("cache")
    player.until(lambda shown: shown.stage == "ended", "the end")


def sign(player: Playing, game_id: int = 1) -> str:
    return player.box.api.request(SignOffResult(game_id), REFEREE).text


def open_again(player: Playing, reason: str, game_id: int = 1) -> str:
    return player.box.api.request(ReopenResult(game_id, reason), REFEREE).text


def result(folder: Path) -> dict[str, str]:
    """The winner's line of `callbox results`."""
    told = CliRunner().invoke(callbox, ["results", "--all", "--data", str(folder)])
    return next(csv.DictReader(io.StringIO(told.stdout.removeprefix("\ufeff"))))


def test_a_game_that_is_not_there_is_refused_without_the_box_s_folders(tmp_path: Path) -> None:
    with ended(tmp_path) as player:
        for told in (sign(player, 99), open_again(player, "a die was misread", 99)):
            assert told == "There is no game 99 in this journal."


def test_a_result_waits_counts_once_it_is_signed_and_then_nothing_changes_it(tmp_path: Path) -> None:
    with ended(tmp_path) as player:
        assert player.now.message.text.endswith(WAITS)
        stands = player.now.sign_off
        assert stands is not None
        assert (stands.standing, stands.result) == ("waits", "Ann 1,000, Bea 0")
        assert (result(tmp_path)["place"], result(tmp_path)["signed_by"]) == ("", "")
        assert result(tmp_path)["state"].endswith(WAITS)
        assert "Sign it off first" in player.box.api.request(StartGame("zoinx", ("Cat", "Dan"), {})).text

        assert sign(player) == ""
        stands = player.now.sign_off
        assert stands is not None
        assert (stands.standing, stands.by) == ("signed", "the referee Cleo")
        assert not player.now.can_undo
        assert not player.now.lamps["undo"]
        player.press("undo")
        player.until(lambda shown: shown.message.tone == "refused", "a refusal")
        assert player.now.message.text.startswith(
            "The referee Cleo has signed this result off. Open it again"
        )
        assert player.now.stage == "ended"
        assert sign(player).startswith("The referee Cleo has signed this result off")
        counts = result(tmp_path)
        assert (counts["place"], counts["won"], counts["signed_by"]) == ("1", "true", "the referee Cleo")
        assert counts["signed_at"] == stands.at
        assert player.box.api.request(StartGame("zoinx", ("Cat", "Dan"), {})).ok


def test_a_signed_result_is_opened_with_a_reason_changed_and_signed_anew(tmp_path: Path) -> None:
    with ended(tmp_path) as player:
        assert open_again(player, "a slip") == "The result is open already."
        assert sign(player) == ""
        assert "Say why" in open_again(player, "")
        assert open_again(player, "the last die was touched") == ""
        stands = player.now.sign_off
        assert stands is not None
        assert (stands.standing, stands.reason) == ("opened", "the last die was touched")
        assert result(tmp_path)["place"] == ""
        player.press("undo")
        player.until(lambda shown: shown.stage == "playing", "the step taken back")
        assert player.now.sign_off is None
        assert "is not over" in sign(player)
        finish(player)
        assert sign(player) == ""
        rows = player.box.journal.rows(1)
        notes = [entry.row.what for entry in rows if isinstance(entry.row, SignOffNote)]
        assert notes == ["asked", "signed", "opened", "asked", "signed"]
        told = "\n".join(tell_game(replay(player.box.journal.game(1), rows)))
        assert "the result was opened again: the last die was touched - the referee Cleo" in told


@pytest.mark.long
def test_after_a_restart_a_result_that_waits_is_listed_signed_and_brought_back(tmp_path: Path) -> None:
    with ended(tmp_path):
        pass
    with playing(tmp_path, simulated(seed=1), kind="tournament") as player:
        waits = player.now.unsigned
        assert [(each.game_id, each.scores) for each in waits] == [(1, (1000, 0))]
        assert sign(player) == ""
        assert player.now.unsigned == ()
        assert open_again(player, "Bea protests") == ""
        assert (player.now.stage, player.now.game_id) == ("ended", 1)


def test_a_family_is_not_asked(tmp_path: Path) -> None:
    nearly_over(tmp_path)
    with playing(tmp_path, simulated(seed=1)) as player:
        player.box.loop.ask(lambda: player.box.table.go_on(1))
        finish(player)
        assert player.now.sign_off is None
        assert sign(player) == "Nobody asks for a sign-off of game 1."
        assert result(tmp_path)["place"] == "1"
        assert not any(isinstance(entry.row, SignOffNote) for entry in player.box.journal.rows(1))

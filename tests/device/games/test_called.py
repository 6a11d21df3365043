"""Players are called to the table by a hall's desk: one touch begins their match, or the table refuses."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from device.call_slip import CallSlip, CurrentCall, MatchCall
from device.journal.rows import CallNote
from device.requests import BeginCalledMatch, RefuseCalledMatch, StartGame
from tests.device.games.test_tournament import RULES, win
from tests.playing import Playing, playing, simulated

CALL = MatchCall("c1", "Cup", 3, "ten-thousand", ("Ann", "Bob"), RULES)


@pytest.fixture
def slip(tmp_path: Path) -> CallSlip:
    return CallSlip(tmp_path)


@contextmanager
def called_table(folder: Path) -> Iterator[Playing]:
    with playing(folder, simulated(seed=1), publish=True) as player:
        yield player


@pytest.mark.long
def test_the_game_of_a_call_carries_it_from_its_first_row_and_is_offered_once(
    tmp_path: Path, slip: CallSlip
) -> None:
    with called_table(tmp_path) as player:
        slip.save_current(CurrentCall(1, CALL))
        call = player.until(lambda shown: shown.call, "the call").call
        assert call is not None
        assert (call.match, call.players) == ("Match 3 of Cup", ("Ann", "Bob"))
        api = player.box.api
        assert "calls nobody" in api.request(BeginCalledMatch("c2")).text
        assert api.request(BeginCalledMatch("c1")).text == ""
        game = player.now.game
        assert game is not None
        assert (game.players, game.options["target"]) == (("Ann", "Bob"), "1000")
        assert player.box.journal.rows(1)[0].row == CallNote("c1", "Cup", 3)
        assert "calls nobody" in api.request(BeginCalledMatch("c1")).text
        win(player)
    with called_table(tmp_path) as player:
        player.until(lambda shown: shown.number > 1, "the table is there again")
        assert player.now.call is None, "its game is in the journal, so it is offered no more"


def test_a_table_may_refuse_with_a_reason_and_that_outlasts_a_restart(tmp_path: Path, slip: CallSlip) -> None:
    slip.save_current(CurrentCall(1, CALL))
    with called_table(tmp_path) as player:
        player.until(lambda shown: shown.call, "the call")
        assert "Say why" in player.box.api.request(RefuseCalledMatch("c1", " ")).text
        assert player.box.api.request(RefuseCalledMatch("c1", "the mat is wet")).text == ""
        assert player.now.call is None
    assert slip.refusal().why == "the mat is wet"
    assert slip.standing() is None
    slip.save_current(CurrentCall(2, MatchCall("c2", "Cup", 3, "ten-thousand", ("Ann", "Bob"), RULES)))
    with called_table(tmp_path) as player:
        assert player.until(lambda shown: shown.call, "another call").call is not None


def test_a_call_that_is_taken_back_is_offered_no_more(tmp_path: Path, slip: CallSlip) -> None:
    slip.save_current(CurrentCall(1, CALL))
    with called_table(tmp_path) as player:
        player.until(lambda shown: shown.call, "the call")
        slip.save_current(CurrentCall(2))
        player.until(lambda shown: shown.call is None, "nobody is called")
        assert "calls nobody" in player.box.api.request(BeginCalledMatch("c1")).text


def test_a_call_waits_while_another_game_is_played(tmp_path: Path, slip: CallSlip) -> None:
    with called_table(tmp_path) as player:
        assert player.box.api.request(StartGame("ten-thousand", ("Eve", "Gus"), RULES)).text == ""
        slip.save_current(CurrentCall(1, CALL))
        player.until(lambda shown: shown.call, "the call")
        win(player)
        assert player.box.api.request(BeginCalledMatch("c1")).text == ""
        assert player.box.journal.rows(2)[0].row == CallNote("c1", "Cup", 3)


def test_a_damaged_slip_is_no_call(slip: CallSlip, tmp_path: Path) -> None:
    (tmp_path / "called.json").write_bytes(b'{"number": "x"}')
    assert slip.standing() is None
    assert slip.current() == CurrentCall()

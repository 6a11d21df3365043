"""Players are called to the table by a hall's desk: one touch begins their match, or the table refuses."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from device.call_slip import CallSlip, CurrentCall, MatchCall, SignedResult
from device.journal.rows import CallNote
from device.people.actor import Actor
from device.requests import BeginCalledMatch, RefuseCalledMatch, ReopenResult, StartGame
from tests.device.games.test_tournament import RULES, win
from tests.playing import Playing, playing, simulated

CALL = MatchCall("c1", "Cup", 3, "ten-thousand", ("Ann", "Bob"), RULES)
SIGNED = SignedResult("c1", 1, (("Ann", 1000), ("Bob", 0)), "Cleo")
REFEREE = Actor("referee", "Max")


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


@contextmanager
def played_for_a_call(folder: Path, *, answers: bool) -> Iterator[Playing]:
    """A tournament's box at which the match that was called has ended, and waits for a sign-off."""
    slip = CallSlip(folder)
    slip.save_current(CurrentCall(1, CALL))
    with playing(folder, simulated(seed=1), kind="tournament", publish=True, answers=answers) as player:
        player.until(lambda shown: shown.call, "the call")
        assert player.box.api.request(BeginCalledMatch("c1"), REFEREE).text == ""
        win(player)
        yield player


def standing(player: Playing, slip: CallSlip) -> str:
    """How the result stands, once what the desk has said last is known here."""
    called = player.box.table.results.called
    player.until(lambda _: called._stamp == slip.stamp, "the slip was looked at")
    shown = player.box.loop.ask(lambda: player.box.table.snapshot).sign_off
    assert shown is not None
    return shown.standing


@pytest.mark.long
def test_what_the_desk_signs_off_is_signed_off_at_the_table_with_its_name(
    tmp_path: Path, slip: CallSlip
) -> None:
    with played_for_a_call(tmp_path, answers=True) as player:
        api = player.box.api
        for other in (
            SignedResult("c9", 1, SIGNED.scores, "Cleo"),
            SignedResult("c1", 9, SIGNED.scores, "Cleo"),
            SignedResult("c1", 1, (("Ann", 0), ("Bob", 1000)), "Cleo"),
        ):
            slip.save_current(CurrentCall(2, signed=(other,)))
            assert standing(player, slip) == "waits", other
        slip.save_current(CurrentCall(3, signed=(SIGNED,)))
        assert standing(player, slip) == "signed"
        shown = player.now.sign_off
        assert shown is not None
        assert shown.by == "desk: Cleo"
        assert api.request(ReopenResult(1, "a die was misread"), REFEREE).text == ""
        slip.save_current(CurrentCall(4, signed=(SIGNED,)))
        assert standing(player, slip) == "opened", "who opened it here signs it here"


def test_a_box_whose_owner_does_not_allow_that_is_signed_at_the_table_alone(
    tmp_path: Path, slip: CallSlip
) -> None:
    with played_for_a_call(tmp_path, answers=False) as player:
        slip.save_current(CurrentCall(2, signed=(SIGNED,)))
        assert standing(player, slip) == "waits"


def test_a_damaged_slip_is_no_call(slip: CallSlip, tmp_path: Path) -> None:
    (tmp_path / "called.json").write_bytes(b'{"number": "x"}')
    assert slip.standing() is None
    assert slip.current() == CurrentCall()

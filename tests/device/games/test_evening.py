"""A game is paused, put away, taken up again and abandoned: by the journal, also after a restart."""

import itertools
from datetime import UTC, datetime
from pathlib import Path

import pytest

from device.games.games import PAUSED
from device.journal import Journal, Moment
from device.journal.records import ONCE_PUT_AWAY
from device.journal.replay import replay
from device.journal.rows import ByNote, CourseNote, EventRow
from device.journal.words import state, tell_game
from device.people.actor import Actor
from device.requests import (
    AbandonGame,
    Choose,
    GameAction,
    LockBet,
    PauseGame,
    ResumeGame,
    ResumeSavedGame,
    SaveGame,
    StartGame,
)
from device.shown.snapshot import ProposedShown
from engine.dice import Die
from engine.events import Cache, Rolled
from tests.playing import Playing, playing, simulated

NOON = Moment(datetime(2026, 11, 20, 12, 0, tzinfo=UTC), 1000.0)
HOST = Actor("host", "Cleo")
THOUSAND = EventRow(Rolled(dice=tuple(Die("pip", value) for value in (1, 1, 1, 2, 3, 3))))
"""Ann rolls 1,000."""


def earlier_games(folder: Path) -> None:
    """Game 1 was put away by an older Callbox, game 2 is over, and game 3 goes on."""
    with Journal.open(folder / "journal.db") as journal:
        for number in (1, 2, 3):
            game = journal.begin("ten-thousand", ("Ann", "Bea"), {"first": "named"}, NOON)
            journal.append(game, [THOUSAND, EventRow(Cache())][: 3 - number], NOON)
        journal.end(1, ONCE_PUT_AWAY, NOON)
        journal.end(2, "Ann wins.", NOON)
        journal.append(3, [THOUSAND], NOON)


GAME_REQUESTS = (PauseGame, ResumeGame, SaveGame, ResumeSavedGame, AbandonGame)


def tend(player: Playing, what: GameAction, game_id: int) -> str:
    """Have the host do that; returns why not, or ""."""
    request = next(each for each in GAME_REQUESTS if each.action == what)
    return player.box.api.request(request(game_id), HOST).text


def course(player: Playing, game_id: int) -> list[str]:
    """What was done with a game, and by whom."""
    rows = [entry.row for entry in player.box.journal.rows(game_id)]
    return [
        f"{row.what} by {by.name}"
        for by, row in itertools.pairwise(rows)
        if isinstance(row, CourseNote) and isinstance(by, ByNote)
    ]


def test_the_lobby_lists_games_that_wait_with_their_scores(tmp_path: Path) -> None:
    earlier_games(tmp_path)
    with playing(tmp_path, simulated(seed=1)) as player:
        listed = player.now.put_away
        assert [(each.game_id, each.scores) for each in listed] == [(3, (0, 0)), (1, (1000, 0))]
        assert (listed[1].title, listed[1].players) == ("Ten Thousand", ("Ann", "Bea"))
        assert listed[1].when == NOON.iso


@pytest.mark.long
def test_a_game_is_put_away_for_another_and_taken_up_again(tmp_path: Path) -> None:
    earlier_games(tmp_path)
    with playing(tmp_path, simulated(seed=1)) as player:
        assert tend(player, "take up", 1) == ""
        assert (player.now.game_id, player.now.game and player.now.game.scores) == (1, (1000, 0))
        refusal = player.box.api.request(StartGame("zoinx", ("Cat", "Dan"), {})).text
        assert refusal == "A game is being played. Save it for later or abandon it first."
        assert tend(player, "put away", 1) == ""
        assert player.now.stage == "lobby"
        assert player.box.api.request(StartGame("zoinx", ("Cat", "Dan"), {})).ok
        assert player.box.api.request(LockBet("Cat", 2)).ok
        assert course(player, 1) == ["taken up by Cleo", "put away by Cleo"]
        record = player.box.journal.game(1)
        assert record.course == CourseNote("put away", (1000, 0))
        assert state(record) == "saved"
        assert "Ann 1000, Bea 0 - the host Cleo" in tell_game(replay(record, player.box.journal.rows(1)))[-1]
    with playing(tmp_path, simulated(seed=1)) as player:
        assert player.box.journal.unfinished() == 4
        assert tend(player, "take up", 1) == ""
        assert tend(player, "put away", 1) == ""
        assert [each.game_id for each in player.now.put_away] == [4, 3, 1]


def test_the_box_goes_on_with_the_game_that_was_taken_up_and_not_with_one_put_away(tmp_path: Path) -> None:
    earlier_games(tmp_path)
    with playing(tmp_path, simulated(seed=1)) as player:
        player.box.loop.ask(lambda: player.box.table.go_on(3))
        assert tend(player, "put away", 3) == ""
        assert player.box.journal.unfinished() is None
        assert tend(player, "take up", 1) == ""
    with playing(tmp_path, simulated(seed=1)) as player:
        assert player.box.journal.unfinished() == 1


@pytest.mark.long
def test_a_paused_game_takes_nothing_until_somebody_goes_on(tmp_path: Path) -> None:
    earlier_games(tmp_path)
    with playing(tmp_path, simulated(seed=1)) as player:
        assert tend(player, "take up", 3) == ""
        assert player.now.lamps["cache"]
        assert tend(player, "pause", 3) == ""
        assert player.now.paused
        assert player.now.message.shout == "PAUSE"
        assert not any(player.now.lamps.values())
        rows = len(player.box.journal.rows(3))
        player.press("cache")
        player.throw()
        player.press("roll_done")
        assert player.now.message.text == PAUSED
        assert player.box.api.request(Choose(0, "three 1s")).text == PAUSED
        assert len(player.box.journal.rows(3)) == rows, "nothing was taken"
    with playing(tmp_path, simulated(seed=1)) as player:
        player.box.loop.ask(lambda: player.box.table.go_on(3))
        assert player.now.paused
        assert tend(player, "go on", 3) == ""
        assert not player.now.paused
        player.press("cache")
        assert player.until(lambda now: now.game and now.game.scores[0], "Ann has cached").game_id == 3
        assert course(player, 3) == ["taken up by Cleo", "paused by Cleo", "went on by Cleo"]


def test_secret_bets_stay_locked_through_a_pause(tmp_path: Path) -> None:
    with playing(tmp_path, simulated(seed=1)) as player:
        assert player.box.api.request(StartGame("zoinx", ("Ann", "Bea"), {})).ok
        assert player.box.api.request(LockBet("Ann", 4)).ok
        assert tend(player, "pause", 1) == ""
        assert player.now.game
        assert player.now.game.bets == ("locked", "thinking")
        assert player.box.api.request(LockBet("Bea", 2)).text == PAUSED
        assert tend(player, "go on", 1) == ""
        assert player.box.api.request(LockBet("Bea", 2)).ok
        assert player.now.game.bets == (4, 2)


def test_an_abandoned_game_ends_without_a_winner_and_is_not_offered_again(tmp_path: Path) -> None:
    earlier_games(tmp_path)
    with playing(tmp_path, simulated(seed=1)) as player:
        assert tend(player, "take up", 3) == ""
        assert tend(player, "abandon", 3) == ""
        assert player.now.stage == "lobby"
        assert player.box.journal.game(3).cause == "abandoned"
        assert course(player, 3)[-1] == "abandoned by Cleo"
        assert tend(player, "abandon", 1) == ""
        assert player.now.put_away == ()
        assert tend(player, "take up", 3) == tend(player, "abandon", 3) == "Game 3 is over. Look again."


def test_a_page_that_is_behind_ends_no_other_game(tmp_path: Path) -> None:
    with playing(tmp_path, simulated(seed=1)) as player:
        assert player.box.api.request(StartGame("zoinx", ("Ann", "Bea"), {})).ok
        assert player.box.api.request(LockBet("Ann", 4)).ok
        assert tend(player, "abandon", 7) == "Another game is at the table by now. Look again."
        assert player.now.stage == "playing"


def test_a_game_in_which_nothing_was_played_is_not_kept_waiting(tmp_path: Path) -> None:
    with playing(tmp_path, simulated(seed=1)) as player:
        assert player.box.api.request(StartGame("zoinx", ("Ann", "Bea"), {})).ok
        assert player.box.api.request(StartGame("zoinx", ("Ann", "Cat"), {})).ok
        assert player.box.journal.game(1).cause == "nothing was played"


def test_the_lobby_opens_with_what_was_played_last(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "journal.db") as journal:
        options = {"deck": "box", "seed": "apples", "winner": "all"}
        journal.end(journal.begin("zonk", ("Ann", "Bea"), options, NOON), "Ann wins.", NOON)
    with playing(tmp_path, simulated(seed=1)) as player:
        player.box.loop.ask(player.box.table.propose_last)
        last = player.now.proposed
        assert last == ProposedShown("zonk", {"deck": "box", "winner": "all"}, ("Ann", "Bea"))

"""A roll is made of dice that were thrown for it: the same dice never count twice in silence."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from device.journal.rows import AnswerNote
from device.requests import StartGame
from device.shown.snapshot import GameShown
from tests.playing import Playing, playing, simulated
from tests.tiers import short
from vision.incremental_reader import TableReader
from vision.reading import Reading
from vision.watch.motion_blobs import REASON

PLAYERS = ("Ann", "Bea")
COUNTED = "These dice were counted already. Throw, or press again if you did."
LAY_THERE = "These dice lay there before. Throw, or press again if you did."


def shown(player: Playing) -> GameShown:
    game = player.now.game
    assert game is not None
    return game


def bets(player: Playing, dots: int = 10) -> None:
    for name in PLAYERS:
        player.bet(name, dots)


def press_again(player: Playing) -> None:
    """ROLL DONE by somebody who has read what the box says."""
    player.camera.time.pass_ms(1000)  # type: ignore[attr-defined]
    player.press("roll_done")


def said(player: Playing) -> list[str]:
    """What players have said, as the journal has it."""
    game_id = player.now.game_id
    assert game_id is not None
    rows = player.box.journal.rows(game_id)
    return [entry.row.text for entry in rows if isinstance(entry.row, AnswerNote)]


def is_told(player: Playing, text: str, *, presses: int = 1) -> None:
    """ROLL DONE is answered with this, and nothing counts."""
    line = shown(player).line
    for _ in range(presses):
        player.press("roll_done")
    player.until(lambda now: now.message.text == text, f"the box says: {text}")
    assert shown(player).line == line


def throws(player: Playing) -> None:
    """A throw after that counts."""
    line = shown(player).line
    player.roll()
    assert shown(player).line != line


@pytest.mark.long
def test_a_second_press_counts_no_dice_again_unless_a_player_says_so(tmp_path: Path) -> None:
    with playing(tmp_path, simulated(seed=5)) as player:
        assert player.box.api.request(StartGame("zoinx", PLAYERS, {})).ok
        bets(player)
        player.roll()
        before = shown(player)
        assert before.running
        player.press("roll_done")
        asked = player.until(lambda now: now.message.tone == "unsure", "that they were counted")
        assert (asked.message.text, asked.message.shout) == (COUNTED, "OLd")
        assert shown(player).line == before.line
        press_again(player)
        player.until(lambda now: now.message.tone == "info", "that they count on the player's word")
        assert shown(player).running == 2 * before.running
        assert said(player) == ["The dice were thrown, by the word of a player."]
        player.roll()
        assert shown(player).line != before.line


@pytest.mark.long
def test_presses_in_a_row_are_no_word(tmp_path: Path) -> None:
    with playing(tmp_path, simulated(seed=5)) as player:
        assert player.box.api.request(StartGame("tray", (), {})).ok
        player.roll()
        is_told(player, COUNTED, presses=4)
        throws(player)


@pytest.mark.long
def test_dice_thrown_before_the_bets_do_not_count_after_them(tmp_path: Path) -> None:
    with playing(tmp_path, simulated(seed=5)) as player:
        assert player.box.api.request(StartGame("zoinx", PLAYERS, {})).ok
        player.throw()
        bets(player)
        is_told(player, LAY_THERE)
        throws(player)


@pytest.mark.long
def test_after_an_undo_the_dice_may_be_read_again(tmp_path: Path) -> None:
    with playing(tmp_path, simulated(seed=5)) as player:
        assert player.box.api.request(StartGame("zoinx", PLAYERS, {})).ok
        bets(player)
        player.roll()
        line = shown(player).line
        player.press("undo")
        player.until(lambda now: now.game and now.game.line != line, "taken back")
        player.press("roll_done")
        player.until(lambda now: now.game and now.game.line == line, "the same roll again")
        assert said(player) == []


@pytest.mark.long
@pytest.mark.parametrize(
    ("game", "seed"), [("ten-thousand", 6), pytest.param("zonk", 7, marks=pytest.mark.long)]
)
def test_dice_set_aside_stay_aside_and_the_others_must_be_thrown(
    tmp_path: Path, game: str, seed: int
) -> None:
    options = {"first": "named", "opening": "0"} if game == "ten-thousand" else {}
    with playing(tmp_path, simulated(seed), layout="auto") as player:
        assert player.box.api.request(StartGame(game, PLAYERS, options)).ok
        player.roll()
        choice = shown(player).choices[0]
        line = shown(player).line
        assert player.hand.carry_out(0, choice.words).ok
        player.until(lambda now: now.game and now.game.line != line and not player.table.busy, "set aside")
        player.until(lambda now: now.table.state == "still", "a still table")
        is_told(player, COUNTED)
        throws(player)
        assert said(player) == []


@pytest.mark.long
def test_by_itself_counted_dice_do_not_count_at_a_press(tmp_path: Path) -> None:
    with playing(tmp_path, simulated(seed=5), reads="at_rest") as player:
        assert player.box.api.request(StartGame("tray", (), {})).ok
        player.until(lambda now: now.table.state == "still", "an empty table")
        player.throw()
        player.until(lambda now: now.table.reading_id == 1, "the throw, read by itself")
        is_told(player, COUNTED)


@pytest.mark.long
@pytest.mark.parametrize("seed", short([5, 6, 7, 8]))
def test_a_die_that_hides_under_another_is_missed_though_any_number_counts(tmp_path: Path, seed: int) -> None:
    """The tray adds up any dice; five were thrown, and one of them lies on another."""
    with playing(tmp_path, simulated(seed)) as player:
        assert player.box.api.request(StartGame("tray", (), {})).ok
        player.roll()
        line = shown(player).line
        now = player.roll("stack")
        assert len(now.table.dice) < 5
        assert now.message.tone == "unsure"
        assert shown(player).line == line
        player.roll()
        assert shown(player).line != line


@pytest.mark.long
def test_of_too_few_dice_it_is_said_where_one_may_be(tmp_path: Path) -> None:
    with playing(tmp_path, simulated(seed=6)) as player:
        assert player.box.api.request(StartGame("zoinx", PLAYERS, {})).ok
        bets(player)
        now = player.roll("stack")
        assert now.ask == "correct"
        assert "one may lie on another" in now.message.text or now.table.unsure


@pytest.mark.long
def test_a_die_that_no_reader_sees_is_asked_about_where_any_number_may_lie(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, blind = TableReader.read, list[bool]()

    def read_all_but_one(reader: TableReader, *asked: Any) -> Reading:
        reading = read(reader, *asked)
        return replace(reading, dice=reading.dice[1:]) if blind else reading

    monkeypatch.setattr(TableReader, "read", read_all_but_one)
    with playing(tmp_path, simulated(seed=5)) as player:
        assert player.box.api.request(StartGame("tray", (), {})).ok
        player.roll()
        blind.append(True)
        line = shown(player).line
        player.throw()
        player.press("roll_done")
        player.until(lambda now: REASON in now.message.text, "that something else lies there")
        assert shown(player).line == line
        blind.clear()
        throws(player)

"""Dice that a hand touched after they came to rest are asked about: a whole box, through pixels."""

from pathlib import Path

import pytest

from device.journal.rows import AnswerNote, DiceReading
from device.requests import StartGame
from device.shown.snapshot import Snapshot
from tests.playing import Playing, playing, simulated
from tests.tiers import short, short_rows

PLAYERS = ("Ann", "Bea")


def line(player: Playing) -> str:
    game = player.now.game
    assert game is not None
    return game.line


def act(player: Playing, name: str) -> None:
    """Let the hand do something, and wait until the box sees the table still again."""
    assert player.hand.act(name).ok
    player.until(lambda _: player.table.busy, "a hand")
    player.until(lambda _: not player.table.busy, "a free hand")
    player.until(lambda now: now.table.state == "still", "a still table")


def asked(player: Playing) -> Snapshot:
    """ROLL DONE, and what the box asks."""
    before = line(player)
    player.press("roll_done")
    now = player.until(lambda now: now.touched is not None, "a question about touched dice")
    assert (now.message.tone, now.message.shout) == ("unsure", "tOUCHEd")
    assert line(player) == before
    return now


def counts(player: Playing) -> None:
    """ROLL DONE after a moment, and the roll counts."""
    before = line(player)
    player.camera.time.pass_ms(1000)  # type: ignore[attr-defined]
    player.press("roll_done")
    player.until(lambda _: line(player) != before, "a roll that counts")
    assert player.now.touched is None


def words(player: Playing) -> list[str]:
    """What players have said, as the journal has it."""
    return [row.text for row in rows(player) if isinstance(row, AnswerNote)]


def rows(player: Playing) -> list[object]:
    assert player.now.game_id is not None
    return [entry.row for entry in player.box.journal.rows(player.now.game_id)]


@pytest.mark.long
@pytest.mark.parametrize(
    ("mischief", "seed"), short_rows([("turn_over", 5), ("nudge", 6), ("turn_over", 7), ("nudge", 8)], 2)
)
def test_a_touched_die_is_told_and_counts_only_on_a_players_word(
    tmp_path: Path, mischief: str, seed: int
) -> None:
    with playing(tmp_path, simulated(seed)) as player:
        assert player.box.api.request(StartGame("tray", (), {})).ok
        player.throw()
        rested = {one.number: one for one in player.table.lying}
        act(player, mischief)
        touched = [one for one in player.table.lying if one.center_mm != rested[one.number].center_mm]
        now = asked(player)
        assert now.touched is not None
        (told,) = now.touched.dice
        assert told.rested.value == rested[touched[0].number].die.value
        assert told.now.value == touched[0].die.value
        assert told.now.center_px == pytest.approx(touched[0].center_px, abs=8)
        for number in (now.touched.rested, now.touched.now):
            assert player.box.api.reading_picture(number)
        counts(player)
        assert words(player) == ["Touched dice count as they lie, by the word of a player."]
        readings = [row for row in rows(player) if isinstance(row, DiceReading)]
        assert len({row.picture for row in readings}) == len(readings) == 3


@pytest.mark.long
def test_who_throws_again_after_the_question_needs_no_word(tmp_path: Path) -> None:
    with playing(tmp_path, simulated(seed=5)) as player:
        assert player.box.api.request(StartGame("tray", (), {})).ok
        player.throw()
        act(player, "turn_over")
        asked(player)
        player.throw()
        counts(player)
        assert words(player) == []


@pytest.mark.long
@pytest.mark.parametrize("seed", short([5, 6, 7]))
def test_a_hand_that_touches_nothing_and_another_throw_are_not_told(tmp_path: Path, seed: int) -> None:
    with playing(tmp_path, simulated(seed)) as player:
        assert player.box.api.request(StartGame("tray", (), {})).ok
        player.throw()
        act(player, "hand")
        counts(player)
        player.throw()
        player.throw()
        counts(player)
        act(player, "nudge")
        player.throw()
        counts(player)
        assert words(player) == []


@pytest.mark.long
def test_touched_twice_it_is_still_held_against_the_first_rest(tmp_path: Path) -> None:
    with playing(tmp_path, simulated(seed=9)) as player:
        assert player.box.api.request(StartGame("tray", (), {})).ok
        player.throw()
        rested = {one.number: one.die for one in player.table.lying}
        act(player, "turn_over")
        act(player, "hand")
        act(player, "nudge")
        now = asked(player)
        assert now.touched is not None
        assert any(one.rested.value != one.now.value for one in now.touched.dice)
        assert {one.rested.value for one in now.touched.dice} <= {die.value for die in rested.values()}


@pytest.mark.long
@pytest.mark.parametrize("game", short(["ten-thousand", "zonk"]))
def test_dice_set_aside_on_a_mat_are_not_told(tmp_path: Path, game: str) -> None:
    options = {"first": "named", "opening": "0"} if game == "ten-thousand" else {}
    with playing(tmp_path, simulated(seed=6), layout="auto") as player:
        assert player.box.api.request(StartGame(game, PLAYERS, options)).ok
        player.roll()
        choice = player.now.game and player.now.game.choices[0]
        before = line(player)
        assert choice
        assert player.hand.carry_out(0, choice.words).ok
        player.until(lambda _: line(player) != before and not player.table.busy, "set aside")
        player.throw()
        act(player, "hand")
        counts(player)
        assert words(player) == []


@pytest.mark.long
def test_by_itself_a_die_turned_after_it_counted_is_no_throw(tmp_path: Path) -> None:
    with playing(tmp_path, simulated(seed=5), reads="at_rest") as player:
        assert player.box.api.request(StartGame("tray", (), {})).ok
        player.until(lambda now: now.table.state == "still", "an empty table")
        player.throw()
        player.until(lambda now: now.table.reading_id == 1, "the throw, read by itself")
        before = line(player)
        act(player, "turn_over")
        now = player.until(lambda now: now.touched is not None, "a question about the die")
        assert line(player) == before
        assert "press ROLL DONE to count the dice as they lie" in now.message.text
        counts(player)
        assert words(player) == ["Touched dice count as they lie, by the word of a player."]


@pytest.mark.long
def test_by_itself_a_die_turned_while_another_is_straightened_is_told(tmp_path: Path) -> None:
    with playing(tmp_path, simulated(seed=5), reads="at_rest") as player:
        assert player.box.api.request(StartGame("tray", (), {})).ok
        player.until(lambda now: now.table.state == "still", "an empty table")
        player.throw("cock")
        player.until(lambda now: now.ask == "correct", "a question about the leaning die")
        before = line(player)
        act(player, "turn_over")
        player.until(lambda now: now.touched is not None, "a question about the die")
        assert line(player) == before


@pytest.mark.long
def test_after_an_undo_the_same_dice_may_not_be_touched(tmp_path: Path) -> None:
    with playing(tmp_path, simulated(seed=5)) as player:
        assert player.box.api.request(StartGame("tray", (), {})).ok
        player.roll()
        before = line(player)
        player.press("undo")
        player.until(lambda _: line(player) != before, "taken back")
        act(player, "turn_over")
        asked(player)

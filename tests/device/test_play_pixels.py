"""Through pixels and pins: what the simulated table rolls reaches the rulebook only by way of the camera."""

from pathlib import Path

import pytest

from calibration.arrays import Picture
from device.match import Match
from device.requests import Choose, Correct, StartGame
from engine.dice import Die
from tests.playing import Playing, SteppedTable, playing, simulated
from vision.reader import Reader
from vision.reading import DiceChoice, Reading, Window
from vision.watch import WatchSettings

PLAYERS = ("Ann", "Bea", "Zoe")


def start(player: Playing) -> None:
    assert player.box.api.request(StartGame("zoinx", PLAYERS, {})).ok


def bets(player: Playing) -> None:
    for name, dots in zip(PLAYERS, (0, 2, 4), strict=True):
        player.bet(name, dots)


def test_the_box_reads_what_lies_on_the_table(tmp_path: Path) -> None:
    with playing(tmp_path, simulated(seed=5)) as player:
        start(player)
        bets(player)
        shown = player.roll()
        truth = tuple(die.value for die in player.table.rolled)
        assert tuple(die.value for die in shown.table.dice) == truth
        assert shown.table.unsure == ()


@pytest.mark.long
def test_a_renderer_that_lies_is_believed(tmp_path: Path) -> None:
    """The rulebook hears of the faces that were painted, never of those that were rolled."""

    def lie(rolled: tuple[Die, ...]) -> tuple[Die, ...]:
        return tuple(Die("zoinx", "square" if die.value == "dot" else "dot") for die in rolled)

    with playing(tmp_path, simulated(seed=5, lie=lie)) as player:
        start(player)
        bets(player)
        shown = player.roll()
        truth = tuple(die.value for die in player.table.rolled)
        painted = tuple(die.value for die in lie(player.table.rolled))
        assert truth != painted
        assert shown.game is not None
        assert shown.game.last_roll == painted


@pytest.mark.long
def test_wrong_numbers_of_dice_are_said_on_board_and_console(tmp_path: Path) -> None:
    with playing(tmp_path, simulated(seed=6)) as player:
        start(player)
        bets(player)
        line = player.now.game.line if player.now.game else ""
        shown = player.roll("throw_one_less")
        assert shown.ask == "correct"
        assert "three Zoinx dice" in shown.message.text
        assert "four Zoinx dice" in shown.message.text
        assert shown.game is not None
        assert shown.game.line == line
        dice = tuple(Die("zoinx", face) for face in ("dot", "square", "square", "dot"))
        assert player.box.api.request(Correct(dice, "one lies on the floor")).ok
        after = player.now
        assert (after.ask, after.game and after.game.running) == ("", 2)


@pytest.mark.long
def test_a_box_that_starts_again_is_where_it_was(tmp_path: Path) -> None:
    with playing(tmp_path, simulated(seed=7)) as player:
        start(player)
        bets(player)
        player.roll()
        game_id, line = player.now.game_id, player.now.game and player.now.game.line
    assert game_id is not None
    with playing(tmp_path, simulated(seed=8)) as player:
        again = Match.resume(player.box.journal, game_id)
        assert again.view.line == line


@pytest.mark.long
def test_the_hand_holds_as_many_dice_as_the_rulebook_waits_for(tmp_path: Path) -> None:
    """Ten Thousand: one die each for the first turn, then six, then those that are left."""
    with playing(tmp_path, simulated(seed=9)) as player:
        assert player.box.api.request(StartGame("ten-thousand", ("Ann", "Bea"), {})).ok
        counts: list[int] = []
        while len(counts) < 8 and len(set(counts)) < 3:
            game = player.now.game
            assert game is not None
            if game.choices:
                assert player.box.api.request(Choose(0, game.choices[0].words)).ok
                continue
            assert game.wanted_count is not None
            counts.append(game.wanted_count)
            shown = player.roll()
            assert len(shown.table.dice) == counts[-1]
            assert shown.ask == ""
        assert counts[0] == 1
        assert 6 in counts
        assert len(set(counts)) == 3


def read_at_ms_of(camera: SteppedTable, monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """When a picture, or a part of one, was really read, by the table's clock; to be filled from now on."""
    read_at_ms: list[float] = []
    reads = Reader.read_each

    def noted(
        self: Reader, picture: Picture, dice: DiceChoice, sharp: Picture | None, window: Window | None
    ) -> Reading:
        read_at_ms.append(camera.time())
        return reads(self, picture, dice, sharp, window)

    monkeypatch.setattr(Reader, "read_each", noted)
    return read_at_ms


@pytest.mark.long
def test_with_roll_done_a_throw_is_read_before_the_press_and_nothing_else_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read_at_ms = read_at_ms_of(camera := simulated(seed=5), monkeypatch)
    with playing(tmp_path, camera) as player:
        start(player)
        player.until(lambda now: now.table.state == "still", "an empty table")
        player.hand.act("hand")
        player.until(lambda now: now.table.state == "hand", "a hand over it")
        player.until(lambda now: now.table.state == "still", "a still table again")
        assert read_at_ms == [], "while bets are made nobody waits for a roll"
        bets(player)
        player.throw()
        player.sees(lambda _: False, 1000)  # a finger finds its way to the button
        before = list(read_at_ms)
        assert before
        player.press("roll_done")
        player.until(lambda shown: shown.table.reading_id == 1, "a reading")
        assert read_at_ms == before


@pytest.mark.long
def test_by_itself_it_reads_a_throw_once_and_before_the_table_has_settled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read_at_ms = read_at_ms_of(camera := simulated(seed=5, fps=20.0), monkeypatch)
    with playing(tmp_path, camera, reads="at_rest") as player:
        assert player.box.api.request(StartGame("tray", (), {})).ok
        player.until(lambda now: now.table.state == "still", "an empty table")
        read_at_ms.clear()
        player.throw()
        shown = player.until(lambda now: now.table.reading_id == 1, "the throw, read by itself")
        assert tuple(die.value for die in shown.table.dice) == tuple(die.value for die in camera.rolled)
        assert len(read_at_ms) == 1
        assert camera.rest_time_ms is not None
        assert read_at_ms[0] - camera.rest_time_ms < WatchSettings().still_ms


@pytest.mark.long
def test_by_itself_it_reads_thrown_dice_and_no_others(tmp_path: Path) -> None:
    """Each throw once; dice that a finger pushed, or that lay there before the bets, are no roll."""
    with playing(tmp_path, simulated(seed=5), reads="at_rest") as player:
        start(player)
        player.throw()
        bets(player)
        player.until(lambda shown: shown.table.state == "still", "a still table")
        assert player.now.table.reading_id == 0
        player.throw()
        shown = player.until(lambda shown: shown.table.reading_id == 1, "the throw, read by itself")
        truth = tuple(die.value for die in player.table.rolled)
        assert tuple(die.value for die in shown.table.dice) == truth
        player.hand.act("nudge")
        # On a busy machine the finger may come and go between two frames.
        player.until(
            lambda shown: not player.table.busy and shown.table.state == "still" and player.up_to_date(),
            "a still table after the finger",
        )
        if player.now.game and player.now.game.phase == "bet":  # the turn ended with that throw
            for name in PLAYERS:
                player.bet(name, 2)
        player.throw()
        player.until(lambda shown: shown.table.reading_id > 1 or shown.stage == "ended", "the next throw")
        assert player.now.table.reading_id == 2

"""End Zone through pixels: whole games to a winner, and what is asked on the way, ruled by button and die.

A die too close to call for anybody, by its true place, may be called or asked; every other must be right.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from engine.dice import Die
from engine.events import Confirmed, DieRuled, Landed, Ruled
from engine.history import History
from engine.rulebooks import rulebook
from tests.device.landings.rig import Rig

Rigged = Callable[..., Rig]


@pytest.fixture
def rigged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Rigged]:
    rigs: list[Rig] = []

    def open_rig(seed: int, *, close_ups: bool = False, **more: object) -> Rig:
        if not close_ups:  # drawing them takes longer than all the rest, and is looked at in one test
            blank = np.zeros((8, 8, 3), np.uint8)
            monkeypatch.setattr("vision.landing.detector.draw_evidence", lambda *_, **__: blank)
        rigs.append(Rig(tmp_path / str(len(rigs)), seed, **more))  # type: ignore[arg-type]
        return rigs[-1]

    yield open_rig
    for rig in rigs:
        rig.close()


def last_landed(rig: Rig) -> Landed:
    return [event for event in rig.events if isinstance(event, Landed)][-1]


def play(rig: Rig, act: str = "throw") -> None:
    """Throw one die and answer what is asked; a certain call is held against where the die really lies."""
    rig.roll(act)
    die = rig.newest()
    if rig.now.ask == "landing" and die is None:
        rig.press("stop")
    elif rig.now.ask == "landing" and die is not None:
        rig.referee(die)
    elif die is not None:
        really, landed = rig.really(die), last_landed(rig)
        assert landed.value == die.die.value
        assert landed.zone == really.zone or really.call == "too_close"
    if rig.game.phase == "confirm":
        rig.press("stop")


def replayed(rig: Rig) -> History:
    """The journal's events through the rulebook alone."""
    record = rig.journal.game(rig.now.game_id or 0)
    assert record.ended
    return History.replay(rulebook(record.game).start(record.players, record.options), rig.events)


def to_the_end(rig: Rig, most: int) -> None:
    """Ann plays; Bea throws every die off the table, which takes less time to look at."""
    for _ in range(most):
        if rig.now.stage == "ended":
            break
        play(rig, "throw" if rig.game.active == "Ann" else "floor")
    assert rig.now.stage == "ended"
    view = replayed(rig).position.view()
    assert view.ending is not None
    assert view.ending.winners == rig.game.winners
    assert view.scores == rig.game.scores
    assert rig.game.winners == ("Ann",)
    assert rig.shouted("1.")


@pytest.mark.long
def test_threes_are_played_to_a_winner(rigged: Rigged) -> None:
    rig = rigged(3)
    rig.start("Ann", "Bea", mode="threes", order="seats")
    to_the_end(rig, 40)
    assert "three games" in rig.game.cause


@pytest.mark.long
def test_the_official_score_card_is_played_to_a_winner(rigged: Rigged) -> None:
    rig = rigged(5)
    rig.start("Ann", "Bea", mode="score-card", order="seats")
    to_the_end(rig, 60)
    assert "the most on the card" in rig.game.cause


@pytest.mark.long
def test_who_goes_first_is_rolled_for(rigged: Rigged) -> None:
    rig = rigged(2)
    rig.start("Ann", "Bea", mode="fast")
    while rig.game.phase == "order":
        play(rig)
    assert rig.game.phase == "roll"
    assert "goes first" in rig.now.message.text


@pytest.mark.long
def test_a_covered_dot_waits_for_the_button(rigged: Rigged) -> None:
    rig = rigged(4)
    rig.start("Ann", "Bea", mode="threes", order="seats")
    rig.roll("dot")
    assert rig.game.phase == "confirm"
    assert rig.now.stage == "playing"
    assert rig.now.lamps["cache"]
    assert rig.now.lamps["stop"]
    assert rig.shouted("dot")
    rig.press("cache")
    assert rig.now.stage == "ended"
    assert "covered dot" in rig.game.cause
    assert rig.events[-1] == Confirmed(covered=True)


@pytest.mark.long
def test_too_close_is_ruled_by_a_third_party_and_by_a_die(rigged: Rigged) -> None:
    rig = rigged(6, close_ups=True)
    rig.start("Ann", "Bea", mode="first-of-500", order="seats")
    rig.roll("line")
    assert rig.now.ask == "landing", rig.now.message
    assert rig.landing.call == "asked"
    assert "\u00b1" in rig.now.message.text
    assert rig.shouted("CLOSE")
    close_up = rig.storage.picture(rig.landing.evidence)
    assert close_up
    assert close_up[:2] == b"\xff\xd8"
    rig.press("cache")
    assert rig.now.ask == ""
    assert isinstance(rig.events[-1], Ruled)
    rig.newest()
    rig.roll("line")
    assert rig.now.ask == "landing", rig.now.message
    rig.newest()
    rig.roll("short")
    die = rig.newest()
    assert die is not None
    decided = rig.events[-1]
    assert isinstance(decided, DieRuled)
    assert decided.value == die.die.value
    assert rig.now.ask == ""
    # The third die of the turn: the deciding die was taken up, and counts nothing.
    play(rig)
    assert rig.game.active == "Bea"


def bumped(rigged: Rigged) -> Rig:
    """A game whose second die has hit the first, and nothing was asked: whether one hits differs between
    processors, on which dice do not bounce the same to the last bit."""
    for seed in range(8, 16):
        rig: Rig = rigged(seed)
        rig.start("Ann", "Bea", mode="threes", order="seats")
        play(rig)
        rig.roll("bump")
        if any(die.pushed_by for die in rig.camera.stories[-1].dice) and not rig.now.ask:
            return rig
    raise AssertionError("no die was hit")


@pytest.mark.long
def test_a_bumped_die_counts_where_it_then_lies(rigged: Rigged) -> None:
    rig = bumped(rigged)
    landed = last_landed(rig)
    assert [moved.die for moved in landed.moved] == [1]
    assert "Die 1 now lies" in rig.now.message.text


@pytest.mark.long
def test_a_die_off_the_table_is_asked_for(rigged: Rigged) -> None:
    rig = rigged(9)
    rig.start("Ann", "Bea", mode="threes", order="seats", minus="10")
    rig.roll("floor")
    assert rig.now.ask == "landing"
    assert rig.shouted("OFF")
    rig.press("stop")
    assert last_landed(rig).off == "missed"
    assert rig.game.scores == (0, -10)


@pytest.mark.long
def test_a_painter_that_lies_is_believed(rigged: Rigged) -> None:
    """What lies there reaches the game through pictures alone."""

    def lie(dice: tuple[Die, ...]) -> tuple[Die, ...]:
        return tuple(Die("pip", 7 - int(die.value)) for die in dice)

    rig = rigged(11, lie=lie)
    rig.start("Ann", "Bea", mode="threes", order="seats")
    rig.roll()
    die = rig.newest()
    assert die is not None
    assert last_landed(rig).value == 7 - int(die.die.value)


@pytest.mark.long
def test_by_itself_the_box_takes_a_throw_once(rigged: Rigged) -> None:
    rig = rigged(12, reads="at_rest")
    rig.start("Ann", "Bea", mode="threes", order="seats")
    rig.throw()
    assert len(rig.events) == 1
    rig.throw("hand")
    rig.frames(4)
    assert len(rig.events) == 1


@pytest.mark.long
def test_a_bumped_camera_is_put_right(rigged: Rigged) -> None:
    rig = rigged(13)
    rig.start("Ann", "Bea", mode="threes", order="seats")
    rig.camera.suffer("bumped")
    rig.frames(6)
    play(rig)
    assert "bumped" in rig.now.camera.text
    assert rig.now.camera.tone == "info"
    assert len(rig.events) == 1


@pytest.mark.long
def test_with_a_shoved_camera_nothing_is_called(rigged: Rigged) -> None:
    rig = rigged(13)
    rig.camera.suffer("shoved")
    rig.start("Ann", "Bea", mode="threes", order="seats")
    rig.frames(12)  # a table that reaches into the first picture passes for a hand for ten seconds
    assert "the camera was moved" in rig.now.camera.text
    rig.frames(24)
    rig.roll()
    assert rig.now.ask == "landing"
    assert rig.now.camera.tone == "alarm"
    assert rig.shouted("drIFt")
    assert rig.events == []

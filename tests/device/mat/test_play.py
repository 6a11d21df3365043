"""ZONK and Ten Thousand on their mats, through pixels and pins to the end: dice carried, cards laid."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from device.journal.rows import PlacesNote
from device.requests import Choose, StartGame
from device.shown.snapshot import GameShown, Snapshot
from engine.dice import Die
from tests.playing import Playing, playing, simulated

MOST_STEPS = 200
"""A guard against a game that goes nowhere."""


MOST_THROWS = 5
MOST_SHOWN = 10
LOOK_MS = 2000.0
"""Dice that lie still so long have been read, or have not been seen."""


@contextmanager
def mat(folder: Path, seed: int, reads: str = "roll_done") -> Iterator[Playing]:
    """A box on a simulated table with the game's own mat."""
    camera = simulated(seed)
    with playing(folder, camera, layout="auto", reads=reads) as player:
        yield player


def shown(player: Playing) -> GameShown:
    game = player.now.game
    assert game is not None
    return game


def choose(player: Playing, index: int = 0) -> Snapshot:
    """Take a choice as a click on the page of a simulated mat does: by hand, so that the camera sees it."""
    line = shown(player).line
    assert player.hand.carry_out(index, shown(player).choices[index].words).ok
    return player.until(
        lambda now: now.game and now.game.line != line and not player.table.busy, "it was seen"
    )


def cache(player: Playing) -> None:
    line = shown(player).line
    player.press("cache")
    player.until(lambda now: now.game and now.game.line != line, "the turn is over")


def roll(player: Playing) -> None:
    """Throw and press ROLL DONE; where the box is not sure of a die, people throw again."""
    for _ in range(MOST_THROWS):
        reading = player.roll()
        if not reading.ask:
            return
    raise AssertionError(reading.message)


def lies(snapshot: Snapshot, label: str) -> tuple[str, ...]:
    assert snapshot.places is not None
    return next(tuple(sorted(place.lies)) for place in snapshot.places.places if place.label == label)


def events(player: Playing) -> list[str]:
    game_id = player.now.game_id
    assert game_id is not None
    rows = player.box.journal.rows(game_id)
    return [str(entry.body["event"]) for entry in rows if entry.kind == "event"]


def blinking(snapshot: Snapshot) -> bool:
    """Whether the lamp of ROLL DONE, which may be pressed, is dark while something is refused."""
    return snapshot.message.tone == "refused" and "roll_done" in snapshot.blinks


def moved(player: Playing) -> int:
    """How many events came from what the camera saw in the places, and not from a click."""
    game_id = player.now.game_id
    assert game_id is not None
    rows = player.box.journal.rows(game_id)
    return sum(isinstance(entry.row, PlacesNote) for entry in rows)


@pytest.mark.long
def test_a_solo_run_of_zonk_through_pixels_to_the_end(tmp_path: Path) -> None:
    """Casts are read, dice carried into their cast's pocket, two cards shown at the end of a turn."""
    with mat(tmp_path, 7) as player:
        assert player.box.api.request(StartGame("zonk", ("Ann",), {"zonk": "at-once"})).ok
        recast = True
        for _ in range(MOST_STEPS):
            if player.now.stage == "ended":
                break
            match shown(player).phase:
                case "cast":
                    roll(player)
                case "pocket":
                    faces = [str(value) for value in shown(player).last_roll]
                    # The least that scores: a run that is lost after its first round is a short one.
                    scoring = [choice for choice in shown(player).choices if choice.points is not None]
                    after = choose(player, len(scoring) - 1)
                    pocket = sum(fact.name.startswith("pocket") for fact in shown(player).facts)
                    assert set(lies(after, f"pocket {pocket}")) <= set(faces)
                case "choose" if recast:
                    recast = False
                    roll(player)
                case "choose":
                    cache(player)
                case "draw":
                    choose(player, len(shown(player).choices) // 2)
                case _:
                    pytest.fail(f"ZONK has no such phase: {shown(player).phase}")
        assert player.now.stage == "ended"
        told = events(player)
        assert told.count("pocket") >= 2
        assert told.count("draw") >= 4
        assert moved(player) == told.count("pocket") + told.count("draw")


@pytest.mark.long
def test_ten_thousand_through_pixels_to_the_end(tmp_path: Path) -> None:
    options = {"target": "600", "opening": "0", "first": "named", "last": "none"}
    with mat(tmp_path, 2) as player:
        assert player.box.api.request(StartGame("ten-thousand", ("Ann", "Bob"), options)).ok
        for _ in range(MOST_STEPS):
            if player.now.stage == "ended":
                break
            match shown(player).phase:
                case "roll" if shown(player).running and shown(player).wanted_count in {1, 2, 3}:
                    cache(player)
                case "roll":
                    roll(player)
                case "keep":
                    before = lies(player.now, "set aside")
                    after = choose(player)
                    assert len(lies(after, "set aside")) > len(before)
                case _:
                    pytest.fail(f"Ten Thousand has no such phase: {shown(player).phase}")
        assert player.now.stage == "ended"
        assert max(shown(player).scores) >= 600
        assert moved(player) == events(player).count("pocket") >= 2


@pytest.mark.long
def test_a_choice_at_the_box_moves_no_die_even_on_a_simulated_mat(tmp_path: Path) -> None:
    with mat(tmp_path, 6) as player:
        assert player.box.api.request(
            StartGame("ten-thousand", ("Ann", "Bob"), {"first": "named", "opening": "0"})
        ).ok
        roll(player)
        before = player.table.lying
        assert player.box.api.request(Choose(0, shown(player).choices[0].words)).ok
        assert shown(player).phase == "roll"
        assert not player.table.busy
        assert player.table.lying == before
        assert moved(player) == 0


@pytest.mark.long
def test_what_may_not_lie_there_is_refused_and_dice_moved_back_are_an_undo(tmp_path: Path) -> None:
    options = {"first": "named", "opening": "0"}
    with mat(tmp_path, 6) as player:
        assert player.box.api.request(StartGame("ten-thousand", ("Ann", "Bob"), options)).ok
        roll(player)
        faces = [int(face) for face in shown(player).last_roll]
        line, keep = shown(player).line, next(face for face in faces if face in {1, 5})
        junk = next(face for face in faces if face not in {1, 5} and faces.count(face) < 3)
        player.table.carry([Die("pip", junk)], "set aside")
        refused = player.until(lambda now: now.message.tone == "refused", "the rulebook's reason")
        assert refused.message.text == f"Not all of {junk} score: leave the others in the hand. (rule 5)"
        assert any(place.wrong for place in refused.places.places if place.label == "set aside")  # type: ignore[union-attr]
        player.until(lambda _: any(map(blinking, player.snapshots)), "the lamps blink")
        assert shown(player).line == line
        player.press("roll_done")
        player.until(
            lambda now: "dice lie there that do not count" in now.message.text,
            "no roll before it is put right",
        )
        player.hand.act("take_back")
        player.until(lambda now: now.message.tone == "info", "all lies right again")
        player.table.carry([Die("pip", keep)], "set aside")
        player.until(lambda now: now.game and now.game.running, "the dice set aside count")
        player.until(lambda _: not player.table.busy, "a free hand")
        player.hand.act("take_back")
        player.until(lambda now: now.game and now.game.line == line, "moved back: undone")
        assert events(player) == ["rolled", "pocket", "undo"]


def show_bets(player: Playing, bets: tuple[int, ...], seen: Callable[[Snapshot], object]) -> None:
    """Set betting dice down, and anew where the box is not sure of all of them, as people would."""
    for _ in range(MOST_SHOWN):
        player.table.show_bets(dict(enumerate(bets, start=1)))
        player.until(lambda _: not player.table.busy, "all hands away")
        if player.sees(seen, LOOK_MS):
            return
    raise AssertionError(player.now.message)


@pytest.mark.long
def test_zoinx_is_bet_with_betting_dice_at_the_reveal(tmp_path: Path) -> None:
    with playing(tmp_path, simulated(5), layout="zoinx") as player:
        assert player.box.api.request(StartGame("zoinx", ("Ann", "Bea", "Zoe"), {})).ok
        player.until(lambda now: now.table.state == "still", "an empty mat")
        player.until(lambda now: now.places and now.places.places, "the mat")
        show_bets(player, (2, 0, 0), lambda now: now.message.tone == "refused")
        assert player.now.message.text == "Zoe rolls this turn and cannot bet 0. (rule 3a)"
        assert shown(player).bets == ("thinking",) * 3
        show_bets(player, (2, 0, 4), lambda now: now.game and now.game.phase == "roll")
        assert shown(player).bets == (2, 0, 4)
        reading = player.roll()
        assert [die.kind for die in reading.table.dice] == ["zoinx"] * 4
        assert reading.ask == ""
        assert [lies(reading, f"bet {seat}") for seat in (1, 2, 3)] == [("2",), ("0",), ("4",)]


@pytest.mark.long
def test_by_itself_the_box_tells_carried_dice_from_thrown_ones(tmp_path: Path) -> None:
    options = {"first": "named", "opening": "0"}
    with mat(tmp_path, 6, "at_rest") as player:
        assert player.box.api.request(StartGame("ten-thousand", ("Ann", "Bob"), options)).ok
        player.until(lambda now: now.table.state == "still", "an empty mat")
        player.throw()
        player.until(lambda now: now.table.reading_id == 1, "the throw, read by itself")
        line = shown(player).line
        choose(player)
        player.hand.act("take_back")
        player.until(lambda now: now.game and now.game.line == line, "moved back: undone")
        player.until(lambda _: not player.table.busy, "a free hand")
        choose(player)
        assert player.now.table.reading_id == 1
        player.throw()
        player.until(lambda now: now.table.reading_id == 2, "the next throw")
        assert events(player) == ["rolled", "pocket", "undo", "pocket", "rolled"]

"""ZONK and Ten Thousand on their mats, through pixels and pins to the end: dice carried, cards laid."""

from pathlib import Path

from device.snapshot import GameShown, Snapshot
from tests.playing import Playing, playing, simulated

MOST_STEPS = 200
"""A guard against a game that goes nowhere."""


def shown(player: Playing) -> GameShown:
    game = player.now.game
    assert game is not None
    return game


def choose(player: Playing, index: int = 0) -> Snapshot:
    """Take a choice as a click on the page does: the hand carries it out, and the camera sees it."""
    line = shown(player).line
    assert player.box.desk.choose(index, shown(player).choices[index].words).ok
    assert shown(player).line == line, "nothing has happened before the camera saw it"
    return player.until(
        lambda now: now.game and now.game.line != line and not player.table.busy, "it was seen"
    )


def cache(player: Playing) -> None:
    line = shown(player).line
    player.press("cache")
    player.until(lambda now: now.game and now.game.line != line, "the turn is over")


def roll(player: Playing) -> None:
    """Throw and press ROLL DONE; what was read is what lies free on the table."""
    reading = player.roll()
    assert reading.ask == "", reading.message


def lies(snapshot: Snapshot, label: str) -> tuple[str, ...]:
    assert snapshot.places is not None
    return next(tuple(sorted(place.lies)) for place in snapshot.places.places if place.label == label)


def events(player: Playing) -> list[type]:
    game_id = player.now.game_id
    assert game_id is not None
    rows = player.box.journal.rows(game_id)
    return [row.body["event"] for row in rows if row.kind == "event"]


def test_a_solo_run_of_zonk_through_pixels_to_the_end(tmp_path: Path) -> None:
    """Casts are read, dice carried into their cast's pocket, two cards shown at the end of a turn."""
    with playing(tmp_path, simulated(seed=4), layout="auto") as player:
        assert player.box.desk.start("zonk", ("Ann",), {"zonk": "at-once"}).ok
        recast = True
        for _ in range(MOST_STEPS):
            if player.now.stage == "ended":
                break
            match shown(player).phase:
                case "cast":
                    roll(player)
                case "pocket":
                    faces = [str(value) for value in shown(player).last_roll]
                    after = choose(player)
                    pocket = sum(fact.name.startswith("pocket") for fact in shown(player).facts)
                    assert set(lies(after, f"pocket {pocket}")) <= set(faces)
                case "choose" if recast:
                    recast = False
                    roll(player)
                case "choose":
                    recast = True
                    cache(player)
                case "draw":
                    choose(player, len(shown(player).choices) // 2)
        assert player.now.stage == "ended"
        told = events(player)
        assert told.count("pocket") >= 3
        assert told.count("draw") >= 4


def test_ten_thousand_through_pixels_to_the_end(tmp_path: Path) -> None:
    options = {"target": "1000", "opening": "0", "first": "named", "last": "none"}
    with playing(tmp_path, simulated(seed=2), layout="auto") as player:
        assert player.box.desk.start("ten-thousand", ("Ann", "Bob"), options).ok
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
        assert player.now.stage == "ended"
        assert max(shown(player).scores) >= 1000
        assert events(player).count("pocket") >= 3

"""ZONK's D4 and items on the mat, with the reading given: what is made of it must hold whoever read it. And
one D4 that is truly read."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from calibration.arrays import Picture
from device.requests import Choose, StartGame
from device.shown.snapshot import GameShown, Snapshot
from device.simulator.table import SimulatedTable
from tests.playing import Playing, playing, simulated
from vision.reading import DiceChoice, Reading, SeenDie

FIELD_END_MM = 180 - 277 / 2
"""The upper edge of ZONK's field, from the mat's middle."""


class GivenReader:
    """Tells what lies on the simulated table."""

    def __init__(self, table: SimulatedTable) -> None:
        self._table = table

    def read(self, picture: Picture, dice: DiceChoice = "auto", _sharp: Picture | None = None) -> Reading:
        height, width = picture.shape[:2]
        seen = []
        for one in self._table.lying:
            if dice not in {"auto", one.die.kind}:
                continue
            corners = one.corners_px
            seen.append(
                SeenDie(
                    kind=one.die.kind,
                    value=one.die.value,
                    confidence=0.999,
                    color=one.color,
                    center_px=one.center_px,
                    corners_px=(corners[0], corners[1], corners[2], corners[3]),
                )
            )
        return Reading(width_px=width, height_px=height, dice=tuple(seen), unsure=(), elapsed_ms=1.0)


@contextmanager
def given(folder: Path, patched: pytest.MonkeyPatch, seed: int, layout: str) -> Iterator[Playing]:
    """A box on a mat whose reader is given what lies there."""
    camera = simulated(seed)
    patched.setattr("device.table.reading.TableReader", lambda **_: GivenReader(camera))
    with playing(folder, camera, layout=layout) as player:
        yield player


def shown(player: Playing) -> GameShown:
    game = player.now.game
    assert game is not None
    return game


def line_is_new(old: str, now: Snapshot) -> bool:
    return now.game is not None and now.game.line != old


def tell(player: Playing, index: int) -> None:
    """Take a choice as the page of a simulated mat does: by hand, and at the box where no hand can say it."""
    words = shown(player).choices[index].words
    assert player.hand.carry_out(index, words).ok or player.box.api.request(Choose(index, words)).ok


def pockets_a_d4(player: Playing) -> bool:
    """Play with the Potion of Shrinking until a D4 is pocketed; whether it was before anybody was asked."""
    assert player.box.api.request(StartGame("zonk", ("Ann",), {"zonk": "at-once"})).ok
    turns = pocketed = 0
    while turns < 12 and not pocketed and player.now.stage == "playing":
        turns += 1
        line = shown(player).line
        match shown(player).phase:
            case "cast":
                if player.roll().ask:
                    return False
                continue
            case "pocket" if shown(player).wanted_more:
                index = next(
                    (at for at, choice in enumerate(shown(player).choices) if "D4" in choice.words), 0
                )
                pocketed = "D4" in shown(player).choices[index].words
            case "draw":
                words = [choice.words for choice in shown(player).choices]
                index = words.index("Potion of Shrinking") if "potion" not in line else 1
            case "choose":
                player.press("cache")
                player.until(partial(line_is_new, line), "cached")
                continue
            case _:
                index = 0
        tell(player, index)
        player.until(partial(line_is_new, line), "the camera saw it")
        player.until(lambda _: not player.table.busy, "a free hand")
    return bool(pocketed)


@pytest.mark.long
def test_a_four_sided_die_is_cast_and_pocketed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Potion of Shrinking: from the next turn on a D4 takes a D6's place, and pockets like one."""
    with given(tmp_path, monkeypatch, 4, "auto") as player:
        assert pockets_a_d4(player)
        assert any(one.die.kind == "d4" for one in player.table.lying)


@pytest.mark.long
def test_a_four_sided_die_is_read_from_the_sharp_picture(tmp_path: Path) -> None:
    """The same from pixels: in the watched picture a D4 is too small. One such game in three may ask."""
    pocketed = 0
    for seed in (4, 5, 6):
        with playing(tmp_path / str(seed), simulated(seed), layout="auto") as player:
            if pockets_a_d4(player):
                pocketed += 1
                assert any(one.die.kind == "d4" for one in player.table.lying)
    assert pocketed >= 2


def take(player: Playing, begins: str) -> None:
    """Take the first choice that begins so, and wait until it counts."""
    line = shown(player).line
    words = next(choice.words for choice in shown(player).choices if choice.words.startswith(begins))
    tell(player, [choice.words for choice in shown(player).choices].index(words))
    player.until(lambda now: now.game and now.game.line != line, f"{words} counts")
    player.until(lambda _: not player.table.busy, "a free hand")


def free_faces(player: Playing) -> list[str]:
    """What truly lies on the field, by face."""
    return sorted(str(one.die.value) for one in player.table.lying if one.center_mm[1] < FIELD_END_MM)


def cast(player: Playing) -> list[str]:
    return sorted(next(fact.words for fact in shown(player).facts if fact.name == "cast"))


@pytest.mark.long
def test_items_work_on_the_dice_that_lie_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cast again alone: only that die is read. Turned: the die shows its opposite, and goes on counting."""
    with given(tmp_path, monkeypatch, 4, "auto") as player:
        assert player.box.api.request(StartGame("zonk", ("Ann",), {})).ok
        player.roll()
        player.press("cache")
        player.until(lambda now: now.game and now.game.phase == "draw", "cards are due")
        take(player, "Dictate Fate")
        take(player, "Chaos Swap")
        player.roll()
        take(player, "Dictate Fate")
        reading = player.roll()
        assert (reading.ask, len(reading.table.dice)) == ("", 1)
        assert free_faces(player) == cast(player)
        take(player, "Chaos Swap")
        assert free_faces(player) == cast(player)

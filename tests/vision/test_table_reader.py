"""The reader of a box: throws of the simulated table, read as they come."""

from collections.abc import Iterator

import pytest

from calibration.arrays import Picture
from device.simulator.designs import COLORS
from device.simulator.end_zone.table import view_of
from device.simulator.lens import overhead
from device.simulator.table import SimulatedTable
from tests.clock import Clock
from tests.tiers import short_rows
from vision.incremental_reader import TableReader
from vision.learned.camera_prior import CameraPrior
from vision.learned.stance import Upright
from vision.reader import Reader
from vision.reading import DiceChoice


def throws(table: SimulatedTable, acts: list[str]) -> Iterator[Picture]:
    """The picture at rest after each act."""
    frames = table.frames()
    for act in acts:
        rest = table.rest_time_ms
        table.act(act)
        frame = next(frames)
        while table.busy or table.rest_time_ms == rest:
            frame = next(frames)
        yield frame.picture


@pytest.mark.long
@pytest.mark.parametrize(("kind", "count"), short_rows([("pip", 5), ("zoinx", 4), ("bet", 4)]))
def test_throws_at_the_table_are_read_wholly(kind: DiceChoice, count: int) -> None:
    made, clock = TableReader(), Clock(0.0)
    table = SimulatedTable(31, fps=1.0, clock=clock, wait=clock.wait)
    table.lay(kind, count)  # type: ignore[arg-type]
    for picture in throws(table, ["throw"] * 3):
        reading = made.read(picture, kind)
        assert sorted(str(die.value) for die in reading.dice) == sorted(
            str(die.value) for die in table.rolled
        )
        assert reading.unsure == ()


@pytest.mark.long
@pytest.mark.parametrize("kind", ["pip", "zoinx"])
def test_a_leaning_die_is_never_read_as_if_it_lay(kind: DiceChoice) -> None:
    made, clock = TableReader(), Clock(0.0)
    table = SimulatedTable(33, fps=1.0, clock=clock, wait=clock.wait)
    table.lay(kind, 5)  # type: ignore[arg-type]
    for picture in throws(table, ["cock"] * 4):
        lying = [one for one in table.lying if one.how != "flat"]
        assert lying
        for die in made.read(picture, kind).dice:
            for one in lying:
                away = max(abs(a - b) for a, b in zip(die.center_px, one.center_px, strict=True))
                assert away > 15, f"a leaning die was read as {die.value}"


def test_a_still_table_is_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    made, clock = TableReader(), Clock(0.0)
    table = SimulatedTable(31, fps=1.0, clock=clock, wait=clock.wait)
    table.lay("pip", 5)
    (picture,) = throws(table, ["throw"])
    first = made.read(picture, "pip")
    assert len(first.dice) == 5
    monkeypatch.setattr("vision.reader.Reader.read_each", lambda *_: pytest.fail("nothing changed"))
    later = next(table.frames()).picture
    assert made.read(later, "pip").dice == first.dice


def test_under_a_calibrated_camera_a_leaning_die_needs_no_company_to_be_told() -> None:
    """Two betting dice, one of which leans: too few to tell by one another."""
    clock, colors = Clock(0.0), list(COLORS)
    table = SimulatedTable(537, fps=0.25, clock=clock, wait=clock.wait)
    table.lay("bet", 2, (colors[1], colors[3]))
    (picture,) = throws(table, ["cock"])
    (flat,), (leaning,) = ([one for one in table.lying if one.how == how] for how in ("flat", "cocked"))
    said: list[str] = []
    bearings = CameraPrior(Upright(view=view_of(overhead(1280, 960))), said.append)
    reading = TableReader(bearings=bearings).read(picture, "bet")
    assert [die.value for die in reading.dice] == [flat.die.value]
    assert [one.reason for one in reading.unsure] == ["cocked"]
    assert reading.unsure[0].center_px == pytest.approx(leaning.center_px, abs=10)
    x, y = (round(part) for part in leaning.center_px)
    window = (x - 90, y - 80, x + 80, y + 90)
    part = Reader(bearings=bearings).read_each(picture, "bet", window=window)
    assert (part.width_px, part.height_px) == (170, 170)
    assert "cocked" in [one.reason for one in part.unsure], "also where only a part is read"
    assert said == []

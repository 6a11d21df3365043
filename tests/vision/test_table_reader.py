"""At a table the classical reader leads, and the networks help it out."""

from dataclasses import replace

import numpy as np
import pytest

from device.cameras.table import SimulatedTable
from tests.clock import Clock
from tests.vision.test_join import looked, read, second
from vision.find import Picture
from vision.reading import DiceChoice, Reading, UnsureDie
from vision.table_reader import TableReader

PICTURE = np.zeros((48, 64, 3), np.uint8)


class Fixed:
    """Says what it was told to."""

    def __init__(self, says: object) -> None:
        self.says = says
        self.asked = 0

    def read(self, picture: Picture, dice: DiceChoice) -> object:  # noqa: ARG002 - a reader's own
        self.asked += 1
        return self.says

    look = read


def reader(first: Reading, faces: list[object]) -> tuple[TableReader, Fixed]:
    made = TableReader()
    networks = Fixed(faces)
    made._classic = Fixed(first)  # type: ignore[assignment]
    made._learned = networks  # type: ignore[assignment]
    return made, networks


def unsure(reason: str) -> Reading:
    """A die that was read far away, and one that was not at (100, 100)."""
    far = replace(read(2, 0.99), center_px=(500.0, 300.0))
    return replace(second(far), unsure=(UnsureDie(center_px=(100.0, 100.0), reason=reason),))


def test_a_clear_reading_needs_no_network() -> None:
    made, networks = reader(second(read(4, 0.99)), [])
    assert [die.value for die in made.read(PICTURE, "pip").dice] == [4]
    assert networks.asked == 0


def test_what_it_cannot_read_the_networks_read() -> None:
    made, _ = reader(unsure("worn"), [looked("pip", 5, 0.97)])
    reading = made.read(PICTURE, "pip")
    assert sorted(die.value for die in reading.dice) == [2, 5]
    assert reading.unsure == ()


@pytest.mark.parametrize(
    ("reason", "sure"), [("cocked", 0.98), ("stacked", 0.98), ("leaning or half hidden", 0.98), ("worn", 0.9)]
)
def test_a_leaning_die_and_a_doubtful_face_stay_unsure(reason: str, sure: float) -> None:
    made, _ = reader(unsure(reason), [looked("pip", 5, sure)])
    reading = made.read(PICTURE, "pip")
    assert [die.value for die in reading.dice] == [2]
    assert [one.reason for one in reading.unsure] == [reason]


def test_what_only_the_networks_see_is_not_added() -> None:
    made, _ = reader(unsure("worn"), [looked("pip", 6, 0.98, (300, 200))])
    assert len(made.read(PICTURE, "pip").dice) == 1


@pytest.mark.parametrize(("kind", "count"), [("pip", 5), ("zoinx", 4)])
def test_throws_at_the_table_are_read_wholly(kind: DiceChoice, count: int) -> None:
    made, clock = TableReader(), Clock(0.0)
    table = SimulatedTable(31, fps=1.0, clock=clock, wait=clock.wait)
    table.lay(kind, count)  # type: ignore[arg-type]
    frames = table.frames()
    for _ in range(4):
        rest = table.rest_time_ms
        table.act("throw")
        frame = next(frames)
        while table.busy or table.rest_time_ms == rest:
            frame = next(frames)
        reading = made.read(frame.picture, kind)
        assert sorted(str(die.value) for die in reading.dice) == sorted(
            str(die.value) for die in table.rolled
        )
        assert reading.unsure == ()

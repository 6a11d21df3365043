"""A short soak, and what is made of a long one's figures."""

from array import array
from pathlib import Path
from random import Random

import msgspec
import pytest

from device.simulator.throw import NO_ROOM
from device.simulator.world import World
from engine.dice import Face
from tests.soak.drawn import TRUTH, DrawnTruth, Painter
from tests.soak.gauges import Gauges
from tests.soak.players import SoakTally
from tests.soak.run import SoakAsked, soak
from tests.soak.verdict import SLOPE_BYTES, verdict

THROWS = 20_000


@pytest.fixture(scope="module")
def pool(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where drawn throws are kept."""
    return tmp_path_factory.mktemp("pool")


@pytest.mark.long
def test_a_short_soak_reads_every_throw_and_tells_what_the_box_takes_up(pool: Path, tmp_path: Path) -> None:
    figures = tmp_path / "figures.jsonl"
    soaked = soak(SoakAsked(throws=6, drawn=2, pool=pool, figures=figures))
    assert soaked.tally.wrong == []
    assert (soaked.tally.throws, len(soaked.tally.shown_ms)) == (6, 6)
    told = [msgspec.json.decode(line, type=Gauges) for line in figures.read_bytes().splitlines()]
    assert told == soaked.gauges
    assert [each.throws for each in told] == [0, 6]
    assert told[-1].journal_kb > told[0].journal_kb


@pytest.mark.long
def test_a_reading_that_is_not_what_lies_there_is_told(pool: Path) -> None:
    for file in (pool / "4-zoinx").glob(f"*/{TRUTH}"):
        truth = msgspec.json.decode(file.read_bytes(), type=DrawnTruth)
        other: Face = "square" if all(face == "dot" for _, face in truth.faces) else "dot"
        faces = tuple((kind, other) for kind, _ in truth.faces)
        file.write_bytes(msgspec.json.encode(msgspec.structs.replace(truth, faces=faces)))
    soaked = soak(SoakAsked(throws=2, drawn=2, pool=pool))
    assert len(soaked.tally.wrong) == 2


@pytest.mark.long
def test_where_no_die_can_lie_on_another_they_are_thrown_plainly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def act(self: World, name: str) -> None:
        if name in {"cock", "stack"}:
            raise ValueError(NO_ROOM)
        usual(self, name)

    usual = World.act
    monkeypatch.setattr(World, "act", act)
    monkeypatch.setattr("tests.soak.drawn.TROUBLED", 1.0)
    Painter(1).draw(tmp_path / "one", (("pip", 2),), Random(3))
    truth = msgspec.json.decode((tmp_path / "one" / TRUTH).read_bytes(), type=DrawnTruth)
    assert truth.clear


def gauges(*, grows_bytes: float = 0.0, handles: int = 20) -> list[Gauges]:
    """The gauges of a box whose memory goes up and down by some MB, and grows besides."""
    rng, told = Random(1), []
    for throws in range(0, THROWS + 1, 100):
        kb = 200_000 + rng.gauss(0, 5_000) + grows_bytes * throws / 1024
        told.append(
            Gauges(
                throws=throws,
                wall_s=throws / 4,
                cpu_s=throws / 5,
                resident_kb=kb,
                own_kb=kb,
                anonymous_kb=kb,
                heap_kb=kb,
                objects=350_000,
                handles=20 + (handles - 20) * throws // THROWS,
                threads=12,
                journal_kb=throws,
                data_kb=throws,
                load=1.0,
            )
        )
    return told


def tally(*, slower: float = 1.0) -> SoakTally:
    """Many readings whose work takes some time, and longer in the end."""
    work = array("f", (25.0 if number < THROWS / 2 else 25.0 * slower for number in range(THROWS)))
    return SoakTally(throws=THROWS, games=400, shown_ms=work, work_ms=work)


def test_a_box_that_stays_as_it_is_is_well() -> None:
    assert verdict(tally(), gauges()).well


@pytest.mark.parametrize(
    ("figures", "played"),
    [
        (gauges(grows_bytes=1.5 * SLOPE_BYTES), tally()),
        (gauges(handles=40), tally()),
        (gauges(), tally(slower=1.2)),
    ],
    ids=["memory grows", "files stay open", "readings take longer"],
)
def test_a_box_that_grows_or_slows_down_is_not(figures: list[Gauges], played: SoakTally) -> None:
    told = verdict(played, figures)
    assert not told.well
    assert told.lines[-1] == "not as it should be"

"""What nobody runs is broken: each benchmark runs to its end on the least that it can be asked for."""

from pathlib import Path

import pytest

from benchmarks.__main__ import main
from benchmarks.pictures.studio import find_chromium
from device.hall.broker import NoBroker, find_mosquitto

pytestmark = pytest.mark.long

RUNS = {
    "read": "--sources drawn/pip --first 2",
    "read any": "--any --sources drawn/zoinx --first 1",
    "read leaks": "--leaks --sources drawn/bet --first 2",
    "read scales": "--scales --sources drawn/pip --first 1",
    "read taught": "--taught --sources drawn/pip --first 1",
    "read table": "--table --first 2",
    "throws": "--throws 3 --seed 4001",
    "throws unpressed": "--at-rest --throws 3 --seed 4000",
    "touched": "--throws 1",
    "history": "--acts 1",
    "history unread": "--unread --acts 1",
    "acts": "slides --acts 1",
    "landings": "--camera 1mp --full 1",
    "tables": "--camera 1mp --count 1 --boards 1",
    "tables own": "--own --camera 1mp --count 1",
    "speed": "films --throws 1",
    "latency": "--throws 1",
    "memory": "--throws 1",
    "crowd": "--phones 2 --hostile 1 --seconds 2",
    "secret_bets": "--bets 12",
}
"""The options of each run, by the benchmark's name and a word that tells runs apart."""


@pytest.fixture(autouse=True)
def _a_cache_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))


@pytest.mark.parametrize("run", RUNS)
def test_each_benchmark_runs(run: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([run.partition(" ")[0], *RUNS[run].split()]) == 0
    assert capsys.readouterr().out.strip()


@pytest.mark.chromium
def test_the_pages_are_opened(capsys: pytest.CaptureFixture[str]) -> None:
    if find_chromium() is None:
        pytest.skip("no Chromium here; on Debian: apt install chromium")
    assert main(["pages", "--rounds", "1", "--slower", "1"]) == 0
    assert "player" in capsys.readouterr().out


def test_a_small_hall_is_heard(capsys: pytest.CaptureFixture[str]) -> None:
    try:
        find_mosquitto()
    except NoBroker as error:
        pytest.skip(str(error))
    assert main(["hall", "--tables", "1", "--seconds", "12"]) == 0
    _, row = capsys.readouterr().out.splitlines()
    assert float(row.split()[0]) == 1

"""What a throw passes in the source, followed on made-up files and on the simulated table."""

from pathlib import Path
from textwrap import dedent
from types import SimpleNamespace
from typing import Any

import pytest

from benchmarks.house.passed import Follower, Way, follow

ROOT = Path(__file__).parents[2]


class FakeTable:
    """Sees frames that say what is to be called, and what the snapshot then is."""

    def __init__(self) -> None:
        self.snapshot: Any = None

    def see(self, frame: Any) -> None:
        """Do as the frame says."""
        call, state, reading = frame
        call()
        self.snapshot = SimpleNamespace(table=SimpleNamespace(state=state, reading_id=reading))


def test_a_throw_is_followed_from_the_first_still_frame_to_its_reading(tmp_path: Path) -> None:
    def ours(name: str, text: str) -> dict[str, Any]:
        space: dict[str, Any] = {}
        exec(compile(dedent(text), str(tmp_path / name), "exec"), space)  # noqa: S102 - files that need not be
        return space

    look = ours("device/look.py", "def look():\n    return [each for each in (lambda: (1, 2))()]\n")["look"]
    read = ours("vision/read.py", "def read():\n    return inner()\n\ndef inner():\n    return 1\n")["read"]
    other = ours("tests/other.py", "def other():\n    return 1\n")["other"]
    see, follower, fake = FakeTable.see, Follower(tmp_path), FakeTable()

    def both() -> None:
        other()
        look()
        read()

    ways = []
    with follower.on(FakeTable):
        for frame in ((read, "still", 0), (read, "moving", 0), (look, "still", 0), (both, "still", 1)):
            fake.see(frame)
            ways.append(follower.way)
    assert FakeTable.see is see
    assert ways == [None, None, None, Way(functions=3, files=("device/look.py", "vision/read.py"))]


@pytest.mark.long
@pytest.mark.parametrize("kind", ["roll", "landing"])
def test_a_throw_on_the_simulated_table_is_followed(kind: str) -> None:
    way = next(way for seed in range(11, 23) if (way := follow(ROOT, kind, seed)) is not None)
    assert way.files[0] == "device/table/table.py"
    assert {file.partition("/")[0] for file in way.files} >= {"device", "vision", "engine"}
    assert way.functions > len(way.files)

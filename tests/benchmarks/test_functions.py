"""What a throw passes in the source, recorded on made-up files and on the simulated table."""

from collections.abc import Callable
from pathlib import Path
from textwrap import dedent
from types import SimpleNamespace
from typing import Any

import pytest

from benchmarks import functions
from benchmarks.functions import CallRecorder, bet, counts, throw


class FakeTable:
    """Handles frames that say what is to be called, and what the snapshot then is."""

    def __init__(self) -> None:
        self.snapshot: Any = None

    def handle_frame(self, frame: Any) -> None:
        """Do as the frame says."""
        call, state, reading = frame
        call()
        self.snapshot = SimpleNamespace(table=SimpleNamespace(state=state, reading_id=reading))


def test_a_throw_is_recorded_from_the_first_still_frame_to_its_reading(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def compiled(name: str, text: str) -> Callable[[], object]:
        space: dict[str, Any] = {}
        exec(compile(dedent(text), str(tmp_path / name), "exec"), space)  # noqa: S102 - files that need not be
        function: Callable[[], object] = space[Path(name).stem]
        return function

    look = compiled("device/look.py", "def look():\n    return [each for each in (lambda: (1, 2))()]\n")
    read = compiled("vision/read.py", "def read():\n    return inner()\n\ndef inner():\n    return 1\n")
    other = compiled("tests/other.py", "def other():\n    return 1\n")
    monkeypatch.setattr(functions, "ROOT", tmp_path)
    monkeypatch.setattr(functions, "ROOMS", (f"{tmp_path}/device/", f"{tmp_path}/vision/"))
    see, recorder, fake = FakeTable.handle_frame, CallRecorder(), FakeTable()

    def both() -> None:
        other()
        look()
        read()

    passed = []
    with recorder.on(FakeTable):
        for frame in ((read, "still", 0), (read, "moving", 0), (look, "still", 0), (both, "still", 1)):
            fake.handle_frame(frame)
            passed.append(recorder.passed)
    assert FakeTable.handle_frame is see
    assert passed[:3] == [None, None, None]
    assert counts(passed[3] or {}) == (3, ["device/look.py", "vision/read.py"])


@pytest.mark.long
@pytest.mark.parametrize("kind", ["roll", "landing"])
def test_a_throw_on_the_simulated_table_is_counted(kind: str) -> None:
    passed = next(passed for seed in range(11, 23) if (passed := throw(kind, seed)))
    number, files = counts(passed)
    assert {file.partition("/")[0] for file in files} >= {"device", "vision", "engine"}
    assert number > len(files) > 10


@pytest.mark.long
def test_a_bet_from_a_page_is_counted() -> None:
    number, files = counts(bet(11))
    assert {file.partition("/")[0] for file in files} >= {"device", "engine"}
    assert "engine/zoinx.py" in files
    assert number > len(files) > 10

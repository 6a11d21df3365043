"""Whoever asks what benchmarks there are is told at once, and each has options of its own."""

import importlib
import sys

import pytest

from benchmarks.__main__ import BENCHMARKS, main


def test_each_benchmark_is_listed_with_what_it_decides(capsys: pytest.CaptureFixture[str]) -> None:
    loaded = set(sys.modules)
    with pytest.raises(SystemExit, match="0"):
        main(["--help"])
    listed = capsys.readouterr().out
    for name, each in BENCHMARKS.items():
        assert f"  {name} " in listed
        assert each.decides in listed
    assert not {name for name in set(sys.modules) - loaded if name.startswith("benchmarks.")}


@pytest.mark.parametrize("name", BENCHMARKS)
def test_each_benchmark_has_options_of_its_own(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    module = importlib.import_module(f"benchmarks.{BENCHMARKS[name].module}")
    assert module.__doc__
    with pytest.raises(SystemExit, match="0"):
        main([name, "--help"])
    assert f"python -m benchmarks {name}" in capsys.readouterr().out


def test_an_unknown_benchmark_is_refused_with_those_that_there_are(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["nonsense"])
    assert "'latency'" in capsys.readouterr().err

"""Whoever asks what benchmarks there are is told at once, and nothing is run."""

import sys

import pytest

from benchmarks import MODULES
from benchmarks.__main__ import print_list


def test_each_benchmark_is_named_with_what_it_measures(capsys: pytest.CaptureFixture[str]) -> None:
    loaded = set(sys.modules)
    print_list()
    told = [line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines()]
    assert [name for name, _ in told] == MODULES
    assert all(text.endswith((".", "?")) for _, text in told)
    assert not {name for name in set(sys.modules) - loaded if name.startswith("benchmarks.")}

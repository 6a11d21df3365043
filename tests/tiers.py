"""Which of a test's cases `make test` runs, and which are left to `make test-all`."""

from collections.abc import Iterable, Sequence

import pytest


def short(values: Iterable[object], count: int = 1) -> list[object]:
    """The values of one argument: the first `count` are short, the others `long`."""
    return short_rows([(value,) for value in values], count)


def short_rows(rows: Iterable[Sequence[object]], count: int = 1) -> list[object]:
    """The values of several arguments, row by row: the first `count` are short, the others `long`."""
    return [
        pytest.param(*row, marks=[pytest.mark.long] if place >= count else [])
        for place, row in enumerate(rows)
    ]

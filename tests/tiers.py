"""Which of a test's cases `make test` runs, and which are left to `make test-long`."""

from collections.abc import Iterable

import pytest


def short(cases: Iterable[object], count: int = 1) -> list[object]:
    """The first `count` cases are short; the others are marked `long`."""
    return [
        case if place < count else pytest.param(case, marks=pytest.mark.long)
        for place, case in enumerate(cases)
    ]

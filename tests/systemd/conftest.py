"""A stage for each test, and nothing left of it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.systemd.stage import Stage


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    """A box that has no Callbox yet."""
    made = Stage(tmp_path)
    yield made
    made.end()

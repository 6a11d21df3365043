"""Rigs take minutes and want root, so they run when they are asked for: `make rigs` (pytest -m rigs)."""

from pathlib import Path

import pytest

RIGS = Path(__file__).parents[3] / "shared" / "rigs"
"""Beside the checkout; a project cloned alone does without."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Skip what was not asked for."""
    if "rigs" in config.option.markexpr:
        return
    for item in items:
        if item.get_closest_marker("rigs"):
            item.add_marker(pytest.mark.skip(reason="a rig: run by `make rigs`"))


@pytest.fixture(scope="session")
def rigs() -> Path:
    """The folder with the rigs."""
    if not RIGS.is_dir():
        pytest.skip(f"no rigs beside the checkout ({RIGS})")
    return RIGS
